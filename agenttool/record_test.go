package agenttool_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

type process struct {
	PID int `json:"pid"`
}

func (process) RecordNS() string { return "shell:process" }

type (
	noNamespace    struct{}
	notMarshalable struct{ C chan int }
	byPointer      struct{}
	panicsNamed    struct{}
	panicsMarshal  struct{}
)

func (noNamespace) RecordNS() string               { return "" }
func (notMarshalable) RecordNS() string            { return "t:bad" }
func (byPointer) RecordNS() string                 { return "t:pointer" }
func (*byPointer) MarshalJSON() ([]byte, error)    { return []byte(`"from the pointer"`), nil }
func (panicsNamed) RecordNS() string               { panic("no name") }
func (panicsMarshal) RecordNS() string             { return "t:panics" }
func (panicsMarshal) MarshalJSON() ([]byte, error) { panic("no JSON") }

func TestRecordOf(t *testing.T) {
	tests := []struct {
		name    string
		details any
		want    *agenttool.Record
		err     string
	}{
		{"nil", nil, nil, ""},
		{"not recordable", 7, nil, ""},
		{"value", process{1}, &agenttool.Record{NS: "shell:process", Data: json.RawMessage(`{"pid":1}`)}, ""},
		{"pointer", &process{2}, &agenttool.Record{NS: "shell:process", Data: json.RawMessage(`{"pid":2}`)}, ""},
		{"MarshalJSON by pointer, value", byPointer{}, &agenttool.Record{NS: "t:pointer", Data: json.RawMessage(`{}`)}, ""},
		{"MarshalJSON by pointer, pointer", &byPointer{}, &agenttool.Record{NS: "t:pointer", Data: json.RawMessage(`"from the pointer"`)}, ""},
		{"empty namespace", noNamespace{}, nil, "agenttool: record agenttool_test.noNamespace: empty namespace"},
		{"does not marshal", notMarshalable{}, nil, "agenttool: record t:bad: json: unsupported type: chan int"},
		{"panics over its namespace", panicsNamed{}, nil, "agenttool: record agenttool_test.panicsNamed panicked: no name"},
		{"panics over its JSON", panicsMarshal{}, nil, "agenttool: record agenttool_test.panicsMarshal panicked: no JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := agenttool.RecordOf(tt.details)
			checkError(t, err, tt.err)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("record %+v, want %+v", got, tt.want)
			}
		})
	}
	var unsupported *json.UnsupportedTypeError
	if _, err := agenttool.RecordOf(notMarshalable{}); !errors.As(err, &unsupported) {
		t.Errorf("the cause is not in %v", err)
	}
}

func TestWriteRecord(t *testing.T) {
	var got []agenttool.Record
	full := errors.New("disk full")
	var result error
	ctx := agenttool.ContextWithRecorder(t.Context(), func(ctx context.Context, rec *agenttool.Record) error {
		call, _ := agenttool.CallFrom(ctx)
		got = append(got, agenttool.Record{NS: call.ID + "/" + rec.NS, Data: rec.Data})
		return result
	})
	ctx = agenttool.WithCall(ctx, agenttool.Call{ID: "c"})

	checkError(t, agenttool.WriteRecord(ctx, process{1}), "")
	checkError(t, agenttool.WriteRecord(ctx, nil), "")
	checkError(t, agenttool.WriteRecord(ctx, noNamespace{}), "agenttool: record agenttool_test.noNamespace: empty namespace")
	result = full
	if err := agenttool.WriteRecord(ctx, process{2}); err != full {
		t.Errorf("error %v, want the recorder's, unchanged", err)
	}
	want := []agenttool.Record{{"c/shell:process", json.RawMessage(`{"pid":1}`)}, {"c/shell:process", json.RawMessage(`{"pid":2}`)}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("recorded %+v, want %+v", got, want)
	}

	for name, ctx := range map[string]context.Context{
		"none":    t.Context(),
		"removed": agenttool.ContextWithRecorder(ctx, nil),
	} {
		if fn, ok := agenttool.RecorderFrom(ctx); ok || fn != nil {
			t.Errorf("%s: there is a recorder", name)
		}
		checkError(t, agenttool.WriteRecord(ctx, noNamespace{}), "")
	}
	if fn, ok := agenttool.RecorderFrom(ctx); !ok || fn == nil {
		t.Error("there is no recorder")
	}
}

func TestWriteRecordSurvivesItsRecorder(t *testing.T) {
	ctx := agenttool.ContextWithRecorder(t.Context(), func(context.Context, *agenttool.Record) error { panic("gone") })
	checkError(t, agenttool.WriteRecord(ctx, process{}), "agenttool: record shell:process: recorder panicked: gone")
}

func TestElicitor(t *testing.T) {
	if fn, ok := agenttool.ElicitorFrom(t.Context()); ok || fn != nil {
		t.Error("there is an elicitor on an empty context")
	}
	ctx := agenttool.ContextWithElicitor(t.Context(), func(ctx context.Context, q agenttool.Elicitation) (agenttool.Answer, error) {
		call, _ := agenttool.CallFrom(ctx)
		return agenttool.Answer{Action: agenttool.ActionAccept, Content: json.RawMessage(`"` + call.ID + strings.ToUpper(q.Message) + `"`)}, nil
	})
	ask, ok := agenttool.ElicitorFrom(agenttool.WithCall(ctx, agenttool.Call{ID: "c"}))
	if !ok {
		t.Fatal("there is no elicitor")
	}
	answer, err := ask(agenttool.WithCall(ctx, agenttool.Call{ID: "c"}), agenttool.Elicitation{Message: "sure?"})
	if err != nil || answer.Action != "accept" || string(answer.Content) != `"cSURE?"` {
		t.Errorf("answer %+v, %v", answer, err)
	}
	if fn, ok := agenttool.ElicitorFrom(agenttool.ContextWithElicitor(ctx, nil)); ok || fn != nil {
		t.Error("a removed elicitor is there")
	}
	if agenttool.ActionDecline != "decline" || agenttool.ActionCancel != "cancel" {
		t.Error("the actions are misspelt")
	}
}
