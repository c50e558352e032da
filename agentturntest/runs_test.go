package agentturntest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// tools are a tool that answers, one that fails, one that calls the first, one
// that reports progress and one that waits to be cancelled.
var tools = []agenttool.Tool{
	simple("ok", func(context.Context) (agenttool.Result, error) { return agenttool.Text("fine"), nil }),
	simple("bad", func(context.Context) (agenttool.Result, error) { return agenttool.Result{}, errBoom }),
	simple("nest", func(ctx context.Context) (agenttool.Result, error) { return agentturn.Invoke(ctx, "ok", nil) }),
	simple("slow", func(ctx context.Context) (agenttool.Result, error) {
		agenttool.Progress(ctx, agenttool.Text("half"))
		return agenttool.Text("whole"), nil
	}),
	simple("hang", func(ctx context.Context) (agenttool.Result, error) {
		<-ctx.Done()
		return agenttool.Result{}, ctx.Err()
	}),
}

func simple(name string, fn func(context.Context) (agenttool.Result, error)) agenttool.Tool {
	return agenttool.NewFunc(name, name, agenttool.NoArgsSchema,
		func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) { return fn(ctx) })
}

// runCases are runs of every kind: how the model answers, what the host does,
// and how the run ends.
var runCases = []struct {
	name   string
	script []agentturntest.Turn
	edit   func(*agentturn.Config)
	on     func(*agentturn.Agent, agentturn.Event)
	resume func(*agentturn.RunEnd) []agentturn.Answer
	end    string // the last line
}{
	{name: "answer", script: []agentturntest.Turn{agentturntest.Text("hi")}, end: "run_end done"},
	{name: "batch", script: []agentturntest.Turn{
		agentturntest.Attempt{agentturntest.Reasoning("hm"), agentturntest.Call("ok", "{}"), agentturntest.Call("bad", "{}"), agentturntest.Call("nest", "{}"), agentturntest.Call("slow", "{}"), agentturntest.Call("none", "{}")},
		agentturntest.Text("hi"),
	}, end: "run_end done"},
	{name: "same call ID twice", script: []agentturntest.Turn{
		agentturntest.Attempt{agentturntest.CallWithID("a", "ok", "{}"), agentturntest.CallWithID("a", "ok", "{}"), agentturntest.CallWithID("", "ok", "{}")},
		agentturntest.Text("hi"),
	}, end: "run_end done"},
	{name: "retried", script: []agentturntest.Turn{
		agentturntest.Attempts{{agentturntest.Reasoning("x"), agentturntest.Cut()}, {agentturntest.Fail(io.EOF)}, {agentturntest.Text("hi")}},
	}, end: "run_end done"},
	{name: "cut off", script: []agentturntest.Turn{agentturntest.Attempt{agentturntest.Call("ok", "{}"), agentturntest.PartialText("he"), agentturntest.Cut()}},
		end: `run_end error "agentturn: model: openresponses: stream ended before a terminal event" pending call_1=undispatched`},
	{name: "failed", script: []agentturntest.Turn{agentturntest.Attempt{agentturntest.PartialText("he"), agentturntest.FailResponse(nil)}},
		end: `run_end error "agentturn: model: response failed"`},
	{name: "panic", script: []agentturntest.Turn{agentturntest.Panic("boom")}},
	{name: "done events alone", script: []agentturntest.Turn{
		agentturntest.Send(&openresponses.OutputItemDoneEvent{Item: call("a", "ok", "{}")}, &openresponses.OutputItemDoneEvent{OutputIndex: 1, Item: call("b", "ok", "{}")}),
		agentturntest.Text("hi"),
	}, end: "run_end done"},
	{name: "incomplete", script: []agentturntest.Turn{
		agentturntest.Attempt{agentturntest.PartialCall("ok", `{`), agentturntest.Incomplete(openresponses.IncompleteReasonMaxOutputTokens)},
		agentturntest.Text("hi"),
	}, end: "run_end done"},
	{name: "max turns", script: []agentturntest.Turn{agentturntest.Call("ok", "{}")},
		edit: func(c *agentturn.Config) { c.MaxTurns = 1 }, end: "run_end stopped/max_turns"},
	{name: "hook items", script: []agentturntest.Turn{agentturntest.Call("ok", "{}"), agentturntest.Text("hi")},
		edit: func(c *agentturn.Config) {
			c.BeforeTurn = func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) {
				return openresponses.Items{openresponses.DeveloperText("mind")}, nil
			}
		}, end: "run_end done"},
	{name: "blocked model call", edit: func(c *agentturn.Config) {
		c.BeforeModelCall = func(context.Context, *openresponses.Request) error { return agentturn.ErrGuard }
	}, end: `run_end stopped/guard "agentturn: guard stopped the run"`},
	{name: "withheld", script: []agentturntest.Turn{agentturntest.Attempt{agentturntest.Call("ok", "{}"), agentturntest.Text("secret"), agentturntest.Call("ok", "{}")}},
		edit: func(c *agentturn.Config) {
			c.OutputGuard = func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) {
				return nil, agentturn.ErrGuard
			}
		}, end: `run_end stopped/guard "agentturn: guard stopped the run" withheld`},
	{name: "notes and blocks", script: []agentturntest.Turn{
		agentturntest.Attempt{agentturntest.Call("ok", "{}"), agentturntest.Call("bad", "{}")}, agentturntest.Text("hi"),
	}, edit: func(c *agentturn.Config) {
		c.BeforeToolCall = func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			if info.Call.Name == "bad" {
				return &agentturn.ToolDecision{Action: agentturn.Block}, nil
			}
			return &agentturn.ToolDecision{Note: "noted"}, nil
		}
	}, end: "run_end done"},
	{name: "deferred, approved and refused", script: []agentturntest.Turn{
		agentturntest.Attempt{agentturntest.Call("ok", "{}"), agentturntest.Call("slow", "{}"), agentturntest.Call("bad", "{}")}, agentturntest.Text("hi"),
	}, edit: func(c *agentturn.Config) {
		c.BeforeToolCall = func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			if info.Call.Name == "bad" {
				return nil, nil
			}
			return &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "ask"}, nil
		}
	}, resume: func(end *agentturn.RunEnd) []agentturn.Answer {
		return []agentturn.Answer{
			agentturn.Approve(end.Pending[0].Call.CallID).WithNote("go on"),
			agentturn.Output(openresponses.NewFunctionCallOutput(end.Pending[1].Call.CallID, "by hand")),
		}
	}, end: "run_end done"},
	{name: "steered and followed up", script: []agentturntest.Turn{agentturntest.Call("ok", "{}"), agentturntest.Text("one"), agentturntest.Text("two")},
		on: func(a *agentturn.Agent, ev agentturn.Event) {
			if start, ok := ev.(*agentturn.ToolStart); ok && start.CallID == "call_1" {
				a.Steer(openresponses.UserText("quick"))
				a.FollowUp(openresponses.UserText("later"))
			}
		}, end: "run_end done"},
	{name: "aborted in a tool", script: []agentturntest.Turn{agentturntest.Attempt{agentturntest.Call("hang", "{}"), agentturntest.Call("ok", "{}")}},
		on: func(a *agentturn.Agent, ev agentturn.Event) {
			if end, ok := ev.(*agentturn.ToolEnd); ok && end.CallID == "call_2" {
				a.AbortCause(errBoom)
			}
		}, end: `run_end aborted "boom" pending call_1=aborted`},
	{name: "aborted in the stream", script: []agentturntest.Turn{agentturntest.Attempt{agentturntest.Call("ok", "{}"), agentturntest.PartialText("he"), agentturntest.Block()}},
		on: func(a *agentturn.Agent, ev agentturn.Event) {
			if up, ok := ev.(*agentturn.ItemUpdate); ok && up.Item.ItemType() == openresponses.ItemTypeMessage {
				a.Abort()
			}
		}, end: `run_end aborted "context canceled" pending call_1=undispatched`},
	{name: "failing hook in a batch", script: []agentturntest.Turn{agentturntest.Attempt{agentturntest.Call("ok", "{}"), agentturntest.Call("bad", "{}")}},
		edit: func(c *agentturn.Config) {
			c.BeforeToolCall = func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				if info.Call.Name == "bad" {
					return nil, errBoom
				}
				return nil, nil
			}
		}, end: `run_end error "agentturn: before-tool-call hook: boom" pending call_1=undispatched call_2=undispatched`},
}

// TestRuns drives an agent through runs of every kind, and expects events that
// keep the rules, as they come and after a round trip through JSON.
func TestRuns(t *testing.T) {
	for _, tt := range runCases {
		t.Run(tt.name, func(t *testing.T) {
			agentturntest.NoLeaks(t)
			model := agentturntest.NewModel(t, tt.script...).CheckWith(agentturntest.AllowAnyArguments())
			cfg := agentturn.Config{Model: model, Tools: tools, Retry: agentturn.Retry{MaxAttempts: 3, Backoff: noWait}}
			if tt.edit != nil {
				tt.edit(&cfg)
			}
			agent := agentturn.New(cfg)
			var rec agentturntest.Recorder
			agent.Subscribe(rec.Record)
			if tt.on != nil {
				agent.Subscribe(func(_ context.Context, ev agentturn.Event) error { tt.on(agent, ev); return nil })
			}
			end, err := agent.Prompt(t.Context(), openresponses.UserText("go"))
			if end == nil {
				t.Fatal(err)
			}
			if tt.resume != nil {
				if _, err := agent.Resume(t.Context(), tt.resume(end)...); err != nil {
					t.Fatal(err)
				}
			}
			lines := rec.Lines()
			if last := lines[len(lines)-1]; tt.end != "" && last != tt.end {
				t.Errorf("ended with %s, want %s", last, tt.end)
			}
			check(t, rec.Events())
			if model.Remaining() > 0 {
				t.Errorf("%d attempts were not played", model.Remaining())
			}
		})
	}
}

// check holds events to the rules, and to their JSON form.
func check(t *testing.T, events []agentturn.Event) {
	t.Helper()
	if err := agentturntest.CheckEvents(events); err != nil {
		t.Error(err)
	}
	var decoded []agentturn.Event
	for _, ev := range events {
		data, err := json.Marshal(ev)
		if err != nil {
			t.Fatal(err)
		}
		again, err := agentturn.DecodeEvent(data)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := agentturntest.Line(again), agentturntest.Line(ev); got != want {
			t.Errorf("decoded as %s, want %s", got, want)
		}
		decoded = append(decoded, again)
	}
	if err := agentturntest.CheckEvents(decoded); err != nil {
		t.Errorf("decoded: %v", err)
	}
}

// TestRangedRuns collects runs of the low-level loop, a refused one among them.
func TestRangedRuns(t *testing.T) {
	agentturntest.NoLeaks(t)
	model := agentturntest.NewModel(t,
		agentturntest.Attempt{agentturntest.Call("ok", "{}"), agentturntest.Call("nest", "{}")}, agentturntest.TextDeltas(slices.Repeat([]string{"word "}, 50)...))
	cfg := agentturn.Config{Model: model, Tools: tools}
	var rec agentturntest.Recorder
	end := rec.Collect(agentturn.Run(t.Context(), nil, openresponses.Items{openresponses.UserText("go")}, cfg))
	if end == nil || end.Reason != agentturn.ReasonDone {
		t.Fatalf("ended with %+v", end)
	}
	if end := rec.Collect(agentturn.Run(t.Context(), nil, nil, cfg)); !errors.Is(end.Err, agentturn.ErrNoPrompt) {
		t.Errorf("not refused: %+v", end)
	}
	check(t, rec.Events())
}
