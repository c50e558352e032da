package agentturntest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// phase is where a run is in a turn.
type phase int

const (
	betweenTurns  phase = iota
	streaming           // from turn_start to response_end
	afterResponse       // from response_end to turn_end
)

// runOrder is a run being checked.
type runOrder struct {
	*orderCheck
	id string

	turn     int
	phase    phase
	ahead    bool // an item of the turn about to open has been appended
	withheld bool // the turn's response was
	blocked  bool // the model call was
	attempt  int  // of the turn, from 1
	opened   bool // a message or a call opened in the attempt
	appended bool // an item of the attempt was appended

	started  openresponses.Item // the item of the last item_start, until the next item event
	items    openresponses.Items
	calls    map[string]bool // call IDs of the function calls appended
	answered map[string]bool // call IDs of the outputs appended
	tools    toolOrder
}

func newRunOrder(c *orderCheck, id string) *runOrder {
	r := &runOrder{orderCheck: c, id: id, calls: make(map[string]bool), answered: make(map[string]bool)}
	r.tools = toolOrder{runOrder: r, tools: make(map[string]*toolCall)}
	return r
}

// take takes the next event of the run.
func (r *runOrder) take(ev agentturn.Event, turn int) {
	switch ev := ev.(type) {
	case *agentturn.TurnStart:
		r.turnStart(turn)
	case *agentturn.ModelBlocked:
		if r.phase != betweenTurns || turn != r.turn+1 {
			r.broken("R103", "of turn %d in turn %d", turn, r.turn)
		}
		r.blocked = true
	case *agentturn.ModelRetry:
		r.retry(ev)
	case *agentturn.ResponseEnd:
		r.responseEnd(ev)
	case *agentturn.ItemStart:
		r.itemStart(ev)
	case *agentturn.ItemUpdate:
		if r.phase != streaming || turn != r.turn {
			r.broken("R016", "of turn %d outside its stream", turn)
		}
	case *agentturn.ItemEnd:
		r.itemEnd(ev)
	case *agentturn.TurnEnd:
		r.turnEnd(turn)
	case *agentturn.RunEnd:
		r.end(ev)
	default:
		r.tools.take(ev, turn)
	}
}

func (r *runOrder) turnStart(turn int) {
	if r.phase != betweenTurns {
		r.broken("R016", "turn %d has no turn_end", r.turn)
	}
	if turn != r.turn+1 {
		r.broken("R017", "turn %d follows turn %d", turn, r.turn)
	}
	if r.tools.deferred {
		r.broken("R061", "after a call was deferred")
	}
	r.tools.endBatch()
	r.turn, r.phase, r.ahead = turn, streaming, false
	r.attempt, r.opened, r.appended = 1, false, false
}

func (r *runOrder) retry(ev *agentturn.ModelRetry) {
	if r.phase != streaming || ev.Turn != r.turn {
		r.broken("R016", "of turn %d outside its stream", ev.Turn)
	}
	if ev.Attempt != r.attempt {
		r.broken("R039", "attempt %d, expected %d", ev.Attempt, r.attempt)
	}
	if r.opened {
		r.broken("R037", "after a message or a call opened")
	}
	if r.appended {
		r.broken("R038", "after an item of the attempt was appended")
	}
	r.attempt, r.opened, r.appended = ev.Attempt+1, false, false
}

func (r *runOrder) responseEnd(ev *agentturn.ResponseEnd) {
	if ev.Turn != r.turn || r.phase == betweenTurns {
		r.broken("R016", "of turn %d outside it", ev.Turn)
	} else if r.phase == afterResponse {
		r.broken("R017", "a second one")
	}
	r.phase, r.withheld = afterResponse, ev.Withheld
}

func (r *runOrder) turnEnd(turn int) {
	if turn != r.turn || r.phase != afterResponse {
		r.broken("R016", "of turn %d without its response_end", turn)
	}
	if r.withheld {
		r.broken("R104", "after a withheld response")
	}
	r.tools.turnEnd()
	r.phase = betweenTurns
}

func (r *runOrder) itemStart(ev *agentturn.ItemStart) {
	r.started = ev.Item
	if !r.itemPlace(ev.Turn, ev.ResponseID) {
		return
	}
	switch item := ev.Item.(type) {
	case *openresponses.Message:
		r.opened = true
	case *openresponses.FunctionCall:
		r.opened = true
		if item != nil && r.calls[item.CallID] {
			r.broken("R026", "call %q was completed before", item.CallID)
		}
	}
}

func (r *runOrder) itemEnd(ev *agentturn.ItemEnd) {
	started := r.started
	r.started = nil
	if isNil(ev.Item) {
		r.broken("R028", "no item")
		return
	}
	if r.itemPlace(ev.Turn, ev.ResponseID) {
		r.appended = true
	} else if !sameItem(started, ev.Item) {
		r.broken("R026", "without the item_start of the item before it")
	}
	r.items = append(r.items, ev.Item)
	call, isCall := ev.Item.(*openresponses.FunctionCall)
	if ev.ModelCallID != "" && (!isCall || ev.ModelCallID == call.CallID) {
		r.broken("R046", "model_call_id %q on an item that was not renamed", ev.ModelCallID)
	}
	switch {
	case isCall && call.CallID == "":
		r.broken("R043", "a call without an ID")
	case isCall && r.calls[call.CallID]:
		r.broken("R043", "a second call %q", call.CallID)
	case isCall:
		r.calls[call.CallID] = true
	}
	if out, ok := ev.Item.(*openresponses.FunctionCallOutput); ok {
		r.answered[out.CallID] = true
		r.tools.output(out.CallID)
	} else if ev.ResponseID == "" && r.phase != streaming {
		r.tools.note()
	}
}

// itemPlace checks the turn of an item event and reports whether a stream
// raised it.
func (r *runOrder) itemPlace(turn int, responseID string) (streamed bool) {
	switch {
	case r.phase == streaming:
		if turn != r.turn {
			r.broken("R016", "of turn %d in the stream of turn %d", turn, r.turn)
		}
		return true
	case responseID != "":
		r.broken("R016", "of response %q outside a stream", responseID)
		return true
	case turn == r.turn && !r.ahead:
	case turn == r.turn+1 && r.phase == betweenTurns:
		r.ahead = true
	default:
		r.broken("R018", "of turn %d after turn %d", turn, r.turn)
	}
	return false
}

func (r *runOrder) end(ev *agentturn.RunEnd) {
	r.tools.runEnd()
	r.endReason(ev)
	if len(ev.Items) != len(r.items) {
		r.broken("R010", "%d items, and %d were appended", len(ev.Items), len(r.items))
	} else {
		for i, item := range ev.Items {
			if !sameItem(item, r.items[i]) {
				r.broken("R010", "item %d is not the one appended", i)
			}
		}
	}
	pending := make(map[string]bool)
	for _, p := range ev.Pending {
		if p.Call == nil {
			r.broken("R090", "a pending entry without its call")
			continue
		}
		pending[p.Call.CallID] = true
		if r.answered[p.Call.CallID] {
			r.broken("R090", "call %q is pending and has its output", p.Call.CallID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.calls)) {
		if !r.answered[id] && !pending[id] {
			r.broken("R090", "call %q has no output and is not pending", id)
		}
	}
}

// endReason checks the reason of a run's end against what happened.
func (r *runOrder) endReason(ev *agentturn.RunEnd) {
	switch ev.Reason {
	case agentturn.ReasonDone:
		if r.tools.deferred {
			r.broken("R061", "done after a call was deferred")
		}
	case agentturn.ReasonError:
		if ev.Err == nil {
			r.broken("R015", "an error end without its error")
		}
	case agentturn.ReasonAborted:
		if ev.Err == nil {
			r.broken("R095", "an aborted end without its cause")
		}
	case agentturn.ReasonStopped:
		if ev.Cause == agentturn.StopGuard && ev.Err == nil {
			r.broken("R102", "a guard stop without its error")
		}
		if ev.Cause == agentturn.StopRefused && r.turn > 0 {
			r.broken("R085", "refused after a model call")
		}
	}
	if cut := ev.Reason == agentturn.ReasonError || ev.Reason == agentturn.ReasonAborted || r.withheld; !cut && r.phase != betweenTurns {
		r.broken("R016", "turn %d has no turn_end", r.turn)
	}
	stopped := ev.Reason == agentturn.ReasonStopped && ev.Cause == agentturn.StopGuard
	if ev.Withheld && (!r.withheld || !stopped) || r.withheld && stopped && !ev.Withheld {
		r.broken("R104", "withheld is %t after a response with withheld %t", ev.Withheld, r.withheld)
	}
	if ev.Withheld && len(ev.Pending) > 0 {
		r.broken("R105", "%d pending after a withheld response", len(ev.Pending))
	}
}

// sameItem reports whether two events speak of one item: the same pointer, or,
// for events that were decoded, the same content.
func sameItem(a, b openresponses.Item) bool {
	if isNil(a) || isNil(b) {
		return isNil(a) && isNil(b)
	}
	if a == b {
		return true
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
