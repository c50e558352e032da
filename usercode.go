package agentturn

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// The calls of a run into the host's code. Each turns a panic into an error, so that
// whatever a hook does the run ends with its run_end and the process lives.

// hostLock is a lock that is held while code of the host runs, for as long as that likes. It
// is a mutex but for one thing: a goroutine that waits for it is blocked durably in the sense
// of testing/synctest, so that a host can test hooks and subscribers that take their time. The
// zero hostLock is unlocked.
type hostLock struct {
	mu   sync.Mutex
	held bool
	free sync.Cond
}

// Lock waits until the lock is free.
func (l *hostLock) Lock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free.L = &l.mu
	for l.held {
		l.free.Wait()
	}
	l.held = true
}

// Unlock frees the lock.
func (l *hostLock) Unlock() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = false
	l.free.Signal()
}

func (r *run) beforeTurn(info TurnStartInfo) (items openresponses.Items, err error) {
	defer recovered(&err, "before-turn hook")
	return r.cfg.BeforeTurn(r.ctx, info)
}

func (r *run) beforeModelCall(req *openresponses.Request) (err error) {
	defer recovered(&err, "before-model-call hook")
	return r.cfg.BeforeModelCall(r.ctx, req)
}

func (r *run) transform(t Transcript) (out Transcript, err error) {
	defer recovered(&err, "transform")
	return r.cfg.Transform(r.ctx, t)
}

func (r *run) outputGuard(info OutputInfo) (msg *openresponses.Message, err error) {
	defer recovered(&err, "output guard")
	return r.cfg.OutputGuard(r.ctx, info)
}

func (r *run) shouldStop(info TurnInfo) (stop bool, err error) {
	defer recovered(&err, "should-stop-after-turn hook")
	return r.cfg.ShouldStopAfterTurn(r.ctx, info)
}

func (r *run) beforeToolCall(ctx context.Context, info ToolCallInfo) (d *ToolDecision, err error) {
	if r.cfg.BeforeToolCall == nil {
		return nil, nil
	}
	r.hooks.Lock()
	defer r.hooks.Unlock()
	defer recovered(&err, "before-tool-call hook")
	return r.cfg.BeforeToolCall(ctx, info)
}

func (r *run) afterToolCall(ctx context.Context, info ToolResultInfo) (o *ToolOverride, err error) {
	if r.cfg.AfterToolCall == nil {
		return nil, nil
	}
	r.hooks.Lock()
	defer r.hooks.Unlock()
	defer recovered(&err, "after-tool-call hook")
	return r.cfg.AfterToolCall(ctx, info)
}

// nextAttempt asks the retry policy whether attempt n, which failed with failure, is made
// again, and when.
func (r *run) nextAttempt(n int, failure error) (delay time.Duration, again bool, err error) {
	defer recovered(&err, "retry policy")
	delay, again = r.cfg.Retry.next(n, failure)
	return delay, again, nil
}

// revise is the request the attempt after n sends.
func (r *run) revise(n int, req openresponses.Request, failure error) (revised openresponses.Request, err error) {
	if r.cfg.Retry.Revise == nil {
		return req, nil
	}
	defer recovered(&err, "retry policy")
	if other := r.cfg.Retry.Revise(n, &req, failure); other != nil {
		return *other, nil
	}
	return req, nil
}

// nameOf names a tool where a panic over the name must not come in the way.
func nameOf(tool agenttool.Tool) (name string) {
	defer func() {
		if recover() != nil {
			name = fmt.Sprintf("%T", tool)
		}
	}()
	return tool.Name()
}
