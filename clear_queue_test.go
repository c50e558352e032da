package agentturn_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// TestClearQueue: what was queued and not taken comes back as it was given, and joins nothing.
func TestClearQueue(t *testing.T) {
	agentturntest.NoLeaks(t)
	a := agentturn.New(agentturn.Config{Model: agentturntest.NewModel(t, agentturntest.Text("ok"))})
	steered, hidden, followUp := openresponses.UserText("s"), agentturn.Hidden(openresponses.UserText("h")), openresponses.UserText("f")
	a.Steer(steered, hidden)
	a.FollowUp(followUp)
	if got := a.ClearQueue(agentturn.QueueFollowUp); len(got) != 1 || got[0] != openresponses.Item(followUp) {
		t.Errorf("follow-ups %v", got)
	}
	if got := a.ClearQueue(agentturn.QueueSteer); len(got) != 2 || got[0] != openresponses.Item(steered) || got[1] != hidden {
		t.Errorf("steered %v", got)
	}
	if got := a.ClearQueue(agentturn.QueueSteer); got != nil {
		t.Errorf("an empty queue gave %v", got)
	}
	end, err := a.Prompt(t.Context(), openresponses.UserText("p"))
	if err != nil || len(end.Items) != 2 {
		t.Errorf("the run appended %v, error %v", end.Items, err)
	}
}

// TestClearQueueDelivery: who waits for the delivery of what is cleared is told so, and no run starts for it.
func TestClearQueueDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		agentturntest.NoLeaks(t)
		var a *agentturn.Agent
		var delivered error
		waited := make(chan struct{})
		model := agentturntest.NewModel(t, agentturntest.Attempt{agentturntest.Do(func() {
			go func() {
				defer close(waited)
				_, _, delivered = a.Deliver(context.Background(), openresponses.UserText("late"))
			}()
			synctest.Wait()
			if got := a.ClearQueue(agentturn.QueueSteer); len(got) != 1 {
				t.Errorf("cleared %v", got)
			}
		}), agentturntest.Text("ok")})
		a = agentturn.New(agentturn.Config{Model: model})
		if _, err := a.Prompt(t.Context(), openresponses.UserText("p")); err != nil {
			t.Fatal(err)
		}
		<-waited
		if !errors.Is(delivered, agentturn.ErrCleared) {
			t.Errorf("Deliver returned %v", delivered)
		}
		if n := len(a.State().Transcript); n != 2 {
			t.Errorf("%d items in the transcript", n)
		}
	})
}
