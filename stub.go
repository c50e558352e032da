package agentturn

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

const (
	RunAgainReason = "run again: accepted by the caller"

	RunAgainSafeReason = "run again: safe"

	RunAgainKeyedReason = "run again: keyed"
)

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

const EventBuffer = 256

const OutcomeUnknownReason = "not run again: outcome unknown"

const WithheldCallOutput = "Error: not run: the response that made this call was withheld"

var (
	ErrRunning = errors.New("agentturn: agent is already running")

	ErrInputRequired = errors.New("agentturn: pending tool calls must be resumed before continuing")

	ErrNotPending = errors.New("agentturn: output does not answer a pending call")

	ErrAmbiguousCall = errors.New("agentturn: a call that may have run cannot run again")

	ErrCallAnswered = errors.New("agentturn: an answered call is owed its output and nothing else")
)

var (
	ErrNoModel = errors.New("agentturn: config has no model")

	ErrCannotContinue = errors.New("agentturn: transcript must end with a user message or a function call output to continue")

	ErrNoPrompt = errors.New("agentturn: no prompt items")

	ErrGuard = errors.New("agentturn: guard stopped the run")
)

var ErrNoInvoker = errors.New("agentturn: no loop on the context to invoke a tool through")

var ErrTriggerExtra = errors.New("agentturn: trigger extra cannot be written")

func CanContinue(t Transcript) bool { panic("not implemented") }

func ChainBeforeModelCall(fns ...func(context.Context, *openresponses.Request) error) func(context.Context, *openresponses.Request) error {
	panic("not implemented")
}

func ChainBeforeToolCall(fns ...func(context.Context, ToolCallInfo) (*ToolDecision, error)) func(context.Context, ToolCallInfo) (*ToolDecision, error) {
	panic("not implemented")
}

func ChainBeforeTurn(fns ...func(context.Context, TurnStartInfo) (openresponses.Items, error)) func(context.Context, TurnStartInfo) (openresponses.Items, error) {
	panic("not implemented")
}

func ChainOutputGuard(fns ...func(context.Context, OutputInfo) (*openresponses.Message, error)) func(context.Context, OutputInfo) (*openresponses.Message, error) {
	panic("not implemented")
}

func ChainShouldStopAfterTurn(fns ...func(context.Context, TurnInfo) (bool, error)) func(context.Context, TurnInfo) (bool, error) {
	panic("not implemented")
}

func ChainTransform(fns ...func(context.Context, Transcript) (Transcript, error)) func(context.Context, Transcript) (Transcript, error) {
	panic("not implemented")
}

func ContextWithAskedCall(ctx context.Context, call AskedCall) context.Context {
	panic("not implemented")
}

func ContextWithDeciders(ctx context.Context, by map[string]string) context.Context {
	panic("not implemented")
}

func ContextWithOrigins(ctx context.Context, origins map[string]string) context.Context {
	panic("not implemented")
}

func ContextWithReasoningModels(ctx context.Context, m ReasoningModels) context.Context {
	panic("not implemented")
}

func ContextWithReasons(ctx context.Context, reasons map[string]string) context.Context {
	panic("not implemented")
}

func ContextWithReservedCallIDs(ctx context.Context, ids ...string) context.Context {
	panic("not implemented")
}

func ContextWithRunID(ctx context.Context, runID string) context.Context { panic("not implemented") }

func ContextWithTranscript(ctx context.Context, t Transcript) context.Context {
	panic("not implemented")
}

func ContextWithTrigger(ctx context.Context, t Trigger) context.Context { panic("not implemented") }

func Continue(ctx context.Context, t Transcript, cfg Config) iter.Seq[Event] {
	panic("not implemented")
}

func DeciderFromContext(ctx context.Context, callID string) string { panic("not implemented") }

func DefaultBackoff(attempt int, err error) time.Duration { panic("not implemented") }

func DefaultRetryable(err error) bool { panic("not implemented") }

func Hidden(item openresponses.Item) openresponses.Item { panic("not implemented") }

func Invoke(ctx context.Context, name string, args json.RawMessage) (agenttool.Result, error) {
	panic("not implemented")
}

func OriginFromContext(ctx context.Context, callID string) string { panic("not implemented") }

func PendingCalls(pending []PendingCall) []*openresponses.FunctionCall { panic("not implemented") }

func ReasonFromContext(ctx context.Context, callID string) string { panic("not implemented") }

func Run(ctx context.Context, t Transcript, prompts openresponses.Items, cfg Config) iter.Seq[Event] {
	panic("not implemented")
}

func RunContext(ctx context.Context) (context.Context, bool) { panic("not implemented") }

func RunIDFromContext(ctx context.Context) string { panic("not implemented") }

func Steered(ctx context.Context) <-chan struct{} { panic("not implemented") }

func Unhide(item openresponses.Item) (openresponses.Item, bool) { panic("not implemented") }

func VisibleFilter(visible ...string) func(Transcript) Transcript { panic("not implemented") }

type Agent struct {
}

func New(cfg Config, opts ...Option) *Agent { panic("not implemented") }

func (a *Agent) Abort() { panic("not implemented") }

func (a *Agent) AbortCause(cause error) { panic("not implemented") }

func (a *Agent) Config() Config { panic("not implemented") }

func (a *Agent) Continue(ctx context.Context) (*RunEnd, error) { panic("not implemented") }

func (a *Agent) Deliver(ctx context.Context, items ...openresponses.Item) (joined bool, end *RunEnd, err error) {
	panic("not implemented")
}

func (a *Agent) FollowUp(items ...openresponses.Item) { panic("not implemented") }

func (a *Agent) Prompt(ctx context.Context, items ...openresponses.Item) (*RunEnd, error) {
	panic("not implemented")
}

func (a *Agent) Queue(ctx context.Context, mode QueueMode, items ...openresponses.Item) error {
	panic("not implemented")
}

func (a *Agent) ReserveCallIDs(ids ...string) error { panic("not implemented") }

func (a *Agent) Resume(ctx context.Context, answers ...Answer) (*RunEnd, error) {
	panic("not implemented")
}

func (a *Agent) SetConfig(cfg Config) error { panic("not implemented") }

func (a *Agent) SetPending(pending []PendingCall) error { panic("not implemented") }

func (a *Agent) SetTranscript(t Transcript) error { panic("not implemented") }

func (a *Agent) State() State { panic("not implemented") }

func (a *Agent) Steer(items ...openresponses.Item) { panic("not implemented") }

func (a *Agent) Subscribe(fn func(context.Context, Event) error) (unsubscribe func()) {
	panic("not implemented")
}

func (a *Agent) WaitForIdle(ctx context.Context) error { panic("not implemented") }

type Answer struct {
	CallID string

	Output *openresponses.FunctionCallOutput

	Args json.RawMessage

	Note string

	Terminate bool

	By string

	Reason string

	Origin string

	IdempotencyKey string

	RunAgain bool
}

func Approve(callID string) Answer { panic("not implemented") }

func ApproveWith(callID string, args json.RawMessage) Answer { panic("not implemented") }

func OutcomeUnknown(callID string) Answer { panic("not implemented") }

func Output(out *openresponses.FunctionCallOutput) Answer { panic("not implemented") }

func Refuse(out *openresponses.FunctionCallOutput) Answer { panic("not implemented") }

func (a Answer) WithBy(by string) Answer { panic("not implemented") }

func (a Answer) WithIdempotencyKey(key string) Answer { panic("not implemented") }

func (a Answer) WithNote(note string) Answer { panic("not implemented") }

func (a Answer) WithOrigin(origin string) Answer { panic("not implemented") }

func (a Answer) WithReason(reason string) Answer { panic("not implemented") }

func (a Answer) WithRunAgain() Answer { panic("not implemented") }

type AskedCall struct {
	Parent string
	CallID string
	Name   string

	Args json.RawMessage

	Decision *ToolDecision
}

func AskedCallFrom(ctx context.Context) (AskedCall, bool) { panic("not implemented") }

type Config struct {
	Name string

	Description string

	Model Model

	ModelName string

	Instructions string

	Tools []agenttool.Tool

	ToolProvider func(ctx context.Context) []agenttool.Tool

	Reasoning openresponses.ReasoningConfig

	Text openresponses.TextConfig

	Request openresponses.Request

	BeforeTurn func(context.Context, TurnStartInfo) (openresponses.Items, error)

	BeforeModelCall func(context.Context, *openresponses.Request) error

	OutputGuard func(context.Context, OutputInfo) (*openresponses.Message, error)

	Retry Retry

	ToolExecution ExecutionMode

	MaxParallelTools int

	ToolRecorder agenttool.RecordFunc

	ToolElicitor agenttool.Elicitor

	MaxTurns int

	Filter func(Transcript) Transcript

	Transform func(context.Context, Transcript) (Transcript, error)

	BeforeToolCall func(context.Context, ToolCallInfo) (*ToolDecision, error)

	AfterToolCall func(context.Context, ToolResultInfo) (*ToolOverride, error)

	ShouldStopAfterTurn func(context.Context, TurnInfo) (bool, error)

	RequestExtra map[string]any
}

func (c Config) BaseRequest(ctx context.Context) openresponses.Request { panic("not implemented") }

func (c Config) ResolveTools(ctx context.Context) []agenttool.Tool { panic("not implemented") }

type Event interface {
	EventType() string
}

type ExecutionMode int

const (
	ExecParallel ExecutionMode = iota

	ExecSequential
)

type InputMode string

const (
	InputPrompt InputMode = "prompt"

	InputResume InputMode = "resume"

	InputSteer InputMode = "steer"

	InputFollowUp InputMode = "follow_up"

	InputDeliver InputMode = "deliver"

	InputHook InputMode = "hook"

	InputTool InputMode = "tool"

	InputContinued InputMode = "continued"
)

type ItemEnd struct {
	RunID string
	Turn  int
	Item  openresponses.Item

	ResponseID string

	Hidden bool

	Trigger Trigger

	ModelCallID string
}

func (*ItemEnd) EventType() string { panic("not implemented") }

type ItemStart struct {
	RunID string
	Turn  int
	Item  openresponses.Item

	ResponseID string

	Hidden bool
}

func (*ItemStart) EventType() string { panic("not implemented") }

type ItemUpdate struct {
	RunID  string
	Turn   int
	Item   openresponses.Item
	Stream openresponses.StreamEvent

	ResponseID string
}

func (*ItemUpdate) EventType() string { panic("not implemented") }

type Model = openresponses.Streamer

type ModelBlocked struct {
	RunID   string
	Turn    int
	Request openresponses.Request
	Err     error
}

func (*ModelBlocked) EventType() string { panic("not implemented") }

type ModelRetry struct {
	RunID string
	Turn  int

	Attempt int
	Err     error
	Delay   time.Duration

	Request openresponses.Request
}

func (*ModelRetry) EventType() string { panic("not implemented") }

type Option func(*Agent)

func WithPending(pending []PendingCall) Option { panic("not implemented") }

func WithReasoningModels(m ReasoningModels) Option { panic("not implemented") }

func WithReservedCallIDs(ids []string) Option { panic("not implemented") }

func WithTranscript(t Transcript) Option { panic("not implemented") }

type OutputInfo struct {
	RunID      string
	Turn       int
	ResponseID string

	Message *openresponses.Message

	Output openresponses.Items
}

type PendingCall struct {
	Call   *openresponses.FunctionCall
	Reason PendingReason

	Tool agenttool.Tool

	Dispatched bool

	IdempotencyKey string

	Args json.RawMessage

	Ran *openresponses.FunctionCallOutput

	RanWhere string

	Refused string
}

func (p PendingCall) MayHaveRun() bool { panic("not implemented") }

type PendingReason string

const (
	PendingDeferred PendingReason = "deferred"

	PendingAborted PendingReason = "aborted"

	PendingUndispatched PendingReason = "undispatched"

	PendingUnknown PendingReason = "unknown"

	PendingAnswered PendingReason = "answered"

	PendingRejected PendingReason = "rejected"
)

type QueueMode string

const (
	QueueSteer QueueMode = "steer"

	QueueFollowUp QueueMode = "follow_up"
)

type Queued struct {
	RunID string
	Item  openresponses.Item

	Mode QueueMode

	Hidden bool

	Trigger Trigger
}

func (*Queued) EventType() string { panic("not implemented") }

type Reason string

const (
	ReasonDone Reason = "done"

	ReasonStopped Reason = "stopped"

	ReasonInputRequired Reason = "input_required"

	ReasonAborted Reason = "aborted"

	ReasonError Reason = "error"
)

type ReasoningModels map[*openresponses.ReasoningItem]string

func (m ReasoningModels) Attribute(modelName string, items openresponses.Items) {
	panic("not implemented")
}

func (m ReasoningModels) For(modelName string, t Transcript) Transcript { panic("not implemented") }

type ResponseEnd struct {
	RunID    string
	Turn     int
	Response *openresponses.Response

	Withheld bool
}

func (*ResponseEnd) EventType() string { panic("not implemented") }

type Retry struct {
	MaxAttempts int

	Backoff func(attempt int, err error) time.Duration

	Retryable func(error) bool

	Revise func(attempt int, req *openresponses.Request, err error) *openresponses.Request
}

type RunEnd struct {
	RunID  string
	Items  Transcript
	Reason Reason

	Cause StopCause

	Err error

	Pending []PendingCall

	Withheld bool
}

func (e *RunEnd) Answer() (string, bool) { panic("not implemented") }

func (*RunEnd) EventType() string { panic("not implemented") }

type RunStart struct {
	RunID   string
	Source  Source
	Trigger Trigger
}

func (*RunStart) EventType() string { panic("not implemented") }

type Source string

const (
	SourceInput Source = "input"

	SourceResume Source = "resume"
)

type State struct {
	Transcript Transcript

	Running bool
	RunID   string
	Turn    int

	Steering  int
	FollowUps int
	Steered   openresponses.Items
	Queued    openresponses.Items

	Pending []PendingCall
}

type StopCause string

const (
	StopMaxTurns StopCause = "max_turns"

	StopHook StopCause = "hook"

	StopGuard StopCause = "guard"

	StopTerminate StopCause = "terminate"

	StopPartialTerminate StopCause = "partial_terminate"

	StopRefused StopCause = "refused"
)

type ToolAction int

const (
	Allow ToolAction = iota

	Block

	Defer
)

type ToolCallInfo struct {
	RunID string
	Turn  int

	Call *openresponses.FunctionCall

	Tool agenttool.Tool

	Args json.RawMessage

	Batch []*openresponses.FunctionCall
	Index int

	Parent string
}

type ToolDecision struct {
	Action ToolAction

	Reason string

	Terminate bool

	Args json.RawMessage

	By string

	Note string
}

func Ask(ctx context.Context, call AskedCall) (*ToolDecision, bool) { panic("not implemented") }

type ToolDispatch struct {
	RunID          string
	Turn           int
	CallID         string
	Name           string
	Parent         string
	IdempotencyKey string
}

func (*ToolDispatch) EventType() string { panic("not implemented") }

type ToolEnd struct {
	RunID    string
	Turn     int
	CallID   string
	Name     string
	Result   agenttool.Result
	Err      error
	Blocked  bool
	Deferred bool

	Reason string

	Parent string
}

func (*ToolEnd) EventType() string { panic("not implemented") }

type ToolOverride struct {
	Result agenttool.Result
	Err    error
}

type ToolResultInfo struct {
	RunID  string
	Turn   int
	Call   *openresponses.FunctionCall
	Tool   agenttool.Tool
	Args   json.RawMessage
	Result agenttool.Result
	Err    error
}

type ToolStart struct {
	RunID    string
	Turn     int
	CallID   string
	Name     string
	Args     json.RawMessage
	Decision *ToolDecision

	Parent string
}

func (*ToolStart) EventType() string { panic("not implemented") }

type ToolUpdate struct {
	RunID   string
	Turn    int
	CallID  string
	Name    string
	Partial agenttool.Result
}

func (*ToolUpdate) EventType() string { panic("not implemented") }

type Transcript = openresponses.Items

func DefaultFilter(t Transcript) Transcript { panic("not implemented") }

func TranscriptFromContext(ctx context.Context) (Transcript, bool) { panic("not implemented") }

type Trigger struct {
	Kind   string
	Ref    string
	Source string
	Extra  map[string]any
}

func TriggerFromContext(ctx context.Context) Trigger { panic("not implemented") }

func (t Trigger) IsZero() bool { panic("not implemented") }

func (t Trigger) String() string { panic("not implemented") }

func (t Trigger) Validate() error { panic("not implemented") }

type TurnEnd struct {
	RunID       string
	Turn        int
	Response    *openresponses.Response
	ToolResults []agenttool.Result
}

func (*TurnEnd) EventType() string { panic("not implemented") }

type TurnInfo struct {
	RunID    string
	Turn     int
	Response *openresponses.Response

	ToolResults []agenttool.Result

	Final bool

	Transcript Transcript
}

type TurnInput struct {
	Item openresponses.Item
	Mode InputMode

	Trigger Trigger
}

type TurnStart struct {
	RunID   string
	Turn    int
	Request openresponses.Request
	Inputs  openresponses.Items
	Arrived []TurnInput
}

func (*TurnStart) EventType() string { panic("not implemented") }

type TurnStartInfo struct {
	RunID string
	Turn  int

	Transcript Transcript

	Inputs []TurnInput
}
