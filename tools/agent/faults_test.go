package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/tools/agent"
	"github.com/ChristopherDavenport/openresponses"
)

// A panic in a child, wherever it is, fails the call; the parent goes on.
func TestChildPanics(t *testing.T) {
	boom := func() { panic("boom") }
	panicking := agenttool.NewFunc("x", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
		boom()
		return agenttool.Result{}, nil
	})
	hooked := child(at.NewModel(t))
	hooked.BeforeTurn = func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) { boom(); return nil, nil }
	for name, c := range map[string]struct {
		tool  agenttool.Tool
		panic bool // ends the child
		want  string
	}{
		"tool":  {agent.New(child(at.NewModel(t, at.Call("x", `{}`), at.Text("it failed")), panicking)), false, "it failed"},
		"model": {agent.New(child(at.NewModel(t, at.Panic("boom")))), true, "boom"},
		"hook":  {agent.New(hooked), true, "boom"},
		"observer": {agent.New(child(at.NewModel(t)), agent.WithObserver(func(_ context.Context, ev agentturn.Event) {
			if ev.EventType() == agentturn.EventTurnStart {
				boom()
			}
		})), true, "boom"},
		"spawn":  {agent.New(child(at.NewModel(t)), agent.WithSpawn(func(string, *agentturn.Agent) { boom() })), false, "boom"},
		"render": {agent.New(child(at.NewModel(t)), agent.WithArgs(func(agent.Input) openresponses.Items { boom(); return nil })), false, "boom"},
		"answer": {agent.New(child(at.NewModel(t, at.Reasoning("hm"))), agent.WithNoAnswer(func(agent.ChildInfo) (agenttool.Result, error) { boom(); return agenttool.Result{}, nil })), false, "boom"},
	} {
		t.Run(name, func(t *testing.T) {
			end := called(t, c.tool)
			if !strings.Contains(end.Result.Output.Text, c.want) {
				t.Errorf("output %q, error %v", end.Result.Output.Text, end.Err)
			}
			var panicked *agentturn.PanicError
			if errors.As(end.Err, &panicked) != c.panic {
				t.Errorf("error %v", end.Err)
			}
			if c.panic && info(t, end.Result.Details).Reason != agentturn.ReasonError {
				t.Errorf("details %+v", end.Result.Details)
			}
		})
	}
}

// A child that never ends by itself ends with an abort: of the parent, with the cause of that; of
// its own; and, left alone, never.
func TestEndlessChild(t *testing.T) {
	endless := func(t *testing.T) agentturn.Config {
		return child(at.NewModel(t, at.Call("x", `{}`)).RepeatLast(), agenttool.NewFunc("x", "", nil, func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			select {
			case <-time.After(time.Minute):
			case <-ctx.Done():
			}
			return agenttool.Text("again"), nil
		}))
	}
	for name, own := range map[string]bool{"the parent's abort": false, "its own abort": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var victim *agentturn.Agent
				cfg := endless(t)
				parent, rec := calling(t, agent.New(cfg, agent.WithSpawn(func(_ string, a *agentturn.Agent) {
					if own {
						victim = a
					}
				})))
				victim = parent
				time.AfterFunc(time.Hour, func() { victim.AbortCause(errTest) })
				start := time.Now()
				end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
				if err != nil || time.Since(start) != time.Hour {
					t.Fatalf("%+v, error %v, after %v", end, err, time.Since(start))
				}
				call := toolEnd(t, rec)
				if details := info(t, call.Result.Details); call.Err != errTest || details.Reason != agentturn.ReasonAborted || len(details.Items) < 100 {
					t.Errorf("error %v, ended %s with %d items", call.Err, details.Reason, len(details.Items))
				}
				if own && end.Reason != agentturn.ReasonDone || !own && (end.Reason != agentturn.ReasonAborted || end.Err != errTest) {
					t.Errorf("the parent ended %s, %v", end.Reason, end.Err)
				}
			})
		})
	}
}

// Calls of one tool at once have children of their own, and each gets its own answer.
func TestConcurrentCalls(t *testing.T) {
	at.NoLeaks(t)
	const n = 32
	echo := streamerFunc(func(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
		return at.NewModel(t, at.Text("re "+kinds(req.Input))).CreateStream(ctx, req, sink)
	})
	var mu sync.Mutex
	children := map[*agentturn.Agent]bool{}
	tool := agent.New(child(echo), agent.WithSpawn(func(_ string, a *agentturn.Agent) {
		mu.Lock()
		defer mu.Unlock()
		children[a] = true
	}))
	var calls at.Attempt
	for i := range n {
		calls = append(calls, at.Call("helper", fmt.Sprintf(`{"input":"q%d"}`, i)))
	}
	parent := agentturn.New(agentturn.Config{Model: at.NewModel(t, calls, at.Text("thanks")), Tools: []agenttool.Tool{tool}, MaxParallelTools: n})
	end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
	if err != nil || len(children) != n {
		t.Fatalf("%d children, error %v", len(children), err)
	}
	for i := range n {
		if out := end.Items[1+n+i].(*openresponses.FunctionCallOutput); out.Output.Text != fmt.Sprintf("re user:q%d", i) {
			t.Errorf("output %d is %q", i, out.Output.Text)
		}
	}
}

// A tool that ends its child with an image gives the parent's call that image.
func TestTerminatingParts(t *testing.T) {
	draw := agenttool.NewFunc("draw", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
		r := agenttool.Parts(&openresponses.InputText{Text: "here"}, &openresponses.InputImage{ImageURL: "data:image/png;base64,AA=="})
		r.Terminate = true
		return r, nil
	})
	result, err := execute(t.Context(), agent.New(child(at.NewModel(t, at.Call("draw", `{}`)), draw)), asked)
	if err != nil || len(result.Output.Parts) != 2 || result.Terminate {
		t.Errorf("%+v, error %v", result, err)
	}
}

// The observer knows the call also outside of a loop, which puts none on the context.
func TestObserverOutsideOfALoop(t *testing.T) {
	var o observed
	if _, err := execute(t.Context(), agent.New(child(at.NewModel(t, at.Text("ok"))), agent.WithObserver(o.observe)), asked); err != nil {
		t.Fatal(err)
	}
	if call, ok := agenttool.CallFrom(o.at(agentturn.EventRunStart)); !ok || call.ID != "c" {
		t.Errorf("call %+v, %t", call, ok)
	}
}

// Once a detached call has returned it reports no progress.
func TestDetachedProgress(t *testing.T) {
	at.NoLeaks(t)
	var mu sync.Mutex
	updates := 0
	returned, ended := make(chan struct{}), make(chan struct{})
	tool := agent.New(child(at.NewModel(t, at.Attempt{at.Wait(returned), at.Text("found")})), agent.WithDetach(func(string, *agentturn.RunEnd) { close(ended) }))
	_, err := tool.Execute(t.Context(), agenttool.Call{ID: "c", Args: json.RawMessage(asked), OnUpdate: func(agenttool.Result) {
		mu.Lock()
		defer mu.Unlock()
		updates++
	}})
	close(returned)
	<-ended
	mu.Lock()
	defer mu.Unlock()
	if err != nil || updates != 0 {
		t.Errorf("%d updates, error %v", updates, err)
	}
}

// A detached child whose observer fails on its start has started: the call says so, and the end is
// handed over.
func TestDetachedObserverPanics(t *testing.T) {
	at.NoLeaks(t)
	ends := make(chan *agentturn.RunEnd, 1)
	tool := agent.New(child(at.NewModel(t)), agent.WithObserver(func(_ context.Context, ev agentturn.Event) {
		if ev.EventType() == agentturn.EventRunStart {
			panic("boom")
		}
	}), agent.WithDetach(func(_ string, end *agentturn.RunEnd) { ends <- end }))
	result, err := execute(t.Context(), tool, asked)
	end := <-ends
	if err != nil || end.Reason != agentturn.ReasonError || info(t, result.Details).RunID != end.RunID {
		t.Errorf("%+v, error %v, ended %+v", result, err, end)
	}
}

// Asked on the spot, the user is found from four levels down: the parent's elicitor is on every
// context below.
func TestAskedDeepDown(t *testing.T) {
	at.NoLeaks(t)
	questions := 0
	tool := agenttool.Tool(saying("pay", "paid"))
	for level := range 4 {
		cfg := agentturn.Config{Name: fmt.Sprint("level", level), Model: at.NewModel(t, at.Call(tool.Name(), `{}`), at.Text("it is paid")), Tools: []agenttool.Tool{tool}}
		if level == 0 {
			cfg.BeforeToolCall = func(ctx context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				held := &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "money"}
				if d, ok := agentturn.Ask(ctx, agentturn.AskedCall{CallID: info.Call.CallID, Name: info.Call.Name, Args: info.Args, Decision: held}); ok {
					return d, nil
				}
				return held, nil
			}
		}
		tool = agent.New(cfg)
	}
	parent := agentturn.New(agentturn.Config{
		Model: at.NewModel(t, at.Call(tool.Name(), `{}`), at.Text("thanks")), Tools: []agenttool.Tool{tool},
		ToolElicitor: func(ctx context.Context, _ agenttool.Elicitation) (agenttool.Answer, error) {
			questions++
			if call, ok := agentturn.AskedCallFrom(ctx); !ok || call.Name != "pay" {
				t.Errorf("asked about %+v", call)
			}
			return agenttool.Answer{Action: agenttool.ActionAccept}, nil
		},
	})
	end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
	if err != nil || end.Reason != agentturn.ReasonDone || questions != 1 {
		t.Fatalf("%+v, error %v, %d questions", end, err, questions)
	}
	if out := end.Items[2].(*openresponses.FunctionCallOutput); out.Output.Text != "it is paid" {
		t.Errorf("output %q", out.Output.Text)
	}
}
