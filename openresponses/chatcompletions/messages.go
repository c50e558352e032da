package chatcompletions

import (
	"fmt"
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// conversation turns items into messages. What the assistant said, called and thought in a row is one message.
type conversation struct {
	replayField string
	messages    []object
	assistant   *assistant // the message that is open, or nil
}

func (a *Adapter) messages(req openresponses.Request) ([]object, error) {
	c := conversation{replayField: a.replayField, messages: make([]object, 0, len(req.Input)+1)}
	if req.Instructions != "" {
		c.messages = append(c.messages, object{"role": openresponses.RoleSystem, "content": req.Instructions})
	}
	for i, item := range req.Input {
		if err := c.add(item, fmt.Sprintf("input[%d]", i)); err != nil {
			return nil, err
		}
	}
	c.closeAssistant()
	return c.messages, nil
}

func (c *conversation) add(item openresponses.Item, at string) error {
	switch item := item.(type) {
	case *openresponses.Message:
		if item != nil {
			return c.message(item, at)
		}
	case *openresponses.FunctionCall:
		if item != nil {
			c.openAssistant().call(item)
			return nil
		}
	case *openresponses.ReasoningItem:
		if item != nil {
			c.openAssistant().reasoning.WriteString(reasoningText(item))
			return nil
		}
	case *openresponses.FunctionCallOutput:
		if item != nil {
			return c.output(item, at)
		}
	}
	return unsupported(at + ".type")
}

func (c *conversation) message(m *openresponses.Message, at string) error {
	switch m.Role {
	case openresponses.RoleAssistant:
		return c.openAssistant().message(m, at)
	case openresponses.RoleSystem, openresponses.RoleDeveloper:
		text, err := plainText(m.Content, at+".content")
		if err != nil {
			return err
		}
		c.say(object{"role": m.Role, "content": text})
		return nil
	case openresponses.RoleUser:
		content, err := userContent(m.Content, at+".content")
		if err != nil {
			return err
		}
		c.say(object{"role": m.Role, "content": content})
		return nil
	}
	return invalid(at+".role", fmt.Sprintf("unknown role %q", m.Role))
}

func (c *conversation) output(o *openresponses.FunctionCallOutput, at string) error {
	text := o.Output.Text
	if o.Output.Parts != nil {
		var err error
		if text, err = plainText(o.Output.Parts, at+".output"); err != nil {
			return err
		}
	}
	c.say(object{"role": "tool", "tool_call_id": o.CallID, "content": text})
	return nil
}

// say appends a message of somebody else's than the assistant.
func (c *conversation) say(message object) {
	c.closeAssistant()
	c.messages = append(c.messages, message)
}

func (c *conversation) openAssistant() *assistant {
	if c.assistant == nil {
		c.assistant = new(assistant)
	}
	return c.assistant
}

func (c *conversation) closeAssistant() {
	if c.assistant != nil {
		c.messages = append(c.messages, c.assistant.object(c.replayField))
		c.assistant = nil
	}
}

// assistant is a message of the assistant's that may still grow.
type assistant struct {
	texts     []string
	refusal   strings.Builder
	calls     []object
	reasoning strings.Builder
}

func (a *assistant) message(m *openresponses.Message, at string) error {
	for j, part := range m.Content {
		if refusal, ok := part.(*openresponses.Refusal); ok && refusal != nil {
			a.refusal.WriteString(refusal.Refusal)
			continue
		}
		text, ok := textOf(part)
		if !ok {
			return unsupported(fmt.Sprintf("%s.content[%d].type", at, j))
		}
		a.texts = append(a.texts, text)
	}
	return nil
}

func (a *assistant) call(f *openresponses.FunctionCall) {
	arguments := f.Arguments
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}"
	}
	call := function(openresponses.ToolTypeFunction, f.Name)
	call["id"] = f.CallID
	call["function"].(object)["arguments"] = arguments
	a.calls = append(a.calls, call)
}

func (a *assistant) object(replayField string) object {
	message := object{"role": openresponses.RoleAssistant}
	switch {
	case len(a.texts) == 1:
		message["content"] = a.texts[0]
	case len(a.texts) > 1:
		parts := make([]object, len(a.texts))
		for i, text := range a.texts {
			parts[i] = textPart(text)
		}
		message["content"] = parts
	case a.refusal.Len() == 0 && len(a.calls) == 0:
		message["content"] = "" // servers want one of the three
	}
	set(message, "refusal", a.refusal.String())
	if len(a.calls) > 0 {
		message["tool_calls"] = a.calls
	}
	if replayField != "" {
		set(message, replayField, a.reasoning.String())
	}
	return message
}

func reasoningText(r *openresponses.ReasoningItem) string {
	if text := joined(r.Content); text != "" {
		return text
	}
	return joined(r.Summary)
}

func joined(parts openresponses.Contents) string {
	var b strings.Builder
	for _, part := range parts {
		text, _ := textOf(part)
		b.WriteString(text)
	}
	return b.String()
}

// plainText returns the text of parts that must be nothing else.
func plainText(parts openresponses.Contents, at string) (string, error) {
	var b strings.Builder
	for j, part := range parts {
		text, ok := textOf(part)
		if !ok {
			return "", unsupported(fmt.Sprintf("%s[%d].type", at, j))
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// textOf returns the text of a part that is text, of whatever kind.
func textOf(part openresponses.Content) (string, bool) {
	switch part := part.(type) {
	case *openresponses.InputText:
		return deref(part).Text, part != nil
	case *openresponses.OutputText:
		return deref(part).Text, part != nil
	case *openresponses.Text:
		return deref(part).Text, part != nil
	case *openresponses.SummaryText:
		return deref(part).Text, part != nil
	case *openresponses.ReasoningText:
		return deref(part).Text, part != nil
	}
	return "", false
}

// deref returns what p points to, the zero value for nil.
func deref[V any](p *V) V {
	if p == nil {
		return *new(V)
	}
	return *p
}

// userContent returns a string for one text, and otherwise a list of parts.
func userContent(content openresponses.Contents, at string) (any, error) {
	if len(content) == 1 {
		if text, ok := content[0].(*openresponses.InputText); ok && text != nil {
			return text.Text, nil
		}
	}
	parts := make([]object, len(content))
	for j, part := range content {
		var err error
		if parts[j], err = userPart(part, fmt.Sprintf("%s[%d]", at, j)); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func userPart(part openresponses.Content, at string) (object, error) {
	if text, ok := textOf(part); ok {
		return textPart(text), nil
	}
	switch part := part.(type) {
	case *openresponses.InputImage:
		if part != nil {
			return imagePart(part, at)
		}
	case *openresponses.InputFile:
		if part != nil {
			return filePart(part, at)
		}
	}
	return nil, unsupported(at + ".type")
}

func textPart(text string) object { return object{"type": "text", "text": text} }

func imagePart(image *openresponses.InputImage, at string) (object, error) {
	switch {
	case image.FileID != "":
		return nil, unsupported(at + ".file_id")
	case image.ImageURL == "":
		return nil, missing(at + ".image_url")
	}
	url := object{"url": image.ImageURL}
	if image.Detail != openresponses.ImageDetailAuto {
		set(url, "detail", image.Detail)
	}
	return object{"type": "image_url", "image_url": url}, nil
}

func filePart(file *openresponses.InputFile, at string) (object, error) {
	switch {
	case file.FileURL != "":
		return nil, unsupported(at + ".file_url")
	case file.FileData == "" && file.FileID == "":
		return nil, missing(at + ".file_data")
	}
	data := object{}
	set(data, "file_id", file.FileID)
	set(data, "file_data", file.FileData)
	set(data, "filename", file.Filename)
	return object{"type": "file", "file": data}, nil
}
