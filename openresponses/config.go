package openresponses

import (
	"encoding/json"
	"slices"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// Types of text format.
const (
	TextFormatText       = "text"
	TextFormatJSONObject = "json_object"
	TextFormatJSONSchema = "json_schema"
)

// A TextFormat is the form the model's text must have.
type TextFormat struct {
	Type        string          `json:"type"`
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`

	unknown *jsonx.Unknown
}

var textFormatFields = jsonx.NewObject("",
	func(t *TextFormat) **jsonx.Unknown { return &t.unknown },
	jsonx.String("type", func(t *TextFormat) *string { return &t.Type }),
	jsonx.String("name", func(t *TextFormat) *string { return &t.Name }).OmitEmpty(),
	jsonx.String("description", func(t *TextFormat) *string { return &t.Description }).OmitEmpty(),
	jsonx.Raw("schema", func(t *TextFormat) *json.RawMessage { return &t.Schema }).OmitEmpty(),
	jsonx.Optional("strict", jsonx.BoolCodec, func(t *TextFormat) **bool { return &t.Strict }).OmitEmpty(),
)

// MarshalJSON encodes the format.
func (t TextFormat) MarshalJSON() ([]byte, error) { return textFormatFields.Append(nil, &t) }

// UnmarshalJSON decodes the format.
func (t *TextFormat) UnmarshalJSON(data []byte) error { return textFormatFields.Unmarshal(data, t) }

// JSONSchemaFormat returns the format of JSON that keeps to a schema.
func JSONSchemaFormat(name string, schema json.RawMessage, strict bool) *TextFormat {
	return &TextFormat{Type: TextFormatJSONSchema, Name: name, Schema: schema, Strict: &strict}
}

// TextConfig is what a request asks of the model's text. A nil format is plain
// text.
type TextConfig struct {
	Format    *TextFormat `json:"format,omitempty"`
	Verbosity Verbosity   `json:"verbosity,omitempty"`

	unknown *jsonx.Unknown
}

var textConfigFields = jsonx.NewObject("",
	func(t *TextConfig) **jsonx.Unknown { return &t.unknown },
	jsonx.OptionalOr("format", textFormatFields.Codec(), TextFormat{Type: TextFormatText},
		func(t *TextConfig) **TextFormat { return &t.Format }),
	jsonx.String("verbosity", func(t *TextConfig) *Verbosity { return &t.Verbosity }).OmitEmpty(),
)

// IsZero reports whether nothing is set.
func (t TextConfig) IsZero() bool { return t == TextConfig{} }

// MarshalJSON encodes the configuration; a nil format is written as plain text.
func (t TextConfig) MarshalJSON() ([]byte, error) { return textConfigFields.Append(nil, &t) }

// UnmarshalJSON decodes the configuration.
func (t *TextConfig) UnmarshalJSON(data []byte) error { return textConfigFields.Unmarshal(data, t) }

// clone returns a deep copy.
func (t TextConfig) clone() TextConfig {
	if t.Format = clonePointer(t.Format); t.Format != nil {
		t.Format.Schema = slices.Clone(t.Format.Schema)
		t.Format.Strict = clonePointer(t.Format.Strict)
	}
	return t
}

// ReasoningConfig is what a request asks of the model's reasoning. Empty fields
// are left to the server.
type ReasoningConfig struct {
	Effort  ReasoningEffort
	Summary ReasoningSummary

	unknown *jsonx.Unknown
}

var reasoningConfigFields = jsonx.NewObject("",
	func(r *ReasoningConfig) **jsonx.Unknown { return &r.unknown },
	jsonx.StringOrNull("effort", func(r *ReasoningConfig) *ReasoningEffort { return &r.Effort }),
	jsonx.StringOrNull("summary", func(r *ReasoningConfig) *ReasoningSummary { return &r.Summary }),
)

// IsZero reports whether nothing is set.
func (r ReasoningConfig) IsZero() bool { return r == ReasoningConfig{} }

// MarshalJSON encodes both members, an empty one as null.
func (r ReasoningConfig) MarshalJSON() ([]byte, error) { return reasoningConfigFields.Append(nil, &r) }

// UnmarshalJSON decodes the configuration; null, of the whole or of a member, is
// empty.
func (r *ReasoningConfig) UnmarshalJSON(data []byte) error {
	return unmarshalWhole(data, r, reasoningConfigFields.Decode)
}

// StreamOptions changes how a response is streamed.
type StreamOptions struct {
	// IncludeObfuscation pads deltas, so that their length gives nothing away.
	IncludeObfuscation bool `json:"include_obfuscation,omitempty"`
}

var streamOptionsFields = jsonx.NewObject("", nil,
	jsonx.Bool("include_obfuscation", func(s *StreamOptions) *bool { return &s.IncludeObfuscation }).OmitEmpty(),
)
