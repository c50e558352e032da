package openresponses

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/ChristopherDavenport/openresponses/internal/sse"
)

// EventStream reads the events of one response from a stream of Server-Sent Events, and folds them as it goes.
//
// One goroutine reads, through Next, Events or Wait; the other methods may be called from any goroutine at any time.
// A nil or zero EventStream is one that ended without an event.
type EventStream struct {
	read func() (StreamEvent, error) // io.EOF for a clean end; used by the reading goroutine alone
	ctx  context.Context
	body func() error // closes the body, once
	fold bool         // whether to fold what is read
	idle *idleWatch   // nil when the stream may be silent for ever

	mu      sync.Mutex
	acc     Accumulator
	event   StreamEvent
	ended   bool // Next returns false from now on
	err     error
	release func() bool // lets go of the context
}

// streamOptions are the limits of an EventStream. The zero value has the usual frame limit and no other.
type streamOptions struct {
	maxFrame int64         // longest frame in bytes; 0 for 16 MiB
	idle     time.Duration // longest silence while Next waits; 0 for no limit
	model    string        // whom an IdleError names
	unfolded bool          // Response stays nil: the items of the events are left to the reader
}

// NewEventStream reads the given body, which Close closes, and so does the end of the context: closing must unblock
// a pending Read. A nil context never ends; a nil body is an empty one. Frames may have up to 16 MiB.
func NewEventStream(ctx context.Context, body io.ReadCloser) *EventStream {
	return newEventStream(ctx, body, streamOptions{})
}

func newEventStream(ctx context.Context, body io.ReadCloser, opts streamOptions) *EventStream {
	if body == nil {
		body = io.NopCloser(eofReader{})
	}
	if opts.maxFrame <= 0 {
		opts.maxFrame = sse.DefaultLimit
	}
	frames := sse.NewReader(body, opts.maxFrame)
	events := eventReader{frames: frames, limit: opts.maxFrame}
	s := &EventStream{read: events.next, body: sync.OnceValue(body.Close), fold: !opts.unfolded}
	if opts.idle > 0 {
		s.idle = &idleWatch{err: IdleError{Model: opts.model, Wait: opts.idle}}
		frames.BeforeRead = s.waitForData
	}
	s.bind(ctx)
	return s
}

// newEventStreamOf returns a stream that consists of the given events and ends cleanly.
func newEventStreamOf(ctx context.Context, events ...StreamEvent) *EventStream {
	next := func() (StreamEvent, error) {
		if len(events) == 0 {
			return nil, io.EOF
		}
		ev := events[0]
		events = events[1:]
		return ev, nil
	}
	s := &EventStream{read: next, body: func() error { return nil }, fold: true}
	s.bind(ctx)
	return s
}

// bind makes the end of the context the end of the stream.
func (s *EventStream) bind(ctx context.Context) {
	if ctx == nil {
		ctx = context.Background()
	}
	s.ctx = ctx
	s.release = context.AfterFunc(ctx, func() {
		s.end(ctx.Err())
		s.body()
	})
}

// Next reads the next event, folds it and makes it the current one. It returns false once the stream has ended,
// failed or been closed. What follows a terminal event is still read, until the server ends the stream.
func (s *EventStream) Next() bool {
	if s == nil || s.read == nil {
		return false
	}
	if err := s.ctx.Err(); err != nil {
		s.end(err)
	}
	if s.hasEnded() {
		return false
	}
	ev, err := s.read()
	if err != nil {
		s.readFailed(err)
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle.rest()
	if s.ended {
		return false
	}
	if s.fold {
		s.acc.Add(ev)
	}
	s.event = ev
	return true
}

// readFailed ends the stream for what stopped the reading, which may be the consequence of something else.
func (s *EventStream) readFailed(err error) {
	if err == io.EOF {
		err = nil
	}
	if cause := s.ctx.Err(); cause != nil && err != nil {
		err = cause
	}
	s.end(err)
}

// end settles the outcome of the stream, unless it has one already.
func (s *EventStream) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLocked(err)
}

func (s *EventStream) endLocked(err error) {
	if !s.ended {
		s.ended, s.err = true, err
		s.idle.stop()
	}
}

func (s *EventStream) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Event returns the event that Next read last, also after the end; nil before the first.
func (s *EventStream) Event() StreamEvent {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.event
}

// Err returns what ended the stream, and nil while it goes on, after an early Close and after a clean end: the end
// marker, or the end of the body after a terminal event. Otherwise it is
//
//   - ErrTruncatedStream when the body ended before a terminal event,
//   - an error that begins with "decode SSE frame: " for a frame that is no event; it is an ErrTruncatedStream too
//     when the body ended within that frame,
//   - a *FrameTooLargeError for a frame over the limit,
//   - an *IdleError for a silence over the limit,
//   - the context's error when the context ended first,
//   - or else the body's own.
//
// An error event is data and does not count: it is in Response().Error.
func (s *EventStream) Err() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Response returns the response as folded so far, under the rules of Accumulator.Response: it is live, so that
// while the stream is being read its fields belong to the reading goroutine.
func (s *EventStream) Response() *Response {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acc.Response()
}

// ReusedIndexes returns the output indexes that the server used for more than one item; see
// Accumulator.ReusedIndexes.
func (s *EventStream) ReusedIndexes() []int {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acc.ReusedIndexes()
}

// Events iterates over the events still to come. A loop that breaks off leaves the stream where it is.
func (s *EventStream) Events() iter.Seq[StreamEvent] {
	return func(yield func(StreamEvent) bool) {
		for s.Next() {
			if !yield(s.event) {
				return
			}
		}
	}
}

// Close ends the stream and closes the body. The first call returns the error of closing the body, later ones nil.
func (s *EventStream) Close() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	s.endLocked(nil)
	release := s.release
	s.release = nil
	s.mu.Unlock()
	if release == nil {
		return nil
	}
	release()
	return s.body()
}

// Wait reads to the end and returns the response. The error is that of the stream, or else, as an *Error, the one
// that the response carries; the response comes with it, as far as it was folded, and is nil when no event bore on
// it. Wait does not close the stream.
func (s *EventStream) Wait() (*Response, error) {
	for s.Next() {
	}
	resp, err := s.Response(), s.Err()
	if err == nil && resp != nil && resp.Error != nil {
		p := resp.Error
		err = &Error{Type: p.Type, Code: p.Code, Message: p.Message, Param: p.Param}
	}
	return resp, err
}

// eventReader turns frames into events.
type eventReader struct {
	frames   *sse.Reader
	decoder  eventDecoder
	limit    int64
	terminal bool // a terminal event was read
}

const doneMarker = "[DONE]"

func (r *eventReader) next() (StreamEvent, error) {
	data, err := r.frames.Next()
	switch {
	case err == io.EOF && !r.terminal:
		return nil, ErrTruncatedStream
	case errors.Is(err, sse.ErrTooLong):
		return nil, &FrameTooLargeError{Limit: r.limit}
	case err != nil:
		return nil, err
	case string(data) == doneMarker:
		return nil, io.EOF
	}
	ev, err := r.decoder.decode(data)
	if err != nil {
		if r.frames.Incomplete() {
			return nil, fmt.Errorf("decode SSE frame: %w: %w", ErrTruncatedStream, err)
		}
		return nil, fmt.Errorf("decode SSE frame: %w", err)
	}
	if _, ok := TerminalResponse(ev); ok {
		r.terminal = true
	}
	return ev, nil
}

type eofReader struct{}

func (eofReader) Read([]byte) (int, error) { return 0, io.EOF }
