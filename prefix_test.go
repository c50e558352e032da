package agentturn_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// TestEveryPrefix: wherever a record of a run stops, what there is of it is the transcript of an agent that goes on, or
// refuses with the error that says what it needs.
func TestEveryPrefix(t *testing.T) {
	seeds := 80
	if testing.Short() {
		seeds = 20
	}
	prefixes := 0
	for seed := 1; seed <= seeds; seed++ {
		var transcript agentturn.Transcript
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, seed)
			w.live()
			transcript = w.agent.State().Transcript
		})
		for n := range len(transcript) + 1 {
			prefixes++
			goesOn(t, transcript[:n:n])
			if t.Failed() {
				t.Fatalf("seed %d, the first %d items: %s", seed, n, kinds(transcript[:n]))
			}
		}
	}
	t.Logf("%d prefixes", prefixes)
}

// goesOn makes an agent of a transcript and sees it through one run.
func goesOn(t *testing.T, transcript agentturn.Transcript) {
	t.Helper()
	model := at.NewModel(t, at.Text("ok")).Unchecked()
	if !noted(transcript) {
		model = at.NewModel(t, at.Text("ok"))
	}
	a := agentturn.New(agentturn.Config{Model: model}, agentturn.WithTranscript(transcript))
	pending := a.State().Pending
	if len(pending) > 0 {
		if _, err := a.Prompt(t.Context(), user("hi")); !errors.Is(err, agentturn.ErrInputRequired) {
			t.Errorf("Prompt with pending calls: %v", err)
		}
		if _, err := a.Continue(t.Context()); !errors.Is(err, agentturn.ErrInputRequired) {
			t.Errorf("Continue with pending calls: %v", err)
		}
		if _, _, err := a.Deliver(t.Context(), user("hi")); !errors.Is(err, agentturn.ErrInputRequired) {
			t.Errorf("Deliver with pending calls: %v", err)
		}
		a.ClearQueue(agentturn.QueueSteer)
		var answers []agentturn.Answer
		for _, p := range pending {
			if p.Reason != agentturn.PendingUnknown {
				t.Errorf("call %s is pending as %s", p.Call.CallID, p.Reason)
			}
			answers = append(answers, agentturn.OutcomeUnknown(p.Call.CallID))
		}
		wellEnded(t, a, func() (*agentturn.RunEnd, error) { return a.Resume(t.Context(), answers...) })
		return
	}
	if _, err := a.Resume(t.Context()); !errors.Is(err, agentturn.ErrNotPending) {
		t.Errorf("Resume without pending calls: %v", err)
	}
	if agentturn.CanContinue(transcript) {
		wellEnded(t, a, func() (*agentturn.RunEnd, error) { return a.Continue(t.Context()) })
		return
	}
	if _, err := a.Continue(t.Context()); !errors.Is(err, agentturn.ErrCannotContinue) {
		t.Errorf("Continue: %v", err)
	}
	wellEnded(t, a, func() (*agentturn.RunEnd, error) { return a.Prompt(t.Context(), user("hi")) })
}

func wellEnded(t *testing.T, a *agentturn.Agent, run func() (*agentturn.RunEnd, error)) {
	t.Helper()
	end, err := run()
	if err != nil || end.Reason != agentturn.ReasonDone || len(a.State().Pending) > 0 {
		t.Errorf("ended %+v, error %v", end, err)
		return
	}
	if last, ok := end.Items[len(end.Items)-1].(*openresponses.Message); !ok || last.Text() != "ok" {
		t.Errorf("items %s", kinds(end.Items))
	}
}
