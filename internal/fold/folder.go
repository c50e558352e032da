package fold

import "github.com/ChristopherDavenport/openresponses"

// Folder folds the events of one attempt, and after [Folder.Reset] those of the next. Get one from [New]; it is not
// safe for concurrent use.
type Folder struct {
	decide   func(modelID string) string
	items    openresponses.Accumulator
	slots    []*slot // in opening order
	named    map[name]*slot
	open     map[spot]*slot // the one that opened last; the others are below it
	places   map[int]*place // by output index
	streamed bool           // an item came outside the terminal response

	terminal *openresponses.Response      // the last one
	status   openresponses.ResponseStatus // the terminal response's, or what its event implies
	result   *Result                      // once asked for
	change   [1]Change                    // what Add returns
}

// New returns the folder of one attempt. It asks decide for the ID of each call, once, with the model's ID, which
// may be empty: when the call opens, or, if it never did, when it completes or is first met in the terminal
// response. IDs must be unique among the calls of the attempt. A nil decide keeps the model's.
func New(decide func(modelID string) string) *Folder {
	if decide == nil {
		decide = func(modelID string) string { return modelID }
	}
	return &Folder{
		decide: decide,
		named:  make(map[name]*slot),
		open:   make(map[spot]*slot),
		places: make(map[int]*place),
	}
}

// Reset makes f ready for another attempt. What it returned before stays valid.
func (f *Folder) Reset() {
	clear(f.named)
	clear(f.open)
	clear(f.places)
	*f = Folder{decide: f.decide, named: f.named, open: f.open, places: f.places}
}

// Kind says what a [Change] is.
type Kind uint8

const (
	Open     Kind = iota + 1 // an item opened
	Update                   // an event inside an item
	Done                     // an item completed
	Fail                     // the server reported an error
	Terminal                 // a terminal response arrived; of several the last counts
)

// Change is what one event did.
type Change struct {
	Kind Kind

	// Slot is the item's place in opening order, from 0, of an Open or Done change.
	Slot int

	// Item is the item of an Open or Update change as accumulated so far, or nil when there is none: live, or for
	// a call under another ID than the model's a copy. Of a Done change it is the completed item, the receiver's.
	Item openresponses.Item

	// Event is the wire event of an Update.
	Event openresponses.StreamEvent

	// ResponseID is the response's ID as far as the stream has told it; empty until then.
	ResponseID string

	// ModelCallID, of a Done change, is the model's ID of a call that runs under another; else empty.
	ModelCallID string

	// Commits says that the item of an Open change is a message or a function call: the answer has begun.
	Commits bool

	// Err is the error of a Fail.
	Err error
}

// Add folds one event, which is the folder's from now on, and returns what it changed: one change, or nil. The slice is
// valid until the next Add.
func (f *Folder) Add(ev openresponses.StreamEvent) []Change {
	if ev == nil {
		return nil
	}
	if response, ok := openresponses.TerminalResponse(ev); ok && response != nil {
		f.end(response, ev.EventType())
		return f.changed(Change{Kind: Terminal})
	}
	f.items.Add(detachEvent(ev))
	if index, ok := OutputIndex(ev); ok {
		return f.changed(Change{Kind: Update, Item: f.itemAt(index), Event: ev})
	}
	switch ev := ev.(type) {
	case *openresponses.OutputItemAddedEvent:
		return f.added(ev.OutputIndex, ev.Item)
	case *openresponses.OutputItemDoneEvent:
		return f.done(ev.OutputIndex, ev.Item)
	case *openresponses.ErrorEvent:
		return f.changed(Change{Kind: Fail, Err: ev.Err()})
	}
	return nil
}

func (f *Folder) changed(c Change) []Change {
	switch response := f.items.Response(); {
	case f.terminal != nil:
		c.ResponseID = f.terminal.ID
	case response != nil:
		c.ResponseID = response.ID
	}
	f.change[0] = c
	return f.change[:]
}

// itemAt is what the accumulator has at index, a call under the ID it runs under.
func (f *Folder) itemAt(index int) openresponses.Item {
	item, _ := f.items.ItemAt(index)
	call, ok := item.(*openresponses.FunctionCall)
	if !ok {
		return item
	}
	if s := f.owner(index, call); s != nil {
		return under(s.callID, call)
	}
	return item
}

// owner is the slot of the call that the accumulator has at index.
func (f *Folder) owner(index int, call *openresponses.FunctionCall) *slot {
	if call.ID != "" {
		if s := f.named[nameOf(call)]; s != nil {
			return s
		}
	}
	p := f.places[index]
	if p == nil || !p.last.isCall() || p.last.isAnother(call.ID) {
		return nil
	}
	return p.last
}

// added opens an item. An item whose ID is known is no new one.
func (f *Folder) added(index int, item openresponses.Item) []Change {
	n := nameOf(item)
	if n.id != "" && f.named[n] != nil {
		f.at(index).last = f.named[n]
		return nil
	}
	s := f.newSlot(n, item)
	s.opened = true
	f.push(index, s)
	c := Change{Kind: Open, Slot: s.number}
	if item != nil { // at its index there may be the item before it
		f.streamed = true
		s.live, _ = f.items.ItemAt(index)
		c.Item = f.itemAt(index)
		switch s.live.(type) {
		case *openresponses.Message, *openresponses.FunctionCall:
			c.Commits = true
		}
	}
	return f.changed(c)
}

// done completes an item.
func (f *Folder) done(index int, item openresponses.Item) []Change {
	if item == nil {
		return nil
	}
	n := nameOf(item)
	p := f.at(index)
	s := f.match(index, n)
	if s == nil && n.id == "" && p.open == 0 && p.done.restatedBy(item) {
		return nil
	}
	if s != nil && s.done {
		p.last = s
		return nil
	}
	if s == nil {
		s = f.newSlot(n, item)
	}
	f.streamed = true
	p.last, p.done = s, s
	modelCallID := f.complete(s, n, item)
	return f.changed(Change{Kind: Done, Slot: s.number, Item: s.item, ModelCallID: modelCallID})
}

// end takes a terminal response. It is not folded: what it lists is compared with what was streamed, by [Folder.Result].
func (f *Folder) end(response *openresponses.Response, eventType string) {
	f.terminal = response
	// What the event is called counts more than what a sloppy server says in it.
	if !response.Status.Terminal() {
		corrected := *response
		switch eventType {
		case openresponses.EventResponseCompleted:
			corrected.Status = openresponses.ResponseStatusCompleted
		case openresponses.EventResponseIncomplete:
			corrected.Status = openresponses.ResponseStatusIncomplete
		case openresponses.EventResponseFailed:
			corrected.Status = openresponses.ResponseStatusFailed
		}
		f.terminal = &corrected
	}
	f.status = f.terminal.Status
}

// Replace notes what stands in the place of a completed item, for [Folder.Before]. With a nil item, or a slot that
// is not complete, it has no effect.
func (f *Folder) Replace(slot int, item openresponses.Item) {
	if slot >= 0 && slot < len(f.slots) && item != nil {
		f.slots[slot].item = item
	}
}

// Before returns the items that opened before slot, in opening order: each as completed or replaced, or, while it
// is open, as accumulated, live. It leaves out those that opened without an item. The slice is the caller's.
func (f *Folder) Before(slot int) openresponses.Items {
	slot = max(0, min(slot, len(f.slots)))
	items := make(openresponses.Items, 0, slot)
	for _, s := range f.slots[:slot] {
		if item := f.current(s); item != nil {
			items = append(items, item)
		}
	}
	return items
}

// Response returns the last terminal response as the server sent it, or nil when none came. A status that is none of
// a response that ended is put right by the event that carried it.
func (f *Folder) Response() *openresponses.Response { return f.terminal }

// Accumulated returns the response as far as the stream has told it: live, and nil when it has told nothing.
func (f *Folder) Accumulated() *openresponses.Response { return f.items.Response() }

// OutputIndex returns the output index of an event inside an item, those that an [Update] stands for, and false for
// any other.
func OutputIndex(ev openresponses.StreamEvent) (int, bool) {
	switch ev := ev.(type) {
	case *openresponses.OutputTextDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.FunctionCallArgumentsDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningSummaryTextDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.RefusalDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.ContentPartAddedEvent:
		return ev.OutputIndex, true
	case *openresponses.ContentPartDoneEvent:
		return ev.OutputIndex, true
	case *openresponses.OutputTextDoneEvent:
		return ev.OutputIndex, true
	case *openresponses.OutputTextAnnotationAddedEvent:
		return ev.OutputIndex, true
	case *openresponses.RefusalDoneEvent:
		return ev.OutputIndex, true
	case *openresponses.FunctionCallArgumentsDoneEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningSummaryPartAddedEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningSummaryPartDoneEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningSummaryTextDoneEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningDoneEvent:
		return ev.OutputIndex, true
	}
	return 0, false
}
