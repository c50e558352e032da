package streamtest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/streamtest"
)

// streamer is an adapter made of a function.
type streamer func(ctx context.Context, req or.Request, sink or.EventSink) error

func (f streamer) CreateStream(ctx context.Context, req or.Request, sink or.EventSink) error {
	return f(ctx, req, sink)
}

func TestSink(t *testing.T) {
	var sink streamtest.Sink
	if sink.Response() != nil || len(sink.Events()) != 0 {
		t.Error("a fresh sink is not empty")
	}
	item := &or.Message{ID: "msg_1", Role: or.RoleAssistant}
	created := &or.ResponseCreatedEvent{SequenceNumber: 7, Response: &or.Response{ID: "resp_1", Status: or.ResponseStatusInProgress}}
	added := &or.OutputItemAddedEvent{Item: item}
	for _, ev := range []or.StreamEvent{created, added} {
		if err := sink.Send(ev); err != nil {
			t.Fatal(err)
		}
	}
	if created.Sequence() != 0 || added.Sequence() != 1 {
		t.Errorf("events are numbered %d and %d", created.Sequence(), added.Sequence())
	}
	item.ID = "changed"
	recorded := sink.Events()[1].(*or.OutputItemAddedEvent)
	if recorded == added || recorded.Item.(*or.Message).ID != "msg_1" {
		t.Error("the sink did not record a copy")
	}
	if err := sink.Send(nil); err == nil {
		t.Error("a nil event was taken")
	}
	if err := sink.Send(&or.UnknownEvent{Type: "x", Raw: []byte("{")}); err == nil {
		t.Error("an event that is no JSON was taken")
	}
	end := &or.ResponseCompletedEvent{Response: &or.Response{ID: "resp_1", Status: or.ResponseStatusCompleted, Output: or.Items{item}}}
	if err := sink.Send(end); err != nil {
		t.Fatal(err)
	}
	if end.Sequence() != 3 {
		t.Errorf("the last event is numbered %d, want 3: the one that could not be encoded took 2", end.Sequence())
	}
	if err := sink.Send(created); err != or.ErrTerminalEventSent {
		t.Errorf("after the end: error %v", err)
	}
	events := sink.Events()
	if len(events) != 3 || sink.Response().Status != or.ResponseStatusCompleted {
		t.Errorf("%d events, response %+v", len(events), sink.Response())
	}
	events[0] = nil
	if sink.Events()[0] == nil {
		t.Error("Events gives out the sink's own list")
	}
}

func TestSinkConcurrency(t *testing.T) {
	var sink streamtest.Sink
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				sink.Send(&or.OutputItemAddedEvent{Item: or.AssistantText("x")})
				sink.Events()
				sink.Response()
			}
		})
	}
	wg.Wait()
	for i, ev := range sink.Events() {
		if ev.Sequence() != int64(i) {
			t.Fatalf("event %d is numbered %d", i, ev.Sequence())
		}
	}
}

func TestRun(t *testing.T) {
	broken := errors.New("model is gone")
	sink, err := streamtest.Run(t.Context(), streamer(func(_ context.Context, _ or.Request, sink or.EventSink) error {
		return errors.Join(or.NewEmitter(sink, nil).Start(), broken)
	}), or.Request{})
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "CreateStream: ") || len(sink.Events()) != 2 {
		t.Errorf("error %v, %d events", err, len(sink.Events()))
	}
	sink, err = streamtest.Run(t.Context(), streamer(func(_ context.Context, _ or.Request, sink or.EventSink) error {
		return or.NewEmitter(sink, nil).Start()
	}), or.Request{})
	if err == nil || strings.HasPrefix(err.Error(), "CreateStream: ") || sink == nil {
		t.Errorf("a stream without an end: error %v", err)
	}
	sink, err = streamtest.Run(t.Context(), streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
		e := or.NewEmitter(sink, or.NewResponse(req))
		return errors.Join(e.Item(or.AssistantText(req.Model)), e.Complete())
	}), or.Request{Model: "m1"})
	if err != nil || sink.Response().OutputText() != "m1" {
		t.Errorf("error %v, response %+v", err, sink.Response())
	}
}

// Run drives an adapter as a server would and checks what it sends.
func ExampleRun() {
	adapter := streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
		e := or.NewEmitter(sink, or.NewResponse(req))
		message, err := e.Message(or.PhaseFinalAnswer)
		if err != nil {
			return err
		}
		if err := message.Text("Hello!"); err != nil {
			return err
		}
		return e.Complete()
	})
	sink, err := streamtest.Run(context.Background(), adapter, or.Request{Model: "m1", Input: or.Items{or.UserText("Hi.")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(sink.Events()), "events:", sink.Response().OutputText())
	// Output:
	// 9 events: Hello!
}
