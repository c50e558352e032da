package agentturntest_test

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// t stands for the test that an example would be.
var t testing.TB

// readFile is a tool that knows one file.
var readFile = agenttool.NewFunc("read_file", "Reads a file.", agenttool.NoArgsSchema,
	func(context.Context, agenttool.Call) (agenttool.Result, error) { return agenttool.Text("hello"), nil })

func noWait(int, error) time.Duration { return 0 }

// A test of an agent: what the model says, and everything that happens then.
func Example() {
	model := agentturntest.NewModel(t,
		agentturntest.Call("read_file", `{"path":"x"}`),
		agentturntest.Text("It says hello."))
	agent := agentturn.New(agentturn.Config{Model: model, Tools: []agenttool.Tool{readFile}})
	events := &agentturntest.Recorder{Omit: []string{agentturn.EventItemUpdate}}
	agent.Subscribe(events.Record)

	if _, err := agent.Prompt(context.Background(), openresponses.UserText("What is in x?")); err != nil {
		fmt.Println(err)
	}
	for _, line := range events.Lines() {
		fmt.Println(line)
	}
	fmt.Println(agentturntest.CheckEvents(events.Events()))
	// Output:
	// run_start run_1 input
	// item_start 0 message user
	// item_end 0 message user "What is in x?"
	// turn_start 1
	// item_start 1 function_call call_1 read_file
	// item_end 1 function_call call_1 read_file {"path":"x"}
	// response_end 1 completed
	// tool_start 1 call_1 read_file {"path":"x"}
	// tool_dispatch 1 call_1 read_file
	// tool_end 1 call_1 ok
	// item_start 1 function_call_output call_1
	// item_end 1 function_call_output call_1 "hello"
	// turn_end 1
	// turn_start 2
	// item_start 2 message assistant
	// item_end 2 message assistant "It says hello."
	// response_end 2 completed
	// turn_end 2
	// run_end done
	// <nil>
}

// Attempts make the loop try again; a step says what goes wrong in each.
func ExampleAttempts() {
	model := agentturntest.NewModel(t, agentturntest.Attempts{
		{agentturntest.Fail(io.ErrUnexpectedEOF)},
		{agentturntest.Reasoning("hm"), agentturntest.Cut()},
		{agentturntest.Text("third time lucky")},
	})
	cfg := agentturn.Config{Model: model, Retry: agentturn.Retry{MaxAttempts: 3, Backoff: noWait}}
	var events agentturntest.Recorder
	events.Collect(agentturn.Run(context.Background(), nil, openresponses.Items{openresponses.UserText("go")}, cfg))
	fmt.Println(len(model.Requests()), "requests,", model.Remaining(), "attempts left")
	// Output: 3 requests, 0 attempts left
}

// Do acts on the agent at an exact point of the stream.
func ExampleDo() {
	var agent *agentturn.Agent
	model := agentturntest.NewModel(t,
		agentturntest.Attempt{
			agentturntest.PartialText("Once upon a "),
			agentturntest.Do(func() { agent.Abort() }),
			agentturntest.Block(),
		})
	agent = agentturn.New(agentturn.Config{Model: model})
	end, err := agent.Prompt(context.Background(), openresponses.UserText("Tell me a story."))
	fmt.Println(end.Reason, end.Err, err)
	// Output: aborted context canceled <nil>
}

func ExampleCheckRequest() {
	store := false
	err := agentturntest.CheckRequest(openresponses.Request{
		Stream: true,
		Store:  &store,
		Input: openresponses.Items{
			&openresponses.FunctionCall{CallID: "call_1", Name: "read_file", Arguments: `{"path":`},
			openresponses.UserText("never mind"),
		},
	})
	fmt.Println(err)
	// Output:
	// input[0]: call "call_1" has arguments that are not JSON: "{\"path\":"
	// input[0]: call "call_1" has no output before the message at input[1]
}

func ExampleDiff() {
	got := []string{"turn_start 1", "turn_end 1", "run_end error"}
	want := []string{"turn_start 1", "turn_end 1", "run_end done"}
	fmt.Print(agentturntest.Diff(got, want))
	// Output:
	//   turn_start 1
	//   turn_end 1
	// - run_end done
	// + run_end error
}
