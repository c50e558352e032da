package chatcompletions_test

import (
	"encoding/json"
	"reflect"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/chatcompletions"
)

func ptr[V any](v V) *V { return &v }

// sentFor returns the body that a request makes, or the error.
func sentFor(t testing.TB, req or.Request, opts ...chatcompletions.Option) ([]byte, error) {
	t.Helper()
	u, adapter := answering("data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n", opts...)
	_, err := adapter.Create(t.Context(), req)
	if err != nil && u.sent != nil {
		t.Fatalf("%v after the request was sent", err)
	}
	return u.sent, err
}

// sameJSON reports whether two texts are the same value.
func sameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatalf("%v in %s", err, a)
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return reflect.DeepEqual(x, y)
}

const always = `"model":"m","n":1,"stream":true,"stream_options":{"include_usage":true}`

func TestSettings(t *testing.T) {
	schema := json.RawMessage(`{"type":"object"}`)
	for _, c := range []struct {
		name string
		req  or.Request
		opts []chatcompletions.Option
		want string // but for what is sent always
	}{
		{name: "nothing"},
		{name: "all", req: or.Request{
			Temperature: ptr(0.0), TopP: ptr(0.5), PresencePenalty: ptr(1.0), FrequencyPenalty: ptr(2.0),
			TopLogprobs: ptr(3), Reasoning: or.ReasoningConfig{Effort: or.ReasoningEffortLow, Summary: or.ReasoningSummaryAuto},
			Text: or.TextConfig{Verbosity: or.VerbosityHigh}, ServiceTier: or.ServiceTierFlex, SafetyIdentifier: "s",
			PromptCacheKey: "k", Metadata: map[string]string{"a": "b"}, MaxOutputTokens: ptr(9), ParallelToolCalls: ptr(false),
			Truncation: or.TruncationDisabled, Store: ptr(true), Include: []or.Include{or.IncludeOutputTextLogprobs},
			Extra: map[string]any{"own": 1},
		}, want: `"temperature":0,"top_p":0.5,"presence_penalty":1,"frequency_penalty":2,"logprobs":true,"top_logprobs":3,
			"reasoning_effort":"low","verbosity":"high","service_tier":"flex","safety_identifier":"s","prompt_cache_key":"k",
			"metadata":{"a":"b"},"max_tokens":9,"parallel_tool_calls":false`},
		{name: "another name for the limit", req: or.Request{MaxOutputTokens: ptr(9)},
			opts: []chatcompletions.Option{chatcompletions.WithMaxTokensField("max_completion_tokens")}, want: `"max_completion_tokens":9`},
		{name: "no name for the limit", req: or.Request{MaxOutputTokens: ptr(9)},
			opts: []chatcompletions.Option{chatcompletions.WithMaxTokensField("")}, want: `"max_tokens":9`},
		{name: "more members", req: or.Request{MaxOutputTokens: ptr(9), Extra: map[string]any{"top_k": 40, "max_tokens": 1, "n": 5, "model": "x"}},
			opts: []chatcompletions.Option{chatcompletions.WithExtra()}, want: `"top_k":40,"max_tokens":9`},
		{name: "tools", req: or.Request{Tools: or.Tools{
			&or.FunctionTool{Name: "f", Description: "d", Parameters: schema, Strict: ptr(true)},
			&or.FunctionTool{Name: "g", Parameters: json.RawMessage(` null `)},
		}, ToolChoice: or.ToolChoice{Mode: or.ToolChoiceRequired}},
			want: `"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"},"strict":true}},
				{"type":"function","function":{"name":"g"}}],"tool_choice":"required"`},
		{name: "one tool", req: or.Request{ToolChoice: or.ToolChoiceFunction("f")},
			want: `"tool_choice":{"type":"function","function":{"name":"f"}}`},
		{name: "some tools", req: or.Request{ToolChoice: or.ToolChoice{Allowed: &or.AllowedTools{
			Mode: or.ToolChoiceAuto, Tools: []or.ToolReference{or.FunctionReference("f")}}}},
			want: `"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f"}}]}}`},
		{name: "text", req: or.Request{Text: or.TextConfig{Format: &or.TextFormat{Type: or.TextFormatText}}}},
		{name: "JSON", req: or.Request{Text: or.TextConfig{Format: &or.TextFormat{Type: or.TextFormatJSONObject}}},
			want: `"response_format":{"type":"json_object"}`},
		{name: "a schema", req: or.Request{Text: or.TextConfig{Format: or.JSONSchemaFormat("n", schema, true)}},
			want: `"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"},"strict":true}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.req.Model = "m"
			got, err := sentFor(t, c.req, c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			want := "{" + always + `,"messages":[]`
			if c.want != "" {
				want += "," + c.want
			}
			if want += "}"; !sameJSON(t, string(got), want) {
				t.Errorf("sent %s\nwant %s", got, want)
			}
		})
	}
	t.Run("the header", func(t *testing.T) {
		u := &upstream{}
		adapter := chatcompletions.New(u.client(or.WithAPIKey("secret"), or.WithHeader("X-Own", "1")))
		u.err = http500{}
		_, _ = adapter.Create(t.Context(), user("hi"))
		h := u.request.Header
		if u.request.Method != "POST" || u.request.URL.String() != "http://upstream/v1/chat/completions" ||
			h.Get("Authorization") != "Bearer secret" || h.Get("X-Own") != "1" ||
			h.Get("Content-Type") != "application/json" || h.Get("Accept") != "text/event-stream" {
			t.Errorf("%s %s %v", u.request.Method, u.request.URL, h)
		}
	})
}

type http500 struct{}

func (http500) Error() string { return "down" }

func TestMessages(t *testing.T) {
	replay := []chatcompletions.Option{chatcompletions.WithReasoningReplay("reasoning_content")}
	thought := &or.ReasoningItem{Content: or.Contents{&or.ReasoningText{Text: "hm"}}, Summary: or.Contents{&or.SummaryText{Text: "short"}}}
	call := func(id, arguments string) or.Item {
		return &or.FunctionCall{CallID: id, Name: "f", Arguments: arguments}
	}
	const sentCall = `{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}`
	for _, c := range []struct {
		name         string
		instructions string
		input        or.Items
		opts         []chatcompletions.Option
		want         string
	}{
		{name: "instructions", instructions: "be", input: or.Items{or.UserText("hi")},
			want: `{"role":"system","content":"be"},{"role":"user","content":"hi"}`},
		{name: "roles", input: or.Items{or.SystemText("a"), or.DeveloperText("b"), or.UserText("c"), or.AssistantText("d")},
			want: `{"role":"system","content":"a"},{"role":"developer","content":"b"},{"role":"user","content":"c"},{"role":"assistant","content":"d"}`},
		{name: "a system message in parts", input: or.Items{&or.Message{Role: or.RoleSystem, Content: or.Contents{&or.InputText{Text: "a"}, &or.InputText{Text: "b"}}}},
			want: `{"role":"system","content":"ab"}`},
		{name: "two texts", input: or.Items{or.UserMessage(&or.InputText{Text: "a"}, &or.InputText{Text: "b"})},
			want: `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`},
		{name: "images", input: or.Items{or.UserMessage(
			&or.InputImage{ImageURL: "data:a"}, &or.InputImage{ImageURL: "b", Detail: or.ImageDetailAuto}, &or.InputImage{ImageURL: "c", Detail: or.ImageDetailLow})},
			want: `{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:a"}},{"type":"image_url","image_url":{"url":"b"}},
				{"type":"image_url","image_url":{"url":"c","detail":"low"}}]}`},
		{name: "files", input: or.Items{or.UserMessage(&or.InputFile{FileID: "x"}, &or.InputFile{FileData: "d", Filename: "n"})},
			want: `{"role":"user","content":[{"type":"file","file":{"file_id":"x"}},{"type":"file","file":{"file_data":"d","filename":"n"}}]}`},
		{name: "what the assistant did in a row", input: or.Items{thought, or.AssistantText("a"), call("a", " "), or.AssistantText("b"), or.NewFunctionCallOutput("a", "out")},
			want: `{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"tool_calls":[` + sentCall + `]},
				{"role":"tool","tool_call_id":"a","content":"out"}`},
		{name: "calls that were answered one by one", input: or.Items{call("a", "{}"), or.NewFunctionCallOutput("a", "x"), call("a", "{}"), or.NewFunctionCallOutput("a", "y")},
			want: `{"role":"assistant","tool_calls":[` + sentCall + `]},{"role":"tool","tool_call_id":"a","content":"x"},
				{"role":"assistant","tool_calls":[` + sentCall + `]},{"role":"tool","tool_call_id":"a","content":"y"}`},
		{name: "a refusal", input: or.Items{&or.Message{Role: or.RoleAssistant, Content: or.Contents{&or.Refusal{Refusal: "no"}}}},
			want: `{"role":"assistant","refusal":"no"}`},
		{name: "an output in parts", input: or.Items{call("a", "{}"), &or.FunctionCallOutput{CallID: "a", Output: or.FunctionCallOutputData{
			Parts: or.Contents{&or.InputText{Text: "x"}, &or.OutputText{Text: "y"}}}}},
			want: `{"role":"assistant","tool_calls":[` + sentCall + `]},{"role":"tool","tool_call_id":"a","content":"xy"}`},
		{name: "reasoning that isn't sent", input: or.Items{thought, call("a", "{}")},
			want: `{"role":"assistant","tool_calls":[` + sentCall + `]}`},
		{name: "reasoning that is", input: or.Items{thought, call("a", "{}")}, opts: replay,
			want: `{"role":"assistant","reasoning_content":"hm","tool_calls":[` + sentCall + `]}`},
		{name: "its summary", input: or.Items{&or.ReasoningItem{Summary: thought.Summary}, or.AssistantText("a")}, opts: replay,
			want: `{"role":"assistant","reasoning_content":"short","content":"a"}`},
		{name: "reasoning alone", input: or.Items{thought, or.UserText("hi")},
			want: `{"role":"assistant","content":""},{"role":"user","content":"hi"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := sentFor(t, or.Request{Model: "m", Input: c.input, Instructions: c.instructions}, c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			if want := "{" + always + `,"messages":[` + c.want + "]}"; !sameJSON(t, string(got), want) {
				t.Errorf("sent %s\nwant %s", got, want)
			}
		})
	}
}

func TestRequestsThatCannotBeSent(t *testing.T) {
	said := func(parts ...or.Content) or.Request {
		return or.Request{Input: or.Items{or.UserText("a"), or.UserMessage(parts...)}}
	}
	for _, c := range []struct {
		name, code, param string
		req               or.Request
	}{
		{"a previous response", or.CodePreviousResponseNotFound, "previous_response_id", or.Request{PreviousResponseID: "r"}},
		{"a limit on calls", or.CodeUnsupportedParameter, "max_tool_calls", or.Request{MaxToolCalls: ptr(1)}},
		{"truncation", or.CodeUnsupportedParameter, "truncation", or.Request{Truncation: or.TruncationAuto}},
		{"a tool of another type", or.CodeUnsupportedParameter, "tools[1].type", or.Request{Tools: or.Tools{&or.FunctionTool{Name: "f"}, &or.UnknownTool{Type: "x"}}}},
		{"a nil tool", or.CodeUnsupportedParameter, "tools[0].type", or.Request{Tools: or.Tools{(*or.FunctionTool)(nil)}}},
		{"parameters", or.CodeInvalidValue, "tools[0].parameters", or.Request{Tools: or.Tools{&or.FunctionTool{Name: "f", Parameters: json.RawMessage(`{`)}}}},
		{"a format", or.CodeInvalidValue, "text.format.type", or.Request{Text: or.TextConfig{Format: &or.TextFormat{Type: "grammar"}}}},
		{"a schema", or.CodeInvalidValue, "text.format.schema", or.Request{Text: or.TextConfig{Format: or.JSONSchemaFormat("n", json.RawMessage(`{`), true)}}},
		{"a role", or.CodeInvalidValue, "input[0].role", or.Request{Input: or.Items{&or.Message{Role: "critic"}}}},
		{"a compaction", or.CodeUnsupportedParameter, "input[0].type", or.Request{Input: or.Items{&or.Compaction{}}}},
		{"a reference", or.CodeUnsupportedParameter, "input[0].type", or.Request{Input: or.Items{&or.ItemReference{}}}},
		{"an unknown item", or.CodeUnsupportedParameter, "input[0].type", or.Request{Input: or.Items{&or.UnknownItem{Type: "x"}}}},
		{"a nil item", or.CodeUnsupportedParameter, "input[0].type", or.Request{Input: or.Items{nil}}},
		{"a nil message", or.CodeUnsupportedParameter, "input[0].type", or.Request{Input: or.Items{(*or.Message)(nil)}}},
		{"a video", or.CodeUnsupportedParameter, "input[1].content[0].type", said(&or.InputVideo{VideoURL: "x"})},
		{"a nil part", or.CodeUnsupportedParameter, "input[1].content[0].type", said((*or.InputImage)(nil))},
		{"an image by ID", or.CodeUnsupportedParameter, "input[1].content[1].file_id", said(&or.InputText{}, &or.InputImage{FileID: "x"})},
		{"no image", or.CodeMissingRequiredParameter, "input[1].content[0].image_url", said(&or.InputImage{})},
		{"a file by URL", or.CodeUnsupportedParameter, "input[1].content[0].file_url", said(&or.InputFile{FileURL: "x"})},
		{"no file", or.CodeMissingRequiredParameter, "input[1].content[0].file_data", said(&or.InputFile{Filename: "x"})},
		{"an image for the system", or.CodeUnsupportedParameter, "input[0].content[0].type", or.Request{Input: or.Items{&or.Message{Role: or.RoleSystem, Content: or.Contents{&or.InputImage{ImageURL: "x"}}}}}},
		{"an image of the assistant's", or.CodeUnsupportedParameter, "input[0].content[0].type", or.Request{Input: or.Items{&or.Message{Role: or.RoleAssistant, Content: or.Contents{&or.InputImage{ImageURL: "x"}}}}}},
		{"an image for an output", or.CodeUnsupportedParameter, "input[0].output[0].type", or.Request{Input: or.Items{&or.FunctionCallOutput{Output: or.FunctionCallOutputData{Parts: or.Contents{&or.InputImage{ImageURL: "x"}}}}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := sentFor(t, c.req)
			e, ok := err.(*or.Error)
			if !ok || e.Code != c.code || e.Param != c.param {
				t.Errorf("got %#v", err)
			}
		})
	}
	t.Run("what has no JSON", func(t *testing.T) {
		_, err := sentFor(t, or.Request{Extra: map[string]any{"f": func() {}}}, chatcompletions.WithExtra())
		if e, ok := err.(*or.Error); !ok || e.Code != "encode_failed" {
			t.Errorf("got %v", err)
		}
	})
}
