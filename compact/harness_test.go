package compact_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/compact"
	"github.com/ChristopherDavenport/openresponses"
)

// The subtests named C001 to C045 are the invariants of docs/guides/compaction.md.

// each counts an item as so many tokens.
func each(tokens int) compact.Option {
	return compact.WithEstimator(func(items openresponses.Items) int { return tokens * len(items) })
}

func msg(text string) openresponses.Item { return openresponses.UserText(text) }

func call(id string) openresponses.Item {
	return &openresponses.FunctionCall{CallID: id, Name: "x", Arguments: "{}"}
}

func out(id string) openresponses.Item { return openresponses.NewFunctionCallOutput(id, "ok") }

func thought() openresponses.Item {
	return &openresponses.ReasoningItem{ID: "rs", Summary: openresponses.Contents{}}
}

func note() openresponses.Item {
	return &openresponses.UnknownItem{Type: "app:note", Raw: []byte(`{"type":"app:note"}`)}
}

// numbered is so many messages.
func numbered(n int) agentturn.Transcript {
	var t agentturn.Transcript
	for i := range n {
		t = append(t, msg(fmt.Sprint("m", i)))
	}
	return t
}

// server is a compaction endpoint, which answers with what is set and keeps what it is asked.
type server struct {
	response *openresponses.CompactResponse
	err      error
	requests []openresponses.CompactRequest
}

func (s *server) Compact(_ context.Context, req openresponses.CompactRequest) (*openresponses.CompactResponse, error) {
	s.requests = append(s.requests, req)
	return s.response, s.err
}

func compacted(items ...openresponses.Item) *server {
	return &server{response: &openresponses.CompactResponse{ID: "resp_c", Output: items, Usage: &openresponses.Usage{TotalTokens: 5}}}
}

var compaction = &openresponses.Compaction{ID: "cmp", EncryptedContent: "x"}

// writer is a model that answers each call with the next response, the last one again and again.
type writer struct {
	responses []*openresponses.Response
	err       error
	errAt     int // the call that fails, from 1
	requests  []openresponses.Request
}

func (w *writer) CreateStream(_ context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	w.requests = append(w.requests, req)
	n := len(w.requests)
	if n == w.errAt {
		return w.err
	}
	response := w.responses[min(n, len(w.responses))-1].Clone()
	if response.Status == "" {
		response.Status = openresponses.ResponseStatusCompleted
	}
	response.ID = fmt.Sprint("resp_", n)
	return sink.Send(&openresponses.ResponseCompletedEvent{Response: response})
}

func says(text string) *openresponses.Response {
	return &openresponses.Response{
		Output: openresponses.Items{openresponses.AssistantText(text)},
		Usage:  &openresponses.Usage{InputTokens: 10, OutputTokens: 2, TotalTokens: 12},
	}
}

func writing(responses ...*openresponses.Response) *writer { return &writer{responses: responses} }

var silent = &openresponses.Response{Output: openresponses.Items{&openresponses.ReasoningItem{ID: "rs", Summary: openresponses.Contents{}}}, Usage: &openresponses.Usage{TotalTokens: 1}}

// folds keeps what a Transform reports.
type folds struct{ list []compact.Fold }

func (f *folds) option() compact.Option {
	return compact.WithOnFold(func(_ context.Context, fold compact.Fold) error {
		f.list = append(f.list, fold)
		return nil
	})
}

// show writes items in short.
func show(items []openresponses.Item) string {
	var parts []string
	for _, item := range items {
		switch item := item.(type) {
		case *openresponses.Message:
			text, _, _ := strings.Cut(item.Text(), "\n")
			if text == "Summary of the conversation so far:" {
				text = "S(" + item.Text()[len(text)+2:] + ")"
			}
			parts = append(parts, text)
		case *openresponses.FunctionCall:
			parts = append(parts, "call:"+item.CallID)
		case *openresponses.FunctionCallOutput:
			parts = append(parts, "out:"+item.CallID)
		case nil:
			parts = append(parts, "nil")
		default:
			parts = append(parts, item.ItemType())
		}
	}
	return strings.Join(parts, " ")
}

// goes transforms and checks what goes out.
func goes(t *testing.T, tr *compact.Transform, items agentturn.Transcript, want string) agentturn.Transcript {
	t.Helper()
	before := slices.Clone(items)
	got, err := tr.Transform(t.Context(), items)
	if err != nil {
		t.Fatalf("error %v", err)
	}
	if show(got) != want {
		t.Errorf("goes out %q, want %q", show(got), want)
	}
	if !slices.Equal(items, before) {
		t.Error("the transcript was changed")
	}
	return got
}

var errTest = errors.New("it broke")
