package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/tools/agent"
	"github.com/ChristopherDavenport/openresponses"
)

// deep is a chain of agents, each a tool of the one above; the last one has a tool pay that waits for a person. paid
// counts what it did.
func deep(t *testing.T, depth int, paid *[]string) agenttool.Tool {
	if depth == 0 {
		pay := agenttool.NewFunc("pay", "", nil, func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			*paid = append(*paid, string(call.Args))
			return agenttool.Text("paid"), nil
		})
		return agent.New(agentturn.Config{
			Name: "level0", Model: at.NewModel(t, at.Attempt{at.Text("let me see"), at.Call("pay", `{"n":1}`), at.Call("pay", `{"n":2}`)}, at.Text("paid both")), Tools: []agenttool.Tool{pay},
			BeforeToolCall: func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				return &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "money"}, nil
			},
		}, agent.WithHolding())
	}
	below := deep(t, depth-1, paid)
	return agent.New(agentturn.Config{
		Name: fmt.Sprint("level", depth), Model: at.NewModel(t, at.Call(below.Name(), asked), at.Text(fmt.Sprint("level ", depth, " has it"))), Tools: []agenttool.Tool{below},
	}, agent.WithHolding())
}

// A child's approval becomes the parent's, four levels up, and the same calls go on once it is given.
func TestHolding(t *testing.T) {
	for _, depth := range []int{0, 1, 4} {
		t.Run(fmt.Sprint("depth ", depth), func(t *testing.T) {
			var paid []string
			parent, rec := calling(t, deep(t, depth, &paid))
			end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
			if err != nil || end.Reason != agentturn.ReasonInputRequired || len(end.Pending) != 1 || len(paid) > 0 {
				t.Fatalf("%+v, error %v", end, err)
			}
			held := agent.HeldCalls(end.Pending)
			if len(held) != 2 || len(held[0].Path) != depth+1 || held[0].Pending.Call.Name != "pay" || held[0].Pending.Call.Arguments != `{"n":1}` {
				t.Fatalf("held %+v", held)
			}
			if reason := toolEnd(t, rec).Reason; !strings.Contains(reason, "waits for answers to 2 call(s)") {
				t.Errorf("reason %q", reason)
			}
			// An approval without the answers leaves all as it is.
			end, err = parent.Resume(t.Context(), agentturn.Approve(end.Pending[0].Call.CallID))
			if err != nil || end.Reason != agentturn.ReasonInputRequired || len(paid) > 0 {
				t.Fatalf("%+v, error %v", end, err)
			}
			ctx, answers := agent.Answers(t.Context(), end.Pending, func(h agent.HeldCall) agentturn.Answer {
				if h.Pending.Call.Arguments == `{"n":2}` {
					return agentturn.Output(openresponses.NewFunctionCallOutput(h.Pending.Call.CallID, "Error: refused"))
				}
				return agentturn.Approve(h.Pending.Call.CallID)
			})
			end, err = parent.Resume(ctx, answers...)
			if err != nil || end.Reason != agentturn.ReasonDone || !slices.Equal(paid, []string{`{"n":1}`}) {
				t.Fatalf("%+v, error %v, paid %v", end, err, paid)
			}
			want := "paid both"
			if depth > 0 {
				want = fmt.Sprint("level ", depth, " has it")
			}
			if out := end.Items[0].(*openresponses.FunctionCallOutput); out.CallID != "call_1" || out.Output.Text != want {
				t.Errorf("output %+v", out)
			}
			if got := kinds(parent.State().Transcript); got != "user:hi call:call_1 output:call_1 assistant:thanks" {
				t.Errorf("transcript %s", got)
			}
		})
	}
}

// A call beside the held one is the parent's own, and both are answered together.
func TestHoldingBesideOthers(t *testing.T) {
	at.NoLeaks(t)
	var paid []string
	below := deep(t, 1, &paid)
	parent := agentturn.New(agentturn.Config{
		Model: at.NewModel(t, at.Attempt{at.Call(below.Name(), asked), at.Call("send", `{}`)}, at.Text("thanks")), Tools: []agenttool.Tool{below, saying("send", "sent")},
		BeforeToolCall: func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			if info.Call.Name == "send" {
				return &agentturn.ToolDecision{Action: agentturn.Defer}, nil
			}
			return nil, nil
		},
	})
	end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	ctx, answers := agent.Answers(t.Context(), end.Pending, func(h agent.HeldCall) agentturn.Answer {
		asked = append(asked, fmt.Sprint(strings.Join(h.Path, "/"), " ", h.Pending.Call.Name))
		return agentturn.Approve(h.Pending.Call.CallID)
	})
	if fmt.Sprint(asked) != "[call_1/call_1 pay call_1/call_1 pay  send]" {
		t.Errorf("asked %q", asked)
	}
	if end, err = parent.Resume(ctx, answers...); err != nil || end.Reason != agentturn.ReasonDone || len(paid) != 2 {
		t.Errorf("%+v, error %v, paid %v", end, err, paid)
	}
}

// A call that a lost child holds is one that may have run.
func TestHoldingLost(t *testing.T) {
	var paid []string
	parent, _ := calling(t, deep(t, 0, &paid))
	end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
	if err != nil {
		t.Fatal(err)
	}
	var other []string
	again := agentturn.New(agentturn.Config{Model: at.NewModel(t), Tools: []agenttool.Tool{deep(t, 0, &other)}},
		agentturn.WithTranscript(parent.State().Transcript), agentturn.WithPending(end.Pending))
	if _, err := again.Resume(t.Context(), agentturn.Approve("call_1")); err == nil {
		t.Error("a call whose child is gone was approved")
	}
}
