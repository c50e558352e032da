package agenttool_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

func TestResults(t *testing.T) {
	part := &openresponses.InputText{Text: "a"}
	tests := []struct {
		name string
		got  agenttool.Result
		want agenttool.Result
	}{
		{"text", agenttool.Text("hi"), agenttool.Result{Output: openresponses.FunctionCallOutputData{Text: "hi"}}},
		{"empty text", agenttool.Text(""), agenttool.Result{}},
		{"parts", agenttool.Parts(part), agenttool.Result{Output: openresponses.FunctionCallOutputData{Parts: openresponses.Contents{part}}}},
		{"no parts", agenttool.Parts(), agenttool.Result{}},
		{"error", agenttool.ErrorResult(errors.New("no such file")), agenttool.Text("Error: no such file")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !reflect.DeepEqual(tt.got, tt.want) {
				t.Errorf("got %+v, want %+v", tt.got, tt.want)
			}
		})
	}
}

func TestCallUpdate(t *testing.T) {
	agenttool.Call{}.Update(agenttool.Text("nobody listens"))

	var got []string
	call := agenttool.Call{OnUpdate: func(r agenttool.Result) { got = append(got, r.Output.Text) }}
	call.Update(agenttool.Text("1"))
	call.Update(agenttool.Text("2"))
	if want := []string{"1", "2"}; !reflect.DeepEqual(got, want) {
		t.Errorf("updates %q, want %q", got, want)
	}
}

func TestCallOnContext(t *testing.T) {
	ctx := t.Context()
	if call, ok := agenttool.CallFrom(ctx); ok || !reflect.DeepEqual(call, agenttool.Call{}) {
		t.Errorf("call on an empty context: %+v, %v", call, ok)
	}
	outer := agenttool.WithCall(ctx, agenttool.Call{ID: "outer"})
	inner := agenttool.WithCall(outer, agenttool.Call{ID: "inner"})
	derived, cancel := context.WithCancel(inner)
	cancel()
	for _, tt := range []struct {
		ctx  context.Context
		want string
	}{{outer, "outer"}, {inner, "inner"}, {derived, "inner"}} {
		if call, ok := agenttool.CallFrom(tt.ctx); !ok || call.ID != tt.want {
			t.Errorf("call %q, %v, want %q", call.ID, ok, tt.want)
		}
	}
	if call, _ := agenttool.CallFrom(inner); true {
		call.ID = "changed"
		if again, _ := agenttool.CallFrom(inner); again.ID != "inner" {
			t.Errorf("a change to the copy changed the call on the context to %q", again.ID)
		}
	}
}

func TestCallContextKeepsItsParent(t *testing.T) {
	type key struct{}
	parent, cancel := context.WithCancelCause(context.WithValue(t.Context(), key{}, "value"))
	ctx, stop := context.WithCancel(agenttool.WithCall(parent, agenttool.Call{ID: "c"}))
	defer stop()
	if got := ctx.Value(key{}); got != "value" {
		t.Errorf("value of the parent: %v", got)
	}
	cause := errors.New("enough")
	cancel(cause)
	<-ctx.Done()
	if got := context.Cause(ctx); got != cause {
		t.Errorf("cause %v, want %v", got, cause)
	}
}

func TestProgress(t *testing.T) {
	agenttool.Progress(t.Context(), agenttool.Text("no call"))
	agenttool.Progress(agenttool.WithCall(t.Context(), agenttool.Call{}), agenttool.Text("no listener"))

	var got agenttool.Result
	ctx := agenttool.WithCall(t.Context(), agenttool.Call{OnUpdate: func(r agenttool.Result) { got = r }})
	want := agenttool.Result{Details: agenttool.ProgressInfo{Progress: 1, Total: 2, Message: "half"}}
	agenttool.Progress(ctx, want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("progress %+v, want %+v", got, want)
	}
}
