package agenttool

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Schema is the part of JSON Schema that tools use. The zero value allows
// anything.
type Schema struct {
	// Type is a JSON Schema type; empty for any.
	Type string

	// Nullable allows null besides Type.
	Nullable bool

	// Description tells the model what the value is.
	Description string

	// Format refines a string, as date-time does. It is not validated.
	Format string

	// Enum lists the values allowed; nil allows all.
	Enum []any

	// Properties are the declared members of an object, in order. Nil is left
	// out of the JSON; empty is not.
	Properties []Property

	// Required names the members an object must have. Nil is left out of the
	// JSON; empty is not.
	Required []string

	// AdditionalProperties is the schema of undeclared members; nil allows
	// and ignores them.
	AdditionalProperties *Schema

	// NoAdditional refuses undeclared members. It goes before
	// AdditionalProperties.
	NoAdditional bool

	// Items is the schema of an array's elements; nil allows any.
	Items *Schema
}

// A Property is a declared member of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// maxSchemaDepth bounds the schemas that can be written as JSON. Only one
// that contains itself is deeper, and it has no JSON form.
const maxSchemaDepth = 1000

// MarshalJSON writes the schema, compact, with its members in a fixed order,
// so that equal schemas are equal bytes. A nil schema within is {}.
func (s Schema) MarshalJSON() ([]byte, error) {
	var w schemaWriter
	w.schema(&s, 0)
	if w.err != nil {
		return nil, w.err
	}
	return w.buf.Bytes(), nil
}

// schemaWriter keeps its first error.
type schemaWriter struct {
	buf bytes.Buffer
	err error
}

func (w *schemaWriter) schema(s *Schema, depth int) {
	if depth > maxSchemaDepth {
		w.fail(fmt.Errorf("agenttool: schema is more than %d levels deep", maxSchemaDepth))
	}
	if w.err != nil {
		return // a schema that contains itself twice would go on for ever
	}
	if s == nil {
		w.buf.WriteString("{}")
		return
	}
	start := w.buf.Len()
	switch {
	case s.Type != "" && s.Nullable:
		w.member(start, "type")
		w.value([]string{s.Type, "null"})
	case s.Type != "":
		w.member(start, "type")
		w.value(s.Type)
	}
	if s.Description != "" {
		w.member(start, "description")
		w.value(s.Description)
	}
	if s.Format != "" {
		w.member(start, "format")
		w.value(s.Format)
	}
	if s.Enum != nil {
		w.member(start, "enum")
		w.value(s.Enum)
	}
	if s.Properties != nil {
		w.member(start, "properties")
		w.properties(s.Properties, depth)
	}
	if s.Required != nil {
		w.member(start, "required")
		w.value(s.Required)
	}
	if s.Items != nil {
		w.member(start, "items")
		w.schema(s.Items, depth+1)
	}
	switch {
	case s.NoAdditional:
		w.member(start, "additionalProperties")
		w.buf.WriteString("false")
	case s.AdditionalProperties != nil:
		w.member(start, "additionalProperties")
		w.schema(s.AdditionalProperties, depth+1)
	}
	if w.buf.Len() == start {
		w.buf.WriteByte('{')
	}
	w.buf.WriteByte('}')
}

func (w *schemaWriter) properties(properties []Property, depth int) {
	start := w.buf.Len()
	for _, p := range properties {
		w.next(start)
		w.value(p.Name)
		w.buf.WriteByte(':')
		w.schema(p.Schema, depth+1)
	}
	if w.buf.Len() == start {
		w.buf.WriteByte('{')
	}
	w.buf.WriteByte('}')
}

// member begins a member of the object that began at start.
func (w *schemaWriter) member(start int, name string) {
	w.next(start)
	w.buf.WriteByte('"')
	w.buf.WriteString(name)
	w.buf.WriteString(`":`)
}

// next opens the object that begins at start, or separates its members.
func (w *schemaWriter) next(start int) {
	if w.buf.Len() == start {
		w.buf.WriteByte('{')
	} else {
		w.buf.WriteByte(',')
	}
}

func (w *schemaWriter) value(v any) {
	data, err := json.Marshal(v)
	if err != nil {
		w.fail(fmt.Errorf("agenttool: schema: %w", err))
	}
	w.buf.Write(data)
}

func (w *schemaWriter) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}
