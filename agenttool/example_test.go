package agenttool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ChristopherDavenport/agenttool"
)

// A typed function is a tool. What a model gets wrong comes back to it as an
// error that says how to do better.
func ExampleNew() {
	type args struct {
		City string `json:"city" desc:"Name of the city"`
		Unit string `json:"unit,omitempty" enum:"celsius,fahrenheit"`
	}
	weather := agenttool.New("weather", "Tell the weather.",
		func(ctx context.Context, a args) (string, error) {
			return "Sunny in " + a.City, nil
		},
		agenttool.WithAnnotations(agenttool.Annotations{ReadOnly: true}))

	fmt.Println(string(weather.Parameters()))
	for _, text := range []string{`{"city":"Oslo"}`, `{"city":"Oslo","unit":"kelvin"}`} {
		res, err := weather.Execute(context.Background(), agenttool.Call{ID: "call_1", Args: json.RawMessage(text)})
		fmt.Println(res.Output.Text, err)
	}
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"Name of the city"},"unit":{"type":"string","enum":["celsius","fahrenheit"]}},"required":["city"]}
	// Sunny in Oslo <nil>
	//  invalid arguments: unit: expected one of ["celsius", "fahrenheit"], got "kelvin"
}

// A tool whose schema comes from elsewhere takes the call as it is.
func ExampleNewFunc() {
	schema := json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)
	search := agenttool.NewFunc("search", "Search the web.", schema,
		func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
			return agenttool.Text("asked elsewhere: " + string(call.Args)), nil
		})
	res, err := search.Execute(context.Background(), agenttool.Call{Args: json.RawMessage(`{"query":"go"}`)})
	fmt.Println(res.Output.Text, err)
	// Output: asked elsewhere: {"query":"go"} <nil>
}

// Events of a batch come as they happen; completions name their job.
func ExampleExecutor() {
	double := agenttool.New("double", "Double a number.",
		func(ctx context.Context, a struct {
			N int `json:"n"`
		}) (int, error) {
			return 2 * a.N, nil
		})
	jobs := []agenttool.Job{
		{Tool: double, Call: agenttool.Call{ID: "call_1", Args: json.RawMessage(`{"n":21}`)}},
		{Tool: double, Call: agenttool.Call{ID: "call_2", Args: json.RawMessage(`{}`)}},
	}
	outputs := make([]agenttool.Result, len(jobs))
	for ev := range (agenttool.Executor{}).Execute(context.Background(), jobs) {
		if !ev.Final {
			continue // progress
		}
		outputs[ev.Index] = ev.Result
		if ev.Err != nil {
			outputs[ev.Index] = agenttool.ErrorResult(ev.Err)
		}
	}
	for i, out := range outputs {
		fmt.Println(jobs[i].Call.ID, out.Output.Text)
	}
	// Output:
	// call_1 42
	// call_2 Error: invalid arguments: missing required property "n"
}

// A policy goes in front of a tool and leaves what the tool says of itself as
// it is.
func ExampleWrap() {
	remove := agenttool.New("remove", "Remove a file.",
		func(ctx context.Context, a struct {
			Path string `json:"path"`
		}) (string, error) {
			return "removed " + a.Path, nil
		},
		agenttool.WithSequential())

	guarded := agenttool.Wrap(remove, func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		if !json.Valid(call.Args) || call.ID == "" {
			return agenttool.Result{}, errors.New("refused")
		}
		return remove.Execute(ctx, call)
	})

	_, err := guarded.Execute(context.Background(), agenttool.Call{Args: json.RawMessage(`{"path":"a"}`)})
	fmt.Println(err)
	res, _ := guarded.Execute(context.Background(), agenttool.Call{ID: "call_1", Args: json.RawMessage(`{"path":"a"}`)})
	fmt.Println(res.Output.Text, agenttool.IsSequential(guarded))
	// Output:
	// refused
	// removed a true
}

// A running tool reports how far it is; the executor hands it on.
func ExampleProgress() {
	pull := agenttool.New("pull", "Pull an image.",
		func(ctx context.Context, _ agenttool.NoArgs) (string, error) {
			for layer := range 2 {
				agenttool.Progress(ctx, agenttool.Result{Details: agenttool.ProgressInfo{Progress: float64(layer + 1), Total: 2}})
			}
			return "pulled", nil
		})
	for ev := range (agenttool.Executor{}).Execute(context.Background(), []agenttool.Job{{Tool: pull}}) {
		if info, ok := ev.Result.Details.(agenttool.ProgressInfo); ok {
			fmt.Println(info.Progress, "of", info.Total)
		} else {
			fmt.Println(ev.Result.Output.Text)
		}
	}
	// Output:
	// 1 of 2
	// 2 of 2
	// pulled
}

// Order is a purchase that must be on record before it is placed.
type Order struct {
	Item string `json:"item"`
}

// RecordNS names orders on the record.
func (Order) RecordNS() string { return "shop:order" }

func ExampleWriteRecord() {
	buy := agenttool.New("buy", "Buy something.",
		func(ctx context.Context, a Order) (string, error) {
			if err := agenttool.WriteRecord(ctx, a); err != nil {
				return "", err // not on record: not bought
			}
			return "bought " + a.Item, nil
		})
	executor := agenttool.Executor{Recorder: func(ctx context.Context, rec *agenttool.Record) error {
		call, _ := agenttool.CallFrom(ctx)
		fmt.Println(call.ID, rec.NS, string(rec.Data))
		return nil
	}}
	results, _ := executor.Results(context.Background(), []agenttool.Job{
		{Tool: buy, Call: agenttool.Call{ID: "call_1", Args: json.RawMessage(`{"item":"tea"}`)}},
	})
	fmt.Println(results[0].Output.Text)
	// Output:
	// call_1 shop:order {"item":"tea"}
	// bought tea
}

// A tool asks the user in the middle of a call. With nobody to ask, the
// question counts as cancelled.
func ExampleElicitor() {
	deploy := agenttool.New("deploy", "Deploy the service.",
		func(ctx context.Context, _ agenttool.NoArgs) (string, error) {
			answer := agenttool.Answer{Action: agenttool.ActionCancel}
			if ask, ok := agenttool.ElicitorFrom(ctx); ok {
				var err error
				if answer, err = ask(ctx, agenttool.Elicitation{Message: "Deploy to production?"}); err != nil {
					return "", err
				}
			}
			if answer.Action != agenttool.ActionAccept {
				return "not deployed", nil
			}
			return "deployed", nil
		})
	ctx := context.Background()
	res, _ := deploy.Execute(ctx, agenttool.Call{})
	fmt.Println(res.Output.Text)

	ctx = agenttool.ContextWithElicitor(ctx, func(ctx context.Context, q agenttool.Elicitation) (agenttool.Answer, error) {
		fmt.Println(q.Message)
		return agenttool.Answer{Action: agenttool.ActionAccept}, nil
	})
	res, _ = deploy.Execute(ctx, agenttool.Call{})
	fmt.Println(res.Output.Text)
	// Output:
	// not deployed
	// Deploy to production?
	// deployed
}
