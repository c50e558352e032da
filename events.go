package agentturn

import (
	"encoding/json"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// Event is one step of a run, always a pointer to one of the structs below; switch on
// *ItemUpdate and so on. The package documentation has their order. Everything an event
// points to is shared with the run and its transcript: read only.
type Event interface {
	// EventType returns the event's name, one of the constants.
	EventType() string
}

// The names of the events.
const (
	EventRunStart     = "run_start"
	EventTurnStart    = "turn_start"
	EventModelRetry   = "model_retry"
	EventModelBlocked = "model_blocked"
	EventResponseEnd  = "response_end"
	EventItemStart    = "item_start"
	EventItemUpdate   = "item_update"
	EventItemEnd      = "item_end"
	EventToolStart    = "tool_start"
	EventToolDispatch = "tool_dispatch"
	EventToolUpdate   = "tool_update"
	EventToolEnd      = "tool_end"
	EventTurnEnd      = "turn_end"
	EventRunEnd       = "run_end"
	EventQueued       = "queued"
)

// EventBuffer is how many events [Run] and [Continue] may be ahead of their consumer
// before they wait for it. An [Agent] delivers each event before it goes on.
const EventBuffer = 256

// RunStart opens a run.
type RunStart struct {
	RunID   string
	Source  Source
	Trigger Trigger // what started the run, from [ContextWithTrigger]
}

// EventType returns "run_start".
func (*RunStart) EventType() string { return EventRunStart }

// TurnStart opens a turn, right before the model is called.
type TurnStart struct {
	RunID string
	Turn  int // counted from 1

	// Request is what the model is sent, as [Config.BeforeModelCall] left it.
	Request openresponses.Request

	// Inputs are the items appended since the previous turn's response, or since the
	// run started: what this turn answers.
	Inputs openresponses.Items

	// Arrived is Inputs with how each came. On the first turn the items the transcript
	// ended with when the run started precede them, as [InputContinued].
	Arrived []TurnInput
}

// EventType returns "turn_start".
func (*TurnStart) EventType() string { return EventTurnStart }

// ModelRetry announces another attempt at the turn's model call, under [Config.Retry].
// Whatever the failed attempt opened without an [ItemEnd] is void.
type ModelRetry struct {
	RunID string
	Turn  int

	Attempt int           // the attempt that failed, counted from 1
	Err     error         // why it failed
	Delay   time.Duration // how long the loop waits now

	// Request is what the next attempt sends.
	Request openresponses.Request
}

// EventType returns "model_retry".
func (*ModelRetry) EventType() string { return EventModelRetry }

// ModelBlocked says that [Config.BeforeModelCall] refused the request, so that the model is
// not called. It comes in the place of the turn's [TurnStart], and the run ends.
type ModelBlocked struct {
	RunID   string
	Turn    int
	Request openresponses.Request // as the hook left it
	Err     error                 // the hook's error
}

// EventType returns "model_blocked".
func (*ModelBlocked) EventType() string { return EventModelBlocked }

// ItemStart announces an item. One the loop appends has its [ItemEnd] next. One the model
// streams fills in with each [ItemUpdate], and is void if the run or a [ModelRetry] comes
// without its ItemEnd.
type ItemStart struct {
	RunID string
	Turn  int
	Item  openresponses.Item // nil where the stream announced none

	// ResponseID names the response that streams the item, once the stream has said.
	// It is empty for an item the loop appends.
	ResponseID string

	Hidden bool // marked with [Hidden]
}

// EventType returns "item_start".
func (*ItemStart) EventType() string { return EventItemStart }

// ItemUpdate carries one event of the model's stream that adds to an item.
type ItemUpdate struct {
	RunID  string
	Turn   int
	Item   openresponses.Item        // the item so far; nil when it was never announced
	Stream openresponses.StreamEvent // the event as the model sent it

	ResponseID string // as for [ItemStart]
}

// EventType returns "item_update".
func (*ItemUpdate) EventType() string { return EventItemUpdate }

// ItemEnd says that an item is complete and part of the transcript.
type ItemEnd struct {
	RunID string
	Turn  int
	Item  openresponses.Item

	// ResponseID names the response the item is from. It is empty for an item the loop
	// appended, and for one that completed before the stream named its response.
	ResponseID string

	Hidden bool // marked with [Hidden]

	// Trigger is the run's, on an item the run was prompted with. Items from a queue
	// have theirs on [Queued].
	Trigger Trigger

	// ModelCallID is the call ID the model gave a function call that carries one of the
	// loop's, because the model's was taken. It is empty for every other item.
	ModelCallID string
}

// EventType returns "item_end".
func (*ItemEnd) EventType() string { return EventItemEnd }

// ResponseEnd carries the whole response of a turn, with its usage, before any of its
// calls runs. A failed response has one too.
type ResponseEnd struct {
	RunID    string
	Turn     int
	Response *openresponses.Response

	// Withheld says that [Config.OutputGuard] stopped on one of the response's messages.
	// Response is then the loop's own account: incomplete for content_filter, with the
	// usage the model reported and only those items the transcript took.
	Withheld bool
}

// EventType returns "response_end".
func (*ResponseEnd) EventType() string { return EventResponseEnd }

// ToolStart announces a tool call once it is decided whether it runs.
type ToolStart struct {
	RunID  string
	Turn   int // 0 for a call approved through [Agent.Resume]
	CallID string
	Name   string
	Args   json.RawMessage // what the tool gets, rewritten or not

	// Decision is what [Config.BeforeToolCall] returned, or what the loop made of an
	// approval or of an answer to a question. nil means nobody had a say.
	Decision *ToolDecision

	Parent string // the call whose tool made this one with [Invoke]; else empty
}

// EventType returns "tool_start".
func (*ToolStart) EventType() string { return EventToolStart }

// ToolDispatch says that a call is being handed to its tool. It is delivered before the
// tool runs: a subscriber that fails on it keeps the tool from running, and one that
// records it knows from then on that the call may have run. A subscriber that vetoes
// belongs before one that records.
type ToolDispatch struct {
	RunID          string
	Turn           int
	CallID         string
	Name           string
	Parent         string // as for [ToolStart]
	IdempotencyKey string // names the operation, the same when the call runs again
}

// EventType returns "tool_dispatch".
func (*ToolDispatch) EventType() string { return EventToolDispatch }

// ToolUpdate carries what a running tool reports of its progress. A nested call has none.
type ToolUpdate struct {
	RunID   string
	Turn    int
	CallID  string
	Name    string
	Partial agenttool.Result
}

// EventType returns "tool_update".
func (*ToolUpdate) EventType() string { return EventToolUpdate }

// ToolEnd says what became of a tool call, in the order calls finish.
type ToolEnd struct {
	RunID  string
	Turn   int
	CallID string
	Name   string

	// Result is what the model sees, an error output when Err is set. It is empty for a
	// deferred call.
	Result agenttool.Result

	// Err says why the call failed: the tool's error, no such tool, unusable arguments,
	// a refusal, or what cut it off.
	Err error

	Blocked  bool // refused by [Config.BeforeToolCall]
	Deferred bool // left to the caller, by [Config.BeforeToolCall] or by its tool with a [HeldError]

	Reason string // the decision's, for a blocked or deferred call, or the tool's

	Parent string // as for [ToolStart]
}

// EventType returns "tool_end".
func (*ToolEnd) EventType() string { return EventToolEnd }

// TurnEnd closes a turn that ran its course.
type TurnEnd struct {
	RunID    string
	Turn     int
	Response *openresponses.Response

	// ToolResults has one entry for each call of the response, in its order; the entry
	// of a deferred call is zero.
	ToolResults []agenttool.Result
}

// EventType returns "turn_end".
func (*TurnEnd) EventType() string { return EventTurnEnd }

// Queued reports an item that was put into one of an agent's queues. The item is in the
// queue already, and no subscriber can refuse it. A report comes ahead of the next event,
// whichever run that belongs to, and so before anything the item brings about.
type Queued struct {
	// RunID names the run under way when the item was accepted. It is empty when the
	// item waits for the next one.
	RunID string

	Item    openresponses.Item // without the mark of [Hidden]
	Mode    QueueMode          // QueueSteer for what [Agent.Deliver] was given
	Hidden  bool               // marked with [Hidden]
	Trigger Trigger            // the item's own, from the context of [Agent.Queue] or Deliver
}

// EventType returns "queued".
func (*Queued) EventType() string { return EventQueued }

var _ = []Event{
	(*RunStart)(nil), (*TurnStart)(nil), (*ModelRetry)(nil), (*ModelBlocked)(nil),
	(*ItemStart)(nil), (*ItemUpdate)(nil), (*ItemEnd)(nil), (*ResponseEnd)(nil),
	(*ToolStart)(nil), (*ToolDispatch)(nil), (*ToolUpdate)(nil), (*ToolEnd)(nil),
	(*TurnEnd)(nil), (*RunEnd)(nil), (*Queued)(nil),
}
