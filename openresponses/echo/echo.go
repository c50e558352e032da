package echo

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/ChristopherDavenport/openresponses"
)

const (
	greeting   = "Hello!"
	received   = "I received your message."
	toolResult = "Tool result: "
)

// Adapter answers by rule. The zero value is ready to use; it is safe for concurrent use.
//
// If a function tool is offered, may be chosen, and the input doesn't end in the output of a call, it calls that tool:
// the one that the tool choice names, or the first. The arguments give every required parameter the text of the last
// user message. In all other cases it answers with a message that repeats the last output or user message.
type Adapter struct {
	// Phase is that of the messages; empty means final_answer.
	Phase openresponses.Phase
}

var _ openresponses.Adapter = (*Adapter)(nil)

// Create returns the response that CreateStream streams.
func (a *Adapter) Create(ctx context.Context, req openresponses.Request) (*openresponses.Response, error) {
	return openresponses.CollectStream(ctx, a, req)
}

// CreateStream streams a call with its arguments in one piece, or a message word by word. A compaction item in the
// input that did not come from Compact is an *openresponses.Error.
func (a *Adapter) CreateStream(_ context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	input, err := expand(req.Input)
	if err != nil {
		return err
	}
	emitter := openresponses.NewEmitter(sink, openresponses.NewResponse(req))
	if tool := chooseTool(req, input); tool != nil {
		err = call(emitter, tool, lastUserText(input))
	} else {
		err = a.say(emitter, reply(input))
	}
	if err != nil {
		return err
	}
	resp := emitter.Response()
	resp.Usage = usage(input, resp.Output)
	return emitter.Complete()
}

// Compact returns the input in one compaction item, which is encoded and not encrypted.
func (a *Adapter) Compact(_ context.Context, req openresponses.CompactRequest) (*openresponses.CompactResponse, error) {
	if req.PreviousResponseID != "" {
		return nil, openresponses.PreviousResponseNotFound(req.PreviousResponseID)
	}
	input, err := expand(req.Input)
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(input)
	if err != nil {
		return nil, fmt.Errorf("echo: encode input: %w", err)
	}
	output := openresponses.Items{&openresponses.Compaction{
		ID:               openresponses.NewID("cmp"),
		EncryptedContent: base64.StdEncoding.EncodeToString(data),
		CreatedBy:        "echo",
	}}
	return &openresponses.CompactResponse{
		ID:        openresponses.NewID("resp"),
		Object:    openresponses.ObjectCompaction,
		CreatedAt: time.Now().Unix(),
		Output:    output,
		Usage:     usage(input, output),
	}, nil
}

// expand returns the input, never nil, with the items that its compaction items stand for in their place.
func expand(input openresponses.Items) (openresponses.Items, error) {
	expanded := make(openresponses.Items, 0, len(input))
	for i, item := range input {
		compaction, ok := item.(*openresponses.Compaction)
		if !ok {
			expanded = append(expanded, item)
			continue
		}
		items, err := decode(compaction.EncryptedContent)
		if err != nil {
			return nil, openresponses.InvalidRequest(openresponses.CodeInvalidValue,
				"the compaction item is not one of this server: "+err.Error(),
				fmt.Sprintf("input[%d].encrypted_content", i))
		}
		expanded = append(expanded, items...)
	}
	return expanded, nil
}

func decode(content string) (openresponses.Items, error) {
	data, err := base64.StdEncoding.DecodeString(content)
	if err != nil {
		return nil, err
	}
	var list []json.RawMessage // items alone may be a string too
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, err
	}
	var items openresponses.Items
	err = json.Unmarshal(data, &items)
	return items, err
}

// chooseTool returns the tool to call, or nil if a message is due.
func chooseTool(req openresponses.Request, input openresponses.Items) *openresponses.FunctionTool {
	if req.ToolChoice.Mode == openresponses.ToolChoiceNone {
		return nil
	}
	if len(input) > 0 {
		if _, answered := input[len(input)-1].(*openresponses.FunctionCallOutput); answered {
			return nil
		}
	}
	var first *openresponses.FunctionTool
	for _, tool := range req.Tools {
		f, ok := tool.(*openresponses.FunctionTool)
		if !ok {
			continue
		}
		if named := req.ToolChoice.Function; named != nil && named.Name == f.Name {
			return f
		}
		if first == nil {
			first = f
		}
	}
	return first
}

func call(e *openresponses.Emitter, tool *openresponses.FunctionTool, text string) error {
	arguments, err := argumentsFor(tool.Parameters, text)
	if err != nil {
		return err
	}
	w, err := e.FunctionCall("", tool.Name)
	if err != nil {
		return err
	}
	if err := w.Arguments(arguments); err != nil {
		return err
	}
	return w.Close()
}

// argumentsFor returns an object with the text for each parameter that the schema requires; none for what is no schema.
func argumentsFor(schema json.RawMessage, text string) (string, error) {
	var object struct {
		Required []string `json:"required"`
	}
	arguments := map[string]string{}
	if json.Unmarshal(schema, &object) == nil {
		for _, name := range object.Required {
			arguments[name] = text
		}
	}
	data, err := json.Marshal(arguments)
	return string(data), err
}

func (a *Adapter) say(e *openresponses.Emitter, text string) error {
	phase := a.Phase
	if phase == "" {
		phase = openresponses.PhaseFinalAnswer
	}
	w, err := e.Message(phase)
	if err != nil {
		return err
	}
	for word := range strings.SplitAfterSeq(text, " ") {
		if word == "" {
			continue
		}
		if err := w.Text(word); err != nil {
			return err
		}
	}
	return w.Close()
}

// reply returns the text of the message.
func reply(input openresponses.Items) string {
	for i := len(input) - 1; i >= 0; i-- {
		if output, ok := input[i].(*openresponses.FunctionCallOutput); ok {
			return toolResult + output.Output.String()
		}
		if text, ok := userText(input[i]); ok {
			if text == "" {
				return received
			}
			return text
		}
	}
	return greeting
}

func lastUserText(input openresponses.Items) string {
	for i := len(input) - 1; i >= 0; i-- {
		if text, ok := userText(input[i]); ok {
			return text
		}
	}
	return ""
}

// userText returns the text of an item if it is a user's message.
func userText(item openresponses.Item) (string, bool) {
	m, ok := item.(*openresponses.Message)
	if !ok || m.Role != openresponses.RoleUser {
		return "", false
	}
	return m.Text(), true
}

func usage(input, output openresponses.Items) *openresponses.Usage {
	in, out := tokens(input), tokens(output)
	return &openresponses.Usage{InputTokens: in, OutputTokens: out, TotalTokens: in + out}
}

// tokens counts what is between blanks in the items' JSON: crude, but it needs no vocabulary.
func tokens(items openresponses.Items) int {
	n := 0
	for _, item := range items {
		data, err := json.Marshal(item)
		if err == nil {
			n += len(bytes.Fields(data))
		}
	}
	return n
}
