package agentturn_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// sequences makes a low-level run and returns its events: by Run with prompts, or by Continue without.
func sequence(ctx context.Context, transcript agentturn.Transcript, prompts openresponses.Items, cfg agentturn.Config) []agentturn.Event {
	seq := agentturn.Continue(ctx, transcript, cfg)
	if prompts != nil {
		seq = agentturn.Run(ctx, transcript, prompts, cfg)
	}
	return slices.Collect(seq)
}

// refusedWith checks that a low-level run was refused.
func refusedWith(t *testing.T, events []agentturn.Event, want error) {
	t.Helper()
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	end, ok := events[0].(*agentturn.RunEnd)
	if !ok || end.RunID != "" || end.Reason != agentturn.ReasonError || !errors.Is(end.Err, want) || end.Items != nil || end.Pending != nil {
		t.Errorf("got %+v, want a refusal with %v", events[0], want)
	}
}

func TestRefusals(t *testing.T) {
	open := agentturn.Transcript{user("hi"), callItem("c", "x")}
	badTrigger := agentturn.ContextWithTrigger(t.Context(), agentturn.Trigger{Extra: map[string]any{"kind": 1}})
	model := at.NewModel(t)
	ok := agentturn.Config{Model: model}
	twice := agentturn.Config{Model: model, Tools: tools(okTool("x"), okTool("x"))}
	nobody := agentturn.Transcript{user("hi"), openresponses.AssistantText("ho")}
	cases := []struct {
		name       string
		ctx        context.Context
		transcript agentturn.Transcript
		prompts    openresponses.Items // nil to continue
		cfg        agentturn.Config
		want       error
	}{
		{"no prompt", t.Context(), nil, openresponses.Items{}, ok, agentturn.ErrNoPrompt},
		{"trigger", badTrigger, nil, items(user("x")), ok, agentturn.ErrTriggerExtra},
		{"open calls", t.Context(), open, items(user("x")), ok, agentturn.ErrInputRequired},
		{"foreign output", t.Context(), open, items(output("d", "")), ok, agentturn.ErrNotPending},
		{"second output", t.Context(), open, items(output("c", ""), output("c", "")), ok, agentturn.ErrNotPending},
		{"no model", t.Context(), nil, items(user("x")), agentturn.Config{}, agentturn.ErrNoModel},
		{"tools of one name", t.Context(), nil, items(user("x")), twice, nil},
		{"continue: trigger first", badTrigger, open, nil, ok, agentturn.ErrTriggerExtra},
		{"continue: open calls", t.Context(), open, nil, ok, agentturn.ErrInputRequired},
		{"continue: nothing to answer", t.Context(), nobody, nil, ok, agentturn.ErrCannotContinue},
		{"continue: no model", t.Context(), agentturn.Transcript{user("hi")}, nil, agentturn.Config{}, agentturn.ErrNoModel},
	}
	t.Run("R002", func(t *testing.T) {
		for _, c := range cases {
			events := sequence(c.ctx, c.transcript, c.prompts, c.cfg)
			if c.want == nil {
				if end, ok := events[0].(*agentturn.RunEnd); len(events) != 1 || !ok || end.Err == nil || end.Err.Error() != `agentturn: tool "x": duplicate name` {
					t.Errorf("%s: %v", c.name, events)
				}
				continue
			}
			t.Run(c.name, func(t *testing.T) { refusedWith(t, events, c.want) })
		}
	})
	t.Run("R003", func(t *testing.T) {
		for _, c := range cases {
			a, rec := agentOf(t, c.cfg, agentturn.WithTranscript(c.transcript))
			var end *agentturn.RunEnd
			var err error
			if c.prompts == nil {
				end, err = a.Continue(c.ctx)
			} else {
				end, err = a.Prompt(c.ctx, c.prompts...)
			}
			want := c.want
			if c.name == "continue: trigger first" {
				want = agentturn.ErrInputRequired // the agent looks at its own state first
			}
			if end != nil || err == nil || want != nil && !errors.Is(err, want) {
				t.Errorf("%s: %v, error %v", c.name, end, err)
			}
			if len(rec.Events()) > 0 || a.State().Running || len(a.State().Transcript) != len(c.transcript) {
				t.Errorf("%s: left %v, %+v", c.name, rec.Lines(), a.State())
			}
		}
	})
	t.Run("R004", func(t *testing.T) {
		refusedWith(t, slices.Collect(agentturn.Run(t.Context(), nil, nil, agentturn.Config{})), agentturn.ErrNoPrompt)
	})
}

func TestLeadingOutputs(t *testing.T) {
	open := agentturn.Transcript{user("hi"), callItem("c", "x"), callItem("d", "x")}
	answered := func(prompts ...openresponses.Item) *agentturn.RunEnd {
		_, end := ranged(t, open, prompts, agentturn.Config{Model: at.NewModel(t, at.Text("ok")).Unchecked()})
		return end
	}
	t.Run("R005", func(t *testing.T) {
		if end := answered(output("d", "2"), output("c", "1"), user("x")); end.Reason != agentturn.ReasonDone {
			t.Errorf("%+v", end)
		}
		if end := answered(output("c", "1"), user("x")); !errors.Is(end.Err, agentturn.ErrInputRequired) {
			t.Errorf("%+v", end)
		}
	})
	t.Run("R006", func(t *testing.T) {
		if end := answered(output("c", "1"), user("x"), output("d", "2")); !errors.Is(end.Err, agentturn.ErrInputRequired) {
			t.Errorf("%+v", end)
		}
	})
	t.Run("R007", func(t *testing.T) {
		stray := items(output("z", "1"), user("x"))
		refusedWith(t, slices.Collect(agentturn.Run(t.Context(), nil, stray, agentturn.Config{Model: at.NewModel(t)})), agentturn.ErrNotPending)
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok")).Unchecked()})
		if end, err := a.Prompt(t.Context(), stray...); err != nil || end.Reason != agentturn.ReasonDone {
			t.Errorf("%+v, error %v", end, err)
		}
	})
	t.Run("R008", func(t *testing.T) {
		for want, transcript := range map[string]agentturn.Transcript{
			"":          {output("c", ""), callItem("c", "x"), user("a")},
			"c=unknown": {callItem("c", "x"), user("a"), openresponses.AssistantText("b"), output("d", "")},
		} {
			a := agentturn.New(agentturn.Config{}, agentturn.WithTranscript(transcript))
			if got := pendingOf(a.State().Pending); got != want {
				t.Errorf("pending %q, want %q", got, want)
			}
		}
	})
}

func TestLifeOfARun(t *testing.T) {
	call := at.Attempt{at.Text("wait"), at.Call("x", `{}`)}
	t.Run("R001", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, call, at.Text("ok")), Tools: tools(okTool("x"))})
		a.Steer(user("before"))
		prompted(t, a, "hi", agentturn.ReasonDone)
		a.Steer(user("after"))
		rec.Expect(t,
			"queued - steer message user \"before\"", "run_start run_1 input",
			"item_start 0 message user", `item_end 0 message user "hi"`, "item_start 0 message user", `item_end 0 message user "before"`,
			"turn_start 1", "item_start 1 message assistant", `item_end 1 message assistant "wait"`,
			"item_start 1 function_call call_1 x", "item_end 1 function_call call_1 x {}", "response_end 1 completed",
			"tool_start 1 call_1 x {}", "tool_dispatch 1 call_1 x", "tool_end 1 call_1 ok",
			"item_start 1 function_call_output call_1", `item_end 1 function_call_output call_1 "x ok"`, "turn_end 1",
			"turn_start 2", "item_start 2 message assistant", `item_end 2 message assistant "ok"`, "response_end 2 completed", "turn_end 2",
			"run_end done")
	})
	t.Run("R009", func(t *testing.T) {
		at.NoLeaks(t)
		model := at.NewModel(t, at.Text("ok")).RepeatLast()
		seq := agentturn.Run(t.Context(), agentturn.Transcript{user("a"), openresponses.AssistantText("b")}, items(user("c")), agentturn.Config{Model: model})
		var ids []string
		for range 2 {
			for ev := range seq {
				if start, ok := ev.(*agentturn.RunStart); ok {
					ids = append(ids, start.RunID)
				}
			}
		}
		if len(ids) != 2 || ids[0] == ids[1] || kinds(model.Request(1).Input) != kinds(model.Request(2).Input) || len(model.Request(2).Input) != 3 {
			t.Errorf("runs %v sent %q and %q", ids, kinds(model.Request(1).Input), kinds(model.Request(2).Input))
		}
	})
	t.Run("R010", func(t *testing.T) {
		transcript := append(make(agentturn.Transcript, 0, 20), user("a"), openresponses.AssistantText("b"))
		rec, end := ranged(t, transcript, items(user("c")), agentturn.Config{Model: at.NewModel(t, call, at.Text("ok")), Tools: tools(okTool("x"))})
		if behind := transcript[:20][2]; behind != nil {
			t.Errorf("%v was written into the caller's slice", behind)
		}
		var appended openresponses.Items
		for _, ev := range all[*agentturn.ItemEnd](rec) {
			appended = append(appended, ev.Item)
		}
		if !slices.Equal(end.Items, appended) || kinds(end.Items) != "user:c assistant:wait call:call_1 output:call_1 assistant:ok" {
			t.Errorf("items %s", kinds(end.Items))
		}
	})
	t.Run("R011", func(t *testing.T) {
		rec, end := ranged(t, nil, items(user("c")), agentturn.Config{Model: at.NewModel(t, call, at.Text("ok")), Tools: tools(okTool("x"))})
		if !regexp.MustCompile(`^run_[0-9a-f]{24}$`).MatchString(end.RunID) {
			t.Errorf("run ID %q", end.RunID)
		}
		for _, ev := range rec.Events() {
			if id := runIDOf(t, ev); id != end.RunID {
				t.Errorf("%s carries the run ID %q", ev.EventType(), id)
			}
		}
	})
	t.Run("R012", func(t *testing.T) {
		var a *agentturn.Agent
		model := at.NewModel(t, at.Text("ok"))
		a, _ = agentOf(t, agentturn.Config{Model: model})
		var seen, started string
		a.Subscribe(func(_ context.Context, ev agentturn.Event) error {
			if start, ok := ev.(*agentturn.RunStart); ok {
				seen, started = a.State().RunID, start.RunID
			}
			return nil
		})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if seen == "" || seen != started || a.State().RunID != "" {
			t.Errorf("the state said %q at the start of %q, and says %q after it", seen, started, a.State().RunID)
		}
	})
	t.Run("R013", func(t *testing.T) {
		transcript := agentturn.Transcript{user("hi"), callItem("c", "x")}
		for name, c := range map[string]struct {
			transcript agentturn.Transcript
			prompts    openresponses.Items
			want       agentturn.Source
		}{
			"input":                  {nil, items(user("a")), agentturn.SourceInput},
			"leading output":         {transcript, items(output("c", "1")), agentturn.SourceResume},
			"hidden output":          {transcript, items(agentturn.Hidden(output("c", "1"))), agentturn.SourceResume},
			"output of another call": {nil, items(user("a"), output("z", "1")), agentturn.SourceInput},
		} {
			rec, _ := ranged(t, c.transcript, c.prompts, agentturn.Config{Model: at.NewModel(t, at.Text("ok")).Unchecked()})
			if got := find[*agentturn.RunStart](rec).Source; got != c.want {
				t.Errorf("%s: source %s", name, got)
			}
		}
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok")), Tools: tools(okTool("x"))},
			agentturn.WithTranscript(transcript))
		if _, err := a.Resume(t.Context(), agentturn.Approve("c").WithRunAgain()); err != nil {
			t.Fatal(err)
		}
		if got := find[*agentturn.RunStart](rec).Source; got != agentturn.SourceResume {
			t.Errorf("approval: source %s", got)
		}
	})
	t.Run("R014", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok"))})
		for _, event := range []string{agentturn.EventRunStart, agentturn.EventItemEnd, agentturn.EventRunEnd} {
			a.Subscribe(func(ctx context.Context, ev agentturn.Event) error {
				if ev.EventType() == event {
					if _, err := a.Prompt(ctx, user("again")); err != agentturn.ErrRunning {
						t.Errorf("Prompt during %s: error %v", event, err)
					}
					if _, err := a.Continue(ctx); err != agentturn.ErrRunning {
						t.Errorf("Continue during %s: error %v", event, err)
					}
					if _, err := a.Resume(ctx); err != agentturn.ErrRunning {
						t.Errorf("Resume during %s: error %v", event, err)
					}
				}
				return nil
			})
		}
		prompted(t, a, "hi", agentturn.ReasonDone)
	})
	t.Run("R015", func(t *testing.T) {
		for reason, c := range map[agentturn.Reason]struct {
			turn    at.Turn
			isError bool
		}{
			agentturn.ReasonDone:          {at.Text("ok"), false},
			agentturn.ReasonError:         {at.Fail(errTest), true},
			agentturn.ReasonStopped:       {call, false},
			agentturn.ReasonInputRequired: {at.Call("held", `{}`), false},
		} {
			a, _ := agentOf(t, agentturn.Config{
				Model: at.NewModel(t, c.turn), Tools: tools(okTool("x"), okTool("held")), MaxTurns: 1,
				BeforeToolCall: deciding("held", agentturn.ToolDecision{Action: agentturn.Defer}),
			})
			end, err := a.Prompt(t.Context(), user("hi"))
			if end == nil || end.Reason != reason || (err != nil) != c.isError || c.isError && !errors.Is(err, errTest) {
				t.Errorf("%s: %+v, error %v", reason, end, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t)})
		if end, err := a.Prompt(ctx, user("hi")); err != nil || end.Reason != agentturn.ReasonAborted || end.Err != context.Canceled {
			t.Errorf("%+v, error %v", end, err)
		}
	})
}

// runIDOf is the run ID of an event, by its JSON form.
func runIDOf(t *testing.T, ev agentturn.Event) string {
	t.Helper()
	var head struct {
		RunID string `json:"run_id"`
	}
	decodeEvent(t, ev, &head)
	return head.RunID
}
