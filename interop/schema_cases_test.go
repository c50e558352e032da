package interop_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ChristopherDavenport/agentturn/interop/server"
)

// schemaDifferences are the places where the handler sends what the document refuses, and why it does.
var schemaDifferences = formatDifferences()

// formatDifferences are those of the text format that a response repeats from its request.
func formatDifferences() map[string]string {
	differences := map[string]string{}
	for _, place := range []string{
		"ResponseResource ",
		"ResponseCreatedStreamingEvent /response",
		"ResponseInProgressStreamingEvent /response",
		"ResponseCompletedStreamingEvent /response",
	} {
		differences[place+"/text/format/schema anyOf"] = "the document allows null alone; a client is told the schema that it set"
		differences[place+"/text/format required description"] = "the document wants a description even where none was set, and the library has no null for that"
		differences[place+"/text/format required description,strict"] = "the same, and strict is repeated only where it was set"
	}
	return differences
}

// schemaCases are requests that together have the handler send everything that it can. PREVIOUS stands for the ID of
// a response to continue.
var schemaCases = []struct {
	name, path, body string
	status           int    // when not streamed
	last             string // event of the stream; empty if there is none
}{
	{"text", "/echo", `{"model":"m1","input":"Hello there"}`, 200, "response.completed"},
	{"no input", "/echo", `{"model":"m1","input":[]}`, 200, "response.completed"},
	{"tool call", "/echo", `{"model":"m1","input":"Bern","tools":[` + toolJSON + `]}`, 200, "response.completed"},
	{"tool result", "/echo", `{"model":"m1","tools":[` + toolJSON + `],"input":[
		{"type":"message","role":"user","content":"Bern"},
		{"type":"function_call","call_id":"call_1","name":"get_weather","arguments":"{}"},
		{"type":"function_call_output","call_id":"call_1","output":"sunny"}]}`, 200, "response.completed"},
	{"compaction item", "/echo", `{"model":"m1","input":[{"type":"compaction","encrypted_content":"W10="}]}`, 200, "response.completed"},
	{"continuation", "/echo", `{"model":"m1","input":"on","previous_response_id":"PREVIOUS"}`, 200, "response.completed"},
	{"all parameters", "/echo", `{"model":"m1","input":"x","instructions":"i","metadata":{"a":"b"},"temperature":0,"top_p":0.5,
		"presence_penalty":0.5,"frequency_penalty":-0.5,"max_output_tokens":100,"max_tool_calls":3,"top_logprobs":2,
		"parallel_tool_calls":false,"prompt_cache_key":"k","safety_identifier":"s","service_tier":"flex","truncation":"auto",
		"store":false,"reasoning":{"effort":"low","summary":"auto"},"tool_choice":"none",
		"tools":[{"type":"function","name":"bare"},` + toolJSON + `],
		"text":{"verbosity":"low","format":{"type":"json_schema","name":"n","strict":true,"schema":{"type":"object"}}}}`, 200, "response.completed"},
	{"loose format", "/echo", `{"model":"m1","input":"x","text":{"format":{"type":"json_schema","name":"n","schema":{}}}}`, 200, "response.completed"},
	{"named tool", "/echo", `{"model":"m1","input":"Bern","tools":[` + toolJSON + `],
		"tool_choice":{"type":"function","name":"get_weather"},"text":{"format":{"type":"json_object"}}}`, 200, "response.completed"},
	{"allowed tools", "/echo", `{"model":"m1","input":"Bern","tools":[` + toolJSON + `],
		"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"get_weather"}]}}`, 200, "response.completed"},
	{"reasoning", "/scripted", `{"model":"` + server.Reasoning + `"}`, 200, "response.completed"},
	{"refusal", "/scripted", `{"model":"` + server.Refusal + `"}`, 200, "response.completed"},
	{"citations", "/scripted", `{"model":"` + server.Citations + `"}`, 200, "response.completed"},
	{"odd arguments", "/scripted", `{"model":"` + server.Calls + `"}`, 200, "response.completed"},
	{"invalid text", "/scripted", `{"model":"` + server.Surrogates + `"}`, 200, "response.completed"},
	{"incomplete", "/scripted", `{"model":"` + server.CutOff + `"}`, 200, "response.incomplete"},
	{"failed", "/scripted", `{"model":"` + server.FailsLate + `"}`, 500, "response.failed"},
	{"panic", "/scripted", `{"model":"` + server.Panics + `"}`, 500, "response.failed"},
	{"no model", "/echo", `{"input":"x"}`, 400, ""},
	{"not JSON", "/echo", `{"model":`, 400, ""},
	{"unknown previous response", "/echo", `{"model":"m1","previous_response_id":"resp_none"}`, 404, ""},
	{"rate limit", "/scripted", `{"model":"429"}`, 429, ""},
	{"plain error", "/scripted", `{"model":"` + server.FailsPlain + `"}`, 500, ""},
}

const toolJSON = `{"type":"function","name":"get_weather","description":"Get the weather.","strict":true,"parameters":
	{"type":"object","properties":{"place":{"type":"string"}},"required":["place"],"additionalProperties":false}}`

// TestSchema holds all that the handler sends against the protocol's OpenAPI document.
func TestSchema(t *testing.T) {
	p := loadProtocol(t)
	url := start(t)
	met := map[string]bool{}
	check := func(t *testing.T, schema string, data []byte) map[string]any {
		t.Helper()
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		for _, violation := range p.violations(t, schema, value) {
			met[violation] = true
			if _, known := schemaDifferences[violation]; !known {
				t.Errorf("%s\nin %s", violation, data)
			}
		}
		return value.(map[string]any)
	}
	previous := post(t, url+"/echo/v1/responses", `{"model":"m1","input":"first"}`)
	var stored struct{ ID string }
	if err := json.Unmarshal(previous.body, &stored); err != nil || stored.ID == "" {
		t.Fatalf("no response to continue: %s", previous.body)
	}
	sent := map[string]bool{}
	for _, tt := range schemaCases {
		body := strings.ReplaceAll(tt.body, "PREVIOUS", stored.ID)
		t.Run(tt.name+"/whole", func(t *testing.T) {
			got := post(t, url+tt.path+"/v1/responses", body)
			if got.status != tt.status {
				t.Fatalf("status %d, want %d: %s", got.status, tt.status, got.body)
			}
			if got.status == http.StatusOK {
				p.complete(t, check(t, "ResponseResource", got.body))
			} else {
				check(t, "ErrorPayload", errorOf(t, got.body))
			}
		})
		t.Run(tt.name+"/streamed", func(t *testing.T) {
			got := post(t, url+tt.path+"/v1/responses", streamed(body))
			if tt.last == "" {
				if got.status != tt.status {
					t.Fatalf("status %d, want %d: %s", got.status, tt.status, got.body)
				}
				check(t, "ErrorPayload", errorOf(t, got.body))
				return
			}
			last := ""
			for _, event := range got.events {
				last = typeOf(t, event)
				sent[last] = true
				schema, ok := p.events[last]
				if !ok {
					t.Errorf("the document has no event %q", last)
					continue
				}
				if response, ok := check(t, schema, event)["response"].(map[string]any); ok {
					p.complete(t, response)
				}
			}
			if last != tt.last {
				t.Errorf("the last event is %q, want %q", last, tt.last)
			}
		})
	}
	t.Run("compact", func(t *testing.T) {
		got := post(t, url+"/echo/v1/responses/compact", `{"model":"m1","input":"remember"}`)
		if got.status != http.StatusOK {
			t.Fatalf("status %d: %s", got.status, got.body)
		}
		check(t, "CompactResource", got.body)
	})
	t.Run("every event", func(t *testing.T) {
		for _, typ := range slices.Sorted(maps.Keys(p.events)) {
			if !sent[typ] && typ != "response.queued" { // which only an adapter of its own would send
				t.Errorf("no case has the handler send %s", typ)
			}
		}
	})
	t.Run("known differences", func(t *testing.T) {
		for difference := range schemaDifferences {
			if !met[difference] {
				t.Errorf("%s is not a difference any more", difference)
			}
		}
	})
}

// complete checks that a response has each member that the document requires, null where nothing is to be said.
func (p *protocol) complete(t *testing.T, response map[string]any) {
	t.Helper()
	required := member[[]any](t, p.schemas["ResponseResource"], "required")
	if len(required) < 31 {
		t.Errorf("the document requires %d members, which is too few to be right", len(required))
	}
	for _, name := range required {
		if _, ok := response[name.(string)]; !ok {
			t.Errorf("the response has no %s", name)
		}
	}
	for _, name := range []string{"usage", "error", "incomplete_details", "completed_at"} {
		if value, ok := response[name]; ok && value == nil {
			property := member[map[string]any](t, p.schemas["ResponseResource"], "properties", name)
			if !strings.Contains(fmt.Sprint(property), "type:null") {
				t.Errorf("%s may not be null", name)
			}
		}
	}
}

func streamed(body string) string {
	return strings.Replace(body, "{", `{"stream":true,`, 1)
}

func typeOf(t *testing.T, event []byte) string {
	t.Helper()
	var head struct{ Type string }
	if err := json.Unmarshal(event, &head); err != nil {
		t.Fatal(err)
	}
	return head.Type
}

// errorOf returns what an error's body holds.
func errorOf(t *testing.T, body []byte) []byte {
	t.Helper()
	var envelope struct{ Error json.RawMessage }
	if err := json.Unmarshal(body, &envelope); err != nil || envelope.Error == nil {
		t.Fatalf("no error in %s", body)
	}
	return envelope.Error
}
