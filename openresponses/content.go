package openresponses

import (
	"encoding/json"
	"strings"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// Types of the content parts this package knows.
const (
	ContentTypeInputText     = "input_text"
	ContentTypeInputImage    = "input_image"
	ContentTypeInputFile     = "input_file"
	ContentTypeInputVideo    = "input_video"
	ContentTypeOutputText    = "output_text"
	ContentTypeRefusal       = "refusal"
	ContentTypeText          = "text"
	ContentTypeSummaryText   = "summary_text"
	ContentTypeReasoningText = "reasoning_text"
)

// A Content is one part of a message, of an output or of a reasoning item. The
// parts of this package are pointers, [*InputText] and so on; others can be added
// with [RegisterContent]. Undeclared members are kept, as those of an [Item] are.
type Content interface {
	// ContentType is the part's member "type".
	ContentType() string
}

var contentTypes = newRegistry(
	family[Content]{
		kind:    "content",
		typeOf:  Content.ContentType,
		builtin: isBuiltinContent,
		unknown: func(h head, raw json.RawMessage) Content { return &UnknownContent{Type: h.typ, Raw: raw} },
	},
	builtinType[Content](ContentTypeInputText, inputTextFields),
	builtinType[Content](ContentTypeInputImage, inputImageFields),
	builtinType[Content](ContentTypeInputFile, inputFileFields),
	builtinType[Content](ContentTypeInputVideo, inputVideoFields),
	builtinType[Content](ContentTypeOutputText, outputTextFields),
	builtinType[Content](ContentTypeRefusal, refusalFields),
	builtinType[Content](ContentTypeText, textFields),
	builtinType[Content](ContentTypeSummaryText, summaryTextFields),
	builtinType[Content](ContentTypeReasoningText, reasoningTextFields),
)

func isBuiltinContent(part Content) bool {
	switch part.(type) {
	case *InputText, *InputImage, *InputFile, *InputVideo, *OutputText, *Refusal, *Text,
		*SummaryText, *ReasoningText, *UnknownContent:
		return true
	}
	return false
}

// Contents is a list of parts. It encodes as an array; a nil list on its own is
// null.
type Contents []Content

var (
	contentCodec   = contentTypes.codec("content")
	decodeContents = decodeArray[Contents](contentCodec)
)

// contentsField returns the row of a list of parts.
func contentsField[T any](name string, at func(*T) *Contents) jsonx.Field[T] {
	return jsonx.DecodeAs(jsonx.List(name, contentCodec, at), decodeContents, at)
}

// UnmarshalJSON decodes an array of parts; null is an empty list that is not nil.
// The error for an element begins with its position, content[0]. On error the list
// is as it was.
func (c *Contents) UnmarshalJSON(data []byte) error { return unmarshalWhole(data, c, decodeContents) }

// Text returns the text of all parts that have one, joined without separators:
// input, output, plain, summary and reasoning text. Refusals, media and unknown
// parts have none.
func (c Contents) Text() string {
	if len(c) == 1 {
		return partText(c[0])
	}
	var text strings.Builder
	for _, part := range c {
		text.WriteString(partText(part))
	}
	return text.String()
}

func partText(part Content) string {
	switch p := part.(type) {
	case *InputText:
		return p.Text
	case *OutputText:
		return p.Text
	case *Text:
		return p.Text
	case *SummaryText:
		return p.Text
	case *ReasoningText:
		return p.Text
	}
	return ""
}

// An UnknownContent is a part of a type that nobody registered, kept as it came.
type UnknownContent struct {
	Type string // "" if the part had none
	// Raw is the part's JSON. While it is not empty it alone is encoded.
	Raw json.RawMessage
}

var unknownContentFields = jsonx.NewObject("", nil,
	jsonx.String("type", func(p *UnknownContent) *string { return &p.Type }),
)

// ContentType returns Type.
func (p *UnknownContent) ContentType() string { return p.Type }

// MarshalJSON returns Raw, with its text repaired where a receiver would refuse
// it. Without Raw it encodes the type alone.
func (p *UnknownContent) MarshalJSON() ([]byte, error) {
	if p != nil && len(p.Raw) > 0 {
		return jsonx.Repair(p.Raw), nil
	}
	return p.appendJSON(nil)
}

func (p *UnknownContent) appendJSON(dst []byte) ([]byte, error) {
	if p != nil && len(p.Raw) > 0 {
		return jsonx.AppendRaw(dst, p.Raw)
	}
	return unknownContentFields.Append(dst, p)
}

// UnmarshalJSON keeps a copy of data, an object or null, and takes its type from it.
func (p *UnknownContent) UnmarshalJSON(data []byte) error {
	h, raw, err := unmarshalHead(data)
	if err != nil {
		return err
	}
	*p = UnknownContent{Type: h.typ, Raw: raw}
	return nil
}
