package fold_test

import (
	"fmt"

	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// A server that opens both of two parallel calls at index 0, gives them one ID, and lists only the second.
func Example() {
	look := func(args string) *openresponses.FunctionCall {
		return &openresponses.FunctionCall{CallID: "call", Name: "look", Arguments: args}
	}
	n := 0
	folder := fold.New(func(modelID string) string {
		n++
		return fmt.Sprintf("%s_%d", modelID, n)
	})
	for _, ev := range []openresponses.StreamEvent{
		&openresponses.OutputItemAddedEvent{Item: look("")},
		&openresponses.FunctionCallArgumentsDeltaEvent{Delta: `{"at":"north"}`},
		&openresponses.OutputItemDoneEvent{Item: look(`{"at":"north"}`)},
		&openresponses.OutputItemAddedEvent{Item: look("")},
		&openresponses.OutputItemDoneEvent{Item: look(`{"at":"south"}`)},
		&openresponses.ResponseCompletedEvent{Response: &openresponses.Response{
			Status: openresponses.ResponseStatusCompleted,
			Output: openresponses.Items{look(`{"at":"south"}`)},
		}},
	} {
		for _, c := range folder.Add(ev) {
			if c.Kind == fold.Done {
				fmt.Println("done", c.Item.(*openresponses.FunctionCall).CallID)
			}
		}
	}
	for _, c := range folder.Result().Calls {
		fmt.Println(c.Item.CallID, c.Item.Name, c.Item.Arguments)
	}
	// Output:
	// done call_1
	// done call_2
	// call_1 look {"at":"north"}
	// call_2 look {"at":"south"}
}
