package agentturn

import "github.com/ChristopherDavenport/openresponses"

// RunEnd closes a run. Every run has exactly one, its last event. A run that is refused
// before it starts consists of a RunEnd alone, with [ReasonError] and without a RunID.
type RunEnd struct {
	RunID  string
	Items  Transcript // everything the run appended, its prompts included
	Reason Reason
	Cause  StopCause // what stopped the run; only with [ReasonStopped]

	// Err says what failed, with [ReasonError]; what cancelled the run, with
	// [ReasonAborted], joined by a failure that came on top; and what the guard
	// returned, with [StopGuard]. It is nil otherwise.
	Err error

	// Pending are the calls the transcript holds no output for, in its order. They have
	// to be answered before the conversation goes on, see [Agent.Resume].
	Pending []PendingCall

	// Withheld says that [Config.OutputGuard] kept the model's last message back.
	Withheld bool
}

// EventType returns "run_end".
func (*RunEnd) EventType() string { return EventRunEnd }

// Answer returns the text of the assistant message the run ended with, and whether there
// is one. Extension items after it do not count. What the model said before a call is no
// answer, and a run whose last message was withheld has none.
func (e *RunEnd) Answer() (string, bool) {
	if e == nil || e.Withheld {
		return "", false
	}
	last := len(e.Items) - 1
	for last >= 0 && isExtension(e.Items[last]) {
		last--
	}
	if last < 0 {
		return "", false
	}
	message, ok := e.Items[last].(*openresponses.Message)
	if !ok || message == nil || message.Role != openresponses.RoleAssistant {
		return "", false
	}
	text := message.Text()
	return text, text != ""
}

// Reason says how a run ended.
type Reason string

// The reasons.
const (
	// ReasonDone: the model gave an answer without calls, and nothing was queued.
	ReasonDone Reason = "done"

	// ReasonStopped: the loop chose not to call the model again; see [RunEnd.Cause].
	ReasonStopped Reason = "stopped"

	// ReasonInputRequired: calls were deferred to the caller; see [RunEnd.Pending].
	ReasonInputRequired Reason = "input_required"

	// ReasonAborted: the run was cancelled, through [Agent.Abort], the caller's context
	// or a consumer that left the range over [Run].
	ReasonAborted Reason = "aborted"

	// ReasonError: the model, a hook or a subscriber failed.
	ReasonError Reason = "error"
)

// StopCause says what stopped a run that ended with [ReasonStopped].
type StopCause string

// The causes.
const (
	// StopMaxTurns: the turn was the last one [Config.MaxTurns] allows, and calls or
	// queued items were left to go on with.
	StopMaxTurns StopCause = "max_turns"

	// StopHook: [Config.ShouldStopAfterTurn] said so.
	StopHook StopCause = "hook"

	// StopGuard: a hook returned an error that wraps [ErrGuard].
	StopGuard StopCause = "guard"

	// StopTerminate: every result of the batch asked to end the run.
	StopTerminate StopCause = "terminate"

	// StopPartialTerminate: some results of the batch asked to end the run. The other
	// calls ran as well, and all outputs are in the transcript.
	StopPartialTerminate StopCause = "partial_terminate"

	// StopRefused: an answer built with [Refuse] asked to end the run.
	StopRefused StopCause = "refused"
)

// Source says what a run began with.
type Source string

// The sources.
const (
	// SourceInput: new input, or nothing but the transcript.
	SourceInput Source = "input"

	// SourceResume: an answer to a call that was pending.
	SourceResume Source = "resume"
)

// WithheldCallOutput is the output the loop gives a call that was in the transcript when
// [Config.OutputGuard] withheld the rest of its response: the call never runs, and the next
// prompt finds nothing pending.
const WithheldCallOutput = "Error: not run: the response that made this call was withheld"
