package openresponses

import (
	"context"
	"encoding/json"
	"io"
	"time"
)

// Stand-ins until the codecs and the stream reader land.

type streamOptions struct {
	maxFrame int64
	idle     time.Duration
	model    string
}

func newEventStream(ctx context.Context, body io.ReadCloser, _ streamOptions) *EventStream {
	return NewEventStream(ctx, body)
}

func newEventStreamOf(context.Context, ...StreamEvent) *EventStream { panic("not implemented") }

func validatePairs(Items) *Error { panic("not implemented") }

type eventRegistry struct{}

var eventTypes eventRegistry

func (eventRegistry) append(dst []byte, v *StreamEvent) ([]byte, error) {
	data, err := json.Marshal(*v)
	return append(dst, data...), err
}

func (eventRegistry) clone(v StreamEvent) (StreamEvent, error) {
	data, err := EncodeEvent(v)
	if err != nil {
		return nil, err
	}
	return DecodeEvent(data)
}
