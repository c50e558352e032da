package agentturn

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

func ContextWithRunID(ctx context.Context, runID string) context.Context { panic("not implemented") }

func ContextWithTranscript(ctx context.Context, t Transcript) context.Context {
	panic("not implemented")
}

func Continue(ctx context.Context, t Transcript, cfg Config) iter.Seq[Event] {
	panic("not implemented")
}

func Invoke(ctx context.Context, name string, args json.RawMessage) (agenttool.Result, error) {
	panic("not implemented")
}

func Run(ctx context.Context, t Transcript, prompts openresponses.Items, cfg Config) iter.Seq[Event] {
	panic("not implemented")
}

func RunContext(ctx context.Context) (context.Context, bool) { panic("not implemented") }

func RunIDFromContext(ctx context.Context) string { panic("not implemented") }

func Steered(ctx context.Context) <-chan struct{} { panic("not implemented") }

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

type Option func(*Agent)

func WithPending(pending []PendingCall) Option { panic("not implemented") }

func WithReasoningModels(m ReasoningModels) Option { panic("not implemented") }

func WithReservedCallIDs(ids []string) Option { panic("not implemented") }

func WithTranscript(t Transcript) Option { panic("not implemented") }

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

func TranscriptFromContext(ctx context.Context) (Transcript, bool) { panic("not implemented") }
