package agentturn

import (
	"encoding/json"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// TurnStartInfo describes a turn about to start, for [Config.BeforeTurn].
type TurnStartInfo struct {
	RunID string
	Turn  int

	// Transcript is the loop's own slice: read it during the hook only.
	Transcript Transcript

	// Inputs are the items the turn answers, as on [TurnStart.Arrived], without those
	// the hook is about to add.
	Inputs []TurnInput
}

// OutputInfo describes a message the model has completed, for [Config.OutputGuard]. Whether
// it is the answer is not known yet: calls may follow it in the same response.
type OutputInfo struct {
	RunID      string
	Turn       int
	ResponseID string // empty while the stream has not named its response

	Message *openresponses.Message

	// Output holds what the response opened before the message, in that order. Read only.
	Output openresponses.Items
}

// TurnInfo describes a completed turn, for [Config.ShouldStopAfterTurn].
type TurnInfo struct {
	RunID    string
	Turn     int
	Response *openresponses.Response

	ToolResults []agenttool.Result // one for each call, in the response's order

	// Final says that the model made no calls: the response is the run's answer, unless
	// something is queued.
	Final bool

	// Transcript is the loop's own slice: read it during the hook only.
	Transcript Transcript
}

// ToolCallInfo describes a call before it runs, for [Config.BeforeToolCall].
type ToolCallInfo struct {
	RunID string
	Turn  int // 0 for a call approved through [Agent.Resume]

	Call *openresponses.FunctionCall // as the model made it
	Tool agenttool.Tool              // nil when no tool has the call's name
	Args json.RawMessage             // what the tool would get; not validated yet

	// Batch is all calls decided together, in the model's order, and Index the place of
	// this one. All are decided before any runs.
	Batch []*openresponses.FunctionCall
	Index int

	// Parent is the call whose tool makes this one with [Invoke], empty for a call of the
	// model's. Deferring a nested call puts it to the user at once, if anybody can be
	// asked; it never becomes pending.
	Parent string
}

// ToolDecision is the verdict of [Config.BeforeToolCall] on a call.
type ToolDecision struct {
	Action ToolAction

	// Reason explains the verdict. The model reads the reason of a blocked call; that of
	// a deferred one is for whoever is asked, and for the record.
	Reason string

	// Terminate asks to end the run after the batch, as a tool result may. It has no
	// effect on a deferred call.
	Terminate bool

	Args json.RawMessage // in place of the call's own arguments, unless nil

	// By says who decided: for a record, "human", "policy" or "agent". The loop does not
	// read it.
	By string

	// Note is for the model, as a developer message after the outputs of the batch. Only
	// an allowed call has one.
	Note string
}

// ToolAction is what to do with a call.
type ToolAction int

// The actions.
const (
	// Allow runs the call. It is the zero value: a decision that only rewrites the
	// arguments allows.
	Allow ToolAction = iota

	// Block refuses the call. The model gets the reason as an error.
	Block

	// Defer leaves the call to the caller. The rest of the batch runs, and the run ends
	// with [ReasonInputRequired]; [Agent.Resume] answers the call.
	Defer
)

// ToolResultInfo describes a call that has finished, for [Config.AfterToolCall].
type ToolResultInfo struct {
	RunID  string
	Turn   int
	Call   *openresponses.FunctionCall
	Tool   agenttool.Tool // nil when no tool has the call's name
	Args   json.RawMessage
	Result agenttool.Result
	Err    error // the tool's, or why it could not run
}

// ToolOverride replaces what a call returned: the result and the error both.
type ToolOverride struct {
	Result agenttool.Result
	Err    error
}
