package agentturn

import (
	"encoding/json"

	"github.com/ChristopherDavenport/openresponses"
)

// Answer settles one pending call, for [Agent.Resume]: with an output, or by approving
// that the loop runs it. Build one with [Output], [Refuse], [OutcomeUnknown], [Approve] or
// [ApproveWith], and add to it with the With methods, each of which returns a changed copy.
type Answer struct {
	CallID string

	// Output settles the call without running it. nil approves the call.
	Output *openresponses.FunctionCallOutput

	// Args, on an approval, are what the tool gets in place of the pending call's
	// arguments, unless nil.
	Args json.RawMessage

	// Note is what the user added: a user message after the outputs of all answers.
	Note string

	// Terminate ends the run, with [StopRefused], once all answers are in.
	Terminate bool

	// By says who decided: for a record, "human", "policy" or "agent". Nobody is assumed.
	By string

	// Reason says why the call was answered so, for the record.
	Reason string

	// Origin, on an output taken from a record, says where it was taken from, for whoever
	// records it again.
	Origin string

	// IdempotencyKey, on an approval, is the key the call runs under in place of the
	// pending call's. Another key makes the call another operation.
	IdempotencyKey string

	// RunAgain, on an approval, accepts that a call that may have run runs once more,
	// whatever its tool says.
	RunAgain bool
}

// Output answers the call that out names with out.
func Output(out *openresponses.FunctionCallOutput) Answer {
	if out == nil {
		return Answer{}
	}
	return Answer{CallID: out.CallID, Output: out}
}

// Refuse is [Output] for an answer after which the model is not to be called: the run ends
// with [StopRefused].
func Refuse(out *openresponses.FunctionCallOutput) Answer {
	answer := Output(out)
	answer.Terminate = true
	return answer
}

// OutcomeUnknown answers a call that may have run and must not run again: it tells the
// model that the outcome is not known and has to be checked.
func OutcomeUnknown(callID string) Answer {
	return Output(openresponses.NewFunctionCallOutput(callID, outcomeUnknown)).WithReason(OutcomeUnknownReason)
}

// OutcomeUnknownReason is the reason of an [OutcomeUnknown] answer.
const OutcomeUnknownReason = "not run again: outcome unknown"

const outcomeUnknown = "Error: outcome unknown: the call was cut off after it was handed to its tool, " +
	"and it may or may not have taken effect; check before calling it again"

// Approve runs the call with the arguments it is pending with.
func Approve(callID string) Answer { return Answer{CallID: callID} }

// ApproveWith runs the call with args.
func ApproveWith(callID string, args json.RawMessage) Answer {
	return Answer{CallID: callID, Args: args}
}

// The reasons of an approval that lets a call run again and gives none of its own: what
// made that acceptable.
const (
	// RunAgainReason: the host took the risk, see [Answer.WithRunAgain].
	RunAgainReason = "run again: accepted by the caller"

	// RunAgainSafeReason: the tool says that a second run does no harm.
	RunAgainSafeReason = "run again: safe"

	// RunAgainKeyedReason: the tool tells operations apart by their key.
	RunAgainKeyedReason = "run again: keyed"
)

// WithNote sets Note.
func (a Answer) WithNote(note string) Answer {
	a.Note = note
	return a
}

// WithBy sets By.
func (a Answer) WithBy(by string) Answer {
	a.By = by
	return a
}

// WithReason sets Reason.
func (a Answer) WithReason(reason string) Answer {
	a.Reason = reason
	return a
}

// WithOrigin sets Origin.
func (a Answer) WithOrigin(origin string) Answer {
	a.Origin = origin
	return a
}

// WithIdempotencyKey sets IdempotencyKey.
func (a Answer) WithIdempotencyKey(key string) Answer {
	a.IdempotencyKey = key
	return a
}

// WithRunAgain sets RunAgain.
func (a Answer) WithRunAgain() Answer {
	a.RunAgain = true
	return a
}
