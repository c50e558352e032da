package agenttool_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
)

// The Go types of the corpus in testdata/schema.

type custom struct {
	X string `json:"x"`
}

func (custom) JSONSchema() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}}}`)
}

type textKey struct{ s string }

func (k textKey) MarshalText() ([]byte, error) { return []byte(k.s), nil }

type anyValue struct{ V any }

func (v anyValue) MarshalJSON() ([]byte, error) { return json.Marshal(v.V) }

type base struct {
	Name string `json:"name"`
	Tags []string
}

type ShadowA struct {
	ID   string `json:"id"`
	Memo string `json:"Memo"`
	Name string
}

type ShadowB struct {
	ID   int `json:"id"`
	Memo int
	Name int
}

type everything struct {
	Str      string            `json:"str"`
	Int      int               `json:"int" desc:"an integer"`
	Uint     uint16            `json:"uint"`
	Float    float32           `json:"float"`
	Bool     bool              `json:"bool"`
	Level    string            `json:"level" enum:"low, medium,high"`
	Count    *int              `json:"count" enum:"1,2,3"`
	When     time.Time         `json:"when"`
	Raw      json.RawMessage   `json:"raw,omitempty"`
	Any      any               `json:"any,omitempty"`
	Bytes    []byte            `json:"bytes,omitempty"`
	List     []base            `json:"list"`
	Matrix   [][]float64       `json:"matrix,omitempty"`
	Nested   base              `json:"nested"`
	Pointer  *base             `json:"pointer"`
	Labels   map[string]string `json:"labels,omitempty"`
	Duration time.Duration     `json:"duration,omitzero"`
	_        string            // not exported
	Ignored  string            `json:"-"`
}

var corpus = map[string]reflect.Type{
	"read_file":         reflect.TypeFor[readFile](),
	"pointer_to_struct": reflect.TypeFor[*readFile](),
	"read_file_strict":  reflect.TypeFor[readFile](),
	"no_args":           reflect.TypeFor[agenttool.NoArgs](),
	"no_args_strict":    reflect.TypeFor[agenttool.NoArgs](),
	"custom":            reflect.TypeFor[custom](),
	"text_marshaler": reflect.TypeFor[struct {
		Key textKey `json:"key"`
	}](),
	"byte_array": reflect.TypeFor[struct {
		Slice []byte  `json:"slice"`
		Fixed [4]byte `json:"fixed"`
	}](),
	"json_marshaler": reflect.TypeFor[struct {
		Value anyValue `json:"value"`
		Word  uintptr  `json:"word" enum:"1,2"`
	}](),
	"embedded": reflect.TypeFor[struct {
		base
		Extra string `json:"extra,omitempty"`
	}](),
	"shadowed": structOf(embedded[ShadowA](), embedded[ShadowB](),
		reflect.StructField{Name: "ID", Type: reflect.TypeFor[string](), Tag: `json:"id" desc:"outer wins"`}),
	"strict": reflect.TypeFor[struct {
		Query string `json:"query" desc:"Search terms"`
		Limit *int   `json:"limit" desc:"Maximum results"`
		Inner struct {
			Deep bool `json:"deep"`
		} `json:"inner"`
	}](),
	"strict_nullable": reflect.TypeFor[struct {
		Level *string    `json:"level" enum:"low,high"`
		Raw   *anyValue  `json:"raw"`
		When  *time.Time `json:"when"`
		Items []base     `json:"items"`
	}](),
	"everything": reflect.TypeFor[everything](),
}

// structOf makes a struct whose fields share names, which go vet does not let
// one write down.
func structOf(fields ...reflect.StructField) reflect.Type { return reflect.StructOf(fields) }

func embedded[T any]() reflect.StructField {
	t := reflect.TypeFor[T]()
	return reflect.StructField{Name: t.Name(), Type: t, Anonymous: true}
}

// A fixture describes an argument type of the corpus without naming Go types.
type fixture struct {
	Name     string          `json:"name"`
	Strict   bool            `json:"strict"`
	Source   string          `json:"source"`
	Fields   []shape         `json:"fields"`
	Supplied json.RawMessage `json:"supplied"`
}

// A shape is a field of a fixture, or what an array or a map holds.
type shape struct {
	Name        string  `json:"name"`
	Type        string  `json:"type"`
	Description string  `json:"description"`
	Format      string  `json:"format"`
	Enum        []any   `json:"enum"`
	Optional    bool    `json:"optional"`
	Nullable    bool    `json:"nullable"`
	Items       *shape  `json:"items"`
	Values      *shape  `json:"values"`
	Fields      []shape `json:"fields"`
}

func objectOf(fields []shape, strict bool) *agenttool.Schema {
	s := &agenttool.Schema{Type: "object", Properties: []agenttool.Property{}, Required: []string{}, NoAdditional: strict}
	for _, f := range fields {
		s.Properties = append(s.Properties, agenttool.Property{Name: f.Name, Schema: f.schema(strict)})
		if strict || !f.Optional {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

func (f shape) schema(strict bool) *agenttool.Schema {
	s := &agenttool.Schema{Type: f.Type}
	switch f.Type {
	case "any":
		s.Type = ""
	case "map":
		s.Type, s.AdditionalProperties = "object", f.Values.schema(strict)
	case "array":
		s.Items = f.Items.schema(strict)
	case "object":
		s = objectOf(f.Fields, strict)
	}
	s.Description, s.Format, s.Enum, s.Nullable = f.Description, f.Format, f.Enum, f.Nullable
	if f.Nullable && f.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

func loadFixtures(t *testing.T) []fixture {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "schema", "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var manifest struct {
		Fixtures []fixture `json:"fixtures"`
	}
	if err := dec.Decode(&manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Fixtures
}

// TestCorpus: the Go types, and the shapes the manifest describes, both come
// to the schemas that are recorded.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/schema/*.json")
	if err != nil {
		t.Fatal(err)
	}
	fixtures := loadFixtures(t)
	if len(fixtures) != len(corpus) || len(files) != len(corpus)+1 {
		t.Errorf("%d fixtures, %d types, %d files", len(fixtures), len(corpus), len(files))
	}
	for _, f := range fixtures {
		t.Run(f.Name, func(t *testing.T) {
			recorded, err := os.ReadFile(filepath.Join("testdata", "schema", f.Name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			want := compact(t, recorded)
			if typ := corpus[f.Name]; typ == nil {
				t.Error("no Go type")
			} else if got, err := agenttool.SchemaOf(typ, strictOptions(f.Strict)...); err != nil || string(got) != want {
				t.Errorf("schema of the type\n%s, %v\nwant\n%s", got, err, want)
			}
			if f.Supplied != nil {
				if got := compact(t, f.Supplied); got != want {
					t.Errorf("supplied schema\n%s\nwant\n%s", got, want)
				}
				return
			}
			if got, err := objectOf(f.Fields, f.Strict).MarshalJSON(); err != nil || string(got) != want {
				t.Errorf("schema of the shape\n%s, %v\nwant\n%s", got, err, want)
			}
		})
	}
}

func strictOptions(strict bool) []agenttool.Option {
	if strict {
		return []agenttool.Option{agenttool.WithStrict()}
	}
	return nil
}

func compact(t *testing.T, data []byte) string {
	t.Helper()
	var buf bytes.Buffer
	if err := json.Compact(&buf, data); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// TestStrictSchemas: every type of the corpus that has a strict schema has
// one that a server in strict mode takes.
func TestStrictSchemas(t *testing.T) {
	checked := 0
	for name, typ := range corpus {
		schema, err := agenttool.Reflect(typ, agenttool.WithStrict())
		if err != nil {
			checkError(t, err, "agenttool: field Labels: maps cannot be expressed in a strict schema")
			continue
		}
		data, err := schema.MarshalJSON()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checked++
		if err := checkStrict(data); err != nil {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
	}
	if checked != len(corpus)-1 {
		t.Errorf("checked %d of %d types", checked, len(corpus))
	}
}

// TestCheckStrict: the checker refuses what a server in strict mode refuses.
func TestCheckStrict(t *testing.T) {
	for name, schema := range map[string]string{
		"open object":            `{"type":"object","properties":{},"required":[]}`,
		"additional properties":  `{"type":"object","properties":{},"required":[],"additionalProperties":{}}`,
		"optional property":      `{"type":"object","properties":{"a":{}},"required":[],"additionalProperties":false}`,
		"unknown required":       `{"type":"object","properties":{},"required":["a"],"additionalProperties":false}`,
		"no properties":          `{"type":"object","required":[],"additionalProperties":false}`,
		"root is not an object":  `{"type":"string"}`,
		"nullable root":          `{"type":["object","null"],"properties":{},"required":[],"additionalProperties":false}`,
		"null":                   `null`,
		"unsupported keyword":    `{"type":"object","properties":{"a":{"type":"string","default":"x"}},"required":["a"],"additionalProperties":false}`,
		"unsupported format":     `{"type":"object","properties":{"a":{"type":"string","format":"uri"}},"required":["a"],"additionalProperties":false}`,
		"open object in an item": `{"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}}},"required":["a"],"additionalProperties":false}`,
	} {
		if checkStrict([]byte(schema)) == nil {
			t.Errorf("%s passes: %s", name, schema)
		}
	}
}

// checkStrict holds a schema against the rules of strict mode.
func checkStrict(data []byte) error {
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		return err
	}
	object, ok := root.(map[string]any)
	if !ok || object["type"] != "object" {
		return fmt.Errorf("the root is not an object schema")
	}
	return checkStrictAt("$", object)
}

func checkStrictAt(path string, v any) error {
	s, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: not a schema: %v", path, v)
	}
	for keyword := range s {
		switch keyword {
		case "type", "description", "enum", "properties", "required", "items", "additionalProperties":
		case "format":
			if s[keyword] != "date-time" {
				return fmt.Errorf("%s: format %v", path, s[keyword])
			}
		default:
			return fmt.Errorf("%s: keyword %s", path, keyword)
		}
	}
	switch kind := s["type"].(type) {
	case nil:
		return nil
	case []any:
		if len(kind) != 2 || kind[1] != "null" {
			return fmt.Errorf("%s: type %v", path, kind)
		}
		s["type"] = kind[0]
	}
	switch s["type"] {
	case "array":
		return checkStrictAt(path+"[]", s["items"])
	case "object":
		return checkStrictObject(path, s)
	}
	return nil
}

func checkStrictObject(path string, s map[string]any) error {
	if s["additionalProperties"] != false {
		return fmt.Errorf("%s: additionalProperties is %v", path, s["additionalProperties"])
	}
	properties, ok := s["properties"].(map[string]any)
	if !ok {
		return fmt.Errorf("%s: no properties", path)
	}
	required, _ := s["required"].([]any)
	if len(required) != len(properties) {
		return fmt.Errorf("%s: %d of %d properties required", path, len(required), len(properties))
	}
	for name, property := range properties {
		if !slices.Contains(required, any(name)) {
			return fmt.Errorf("%s: %s is not required", path, name)
		}
		if err := checkStrictAt(path+"."+name, property); err != nil {
			return err
		}
	}
	return nil
}
