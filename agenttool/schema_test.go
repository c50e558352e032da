package agenttool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

func TestSchemaJSON(t *testing.T) {
	str := &agenttool.Schema{Type: "string"}
	tests := []struct {
		name   string
		schema agenttool.Schema
		want   string
	}{
		{"zero", agenttool.Schema{}, `{}`},
		{"type", agenttool.Schema{Type: "string"}, `{"type":"string"}`},
		{"nullable", agenttool.Schema{Type: "string", Nullable: true}, `{"type":["string","null"]}`},
		{"nullable without a type", agenttool.Schema{Nullable: true}, `{}`},
		{"nil slices are left out", agenttool.Schema{Type: "object"}, `{"type":"object"}`},
		{"empty slices are not", agenttool.Schema{Enum: []any{}, Properties: []agenttool.Property{}, Required: []string{}},
			`{"enum":[],"properties":{},"required":[]}`},
		{"a nil schema within", agenttool.Schema{Properties: []agenttool.Property{{Name: "a"}}}, `{"properties":{"a":{}}}`},
		{"additional properties", agenttool.Schema{AdditionalProperties: str}, `{"additionalProperties":{"type":"string"}}`},
		{"no additional properties go first", agenttool.Schema{AdditionalProperties: str, NoAdditional: true}, `{"additionalProperties":false}`},
		{"enum", agenttool.Schema{Enum: []any{"a", int64(1), 1.5, true, nil}}, `{"enum":["a",1,1.5,true,null]}`},
		{"HTML and bad UTF-8", agenttool.Schema{Description: "<&>\xff"}, `{"description":"\u003c\u0026\u003e\ufffd"}`},
		{"every member, in order", agenttool.Schema{
			Items: str, NoAdditional: true, Required: []string{"b"}, Enum: []any{1}, Format: "f", Description: "d", Type: "object",
			Properties: []agenttool.Property{{Name: "b", Schema: str}, {Name: "a", Schema: &agenttool.Schema{}}},
		}, `{"type":"object","description":"d","format":"f","enum":[1],"properties":{"b":{"type":"string"},"a":{}},` +
			`"required":["b"],"items":{"type":"string"},"additionalProperties":false}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			direct, err := tt.schema.MarshalJSON()
			if err != nil || string(direct) != tt.want {
				t.Errorf("MarshalJSON: %s, %v, want %s", direct, err, tt.want)
			}
			for kind, v := range map[string]any{"value": tt.schema, "pointer": &tt.schema} {
				if got, err := json.Marshal(v); err != nil || string(got) != tt.want {
					t.Errorf("json.Marshal of a %s: %s, %v, want %s", kind, got, err, tt.want)
				}
			}
		})
	}
}

func TestSchemasWithoutAJSONForm(t *testing.T) {
	_, err := agenttool.Schema{Enum: []any{make(chan int)}}.MarshalJSON()
	checkError(t, err, "agenttool: schema: json: unsupported type: chan int")

	// Twice over, so that following each of them would take for ever.
	loop := &agenttool.Schema{Type: "array"}
	loop.Items, loop.AdditionalProperties = loop, loop
	if _, err := loop.MarshalJSON(); err == nil || !strings.HasPrefix(err.Error(), "agenttool: schema is more than") {
		t.Errorf("a schema that contains itself: %v", err)
	}
	if err := loop.ValidateJSON(json.RawMessage(`[[],[[]]]`)); err != nil {
		t.Errorf("a schema that contains itself checks what is finite: %v", err)
	}
	checkError(t, loop.ValidateJSON(json.RawMessage(`[[],[[1]]]`)), "invalid arguments: [1][0][0]: expected array, got 1")
}
