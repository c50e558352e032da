package streamtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ChristopherDavenport/openresponses"
)

// Sink is an event sink that records what it is sent. The zero value is ready to use, and it is safe for concurrent
// use.
type Sink struct {
	mu     sync.Mutex
	events []openresponses.StreamEvent
	acc    openresponses.Accumulator
	next   int64
	ended  bool
}

// Send numbers the event, from 0, and records a copy of it, made by encoding and decoding. An event that cannot be
// encoded or decoded is reported and not recorded; its number is used up. After a terminal event Send fails with
// openresponses.ErrTerminalEventSent.
func (s *Sink) Send(ev openresponses.StreamEvent) error {
	if ev == nil {
		return errors.New("streamtest: send a nil event")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return openresponses.ErrTerminalEventSent
	}
	if numbered, ok := ev.(openresponses.SequenceSetter); ok {
		numbered.SetSequence(s.next)
	}
	s.next++
	data, err := openresponses.EncodeEvent(ev)
	if err != nil {
		return fmt.Errorf("streamtest: encode %s: %w", ev.EventType(), err)
	}
	received, err := openresponses.DecodeEvent(data)
	if err != nil {
		return fmt.Errorf("streamtest: decode %s: %w", ev.EventType(), err)
	}
	_, s.ended = openresponses.TerminalResponse(received)
	s.events = append(s.events, received)
	s.acc.Add(received)
	return nil
}

// Events returns the events recorded so far. The slice is the caller's, the events are the sink's.
func (s *Sink) Events() []openresponses.StreamEvent {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// Response returns the response that the events describe so far, nil if none does. It is live: it changes with the
// events still to come.
func (s *Sink) Response() *openresponses.Response {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acc.Response()
}

// Run has the adapter stream into a fresh Sink and validates the outcome. It returns the sink in any case. An error
// of the adapter's is wrapped, with the prefix "CreateStream: "; it is not turned into events, as a server would.
func Run(ctx context.Context, adapter openresponses.Streamer, req openresponses.Request, opts ...Option) (*Sink, error) {
	sink := new(Sink)
	if err := adapter.CreateStream(ctx, req, sink); err != nil {
		return sink, fmt.Errorf("CreateStream: %w", err)
	}
	return sink, Validate(sink.Events(), opts...)
}
