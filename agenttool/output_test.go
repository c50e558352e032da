package agenttool_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

func TestOutput(t *testing.T) {
	type named string
	type point struct {
		X int `json:"x"`
	}
	full := agenttool.Result{
		Output:    openresponses.FunctionCallOutputData{Text: "t"},
		Details:   1,
		Terminate: true,
	}
	parts := openresponses.Contents{&openresponses.InputText{Text: "p"}}
	data := openresponses.FunctionCallOutputData{Text: "d", Parts: parts}
	tests := []struct {
		name  string
		value any
		want  agenttool.Result
	}{
		{"result", full, full},
		{"pointer to a result", &full, full},
		{"nil pointer to a result", (*agenttool.Result)(nil), agenttool.Result{}},
		{"string", "s", agenttool.Text("s")},
		{"string that is not UTF-8", "\xff", agenttool.Text("\xff")},
		{"contents", parts, agenttool.Parts(parts...)},
		{"output data", data, agenttool.Result{Output: data}},
		{"nil", nil, agenttool.Result{}},
		{"nil pointer", (*point)(nil), agenttool.Result{}},
		{"named string", named("s"), agenttool.Text(`"s"`)},
		{"bytes", []byte("hi"), agenttool.Text(`"aGk="`)},
		{"raw JSON", json.RawMessage(`{"x": 1}`), agenttool.Text(`{"x":1}`)},
		{"struct", point{1}, agenttool.Text(`{"x":1}`)},
		{"pointer to a struct", &point{2}, agenttool.Text(`{"x":2}`)},
		{"map", map[string]int{"b": 2, "a": 1}, agenttool.Text(`{"a":1,"b":2}`)},
		{"nil map", map[string]int(nil), agenttool.Text(`null`)},
		{"nil slice", []int(nil), agenttool.Text(`null`)},
		{"number", 1.5, agenttool.Text(`1.5`)},
		{"HTML is escaped", markup{"<b>"}, agenttool.Text(`{"s":"\u003cb\u003e"}`)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := agenttool.Output(tt.value)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

type markup struct {
	S string `json:"s"`
}

func TestOutputThatDoesNotMarshal(t *testing.T) {
	res, err := agenttool.Output(make(chan int))
	checkError(t, err, "encode result: json: unsupported type: chan int")
	if !reflect.DeepEqual(res, agenttool.Result{}) {
		t.Errorf("result %+v, want none", res)
	}
}
