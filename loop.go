package agentturn

import (
	"context"
	"errors"
	"fmt"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn/internal/callid"
	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// run is one run, from its run_start to its run_end. The goroutine that calls [run.drive]
// owns it; what tools and nested calls raise is serialised by the host's delivery.
type run struct {
	id      string
	cfg     Config
	host    host
	driver  driver
	trigger Trigger

	// ctx belongs to everything the run calls: cancelled by an abort and when the run is over.
	ctx context.Context

	log    *ledger
	start  int // the number of items before the run
	models *attribution
	ids    reservations
	folder *fold.Folder  // of the attempt under way
	given  callid.Table  // the call IDs of that attempt
	known  []PendingCall // what was pending before the run
	last   *batch        // the batch that ran last
	hooks  hostLock      // one of BeforeToolCall and AfterToolCall at a time, nested calls included

	turn    int
	inputs  []TurnInput // what joined since the last response
	opening opening
}

// opening is what a run starts from besides its transcript.
type opening struct {
	source   Source
	items    []TurnInput // appended first, in order
	approved []approval  // calls that run before the first turn
	refused  bool        // an answer asked to end the run
}

// host is who a run belongs to: an [Agent], or the range loop over [Run] and [Continue].
type host interface {
	// deliver hands ev to the receivers and returns when they are done with it. It may be
	// called from the goroutine of a tool.
	deliver(ev Event) error
	// deliverOpened delivers the item_start of an item that the stream opened with wire.
	deliverOpened(ev *ItemStart, wire *openresponses.OutputItemAddedEvent) error
	// commit appends item to the transcript.
	commit(log *ledger, item openresponses.Item)
	// drain takes what is queued: steered and delivered items, and when the run would
	// otherwise end the follow-ups. With last set an empty drain is the run's last.
	drain(last bool) []queuedItem
	// queued reports whether anything waits in a queue.
	queued() bool
	// closeQueues marks the run past its last drain.
	closeQueues()
	// steered is closed when something is steered in, or nil where nothing can be.
	steered() <-chan struct{}
}

// end is what follows a step: the zero value goes on, anything else ends the run.
type end struct {
	reason   Reason
	cause    StopCause
	err      error
	withheld bool
}

var goOn end

func (e end) stops() bool { return e.reason != "" }

// drive runs the run. It returns the run_end it delivered.
func (r *run) drive() *RunEnd {
	how := r.sequence()
	r.host.closeQueues()
	e := &RunEnd{
		RunID:    r.id,
		Items:    append(Transcript(nil), r.log.items[r.start:]...),
		Reason:   how.reason,
		Cause:    how.cause,
		Err:      how.err,
		Pending:  r.pending(),
		Withheld: how.withheld,
	}
	// A receiver that fails on the run_end changes nothing: the run is over.
	_ = r.host.deliver(e)
	return e
}

// sequence is the life of a run between run_start and run_end.
func (r *run) sequence() end {
	if err := r.host.deliver(&RunStart{RunID: r.id, Source: r.opening.source, Trigger: r.trigger}); err != nil {
		return r.fail(err)
	}
	if e := r.appendInputs(r.opening.items); e.stops() {
		return e
	}
	if e := r.resumeApproved(); e.stops() {
		return e
	}
	for {
		if r.ctx.Err() != nil {
			return r.aborted(nil)
		}
		r.turn++
		t, e := r.beginTurn()
		if e.stops() {
			return e
		}
		if t.response, t.calls, e = r.callModel(t.request); e.stops() {
			return e
		}
		if e := r.runCalls(t); e.stops() {
			return e
		}
		if err := r.host.deliver(&TurnEnd{RunID: r.id, Turn: r.turn, Response: t.response, ToolResults: t.results}); err != nil {
			return r.fail(err)
		}
		if e := r.afterTurn(t); e.stops() {
			return e
		}
		// With calls made, the model is owed their outputs whatever is queued; without,
		// only what is queued keeps the run going.
		more := r.host.drain(len(t.calls) == 0)
		if len(t.calls) == 0 && len(more) == 0 {
			return end{reason: ReasonDone}
		}
		if e := r.appendQueued(more); e.stops() {
			return e
		}
	}
}

// resumeApproved runs the calls a resume approved, and takes what was steered in before
// the first model call.
func (r *run) resumeApproved() end {
	o := r.opening
	if len(o.approved) > 0 {
		b, e := r.runApproved(o.approved)
		if e.stops() {
			return e
		}
		if b.deferred() {
			return r.stop(end{reason: ReasonInputRequired})
		}
		if cause := b.terminates(); cause != "" && !o.refused {
			return r.stop(end{reason: ReasonStopped, cause: cause})
		}
	}
	if len(o.approved) > 0 || !o.refused {
		if e := r.appendQueued(r.host.drain(false)); e.stops() {
			return e
		}
	}
	if o.refused {
		return r.stop(end{reason: ReasonStopped, cause: StopRefused})
	}
	return goOn
}

// turn is one turn under way.
type turn struct {
	request  openresponses.Request
	tools    agenttool.Set
	response *openresponses.Response
	calls    []modelCall
	results  []agenttool.Result
	batch    *batch
}

// beginTurn lets the host add to the turn, builds its request and announces it.
func (r *run) beginTurn() (*turn, end) {
	t := &turn{}
	if r.cfg.BeforeTurn != nil {
		items, err := r.beforeTurn(TurnStartInfo{RunID: r.id, Turn: r.turn, Transcript: r.log.snapshot(), Inputs: r.arrived()})
		if err != nil {
			return t, r.guarded("before-turn hook", err)
		}
		for _, item := range items {
			in := TurnInput{Item: item, Mode: InputHook}
			if e := r.appendInputs([]TurnInput{in}); e.stops() {
				return t, e
			}
		}
	}
	tools, err := r.resolveTools()
	if err != nil {
		return t, r.fail(err)
	}
	t.tools = tools
	if t.request, err = r.buildRequest(tools); err != nil {
		return t, r.fail(err)
	}
	if r.cfg.BeforeModelCall != nil {
		if err := r.beforeModelCall(&t.request); err != nil {
			if failed := r.host.deliver(&ModelBlocked{RunID: r.id, Turn: r.turn, Request: t.request, Err: err}); failed != nil {
				return t, r.fail(failed)
			}
			return t, r.guarded("before-model-call hook", err)
		}
	}
	err = r.host.deliver(&TurnStart{
		RunID: r.id, Turn: r.turn, Request: t.request,
		Inputs: inputItems(r.inputs), Arrived: r.arrived(),
	})
	if err != nil {
		return t, r.fail(err)
	}
	return t, goOn
}

// afterTurn decides whether a completed turn is the run's last for another reason than
// that there is nothing left to do.
func (r *run) afterTurn(t *turn) end {
	if t.batch.deferred() {
		return r.stop(end{reason: ReasonInputRequired})
	}
	if r.cfg.ShouldStopAfterTurn != nil {
		stop, err := r.shouldStop(TurnInfo{
			RunID: r.id, Turn: r.turn, Response: t.response, ToolResults: t.results,
			Final: len(t.calls) == 0, Transcript: r.log.snapshot(),
		})
		if err != nil {
			return r.stop(r.guarded("should-stop-after-turn hook", err))
		}
		if stop {
			return r.stop(end{reason: ReasonStopped, cause: StopHook})
		}
	}
	if cause := t.batch.terminates(); cause != "" {
		return r.stop(end{reason: ReasonStopped, cause: cause})
	}
	if r.cfg.MaxTurns > 0 && r.turn >= r.cfg.MaxTurns {
		// Closing the queues first leaves no moment in which an item is accepted for a
		// run that has decided to end without it.
		r.host.closeQueues()
		if len(t.calls) > 0 || r.host.queued() {
			return end{reason: ReasonStopped, cause: StopMaxTurns}
		}
		return end{reason: ReasonDone}
	}
	return goOn
}

// appendInputs appends items the loop did not stream, with their events.
func (r *run) appendInputs(inputs []TurnInput) end {
	for _, in := range inputs {
		item, hidden := Unhide(in.Item)
		if item == nil {
			continue
		}
		if err := r.host.deliver(&ItemStart{RunID: r.id, Turn: r.turn, Item: item, Hidden: hidden}); err != nil {
			return r.fail(err)
		}
		r.host.commit(r.log, item)
		e := &ItemEnd{RunID: r.id, Turn: r.turn, Item: item, Hidden: hidden}
		if in.Mode == InputPrompt || in.Mode == inputAnswer {
			e.Trigger = r.trigger
		}
		in.Item = item
		switch in.Mode {
		case InputPrompt:
			in.Trigger = r.trigger
		case inputAnswer, inputOutput:
			in.Mode = InputResume
		}
		r.inputs = append(r.inputs, in)
		if err := r.host.deliver(e); err != nil {
			return r.fail(err)
		}
	}
	return goOn
}

// How an answer to a pending call arrived. Both read as InputResume once appended; what a
// prompt brings carries the run's trigger on its item_end.
const (
	inputAnswer InputMode = "answer" // a prompt's leading output, or the note of an answer
	inputOutput InputMode = "output" // the output of an answer
)

func (r *run) appendQueued(items []queuedItem) end {
	for _, q := range items {
		if e := r.appendInputs([]TurnInput{{Item: q.item, Mode: q.mode, Trigger: q.trigger}}); e.stops() {
			return e
		}
	}
	return goOn
}

// arrived is what joined since the last response and, before the first, what the starting
// transcript already ended with.
func (r *run) arrived() []TurnInput {
	var out []TurnInput
	if r.turn == 1 {
		for _, item := range continuedTail(r.log.items[:r.start]) {
			out = append(out, TurnInput{Item: item, Mode: InputContinued})
		}
	}
	return append(out, r.inputs...)
}

func inputItems(inputs []TurnInput) openresponses.Items {
	if len(inputs) == 0 {
		return nil
	}
	items := make(openresponses.Items, len(inputs))
	for i, in := range inputs {
		items[i] = in.Item
	}
	return items
}

// stop is e, decided before what is queued was looked at: it waits for the next run.
func (r *run) stop(e end) end {
	r.host.closeQueues()
	return e
}

// fail is how the run ends for err: as failed, or as aborted when its context is
// cancelled, err joined to the cause unless it is the cause.
func (r *run) fail(err error) end {
	if r.ctx.Err() != nil {
		return r.aborted(err)
	}
	return end{reason: ReasonError, err: err}
}

// aborted is the end of a run whose context is cancelled. err is what failed meanwhile.
func (r *run) aborted(err error) end {
	cause := context.Cause(r.ctx)
	if err != nil && !errors.Is(err, cause) {
		cause = fmt.Errorf("%w: %w", cause, err)
	}
	return end{reason: ReasonAborted, err: cause}
}

// guarded is how the run ends for the error of a hook that may stop it as a policy.
func (r *run) guarded(hook string, err error) end {
	if errors.Is(err, ErrGuard) {
		return end{reason: ReasonStopped, cause: StopGuard, err: err}
	}
	return r.fail(fmt.Errorf("agentturn: %s: %w", hook, err))
}
