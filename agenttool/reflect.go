package agenttool

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// A Schemer is an argument type that brings its own schema. It is looked for
// on the argument type of a tool only, not on its fields.
type Schemer interface {
	// JSONSchema gives the schema, which is served as it is and not checked.
	// It is called on a zero value.
	JSONSchema() json.RawMessage
}

// SchemaFor is [SchemaOf] for the type T.
func SchemaFor[T any](opts ...Option) (json.RawMessage, error) {
	return SchemaOf(reflect.TypeFor[T](), opts...)
}

// SchemaOf gives the JSON Schema of an argument type: that of a [Schemer], or
// else the one that [Reflect] builds. Of the options it heeds [WithStrict].
func SchemaOf(t reflect.Type, opts ...Option) (json.RawMessage, error) {
	if custom, ok := customSchema(t); ok {
		return custom, nil
	}
	schema, err := Reflect(t, opts...)
	if err != nil {
		return nil, err
	}
	return schema.MarshalJSON()
}

// Reflect builds the schema of an argument type, a struct or a pointer to
// one, from its fields as encoding/json reads them. It fails for a type that
// contains itself and for one that JSON has no form for, and under
// [WithStrict] for maps; other options do not matter to it.
func Reflect(t reflect.Type, opts ...Option) (*Schema, error) {
	return reflectSchema(t, optionsOf(opts).strict)
}

func reflectSchema(t reflect.Type, strict bool) (*Schema, error) {
	if t == nil {
		return nil, errors.New("agenttool: schema of nil type")
	}
	args := deref(t)
	if args.Kind() != reflect.Struct {
		return nil, fmt.Errorf("agenttool: arguments must be a struct, got %s", args)
	}
	r := reflector{strict: strict}
	return r.object(args)
}

// customSchema calls the JSONSchema method of t, or of a pointer to t.
func customSchema(t reflect.Type) (json.RawMessage, bool) {
	schemer := reflect.TypeFor[Schemer]()
	switch {
	case t == nil || t.Kind() == reflect.Interface:
		return nil, false
	case t.Kind() == reflect.Pointer && t.Implements(schemer):
		// A nil pointer would do for a method that does not look at its
		// receiver, and crash in any other.
		return reflect.New(t.Elem()).Interface().(Schemer).JSONSchema(), true
	case t.Implements(schemer):
		return reflect.Zero(t).Interface().(Schemer).JSONSchema(), true
	case reflect.PointerTo(t).Implements(schemer):
		return reflect.New(t).Interface().(Schemer).JSONSchema(), true
	}
	return nil, false
}

// reflector builds one schema.
type reflector struct {
	strict bool
	path   []reflect.Type // the types being expanded, outermost first
}

// enter puts t on the path and fails where t is on it already.
func (r *reflector) enter(t reflect.Type) error {
	for i := len(r.path) - 1; i >= 0; i-- {
		if r.path[i] == t {
			return fmt.Errorf("agenttool: recursive type %s cannot be expressed as a schema", t)
		}
		if t.Kind() != reflect.Struct && r.path[i].Kind() == reflect.Struct {
			break // if t recurs beyond a struct, it is the struct that is reported
		}
	}
	r.path = append(r.path, t)
	return nil
}

func (r *reflector) leave() { r.path = r.path[:len(r.path)-1] }

// object is the schema of a struct.
func (r *reflector) object(t reflect.Type) (*Schema, error) {
	fields, err := r.fields(nil, t, 0)
	if err != nil {
		return nil, err
	}
	s := &Schema{Type: "object", Properties: []Property{}, Required: []string{}, NoAdditional: r.strict}
	winners := dominant(fields)
	for i, f := range fields {
		if winners[f.name] != i {
			continue
		}
		s.Properties = append(s.Properties, Property{Name: f.name, Schema: f.schema})
		if r.strict || !f.optional {
			s.Required = append(s.Required, f.name)
		}
	}
	return s, nil
}

// field is a struct field on its way to be a property.
type field struct {
	name     string
	tagged   bool // the name is from the json tag
	optional bool
	depth    int // of embedding
	schema   *Schema
}

// fields appends the fields of t, those of embedded structs in their place.
func (r *reflector) fields(fields []field, t reflect.Type, depth int) ([]field, error) {
	if err := r.enter(t); err != nil {
		return nil, err
	}
	defer r.leave()
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, tagOptions, _ := strings.Cut(tag, ",")
		if sf.Anonymous && name == "" {
			if embedded := deref(sf.Type); embedded.Kind() == reflect.Struct {
				var err error
				if fields, err = r.fields(fields, embedded, depth+1); err != nil {
					return nil, err
				}
				continue
			}
		}
		if !sf.IsExported() {
			continue
		}
		schema, err := r.field(sf)
		if err != nil {
			return nil, err
		}
		f := field{name: name, tagged: name != "", depth: depth, schema: schema}
		if name == "" {
			f.name = sf.Name
		}
		f.optional = sf.Type.Kind() == reflect.Pointer || hasOption(tagOptions, "omitempty") || hasOption(tagOptions, "omitzero")
		fields = append(fields, f)
	}
	return fields, nil
}

// dominant maps each name to the index of the field that has it, by the rules
// of encoding/json: the shallowest, then the one that is tagged. Where that
// leaves several, nobody has the name, and the index is -1.
func dominant(fields []field) map[string]int {
	winners := make(map[string]int, len(fields))
	best := make(map[string]field, len(fields))
	for i, f := range fields {
		b, seen := best[f.name]
		switch {
		case !seen || f.depth < b.depth || f.depth == b.depth && f.tagged && !b.tagged:
			best[f.name], winners[f.name] = f, i
		case f.depth == b.depth && f.tagged == b.tagged:
			winners[f.name] = -1
		}
	}
	return winners
}

// field is the schema of a struct field: that of its type, with what its tags
// say.
func (r *reflector) field(sf reflect.StructField) (*Schema, error) {
	s, err := r.value(sf.Type, sf.Name)
	if err != nil {
		return nil, err
	}
	s.Description = sf.Tag.Get("desc")
	if tag := sf.Tag.Get("enum"); tag != "" {
		if s.Enum, err = enumOf(deref(sf.Type), tag); err != nil {
			return nil, fmt.Errorf("agenttool: field %s: %w", sf.Name, err)
		}
	}
	if r.strict && sf.Type.Kind() == reflect.Pointer {
		s.Nullable = s.Type != ""
		if s.Enum != nil {
			s.Enum = append(s.Enum, nil)
		}
	}
	return s, nil
}

// value is the schema of a type within a field, which is named in errors.
func (r *reflector) value(t reflect.Type, field string) (*Schema, error) {
	if s := wellKnown(t); s != nil {
		return s, nil
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		// Types that hold others can contain themselves without a struct.
		if err := r.enter(t); err != nil {
			return nil, err
		}
		defer r.leave()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return r.value(t.Elem(), field)
	case reflect.Slice, reflect.Array:
		items, err := r.value(t.Elem(), field)
		if err != nil {
			return nil, err
		}
		return &Schema{Type: "array", Items: items}, nil
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("agenttool: field %s: map key must be a string, got %s", field, t.Key())
		}
		if r.strict {
			return nil, fmt.Errorf("agenttool: field %s: maps cannot be expressed in a strict schema", field)
		}
		values, err := r.value(t.Elem(), field)
		if err != nil {
			return nil, err
		}
		return &Schema{Type: "object", AdditionalProperties: values}, nil
	case reflect.Struct:
		return r.object(t)
	}
	return nil, fmt.Errorf("agenttool: field %s: unsupported type %s", field, t)
}

// wellKnown is the schema of a type whose elements do not matter, and nil for
// any other, pointers among them.
func wellKnown(t reflect.Type) *Schema {
	switch {
	case t.Kind() == reflect.Pointer:
		return nil
	case t == reflect.TypeFor[time.Time]():
		return &Schema{Type: "string", Format: "date-time"}
	case t == reflect.TypeFor[json.RawMessage](), t.Implements(reflect.TypeFor[json.Marshaler]()):
		return &Schema{}
	case implementsOrPointer(t, reflect.TypeFor[encoding.TextMarshaler]()):
		return &Schema{Type: "string"}
	}
	switch kind := t.Kind(); {
	case kind == reflect.Bool:
		return &Schema{Type: "boolean"}
	case isInteger(kind):
		return &Schema{Type: "integer"}
	case kind == reflect.Float32, kind == reflect.Float64:
		return &Schema{Type: "number"}
	case kind == reflect.String, kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return &Schema{Type: "string"}
	case kind == reflect.Interface:
		return &Schema{}
	}
	return nil
}

// enumOf reads an enum tag as values of type t.
func enumOf(t reflect.Type, tag string) ([]any, error) {
	var parse func(string) (any, error)
	switch kind := t.Kind(); {
	case kind == reflect.String:
		parse = func(s string) (any, error) { return s, nil }
	case isInteger(kind):
		parse = func(s string) (any, error) { return strconv.ParseInt(s, 10, 64) }
	case kind == reflect.Float32, kind == reflect.Float64:
		parse = func(s string) (any, error) { return strconv.ParseFloat(s, 64) }
	case kind == reflect.Bool:
		parse = func(s string) (any, error) { return strconv.ParseBool(s) }
	default:
		return nil, fmt.Errorf("enum tag on unsupported type %s", t)
	}
	parts := strings.Split(tag, ",")
	values := make([]any, len(parts), len(parts)+1) // strict mode may add null
	for i, part := range parts {
		part = strings.TrimSpace(part)
		v, err := parse(part)
		if err != nil {
			return nil, fmt.Errorf("enum value %q: %w", part, err)
		}
		values[i] = v
	}
	return values, nil
}

func isInteger(kind reflect.Kind) bool {
	return reflect.Int <= kind && kind <= reflect.Uintptr
}

// deref gives the type that t points to, through any number of pointers that
// makes sense: a pointer type may point to itself.
func deref(t reflect.Type) reflect.Type {
	for n := 0; n < 100 && t.Kind() == reflect.Pointer; n++ {
		t = t.Elem()
	}
	return t
}

func implementsOrPointer(t, iface reflect.Type) bool {
	return t.Implements(iface) || reflect.PointerTo(t).Implements(iface)
}

func hasOption(options, name string) bool {
	for option := range strings.SplitSeq(options, ",") {
		if option == name {
			return true
		}
	}
	return false
}
