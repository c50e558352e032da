package openresponses

import (
	"context"
	"errors"
)

// ClientAdapter is an Adapter that asks another server. Behind a Handler it makes a proxy: continuation, if the
// Handler has a store, then works with a server that keeps nothing.
type ClientAdapter struct {
	Client *Client
}

// AsAdapter returns the client as an Adapter.
func (c *Client) AsAdapter() *ClientAdapter { return &ClientAdapter{Client: c} }

var errNoClient = errors.New("openresponses: ClientAdapter without a Client")

// Create asks the server; see Client.Create.
func (a *ClientAdapter) Create(ctx context.Context, req Request) (*Response, error) {
	if a == nil || a.Client == nil {
		return nil, errNoClient
	}
	return a.Client.Create(ctx, req)
}

// Compact asks the server; see Client.Compact.
func (a *ClientAdapter) Compact(ctx context.Context, req CompactRequest) (*CompactResponse, error) {
	if a == nil || a.Client == nil {
		return nil, errNoClient
	}
	return a.Client.Compact(ctx, req)
}

// CreateStream passes on the events of the server's stream, errors among them, to the end of the stream or until the
// sink fails. When the stream breaks off after an error event, that is the error.
func (a *ClientAdapter) CreateStream(ctx context.Context, req Request, sink EventSink) error {
	var sinkErr error
	err := a.stream(ctx, req, func(ev StreamEvent) bool {
		sinkErr = sink.Send(ev)
		return sinkErr == nil
	})
	if sinkErr != nil {
		return sinkErr
	}
	return err
}

// events is CreateStream in the form of Events.
func (a *ClientAdapter) events(ctx context.Context, req Request, yield func(StreamEvent, error) bool) {
	stopped := false
	err := a.stream(ctx, req, func(ev StreamEvent) bool {
		stopped = !yield(ev, nil)
		return !stopped
	})
	if err != nil && !stopped {
		yield(nil, err)
	}
}

// stream passes events to emit until that returns false, and returns the stream's error.
func (a *ClientAdapter) stream(ctx context.Context, req Request, emit func(StreamEvent) bool) error {
	if a == nil || a.Client == nil {
		return errNoClient
	}
	// Who takes the events may change what they carry, and folds it for himself.
	stream, err := a.Client.stream(ctx, req, streamOptions{unfolded: true})
	if err != nil {
		return err
	}
	defer stream.Close()
	var failure *ErrorEvent
	for stream.Next() {
		ev := stream.Event()
		if e, ok := ev.(*ErrorEvent); ok {
			failure = e
		}
		if !emit(ev) {
			return nil
		}
	}
	if err := stream.Err(); err != ErrTruncatedStream || failure == nil {
		return err
	}
	return failure.Err()
}
