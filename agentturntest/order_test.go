package agentturntest_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

const runID = "run_000000000000000000000001"

// story writes the events of a run.
type story struct {
	id     string
	turn   int
	events []agentturn.Event
	items  openresponses.Items
}

func newStory() *story {
	s := &story{id: runID}
	return s.add(&agentturn.RunStart{RunID: s.id, Source: agentturn.SourceInput})
}

func (s *story) add(events ...agentturn.Event) *story {
	s.events = append(s.events, events...)
	return s
}

// appended is an item the loop adds.
func (s *story) appended(turn int, item openresponses.Item) *story {
	s.items = append(s.items, item)
	return s.add(&agentturn.ItemStart{RunID: s.id, Turn: turn, Item: item}, &agentturn.ItemEnd{RunID: s.id, Turn: turn, Item: item})
}

// streamed is an item the model sends.
func (s *story) streamed(item openresponses.Item) *story {
	s.items = append(s.items, item)
	return s.add(
		&agentturn.ItemStart{RunID: s.id, Turn: s.turn, Item: item, ResponseID: "resp"},
		&agentturn.ItemUpdate{RunID: s.id, Turn: s.turn, Item: item, ResponseID: "resp", Stream: &openresponses.OutputTextDeltaEvent{}},
		&agentturn.ItemEnd{RunID: s.id, Turn: s.turn, Item: item, ResponseID: "resp"})
}

func (s *story) turnStart() *story {
	s.turn++
	return s.add(&agentturn.TurnStart{RunID: s.id, Turn: s.turn})
}

func (s *story) responseEnd() *story {
	return s.add(&agentturn.ResponseEnd{RunID: s.id, Turn: s.turn, Response: &openresponses.Response{}})
}

func (s *story) turnEnd() *story { return s.add(&agentturn.TurnEnd{RunID: s.id, Turn: s.turn}) }

func (s *story) toolStart(id, parent string) *story {
	return s.add(&agentturn.ToolStart{RunID: s.id, Turn: s.turn, CallID: id, Name: "x", Parent: parent})
}

func (s *story) dispatch(id, parent string) *story {
	return s.add(&agentturn.ToolDispatch{RunID: s.id, Turn: s.turn, CallID: id, Name: "x", Parent: parent, IdempotencyKey: s.id + "/" + id})
}

func (s *story) toolEnd(id, parent string) *story {
	return s.add(&agentturn.ToolEnd{RunID: s.id, Turn: s.turn, CallID: id, Name: "x", Parent: parent})
}

func (s *story) end(reason agentturn.Reason) []agentturn.Event {
	return s.add(&agentturn.RunEnd{RunID: s.id, Reason: reason, Items: s.items}).events
}

// wholeRun is a run with a batch of three calls, one of them nested, a note, an
// item of a hook and a final answer.
func wholeRun() []agentturn.Event {
	s := newStory().appended(0, openresponses.UserText("hi"))
	s.turnStart().streamed(call("a", "x", "{}")).streamed(call("b", "x", "{}")).responseEnd()
	s.toolStart("a", "").toolStart("b", "").dispatch("b", "").dispatch("a", "")
	s.toolStart("n", "a").dispatch("n", "a").toolEnd("n", "a")
	s.add(&agentturn.ToolUpdate{RunID: s.id, Turn: 1, CallID: "b", Name: "x"})
	s.toolEnd("b", "").toolEnd("a", "")
	s.appended(1, output("a")).appended(1, output("b")).appended(1, openresponses.DeveloperText("note"))
	s.turnEnd().appended(2, openresponses.UserText("from a hook"))
	s.turnStart().streamed(openresponses.AssistantText("done")).responseEnd().turnEnd()
	return s.end(agentturn.ReasonDone)
}

// deferral is a run that holds a call.
func deferral() []agentturn.Event {
	s := newStory().appended(0, openresponses.UserText("hi"))
	s.turnStart().streamed(call("a", "x", "{}")).streamed(call("b", "x", "{}")).responseEnd()
	s.add(&agentturn.ToolStart{RunID: s.id, Turn: 1, CallID: "a", Decision: &agentturn.ToolDecision{Action: agentturn.Defer}},
		&agentturn.ToolEnd{RunID: s.id, Turn: 1, CallID: "a", Deferred: true})
	s.toolStart("b", "").dispatch("b", "").toolEnd("b", "").appended(1, output("b")).turnEnd()
	return s.add(&agentturn.RunEnd{
		RunID: s.id, Reason: agentturn.ReasonInputRequired, Items: s.items,
		Pending: []agentturn.PendingCall{{Call: call("a", "x", "{}"), Reason: agentturn.PendingDeferred}},
	}).events
}

// withheld is a run whose answer a guard keeps back after a call.
func withheld() []agentturn.Event {
	s := newStory().appended(0, openresponses.UserText("hi")).turnStart().streamed(call("a", "x", "{}"))
	s.add(&agentturn.ItemStart{RunID: s.id, Turn: 1, Item: openresponses.AssistantText("no"), ResponseID: "resp"},
		&agentturn.ResponseEnd{RunID: s.id, Turn: 1, Withheld: true})
	s.appended(1, openresponses.NewFunctionCallOutput("a", agentturn.WithheldCallOutput))
	return s.add(&agentturn.RunEnd{
		RunID: s.id, Items: s.items, Reason: agentturn.ReasonStopped, Cause: agentturn.StopGuard, Err: agentturn.ErrGuard, Withheld: true,
	}).events
}

// approved is a resumed run that runs an approved call before its first turn.
func approved() []agentturn.Event {
	s := newStory().appended(0, output("z"))
	s.toolStart("a", "").dispatch("a", "").toolEnd("a", "").appended(0, output("a")).appended(0, openresponses.UserText("steered"))
	s.turnStart().streamed(openresponses.AssistantText("done")).responseEnd().turnEnd()
	return s.end(agentturn.ReasonDone)
}

// retried is a run whose first two attempts fail before anything opened.
func retried() []agentturn.Event {
	s := newStory().appended(0, openresponses.UserText("hi")).turnStart()
	s.add(&agentturn.ItemStart{RunID: s.id, Turn: 1, Item: reasoning(), ResponseID: "resp"},
		&agentturn.ModelRetry{RunID: s.id, Turn: 1, Attempt: 1, Err: errors.New("x"), Delay: time.Second},
		&agentturn.ModelRetry{RunID: s.id, Turn: 1, Attempt: 2, Err: errors.New("x"), Delay: time.Second})
	s.streamed(openresponses.AssistantText("done")).responseEnd().turnEnd()
	return s.end(agentturn.ReasonDone)
}

// aborted is a run cut off while a call runs.
func aborted() []agentturn.Event {
	s := newStory().appended(0, openresponses.UserText("hi")).turnStart().streamed(call("a", "x", "{}")).responseEnd()
	s.toolStart("a", "").dispatch("a", "").toolEnd("a", "")
	return s.add(&agentturn.RunEnd{
		RunID: s.id, Items: s.items, Reason: agentturn.ReasonAborted, Err: errors.New("enough"),
		Pending: []agentturn.PendingCall{{Call: call("a", "x", "{}"), Reason: agentturn.PendingAborted}},
	}).events
}

func blocked() []agentturn.Event {
	s := newStory().appended(0, openresponses.UserText("hi"))
	s.add(&agentturn.ModelBlocked{RunID: s.id, Turn: 1, Err: agentturn.ErrGuard})
	return s.add(&agentturn.RunEnd{RunID: s.id, Items: s.items, Reason: agentturn.ReasonStopped, Cause: agentturn.StopGuard, Err: agentturn.ErrGuard}).events
}

func refused() []agentturn.Event {
	return []agentturn.Event{&agentturn.RunEnd{Reason: agentturn.ReasonError, Err: agentturn.ErrNoPrompt}}
}

// queuedAround is two runs with reports before, in and after them.
func queuedAround() []agentturn.Event {
	report := func(id string) agentturn.Event {
		return &agentturn.Queued{RunID: id, Item: openresponses.UserText("q"), Mode: agentturn.QueueSteer}
	}
	first := wholeRun()
	events := append([]agentturn.Event{report(""), report(runID), first[0], report(runID)}, first[1:]...)
	return append(append(events, report("")), refused()...)
}

// TestCheckEventsAccepts gives sequences that keep every rule, as they are and
// after a round trip through JSON.
func TestCheckEventsAccepts(t *testing.T) {
	for name, events := range map[string][]agentturn.Event{
		"nothing": nil, "whole run": wholeRun(), "deferral": deferral(), "withheld": withheld(), "approved": approved(),
		"retried": retried(), "aborted": aborted(), "blocked": blocked(), "refused": refused(), "queued": queuedAround(),
	} {
		t.Run(name, func(t *testing.T) {
			if err := agentturntest.CheckEvents(events); err != nil {
				t.Error(err)
			}
			var decoded []agentturn.Event
			for _, ev := range events {
				data, err := json.Marshal(ev)
				if err != nil {
					t.Fatal(err)
				}
				again, err := agentturn.DecodeEvent(data)
				if err != nil {
					t.Fatal(err)
				}
				decoded = append(decoded, again)
			}
			if err := agentturntest.CheckEvents(decoded); err != nil {
				t.Errorf("decoded: %v", err)
			}
		})
	}
}

// find is the index of the n-th event of a type, from 0.
func find(events []agentturn.Event, typ string, n int) int {
	for i, ev := range events {
		if ev.EventType() == typ {
			if n == 0 {
				return i
			}
			n--
		}
	}
	panic("no such event: " + typ)
}

// without leaves out the n-th event of a type.
func without(events []agentturn.Event, typ string, n int) []agentturn.Event {
	i := find(events, typ, n)
	return slices.Delete(slices.Clone(events), i, i+1)
}

// moved puts the event at from to where the one at to is.
func moved(events []agentturn.Event, from, to int) []agentturn.Event {
	ev := events[from]
	return slices.Insert(slices.Delete(slices.Clone(events), from, from+1), to, ev)
}

// inserted puts an event before the n-th of a type.
func inserted(events []agentturn.Event, typ string, n int, ev agentturn.Event) []agentturn.Event {
	return slices.Insert(slices.Clone(events), find(events, typ, n), ev)
}

// changed lets edit change a copy of the n-th event of type E.
func changed[E any, P interface {
	*E
	agentturn.Event
}](events []agentturn.Event, n int, edit func(P)) []agentturn.Event {
	events = slices.Clone(events)
	i := find(events, P(new(E)).EventType(), n)
	ev := *events[i].(P)
	edit(&ev)
	events[i] = P(&ev)
	return events
}

// good is the run that brokenRuns breaks.
var good = wholeRun()

// endOf changes the end of a run.
func endOf(events []agentturn.Event, edit func(*agentturn.RunEnd)) []agentturn.Event {
	return changed(events, 0, edit)
}

// brokenRuns breaks one rule at a time.
var brokenRuns = map[string]struct {
	rule   string
	events []agentturn.Event
}{
	"no run_start":             {"R001", good[1:]},
	"no run_end":               {"R001", good[:len(good)-1]},
	"two run_starts":           {"R001", inserted(good, "turn_start", 0, good[0])},
	"two run_ends":             {"R001", append(slices.Clone(good), good[len(good)-1])},
	"event after the end":      {"R001", append(slices.Clone(good), good[5])},
	"refusal without error":    {"R002", []agentturn.Event{&agentturn.RunEnd{Reason: agentturn.ReasonDone}}},
	"items missing at the end": {"R010", endOf(good, func(e *agentturn.RunEnd) { e.Items = e.Items[1:] })},
	"items exchanged":          {"R010", endOf(good, func(e *agentturn.RunEnd) { e.Items = slices.Clone(e.Items); e.Items[0] = e.Items[1] })},
	"another run's event":      {"R011", changed(good, 0, func(e *agentturn.TurnStart) { e.RunID = "run_000000000000000000000002" })},
	"odd run ID":               {"R011", changed(good, 0, func(e *agentturn.RunStart) { e.RunID = "mine" })},
	"error end without error":  {"R015", endOf(good, func(e *agentturn.RunEnd) { e.Reason = agentturn.ReasonError })},

	"streamed item before the turn": {"R016", moved(good, find(good, "turn_start", 0), find(good, "item_end", 1))},
	"streamed item after":           {"R016", moved(good, find(good, "response_end", 0), find(good, "item_end", 1))},
	"update outside":                {"R016", moved(good, find(good, "item_update", 0), find(good, "response_end", 0))},
	"turn_end before an output":     {"R016", moved(good, find(good, "turn_end", 0), find(good, "tool_end", 2)+3)},
	"turn_end before a tool_end":    {"R016", moved(good, find(good, "turn_end", 0), find(good, "tool_end", 2))},
	"no turn_end":                   {"R016", without(good, "turn_end", 0)},
	"no last turn_end":              {"R016", without(good, "turn_end", 1)},
	"turn_end without response":     {"R016", without(good, "response_end", 1)},
	"output before tool_end":        {"R016", moved(good, find(good, "tool_end", 2), find(good, "item_end", 3)+1)},
	"turn number skipped":           {"R017", changed(good, 1, func(e *agentturn.TurnStart) { e.Turn = 3 })},
	"two response_ends":             {"R017", inserted(good, "tool_start", 0, good[find(good, "response_end", 0)])},
	"prompt in turn 2":              {"R018", changed(changed(good, 0, func(e *agentturn.ItemStart) { e.Turn = 2 }), 0, func(e *agentturn.ItemEnd) { e.Turn = 2 })},
	"hook's item in turn 1 after":   {"R018", inserted(good, "turn_start", 1, &agentturn.ItemStart{RunID: runID, Turn: 1, Item: openresponses.UserText("late")})},
	"tool in another turn":          {"R018", changed(good, 0, func(e *agentturn.ToolStart) { e.Turn = 0 })},

	"completed before it opened": {"R026", moved(good, find(good, "item_end", 1), find(good, "item_start", 1))},
	"end without start":          {"R026", without(good, "item_start", 0)},
	"end of another item":        {"R026", changed(good, 0, func(e *agentturn.ItemStart) { e.Item = openresponses.UserText("other") })},
	"no item":                    {"R028", changed(good, 0, func(e *agentturn.ItemEnd) { e.Item = nil })},
	"retry after a message":      {"R037", inserted(good, "item_end", 1, &agentturn.ModelRetry{RunID: runID, Turn: 1, Attempt: 1})},
	"retry after an item":        {"R038", inserted(retried(), "model_retry", 0, &agentturn.ItemEnd{RunID: runID, Turn: 1, Item: reasoning(), ResponseID: "resp"})},
	"retry miscounted":           {"R039", without(retried(), "model_retry", 0)},
	"call without an ID":         {"R043", changed(good, 1, func(e *agentturn.ItemEnd) { e.Item = call("", "x", "{}") })},
	"call ID twice":              {"R043", changed(good, 2, func(e *agentturn.ItemEnd) { e.Item = call("a", "x", "{}") })},
	"model call ID on a message": {"R046", changed(good, 0, func(e *agentturn.ItemEnd) { e.ModelCallID = "x" })},
	"model call ID kept":         {"R046", changed(good, 1, func(e *agentturn.ItemEnd) { e.ModelCallID = "a" })},

	"no tool_end":               {"R054", without(good, "tool_end", 0)},
	"no tool_start":             {"R054", without(good, "tool_start", 1)},
	"two tool_ends":             {"R054", inserted(good, "turn_end", 0, good[find(good, "tool_end", 1)])},
	"two tool_starts":           {"R054", inserted(good, "tool_dispatch", 0, good[find(good, "tool_start", 1)])},
	"dispatch before start":     {"R056", moved(good, find(good, "tool_dispatch", 0), find(good, "tool_start", 1))},
	"dispatch after end":        {"R056", moved(good, find(good, "tool_dispatch", 0), find(good, "tool_end", 1)+1)},
	"two dispatches":            {"R056", inserted(good, "tool_update", 0, good[find(good, "tool_dispatch", 0)])},
	"dispatch of a deferred":    {"R056", inserted(deferral(), "tool_end", 0, &agentturn.ToolDispatch{RunID: runID, Turn: 1, CallID: "a", IdempotencyKey: "k"})},
	"update before dispatch":    {"R056", moved(good, find(good, "tool_update", 0), find(good, "tool_dispatch", 0))},
	"blocked after dispatch":    {"R056", changed(good, 1, func(e *agentturn.ToolEnd) { e.Blocked, e.Err = true, errors.New("no") })},
	"blocked without error":     {"R057", changed(changed(good, 1, func(e *agentturn.ToolEnd) { e.Blocked = true }), 0, func(e *agentturn.ToolDispatch) { e.CallID = "n" })},
	"output of a deferred call": {"R060", changed(changed(deferral(), 3, func(e *agentturn.ItemStart) { e.Item = output("a") }), 3, func(e *agentturn.ItemEnd) { e.Item = output("a") })},
	"turn after a deferral":     {"R061", inserted(deferral(), "run_end", 0, &agentturn.TurnStart{RunID: runID, Turn: 2})},
	"done after a deferral":     {"R061", endOf(deferral(), func(e *agentturn.RunEnd) { e.Reason = agentturn.ReasonDone })},
	"outputs exchanged": {"R062", changed(changed(changed(changed(good,
		3, func(e *agentturn.ItemStart) { e.Item = output("b") }), 3, func(e *agentturn.ItemEnd) { e.Item = output("b") }),
		4, func(e *agentturn.ItemStart) { e.Item = output("a") }), 4, func(e *agentturn.ItemEnd) { e.Item = output("a") })},
	"note before an output": {"R063", moved(moved(good, find(good, "item_start", 5), find(good, "item_start", 4)), find(good, "item_end", 5), find(good, "item_start", 4)+1)},
	"no idempotency key":    {"R069", changed(good, 0, func(e *agentturn.ToolDispatch) { e.IdempotencyKey = "" })},
	"nested after parent":   {"R074", moved(good, find(good, "tool_end", 2), find(good, "tool_start", 2))},
	"nested outlives":       {"R074", moved(good, find(good, "tool_end", 0), find(good, "tool_end", 2)+1)},
	"nested update":         {"R075", inserted(good, "tool_end", 0, &agentturn.ToolUpdate{RunID: runID, Turn: 1, CallID: "n"})},
	"nested deferred":       {"R076", changed(good, 0, func(e *agentturn.ToolEnd) { e.Deferred = true })},
	"refused after a turn":  {"R085", endOf(good, func(e *agentturn.RunEnd) { e.Reason, e.Cause = agentturn.ReasonStopped, agentturn.StopRefused })},
	"pending without call":  {"R090", endOf(good, func(e *agentturn.RunEnd) { e.Pending = []agentturn.PendingCall{{}} })},
	"pending and answered":  {"R090", endOf(good, func(e *agentturn.RunEnd) { e.Pending = []agentturn.PendingCall{{Call: call("a", "x", "")}} })},
	"unanswered":            {"R090", endOf(aborted(), func(e *agentturn.RunEnd) { e.Pending = nil })},
	"aborted without cause": {"R095", endOf(aborted(), func(e *agentturn.RunEnd) { e.Err = nil })},
	"guard without error":   {"R102", endOf(blocked(), func(e *agentturn.RunEnd) { e.Err = nil })},
	"event after blocked":   {"R103", inserted(blocked(), "run_end", 0, &agentturn.TurnStart{RunID: runID, Turn: 1})},
	"blocked in a turn":     {"R103", inserted(good, "response_end", 0, &agentturn.ModelBlocked{RunID: runID, Turn: 2})},
	"turn_end withheld":     {"R104", inserted(withheld(), "run_end", 0, &agentturn.TurnEnd{RunID: runID, Turn: 1})},
	"not said at the end":   {"R104", endOf(withheld(), func(e *agentturn.RunEnd) { e.Withheld = false })},
	"said only at the end":  {"R104", endOf(good, func(e *agentturn.RunEnd) { e.Withheld = true })},
	"pending when withheld": {"R105", endOf(withheld(), func(e *agentturn.RunEnd) { e.Pending = []agentturn.PendingCall{{Call: call("z", "x", "")}} })},
	"tool when withheld":    {"R105", inserted(withheld(), "run_end", 0, &agentturn.ToolStart{RunID: runID, Turn: 1, CallID: "a"})},
	"queued for another":    {"R112", inserted(good, "turn_start", 0, &agentturn.Queued{RunID: "run_000000000000000000000002"})},
	"queued for the next":   {"R112", append([]agentturn.Event{&agentturn.Queued{RunID: "run_000000000000000000000002"}}, good...)},
	"tool before response":  {"R115", moved(good, find(good, "response_end", 0), find(good, "tool_start", 0))},
}

// TestCheckEventsRefuses expects the rule that is broken to be named.
func TestCheckEventsRefuses(t *testing.T) {
	for name, tt := range brokenRuns {
		t.Run(name, func(t *testing.T) {
			err := agentturntest.CheckEvents(tt.events)
			if err == nil || !strings.Contains(err.Error(), "): "+tt.rule+": ") {
				t.Errorf("want %s broken, got %v", tt.rule, err)
			}
		})
	}
}

// TestCheckEventsMissing leaves out one event of a run at a time and expects it
// to be missed, but for updates, the starts of streamed items, which a stream may
// not announce, and the dispatch of a call nothing else is known of.
func TestCheckEventsMissing(t *testing.T) {
	events := wholeRun()
	for i, ev := range events {
		switch e := ev.(type) {
		case *agentturn.ItemUpdate, *agentturn.ToolUpdate:
			continue
		case *agentturn.ItemStart:
			if e.ResponseID != "" {
				continue
			}
		case *agentturn.ToolDispatch:
			if e.CallID == "n" {
				continue
			}
		}
		if err := agentturntest.CheckEvents(slices.Delete(slices.Clone(events), i, i+1)); err == nil {
			t.Errorf("nothing broken without event %d, %s", i, agentturntest.Line(ev))
		}
	}
}
