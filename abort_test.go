package agentturn_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// abortingAt aborts an agent on the first event of a type.
func abortingAt(a *agentturn.Agent, eventType string, cause error) func(context.Context, agentturn.Event) error {
	return func(_ context.Context, ev agentturn.Event) error {
		if ev.EventType() == eventType {
			a.AbortCause(cause)
		}
		return nil
	}
}

func TestAbort(t *testing.T) {
	script := []at.Turn{at.Attempt{at.Text("wait"), at.Call("x", `{}`)}, at.Text("ok")}
	t.Run("R094", func(t *testing.T) {
		// Abort at each event; CheckEvents sees that run_end still comes and nothing is missing in between.
		for _, event := range []string{agentturn.EventRunStart, agentturn.EventItemStart, agentturn.EventItemEnd, agentturn.EventTurnStart, agentturn.EventItemUpdate,
			agentturn.EventResponseEnd, agentturn.EventToolStart, agentturn.EventToolDispatch, agentturn.EventToolEnd, agentturn.EventTurnEnd} {
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, script...), Tools: tools(okTool("x"))})
			a.Subscribe(abortingAt(a, event, errTest))
			a.Subscribe(func(ctx context.Context, ev agentturn.Event) error {
				if ctx.Err() != nil {
					t.Errorf("abort at %s: %s is delivered with a cancelled context", event, ev.EventType())
				}
				return nil
			})
			end, err := a.Prompt(t.Context(), user("hi"))
			if err != nil || end.Reason != agentturn.ReasonAborted || end.Err != errTest || find[*agentturn.RunEnd](rec) != end {
				t.Errorf("abort at %s: %+v, error %v", event, end, err)
			}
			if len(end.Pending) == 0 {
				if _, err := a.Prompt(t.Context(), user("again")); err != nil && !errors.Is(err, at.ErrScriptEnded) {
					t.Errorf("abort at %s: the agent is not usable: %v", event, err)
				}
			}
		}
	})
	t.Run("R095", func(t *testing.T) {
		other := errors.New("and this")
		for _, event := range []string{agentturn.EventItemUpdate, agentturn.EventToolStart, agentturn.EventToolEnd, agentturn.EventResponseEnd, agentturn.EventTurnEnd, agentturn.EventRunStart} {
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, script...), Tools: tools(okTool("x"))})
			a.Subscribe(abortingAt(a, event, errTest))
			a.Subscribe(failingAt(event, 1, other))
			end := prompted(t, a, "hi", agentturn.ReasonAborted)
			if !errors.Is(end.Err, errTest) || !errors.Is(end.Err, other) {
				t.Errorf("%s: error %v", event, end.Err)
			}
		}
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.PartialText("a"), at.Block()})})
		a.Subscribe(abortingAt(a, agentturn.EventItemUpdate, errTest))
		if end := prompted(t, a, "hi", agentturn.ReasonAborted); end.Err != errTest {
			t.Errorf("the model's own failure is joined: %v", end.Err)
		}
	})
	t.Run("R096", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok"))})
		a.Subscribe(abortingAt(a, agentturn.EventResponseEnd, errTest))
		if end := prompted(t, a, "hi", agentturn.ReasonDone); end.Err != nil {
			t.Errorf("%+v", end)
		}
	})
	deaf := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		time.Sleep(time.Hour)
		return agenttool.Text("late"), nil
	})
	t.Run("R097", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`)), Tools: tools(deaf)})
			time.AfterFunc(time.Minute, a.Abort)
			start := time.Now()
			end := prompted(t, a, "hi", agentturn.ReasonAborted)
			if time.Since(start) != time.Hour || len(end.Pending) != 0 || outputText(t, end.Items, "call_1") != "late" || len(lines(rec, "tool_end")) != 1 {
				t.Errorf("after %v: %+v", time.Since(start), end)
			}
		})
	})
	t.Run("a deaf tool is left behind after the grace", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a := agentturn.New(agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`)), Tools: tools(deaf), ToolGrace: 5 * time.Second})
			rec := recording(t)
			a.Subscribe(rec.Record)
			time.AfterFunc(time.Minute, a.Abort)
			start := time.Now()
			end := prompted(t, a, "hi", agentturn.ReasonAborted)
			var left *agentturn.AbandonedError
			if time.Since(start) != time.Minute+5*time.Second || pendingOf(end.Pending) != "call_1=aborted" || !errors.As(find[*agentturn.ToolEnd](rec).Err, &left) {
				t.Errorf("after %v: %+v", time.Since(start), end)
			}
			time.Sleep(2 * time.Hour) // the tool ends, and nobody hears of it
			if n := len(lines(rec, "tool_end")); n != 1 {
				t.Errorf("%d tool_end", n)
			}
		})
	})
	t.Run("R098", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, script[0]), Tools: tools(okTool("x")), BeforeToolCall: deciding("x", agentturn.ToolDecision{Note: "n"})})
		a.Subscribe(abortingAt(a, agentturn.EventToolEnd, errTest))
		end := prompted(t, a, "hi", agentturn.ReasonAborted)
		if kinds(end.Items) != "user:hi assistant:wait call:call_1 output:call_1" || len(lines(rec, "turn_end")) > 0 || len(end.Pending) > 0 {
			t.Errorf("items %s, events %q", kinds(end.Items), rec.Lines())
		}
	})
}

func TestSubscriberFailures(t *testing.T) {
	script := []at.Turn{at.Attempt{at.Text("wait"), at.Call("x", `{}`)}, at.Text("ok")}
	for _, event := range []string{agentturn.EventRunStart, agentturn.EventItemStart, agentturn.EventItemEnd, agentturn.EventTurnStart, agentturn.EventItemUpdate,
		agentturn.EventResponseEnd, agentturn.EventToolStart, agentturn.EventToolDispatch, agentturn.EventToolEnd, agentturn.EventTurnEnd, agentturn.EventQueued} {
		for _, panics := range []bool{false, true} {
			t.Run(fmt.Sprintf("R099 %s panic=%t", event, panics), func(t *testing.T) {
				a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, script...), Tools: tools(okTool("x"))})
				a.Steer(user("steered"))
				a.Subscribe(func(ctx context.Context, ev agentturn.Event) error {
					err := failingAt(event, 1, errTest)(ctx, ev)
					if err != nil && panics {
						panic("boom")
					}
					return err
				})
				reached := map[agentturn.Event]bool{}
				a.Subscribe(func(_ context.Context, ev agentturn.Event) error { reached[ev] = true; return nil })
				end, err := a.Prompt(t.Context(), user("hi"))
				var p *agentturn.PanicError
				if end == nil || end.Reason != agentturn.ReasonError || panics && !errors.As(err, &p) || !panics && !errors.Is(err, errTest) {
					t.Fatalf("%+v, error %v", end, err)
				}
				missed := 0
				for _, ev := range rec.Events() {
					if !reached[ev] {
						if missed++; ev.EventType() != event {
							t.Errorf("%s did not reach the later subscriber", ev.EventType())
						}
					}
				}
				if missed != 1 {
					t.Errorf("%d events did not reach the later subscriber", missed)
				}
				if s := a.State(); s.Running || len(s.Transcript) != len(end.Items) {
					t.Errorf("state %+v", s)
				}
			})
		}
	}
	t.Run("R100", func(t *testing.T) {
		ran := false
		tool := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			ran = true
			return agenttool.Result{}, nil
		})
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`)), Tools: tools(tool)})
		a.Subscribe(failingAt(agentturn.EventToolDispatch, 1, errTest))
		if end := prompted(t, a, "hi", agentturn.ReasonError); ran || pendingOf(end.Pending) != "call_1=undispatched" {
			t.Errorf("ran %t, pending %s", ran, pendingOf(end.Pending))
		}
	})
	t.Run("R101", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok"), at.Text("ok"))})
		a.Subscribe(failingAt(agentturn.EventRunEnd, 1, errTest))
		if end := prompted(t, a, "hi", agentturn.ReasonDone); end.Err != nil {
			t.Errorf("%+v", end)
		}
		prompted(t, a, "again", agentturn.ReasonDone)
	})
	t.Run("a failed report does not swallow the event behind it", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok"))})
		a.Subscribe(func(ctx context.Context, ev agentturn.Event) error {
			if _, ok := ev.(*agentturn.RunStart); ok {
				a.Steer(user("a"), user("b"))
			}
			return failingAt(agentturn.EventQueued, 1, errTest)(ctx, ev)
		})
		end := prompted(t, a, "hi", agentturn.ReasonError)
		got := lines(rec, "queued", "item_start 0", "run_end")
		if len(got) < 3 || !strings.HasPrefix(got[1], "queued") || !strings.HasPrefix(got[2], "item_start") || end.Err != errTest {
			t.Errorf("events %q, error %v", got, end.Err)
		}
	})
}

// A panic anywhere in the host's code ends the run, not the process, and leaves a usable agent.
func TestPanics(t *testing.T) {
	boom := func() { panic("boom") }
	for name, c := range map[string]struct {
		cfg  agentturn.Config
		turn at.Turn
	}{
		"before turn":       {agentturn.Config{BeforeTurn: func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) { boom(); return nil, nil }}, nil},
		"transform":         {agentturn.Config{Transform: func(context.Context, agentturn.Transcript) (agentturn.Transcript, error) { boom(); return nil, nil }}, nil},
		"filter":            {agentturn.Config{Filter: func(agentturn.Transcript) agentturn.Transcript { boom(); return nil }}, nil},
		"tool provider":     {agentturn.Config{ToolProvider: func(context.Context) []agenttool.Tool { boom(); return nil }}, nil},
		"before model call": {agentturn.Config{BeforeModelCall: func(context.Context, *openresponses.Request) error { boom(); return nil }}, nil},
		"model":             {agentturn.Config{}, at.Panic("boom")},
		"model, committed":  {agentturn.Config{}, at.Attempt{at.PartialText("a"), at.Panic("boom")}},
		"output guard":      {agentturn.Config{OutputGuard: func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) { boom(); return nil, nil }}, at.Text("ok")},
		"retryable":         {agentturn.Config{Retry: agentturn.Retry{MaxAttempts: 2, Retryable: func(error) bool { boom(); return true }}}, at.Fail(errTest)},
		"backoff": {agentturn.Config{Retry: agentturn.Retry{MaxAttempts: 2, Retryable: func(error) bool { return true },
			Backoff: func(int, error) time.Duration { boom(); return 0 }}}, at.Fail(errTest)},
		"revise": {agentturn.Config{Retry: agentturn.Retry{MaxAttempts: 2, Backoff: atOnce, Retryable: func(error) bool { return true },
			Revise: func(int, *openresponses.Request, error) *openresponses.Request { boom(); return nil }}}, at.Fail(errTest)},
		"before tool call": {agentturn.Config{BeforeToolCall: func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			boom()
			return nil, nil
		}}, at.Call("x", `{}`)},
		"after tool call": {agentturn.Config{AfterToolCall: func(context.Context, agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
			boom()
			return nil, nil
		}}, at.Call("x", `{}`)},
		"stop hook": {agentturn.Config{ShouldStopAfterTurn: func(context.Context, agentturn.TurnInfo) (bool, error) { boom(); return false, nil }}, at.Text("ok")},
	} {
		t.Run(name, func(t *testing.T) {
			c.cfg.Model, c.cfg.Tools = at.NewModel(t), tools(okTool("x"))
			if c.turn != nil {
				c.cfg.Model = at.NewModel(t, c.turn)
			}
			a, _ := agentOf(t, c.cfg)
			end := prompted(t, a, "hi", agentturn.ReasonError)
			var p *agentturn.PanicError
			if !errors.As(end.Err, &p) || p.Value != "boom" || len(p.Stack) == 0 || !strings.HasPrefix(end.Err.Error(), "agentturn: ") {
				t.Errorf("error %v", end.Err)
			}
			if err := a.SetConfig(agentturn.Config{Model: at.NewModel(t, at.Text("fine")).RepeatLast()}); err != nil {
				t.Fatal(err)
			}
			for _, call := range end.Pending {
				resumed(t, a, agentturn.ReasonDone, agentturn.OutcomeUnknown(call.Call.CallID))
			}
			prompted(t, a, "and now?", agentturn.ReasonDone)
		})
	}
}

func TestGuardStops(t *testing.T) {
	errGuard := fmt.Errorf("%w: no more", agentturn.ErrGuard)
	for name, cfg := range map[string]agentturn.Config{
		"before turn":       {BeforeTurn: func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) { return nil, errGuard }},
		"before model call": {BeforeModelCall: func(context.Context, *openresponses.Request) error { return errGuard }},
		"output guard":      {OutputGuard: func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) { return nil, errGuard }},
		"stop hook":         {ShouldStopAfterTurn: func(context.Context, agentturn.TurnInfo) (bool, error) { return false, errGuard }},
	} {
		cfg.Model = at.NewModel(t, at.Text("ok"))
		if strings.HasPrefix(name, "before") {
			cfg.Model = at.NewModel(t)
		}
		a, rec := agentOf(t, cfg)
		t.Run("R102 "+name, func(t *testing.T) {
			if end := prompted(t, a, "hi", agentturn.ReasonStopped); end.Cause != agentturn.StopGuard || end.Err != errGuard {
				t.Errorf("%+v", end)
			}
		})
		if strings.HasPrefix(name, "before") {
			t.Run("R103 "+name, func(t *testing.T) {
				want := []string{"item_start 0 message user", `item_end 0 message user "hi"`}
				if name == "before model call" {
					want = append(want, `model_blocked 1 "agentturn: guard stopped the run: no more"`)
				}
				want = append(want, `run_end stopped/guard "agentturn: guard stopped the run: no more"`)
				expect(t, rec.Lines()[1:], want...)
			})
		}
	}
	withholding := func(_ context.Context, info agentturn.OutputInfo) (*openresponses.Message, error) {
		if strings.Contains(info.Message.Text(), "bad") {
			return nil, errGuard
		}
		return nil, nil
	}
	t.Run("R104 R105 R106", func(t *testing.T) {
		model := at.NewModel(t, at.Attempt{at.Text("good"), at.Call("x", `{}`), at.Text("bad"), at.Text("more"), at.Usage(5, 2)}, at.Text("ok"))
		a, rec := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("x")), OutputGuard: withholding})
		end := prompted(t, a, "hi", agentturn.ReasonStopped)
		if !end.Withheld || kinds(end.Items) != "user:hi assistant:good call:call_1 output:call_1" || outputText(t, end.Items, "call_1") != agentturn.WithheldCallOutput {
			t.Errorf("%+v: %s", end, kinds(end.Items))
		}
		response := find[*agentturn.ResponseEnd](rec)
		if !response.Withheld || response.Response.Status != "incomplete" || response.Response.IncompleteDetails.Reason != openresponses.IncompleteReasonContentFilter ||
			kinds(response.Response.Output) != "assistant:good call:call_1" || response.Response.Usage.TotalTokens != 7 {
			t.Errorf("response %+v", response.Response)
		}
		for _, line := range lines(rec, "item_end", "tool_", "turn_end") {
			if strings.Contains(line, "bad") || strings.Contains(line, "more") || !strings.HasPrefix(line, "item_end") {
				t.Errorf("event %s", line)
			}
		}
		if text, ok := end.Answer(); ok {
			t.Errorf("answer %q", text)
		}
		if ok := len(a.State().Pending) == 0; !ok {
			t.Errorf("pending %s", pendingOf(a.State().Pending))
		}
		prompted(t, a, "again", agentturn.ReasonDone)
	})
	t.Run("R104 held", func(t *testing.T) {
		stream := at.Send(created("r"), done(0, thought("rs")), done(1, message("m", "bad")), ended(finished))
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream), OutputGuard: withholding})
		if end := prompted(t, a, "hi", agentturn.ReasonStopped); !end.Withheld || kinds(end.Items) != "user:hi" || len(lines(rec, "item_end 1")) > 0 {
			t.Errorf("%+v", end)
		}
	})
}
