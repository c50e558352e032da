package jsonfield_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn/internal/jsonfield"
)

type name string

type inner struct {
	A string
	N int
}

func (v *inner) fields() []jsonfield.Field {
	return []jsonfield.Field{jsonfield.Text("a", &v.A), jsonfield.Number("n", &v.N)}
}

type outer struct {
	Text     name
	Number   int
	Flag     bool
	Raw      json.RawMessage
	JSON     map[string]int
	Pointer  *float64
	List     []string
	Object   inner
	Optional *inner
	Objects  []inner
}

func (v *outer) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("text", &v.Text),
		jsonfield.Number("number", &v.Number),
		jsonfield.Flag("flag", &v.Flag),
		jsonfield.Raw("raw", &v.Raw),
		jsonfield.JSON("json", &v.JSON),
		jsonfield.Pointer("pointer", &v.Pointer),
		jsonfield.List("list", &v.List),
		jsonfield.Object("object", &v.Object, (*inner).fields),
		jsonfield.Optional("optional", &v.Optional, (*inner).fields),
		jsonfield.Objects("objects", &v.Objects, (*inner).fields),
	}
}

// TestRoundTrip states the JSON of a value and expects the value back.
func TestRoundTrip(t *testing.T) {
	half := 0.5
	for want, v := range map[string]outer{
		`{"number":0,"json":null,"object":{"n":0}}`: {},
		`{"text":"plain","number":-1,"flag":true,"raw":"{ \"k\": ","json":{"k":1},"pointer":0.5,"list":["x"],` +
			`"object":{"a":"x","n":1},"optional":{"n":2},"objects":[{"n":3},{"a":"y","n":4}]}`: {
			Text: "plain", Number: -1, Flag: true, Raw: json.RawMessage(`{ "k": `), JSON: map[string]int{"k": 1}, Pointer: &half,
			List: []string{"x"}, Object: inner{"x", 1}, Optional: &inner{N: 2}, Objects: []inner{{N: 3}, {"y", 4}},
		},
		`{"number":0,"raw":"","json":{},"list":[],"object":{"n":0},"objects":[]}`: {
			Raw: json.RawMessage{}, JSON: map[string]int{}, List: []string{}, Objects: []inner{},
		},
		`{"text":"\u003ca \u0026 \"b\"\u003e\n\u2028é","number":0,"json":null,"object":{"n":0}}`: {Text: "<a & \"b\">\n\u2028é"},
	} {
		got, err := jsonfield.Append(nil, v.fields())
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		var back outer
		if err := jsonfield.Decode(got, back.fields()); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, v) {
			t.Errorf("%s came back as %+v", got, back)
		}
	}
}

// TestDecodeErrors expects the member at fault to be named.
func TestDecodeErrors(t *testing.T) {
	for data, want := range map[string]string{
		`null`:                           "not an object",
		`{"text":1}`:                     "text: ",
		`{"raw":{}}`:                     "raw: ",
		`{"object":[]}`:                  "object: ",
		`{"optional":{"n":"x"}}`:         "optional: n: ",
		`{"objects":{}}`:                 "objects: ",
		`{"objects":[{"n":1},{"n":""}]}`: "objects: [1]: n: ",
		`{"objects":[null]}`:             "objects: [0]: ",
	} {
		var v outer
		if err := jsonfield.Decode([]byte(data), v.fields()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v does not say %q", data, err, want)
		}
	}
	var v outer
	if err := jsonfield.Decode([]byte(`{"text":null,"objects":null,"other":[1]}`), v.fields()); err != nil || !reflect.DeepEqual(v, outer{}) {
		t.Errorf("null and unknown members: %v, %+v", err, v)
	}
}

// TestAppendErrors expects the member that does not encode to be named.
func TestAppendErrors(t *testing.T) {
	list := []inner{{}}
	nan := math.NaN()
	field := jsonfield.Objects("list", &list, func(*inner) []jsonfield.Field {
		return []jsonfield.Field{jsonfield.JSON("nan", &nan)}
	})
	if _, err := jsonfield.Append(nil, []jsonfield.Field{field}); err == nil || !strings.HasPrefix(err.Error(), "list: [0]: nan: ") {
		t.Errorf("error %v does not name the member", err)
	}
}

// FuzzText compares text with what encoding/json writes.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "<&>", "\u2028", "\xff", "\x7f~", `"\`, "é\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := jsonfield.AppendText(nil, s); err != nil || string(got) != string(want) {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	})
}
