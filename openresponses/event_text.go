package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// An OutputTextDeltaEvent adds to an output text.
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

var outputTextDeltaFields = jsonx.NewObject(EventOutputTextDelta,
	func(e *OutputTextDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputTextDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *OutputTextDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *OutputTextDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *OutputTextDeltaEvent) *int { return &e.ContentIndex }),
	jsonx.String("delta", func(e *OutputTextDeltaEvent) *string { return &e.Delta }),
	jsonx.List("logprobs", logProbFields.Codec(), func(e *OutputTextDeltaEvent) *[]LogProb { return &e.Logprobs }).OmitEmpty(),
	jsonx.String("obfuscation", func(e *OutputTextDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

// EventType returns EventOutputTextDelta.
func (e *OutputTextDeltaEvent) EventType() string { return EventOutputTextDelta }

// Sequence returns the sequence number.
func (e *OutputTextDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *OutputTextDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *OutputTextDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputTextDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputTextDeltaFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *OutputTextDeltaEvent) UnmarshalJSON(data []byte) error {
	return outputTextDeltaFields.Unmarshal(data, e)
}

// An OutputTextDoneEvent ends an output text, giving all of it.
type OutputTextDoneEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	ItemID         string    `json:"item_id"`
	OutputIndex    int       `json:"output_index"`
	ContentIndex   int       `json:"content_index"`
	Text           string    `json:"text"`
	Logprobs       []LogProb `json:"logprobs,omitempty"`

	unknown *jsonx.Unknown
}

var outputTextDoneFields = jsonx.NewObject(EventOutputTextDone,
	func(e *OutputTextDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputTextDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *OutputTextDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *OutputTextDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *OutputTextDoneEvent) *int { return &e.ContentIndex }),
	jsonx.String("text", func(e *OutputTextDoneEvent) *string { return &e.Text }),
	jsonx.List("logprobs", logProbFields.Codec(), func(e *OutputTextDoneEvent) *[]LogProb { return &e.Logprobs }).OmitEmpty(),
)

// EventType returns EventOutputTextDone.
func (e *OutputTextDoneEvent) EventType() string { return EventOutputTextDone }

// Sequence returns the sequence number.
func (e *OutputTextDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *OutputTextDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *OutputTextDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputTextDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputTextDoneFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *OutputTextDoneEvent) UnmarshalJSON(data []byte) error {
	return outputTextDoneFields.Unmarshal(data, e)
}

// An OutputTextAnnotationAddedEvent adds an annotation to an output text.
type OutputTextAnnotationAddedEvent struct {
	SequenceNumber  int64      `json:"sequence_number"`
	ItemID          string     `json:"item_id"`
	OutputIndex     int        `json:"output_index"`
	ContentIndex    int        `json:"content_index"`
	AnnotationIndex int        `json:"annotation_index"`
	Annotation      Annotation `json:"annotation"`

	unknown *jsonx.Unknown
}

var outputTextAnnotationAddedFields = jsonx.NewObject(EventOutputTextAnnotationAdded,
	func(e *OutputTextAnnotationAddedEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *OutputTextAnnotationAddedEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *OutputTextAnnotationAddedEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *OutputTextAnnotationAddedEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *OutputTextAnnotationAddedEvent) *int { return &e.ContentIndex }),
	jsonx.Int("annotation_index", func(e *OutputTextAnnotationAddedEvent) *int { return &e.AnnotationIndex }),
	nullable("annotation", annotationTypes, func(e *OutputTextAnnotationAddedEvent) *Annotation { return &e.Annotation }),
)

// EventType returns EventOutputTextAnnotationAdded.
func (e *OutputTextAnnotationAddedEvent) EventType() string { return EventOutputTextAnnotationAdded }

// Sequence returns the sequence number.
func (e *OutputTextAnnotationAddedEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *OutputTextAnnotationAddedEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *OutputTextAnnotationAddedEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *OutputTextAnnotationAddedEvent) appendJSON(dst []byte) ([]byte, error) {
	return outputTextAnnotationAddedFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *OutputTextAnnotationAddedEvent) UnmarshalJSON(data []byte) error {
	return outputTextAnnotationAddedFields.Unmarshal(data, e)
}

// A RefusalDeltaEvent adds to a refusal.
type RefusalDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`

	unknown *jsonx.Unknown
}

var refusalDeltaFields = jsonx.NewObject(EventRefusalDelta,
	func(e *RefusalDeltaEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *RefusalDeltaEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *RefusalDeltaEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *RefusalDeltaEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *RefusalDeltaEvent) *int { return &e.ContentIndex }),
	jsonx.String("delta", func(e *RefusalDeltaEvent) *string { return &e.Delta }),
	jsonx.String("obfuscation", func(e *RefusalDeltaEvent) *string { return &e.Obfuscation }).OmitEmpty(),
)

// EventType returns EventRefusalDelta.
func (e *RefusalDeltaEvent) EventType() string { return EventRefusalDelta }

// Sequence returns the sequence number.
func (e *RefusalDeltaEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *RefusalDeltaEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *RefusalDeltaEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *RefusalDeltaEvent) appendJSON(dst []byte) ([]byte, error) {
	return refusalDeltaFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *RefusalDeltaEvent) UnmarshalJSON(data []byte) error {
	return refusalDeltaFields.Unmarshal(data, e)
}

// A RefusalDoneEvent ends a refusal, giving all of it.
type RefusalDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Refusal        string `json:"refusal"`

	unknown *jsonx.Unknown
}

var refusalDoneFields = jsonx.NewObject(EventRefusalDone,
	func(e *RefusalDoneEvent) **jsonx.Unknown { return &e.unknown },
	jsonx.Int("sequence_number", func(e *RefusalDoneEvent) *int64 { return &e.SequenceNumber }),
	jsonx.Interned("item_id", func(e *RefusalDoneEvent) *string { return &e.ItemID }),
	jsonx.Int("output_index", func(e *RefusalDoneEvent) *int { return &e.OutputIndex }),
	jsonx.Int("content_index", func(e *RefusalDoneEvent) *int { return &e.ContentIndex }),
	jsonx.String("refusal", func(e *RefusalDoneEvent) *string { return &e.Refusal }),
)

// EventType returns EventRefusalDone.
func (e *RefusalDoneEvent) EventType() string { return EventRefusalDone }

// Sequence returns the sequence number.
func (e *RefusalDoneEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number.
func (e *RefusalDoneEvent) SetSequence(n int64) { e.SequenceNumber = n }

// MarshalJSON encodes the event.
func (e *RefusalDoneEvent) MarshalJSON() ([]byte, error) { return e.appendJSON(nil) }

func (e *RefusalDoneEvent) appendJSON(dst []byte) ([]byte, error) {
	return refusalDoneFields.Append(dst, e)
}

// UnmarshalJSON decodes the event.
func (e *RefusalDoneEvent) UnmarshalJSON(data []byte) error {
	return refusalDoneFields.Unmarshal(data, e)
}
