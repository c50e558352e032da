package agenttool_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
)

// panicTool panics in the methods named.
type panicTool struct {
	at   string
	goes bool // ends the goroutine, in place of panicking
}

func (p panicTool) maybe(method string) {
	if !strings.Contains(p.at, method) {
		return
	}
	if p.goes {
		runtime.Goexit()
	}
	panic("in " + method)
}

func (p panicTool) Name() string                { p.maybe("Name"); return "p" }
func (p panicTool) Description() string         { return "" }
func (p panicTool) Parameters() json.RawMessage { return nil }
func (p panicTool) Sequential() bool            { p.maybe("Sequential"); return false }
func (p panicTool) Resource() string            { p.maybe("Resource"); return "" }
func (p panicTool) Execute(context.Context, agenttool.Call) (agenttool.Result, error) {
	p.maybe("Execute")
	return agenttool.Text("ran"), nil
}

// pointerTool is a tool whose nil pointer is not a nil tool.
type pointerTool struct{ bareTool }

// TestPanicsFailTheirJob: whatever of a tool panics, its job completes with
// an error, and the jobs beside and behind it run.
func TestPanicsFailTheirJob(t *testing.T) {
	tests := []struct {
		name string
		tool agenttool.Tool
		want string
	}{
		{"Execute", panicTool{at: "Execute"}, `tool "p" panicked: in Execute`},
		{"Execute and Name", panicTool{at: "Execute Name"}, `tool "agenttool_test.panicTool" panicked: in Execute`},
		{"Name alone is not asked for", panicTool{at: "Name"}, ``},
		{"Sequential", panicTool{at: "Sequential"}, `tool "p" panicked: in Sequential`},
		{"Resource", panicTool{at: "Resource"}, `tool "p" panicked: in Resource`},
		{"nil pointer", (*pointerTool)(nil), `tool "*agenttool_test.pointerTool" panicked: runtime error: invalid memory address or nil pointer dereference`},
		{"nil function", agenttool.New[agenttool.NoArgs, string]("n", "", nil), `tool "n" panicked: runtime error: invalid memory address or nil pointer dereference`},
		{"end of its goroutine", panicTool{at: "Execute", goes: true}, `agenttool: call "c" ended its goroutine before it returned`},
	}
	for _, tt := range tests {
		for _, e := range []agenttool.Executor{{}, {MaxParallel: 1}} {
			t.Run(tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					bad := agenttool.Job{Tool: tt.tool, Call: agenttool.Call{ID: "c"}}
					results, errs := e.Results(t.Context(), []agenttool.Job{job("a", sleeper(1)), bad, job("b", sleeper(1)), bad, job("d", sleeper(1))})
					for _, i := range []int{1, 3} {
						checkError(t, errs[i], tt.want)
						if tt.want != "" && (results[i].Output.Text != "" || results[i].Details != nil) {
							t.Errorf("result %+v", results[i])
						}
					}
					for i, want := range map[int]string{0: "a", 2: "b", 4: "d"} {
						if errs[i] != nil || results[i].Output.Text != want {
							t.Errorf("job %d beside it: %+v, %v", i, results[i], errs[i])
						}
					}
				})
			})
		}
	}
}

func TestPanicError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("the cause")
		_, errs := agenttool.Executor{}.Results(t.Context(), []agenttool.Job{
			job("a", func(context.Context, agenttool.Call) (agenttool.Result, error) { panic(cause) }),
		})
		panicked, ok := errs[0].(*agenttool.PanicError)
		if !ok {
			t.Fatalf("error of type %T", errs[0])
		}
		if panicked.Tool != "tool-a" || panicked.Value != cause || !strings.Contains(string(panicked.Stack), "TestPanicError") {
			t.Errorf("panic of %q with %v\n%s", panicked.Tool, panicked.Value, panicked.Stack)
		}
		checkError(t, panicked, `tool "tool-a" panicked: the cause`)
	})
}

func TestOnStartEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran := false
		e := agenttool.Executor{MaxParallel: 1, OnStart: func(_ context.Context, job agenttool.Job) error {
			if job.Call.ID == "a" {
				runtime.Goexit()
			}
			return nil
		}}
		checkEvents(t, collect(e, t.Context(),
			job("a", func(context.Context, agenttool.Call) (agenttool.Result, error) {
				ran = true
				return agenttool.Result{}, nil
			}),
			job("b", sleeper(1))),
			`0 final  error: agenttool: call "a" ended its goroutine before it returned`, "1 final b")
		if ran {
			t.Error("the tool ran")
		}
	})
}

// TestOnUpdatePanics: the one who watches a call does not decide how it ends.
func TestOnUpdatePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := job("a", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			call.Update(agenttool.Text("1"))
			return agenttool.Text("done"), nil
		})
		a.Call.OnUpdate = func(agenttool.Result) { panic("no screen") }
		checkEvents(t, collect(agenttool.Executor{}, t.Context(), a),
			`0 progress 1 error: agenttool: OnUpdate for call "a" panicked: no screen`, "0 final done")
	})
}

// TestRecorderPanicsOnAGoroutineOfTheTool, which nobody else could recover.
func TestRecorderPanicsOnAGoroutineOfTheTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := agenttool.Executor{Recorder: func(context.Context, *agenttool.Record) error { panic("no disk") }}
		checkEvents(t, collect(e, t.Context(), job("a", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			errs := make(chan error)
			go func() { errs <- agenttool.WriteRecord(ctx, process{}) }()
			return agenttool.Result{}, <-errs
		})), "0 final  error: agenttool: record shell:process: recorder panicked: no disk")
	})
}

// TestTheLoopPanics: a panic in the loop's body, or the end of its goroutine,
// still waits for the tools, and then goes its way.
func TestTheLoopPanics(t *testing.T) {
	for name, leave := range map[string]func(){"panic": func() { panic("in the body") }, "Goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				returned := false
				slow := func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
					<-ctx.Done()
					time.Sleep(time.Second)
					returned = true
					return agenttool.Result{}, nil
				}
				left := make(chan any)
				go func() {
					defer func() {
						if !returned {
							t.Error("the loop was left before the tool returned")
						}
						left <- recover()
					}()
					for range (agenttool.Executor{}).Execute(t.Context(), []agenttool.Job{job("a", slow), job("b", sleeper(1))}) {
						leave()
					}
				}()
				if v := <-left; name == "panic" != (v != nil) {
					t.Errorf("recovered %v", v)
				}
			})
		})
	}
}
