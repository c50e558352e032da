package agentturntest

import (
	"github.com/ChristopherDavenport/agentturn"
)

// toolCall is a call between its tool_start and its tool_end, and after.
type toolCall struct {
	parent     string
	children   []string // calls it made
	place      int      // in its batch, from 1; 0 for a nested call or an earlier batch
	refused    bool
	dispatched bool
	ended      bool
	deferred   bool
	output     bool
}

// toolOrder checks the tool events of a run.
type toolOrder struct {
	*runOrder
	tools    map[string]*toolCall
	order    []string // call IDs as their calls started
	batch    []string // call IDs of the present batch, in the model's order
	outputs  int      // place of the last output of the batch
	noted    bool     // a note has followed the batch's outputs
	deferred bool     // a call of the run was
}

// take takes a tool event.
func (t *toolOrder) take(ev agentturn.Event, turn int) {
	switch {
	case turn != t.turn:
		t.broken("R018", "of turn %d in turn %d", turn, t.turn)
	case t.phase == streaming:
		t.broken("R115", "before response_end")
	case t.phase == betweenTurns && t.turn > 0:
		t.broken("R016", "after turn_end")
	case t.withheld:
		t.broken("R105", "after a withheld response")
	}
	switch ev := ev.(type) {
	case *agentturn.ToolStart:
		t.start(ev)
	case *agentturn.ToolDispatch:
		t.dispatch(ev)
	case *agentturn.ToolUpdate:
		if call := t.running(ev.CallID, "R056"); call != nil && call.parent != "" {
			t.broken("R075", "of the nested call %q", ev.CallID)
		}
	case *agentturn.ToolEnd:
		t.end(ev)
	}
}

func (t *toolOrder) start(ev *agentturn.ToolStart) {
	if _, ok := t.tools[ev.CallID]; ok {
		t.broken("R054", "a second one of call %q", ev.CallID)
	}
	call := &toolCall{parent: ev.Parent}
	t.tools[ev.CallID] = call
	t.order = append(t.order, ev.CallID)
	if d := ev.Decision; d != nil {
		call.refused = d.Action != agentturn.Allow
	}
	if ev.Parent != "" {
		if parent := t.running(ev.Parent, "R074"); parent != nil {
			parent.children = append(parent.children, ev.CallID)
		}
		return
	}
	t.batch = append(t.batch, ev.CallID)
	call.place = len(t.batch)
}

func (t *toolOrder) dispatch(ev *agentturn.ToolDispatch) {
	call := t.tools[ev.CallID]
	switch {
	case call == nil || call.ended:
		t.broken("R056", "call %q is not between its tool_start and its tool_end", ev.CallID)
		return
	case call.dispatched:
		t.broken("R056", "a second one of call %q", ev.CallID)
	case call.refused:
		t.broken("R056", "of call %q, which was refused or deferred", ev.CallID)
	}
	if ev.IdempotencyKey == "" {
		t.broken("R069", "of call %q without an idempotency key", ev.CallID)
	}
	if ev.Parent != "" {
		t.running(ev.Parent, "R074")
	}
	call.dispatched = true
}

func (t *toolOrder) end(ev *agentturn.ToolEnd) {
	call := t.tools[ev.CallID]
	switch {
	case call == nil:
		t.broken("R054", "call %q has no tool_start", ev.CallID)
		return
	case call.ended:
		t.broken("R054", "a second one of call %q", ev.CallID)
	case call.dispatched && ev.Blocked: // a tool may hold its own call, and not refuse it
		t.broken("R056", "call %q was dispatched and then refused", ev.CallID)
	}
	if ev.Blocked && ev.Err == nil {
		t.broken("R057", "call %q is blocked without an error", ev.CallID)
	}
	if call.parent != "" {
		t.running(call.parent, "R074")
		if ev.Deferred {
			t.broken("R076", "the nested call %q is deferred", ev.CallID)
		}
	}
	for _, id := range call.children {
		if !t.tools[id].ended {
			t.broken("R074", "call %q ends before %q, which it made", ev.CallID, id)
		}
	}
	call.ended, call.deferred = true, ev.Deferred
	t.deferred = t.deferred || ev.Deferred
}

// running returns a call that has been handed to its tool and has not ended,
// and reports the rule broken when it is none.
func (t *toolOrder) running(id, rule string) *toolCall {
	call := t.tools[id]
	if call == nil || !call.dispatched || call.ended {
		t.broken(rule, "call %q is not between its tool_dispatch and its tool_end", id)
		return nil
	}
	return call
}

// output takes an output appended.
func (t *toolOrder) output(id string) {
	call := t.tools[id]
	if call == nil {
		return // answered by the caller
	}
	switch {
	case call.place == 0 || call.output:
		t.broken("R016", "a second or late output of call %q", id)
		return
	case !call.ended:
		t.broken("R016", "output of call %q before its tool_end", id)
	case call.deferred:
		t.broken("R060", "output of the deferred call %q", id)
	}
	// Those of an approved batch follow the transcript, which the events do not show.
	if call.place < t.outputs && t.turn > 0 {
		t.broken("R062", "output of call %q out of the order of the calls", id)
	}
	if t.noted {
		t.broken("R063", "output of call %q after a note", id)
	}
	call.output, t.outputs = true, call.place
}

// note takes an item appended that is no output.
func (t *toolOrder) note() { t.noted = t.outputs > 0 }

// turnEnd checks that the batch is complete.
func (t *toolOrder) turnEnd() {
	for _, id := range t.batch {
		if call := t.tools[id]; !call.ended {
			t.broken("R016", "before the tool_end of call %q", id)
		} else if !call.deferred && !call.output {
			t.broken("R016", "before the output of call %q", id)
		}
	}
	t.endBatch()
}

// endBatch forgets the batch: no output of it may follow.
func (t *toolOrder) endBatch() {
	for _, id := range t.batch {
		t.tools[id].place = 0
	}
	t.batch, t.outputs, t.noted = nil, 0, false
}

func (t *toolOrder) runEnd() {
	for _, id := range t.order {
		if !t.tools[id].ended {
			t.broken("R054", "call %q has no tool_end", id)
		}
	}
}
