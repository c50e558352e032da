package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// An OutputText is text the model wrote.
type OutputText struct {
	Text        string      `json:"text"`
	Annotations Annotations `json:"annotations"`
	Logprobs    []LogProb   `json:"logprobs,omitempty"`

	unknown *jsonx.Unknown
}

var outputTextFields = jsonx.NewObject(ContentTypeOutputText,
	func(p *OutputText) **jsonx.Unknown { return &p.unknown },
	jsonx.String("text", func(p *OutputText) *string { return &p.Text }),
	annotationsField("annotations", func(p *OutputText) *Annotations { return &p.Annotations }),
	jsonx.List("logprobs", logProbFields.Codec(), func(p *OutputText) *[]LogProb { return &p.Logprobs }).OmitEmpty(),
)

// ContentType returns ContentTypeOutputText.
func (*OutputText) ContentType() string { return ContentTypeOutputText }

// MarshalJSON encodes the part; nil annotations are an empty array.
func (p *OutputText) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *OutputText) appendJSON(dst []byte) ([]byte, error) { return outputTextFields.Append(dst, p) }

// UnmarshalJSON decodes the part.
func (p *OutputText) UnmarshalJSON(data []byte) error { return outputTextFields.Unmarshal(data, p) }

// A Refusal is why the model would not answer.
type Refusal struct {
	Refusal string `json:"refusal"`

	unknown *jsonx.Unknown
}

var refusalFields = jsonx.NewObject(ContentTypeRefusal,
	func(p *Refusal) **jsonx.Unknown { return &p.unknown },
	jsonx.String("refusal", func(p *Refusal) *string { return &p.Refusal }),
)

// ContentType returns ContentTypeRefusal.
func (*Refusal) ContentType() string { return ContentTypeRefusal }

// MarshalJSON encodes the part.
func (p *Refusal) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *Refusal) appendJSON(dst []byte) ([]byte, error) { return refusalFields.Append(dst, p) }

// UnmarshalJSON decodes the part.
func (p *Refusal) UnmarshalJSON(data []byte) error { return refusalFields.Unmarshal(data, p) }

// A Text is text of no particular direction.
type Text struct {
	Text string `json:"text"`

	unknown *jsonx.Unknown
}

var textFields = jsonx.NewObject(ContentTypeText,
	func(p *Text) **jsonx.Unknown { return &p.unknown },
	jsonx.String("text", func(p *Text) *string { return &p.Text }),
)

// ContentType returns ContentTypeText.
func (*Text) ContentType() string { return ContentTypeText }

// MarshalJSON encodes the part.
func (p *Text) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *Text) appendJSON(dst []byte) ([]byte, error) { return textFields.Append(dst, p) }

// UnmarshalJSON decodes the part.
func (p *Text) UnmarshalJSON(data []byte) error { return textFields.Unmarshal(data, p) }

// A SummaryText is a piece of the summary of a [ReasoningItem].
type SummaryText struct {
	Text string `json:"text"`

	unknown *jsonx.Unknown
}

var summaryTextFields = jsonx.NewObject(ContentTypeSummaryText,
	func(p *SummaryText) **jsonx.Unknown { return &p.unknown },
	jsonx.String("text", func(p *SummaryText) *string { return &p.Text }),
)

// ContentType returns ContentTypeSummaryText.
func (*SummaryText) ContentType() string { return ContentTypeSummaryText }

// MarshalJSON encodes the part.
func (p *SummaryText) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *SummaryText) appendJSON(dst []byte) ([]byte, error) { return summaryTextFields.Append(dst, p) }

// UnmarshalJSON decodes the part.
func (p *SummaryText) UnmarshalJSON(data []byte) error { return summaryTextFields.Unmarshal(data, p) }

// A ReasoningText is a piece of the content of a [ReasoningItem].
type ReasoningText struct {
	Text string `json:"text"`

	unknown *jsonx.Unknown
}

var reasoningTextFields = jsonx.NewObject(ContentTypeReasoningText,
	func(p *ReasoningText) **jsonx.Unknown { return &p.unknown },
	jsonx.String("text", func(p *ReasoningText) *string { return &p.Text }),
)

// ContentType returns ContentTypeReasoningText.
func (*ReasoningText) ContentType() string { return ContentTypeReasoningText }

// MarshalJSON encodes the part.
func (p *ReasoningText) MarshalJSON() ([]byte, error) { return p.appendJSON(nil) }

func (p *ReasoningText) appendJSON(dst []byte) ([]byte, error) {
	return reasoningTextFields.Append(dst, p)
}

// UnmarshalJSON decodes the part.
func (p *ReasoningText) UnmarshalJSON(data []byte) error {
	return reasoningTextFields.Unmarshal(data, p)
}
