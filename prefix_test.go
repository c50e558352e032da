package agentturn_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// TestEveryPrefix: wherever a record of a run stops, what there is of it is the transcript of an agent that goes on, or
// refuses with the error that says what it needs.
func TestEveryPrefix(t *testing.T) {
	t.Run("of a full run", func(t *testing.T) {
		everyPrefix(t, fullRun(t))
	})
	t.Run("of random runs", func(t *testing.T) {
		t.Parallel()
		seeds, prefixes := 150, 0
		if testing.Short() || raceEnabled {
			seeds = 30
		}
		for seed := 1; seed <= seeds && !t.Failed(); seed++ {
			var transcript agentturn.Transcript
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, seed)
				w.live()
				transcript = w.agent.State().Transcript
			})
			prefixes += everyPrefix(t, transcript)
			if t.Failed() {
				t.Logf("seed %d", seed)
			}
		}
		t.Logf("%d prefixes", prefixes)
	})
}

// fullRun is the transcript of a run with everything in it: parallel calls with notes, a blocked and a deferred call, an
// answer, an approval, steered items, follow-ups, items of a hook, reasoning, an extension item.
func fullRun(t *testing.T) agentturn.Transcript {
	at.NoLeaks(t)
	model := at.NewModel(t,
		at.Attempt{at.Reasoning("hm"), at.Text("first"), at.Call("noted", "{}"), at.Call("blocked", "{}"), at.Call("none", "")},
		at.Attempt{at.Item(&openresponses.UnknownItem{Type: "acme:note", ID: "n"}), at.Call("noted", `{"a":1}`), at.Call("held", "{}"), at.Call("held", `{"b":`)},
		at.Text("an answer"), at.Text("another"),
	)
	cfg := agentturn.Config{
		Model: model, Tools: tools(okTool("noted"), okTool("blocked"), okTool("held")),
		BeforeTurn: func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) {
			return items(openresponses.DeveloperText("the time")), nil
		},
		BeforeToolCall: agentturn.ChainBeforeToolCall(
			deciding("noted", agentturn.ToolDecision{Note: "note of a decision"}),
			deciding("blocked", agentturn.ToolDecision{Action: agentturn.Block}),
			deciding("held", agentturn.ToolDecision{Action: agentturn.Defer}),
		),
	}
	a := agentturn.New(cfg)
	a.Steer(user("steered"))
	a.FollowUp(user("follow-up"))
	end := prompted(t, a, "hi", agentturn.ReasonInputRequired)
	if _, err := a.Resume(t.Context(),
		agentturn.Approve(end.Pending[0].Call.CallID).WithNote("note of an approval"),
		agentturn.Output(output(end.Pending[1].Call.CallID, "by hand")).WithNote("note of an answer"),
	); err != nil {
		t.Fatal(err)
	}
	return a.State().Transcript
}

// everyPrefix goes on from each prefix of a transcript in every way, and says how many there were.
func everyPrefix(t *testing.T, transcript agentturn.Transcript) int {
	t.Helper()
	for n := range len(transcript) + 1 {
		ways := waysOn
		if len(unanswered(transcript[:n])) == 0 {
			ways = ways[:1]
		}
		for i, way := range ways {
			goesOn(t, transcript[:n:n], way)
			if t.Failed() {
				t.Fatalf("way %d from the first %d items: %s", i, n, kinds(openresponses.Items(transcript[:n])))
			}
		}
	}
	return len(transcript) + 1
}

// waysOn are the ways to answer pending calls: a prompt that begins with their outputs, or answers.
var waysOn = []func(call *openresponses.FunctionCall) agentturn.Answer{
	nil,
	func(call *openresponses.FunctionCall) agentturn.Answer { return agentturn.OutcomeUnknown(call.CallID) },
	func(call *openresponses.FunctionCall) agentturn.Answer {
		return agentturn.Approve(call.CallID).WithRunAgain().WithNote("note of an approval")
	},
}

// goesOn makes an agent of a transcript and sees it through one run, after everything that has to be refused was. The
// low-level loop says the same of the transcript.
func goesOn(t *testing.T, transcript agentturn.Transcript, answer func(*openresponses.FunctionCall) agentturn.Answer) {
	t.Helper()
	ctx := t.Context()
	cfg := agentturn.Config{Model: at.NewModel(t, at.Text("ok"))}
	for _, name := range append(toolNames, "noted", "blocked", "held") {
		cfg.Tools = append(cfg.Tools, okTool(name))
	}
	lowCfg := cfg
	lowCfg.Model = at.NewModel(t, at.Text("ok"))
	a := agentturn.New(cfg, agentturn.WithTranscript(transcript))
	calls := unanswered(transcript)
	state := a.State()
	if got := agentturn.PendingCalls(state.Pending); !slices.Equal(got, calls) {
		t.Errorf("pending %s, unanswered %v", pendingOf(state.Pending), calls)
		return
	}
	refuses := func(want error, run func() (*agentturn.RunEnd, error)) {
		t.Helper()
		end, err := run()
		if end != nil || !errors.Is(err, want) {
			t.Errorf("%+v, error %v, want %v", end, err, want)
		}
	}
	lowRefuses := func(want error, prompt ...openresponses.Item) {
		t.Helper()
		if end := rangeOver(ctx, transcript, prompt, lowCfg); end.RunID != "" || !errors.Is(end.Err, want) {
			t.Errorf("the range ended with %+v, want %v", end, want)
		}
	}
	resume := func(answers ...agentturn.Answer) func() (*agentturn.RunEnd, error) {
		return func() (*agentturn.RunEnd, error) { return a.Resume(ctx, answers...) }
	}
	prompt := func(prompt ...openresponses.Item) func() (*agentturn.RunEnd, error) {
		return func() (*agentturn.RunEnd, error) { return a.Prompt(ctx, prompt...) }
	}
	goOn := func() (*agentturn.RunEnd, error) { return a.Continue(ctx) }

	if len(calls) == 0 {
		refuses(agentturn.ErrNotPending, resume())
		lowRefuses(agentturn.ErrNotPending, output("nobody's", ""), user("hi"))
		if agentturn.CanContinue(transcript) {
			wellEnded(t, a, goOn)
			low := rangeOver(ctx, transcript, nil, lowCfg)
			wellEnded(t, nil, func() (*agentturn.RunEnd, error) { return low, low.Err })
			return
		}
		refuses(agentturn.ErrCannotContinue, goOn)
		lowRefuses(agentturn.ErrCannotContinue)
		wellEnded(t, a, prompt(user("hi")))
		return
	}
	var answers []agentturn.Answer
	var outputs openresponses.Items
	for _, p := range state.Pending {
		if p.Reason != agentturn.PendingUnknown {
			t.Errorf("call %s is pending as %s", p.Call.CallID, p.Reason)
		}
		outputs = append(outputs, output(p.Call.CallID, "by hand"))
		if answer != nil {
			answers = append(answers, answer(p.Call))
		}
	}
	refuses(agentturn.ErrInputRequired, goOn)
	refuses(agentturn.ErrInputRequired, prompt(user("hi")))
	refuses(agentturn.ErrInputRequired, prompt(append(slices.Clone(outputs[1:]), user("hi"))...))
	refuses(agentturn.ErrNotPending, prompt(append(items(outputs[0]), outputs...)...))
	refuses(agentturn.ErrNotPending, resume())
	lowRefuses(agentturn.ErrInputRequired)
	lowRefuses(agentturn.ErrInputRequired, user("hi"))
	if _, _, err := a.Deliver(ctx, user("hi")); !errors.Is(err, agentturn.ErrInputRequired) {
		t.Errorf("Deliver with pending calls: %v", err)
	}
	a.ClearQueue(agentturn.QueueSteer)
	if _, known := agenttool.Set(cfg.Tools).Lookup(calls[0].Name); known {
		refuses(agentturn.ErrAmbiguousCall, func() (*agentturn.RunEnd, error) {
			var approvals []agentturn.Answer
			for _, call := range calls {
				approvals = append(approvals, agentturn.Approve(call.CallID))
			}
			return a.Resume(ctx, approvals...)
		})
	}
	if answer == nil {
		wellEnded(t, a, prompt(append(outputs, user("hi"))...))
		low := rangeOver(ctx, transcript, append(outputs, user("hi")), lowCfg)
		wellEnded(t, nil, func() (*agentturn.RunEnd, error) { return low, low.Err })
		return
	}
	wellEnded(t, a, resume(answers...))
}

// rangeOver is the end of a low-level run, a continued one where there is no prompt.
func rangeOver(ctx context.Context, transcript agentturn.Transcript, prompt openresponses.Items, cfg agentturn.Config) *agentturn.RunEnd {
	run := agentturn.Continue(ctx, transcript, cfg)
	if prompt != nil {
		run = agentturn.Run(ctx, transcript, prompt, cfg)
	}
	var rec at.Recorder
	return rec.Collect(run)
}

// wellEnded: the model has answered, and the agent, if it is one's run, waits for nothing.
func wellEnded(t *testing.T, a *agentturn.Agent, run func() (*agentturn.RunEnd, error)) {
	t.Helper()
	end, err := run()
	if text, ok := end.Answer(); err != nil || end.Reason != agentturn.ReasonDone || !ok || text != "ok" {
		t.Errorf("ended %+v, error %v", end, err)
		return
	}
	if a != nil && len(unanswered(a.State().Transcript))+len(a.State().Pending) > 0 {
		t.Errorf("pending %s", pendingOf(a.State().Pending))
	}
}
