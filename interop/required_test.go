package interop_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/packages/respjson"
	"github.com/openai/openai-go/v3/responses"

	"github.com/ChristopherDavenport/agentturn/interop/server"
)

// notOfProtocol are members that the official client calls required, and why they aren't sent.
var notOfProtocol = map[string]string{
	"Response.access_programs":                           "of OpenAI's service; the protocol has no such member",
	"ResponseUsageInputTokensDetails.cache_write_tokens": "of OpenAI's service; the protocol has no such member",
	"ResponseTextDeltaEvent.logprobs":                    "optional in the protocol, and sent when there are any",
	"ResponseTextDoneEvent.logprobs":                     "optional in the protocol, and sent when there are any",
}

// TestSDKRequiredMembers holds all that the handler sends against the official client's types: what they call required
// is there, and what is there is of the right type. Strict clients fail for less.
func TestSDKRequiredMembers(t *testing.T) {
	url := start(t)
	for path, models := range map[string][]string{
		"/echo/v1": {"m1"},
		"/scripted/v1": {
			server.Reasoning, server.Refusal, server.Citations, server.Calls, server.Structured, server.CutOff, server.Foreign,
		},
	} {
		client := newClient(t, url+path)
		for _, model := range models {
			params := withTools(ask(model, "Bern"), weatherTool)
			if path == "/echo/v1" {
				params = ask(model, "Bern")
			}
			t.Run(model+"/whole", func(t *testing.T) {
				resp, err := client.Responses.New(t.Context(), params)
				if err != nil {
					t.Fatal(err)
				}
				report(t, missing("response", reflect.ValueOf(*resp)))
			})
			t.Run(model+"/streamed", func(t *testing.T) {
				stream := client.Responses.NewStreaming(t.Context(), params)
				defer stream.Close()
				events := 0
				for ; stream.Next(); events++ {
					event := stream.Current()
					if strings.HasPrefix(event.Type, "response.reasoning.") {
						continue // the protocol's own, which the client doesn't know
					}
					report(t, missing(event.Type, reflect.ValueOf(event.AsAny())))
				}
				if err := stream.Err(); err != nil || events == 0 {
					t.Errorf("%d events, then %v", events, err)
				}
			})
		}
	}
}

func report(t *testing.T, problems []string) {
	t.Helper()
	for _, problem := range problems {
		t.Error(problem)
	}
}

// missing returns what a value that the client decoded lacks of what its type requires, at any depth.
func missing(at string, v reflect.Value) []string {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return []string{at + ": is of no type that the client knows"}
		}
		return missing(at, v.Elem())
	case reflect.Slice:
		var problems []string
		for i := range v.Len() {
			problems = append(problems, missing(fmt.Sprintf("%s[%d]", at, i), v.Index(i))...)
		}
		return problems
	case reflect.Struct:
		if variant := v.MethodByName("AsAny"); variant.IsValid() {
			return missing(at, variant.Call(nil)[0])
		}
		return missingMembers(at, v)
	}
	return nil
}

// missingMembers looks at the members of an object, of which the client keeps what the JSON said.
func missingMembers(at string, v reflect.Value) []string {
	read := v.FieldByName("JSON")
	if !read.IsValid() {
		return nil
	}
	var problems []string
	for i := range v.NumField() {
		field := v.Type().Field(i)
		seen := read.FieldByName(field.Name)
		if !seen.IsValid() || field.Name == "JSON" {
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		member := at + "." + name
		state := seen.Interface().(respjson.Field)
		required := field.Tag.Get("api") == "required" || field.Tag.Get("default") != ""
		switch {
		case state.Valid():
			problems = append(problems, missing(member, v.Field(i))...)
		case state.Raw() == respjson.Omitted:
			declared := v.Type().Name()
			if _, known := notOfProtocol[declared+"."+name]; required && !known {
				problems = append(problems, member+": is required by "+declared)
			}
		case state.Raw() != respjson.Null:
			problems = append(problems, member+": is "+state.Raw())
		}
	}
	return problems
}

// TestMissing makes sure that the check finds something where there is something to find.
func TestMissing(t *testing.T) {
	tests := []struct{ event, want string }{
		{`{"type":"response.output_text.delta","sequence_number":0,"item_id":"i","output_index":0,"delta":"d"}`,
			"e.content_index: is required by ResponseTextDeltaEvent"},
		{`{"type":"response.output_item.done","sequence_number":0,"output_index":0,"item":{"type":"message","id":"m","role":"assistant","status":"completed","content":[{"type":"output_text","text":"t"}]}}`,
			"e.item.content[0].annotations: is required by ResponseOutputText"},
		{`{"type":"response.output_text.done","sequence_number":[1],"item_id":"i","output_index":0,"content_index":0,"text":"t"}`,
			"e.sequence_number: is [1]"},
	}
	for _, tt := range tests {
		var event responses.ResponseStreamEventUnion
		if err := json.Unmarshal([]byte(tt.event), &event); err != nil {
			t.Fatal(err)
		}
		if got := missing("e", reflect.ValueOf(event.AsAny())); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: got %q, want %q", tt.event, got, tt.want)
		}
	}
}
