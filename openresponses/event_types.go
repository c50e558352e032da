package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// ResponseCreatedEvent is the event response.created.
type ResponseCreatedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseCreatedEventFields = jsonx.NewObject(EventResponseCreated,
	func(e *ResponseCreatedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseCreatedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseCreatedEvent) **Response { return &e.Response }),
)

func (*ResponseCreatedEvent) builtinEvent() {}

// EventType returns EventResponseCreated.
func (*ResponseCreatedEvent) EventType() string { return EventResponseCreated }

// Sequence returns SequenceNumber.
func (e *ResponseCreatedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ResponseCreatedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ResponseCreatedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseCreatedEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseCreatedEventFields.Append(dst, e)
}

// ResponseQueuedEvent is the event response.queued.
type ResponseQueuedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseQueuedEventFields = jsonx.NewObject(EventResponseQueued,
	func(e *ResponseQueuedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseQueuedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseQueuedEvent) **Response { return &e.Response }),
)

func (*ResponseQueuedEvent) builtinEvent() {}

// EventType returns EventResponseQueued.
func (*ResponseQueuedEvent) EventType() string { return EventResponseQueued }

// Sequence returns SequenceNumber.
func (e *ResponseQueuedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ResponseQueuedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ResponseQueuedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseQueuedEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseQueuedEventFields.Append(dst, e)
}

// ResponseInProgressEvent is the event response.in_progress.
type ResponseInProgressEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseInProgressEventFields = jsonx.NewObject(EventResponseInProgress,
	func(e *ResponseInProgressEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseInProgressEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseInProgressEvent) **Response { return &e.Response }),
)

func (*ResponseInProgressEvent) builtinEvent() {}

// EventType returns EventResponseInProgress.
func (*ResponseInProgressEvent) EventType() string { return EventResponseInProgress }

// Sequence returns SequenceNumber.
func (e *ResponseInProgressEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ResponseInProgressEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ResponseInProgressEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseInProgressEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseInProgressEventFields.Append(dst, e)
}

// ResponseCompletedEvent is the event response.completed.
type ResponseCompletedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseCompletedEventFields = jsonx.NewObject(EventResponseCompleted,
	func(e *ResponseCompletedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseCompletedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseCompletedEvent) **Response { return &e.Response }),
)

func (*ResponseCompletedEvent) builtinEvent() {}

// EventType returns EventResponseCompleted.
func (*ResponseCompletedEvent) EventType() string { return EventResponseCompleted }

// Sequence returns SequenceNumber.
func (e *ResponseCompletedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ResponseCompletedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ResponseCompletedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseCompletedEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseCompletedEventFields.Append(dst, e)
}

// ResponseFailedEvent is the event response.failed.
type ResponseFailedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseFailedEventFields = jsonx.NewObject(EventResponseFailed,
	func(e *ResponseFailedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseFailedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseFailedEvent) **Response { return &e.Response }),
)

func (*ResponseFailedEvent) builtinEvent() {}

// EventType returns EventResponseFailed.
func (*ResponseFailedEvent) EventType() string { return EventResponseFailed }

// Sequence returns SequenceNumber.
func (e *ResponseFailedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ResponseFailedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ResponseFailedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseFailedEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseFailedEventFields.Append(dst, e)
}

// ResponseIncompleteEvent is the event response.incomplete.
type ResponseIncompleteEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`

	unknown *jsonx.Unknown
}

var responseIncompleteEventFields = jsonx.NewObject(EventResponseIncomplete,
	func(e *ResponseIncompleteEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ResponseIncompleteEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Optional("response", responseCodec, func(e *ResponseIncompleteEvent) **Response { return &e.Response }),
)

func (*ResponseIncompleteEvent) builtinEvent() {}

// EventType returns EventResponseIncomplete.
func (*ResponseIncompleteEvent) EventType() string { return EventResponseIncomplete }

// Sequence returns SequenceNumber.
func (e *ResponseIncompleteEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ResponseIncompleteEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ResponseIncompleteEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ResponseIncompleteEvent) appendJSON(dst []byte) ([]byte, error) {
	return responseIncompleteEventFields.Append(dst, e)
}

// OutputItemAddedEvent is the event response.output_item.added.
type OutputItemAddedEvent struct {
	SequenceNumber int64 `json:"sequence_number"`
	OutputIndex    int   `json:"output_index"`
	Item           Item  `json:"item"`

	unknown *jsonx.Unknown
}

var outputItemAddedEventFields = jsonx.NewObject(EventOutputItemAdded,
	func(e *OutputItemAddedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputItemAddedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Int("output_index", func(e *OutputItemAddedEvent) *int { return &e.OutputIndex }),
	jsonx.Value("item", nullable(itemTypes.codec("")), func(e *OutputItemAddedEvent) *Item { return &e.Item }),
)

func (*OutputItemAddedEvent) builtinEvent() {}

// EventType returns EventOutputItemAdded.
func (*OutputItemAddedEvent) EventType() string { return EventOutputItemAdded }

// Sequence returns SequenceNumber.
func (e *OutputItemAddedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *OutputItemAddedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *OutputItemAddedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputItemAddedEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputItemAddedEventFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *OutputItemAddedEvent) UnmarshalJSON(data []byte) error {
	return outputItemAddedEventFields.Unmarshal(data, e)
}

// OutputItemDoneEvent is the event response.output_item.done.
type OutputItemDoneEvent struct {
	SequenceNumber int64 `json:"sequence_number"`
	OutputIndex    int   `json:"output_index"`
	Item           Item  `json:"item"`

	unknown *jsonx.Unknown
}

var outputItemDoneEventFields = jsonx.NewObject(EventOutputItemDone,
	func(e *OutputItemDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputItemDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Int("output_index", func(e *OutputItemDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Value("item", nullable(itemTypes.codec("")), func(e *OutputItemDoneEvent) *Item { return &e.Item }),
)

func (*OutputItemDoneEvent) builtinEvent() {}

// EventType returns EventOutputItemDone.
func (*OutputItemDoneEvent) EventType() string { return EventOutputItemDone }

// Sequence returns SequenceNumber.
func (e *OutputItemDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *OutputItemDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *OutputItemDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputItemDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputItemDoneEventFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *OutputItemDoneEvent) UnmarshalJSON(data []byte) error {
	return outputItemDoneEventFields.Unmarshal(data, e)
}

// ContentPartAddedEvent is the event response.content_part.added.
type ContentPartAddedEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	ContentIndex   int     `json:"content_index"`
	Part           Content `json:"part"`

	unknown *jsonx.Unknown
}

var contentPartAddedEventFields = jsonx.NewObject(EventContentPartAdded,
	func(e *ContentPartAddedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ContentPartAddedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ContentPartAddedEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ContentPartAddedEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *ContentPartAddedEvent) *int { return &e.ContentIndex }),
	jsonx.Value("part", nullable(contentTypes.codec("")), func(e *ContentPartAddedEvent) *Content { return &e.Part }),
)

func (*ContentPartAddedEvent) builtinEvent() {}

// EventType returns EventContentPartAdded.
func (*ContentPartAddedEvent) EventType() string { return EventContentPartAdded }

// Sequence returns SequenceNumber.
func (e *ContentPartAddedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ContentPartAddedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ContentPartAddedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ContentPartAddedEvent) appendJSON(dst []byte) ([]byte, error) {
	return contentPartAddedEventFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ContentPartAddedEvent) UnmarshalJSON(data []byte) error {
	return contentPartAddedEventFields.Unmarshal(data, e)
}

// ContentPartDoneEvent is the event response.content_part.done.
type ContentPartDoneEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	ContentIndex   int     `json:"content_index"`
	Part           Content `json:"part"`

	unknown *jsonx.Unknown
}

var contentPartDoneEventFields = jsonx.NewObject(EventContentPartDone,
	func(e *ContentPartDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ContentPartDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ContentPartDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ContentPartDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *ContentPartDoneEvent) *int { return &e.ContentIndex }),
	jsonx.Value("part", nullable(contentTypes.codec("")), func(e *ContentPartDoneEvent) *Content { return &e.Part }),
)

func (*ContentPartDoneEvent) builtinEvent() {}

// EventType returns EventContentPartDone.
func (*ContentPartDoneEvent) EventType() string { return EventContentPartDone }

// Sequence returns SequenceNumber.
func (e *ContentPartDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ContentPartDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ContentPartDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ContentPartDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return contentPartDoneEventFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ContentPartDoneEvent) UnmarshalJSON(data []byte) error {
	return contentPartDoneEventFields.Unmarshal(data, e)
}

// OutputTextDeltaEvent is the event response.output_text.delta.
type OutputTextDeltaEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	ItemID         string    `json:"item_id"`
	OutputIndex    int       `json:"output_index"`
	ContentIndex   int       `json:"content_index"`
	Delta          string    `json:"delta"`
	Logprobs       []LogProb `json:"logprobs,omitempty"`
	Obfuscation    string    `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var outputTextDeltaEventFields = jsonx.NewObject(EventOutputTextDelta,
	func(e *OutputTextDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputTextDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *OutputTextDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *OutputTextDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *OutputTextDeltaEvent) *int { return &e.ContentIndex }),
	jsonx.String("delta", func(e *OutputTextDeltaEvent) *string { return &e.Delta }),
	jsonx.List("logprobs", logProbFields.Codec(), func(e *OutputTextDeltaEvent) *[]LogProb { return &e.Logprobs }).OmitEmpty(),
	jsonx.String("obfuscation", func(e *OutputTextDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

func (*OutputTextDeltaEvent) builtinEvent() {}

// EventType returns EventOutputTextDelta.
func (*OutputTextDeltaEvent) EventType() string { return EventOutputTextDelta }

// Sequence returns SequenceNumber.
func (e *OutputTextDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *OutputTextDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *OutputTextDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputTextDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputTextDeltaEventFields.Append(dst, e)
}

// OutputTextDoneEvent is the event response.output_text.done.
type OutputTextDoneEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	ItemID         string    `json:"item_id"`
	OutputIndex    int       `json:"output_index"`
	ContentIndex   int       `json:"content_index"`
	Text           string    `json:"text"`
	Logprobs       []LogProb `json:"logprobs,omitempty"`

	unknown *jsonx.Unknown
}

var outputTextDoneEventFields = jsonx.NewObject(EventOutputTextDone,
	func(e *OutputTextDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputTextDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *OutputTextDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *OutputTextDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *OutputTextDoneEvent) *int { return &e.ContentIndex }),
	jsonx.String("text", func(e *OutputTextDoneEvent) *string { return &e.Text }),
	jsonx.List("logprobs", logProbFields.Codec(), func(e *OutputTextDoneEvent) *[]LogProb { return &e.Logprobs }).OmitEmpty(),
)

func (*OutputTextDoneEvent) builtinEvent() {}

// EventType returns EventOutputTextDone.
func (*OutputTextDoneEvent) EventType() string { return EventOutputTextDone }

// Sequence returns SequenceNumber.
func (e *OutputTextDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *OutputTextDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *OutputTextDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputTextDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputTextDoneEventFields.Append(dst, e)
}

// RefusalDeltaEvent is the event response.refusal.delta.
type RefusalDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var refusalDeltaEventFields = jsonx.NewObject(EventRefusalDelta,
	func(e *RefusalDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *RefusalDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *RefusalDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *RefusalDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *RefusalDeltaEvent) *int { return &e.ContentIndex }),
	jsonx.String("delta", func(e *RefusalDeltaEvent) *string { return &e.Delta }),
	jsonx.String("obfuscation", func(e *RefusalDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

func (*RefusalDeltaEvent) builtinEvent() {}

// EventType returns EventRefusalDelta.
func (*RefusalDeltaEvent) EventType() string { return EventRefusalDelta }

// Sequence returns SequenceNumber.
func (e *RefusalDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *RefusalDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *RefusalDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *RefusalDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return refusalDeltaEventFields.Append(dst, e)
}

// RefusalDoneEvent is the event response.refusal.done.
type RefusalDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Refusal        string `json:"refusal"`

	unknown *jsonx.Unknown
}

var refusalDoneEventFields = jsonx.NewObject(EventRefusalDone,
	func(e *RefusalDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *RefusalDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *RefusalDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *RefusalDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *RefusalDoneEvent) *int { return &e.ContentIndex }),
	jsonx.String("refusal", func(e *RefusalDoneEvent) *string { return &e.Refusal }),
)

func (*RefusalDoneEvent) builtinEvent() {}

// EventType returns EventRefusalDone.
func (*RefusalDoneEvent) EventType() string { return EventRefusalDone }

// Sequence returns SequenceNumber.
func (e *RefusalDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *RefusalDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *RefusalDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *RefusalDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return refusalDoneEventFields.Append(dst, e)
}

// FunctionCallArgumentsDeltaEvent is the event response.function_call_arguments.delta.
type FunctionCallArgumentsDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var functionCallArgumentsDeltaEventFields = jsonx.NewObject(EventFunctionCallArgumentsDelta,
	func(e *FunctionCallArgumentsDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *FunctionCallArgumentsDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *FunctionCallArgumentsDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *FunctionCallArgumentsDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.String("delta", func(e *FunctionCallArgumentsDeltaEvent) *string { return &e.Delta }),
	jsonx.String("obfuscation", func(e *FunctionCallArgumentsDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

func (*FunctionCallArgumentsDeltaEvent) builtinEvent() {}

// EventType returns EventFunctionCallArgumentsDelta.
func (*FunctionCallArgumentsDeltaEvent) EventType() string { return EventFunctionCallArgumentsDelta }

// Sequence returns SequenceNumber.
func (e *FunctionCallArgumentsDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *FunctionCallArgumentsDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *FunctionCallArgumentsDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *FunctionCallArgumentsDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return functionCallArgumentsDeltaEventFields.Append(dst, e)
}

// FunctionCallArgumentsDoneEvent is the event response.function_call_arguments.done.
type FunctionCallArgumentsDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	Arguments      string `json:"arguments"`

	unknown *jsonx.Unknown
}

var functionCallArgumentsDoneEventFields = jsonx.NewObject(EventFunctionCallArgumentsDone,
	func(e *FunctionCallArgumentsDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *FunctionCallArgumentsDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *FunctionCallArgumentsDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *FunctionCallArgumentsDoneEvent) *int { return &e.OutputIndex }),
	jsonx.String("arguments", func(e *FunctionCallArgumentsDoneEvent) *string { return &e.Arguments }),
)

func (*FunctionCallArgumentsDoneEvent) builtinEvent() {}

// EventType returns EventFunctionCallArgumentsDone.
func (*FunctionCallArgumentsDoneEvent) EventType() string { return EventFunctionCallArgumentsDone }

// Sequence returns SequenceNumber.
func (e *FunctionCallArgumentsDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *FunctionCallArgumentsDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *FunctionCallArgumentsDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *FunctionCallArgumentsDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return functionCallArgumentsDoneEventFields.Append(dst, e)
}

// ReasoningSummaryPartAddedEvent is the event response.reasoning_summary_part.added.
type ReasoningSummaryPartAddedEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	SummaryIndex   int     `json:"summary_index"`
	Part           Content `json:"part"`

	unknown *jsonx.Unknown
}

var reasoningSummaryPartAddedEventFields = jsonx.NewObject(EventReasoningSummaryPartAdded,
	func(e *ReasoningSummaryPartAddedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningSummaryPartAddedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningSummaryPartAddedEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningSummaryPartAddedEvent) *int { return &e.OutputIndex }),
	jsonx.Int("summary_index", func(e *ReasoningSummaryPartAddedEvent) *int { return &e.SummaryIndex }),
	jsonx.Value("part", nullable(contentTypes.codec("")), func(e *ReasoningSummaryPartAddedEvent) *Content { return &e.Part }),
)

func (*ReasoningSummaryPartAddedEvent) builtinEvent() {}

// EventType returns EventReasoningSummaryPartAdded.
func (*ReasoningSummaryPartAddedEvent) EventType() string { return EventReasoningSummaryPartAdded }

// Sequence returns SequenceNumber.
func (e *ReasoningSummaryPartAddedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ReasoningSummaryPartAddedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ReasoningSummaryPartAddedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningSummaryPartAddedEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningSummaryPartAddedEventFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ReasoningSummaryPartAddedEvent) UnmarshalJSON(data []byte) error {
	return reasoningSummaryPartAddedEventFields.Unmarshal(data, e)
}

// ReasoningSummaryPartDoneEvent is the event response.reasoning_summary_part.done.
type ReasoningSummaryPartDoneEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	SummaryIndex   int     `json:"summary_index"`
	Part           Content `json:"part"`

	unknown *jsonx.Unknown
}

var reasoningSummaryPartDoneEventFields = jsonx.NewObject(EventReasoningSummaryPartDone,
	func(e *ReasoningSummaryPartDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningSummaryPartDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningSummaryPartDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningSummaryPartDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("summary_index", func(e *ReasoningSummaryPartDoneEvent) *int { return &e.SummaryIndex }),
	jsonx.Value("part", nullable(contentTypes.codec("")), func(e *ReasoningSummaryPartDoneEvent) *Content { return &e.Part }),
)

func (*ReasoningSummaryPartDoneEvent) builtinEvent() {}

// EventType returns EventReasoningSummaryPartDone.
func (*ReasoningSummaryPartDoneEvent) EventType() string { return EventReasoningSummaryPartDone }

// Sequence returns SequenceNumber.
func (e *ReasoningSummaryPartDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ReasoningSummaryPartDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ReasoningSummaryPartDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningSummaryPartDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningSummaryPartDoneEventFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ReasoningSummaryPartDoneEvent) UnmarshalJSON(data []byte) error {
	return reasoningSummaryPartDoneEventFields.Unmarshal(data, e)
}

// ReasoningSummaryTextDeltaEvent is the event response.reasoning_summary_text.delta.
type ReasoningSummaryTextDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	SummaryIndex   int    `json:"summary_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var reasoningSummaryTextDeltaEventFields = jsonx.NewObject(EventReasoningSummaryTextDelta,
	func(e *ReasoningSummaryTextDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningSummaryTextDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningSummaryTextDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningSummaryTextDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.Int("summary_index", func(e *ReasoningSummaryTextDeltaEvent) *int { return &e.SummaryIndex }),
	jsonx.String("delta", func(e *ReasoningSummaryTextDeltaEvent) *string { return &e.Delta }),
	jsonx.String("obfuscation", func(e *ReasoningSummaryTextDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

func (*ReasoningSummaryTextDeltaEvent) builtinEvent() {}

// EventType returns EventReasoningSummaryTextDelta.
func (*ReasoningSummaryTextDeltaEvent) EventType() string { return EventReasoningSummaryTextDelta }

// Sequence returns SequenceNumber.
func (e *ReasoningSummaryTextDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ReasoningSummaryTextDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ReasoningSummaryTextDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningSummaryTextDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningSummaryTextDeltaEventFields.Append(dst, e)
}

// ReasoningSummaryTextDoneEvent is the event response.reasoning_summary_text.done.
type ReasoningSummaryTextDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	SummaryIndex   int    `json:"summary_index"`
	Text           string `json:"text"`

	unknown *jsonx.Unknown
}

var reasoningSummaryTextDoneEventFields = jsonx.NewObject(EventReasoningSummaryTextDone,
	func(e *ReasoningSummaryTextDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningSummaryTextDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningSummaryTextDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningSummaryTextDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("summary_index", func(e *ReasoningSummaryTextDoneEvent) *int { return &e.SummaryIndex }),
	jsonx.String("text", func(e *ReasoningSummaryTextDoneEvent) *string { return &e.Text }),
)

func (*ReasoningSummaryTextDoneEvent) builtinEvent() {}

// EventType returns EventReasoningSummaryTextDone.
func (*ReasoningSummaryTextDoneEvent) EventType() string { return EventReasoningSummaryTextDone }

// Sequence returns SequenceNumber.
func (e *ReasoningSummaryTextDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ReasoningSummaryTextDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ReasoningSummaryTextDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningSummaryTextDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningSummaryTextDoneEventFields.Append(dst, e)
}

// ReasoningDeltaEvent is the event response.reasoning.delta.
type ReasoningDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var reasoningDeltaEventFields = jsonx.NewObject(EventReasoningDelta,
	func(e *ReasoningDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *ReasoningDeltaEvent) *int { return &e.ContentIndex }),
	jsonx.String("delta", func(e *ReasoningDeltaEvent) *string { return &e.Delta }),
	jsonx.String("obfuscation", func(e *ReasoningDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

func (*ReasoningDeltaEvent) builtinEvent() {}

// EventType returns EventReasoningDelta.
func (*ReasoningDeltaEvent) EventType() string { return EventReasoningDelta }

// Sequence returns SequenceNumber.
func (e *ReasoningDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ReasoningDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ReasoningDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningDeltaEventFields.Append(dst, e)
}

// ReasoningDoneEvent is the event response.reasoning.done.
type ReasoningDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Text           string `json:"text"`

	unknown *jsonx.Unknown
}

var reasoningDoneEventFields = jsonx.NewObject(EventReasoningDone,
	func(e *ReasoningDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *ReasoningDoneEvent) *int { return &e.ContentIndex }),
	jsonx.String("text", func(e *ReasoningDoneEvent) *string { return &e.Text }),
)

func (*ReasoningDoneEvent) builtinEvent() {}

// EventType returns EventReasoningDone.
func (*ReasoningDoneEvent) EventType() string { return EventReasoningDone }

// Sequence returns SequenceNumber.
func (e *ReasoningDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ReasoningDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ReasoningDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningDoneEventFields.Append(dst, e)
}

// OutputTextAnnotationAddedEvent is the event response.output_text.annotation.added.
type OutputTextAnnotationAddedEvent struct {
	SequenceNumber  int64      `json:"sequence_number"`
	ItemID          string     `json:"item_id"`
	OutputIndex     int        `json:"output_index"`
	ContentIndex    int        `json:"content_index"`
	AnnotationIndex int        `json:"annotation_index"`
	Annotation      Annotation `json:"annotation"`

	unknown *jsonx.Unknown
}

var outputTextAnnotationAddedEventFields = jsonx.NewObject(EventOutputTextAnnotationAdded,
	func(e *OutputTextAnnotationAddedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputTextAnnotationAddedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *OutputTextAnnotationAddedEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *OutputTextAnnotationAddedEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *OutputTextAnnotationAddedEvent) *int { return &e.ContentIndex }),
	jsonx.Int("annotation_index", func(e *OutputTextAnnotationAddedEvent) *int { return &e.AnnotationIndex }),
	jsonx.Value("annotation", nullable(annotationTypes.codec("")), func(e *OutputTextAnnotationAddedEvent) *Annotation { return &e.Annotation }),
)

func (*OutputTextAnnotationAddedEvent) builtinEvent() {}

// EventType returns EventOutputTextAnnotationAdded.
func (*OutputTextAnnotationAddedEvent) EventType() string { return EventOutputTextAnnotationAdded }

// Sequence returns SequenceNumber.
func (e *OutputTextAnnotationAddedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *OutputTextAnnotationAddedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *OutputTextAnnotationAddedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputTextAnnotationAddedEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputTextAnnotationAddedEventFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *OutputTextAnnotationAddedEvent) UnmarshalJSON(data []byte) error {
	return outputTextAnnotationAddedEventFields.Unmarshal(data, e)
}

// ErrorEvent is the event error.
type ErrorEvent struct {
	SequenceNumber int64        `json:"sequence_number"`
	Status         int          `json:"status,omitempty"`
	Error          ErrorPayload `json:"error"`

	unknown *jsonx.Unknown
}

var errorEventFields = jsonx.NewObject(EventError,
	func(e *ErrorEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ErrorEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Int("status", func(e *ErrorEvent) *int { return &e.Status }).OmitEmpty(),
	errorField("error", func(e *ErrorEvent) *ErrorPayload { return &e.Error }),
)

func (*ErrorEvent) builtinEvent() {}

// EventType returns EventError.
func (*ErrorEvent) EventType() string { return EventError }

// Sequence returns SequenceNumber.
func (e *ErrorEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber.
func (e *ErrorEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event, its type first.
func (e *ErrorEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ErrorEvent) appendJSON(dst []byte) ([]byte, error) { return errorEventFields.Append(dst, e) }
