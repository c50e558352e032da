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
// on its way, and delivers its answer when it has one.
func Example() {
	historian := agent.New(agentturn.Config{
		Name: "historian", Description: "Knows when things happened.",
		Model: agentturntest.NewModel(nil, agentturntest.Text("1969.")),
	})

	steered, answered := make(chan struct{}), make(chan *agentturn.RunEnd, 1)
	surveyor := agent.New(agentturn.Config{
		Name: "surveyor", Description: "Measures things, slowly.",
		Model: agentturntest.NewModel(nil, agentturntest.Attempt{agentturntest.Wait(steered), agentturntest.Text("One moment.")}, agentturntest.Text("3,474 km.")),
	},
		agent.WithSpawn(func(_ string, child *agentturn.Agent) {
			child.Steer(openresponses.UserText("In kilometres, please."))
			child.FollowUp(openresponses.UserText("The figure alone."))
			close(steered)
		}),
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
	// The moon is 3,474 km wide.
}
