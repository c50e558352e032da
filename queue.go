package agentturn

import (
	"context"
	"sync/atomic"

	"github.com/ChristopherDavenport/openresponses"
)

// queues hold what an agent accepted for a run: what steers it, and what follows it. The
// agent's state lock guards them.
type queues struct {
	steer, followUp []queuedItem
	// reports are the queued events not delivered yet; hasReports spares a delta the lock.
	reports    []*Queued
	hasReports atomic.Bool
	// signal is closed when an item is steered in; nil while no batch listens.
	signal chan struct{}
	// drained are the deliveries a run has taken and no turn_start has followed.
	drained []*delivery
	// changed is closed when a delivery's wait may be over; nil while none waits.
	changed chan struct{}
}

// queuedItem is an item in a queue.
type queuedItem struct {
	item     openresponses.Item // as it was given, the hidden mark included
	mode     InputMode
	trigger  Trigger
	delivery *delivery // of an item that Deliver queued
}

// delivery follows the items of one Deliver.
type delivery struct {
	drained bool // a run appended them
	seen    bool // and every subscriber has taken a turn_start since
	cleared bool // they were taken out of the queue again
}

// items are copies of what waits in the queue of mode, nil when nothing does.
func (q *queues) items(mode QueueMode) openresponses.Items {
	list := q.followUp
	if mode == QueueSteer {
		list = q.steer
	}
	var items openresponses.Items
	for _, e := range list {
		items = append(items, e.item)
	}
	return items
}

// wake lets every waiting Deliver look again.
func (q *queues) wake() {
	if q.changed != nil {
		close(q.changed)
		q.changed = nil
	}
}

// Steer queues items for the run under way: they join after its current batch, before the
// next model call. Queued while the agent is idle they join the next run, after its prompt.
// A run that has decided to stop leaves them to the next; [Agent.Deliver] waits for a model
// call to see them. Nil items are ignored.
//
// It returns at once. A [Queued] event reports each item before the next event, so a
// subscriber may steer; one that steers in answer to the events of its own steered items
// never ends. The queues live in memory and survive Abort, SetConfig and SetTranscript.
func (a *Agent) Steer(items ...openresponses.Item) {
	a.enqueue(InputSteer, Trigger{}, nil, items)
}

// FollowUp queues items that join when the run would otherwise end, so that it goes on. In
// all else it is as [Agent.Steer].
func (a *Agent) FollowUp(items ...openresponses.Item) {
	a.enqueue(InputFollowUp, Trigger{}, nil, items)
}

// Queue is [Agent.Steer] for QueueSteer and [Agent.FollowUp] for any other mode, with the
// [Trigger] of ctx as what brought the items in. It returns [ErrTriggerExtra] for a trigger
// that does not encode, and then queues nothing.
func (a *Agent) Queue(ctx context.Context, mode QueueMode, items ...openresponses.Item) error {
	trigger := TriggerFromContext(ctx)
	if err := trigger.Validate(); err != nil {
		return err
	}
	in := InputFollowUp
	if mode == QueueSteer {
		in = InputSteer
	}
	a.enqueue(in, trigger, nil, items)
	return nil
}

// ClearQueue takes out of the queues what no run has taken yet, and returns it, hidden marks
// on: for QueueSteer what was steered in or delivered, for any other mode the follow-ups. A
// [Agent.Deliver] that waits with such an item returns [ErrCleared]. Items already reported
// by a [Queued] event have no other event.
func (a *Agent) ClearQueue(mode QueueMode) openresponses.Items {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := &a.queues
	items := q.items(mode)
	if mode != QueueSteer {
		q.followUp = nil
		return items
	}
	for _, e := range q.steer {
		if e.delivery != nil {
			e.delivery.cleared = true
		}
	}
	q.steer = nil
	q.wake()
	return items
}

// enqueue accepts items and reports whether there was one.
func (a *Agent) enqueue(mode InputMode, trigger Trigger, d *delivery, items []openresponses.Item) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	q := &a.queues
	report := Queued{Mode: QueueSteer, Trigger: trigger}
	if mode == InputFollowUp {
		report.Mode = QueueFollowUp
	}
	if a.active != nil && !a.active.past {
		report.RunID = a.active.id
	}
	accepted := false
	for _, item := range items {
		if isNil(item) {
			continue
		}
		accepted = true
		e := queuedItem{item: item, mode: mode, trigger: trigger, delivery: d}
		if mode == InputFollowUp {
			q.followUp = append(q.followUp, e)
		} else {
			q.steer = append(q.steer, e)
		}
		each := report
		each.Item, each.Hidden = Unhide(item)
		q.reports = append(q.reports, &each)
	}
	q.hasReports.Store(len(q.reports) > 0)
	if accepted && mode != InputFollowUp && q.signal != nil {
		close(q.signal)
		q.signal = nil
	}
	return accepted
}

// takeReports hands over the reports not delivered yet.
func (a *Agent) takeReports() []*Queued {
	if !a.queues.hasReports.Load() {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	reports := a.queues.reports
	a.queues.reports = nil
	a.queues.hasReports.Store(false)
	return reports
}

// drain takes the steer queue, and with last set the follow-ups; an empty last drain closes
// the queues in the same step.
func (r *activeRun) drain(last bool) []queuedItem {
	a := r.agent
	a.mu.Lock()
	defer a.mu.Unlock()
	q := &a.queues
	taken := q.steer
	q.steer = nil
	if last {
		taken = append(taken, q.followUp...)
		q.followUp = nil
	}
	for _, e := range taken {
		if e.delivery != nil && !e.delivery.drained {
			e.delivery.drained = true
			q.drained = append(q.drained, e.delivery)
		}
	}
	if last && len(taken) == 0 {
		r.past = true
		q.wake()
	}
	return taken
}

// seen marks the drained deliveries as seen by a model call.
func (q *queues) seen(a *Agent) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, d := range q.drained {
		d.seen = true
	}
	q.drained = nil
	q.wake()
}

func (r *activeRun) queued() bool {
	r.agent.mu.Lock()
	defer r.agent.mu.Unlock()
	return len(r.agent.queues.steer)+len(r.agent.queues.followUp) > 0
}

func (r *activeRun) closeQueues() {
	r.agent.mu.Lock()
	defer r.agent.mu.Unlock()
	if !r.past {
		r.past = true
		r.agent.queues.wake()
	}
}

// steered is closed already when something waits to be drained.
func (r *activeRun) steered() <-chan struct{} {
	r.agent.mu.Lock()
	defer r.agent.mu.Unlock()
	q := &r.agent.queues
	if len(q.steer) > 0 {
		closed := make(chan struct{})
		close(closed)
		return closed
	}
	if q.signal == nil {
		q.signal = make(chan struct{})
	}
	return q.signal
}

// Deliver hands items to the model and waits until a model call has seen them, for input
// that arrives on its own time: the result of a background task, a message.
//
// The run under way takes them as it takes a steer, and Deliver returns joined true once the
// request with them has gone out. When no run takes them, the agent being idle or its run
// having stopped without them, Deliver starts a run on ctx that takes them before its first
// model call, and returns its end as [Agent.Prompt] does. A run that took them and ended
// before a model call has them in its transcript; Deliver returns that run's end and starts
// none.
//
// The items stay queued when the error is ErrInputRequired, ErrCannotContinue, a refusal of
// the configuration, or ctx's own while Deliver waited. Without an item it returns
// ErrNoPrompt, for a trigger that does not encode ErrTriggerExtra, and ErrCleared when
// [Agent.ClearQueue] took the items out.
//
// With a context of the agent's own run (in a tool, a hook, a subscriber) Deliver does not
// wait: it returns joined true when the run will still take the items, and ErrRunning when
// they wait for the next.
func (a *Agent) Deliver(ctx context.Context, items ...openresponses.Item) (joined bool, end *RunEnd, err error) {
	trigger := TriggerFromContext(ctx)
	if err := trigger.Validate(); err != nil {
		return false, nil, err
	}
	d := &delivery{}
	if !a.enqueue(InputDeliver, trigger, d, items) {
		return false, nil, ErrNoPrompt
	}
	inside := a.runOf(ctx)
	for {
		w := a.await(ctx, d, inside)
		switch {
		case w.idle != nil:
			o, err := w.idle.open(ctx)
			if err != nil {
				return false, nil, err
			}
			if r, active := a.begin(ctx, *w.idle, o); r != nil {
				end, err := a.drive(r, active)
				return false, end, err
			}
			continue
		case w.changed == nil:
			return w.joined, w.end, w.err
		}
		select {
		case <-w.changed:
		case <-ctx.Done():
			return false, nil, ctx.Err()
		}
	}
}

// awaited is what a Deliver finds when it looks: with idle set an agent to run, with changed
// set that it has to wait, else its answer.
type awaited struct {
	idle    *standing
	joined  bool
	end     *RunEnd
	err     error
	changed <-chan struct{}
}

func (a *Agent) await(ctx context.Context, d *delivery, inside string) awaited {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case inside != "" && a.active != nil && a.active.id == inside:
		if a.active.past {
			return awaited{err: ErrRunning}
		}
		return awaited{joined: true}
	case d.seen:
		return awaited{joined: true}
	case d.cleared:
		return awaited{err: ErrCleared}
	case a.active != nil:
		if a.queues.changed == nil {
			a.queues.changed = make(chan struct{})
		}
		return awaited{changed: a.queues.changed}
	case d.drained:
		end := a.last
		if end != nil && end.Reason == ReasonError {
			return awaited{end: end, err: end.Err}
		}
		return awaited{end: end}
	case ctx.Err() != nil:
		return awaited{err: ctx.Err()}
	case len(a.pending) > 0:
		return awaited{err: ErrInputRequired}
	case !a.canDeliver():
		return awaited{err: ErrCannotContinue}
	}
	s := a.standing()
	return awaited{idle: &s}
}

// canDeliver reports whether the transcript and what is steered end in something the model
// can answer.
func (a *Agent) canDeliver() bool {
	if n := len(a.queues.steer); n > 0 {
		item, _ := Unhide(a.queues.steer[n-1].item)
		return CanContinue(Transcript{item})
	}
	return CanContinue(a.ledger().items)
}
