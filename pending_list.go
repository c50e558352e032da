package agentturn

import (
	"slices"

	"github.com/ChristopherDavenport/openresponses"
)

// pending lists the calls without an output, in transcript order, and why each has none.
func (r *run) pending() []PendingCall {
	if len(r.log.open) == 0 {
		return nil
	}
	list := make([]PendingCall, 0, len(r.log.open))
	for _, call := range r.log.open {
		p := r.factsOf(call).pending()
		p.Call = call
		list = append(list, p)
	}
	return list
}

// callFacts is what a run knows of a call without an output.
type callFacts struct {
	before   *PendingCall // as it was pending before the run
	appended bool         // the run appended the call
	approved bool         // the run was to run it
	last     *toolCall    // its way through the run's last batch
}

// factsOf gathers what is known of call. A batch answers all its calls or is the run's
// last, so no other batch has anything to say.
func (r *run) factsOf(call *openresponses.FunctionCall) callFacts {
	f := callFacts{appended: slices.Contains(r.log.items[r.start:], openresponses.Item(call))}
	same := func(p PendingCall) bool { return p.Call.CallID == call.CallID }
	if i := slices.IndexFunc(r.known, same); i >= 0 {
		f.before = &r.known[i]
	}
	f.approved = slices.ContainsFunc(r.opening.approved, func(a approval) bool { return same(a.pending) })
	if r.last != nil {
		i := slices.IndexFunc(r.last.calls, func(c *toolCall) bool { return c.item.CallID == call.CallID })
		if i >= 0 {
			f.last = r.last.calls[i]
		}
	}
	return f
}

// pending is the entry of the call but for its item.
func (f callFacts) pending() PendingCall {
	p := f.reason()
	switch {
	case f.last != nil && f.last.tool != nil:
		p.Tool = f.last.tool
	case f.before != nil:
		p.Tool = f.before.Tool
	}
	return p
}

// reason says why the call has no output; the first case that holds decides.
func (f callFacts) reason() PendingCall {
	c := f.last
	switch {
	case c != nil && c.deferred:
		p := PendingCall{Reason: PendingDeferred, Args: c.changedArgs()}
		if c.dispatched { // its tool holds it
			p.Dispatched, p.IdempotencyKey = true, c.key
		}
		return p
	case c != nil && c.dispatched:
		return PendingCall{Reason: PendingAborted, IdempotencyKey: c.key, Args: c.changedArgs()}
	case f.before != nil && f.before.MayHaveRun():
		p := *f.before
		if p.Dispatched && f.approved {
			p.Reason, p.Dispatched = PendingAborted, false
		}
		return p
	case f.appended || f.approved:
		return PendingCall{Reason: PendingUndispatched}
	case f.before != nil:
		return *f.before
	}
	return PendingCall{Reason: PendingUnknown}
}

// changedArgs are the arguments c was decided with, nil when they are its item's own.
func (c *toolCall) changedArgs() []byte {
	if sameArgs(c.args, callArgs(c.item)) {
		return nil
	}
	return c.args
}
