package fold

import (
	"reflect"
	"slices"

	"github.com/ChristopherDavenport/openresponses"
)

// slot is one item of the stream.
type slot struct {
	number int
	typ    string
	id     string // the item ID it is known by
	callID string // of a call: the one it runs under
	opened bool   // its Open change has gone out
	done   bool

	index int                // of an opened slot: where it opened
	place *place             // at index
	below *slot              // opened before it at index, with the same type
	live  openresponses.Item // what the accumulator had when it opened

	item   openresponses.Item          // once done: as completed, or what replaced it
	sent   openresponses.Item          // once done, of anything but a call: as completed
	call   openresponses.FunctionCall  // once done: as the model sent it
	listed *openresponses.FunctionCall // the one of the terminal response that this call is paired with
}

// name identifies an item for as long as the stream lasts.
type name struct{ typ, id string }

// spot is where items of one type open.
type spot struct {
	index int
	typ   string
}

// place is what happened at one output index.
type place struct {
	open int   // slots open
	last *slot // the one the stream opened or completed last
	done *slot // the one it completed last
}

func (s *slot) isCall() bool { return s != nil && s.typ == openresponses.ItemTypeFunctionCall }

// isAnother reports whether a call with the given item ID is told apart from s by it.
func (s *slot) isAnother(id string) bool { return s.id != "" && id != "" && s.id != id }

// status is how a completed call ended, by what the stream and the terminal response say of it.
func (s *slot) status() openresponses.Status {
	said, listed := s.call.Status, s.call.Status
	if s.listed != nil {
		listed = s.listed.Status
	}
	for _, status := range [...]openresponses.Status{openresponses.StatusIncomplete, openresponses.StatusCompleted} {
		if said == status || listed == status {
			return status
		}
	}
	return ""
}

// restatedBy reports whether item is, in content, what completed s.
func (s *slot) restatedBy(item openresponses.Item) bool {
	if s == nil {
		return false
	}
	if call, ok := item.(*openresponses.FunctionCall); ok {
		return s.isCall() && *call == s.call
	}
	return reflect.DeepEqual(item, s.sent)
}

func (f *Folder) at(index int) *place {
	p := f.places[index]
	if p == nil {
		p = new(place)
		f.places[index] = p
	}
	return p
}

// newSlot makes the slot of an item that opens, or is first met, now.
func (f *Folder) newSlot(n name, item openresponses.Item) *slot {
	s := &slot{number: len(f.slots), typ: n.typ}
	if call, ok := item.(*openresponses.FunctionCall); ok {
		s.callID = f.decide(call.CallID)
	}
	f.slots = append(f.slots, s)
	f.rename(s, n.id)
	return s
}

// rename makes s known by a further item ID, in place of the one before.
func (f *Folder) rename(s *slot, id string) {
	if id == "" || id == s.id {
		return
	}
	if before := (name{s.typ, s.id}); f.named[before] == s {
		delete(f.named, before)
	}
	s.id = id
	f.named[name{s.typ, id}] = s
}

// push notes that s opened at index.
func (f *Folder) push(index int, s *slot) {
	where := spot{index, s.typ}
	s.below, f.open[where] = f.open[where], s
	s.index, s.place = index, f.at(index)
	s.place.open++
	s.place.last = s
}

// match finds the slot that an item at index means, complete or not; nil for an item of its own.
func (f *Folder) match(index int, n name) *slot {
	if n.id != "" {
		if s := f.named[n]; s != nil {
			return s
		}
	}
	s := f.lastOpen(spot{index, n.typ})
	if s.isCall() && s.isAnother(n.id) {
		return nil
	}
	return s
}

// lastOpen is the slot that opened last at where and is not complete. Complete ones go as they are met.
func (f *Folder) lastOpen(where spot) *slot {
	top := f.open[where]
	for top != nil && top.done {
		top = top.below
		f.open[where] = top
	}
	return top
}

// complete gives s its final item and returns the model's ID of a call that runs under another.
func (f *Folder) complete(s *slot, n name, item openresponses.Item) (modelCallID string) {
	s.done, s.live = true, nil
	if s.place != nil {
		s.place.open--
	}
	f.rename(s, n.id)
	call, ok := item.(*openresponses.FunctionCall)
	if !ok {
		s.sent = detach(item)
		s.item = s.sent
		return ""
	}
	s.call = *call
	own := *call
	own.CallID = s.callID
	own.Arguments = Sendable(call.Arguments)
	s.item = &own
	if own.CallID != call.CallID {
		return call.CallID
	}
	return ""
}

// current is the item of s as far as it is known.
func (f *Folder) current(s *slot) openresponses.Item {
	if s.done {
		return s.item
	}
	item := s.live
	if s.place.last == s {
		if there, ok := f.items.ItemAt(s.index); ok && there.ItemType() == s.typ {
			item = there
		}
	}
	if call, ok := item.(*openresponses.FunctionCall); ok {
		return under(s.callID, call)
	}
	return item
}

// under is call with the ID it runs under, a copy unless that is the model's.
func under(callID string, call *openresponses.FunctionCall) *openresponses.FunctionCall {
	if call.CallID == callID {
		return call
	}
	renamed := *call
	renamed.CallID = callID
	return &renamed
}

// nameOf is how the stream tells item from others of its type: not at all when it has no ID.
func nameOf(item openresponses.Item) name {
	if item == nil {
		return name{}
	}
	n := name{typ: item.ItemType()}
	if _, ok := item.(*openresponses.FunctionCall); !ok && n.typ == openresponses.ItemTypeFunctionCall {
		n.typ = "" // it only says so
	}
	switch item := item.(type) {
	case *openresponses.Message:
		n.id = item.ID
	case *openresponses.FunctionCall:
		n.id = item.ID
	case *openresponses.FunctionCallOutput:
		n.id = item.ID
	case *openresponses.ReasoningItem:
		n.id = item.ID
	case *openresponses.Compaction:
		n.id = item.ID
	case *openresponses.ItemReference:
		n.id = item.ID
	case *openresponses.UnknownItem:
		n.id = item.ID
	}
	return n
}

// detach copies of item what the accumulator may write to: no other type of item, and no other part, ever changes.
func detach(item openresponses.Item) openresponses.Item {
	switch item := item.(type) {
	case *openresponses.FunctionCall:
		own := *item
		return &own
	case *openresponses.Message:
		own := *item
		own.Content = detachParts(item.Content)
		return &own
	case *openresponses.ReasoningItem:
		own := *item
		own.Summary = detachParts(item.Summary)
		own.Content = detachParts(item.Content)
		return &own
	}
	return item
}

func detachParts(parts openresponses.Contents) openresponses.Contents {
	parts = slices.Clone(parts)
	for i, part := range parts {
		parts[i] = detachPart(part)
	}
	return parts
}

func detachPart(part openresponses.Content) openresponses.Content {
	switch part := part.(type) {
	case *openresponses.OutputText:
		own := *part
		own.Annotations = slices.Clone(part.Annotations)
		own.Logprobs = slices.Clone(part.Logprobs)
		return &own
	case *openresponses.Refusal:
		own := *part
		return &own
	case *openresponses.SummaryText:
		own := *part
		return &own
	case *openresponses.ReasoningText:
		own := *part
		return &own
	}
	return part
}

// detachEvent copies of an event what the accumulator would keep and write to, for events that are handed on: who
// follows the stream may read them on another goroutine.
func detachEvent(ev openresponses.StreamEvent) openresponses.StreamEvent {
	switch ev := ev.(type) {
	case *openresponses.ContentPartDoneEvent:
		own := *ev
		own.Part = detachPart(ev.Part)
		return &own
	case *openresponses.ReasoningSummaryPartDoneEvent:
		own := *ev
		own.Part = detachPart(ev.Part)
		return &own
	case *openresponses.OutputTextDoneEvent:
		if len(ev.Logprobs) > 0 {
			own := *ev
			own.Logprobs = slices.Clone(ev.Logprobs)
			return &own
		}
	}
	return ev
}
