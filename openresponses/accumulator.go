package openresponses

import (
	"maps"
	"slices"
)

// maxGap is how far beyond the end of a list an index may point and still be filled up to. Indexes come off the
// wire: one further out is a fault, and following it would let a hundred bytes claim gigabytes.
const maxGap = 1 << 10

// Accumulator folds the events of one stream into the response they describe. The zero value is ready to use; it is
// not safe for concurrent use.
//
// Folding a delta costs a constant, however long the text already is. Events are trusted no further than needed:
// one that names an item or a part that was never announced, that has a negative index, or that has an index more
// than 1024 places beyond the end of its list changes nothing. Item ids on deltas are not consulted, only indexes.
type Accumulator struct {
	response  *Response
	failure   *ErrorPayload // of the last error event
	positions map[int]int   // output index to position in response.Output, where events opened it
	closed    []bool        // by position: the item there is done
	reused    []int
	texts     map[*string]*textBuilder // of the texts still growing
}

// Response returns the response as folded so far: nil before the first event that bears on it. The pointer is live:
// later events change what it points to, and a later snapshot of the server's replaces it.
func (a *Accumulator) Response() *Response { return a.response }

// ReusedIndexes lists the output indexes under which the server opened a second item after it had closed the first,
// in stream order, once for each further item; nil for a conforming stream. The slice is the caller's.
func (a *Accumulator) ReusedIndexes() []int { return slices.Clone(a.reused) }

// Position returns the position in Response().Output of the item that events with the given output index name now,
// and false when there is none. The two differ only on streams that use an index more than once; after the terminal
// event an index stands for the place in the server's own list.
func (a *Accumulator) Position(outputIndex int) (int, bool) {
	if a.response == nil || outputIndex < 0 {
		return 0, false
	}
	pos, opened := a.positions[outputIndex]
	if !opened {
		if len(a.reused) > 0 {
			return 0, false
		}
		pos = outputIndex
	}
	if pos >= len(a.response.Output) || a.response.Output[pos] == nil {
		return 0, false
	}
	return pos, true
}

// ItemAt returns the item that events with the given output index name now: the accumulator's own, which later
// events change. It returns nil and false when there is none.
func (a *Accumulator) ItemAt(outputIndex int) (Item, bool) {
	pos, ok := a.Position(outputIndex)
	if !ok {
		return nil, false
	}
	return a.response.Output[pos], true
}

// output returns the list held.
func (a *Accumulator) output() Items {
	if a.response == nil {
		return nil
	}
	return a.response.Output
}

// Add folds one event. The accumulator keeps the items and parts that done events and snapshots carry, so they
// must not be changed afterwards; those of added events it copies. Events of unknown types are ignored.
func (a *Accumulator) Add(ev StreamEvent) {
	switch ev := ev.(type) {
	case *ResponseCreatedEvent:
		a.snapshot(ev.Response)
	case *ResponseQueuedEvent:
		a.snapshot(ev.Response)
	case *ResponseInProgressEvent:
		a.snapshot(ev.Response)
	case *ResponseCompletedEvent:
		a.snapshot(ev.Response)
	case *ResponseFailedEvent:
		a.snapshot(ev.Response)
	case *ResponseIncompleteEvent:
		a.snapshot(ev.Response)
	case *OutputItemAddedEvent:
		a.itemAdded(ev)
	case *OutputItemDoneEvent:
		a.itemDone(ev)
	case *ErrorEvent:
		a.fail(ev.Error)
	default:
		a.addToItem(ev)
	}
}

// fail notes an error that the server reported within the stream.
func (a *Accumulator) fail(payload ErrorPayload) {
	payload.Headers = maps.Clone(payload.Headers)
	a.failure = &payload
	if a.response == nil {
		a.response = &Response{}
	}
	a.response.Status = ResponseStatusFailed
	a.response.Error = a.failureCopy()
}

func (a *Accumulator) failureCopy() *ErrorPayload {
	payload := *a.failure
	payload.Headers = maps.Clone(payload.Headers)
	return &payload
}

// snapshot takes over the server's own statement of the response.
func (a *Accumulator) snapshot(stated *Response) {
	if stated == nil {
		return
	}
	next, held := stated.Clone(), a.output()
	a.response = next
	if next.Status == ResponseStatusFailed && next.Error == nil && a.failure != nil {
		next.Error = a.failureCopy()
	}
	// Clients fold what was streamed, so a statement made in passing that lists nothing is no reason to lose it,
	// nor is a last one that leaves its list out altogether.
	terminal := next.Status.Terminal()
	silent := len(next.Output) == 0 && (!terminal || next.omits("output"))
	switch {
	case silent && len(held) > 0:
		next.Output = held
	case !terminal && len(a.reused) > 0:
		a.mergeOutput(held)
	default:
		a.adoptOutput(a.closedIDs(held))
	}
}

// closedIDs are the IDs of the items in a list held that are done.
func (a *Accumulator) closedIDs(held Items) map[string]bool {
	var ids map[string]bool
	for pos, item := range held {
		if id, _ := itemState(item); id != "" && pos < len(a.closed) && a.closed[pos] {
			if ids == nil {
				ids = make(map[string]bool)
			}
			ids[id] = true
		}
	}
	return ids
}

// adoptOutput makes the list of a snapshot the accumulator's own: indexes are its positions again. closed has the IDs
// of the items that were done before it.
func (a *Accumulator) adoptOutput(closed map[string]bool) {
	clear(a.texts)
	clear(a.positions)
	a.closed = a.closed[:0]
	for pos, item := range a.response.Output {
		a.closed = append(a.closed, false)
		if item == nil {
			continue
		}
		a.open(pos, pos)
		id, status := itemState(item)
		if closed[id] || status != nil && (*status == StatusCompleted || *status == StatusIncomplete) {
			a.closed[pos] = true
		}
	}
}

// mergeOutput keeps the held items, whose indexes no longer match the positions of a snapshot's list, and adds from
// that list what is told apart by an id of its own.
func (a *Accumulator) mergeOutput(held Items) {
	known := make(map[string]bool, len(held))
	for _, item := range held {
		id, _ := itemState(item)
		known[id] = true
	}
	stated := a.response.Output
	a.response.Output = held
	for _, item := range stated {
		if id, _ := itemState(item); id != "" && !known[id] {
			known[id] = true
			a.response.Output = append(a.response.Output, cloneItem(item))
		}
	}
}

func (a *Accumulator) itemAdded(ev *OutputItemAddedEvent) {
	pos, ok := a.place(ev.OutputIndex, ev.Item, false)
	if !ok {
		return
	}
	a.response.Output[pos] = cloneItem(ev.Item)
	a.closed[pos] = false
}

func (a *Accumulator) itemDone(ev *OutputItemDoneEvent) {
	pos, ok := a.place(ev.OutputIndex, ev.Item, true)
	if !ok {
		return
	}
	a.response.Output[pos] = ev.Item
	a.closed[pos] = true
}

// place finds the position at which the item of an added or done event belongs, and makes room for it.
func (a *Accumulator) place(index int, item Item, done bool) (int, bool) {
	if item == nil || index < 0 {
		return 0, false
	}
	end := len(a.output())
	pos, opened := a.positions[index]
	if !opened {
		pos = index
		if len(a.reused) > 0 {
			pos = end
		}
	}
	if a.isDifferent(pos, item, done) {
		pos = end
		a.reused = append(a.reused, index)
	}
	if pos > end+maxGap {
		return 0, false
	}
	if a.response == nil {
		a.response = &Response{Status: ResponseStatusInProgress}
	}
	a.response.Output = padTo(a.response.Output, pos+1)
	a.closed = padTo(a.closed, pos+1)
	a.open(index, pos)
	return pos, true
}

// isDifferent reports whether an item that arrives for a position is another one than the item that is there. An
// item still open is always the one meant. A closed one may be stated once more, under its id, or without any by a
// done event; anything else means that the server uses the index for a further item.
func (a *Accumulator) isDifferent(pos int, item Item, done bool) bool {
	output := a.output()
	if pos >= len(output) || output[pos] == nil || pos >= len(a.closed) || !a.closed[pos] {
		return false
	}
	id, _ := itemState(item)
	if id == "" {
		return !done
	}
	held, _ := itemState(output[pos])
	return id != held
}

func (a *Accumulator) open(index, pos int) {
	if a.positions == nil {
		a.positions = make(map[int]int)
	}
	a.positions[index] = pos
}

// padTo lengthens s with zero values to n elements.
func padTo[S ~[]E, E any](s S, n int) S {
	if n <= len(s) {
		return s
	}
	return append(s, make(S, n-len(s))...)
}

// itemState returns the id of an item and where its status is kept; an empty id and nil for what has none, as item
// types registered from outside.
func itemState(item Item) (id string, status *Status) {
	switch item := item.(type) {
	case *Message:
		return item.ID, &item.Status
	case *FunctionCall:
		return item.ID, &item.Status
	case *FunctionCallOutput:
		return item.ID, &item.Status
	case *ReasoningItem:
		return item.ID, &item.Status
	case *Compaction:
		return item.ID, &item.Status
	case *ItemReference:
		return item.ID, nil
	case *UnknownItem:
		return item.ID, &item.Status
	}
	return "", nil
}
