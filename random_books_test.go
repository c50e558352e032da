package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing/synctest"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// books are what the world keeps of what its agent did, to hold the agent's own account against.
type books struct {
	events     []agentturn.Event        // since the last start
	refused    map[agentturn.Event]bool // by a subscriber, so that those after it did not see it
	passed     []agentturn.Event        // what the last subscriber saw
	transcript agentturn.Transcript     // by the events
	known      []agentturn.PendingCall  // what was pending
	approved   map[string]agentturn.Answer
	handed     map[string]int    // how often each call was handed to its tool
	ran        map[string]int    // how often the tool ran
	keys       map[string]string // idempotency key: the call that has it
	lossy      bool              // a subscriber failed on an item, which may then be lost
	history    []string
	aborted    map[string]bool // runs, before they ended
	runs       int             // there were, all kinds together
}

func newBooks() books {
	return books{
		refused: map[agentturn.Event]bool{}, approved: map[string]agentturn.Answer{},
		handed: map[string]int{}, ran: map[string]int{}, keys: map[string]string{}, aborted: map[string]bool{},
	}
}

// saying is an item that was put into a queue.
type saying struct {
	reports  int
	during   bool // a run
	requeued bool // by hand
	gone     bool // cleared, or cut off with its transcript
}

// say makes an item that is followed from then on.
func (w *world) say(mode string) openresponses.Item {
	during := w.theAgent().State().Running
	w.mu.Lock()
	defer w.mu.Unlock()
	text := fmt.Sprintf("%s %d", mode, len(w.said))
	w.said[text] = &saying{during: during}
	if len(w.said)%3 == 0 {
		return agentturn.Hidden(openresponses.DeveloperText(text))
	}
	return user(text)
}

// sayings finds the items of list that are followed.
func (w *world) sayings(list openresponses.Items) (found []*saying) {
	for _, item := range list {
		item, _ = agentturn.Unhide(item)
		if m, ok := item.(*openresponses.Message); ok && w.said[m.Text()] != nil {
			found = append(found, w.said[m.Text()])
		}
	}
	return found
}

func (w *world) cleared(list openresponses.Items) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sayings(list) {
		s.gone = true
	}
}

func (w *world) requeued(list openresponses.Items) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sayings(list) {
		s.requeued = true
	}
}

// nothingLost: what was accepted is in the transcript once, or waits, and was reported once.
func (w *world) nothingLost() {
	state := w.agent.State()
	count := map[*saying]int{}
	for _, list := range []openresponses.Items{openresponses.Items(state.Transcript), state.Steered, state.Queued} {
		for _, s := range w.sayings(list) {
			count[s]++
		}
	}
	for text, s := range w.said {
		if s.gone {
			continue
		}
		if n := count[s]; n > 1 || n == 0 && !w.lossy {
			w.errorf("%q is there %d times", text, n)
		}
		if s.reports != 1 && !s.requeued {
			w.errorf("%q was reported %d times", text, s.reports)
		}
	}
	if w.agent.State().Steering+w.agent.State().FollowUps > 0 {
		w.errorf("a calm run left %s %s queued", kinds(state.Steered), kinds(state.Queued))
	}
}

// abort aborts the run under way, for a cause of its own.
func (w *world) abort(a *agentturn.Agent, who string) {
	if !w.risks["user"] {
		return
	}
	id := a.State().RunID
	a.AbortCause(w.cause(who))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.aborted[id] = id != ""
}

func (w *world) errorf(format string, args ...any) {
	w.t.Helper()
	w.t.Errorf("seed %d: "+format, append([]any{w.seed}, args...)...)
}

func (w *world) complain(faults []string) {
	w.t.Helper()
	for _, fault := range faults {
		w.errorf("%s", fault)
	}
}

func (w *world) record(_ context.Context, ev agentturn.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, ev)
	switch e := ev.(type) {
	case *agentturn.ItemEnd:
		w.transcript = append(w.transcript, e.Item)
	case *agentturn.Queued:
		for _, s := range w.sayings(openresponses.Items{e.Item}) {
			s.reports++
		}
	case *agentturn.RunEnd:
		if e.Reason == agentturn.ReasonError && w.aborted[e.RunID] {
			w.errorf("an aborted run ends with %s", at.Line(e))
		}
	}
	return nil
}

func (w *world) after(_ context.Context, ev agentturn.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.passed = append(w.passed, ev)
	if d, ok := ev.(*agentturn.ToolDispatch); ok {
		w.handed[d.CallID]++
	}
	return nil
}

func (w *world) refuse(ev agentturn.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refused[ev] = true
	switch ev.(type) {
	case *agentturn.ItemStart, *agentturn.ItemEnd, *agentturn.Queued:
		w.lossy = true
	}
}

// watch starts something, waits until the agent is idle, and holds what happened to the rules.
func (w *world) watch(what string, start func() (*agentturn.RunEnd, error)) *agentturn.RunEnd {
	a := w.agent
	w.mu.Lock()
	w.events, w.passed, w.known = nil, nil, a.State().Pending
	before := slices.Clone(w.transcript)
	w.mu.Unlock()
	end, err := start()
	for synctest.Wait(); a.State().Running; synctest.Wait() {
		if err := a.WaitForIdle(context.Background()); err != nil {
			w.errorf("WaitForIdle: %v", err)
		}
	}
	w.nobodyRuns("")
	w.mu.Lock()
	for text, s := range w.said {
		if s.during && s.reports == 0 && !s.gone {
			w.errorf("%s: %q was not reported", what, text)
		}
	}
	events, passed, transcript := slices.Clone(w.events), slices.Clone(w.passed), slices.Clone(w.transcript)
	w.mu.Unlock()
	w.keep(what, events)
	if bad := at.CheckEvents(events); bad != nil {
		w.errorf("%s: %v", what, bad)
	}
	w.checkSeen(events, passed)
	w.checkRuns(before, events)
	state := a.State()
	if !slices.Equal(transcript, state.Transcript) {
		w.errorf("%s: the events come to %s, the transcript is %s", what, kinds(openresponses.Items(transcript)), kinds(openresponses.Items(state.Transcript)))
	}
	if got, want := pendingOf(state.Pending), pendingOf(w.known); got != want {
		w.errorf("%s: pending %s, and the last run_end said %s", what, got, want)
	}
	if end != nil && (!slices.Contains(events, agentturn.Event(end)) || (end.Reason == agentturn.ReasonError) != (err != nil)) {
		w.errorf("%s returned %+v, error %v", what, end, err)
	}
	if w.seed%8 == 0 {
		w.checkJSON(events)
	}
	return end
}

func (w *world) keep(what string, events []agentturn.Event) {
	if *randomSeed > 0 {
		w.history = append(w.history, "== "+what)
		for _, ev := range events {
			w.history = append(w.history, at.Line(ev))
		}
	}
}

// checkSeen: an event that a subscriber refused reaches none after it, every other reaches all.
func (w *world) checkSeen(events, passed []agentturn.Event) {
	seen := slices.DeleteFunc(slices.Clone(events), func(ev agentturn.Event) bool { return w.refused[ev] })
	if !slices.Equal(seen, passed) {
		w.errorf("the first subscriber saw %d events, of which the second let %d pass, and the third saw %d", len(events), len(seen), len(passed))
	}
}

// checkRuns goes through the runs of events, the first of which began with the transcript before.
func (w *world) checkRuns(before agentturn.Transcript, events []agentturn.Event) {
	approved := w.approved
	book := newRunBook(before, w.known, approved, w.refused)
	for _, ev := range events {
		book.take(ev)
		switch ev := ev.(type) {
		case *agentturn.ToolDispatch:
			if call := w.keys[ev.IdempotencyKey]; call != "" && call != ev.CallID {
				w.errorf("calls %s and %s share the key %s", call, ev.CallID, ev.IdempotencyKey)
			}
			w.keys[ev.IdempotencyKey] = ev.CallID
		case *agentturn.RunEnd:
			w.runs++
			if !w.explained(ev) {
				w.errorf("no reason for %s", at.Line(ev))
			}
			w.complain(book.faults)
			w.known = ev.Pending
			book = newRunBook(book.transcript, ev.Pending, nil, w.refused)
		}
	}
}

// explained reports whether something happened for which a run may end so.
func (w *world) explained(end *agentturn.RunEnd) bool {
	var panicked *agentturn.PanicError
	var server *openresponses.Error
	failed := errors.Is(end.Err, errTest) || errors.As(end.Err, &panicked) || errors.As(end.Err, &server) ||
		errors.Is(end.Err, openresponses.ErrTruncatedStream) ||
		end.Err != nil && (strings.Contains(end.Err.Error(), "duplicate name") || strings.HasSuffix(end.Err.Error(), "response failed"))
	switch end.Reason {
	case agentturn.ReasonDone:
		return end.Err == nil && len(end.Pending) == 0
	case agentturn.ReasonInputRequired:
		return end.Err == nil && len(end.Pending) > 0
	case agentturn.ReasonStopped:
		return (end.Cause == agentturn.StopGuard) == errors.Is(end.Err, agentturn.ErrGuard)
	case agentturn.ReasonAborted:
		w.mu.Lock()
		defer w.mu.Unlock()
		return slices.ContainsFunc(w.causes, func(cause error) bool { return errors.Is(end.Err, cause) })
	}
	return failed && !w.calm.Load()
}

// checkJSON: every event has a JSON form that decodes to an event of the same form, the tool of a pending call aside.
func (w *world) checkJSON(events []agentturn.Event) {
	for _, ev := range events {
		data, err := json.Marshal(ev)
		var again agentturn.Event
		if err == nil {
			again, err = agentturn.DecodeEvent(data)
		}
		var twice []byte
		if err == nil {
			twice, err = json.Marshal(again)
		}
		if e, ok := ev.(*agentturn.RunEnd); err != nil || !sameValue(data, twice) && !(ok && len(e.Pending) > 0) {
			w.errorf("JSON of %s: %v\n%s\n%s", ev.EventType(), err, data, twice)
		}
	}
}

func sameValue(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// refusedWith starts what has to be refused, and sees that it changed nothing.
func (w *world) refusedWith(want error, start func() (*agentturn.RunEnd, error)) {
	w.t.Helper()
	before := w.agent.State()
	w.mu.Lock()
	n := len(w.events)
	w.mu.Unlock()
	end, err := start()
	if end != nil || !errors.Is(err, want) {
		w.errorf("%+v, error %v, want %v", end, err, want)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if after := w.agent.State(); len(w.events) != n || describe(after.Pending) != describe(before.Pending) || len(after.Transcript) != len(before.Transcript) {
		w.errorf("a start refused with %v changed the agent", err)
	}
}

// rewound: of the transcript only n items are left, of what was pending only what is in them.
func (w *world) rewound(n int, before agentturn.State) {
	w.mu.Lock()
	w.transcript = w.transcript[:n:n]
	for _, s := range w.sayings(openresponses.Items(before.Transcript[n:])) {
		s.gone = true
	}
	w.mu.Unlock()
	var want []agentturn.PendingCall
	for _, call := range unanswered(before.Transcript[:n]) {
		p := agentturn.PendingCall{Call: call, Reason: agentturn.PendingUnknown}
		for _, known := range before.Pending {
			if known.Call == call {
				p = known
			}
		}
		want = append(want, p)
	}
	if got := w.agent.State().Pending; describe(got) != describe(want) {
		w.errorf("after a rewind %s is pending, want %s", describe(got), describe(want))
	}
}

// nobodyRuns: the tools that a run called have returned when it is over, but for what a grace let it leave behind.
func (w *world) nobodyRuns(prefix string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.running {
		if !w.leftBehind && strings.HasPrefix(id, prefix) {
			w.errorf("%s is still in its tool", id)
		}
	}
}
