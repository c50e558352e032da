package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/tools/agent"
	"github.com/ChristopherDavenport/openresponses"
)

// The subtests named G001 to G046 are the invariants of docs/guides/sub-agents.md.

const asked = `{"input":"find it"}`

// child is a configuration named helper.
func child(model agentturn.Model, tools ...agenttool.Tool) agentturn.Config {
	return agentturn.Config{Name: "helper", Description: "Helps.", Model: model, Tools: tools}
}

// calling is a parent whose model makes one call of helper and then answers.
func calling(t *testing.T, tool agenttool.Tool) (*agentturn.Agent, *at.Recorder) {
	t.Helper()
	at.NoLeaks(t)
	parent := agentturn.New(agentturn.Config{
		Name: "parent", Model: at.NewModel(t, at.Call(tool.Name(), asked), at.Text("thanks")), Tools: []agenttool.Tool{tool},
	})
	rec := &at.Recorder{}
	parent.Subscribe(rec.Record)
	return parent, rec
}

// called runs a tool in a parent's loop and returns the end of its call.
func called(t *testing.T, tool agenttool.Tool) *agentturn.ToolEnd {
	t.Helper()
	parent, rec := calling(t, tool)
	if end, err := parent.Prompt(t.Context(), openresponses.UserText("hi")); err != nil || end.Reason != agentturn.ReasonDone {
		t.Fatalf("%+v, error %v", end, err)
	}
	return toolEnd(t, rec)
}

func toolEnd(t *testing.T, rec *at.Recorder) *agentturn.ToolEnd {
	t.Helper()
	for _, ev := range rec.Events() {
		if end, ok := ev.(*agentturn.ToolEnd); ok {
			return end
		}
	}
	t.Fatal("no tool_end")
	return nil
}

func info(t *testing.T, details any) agent.ChildInfo {
	t.Helper()
	i, ok := details.(agent.ChildInfo)
	if !ok {
		t.Fatalf("details %T", details)
	}
	return i
}

// execute calls the tool outside of a loop.
func execute(ctx context.Context, tool agenttool.Tool, args string) (agenttool.Result, error) {
	return tool.Execute(ctx, agenttool.Call{ID: "c", Args: json.RawMessage(args)})
}

func saying(name, text string) agenttool.Tool {
	return agenttool.NewFunc(name, "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) { return agenttool.Text(text), nil })
}

func waiting(name string) agenttool.Tool {
	return agenttool.NewFunc(name, "", nil, func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		<-ctx.Done()
		return agenttool.Result{}, ctx.Err()
	})
}

// observed keeps what an observer is given.
type observed struct {
	mu       sync.Mutex
	events   []agentturn.Event
	contexts []context.Context
}

func (o *observed) observe(ctx context.Context, ev agentturn.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.events, o.contexts = append(o.events, ev), append(o.contexts, ctx)
}

func (o *observed) types() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var out []string
	for _, ev := range o.events {
		out = append(out, ev.EventType())
	}
	return strings.Join(out, " ")
}

// at is the context with the first event of a type.
func (o *observed) at(eventType string) context.Context {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, ev := range o.events {
		if ev.EventType() == eventType {
			return o.contexts[i]
		}
	}
	return nil
}

func kinds(items []openresponses.Item) string {
	var out []string
	for _, item := range items {
		switch item := item.(type) {
		case *openresponses.Message:
			out = append(out, string(item.Role)+":"+item.Text())
		case *openresponses.FunctionCall:
			out = append(out, "call:"+item.CallID)
		case *openresponses.FunctionCallOutput:
			out = append(out, "output:"+item.CallID)
		default:
			out = append(out, item.ItemType())
		}
	}
	return strings.Join(out, " ")
}

func panics(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

var errTest = errors.New("it broke")
