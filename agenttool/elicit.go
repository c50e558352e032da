package agenttool

import (
	"context"
	"encoding/json"
)

// An Elicitation is a question a tool has for the user while it runs. With a
// Schema it is a form, with a URL a page to visit, with neither a plain
// confirmation.
type Elicitation struct {
	// Message is the question.
	Message string

	// Schema is the JSON Schema of the answer, a flat object.
	Schema json.RawMessage

	// URL is where the user answers.
	URL string
}

// An Action is how the user took a question.
type Action string

const (
	// ActionAccept: the user answered, or confirmed.
	ActionAccept Action = "accept"

	// ActionDecline: the user said no.
	ActionDecline Action = "decline"

	// ActionCancel: the user chose nothing, or nobody could be asked.
	ActionCancel Action = "cancel"
)

// An Answer is what became of a question.
type Answer struct {
	// Action is one of the three actions.
	Action Action

	// Content is the object the user gave, matching the question's schema.
	// Only an accepted answer has any.
	Content json.RawMessage
}

// An Elicitor asks the user. Its ctx is the call's, with the call on it. An
// error means that asking failed, not that the user refused. It may be called
// by several calls at once, and more than once by a call.
type Elicitor func(ctx context.Context, q Elicitation) (Answer, error)

type elicitorKey struct{}

// ContextWithElicitor puts an elicitor on a context, in place of any already
// there. A nil fn removes it.
func ContextWithElicitor(ctx context.Context, fn Elicitor) context.Context {
	return context.WithValue(ctx, elicitorKey{}, fn)
}

// ElicitorFrom gives the elicitor on a context, and whether there is one. A
// tool that finds none treats its question as cancelled.
func ElicitorFrom(ctx context.Context) (Elicitor, bool) {
	fn, _ := ctx.Value(elicitorKey{}).(Elicitor)
	return fn, fn != nil
}
