package openresponses

import (
	"fmt"
	"slices"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// A ToolChoice says which tools the model may or must use. If several fields are
// set, Function wins over Allowed, and that over Mode; if none is, the choice is
// left to the server.
type ToolChoice struct {
	Mode     ToolChoiceMode
	Function *FunctionToolChoice
	Allowed  *AllowedTools
}

// A FunctionToolChoice makes the model call one function.
type FunctionToolChoice struct {
	Name string `json:"name"`

	unknown *jsonx.Unknown
}

var functionToolChoiceFields = jsonx.NewObject(ToolTypeFunction,
	func(c *FunctionToolChoice) **jsonx.Unknown { return &c.unknown },
	jsonx.String("name", func(c *FunctionToolChoice) *string { return &c.Name }),
)

// AllowedTools restricts the model to some of the tools it was given.
type AllowedTools struct {
	Tools []ToolReference `json:"tools"`
	Mode  ToolChoiceMode  `json:"mode"`

	unknown *jsonx.Unknown
}

const toolChoiceAllowedTools = "allowed_tools"

var allowedToolsFields = jsonx.NewObject(toolChoiceAllowedTools,
	func(c *AllowedTools) **jsonx.Unknown { return &c.unknown },
	jsonx.List("tools", toolReferenceFields.Codec(), func(c *AllowedTools) *[]ToolReference { return &c.Tools }),
	jsonx.String("mode", func(c *AllowedTools) *ToolChoiceMode { return &c.Mode }),
)

// A ToolReference names one of the tools of a request.
type ToolReference struct {
	Type string `json:"type"`
	Name string `json:"name,omitempty"`

	unknown *jsonx.Unknown
}

var toolReferenceFields = jsonx.NewObject("",
	func(t *ToolReference) **jsonx.Unknown { return &t.unknown },
	jsonx.String("type", func(t *ToolReference) *string { return &t.Type }),
	jsonx.String("name", func(t *ToolReference) *string { return &t.Name }).OmitEmpty(),
)

// MarshalJSON encodes the reference.
func (t ToolReference) MarshalJSON() ([]byte, error) { return toolReferenceFields.Append(nil, &t) }

// UnmarshalJSON decodes the reference.
func (t *ToolReference) UnmarshalJSON(data []byte) error {
	return toolReferenceFields.Unmarshal(data, t)
}

// FunctionReference refers to a function by name.
func FunctionReference(name string) ToolReference {
	return ToolReference{Type: ToolTypeFunction, Name: name}
}

// ToolChoiceFunction returns the choice of one function.
func ToolChoiceFunction(name string) ToolChoice {
	return ToolChoice{Function: &FunctionToolChoice{Name: name}}
}

var toolChoiceCodec = jsonx.Codec[ToolChoice]{
	Append: func(dst []byte, c *ToolChoice) ([]byte, error) { return c.appendJSON(dst) },
	Decode: decodeToolChoice,
	Copy:   func(c *ToolChoice) error { return copyByJSON(c, c.appendJSON, decodeToolChoice) },
}

// IsZero reports whether no field is set.
func (c ToolChoice) IsZero() bool { return c == ToolChoice{} }

// MarshalJSON encodes an object for a function or for allowed tools, a string for
// a mode, and null for the zero value.
func (c ToolChoice) MarshalJSON() ([]byte, error) { return c.appendJSON(nil) }

func (c *ToolChoice) appendJSON(dst []byte) ([]byte, error) {
	switch {
	case c.Function != nil:
		return functionToolChoiceFields.Append(dst, c.Function)
	case c.Allowed != nil:
		return allowedToolsFields.Append(dst, c.Allowed)
	case c.Mode != "":
		return jsonx.AppendString(dst, c.Mode), nil
	default:
		return append(dst, "null"...), nil
	}
}

// UnmarshalJSON decodes any of the forms. An object must be of type function or
// allowed_tools.
func (c *ToolChoice) UnmarshalJSON(data []byte) error {
	if len(data) == 0 {
		*c = ToolChoice{}
		return nil
	}
	return unmarshalWhole(data, c, decodeToolChoice)
}

func decodeToolChoice(r *jsonx.Reader, c *ToolChoice) error {
	*c = ToolChoice{}
	if r.Peek() == '"' {
		mode, err := r.String()
		c.Mode = ToolChoiceMode(mode)
		return err
	}
	if null, err := r.Null(); null || err != nil {
		return err
	}
	start := r.Mark()
	h, _, err := scanHead(r)
	if err != nil {
		return fmt.Errorf("tool choice: %w", err)
	}
	r.Rewind(start)
	switch h.typ {
	case ToolTypeFunction:
		c.Function = new(FunctionToolChoice)
		return functionToolChoiceFields.Decode(r, c.Function)
	case toolChoiceAllowedTools:
		c.Allowed = new(AllowedTools)
		return allowedToolsFields.Decode(r, c.Allowed)
	default:
		return fmt.Errorf("openresponses: tool choice of unknown type %q", h.typ)
	}
}

// clone returns a deep copy.
func (c ToolChoice) clone() ToolChoice {
	c.Function = clonePointer(c.Function)
	if c.Allowed = clonePointer(c.Allowed); c.Allowed != nil {
		c.Allowed.Tools = slices.Clone(c.Allowed.Tools)
	}
	return c
}
