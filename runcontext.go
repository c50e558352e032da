package agentturn

import (
	"context"
	"sync"

	"github.com/ChristopherDavenport/agenttool"
)

// What travels on the contexts a run hands out.
type (
	runIDKey      struct{} // string
	runScopeKey   struct{} // *scope
	inRunKey      struct{} // *inRun
	transcriptKey struct{} // Transcript
	steeredKey    struct{} // <-chan struct{}
	invokerKey    struct{} // *invoker
)

// ContextWithRunID returns ctx carrying runID for [RunIDFromContext]. The loop sets its own
// on every context it hands out; a host sets one to stand in for a run.
func ContextWithRunID(ctx context.Context, runID string) context.Context {
	return context.WithValue(ctx, runIDKey{}, runID)
}

// RunIDFromContext returns the ID of the run that ctx belongs to: in a hook, a tool, a
// transform, a model. It is empty outside a run.
func RunIDFromContext(ctx context.Context) string {
	id, _ := ctx.Value(runIDKey{}).(string)
	return id
}

// ContextWithTranscript returns ctx carrying t for [TranscriptFromContext]. The loop sets
// the working transcript on the contexts of a batch's hooks and tools.
func ContextWithTranscript(ctx context.Context, t Transcript) context.Context {
	return context.WithValue(ctx, transcriptKey{}, t)
}

// TranscriptFromContext returns the transcript as it stood when the batch of the tool or
// the tool hook that ctx belongs to began, the calls of the batch included, and whether
// there is one. It does not change; do not change its items.
func TranscriptFromContext(ctx context.Context) (Transcript, bool) {
	t, ok := ctx.Value(transcriptKey{}).(Transcript)
	return t, ok
}

// Steered returns a channel that is closed once an item is steered in that the agent has
// not taken yet, before or while the batch of the tool that ctx belongs to runs. A tool that
// only waits selects on it and returns early; nothing cuts one that does not. It is nil,
// which never closes, outside a batch of an [Agent].
func Steered(ctx context.Context) <-chan struct{} {
	ch, _ := ctx.Value(steeredKey{}).(<-chan struct{})
	return ch
}

// RunContext returns a context for work that a tool or a hook starts and leaves behind: it
// ends when the run is aborted, with the cause, and neither with the batch nor with the run.
// It carries what the run was started with, the run's ID and [Config] ToolRecorder, not the
// call, the transcript, the elicitor or the invoker of a batch. Once the run is over nothing
// but the context the run was started on ends it. It reports false outside a run.
func RunContext(ctx context.Context) (context.Context, bool) {
	s, _ := ctx.Value(runScopeKey{}).(*scope)
	if s == nil {
		return nil, false
	}
	return s.context(), true
}

// scope makes a run's context for background work when it is first asked for, so that a
// run that nobody asks leaves nothing registered with the context it was started on.
type scope struct {
	parent   context.Context // the caller's values and the run ID
	recorder agenttool.RecordFunc

	mu      sync.Mutex
	ctx     context.Context
	cancel  context.CancelCauseFunc
	aborted bool
	cause   error
}

func (s *scope) context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx == nil {
		s.ctx, s.cancel = context.WithCancelCause(s.parent)
		if s.recorder != nil {
			s.ctx = agenttool.ContextWithRecorder(s.ctx, s.recorder)
		}
		if s.aborted {
			s.cancel(s.cause)
		}
	}
	return s.ctx
}

// abort ends the context for cause. Only the first abort counts.
func (s *scope) abort(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.aborted {
		return
	}
	s.aborted, s.cause = true, cause
	if s.cancel != nil {
		s.cancel(cause)
	}
}

// inRun marks a context as that of one agent's run. Runs nest, so the marks chain.
type inRun struct {
	agent *Agent
	runID string
	outer *inRun
}

// runOf is the ID of a's run that ctx belongs to, empty for none.
func (a *Agent) runOf(ctx context.Context) string {
	mark, _ := ctx.Value(inRunKey{}).(*inRun)
	for ; mark != nil; mark = mark.outer {
		if mark.agent == a {
			return mark.runID
		}
	}
	return ""
}

// runContext is the context of everything a run calls.
type runContext struct {
	context.Context
	runID string
	scope *scope
	mark  *inRun // nil in the low-level loop
}

func (c *runContext) Value(key any) any {
	switch key.(type) {
	case runIDKey:
		return c.runID
	case runScopeKey:
		return c.scope
	case inRunKey:
		if c.mark != nil {
			return c.mark
		}
	}
	return c.Context.Value(key)
}

// batchContext is the context of the hooks and the tools of a batch.
type batchContext struct {
	context.Context
	transcript Transcript
	steered    <-chan struct{}
	invoker    *invoker
}

func (c *batchContext) Value(key any) any {
	switch key.(type) {
	case transcriptKey:
		return c.transcript
	case steeredKey:
		return c.steered
	case invokerKey:
		return c.invoker
	}
	return c.Context.Value(key)
}

func (r *run) batchContext(inv *invoker) context.Context {
	ctx := r.ctx
	if r.cfg.ToolElicitor != nil {
		ctx = agenttool.ContextWithElicitor(ctx, r.cfg.ToolElicitor)
	}
	return &batchContext{ctx, r.log.snapshot(), r.host.steered(), inv}
}
