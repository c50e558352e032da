package agentturntest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// A Violation is one rule a request breaks.
type Violation struct {
	// Index is the place in the request's input, -1 where it is the request
	// as a whole that breaks the rule.
	Index int
	// Message says what is wrong.
	Message string
}

// Error names the place and the fault.
func (v *Violation) Error() string {
	if v.Index < 0 {
		return "request: " + v.Message
	}
	return fmt.Sprintf("input[%d]: %s", v.Index, v.Message)
}

// A CheckOption makes [CheckRequest] stricter or laxer.
type CheckOption func(*checker)

// RefuseItemIDs makes any item with an ID a violation, as on servers that keep
// no responses and refuse IDs they have not stored.
func RefuseItemIDs() CheckOption { return func(c *checker) { c.refuseItemIDs = true } }

// RequireReasoningAdjacency makes a reasoning item a violation unless it is
// followed, directly or after more reasoning, by a message or a call the model
// produced.
func RequireReasoningAdjacency() CheckOption {
	return func(c *checker) { c.reasoningAdjacency = true }
}

// AllowNamespacedItems lets items whose type contains a colon pass, as on a
// server that has extensions.
func AllowNamespacedItems() CheckOption { return func(c *checker) { c.namespaced = true } }

// AllowAnyArguments lets function calls pass whose arguments are not JSON.
func AllowAnyArguments() CheckOption { return func(c *checker) { c.anyArguments = true } }

// CheckRequest reports everything for which the strictest server would refuse a
// request of the loop, as joined [Violation] errors; nil when there is nothing.
//
//   - Every call has exactly one output, after it and before the next user
//     message; no output is without its call; no two calls share an ID.
//   - Call IDs have 1 to 64 characters of A-Z a-z 0-9 _ -, and so have the
//     names of calls unless the request offers a tool of that name; arguments
//     are JSON without unpaired surrogates.
//   - No item is nil or of a namespaced type, none has an empty ID on the
//     wire, and messages have a known role and the parts that role may have.
//   - Tools have names, each its own, and parameters that are JSON objects.
//   - store is false, stream is true, and there is no previous response.
//   - Every string is valid UTF-8; the request encodes to valid JSON and
//     decodes to the same, which passes its own Validate.
//
// The model's name may be missing, since a test often has none.
func CheckRequest(req openresponses.Request, opts ...CheckOption) error {
	c := &checker{calls: make(map[string]int), answered: make(map[string]int), offered: make(map[string]bool)}
	for _, opt := range opts {
		opt(c)
	}
	c.members(req)
	c.tools(req)
	for i, item := range req.Input {
		c.item(i, item)
	}
	c.unanswered("at the end of the input")
	c.unfollowed("nothing")
	c.wire(req)
	return errors.Join(c.violations...)
}

// checker is one check under way.
type checker struct {
	refuseItemIDs, reasoningAdjacency, namespaced, anyArguments bool

	violations []error
	calls      map[string]int // index of the call, by call ID
	answered   map[string]int // index of its output, by call ID
	offered    map[string]bool
	open       []string // call IDs without an output, in order
	reasoning  []int    // indexes of reasoning items nothing followed yet
}

// add reports a violation at an input index, -1 for the whole request.
func (c *checker) add(index int, format string, args ...any) {
	c.violations = append(c.violations, &Violation{Index: index, Message: fmt.Sprintf(format, args...)})
}

// members checks what the loop sets on every request.
func (c *checker) members(req openresponses.Request) {
	if req.Stored() {
		c.add(-1, "store is not false")
	}
	if !req.Stream {
		c.add(-1, "stream is not true")
	}
	if req.PreviousResponseID != "" {
		c.add(-1, "previous_response_id is %q", req.PreviousResponseID)
	}
	if len(req.Input) == 0 {
		c.add(-1, "input is empty")
	}
}

// unanswered reports the calls that should have had an output by now.
func (c *checker) unanswered(where string) {
	for _, id := range c.open {
		c.add(c.calls[id], "call %q has no output %s", id, where)
	}
	c.open = c.open[:0]
}

// unfollowed reports the reasoning that should have been followed by an answer.
func (c *checker) unfollowed(by string) {
	if c.reasoningAdjacency {
		for _, i := range c.reasoning {
			c.add(i, "reasoning is followed by %s", by)
		}
	}
	c.reasoning = c.reasoning[:0]
}

// tools checks the tools and that a forced one is offered.
func (c *checker) tools(req openresponses.Request) {
	for i, tool := range req.Tools {
		if isNil(tool) {
			c.add(-1, "tools[%d] is nil", i)
			continue
		}
		fn, ok := tool.(*openresponses.FunctionTool)
		if !ok {
			continue
		}
		switch {
		case fn.Name == "":
			c.add(-1, "tools[%d] has no name", i)
		case c.offered[fn.Name]:
			c.add(-1, "tools[%d] is a second %q", i, fn.Name)
		}
		c.offered[fn.Name] = true
		if !isObject(fn.Parameters) {
			c.add(-1, "tools[%d] %q has parameters that are no JSON object", i, fn.Name)
		}
	}
	if f := req.ToolChoice.Function; f != nil && !c.offered[f.Name] {
		c.add(-1, "tool_choice names %q, which is not offered", f.Name)
	}
}

// wire checks what only the encoded request shows.
func (c *checker) wire(req openresponses.Request) {
	for _, path := range invalidStrings(req) {
		c.add(-1, "%s is not valid UTF-8", path)
	}
	data, err := json.Marshal(req)
	if err != nil {
		c.add(-1, "does not encode: %v", err)
		return
	}
	if at, bad := loneSurrogate(data); bad {
		c.add(-1, "has an unpaired surrogate at byte %d: %s", at, around(data, at))
	}
	var again openresponses.Request
	if err := json.Unmarshal(data, &again); err != nil {
		c.add(-1, "does not decode: %v", err)
		return
	}
	twice, err := json.Marshal(again)
	if err != nil {
		c.add(-1, "does not encode again: %v", err)
		return
	}
	if !sameJSON(data, twice) {
		at := differ(data, twice)
		c.add(-1, "changes when decoded and encoded again: %s becomes %s", around(data, at), around(twice, at))
	}
	c.validate(again)
}

// validate lets openresponses judge what the rules above found nothing in.
func (c *checker) validate(req openresponses.Request) {
	if len(c.violations) > 0 {
		return
	}
	if req.Model == "" {
		req.Model = "a model" // a test often has none
	}
	if err := req.Validate(); err != nil {
		c.add(-1, "is not valid: %v", err)
	}
}

// sameJSON compares JSON texts as values.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var va, vb any
	return json.Unmarshal(a, &va) == nil && json.Unmarshal(b, &vb) == nil && reflect.DeepEqual(va, vb)
}

// differ is the first byte in which a and b differ.
func differ(a, b []byte) int {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return at
}

// isObject reports whether raw is a JSON object.
func isObject(raw json.RawMessage) bool {
	return json.Valid(raw) && strings.HasPrefix(strings.TrimLeft(string(raw), " \t\r\n"), "{")
}

// around quotes the bytes near at.
func around(data []byte, at int) string {
	return strconv.Quote(string(data[max(0, at-20):min(len(data), at+20)]))
}
