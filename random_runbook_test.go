package agentturn_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// runBook follows one run by its events and says what has to follow from them.
type runBook struct {
	faults     []string
	transcript agentturn.Transcript
	start      int // of the run
	known      []agentturn.PendingCall
	approved   map[string]agentturn.Answer
	refused    map[agentturn.Event]bool

	streaming bool
	inputs    openresponses.Items
	args      map[string]json.RawMessage         // of the last tool_start
	handed    map[string]*agentturn.ToolDispatch // that no subscriber refused
	refusedTo map[string]bool                    // handed over, but for a subscriber
	deferred  map[string]bool
}

// newRunBook opens the book of a run on a transcript in which the known calls are pending.
func newRunBook(transcript agentturn.Transcript, known []agentturn.PendingCall, approved map[string]agentturn.Answer, refused map[agentturn.Event]bool) *runBook {
	return &runBook{
		transcript: slices.Clone(transcript), start: len(transcript), known: known, approved: approved, refused: refused,
		args: map[string]json.RawMessage{}, handed: map[string]*agentturn.ToolDispatch{}, refusedTo: map[string]bool{}, deferred: map[string]bool{},
	}
}

func (b *runBook) fault(format string, args ...any) {
	b.faults = append(b.faults, fmt.Sprintf(format, args...))
}

func (b *runBook) take(ev agentturn.Event) {
	switch ev := ev.(type) {
	case *agentturn.TurnStart:
		b.streaming = true
		b.turnStart(ev)
	case *agentturn.ResponseEnd:
		b.streaming = false
		b.inputs = nil
	case *agentturn.ItemEnd:
		b.transcript = append(b.transcript, ev.Item)
		if !b.streaming {
			b.inputs = append(b.inputs, ev.Item)
		}
	case *agentturn.ToolStart:
		b.args[ev.CallID] = ev.Args
	case *agentturn.ToolDispatch:
		if b.refused[ev] {
			b.refusedTo[ev.CallID] = true
		} else {
			b.handed[ev.CallID] = ev
		}
	case *agentturn.ToolEnd:
		b.deferred[ev.CallID] = ev.Deferred
	case *agentturn.RunEnd:
		b.runEnd(ev)
	}
}

// turnStart: the turn answers what joined since the last response, and the request holds the whole transcript.
func (b *runBook) turnStart(ev *agentturn.TurnStart) {
	if !slices.Equal(ev.Inputs, b.inputs) {
		b.fault("turn %d answers %s, and %s joined", ev.Turn, kinds(ev.Inputs), kinds(b.inputs))
	}
	sent, want := visible(ev.Request.Input), visible(openresponses.Items(b.transcript))
	if added := len(sent) - len(want); added == 1 && strings.HasPrefix(sent[added+len(want)-1], "developer:transform") {
		sent = sent[:len(want)]
	}
	if !slices.Equal(sent, want) {
		b.fault("turn %d sends %s of %s", ev.Turn, strings.Join(sent, " "), strings.Join(want, " "))
	}
}

// visible writes the items that every request holds: reasoning depends on the model, and extensions are the host's.
func visible(list openresponses.Items) (out []string) {
	for _, item := range list {
		switch item := item.(type) {
		case *openresponses.Message:
			out = append(out, string(item.Role)+":"+item.Text())
		case *openresponses.FunctionCall:
			out = append(out, "call:"+item.Name+short(item.CallID))
		case *openresponses.FunctionCallOutput:
			out = append(out, "output:"+short(item.CallID))
		}
	}
	return out
}

// short is a call ID but for one that is too long to be sent.
func short(id string) string {
	if len(id) > 64 {
		return "long"
	}
	return id
}

func (b *runBook) runEnd(ev *agentturn.RunEnd) {
	if !slices.Equal(ev.Items, b.transcript[b.start:]) {
		b.fault("the run's items are %s, and %s was appended", kinds(openresponses.Items(ev.Items)), kinds(openresponses.Items(b.transcript[b.start:])))
	}
	var want []agentturn.PendingCall
	for _, call := range unanswered(b.transcript) {
		want = append(want, b.pending(call))
	}
	if describe(ev.Pending) != describe(want) {
		b.fault("pending is %s, by the events %s", describe(ev.Pending), describe(want))
	}
}

// unanswered are the calls without an output, in order.
func unanswered(transcript agentturn.Transcript) []*openresponses.FunctionCall {
	answered := map[string]bool{}
	for _, item := range transcript {
		if out, ok := item.(*openresponses.FunctionCallOutput); ok {
			answered[out.CallID] = true
		}
	}
	return slices.DeleteFunc(callsOf(openresponses.Items(transcript)), func(c *openresponses.FunctionCall) bool { return answered[c.CallID] })
}

// pending is what follows from the events for a call without an output.
func (b *runBook) pending(call *openresponses.FunctionCall) agentturn.PendingCall {
	id := call.CallID
	p := agentturn.PendingCall{Call: call, Reason: agentturn.PendingUnknown}
	var before *agentturn.PendingCall
	if i := slices.IndexFunc(b.known, func(k agentturn.PendingCall) bool { return k.Call.CallID == id }); i >= 0 {
		before = &b.known[i]
	}
	_, approved := b.approved[id]
	appended := slices.Contains(b.transcript[b.start:], openresponses.Item(call))
	switch {
	case b.deferred[id]:
		p.Reason, p.Args = agentturn.PendingDeferred, b.changed(call)
	case b.handed[id] != nil:
		p.Reason, p.Args, p.IdempotencyKey = agentturn.PendingAborted, b.changed(call), b.handed[id].IdempotencyKey
	case before != nil && before.MayHaveRun():
		p = *before
		if p.Dispatched && approved {
			p.Reason, p.Dispatched = agentturn.PendingAborted, false
		}
	case b.refusedTo[id] || appended || approved:
		p.Reason = agentturn.PendingUndispatched
	case before != nil:
		p = *before
	}
	return p
}

// changed are the arguments that the call was announced with, where they are not its own.
func (b *runBook) changed(call *openresponses.FunctionCall) json.RawMessage {
	own := call.Arguments
	if own == "" {
		own = "{}"
	}
	args := b.args[call.CallID]
	if string(args) == own || sameValue(args, []byte(own)) {
		return nil
	}
	return args
}

// describe writes all that a pending list says, but for the tools.
func describe(list []agentturn.PendingCall) string {
	var out []string
	for _, p := range list {
		out = append(out, fmt.Sprintf("%s=%s %t %q %s", p.Call.CallID, p.Reason, p.Dispatched, p.IdempotencyKey, p.Args))
	}
	return strings.Join(out, "; ")
}
