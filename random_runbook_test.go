package agentturn_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ChristopherDavenport/agenttool"
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
	results   map[string]agenttool.Result // of the last tool_end
	cut       map[string]bool             // ended by the end of its context
	failed    bool                        // a subscriber refused what the run cannot do without
	calls     int                         // of the last turn
	// refusedReport: a subscriber refused a report ahead of the next event.
	refusedReport bool
	stops         bool // a result of the turn asked for it
}

// newRunBook opens the book of a run on a transcript in which the known calls are pending.
func newRunBook(transcript agentturn.Transcript, known []agentturn.PendingCall, approved map[string]agentturn.Answer, refused map[agentturn.Event]bool) *runBook {
	return &runBook{
		transcript: slices.Clone(transcript), start: len(transcript), known: known, approved: approved, refused: refused,
		args: map[string]json.RawMessage{}, handed: map[string]*agentturn.ToolDispatch{}, refusedTo: map[string]bool{}, deferred: map[string]bool{},
		results: map[string]agenttool.Result{}, cut: map[string]bool{},
	}
}

func (b *runBook) fault(format string, args ...any) {
	b.faults = append(b.faults, fmt.Sprintf(format, args...))
}

func (b *runBook) take(ev agentturn.Event) {
	// A report is delivered with the event that it is ahead of: a subscriber that refuses it refuses both.
	refused := b.refused[ev] || b.refusedReport
	b.refusedReport = refused && ev.EventType() == agentturn.EventQueued
	switch ev.(type) {
	case *agentturn.RunEnd, *agentturn.Queued, *agentturn.ToolStart, *agentturn.ToolDispatch, *agentturn.ToolUpdate, *agentturn.ToolEnd:
		// Not a failure of the run, or perhaps one of a nested call.
	default:
		b.failed = b.failed || refused
	}
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
		_, isOutput := ev.Item.(*openresponses.FunctionCallOutput)
		if isOutput && len(b.args) == 0 && strings.Contains(kinds(b.inputs), "note of an answer") {
			b.fault("an output that answers follows a note: %s", kinds(b.inputs))
		}
		if m, ok := ev.Item.(*openresponses.Message); ok && b.calls > 0 && (strings.HasPrefix(m.Text(), "follow-up") || strings.HasPrefix(m.Text(), "queue")) {
			b.fault("%q follows a turn with calls", m.Text())
		}
		b.output(ev.Item)
	case *agentturn.ToolStart:
		b.args[ev.CallID] = ev.Args
		b.toolStart(ev)
	case *agentturn.ToolDispatch:
		if want := b.keyOf(ev); ev.Parent == "" && ev.IdempotencyKey != want {
			b.fault("call %s is handed over under the key %q, want %q", ev.CallID, ev.IdempotencyKey, want)
		}
		if refused {
			b.refusedTo[ev.CallID] = true
		} else {
			b.handed[ev.CallID] = ev
		}
	case *agentturn.ToolEnd:
		b.deferred[ev.CallID] = ev.Deferred
		b.results[ev.CallID] = ev.Result
		b.cut[ev.CallID] = errors.Is(ev.Err, context.Canceled)
	case *agentturn.TurnEnd:
		b.turnEnd(ev)
	case *agentturn.RunEnd:
		b.runEnd(ev)
	}
}

// before is what was known of a call before the run, and how it was approved.
func (b *runBook) before(id string, turn int) (known agentturn.PendingCall, answer agentturn.Answer) {
	if turn > 0 {
		return known, answer
	}
	for _, p := range b.known {
		if p.Call.CallID == id {
			known = p
		}
	}
	return known, b.approved[id]
}

// keyOf is the key of a call that is handed over: the answer's, that of the hand-over it repeats, or one of its own.
func (b *runBook) keyOf(ev *agentturn.ToolDispatch) string {
	known, answer := b.before(ev.CallID, ev.Turn)
	return cmp.Or(answer.IdempotencyKey, known.IdempotencyKey, ev.RunID+"/"+ev.CallID)
}

// toolStart: a call runs with what the decision says, else the answer, else what it was pending with, else its own.
func (b *runBook) toolStart(ev *agentturn.ToolStart) {
	i := slices.IndexFunc(b.transcript, func(item openresponses.Item) bool {
		call, ok := item.(*openresponses.FunctionCall)
		return ok && call.CallID == ev.CallID
	})
	if ev.Parent != "" || i < 0 {
		return
	}
	known, answer := b.before(ev.CallID, ev.Turn)
	want := json.RawMessage(cmp.Or(b.transcript[i].(*openresponses.FunctionCall).Arguments, "{}"))
	for _, args := range []json.RawMessage{known.Args, answer.Args} {
		if args != nil {
			want = args
		}
	}
	if ev.Decision != nil && ev.Decision.Args != nil {
		want = ev.Decision.Args
	}
	if string(ev.Args) != string(want) {
		b.fault("call %s starts with %s, want %s", ev.CallID, ev.Args, want)
	}
}

// output: what the model is told of a call is what its tool_end said, and of one that was cut off it is told nothing.
func (b *runBook) output(item openresponses.Item) {
	out, ok := item.(*openresponses.FunctionCallOutput)
	if !ok {
		return
	}
	if b.cut[out.CallID] || b.refusedTo[out.CallID] {
		b.fault("call %s was cut off or kept from running, and has the output %q", out.CallID, out.Output.Text)
	}
	if result, ended := b.results[out.CallID]; ended && out.Output.Text != strings.ToValidUTF8(result.Output.Text, "\uFFFD") {
		b.fault("call %s came to %q, and the model is told %q", out.CallID, result.Output.Text, out.Output.Text)
	}
}

// turnEnd: there is a result for each call, and one that asks to stop is heard.
func (b *runBook) turnEnd(ev *agentturn.TurnEnd) {
	calls := ev.Response.FunctionCalls()
	b.calls = len(calls)
	if len(calls) != len(ev.ToolResults) {
		b.fault("turn %d has %d results for %d calls", ev.Turn, len(ev.ToolResults), len(calls))
		return
	}
	for i, call := range calls {
		if b.deferred[call.CallID] {
			b.stops = true
		} else if got, want := ev.ToolResults[i], b.results[call.CallID]; got.Output.Text != want.Output.Text || got.Terminate != want.Terminate {
			b.fault("turn %d: call %s came to %+v, and its result is %+v", ev.Turn, call.CallID, want, got)
		}
		b.stops = b.stops || ev.ToolResults[i].Terminate
	}
}

// turnStart: the turn answers what joined since the last response, and the request holds the whole transcript.
func (b *runBook) turnStart(ev *agentturn.TurnStart) {
	if b.stops {
		b.fault("turn %d follows one that had to be the last", ev.Turn)
	}
	if !slices.Equal(ev.Inputs, b.inputs) {
		b.fault("turn %d answers %s, and %s joined", ev.Turn, kinds(ev.Inputs), kinds(b.inputs))
	}
	sent, want := visible(ev.Request.Input), visible(notesLast(openresponses.Items(b.transcript)))
	if added := len(sent) - len(want); added == 1 && strings.HasPrefix(sent[added+len(want)-1], "developer:transform") {
		sent = sent[:len(want)]
	}
	if !slices.Equal(sent, want) {
		b.fault("turn %d sends %s of %s", ev.Turn, strings.Join(sent, " "), strings.Join(want, " "))
	}
}

// notesLast is the order in which a server is sent a transcript, which may hold a note on one call ahead of the output of
// another that waited for a person: every call is answered before the next message.
func notesLast(input openresponses.Items) openresponses.Items {
	var out, notes openresponses.Items
	open := map[string]bool{}
	for _, item := range input {
		switch item := item.(type) {
		case *openresponses.FunctionCall:
			open[item.CallID] = true
		case *openresponses.FunctionCallOutput:
			delete(open, item.CallID)
		case *openresponses.Message:
			if len(open) > 0 && strings.HasPrefix(item.Text(), "note of ") {
				notes = append(notes, item)
				continue
			}
		}
		out = append(out, item)
		if len(open) == 0 {
			out, notes = append(out, notes...), nil
		}
	}
	return append(out, notes...)
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
	var panicked *agentturn.PanicError
	if b.failed && !errors.Is(ev.Err, errTest) && !errors.As(ev.Err, &panicked) {
		b.fault("a subscriber failed, and the run ended %s: %v", ev.Reason, ev.Err)
	}
	if ev.Cause == agentturn.StopRefused && len(b.args) == 0 && strings.Contains(kinds(b.inputs), "steer") {
		b.fault("a refusal took what was queued: %s", kinds(b.inputs))
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
		if b.handed[id] != nil { // its tool holds it
			p.Dispatched, p.IdempotencyKey = true, b.handed[id].IdempotencyKey
		}
	case b.handed[id] != nil:
		p.Reason, p.Args, p.IdempotencyKey = agentturn.PendingAborted, b.changed(call), b.handed[id].IdempotencyKey
	case before != nil && mayHaveRun(*before):
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
		out = append(out, fmt.Sprintf("%s=%s %t %q %s %s%s", p.Call.CallID, p.Reason, p.Dispatched, p.IdempotencyKey, p.Args, p.Refused, p.RanWhere))
	}
	return strings.Join(out, "; ")
}
