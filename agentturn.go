package agentturn

import (
	"reflect"
	"slices"
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// Model is what answers a request with a stream of events: a remote server behind
// openresponses.Client.AsAdapter, an adapter in this process, or another agent.
type Model = openresponses.Streamer

// Transcript is a whole conversation: what a run starts from, what the hooks read
// and what a request is built from. It may hold items that are the application's
// own, see [DefaultFilter]. A mere part of a conversation is spelled
// openresponses.Items, which is the same type.
type Transcript = openresponses.Items

// CanContinue reports whether t ends in something the model can answer: a function
// call output, or a message of any role but the assistant's.
func CanContinue(t Transcript) bool {
	if len(t) == 0 {
		return false
	}
	last, _ := Unhide(t[len(t)-1])
	switch item := last.(type) {
	case *openresponses.Message:
		return item != nil && item.Role != openresponses.RoleAssistant
	case *openresponses.FunctionCallOutput:
		return item != nil
	}
	return false
}

// DefaultFilter is the [Config.Filter] used when none is set. It leaves out nil
// items and the application's own, those of a namespaced type such as "acme:note".
// The result is a new slice and never nil.
func DefaultFilter(t Transcript) Transcript { return filter(t, nil) }

// VisibleFilter is [DefaultFilter] with exceptions: namespaced items of the types
// listed stay, for a model that understands them.
func VisibleFilter(visible ...string) func(Transcript) Transcript {
	visible = slices.Clone(visible)
	return func(t Transcript) Transcript { return filter(t, visible) }
}

func filter(t Transcript, visible []string) Transcript {
	kept := make(Transcript, 0, len(t))
	for _, item := range t {
		if isNil(item) || isExtension(item) && !slices.Contains(visible, item.ItemType()) {
			continue
		}
		kept = append(kept, item)
	}
	return kept
}

// isNil reports whether item is nil or holds a nil pointer.
func isNil(item openresponses.Item) bool {
	if item == nil {
		return true
	}
	v := reflect.ValueOf(item)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// isExtension reports whether item is of a namespaced type.
func isExtension(item openresponses.Item) bool {
	return !isNil(item) && namespaced(item)
}

func namespaced(item openresponses.Item) bool { return strings.Contains(item.ItemType(), ":") }

// modelProduced reports whether item can only be the model's: it is not an output,
// a message of another role, or an extension item. A nil item counts as the model's,
// since nobody can have handed it in.
func modelProduced(item openresponses.Item) bool {
	item, _ = Unhide(item)
	if isNil(item) {
		return true
	}
	switch item := item.(type) {
	case *openresponses.FunctionCallOutput:
		return false
	case *openresponses.Message:
		return item.Role == openresponses.RoleAssistant
	}
	return !isExtension(item)
}

// continuedTail returns the items t ends with since the model last spoke: what a
// run that begins without a prompt answers. It aliases t, without spare capacity.
func continuedTail(t Transcript) Transcript {
	start := len(t)
	for start > 0 && !modelProduced(t[start-1]) {
		start--
	}
	return t[start:len(t):len(t)]
}

// leadingOutputs returns the outputs prompts opens with, unwrapped, up to the first
// item that is none.
func leadingOutputs(prompts openresponses.Items) []*openresponses.FunctionCallOutput {
	var outputs []*openresponses.FunctionCallOutput
	for _, item := range prompts {
		item, _ = Unhide(item)
		output, ok := item.(*openresponses.FunctionCallOutput)
		if !ok || output == nil {
			break
		}
		outputs = append(outputs, output)
	}
	return outputs
}
