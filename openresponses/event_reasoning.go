package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// A ReasoningSummaryPartAddedEvent opens a part of a reasoning summary.
type ReasoningSummaryPartAddedEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	SummaryIndex   int     `json:"summary_index"`
	Part           Content `json:"part"`

	unknown *jsonx.Unknown
}

var reasoningSummaryPartAddedFields = jsonx.NewObject(EventReasoningSummaryPartAdded,
	func(e *ReasoningSummaryPartAddedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningSummaryPartAddedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningSummaryPartAddedEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningSummaryPartAddedEvent) *int { return &e.OutputIndex }),
	jsonx.Int("summary_index", func(e *ReasoningSummaryPartAddedEvent) *int { return &e.SummaryIndex }),
	nullable("part", contentTypes, func(e *ReasoningSummaryPartAddedEvent) *Content { return &e.Part }),
)

// EventType returns EventReasoningSummaryPartAdded.
func (e *ReasoningSummaryPartAddedEvent) EventType() string { return EventReasoningSummaryPartAdded }

// Sequence returns the sequence number.
func (e *ReasoningSummaryPartAddedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ReasoningSummaryPartAddedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ReasoningSummaryPartAddedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningSummaryPartAddedEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningSummaryPartAddedFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ReasoningSummaryPartAddedEvent) UnmarshalJSON(data []byte) error {
	return reasoningSummaryPartAddedFields.Unmarshal(data, e)
}

// A ReasoningSummaryPartDoneEvent closes a part of a reasoning summary, in its
// final form.
type ReasoningSummaryPartDoneEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	SummaryIndex   int     `json:"summary_index"`
	Part           Content `json:"part"`

	unknown *jsonx.Unknown
}

var reasoningSummaryPartDoneFields = jsonx.NewObject(EventReasoningSummaryPartDone,
	func(e *ReasoningSummaryPartDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningSummaryPartDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningSummaryPartDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningSummaryPartDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("summary_index", func(e *ReasoningSummaryPartDoneEvent) *int { return &e.SummaryIndex }),
	nullable("part", contentTypes, func(e *ReasoningSummaryPartDoneEvent) *Content { return &e.Part }),
)

// EventType returns EventReasoningSummaryPartDone.
func (e *ReasoningSummaryPartDoneEvent) EventType() string { return EventReasoningSummaryPartDone }

// Sequence returns the sequence number.
func (e *ReasoningSummaryPartDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ReasoningSummaryPartDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ReasoningSummaryPartDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningSummaryPartDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningSummaryPartDoneFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ReasoningSummaryPartDoneEvent) UnmarshalJSON(data []byte) error {
	return reasoningSummaryPartDoneFields.Unmarshal(data, e)
}

// A ReasoningSummaryTextDeltaEvent adds to a part of a reasoning summary.
type ReasoningSummaryTextDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	SummaryIndex   int    `json:"summary_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var reasoningSummaryTextDeltaFields = jsonx.NewObject(EventReasoningSummaryTextDelta,
	func(e *ReasoningSummaryTextDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningSummaryTextDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningSummaryTextDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningSummaryTextDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.Int("summary_index", func(e *ReasoningSummaryTextDeltaEvent) *int { return &e.SummaryIndex }),
	jsonx.String("delta", func(e *ReasoningSummaryTextDeltaEvent) *string { return &e.Delta }),
	jsonx.String("obfuscation", func(e *ReasoningSummaryTextDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

// EventType returns EventReasoningSummaryTextDelta.
func (e *ReasoningSummaryTextDeltaEvent) EventType() string { return EventReasoningSummaryTextDelta }

// Sequence returns the sequence number.
func (e *ReasoningSummaryTextDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ReasoningSummaryTextDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ReasoningSummaryTextDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningSummaryTextDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningSummaryTextDeltaFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ReasoningSummaryTextDeltaEvent) UnmarshalJSON(data []byte) error {
	return reasoningSummaryTextDeltaFields.Unmarshal(data, e)
}

// A ReasoningSummaryTextDoneEvent ends the text of a part of a reasoning summary,
// giving all of it.
type ReasoningSummaryTextDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	SummaryIndex   int    `json:"summary_index"`
	Text           string `json:"text"`

	unknown *jsonx.Unknown
}

var reasoningSummaryTextDoneFields = jsonx.NewObject(EventReasoningSummaryTextDone,
	func(e *ReasoningSummaryTextDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningSummaryTextDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningSummaryTextDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningSummaryTextDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("summary_index", func(e *ReasoningSummaryTextDoneEvent) *int { return &e.SummaryIndex }),
	jsonx.String("text", func(e *ReasoningSummaryTextDoneEvent) *string { return &e.Text }),
)

// EventType returns EventReasoningSummaryTextDone.
func (e *ReasoningSummaryTextDoneEvent) EventType() string { return EventReasoningSummaryTextDone }

// Sequence returns the sequence number.
func (e *ReasoningSummaryTextDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ReasoningSummaryTextDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ReasoningSummaryTextDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningSummaryTextDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningSummaryTextDoneFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ReasoningSummaryTextDoneEvent) UnmarshalJSON(data []byte) error {
	return reasoningSummaryTextDoneFields.Unmarshal(data, e)
}

// A ReasoningDeltaEvent adds to a reasoning text.
type ReasoningDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var reasoningDeltaFields = jsonx.NewObject(EventReasoningDelta,
	func(e *ReasoningDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *ReasoningDeltaEvent) *int { return &e.ContentIndex }),
	jsonx.String("delta", func(e *ReasoningDeltaEvent) *string { return &e.Delta }),
	jsonx.String("obfuscation", func(e *ReasoningDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

// EventType returns EventReasoningDelta.
func (e *ReasoningDeltaEvent) EventType() string { return EventReasoningDelta }

// Sequence returns the sequence number.
func (e *ReasoningDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ReasoningDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ReasoningDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningDeltaFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ReasoningDeltaEvent) UnmarshalJSON(data []byte) error {
	return reasoningDeltaFields.Unmarshal(data, e)
}

// A ReasoningDoneEvent ends a reasoning text, giving all of it.
type ReasoningDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Text           string `json:"text"`

	unknown *jsonx.Unknown
}

var reasoningDoneFields = jsonx.NewObject(EventReasoningDone,
	func(e *ReasoningDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *ReasoningDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *ReasoningDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *ReasoningDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *ReasoningDoneEvent) *int { return &e.ContentIndex }),
	jsonx.String("text", func(e *ReasoningDoneEvent) *string { return &e.Text }),
)

// EventType returns EventReasoningDone.
func (e *ReasoningDoneEvent) EventType() string { return EventReasoningDone }

// Sequence returns the sequence number.
func (e *ReasoningDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *ReasoningDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *ReasoningDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *ReasoningDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return reasoningDoneFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *ReasoningDoneEvent) UnmarshalJSON(data []byte) error {
	return reasoningDoneFields.Unmarshal(data, e)
}
