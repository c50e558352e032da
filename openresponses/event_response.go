package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// A ResponseCreatedEvent opens a stream with the response as it begins.
type ResponseCreatedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseCreatedFields = jsonx.NewObject(EventResponseCreated,
	func(e *ResponseCreatedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseCreatedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseCreatedEvent) **Response { return &e.Response }),
)

// EventType returns EventResponseCreated.
func (e *ResponseCreatedEvent) EventType() string { return EventResponseCreated }

// Sequence returns the sequence number.
func (e *ResponseCreatedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ResponseCreatedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ResponseCreatedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseCreatedEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseCreatedFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ResponseCreatedEvent) UnmarshalJSON(data []byte) error {
	return responseCreatedFields.Unmarshal(data, e)
}

// A ResponseQueuedEvent says that the response waits for its turn.
type ResponseQueuedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseQueuedFields = jsonx.NewObject(EventResponseQueued,
	func(e *ResponseQueuedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseQueuedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseQueuedEvent) **Response { return &e.Response }),
)

// EventType returns EventResponseQueued.
func (e *ResponseQueuedEvent) EventType() string { return EventResponseQueued }

// Sequence returns the sequence number.
func (e *ResponseQueuedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ResponseQueuedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ResponseQueuedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseQueuedEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseQueuedFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ResponseQueuedEvent) UnmarshalJSON(data []byte) error {
	return responseQueuedFields.Unmarshal(data, e)
}

// A ResponseInProgressEvent says that the response is being worked on.
type ResponseInProgressEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseInProgressFields = jsonx.NewObject(EventResponseInProgress,
	func(e *ResponseInProgressEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseInProgressEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseInProgressEvent) **Response { return &e.Response }),
)

// EventType returns EventResponseInProgress.
func (e *ResponseInProgressEvent) EventType() string { return EventResponseInProgress }

// Sequence returns the sequence number.
func (e *ResponseInProgressEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ResponseInProgressEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ResponseInProgressEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseInProgressEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseInProgressFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ResponseInProgressEvent) UnmarshalJSON(data []byte) error {
	return responseInProgressFields.Unmarshal(data, e)
}

// A ResponseCompletedEvent ends a stream with the finished response.
type ResponseCompletedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseCompletedFields = jsonx.NewObject(EventResponseCompleted,
	func(e *ResponseCompletedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseCompletedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseCompletedEvent) **Response { return &e.Response }),
)

// EventType returns EventResponseCompleted.
func (e *ResponseCompletedEvent) EventType() string { return EventResponseCompleted }

// Sequence returns the sequence number.
func (e *ResponseCompletedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ResponseCompletedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ResponseCompletedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseCompletedEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseCompletedFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ResponseCompletedEvent) UnmarshalJSON(data []byte) error {
	return responseCompletedFields.Unmarshal(data, e)
}

// A ResponseFailedEvent ends a stream with a response that failed.
type ResponseFailedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseFailedFields = jsonx.NewObject(EventResponseFailed,
	func(e *ResponseFailedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseFailedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseFailedEvent) **Response { return &e.Response }),
)

// EventType returns EventResponseFailed.
func (e *ResponseFailedEvent) EventType() string { return EventResponseFailed }

// Sequence returns the sequence number.
func (e *ResponseFailedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ResponseFailedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ResponseFailedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseFailedEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseFailedFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ResponseFailedEvent) UnmarshalJSON(data []byte) error {
	return responseFailedFields.Unmarshal(data, e)
}

// A ResponseIncompleteEvent ends a stream with a response that was cut short.
type ResponseIncompleteEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseIncompleteFields = jsonx.NewObject(EventResponseIncomplete,
	func(e *ResponseIncompleteEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseIncompleteEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseIncompleteEvent) **Response { return &e.Response }),
)

// EventType returns EventResponseIncomplete.
func (e *ResponseIncompleteEvent) EventType() string { return EventResponseIncomplete }

// Sequence returns the sequence number.
func (e *ResponseIncompleteEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ResponseIncompleteEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ResponseIncompleteEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseIncompleteEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseIncompleteFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ResponseIncompleteEvent) UnmarshalJSON(data []byte) error {
	return responseIncompleteFields.Unmarshal(data, e)
}

// An ErrorEvent reports a failure. Over Server-Sent Events a
// [ResponseFailedEvent] follows it.
type ErrorEvent struct {
	SequenceNumber int64        `json:"sequence_number"`
	Status         int          `json:"status,omitempty"` // HTTP status, 0 if not known
	Error          ErrorPayload `json:"error"`

	unknown *jsonx.Unknown
}

var errorEventFields = jsonx.NewObject(EventError,
	func(e *ErrorEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ErrorEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Int("status", func(e *ErrorEvent) *int { return &e.Status }).OmitEmpty(),
	jsonx.Nested("error", errorPayloadFields.Codec(), func(e *ErrorEvent) *ErrorPayload { return &e.Error }),
)

// EventType returns EventError.
func (e *ErrorEvent) EventType() string { return EventError }

// Sequence returns the sequence number.
func (e *ErrorEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ErrorEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ErrorEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ErrorEvent) appendJSON(dst []byte) ([]byte, error) { return errorEventFields.Append(dst, e) }

// UnmarshalJSON decodes the event.
func (e *ErrorEvent) UnmarshalJSON(data []byte) error { return errorEventFields.Unmarshal(data, e) }

// Err returns the event's error with its status; see [ErrorPayload.Err].
func (e *ErrorEvent) Err() *Error { return e.Error.Err(e.Status) }
