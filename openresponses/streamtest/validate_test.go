package streamtest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/streamtest"
)

// goodStream returns a fresh conforming stream with everything in it.
func goodStream(t *testing.T) []or.StreamEvent {
	t.Helper()
	var sink streamtest.Sink
	e := or.NewEmitter(&sink, or.NewResponse(or.Request{Model: "m1"}))
	reasoning, err1 := e.Reasoning()
	err1 = errors.Join(err1, reasoning.Summary("a"), reasoning.Summary("b"), reasoning.EndSummary(), reasoning.Summary("c"), reasoning.EndSummary(),
		reasoning.Text("x"), reasoning.Text("y"))
	message, err2 := e.Message(or.PhaseCommentary)
	err2 = errors.Join(err2, message.Text("a"), message.Annotation(&or.URLCitation{URL: "u"}), message.Text("b"), message.Refusal("n"), message.Refusal("o"))
	call, err3 := e.FunctionCall("call_1", "f")
	err3 = errors.Join(err3, call.Arguments("{"), call.Arguments("}"))
	err4 := e.Item(&or.Compaction{ID: "cmp_1", EncryptedContent: "x"})
	err5 := sink.Send(&or.UnknownEvent{Type: "acme:tick"})
	if err := errors.Join(err1, err2, err3, err4, err5, e.Complete()); err != nil {
		t.Fatal(err)
	}
	return sink.Events()
}

// renumber gives the events the numbers of their places.
func renumber(events []or.StreamEvent) []or.StreamEvent {
	for i, ev := range events {
		ev.(or.SequenceSetter).SetSequence(int64(i))
	}
	return events
}

func TestValidateGoodStream(t *testing.T) {
	if err := streamtest.Validate(goodStream(t)); err != nil {
		t.Error(err)
	}
	if err := streamtest.Validate(goodStream(t), streamtest.WithOutputIndexReuse()); err != nil {
		t.Error(err)
	}
}

// TestValidateSingleDefects drops, doubles and swaps each event of a good stream in turn.
func TestValidateSingleDefects(t *testing.T) {
	n := len(goodStream(t))
	for i := range n {
		drop := slices.Delete(goodStream(t), i, i+1)
		if err := streamtest.Validate(drop); err == nil {
			t.Errorf("event %d was dropped unnoticed", i)
		}
		double := goodStream(t)
		if err := streamtest.Validate(slices.Insert(double, i, double[i])); err == nil {
			t.Errorf("event %d was doubled unnoticed", i)
		}
		if i+1 < n {
			swap := goodStream(t)
			swap[i], swap[i+1] = swap[i+1], swap[i]
			if err := streamtest.Validate(swap); err == nil {
				t.Errorf("events %d and %d were swapped unnoticed", i, i+1)
			}
		}
	}
}

// TestValidateRenumberedDefects does the same with streams that are numbered in order all the same, so that the
// structure has to tell. What may pass then conforms as well: a stream with a delta, an annotation, a progress event
// or one of unknown type more or less, or elsewhere in its part or, for the last two, anywhere. The text of a
// reasoning item may come while its summary is open.
func TestValidateRenumberedDefects(t *testing.T) {
	n := len(goodStream(t))
	check := func(what string, events []or.StreamEvent, conforms bool) {
		if err := streamtest.Validate(renumber(events)); (err == nil) != conforms {
			t.Errorf("%s: error %v, conforms: %v", what, err, conforms)
		}
	}
	for i := range n {
		events := goodStream(t)
		ev := events[i]
		name := fmt.Sprintf("event %d (%s)", i, ev.EventType())
		check(name+" dropped", slices.Delete(slices.Clone(events), i, i+1), isFree(ev) || growsPart(ev))
		check(name+" doubled", slices.Insert(slices.Clone(events), i, clone(t, ev)), isFree(ev) || growsPart(ev))
		if i+1 == n {
			continue
		}
		next := events[i+1]
		events[i], events[i+1] = next, ev
		border := i == 0 || i+2 == n
		beside := ev.EventType() == or.EventReasoningSummaryPartDone && next.EventType() == or.EventReasoningDelta
		check(name+" swapped with the next", events, !border && (isFree(ev) || isFree(next) || growsPart(ev) && growsPart(next) || beside))
	}
}

func isFree(ev or.StreamEvent) bool {
	return ev.EventType() == or.EventResponseInProgress || ev.EventType() == "acme:tick"
}

func growsPart(ev or.StreamEvent) bool {
	return strings.HasSuffix(ev.EventType(), ".delta") || ev.EventType() == or.EventOutputTextAnnotationAdded
}

func clone(t *testing.T, ev or.StreamEvent) or.StreamEvent {
	t.Helper()
	data, err := or.EncodeEvent(ev)
	if err != nil {
		t.Fatal(err)
	}
	c, err := or.DecodeEvent(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// change returns a defect: f applied to the last event that is a T.
func change[T or.StreamEvent](f func(T)) func([]or.StreamEvent) []or.StreamEvent {
	return func(events []or.StreamEvent) []or.StreamEvent {
		for _, ev := range slices.Backward(events) {
			if ev, ok := ev.(T); ok {
				f(ev)
				return events
			}
		}
		panic("the good stream has no such event")
	}
}

// until returns a defect: the stream is cut before the first T and goes on with others.
func until[T or.StreamEvent](then ...or.StreamEvent) func([]or.StreamEvent) []or.StreamEvent {
	return func(events []or.StreamEvent) []or.StreamEvent {
		i := slices.IndexFunc(events, func(ev or.StreamEvent) bool { _, ok := ev.(T); return ok })
		return renumber(append(events[:i], then...))
	}
}

func failed() or.StreamEvent {
	return &or.ResponseFailedEvent{Response: &or.Response{Status: or.ResponseStatusFailed}}
}

func TestValidate(t *testing.T) {
	text := func() or.Content { return &or.OutputText{} }
	tests := []struct {
		name   string
		change func([]or.StreamEvent) []or.StreamEvent
		want   string // in the error; empty for none
	}{
		{"no events", func([]or.StreamEvent) []or.StreamEvent { return nil }, "no events"},
		{"a nil event", func(events []or.StreamEvent) []or.StreamEvent { return append(events, nil) }, "is nil"},
		{"wrong number", change(func(ev *or.RefusalDoneEvent) { ev.SequenceNumber++ }), "sequence number"},
		{"wrong number on an unknown event", change(func(ev *or.UnknownEvent) { ev.SetSequence(0) }), "(acme:tick): sequence number"},
		{"queued in between", until[*or.OutputItemAddedEvent](&or.ResponseQueuedEvent{}, failed()), ""},

		{"completed without a response", change(func(ev *or.ResponseCompletedEvent) { ev.Response = nil }), "no response"},
		{"completed with another status", change(func(ev *or.ResponseCompletedEvent) { ev.Response.Status = or.ResponseStatusIncomplete }), "status of the response"},
		{"an item less in the response", change(func(ev *or.ResponseCompletedEvent) { ev.Response.Output = ev.Response.Output[1:] }), "has 3 items"},
		{"another order in the response", change(func(ev *or.ResponseCompletedEvent) { slices.Reverse(ev.Response.Output) }), "item 0 of the response"},
		{"another id in the response", change(func(ev *or.ResponseCompletedEvent) { ev.Response.Output[1].(*or.Message).ID = "x" }), "item 1 of the response"},
		{"a null item in the response", change(func(ev *or.ResponseCompletedEvent) { ev.Response.Output[3] = nil }), "is null"},
		{"incomplete", until[*or.OutputItemAddedEvent](&or.ResponseIncompleteEvent{Response: &or.Response{Status: or.ResponseStatusIncomplete}}), ""},
		{"incomplete with another status", until[*or.OutputItemAddedEvent](&or.ResponseIncompleteEvent{Response: &or.Response{Status: or.ResponseStatusCompleted}}), "status of the response"},
		{"completed with an item open", until[*or.OutputItemDoneEvent](&or.ResponseCompletedEvent{Response: &or.Response{Status: or.ResponseStatusCompleted}}), "is not done"},
		{"failed with an item open", until[*or.OutputItemDoneEvent](failed()), ""},
		{"failed without a response", until[*or.OutputItemDoneEvent](&or.ResponseFailedEvent{}), "no response"},
		{"failed with another status", until[*or.OutputItemDoneEvent](&or.ResponseFailedEvent{Response: &or.Response{}}), "status of the response"},
		{"error, then failed", until[*or.OutputItemDoneEvent](&or.ErrorEvent{}, failed()), ""},
		{"error, then another", until[*or.OutputItemDoneEvent](&or.ErrorEvent{}, &or.UnknownEvent{Type: "x"}, failed()), "not followed by response.failed"},
		{"error at the end", until[*or.OutputItemDoneEvent](&or.ErrorEvent{}), "not terminal"},

		{"added without an item", change(func(ev *or.OutputItemAddedEvent) { ev.Item = nil }), "no item"},
		{"added at another index", change(func(ev *or.OutputItemAddedEvent) { ev.OutputIndex++ }), "output_index is 4, want 3"},
		{"added at an index used", change(func(ev *or.OutputItemAddedEvent) { ev.OutputIndex = 0 }), "output_index is 0, want 3"},
		{"done without an item", change(func(ev *or.OutputItemDoneEvent) { ev.Item = nil }), "no item"},
		{"done at another index", change(func(ev *or.OutputItemDoneEvent) { ev.OutputIndex = 0 }), "output_index is 0, want 3"},
		{"done with another id", change(func(ev *or.OutputItemDoneEvent) { ev.Item.(*or.Compaction).ID = "x" }), "is done while"},
		{"done with another type", change(func(ev *or.OutputItemDoneEvent) { ev.Item = &or.ItemReference{ID: "cmp_1"} }), "is done while"},

		{"part added without a part", change(func(ev *or.ContentPartAddedEvent) { ev.Part = nil }), "no part"},
		{"part added at another index", change(func(ev *or.ContentPartAddedEvent) { ev.ContentIndex = 0 }), "index of the part is 0, want 1"},
		{"part added at another item's index", change(func(ev *or.ContentPartAddedEvent) { ev.OutputIndex = 0 }), "output_index"},
		{"part added with another item's id", change(func(ev *or.ContentPartAddedEvent) { ev.ItemID = "x" }), "item_id"},
		{"part done without a part", change(func(ev *or.ContentPartDoneEvent) { ev.Part = nil }), "no part"},
		{"part done at another index", change(func(ev *or.ContentPartDoneEvent) { ev.ContentIndex = 0 }), "index of the part"},
		{"part done with another type", change(func(ev *or.ContentPartDoneEvent) { ev.Part = text() }), "the open part is refusal"},
		{"text delta at another part", change(func(ev *or.OutputTextDeltaEvent) { ev.ContentIndex++ }), "index of the part"},
		{"text delta with another id", change(func(ev *or.OutputTextDeltaEvent) { ev.ItemID = "x" }), "item_id"},
		{"text done at another part", change(func(ev *or.OutputTextDoneEvent) { ev.ContentIndex++ }), "index of the part"},
		{"annotation at another part", change(func(ev *or.OutputTextAnnotationAddedEvent) { ev.ContentIndex++ }), "index of the part"},
		{"refusal delta at another part", change(func(ev *or.RefusalDeltaEvent) { ev.ContentIndex++ }), "index of the part"},
		{"refusal done at another item", change(func(ev *or.RefusalDoneEvent) { ev.OutputIndex++ }), "output_index"},
		{"text delta on a refusal", until[*or.RefusalDeltaEvent](&or.OutputTextDeltaEvent{OutputIndex: 1, ContentIndex: 1}), "item_id"},
		{"text delta without an item", until[*or.OutputItemAddedEvent](&or.OutputTextDeltaEvent{}), "no item is open"},
		{"part on a reasoning item", until[*or.ReasoningSummaryPartAddedEvent](&or.ContentPartAddedEvent{Part: text()}), "not a message"},

		{"arguments with another id", change(func(ev *or.FunctionCallArgumentsDeltaEvent) { ev.ItemID = "x" }), "item_id"},
		{"arguments done at another index", change(func(ev *or.FunctionCallArgumentsDoneEvent) { ev.OutputIndex = 0 }), "output_index"},
		{"arguments on a reasoning item", until[*or.ReasoningSummaryPartAddedEvent](&or.FunctionCallArgumentsDeltaEvent{}), "not a function_call"},
		{"reasoning text on a message", until[*or.ContentPartAddedEvent](&or.ReasoningDeltaEvent{OutputIndex: 1}), "not a reasoning"},
		{"reasoning text at another content index", change(func(ev *or.ReasoningDeltaEvent) { ev.ContentIndex = 5 }), ""},
		{"reasoning done with another id", change(func(ev *or.ReasoningDoneEvent) { ev.ItemID = "x" }), "item_id"},
		{"summary part without a part", change(func(ev *or.ReasoningSummaryPartAddedEvent) { ev.Part = nil }), "no part"},
		{"summary part at another index", change(func(ev *or.ReasoningSummaryPartAddedEvent) { ev.SummaryIndex = 0 }), "index of the part is 0, want 1"},
		{"summary part done at another index", change(func(ev *or.ReasoningSummaryPartDoneEvent) { ev.SummaryIndex = 0 }), "index of the part"},
		{"summary text at another part", change(func(ev *or.ReasoningSummaryTextDeltaEvent) { ev.SummaryIndex = 0 }), "index of the part"},
		{"summary text done at another part", change(func(ev *or.ReasoningSummaryTextDoneEvent) { ev.SummaryIndex = 0 }), "index of the part"},
		{"summary on a message", until[*or.ContentPartAddedEvent](&or.ReasoningSummaryTextDeltaEvent{OutputIndex: 1}), "not a reasoning"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := streamtest.Validate(tt.change(goodStream(t)))
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("error %v, want none", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestValidateOutputIndexReuse(t *testing.T) {
	call := func(n int) *or.FunctionCall {
		return &or.FunctionCall{ID: fmt.Sprint("fc_", n), CallID: "c", Name: "f"}
	}
	stream := func(indexes ...int) []or.StreamEvent {
		events := []or.StreamEvent{&or.ResponseCreatedEvent{}}
		var output or.Items
		for n, index := range indexes {
			item := call(n)
			output = append(output, item)
			events = append(events, &or.OutputItemAddedEvent{OutputIndex: index, Item: item},
				&or.FunctionCallArgumentsDoneEvent{ItemID: item.ID, OutputIndex: index},
				&or.OutputItemDoneEvent{OutputIndex: index, Item: item})
		}
		return renumber(append(events, &or.ResponseCompletedEvent{Response: &or.Response{Status: or.ResponseStatusCompleted, Output: output}}))
	}
	lastItem := func(events []or.StreamEvent) []or.StreamEvent {
		resp, _ := or.TerminalResponse(events[len(events)-1])
		resp.Output = resp.Output[len(resp.Output)-1:]
		return events
	}
	open := func(events []or.StreamEvent) []or.StreamEvent { return renumber(slices.Delete(events, 3, 4)) }
	elsewhere := func(events []or.StreamEvent) []or.StreamEvent {
		events[5].(*or.FunctionCallArgumentsDoneEvent).OutputIndex = 1
		return events
	}
	tests := []struct {
		name          string
		events        []or.StreamEvent
		strict, loose bool // whether it passes
	}{
		{"no reuse", stream(0, 1, 2), true, true},
		{"all at index 0", stream(0, 0, 0), false, true},
		{"reuse in between", stream(0, 1, 0, 2, 1), false, true},
		{"a new index out of turn", stream(0, 0, 2), false, false},
		{"a negative index", stream(0, -1), false, false},
		{"while the item is open", open(stream(0, 0)), false, false},
		{"an item missing in the end", lastItem(stream(0, 0)), false, false},
		{"events at another index", elsewhere(stream(0, 0)), false, false},
	}
	for _, tt := range tests {
		if err := streamtest.Validate(tt.events); (err == nil) != tt.strict {
			t.Errorf("%s: error %v", tt.name, err)
		}
		if err := streamtest.Validate(tt.events, streamtest.WithOutputIndexReuse()); (err == nil) != tt.loose {
			t.Errorf("%s, with reuse: error %v", tt.name, err)
		}
	}
}
