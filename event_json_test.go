package agentturn_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// sampleResponse is a response as the wire has it, with nothing left to a default.
func sampleResponse() *openresponses.Response {
	resp := openresponses.NewResponse(openresponses.Request{Model: "m", Input: openresponses.Items{openresponses.UserText("hi")}})
	resp.ID = "resp_1"
	resp.Output = openresponses.Items{sampleCall()}
	resp.Usage = &openresponses.Usage{InputTokens: 1, OutputTokens: 2, TotalTokens: 3}
	resp.Complete()
	data, err := json.Marshal(resp)
	if err != nil {
		panic(err)
	}
	received := new(openresponses.Response)
	if err := json.Unmarshal(data, received); err != nil {
		panic(err)
	}
	return received
}

func sampleCall() *openresponses.FunctionCall {
	return &openresponses.FunctionCall{
		ID: "fc_1", Status: openresponses.StatusCompleted,
		CallID: "call_1", Name: "read_file", Arguments: `{"path":"x"}`,
	}
}

func sampleRequest() openresponses.Request {
	store := false
	return openresponses.Request{
		Model: "m", Stream: true, Store: &store, Instructions: "be <brief> & kind",
		Input: openresponses.Items{openresponses.UserText("hi"), sampleCall(), openresponses.NewFunctionCallOutput("call_1", "text")},
		Tools: openresponses.Tools{openresponses.NewFunctionTool("read_file", "reads", json.RawMessage(`{"type":"object"}`))},
	}
}

func sampleTrigger() agentturn.Trigger {
	return agentturn.Trigger{Kind: "cron", Ref: "nightly", Source: "gateway", Extra: map[string]any{"depth": 2.0, "tags": []any{"a"}}}
}

func sampleResult() agenttool.Result {
	return agenttool.Result{
		Output:    openresponses.FunctionCallOutputData{Text: "half\n\"way\" \u2028"},
		Details:   map[string]any{"lines": 3.0},
		Terminate: true,
	}
}

// samples is one event of each type with every field set.
func samples() []agentturn.Event {
	apiErr := openresponses.TooManyRequests("slow_down", "wait")
	apiErr.StatusCode, apiErr.Param = 429, "model"
	apiErr.Headers = http.Header{"Retry-After": {"3"}}
	tool := agenttool.New("read_file", "reads", func(context.Context, agenttool.NoArgs) (string, error) { return "", nil })
	return []agentturn.Event{
		&agentturn.RunStart{RunID: "run_1", Source: agentturn.SourceInput, Trigger: sampleTrigger()},
		&agentturn.TurnStart{
			RunID: "run_1", Turn: 2, Request: sampleRequest(),
			Inputs: openresponses.Items{openresponses.UserText("hi")},
			Arrived: []agentturn.TurnInput{
				{Item: openresponses.UserText("hi"), Mode: agentturn.InputSteer, Trigger: sampleTrigger()},
			},
		},
		&agentturn.ModelRetry{RunID: "run_1", Turn: 1, Attempt: 2, Err: apiErr, Delay: 500*time.Millisecond + 1, Request: sampleRequest()},
		&agentturn.ModelBlocked{RunID: "run_1", Turn: 1, Request: sampleRequest(), Err: agentturn.ErrGuard},
		&agentturn.ResponseEnd{RunID: "run_1", Turn: 1, Response: sampleResponse(), Withheld: true},
		&agentturn.ItemStart{RunID: "run_1", Turn: 1, Item: sampleCall(), ResponseID: "resp_1", Hidden: true},
		&agentturn.ItemUpdate{
			RunID: "run_1", Turn: 1, Item: sampleCall(), ResponseID: "resp_1",
			Stream: &openresponses.FunctionCallArgumentsDeltaEvent{SequenceNumber: 4, ItemID: "fc_1", OutputIndex: 1, Delta: `{"path"`},
		},
		&agentturn.ItemEnd{
			RunID: "run_1", Turn: 1, Item: sampleCall(), ResponseID: "resp_1",
			Hidden: true, Trigger: sampleTrigger(), ModelCallID: "call_0",
		},
		&agentturn.ToolStart{
			RunID: "run_1", Turn: 1, CallID: "call_1", Name: "read_file", Args: json.RawMessage(`{ "path": "x" `), Parent: "call_0",
			Decision: &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "ask", Terminate: true, Args: json.RawMessage(`{}`), By: "policy", Note: "note"},
		},
		&agentturn.ToolDispatch{RunID: "run_1", Turn: 1, CallID: "call_1", Name: "read_file", Parent: "call_0", IdempotencyKey: "run_1/call_1"},
		&agentturn.ToolUpdate{RunID: "run_1", Turn: 1, CallID: "call_1", Name: "read_file", Partial: sampleResult()},
		&agentturn.ToolEnd{
			RunID: "run_1", Turn: 1, CallID: "call_1", Name: "read_file", Result: sampleResult(),
			Err: context.DeadlineExceeded, Blocked: true, Deferred: true, Reason: "rule 7", Parent: "call_0",
		},
		&agentturn.TurnEnd{RunID: "run_1", Turn: 1, Response: sampleResponse(), ToolResults: []agenttool.Result{sampleResult(), {}}},
		&agentturn.RunEnd{
			RunID: "run_1", Items: agentturn.Transcript{openresponses.UserText("hi"), sampleCall()},
			Reason: agentturn.ReasonStopped, Cause: agentturn.StopGuard, Err: agentturn.ErrGuard, Withheld: true,
			Pending: []agentturn.PendingCall{{
				Call: sampleCall(), Reason: agentturn.PendingAborted, Tool: tool, Dispatched: true,
				IdempotencyKey: "run_1/call_1", Args: json.RawMessage(`{"path":"y"}`),
				Ran: openresponses.NewFunctionCallOutput("call_1", "ran"), RanWhere: "there", Refused: "no",
			}},
		},
		&agentturn.Queued{RunID: "run_1", Item: openresponses.UserText("more"), Mode: agentturn.QueueFollowUp, Hidden: true, Trigger: sampleTrigger()},
	}
}

// unset returns the paths of the fields of this module's and agenttool's
// structs that are zero.
func unset(path string, v reflect.Value) []string {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return unset(path, v.Elem())
		}
	case reflect.Slice:
		if v.Len() > 0 && v.Index(0).Kind() == reflect.Struct {
			return unset(path+"[0]", v.Index(0))
		}
	case reflect.Struct:
		if pkg := v.Type().PkgPath(); !strings.HasSuffix(pkg, "/agentturn") && !strings.HasSuffix(pkg, "/agenttool") {
			break
		}
		var paths []string
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				paths = append(paths, unset(path+"."+v.Type().Field(i).Name, v.Field(i))...)
			}
		}
		return paths
	}
	if v.IsZero() {
		return []string{path}
	}
	return nil
}

// TestEventJSONRoundTrip encodes a full event of each type and expects the same
// event back.
func TestEventJSONRoundTrip(t *testing.T) {
	for _, ev := range samples() {
		t.Run(ev.EventType(), func(t *testing.T) {
			if paths := unset("", reflect.ValueOf(ev)); len(paths) > 0 {
				t.Fatalf("the sample leaves fields out: %v", paths)
			}
			data, err := json.Marshal(ev)
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf(`{"type":%q,`, ev.EventType()); !bytes.HasPrefix(data, []byte(want)) {
				t.Errorf("begins %.40s, want %s", data, want)
			}
			got, err := agentturn.DecodeEvent(data)
			if err != nil {
				t.Fatal(err)
			}
			if end, ok := ev.(*agentturn.RunEnd); ok {
				end.Pending[0].Tool = nil
			}
			if !reflect.DeepEqual(got, ev) {
				again, _ := json.Marshal(got)
				t.Errorf("came back different:\n got %s\nwant %s", again, data)
			}

			into := reflect.New(reflect.TypeOf(ev).Elem()).Interface()
			if err := json.Unmarshal(data, into); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(into, got) {
				t.Errorf("Unmarshal and DecodeEvent differ: %+v, %+v", into, got)
			}
			if err := json.Unmarshal([]byte(`{"type":"elsewhere"}`), into); err == nil {
				t.Error("Unmarshal took another type")
			}
		})
	}
}

// TestEventJSONZero round-trips an empty event of each type.
func TestEventJSONZero(t *testing.T) {
	for _, full := range samples() {
		t.Run(full.EventType(), func(t *testing.T) {
			ev := reflect.New(reflect.TypeOf(full).Elem()).Interface()
			data, err := json.Marshal(ev)
			if err != nil {
				t.Fatal(err)
			}
			got, err := agentturn.DecodeEvent(data)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, ev) {
				t.Errorf("%s came back as %+v", data, got)
			}
		})
	}
}

// TestEventJSONComplete finds every type with an EventType method in the
// package's source and expects a sample of it, and so a codec.
func TestEventJSONComplete(t *testing.T) {
	tested := make(map[string]bool)
	for _, ev := range samples() {
		tested[reflect.TypeOf(ev).Elem().Name()] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		source, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range source.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != "EventType" {
				continue
			}
			found++
			name := fn.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
			if !tested[name] {
				t.Errorf("event %s has no JSON sample", name)
			}
		}
	}
	if found != len(tested) {
		t.Errorf("found %d event types in the source, %d have samples", found, len(tested))
	}
}

// TestEventJSONForm states the form of one event to the letter.
func TestEventJSONForm(t *testing.T) {
	ev := &agentturn.ToolEnd{
		RunID: "run_1", Turn: 1, CallID: "call_1", Name: "rm",
		Result: agenttool.Text("Error: no"), Err: fmt.Errorf("tool: %w", context.Canceled), Blocked: true, Reason: "no",
	}
	const want = `{"type":"tool_end","run_id":"run_1","turn":1,"call_id":"call_1","name":"rm",` +
		`"result":{"output":"Error: no"},"err":{"message":"tool: context canceled","is":["canceled"]},"blocked":true,"reason":"no"}`
	got, err := json.Marshal(ev)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestEventJSONErrors checks what an error keeps.
func TestEventJSONErrors(t *testing.T) {
	apiErr := &openresponses.Error{
		StatusCode: 503, Type: openresponses.ErrorTypeServerError, Code: "overloaded", Message: "later",
		Headers: http.Header{"Retry-After": {"1"}}, ResponseHeaders: http.Header{"Set-Cookie": {"secret"}}, Body: []byte("secret"),
	}
	tests := []struct {
		name string
		err  error
		is   []error
	}{
		{"plain", errors.New("boom"), nil},
		{"empty", errors.New(""), nil},
		{"sentinel", agentturn.ErrInputRequired, []error{agentturn.ErrInputRequired}},
		{"wrapped", fmt.Errorf("agentturn: model: %w", io.ErrUnexpectedEOF), []error{io.ErrUnexpectedEOF}},
		{"cause and failure", fmt.Errorf("%w: %w", context.Canceled, agentturn.ErrGuard), []error{context.Canceled, agentturn.ErrGuard}},
		{"joined", errors.Join(context.DeadlineExceeded, errors.New("x"), agentturn.ErrAmbiguousCall), []error{context.DeadlineExceeded, agentturn.ErrAmbiguousCall}},
		{"server", apiErr, []error{&openresponses.Error{Code: "overloaded", StatusCode: 503}}},
		{"wrapped server", fmt.Errorf("agentturn: model: %w", apiErr), []error{&openresponses.Error{Type: openresponses.ErrorTypeServerError}}},
		{"cut stream", fmt.Errorf("agentturn: model: %w", openresponses.ErrTruncatedStream), []error{openresponses.ErrTruncatedStream}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, err := json.Marshal(&agentturn.RunEnd{Err: tt.err})
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte("secret")) {
				t.Errorf("the response leaks: %s", data)
			}
			ev, err := agentturn.DecodeEvent(data)
			if err != nil {
				t.Fatal(err)
			}
			got := ev.(*agentturn.RunEnd).Err
			if got == nil || got.Error() != tt.err.Error() {
				t.Fatalf("got %v, want %v", got, tt.err)
			}
			for _, target := range tt.is {
				if !errors.Is(got, target) {
					t.Errorf("%v is not %v", got, target)
				}
			}
			for _, target := range []error{agentturn.ErrGuard, context.Canceled, io.EOF} {
				if errors.Is(got, target) != errors.Is(tt.err, target) {
					t.Errorf("is %v: %t, want %t", target, errors.Is(got, target), errors.Is(tt.err, target))
				}
			}
			var api *openresponses.Error
			if errors.As(tt.err, &api) {
				var back *openresponses.Error
				if !errors.As(got, &back) || back.StatusCode != 503 || back.Headers.Get("Retry-After") != "1" {
					t.Errorf("server error came back as %+v", back)
				}
			}
		})
	}
}

// TestEventJSONDetails checks what has no JSON form of its own.
func TestEventJSONDetails(t *testing.T) {
	for name, details := range map[string]any{
		"unencodable": func() {},
		"panics":      panicking{},
		"nil map":     map[string]int(nil),
	} {
		t.Run(name, func(t *testing.T) {
			data, err := json.Marshal(&agentturn.ToolUpdate{Partial: agenttool.Result{Details: details}})
			if err != nil {
				t.Fatal(err)
			}
			ev, err := agentturn.DecodeEvent(data)
			if err != nil {
				t.Fatal(err)
			}
			if got := ev.(*agentturn.ToolUpdate).Partial.Details; got != nil {
				t.Errorf("details %v came back as %v", details, got)
			}
		})
	}
}

type panicking struct{}

func (panicking) MarshalJSON() ([]byte, error) { panic("no") }

// TestDecodeEventErrors gives DecodeEvent what it must refuse, and expects the
// fault to be named.
func TestDecodeEventErrors(t *testing.T) {
	for data, want := range map[string]string{
		``:                                 "unexpected end",
		`null`:                             "not an object",
		`[]`:                               "cannot unmarshal array",
		`{}`:                               `unknown type ""`,
		`{"type":7}`:                       "type:",
		`{"type":"run_paused"}`:            `unknown type "run_paused"`,
		`{"type":"run_start","run_id":1}`:  "run_start: run_id:",
		`{"type":"turn_start","turn":1.5}`: "turn_start: turn:",
		`{"type":"item_end","item":7}`:     "item_end: item:",
		`{"type":"turn_start","arrived":[{"item":[]}]}`:       "arrived: [0]: item:",
		`{"type":"tool_start","decision":{"action":"maybe"}}`: "decision: action:",
		`{"type":"tool_end","err":"text"}`:                    "err:",
	} {
		t.Run(data, func(t *testing.T) {
			ev, err := agentturn.DecodeEvent([]byte(data))
			if err == nil || ev != nil {
				t.Fatalf("got %v, %v", ev, err)
			}
			if !strings.HasPrefix(err.Error(), "agentturn: decode event") || !strings.Contains(err.Error(), want) {
				t.Errorf("error %q does not say %q", err, want)
			}
		})
	}
}

// FuzzDecodeEvent decodes any bytes: no panic, and what was decoded encodes to
// JSON that decodes to the same event.
func FuzzDecodeEvent(f *testing.F) {
	for _, ev := range samples() {
		data, err := json.Marshal(ev)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"type":"run_end","items":[],"pending":[{}],"err":{"message":"x","is":["guard","nothing"]}}`))
	f.Add([]byte(`{"type":"item_start","item":{"type":"acme:note","id":"","x":[1]}}`))
	f.Add([]byte(`{"type":"run_start","trigger":{"kind":null,"extra":{},"":1}}`))
	f.Add([]byte(`{"type":"tool_end","result":{"output":null,"details":null}}`))
	f.Add([]byte(`{"type":"item_update","stream":{"type":"x","delta":"\ud800"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ev, err := agentturn.DecodeEvent(data)
		if err != nil {
			return
		}
		once, err := json.Marshal(ev)
		if err != nil {
			t.Fatalf("decoded and does not encode: %v", err)
		}
		again, err := agentturn.DecodeEvent(once)
		if err != nil {
			t.Fatalf("encoded as %s and does not decode: %v", once, err)
		}
		twice, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(once, twice) {
			t.Errorf("not a fixed point:\n%s\n%s", once, twice)
		}
	})
}

func ExampleDecodeEvent() {
	line, err := json.Marshal(&agentturn.ToolStart{
		RunID: "run_1", Turn: 1, CallID: "call_1", Name: "read_file", Args: json.RawMessage(`{"path":"x"}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(line))

	ev, err := agentturn.DecodeEvent(line)
	if err != nil {
		fmt.Println(err)
		return
	}
	if start, ok := ev.(*agentturn.ToolStart); ok {
		fmt.Println(start.Name, string(start.Args))
	}
	// Output:
	// {"type":"tool_start","run_id":"run_1","turn":1,"call_id":"call_1","name":"read_file","arguments":"{\"path\":\"x\"}"}
	// read_file {"path":"x"}
}

// BenchmarkEventJSON encodes and decodes one delta of a short message.
func BenchmarkEventJSON(b *testing.B) {
	ev := &agentturn.ItemUpdate{
		RunID: "run_1", Turn: 1, ResponseID: "resp_1", Item: openresponses.AssistantText("hello"),
		Stream: &openresponses.OutputTextDeltaEvent{ItemID: "msg_1", Delta: "hello"},
	}
	data, err := ev.MarshalJSON()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ev.MarshalJSON(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := agentturn.DecodeEvent(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
