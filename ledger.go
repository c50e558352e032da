package agentturn

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/ChristopherDavenport/agentturn/internal/callid"
	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// ledger is a transcript that knows what a run keeps asking of it: which calls wait for an
// output, which call IDs are taken, what the model is to see. It learns each item once, as
// it joins, so that a question costs what is new and not a pass over the history.
//
// The items are only ever appended to, so every slice handed out, capped at its length,
// stands still while the ledger grows.
type ledger struct {
	items Transcript

	// open holds the calls without an output, in transcript order.
	open []*openresponses.FunctionCall

	// wire is what a server is sent under the default filter. Until an item differs from
	// its wire form it is items itself, and unused.
	wire    Transcript
	differs bool
	// rewritten maps an item that a strict server would refuse to the form it is sent in.
	rewritten map[openresponses.Item]openresponses.Item
	// misnamed says that a call has a name that a strict server refuses, see run.rename.
	misnamed bool

	// taken holds the call IDs of items; it is built when the model first makes a call.
	taken *callid.Table
}

// newLedger learns t, which it does not copy: fork it before it grows.
func newLedger(t Transcript) *ledger {
	l := &ledger{}
	for i, item := range t {
		l.items = t[:i]
		l.learn(item)
	}
	l.items = t[:len(t):len(t)]
	l.settleStrays()
	return l
}

// fork is a ledger of the same items that grows on its own.
func (l *ledger) fork() *ledger {
	f := *l
	f.items = append(make(Transcript, 0, len(l.items)+16), l.items...)
	f.open = slices.Clone(l.open)
	f.wire = l.wire[:len(l.wire):len(l.wire)]
	f.rewritten = maps.Clone(l.rewritten)
	f.taken = nil
	return &f
}

// append adds item, which is not nil.
func (l *ledger) append(item openresponses.Item) {
	call, _ := item.(*openresponses.FunctionCall)
	// The ID of a call that the loop named is new to the transcript; one that a caller
	// appends may have its output already.
	strayed := call != nil && (l.taken == nil || l.taken.Taken(call.CallID)) && l.answered(call.CallID)
	l.learn(item)
	l.items = append(l.items, item)
	if strayed {
		l.open = slices.DeleteFunc(l.open, func(c *openresponses.FunctionCall) bool { return c == call })
	}
}

// learn takes note of item, the next one.
func (l *ledger) learn(item openresponses.Item) {
	hidden := true
	if isNil(item) {
		item = nil // of a seeded transcript, perhaps with a type
	} else {
		hidden = namespaced(item)
	}
	sent, place := item, len(l.visible())
	switch item := item.(type) {
	case *openresponses.FunctionCall:
		l.open = append(l.open, item)
		l.misnamed = l.misnamed || item.Name != plainName(item.Name)
		if l.taken != nil {
			l.taken.Take(item.CallID)
		}
		if form := callOnWire(item); form != item {
			l.rewrite(item, form)
			sent = form
		}
	case *openresponses.FunctionCallOutput:
		l.close(item.CallID)
		place = outputPlace(l.visible(), shortID(item.CallID))
		if l.taken != nil {
			l.taken.Take(item.CallID)
		}
		if form := outputOnWire(item); form != item {
			l.rewrite(item, form)
			sent = form
		}
	}
	late := place < len(l.visible())
	if !l.differs && (hidden || late || sent != item) {
		l.differs = true
		l.wire = slices.Clone(l.items)
	}
	switch {
	case !l.differs || hidden:
	case late:
		l.wire = slices.Concat(l.wire[:place], Transcript{sent}, l.wire[place:])
	default:
		l.wire = append(l.wire, sent)
	}
}

func (l *ledger) rewrite(item, form openresponses.Item) {
	if l.rewritten == nil {
		l.rewritten = make(map[openresponses.Item]openresponses.Item)
	}
	l.rewritten[item] = form
}

// close takes the calls with id off the open list.
func (l *ledger) close(id string) {
	i := slices.IndexFunc(l.open, func(c *openresponses.FunctionCall) bool { return c.CallID == id })
	if i < 0 {
		return
	}
	l.open = slices.Delete(l.open, i, i+1)
	l.close(id) // a seeded transcript may hold two calls of one ID
}

// settleStrays closes the calls whose output stands before them: an output answers its
// call wherever it is. Such a transcript is rare, so the common one pays nothing for it.
func (l *ledger) settleStrays() {
	if len(l.open) == 0 {
		return
	}
	outputs := make(map[string]struct{})
	for _, item := range l.items {
		if out, ok := item.(*openresponses.FunctionCallOutput); ok && out != nil {
			outputs[out.CallID] = struct{}{}
		}
	}
	seen := make(map[string]struct{})
	l.open = slices.DeleteFunc(l.open, func(c *openresponses.FunctionCall) bool {
		_, done := outputs[c.CallID]
		_, twice := seen[c.CallID]
		seen[c.CallID] = struct{}{}
		return done || twice
	})
}

// answered reports whether some output carries id.
func (l *ledger) answered(id string) bool {
	return slices.ContainsFunc(l.items, func(item openresponses.Item) bool {
		out, ok := item.(*openresponses.FunctionCallOutput)
		return ok && out != nil && out.CallID == id
	})
}

// isTaken reports whether some call or output of the transcript carries id.
func (l *ledger) isTaken(id string) bool {
	if l.taken == nil {
		l.taken = &callid.Table{}
		for _, item := range l.items {
			if isNil(item) {
				continue
			}
			switch item := item.(type) {
			case *openresponses.FunctionCall:
				l.taken.Take(item.CallID)
			case *openresponses.FunctionCallOutput:
				l.taken.Take(item.CallID)
			}
		}
	}
	return l.taken.Taken(id)
}

// snapshot is the transcript as it stands; it does not change when the ledger grows.
func (l *ledger) snapshot() Transcript { return l.items[:len(l.items):len(l.items)] }

// visible is what a server is sent of the transcript when neither a filter nor a transform
// is set. Like snapshot it does not change when the ledger grows.
func (l *ledger) visible() Transcript {
	if !l.differs {
		return l.snapshot()
	}
	return l.wire[:len(l.wire):len(l.wire)]
}

// onWire puts each item of t in its wire form and each output in its place. t is the
// caller's own copy.
func (l *ledger) onWire(t Transcript) Transcript {
	for i, item := range t {
		switch item.(type) {
		case *openresponses.FunctionCall, *openresponses.FunctionCallOutput:
			if form, ok := l.rewritten[item]; ok {
				item, t[i] = form, form
			}
		}
		if out, ok := item.(*openresponses.FunctionCallOutput); ok && out != nil {
			place := outputPlace(t[:i], out.CallID)
			copy(t[place+1:i+1], t[place:i])
			t[place] = item
		}
	}
	return t
}

// outputPlace is where behind t, as a server is sent it, the output of the call id goes: ahead
// of the messages to the model that came between the two, the note of another answer for one,
// since a strict server wants every call answered before the next message.
func outputPlace(t Transcript, id string) int {
	place, response := len(t), false
	for i := len(t) - 1; i >= 0; i-- {
		switch item := t[i].(type) {
		case *openresponses.FunctionCall:
			if item != nil && item.CallID == id {
				return place
			}
			response = true
		case *openresponses.Message:
			switch {
			case item == nil:
			case item.Role == openresponses.RoleAssistant:
				response = true
			case response:
				return len(t) // the call is not of the last response
			default:
				place = i
			}
		case *openresponses.FunctionCallOutput:
			if item != nil && (response || item.CallID == id) {
				return len(t)
			}
		}
	}
	return len(t)
}

// callOnWire is call itself, or a copy of it that a strict server takes: the arguments of
// a call that did not come as JSON, which the model has been told of in the call's output,
// are left out, text that is no UTF-8 or half a surrogate pair is replaced, and an ID that
// is too long gets a short one.
func callOnWire(call *openresponses.FunctionCall) *openresponses.FunctionCall {
	id, arguments := shortID(call.CallID), fold.Sendable(call.Arguments)
	if !json.Valid([]byte(arguments)) {
		arguments = "{}"
	}
	if id == call.CallID && arguments == call.Arguments {
		return call
	}
	form := *call
	form.CallID, form.Arguments = id, arguments
	return &form
}

// outputOnWire does for an output what callOnWire does for its call.
func outputOnWire(out *openresponses.FunctionCallOutput) *openresponses.FunctionCallOutput {
	id := shortID(out.CallID)
	output, changed := validOutput(out.Output)
	if id == out.CallID && !changed {
		return out
	}
	form := *out
	form.CallID, form.Output = id, output
	return &form
}

// shortID is id, or what stands for one that is too long: the same for every item.
func shortID(id string) string {
	if len(id) <= callid.MaxLength {
		return id
	}
	return callid.Derive(callid.Prefix(id), id)
}
