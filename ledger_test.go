package agentturn_test

import (
	"context"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// Whatever stands between a call and its output in the transcript, a server is sent the output ahead of the next message
// to the model. The scripted model refuses anything else.
func TestOutputsAreSentInTime(t *testing.T) {
	asIs := func(_ context.Context, tr agentturn.Transcript) (agentturn.Transcript, error) { return tr, nil }
	for mode, cfg := range map[string]agentturn.Config{"plain": {}, "filter": {Filter: agentturn.DefaultFilter}, "transform": {Transform: asIs}} {
		t.Run("an answer with a note beside an approval, "+mode, func(t *testing.T) {
			a, _ := heldAgent(t, 3, cfg, at.Text("ok"))
			end := resumed(t, a, agentturn.ReasonDone, agentturn.Output(output("call_2", "no")).WithNote("why not"), agentturn.Approve("call_3").WithNote("fine"), agentturn.Approve("call_1"))
			if got := kinds(openresponses.Items(end.Items)); got != "output:call_2 user:why not output:call_1 output:call_3 user:fine assistant:ok" {
				t.Errorf("the transcript has %s", got)
			}
			if got := sentTo(a); got != "user:hi call:call_1 call:call_2 call:call_3 output:call_2 output:call_1 output:call_3 user:why not user:fine" {
				t.Errorf("sent %s", got)
			}
		})
		t.Run("a note beside a call that is held, "+mode, func(t *testing.T) {
			cfg := cfg
			cfg.Model = at.NewModel(t, at.Attempt{at.Call("held", `{}`), at.Text("wait"), at.Call("x", `{}`)}, at.Text("ok"), at.Text("ok"))
			cfg.Tools = tools(okTool("held"), okTool("x"))
			cfg.BeforeToolCall = agentturn.ChainBeforeToolCall(deciding("held", agentturn.ToolDecision{Action: agentturn.Defer}), deciding("x", agentturn.ToolDecision{Note: "note"}))
			a, _ := agentOf(t, cfg)
			prompted(t, a, "hi", agentturn.ReasonInputRequired)
			if _, err := a.Prompt(t.Context(), output("call_1", "done"), user("go on")); err != nil {
				t.Fatal(err)
			}
			if got := sentTo(a); got != "user:hi call:call_1 assistant:wait call:call_2 output:call_2 output:call_1 developer:note user:go on" {
				t.Errorf("sent %s", got)
			}
			prompted(t, a, "and", agentturn.ReasonDone)
		})
		t.Run("a seeded transcript, "+mode, func(t *testing.T) {
			cfg := cfg
			cfg.Model = at.NewModel(t, at.Text("ok"))
			a, _ := agentOf(t, cfg, agentturn.WithTranscript(agentturn.Transcript{user("hi"), callItem("a", "x"), user("are you there?")}))
			if _, err := a.Prompt(t.Context(), output("a", "2"), user("so?")); err != nil {
				t.Fatal(err)
			}
			if got := sentTo(a); got != "user:hi call:a output:a user:are you there? user:so?" {
				t.Errorf("sent %s", got)
			}
		})
	}
	t.Run("earlier requests stay as they were sent", func(t *testing.T) {
		a, _ := heldAgent(t, 2, agentturn.Config{}, at.Text("ok"), at.Text("ok"))
		first := a.State().Transcript
		resumed(t, a, agentturn.ReasonDone, agentturn.Output(output("call_1", "no")).WithNote("why"), agentturn.Approve("call_2"))
		model, _ := a.Config().Model.(*at.Model)
		sent := kinds(model.Request(2).Input)
		prompted(t, a, "more", agentturn.ReasonDone)
		if kinds(model.Request(2).Input) != sent || kinds(model.Request(3).Input) != sent+" assistant:ok user:more" || kinds(openresponses.Items(first)) != "user:hi call:call_1 call:call_2" {
			t.Errorf("sent %s, then %s", sent, kinds(model.Request(3).Input))
		}
	})
}

// sentTo is the last request an agent's scripted model was sent.
func sentTo(a *agentturn.Agent) string {
	requests := a.Config().Model.(*at.Model).Requests()
	return kinds(requests[len(requests)-1].Input)
}

// A transcript from elsewhere may hold nils, with a type and without.
func TestNilItemsInATranscript(t *testing.T) {
	seed := agentturn.Transcript{nil, (*openresponses.FunctionCall)(nil), (*openresponses.FunctionCallOutput)(nil), (*openresponses.Message)(nil), (*openresponses.ReasoningItem)(nil), user("hi")}
	model := at.NewModel(t, at.Call("x", `{}`), at.Text("ok")).RepeatLast()
	for mode, cfg := range map[string]agentturn.Config{"plain": {}, "filter": {Filter: agentturn.DefaultFilter}} {
		t.Run(mode, func(t *testing.T) {
			cfg.Model, cfg.Tools, cfg.ModelName = model, tools(okTool("x")), "m"
			if rec, end := ranged(t, seed, items(user("hi")), cfg); end.Reason != agentturn.ReasonDone {
				t.Errorf("%+v, events %q", end, rec.Lines())
			}
			a, _ := agentOf(t, cfg, agentturn.WithTranscript(seed))
			if _, err := a.Continue(t.Context()); err != nil {
				t.Error(err)
			}
			prompted(t, a, "more", agentturn.ReasonDone)
			if err := a.SetTranscript(append(seed, callItem("c", "x"), nil)); err != nil || pendingOf(a.State().Pending) != "c=unknown" {
				t.Errorf("pending %s, error %v", pendingOf(a.State().Pending), err)
			}
			resumed(t, a, agentturn.ReasonDone, agentturn.Output(output("c", "no")))
		})
	}
}
