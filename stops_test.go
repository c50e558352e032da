package agentturn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// hooked is a configuration each of whose hooks calls fn first.
func hooked(fn func(hook string) error) agentturn.Config {
	return agentturn.Config{
		BeforeTurn: func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) {
			return nil, fn("before-turn hook")
		},
		Transform: func(_ context.Context, tr agentturn.Transcript) (agentturn.Transcript, error) {
			return tr, fn("transform")
		},
		BeforeModelCall: func(context.Context, *openresponses.Request) error { return fn("before-model-call hook") },
		OutputGuard: func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) {
			return nil, fn("output guard")
		},
		BeforeToolCall: func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return nil, fn("before-tool-call hook")
		},
		AfterToolCall: func(context.Context, agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
			return nil, fn("after-tool-call hook")
		},
		ShouldStopAfterTurn: func(context.Context, agentturn.TurnInfo) (bool, error) {
			return false, fn("should-stop-after-turn hook")
		},
	}
}

// What an error of a hook makes of the run, alone and beside an abort, an ordinary one and one that stops by policy.
func TestFailingHooks(t *testing.T) {
	errGuard := fmt.Errorf("%w: no more", agentturn.ErrGuard)
	for _, hook := range []string{"before-turn hook", "transform", "before-model-call hook", "output guard", "before-tool-call hook", "after-tool-call hook", "should-stop-after-turn hook"} {
		guards := slices.Contains([]string{"before-turn hook", "before-model-call hook", "output guard", "should-stop-after-turn hook"}, hook)
		prefix := "agentturn: "
		if hook == "output guard" {
			prefix = "agentturn: model: agentturn: "
		}
		for _, aborts := range []bool{false, true} {
			for _, returned := range []error{errors.New("hook failed"), errGuard} {
				t.Run(fmt.Sprintf("R095 R102 %s abort=%t guard=%t", hook, aborts, returned == errGuard), func(t *testing.T) {
					var a *agentturn.Agent
					cfg := hooked(func(name string) error {
						if name != hook {
							return nil
						}
						if aborts {
							a.AbortCause(errTest)
						}
						return returned
					})
					cfg.Model, cfg.Tools = at.NewModel(t, at.Attempt{at.Text("a"), at.Call("x", `{}`)}).RepeatLast(), tools(okTool("x"))
					a, rec := agentOf(t, cfg)
					a.Steer(user("steered"))
					end, _ := a.Prompt(t.Context(), user("hi"))
					want := &agentturn.RunEnd{Reason: agentturn.ReasonError, Err: fmt.Errorf("%s%s: %w", prefix, hook, returned)}
					switch {
					case guards && returned == errGuard: // stands, whatever became of the context
						want = &agentturn.RunEnd{Reason: agentturn.ReasonStopped, Cause: agentturn.StopGuard, Err: errGuard}
					case aborts:
						want = &agentturn.RunEnd{Reason: agentturn.ReasonAborted, Err: fmt.Errorf("%w: %w", errTest, want.Err)}
						if hook == "output guard" {
							want.Err = fmt.Errorf("%w: agentturn: output guard: %w", errTest, returned)
						}
					}
					if end.Reason != want.Reason || end.Cause != want.Cause || end.Err.Error() != want.Err.Error() || !errors.Is(end.Err, returned) || want.Err == errGuard && end.Err != errGuard {
						t.Errorf("%s %s, error %q\nwant %s %s, error %q", end.Reason, end.Cause, end.Err, want.Reason, want.Cause, want.Err)
					}
					if errors.Is(end.Err, errTest) != (end.Reason == agentturn.ReasonAborted) {
						t.Errorf("the cause of the abort: error %v", end.Err)
					}
					if blocked := len(lines(rec, "model_blocked")) > 0; blocked != (hook == "before-model-call hook") {
						t.Errorf("events %q", rec.Lines())
					}
					usable(t, a)
				})
			}
		}
	}
}

// A message withheld is nowhere, however its run goes on.
func TestWithheld(t *testing.T) {
	errGuard := fmt.Errorf("%w: no more", agentturn.ErrGuard)
	guard := func(_ context.Context, info agentturn.OutputInfo) (*openresponses.Message, error) {
		if strings.Contains(info.Message.Text(), "bad") {
			return nil, errGuard
		}
		return nil, nil
	}
	t.Run("R106", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Text("good"), at.Text("bad")}), OutputGuard: guard})
		end := prompted(t, a, "hi", agentturn.ReasonStopped)
		if text, ok := end.Answer(); ok || !end.Withheld || kinds(openresponses.Items(end.Items)) != "user:hi assistant:good" {
			t.Errorf("answer %q, %+v", text, end)
		}
	})
	for name, rest := range map[string][]at.Step{
		"fails":           {at.Fail(errTest)},
		"is cut":          {at.Cut()},
		"reports a fault": {at.ErrorEvent(&openresponses.Error{Message: "no"})},
		"panics":          {at.Panic("boom")},
		"fails as such":   {at.FailResponse(errTest)},
	} {
		t.Run("R104 R105 the rest of the stream "+name, func(t *testing.T) {
			attempt := append(at.Attempt{at.Call("x", `{}`), at.Text("bad")}, rest...)
			retry := agentturn.Retry{MaxAttempts: 3, Backoff: atOnce, Retryable: func(error) bool { return true }}
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, attempt), Tools: tools(okTool("x")), OutputGuard: guard, Retry: retry})
			end := prompted(t, a, "hi", agentturn.ReasonStopped)
			response := find[*agentturn.ResponseEnd](rec)
			if end.Cause != agentturn.StopGuard || end.Err != errGuard || !end.Withheld || len(end.Pending) > 0 || kinds(openresponses.Items(end.Items)) != "user:hi call:call_1 output:call_1" {
				t.Errorf("%+v: %s", end, kinds(openresponses.Items(end.Items)))
			}
			if response == nil || !response.Withheld || response.Response.Error != nil || response.Response.Status != openresponses.ResponseStatusIncomplete || kinds(response.Response.Output) != "call:call_1" {
				t.Errorf("response_end %+v", response)
			}
			if got := lines(rec, "tool_", "turn_end", "model_retry"); len(got) > 0 {
				t.Errorf("events %q", got)
			}
		})
	}
	t.Run("R104 aborted meanwhile", func(t *testing.T) {
		var a *agentturn.Agent
		a, _ = agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Text("bad"), at.Do(func() { a.Abort() })}), OutputGuard: guard})
		if end := prompted(t, a, "hi", agentturn.ReasonStopped); !end.Withheld || end.Err != errGuard {
			t.Errorf("%+v", end)
		}
	})
	t.Run("R105 response_end fails", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Text("bad")}), Tools: tools(okTool("x")), OutputGuard: guard})
		a.Subscribe(failingAt(agentturn.EventResponseEnd, 1, errTest))
		end := prompted(t, a, "hi", agentturn.ReasonError)
		if end.Err != errTest || pendingOf(end.Pending) != "call_1=undispatched" {
			t.Errorf("%+v", end)
		}
		usable(t, a)
	})
	t.Run("R106 replaced", func(t *testing.T) {
		model := at.NewModel(t, at.Text("bad"), at.Text("ok"))
		a, rec := agentOf(t, agentturn.Config{Model: model, OutputGuard: func(_ context.Context, info agentturn.OutputInfo) (*openresponses.Message, error) {
			if info.Message.Text() == "bad" {
				return message(info.Message.ID, "good"), nil
			}
			return nil, nil
		}})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if text, ok := end.Answer(); !ok || text != "good" || end.Withheld {
			t.Errorf("answer %q, %+v", text, end)
		}
		if got := find[*agentturn.ResponseEnd](rec).Response; kinds(got.Output) != "assistant:bad" {
			t.Errorf("the response has %s", kinds(got.Output))
		}
		prompted(t, a, "more", agentturn.ReasonDone)
		if got := kinds(model.Request(2).Input); got != "user:hi assistant:good user:more" {
			t.Errorf("sent %s", got)
		}
	})
}

// A cancellation that nothing noticed changes nothing, however late it comes.
func TestLateAborts(t *testing.T) {
	for _, event := range []string{agentturn.EventResponseEnd, agentturn.EventTurnEnd, agentturn.EventRunEnd} {
		t.Run("R096 "+event, func(t *testing.T) {
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok")).RepeatLast()})
			a.Subscribe(abortingAt(a, event, errTest))
			if end := prompted(t, a, "hi", agentturn.ReasonDone); end.Err != nil {
				t.Errorf("%+v", end)
			}
		})
	}
	t.Run("R096 with something queued", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok"))})
		a.FollowUp(user("f"))
		a.Subscribe(abortingAt(a, agentturn.EventTurnEnd, errTest))
		if end := prompted(t, a, "hi", agentturn.ReasonAborted); end.Err != errTest || kinds(openresponses.Items(end.Items)) != "user:hi assistant:ok user:f" {
			t.Errorf("%+v: %s", end, kinds(openresponses.Items(end.Items)))
		}
	})
	t.Run("R096 a stop decided meanwhile", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`)), Tools: tools(okTool("x")), MaxTurns: 1})
		a.Subscribe(abortingAt(a, agentturn.EventTurnEnd, errTest))
		if end := prompted(t, a, "hi", agentturn.ReasonStopped); end.Cause != agentturn.StopMaxTurns || end.Err != nil {
			t.Errorf("%+v", end)
		}
	})
	t.Run("the first cause counts", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Block())})
		a.Subscribe(onFirst(agentturn.EventTurnStart, func(context.Context) { a.AbortCause(errTest); a.AbortCause(errors.New("second")); a.Abort() }))
		if end := prompted(t, a, "hi", agentturn.ReasonAborted); end.Err != errTest {
			t.Errorf("%+v", end)
		}
	})
	t.Run("the caller's context", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Block())})
		var seen []error
		a.Subscribe(func(ctx context.Context, ev agentturn.Event) error {
			if ev.EventType() == agentturn.EventTurnStart {
				cancel(errTest)
			}
			seen = append(seen, ctx.Err())
			return nil
		})
		end, err := a.Prompt(ctx, user("hi"))
		if err != nil || end.Reason != agentturn.ReasonAborted || end.Err != errTest || slices.ContainsFunc(seen, func(err error) bool { return err != nil }) {
			t.Errorf("%+v, error %v, subscribers saw %v", end, err, seen)
		}
	})
}

// Leaving a range waits for the model and for every tool.
func TestLeavingARange(t *testing.T) {
	for _, event := range []string{agentturn.EventItemUpdate, agentturn.EventToolDispatch, agentturn.EventToolUpdate} {
		t.Run("R120 "+event, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				at.NoLeaks(t)
				var running atomic.Int64
				dawdle := func(ctx context.Context) {
					running.Add(1)
					defer running.Add(-1)
					<-ctx.Done()
					time.Sleep(time.Minute)
				}
				slow := funcTool("x", func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
					call.Update(agenttool.Text("."))
					dawdle(ctx)
					return agenttool.Result{}, ctx.Err()
				})
				attempt := at.Attempt{at.Call("x", `{}`), at.Call("x", `{}`)}
				if event == agentturn.EventItemUpdate {
					attempt = at.Attempt{at.PartialText("a"), at.Func(func(ctx context.Context, _ openresponses.Request, _ openresponses.EventSink) error {
						dawdle(ctx)
						return ctx.Err()
					})}
				}
				left := false
				start := time.Now()
				for ev := range agentturn.Run(t.Context(), nil, items(user("hi")), agentturn.Config{Model: at.NewModel(t, attempt), Tools: tools(slow)}) {
					if ev.EventType() == event {
						left = true
						synctest.Wait()
						break
					}
				}
				if n := running.Load(); !left || n > 0 || time.Since(start) != time.Minute {
					t.Errorf("left %t after %v, %d still run", left, time.Since(start), n)
				}
			})
		})
	}
}
