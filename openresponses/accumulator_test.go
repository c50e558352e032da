package openresponses

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Short forms of the events and items that the tables below are made of.

func created() StreamEvent {
	return &ResponseCreatedEvent{Response: &Response{ID: "resp_1", Status: ResponseStatusInProgress}}
}

func progress(output ...Item) StreamEvent {
	return &ResponseInProgressEvent{Response: &Response{ID: "resp_1", Status: ResponseStatusInProgress, Output: output}}
}

func completed(output ...Item) StreamEvent {
	return &ResponseCompletedEvent{Response: &Response{ID: "resp_1", Status: ResponseStatusCompleted, Output: output}}
}

func added(index int, item Item) StreamEvent {
	return &OutputItemAddedEvent{OutputIndex: index, Item: item}
}
func done(index int, item Item) StreamEvent {
	return &OutputItemDoneEvent{OutputIndex: index, Item: item}
}

func partAdded(index, content int, part Content) StreamEvent {
	return &ContentPartAddedEvent{OutputIndex: index, ContentIndex: content, Part: part}
}

func partDone(index, content int, part Content) StreamEvent {
	return &ContentPartDoneEvent{OutputIndex: index, ContentIndex: content, Part: part}
}

func textDelta(index, content int, delta string, logprobs ...LogProb) StreamEvent {
	return &OutputTextDeltaEvent{OutputIndex: index, ContentIndex: content, Delta: delta, Logprobs: logprobs}
}

func textDone(index, content int, text string, logprobs ...LogProb) StreamEvent {
	return &OutputTextDoneEvent{OutputIndex: index, ContentIndex: content, Text: text, Logprobs: logprobs}
}

func argsDelta(index int, delta string) StreamEvent {
	return &FunctionCallArgumentsDeltaEvent{OutputIndex: index, Delta: delta}
}

func argsDone(index int, args string) StreamEvent {
	return &FunctionCallArgumentsDoneEvent{OutputIndex: index, Arguments: args}
}

func msg(id string, parts ...Content) *Message {
	return &Message{ID: id, Role: RoleAssistant, Content: append(Contents{}, parts...)}
}

func call(id, args string) *FunctionCall {
	return &FunctionCall{ID: id, CallID: "call_" + id, Name: "f", Arguments: args}
}

func out(text string) *OutputText { return &OutputText{Text: text, Annotations: Annotations{}} }

func rs(id string, summary ...string) *ReasoningItem {
	r := &ReasoningItem{ID: id, Summary: Contents{}}
	for _, text := range summary {
		r.Summary = append(r.Summary, &SummaryText{Text: text})
	}
	return r
}

func fold(events ...StreamEvent) *Accumulator {
	a := new(Accumulator)
	for _, ev := range events {
		a.Add(ev)
	}
	return a
}

func lp(token string) LogProb {
	return LogProb{Token: token, Bytes: []int{}, TopLogprobs: []TopLogProb{}}
}

func withStatus(item *FunctionCall, s Status) *FunctionCall { item.Status = s; return item }

func TestAccumulatorItems(t *testing.T) {
	citation := &URLCitation{URL: "u"}
	withLogprobs := func(text string, l ...LogProb) *OutputText {
		p := out(text)
		p.Logprobs = l
		return p
	}
	annotated := func(as ...Annotation) *OutputText { return &OutputText{Annotations: as} }
	reasoned := func(texts ...string) *ReasoningItem {
		r := rs("r")
		for _, text := range texts {
			r.Content = append(r.Content, &ReasoningText{Text: text})
		}
		return r
	}
	tests := []struct {
		name   string
		events []StreamEvent
		want   Items
	}{
		{"added", []StreamEvent{added(0, msg("m"))}, Items{msg("m")}},
		{"added without an id", []StreamEvent{added(0, msg(""))}, Items{msg("")}},
		{"done without added", []StreamEvent{done(0, msg("m", out("x")))}, Items{msg("m", out("x"))}},
		{"done replaces what was streamed", []StreamEvent{added(0, call("c", "")), argsDelta(0, "{"), done(0, call("c", "{}"))}, Items{call("c", "{}")}},
		{"done twice", []StreamEvent{added(0, call("c", "")), done(0, call("c", "{}")), done(0, call("c", "{}"))}, Items{call("c", "{}")}},
		{"a gap is padded", []StreamEvent{added(2, msg("m"))}, Items{nil, nil, msg("m")}},
		{"a gap is filled", []StreamEvent{added(1, msg("b")), added(0, msg("a"))}, Items{msg("a"), msg("b")}},
		{"a gap out of proportion", []StreamEvent{added(0, msg("a")), added(maxGap+2, msg("b"))}, Items{msg("a")}},
		{"negative output index", []StreamEvent{added(0, msg("a")), added(-1, msg("b")), done(-1, msg("c"))}, Items{msg("a")}},
		{"nil item", []StreamEvent{added(0, msg("a")), added(1, nil), done(1, nil)}, Items{msg("a")}},
		{"an open item is replaced", []StreamEvent{added(0, msg("a")), added(0, msg("b"))}, Items{msg("b")}},

		{"part added", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out(""))}, Items{msg("m", out(""))}},
		{"part padded", []StreamEvent{added(0, msg("m")), partAdded(0, 1, out(""))}, Items{msg("m", nil, out(""))}},
		{"part on no message", []StreamEvent{added(0, call("c", "")), partAdded(0, 0, out("")), partDone(0, 0, out(""))}, Items{call("c", "")}},
		{"nil part", []StreamEvent{added(0, msg("m")), partAdded(0, 0, nil), partDone(0, 0, nil)}, Items{msg("m")}},
		{"negative part index", []StreamEvent{added(0, msg("m")), partAdded(0, -1, out("")), partDone(0, -1, out("")), textDelta(0, -1, "x")}, Items{msg("m")}},
		{"part out of proportion", []StreamEvent{added(0, msg("m")), partAdded(0, maxGap+1, out(""))}, Items{msg("m")}},
		{"part done replaces", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("")), textDelta(0, 0, "x"), partDone(0, 0, out("whole"))}, Items{msg("m", out("whole"))}},
		{"part done without added", []StreamEvent{added(0, msg("m")), partDone(0, 0, out("whole"))}, Items{msg("m", out("whole"))}},

		{"text deltas append", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("a")), textDelta(0, 0, "b"), textDelta(0, 0, ""), textDelta(0, 0, "c")}, Items{msg("m", out("abc"))}},
		{"text delta on no part", []StreamEvent{added(0, msg("m")), textDelta(0, 0, "x"), textDone(0, 0, "x")}, Items{msg("m")}},
		{"text delta on no item", []StreamEvent{added(0, msg("m")), textDelta(1, 0, "x"), textDelta(-1, 0, "x")}, Items{msg("m")}},
		{"text delta on another kind", []StreamEvent{added(0, msg("m")), partAdded(0, 0, &Refusal{}), textDelta(0, 0, "x"), textDone(0, 0, "x")}, Items{msg("m", &Refusal{})}},
		{"text done replaces", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("")), textDelta(0, 0, "x"), textDone(0, 0, "y")}, Items{msg("m", out("y"))}},
		{"text done and on", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("")), textDelta(0, 0, "a"), textDelta(0, 0, "b"), textDone(0, 0, "y"), textDelta(0, 0, "z"), textDelta(0, 0, "!")}, Items{msg("m", out("yz!"))}},
		{"texts in turn", []StreamEvent{
			added(0, msg("a")), added(1, msg("b")), partAdded(0, 0, out("")), partAdded(1, 0, out("")),
			textDelta(0, 0, "a"), textDelta(1, 0, "x"), textDelta(0, 0, "b"), textDelta(1, 0, "y"), textDelta(0, 0, "c"),
		}, Items{msg("a", out("abc")), msg("b", out("xy"))}},
		{"logprobs append", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("")), textDelta(0, 0, "a", lp("a")), textDelta(0, 0, "b", lp("b"))}, Items{msg("m", withLogprobs("ab", lp("a"), lp("b")))}},
		{"logprobs stay without new ones", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("")), textDelta(0, 0, "a", lp("a")), textDone(0, 0, "a")}, Items{msg("m", withLogprobs("a", lp("a")))}},
		{"logprobs are replaced", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("")), textDelta(0, 0, "a", lp("a")), textDone(0, 0, "a", lp("b"))}, Items{msg("m", withLogprobs("a", lp("b")))}},

		{"refusal", []StreamEvent{added(0, msg("m")), partAdded(0, 0, &Refusal{}), &RefusalDeltaEvent{Delta: "n"}, &RefusalDeltaEvent{Delta: "o"}}, Items{msg("m", &Refusal{Refusal: "no"})}},
		{"refusal done", []StreamEvent{added(0, msg("m")), partAdded(0, 0, &Refusal{}), &RefusalDeltaEvent{Delta: "n"}, &RefusalDoneEvent{Refusal: "never"}}, Items{msg("m", &Refusal{Refusal: "never"})}},
		{"refusal on text", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("")), &RefusalDeltaEvent{Delta: "n"}, &RefusalDoneEvent{Refusal: "n"}}, Items{msg("m", out(""))}},

		{"arguments", []StreamEvent{added(0, call("c", "")), argsDelta(0, "{"), argsDelta(0, `"a"`), argsDelta(0, ":1}")}, Items{call("c", `{"a":1}`)}},
		{"arguments done", []StreamEvent{added(0, call("c", "")), argsDelta(0, "{"), argsDone(0, "{}")}, Items{call("c", "{}")}},
		{"arguments on no call", []StreamEvent{added(0, msg("m")), argsDelta(0, "{"), argsDone(0, "{}")}, Items{msg("m")}},

		{"summary", []StreamEvent{
			added(0, rs("r")), &ReasoningSummaryPartAddedEvent{Part: &SummaryText{}},
			&ReasoningSummaryTextDeltaEvent{Delta: "a"}, &ReasoningSummaryTextDeltaEvent{Delta: "b"},
			&ReasoningSummaryPartAddedEvent{SummaryIndex: 2, Part: &SummaryText{}}, &ReasoningSummaryTextDeltaEvent{SummaryIndex: 2, Delta: "c"},
		}, Items{&ReasoningItem{ID: "r", Summary: Contents{&SummaryText{Text: "ab"}, nil, &SummaryText{Text: "c"}}}}},
		{"summary text done", []StreamEvent{added(0, rs("r", "")), &ReasoningSummaryTextDeltaEvent{Delta: "a"}, &ReasoningSummaryTextDoneEvent{Text: "b"}}, Items{rs("r", "b")}},
		{"summary part done", []StreamEvent{added(0, rs("r", "a")), &ReasoningSummaryPartDoneEvent{Part: &SummaryText{Text: "b"}}}, Items{rs("r", "b")}},
		{"summary text on no part", []StreamEvent{added(0, rs("r")), &ReasoningSummaryTextDeltaEvent{Delta: "a"}, &ReasoningSummaryTextDoneEvent{Text: "a"}}, Items{rs("r")}},
		{"summary part of no use", []StreamEvent{
			added(0, rs("r")), &ReasoningSummaryPartAddedEvent{}, &ReasoningSummaryPartDoneEvent{},
			&ReasoningSummaryPartAddedEvent{SummaryIndex: -1, Part: &SummaryText{}}, &ReasoningSummaryPartDoneEvent{SummaryIndex: -1, Part: &SummaryText{}},
		}, Items{rs("r")}},
		{"summary on no reasoning", []StreamEvent{added(0, msg("m")), &ReasoningSummaryPartAddedEvent{Part: &SummaryText{}}, &ReasoningSummaryTextDeltaEvent{Delta: "a"}}, Items{msg("m")}},

		{"reasoning text makes its parts", []StreamEvent{added(0, rs("r")), &ReasoningDeltaEvent{ContentIndex: 1, Delta: "a"}, &ReasoningDeltaEvent{ContentIndex: 1, Delta: "b"}}, Items{reasoned("", "ab")}},
		{"reasoning text done", []StreamEvent{added(0, rs("r")), &ReasoningDeltaEvent{Delta: "a"}, &ReasoningDoneEvent{Text: "b"}}, Items{reasoned("b")}},
		{"reasoning text done alone", []StreamEvent{added(0, rs("r")), &ReasoningDoneEvent{Text: "b"}}, Items{reasoned("b")}},
		{"reasoning text of no use", []StreamEvent{added(0, rs("r")), &ReasoningDeltaEvent{ContentIndex: -1, Delta: "a"}, &ReasoningDoneEvent{ContentIndex: maxGap + 1, Text: "a"}}, Items{rs("r")}},
		{"reasoning text on no reasoning", []StreamEvent{added(0, msg("m")), &ReasoningDeltaEvent{Delta: "a"}, &ReasoningDoneEvent{Text: "a"}}, Items{msg("m")}},

		{"annotation", []StreamEvent{added(0, msg("m")), partAdded(0, 0, out("")), &OutputTextAnnotationAddedEvent{AnnotationIndex: 1, Annotation: citation}}, Items{msg("m", annotated(nil, citation))}},
		{"annotation of no use", []StreamEvent{
			added(0, msg("m")), partAdded(0, 0, out("")), &OutputTextAnnotationAddedEvent{},
			&OutputTextAnnotationAddedEvent{AnnotationIndex: -1, Annotation: citation}, &OutputTextAnnotationAddedEvent{ContentIndex: 1, Annotation: citation},
		}, Items{msg("m", out(""))}},

		{"ids on events are not consulted", []StreamEvent{added(0, call("c", "")), &FunctionCallArgumentsDeltaEvent{ItemID: "other", Delta: "{}"}}, Items{call("c", "{}")}},
		{"unknown event", []StreamEvent{added(0, msg("m")), &UnknownEvent{Type: "acme:thing"}, nil}, Items{msg("m")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := fold(append([]StreamEvent{created()}, tt.events...)...)
			wantOutput(t, a, tt.want)
			if a.Response().ID != "resp_1" || a.Response().Status != ResponseStatusInProgress {
				t.Errorf("response is %q, %q", a.Response().ID, a.Response().Status)
			}
			if r := a.ReusedIndexes(); r != nil {
				t.Errorf("reused indexes %v, want none", r)
			}
		})
	}
}

func wantOutput(t *testing.T, a *Accumulator, want Items) {
	t.Helper()
	var got Items
	if a.Response() != nil {
		got = a.Response().Output
	}
	if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("output is %s\nwant      %s", show(got), show(want))
	}
}

func show(items Items) string {
	var b strings.Builder
	for _, item := range items {
		switch item := item.(type) {
		case *Message:
			fmt.Fprintf(&b, "message %+v [", *item)
			for _, part := range item.Content {
				fmt.Fprintf(&b, "%T%+v ", part, reflect.Indirect(reflect.ValueOf(part)))
			}
			b.WriteString("]; ")
		case nil:
			b.WriteString("nil; ")
		default:
			fmt.Fprintf(&b, "%+v; ", reflect.Indirect(reflect.ValueOf(item)))
		}
	}
	return b.String()
}

// TestAccumulatorReuse covers servers that use an output index for one item after another.
func TestAccumulatorReuse(t *testing.T) {
	type at map[int]int // output index to position
	tests := []struct {
		name   string
		events []StreamEvent
		want   Items
		reused []int
		at     at
		notAt  []int
	}{
		{"conforming", []StreamEvent{added(0, call("a", "")), done(0, call("a", "1")), added(1, call("b", ""))},
			Items{call("a", "1"), call("b", "")}, nil, at{0: 0, 1: 1}, []int{2, -1}},
		{"calls all at index 0", []StreamEvent{
			added(0, call("a", "")), argsDelta(0, "1"), done(0, call("a", "1")),
			added(0, call("b", "")), argsDelta(0, "2"), argsDelta(0, "2"),
			done(0, call("b", "22")), added(0, call("c", "")), argsDelta(0, "3"),
		}, Items{call("a", "1"), call("b", "22"), call("c", "3")}, []int{0, 0}, at{0: 2}, []int{1, 2}},
		{"done events alone", []StreamEvent{done(0, call("a", "1")), done(0, call("b", "2"))},
			Items{call("a", "1"), call("b", "2")}, []int{0}, at{0: 1}, []int{1}},
		{"added without an id is another", []StreamEvent{done(0, call("", "1")), added(0, call("", "2"))},
			Items{call("", "1"), call("", "2")}, []int{0}, at{0: 1}, nil},
		{"done without an id restates", []StreamEvent{done(0, call("a", "1")), done(0, call("", "2"))},
			Items{call("", "2")}, nil, at{0: 0}, nil},
		{"an id after none is another", []StreamEvent{done(0, call("", "1")), done(0, call("b", "2"))},
			Items{call("", "1"), call("b", "2")}, []int{0}, at{0: 1}, nil},
		{"the same id restates", []StreamEvent{done(0, call("a", "1")), added(0, call("a", "")), argsDelta(0, "2")},
			Items{call("a", "2")}, nil, at{0: 0}, nil},
		{"restated, it is open again", []StreamEvent{done(0, call("a", "1")), added(0, call("a", "")), added(0, call("b", ""))},
			Items{call("b", "")}, nil, at{0: 0}, nil},
		{"a new index after reuse", []StreamEvent{
			done(0, call("a", "1")), done(0, call("b", "2")), added(1, call("c", "")), argsDelta(1, "3"), argsDelta(0, "!"),
		}, Items{call("a", "1"), call("b", "2!"), call("c", "3")}, []int{0}, at{0: 1, 1: 2}, []int{2}},
		{"a far index after reuse", []StreamEvent{done(0, call("a", "1")), done(0, call("b", "2")), added(1<<30, call("c", ""))},
			Items{call("a", "1"), call("b", "2"), call("c", "")}, []int{0}, at{1 << 30: 2}, nil},
		{"a passing snapshot without items", []StreamEvent{done(0, call("a", "1")), done(0, call("b", "2")), progress(), argsDelta(0, "!")},
			Items{call("a", "1"), call("b", "2!")}, []int{0}, at{0: 1}, []int{1}},
		{"a passing snapshot adds what is new", []StreamEvent{
			done(0, call("a", "1")), done(0, call("b", "2")), progress(call("b", "x"), call("", "x"), call("c", "3"), nil), argsDelta(2, "!"),
		}, Items{call("a", "1"), call("b", "2"), call("c", "3")}, []int{0}, at{0: 1}, []int{1, 2}},
		{"a terminal snapshot replaces", []StreamEvent{done(0, call("a", "1")), done(0, call("b", "2")), completed(call("a", "1"), call("b", "2"))},
			Items{call("a", "1"), call("b", "2")}, []int{0}, at{0: 0, 1: 1}, []int{2}},
		{"a terminal snapshot without items", []StreamEvent{done(0, call("a", "1")), done(0, call("b", "2")), completed()},
			nil, []int{0}, nil, []int{0, 1}},
		{"a type from outside has no id", []StreamEvent{done(0, &outsideItem{1}), done(0, &outsideItem{2}), added(0, &outsideItem{3})},
			Items{&outsideItem{2}, &outsideItem{3}}, []int{0}, at{0: 1}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := fold(append([]StreamEvent{created()}, tt.events...)...)
			wantOutput(t, a, tt.want)
			if got := a.ReusedIndexes(); !slices.Equal(got, tt.reused) || (got == nil) != (tt.reused == nil) {
				t.Errorf("reused indexes %v, want %v", got, tt.reused)
			}
			for index, want := range tt.at {
				if got, ok := a.Position(index); !ok || got != want {
					t.Errorf("Position(%d) = %d, %v; want %d", index, got, ok, want)
				}
				if item, ok := a.ItemAt(index); !ok || item != a.Response().Output[want] {
					t.Errorf("ItemAt(%d) = %v, %v", index, item, ok)
				}
			}
			for _, index := range tt.notAt {
				if got, ok := a.Position(index); ok {
					t.Errorf("Position(%d) = %d, want none", index, got)
				}
				if item, ok := a.ItemAt(index); ok || item != nil {
					t.Errorf("ItemAt(%d) = %v, want none", index, item)
				}
			}
		})
	}
}

// outsideItem is an item of a type that this package does not know.
type outsideItem struct{ n int }

func (*outsideItem) ItemType() string               { return "acme:item" }
func (i *outsideItem) MarshalJSON() ([]byte, error) { return nil, fmt.Errorf("cannot be encoded") }

// TestAccumulatorSnapshots covers what becomes of the held items when the server states the response.
func TestAccumulatorSnapshots(t *testing.T) {
	missing := &Response{}
	if err := missing.UnmarshalJSON([]byte(`{"id":"resp_1","status":"completed"}`)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		events []StreamEvent
		want   Items
		status ResponseStatus
	}{
		{"passing, without items", []StreamEvent{added(0, call("a", "")), argsDelta(0, "1"), progress(), argsDelta(0, "2")}, Items{call("a", "12")}, "in_progress"},
		{"passing, with items", []StreamEvent{added(0, call("a", "")), progress(call("b", "1")), argsDelta(0, "2")}, Items{call("b", "12")}, "in_progress"},
		{"terminal replaces", []StreamEvent{added(0, call("a", "")), argsDelta(0, "1"), completed(call("a", "{}"))}, Items{call("a", "{}")}, "completed"},
		{"terminal without items empties", []StreamEvent{added(0, call("a", "")), completed()}, nil, "completed"},
		{"terminal that leaves its list out", []StreamEvent{added(0, call("a", "1")), &ResponseCompletedEvent{Response: missing}}, Items{call("a", "1")}, "completed"},
		{"terminal by event only", []StreamEvent{added(0, call("a", "1")), &ResponseCompletedEvent{Response: &Response{Status: "in_progress"}}}, Items{call("a", "1")}, "in_progress"},
		{"nil response", []StreamEvent{added(0, call("a", "1")), &ResponseCompletedEvent{}}, Items{call("a", "1")}, "in_progress"},
		{"events after the end", []StreamEvent{completed(call("a", "1")), argsDelta(0, "2"), added(1, msg("m"))}, Items{call("a", "12"), msg("m")}, "completed"},
		{"all six are snapshots", []StreamEvent{
			&ResponseQueuedEvent{Response: &Response{Status: "queued"}}, &ResponseFailedEvent{Response: &Response{Status: "failed"}},
			&ResponseIncompleteEvent{Response: &Response{Status: "incomplete", Output: Items{msg("m")}}},
		}, Items{msg("m")}, "incomplete"},

		{"listed as open, it is replaced", []StreamEvent{progress(call("a", "")), added(0, call("b", ""))}, Items{call("b", "")}, "in_progress"},
		{"listed as completed, it is closed", []StreamEvent{progress(withStatus(call("a", ""), "completed")), added(0, call("b", ""))}, Items{withStatus(call("a", ""), "completed"), call("b", "")}, "in_progress"},
		{"listed as incomplete, it is closed", []StreamEvent{progress(withStatus(call("a", ""), "incomplete")), added(0, call("b", ""))}, Items{withStatus(call("a", ""), "incomplete"), call("b", "")}, "in_progress"},
		{"closed before, it stays closed", []StreamEvent{done(0, call("a", "")), progress(call("a", "")), added(0, call("b", ""))}, Items{call("a", ""), call("b", "")}, "in_progress"},
		{"opened again, it is open", []StreamEvent{done(0, call("a", "")), added(0, call("a", "")), progress(call("a", "")), added(0, call("b", ""))}, Items{call("b", "")}, "in_progress"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := fold(append([]StreamEvent{created()}, tt.events...)...)
			wantOutput(t, a, tt.want)
			if got := a.Response().Status; got != tt.status {
				t.Errorf("status %q, want %q", got, tt.status)
			}
		})
	}
}

// TestAccumulatorStart covers streams that do not begin as they should, and errors.
func TestAccumulatorStart(t *testing.T) {
	failure := ErrorPayload{Type: ErrorTypeServerError, Code: "c", Message: "m", Headers: map[string]string{"a": "b"}}
	t.Run("nothing", func(t *testing.T) {
		a := fold(&UnknownEvent{}, &ResponseCreatedEvent{}, textDelta(0, 0, "x"), partAdded(0, 0, out("")), added(-1, msg("m")), added(maxGap+1, msg("m")))
		if a.Response() != nil {
			t.Errorf("response is %+v, want nil", a.Response())
		}
		if _, ok := a.Position(0); ok {
			t.Error("there is a position without a response")
		}
	})
	t.Run("item first", func(t *testing.T) {
		a := fold(added(0, call("a", "")), argsDelta(0, "1"))
		wantOutput(t, a, Items{call("a", "1")})
		if a.Response().Status != ResponseStatusInProgress {
			t.Errorf("status %q", a.Response().Status)
		}
	})
	t.Run("error first", func(t *testing.T) {
		resp := fold(&ErrorEvent{Error: failure}).Response()
		if resp.Status != ResponseStatusFailed || !reflect.DeepEqual(*resp.Error, failure) {
			t.Errorf("got %q, %+v", resp.Status, resp.Error)
		}
	})
	t.Run("error within", func(t *testing.T) {
		ev := &ErrorEvent{Error: failure}
		a := fold(created(), added(0, msg("m")), ev)
		resp := a.Response()
		if resp.Status != ResponseStatusFailed || !reflect.DeepEqual(*resp.Error, failure) {
			t.Errorf("got %q, %+v", resp.Status, resp.Error)
		}
		wantOutput(t, a, Items{msg("m")})
		resp.Error.Headers["a"] = "changed"
		if ev.Error.Headers["a"] != "b" {
			t.Error("the response shares the event's headers")
		}
	})
	t.Run("failed without an error after one", func(t *testing.T) {
		resp := fold(created(), &ErrorEvent{Error: failure}, &ResponseFailedEvent{Response: &Response{Status: ResponseStatusFailed}}).Response()
		if resp.Error == nil || resp.Error.Code != "c" {
			t.Errorf("the error was lost: %+v", resp.Error)
		}
	})
}

// TestAccumulatorOwnership checks which values the accumulator copies and which it keeps.
func TestAccumulatorOwnership(t *testing.T) {
	item, part := msg("m"), out("a")
	whole, wholePart := msg("m"), out("whole")
	a := fold(created(), added(0, item), partAdded(0, 0, part), textDelta(0, 0, "b"))
	if len(item.Content) != 0 || part.Text != "a" {
		t.Error("folding changed the item or part of an added event")
	}
	a.Add(partDone(0, 0, wholePart))
	if got, _ := a.ItemAt(0); got.(*Message).Content[0] != wholePart {
		t.Error("the part of a done event was copied")
	}
	a.Add(done(0, whole))
	if got, _ := a.ItemAt(0); got != whole {
		t.Error("the item of a done event was copied")
	}
	stated := completed(whole).(*ResponseCompletedEvent)
	a.Add(stated)
	if a.Response() == stated.Response {
		t.Error("the response of a snapshot was not copied")
	}
	reused := fold(done(0, call("a", "")), done(0, call("b", "")))
	reused.ReusedIndexes()[0] = 7
	if got := reused.ReusedIndexes()[0]; got != 0 {
		t.Error("ReusedIndexes gives out its own list")
	}
}

// TestAccumulatorForeignChange checks that a text somebody else set is what deltas go on from.
func TestAccumulatorForeignChange(t *testing.T) {
	a := fold(created(), added(0, call("c", "")), argsDelta(0, "ab"), argsDelta(0, "cd"))
	item, _ := a.ItemAt(0)
	c := item.(*FunctionCall)
	kept := c.Arguments
	for _, text := range []string{"wxyz", "short", ""} {
		c.Arguments = text
		a.Add(argsDelta(0, "!"))
		a.Add(argsDelta(0, "?"))
		if want := text + "!?"; c.Arguments != want {
			t.Errorf("after setting %q: %q, want %q", text, c.Arguments, want)
		}
	}
	if kept != "abcd" {
		t.Errorf("a text read before changed to %q", kept)
	}
}

// TestAccumulatorAllocates checks that deltas do not copy the text that is there: only the doublings of its buffer
// allocate.
func TestAccumulatorAllocates(t *testing.T) {
	grow := map[string]struct {
		start []StreamEvent
		delta StreamEvent
	}{
		"text":           {[]StreamEvent{added(0, msg("m")), partAdded(0, 0, out(""))}, textDelta(0, 0, "word ")},
		"refusal":        {[]StreamEvent{added(0, msg("m")), partAdded(0, 0, &Refusal{})}, &RefusalDeltaEvent{Delta: "word "}},
		"arguments":      {[]StreamEvent{added(0, call("c", ""))}, argsDelta(0, "word ")},
		"summary":        {[]StreamEvent{added(0, rs("r", ""))}, &ReasoningSummaryTextDeltaEvent{Delta: "word "}},
		"reasoning text": {[]StreamEvent{added(0, rs("r"))}, &ReasoningDeltaEvent{Delta: "word "}},
	}
	for name, tt := range grow {
		allocs := testing.AllocsPerRun(1, func() {
			a := fold(created())
			for _, ev := range tt.start {
				a.Add(ev)
			}
			for range 10000 {
				a.Add(tt.delta)
			}
		})
		if allocs > 100 {
			t.Errorf("%s: %v allocations for 10,000 deltas", name, allocs)
		}
	}
}

func BenchmarkAccumulator(b *testing.B) {
	for _, deltas := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprintf("deltas=%d", deltas), func(b *testing.B) {
			b.ReportAllocs()
			delta := &OutputTextDeltaEvent{Delta: "word "}
			start := []StreamEvent{created(), added(0, msg("m")), partAdded(0, 0, out(""))}
			for b.Loop() {
				a := fold(start...)
				for range deltas {
					a.Add(delta)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*deltas), "ns/delta")
		})
	}
}
