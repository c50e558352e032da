package openresponses

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

func marshalText(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("encode %#v: %v", v, err)
	}
	return string(data)
}

// TestEncodeZero pins what is written for values that are not set.
func TestEncodeZero(t *testing.T) {
	tests := []struct {
		v    any
		want string
	}{
		{&Message{}, `{"type":"message","role":"","content":[]}`},
		{&FunctionCall{}, `{"type":"function_call","call_id":"","name":"","arguments":""}`},
		{&FunctionCallOutput{}, `{"type":"function_call_output","call_id":"","output":""}`},
		{&FunctionCallOutput{Output: FunctionCallOutputData{Text: "x", Parts: Contents{}}}, `{"type":"function_call_output","call_id":"","output":[]}`},
		{&ReasoningItem{}, `{"type":"reasoning","summary":[]}`},
		{&ReasoningItem{Content: Contents{}}, `{"type":"reasoning","summary":[]}`},
		{&Compaction{}, `{"type":"compaction","encrypted_content":""}`},
		{&ItemReference{}, `{"type":"item_reference","id":""}`},
		{&UnknownItem{}, `{"type":""}`},
		{&UnknownItem{Type: "t", ID: "i", Status: "s"}, `{"type":"t","id":"i","status":"s"}`},
		{&UnknownItem{Type: "t", Status: "s", Raw: json.RawMessage(` {"type": "<"}`)}, `{"type":"\u003c"}`},
		{Items(nil), `null`},
		{Items{nil, (*Message)(nil)}, `[null,null]`},
		{&InputText{}, `{"type":"input_text","text":""}`},
		{&InputImage{}, `{"type":"input_image","image_url":"","detail":"auto"}`},
		{&InputFile{}, `{"type":"input_file"}`},
		{&InputVideo{}, `{"type":"input_video","video_url":""}`},
		{&OutputText{}, `{"type":"output_text","text":"","annotations":[]}`},
		{&OutputText{Logprobs: []LogProb{{}}}, `{"type":"output_text","text":"","annotations":[],"logprobs":[{"token":"","logprob":0,"bytes":[],"top_logprobs":[]}]}`},
		{&Refusal{}, `{"type":"refusal","refusal":""}`},
		{&Text{}, `{"type":"text","text":""}`},
		{&SummaryText{}, `{"type":"summary_text","text":""}`},
		{&ReasoningText{}, `{"type":"reasoning_text","text":""}`},
		{&UnknownContent{Type: "t"}, `{"type":"t"}`},
		{LogProb{TopLogprobs: []TopLogProb{{}}}, `{"token":"","logprob":0,"bytes":[],"top_logprobs":[{"token":"","logprob":0,"bytes":[]}]}`},
		{&URLCitation{}, `{"type":"url_citation","url":"","title":"","start_index":0,"end_index":0}`},
		{&UnknownAnnotation{Type: "t"}, `{"type":"t"}`},
		{&FunctionTool{}, `{"type":"function","name":"","description":"","parameters":null}`},
		{NewFunctionTool("n", "d", json.RawMessage(`{}`)), `{"type":"function","name":"n","description":"d","parameters":{}}`},
		{&UnknownTool{Type: "t"}, `{"type":"t"}`},
		{ToolChoice{}, `null`},
		{ToolChoice{Mode: ToolChoiceRequired}, `"required"`},
		{ToolChoice{Mode: "m", Allowed: &AllowedTools{}}, `{"type":"allowed_tools","tools":[],"mode":""}`},
		{ToolChoice{Mode: "m", Allowed: &AllowedTools{}, Function: &FunctionToolChoice{Name: "f"}}, `{"type":"function","name":"f"}`},
		{ToolChoice{Allowed: &AllowedTools{Tools: []ToolReference{FunctionReference("f")}, Mode: ToolChoiceAuto}}, `{"type":"allowed_tools","tools":[{"type":"function","name":"f"}],"mode":"auto"}`},
		{TextConfig{}, `{"format":{"type":"text"}}`},
		{TextConfig{Format: JSONSchemaFormat("n", json.RawMessage(`{}`), false)}, `{"format":{"type":"json_schema","name":"n","schema":{},"strict":false}}`},
		{ReasoningConfig{}, `{"effort":null,"summary":null}`},
		{StreamOptions{}, `{}`},
		{Request{}, `{}`},
		{CompactRequest{}, `{}`},
		{ErrorPayload{}, `{"code":"","message":"","param":null}`},
		{CompactResponse{}, `{"id":"","object":"response.compaction","output":[],"created_at":0,"usage":{"input_tokens":0,"output_tokens":0,"total_tokens":0,"input_tokens_details":{"cached_tokens":0},"output_tokens_details":{"reasoning_tokens":0}}}`},
		{&OutputTextDeltaEvent{}, `{"type":"response.output_text.delta","sequence_number":0,"item_id":"","output_index":0,"content_index":0,"delta":""}`},
		{&OutputItemAddedEvent{}, `{"type":"response.output_item.added","sequence_number":0,"output_index":0,"item":null}`},
		{&ContentPartDoneEvent{}, `{"type":"response.content_part.done","sequence_number":0,"item_id":"","output_index":0,"content_index":0,"part":null}`},
		{&OutputTextAnnotationAddedEvent{}, `{"type":"response.output_text.annotation.added","sequence_number":0,"item_id":"","output_index":0,"content_index":0,"annotation_index":0,"annotation":null}`},
		{&ResponseCreatedEvent{}, `{"type":"response.created","sequence_number":0,"response":null}`},
		{&ErrorEvent{}, `{"type":"error","sequence_number":0,"error":{"code":"","message":"","param":null}}`},
		{&UnknownEvent{Type: "t", SequenceNumber: 3}, `{"type":"t","sequence_number":3}`},
	}
	for _, tt := range tests {
		if got := marshalText(t, tt.v); got != tt.want {
			t.Errorf("%T: got %s, want %s", tt.v, got, tt.want)
		}
	}
}

// TestDecodeItems pins the forms a list of items may have on the wire.
func TestDecodeItems(t *testing.T) {
	tests := []struct {
		text string
		want Items
	}{
		{`null`, nil},
		{`"hi"`, Items{UserText("hi")}},
		{`[]`, Items{}},
		{`[null]`, Items{&UnknownItem{Raw: json.RawMessage("null")}}},
		{`[{"role":"user","content":"hi"}]`, Items{&UnknownItem{Raw: json.RawMessage(`{"role":"user","content":"hi"}`)}}},
		{`[{"type":"x","id":"i","status":"completed"}]`, Items{&UnknownItem{Type: "x", ID: "i", Status: StatusCompleted, Raw: json.RawMessage(`{"type":"x","id":"i","status":"completed"}`)}}},
		{`[{"type":"message","role":"user","content":"hi"}]`, Items{UserText("hi")}},
		{`[{"type":"message","content":"hi","role":"assistant"}]`, Items{AssistantText("hi")}},
		{`[{"type":"message","role":"system"}]`, Items{&Message{Role: RoleSystem}}},
		{`[{"type":"message","role":"system","content":null}]`, Items{&Message{Role: RoleSystem}}},
		{`[{"type":"message","role":"user","content":[]}]`, Items{&Message{Role: RoleUser, Content: Contents{}}}},
		{`[{"type":"message","role":"user","content":[null]}]`, Items{&Message{Role: RoleUser, Content: Contents{&UnknownContent{Raw: json.RawMessage("null")}}}}},
		{`[{"type":"function_call_output","call_id":"c","output":"x"}]`, Items{NewFunctionCallOutput("c", "x")}},
		{`[{"type":"function_call_output","call_id":"c","output":null}]`, Items{&FunctionCallOutput{CallID: "c", Output: FunctionCallOutputData{Parts: Contents{}}}}},
		{`[{"type":"function_call_output","call_id":"c"}]`, Items{&FunctionCallOutput{CallID: "c"}}},
		{`[{"type":"reasoning","summary":null,"content":null}]`, Items{&ReasoningItem{Summary: Contents{}, Content: Contents{}}}},
		{`[{"type":"reasoning"}]`, Items{&ReasoningItem{}}},
	}
	for _, tt := range tests {
		got := Items{UserText("replaced")}
		if err := json.Unmarshal([]byte(tt.text), &got); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %#v, %v, want %#v", tt.text, got, err, tt.want)
		}
	}
	var got Items
	if err := got.UnmarshalJSON(nil); err != nil || got != nil {
		t.Errorf("nothing: got %#v, %v", got, err)
	}
}

// TestDecodeErrors pins where an error says it happened, and that the target is
// left alone.
func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		target any
		text   string
		want   string
	}{
		{&Items{&Message{}}, `[{"type":"x"},{"type":"message","role":1}]`, `items[1]: item "message": json: cannot unmarshal number`},
		{&Items{&Message{}}, `[1]`, `items[0]: item: json: cannot unmarshal number`},
		{&Items{&Message{}}, `[{"type":1}]`, `items[0]: item: json: cannot unmarshal number`},
		{&Items{&Message{}}, `{}`, `json: cannot unmarshal object`},
		{&Contents{&Text{}}, `[{"type":"text","text":1}]`, `content[0]: content "text": json: cannot unmarshal number`},
		{&Contents{&Text{}}, `"x"`, `json: cannot unmarshal string`},
		{&Annotations{&URLCitation{}}, `[[]]`, `annotations[0]: annotation: json: cannot unmarshal array`},
		{&Tools{&FunctionTool{}}, `[{"type":"function","strict":"yes"}]`, `tools[0]: tool "function": json: cannot unmarshal string`},
		{&Message{ID: "kept"}, `{"content":[{"type":"text","text":1}]}`, `content[0]: content "text": json: cannot unmarshal number`},
		{&Message{ID: "kept"}, `{"content":1}`, `json: cannot unmarshal number`},
		{&Request{Model: "kept"}, `{"input":[{"type":"message","content":[1]}]}`, `items[0]: item "message": content[0]: content: json: cannot unmarshal number`},
		{&Response{ID: "kept"}, `{"created_at":1.5}`, `json: cannot unmarshal number 1.5 into Go struct field Response.created_at`},
		{&ToolChoice{Mode: "kept"}, `{"type":"custom"}`, `openresponses: tool choice of unknown type "custom"`},
		{&ToolChoice{Mode: "kept"}, `1`, `tool choice: json: cannot unmarshal number`},
		{&FunctionCallOutputData{Text: "kept"}, `1`, `json: cannot unmarshal number`},
		{&ErrorPayload{Code: "kept"}, `{"code":1}`, `json: cannot unmarshal number`},
		{&UnknownItem{ID: "kept"}, `"x"`, `json: cannot unmarshal string`},
	}
	for _, tt := range tests {
		before := marshalText(t, tt.target)
		err := json.Unmarshal([]byte(tt.text), tt.target)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%T %s: got %v, want %s", tt.target, tt.text, err, tt.want)
		}
		if after := marshalText(t, tt.target); after != before {
			t.Errorf("%T %s: the target became %s", tt.target, tt.text, after)
		}
	}
}

// TestListsOfNull pins which lists null empties and which it makes nil.
func TestListsOfNull(t *testing.T) {
	contents, annotations, tools, items := Contents(nil), Annotations(nil), Tools(nil), Items{}
	for _, list := range []any{&contents, &annotations, &tools, &items} {
		if err := json.Unmarshal([]byte("null"), list); err != nil {
			t.Fatal(err)
		}
	}
	if contents == nil || annotations == nil || tools == nil || items != nil {
		t.Errorf("got %#v, %#v, %#v, %#v", contents, annotations, tools, items)
	}
}

// TestUnknownMembers checks that every type gives back the members it does not
// declare.
func TestUnknownMembers(t *testing.T) {
	skip := map[reflect.Type]bool{
		reflect.TypeFor[*LogProb](): true, reflect.TypeFor[*TopLogProb](): true,
		reflect.TypeFor[*Request](): true, reflect.TypeFor[*CompactRequest](): true,
		reflect.TypeFor[*Response](): true, reflect.TypeFor[*CompactResponse](): true,
	}
	for _, v := range declared() {
		if skip[reflect.TypeOf(v)] {
			continue
		}
		plain := marshalText(t, v)
		with := strings.TrimSuffix(plain, "}") + `,"x_second":{"a":[1,null]},"a_first":"\u003c"}`
		with = strings.Replace(with, "{,", "{", 1)
		if err := json.Unmarshal([]byte(with), v); err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		if got := marshalText(t, v); got != with {
			t.Errorf("%T: got %s, want %s", v, got, with)
		}
		if err := json.Unmarshal([]byte(plain), v); err != nil {
			t.Fatal(err)
		}
		if got := marshalText(t, v); got != plain {
			t.Errorf("%T: decoded again, it has %s, want %s", v, got, plain)
		}
	}
}

// TestInvalidText checks that text a tool or a model got wrong does not make a
// body that a receiver refuses.
func TestInvalidText(t *testing.T) {
	emoji := "a\U0001F600b"
	for cut := range len(emoji) + 1 {
		out := NewFunctionCallOutput("c", emoji[:cut])
		var back FunctionCallOutput
		if err := json.Unmarshal([]byte(marshalText(t, out)), &back); err != nil {
			t.Fatal(err)
		}
		if want := string([]rune(emoji[:cut])); back.Output.Text != want {
			t.Errorf("cut at %d: got %q, want %q", cut, back.Output.Text, want)
		}
	}
	tests := []struct{ in, want string }{
		{`{"type":"function_call","call_id":"c","name":"n","arguments":"{\"a\":\"\ud83d\"}"}`,
			`{"type":"function_call","call_id":"c","name":"n","arguments":"{\"a\":\"` + "\ufffd" + `\"}"}`},
		{`{"type":"acme:x","text":"\ud83d \ude00"}`, `{"type":"acme:x","text":"\ufffd \ufffd"}`},
		{`{"type":"item_reference","id":"i","x":"\ud83d"}`, `{"type":"item_reference","id":"i","x":"\ufffd"}`},
	}
	for _, tt := range tests {
		item, err := UnmarshalItem([]byte(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		if got := marshalText(t, Items{item}); got != "["+tt.want+"]" {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	tool := NewFunctionTool("n", "", json.RawMessage(`{"pattern":"\ud83d"}`))
	if got, want := marshalText(t, tool), `{"type":"function","name":"n","description":"","parameters":{"pattern":"\ufffd"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestInvalidValues checks that what has no JSON is an error, not a broken body.
func TestInvalidValues(t *testing.T) {
	for _, v := range []any{
		NewFunctionTool("n", "d", json.RawMessage(`{`)),
		TextConfig{Format: &TextFormat{Schema: json.RawMessage(`{} {}`)}},
		Items{&UnknownItem{Raw: json.RawMessage(`nope`)}},
		&OutputText{Logprobs: []LogProb{{Logprob: math.NaN()}}},
		Request{Extra: map[string]any{"f": func() {}}},
		&Response{TopP: math.Inf(1)},
	} {
		if data, err := json.Marshal(v); err == nil {
			t.Errorf("%T: got %s", v, data)
		}
	}
	_, err := EncodeEvent(&ResponseCreatedEvent{Response: &Response{Temperature: math.NaN()}})
	if err == nil || !strings.HasPrefix(err.Error(), "openresponses: ") {
		t.Errorf("got %v", err)
	}
}

func TestMessageText(t *testing.T) {
	m := UserMessage(&InputText{"a", nil}, &OutputText{Text: "b"}, &Text{Text: "c"}, &SummaryText{Text: "d"}, &ReasoningText{Text: "e"},
		&Refusal{Refusal: "no"}, &InputImage{ImageURL: "no"}, &UnknownContent{Type: "no"}, nil)
	if got := m.Text(); got != "abcde" {
		t.Errorf("got %q", got)
	}
	if m := UserMessage(); m.Content != nil || m.Text() != "" {
		t.Errorf("got %+v", m)
	}
	for role, m := range map[Role]*Message{RoleUser: UserText("x"), RoleSystem: SystemText("x"), RoleDeveloper: DeveloperText("x"), RoleAssistant: AssistantText("x")} {
		if m.Role != role || m.Text() != "x" || m.ID != "" || m.Status != "" || m.Phase != "" {
			t.Errorf("%s: got %+v", role, m)
		}
	}
	output := FunctionCallOutputData{Text: "no", Parts: Contents{&InputText{Text: "a"}, &InputText{Text: "b"}}}
	if got := output.String(); got != "ab" {
		t.Errorf("got %q", got)
	}
	if got := (FunctionCallOutputData{Text: "t"}).String(); got != "t" {
		t.Errorf("got %q", got)
	}
}

func TestUnmarshalArguments(t *testing.T) {
	var args struct{ A int }
	if err := (&FunctionCall{Arguments: `{"a":1}`}).UnmarshalArguments(&args); err != nil || args.A != 1 {
		t.Errorf("got %+v, %v", args, err)
	}
	for _, bad := range []string{"", `{"a":`, `[1]`, `"str"`, `{"a":1}{"b":2}`} {
		if err := (&FunctionCall{Arguments: bad}).UnmarshalArguments(&args); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// foreignMessage is a type from outside that embeds one of ours and has JSON of its
// own.
type foreignMessage struct{ *Message }

func (foreignMessage) MarshalJSON() ([]byte, error) {
	return []byte(`{"type": "acme:message", "x": "\ud83d"}`), nil
}

func TestEncodeForeign(t *testing.T) {
	want := `[{"type":"acme:message","x":"\ufffd"}]`
	req := Request{Input: Items{foreignMessage{UserText("hidden")}}}
	if got := marshalText(t, req); got != `{"input":`+want+`}` {
		t.Errorf("got %s", got)
	}
}
