package fold

import (
	"slices"

	"github.com/ChristopherDavenport/openresponses"
)

// Result is what a stream that ended with a terminal response comes to.
type Result struct {
	// Response is the terminal response with its function calls exchanged for those of the transcript: the server's
	// own unless there was something to exchange.
	Response *openresponses.Response

	// Calls are the function calls of Response, in its order.
	Calls []Call

	// Unstreamed is what the transcript must take before the response ends, in the response's order.
	Unstreamed []Unstreamed
}

// Call is a function call of the response.
type Call struct {
	Item   *openresponses.FunctionCall // the same pointer as on its Done change or in Unstreamed
	CutOff bool                        // it must not run: the server did not finish it
}

// Unstreamed is an item that only the terminal response completed.
type Unstreamed struct {
	Item        openresponses.Item
	ModelCallID string // the model's ID of a call that runs under another; else empty
	Opened      bool   // its Open change has gone out
	Slot        int    // its place in opening order; the next free one if the stream did not open it
}

// Result returns what the attempt comes to. It is for a stream that has ended with a terminal response whose status
// is not failed, and after it there must be no further Add; without a terminal response it is zero.
func (f *Folder) Result() Result {
	if f.terminal == nil {
		return Result{}
	}
	if f.result == nil {
		e := exchange{folder: f, whole: !f.streamed}
		e.run()
		f.result = &e.result
	}
	return *f.result
}

// exchange puts the calls the stream completed in the place of those the terminal response lists.
type exchange struct {
	folder  *Folder
	whole   bool // the response came whole
	output  openresponses.Items
	changed bool
	last    openresponses.Status // of the call taken last
	result  Result
}

func (e *exchange) run() {
	response := e.folder.terminal
	listed := response.FunctionCalls()
	completed := e.folder.completedCalls()
	partners := pair(listed, completed)
	short := len(listed) < len(completed) // so that all give way
	e.output = make(openresponses.Items, 0, len(response.Output))
	n := 0
	for i, item := range response.Output {
		call, isCall := item.(*openresponses.FunctionCall)
		switch {
		case !isCall && e.whole && item != nil:
			e.takeUnstreamed(i, item)
		case !isCall:
			e.output = append(e.output, item)
		case short && n == 0:
			e.take(completed)
		case short:
		case partners[n] != nil:
			e.take(partners[n : n+1])
		default:
			e.takeUnstreamed(i, call)
		}
		if isCall {
			n++
		}
	}
	if short && n == 0 {
		e.take(completed)
	}
	e.cutOffEnd()
	e.result.Response = response
	if e.changed {
		exchanged := *response
		exchanged.Output = e.output
		e.result.Response = &exchanged
	}
}

// take puts calls the stream completed next.
func (e *exchange) take(completed []*slot) {
	for _, s := range completed {
		call := s.item.(*openresponses.FunctionCall)
		e.changed = true
		e.output = append(e.output, call)
		e.add(call, s.status(), true)
	}
}

// takeUnstreamed puts next what only the response, at position i, completes.
func (e *exchange) takeUnstreamed(i int, item openresponses.Item) {
	n := nameOf(item)
	s := e.folder.match(i, n)
	if s == nil || s.done {
		s = e.folder.newSlot(n, item)
	}
	modelCallID := e.folder.complete(s, n, item)
	call, isCall := s.item.(*openresponses.FunctionCall)
	if isCall && *call != *item.(*openresponses.FunctionCall) {
		e.changed = true
	} else {
		s.item = item // the response's own, which nothing changes any more
	}
	e.output = append(e.output, s.item)
	if isCall {
		e.add(s.item.(*openresponses.FunctionCall), call.Status, false)
	}
	e.result.Unstreamed = append(e.result.Unstreamed,
		Unstreamed{Item: s.item, ModelCallID: modelCallID, Opened: s.opened, Slot: s.number})
}

func (e *exchange) add(call *openresponses.FunctionCall, status openresponses.Status, streamed bool) {
	cutOff := status == openresponses.StatusIncomplete ||
		!streamed && status != openresponses.StatusCompleted && e.folder.status != openresponses.ResponseStatusCompleted
	e.last = status
	e.result.Calls = append(e.result.Calls, Call{Item: call, CutOff: cutOff})
}

// cutOffEnd marks the call with which an incomplete response ends.
func (e *exchange) cutOffEnd() {
	if e.folder.status != openresponses.ResponseStatusIncomplete || e.last == openresponses.StatusCompleted {
		return
	}
	for _, item := range slices.Backward(e.output) {
		if item == nil {
			continue
		}
		if _, ok := item.(*openresponses.FunctionCall); ok {
			e.result.Calls[len(e.result.Calls)-1].CutOff = true
		}
		return
	}
}

// completedCalls lists the calls the stream completed, in opening order.
func (f *Folder) completedCalls() []*slot {
	var calls []*slot
	for _, s := range f.slots {
		if s.isCall() && s.done {
			calls = append(calls, s)
		}
	}
	return calls
}

// pair finds for each listed call the completed one that it is, nil where there is none left.
func pair(listed []*openresponses.FunctionCall, completed []*slot) []*slot {
	if sameOrder(listed, completed) {
		return completed
	}
	partners := make([]*slot, len(listed))
	pairBy(func(call *openresponses.FunctionCall) string { return call.ID }, func(s *slot) string { return s.id },
		listed, completed, partners)
	pairBy(func(call *openresponses.FunctionCall) string { return call.CallID }, func(s *slot) string { return s.call.CallID },
		listed, completed, partners)
	next := 0
	for i, call := range listed {
		for next < len(completed) && completed[next].listed != nil {
			next++
		}
		if partners[i] == nil && next < len(completed) {
			partners[i] = completed[next]
			completed[next].listed = call
		}
	}
	return partners
}

// sameOrder pairs the lists where they name the same items one by one, as those of any sound server do.
func sameOrder(listed []*openresponses.FunctionCall, completed []*slot) bool {
	if len(listed) != len(completed) {
		return false
	}
	for i, call := range listed {
		if call.ID == "" || call.ID != completed[i].id {
			return false
		}
	}
	for i, call := range listed {
		completed[i].listed = call
	}
	return true
}

// pairBy pairs those not paired yet that have the same ID of one sort.
func pairBy(
	listedID func(*openresponses.FunctionCall) string, completedID func(*slot) string,
	listed []*openresponses.FunctionCall, completed, partners []*slot,
) {
	waiting := make(map[string][]*slot)
	for _, s := range completed {
		if id := completedID(s); id != "" && s.listed == nil {
			waiting[id] = append(waiting[id], s)
		}
	}
	for i, call := range listed {
		id := listedID(call)
		if same := waiting[id]; partners[i] == nil && len(same) > 0 {
			waiting[id] = same[1:]
			partners[i] = same[0]
			same[0].listed = call
		}
	}
}
