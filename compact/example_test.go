package compact_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/compact"
	"github.com/ChristopherDavenport/openresponses"
)

// A conversation over its budget: the older part goes out as a summary, and the callback tells what that cost.
func Example() {
	summarizer := agentturntest.NewModel(nil, agentturntest.Attempt{agentturntest.Text("The user likes blue."), agentturntest.Usage(900, 8)}).Unchecked()
	fold := compact.NewLocal(summarizer,
		compact.WithBudget(1000), // tokens, by estimate
		compact.WithKeepLast(2),  // items that stay as they are
		compact.WithOnFold(func(_ context.Context, f compact.Fold) error {
			fmt.Println("folded", f.Split, "items for", f.Usage.TotalTokens, "tokens")
			return f.Err
		}),
	)
	model := agentturntest.NewModel(nil, agentturntest.Text("Blue."))
	agent := agentturn.New(agentturn.Config{Model: model, Transform: fold.Transform}, agentturn.WithTranscript(agentturn.Transcript{
		openresponses.UserText(strings.Repeat("I like blue. ", 500)), openresponses.AssistantText("Noted."),
	}))
	if _, err := agent.Prompt(context.Background(), openresponses.UserText("What do I like?")); err != nil {
		log.Fatal(err)
	}
	for _, item := range model.Request(1).Input {
		fmt.Printf("%q\n", item.(*openresponses.Message).Text())
	}
	fmt.Println(len(agent.State().Transcript), "items in the transcript")
	// Output:
	// folded 1 items for 908 tokens
	// "Summary of the conversation so far:\n\nThe user likes blue."
	// "Noted."
	// "What do I like?"
	// 4 items in the transcript
}

// A fold that keeps word for word what must not be paraphrased.
func ExampleWithPin() {
	rule := openresponses.UserText("Never touch prod.db")
	fold := compact.NewLocal(agentturntest.NewModel(nil, agentturntest.Text("They talked.")).Unchecked(),
		compact.WithBudget(100), compact.WithKeepLast(1), compact.WithMinFold(0),
		compact.WithPin(func(item openresponses.Item) bool { return item == openresponses.Item(rule) }))
	out, err := fold.Transform(context.Background(), agentturn.Transcript{
		rule, openresponses.UserText(strings.Repeat("talk ", 200)), openresponses.UserText("Go on."),
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range out {
		fmt.Println(strings.ReplaceAll(item.(*openresponses.Message).Text(), "\n", " "))
	}
	// Output:
	// Summary of the conversation so far:  They talked.
	// Never touch prod.db
	// Go on.
}
