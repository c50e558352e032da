package agentturn

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// batch runs the calls of one response, or those a resume approved: each is decided in
// order, those that may run are handed to the executor together, each result is settled as
// it comes, and the outputs join the transcript in order.
type batch struct {
	run  *run
	turn int // 0 for an approved batch
	// ctx is what the hooks and the tools of the batch are given. It ends with the batch,
	// and early when a hook or a receiver fails.
	ctx     context.Context
	cancel  context.CancelCauseFunc
	calls   []*toolCall
	order   []*toolCall                   // calls, as their outputs join
	items   []*openresponses.FunctionCall // the calls' items, as a hook sees its batch
	invoker invoker

	mu      sync.Mutex
	failure error // the first failure of a hook or a receiver
	byAfter bool  // failure came from AfterToolCall
}

// runCalls runs the calls of the turn's response.
func (r *run) runCalls(t *turn) end {
	if len(t.calls) == 0 {
		return goOn
	}
	calls := make([]*toolCall, len(t.calls))
	for i, c := range t.calls {
		calls[i] = r.prepare(c.Item, t.tools)
		if c.CutOff {
			calls[i].refusal = errCutOff
		}
	}
	t.batch = r.newBatch(r.turn, t.tools, calls)
	if e := t.batch.execute(); e.stops() {
		return e
	}
	t.results = make([]agenttool.Result, len(calls))
	for i, c := range calls {
		t.results[i] = c.result
	}
	if e := t.batch.appendOutputs(t.batch.order); e.stops() {
		return e
	}
	return t.batch.appendNotes()
}

// runApproved runs the calls a resume approved. They start in the order of the answers;
// their outputs join in the order of the calls.
func (r *run) runApproved(approved []approval) (*batch, end) {
	tools, err := r.provideTools()
	if err != nil {
		return nil, r.fail(err)
	}
	calls := make([]*toolCall, len(approved))
	for i, a := range approved {
		calls[i] = r.prepareApproved(a, tools)
	}
	b := r.newBatch(0, tools, calls)
	b.order = r.inTranscriptOrder(calls)
	if e := b.execute(); e.stops() {
		return b, e
	}
	if e := b.appendOutputs(b.order); e.stops() {
		return b, e
	}
	return b, b.appendNotes()
}

func (r *run) newBatch(turn int, tools agenttool.Set, calls []*toolCall) *batch {
	b := &batch{run: r, turn: turn, calls: calls, order: calls, invoker: invoker{run: r, turn: turn, tools: tools}}
	if r.cfg.BeforeToolCall != nil {
		b.items = make([]*openresponses.FunctionCall, len(calls))
		for i, c := range calls {
			b.items[i] = c.item
		}
	}
	b.ctx, b.cancel = context.WithCancelCause(r.batchContext(&b.invoker))
	r.last = b
	return b
}

// execute decides and runs the calls. When it goes on, every call is settled or deferred.
func (b *batch) execute() end {
	defer b.close()
	for i, c := range b.calls {
		if err := b.preflight(c, i); err != nil {
			b.fail(err)
			return b.failed()
		}
	}
	if b.run.ctx.Err() != nil {
		return b.cutBeforeExecution()
	}
	b.dispatch()
	switch {
	case b.failure != nil:
		return b.failed()
	case b.run.ctx.Err() != nil:
		if e := b.appendFinished(); e.stops() {
			return e
		}
		return b.run.aborted(nil)
	}
	return goOn
}

// close ends what the batch lent to its tools.
func (b *batch) close() {
	b.cancel(nil)
	b.invoker.close()
}

// dispatch hands the calls that are not settled to the executor, and settles them.
func (b *batch) dispatch() {
	waiting := make([]*toolCall, 0, len(b.calls))
	jobs := make([]agenttool.Job, 0, len(b.calls))
	for _, c := range b.calls {
		if !c.ended {
			waiting = append(waiting, c)
			jobs = append(jobs, agenttool.Job{Tool: c.tool, Call: c.call()})
		}
	}
	if len(jobs) == 0 {
		return
	}
	cfg := &b.run.cfg
	b.run.driver.execute(b.ctx, execution{
		executor: agenttool.Executor{
			MaxParallel: cfg.MaxParallelTools,
			Sequential:  cfg.ToolExecution == ExecSequential,
			Recorder:    cfg.ToolRecorder,
		},
		jobs:  jobs,
		grace: cfg.ToolGrace,
		start: func(ctx context.Context, i int) error { return b.start(waiting[i]) },
		take:  func(ev agenttool.Event) { b.take(waiting[ev.Index], ev) },
	})
}

// start announces that c is about to be handed to its tool. It runs on the call's own
// goroutine; when a receiver refuses, the tool does not run.
func (b *batch) start(c *toolCall) error {
	if err := b.run.dispatched(c, b.turn); err != nil {
		b.fail(err)
		return err
	}
	return nil
}

// take is given an event of the executor: progress, or the outcome of a call.
func (b *batch) take(c *toolCall, ev agenttool.Event) {
	failure := b.firstFailure()
	if !ev.Final {
		if failure == nil {
			err := b.run.host.deliver(&ToolUpdate{RunID: b.run.id, Turn: b.turn, CallID: c.item.CallID, Name: c.item.Name, Partial: ev.Result})
			if err != nil {
				b.fail(err)
			}
		}
		return
	}
	b.invoker.closeCall(c.item.CallID)
	if failure == nil {
		if err := b.run.settle(b.ctx, c, b.turn, ev.Result, ev.Err, b.isCut); err != nil {
			b.failAfter(err)
		}
		return
	}
	// The batch is being cut short by a failure. What a call ended with by itself still
	// counts; one that was cut gets its tool_end once all of them have returned.
	if c.refused || b.byAfter || b.isCut(ev.Err) {
		return
	}
	if err := b.run.settle(b.ctx, c, b.turn, ev.Result, ev.Err, b.isCut); err != nil && !c.ended {
		b.run.cutOff(c, b.turn, err)
	}
}

// isCut reports whether err says that a call was cut rather than that it failed by itself.
func (b *batch) isCut(err error) bool {
	if err == nil || b.ctx.Err() == nil {
		return false
	}
	return errors.Is(err, b.ctx.Err()) || errors.Is(err, context.Cause(b.ctx))
}

// fail notes the first failure of a hook or a receiver and cuts the batch.
func (b *batch) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failure == nil {
		b.failure = err
		b.cancel(err)
	}
}

func (b *batch) failAfter(err error) {
	b.fail(err)
	b.mu.Lock()
	defer b.mu.Unlock()
	var hook *afterHookError
	b.byAfter = b.failure == err && errors.As(err, &hook)
}

func (b *batch) firstFailure() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failure
}

// failed ends the calls a failure left without an end, keeps the outputs of those that
// finished, and is how the run ends.
func (b *batch) failed() end {
	for _, c := range b.calls {
		if c.started && !c.ended {
			b.run.cutOff(c, b.turn, b.failure)
		}
	}
	_ = b.appendFinished() // the first failure is the run's
	return b.run.fail(b.failure)
}

// cutBeforeExecution ends a batch whose run was aborted before any of its calls ran.
func (b *batch) cutBeforeExecution() end {
	cause := context.Cause(b.run.ctx)
	var failure error
	for _, c := range b.calls {
		if c.ended {
			continue
		}
		if failure == nil {
			c.cut = true
			if failure = b.run.settle(b.ctx, c, b.turn, agenttool.Result{}, cause, nil); failure == nil || c.ended {
				continue
			}
		}
		b.run.cutOff(c, b.turn, cause)
	}
	e := b.appendFinished()
	switch {
	case failure != nil:
		return b.run.aborted(failure)
	case e.stops():
		return e
	}
	return b.run.aborted(nil)
}

// appendFinished appends the outputs of the calls that have a result of their own.
func (b *batch) appendFinished() end {
	finished := slices.DeleteFunc(slices.Clone(b.order), func(c *toolCall) bool { return !c.finished() })
	return b.appendOutputs(finished)
}

// appendOutputs appends the output of each of calls that is not deferred.
func (b *batch) appendOutputs(calls []*toolCall) end {
	for _, c := range calls {
		if c.deferred {
			continue
		}
		output, _ := validOutput(c.result.Output)
		out := &openresponses.FunctionCallOutput{CallID: c.item.CallID, Output: output}
		if e := b.run.appendInputs([]TurnInput{{Item: out, Mode: InputTool}}); e.stops() {
			return e
		}
	}
	return goOn
}

// appendNotes appends what those who let calls run had to say.
func (b *batch) appendNotes() end {
	for _, c := range b.calls {
		if c.note == nil || c.deferred {
			continue
		}
		if e := b.run.appendInputs([]TurnInput{{Item: c.note, Mode: InputTool}}); e.stops() {
			return e
		}
	}
	return goOn
}

// deferred reports whether a call waits for the caller. A nil batch made no calls.
func (b *batch) deferred() bool {
	return b != nil && slices.ContainsFunc(b.calls, func(c *toolCall) bool { return c.deferred })
}

// terminates is why the run stops for the batch's results, or empty when it goes on.
func (b *batch) terminates() StopCause {
	if b == nil {
		return ""
	}
	n := 0
	for _, c := range b.calls {
		if c.result.Terminate {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case len(b.calls):
		return StopTerminate
	}
	return StopPartialTerminate
}
