package agentturn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// Config describes an agent: the model, its tools and the hooks around them. Model is
// required, everything else has a useful zero value. A run works on a copy taken at its
// start, whose slices, maps and pointers are the caller's: do not write to them during one.
//
// The functions are called with the run's context. Those that take the same place for
// several layers are joined with the Chain helpers.
type Config struct {
	Name        string // how the agent is called where another one, or a server, presents it
	Description string // what it is for, in the same places

	Model        Model
	ModelName    string // the request's model
	Instructions string // the request's instructions

	// Tools are what the model may call. Names must differ.
	Tools []agenttool.Tool

	// ToolProvider, when set, is asked for the tools in place of Tools: once for each
	// turn, before the model call, so that the model is offered what its calls will find.
	// A provider whose tools change waits here, bounded by ctx, for a change it knows to
	// be under way.
	ToolProvider func(ctx context.Context) []agenttool.Tool

	Reasoning openresponses.ReasoningConfig // the request's reasoning
	Text      openresponses.TextConfig      // the request's text format

	// Request is what every request is built on. The loop sets input, tools, store,
	// stream, stream_options and previous_response_id itself; the fields of Config above
	// take precedence where they are set.
	Request openresponses.Request

	// BeforeTurn runs as a turn starts and returns items to append: the time, a reminder.
	// They become part of the transcript, unlike what Transform adds.
	BeforeTurn func(context.Context, TurnStartInfo) (openresponses.Items, error)

	// BeforeModelCall runs on the finished request, which it may edit, before it is sent
	// and reported. An error keeps it from being sent; see [ModelBlocked].
	BeforeModelCall func(context.Context, *openresponses.Request) error

	// OutputGuard runs on each message the model completes, before the transcript or a
	// subscriber gets it whole, and may return another in its place; nil keeps it. The
	// deltas are out by then, so a front that must not show withheld text shows messages
	// on [ItemEnd]. An error wrapping [ErrGuard] withholds the message and stops the run:
	// see [ResponseEnd.Withheld], [RunEnd.Withheld] and [WithheldCallOutput].
	OutputGuard func(context.Context, OutputInfo) (*openresponses.Message, error)

	Retry Retry // when a failed model call is made again

	ToolExecution ExecutionMode // whether the calls of a batch run side by side

	// MaxParallelTools is how many calls of a batch run at a time. Zero or less means
	// agenttool.DefaultMaxParallel.
	MaxParallelTools int

	// ToolGrace is how long a tool may go on after its context was cancelled before the
	// run leaves it behind; the call is then pending as one that may have run, and what
	// the tool still returns is lost. Zero waits for as long as the tool takes.
	ToolGrace time.Duration

	// ToolRecorder takes what tools write with agenttool.WriteRecord, while they run and
	// from work they leave behind on [RunContext]. nil leaves a recorder on the run's
	// context in place.
	ToolRecorder agenttool.RecordFunc

	// ToolElicitor puts the questions of tools to the user, and those about nested calls
	// that BeforeToolCall defers; see [Ask]. nil leaves an elicitor on the run's context
	// in place.
	ToolElicitor agenttool.Elicitor

	// MaxTurns ends a run with [StopMaxTurns] after so many turns, if there is anything
	// left to go on with. Zero or less means no limit.
	MaxTurns int

	// Filter picks what the model sees of the transcript Transform returned. nil means
	// [DefaultFilter].
	Filter func(Transcript) Transcript

	// Transform may shorten or edit the transcript for one request: prune it, compact it,
	// add context. It gets a copy of the slice and must not change the items. The
	// transcript itself stays as it is.
	Transform func(context.Context, Transcript) (Transcript, error)

	// BeforeToolCall decides on each call before any call of its batch runs. nil allows.
	// It and AfterToolCall run one at a time, so they need no lock between them, and
	// neither may call [Invoke].
	BeforeToolCall func(context.Context, ToolCallInfo) (*ToolDecision, error)

	// AfterToolCall runs on each result and may replace it; nil keeps it. What it replaces
	// is gone: no subscriber sees it. The next call of a serial batch, or on the same
	// agenttool.Resource, waits until it has returned. It is not asked about a call that
	// BeforeToolCall blocked.
	AfterToolCall func(context.Context, ToolResultInfo) (*ToolOverride, error)

	// ShouldStopAfterTurn ends the run after a turn, with [StopHook], when it returns true.
	ShouldStopAfterTurn func(context.Context, TurnInfo) (bool, error)

	// RequestExtra is laid over the Extra of Request.
	RequestExtra map[string]any
}

// ExecutionMode says how the calls of a batch run.
type ExecutionMode int

// The modes.
const (
	// ExecParallel runs calls side by side, up to [Config.MaxParallelTools], except where
	// their tools ask for an order.
	ExecParallel ExecutionMode = iota

	// ExecSequential runs one call at a time, in the model's order.
	ExecSequential
)

// BaseRequest returns what every request is built on, with the tools of the moment and
// without input: the settings of the agent, for a record of them or for a request of one's
// own.
func (c Config) BaseRequest(ctx context.Context) openresponses.Request {
	return c.baseRequest(c.ResolveTools(ctx))
}

func (c Config) baseRequest(tools []agenttool.Tool) openresponses.Request {
	req := c.Request
	req.Input = nil
	req.PreviousResponseID = ""
	req.Store = new(bool)
	req.Stream = true
	req.StreamOptions = nil
	req.Tools = agenttool.Set(tools).Definitions()
	if c.ModelName != "" {
		req.Model = c.ModelName
	}
	if c.Instructions != "" {
		req.Instructions = c.Instructions
	}
	if !c.Reasoning.IsZero() {
		req.Reasoning = c.Reasoning
	}
	if !c.Text.IsZero() {
		req.Text = c.Text
	}
	req.Include = slices.Clone(req.Include)
	req.Metadata = maps.Clone(req.Metadata)
	req.Extra = maps.Clone(req.Extra)
	if len(c.RequestExtra) > 0 {
		if req.Extra == nil {
			req.Extra = make(map[string]any, len(c.RequestExtra))
		}
		maps.Copy(req.Extra, c.RequestExtra)
	}
	return req
}

// ResolveTools returns the tools of the moment: what ToolProvider answers when it is set,
// Tools otherwise.
func (c Config) ResolveTools(ctx context.Context) []agenttool.Tool {
	if c.ToolProvider != nil {
		return c.ToolProvider(ctx)
	}
	return c.Tools
}

// check reports why c cannot start a run. What a ToolProvider returns is looked at when the
// run asks for it.
func (c Config) check() error {
	if c.Model == nil {
		return ErrNoModel
	}
	if c.ToolProvider != nil {
		return nil
	}
	err := validateTools(c.Tools)
	if panicked := (*PanicError)(nil); err == nil || errors.As(err, &panicked) {
		return err
	}
	return fmt.Errorf("agentturn: %w", err)
}

// validateTools reports the first tool that is nil, or whose name is empty or taken. A tool
// that panics over its name is an error too.
func validateTools(tools []agenttool.Tool) (err error) {
	defer recovered(&err, "tool name")
	for i, tool := range tools {
		if tool == nil {
			return fmt.Errorf("tool[%d]: nil tool", i)
		}
	}
	return agenttool.Set(tools).Validate()
}
