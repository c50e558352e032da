package agenttool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

type editArgs struct {
	Path  string `json:"path" desc:"File to edit"`
	Mode  string `json:"mode,omitempty" enum:"insert,replace,delete"`
	Edits []struct {
		Line int    `json:"line"`
		Text string `json:"text"`
	} `json:"edits"`
	DryRun *bool `json:"dry_run"`
}

var editCall = agenttool.Call{ID: "call_1", Args: json.RawMessage(
	`{"path":"/src/main.go","mode":"insert","edits":[{"line":10,"text":"import \"fmt\""},{"line":42,"text":"return nil"}],"dry_run":true}`)}

// BenchmarkNewExecute is one call of a typed tool: checking, decoding, the
// function, its output.
func BenchmarkNewExecute(b *testing.B) {
	for name, opts := range map[string][]agenttool.Option{"checked": nil, "unchecked": {agenttool.WithoutValidation()}} {
		tool := agenttool.New("edit", "Edit a file.", func(context.Context, editArgs) (string, error) { return "done", nil }, opts...)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := tool.Execute(b.Context(), editCall); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkValidateJSON(b *testing.B) {
	schema, err := agenttool.Reflect(reflect.TypeFor[editArgs]())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(editCall.Args)))
	b.ReportAllocs()
	for b.Loop() {
		if err := schema.ValidateJSON(editCall.Args); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkExecutor is a batch of tools that do nothing.
func BenchmarkExecutor(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		for name, e := range map[string]agenttool.Executor{"parallel": {}, "serial": {Sequential: true}} {
			jobs := make([]agenttool.Job, n)
			for i := range jobs {
				jobs[i] = agenttool.Job{Tool: agenttool.NewFunc("t", "", nil, rawFunc), Call: agenttool.Call{ID: fmt.Sprint(i)}}
			}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					for ev := range e.Execute(b.Context(), jobs) {
						if ev.Err != nil {
							b.Fatal(ev.Err)
						}
					}
				}
			})
		}
	}
}

// BenchmarkProgress is one update of a running tool, taken by the loop.
func BenchmarkProgress(b *testing.B) {
	b.ReportAllocs()
	jobs := []agenttool.Job{job("a", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
		for b.Loop() {
			call.Update(agenttool.Result{})
		}
		return agenttool.Result{}, nil
	})}
	for range (agenttool.Executor{}).Execute(b.Context(), jobs) {
	}
}
