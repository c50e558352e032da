package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
)

// nester is a tool that makes one nested call and answers with what came of it.
func nester(name string) agenttool.Tool {
	return funcTool("nest", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		result, err := agentturn.Invoke(ctx, name, json.RawMessage(`{"n":1}`))
		if err != nil {
			return agenttool.Text("nested: " + result.Output.Text + " / " + err.Error()), nil
		}
		return agenttool.Text("nested: " + result.Output.Text), nil
	})
}

// answering is a user who answers every question in the same way, and remembers them.
func answering(action agenttool.Action, err error, asked *[]string) agenttool.Elicitor {
	return func(_ context.Context, q agenttool.Elicitation) (agenttool.Answer, error) {
		if asked != nil {
			*asked = append(*asked, q.Message)
		}
		return agenttool.Answer{Action: action}, err
	}
}

func TestNestedCalls(t *testing.T) {
	script := func(t *testing.T) *at.Model { return at.NewModel(t, at.Call("nest", `{}`), at.Text("ok")) }
	t.Run("R073 R074", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: script(t), Tools: tools(nester("x"), ranTool("x"))})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if kinds(end.Items) != "user:hi call:call_1 output:call_1 assistant:ok" || outputText(t, end.Items, "call_1") != `nested: ran {"n":1}` {
			t.Errorf("items %s", kinds(end.Items))
		}
		var got []string
		for _, line := range lines(rec, "tool_") {
			fields := strings.Fields(line)
			got = append(got, fields[0]+" "+map[bool]string{true: "nested", false: "call_1"}[strings.Contains(line, "parent=call_1")])
		}
		expect(t, got, "tool_start call_1", "tool_dispatch call_1", "tool_start nested", "tool_dispatch nested", "tool_end nested", "tool_end call_1")
	})
	t.Run("R074 two levels, several at once", func(t *testing.T) {
		mid := funcTool("mid", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			return agentturn.Invoke(ctx, "x", nil)
		})
		outer := funcTool("nest", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			var wg sync.WaitGroup
			for i := range 4 {
				wg.Go(func() {
					if result, err := agentturn.Invoke(ctx, "mid", fmt.Appendf(nil, `{"n":%d}`, i/2)); err != nil || result.Output.Text != "ran {}" {
						t.Errorf("%+v, error %v", result, err)
					}
				})
			}
			wg.Wait()
			return agenttool.Text("ok"), nil
		})
		a, rec := agentOf(t, agentturn.Config{Model: script(t), Tools: tools(outer, mid, ranTool("x"))})
		prompted(t, a, "hi", agentturn.ReasonDone)
		parents, keys, depths := map[string]string{}, map[string]bool{}, map[int]int{}
		for _, d := range all[*agentturn.ToolDispatch](rec) {
			if _, twice := parents[d.CallID]; twice {
				t.Errorf("%s is dispatched twice", d.CallID)
			}
			parents[d.CallID], keys[d.IdempotencyKey] = d.Parent, true
			depth := 0
			for id := d.Parent; id != ""; id = parents[id] {
				depth++
			}
			depths[depth]++
		}
		if depths[0] != 1 || depths[1] != 4 || depths[2] != 4 || len(keys) != 9 {
			t.Errorf("calls by depth %v, keys %v", depths, keys)
		}
	})
	t.Run("R073 what a decision says beside", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: script(t), Tools: tools(nester("x"), ranTool("x")),
			BeforeToolCall: deciding("x", agentturn.ToolDecision{Note: "note", Terminate: true, Args: json.RawMessage(`{"n":2}`)})})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if kinds(end.Items) != "user:hi call:call_1 output:call_1 assistant:ok" || outputText(t, end.Items, "call_1") != `nested: ran {"n":2}` {
			t.Errorf("items %s", kinds(end.Items))
		}
		for _, e := range all[*agentturn.ToolEnd](rec) {
			if e.Result.Terminate {
				t.Errorf("%s asks for the end of the run", e.Name)
			}
		}
	})
	t.Run("R073 pending", func(t *testing.T) {
		var a *agentturn.Agent
		aborting := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			a.Abort()
			<-ctx.Done()
			return agenttool.Result{}, ctx.Err()
		})
		outer := funcTool("nest", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			return agentturn.Invoke(ctx, "x", nil)
		})
		a, _ = agentOf(t, agentturn.Config{Model: script(t), Tools: tools(outer, aborting)})
		if end := prompted(t, a, "hi", agentturn.ReasonAborted); pendingOf(end.Pending) != "call_1=aborted" {
			t.Errorf("pending %s", pendingOf(end.Pending))
		}
	})
	t.Run("R075", func(t *testing.T) {
		chatty := funcTool("x", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			call.Update(agenttool.Text("half"))
			return agenttool.Text("ok"), nil
		})
		a, rec := agentOf(t, agentturn.Config{Model: script(t), Tools: tools(nester("x"), chatty)})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if got := lines(rec, "tool_update"); len(got) > 0 {
			t.Errorf("events %q", got)
		}
	})
	defers := deciding("x", agentturn.ToolDecision{Action: agentturn.Defer, Reason: "careful"})
	const prefix = "a nested call cannot be deferred to the caller: careful"
	t.Run("R076", func(t *testing.T) {
		for name, e := range map[string]agenttool.Elicitor{
			"nobody to ask": nil, "cancelled": answering(agenttool.ActionCancel, nil, nil), "failed": answering("", errTest, nil),
		} {
			a, rec := agentOf(t, agentturn.Config{Model: script(t), Tools: tools(nester("x"), ranTool("x")), BeforeToolCall: defers, ToolElicitor: e})
			end := prompted(t, a, "hi", agentturn.ReasonDone)
			if got := outputText(t, end.Items, "call_1"); got != "nested: Error: "+prefix+" / "+prefix {
				t.Errorf("%s: %q", name, got)
			}
			if e := find[*agentturn.ToolEnd](rec); !e.Blocked || e.Deferred || e.Parent == "" {
				t.Errorf("%s: %+v", name, e)
			}
		}
	})
	t.Run("R076 without a reason", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: script(t), Tools: tools(nester("x"), ranTool("x")), BeforeToolCall: deciding("x", agentturn.ToolDecision{Action: agentturn.Defer})})
		const want = "a nested call cannot be deferred to the caller: call blocked"
		if got := outputText(t, prompted(t, a, "hi", agentturn.ReasonDone).Items, "call_1"); got != "nested: Error: "+want+" / "+want {
			t.Errorf("%q", got)
		}
	})
	t.Run("R077", func(t *testing.T) {
		var asked []string
		yes := answering(agenttool.ActionAccept, nil, &asked)
		a, rec := agentOf(t, agentturn.Config{Model: script(t), Tools: tools(nester("x"), ranTool("x")), BeforeToolCall: defers, ToolElicitor: yes})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		var start *agentturn.ToolStart
		for _, s := range all[*agentturn.ToolStart](rec) {
			if s.Parent != "" {
				start = s
			}
		}
		if outputText(t, end.Items, "call_1") != `nested: ran {"n":1}` || start.Decision == nil || start.Decision.By != "human" || start.Decision.Action != agentturn.Allow {
			t.Errorf("%+v", start)
		}
		expect(t, asked, `Allow x with arguments {"n":1}? careful`)
		no := answering(agenttool.ActionDecline, nil, nil)
		a, _ = agentOf(t, agentturn.Config{Model: script(t), Tools: tools(nester("x"), ranTool("x")), BeforeToolCall: defers, ToolElicitor: no})
		end = prompted(t, a, "hi", agentturn.ReasonDone)
		if got := outputText(t, end.Items, "call_1"); !strings.HasPrefix(got, "nested: Error: declined when asked: careful") {
			t.Errorf("declined: %q", got)
		}
	})
	t.Run("R078", func(t *testing.T) {
		nested := func(fail func(ev agentturn.Event) bool) func(context.Context, agentturn.Event) error {
			return func(_ context.Context, ev agentturn.Event) error {
				if fail(ev) {
					return errTest
				}
				return nil
			}
		}
		for name, c := range map[string]struct {
			cfg       agentturn.Config
			subscribe func(context.Context, agentturn.Event) error
			want      string
		}{
			"before hook": {cfg: agentturn.Config{BeforeToolCall: func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				if info.Parent != "" {
					return nil, errTest
				}
				return nil, nil
			}}, want: "agentturn: before-tool-call hook: it broke"},
			"after hook": {cfg: agentturn.Config{AfterToolCall: func(_ context.Context, info agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
				if info.Call.Name == "x" {
					return nil, errTest
				}
				return nil, nil
			}}, want: "agentturn: after-tool-call hook: it broke"},
			"tool_start":    {subscribe: nested(func(ev agentturn.Event) bool { e, ok := ev.(*agentturn.ToolStart); return ok && e.Parent != "" }), want: "it broke"},
			"tool_dispatch": {subscribe: nested(func(ev agentturn.Event) bool { e, ok := ev.(*agentturn.ToolDispatch); return ok && e.Parent != "" }), want: "it broke"},
			"tool_end":      {subscribe: nested(func(ev agentturn.Event) bool { e, ok := ev.(*agentturn.ToolEnd); return ok && e.Parent != "" }), want: "it broke"},
		} {
			t.Run(name, func(t *testing.T) {
				c.cfg.Model, c.cfg.Tools = script(t), tools(nester("x"), ranTool("x"))
				a, rec := agentOf(t, c.cfg)
				if c.subscribe != nil {
					a.Subscribe(c.subscribe)
				}
				end := prompted(t, a, "hi", agentturn.ReasonDone)
				if got := outputText(t, end.Items, "call_1"); got != "nested:  / "+c.want {
					t.Errorf("%q", got)
				}
				starts, ends := len(lines(rec, "tool_start")), len(lines(rec, "tool_end"))
				if starts != ends || name != "before hook" && starts != 2 {
					t.Errorf("%d tool_start, %d tool_end", starts, ends)
				}
			})
		}
	})
	t.Run("R079", func(t *testing.T) {
		if result, err := agentturn.Invoke(t.Context(), "x", nil); err != agentturn.ErrNoInvoker || result.Output.Text != "" {
			t.Errorf("%+v, error %v", result, err)
		}
		// Nor when the call, the batch or the run is over.
		var kept context.Context
		keeping := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			kept = context.WithoutCancel(ctx)
			return agenttool.Text("ok"), nil
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), Tools: tools(keeping)})
		prompted(t, a, "hi", agentturn.ReasonDone)
		n := len(rec.Events())
		if _, err := agentturn.Invoke(kept, "x", nil); !errors.Is(err, agentturn.ErrNoInvoker) || len(rec.Events()) != n {
			t.Errorf("error %v, %d events more", err, len(rec.Events())-n)
		}
	})
	t.Run("keys of a parent that runs again", func(t *testing.T) {
		var keys [2][]string
		for i := range keys {
			nested := funcTool("x", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
				keys[i] = append(keys[i], call.IdempotencyKey)
				return agenttool.Text("ok"), nil
			})
			twice := funcTool("nest", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
				for range 2 {
					if _, err := agentturn.Invoke(ctx, "x", nil); err != nil {
						return agenttool.Result{}, err
					}
				}
				return agenttool.Text("ok"), nil
			})
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok")), Tools: tools(twice, nested)},
				agentturn.WithTranscript(agentturn.Transcript{user("hi"), callItem("c", "nest")}))
			if _, err := a.Resume(t.Context(), agentturn.Approve("c").WithRunAgain().WithIdempotencyKey("run_before/c")); err != nil {
				t.Fatal(err)
			}
		}
		if len(keys[0]) != 2 || keys[0][0] == keys[0][1] || keys[0][0] != keys[1][0] || keys[0][1] != keys[1][1] {
			t.Errorf("keys %q", keys)
		}
	})
}
