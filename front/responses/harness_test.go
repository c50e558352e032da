package responses_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/streamtest"
)

// answer is what a client made of one request.
type answer struct {
	err    error
	resp   *openresponses.Response
	events []openresponses.StreamEvent
}

// ask sends a request and holds the stream of an answer without an error to the protocol.
func ask(t *testing.T, a *responses.Adapter, req openresponses.Request) answer {
	t.Helper()
	agentturntest.NoLeaks(t)
	var sink streamtest.Sink
	err := a.CreateStream(t.Context(), req, &sink)
	if err == nil {
		if bad := streamtest.Validate(sink.Events()); bad != nil {
			t.Errorf("the stream breaks a rule: %v\n%s", bad, strings.Join(types(sink.Events()), "\n"))
		}
	}
	return answer{err: err, resp: sink.Response(), events: sink.Events()}
}

func types(events []openresponses.StreamEvent) []string {
	var out []string
	for _, ev := range events {
		out = append(out, ev.EventType())
	}
	return out
}

// asking is a request whose input is items, a text being a user message.
func asking(items ...any) openresponses.Request {
	req := openresponses.Request{Model: "asked"}
	for _, item := range items {
		switch item := item.(type) {
		case string:
			req.Input = append(req.Input, openresponses.UserText(item))
		case openresponses.Item:
			req.Input = append(req.Input, item)
		}
	}
	return req
}

// withTools offers functions of the client's.
func withTools(req openresponses.Request, names ...string) openresponses.Request {
	for _, name := range names {
		req.Tools = append(req.Tools, &openresponses.FunctionTool{Name: name, Parameters: []byte(`{"type":"object"}`)})
	}
	return req
}

// show writes an item in one line.
func show(item openresponses.Item) string {
	switch item := item.(type) {
	case *openresponses.Message:
		var parts []string
		for _, part := range item.Content {
			switch part := part.(type) {
			case *openresponses.OutputText:
				parts = append(parts, fmt.Sprintf("%q", part.Text))
			case *openresponses.Refusal:
				parts = append(parts, fmt.Sprintf("refusal %q", part.Refusal))
			case *openresponses.InputText:
				parts = append(parts, fmt.Sprintf("input %q", part.Text))
			default:
				parts = append(parts, part.ContentType())
			}
		}
		return string(item.Role) + " " + string(item.Status) + " [" + strings.Join(parts, " ") + "]"
	case *openresponses.FunctionCall:
		return fmt.Sprintf("call %s %s %s %s", item.Status, item.CallID, item.Name, item.Arguments)
	case *openresponses.FunctionCallOutput:
		return fmt.Sprintf("output %s %q", item.CallID, item.Output.Text)
	case *openresponses.ReasoningItem:
		return fmt.Sprintf("reasoning %s %q %s", item.Status, item.Summary.Text(), item.EncryptedContent)
	}
	return item.ItemType()
}

// want checks how a response ended and what is in it.
func (a answer) want(t *testing.T, status openresponses.ResponseStatus, items ...string) {
	t.Helper()
	if a.err != nil {
		t.Fatalf("error %v", a.err)
	}
	if a.resp.Status != status {
		t.Errorf("status %s, want %s", a.resp.Status, status)
	}
	var got []string
	for _, item := range a.resp.Output {
		got = append(got, show(item))
	}
	if diff := agentturntest.Diff(got, items); diff != "" {
		t.Errorf("output:\n%s", diff)
	}
}

// refused checks that the response is one a guard stopped, with these items.
func (a answer) refused(t *testing.T, items ...string) {
	t.Helper()
	a.want(t, openresponses.ResponseStatusIncomplete, items...)
	if d := a.resp.IncompleteDetails; d == nil || d.Reason != openresponses.IncompleteReasonContentFilter {
		t.Errorf("incomplete details %+v", d)
	}
	for _, ev := range a.events {
		data, err := openresponses.EncodeEvent(ev)
		if err != nil || strings.Contains(string(data), "secret rule") {
			t.Errorf("an event tells the guard's reason: %s, error %v", data, err)
		}
	}
}

// errorOf is the error as the protocol's.
func (a answer) errorOf(t *testing.T) *openresponses.Error {
	t.Helper()
	var e *openresponses.Error
	if !errors.As(a.err, &e) {
		t.Fatalf("error %v, want an *openresponses.Error", a.err)
	}
	if len(a.events) > 0 {
		t.Errorf("events were sent: %v", types(a.events))
	}
	return e
}

// deltas is all that was streamed as text.
func (a answer) deltas() string {
	var b strings.Builder
	for _, ev := range a.events {
		if d, ok := ev.(*openresponses.OutputTextDeltaEvent); ok {
			b.WriteString(d.Delta)
		}
	}
	return b.String()
}

var errRule = fmt.Errorf("%w: secret rule", agentturn.ErrGuard)

func tool(name string, run func(ctx context.Context, call agenttool.Call) (agenttool.Result, error)) agenttool.Tool {
	return agenttool.NewFunc(name, "Does "+name+".", nil, run)
}

func saying(name, text string) agenttool.Tool {
	return tool(name, func(context.Context, agenttool.Call) (agenttool.Result, error) { return agenttool.Text(text), nil })
}

// ending is a tool whose result asks to end the run.
func ending(name, text string) agenttool.Tool {
	return tool(name, func(context.Context, agenttool.Call) (agenttool.Result, error) {
		r := agenttool.Text(text)
		r.Terminate = true
		return r, nil
	})
}

// serve serves a handler over loopback until the test ends.
func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func noWait(int, error) time.Duration { return 0 }
