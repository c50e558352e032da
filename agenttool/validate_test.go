package agenttool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

type schema = agenttool.Schema

var (
	str     = &schema{Type: "string"}
	integer = &schema{Type: "integer"}
	nested  = &schema{Type: "object", Properties: property("list", &schema{Type: "array", Items: &schema{
		Type: "object", Properties: property("name", str), Required: []string{"name"}}})}
)

func property(name string, s *schema) []agenttool.Property {
	return []agenttool.Property{{Name: name, Schema: s}}
}

type validateCase struct {
	name   string
	schema *schema
	json   string
	want   string // of the error, without its beginning
}

// textCases are about JSON text, null and enums.
var textCases = []validateCase{
	{"nil schema", nil, `[1]`, ``},
	{"nil schema, not JSON", nil, `x`, `not valid JSON: invalid character 'x' looking for beginning of value`},
	{"empty schema", &schema{}, `null`, ``},
	{"empty input is an object", &schema{Type: "object"}, ``, ``},
	{"blank input is not", &schema{Type: "object"}, ` `, `not valid JSON: EOF`},
	{"half a value", &schema{}, `{"a":`, `not valid JSON: unexpected EOF`},
	{"what follows is not looked at", &schema{Type: "object"}, `{} x`, ``},

	{"null", str, `null`, `expected string, got null`},
	{"null, nullable", &schema{Type: "string", Nullable: true}, `null`, ``},
	{"null, null", &schema{Type: "null"}, `null`, ``},
	{"null, unknown type", &schema{Type: "foo"}, `null`, `expected foo, got null`},

	{"enum", &schema{Type: "string", Enum: []any{"a", "b"}}, `"b"`, ``},
	{"enum, not listed", &schema{Type: "string", Enum: []any{"a", 1, 1.5, true, nil}}, `"c"`,
		`expected one of ["a", 1, 1.5, true, null], got "c"`},
	{"enum, listed null before the type", &schema{Type: "string", Enum: []any{"a", nil}}, `null`, ``},
	{"enum, null not listed though nullable", &schema{Type: "string", Nullable: true, Enum: []any{"a"}}, `null`,
		`expected one of ["a"], got null`},
	{"enum, listed and of another type", &schema{Type: "integer", Enum: []any{"a"}}, `"a"`, `expected integer, got "a"`},
	{"enum, numbers by value", &schema{Type: "number", Enum: []any{int64(100)}}, `1e2`, ``},
	{"enum, number as a string", &schema{Type: "string", Enum: []any{int64(1)}}, `"1"`, `expected one of [1], got "1"`},
	{"enum, boolean", &schema{Type: "boolean", Enum: []any{true}}, `false`, `expected one of [true], got false`},
	{"enum, boolean listed", &schema{Type: "boolean", Enum: []any{true}}, `true`, ``},
	{"enum, object", &schema{Enum: []any{"a"}}, `{}`, `expected one of ["a"], got object`},
	{"enum, array", &schema{Enum: []any{"a"}}, `[]`, `expected one of ["a"], got array`},
	{"enum, empty", &schema{Enum: []any{}}, `1`, `expected one of [], got 1`},
	{"enum, not UTF-8", &schema{Enum: []any{"a\xff"}}, "\"a\xff\"", `expected one of ["a\xff"], got "a�"`},
	{"enum, escaped", &schema{Enum: []any{"a"}}, `"\u0061"`, ``},
}

// typeCases are about a value's type.
var typeCases = []validateCase{
	{"object", &schema{Type: "object"}, `{"a":1}`, ``},
	{"array for object", &schema{Type: "object"}, `[]`, `expected object, got array`},
	{"object for array", &schema{Type: "array"}, `{}`, `expected array, got object`},
	{"array of any", &schema{Type: "array"}, `[1,"a",null]`, ``},
	{"string", str, `"a"`, ``},
	{"number for string", str, `1.50`, `expected string, got 1.50`},
	{"boolean", &schema{Type: "boolean"}, `true`, ``},
	{"string for boolean, quoted", &schema{Type: "boolean"}, `"t\n\"\ud83d"`, `expected boolean, got "t\n\"�"`},
	{"number", &schema{Type: "number"}, `1e400`, ``},
	{"boolean for number", &schema{Type: "number"}, `false`, `expected number, got false`},
	{"integer", integer, `-5`, ``},
	{"integer of many digits", integer, `12345678901234567890123`, ``},
	{"integer of too many digits", integer, strings.Repeat("9", 400), `expected integer, got ` + strings.Repeat("9", 400)},
	{"integer with a fraction of nothing", integer, `1.0`, ``},
	{"integer with an exponent", integer, `1e3`, ``},
	{"fraction for integer", integer, `1.5`, `expected integer, got 1.5`},
	{"integer beyond float64", integer, `1e400`, `expected integer, got 1e400`},
	{"string for integer", integer, `"ten"`, `expected integer, got "ten"`},
	{"value for null", &schema{Type: "null"}, `1`, `expected null, got 1`},
	{"unknown type", &schema{Type: "file"}, `1`, `schema type "file" is not a JSON Schema type`},
	{"format and description are not checked", &schema{Type: "string", Format: "date-time", Description: "d"}, `"x"`, ``},
}

// memberCases are about what objects and arrays hold.
var memberCases = []validateCase{
	{"required come first, in order", &schema{Type: "object", Required: []string{"z", "a"}, Properties: property("b", str)},
		`{"b":1}`, `missing required property "z"`},
	{"required and undeclared", &schema{Type: "object", Required: []string{"z"}}, `{"z":null}`, ``},
	{"members in sorted order", &schema{Type: "object", NoAdditional: true}, `{"b":1,"a":1}`, `unexpected property "a"`},
	{"undeclared members are ignored", &schema{Type: "object", Properties: property("a", str)}, `{"b":1,"A":2}`, ``},
	{"undeclared members with a schema", &schema{Type: "object", Properties: property("a", str), AdditionalProperties: integer},
		`{"a":"x","b":"y"}`, `b: expected integer, got "y"`},
	{"refused before their schema", &schema{Type: "object", NoAdditional: true, AdditionalProperties: integer}, `{"b":"y"}`, `unexpected property "b"`},
	{"a member without a schema", &schema{Type: "object", Properties: property("a", nil)}, `{"a":[]}`, ``},
	{"a name that is not UTF-8", &schema{Type: "object", Properties: property("\ufffd", str)}, "{\"\xff\":1}", "\ufffd: expected string, got 1"},
	{"the last of a name counts", &schema{Type: "object", Properties: property("a", str)}, `{"a":1,"a":"x"}`, ``},
	{"the last of a name counts, and is wrong", &schema{Type: "object", Properties: property("a", str)}, `{"a":"x","a":1}`, `a: expected string, got 1`},

	{"path", nested, `{"list":[{"name":"a"},{"name":2}]}`, `list[1].name: expected string, got 2`},
	{"path of what misses a property", nested, `{"list":[{}]}`, `list[0]: missing required property "name"`},
	{"path in arrays of arrays", &schema{Type: "array", Items: &schema{Type: "array", Items: integer}}, `[[1],[1,"x"]]`, `[1][1]: expected integer, got "x"`},
	{"path below a member", &schema{Type: "object", Properties: property("a", &schema{Type: "object", NoAdditional: true})}, `{"a":{"b":1}}`, `a: unexpected property "b"`},
}

func TestValidateJSON(t *testing.T) {
	for _, tt := range slices.Concat(textCases, typeCases, memberCases) {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "invalid arguments: " + want
			}
			checkError(t, tt.schema.ValidateJSON(json.RawMessage(tt.json)), want)
			if strings.Contains(want, "not valid JSON") {
				return
			}
			var v any
			dec := json.NewDecoder(bytes.NewReader(orObject([]byte(tt.json))))
			dec.UseNumber()
			if err := dec.Decode(&v); err != nil {
				t.Fatal(err)
			}
			checkError(t, tt.schema.Validate(v), want)
		})
	}
}

func orObject(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("{}")
	}
	return raw
}

// TestValidate covers the values that ValidateJSON never has.
func TestValidate(t *testing.T) {
	number := &agenttool.Schema{Type: "number", Enum: []any{float32(2), json.Number("3")}}
	tests := []struct {
		name   string
		schema *agenttool.Schema
		value  any
		want   string
	}{
		{"float64", integer, 2.0, ``},
		{"float64 with a fraction", integer, 2.5, `expected integer, got 2.5`},
		{"float32", integer, float32(2), ``},
		{"int", integer, 2, ``},
		{"int64", integer, int64(2), ``},
		{"infinite", integer, math.Inf(1), `expected integer, got +Inf`},
		{"not a number", integer, math.NaN(), `expected integer, got NaN`},
		{"a number that is none", integer, json.Number("x"), `expected integer, got x`},
		{"a listed float32", number, 2, ``},
		{"a listed json.Number", number, int64(3), ``},
		{"another", number, 4, `expected one of [2, 3], got 4`},
		{"a value of no JSON type", integer, []string{"a"}, `expected integer, got []string`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want != "" {
				want = "invalid arguments: " + want
			}
			checkError(t, tt.schema.Validate(tt.value), want)
		})
	}
}

func TestValidationError(t *testing.T) {
	schema, err := agenttool.Reflect(reflect.TypeFor[readFile]())
	if err != nil {
		t.Fatal(err)
	}
	var invalid *agenttool.ValidationError
	err = schema.ValidateJSON(json.RawMessage(`{"path":"p","max_bytes":"ten"}`))
	if !errors.As(err, &invalid) || invalid.Path != "max_bytes" || invalid.Msg != `expected integer, got "ten"` {
		t.Errorf("error %#v", err)
	}
	checkError(t, err, `invalid arguments: max_bytes: expected integer, got "ten"`)
}

// TestValidateManyProperties: an object with more properties than the scan
// keeps track of is checked all the same.
func TestValidateManyProperties(t *testing.T) {
	schema := &agenttool.Schema{Type: "object", NoAdditional: true}
	members := map[string]int{}
	for i := range 100 {
		name := strings.Repeat("x", i+1)
		schema.Properties = append(schema.Properties, agenttool.Property{Name: name, Schema: &agenttool.Schema{Type: "integer"}})
		schema.Required = append(schema.Required, name)
		members[name] = i
	}
	raw, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	checkError(t, schema.ValidateJSON(raw), "")
	delete(members, "xx")
	if raw, err = json.Marshal(members); err != nil {
		t.Fatal(err)
	}
	checkError(t, schema.ValidateJSON(raw), `invalid arguments: missing required property "xx"`)
}

// fuzzArgs decodes whatever its schema allows but numbers out of range.
type fuzzArgs struct {
	Name   string            `json:"name"`
	Count  int64             `json:"count,omitempty"`
	Ratio  *float64          `json:"ratio"`
	Level  string            `json:"level,omitempty" enum:"low,high"`
	Size   int               `json:"size,omitempty" enum:"1,2"`
	On     bool              `json:"on,omitempty"`
	Any    any               `json:"any,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	List   []struct {
		Key  string `json:"key"`
		Deep []int  `json:"deep,omitempty"`
	} `json:"list,omitempty"`
}

var argumentSeeds = []string{
	``, ` `, `""`, `null`, `{"a":`, `[1]`, `"str"`, `{"a":1}{"b":2}`, `{"name":"x"}`, `{"name":"x"} `,
	"{\"name\":\"\xff\"}", `{"name":"\ud83d"}`, `{"n\u0061me":"x"}`, `{"name":1,"name":"x"}`, `{"NAME":"x","name":"y"}`,
	`{"name":"x","count":1.0,"size":2e0,"ratio":-1.5e-3}`, `{"name":"x","count":1e400}`, `{"name":"x","count":9223372036854775808}`,
	`{"name":"x","level":"low","on":true,"any":{"a":[null]},"labels":{"a":"b","a":"c"}}`,
	`{ "name" : "x" , "list" : [ { "key" : "k" , "deep" : [ 1 , 2 ] } , {"key":""} ] }`,
	`{"name":"x","list":[{"deep":[]}]}`, `{"name":"x","list":[{"key":"a"},{"key":null}]}`, `{"name":"x","level":"LOW"}`,
	`{"name":"x\\","any":"}]\"{"}`, `{"name":"x","size":1.0000000000000000001}`, `[[[[`, `{"":{"":{"":0}}}`, `-0`, `1e`,
	`{"name":"x","ratio":null}`, `[{"key":"k"},[{"key":"k","deep":[1,2.0]}]]`, `{"on":"low"}`,
}

// FuzzValidateJSON: no bytes make validation panic, it has errors of one kind
// only, and says the same of bytes as of the values they decode to.
func FuzzValidateJSON(f *testing.F) {
	schemas := []*agenttool.Schema{
		nil, {},
		{Type: "string", Enum: []any{"low", nil}},
		{Type: "object", AdditionalProperties: &agenttool.Schema{Enum: []any{true, int64(1), "low"}}},
		{Type: "array", Items: &agenttool.Schema{Type: "integer", Nullable: true}},
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[fuzzArgs](), reflect.TypeFor[readFile](), reflect.TypeFor[agenttool.NoArgs]()} {
		schema, err := agenttool.Reflect(typ)
		if err != nil {
			f.Fatal(err)
		}
		strict := *schema
		strict.NoAdditional = true
		schemas = append(schemas, schema, &strict)
	}
	for i := range schemas {
		for _, seed := range argumentSeeds {
			f.Add(uint8(i), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, raw []byte) {
		schema := schemas[int(which)%len(schemas)]
		err := schema.ValidateJSON(raw)
		if err != nil {
			if _, ok := err.(*agenttool.ValidationError); !ok {
				t.Fatalf("error of type %T: %v", err, err)
			}
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
		}
		var v any
		dec := json.NewDecoder(bytes.NewReader(orObject(raw)))
		dec.UseNumber()
		if decodeErr := dec.Decode(&v); decodeErr != nil {
			checkError(t, err, "invalid arguments: not valid JSON: "+decodeErr.Error())
			return
		}
		want := ""
		if err := schema.Validate(v); err != nil {
			want = err.Error()
		}
		checkError(t, err, want)
	})
}

// FuzzArguments: whatever a model writes, a tool either gets arguments that
// satisfy its schema or the model gets an error to learn from.
func FuzzArguments(f *testing.F) {
	for _, seed := range argumentSeeds {
		f.Add([]byte(seed))
	}
	schema, err := agenttool.Reflect(reflect.TypeFor[fuzzArgs]())
	if err != nil {
		f.Fatal(err)
	}
	var got *fuzzArgs
	tool := agenttool.New("t", "", func(_ context.Context, args fuzzArgs) (string, error) {
		got = &args
		return "", nil
	})
	f.Fuzz(func(t *testing.T, raw []byte) {
		got = nil
		_, err := tool.Execute(t.Context(), agenttool.Call{Args: raw})
		if err == nil != (got != nil) {
			t.Fatalf("ran: %v, error: %v", got != nil, err)
		}
		if err == nil {
			again, marshalErr := json.Marshal(got)
			if marshalErr != nil {
				t.Fatal(marshalErr)
			}
			// A nil pointer is null, which only a strict schema allows.
			again = bytes.ReplaceAll(again, []byte(`"ratio":null`), []byte(`"ratio":0`))
			if err := schema.ValidateJSON(again); err != nil {
				t.Fatalf("the tool got %s: %v", again, err)
			}
			if err := schema.ValidateJSON(raw); err != nil {
				t.Fatalf("the tool ran in spite of: %v", err)
			}
			return
		}
		if !strings.HasPrefix(err.Error(), "invalid arguments: ") {
			t.Fatalf("error %v", err)
		}
		var invalid *agenttool.ValidationError
		if errors.As(err, &invalid) || !json.Valid(orObject(raw)) {
			return
		}
		// What passes validation decodes, unless a number is out of the
		// range of its type.
		var typeError *json.UnmarshalTypeError
		if !errors.As(err, &typeError) || !strings.HasPrefix(typeError.Value, "number ") {
			t.Fatalf("passes validation and does not decode: %v", err)
		}
	})
}
