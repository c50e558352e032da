package agentturn

import (
	"encoding/json"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// PendingCall is a function call the transcript holds no output for.
type PendingCall struct {
	Call   *openresponses.FunctionCall
	Reason PendingReason

	// Tool is what the call resolved to in the run that made it, for a front that asks
	// about it. It is nil when no tool had the name, and for a call of a seeded
	// transcript.
	Tool agenttool.Tool

	// Dispatched, on a deferred call, says that it was handed to its tool before it was
	// held, so that it may have run: by the tool itself, with a [HeldError], or as a record
	// tells through [WithPending] or [Agent.SetPending].
	Dispatched bool

	// IdempotencyKey is the key the call was last handed to its tool under, empty when it
	// never was. An approval runs the call under it again.
	IdempotencyKey string

	// Args are what an approval runs the call with, where that is not the call's own: as
	// the decision that held it rewrote them, or as it was last handed to its tool.
	Args json.RawMessage

	// Ran is the output the call has where it ran, when a record shows that it did so in
	// another branch or session. Answer the call with it rather than run it again. The
	// loop hands it on from [WithPending] and [Agent.SetPending].
	Ran *openresponses.FunctionCallOutput

	RanWhere string // where that was: the reason for an answer with Ran

	Refused string // why a call pending as [PendingRejected] was refused: its output
}

// MayHaveRun reports whether the call may have taken effect, so that an approval of it is
// held to the rule for running it again; see [Agent.Resume].
func (p PendingCall) MayHaveRun() bool {
	switch p.Reason {
	case PendingAborted, PendingUnknown:
		return true
	case PendingDeferred:
		return p.Dispatched
	default:
		return false
	}
}

// args returns what the call was last handed to its tool with, or would have been.
func (p PendingCall) args() json.RawMessage {
	if p.Args != nil {
		return p.Args
	}
	return callArgs(p.Call)
}

// callArgs returns the arguments of call as the model gave them: {} when it gave none.
func callArgs(call *openresponses.FunctionCall) json.RawMessage {
	if call.Arguments == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(call.Arguments)
}

// PendingReason says why a call has no output.
type PendingReason string

// The reasons.
const (
	// PendingDeferred: [Config.BeforeToolCall], or its tool, left it to the caller. It did
	// not run, unless [PendingCall.Dispatched] says that it may have.
	PendingDeferred PendingReason = "deferred"

	// PendingAborted: it was cut off after it was handed to its tool. It may have run.
	PendingAborted PendingReason = "aborted"

	// PendingUndispatched: it was cut off before that. It did not run, and nobody has
	// decided on it: an approval is put to [Config.BeforeToolCall].
	PendingUndispatched PendingReason = "undispatched"

	// PendingUnknown: it was found in a transcript the loop did not see grow. It may
	// have run.
	PendingUnknown PendingReason = "unknown"

	// PendingAnswered: a record says that it was answered, and ends before the output.
	// Only an output answers it.
	PendingAnswered PendingReason = "answered"

	// PendingRejected: a record says that it was refused before it ran, and ends before
	// the output. Only an output answers it.
	PendingRejected PendingReason = "rejected"
)

// PendingCalls returns the function calls of pending, in order.
func PendingCalls(pending []PendingCall) []*openresponses.FunctionCall {
	if len(pending) == 0 {
		return nil
	}
	calls := make([]*openresponses.FunctionCall, len(pending))
	for i, p := range pending {
		calls[i] = p.Call
	}
	return calls
}
