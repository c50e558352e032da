package openresponses

import (
	"encoding/json"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// ToolTypeFunction is the type of the tool this package knows.
const ToolTypeFunction = "function"

// A Tool is something the model may use: [*FunctionTool], [*UnknownTool], or a type
// added with [RegisterTool]. Undeclared members are kept, as those of an [Item] are.
type Tool interface {
	// ToolType is the tool's member "type".
	ToolType() string
}

var toolTypes = newRegistry(
	family[Tool]{
		kind:    "tool",
		typeOf:  Tool.ToolType,
		builtin: isBuiltinTool,
		unknown: func(h head, raw json.RawMessage) Tool { return &UnknownTool{Type: h.typ, Raw: raw} },
	},
	builtinType[Tool](ToolTypeFunction, functionToolFields),
)

func isBuiltinTool(tool Tool) bool {
	switch tool.(type) {
	case *FunctionTool, *UnknownTool:
		return true
	}
	return false
}

// Tools is a list of tools. It encodes as an array; a nil list on its own is null.
type Tools []Tool

var (
	toolCodec   = toolTypes.codec("tools")
	decodeTools = decodeArray[Tools](toolCodec)
)

// toolsField returns the row of a list of tools.
func toolsField[T any](name string, at func(*T) *Tools) jsonx.Field[T] {
	return jsonx.DecodeAs(jsonx.List(name, toolCodec, at), decodeTools, at)
}

// UnmarshalJSON decodes an array of tools; null is an empty list that is not nil.
// The error for an element begins with its position, tools[0]. On error the list is
// as it was.
func (t *Tools) UnmarshalJSON(data []byte) error { return unmarshalWhole(data, t, decodeTools) }

// A FunctionTool is a function the model may call.
type FunctionTool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Parameters is the JSON schema of the arguments; empty is written as null.
	Parameters json.RawMessage `json:"parameters"`
	// Strict asks that arguments keep to the schema; nil leaves it to the server.
	Strict *bool `json:"strict,omitempty"`

	unknown *jsonx.Unknown
}

var functionToolFields = jsonx.NewObject(ToolTypeFunction,
	func(f *FunctionTool) **jsonx.Unknown { return &f.unknown },
	jsonx.String("name", func(f *FunctionTool) *string { return &f.Name }),
	jsonx.String("description", func(f *FunctionTool) *string { return &f.Description }),
	jsonx.Raw("parameters", func(f *FunctionTool) *json.RawMessage { return &f.Parameters }),
	jsonx.Optional("strict", jsonx.BoolCodec, func(f *FunctionTool) **bool { return &f.Strict }).OmitEmpty(),
)

// ToolType returns ToolTypeFunction.
func (*FunctionTool) ToolType() string { return ToolTypeFunction }

// MarshalJSON encodes the tool.
func (f *FunctionTool) MarshalJSON() ([]byte, error) { return f.appendJSON(nil) }

func (f *FunctionTool) appendJSON(dst []byte) ([]byte, error) {
	return functionToolFields.Append(dst, f)
}

// UnmarshalJSON decodes the tool.
func (f *FunctionTool) UnmarshalJSON(data []byte) error { return functionToolFields.Unmarshal(data, f) }

// NewFunctionTool returns a tool with the given schema, which is not checked.
func NewFunctionTool(name, description string, parameters json.RawMessage) *FunctionTool {
	return &FunctionTool{Name: name, Description: description, Parameters: parameters}
}

// An UnknownTool is a tool of a type that nobody registered, kept as it came.
type UnknownTool struct {
	Type string // "" if the tool had none
	// Raw is the tool's JSON. While it is not empty it alone is encoded.
	Raw json.RawMessage
}

var unknownToolFields = jsonx.NewObject("", nil,
	jsonx.String("type", func(u *UnknownTool) *string { return &u.Type }),
)

// ToolType returns Type.
func (u *UnknownTool) ToolType() string { return u.Type }

// MarshalJSON returns Raw, with its text repaired where a receiver would refuse
// it. Without Raw it encodes the type alone.
func (u *UnknownTool) MarshalJSON() ([]byte, error) {
	if u != nil && len(u.Raw) > 0 {
		return jsonx.Repair(u.Raw), nil
	}
	return u.appendJSON(nil)
}

func (u *UnknownTool) appendJSON(dst []byte) ([]byte, error) {
	if u != nil && len(u.Raw) > 0 {
		return jsonx.AppendRaw(dst, u.Raw)
	}
	return unknownToolFields.Append(dst, u)
}

// UnmarshalJSON keeps a copy of data, an object or null, and takes its type from it.
func (u *UnknownTool) UnmarshalJSON(data []byte) error {
	h, raw, err := unmarshalHead(data)
	if err != nil {
		return err
	}
	*u = UnknownTool{Type: h.typ, Raw: raw}
	return nil
}
