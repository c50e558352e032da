package agentturntest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

func request(items ...openresponses.Item) openresponses.Request {
	store := false
	return openresponses.Request{Input: items, Stream: true, Store: &store}
}

func call(id, name, arguments string) *openresponses.FunctionCall {
	return &openresponses.FunctionCall{CallID: id, Name: name, Arguments: arguments}
}

func output(id string) *openresponses.FunctionCallOutput {
	return openresponses.NewFunctionCallOutput(id, "ok")
}

func reasoning() *openresponses.ReasoningItem {
	return &openresponses.ReasoningItem{Summary: openresponses.Contents{}}
}

// edited is a request of one user message, changed by edit.
func edited(edit func(*openresponses.Request)) openresponses.Request {
	req := request(openresponses.UserText("hi"))
	edit(&req)
	return req
}

// requestCases gives one request a rule, with the violations of it alone, or none.
var requestCases = []struct {
	name string
	req  openresponses.Request
	opts []agentturntest.CheckOption
	want []string
}{
	{name: "user message", req: request(user)},
	{name: "a whole turn", req: request(user, reasoning(), call("a", "x", "{}"), call("b", "x", `{"k":1}`), output("a"), output("b"), openresponses.DeveloperText("note"))},
	{name: "outputs in another order", req: request(user, call("a", "x", "{}"), call("b", "x", "{}"), output("b"), output("a"))},
	{name: "message between call and output", req: request(user, call("a", "x", "{}"), openresponses.AssistantText("wait"), output("a"))},
	{name: "hidden item", req: request(agentturn.Hidden(user), agentturn.Hidden(openresponses.UserText("more")))},

	{name: "no input", req: request(), want: []string{"request: input is empty"}},
	{name: "stored", req: edited(func(r *openresponses.Request) { r.Store = nil }), want: []string{"request: store is not false"}},
	{name: "not streamed", req: edited(func(r *openresponses.Request) { r.Stream = false }), want: []string{"request: stream is not true"}},
	{name: "previous response", req: edited(func(r *openresponses.Request) { r.PreviousResponseID = "resp_1" }), want: []string{`request: previous_response_id is "resp_1"`}},

	{name: "nil item", req: request(user, nil), want: []string{"input[1]: item is nil"}},
	{name: "nil pointer", req: request(user, nilMessage), want: []string{"input[1]: item is nil"}},
	{name: "no output", req: request(user, call("a", "x", "{}")), want: []string{`input[1]: call "a" has no output at the end of the input`}},
	{name: "answered too late", req: request(call("a", "x", "{}"), user, output("a")), want: []string{`input[0]: call "a" has no output before the message at input[1]`}},
	{name: "output first", req: request(output("a"), call("a", "x", "{}"), output("a")), want: []string{`input[0]: output for "a" comes without its call before it`}},
	{name: "orphan", req: request(user, output("a")), want: []string{`input[1]: output for "a" comes without its call before it`}},
	{name: "two outputs", req: request(call("a", "x", "{}"), output("a"), output("a")), want: []string{`input[2]: output for "a" is a second one, the first is at input[1]`}},
	{name: "two calls", req: request(call("a", "x", "{}"), call("a", "x", "{}"), output("a")), want: []string{`input[1]: call "a" has the ID of the call at input[0]`}},
	{name: "hidden orphan", req: request(user, agentturn.Hidden(output("a"))), want: []string{`input[1]: output for "a" comes without its call before it`}},

	{name: "no call ID", req: request(call("", "x", "{}"), output("")), want: []string{"input[0]: call has no ID"}},
	{name: "long call ID", req: request(call(strings.Repeat("a", 65), "x", "{}"), output(strings.Repeat("a", 65))), want: []string{"input[0]: call ID \"" + strings.Repeat("a", 65) + "\" has 65 characters, 64 are allowed"}},
	{name: "longest call ID", req: request(call(strings.Repeat("a", 64), "x", "{}"), output(strings.Repeat("a", 64)))},
	{name: "odd call ID", req: request(call("a.b", "x", "{}"), output("a.b")), want: []string{`input[0]: call ID "a.b" has characters other than A-Z a-z 0-9 _ -`}},
	{name: "odd name that is offered", req: edited(func(r *openresponses.Request) {
		r.Input = append(r.Input, call("a", "fs.read", "{}"), output("a"))
		r.Tools = openresponses.Tools{&openresponses.FunctionTool{Name: "fs.read", Parameters: json.RawMessage(`{}`)}}
	})},
	{name: "odd name", req: request(call("a", "fs.read", "{}"), output("a")), want: []string{
		`input[0]: call "a" has the name "fs.read", which no tool has and which has characters other than A-Z a-z 0-9 _ -`}},
	{name: "long name", req: request(call("a", strings.Repeat("x", 65), "{}"), output("a")), want: []string{`input[0]: call "a" has a name of 65 characters, 64 are allowed`}},
	{name: "no name", req: request(call("a", "", "{}"), output("a")), want: []string{`input[0]: call "a" has no name`}},
	{name: "empty arguments", req: request(call("a", "x", ""), output("a")), want: []string{`input[0]: call "a" has arguments that are not JSON: ""`}},
	{name: "cut arguments", req: request(call("a", "x", `{"k":`), output("a")), want: []string{`input[0]: call "a" has arguments that are not JSON: "{\"k\":"`}},
	{name: "cut arguments allowed", req: request(call("a", "x", `{"k":`), output("a")), opts: []agentturntest.CheckOption{agentturntest.AllowAnyArguments()}},
	{name: "unpaired surrogate", req: request(call("a", "x", `{"k":"\ud83d"}`), output("a")), want: []string{`input[0]: call "a" has an unpaired surrogate in its arguments: "{\"k\":\"\\ud83d\"}"`}},
	{name: "unpaired low surrogate", req: request(call("a", "x", `{"k":"\uDE00\ud83d"}`), output("a")), want: []string{`input[0]: call "a" has an unpaired surrogate in its arguments: "{\"k\":\"\\uDE00\\ud83d\"}"`}},
	{name: "paired surrogate", req: request(call("a", "x", `{"k":"\ud83d\ude00 \\ud83d é"}`), output("a"))},

	{name: "role", req: request(&openresponses.Message{Role: "tool"}), want: []string{`input[0]: message has the role "tool"`}},
	{name: "user with output text", req: request(&openresponses.Message{Role: openresponses.RoleUser, Content: openresponses.Contents{&openresponses.OutputText{}}}), want: []string{`input[0]: content[0] of a message by user is of type "output_text"`}},
	{name: "assistant with input text", req: request(&openresponses.Message{Role: openresponses.RoleAssistant, Content: openresponses.Contents{&openresponses.InputText{}}}), want: []string{`input[0]: content[0] of a message by assistant is of type "input_text"`}},

	{name: "namespaced", req: request(user, note), want: []string{`input[1]: item of type "acme:note" is not the protocol's`}},
	{name: "namespaced allowed", req: request(user, note), opts: []agentturntest.CheckOption{agentturntest.AllowNamespacedItems()}},
	{name: "reference", req: request(&openresponses.ItemReference{ID: "msg_1"}), want: []string{`input[0]: reference to item "msg_1", which nothing stored`}},
	{name: "empty ID", req: request(user, &openresponses.UnknownItem{Type: "x", Raw: json.RawMessage(`{"type":"x","id":""}`)}), want: []string{"input[1]: id is present and empty"}},
	{name: "ID", req: request(&openresponses.Message{ID: "msg_1", Role: openresponses.RoleUser})},
	{name: "ID refused", req: request(&openresponses.Message{ID: "msg_1", Role: openresponses.RoleUser}), opts: []agentturntest.CheckOption{agentturntest.RefuseItemIDs()}, want: []string{`input[0]: id "msg_1" is not stored`}},

	{name: "reasoning alone", req: request(reasoning(), user)},
	{name: "reasoning before a message", req: request(reasoning(), reasoning(), openresponses.AssistantText("x"), user), opts: []agentturntest.CheckOption{agentturntest.RequireReasoningAdjacency()}},
	{name: "reasoning before a user message", req: request(reasoning(), user), opts: []agentturntest.CheckOption{agentturntest.RequireReasoningAdjacency()}, want: []string{"input[0]: reasoning is followed by a message by user"}},
	{name: "reasoning before an output", req: request(call("a", "x", "{}"), reasoning(), output("a")), opts: []agentturntest.CheckOption{agentturntest.RequireReasoningAdjacency()}, want: []string{"input[1]: reasoning is followed by an output"}},
	{name: "reasoning last", req: request(user, reasoning()), opts: []agentturntest.CheckOption{agentturntest.RequireReasoningAdjacency()}, want: []string{"input[1]: reasoning is followed by nothing"}},

	{name: "tools", req: edited(func(r *openresponses.Request) {
		r.Tools = openresponses.Tools{tool("a", `{"type":"object"}`), tool("b", `{}`)}
		r.ToolChoice = openresponses.ToolChoiceFunction("b")
	})},
	{name: "bad tools", req: edited(func(r *openresponses.Request) {
		r.Tools = openresponses.Tools{tool("a", `{}`), tool("", `{}`), tool("a", `{}`), tool("c", `null`)}
		r.ToolChoice = openresponses.ToolChoiceFunction("d")
	}), want: []string{
		"request: tools[1] has no name", `request: tools[2] is a second "a"`,
		`request: tools[3] "c" has parameters that are no JSON object`, `request: tool_choice names "d", which is not offered`,
	}},

	{name: "invalid UTF-8", req: request(openresponses.UserText("a\xff")), want: []string{"request: Request.Input[0].Content[0].Text is not valid UTF-8"}},
	{name: "invalid UTF-8 in an output", req: request(call("a", "x", "{}"), openresponses.NewFunctionCallOutput("a", "\xf0\x9f")), want: []string{"request: Request.Input[1].Output.Text is not valid UTF-8"}},
	{name: "extras", req: edited(func(r *openresponses.Request) {
		r.Extra = map[string]any{"provider": struct {
			Sort  string `json:"sort"`
			Order []int  `json:"order"`
		}{"price", []int{1}}}
	})},
	{name: "everything at once", req: request(nil, output("a"), call("b", "", "")), want: []string{
		"input[0]: item is nil", `input[1]: output for "a" comes without its call before it`, `input[2]: call "b" has no name`,
		`input[2]: call "b" has arguments that are not JSON: ""`, `input[2]: call "b" has no output at the end of the input`,
	}},
}

var (
	user       = openresponses.UserText("hi")
	note       = &openresponses.UnknownItem{Type: "acme:note", Raw: json.RawMessage(`{"type":"acme:note"}`)}
	nilMessage *openresponses.Message
)

// TestCheckRequest expects of each request exactly its violations.
func TestCheckRequest(t *testing.T) {
	for _, tt := range requestCases {
		t.Run(tt.name, func(t *testing.T) {
			err := agentturntest.CheckRequest(tt.req, tt.opts...)
			if diff := agentturntest.Diff(lines(err), tt.want); diff != "" {
				t.Errorf("violations differ:\n%s", diff)
			}
		})
	}
}

// lines are the joined errors, one each.
func lines(err error) []string {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var texts []string
	for _, err := range joined.Unwrap() {
		texts = append(texts, err.Error())
	}
	return texts
}

func tool(name, parameters string) openresponses.Tool {
	return openresponses.NewFunctionTool(name, "", json.RawMessage(parameters))
}

// TestCheckRequestValidates checks that what openresponses refuses is refused.
func TestCheckRequestValidates(t *testing.T) {
	err := agentturntest.CheckRequest(request(&openresponses.Message{Role: openresponses.RoleAssistant, Phase: "draft"}))
	if err == nil || !strings.Contains(err.Error(), "is not valid") || !strings.Contains(err.Error(), "phase") {
		t.Errorf("got %v, want the phase refused", err)
	}
}

// TestViolation checks that a caller can tell where a request is wrong.
func TestViolation(t *testing.T) {
	err := agentturntest.CheckRequest(request(openresponses.UserText("hi"), nil))
	var v *agentturntest.Violation
	if !errors.As(err, &v) || v.Index != 1 {
		t.Errorf("got %v, want a violation at 1", err)
	}
}

// FuzzCheckRequest checks any request: no panic, and what passes also passes the
// validation of openresponses, which asks for less.
func FuzzCheckRequest(f *testing.F) {
	for _, tt := range requestCases {
		if data, err := json.Marshal(tt.req); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"model":"m","store":false,"stream":true,"input":"hi","tool_choice":{"type":"function","name":""}}`))
	f.Add([]byte(`{"store":false,"stream":true,"input":[{"type":"message","role":"assistant","content":[],"phase":"draft"}]}`))
	f.Add([]byte(`{"store":false,"stream":true,"input":[{"type":"reasoning","summary":[]},{"type":"compaction","encrypted_content":"x"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var req openresponses.Request
		if json.Unmarshal(data, &req) != nil || agentturntest.CheckRequest(req, agentturntest.AllowNamespacedItems()) != nil {
			return
		}
		if req.Model == "" {
			req.Model = "m"
		}
		if err := req.Validate(); err != nil {
			t.Errorf("passes, and is refused: %v\n%s", err, data)
		}
	})
}
