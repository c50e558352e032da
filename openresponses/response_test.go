package openresponses

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const fullResponse = `{"id":"","object":"response","created_at":0,"completed_at":null,"status":"in_progress","incomplete_details":null,"model":"","previous_response_id":null,"instructions":null,"output":[],"error":null,"tools":[],"tool_choice":"auto","truncation":"disabled","parallel_tool_calls":false,"text":{"format":{"type":"text"}},"top_p":0,"presence_penalty":0,"frequency_penalty":0,"top_logprobs":0,"temperature":0,"reasoning":{"effort":null,"summary":null},"usage":null,"max_output_tokens":null,"max_tool_calls":null,"store":false,"background":false,"service_tier":"default","metadata":{},"safety_identifier":null,"prompt_cache_key":null}`

func TestResponseDefaults(t *testing.T) {
	res := Response{}
	if got := marshalText(t, res); got != fullResponse {
		t.Errorf("got %s", got)
	}
	if !reflect.DeepEqual(res, Response{}) {
		t.Errorf("encoding changed the value: %+v", res)
	}
	if got := marshalText(t, &Response{Object: "other"}); got != fullResponse {
		t.Errorf("got %s", got)
	}
	nulls := strings.NewReplacer(`"in_progress"`, "null", `"auto"`, "null", `"disabled"`, "null", `"default"`, "null", "[]", "null", `"metadata":{}`, `"metadata":null`).Replace(fullResponse)
	back, err := decodeInto[Response]([]byte(nulls))
	if err != nil {
		t.Fatal(err)
	}
	if got := marshalText(t, back); got != fullResponse {
		t.Errorf("present as null: got %s", got)
	}
}

// TestResponseAbsent checks that members which the source did not have stay away
// until they are set.
func TestResponseAbsent(t *testing.T) {
	tests := []struct {
		name, text string
		change     func(*Response)
		want       string
	}{
		{"nothing", `{}`, nil, `{}`},
		{"alphabetical", `{"status":"queued","id":"r"}`, nil, `{"id":"r","status":"queued"}`},
		{"null is present", `{"usage":null,"tools":null}`, nil, `{"tools":[],"usage":null}`},
		{"object", `{"object":"other"}`, nil, `{"object":"response"}`},
		{"set", `{"id":"r"}`, func(r *Response) { r.Complete(); r.CompletedAt = nil }, `{"id":"r","status":"completed"}`},
		{"set to empty", `{"id":"r"}`, func(r *Response) { r.Output, r.Metadata = Items{}, map[string]string{} }, `{"id":"r","metadata":{},"output":[]}`},
		{"set and cleared", `{"id":"r"}`, func(r *Response) { r.Model = "m"; r.Model = "" }, `{"id":"r"}`},
		{"extra", `{"id":"r","billing":{"payer":"x"},"a":1}`, nil, `{"a":1,"billing":{"payer":"x"},"id":"r"}`},
		{"extra names a declared member that is left out", `{"id":"r"}`, func(r *Response) { r.Extra = map[string]any{"model": 1, "id": 2} }, `{"id":"r","model":1}`},
		{"extra differs in case", `{"ID":"r"}`, nil, `{"ID":"r","id":"r"}`},
		{"cloned", `{"id":"r"}`, func(r *Response) { *r = *r.Clone() }, `{"id":"r"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := decodeInto[Response]([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if tt.change != nil {
				tt.change(&res)
			}
			if got := marshalText(t, res); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			ev := &ResponseCompletedEvent{Response: &res}
			if got, want := marshalText(t, ev), `{"type":"response.completed","sequence_number":0,"response":`+tt.want+`}`; got != want {
				t.Errorf("in an event: got %s, want %s", got, want)
			}
		})
	}
	with := strings.TrimSuffix(fullResponse, "}") + `,"z":1}`
	res, err := decodeInto[Response]([]byte(with))
	if err != nil || !reflect.DeepEqual(res.Extra, map[string]any{"z": 1.0}) {
		t.Fatalf("got %v, %v", res.Extra, err)
	}
	res.Extra = nil
	if got := marshalText(t, res); got != fullResponse {
		t.Errorf("got %s", got)
	}
}

func TestCompactResponseAbsent(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                  `{}`,
		`{"z":1,"id":"r"}`:                    `{"id":"r","z":1}`,
		`{"usage":null,"output":null}`:        `{"output":[],"usage":{"input_tokens":0,"output_tokens":0,"total_tokens":0,"input_tokens_details":{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":0}}}`,
		`{"object":"x","usage":{"cost":0.1}}`: `{"object":"response.compaction","usage":{"input_tokens":0,"output_tokens":0,"total_tokens":0,"input_tokens_details":{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":0},"cost":0.1}}`,
	} {
		res, err := decodeInto[CompactResponse]([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := marshalText(t, res); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestRequestExtra(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"model":"m","input":"hi"}`, `{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}]}`},
		{`{"zeta":[1,"a",null,true,{}],"model":"m","alpha":0.5}`, `{"alpha":0.5,"model":"m","zeta":[1,"a",null,true,{}]}`},
		{`{"Model":"m"}`, `{"Model":"m","model":"m"}`},
		{`{"large":1e400,"model":"m"}`, `{"large":1e400,"model":"m"}`},
		{`{"input":[],"tools":[],"metadata":{},"text":{},"reasoning":{},"tool_choice":null,"stream":false}`, `{}`},
		{`{"text":{"verbosity":"low"},"reasoning":{"effort":"low"}}`, `{"text":{"format":{"type":"text"},"verbosity":"low"},"reasoning":{"effort":"low","summary":null}}`},
		{`{"temperature":0,"store":false,"max_output_tokens":0}`, `{"temperature":0,"max_output_tokens":0,"store":false}`},
		{`null`, `{}`},
	}
	for _, tt := range tests {
		req := Request{Model: "replaced", Extra: map[string]any{"replaced": 1}}
		if err := json.Unmarshal([]byte(tt.text), &req); err != nil {
			t.Fatal(err)
		}
		if got := marshalText(t, req); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
	req := Request{Model: "m", Extra: map[string]any{"model": "loses", "stream": "wins", "n": json.Number("1"), "raw": json.RawMessage(`{ "a": 1 }`)}}
	if got, want := marshalText(t, req), `{"model":"m","n":1,"raw":{"a":1},"stream":"wins"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	compact, err := decodeInto[CompactRequest]([]byte(`{"z":1,"model":"m","input":"hi"}`))
	if err != nil || compact.Extra["z"] != 1.0 || len(compact.Input) != 1 {
		t.Errorf("got %+v, %v", compact, err)
	}
}

func TestRequestQuestions(t *testing.T) {
	no, yes := false, true
	for _, tt := range []struct {
		store *bool
		want  bool
	}{{nil, true}, {&yes, true}, {&no, false}} {
		if got := (Request{Store: tt.store}).Stored(); got != tt.want {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
	req := Request{Include: []Include{"a"}}
	if !req.Includes("a") || req.Includes("b") {
		t.Error("Includes is wrong")
	}
}

func TestResponseEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().Unix()
		var r Response
		r.Complete()
		if r.Status != ResponseStatusCompleted || *r.CompletedAt != now {
			t.Errorf("got %+v", r)
		}
		r = Response{}
		r.Incomplete(IncompleteReasonContentFilter)
		if r.Status != ResponseStatusIncomplete || *r.CompletedAt != now || r.IncompleteDetails.Reason != IncompleteReasonContentFilter {
			t.Errorf("got %+v", r)
		}
		r = Response{}
		r.Fail(errors.New("x"))
		if r.Status != ResponseStatusFailed || r.CompletedAt != nil || r.Error.Code != "internal_error" || r.Error.Message != "x" {
			t.Errorf("got %+v", r)
		}
		if got := NewResponse(Request{}).CreatedAt; got != now {
			t.Errorf("created at %d, want %d", got, now)
		}
	})
	for status, want := range map[ResponseStatus]bool{"completed": true, "incomplete": true, "failed": true, "queued": false, "in_progress": false, "": false, "cancelled": false} {
		if status.Terminal() != want {
			t.Errorf("%q: got %v", status, !want)
		}
	}
}

func TestResponseOutput(t *testing.T) {
	a, b := &FunctionCall{CallID: "a"}, &FunctionCall{CallID: "b"}
	r := Response{Output: Items{
		AssistantText("x"), UserMessage(&OutputText{Text: "no"}), a, nil, &ReasoningItem{},
		&Message{Role: RoleAssistant, Content: Contents{&OutputText{Text: "y"}, &Refusal{Refusal: "no"}, &Text{Text: "no"}, &OutputText{Text: "z"}}}, b,
	}}
	if got := r.OutputText(); got != "xyz" {
		t.Errorf("got %q", got)
	}
	if got := r.FunctionCalls(); len(got) != 2 || got[0] != a || got[1] != b {
		t.Errorf("got %v", got)
	}
	if got := (&Response{}).FunctionCalls(); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}

func TestResponseClone(t *testing.T) {
	r := &Response{Output: Items{UserText("x")}, Tools: Tools{&UnknownTool{}}, Metadata: map[string]string{"a": "b"}, Extra: map[string]any{"c": 1}, Usage: &Usage{}}
	c := r.Clone()
	if !reflect.DeepEqual(c, r) || c.Output[0] != r.Output[0] || c.Usage != r.Usage {
		t.Errorf("got %+v", c)
	}
	c.Output[0], c.Tools[0], c.Metadata["a"], c.Extra["c"] = nil, nil, "", 2
	if r.Output[0] == nil || r.Tools[0] == nil || r.Metadata["a"] != "b" || r.Extra["c"] != 1 {
		t.Errorf("the original became %+v", r)
	}
	if c := (&Response{}).Clone(); !reflect.DeepEqual(c, &Response{}) {
		t.Errorf("got %+v", c)
	}
}

func TestNewResponse(t *testing.T) {
	number, half, yes := 7, 0.5, true
	tool := NewFunctionTool("f", "d", json.RawMessage(`{}`))
	foreign := &UnknownTool{Type: "x"}
	req := Request{
		Model: "m", PreviousResponseID: "p", Instructions: "i", SafetyIdentifier: "s", PromptCacheKey: "k",
		Tools: Tools{tool, foreign, &FunctionTool{Strict: &yes}, nil}, ToolChoice: ToolChoice{Allowed: &AllowedTools{Tools: []ToolReference{FunctionReference("f")}}},
		Truncation: TruncationAuto, Text: TextConfig{Format: JSONSchemaFormat("n", json.RawMessage(`{}`), true)}, Reasoning: ReasoningConfig{Effort: "low"},
		MaxOutputTokens: &number, MaxToolCalls: &number, TopLogprobs: &number, TopP: &half, Temperature: &half, PresencePenalty: &half, FrequencyPenalty: &half,
		Background: true, ServiceTier: "flex", Metadata: map[string]string{"a": "b"}, Input: Items{UserText("x")}, Extra: map[string]any{"z": 1}, Include: []Include{"x"},
	}
	before := marshalText(t, req)
	res := NewResponse(req)
	res.CreatedAt = 0
	want := `{"id":"","object":"response","created_at":0,"completed_at":null,"status":"in_progress","incomplete_details":null,"model":"m","previous_response_id":"p","instructions":"i","output":[],"error":null,"tools":[{"type":"function","name":"f","description":"d","parameters":{},"strict":false},{"type":"x"},{"type":"function","name":"","description":"","parameters":null,"strict":true},null],"tool_choice":{"type":"allowed_tools","tools":[{"type":"function","name":"f"}],"mode":""},"truncation":"auto","parallel_tool_calls":true,"text":{"format":{"type":"json_schema","name":"n","schema":{},"strict":true}},"top_p":0.5,"presence_penalty":0.5,"frequency_penalty":0.5,"top_logprobs":7,"temperature":0.5,"reasoning":{"effort":"low","summary":null},"usage":null,"max_output_tokens":7,"max_tool_calls":7,"store":true,"background":true,"service_tier":"flex","metadata":{"a":"b"},"safety_identifier":"s","prompt_cache_key":"k"}`
	if got := marshalText(t, res); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}

	res.Tools[0].(*FunctionTool).Parameters[0] = 'x'
	*res.Tools[2].(*FunctionTool).Strict = false
	res.ToolChoice.Allowed.Tools[0].Name = "changed"
	res.Text.Format.Schema[0] = 'x'
	*res.Text.Format.Strict = false
	*res.MaxOutputTokens = 0
	res.Metadata["a"] = "changed"
	if after := marshalText(t, req); after != before {
		t.Errorf("the request became %s", after)
	}
	if tool.Strict != nil || res.Tools[1] != foreign {
		t.Error("tools are not echoed as they should be")
	}

	res = NewResponse(Request{})
	if res.Output == nil || res.Tools == nil || !res.ParallelToolCalls || res.TopP != 1 || res.Temperature != 1 || !res.Store ||
		res.PreviousResponseID != nil || res.Instructions != nil || res.SafetyIdentifier != nil || res.PromptCacheKey != nil || res.Metadata != nil {
		t.Errorf("got %+v", res)
	}
}
