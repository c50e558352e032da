package agentturn

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// driver is the one seam through which a run waits for anything: the model, its tools, time
// to pass, a name nobody has. The sequence of a run above it starts no goroutine, owns no
// channel, reads no clock and draws no random number, so that the same sequence runs on
// goroutines, on a durable engine's recorded steps or on a test's script.
type driver interface {
	// stream runs one model call and hands take its events in order, one at a time, each
	// owned by the receiver. An error of take ends the call. It returns when nothing of
	// the call is running any more.
	stream(ctx context.Context, model Model, req openresponses.Request, take func(openresponses.StreamEvent) error) error
	// execute runs the jobs of one batch and returns when all of them are settled.
	execute(ctx context.Context, x execution)
	// wait lets d pass, or returns early when ctx ends.
	wait(ctx context.Context, d time.Duration)
	// newID names a run: prefix, an underscore, and what nobody else drew.
	newID(prefix string) string
}

// execution is one batch of jobs for a driver.
type execution struct {
	executor agenttool.Executor
	jobs     []agenttool.Job
	// grace is how long a tool may ignore its cancelled context; zero for ever.
	grace time.Duration
	// start is called as job i is about to be handed to its tool, on any goroutine; an
	// error completes the job without running it. A job whose chain holds an earlier one
	// starts only after take has returned for that one's final event.
	start func(ctx context.Context, i int) error
	// take is given the events of the batch, one at a time.
	take func(agenttool.Event)
}

// live is the driver of an ordinary process.
type live struct{}

func (live) newID(prefix string) string { return openresponses.NewID(prefix) }

func (live) wait(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func (live) stream(ctx context.Context, model Model, req openresponses.Request, take func(openresponses.StreamEvent) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &sink{take: take, cancel: cancel}
	// A client's stream is decoded for this call alone; what any other streamer sends
	// may be its own live value.
	_, s.owned = model.(*openresponses.ClientAdapter)
	defer s.close()
	defer recovered(&err, "model")
	return model.CreateStream(ctx, req, s)
}

var errSinkClosed = errors.New("agentturn: the model call is over")

// sink hands a streamer's events on, one at a time, whatever goroutines it sends from.
type sink struct {
	mu     sync.Mutex
	take   func(openresponses.StreamEvent) error
	cancel context.CancelFunc
	owned  bool
	err    error
}

// Send implements openresponses.EventSink.
func (s *sink) Send(ev openresponses.StreamEvent) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	if !s.owned {
		if ev, s.err = ownedEvent(ev); s.err != nil {
			return s.err
		}
	}
	if s.err = s.take(ev); s.err != nil {
		s.cancel()
	}
	return s.err
}

func (s *sink) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = errSinkClosed
	}
}

func (live) execute(ctx context.Context, x execution) {
	if x.grace > 0 {
		for i := range x.jobs {
			x.jobs[i].Tool = withGrace(x.jobs[i].Tool, x.grace)
		}
	}
	var order turns
	var places map[string]int // of a call in the batch
	if len(x.jobs) > 1 {
		order = newTurns(x.executor.Chains(x.jobs))
		places = make(map[string]int, len(x.jobs))
		for i, job := range x.jobs {
			places[job.Call.ID] = i
		}
	}
	x.executor.OnStart = func(ctx context.Context, job agenttool.Job) error {
		i := places[job.Call.ID]
		if err := order.wait(ctx, i); err != nil {
			return err
		}
		return x.start(ctx, i)
	}
	for ev := range x.executor.Execute(ctx, x.jobs) {
		x.take(ev)
		if ev.Final {
			order.done(ev.Index)
		}
	}
}

// turns makes the jobs of a chain wait for each other's settlement, which comes after the
// executor has let the next one go. A job that has its chain to itself costs nothing.
type turns struct {
	before  map[int]int           // job: the one it waits for
	settled map[int]chan struct{} // job: closed once it is settled
}

func newTurns(chains [][]int) turns {
	var t turns
	for _, chain := range chains {
		for i := 1; i < len(chain); i++ {
			if t.before == nil {
				t = turns{before: make(map[int]int), settled: make(map[int]chan struct{})}
			}
			t.before[chain[i]] = chain[i-1]
			t.settled[chain[i-1]] = make(chan struct{})
		}
	}
	return t
}

func (t turns) wait(ctx context.Context, job int) error {
	before, ok := t.before[job]
	if !ok {
		return nil
	}
	select {
	case <-t.settled[before]:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turns) done(job int) {
	if ch, ok := t.settled[job]; ok {
		close(ch)
	}
}

// withGrace is tool, left behind when it is still running so long after its context ended.
// What it does from then on reaches nobody.
func withGrace(tool agenttool.Tool, grace time.Duration) agenttool.Tool {
	type outcome struct {
		result agenttool.Result
		err    error
	}
	return agenttool.Wrap(tool, func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		done := make(chan outcome, 1)
		go func() {
			var o outcome
			defer func() { done <- o }()
			defer func() {
				if v := recover(); v != nil {
					o.err = &agenttool.PanicError{Tool: nameOf(tool), Value: v, Stack: debug.Stack()}
				}
			}()
			o.result, o.err = tool.Execute(ctx, call)
		}()
		select {
		case o := <-done:
			return o.result, o.err
		case <-ctx.Done():
		}
		t := time.NewTimer(grace)
		defer t.Stop()
		select {
		case o := <-done:
			return o.result, o.err
		case <-t.C:
			return agenttool.Result{}, &AbandonedError{Tool: nameOf(tool), Grace: grace, Cause: context.Cause(ctx)}
		}
	})
}

// AbandonedError is the error of a call whose tool kept running for Config.ToolGrace after
// its context was cancelled, and which the run left behind: the tool may still be at work,
// so the call is pending as one that may have run. It unwraps to Cause, why the context was
// cancelled.
type AbandonedError struct {
	Tool  string
	Grace time.Duration
	Cause error
}

// Error names the tool and the grace.
func (e *AbandonedError) Error() string {
	return fmt.Sprintf("agentturn: tool %q was left behind, still running %v after it was cancelled: %v", e.Tool, e.Grace, e.Cause)
}

// Unwrap returns Cause.
func (e *AbandonedError) Unwrap() error { return e.Cause }
