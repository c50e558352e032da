package echo_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

func tool(name, parameters string) *or.FunctionTool {
	return or.NewFunctionTool(name, "", json.RawMessage(parameters))
}

var call = &or.FunctionCall{CallID: "c", Name: "f", Arguments: "{}"}

func TestAnswers(t *testing.T) {
	const twoArgs = `{"type":"object","required":["b","a"]}`
	tests := map[string]struct {
		req  or.Request
		text string // of a message
		call string // name and arguments of a call
	}{
		"nothing":            {or.Request{}, "Hello!", ""},
		"user":               {or.Request{Input: or.Items{or.UserText("a b  c ")}}, "a b  c ", ""},
		"last user":          {or.Request{Input: or.Items{or.UserText("a"), or.UserText("b"), or.AssistantText("x"), or.SystemText("y")}}, "b", ""},
		"user without text":  {or.Request{Input: or.Items{or.UserText("a"), or.UserMessage(&or.InputImage{ImageURL: "u"})}}, "I received your message.", ""},
		"nobody":             {or.Request{Input: or.Items{or.SystemText("a")}}, "Hello!", ""},
		"output":             {or.Request{Input: or.Items{or.UserText("a"), call, or.NewFunctionCallOutput("c", "42 degrees")}}, "Tool result: 42 degrees", ""},
		"user after output":  {or.Request{Input: or.Items{call, or.NewFunctionCallOutput("c", "42"), or.UserText("why")}}, "why", ""},
		"output before tool": {or.Request{Input: or.Items{or.UserText("a"), call, or.NewFunctionCallOutput("c", "42"), or.AssistantText("x")}}, "Tool result: 42", ""},
		"tool": {
			or.Request{Input: or.Items{or.UserText("x \"y\"")}, Tools: or.Tools{tool("f", twoArgs), tool("g", "{}")}},
			"", `f {"a":"x \"y\"","b":"x \"y\""}`,
		},
		"tool without user":       {or.Request{Tools: or.Tools{tool("f", `{"required":["a"]}`)}}, "", `f {"a":""}`},
		"tool without parameters": {or.Request{Tools: or.Tools{&or.FunctionTool{Name: "f"}}}, "", "f {}"},
		"odd parameters":          {or.Request{Tools: or.Tools{tool("f", `{"required":5}`)}}, "", "f {}"},
		"other tools":             {or.Request{Tools: or.Tools{&or.UnknownTool{Type: "x:y"}}}, "Hello!", ""},
		"first function":          {or.Request{Tools: or.Tools{&or.UnknownTool{Type: "x:y"}, tool("f", "{}")}}, "", "f {}"},
		"none":                    {or.Request{Tools: or.Tools{tool("f", "{}")}, ToolChoice: or.ToolChoice{Mode: or.ToolChoiceNone}}, "Hello!", ""},
		"named":                   {or.Request{Tools: or.Tools{tool("f", "{}"), tool("g", "{}")}, ToolChoice: or.ToolChoiceFunction("g")}, "", "g {}"},
		"named, not offered":      {or.Request{Tools: or.Tools{tool("f", "{}")}, ToolChoice: or.ToolChoiceFunction("z")}, "", "f {}"},
		"after an output": {
			or.Request{Input: or.Items{call, or.NewFunctionCallOutput("c", "42")}, Tools: or.Tools{tool("f", "{}")}},
			"Tool result: 42", "",
		},
		"after a user again": {
			or.Request{Input: or.Items{call, or.NewFunctionCallOutput("c", "42"), or.UserText("more")}, Tools: or.Tools{tool("f", `{"required":["q"]}`)}},
			"", `f {"q":"more"}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.req.Model = "echo"
			resp, err := new(echo.Adapter).Create(t.Context(), tt.req)
			if err != nil {
				t.Fatal(err)
			}
			gotCall := ""
			for _, c := range resp.FunctionCalls() {
				gotCall += c.Name + " " + c.Arguments
				if !strings.HasPrefix(c.CallID, "call_") {
					t.Errorf("call ID %q", c.CallID)
				}
			}
			if resp.OutputText() != tt.text || gotCall != tt.call || len(resp.Output) != 1 {
				t.Errorf("text %q, call %q; want %q, %q", resp.OutputText(), gotCall, tt.text, tt.call)
			}
			if resp.Status != or.ResponseStatusCompleted || resp.Model != "echo" || resp.Usage == nil {
				t.Errorf("response %+v", resp)
			}
		})
	}
}

// stream returns the events of a request as they are on the wire.
func stream(t *testing.T, a *echo.Adapter, req or.Request) []string {
	t.Helper()
	var all []string
	err := a.CreateStream(t.Context(), req, or.EventSinkFunc(func(ev or.StreamEvent) error {
		data, err := or.EncodeEvent(ev)
		all = append(all, string(data))
		return err
	}))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWords(t *testing.T) {
	var deltas []string
	for _, ev := range stream(t, &echo.Adapter{}, or.Request{Input: or.Items{or.UserText("one two  three")}}) {
		var d struct{ Delta *string }
		if err := json.Unmarshal([]byte(ev), &d); err != nil {
			t.Fatal(err)
		}
		if d.Delta != nil {
			deltas = append(deltas, *d.Delta)
		}
	}
	if got := strings.Join(deltas, "|"); got != "one |two | |three" {
		t.Errorf("deltas %q", got)
	}
}

// The same request has the same stream, but for IDs and times.
func TestDeterministic(t *testing.T) {
	varying := regexp.MustCompile(`"(resp|msg|fc|call)_[0-9a-f]+"|"(created|completed)_at":\d+`)
	for _, req := range []or.Request{
		{Model: "echo", Input: or.Items{or.UserText("a b c")}},
		{Model: "echo", Input: or.Items{or.UserText("a")}, Tools: or.Tools{tool("f", `{"required":["c","a","b"]}`)}},
	} {
		var runs [2]string
		for i := range runs {
			runs[i] = varying.ReplaceAllString(strings.Join(stream(t, &echo.Adapter{}, req), "\n"), "*")
		}
		if runs[0] != runs[1] {
			t.Errorf("first\n%s\nthen\n%s", runs[0], runs[1])
		}
	}
}

func TestPhase(t *testing.T) {
	for phase, want := range map[or.Phase]or.Phase{"": or.PhaseFinalAnswer, or.PhaseCommentary: or.PhaseCommentary} {
		resp, err := (&echo.Adapter{Phase: phase}).Create(t.Context(), or.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if got := resp.Output[0].(*or.Message).Phase; got != want {
			t.Errorf("phase %q gives %q", phase, got)
		}
	}
}

func TestUsage(t *testing.T) {
	resp, err := new(echo.Adapter).Create(t.Context(), or.Request{Input: or.Items{or.UserText("a b"), or.UserText("x y z")}})
	if err != nil {
		t.Fatal(err)
	}
	if u := resp.Usage; u.InputTokens != 5 || u.OutputTokens != 3 || u.TotalTokens != 8 {
		t.Errorf("usage %+v", u)
	}
}

func TestCompact(t *testing.T) {
	a := &echo.Adapter{}
	compact := func(items ...or.Item) *or.Compaction {
		t.Helper()
		resp, err := a.Compact(t.Context(), or.CompactRequest{Model: "echo", Input: items})
		if err != nil {
			t.Fatal(err)
		}
		c, ok := resp.Output[0].(*or.Compaction)
		if !ok || len(resp.Output) != 1 || !strings.HasPrefix(c.ID, "cmp_") || c.CreatedBy != "echo" ||
			!strings.HasPrefix(resp.ID, "resp_") || resp.CreatedAt == 0 || resp.Usage == nil {
			t.Fatalf("got %+v", resp)
		}
		return c
	}
	once := compact(or.UserText("old one"), or.AssistantText("old two"))
	twice := compact(once, or.UserText("new one"))
	data, err := base64.StdEncoding.DecodeString(twice.EncryptedContent)
	if err != nil {
		t.Fatal(err)
	}
	var items or.Items
	if err := json.Unmarshal(data, &items); err != nil || len(items) != 3 {
		t.Fatalf("%v, items %s", err, data)
	}
	resp, err := a.Create(t.Context(), or.Request{Input: or.Items{twice}})
	if err != nil || resp.OutputText() != "new one" || resp.Usage.InputTokens != 6 {
		t.Errorf("%v, text %q, usage %+v", err, resp.OutputText(), resp.Usage)
	}
	if empty, _ := base64.StdEncoding.DecodeString(compact().EncryptedContent); string(empty) != "[]" {
		t.Errorf("of nothing: %s", empty)
	}
	_, err = a.Compact(t.Context(), or.CompactRequest{PreviousResponseID: "resp_0"})
	if !errors.Is(err, &or.Error{Code: or.CodePreviousResponseNotFound}) {
		t.Errorf("previous response: %v", err)
	}
}

func TestForeignCompaction(t *testing.T) {
	encode := base64.StdEncoding.EncodeToString
	for name, content := range map[string]string{
		"not base64":    "?",
		"not JSON":      encode([]byte("[")),
		"not an array":  encode([]byte(`"text"`)),
		"not items":     encode([]byte(`[5]`)),
		"not an object": encode([]byte(`5`)),
	} {
		input := or.Items{or.UserText("a"), &or.Compaction{EncryptedContent: content}}
		_, compactErr := new(echo.Adapter).Compact(t.Context(), or.CompactRequest{Input: input})
		_, createErr := new(echo.Adapter).Create(t.Context(), or.Request{Input: input})
		for _, err := range []error{compactErr, createErr} {
			var e *or.Error
			if !errors.As(err, &e) || e.Code != "invalid_value" || e.Param != "input[1].encrypted_content" || e.HTTPStatus() != 400 {
				t.Errorf("%s: %+v", name, err)
			}
		}
	}
}

func TestSinkErrors(t *testing.T) {
	full := errors.New("full")
	requests := []or.Request{{Input: or.Items{or.UserText("a b")}}, {Tools: or.Tools{tool("f", "{}")}}}
	for _, req := range requests {
		total := len(stream(t, &echo.Adapter{}, req))
		for limit := range total {
			n := 0
			err := new(echo.Adapter).CreateStream(context.Background(), req, or.EventSinkFunc(func(or.StreamEvent) error {
				if n++; n > limit {
					return full
				}
				return nil
			}))
			if !errors.Is(err, full) || n != limit+1 {
				t.Errorf("after %d events: %v, %d more", limit, err, n-limit)
			}
		}
	}
}
