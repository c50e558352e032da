package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// The subtests named R001 to R127 are the invariants of docs/rfcs/0001-agent-loop.md.

// agentOf is an agent whose events are recorded, and held to the rules of order when the test is over.
func agentOf(t *testing.T, cfg agentturn.Config, opts ...agentturn.Option) (*agentturn.Agent, *at.Recorder) {
	t.Helper()
	at.NoLeaks(t)
	a := agentturn.New(cfg, opts...)
	rec := recording(t)
	a.Subscribe(rec.Record)
	return a, rec
}

func recording(t *testing.T) *at.Recorder {
	rec := &at.Recorder{Omit: []string{agentturn.EventItemUpdate}}
	t.Cleanup(func() {
		if err := at.CheckEvents(rec.Events()); err != nil {
			t.Errorf("%v\n%s", err, strings.Join(rec.Lines(), "\n"))
		}
	})
	return rec
}

// ranged records a low-level run.
func ranged(t *testing.T, transcript agentturn.Transcript, prompts openresponses.Items, cfg agentturn.Config) (*at.Recorder, *agentturn.RunEnd) {
	t.Helper()
	at.NoLeaks(t)
	rec := recording(t)
	return rec, rec.Collect(agentturn.Run(t.Context(), transcript, prompts, cfg))
}

// prompted runs the agent on a text and checks how it ended.
func prompted(t *testing.T, a *agentturn.Agent, text string, reason agentturn.Reason) *agentturn.RunEnd {
	t.Helper()
	end, err := a.Prompt(t.Context(), openresponses.UserText(text))
	if end == nil || end.Reason != reason {
		t.Fatalf("ended %+v, error %v, want %s", end, err, reason)
	}
	return end
}

func user(text string) *openresponses.Message { return openresponses.UserText(text) }

func items(list ...openresponses.Item) openresponses.Items { return list }

func callItem(id, name string) *openresponses.FunctionCall {
	return &openresponses.FunctionCall{CallID: id, Name: name, Arguments: "{}"}
}

func output(id, text string) *openresponses.FunctionCallOutput {
	return openresponses.NewFunctionCallOutput(id, text)
}

// funcTool is a tool made of a function.
func funcTool(name string, run func(ctx context.Context, call agenttool.Call) (agenttool.Result, error), opts ...agenttool.Option) agenttool.Tool {
	return agenttool.NewFunc(name, "", nil, run, opts...)
}

// okTool answers with its name.
func okTool(name string) agenttool.Tool {
	return funcTool(name, func(context.Context, agenttool.Call) (agenttool.Result, error) {
		return agenttool.Text(name + " ok"), nil
	})
}

func tools(list ...agenttool.Tool) []agenttool.Tool { return list }

// deciding decides the calls of one name.
func deciding(name string, d agentturn.ToolDecision) func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
	return func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
		if info.Call.Name != name {
			return nil, nil
		}
		return &d, nil
	}
}

// failingAt is a subscriber that fails on the n-th event of a type, from 1.
func failingAt(eventType string, n int, err error) func(context.Context, agentturn.Event) error {
	return func(_ context.Context, ev agentturn.Event) error {
		if ev.EventType() == eventType {
			if n--; n == 0 {
				return err
			}
		}
		return nil
	}
}

// lines are the recorded lines that begin with one of the prefixes.
func lines(rec *at.Recorder, prefixes ...string) []string {
	return slices.DeleteFunc(rec.Lines(), func(line string) bool {
		return !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(line, p) })
	})
}

// expect compares lines.
func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := at.Diff(got, want); diff != "" {
		t.Errorf("events:\n%s", diff)
	}
}

// find is the first event of a type.
func find[E agentturn.Event](rec *at.Recorder) (found E) {
	for _, ev := range rec.Events() {
		if ev, ok := ev.(E); ok {
			return ev
		}
	}
	return found
}

// all are the events of a type.
func all[E agentturn.Event](rec *at.Recorder) (found []E) {
	for _, ev := range rec.Events() {
		if ev, ok := ev.(E); ok {
			found = append(found, ev)
		}
	}
	return found
}

// kinds writes what a list of items holds, in short.
func kinds(list openresponses.Items) string {
	var out []string
	for _, item := range list {
		switch item := item.(type) {
		case *openresponses.Message:
			out = append(out, string(item.Role)+":"+item.Text())
		case *openresponses.FunctionCall:
			out = append(out, "call:"+item.CallID)
		case *openresponses.FunctionCallOutput:
			out = append(out, "output:"+item.CallID)
		case nil:
			out = append(out, "nil")
		default:
			out = append(out, item.ItemType())
		}
	}
	return strings.Join(out, " ")
}

// pendingOf writes a pending list.
func pendingOf(list []agentturn.PendingCall) string {
	var out []string
	for _, p := range list {
		out = append(out, p.Call.CallID+"="+string(p.Reason))
	}
	return strings.Join(out, " ")
}

var errTest = errors.New("it broke")

// decodeEvent reads members of an event's JSON form.
func decodeEvent(t *testing.T, ev agentturn.Event, into any) {
	t.Helper()
	data, err := json.Marshal(ev)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ranTool repeats its arguments.
func ranTool(name string) agenttool.Tool {
	return funcTool(name, func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
		return agenttool.Text("ran " + string(call.Args)), nil
	})
}

type echoArgs struct {
	Text string `json:"text"`
}

// echoTool is a typed tool that repeats its text.
func echoTool(name string) agenttool.Tool {
	return agenttool.New(name, "Echo", func(_ context.Context, args echoArgs) (string, error) { return "echo " + args.Text, nil })
}
