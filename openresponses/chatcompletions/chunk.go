package chatcompletions

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// chunk is a piece of a completion, or all of it: what is read of it, of choice 0.
type chunk struct {
	model       string
	serviceTier string
	failure     []byte // JSON of the error; aliases the frame
	usage       *openresponses.Usage
	delta       delta
	finish      string
	logprobs    []openresponses.LogProb
}

// delta is what a chunk adds to the message.
type delta struct {
	content          string
	refusal          string
	reasoning        string // under the one name
	reasoningContent string // under the other, which wins
	annotations      []annotation
	calls            []toolCall
}

// toolCall is a piece of a call. A server that leaves the index out sends calls one after another.
type toolCall struct {
	index     int
	indexed   bool
	id        string
	name      string
	arguments string
}

// annotation is a citation in the nested form of Chat Completions or in the flat one.
type annotation struct {
	Type   string                     `json:"type"`
	Nested *openresponses.URLCitation `json:"url_citation"`
	flat   openresponses.URLCitation
}

func (c *chunk) decode(data []byte) error {
	*c = chunk{delta: delta{calls: c.delta.calls[:0]}}
	r := jsonx.NewReader(data)
	defer r.Release()
	if r.Peek() != '{' {
		return r.Mismatch(reflect.TypeFor[object]())
	}
	if err := eachMember(r, c.member(r)); err != nil {
		return err
	}
	return r.End()
}

func (c *chunk) member(r *jsonx.Reader) func(name []byte) error {
	return func(name []byte) error {
		switch string(name) {
		case "model":
			return readString(r, &c.model)
		case "service_tier":
			return readString(r, &c.serviceTier)
		case "choices":
			return eachElement(r, func() error { return c.choice(r) })
		case "usage":
			return c.readUsage(r)
		case "error":
			raw, err := r.Skip()
			if string(raw) != "null" {
				c.failure = raw
			}
			return err
		}
		return skip(r)
	}
}

// choice reads a choice and drops it unless it is the first: the index may follow what it is the index of.
func (c *chunk) choice(r *jsonx.Reader) error {
	before, index := *c, 0
	err := eachMember(r, func(name []byte) error {
		switch string(name) {
		case "index":
			return readInt(r, &index)
		case "delta", "message":
			return eachMember(r, c.delta.member(r))
		case "finish_reason":
			return readString(r, &c.finish)
		case "logprobs":
			var logprobs struct {
				Content []openresponses.LogProb `json:"content"`
			}
			err := readValue(r, &logprobs)
			c.logprobs = logprobs.Content
			return err
		}
		return skip(r)
	})
	if index != 0 {
		*c = before
	}
	return err
}

func (d *delta) member(r *jsonx.Reader) func(name []byte) error {
	return func(name []byte) error {
		switch string(name) {
		case "content":
			return readText(r, &d.content)
		case "refusal":
			return readString(r, &d.refusal)
		case "reasoning_content":
			return readString(r, &d.reasoningContent)
		case "reasoning":
			if r.Peek() != '"' {
				return skip(r)
			}
			return readString(r, &d.reasoning)
		case "tool_calls":
			return eachElement(r, func() error { return d.call(r) })
		case "function_call": // the form before there were tools
			if null, err := r.Null(); null || err != nil {
				return err
			}
			call := toolCall{indexed: true}
			err := eachMember(r, call.function(r))
			d.calls = append(d.calls, call)
			return err
		case "annotations":
			return readValue(r, &d.annotations)
		}
		return skip(r)
	}
}

func (d *delta) call(r *jsonx.Reader) error {
	var call toolCall
	err := eachMember(r, func(name []byte) error {
		switch string(name) {
		case "index":
			call.indexed = r.Peek() != 'n'
			return readInt(r, &call.index)
		case "id":
			return readString(r, &call.id)
		case "function":
			return eachMember(r, call.function(r))
		}
		return skip(r)
	})
	d.calls = append(d.calls, call)
	return err
}

func (t *toolCall) function(r *jsonx.Reader) func(name []byte) error {
	return func(name []byte) error {
		switch string(name) {
		case "name":
			return readString(r, &t.name)
		case "arguments":
			if r.Peek() != '{' {
				return readString(r, &t.arguments)
			}
			raw, err := r.Skip() // an object where its text should be
			t.arguments = string(raw)
			return err
		}
		return skip(r)
	}
}

func (c *chunk) readUsage(r *jsonx.Reader) error {
	var u *struct {
		Prompt        int `json:"prompt_tokens"`
		Completion    int `json:"completion_tokens"`
		Total         int `json:"total_tokens"`
		PromptDetails struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionDetails struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	}
	if err := readValue(r, &u); err != nil || u == nil {
		return err
	}
	if u.Total == 0 {
		u.Total = u.Prompt + u.Completion
	}
	c.usage = &openresponses.Usage{InputTokens: u.Prompt, OutputTokens: u.Completion, TotalTokens: u.Total}
	c.usage.InputTokensDetails.CachedTokens = u.PromptDetails.Cached
	c.usage.OutputTokensDetails.ReasoningTokens = u.CompletionDetails.Reasoning
	return nil
}

// UnmarshalJSON reads either form.
func (a *annotation) UnmarshalJSON(data []byte) error {
	type nested annotation
	if err := json.Unmarshal(data, (*nested)(a)); err != nil || a.Nested != nil || a.Type != openresponses.AnnotationTypeURLCitation {
		return err
	}
	return json.Unmarshal(data, &a.flat)
}

// citation returns the citation, or nil for an annotation of another type.
func (a *annotation) citation() *openresponses.URLCitation {
	switch {
	case a.Type != openresponses.AnnotationTypeURLCitation:
		return nil
	case a.Nested != nil:
		return a.Nested
	}
	return &a.flat
}

// readText reads a text, which may be a list of parts; those of other types than text are passed over.
func readText(r *jsonx.Reader, text *string) error {
	if r.Peek() != '[' {
		return readString(r, text)
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := readValue(r, &parts); err != nil {
		return err
	}
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text)
	}
	*text = b.String()
	return nil
}

// readString reads a string, or null, which changes nothing.
func readString(r *jsonx.Reader, s *string) error {
	if null, err := r.Null(); null || err != nil {
		return err
	}
	var err error
	*s, err = r.String()
	return err
}

// readInt reads an integer, or null, which changes nothing.
func readInt(r *jsonx.Reader, n *int) error {
	if null, err := r.Null(); null || err != nil {
		return err
	}
	i, err := r.Int(32)
	*n = int(i)
	return err
}

// readValue reads what is rare in a stream.
func readValue(r *jsonx.Reader, v any) error {
	raw, err := r.Skip()
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("%w in %.200s", err, raw)
	}
	return nil
}

func skip(r *jsonx.Reader) error {
	_, err := r.Skip()
	return err
}

// eachMember reads an object, or null, which has no members.
func eachMember(r *jsonx.Reader, member func(name []byte) error) error {
	if null, err := r.Null(); null || err != nil {
		return err
	}
	if err := r.BeginObject(reflect.TypeFor[object]()); err != nil {
		return err
	}
	for first := true; ; first = false {
		name, ok, err := r.Member(first)
		if err != nil || !ok {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
}

// eachElement reads an array, or null, which has no elements.
func eachElement(r *jsonx.Reader, element func() error) error {
	if null, err := r.Null(); null || err != nil {
		return err
	}
	if err := r.BeginArray(reflect.TypeFor[[]any]()); err != nil {
		return err
	}
	for first := true; ; first = false {
		ok, err := r.Element(first)
		if err != nil || !ok {
			return err
		}
		if err := element(); err != nil {
			return err
		}
	}
}
