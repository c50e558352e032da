package agent_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/tools/agent"
	"github.com/ChristopherDavenport/openresponses"
)

// A coordinator with two specialists. One is asked and waited for; the other works in the background, is told something
// while it works, and delivers its answer when it has one.
func Example() {
	historian := agent.New(agentturn.Config{
		Name: "historian", Description: "Knows when things happened.",
		Model: agentturntest.NewModel(nil, agentturntest.Text("1969.")),
	})

	children, steered, answered := make(chan *agentturn.Agent, 1), make(chan struct{}), make(chan *agentturn.RunEnd, 1)
	surveyor := agent.New(agentturn.Config{
		Name: "surveyor", Description: "Measures things, slowly.",
		Model: agentturntest.NewModel(nil, agentturntest.Attempt{agentturntest.Wait(steered), agentturntest.Text("2,159 miles.")}, agentturntest.Text("3,474 km.")),
	},
		agent.WithSpawn(func(_ string, child *agentturn.Agent) { children <- child }),
		agent.WithDetach(func(_ string, end *agentturn.RunEnd) { answered <- end }),
	)

	coordinator := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil,
			agentturntest.Attempt{
				agentturntest.Call("historian", `{"input":"When was the landing?"}`),
				agentturntest.Call("surveyor", `{"input":"How wide is the moon?"}`),
			},
			agentturntest.Text("It was in 1969; the width will follow."),
			agentturntest.Text("The moon is 3,474 km wide.")),
		Tools: []agenttool.Tool{historian, surveyor},
	})
	ctx := context.Background()
	end, err := coordinator.Prompt(ctx, openresponses.UserText("The moon: when, and how wide?"))
	if err != nil {
		log.Fatal(err)
	}
	text, _ := end.Answer()
	fmt.Println(text)

	// The surveyor is still at it. What it is told joins its run.
	child := <-children
	fmt.Println("running:", child.State().Running)
	child.Steer(openresponses.UserText("In kilometres, please."))
	close(steered)

	late := <-answered
	width, _ := late.Answer()
	_, end, err = coordinator.Deliver(ctx, openresponses.DeveloperText("The surveyor answers: "+width))
	if err != nil {
		log.Fatal(err)
	}
	text, _ = end.Answer()
	fmt.Println(text)
	// Output:
	// It was in 1969; the width will follow.
	// running: true
	// The moon is 3,474 km wide.
}

// A child wants to pay. The parent's call waits with it; once the user has allowed the payment, the same call goes on, and
// the parent's model sees no more than its answer.
func ExampleWithHolding() {
	pay := agenttool.New("pay", "Pays a bill.", func(context.Context, agenttool.NoArgs) (string, error) {
		fmt.Println("paid")
		return "paid", nil
	})
	clerk := agent.New(agentturn.Config{
		Name: "clerk", Description: "Deals with bills.", Tools: []agenttool.Tool{pay},
		Model: agentturntest.NewModel(nil, agentturntest.Call("pay", `{}`), agentturntest.Text("The bill is paid.")),
		BeforeToolCall: func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "money"}, nil
		},
	}, agent.WithHolding())
	manager := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil, agentturntest.Call("clerk", `{"input":"The bill, please."}`), agentturntest.Text("Done.")),
		Tools: []agenttool.Tool{clerk},
	})

	ctx := context.Background()
	end, err := manager.Prompt(ctx, openresponses.UserText("Is there anything to pay?"))
	if err != nil {
		log.Fatal(err)
	}
	for end.Reason == agentturn.ReasonInputRequired {
		answering, answers := agent.Answers(ctx, end.Pending, func(h agent.HeldCall) agentturn.Answer {
			fmt.Printf("%s wants to %s\n", h.Agent, h.Pending.Call.Name)
			return agentturn.Approve(h.Pending.Call.CallID)
		})
		if end, err = manager.Resume(answering, answers...); err != nil {
			log.Fatal(err)
		}
	}
	text, _ := end.Answer()
	fmt.Println(text)
	// Output:
	// clerk wants to pay
	// paid
	// Done.
}
