package chatcompletions

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// object is a JSON object under construction.
type object map[string]any

// set adds a member unless its value is the zero value.
func set[V comparable](o object, name string, value V) {
	if value != *new(V) {
		o[name] = value
	}
}

// body returns the JSON of the request in the form of Chat Completions, or an error for what that can't express.
func (a *Adapter) body(req openresponses.Request) ([]byte, error) {
	if err := refuse(req); err != nil {
		return nil, err
	}
	body := object{}
	if a.extra {
		maps.Copy(body, req.Extra)
	}
	messages, err := a.messages(req)
	if err != nil {
		return nil, err
	}
	body["model"] = req.Model
	body["messages"] = messages
	body["n"] = 1
	body["stream"] = true
	body["stream_options"] = object{"include_usage": true}
	if err := addTools(body, req); err != nil {
		return nil, err
	}
	if err := addFormat(body, req.Text.Format); err != nil {
		return nil, err
	}
	addSettings(body, req)
	if req.MaxOutputTokens != nil {
		body[a.maxTokensField] = *req.MaxOutputTokens
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, openresponses.ServerError("encode_failed", "the request cannot be encoded: "+err.Error())
	}
	return data, nil
}

// refuse returns an error for the settings that have no counterpart.
func refuse(req openresponses.Request) error {
	switch {
	case req.PreviousResponseID != "":
		return openresponses.PreviousResponseNotFound(req.PreviousResponseID)
	case req.MaxToolCalls != nil:
		return unsupported("max_tool_calls")
	case req.Truncation == openresponses.TruncationAuto:
		return unsupported("truncation")
	}
	return nil
}

func addSettings(body object, req openresponses.Request) {
	setPointer(body, "temperature", req.Temperature)
	setPointer(body, "top_p", req.TopP)
	setPointer(body, "presence_penalty", req.PresencePenalty)
	setPointer(body, "frequency_penalty", req.FrequencyPenalty)
	if req.TopLogprobs != nil {
		body["logprobs"] = true
		body["top_logprobs"] = *req.TopLogprobs
	}
	set(body, "reasoning_effort", req.Reasoning.Effort)
	set(body, "verbosity", req.Text.Verbosity)
	set(body, "service_tier", req.ServiceTier)
	set(body, "safety_identifier", req.SafetyIdentifier)
	set(body, "prompt_cache_key", req.PromptCacheKey)
	if len(req.Metadata) > 0 {
		body["metadata"] = req.Metadata
	}
}

func setPointer[V any](o object, name string, value *V) {
	if value != nil {
		o[name] = *value
	}
}

func addTools(body object, req openresponses.Request) error {
	tools := make([]object, len(req.Tools))
	for i, tool := range req.Tools {
		f, ok := tool.(*openresponses.FunctionTool)
		if !ok || f == nil {
			return unsupported(fmt.Sprintf("tools[%d].type", i))
		}
		function := object{"name": f.Name}
		set(function, "description", f.Description)
		setPointer(function, "strict", f.Strict)
		if err := addSchema(function, "parameters", f.Parameters, fmt.Sprintf("tools[%d].parameters", i)); err != nil {
			return err
		}
		tools[i] = object{"type": "function", "function": function}
	}
	if len(tools) > 0 {
		body["tools"] = tools
	}
	if !req.ToolChoice.IsZero() {
		body["tool_choice"] = toolChoice(req.ToolChoice)
	}
	setPointer(body, "parallel_tool_calls", req.ParallelToolCalls)
	return nil
}

// addSchema adds a schema unless it is absent or null.
func addSchema(o object, name string, schema json.RawMessage, param string) error {
	switch {
	case len(schema) > 0 && !json.Valid(schema):
		return invalid(param, "the schema is not JSON")
	case len(schema) > 0 && strings.TrimSpace(string(schema)) != "null":
		o[name] = schema
	}
	return nil
}

func toolChoice(c openresponses.ToolChoice) any {
	switch {
	case c.Function != nil:
		return function(openresponses.ToolTypeFunction, c.Function.Name)
	case c.Allowed != nil:
		tools := make([]object, len(c.Allowed.Tools))
		for i, tool := range c.Allowed.Tools {
			tools[i] = function(tool.Type, tool.Name)
		}
		return object{"type": "allowed_tools", "allowed_tools": object{"mode": c.Allowed.Mode, "tools": tools}}
	}
	return c.Mode
}

func function(typ, name string) object {
	return object{"type": typ, "function": object{"name": name}}
}

func addFormat(body object, f *openresponses.TextFormat) error {
	if f == nil {
		return nil
	}
	switch f.Type {
	case "", openresponses.TextFormatText:
	case openresponses.TextFormatJSONObject:
		body["response_format"] = object{"type": f.Type}
	case openresponses.TextFormatJSONSchema:
		schema := object{"name": f.Name}
		set(schema, "description", f.Description)
		setPointer(schema, "strict", f.Strict)
		if err := addSchema(schema, "schema", f.Schema, "text.format.schema"); err != nil {
			return err
		}
		body["response_format"] = object{"type": f.Type, "json_schema": schema}
	default:
		return invalid("text.format.type", fmt.Sprintf("unknown format %q", f.Type))
	}
	return nil
}

func unsupported(param string) error {
	return openresponses.InvalidRequest(openresponses.CodeUnsupportedParameter,
		"a Chat Completions server cannot be given "+param, param)
}

func invalid(param, why string) error {
	return openresponses.InvalidRequest(openresponses.CodeInvalidValue, "invalid value for "+param+": "+why, param)
}

func missing(param string) error {
	return openresponses.InvalidRequest(openresponses.CodeMissingRequiredParameter, "missing required parameter: "+param, param)
}
