package agenttool_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

func TestDefinition(t *testing.T) {
	tests := []struct {
		name       string
		tool       agenttool.Tool
		parameters string
		strict     bool
	}{
		{"nil parameters", agenttool.NewFunc("t", "d", nil, rawFunc), `{"type":"object","properties":{},"required":[]}`, false},
		{"empty parameters", agenttool.NewFunc("t", "d", json.RawMessage{}, rawFunc), `{"type":"object","properties":{},"required":[]}`, false},
		{"parameters as they are", agenttool.NewFunc("t", "d", json.RawMessage(`{ "x" : 1 }`), rawFunc), `{ "x" : 1 }`, false},
		{"strict", agenttool.NewFunc("t", "d", nil, rawFunc, agenttool.WithStrict()), `{"type":"object","properties":{},"required":[]}`, true},
		{"reflected strict", agenttool.New("t", "d", noArgs, agenttool.WithStrict()),
			`{"type":"object","properties":{},"required":[],"additionalProperties":false}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			def := agenttool.Definition(tt.tool)
			if def.Name != "t" || def.Description != "d" {
				t.Errorf("definition of %q, %q", def.Name, def.Description)
			}
			if string(def.Parameters) != tt.parameters {
				t.Errorf("parameters %s, want %s", def.Parameters, tt.parameters)
			}
			if tt.strict != (def.Strict != nil) || def.Strict != nil && !*def.Strict {
				t.Errorf("strict %v, want %v", def.Strict, tt.strict)
			}
		})
	}
}

func TestOtherOptionsLeaveTheDefinitionAlone(t *testing.T) {
	plain := agenttool.Definition(agenttool.New("t", "d", noArgs))
	full := agenttool.Definition(agenttool.New("t", "d", noArgs, agenttool.WithSequential(), agenttool.WithResource("r"),
		agenttool.WithAnnotations(agenttool.Annotations{Title: "T", ReadOnly: true}), agenttool.WithCloser(func() error { return nil }),
		agenttool.WithConfined(nil), agenttool.WithReplay(nil), agenttool.WithoutValidation()))
	if string(plain.Parameters) != string(full.Parameters) || full.Strict != nil {
		t.Errorf("definition %+v, want %+v", full, plain)
	}
}

func TestSet(t *testing.T) {
	first, second := bareTool{"a"}, fullTool{bareTool: bareTool{"a"}}
	set := agenttool.Set{first, second, bareTool{"b"}}
	if got, ok := set.Lookup("a"); !ok || got != agenttool.Tool(first) {
		t.Errorf("Lookup(a) = %v, %v, want the first of that name", got, ok)
	}
	if got, ok := set.Lookup("c"); ok || got != nil {
		t.Errorf("Lookup(c) = %v, %v", got, ok)
	}
	if got, ok := agenttool.Set(nil).Lookup(""); ok || got != nil {
		t.Errorf("Lookup in the empty set = %v, %v", got, ok)
	}
	var names []string
	for _, def := range set.Definitions() {
		names = append(names, def.(*openresponses.FunctionTool).Name)
	}
	if want := []string{"a", "a", "b"}; !slices.Equal(names, want) {
		t.Errorf("definitions %q, want %q", names, want)
	}
	if defs := (agenttool.Set{}).Definitions(); defs != nil {
		t.Errorf("definitions of the empty set: %#v, want nil", defs)
	}
}

func TestSetValidate(t *testing.T) {
	tests := []struct {
		name string
		set  agenttool.Set
		want string
	}{
		{"empty", nil, ""},
		{"good", agenttool.Set{bareTool{"a"}, bareTool{"b"}, bareTool{"A"}}, ""},
		{"empty name", agenttool.Set{bareTool{"a"}, bareTool{}}, `tool[1]: empty name`},
		{"repeated name", agenttool.Set{bareTool{"a"}, bareTool{"b"}, bareTool{"a"}}, `tool "a": duplicate name`},
		{"the first problem counts", agenttool.Set{bareTool{"a"}, bareTool{"a"}, bareTool{}}, `tool "a": duplicate name`},
		{"nil tool", agenttool.Set{nil}, `tool[0]: nil tool`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkError(t, tt.set.Validate(), tt.want) })
	}
}

func TestSetClose(t *testing.T) {
	var closed []string
	closer := func(name string, err error) agenttool.Tool {
		return agenttool.New(name, "", noArgs, agenttool.WithCloser(func() error {
			closed = append(closed, name)
			return err
		}))
	}
	errA, errC := errors.New("a is stuck"), errors.New("c is stuck")
	set := agenttool.Set{closer("a", errA), bareTool{"plain"}, closer("b", nil), closer("c", errC)}
	err := set.Close()
	if want := []string{"a", "b", "c"}; !slices.Equal(closed, want) {
		t.Errorf("closed %q, want %q", closed, want)
	}
	if !errors.Is(err, errA) || !errors.Is(err, errC) {
		t.Errorf("error %v has not both causes", err)
	}
	checkError(t, err, "agenttool: close \"a\": a is stuck\nagenttool: close \"c\": c is stuck")
	checkError(t, agenttool.Set{closer("b", nil), bareTool{}}.Close(), "")
	checkError(t, agenttool.Set(nil).Close(), "")
}

// checkError compares the text of an error; empty stands for none.
func checkError(t *testing.T, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("error %q, want %q", got, want)
	}
}
