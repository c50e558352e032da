package agentturn

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/ChristopherDavenport/agenttool"
)

// AskedCall is a tool call put to the user. An elicitor reads it from its context with
// [AskedCallFrom] where the text of the question is not enough: to show choices of its
// own, or to make a rule of the answer.
type AskedCall struct {
	Parent string // the call whose tool makes this one; empty for a call of the model's
	CallID string
	Name   string

	Args json.RawMessage // what the call would run with, in full

	Decision *ToolDecision // the deferral that raised the question
}

// maxAskedArgs is how many bytes of its arguments a question quotes.
const maxAskedArgs = 500

// Ask puts call to the elicitor on ctx (see [Config.ToolElicitor]) and returns the
// decision the answer makes of the deferral in call.Decision: Allow or Block, by
// "human". It returns nil and false when there is no elicitor, when it failed, and when
// the user dismissed the question; the deferral then stands.
func Ask(ctx context.Context, call AskedCall) (*ToolDecision, bool) {
	elicit, ok := agenttool.ElicitorFrom(ctx)
	if !ok {
		return nil, false
	}
	if call.Decision == nil {
		call.Decision = &ToolDecision{Action: Defer}
	}
	decision := *call.Decision
	answer, err := ask(ContextWithAskedCall(ctx, call), elicit, call.question())
	if err != nil {
		return nil, false
	}
	switch answer.Action {
	case agenttool.ActionAccept:
		decision.Action = Allow
		if decision.Reason == "" {
			decision.Reason = "allowed when asked"
		}
	case agenttool.ActionDecline:
		decision.Action = Block
		if decision.Reason == "" {
			decision.Reason = "declined when asked"
		} else {
			decision.Reason = "declined when asked: " + decision.Reason
		}
	default:
		return nil, false
	}
	decision.By = "human"
	return &decision, true
}

// ask calls the elicitor; its panic is a failure to ask.
func ask(ctx context.Context, elicit agenttool.Elicitor, question string) (answer agenttool.Answer, err error) {
	defer recovered(&err, "elicitor")
	return elicit(ctx, agenttool.Elicitation{Message: question})
}

func (c AskedCall) question() string {
	args := string(c.Args)
	if len(args) > maxAskedArgs {
		end := maxAskedArgs
		for end > maxAskedArgs-utf8.UTFMax && !utf8.RuneStart(args[end]) {
			end--
		}
		args = args[:end] + "…"
	}
	question := fmt.Sprintf("Allow %s with arguments %s?", c.Name, args)
	if c.Decision.Reason != "" {
		question += " " + c.Decision.Reason
	}
	return question
}
