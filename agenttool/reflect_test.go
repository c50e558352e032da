package agenttool_test

import (
	"encoding/json"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
)

// pointerJSON marshals itself through its pointer only.
type pointerJSON struct {
	A int `json:"a"`
}

func (*pointerJSON) MarshalJSON() ([]byte, error) { return nil, nil }

type pointerText struct{}

func (*pointerText) MarshalText() ([]byte, error) { return nil, nil }

type marshalerInterface interface {
	json.Marshaler
	Other()
}

type (
	namedString string
	namedInt    int8
	selfSlice   []selfSlice
	selfMap     map[string]selfMap
	selfArray   [1]*selfArray
	selfPointer *selfPointer
)

func TestSchemaOfTypes(t *testing.T) {
	tests := []struct {
		name string
		zero any // a struct with the field under test, F
		want string
	}{
		{"time", struct{ F time.Time }{}, `{"type":"string","format":"date-time"}`},
		{"a named time is no time", struct {
			F struct{ time.Time } `json:"F"`
		}{}, `{}`},
		{"raw JSON", struct{ F json.RawMessage }{}, `{}`},
		{"json.Marshaler", struct{ F anyValue }{}, `{}`},
		{"interface that is a json.Marshaler", struct{ F marshalerInterface }{}, `{}`},
		{"json.Marshaler by pointer only", struct{ F pointerJSON }{},
			`{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`},
		{"TextMarshaler", struct{ F textKey }{}, `{"type":"string"}`},
		{"TextMarshaler by pointer", struct{ F pointerText }{}, `{"type":"string"}`},
		{"a big.Int, which is text by pointer", struct{ F big.Int }{}, `{"type":"string"}`},
		{"slice of TextMarshaler", struct{ F []textKey }{}, `{"type":"array","items":{"type":"string"}}`},
		{"bool", struct{ F bool }{}, `{"type":"boolean"}`},
		{"int8", struct{ F int8 }{}, `{"type":"integer"}`},
		{"uint64", struct{ F uint64 }{}, `{"type":"integer"}`},
		{"uintptr", struct{ F uintptr }{}, `{"type":"integer"}`},
		{"named int", struct{ F namedInt }{}, `{"type":"integer"}`},
		{"duration", struct{ F time.Duration }{}, `{"type":"integer"}`},
		{"float32", struct{ F float32 }{}, `{"type":"number"}`},
		{"float64", struct{ F float64 }{}, `{"type":"number"}`},
		{"named string", struct{ F namedString }{}, `{"type":"string"}`},
		{"any", struct{ F any }{}, `{}`},
		{"error", struct{ F error }{}, `{}`},
		{"bytes", struct{ F []byte }{}, `{"type":"string"}`},
		{"array of bytes", struct{ F [3]byte }{}, `{"type":"array","items":{"type":"integer"}}`},
		{"slice of pointers", struct{ F []*int }{}, `{"type":"array","items":{"type":"integer"}}`},
		{"map by a named string", struct{ F map[namedString]bool }{}, `{"type":"object","additionalProperties":{"type":"boolean"}}`},
		{"one type side by side", struct {
			F struct{ A, B base }
		}{}, `{"type":"object","properties":{` +
			`"A":{"type":"object","properties":{"name":{"type":"string"},"Tags":{"type":"array","items":{"type":"string"}}},"required":["name","Tags"]},` +
			`"B":{"type":"object","properties":{"name":{"type":"string"},"Tags":{"type":"array","items":{"type":"string"}}},"required":["name","Tags"]}},` +
			`"required":["A","B"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := agenttool.SchemaOf(reflect.TypeOf(tt.zero))
			want := `{"type":"object","properties":{"F":` + tt.want + `},"required":["F"]}`
			if err != nil || string(got) != want {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
		})
	}
}

func TestSchemaOfFields(t *testing.T) {
	tests := []struct {
		name   string
		zero   any
		strict bool
		want   string
	}{
		{"skipped, unless the name is a dash", tagged(`json:"-"`, `json:"-,"`), false, `{"type":"object","properties":{"-":{"type":"integer"}},"required":["-"]}`},
		{"options without a name", struct {
			A int `json:",omitempty"`
			B int `json:",string"`
		}{}, false, `{"type":"object","properties":{"A":{"type":"integer"},"B":{"type":"integer"}},"required":["B"]}`},
		{"a pointer is optional", struct{ A *int }{}, false, `{"type":"object","properties":{"A":{"type":"integer"}},"required":[]}`},
		{"options that make optional, and one that does not", tagged(`json:"a,omitempty"`, `json:"b,string,omitzero"`, `json:"c,omitemptyish"`), false,
			`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}},"required":["c"]}`},
		{"strict: omitempty is required and not nullable", struct {
			A int   `json:"a,omitempty"`
			B **int `json:"b"`
			C []*int
		}{}, true, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":["integer","null"]},"C":{"type":"array","items":{"type":"integer"}}},` +
			`"required":["a","b","C"],"additionalProperties":false}`},
		{"empty description", struct {
			A int `desc:""`
		}{}, false, `{"type":"object","properties":{"A":{"type":"integer"}},"required":["A"]}`},
		{"embedded by pointer: not optional for it", struct {
			*base
		}{}, false, `{"type":"object","properties":{"name":{"type":"string"},"Tags":{"type":"array","items":{"type":"string"}}},"required":["name","Tags"]}`},
		{"embedded under a name", struct {
			Everyone `json:"who"`
		}{}, false, `{"type":"object","properties":{"who":{"type":"object","properties":{"All":{"type":"boolean"}},"required":["All"]}},"required":["who"]}`},
		{"embedded and no struct", struct {
			Word
		}{}, false, `{"type":"object","properties":{"Word":{"type":"string"}},"required":["Word"]}`},
		{"embedded and skipped", struct {
			base `json:"-"`
		}{}, false, `{"type":"object","properties":{},"required":[]}`},
		{"depth goes before a tag", reflect.Zero(structOf(embedded[ShadowA](), // id and Memo have tags
			reflect.StructField{Name: "Memo", Type: reflect.TypeFor[[]bool]()})).Interface(), false, `{"type":"object","properties":{"id":{"type":"string"},"Name":{"type":"string"},"Memo":{"type":"array","items":{"type":"boolean"}}},"required":["id","Name","Memo"]}`},
		{"two tags of one depth cancel out", reflect.Zero(structOf(embedded[ShadowA](), embedded[Tagged]())).Interface(), false, `{"type":"object","properties":{"id":{"type":"string"},"Name":{"type":"string"}},"required":["id","Name"]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := agenttool.SchemaOf(reflect.TypeOf(tt.zero), strictOptions(tt.strict)...)
			if err != nil || string(got) != tt.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, tt.want)
			}
		})
	}
}

// tagged is a struct of integers with tags that go vet and staticcheck would
// rather not see.
func tagged(tags ...reflect.StructTag) any {
	fields := make([]reflect.StructField, len(tags))
	for i, tag := range tags {
		fields[i] = reflect.StructField{Name: string(rune('A' + i)), Type: reflect.TypeFor[int](), Tag: tag}
	}
	return reflect.Zero(reflect.StructOf(fields)).Interface()
}

type (
	Everyone struct{ All bool }
	Word     string
	Tagged   struct {
		Memo int `json:"Memo"`
	}
)

func TestEnums(t *testing.T) {
	good := []struct {
		name   string
		zero   any
		strict bool
		want   string
	}{
		{"strings, trimmed, in order", struct {
			F string `enum:" b ,a, c d"`
		}{}, false, `{"type":"string","enum":["b","a","c d"]}`},
		{"integers", struct {
			F uint8 `enum:"2,-1,300"`
		}{}, false, `{"type":"integer","enum":[2,-1,300]}`},
		{"floats", struct {
			F float32 `enum:"0.5,1e3"`
		}{}, false, `{"type":"number","enum":[0.5,1000]}`},
		{"booleans", struct {
			F bool `enum:"T,0"`
		}{}, false, `{"type":"boolean","enum":[true,false]}`},
		{"through pointers, null last in strict mode", struct {
			F **namedInt `enum:"1"`
		}{}, true, `{"type":["integer","null"],"enum":[1,null]}`},
		{"an empty tag is none", struct {
			F string `enum:""`
		}{}, false, `{"type":"string"}`},
	}
	for _, tt := range good {
		t.Run(tt.name, func(t *testing.T) {
			s, err := agenttool.Reflect(reflect.TypeOf(tt.zero), strictOptions(tt.strict)...)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Properties[0].Schema.MarshalJSON()
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

type (
	treeNode struct {
		Children []treeNode `json:"children"`
	}
	mutualA       struct{ B map[string]mutualB }
	mutualB       struct{ A *mutualA }
	embedsPointer struct{ *embedsPointer }
	embedsItself  struct{ Inner struct{ *embedsItself } }
	holdsTree     struct{ T treeNode }
	viaSlice      []viaStruct
	viaStruct     struct{ S viaSlice }
)

func TestReflectErrors(t *testing.T) {
	const pkg = "agenttool_test."
	tests := []struct {
		name   string
		typ    reflect.Type
		strict bool
		want   string
	}{
		{"no type", nil, false, "schema of nil type"},
		{"not a struct", reflect.TypeFor[int](), false, "arguments must be a struct, got int"},
		{"pointer to no struct", reflect.TypeFor[**[]int](), false, "arguments must be a struct, got []int"},
		{"map", reflect.TypeFor[map[string]any](), false, "arguments must be a struct, got map[string]interface {}"},
		{"interface", reflect.TypeFor[agenttool.Schemer](), false, "arguments must be a struct, got agenttool.Schemer"},
		{"pointer to itself", reflect.TypeFor[selfPointer](), false, "arguments must be a struct, got " + pkg + "selfPointer"},
		{"channel", reflect.TypeFor[struct{ F chan int }](), false, "field F: unsupported type chan int"},
		{"function in a slice", reflect.TypeFor[struct {
			F []func() `json:"f"`
		}](), false, "field F: unsupported type func()"},
		{"complex", reflect.TypeFor[struct{ Outer struct{ F complex128 } }](), false, "field F: unsupported type complex128"},
		{"map key", reflect.TypeFor[struct{ F map[int]string }](), false, "field F: map key must be a string, got int"},
		{"map key, strict", reflect.TypeFor[struct{ F map[int]string }](), true, "field F: map key must be a string, got int"},
		{"map, strict", reflect.TypeFor[struct{ F []map[string]string }](), true, "field F: maps cannot be expressed in a strict schema"},
		{"shadowed", reflect.TypeFor[struct {
			hasChannel
			F string
		}](), false, "field F: unsupported type chan int"},
		{"enum value", reflect.TypeFor[struct {
			F int `enum:"1, x"`
		}](), false, `field F: enum value "x": strconv.ParseInt: parsing "x": invalid syntax`},
		{"enum type", reflect.TypeFor[struct {
			F []string `enum:"a"`
		}](), false, "field F: enum tag on unsupported type []string"},
		{"tree", reflect.TypeFor[treeNode](), false, "recursive type " + pkg + "treeNode cannot be expressed as a schema"},
		{"tree below", reflect.TypeFor[holdsTree](), false, "recursive type " + pkg + "treeNode cannot be expressed as a schema"},
		{"mutual", reflect.TypeFor[mutualA](), false, "recursive type " + pkg + "mutualA cannot be expressed as a schema"},
		{"embedded pointer", reflect.TypeFor[embedsPointer](), false, "recursive type " + pkg + "embedsPointer cannot be expressed as a schema"},
		{"embedded below", reflect.TypeFor[embedsItself](), false, "recursive type " + pkg + "embedsItself cannot be expressed as a schema"},
		{"the struct is named, not the slice", reflect.TypeFor[struct{ F viaSlice }](), false, "recursive type " + pkg + "viaStruct cannot be expressed as a schema"},
		{"slice of itself", reflect.TypeFor[struct{ F selfSlice }](), false, "recursive type " + pkg + "selfSlice cannot be expressed as a schema"},
		{"map of itself", reflect.TypeFor[struct{ F selfMap }](), false, "recursive type " + pkg + "selfMap cannot be expressed as a schema"},
		{"array of itself", reflect.TypeFor[struct{ F selfArray }](), false, "recursive type " + pkg + "selfArray cannot be expressed as a schema"},
		{"field that points to itself", reflect.TypeFor[struct{ F selfPointer }](), false, "recursive type " + pkg + "selfPointer cannot be expressed as a schema"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := agenttool.Reflect(tt.typ, strictOptions(tt.strict)...)
			checkError(t, err, "agenttool: "+tt.want)
			if s != nil {
				t.Errorf("schema %+v", s)
			}
			_, err = agenttool.SchemaOf(tt.typ, strictOptions(tt.strict)...)
			checkError(t, err, "agenttool: "+tt.want)
		})
	}
}

type hasChannel struct{ F chan int }

type pointerSchemer struct{ X int }

func (p *pointerSchemer) JSONSchema() json.RawMessage {
	if p == nil || p.X != 0 {
		return json.RawMessage(`"not the zero value"`)
	}
	return json.RawMessage(`{ "type": "object" }`)
}

type sliceSchemer []int

func (s sliceSchemer) JSONSchema() json.RawMessage { return json.RawMessage(`[not checked`) }

func TestSchemer(t *testing.T) {
	for name, tt := range map[string]struct {
		typ  reflect.Type
		want string
	}{
		"value":                        {reflect.TypeFor[custom](), `{"type":"object","properties":{"x":{"type":"string"}}}`},
		"pointer to a value":           {reflect.TypeFor[*custom](), `{"type":"object","properties":{"x":{"type":"string"}}}`},
		"method on the pointer":        {reflect.TypeFor[pointerSchemer](), `{ "type": "object" }`},
		"pointer with the method":      {reflect.TypeFor[*pointerSchemer](), `{ "type": "object" }`},
		"not a struct and not checked": {reflect.TypeFor[sliceSchemer](), `[not checked`},
	} {
		for _, strict := range []bool{false, true} {
			got, err := agenttool.SchemaOf(tt.typ, strictOptions(strict)...)
			if err != nil || string(got) != tt.want {
				t.Errorf("%s: got %s, %v, want %s", name, got, err, tt.want)
			}
		}
	}
	s, err := agenttool.Reflect(reflect.TypeFor[custom](), agenttool.WithStrict())
	if err != nil || len(s.Properties) != 1 || !s.NoAdditional {
		t.Errorf("Reflect heeds the method: %+v, %v", s, err)
	}
	got, err := agenttool.SchemaFor[struct{ F custom }]()
	want := `{"type":"object","properties":{"F":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}},"required":["F"]}`
	if err != nil || string(got) != want {
		t.Errorf("as a field: got %s, %v, want %s", got, err, want)
	}
}
