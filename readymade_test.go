package agentturn_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// Some servers refuse every item ID of a request that has nothing stored.
func TestOmitItemIDs(t *testing.T) {
	model := agentturntest.NewModel(t,
		agentturntest.Attempt{agentturntest.Reasoning("hm"), agentturntest.Call("e", `{"text":"a"}`)},
		agentturntest.Text("done"),
	).CheckWith(agentturntest.RefuseItemIDs())
	a := agentturn.New(agentturn.Config{
		Model: model, Tools: []agenttool.Tool{echoTool("e")}, BeforeModelCall: agentturn.OmitItemIDs,
	})
	if _, err := a.Prompt(t.Context(), openresponses.UserText("hi")); err != nil {
		t.Fatal(err)
	}
	if call := a.State().Transcript[2].(*openresponses.FunctionCall); call.ID == "" {
		t.Error("the transcript lost the ID as well")
	}
}

func TestStopOnRepeatedCalls(t *testing.T) {
	same := func() agentturntest.Turn { return agentturntest.Call("e", `{"text":"a","n":1}`) }
	other := func() agentturntest.Turn { return agentturntest.Call("e", `{ "n": 1, "text": "a" }`) }
	different := func() agentturntest.Turn { return agentturntest.Call("e", `{"text":"b","n":1}`) }
	counting := 0
	counter := agenttool.NewFunc("count", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
		counting++
		return agenttool.Text(strings.Repeat("x", counting)), nil
	})
	count := func() agentturntest.Turn { return agentturntest.Call("count", `{}`) }
	cases := []struct {
		name  string
		turns []agentturntest.Turn
		stops bool
	}{
		{"three times the same", []agentturntest.Turn{same(), other(), same()}, true},
		{"three at once", []agentturntest.Turn{agentturntest.Attempt{
			agentturntest.Call("e", `{"text":"a"}`), agentturntest.Call("e", `{"text":"a"}`), agentturntest.Call("e", `{"text":"a"}`),
		}}, true},
		{"other arguments between", []agentturntest.Turn{same(), different(), same(), different()}, false},
		{"other outputs", []agentturntest.Turn{count(), count(), count(), count()}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			turns := c.turns
			if !c.stops {
				turns = append(turns, agentturntest.Text("done"))
			}
			a := agentturn.New(agentturn.Config{
				Model: agentturntest.NewModel(t, turns...), Tools: []agenttool.Tool{echoTool("e"), counter},
				ShouldStopAfterTurn: agentturn.StopOnRepeatedCalls(3),
			})
			end, err := a.Prompt(t.Context(), openresponses.UserText("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if stopped := end.Cause == agentturn.StopGuard; stopped != c.stops || stopped != errors.Is(end.Err, agentturn.ErrGuard) {
				t.Errorf("ended %s %s: %v", end.Reason, end.Cause, end.Err)
			}
		})
	}
}

// A server that can't read the reasoning of a conversation gets the conversation without
// it, once, and from then on.
func TestRefusedReasoning(t *testing.T) {
	refusal := openresponses.InvalidRequest("invalid_encrypted_content", "could not be verified", "input")
	model := agentturntest.NewModel(t,
		agentturntest.Attempts{{agentturntest.Fail(refusal)}, {agentturntest.Text("one")}},
		agentturntest.Text("two"),
	)
	var refused agentturn.RefusedReasoning
	a := agentturn.New(agentturn.Config{
		Model: model, Retry: refused.Retry(agentturn.Retry{}), BeforeModelCall: refused.BeforeModelCall,
	}, agentturn.WithTranscript(agentturn.Transcript{
		openresponses.UserText("hi"),
		&openresponses.ReasoningItem{ID: "rs_1", EncryptedContent: "of another account"},
		openresponses.AssistantText("hello"),
	}))
	for _, prompt := range []string{"a", "b"} {
		if _, err := a.Prompt(t.Context(), openresponses.UserText(prompt)); err != nil {
			t.Fatal(err)
		}
	}
	held := func(req openresponses.Request) int {
		n := 0
		for _, item := range req.Input {
			if _, ok := item.(*openresponses.ReasoningItem); ok {
				n++
			}
		}
		return n
	}
	var got []int
	for _, req := range model.Requests() {
		got = append(got, held(req))
	}
	if len(got) != 3 || got[0] != 1 || got[1] != 0 || got[2] != 0 {
		t.Errorf("reasoning items by request: %v, want 1 0 0", got)
	}
	if held(openresponses.Request{Input: a.State().Transcript}) != 1 {
		t.Error("the transcript lost its reasoning")
	}
}

// Without a refusal the policy is as it was.
func TestRefusedReasoningLeavesThePolicy(t *testing.T) {
	failure := openresponses.ServerError("boom", "no")
	var refused agentturn.RefusedReasoning
	for _, c := range []struct{ attempts, made int }{{0, 1}, {1, 1}, {3, 3}} {
		model := agentturntest.NewModel(t, agentturntest.Attempts{
			{agentturntest.Fail(failure)}, {agentturntest.Fail(failure)}, {agentturntest.Fail(failure)}, {agentturntest.Fail(failure)},
		})
		cfg := agentturn.Config{Model: model, Retry: refused.Retry(agentturn.Retry{MaxAttempts: c.attempts, MaxDelay: -1, Backoff: func(int, error) (d time.Duration) { return d }})}
		end, _ := agentturn.New(cfg).Prompt(t.Context(), openresponses.UserText("hi"))
		if got := len(model.Requests()); got != c.made || !errors.Is(end.Err, failure) {
			t.Errorf("MaxAttempts %d: %d attempts and %v", c.attempts, got, end.Err)
		}
	}
}
