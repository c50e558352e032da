package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// The models of these examples play a script. Any server is one with
// openresponses.NewClient(url).AsAdapter().

type path struct {
	Path string `json:"path"`
}

var readFile = agenttool.New("read_file", "Reads a file.", func(_ context.Context, at path) (string, error) {
	return "contents of " + at.Path, nil
})

func answer(end *agentturn.RunEnd) string {
	text, _ := end.Answer()
	return string(end.Reason) + ": " + text
}

func Example() {
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil,
			agentturntest.Call("read_file", `{"path":"a.txt"}`),
			agentturntest.Text("It says so.")),
		Tools: []agenttool.Tool{readFile},
	})
	end, err := agent.Prompt(context.Background(), openresponses.UserText("What does a.txt say?"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer(end))
	// Output: done: It says so.
}

// A range over a run: each event as it happens, and nothing kept.
func ExampleRun() {
	config := agentturn.Config{Model: agentturntest.NewModel(nil, agentturntest.TextDeltas("Hel", "lo"))}
	var transcript agentturn.Transcript
	for event := range agentturn.Run(context.Background(), transcript, openresponses.Items{openresponses.UserText("Hi")}, config) {
		switch e := event.(type) {
		case *agentturn.ItemUpdate:
			if text, ok := e.Stream.(*openresponses.OutputTextDeltaEvent); ok {
				fmt.Printf("%q ", text.Delta)
			}
		case *agentturn.RunEnd:
			transcript = append(transcript, e.Items...)
		}
	}
	fmt.Println(len(transcript))
	// Output: "Hel" "lo" 2
}

// What a user says while the agent works joins before the next model call.
func ExampleAgent_Steer() {
	model := agentturntest.NewModel(nil,
		agentturntest.Call("read_file", `{"path":"a.txt"}`),
		agentturntest.Text("Only the title, then."))
	agent := agentturn.New(agentturn.Config{Model: model, Tools: []agenttool.Tool{readFile}})
	agent.Subscribe(func(_ context.Context, event agentturn.Event) error {
		if _, ok := event.(*agentturn.ToolStart); ok {
			agent.Steer(openresponses.UserText("The title is enough."))
		}
		return nil
	})
	end, err := agent.Prompt(context.Background(), openresponses.UserText("Summarize a.txt"))
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range end.Items {
		fmt.Println(item.ItemType())
	}
	// Output:
	// message
	// function_call
	// function_call_output
	// message
	// message
}

// A follow-up waits until the agent has nothing left to do.
func ExampleAgent_FollowUp() {
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil, agentturntest.Text("Four."), agentturntest.Text("Because of two and two.")),
	})
	agent.FollowUp(openresponses.UserText("Why?"))
	end, err := agent.Prompt(context.Background(), openresponses.UserText("Two and two?"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer(end))
	// Output: done: Because of two and two.
}

// Input that arrives on its own time: it joins the run under way, or starts one.
func ExampleAgent_Deliver() {
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil, agentturntest.Text("The build is green.")),
	})
	joined, end, err := agent.Deliver(context.Background(), openresponses.DeveloperText("The build finished: ok"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(joined, answer(end))
	// Output: false done: The build is green.
}

// A hook holds a call back, the run ends, and a person answers when there is time.
func ExampleAgent_Resume_approval() {
	remove := agenttool.New("remove", "Removes a file.", func(_ context.Context, at path) (string, error) {
		return "removed " + at.Path, nil
	})
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil,
			agentturntest.Call("remove", `{"path":"a.txt"}`),
			agentturntest.Text("Gone.")),
		Tools: []agenttool.Tool{remove},
		BeforeToolCall: func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "removes things"}, nil
		},
	})
	ctx := context.Background()
	end, err := agent.Prompt(ctx, openresponses.UserText("Remove a.txt"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(end.Reason, end.Pending[0].Call.Name, end.Pending[0].Call.Arguments)

	end, err = agent.Resume(ctx, agentturn.Approve(end.Pending[0].Call.CallID).WithBy("human"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer(end))
	// Output:
	// input_required remove {"path":"a.txt"}
	// done: Gone.
}

// A run was cut while a tool ran: the call may have taken effect. It runs again only if its tool says that this is
// harmless.
func ExampleAgent_Resume_afterCut() {
	var agent *agentturn.Agent
	slow := agenttool.NewFunc("charge", "Charges a card.", nil, func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		agent.Abort()
		<-ctx.Done()
		return agenttool.Result{}, ctx.Err()
	})
	agent = agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil,
			agentturntest.Call("charge", `{}`),
			agentturntest.Text("I will check before charging again.")),
		Tools: []agenttool.Tool{slow},
	})
	ctx := context.Background()
	end, err := agent.Prompt(ctx, openresponses.UserText("Charge it"))
	if err != nil {
		log.Fatal(err)
	}
	call := end.Pending[0]
	fmt.Println(end.Reason, call.Reason, call.MayHaveRun())

	_, err = agent.Resume(ctx, agentturn.Approve(call.Call.CallID))
	fmt.Println(errors.Is(err, agentturn.ErrAmbiguousCall))

	end, err = agent.Resume(ctx, agentturn.OutcomeUnknown(call.Call.CallID))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer(end))
	// Output:
	// aborted aborted true
	// true
	// done: I will check before charging again.
}

// The first model is overloaded, so another one is asked.
func ExampleRetry() {
	overloaded := &openresponses.Error{Type: "server_error", Message: "overloaded", StatusCode: 503}
	model := agentturntest.NewModel(nil,
		agentturntest.Attempts{{agentturntest.Fail(overloaded)}, {agentturntest.Text("Hello.")}})
	agent := agentturn.New(agentturn.Config{
		Model: model, ModelName: "large",
		Retry: agentturn.Retry{
			MaxAttempts: 2,
			Revise: func(_ int, req *openresponses.Request, _ error) *openresponses.Request {
				req.Model = "small"
				return nil
			},
		},
	})
	end, err := agent.Prompt(context.Background(), openresponses.UserText("Hi"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Request(1).Model, model.Request(2).Model, answer(end))
	// Output: large small done: Hello.
}

// A guard withholds a message: nobody sees it complete, and it is not in the transcript.
func ExampleErrGuard() {
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil, agentturntest.Text("The password is hunter2.")),
		OutputGuard: func(_ context.Context, info agentturn.OutputInfo) (*openresponses.Message, error) {
			if strings.Contains(info.Message.Text(), "password") {
				return nil, fmt.Errorf("%w: names a password", agentturn.ErrGuard)
			}
			return nil, nil
		},
	})
	end, err := agent.Prompt(context.Background(), openresponses.UserText("What is it?"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(end.Reason, end.Cause, end.Withheld, len(end.Items))
	// Output: stopped guard true 1
}

// A tool calls another one, under the same hooks and with events of its own.
func ExampleInvoke() {
	both := agenttool.NewFunc("read_both", "Reads two files.", nil, func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		var text []string
		for _, name := range []string{"a", "b"} {
			result, err := agentturn.Invoke(ctx, "read_file", json.RawMessage(`{"path":"`+name+`"}`))
			if err != nil {
				return result, err
			}
			text = append(text, result.Output.Text)
		}
		return agenttool.Text(strings.Join(text, ", ")), nil
	})
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil, agentturntest.Call("read_both", `{}`), agentturntest.Text("Read.")),
		Tools: []agenttool.Tool{readFile, both},
	})
	agent.Subscribe(func(_ context.Context, event agentturn.Event) error {
		if e, ok := event.(*agentturn.ToolEnd); ok {
			fmt.Printf("%s %q nested=%t\n", e.Name, e.Result.Output.Text, e.Parent != "")
		}
		return nil
	})
	if _, err := agent.Prompt(context.Background(), openresponses.UserText("Read both")); err != nil {
		log.Fatal(err)
	}
	// Output:
	// read_file "contents of a" nested=true
	// read_file "contents of b" nested=true
	// read_both "contents of a, contents of b" nested=false
}

// The model reads a hidden item like any other; its events tell a front not to show it.
func ExampleHidden() {
	agent := agentturn.New(agentturn.Config{Model: agentturntest.NewModel(nil, agentturntest.Text("Good evening."))})
	agent.Subscribe(func(_ context.Context, event agentturn.Event) error {
		if e, ok := event.(*agentturn.ItemEnd); ok && !e.Hidden {
			fmt.Println(e.Item.(*openresponses.Message).Text())
		}
		return nil
	})
	_, err := agent.Prompt(context.Background(),
		agentturn.Hidden(openresponses.DeveloperText("It is evening.")), openresponses.UserText("Hello"))
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// Hello
	// Good evening.
}

// A conversation is handed to another agent by giving it another configuration: the transcript stays.
func ExampleAgent_SetConfig() {
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(nil, agentturntest.Text("A question of money: one moment.")),
	})
	ctx := context.Background()
	if _, err := agent.Prompt(ctx, openresponses.UserText("My invoice is wrong.")); err != nil {
		log.Fatal(err)
	}
	billing := agentturn.Config{
		Model:        agentturntest.NewModel(nil, agentturntest.Text("I see the invoice.")),
		Instructions: "You are the billing desk.",
	}
	if err := agent.SetConfig(billing); err != nil {
		log.Fatal(err)
	}
	end, err := agent.Prompt(ctx, openresponses.DeveloperText("Take over from the front desk."))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(agent.State().Transcript), answer(end))
	// Output: 4 done: I see the invoice.
}
