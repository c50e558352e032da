package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// An OutputItemAddedEvent opens an item of the output.
type OutputItemAddedEvent struct {
	SequenceNumber int64 `json:"sequence_number"`
	OutputIndex    int   `json:"output_index"`
	Item           Item  `json:"item"`

	unknown *jsonx.Unknown
}

var outputItemAddedFields = jsonx.NewObject(EventOutputItemAdded,
	func(e *OutputItemAddedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputItemAddedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Int("output_index", func(e *OutputItemAddedEvent) *int { return &e.OutputIndex }),
	nullable("item", itemTypes, func(e *OutputItemAddedEvent) *Item { return &e.Item }),
)

// EventType returns EventOutputItemAdded.
func (e *OutputItemAddedEvent) EventType() string { return EventOutputItemAdded }

// Sequence returns the sequence number.
func (e *OutputItemAddedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *OutputItemAddedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *OutputItemAddedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputItemAddedEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputItemAddedFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *OutputItemAddedEvent) UnmarshalJSON(data []byte) error {
	return outputItemAddedFields.Unmarshal(data, e)
}

// An OutputItemDoneEvent closes an item of the output, in its final form.
type OutputItemDoneEvent struct {
	SequenceNumber int64 `json:"sequence_number"`
	OutputIndex    int   `json:"output_index"`
	Item           Item  `json:"item"`

	unknown *jsonx.Unknown
}

var outputItemDoneFields = jsonx.NewObject(EventOutputItemDone,
	func(e *OutputItemDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputItemDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Int("output_index", func(e *OutputItemDoneEvent) *int { return &e.OutputIndex }),
	nullable("item", itemTypes, func(e *OutputItemDoneEvent) *Item { return &e.Item }),
)

// EventType returns EventOutputItemDone.
func (e *OutputItemDoneEvent) EventType() string { return EventOutputItemDone }

// Sequence returns the sequence number.
func (e *OutputItemDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *OutputItemDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *OutputItemDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputItemDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputItemDoneFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *OutputItemDoneEvent) UnmarshalJSON(data []byte) error {
	return outputItemDoneFields.Unmarshal(data, e)
}

// A ContentPartAddedEvent opens a part of a message.
type ContentPartAddedEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	ContentIndex   int     `json:"content_index"`
	Part           Content `json:"part"`

	unknown *jsonx.Unknown
}

var contentPartAddedFields = jsonx.NewObject(EventContentPartAdded,
	func(e *ContentPartAddedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ContentPartAddedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ContentPartAddedEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ContentPartAddedEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *ContentPartAddedEvent) *int { return &e.ContentIndex }),
	nullable("part", contentTypes, func(e *ContentPartAddedEvent) *Content { return &e.Part }),
)

// EventType returns EventContentPartAdded.
func (e *ContentPartAddedEvent) EventType() string { return EventContentPartAdded }

// Sequence returns the sequence number.
func (e *ContentPartAddedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ContentPartAddedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ContentPartAddedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ContentPartAddedEvent) appendJSON(dst []byte) ([]byte, error) {
	return contentPartAddedFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ContentPartAddedEvent) UnmarshalJSON(data []byte) error {
	return contentPartAddedFields.Unmarshal(data, e)
}

// A ContentPartDoneEvent closes a part of a message, in its final form.
type ContentPartDoneEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	ContentIndex   int     `json:"content_index"`
	Part           Content `json:"part"`

	unknown *jsonx.Unknown
}

var contentPartDoneFields = jsonx.NewObject(EventContentPartDone,
	func(e *ContentPartDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ContentPartDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ContentPartDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ContentPartDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *ContentPartDoneEvent) *int { return &e.ContentIndex }),
	nullable("part", contentTypes, func(e *ContentPartDoneEvent) *Content { return &e.Part }),
)

// EventType returns EventContentPartDone.
func (e *ContentPartDoneEvent) EventType() string { return EventContentPartDone }

// Sequence returns the sequence number.
func (e *ContentPartDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ContentPartDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ContentPartDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ContentPartDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return contentPartDoneFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ContentPartDoneEvent) UnmarshalJSON(data []byte) error {
	return contentPartDoneFields.Unmarshal(data, e)
}

// A FunctionCallArgumentsDeltaEvent adds to the arguments of a function call.
type FunctionCallArgumentsDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var functionCallArgumentsDeltaFields = jsonx.NewObject(EventFunctionCallArgumentsDelta,
	func(e *FunctionCallArgumentsDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *FunctionCallArgumentsDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *FunctionCallArgumentsDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *FunctionCallArgumentsDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.String("delta", func(e *FunctionCallArgumentsDeltaEvent) *string { return &e.Delta }),
	jsonx.String("obfuscation", func(e *FunctionCallArgumentsDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

// EventType returns EventFunctionCallArgumentsDelta.
func (e *FunctionCallArgumentsDeltaEvent) EventType() string { return EventFunctionCallArgumentsDelta }

// Sequence returns the sequence number.
func (e *FunctionCallArgumentsDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *FunctionCallArgumentsDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *FunctionCallArgumentsDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *FunctionCallArgumentsDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return functionCallArgumentsDeltaFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *FunctionCallArgumentsDeltaEvent) UnmarshalJSON(data []byte) error {
	return functionCallArgumentsDeltaFields.Unmarshal(data, e)
}

// A FunctionCallArgumentsDoneEvent ends the arguments of a function call, giving
// all of them.
type FunctionCallArgumentsDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	Arguments      string `json:"arguments"`

	unknown *jsonx.Unknown
}

var functionCallArgumentsDoneFields = jsonx.NewObject(EventFunctionCallArgumentsDone,
	func(e *FunctionCallArgumentsDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *FunctionCallArgumentsDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *FunctionCallArgumentsDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *FunctionCallArgumentsDoneEvent) *int { return &e.OutputIndex }),
	jsonx.String("arguments", func(e *FunctionCallArgumentsDoneEvent) *string { return &e.Arguments }),
)

// EventType returns EventFunctionCallArgumentsDone.
func (e *FunctionCallArgumentsDoneEvent) EventType() string { return EventFunctionCallArgumentsDone }

// Sequence returns the sequence number.
func (e *FunctionCallArgumentsDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *FunctionCallArgumentsDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *FunctionCallArgumentsDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *FunctionCallArgumentsDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return functionCallArgumentsDoneFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *FunctionCallArgumentsDoneEvent) UnmarshalJSON(data []byte) error {
	return functionCallArgumentsDoneFields.Unmarshal(data, e)
}
