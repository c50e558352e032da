package openresponses

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// An Adapter answers requests: a model, a fake one, or another server. A Handler serves it over HTTP. Its methods
// are called from several goroutines at once, and should return soon after their context ends.
//
// Errors reach the peer as AsError gives them; return an *Error to choose the status, type and code. Embed
// UnsupportedStreaming or UnsupportedCompaction for what an adapter doesn't do.
type Adapter interface {
	// Create returns the whole response.
	Create(ctx context.Context, req Request) (*Response, error)

	// CreateStream sends the events of the response and returns after the terminal one. When Send fails, the peer
	// is gone or has its terminal event, and CreateStream should give up.
	CreateStream(ctx context.Context, req Request, sink EventSink) error

	// Compact turns a conversation into a shorter one that stands for it.
	Compact(ctx context.Context, req CompactRequest) (*CompactResponse, error)
}

// An EventSink takes the events of one stream. Send may keep parts of the event: the items and parts of done events
// and the responses of lifecycle events must not change until the stream is over. The sinks of this package may be
// used from several goroutines.
type EventSink interface {
	Send(ev StreamEvent) error
}

// EventSinkFunc is a function as an EventSink.
type EventSinkFunc func(ev StreamEvent) error

// Send calls f.
func (f EventSinkFunc) Send(ev StreamEvent) error { return f(ev) }

// A Streamer is the part of an Adapter that streams.
type Streamer interface {
	CreateStream(ctx context.Context, req Request, sink EventSink) error
}

// CollectStream streams and returns the response that the events add up to. An adapter that streams can be its own
// Create with it.
//
// An error of the streamer comes alone. A response that failed with an error of its own comes with that error, as an
// *Error. A stream without any event that bears on the response is an error too.
func CollectStream(ctx context.Context, s Streamer, req Request) (*Response, error) {
	var (
		mu  sync.Mutex
		acc Accumulator
	)
	err := s.CreateStream(ctx, req, EventSinkFunc(func(ev StreamEvent) error {
		mu.Lock()
		defer mu.Unlock()
		acc.Add(ev)
		return nil
	}))
	if err != nil {
		return nil, err
	}
	mu.Lock()
	defer mu.Unlock()
	resp := acc.Response()
	switch {
	case resp == nil:
		return nil, errors.New("openresponses: the stream had no response")
	case resp.Status == ResponseStatusFailed && resp.Error != nil:
		p := resp.Error
		return resp, &Error{Type: p.Type, Code: p.Code, Message: p.Message, Param: p.Param}
	}
	return resp, nil
}

// UnsupportedStreaming is for embedding in an adapter that can't stream.
type UnsupportedStreaming struct{}

// CreateStream returns an *Error of type invalid_request with the code streaming_not_supported.
func (UnsupportedStreaming) CreateStream(context.Context, Request, EventSink) error {
	return InvalidRequest(CodeStreamingNotSupported, "streaming is not supported", "stream")
}

// UnsupportedCompaction is for embedding in an adapter that can't compact.
type UnsupportedCompaction struct{}

// Compact returns an *Error of type invalid_request with the code compaction_not_supported.
func (UnsupportedCompaction) Compact(context.Context, CompactRequest) (*CompactResponse, error) {
	return nil, InvalidRequest(CodeCompactionNotSupported, "compaction is not supported", "")
}

// A PanicError reports a panic in an adapter. Its text names the value; the stack is for a log, never for a peer.
type PanicError struct {
	Value any
	Stack []byte // as of debug.Stack
}

// Error names the value that was panicked with.
func (e *PanicError) Error() string {
	return fmt.Sprintf("openresponses: panic in the adapter: %v", e.Value)
}

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
