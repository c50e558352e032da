package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
)

// deafTool takes so long, whatever becomes of its context, and then does what it is told.
func deafTool(name string, d time.Duration, then func(ctx context.Context, call agenttool.Call) (agenttool.Result, error)) agenttool.Tool {
	return funcTool(name, func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		time.Sleep(d)
		return then(ctx, call)
	})
}

func late(context.Context, agenttool.Call) (agenttool.Result, error) {
	return agenttool.Text("late"), nil
}

// TestToolGrace aborts a run after a minute. Its tools are deaf, and the run may leave them behind 5 seconds later.
func TestToolGrace(t *testing.T) {
	const grace = 5 * time.Second
	cut := func(t *testing.T, a *agentturn.Agent, reason agentturn.Reason, want time.Duration) *agentturn.RunEnd {
		t.Helper()
		start := time.Now()
		end := prompted(t, a, "hi", reason)
		if took := time.Since(start); took != want {
			t.Errorf("it took %v, want %v", took, want)
		}
		return end
	}
	abandoned := func(t *testing.T, err error, tool string, cause error) {
		t.Helper()
		var left *agentturn.AbandonedError
		if !errors.As(err, &left) || left.Tool != tool || left.Grace != grace || !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "agentturn: ") {
			t.Errorf("error %v", err)
		}
	}
	for name, test := range map[string]func(t *testing.T){
		"abandoned": func(t *testing.T) {
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("deaf", `{"n":1}`), at.Call("x", `{}`)}), ToolGrace: grace,
				Tools:          tools(deafTool("deaf", time.Hour, late), okTool("x")),
				BeforeToolCall: deciding("deaf", agentturn.ToolDecision{Args: json.RawMessage(`{"n":2}`), Note: "note"})})
			time.AfterFunc(time.Minute, func() { a.AbortCause(errTest) })
			end := cut(t, a, agentturn.ReasonAborted, time.Minute+grace)
			if end.Err != errTest || len(end.Pending) != 1 || kinds(end.Items[3:]) != "output:call_2" {
				t.Fatalf("%+v", end)
			}
			if p := end.Pending[0]; p.Reason != agentturn.PendingAborted || !p.MayHaveRun() || p.IdempotencyKey != end.RunID+"/call_1" || string(p.Args) != `{"n":2}` {
				t.Errorf("pending %+v", p)
			}
			for _, e := range all[*agentturn.ToolEnd](rec) {
				if e.Name == "deaf" {
					abandoned(t, e.Err, "deaf", errTest)
				}
			}
			// The call may have run: it does not run again without a word that it may.
			if _, err := a.Resume(t.Context(), agentturn.Approve("call_1")); !errors.Is(err, agentturn.ErrAmbiguousCall) {
				t.Errorf("error %v", err)
			}
		},
		"on a failure": func(t *testing.T) {
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("deaf", `{}`), at.Call("minute", `{}`)}), ToolGrace: grace,
				Tools: tools(deafTool("deaf", time.Hour, late), deafTool("minute", time.Minute, late))})
			a.Subscribe(failingAt(agentturn.EventToolEnd, 1, errTest))
			end := cut(t, a, agentturn.ReasonError, time.Minute+grace)
			if got := cutOf(end, rec); !strings.HasPrefix(got, "error: hi c1 c2 o2 | 1=aborted | s1 s2 d") || end.Err != errTest {
				t.Errorf("%s, error %v", got, end.Err)
			}
			if e := all[*agentturn.ToolEnd](rec)[1]; e.CallID != "call_1" || !errors.Is(e.Err, errTest) {
				t.Errorf("%+v", e)
			}
		},
		"returns within the grace": func(t *testing.T) {
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("deaf", `{}`)), ToolGrace: grace, Tools: tools(deafTool("deaf", time.Minute+grace/2, late))})
			time.AfterFunc(time.Minute, a.Abort)
			end := cut(t, a, agentturn.ReasonAborted, time.Minute+grace/2)
			if len(end.Pending) > 0 || outputText(t, end.Items, "call_1") != "late" {
				t.Errorf("%+v", end)
			}
		},
		"is not cut": func(t *testing.T) {
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("deaf", `{}`), at.Text("ok")), ToolGrace: grace, Tools: tools(deafTool("deaf", time.Hour, late))})
			cut(t, a, agentturn.ReasonDone, time.Hour)
		},
		"without a grace": func(t *testing.T) {
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("deaf", `{}`)), Tools: tools(deafTool("deaf", time.Hour, late))})
			time.AfterFunc(time.Minute, a.Abort)
			cut(t, a, agentturn.ReasonAborted, time.Hour)
		},
		"panics, within the grace and behind it": func(t *testing.T) {
			for _, d := range []time.Duration{time.Minute + grace/2, time.Hour} {
				boom := deafTool("deaf", d, func(context.Context, agenttool.Call) (agenttool.Result, error) { panic("boom") })
				a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("deaf", `{}`)), ToolGrace: grace, Tools: tools(boom)})
				time.AfterFunc(time.Minute, a.Abort)
				end := cut(t, a, agentturn.ReasonAborted, min(d, time.Minute+grace))
				time.Sleep(2 * time.Hour)
				if panicked := strings.Contains(find[*agentturn.ToolEnd](rec).Err.Error(), "panicked: boom"); panicked != (d < time.Hour) || panicked == (len(end.Pending) == 1) {
					t.Errorf("%+v, tool_end %+v", end, find[*agentturn.ToolEnd](rec))
				}
			}
		},
		"what it does behind its end reaches nobody": func(t *testing.T) {
			var invoked error
			over := make(chan struct{})
			busy := deafTool("deaf", time.Hour, func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
				defer close(over)
				call.Update(agenttool.Text("still here"))
				_, invoked = agentturn.Invoke(context.WithoutCancel(ctx), "x", nil)
				return agenttool.Text("late"), nil
			})
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("deaf", `{}`), at.Text("ok")), ToolGrace: grace, Tools: tools(busy, okTool("x"))})
			time.AfterFunc(time.Minute, a.Abort)
			cut(t, a, agentturn.ReasonAborted, time.Minute+grace)
			n := len(rec.Events())
			<-over
			synctest.Wait()
			if len(rec.Events()) != n || invoked != agentturn.ErrNoInvoker {
				t.Errorf("events %q, error %v", rec.Lines()[n:], invoked)
			}
			resumed(t, a, agentturn.ReasonDone, agentturn.OutcomeUnknown("call_1"))
		},
		"a deaf tool under a tool": func(t *testing.T) {
			got := make(chan error, 1)
			nest := funcTool("nest", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
				result, err := agentturn.Invoke(ctx, "deaf", nil)
				got <- err
				return result, ctx.Err()
			})
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("nest", `{}`)), ToolGrace: grace, Tools: tools(nest, deafTool("deaf", time.Hour, late))})
			time.AfterFunc(time.Minute, func() { a.AbortCause(errTest) })
			end := cut(t, a, agentturn.ReasonAborted, time.Minute+grace)
			abandoned(t, <-got, "deaf", errTest)
			if pendingOf(end.Pending) != "call_1=aborted" || len(lines(rec, "tool_end")) != 2 {
				t.Errorf("%+v, events %q", end, lines(rec, "tool_end"))
			}
		},
		"an approved call": func(t *testing.T) {
			a, _ := heldAgent(t, 1, agentturn.Config{ToolGrace: grace, Tools: tools(deafTool("x", time.Hour, late))})
			time.AfterFunc(time.Minute, a.Abort)
			if end := resumed(t, a, agentturn.ReasonAborted, agentturn.Approve("call_1")); pendingOf(end.Pending) != "call_1=aborted" {
				t.Errorf("%+v", end)
			}
		},
		"leaving the range": func(t *testing.T) {
			cfg := agentturn.Config{Model: at.NewModel(t, at.Call("deaf", `{}`)), ToolGrace: grace, Tools: tools(deafTool("deaf", time.Hour, late))}
			start := time.Now()
			for ev := range agentturn.Run(t.Context(), nil, items(user("hi")), cfg) {
				if ev.EventType() == agentturn.EventToolDispatch {
					break
				}
			}
			if took := time.Since(start); took != grace {
				t.Errorf("it took %v", took)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(t)
				time.Sleep(3 * time.Hour) // until the deaf have ended
			})
		})
	}
}
