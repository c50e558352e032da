package openresponses

import (
	"encoding/json"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// A FunctionCall is the model's request to call a function.
type FunctionCall struct {
	ID     string `json:"id,omitempty"`
	Status Status `json:"status,omitempty"`
	// CallID pairs the call with its [FunctionCallOutput].
	CallID string `json:"call_id"`
	Name   string `json:"name"`
	// Arguments is the text the model wrote, which should be a JSON object.
	Arguments string `json:"arguments"`

	unknown *jsonx.Unknown
}

var functionCallFields = jsonx.NewObject(ItemTypeFunctionCall,
	func(f *FunctionCall) **jsonx.Unknown { return &f.unknown },
	jsonx.String("id", func(f *FunctionCall) *string { return &f.ID }).OmitEmpty(),
	jsonx.String("status", func(f *FunctionCall) *Status { return &f.Status }).OmitEmpty(),
	jsonx.String("call_id", func(f *FunctionCall) *string { return &f.CallID }),
	jsonx.String("name", func(f *FunctionCall) *string { return &f.Name }),
	jsonx.String("arguments", func(f *FunctionCall) *string { return &f.Arguments }),
)

// ItemType returns ItemTypeFunctionCall.
func (*FunctionCall) ItemType() string { return ItemTypeFunctionCall }

// MarshalJSON encodes the call.
func (f *FunctionCall) MarshalJSON() ([]byte, error) { return f.appendJSON(nil) }

func (f *FunctionCall) appendJSON(dst []byte) ([]byte, error) {
	return functionCallFields.Append(dst, f)
}

// UnmarshalJSON decodes a call.
func (f *FunctionCall) UnmarshalJSON(data []byte) error {
	return functionCallFields.Unmarshal(data, f)
}

// UnmarshalArguments decodes the arguments into v. The error is that of
// [json.Unmarshal]; empty arguments are one.
func (f *FunctionCall) UnmarshalArguments(v any) error {
	return json.Unmarshal([]byte(f.Arguments), v)
}

// A FunctionCallOutput is what a function call came to.
type FunctionCallOutput struct {
	ID     string                 `json:"id,omitempty"`
	Status Status                 `json:"status,omitempty"`
	CallID string                 `json:"call_id"`
	Output FunctionCallOutputData `json:"output"`

	unknown *jsonx.Unknown
}

var functionCallOutputFields = jsonx.NewObject(ItemTypeFunctionCallOutput,
	func(f *FunctionCallOutput) **jsonx.Unknown { return &f.unknown },
	jsonx.String("id", func(f *FunctionCallOutput) *string { return &f.ID }).OmitEmpty(),
	jsonx.String("status", func(f *FunctionCallOutput) *Status { return &f.Status }).OmitEmpty(),
	jsonx.String("call_id", func(f *FunctionCallOutput) *string { return &f.CallID }),
	jsonx.Custom("output",
		func(dst []byte, f *FunctionCallOutput) ([]byte, error) { return f.Output.appendJSON(dst) },
		func(r *jsonx.Reader, f *FunctionCallOutput) error { return decodeOutputData(r, &f.Output) },
		func(f *FunctionCallOutput) error { return f.Output.copyInPlace() },
		func(f *FunctionCallOutput) bool { return f.Output.Text == "" && f.Output.Parts == nil },
	),
)

// ItemType returns ItemTypeFunctionCallOutput.
func (*FunctionCallOutput) ItemType() string { return ItemTypeFunctionCallOutput }

// MarshalJSON encodes the output.
func (f *FunctionCallOutput) MarshalJSON() ([]byte, error) { return f.appendJSON(nil) }

func (f *FunctionCallOutput) appendJSON(dst []byte) ([]byte, error) {
	return functionCallOutputFields.Append(dst, f)
}

// UnmarshalJSON decodes an output.
func (f *FunctionCallOutput) UnmarshalJSON(data []byte) error {
	return functionCallOutputFields.Unmarshal(data, f)
}

// NewFunctionCallOutput returns the output of a call as text.
func NewFunctionCallOutput(callID, output string) *FunctionCallOutput {
	return &FunctionCallOutput{CallID: callID, Output: FunctionCallOutputData{Text: output}}
}

// FunctionCallOutputData is a text or a list of parts, such as images. Parts, if
// not nil, win over Text.
type FunctionCallOutputData struct {
	Text  string
	Parts Contents
}

// MarshalJSON encodes the parts as an array, else the text as a string.
func (d FunctionCallOutputData) MarshalJSON() ([]byte, error) { return d.appendJSON(nil) }

func (d *FunctionCallOutputData) appendJSON(dst []byte) ([]byte, error) {
	if d.Parts != nil {
		return jsonx.AppendList(dst, contentCodec, d.Parts)
	}
	return jsonx.AppendString(dst, d.Text), nil
}

// UnmarshalJSON decodes a string or an array of parts; null is an empty array.
func (d *FunctionCallOutputData) UnmarshalJSON(data []byte) error {
	return unmarshalWhole(data, d, decodeOutputData)
}

func decodeOutputData(r *jsonx.Reader, d *FunctionCallOutputData) (err error) {
	*d = FunctionCallOutputData{}
	if r.Peek() == '"' {
		d.Text, err = r.String()
		return err
	}
	return decodeContents(r, &d.Parts)
}

func (d *FunctionCallOutputData) copyInPlace() error {
	if d.Parts == nil {
		d.Text = jsonx.ValidString(d.Text)
		return nil
	}
	d.Text = ""
	return jsonx.CopyList(contentCodec, &d.Parts)
}

// String returns the text, or that of the parts; see [Contents.Text].
func (d FunctionCallOutputData) String() string {
	if d.Parts != nil {
		return d.Parts.Text()
	}
	return d.Text
}
