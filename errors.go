package agentturn

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// Refusals: the run does not start and nothing changes.
var (
	// ErrNoModel refuses a [Config] without a Model.
	ErrNoModel = errors.New("agentturn: config has no model")

	// ErrNoPrompt refuses a run, or a delivery, that was given no items.
	ErrNoPrompt = errors.New("agentturn: no prompt items")

	// ErrCannotContinue refuses to continue a transcript that gives the model
	// nothing to answer; see [CanContinue].
	ErrCannotContinue = errors.New("agentturn: transcript must end with a user message or a function call output to continue")

	// ErrTriggerExtra refuses a [Trigger] with an Extra that has no place
	// beside its other members; see [Trigger.Validate].
	ErrTriggerExtra = errors.New("agentturn: trigger extra cannot be written")

	// ErrRunning refuses what an [Agent] may only do between runs.
	ErrRunning = errors.New("agentturn: agent is already running")

	// ErrCleared is what [Agent.Deliver] returns for items that [Agent.ClearQueue]
	// took out of the queue.
	ErrCleared = errors.New("agentturn: the delivered items were cleared from the queue")
)

// Refusals that concern pending calls, those the transcript holds no output for.
var (
	// ErrInputRequired says that pending calls have to be answered first: with
	// [Agent.Resume], or with their outputs at the head of the next prompt.
	// An error of a tool that runs another agent matches it as well when that
	// agent is the one waiting.
	ErrInputRequired = errors.New("agentturn: pending tool calls must be resumed before continuing")

	// ErrNotPending says that the answers do not fit the pending calls: one
	// names a call that is not pending or is answered twice, or a pending call
	// is left without an answer.
	ErrNotPending = errors.New("agentturn: output does not answer a pending call")

	// ErrAmbiguousCall refuses to approve a call that may have run already and
	// whose tool does not say that a second run is harmless. Answer it with
	// [OutcomeUnknown], or take the risk with [Answer.WithRunAgain].
	ErrAmbiguousCall = errors.New("agentturn: a call that may have run cannot run again")

	// ErrCallAnswered refuses to approve a call that was settled before, pending
	// as [PendingAnswered] or [PendingRejected]: only its output is missing.
	ErrCallAnswered = errors.New("agentturn: an answered call is owed its output and nothing else")
)

// ErrGuard marks a stop by policy. [Config.BeforeTurn], BeforeModelCall,
// OutputGuard and ShouldStopAfterTurn wrap it to end the run with
// [ReasonStopped] and [StopGuard] where another error would end it with
// [ReasonError].
var ErrGuard = errors.New("agentturn: guard stopped the run")

// HeldError is what a tool returns, bare or wrapped, to leave its call open: for a person, an
// event, the answer of somebody else. The call gets no output and is pending as
// [PendingDeferred], with Dispatched set and the key it ran under, and the run ends with
// [ReasonInputRequired] once the rest of the batch is through. Approved later, the call is
// handed to its tool again under that key, if the tool's replay class allows it. AfterToolCall
// is not asked. From a nested call it is an error like any other.
type HeldError struct {
	Reason string // what is waited for, as [ToolEnd].Reason
}

// Error says what is waited for.
func (e *HeldError) Error() string { return "agentturn: the call is held: " + e.Reason }

// ErrNoInvoker is returned by [Invoke] on a context that belongs to no tool call
// of a running loop.
var ErrNoInvoker = errors.New("agentturn: no loop on the context to invoke a tool through")

// PanicError is a panic in code the loop was given (a hook, a subscriber, a
// model, a provider of tools) turned into the error the run ends with.
type PanicError struct {
	Where string // what panicked, such as "before-turn hook"
	Value any    // what it panicked with
	Stack []byte // the stack at the panic, as debug.Stack prints it
}

// Error names the place and the value. The stack is left to the reader of Stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("agentturn: %s panicked: %v", e.Where, e.Value)
}

// Unwrap returns the value when it is an error itself, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// recovered puts a panic of the surrounding function into err. It has to be
// deferred directly: defer recovered(&err, "before-turn hook").
func recovered(err *error, where string) {
	if value := recover(); value != nil {
		*err = &PanicError{Where: where, Value: value, Stack: debug.Stack()}
	}
}
