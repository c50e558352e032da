package agenttool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A ValidationError says what is wrong with arguments, and where, in words
// for the model that wrote them.
type ValidationError struct {
	// Path leads to the value, as in list[0].name. It is empty for the
	// arguments as a whole.
	Path string

	// Msg says what is wrong.
	Msg string
}

// Error begins with "invalid arguments:".
func (e *ValidationError) Error() string {
	if e.Path == "" {
		return "invalid arguments: " + e.Msg
	}
	return "invalid arguments: " + e.Path + ": " + e.Msg
}

// ValidateJSON checks raw, where empty means {}, and returns nil or a
// [*ValidationError] for the first thing wrong with it. It looks at the first
// JSON value of raw and no further. A nil schema accepts any JSON.
func (s *Schema) ValidateJSON(raw json.RawMessage) error {
	if len(raw) == 0 {
		raw = emptyObject
	}
	if s.accepts(raw) {
		return nil
	}
	_, err := s.parse(raw, validator{})
	return err
}

// Validate checks a decoded value and returns nil or a [*ValidationError] for
// the first thing wrong with it. Objects are map[string]any, arrays []any,
// and numbers json.Number, float64, float32, int or int64. A nil schema
// accepts anything.
func (s *Schema) Validate(v any) error {
	if err := (validator{}).check(s, v); err != nil {
		return err
	}
	return nil
}

// parse decodes the first JSON value of raw and checks it.
func (s *Schema) parse(raw []byte, check validator) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, &ValidationError{Msg: "not valid JSON: " + err.Error()}
	}
	if err := check.check(s, v); err != nil {
		return nil, err
	}
	return v, nil
}

// validator checks decoded values against a schema. Its methods return a
// typed nil, so that a path can be put in front of an error on the way out
// and costs nothing where there is none.
type validator struct {
	// exactNames refuses an undeclared member whose name is that of a
	// declared one but for its case: encoding/json would take it for the
	// declared one, unchecked.
	exactNames bool
}

func (c validator) check(s *Schema, v any) *ValidationError {
	if s == nil {
		return nil
	}
	if v == nil && s.Enum == nil {
		if s.Nullable || s.Type == "" || s.Type == "null" {
			return nil
		}
		return expected(s.Type, v)
	}
	if s.Enum != nil {
		if !slices.ContainsFunc(s.Enum, func(listed any) bool { return equal(listed, v) }) {
			return notListed(s.Enum, v)
		}
		if v == nil {
			return nil
		}
	}
	ok := false
	switch s.Type {
	case "":
		return nil
	case "object":
		if members, isObject := v.(map[string]any); isObject {
			return c.object(s, members)
		}
	case "array":
		if elements, isArray := v.([]any); isArray {
			return c.array(s, elements)
		}
	case "string":
		_, ok = v.(string)
	case "boolean":
		_, ok = v.(bool)
	case "number":
		ok = isNumber(v)
	case "integer":
		f, fits := float(v)
		ok = fits && f == math.Trunc(f) && !math.IsInf(f, 0)
	case "null":
		ok = v == nil
	default:
		return &ValidationError{Msg: fmt.Sprintf("schema type %q is not a JSON Schema type", s.Type)}
	}
	if ok {
		return nil
	}
	return expected(s.Type, v)
}

func (c validator) array(s *Schema, elements []any) *ValidationError {
	if s.Items == nil {
		return nil
	}
	for i, v := range elements {
		if err := c.check(s.Items, v); err != nil {
			return err.in("[" + strconv.Itoa(i) + "]")
		}
	}
	return nil
}

func (c validator) object(s *Schema, members map[string]any) *ValidationError {
	for _, name := range s.Required {
		if _, ok := members[name]; !ok {
			return &ValidationError{Msg: fmt.Sprintf("missing required property %q", name)}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member := s.AdditionalProperties
		if p := s.property(name); p != nil {
			member = p.Schema
		} else if s.NoAdditional {
			return &ValidationError{Msg: fmt.Sprintf("unexpected property %q", name)}
		} else if like := s.propertyFold(name); like != "" && c.exactNames {
			return &ValidationError{Msg: fmt.Sprintf("unexpected property %q, did you mean %q?", name, like)}
		}
		if err := c.check(member, members[name]); err != nil {
			return err.in(name)
		}
	}
	return nil
}

// property finds a declared member.
func (s *Schema) property(name string) *Property {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}

// propertyFold names the declared member that name is but for its case, and
// is empty where there is none.
func (s *Schema) propertyFold(name string) string {
	for i := range s.Properties {
		if strings.EqualFold(s.Properties[i].Name, name) {
			return s.Properties[i].Name
		}
	}
	return ""
}

// in puts the name or the index of what holds the value before its path.
func (e *ValidationError) in(parent string) *ValidationError {
	switch {
	case e.Path == "":
		e.Path = parent
	case e.Path[0] == '[':
		e.Path = parent + e.Path
	default:
		e.Path = parent + "." + e.Path
	}
	return e
}

func expected(kind string, got any) *ValidationError {
	return &ValidationError{Msg: "expected " + kind + ", got " + render(got)}
}

func notListed(enum []any, got any) *ValidationError {
	listed := make([]string, len(enum))
	for i, v := range enum {
		listed[i] = render(v)
	}
	return &ValidationError{Msg: "expected one of [" + strings.Join(listed, ", ") + "], got " + render(got)}
}

// render shows a value to the model: scalars as they are written, containers
// by their kind.
func render(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(v)
	case json.Number:
		return v.String()
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case bool, float64, float32, int, int64:
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%T", v)
}

// equal compares a value with one that an enum lists, numbers as float64.
func equal(listed, v any) bool {
	switch listed := listed.(type) {
	case nil:
		return v == nil
	case string:
		s, ok := v.(string)
		return ok && s == listed
	case bool:
		b, ok := v.(bool)
		return ok && b == listed
	}
	a, aok := float(listed)
	b, bok := float(v)
	return aok && bok && a == b
}

func isNumber(v any) bool {
	switch v.(type) {
	case json.Number, float64, float32, int, int64:
		return true
	}
	return false
}

// float gives the value of a number, and whether it is one that float64 can
// hold.
func float(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case float64:
		return v, true
	case float32:
		return float64(v), true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	}
	return 0, false
}
