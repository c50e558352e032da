package openresponses

import (
	"errors"
	"fmt"
	"testing"
)

func TestRequestValidate(t *testing.T) {
	call := &FunctionCall{CallID: "c", Name: "f"}
	output := NewFunctionCallOutput("c", "x")
	foreign := foreignMessage{UserText("x")}
	metadata := func(n int) map[string]string {
		m := map[string]string{}
		for i := range n {
			m[fmt.Sprint(i)] = ""
		}
		return m
	}
	const missing, invalid = CodeMissingRequiredParameter, CodeInvalidValue
	tests := []struct {
		name        string
		req         Request
		code, param string // "" for a valid request
	}{
		{"empty input", Request{Model: "m"}, "", ""},
		{"no model", Request{Input: Items{nil}}, missing, "model"},
		{"nil item", Request{Model: "m", Input: Items{call, nil}}, invalid, "input[1]"},
		{"nil pointer", Request{Model: "m", Input: Items{(*Message)(nil)}}, invalid, "input[0]"},
		{"no role", Request{Model: "m", Input: Items{&Message{}}}, missing, "input[0].role"},
		{"unknown role", Request{Model: "m", Input: Items{&Message{Role: "tool"}}}, invalid, "input[0].role"},
		{"input parts", Request{Model: "m", Input: Items{UserMessage(&InputText{}, &InputImage{}, &InputFile{}, &InputVideo{}, &UnknownContent{})}}, "", ""},
		{"output part of a user", Request{Model: "m", Input: Items{UserMessage(&InputText{}, &OutputText{})}}, invalid, "input[0].content[1]"},
		{"output part of a system", Request{Model: "m", Input: Items{&Message{Role: RoleSystem, Content: Contents{&Refusal{}}}}}, invalid, "input[0].content[0]"},
		{"output part of a developer", Request{Model: "m", Input: Items{&Message{Role: RoleDeveloper, Content: Contents{&Text{}}}}}, invalid, "input[0].content[0]"},
		{"nil part", Request{Model: "m", Input: Items{UserMessage(nil)}}, invalid, "input[0].content[0]"},
		{"phase of a user", Request{Model: "m", Input: Items{&Message{Role: RoleUser, Phase: "x"}}}, "", ""},
		{"output parts", Request{Model: "m", Input: Items{&Message{Role: RoleAssistant, Phase: PhaseCommentary, Content: Contents{&OutputText{}, &Refusal{}, &UnknownContent{}}}}}, "", ""},
		{"input part of an assistant", Request{Model: "m", Input: Items{&Message{Role: RoleAssistant, Phase: "x", Content: Contents{&InputText{}}}}}, invalid, "input[0].content[0]"},
		{"unknown phase", Request{Model: "m", Input: Items{&Message{Role: RoleAssistant, Phase: "x"}}}, invalid, "input[0].phase"},
		{"call without ID and name", Request{Model: "m", Input: Items{&FunctionCall{}}}, missing, "input[0].call_id"},
		{"call without name", Request{Model: "m", Input: Items{&FunctionCall{CallID: "c"}}}, missing, "input[0].name"},
		{"output without ID", Request{Model: "m", Input: Items{&FunctionCallOutput{}}}, missing, "input[0].call_id"},
		{"empty compaction", Request{Model: "m", Input: Items{&Compaction{}}}, missing, "input[0].encrypted_content"},
		{"empty reference", Request{Model: "m", Input: Items{&ItemReference{}}}, missing, "input[0].id"},
		{"empty reasoning", Request{Model: "m", Input: Items{&ReasoningItem{}, &UnknownItem{}, foreign}}, "", ""},
		{"pair", Request{Model: "m", Input: Items{call, output, output}}, "", ""},
		{"output alone", Request{Model: "m", Input: Items{UserText("x"), output}}, invalid, "input[1].call_id"},
		{"output before its call", Request{Model: "m", Input: Items{output, call}}, invalid, "input[0].call_id"},
		{"output of another call", Request{Model: "m", Input: Items{call, NewFunctionCallOutput("d", "x")}}, invalid, "input[1].call_id"},
		{"output after a foreign item", Request{Model: "m", Input: Items{foreign, output}}, invalid, "input[1].call_id"},
		{"output with a previous response", Request{Model: "m", PreviousResponseID: "r", Input: Items{output}}, "", ""},
		{"output after a compaction", Request{Model: "m", Input: Items{&Compaction{EncryptedContent: "x"}, output}}, "", ""},
		{"output after a reference", Request{Model: "m", Input: Items{&ItemReference{ID: "x"}, output}}, "", ""},
		{"output after an unknown item", Request{Model: "m", Input: Items{&UnknownItem{}, output}}, "", ""},
		{"output before a compaction", Request{Model: "m", Input: Items{output, &Compaction{EncryptedContent: "x"}}}, invalid, "input[0].call_id"},
		{"items come before pairs", Request{Model: "m", Input: Items{output, nil}}, invalid, "input[1]"},
		{"function without name", Request{Model: "m", Tools: Tools{&UnknownTool{}, &FunctionTool{}}}, missing, "tools[1].name"},
		{"nil tool pointer", Request{Model: "m", Tools: Tools{(*FunctionTool)(nil)}}, missing, "tools[0].name"},
		{"tool choice without name", Request{Model: "m", ToolChoice: ToolChoiceFunction("")}, missing, "tool_choice.name"},
		{"allowed tools", Request{Model: "m", ToolChoice: ToolChoice{Allowed: &AllowedTools{}}}, "", ""},
		{"schema without name", Request{Model: "m", Text: TextConfig{Format: JSONSchemaFormat("", nil, true)}}, missing, "text.format.name"},
		{"object without name", Request{Model: "m", Text: TextConfig{Format: &TextFormat{Type: TextFormatJSONObject}}}, "", ""},
		{"most metadata", Request{Model: "m", Metadata: metadata(16)}, "", ""},
		{"too much metadata", Request{Model: "m", Metadata: metadata(17)}, invalid, "metadata"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkInvalid(t, tt.req.Validate(), tt.code, tt.param)
			if tt.req.Tools == nil && tt.req.ToolChoice.IsZero() && tt.req.Text.IsZero() && tt.req.Metadata == nil {
				compact := CompactRequest{Model: tt.req.Model, Input: tt.req.Input, PreviousResponseID: tt.req.PreviousResponseID}
				checkInvalid(t, compact.Validate(), tt.code, tt.param)
			}
		})
	}
}

func checkInvalid(t *testing.T, err error, code, param string) {
	t.Helper()
	if code == "" {
		if err != nil {
			t.Errorf("got %v, want it valid", err)
		}
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	if e.Type != ErrorTypeInvalidRequest || e.HTTPStatus() != 400 || e.Code != code || e.Param != param || e.Message == "" {
		t.Errorf("got %#v, want code %s, param %s", e, code, param)
	}
}
