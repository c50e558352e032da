package openresponses_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
)

type streamerFunc func(context.Context, or.Request, or.EventSink) error

func (f streamerFunc) CreateStream(ctx context.Context, req or.Request, sink or.EventSink) error {
	return f(ctx, req, sink)
}

// eachEvent is one event of every type, with text that is not UTF-8 where there is text.
func eachEvent() []or.StreamEvent {
	const bad = "a\xff\xfeb"
	item := func() or.Item { return &or.Message{ID: "msg_1", Role: or.RoleAssistant} }
	logprobs := []or.LogProb{{Token: bad, Bytes: []int{255}}}
	return []or.StreamEvent{
		&or.ResponseCreatedEvent{SequenceNumber: 1, Response: &or.Response{ID: "resp_1"}},
		&or.ResponseQueuedEvent{},
		&or.ResponseInProgressEvent{Response: &or.Response{}},
		&or.OutputItemAddedEvent{OutputIndex: 1, Item: item()},
		&or.OutputItemDoneEvent{Item: &or.UnknownItem{Type: "x:y"}},
		&or.ContentPartAddedEvent{Part: &or.OutputText{Text: bad}},
		&or.ContentPartDoneEvent{Part: &or.Refusal{Refusal: bad}},
		&or.OutputTextDeltaEvent{ItemID: bad, ContentIndex: 2, Delta: bad, Obfuscation: "zz"},
		&or.OutputTextDeltaEvent{Delta: bad, Logprobs: logprobs},
		&or.OutputTextDeltaEvent{Logprobs: []or.LogProb{}},
		&or.OutputTextDoneEvent{Text: bad, Logprobs: logprobs},
		&or.RefusalDeltaEvent{Delta: bad},
		&or.RefusalDoneEvent{Refusal: bad},
		&or.FunctionCallArgumentsDeltaEvent{Delta: bad},
		&or.FunctionCallArgumentsDoneEvent{Arguments: bad},
		&or.ReasoningSummaryPartAddedEvent{Part: &or.SummaryText{}},
		&or.ReasoningSummaryPartDoneEvent{Part: &or.SummaryText{Text: bad}},
		&or.ReasoningSummaryTextDeltaEvent{SummaryIndex: 1, Delta: bad},
		&or.ReasoningSummaryTextDoneEvent{Text: bad},
		&or.ReasoningDeltaEvent{Delta: bad},
		&or.ReasoningDoneEvent{Text: bad},
		&or.OutputTextAnnotationAddedEvent{Annotation: &or.URLCitation{URL: "u"}},
		&or.ErrorEvent{Status: 500, Error: or.ErrorPayload{Code: "c", Headers: map[string]string{"A": bad}}},
		&or.UnknownEvent{Type: "x:y"},
		&customEvent{Type: "custom:event", Number: 4, Text: bad},
		&or.ResponseIncompleteEvent{Response: &or.Response{}},
		&or.ResponseFailedEvent{Response: &or.Response{Error: &or.ErrorPayload{Code: "c"}}},
		&or.ResponseCompletedEvent{Response: &or.Response{Output: or.Items{item()}}},
	}
}

// customEvent is of a type that nobody registered.
type customEvent struct {
	Type   string `json:"type"`
	Number int64  `json:"sequence_number"`
	Text   string `json:"text"`
}

func (*customEvent) EventType() string { return "custom:event" }
func (e *customEvent) Sequence() int64 { return e.Number }

// Every event comes as a client would decode it.
func TestEventsWireForm(t *testing.T) {
	expectNoLeaks(t)
	sent := eachEvent()
	streamer := streamerFunc(func(_ context.Context, _ or.Request, sink or.EventSink) error {
		for _, ev := range sent {
			if err := sink.Send(ev); err != nil {
				return err
			}
		}
		return nil
	})
	i := 0
	for got, err := range or.Events(t.Context(), streamer, or.Request{}) {
		if err != nil {
			t.Fatalf("%s: %v", sent[i].EventType(), err)
		}
		data, err := or.EncodeEvent(sent[i])
		if err != nil {
			t.Fatal(err)
		}
		want, err := or.DecodeEvent(data)
		if err != nil {
			t.Fatal(err)
		}
		if got == sent[i] {
			t.Errorf("%s: the event is the streamer's own", sent[i].EventType())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", sent[i].EventType(), got, want)
		}
		i++
	}
	if i != len(sent) {
		t.Errorf("%d events of %d", i, len(sent))
	}
}

// What the streamer does to an event after sending it is not seen.
func TestEventsAreCopies(t *testing.T) {
	expectNoLeaks(t)
	streamer := streamerFunc(func(_ context.Context, _ or.Request, sink or.EventSink) error {
		delta := &or.OutputTextDeltaEvent{}
		message := or.AssistantText("before")
		done := &or.OutputItemDoneEvent{Item: message}
		for i := range 3 {
			delta.Delta = fmt.Sprint(i)
			if err := errors.Join(sink.Send(delta), sink.Send(done)); err != nil {
				return err
			}
		}
		delta.Delta = "changed"
		message.Content[0].(*or.OutputText).Text = "changed"
		return nil
	})
	var all []or.StreamEvent
	for ev, err := range or.Events(t.Context(), streamer, or.Request{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ev)
	}
	var got []string
	for _, ev := range all {
		switch ev := ev.(type) {
		case *or.OutputTextDeltaEvent:
			got = append(got, ev.Delta)
		case *or.OutputItemDoneEvent:
			got = append(got, ev.Item.(*or.Message).Text())
		}
	}
	if s := strings.Join(got, " "); s != "0 before 1 before 2 before" {
		t.Errorf("got %s", s)
	}
}

func TestEventsErrors(t *testing.T) {
	boom := errors.New("boom")
	tests := map[string]struct {
		streamer streamerFunc
		is       error
		text     string
	}{
		"error":          {func(context.Context, or.Request, or.EventSink) error { return boom }, boom, "boom"},
		"panic":          {func(context.Context, or.Request, or.EventSink) error { panic("lost") }, nil, "openresponses: panic in the adapter: lost"},
		"panic of error": {func(context.Context, or.Request, or.EventSink) error { panic(boom) }, boom, "openresponses: panic in the adapter: boom"},
		"goroutine ends": {func(context.Context, or.Request, or.EventSink) error { runtime.Goexit(); return nil }, nil, "openresponses: the adapter ended its goroutine"},
		"nil event":      {func(_ context.Context, _ or.Request, sink or.EventSink) error { return sink.Send(nil) }, nil, "openresponses: nil event"},
		"not encodable": {func(_ context.Context, _ or.Request, sink or.EventSink) error {
			return sink.Send(&or.ResponseCreatedEvent{Response: &or.Response{Extra: map[string]any{"f": func() {}}}})
		}, nil, "openresponses: copy event: "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expectNoLeaks(t)
			var errs []error
			for ev, err := range or.Events(t.Context(), tt.streamer, or.Request{}) {
				if ev != nil {
					t.Errorf("event %v", ev)
				}
				errs = append(errs, err)
			}
			if len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), tt.text) || tt.is != nil && !errors.Is(errs[0], tt.is) {
				t.Errorf("errors %v", errs)
			}
			var p *or.PanicError
			if errors.As(errs[0], &p) != strings.HasPrefix(name, "panic") {
				t.Errorf("error %T", errs[0])
			}
			if p != nil && !strings.Contains(string(p.Stack), "events_test.go") {
				t.Errorf("stack %s", p.Stack)
			}
		})
	}
}

// Breaking off ends the streamer, whose pending Send fails, and waits for it.
func TestEventsBreak(t *testing.T) {
	expectNoLeaks(t)
	returned := false
	streamer := streamerFunc(func(ctx context.Context, _ or.Request, sink or.EventSink) error {
		defer func() { returned = true }()
		for {
			if err := sink.Send(&or.OutputTextDeltaEvent{}); err != nil {
				if !errors.Is(err, context.Canceled) || ctx.Err() == nil {
					t.Errorf("Send: %v, context: %v", err, ctx.Err())
				}
				return err
			}
		}
	})
	for range or.Events(t.Context(), streamer, or.Request{}) {
		break
	}
	if !returned {
		t.Error("the streamer still runs")
	}

	t.Run("by panic", func(t *testing.T) {
		returned = false
		defer func() {
			if recover() == nil || !returned {
				t.Errorf("the streamer has returned: %v", returned)
			}
		}()
		for range or.Events(t.Context(), streamer, or.Request{}) {
			panic("in the loop")
		}
	})
}

func TestEventsContext(t *testing.T) {
	expectNoLeaks(t)
	for name, result := range map[string]func(error) error{
		"streamer passes the error on": func(err error) error { return err },
		"streamer drops the error":     func(error) error { return nil },
	} {
		ctx, cancel := context.WithCancel(t.Context())
		streamer := streamerFunc(func(_ context.Context, _ or.Request, sink or.EventSink) error {
			sink.Send(&or.OutputTextDeltaEvent{})
			cancel()
			return result(sink.Send(&or.OutputTextDeltaEvent{}))
		})
		var last error
		for _, err := range or.Events(ctx, streamer, or.Request{}) {
			last = err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("%s: ended with %v", name, last)
		}
	}
}

// A type that embeds a ClientAdapter and streams otherwise is asked itself.
func TestEventsOfEmbeddedClientAdapter(t *testing.T) {
	expectNoLeaks(t)
	var s or.Streamer = overriding{f: func(_ context.Context, _ or.Request, sink or.EventSink) error {
		return sink.Send(&or.OutputTextDeltaEvent{Delta: "own"})
	}}
	n := 0
	for ev, err := range or.Events(t.Context(), s, or.Request{}) {
		if err != nil || ev.(*or.OutputTextDeltaEvent).Delta != "own" {
			t.Errorf("got %v, %v", ev, err)
		}
		n++
	}
	if n != 1 {
		t.Errorf("%d events", n)
	}
}

type overriding struct {
	*or.ClientAdapter
	f streamerFunc
}

func (o overriding) CreateStream(ctx context.Context, req or.Request, sink or.EventSink) error {
	return o.f(ctx, req, sink)
}

func TestCollectStream(t *testing.T) {
	boom := errors.New("boom")
	send := func(events ...or.StreamEvent) streamerFunc {
		return func(_ context.Context, _ or.Request, sink or.EventSink) error {
			for _, ev := range events {
				if err := sink.Send(ev); err != nil {
					return err
				}
			}
			return nil
		}
	}
	failed := &or.Response{ID: "r", Status: or.ResponseStatusFailed, Error: &or.ErrorPayload{
		Type: or.ErrorTypeModelError, Code: "c", Message: "m", Param: "p", Headers: map[string]string{"Retry-After": "1"},
	}}
	tests := map[string]struct {
		streamer streamerFunc
		status   or.ResponseStatus // "" for no response
		err      error             // nil for none
	}{
		"completed":       {send(&or.ResponseCompletedEvent{Response: &or.Response{Status: or.ResponseStatusCompleted}}), or.ResponseStatusCompleted, nil},
		"incomplete":      {send(&or.ResponseIncompleteEvent{Response: &or.Response{Status: or.ResponseStatusIncomplete}}), or.ResponseStatusIncomplete, nil},
		"failed":          {send(&or.ResponseFailedEvent{Response: failed}), or.ResponseStatusFailed, &or.Error{Type: or.ErrorTypeModelError, Code: "c"}},
		"failed silently": {send(&or.ResponseFailedEvent{Response: &or.Response{Status: or.ResponseStatusFailed}}), or.ResponseStatusFailed, nil},
		"error event":     {send(&or.ErrorEvent{Error: or.ErrorPayload{Code: "c"}}), or.ResponseStatusFailed, &or.Error{Code: "c"}},
		"no end":          {send(&or.ResponseCreatedEvent{Response: &or.Response{Status: or.ResponseStatusInProgress}}), or.ResponseStatusInProgress, nil},
		"streamer fails": {func(ctx context.Context, req or.Request, sink or.EventSink) error {
			send(&or.ResponseCreatedEvent{Response: &or.Response{}})(ctx, req, sink)
			return boom
		}, "", boom},
		"nothing":            {send(), "", errors.New("openresponses: ")},
		"nothing that bears": {send(&or.UnknownEvent{Type: "x"}), "", errors.New("openresponses: ")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			resp, err := or.CollectStream(t.Context(), tt.streamer, or.Request{})
			if (resp == nil) != (tt.status == "") || resp != nil && resp.Status != tt.status {
				t.Errorf("response %+v", resp)
			}
			if (err == nil) != (tt.err == nil) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err != nil && !errors.Is(err, tt.err) && !strings.HasPrefix(err.Error(), tt.err.Error()) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			var e *or.Error
			if errors.As(err, &e) && (e.Headers != nil || e.StatusCode != 0) {
				t.Errorf("error %+v has more than the response tells", e)
			}
		})
	}
}

func TestUnsupported(t *testing.T) {
	err := or.UnsupportedStreaming{}.CreateStream(t.Context(), or.Request{}, nil)
	var e *or.Error
	if !errors.As(err, &e) || e.Code != "streaming_not_supported" || e.Param != "stream" || e.HTTPStatus() != 400 {
		t.Errorf("streaming: %+v", err)
	}
	resp, err := or.UnsupportedCompaction{}.Compact(t.Context(), or.CompactRequest{})
	if resp != nil || !errors.As(err, &e) || e.Code != "compaction_not_supported" || e.Param != "" || e.HTTPStatus() != 400 {
		t.Errorf("compaction: %+v", err)
	}
}
