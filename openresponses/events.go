package openresponses

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"sync/atomic"
)

// Events returns the events of one response as a sequence, which runs the streamer each time it is ranged over. Every
// event is the caller's own, in the form in which a client would receive it. If the streamer fails, its error comes
// last, with a nil event; a panic in it is a *PanicError.
//
// A loop that breaks off cancels the streamer's context and waits for the streamer to return.
func Events(ctx context.Context, s Streamer, req Request) iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		// What a client reads has just been decoded and belongs to nobody else. A type that embeds a ClientAdapter
		// may stream in a way of its own, so nothing but the type itself will do.
		if a, ok := s.(*ClientAdapter); ok {
			a.events(ctx, req, yield)
			return
		}
		handOver(ctx, s, req, yield)
	}
}

// handOver runs the streamer in a goroutine, which it waits for.
func handOver(ctx context.Context, s Streamer, req Request, yield func(StreamEvent, error) bool) {
	ctx, cancel := context.WithCancel(ctx)
	sink := &handOverSink{ctx: ctx, events: make(chan StreamEvent)}
	done := make(chan struct{})
	defer func() {
		cancel()
		<-done
	}()
	var err error // of the streamer, once it is done
	go func() {
		defer close(done)
		defer cancel() // whoever still sends is too late
		runStreamer(ctx, s, req, sink, &err)
	}()
	for {
		select {
		case ev := <-sink.events:
			if !yield(ev, nil) {
				return
			}
		case <-done:
			if err == nil && sink.refused.Load() {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
			}
			return
		}
	}
}

// runStreamer leaves the streamer's error in err, which is set also when the streamer panics or ends the goroutine.
func runStreamer(ctx context.Context, s Streamer, req Request, sink EventSink, err *error) {
	*err = errors.New("openresponses: the adapter ended its goroutine")
	defer func() {
		if v := recover(); v != nil {
			*err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	*err = s.CreateStream(ctx, req, sink)
}

// handOverSink hands copies of events to the consumer.
type handOverSink struct {
	ctx     context.Context
	events  chan StreamEvent
	refused atomic.Bool // the context ended before an event was handed over
}

// Send returns when the consumer has the event.
func (s *handOverSink) Send(ev StreamEvent) error {
	if ev == nil {
		return errNilEvent
	}
	own, err := eventTypes.clone(ev) // as it would come off the wire
	if err != nil {
		return fmt.Errorf("openresponses: copy event: %w", err)
	}
	if s.ctx.Err() == nil {
		select {
		case s.events <- own:
			return nil
		case <-s.ctx.Done():
		}
	}
	s.refused.Store(true)
	return s.ctx.Err()
}

var errNilEvent = errors.New("openresponses: nil event")
