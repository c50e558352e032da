package fold_test

import (
	"errors"
	"testing"

	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// changeTests say what streams change, as they come.
var changeTests = []struct {
	name   string
	taken  []string // call IDs of the transcript
	events stream
	want   []string
}{
	{
		name: "a conforming stream",
		events: stream{
			created("resp"),
			added(0, &openresponses.ReasoningItem{ID: "r"}), done(0, reasoning("r", "why")),
			added(1, opened("m")), part(1), text(1, "he"), text(1, "llo"), done(1, message("m", "hello")),
			added(2, call("f", "c", "")), args(2, `{}`), done(2, call("f", "c", `{}`)),
			completed(reasoning("r", "why"), message("m", "hello"), call("f", "c", `{}`)),
		},
		want: []string{
			"open 0 reasoning r ", "done 0 reasoning r why",
			"open 1 message m  !", "update message m ", "update message m he", "update message m hello", "done 1 message m hello",
			"open 2 call f c  !", "update call f c {}", "done 2 call f c {}",
			"terminal",
		},
	},
	{
		name: "items of every other type open and complete without committing",
		events: stream{
			added(0, unknown("acme:x", "u")), done(0, unknown("acme:x", "u")),
			added(1, &openresponses.Compaction{ID: "k"}), done(1, &openresponses.Compaction{ID: "k"}),
			added(2, unknown("", "")), done(2, unknown("", "")),
		},
		want: []string{
			"open 0 acme:x u", "done 0 acme:x u",
			"open 1 compaction", "done 1 compaction",
			"open 2  -", "done 2  -",
		},
	},
	{
		name:   "updates without an item",
		events: stream{text(0, "x"), args(5, "x"), text(-1, "x"), text(1<<40, "x")},
		want:   []string{"update nil", "update nil", "update nil", "update nil"},
	},
	{
		name:   "events that say nothing of items",
		events: stream{nil, created("resp"), &openresponses.ResponseQueuedEvent{}, &openresponses.ResponseInProgressEvent{}, &openresponses.UnknownEvent{Type: "acme.ping"}, &openresponses.ResponseCompletedEvent{}},
		want:   []string{},
	},
	{
		name:   "completed without having opened",
		events: stream{done(0, reasoning("r", "why")), done(1, message("m", "hi")), done(2, call("f", "c", "{}"))},
		want:   []string{"done 0 reasoning r why", "done 1 message m hi", "done 2 call f c {}"},
	},
	{
		name:   "opened without a usable item",
		events: stream{done(0, message("m", "hi")), added(0, nil), added(-1, opened("n")), done(-1, message("n", "ho")), added(1<<40, call("", "c", "")), done(1<<40, call("", "c", "{}"))},
		want:   []string{"done 0 message m hi", "open 1 nil", "open 2 nil", "done 2 message n ho", "open 3 nil", "done 3 call - c {}"},
	},
	{
		name:   "completed with nothing",
		events: stream{added(0, opened("m")), done(0, nil), done(0, message("m", "hi"))},
		want:   []string{"open 0 message m  !", "done 0 message m hi"},
	},
	{
		name: "everything at index 0 with item IDs, completed in another order",
		events: stream{
			added(0, &openresponses.ReasoningItem{ID: "r"}), added(0, opened("m")), added(0, call("f", "c", "")),
			done(0, message("m", "hi")), done(0, call("f", "c", "{}")), done(0, reasoning("r", "why")),
		},
		want: []string{
			"open 0 reasoning r ", "open 1 message m  !", "open 2 call f c  !",
			"done 1 message m hi", "done 2 call f c {}", "done 0 reasoning r why",
		},
	},
	{
		name: "everything at index 0 without item IDs",
		events: stream{
			added(0, &openresponses.ReasoningItem{}), done(0, reasoning("", "why")),
			added(0, opened("")), part(0), text(0, "hi"), done(0, message("", "hi")),
			added(0, opened("")), part(0), text(0, "ho"), done(0, message("", "ho")),
		},
		want: []string{
			"open 0 reasoning - ", "done 0 reasoning - why",
			"open 1 message -  !", "update message - ", "update message - hi", "done 1 message - hi",
			"open 2 message -  !", "update message - ", "update message - ho", "done 2 message - ho",
		},
	},
	{
		name:   "a completion means the last item open at its index",
		events: stream{added(0, opened("")), added(0, opened("")), done(0, message("", "b")), done(0, message("", "a")), done(0, message("", "c"))},
		want:   []string{"open 0 message -  !", "open 1 message -  !", "done 1 message - b", "done 0 message - a", "done 2 message - c"},
	},
	{
		name:   "an item ID wins over the index",
		events: stream{added(3, call("f", "c", "")), added(0, call("g", "d", "")), done(0, call("f", "c", "{}")), done(0, call("g", "d", "[]"))},
		want:   []string{"open 0 call f c  !", "open 1 call g d  !", "done 0 call f c {}", "done 1 call g d []"},
	},
	{
		name:   "an item ID of another type is none",
		events: stream{done(0, reasoning("x", "why")), done(1, message("x", "hi")), done(2, call("x", "c", "{}")), done(2, call("x", "c", "{}"))},
		want:   []string{"done 0 reasoning x why", "done 1 message x hi", "done 2 call x c {}"},
	},
	{
		name:   "a message that completes under another ID",
		events: stream{added(0, opened("m")), done(0, message("other", "hi")), done(0, message("m", "ho"))},
		want:   []string{"open 0 message m  !", "done 0 message other hi", "done 1 message m ho"},
	},
	{
		name:   "orphan completions around an item",
		events: stream{done(0, message("x_1", "hi")), added(0, opened("m")), done(0, message("m", "hi")), done(0, message("x_2", "hi"))},
		want:   []string{"done 0 message x_1 hi", "open 1 message m  !", "done 1 message m hi", "done 2 message x_2 hi"},
	},
	{
		name:   "an item that says it is a call is none",
		events: stream{done(0, unknown("function_call", "f")), added(0, call("f", "c", "")), done(0, unknown("function_call", "g")), done(0, call("f", "c", "{}"))},
		want:   []string{"done 0 function_call f", "open 1 call f c  !", "done 2 function_call g", "done 1 call f c {}"},
	},
	{
		name:   "a second error and events after it",
		events: stream{&openresponses.ErrorEvent{Error: openresponses.ErrorPayload{Message: "busy"}}, completed(), text(0, "x"), incomplete()},
		want:   []string{"fail " + (&openresponses.ErrorEvent{Error: openresponses.ErrorPayload{Message: "busy"}}).Err().Error(), "terminal", "update nil", "terminal"},
	},
}

func TestChanges(t *testing.T) {
	for _, test := range changeTests {
		t.Run(test.name, func(t *testing.T) {
			f := fold.New(deciding(test.taken...))
			wantLines(t, "changes", run(f, test.events), test.want)
		})
	}
}

func TestRepeats(t *testing.T) {
	tests := []struct {
		name   string
		events stream
		want   []string
	}{
		{"the same ID", stream{added(0, call("f", "c", "")), done(0, call("f", "c", "{}")), done(0, call("f", "c", "{}"))}, []string{"open 0 call f c  !", "done 0 call f c {}"}},
		{"the same ID, another index and content", stream{done(0, message("m", "hi")), done(1, message("n", "x")), done(1, message("m", "hi."))}, []string{"done 0 message m hi", "done 1 message n x"}},
		{"opened again", stream{added(0, opened("m")), added(0, opened("m")), done(0, message("m", "hi")), added(0, opened("m")), done(0, message("m", "hi"))}, []string{"open 0 message m  !", "done 0 message m hi"}},
		{"opened after it completed", stream{done(0, message("m", "hi")), added(0, opened("m"))}, []string{"done 0 message m hi"}},
		{"no ID, the same content", stream{done(0, message("", "hi")), done(0, message("", "hi"))}, []string{"done 0 message - hi"}},
		{"no ID, the same call", stream{added(0, call("", "c", "")), done(0, call("", "c", "{}")), done(0, call("", "c", "{}"))}, []string{"open 0 call - c  !", "done 0 call - c {}"}},
		{"no ID, a call that was renamed", stream{done(0, call("", "", "{}")), done(0, call("", "", "{}"))}, []string{"done 0 call - new1 {}"}},
		{"no ID, arguments that were mended", stream{done(0, call("", "c", `"\ud83d"`)), done(0, call("", "c", `"\ud83d"`))}, []string{`done 0 call - c "\ufffd"`}},
		{"no ID, late events between", stream{done(0, message("", "hi")), text(0, "!"), done(0, message("", "hi"))}, []string{"done 0 message - hi", "update message - hi!"}},
		{"no ID, another index", stream{done(0, call("", "c", "{}")), done(1, call("", "c", "{}"))}, []string{"done 0 call - c {}", "done 1 call - new1 {} from c"}},
		{"no ID, other content", stream{done(0, call("", "c", "{}")), done(0, call("", "c", "[]"))}, []string{"done 0 call - c {}", "done 1 call - new1 [] from c"}},
		{"no ID, other type", stream{done(0, message("", "hi")), done(0, call("", "c", "{}")), done(0, message("", "hi"))}, []string{"done 0 message - hi", "done 1 call - c {}", "done 2 message - hi"}},
		{"no ID, another open at the index", stream{done(0, message("", "hi")), added(0, &openresponses.ReasoningItem{}), done(0, message("", "hi"))}, []string{"done 0 message - hi", "open 1 reasoning - ", "done 2 message - hi"}},
		{"no ID, opened before", stream{added(0, call("", "c", "")), done(0, call("", "c", "{}")), added(0, call("", "c", "")), done(0, call("", "c", "{}"))}, []string{"open 0 call - c  !", "done 0 call - c {}", "open 1 call - new1  !", "done 1 call - new1 {} from c"}},
		{"no ID, not the one completed last", stream{done(0, call("", "c", "{}")), done(0, call("", "d", "{}")), done(0, call("", "c", "{}"))}, []string{"done 0 call - c {}", "done 1 call - d {}", "done 2 call - new1 {} from c"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantLines(t, "changes", run(fold.New(deciding()), test.events), test.want)
		})
	}
}

// callIDTests say which IDs calls run under.
var callIDTests = []struct {
	name   string
	taken  []string
	events stream
	want   []string
}{
	{
		name: "none, and one that is taken", taken: []string{"c"},
		events: stream{added(0, call("f", "", "")), args(0, "{}"), done(0, call("f", "", "{}")), added(1, call("g", "c", "")), args(1, "[]"), done(1, call("g", "c", "[]"))},
		want: []string{
			"open 0 call f new1  !", "update call f new1 {}", "done 0 call f new1 {}",
			"open 1 call g new2  !", "update call g new2 []", "done 1 call g new2 [] from c",
		},
	},
	{
		name:   "twice in one response, with other arguments",
		events: stream{added(0, call("f", "c", "")), done(0, call("f", "c", "1")), added(1, call("g", "c", "")), done(1, call("g", "c", "2"))},
		want:   []string{"open 0 call f c  !", "done 0 call f c 1", "open 1 call g new1  !", "done 1 call g new1 2 from c"},
	},
	{
		name:   "none twice",
		events: stream{done(0, call("", "", "1")), done(0, call("", "", "2"))},
		want:   []string{"done 0 call - new1 1", "done 1 call - new2 2"},
	},
	{
		name:   "another at completion than at opening",
		events: stream{added(0, call("f", "c", "")), done(0, call("f", "d", "{}")), added(1, call("g", "", "")), done(1, call("g", "e", "{}"))},
		want:   []string{"open 0 call f c  !", "done 0 call f c {} from d", "open 1 call g new1  !", "done 1 call g new1 {} from e"},
	},
	{
		name:   "an item ID that tells another call at the index",
		events: stream{added(0, call("f", "c", "")), done(0, call("g", "c", "{}")), done(0, call("f", "c", "[]"))},
		want:   []string{"open 0 call f c  !", "done 1 call g new1 {} from c", "done 0 call f c []"},
	},
	{
		name:   "an item ID at opening only",
		events: stream{added(0, call("f", "c", "")), done(0, call("", "c", "{}")), done(0, call("f", "c", "{}"))},
		want:   []string{"open 0 call f c  !", "done 0 call - c {}"},
	},
	{
		name:  "renamed, and late deltas",
		taken: []string{"c"},
		events: stream{
			added(0, call("", "c", "")), args(0, "{"), done(0, call("", "c", "{}")), args(0, "!"),
			added(0, call("", "c", "")), args(0, "["), done(0, call("", "c", "[]")),
		},
		want: []string{
			"open 0 call - new1  !", "update call - new1 {", "done 0 call - new1 {} from c", "update call - new1 {}!",
			"open 1 call - new2  !", "update call - new2 [", "done 1 call - new2 [] from c",
		},
	},
	{
		name:   "delta events that name the call ID as item ID",
		taken:  []string{"c"},
		events: stream{added(0, call("f", "c", "")), &openresponses.FunctionCallArgumentsDeltaEvent{ItemID: "c", Delta: "{}"}},
		want:   []string{"open 0 call f new1  !", "update call f new1 {}"},
	},
	{
		name:   "renamed without having opened, and a late delta",
		taken:  []string{"c"},
		events: stream{done(0, call("", "c", "{}")), args(0, "!")},
		want:   []string{"done 0 call - new1 {} from c", "update call - new1 {}!"},
	},
	{
		name:   "a call that a snapshot puts in the place of another",
		taken:  []string{"c"},
		events: stream{added(0, call("f", "c", "")), &openresponses.ResponseInProgressEvent{Response: response("in_progress", "resp", call("g", "d", ""))}, args(0, "{}")},
		want:   []string{"open 0 call f new1  !", "update call g d {}"},
	},
	{
		name:   "a call that only a snapshot has told of",
		taken:  []string{"c"},
		events: stream{&openresponses.ResponseInProgressEvent{Response: response("in_progress", "resp", call("f", "c", ""))}, args(0, "{}")},
		want:   []string{"update call f c {}"},
	},
}

func TestCallIDs(t *testing.T) {
	for _, test := range callIDTests {
		t.Run(test.name, func(t *testing.T) {
			wantLines(t, "changes", run(fold.New(deciding(test.taken...)), test.events), test.want)
		})
	}

	t.Run("are asked for once", func(t *testing.T) {
		var asked []string
		decide := deciding("c")
		f := fold.New(func(modelID string) string {
			asked = append(asked, modelID)
			return decide(modelID)
		})
		run(f, stream{
			added(0, call("f", "", "")), args(0, "{}"), added(0, call("f", "", "")), done(0, call("f", "b", "{}")), done(0, call("f", "b", "{}")),
			done(1, call("g", "c", "")), completed(call("f", "b", "{}"), call("g", "c", ""), call("h", "d", "")),
		})
		f.Result()
		f.Result()
		wantLines(t, "asked for", asked, []string{"", "c", "d"})
	})

	t.Run("stand when nobody decides", func(t *testing.T) {
		wantLines(t, "changes", run(fold.New(nil), stream{done(0, call("f", "c", "{}"))}), []string{"done 0 call f c {}"})
	})
}

func TestUpdateCarriesTheEvent(t *testing.T) {
	for _, ev := range updates(2) {
		f := fold.New(nil)
		f.Add(added(2, opened("m")))
		changes := f.Add(ev)
		if len(changes) != 1 || changes[0].Kind != fold.Update || changes[0].Event != ev || show(changes[0].Item)[:9] != "message m" {
			t.Errorf("%T: %+v", ev, changes)
		}
		if index, ok := fold.OutputIndex(ev); index != 2 || !ok {
			t.Errorf("OutputIndex(%T) = %d, %t", ev, index, ok)
		}
	}
	for _, ev := range (stream{nil, added(1, nil), done(1, nil), completed(), &openresponses.ErrorEvent{}, &openresponses.UnknownEvent{}}) {
		if index, ok := fold.OutputIndex(ev); ok {
			t.Errorf("OutputIndex(%T) = %d, true", ev, index)
		}
	}
}

// updates is one event of each type that is inside an item.
func updates(index int) stream {
	return stream{
		part(index), text(index, "x"), args(index, "x"),
		&openresponses.ContentPartDoneEvent{OutputIndex: index},
		&openresponses.OutputTextDoneEvent{OutputIndex: index},
		&openresponses.OutputTextAnnotationAddedEvent{OutputIndex: index},
		&openresponses.RefusalDeltaEvent{OutputIndex: index},
		&openresponses.RefusalDoneEvent{OutputIndex: index},
		&openresponses.FunctionCallArgumentsDoneEvent{OutputIndex: index},
		&openresponses.ReasoningSummaryPartAddedEvent{OutputIndex: index},
		&openresponses.ReasoningSummaryPartDoneEvent{OutputIndex: index},
		&openresponses.ReasoningSummaryTextDeltaEvent{OutputIndex: index},
		&openresponses.ReasoningSummaryTextDoneEvent{OutputIndex: index},
		&openresponses.ReasoningDeltaEvent{OutputIndex: index},
		&openresponses.ReasoningDoneEvent{OutputIndex: index},
	}
}

func TestFailIsTheServersError(t *testing.T) {
	ev := &openresponses.ErrorEvent{Status: 429, Error: openresponses.ErrorPayload{Code: "busy", Message: "later"}}
	changes := fold.New(nil).Add(ev)
	var failure *openresponses.Error
	if len(changes) != 1 || !errors.As(changes[0].Err, &failure) || failure.Message != "later" {
		t.Fatalf("changes = %+v", changes)
	}
}

func TestResponseID(t *testing.T) {
	f := fold.New(nil)
	var got []string
	for _, ev := range (stream{added(0, opened("m")), created("resp"), done(0, message("m", "hi")), text(0, "!"), completed()}) {
		for _, c := range f.Add(ev) {
			got = append(got, c.ResponseID)
		}
	}
	wantLines(t, "response IDs", got, []string{"", "resp", "resp", "resp"})
}

func TestOpenItemIsLive(t *testing.T) {
	f := fold.New(nil)
	item := f.Add(added(0, opened("m")))[0].Item
	run(f, stream{part(0), text(0, "hi")})
	if got := show(item); got != "message m hi" {
		t.Errorf("the opened item is %s", got)
	}
}

// Nothing that comes after a completion reaches the item, however the accumulator takes it.
func TestDoneItemIsTheReceivers(t *testing.T) {
	late := func(index int) stream {
		return stream{
			text(index, "late"), args(index, "late"),
			&openresponses.OutputTextDeltaEvent{OutputIndex: index, Logprobs: []openresponses.LogProb{{Token: "late"}}},
			&openresponses.OutputTextAnnotationAddedEvent{OutputIndex: index, Annotation: &openresponses.URLCitation{}},
			&openresponses.OutputTextAnnotationAddedEvent{OutputIndex: index, AnnotationIndex: 1, Annotation: &openresponses.URLCitation{}},
			&openresponses.OutputTextDoneEvent{OutputIndex: index, Text: "late"},
			&openresponses.RefusalDeltaEvent{OutputIndex: index, ContentIndex: 1, Delta: "late"},
			&openresponses.FunctionCallArgumentsDoneEvent{OutputIndex: index, Arguments: "late"},
			&openresponses.ReasoningSummaryTextDeltaEvent{OutputIndex: index, Delta: "late"},
			&openresponses.ReasoningSummaryPartAddedEvent{OutputIndex: index, Part: &openresponses.SummaryText{Text: "late"}},
			&openresponses.ReasoningDeltaEvent{OutputIndex: index, Delta: "late"},
			&openresponses.ReasoningDeltaEvent{OutputIndex: index, ContentIndex: 1, Delta: "late"},
			&openresponses.ContentPartDoneEvent{OutputIndex: index, Part: &openresponses.OutputText{Text: "late"}},
		}
	}
	item := func() openresponses.Items {
		m := message("m", "hi")
		m.Content[0].(*openresponses.OutputText).Annotations = make(openresponses.Annotations, 1, 4)
		m.Content[0].(*openresponses.OutputText).Logprobs = make([]openresponses.LogProb, 1, 4)
		m.Content = append(m.Content, &openresponses.Refusal{Refusal: "no"})
		r := reasoning("r", "why")
		r.Content = openresponses.Contents{&openresponses.ReasoningText{Text: "because"}}
		return openresponses.Items{m, r, call("f", "c", "{}"), unknown("acme:x", "u")}
	}
	for i := range item() {
		f := fold.New(nil)
		got := f.Add(done(i, item()[i]))[0].Item
		if m, ok := got.(*openresponses.Message); ok { // what the receiver adds is safe as well
			p := m.Content[0].(*openresponses.OutputText)
			p.Logprobs = append(p.Logprobs, openresponses.LogProb{Token: "mine"})
		}
		want := show(got)
		run(f, late(i))
		if show(got) != want {
			t.Errorf("%s became %s", want, show(got))
		}
		run(f, append(stream{completed(item()...)}, late(i)...))
		if show(got) != want {
			t.Errorf("after the response, %s became %s", want, show(got))
		}
		wantLines(t, "the response", showItems(f.Response().Output), showItems(item()))
	}
}

// An event that was handed on says for good what the server said.
func TestUpdateEventStays(t *testing.T) {
	logprobs := append(make([]openresponses.LogProb, 0, 4), openresponses.LogProb{Token: "hi"})
	f := fold.New(nil)
	run(f, stream{added(0, opened("m")), added(1, &openresponses.ReasoningItem{ID: "r"})})
	partDone := &openresponses.ContentPartDoneEvent{Part: &openresponses.OutputText{Text: "hi"}}
	summaryDone := &openresponses.ReasoningSummaryPartDoneEvent{OutputIndex: 1, Part: &openresponses.SummaryText{Text: "why"}}
	textDone := &openresponses.OutputTextDoneEvent{Text: "hi", Logprobs: logprobs}
	for _, ev := range (stream{partDone, summaryDone, textDone}) {
		if changes := f.Add(ev); changes[0].Event != ev {
			t.Errorf("%T is handed on as another event", ev)
		}
	}
	run(f, stream{
		&openresponses.OutputTextDeltaEvent{Delta: "late", Logprobs: []openresponses.LogProb{{Token: "late"}}},
		&openresponses.ReasoningSummaryTextDeltaEvent{OutputIndex: 1, Delta: "late"},
	})
	wantLines(t, "items", showItems(f.Before(2)), []string{"message m hilate p(hi) p(late)", "reasoning r whylate"})
	wantLines(t, "what the events said", []string{
		showParts(openresponses.Contents{partDone.Part}), showParts(openresponses.Contents{summaryDone.Part}), logprobs[:2][1].Token,
	}, []string{"hi", "why", ""})
}

func TestBefore(t *testing.T) {
	f := fold.New(deciding("c"))
	wantLines(t, "before anything", showItems(f.Before(3)), []string{})
	run(f, stream{
		added(0, &openresponses.ReasoningItem{ID: "r"}),
		added(1, call("f", "c", "")), args(1, "{"),
		added(2, nil),
		done(3, message("m", "hi")),
		added(4, call("g", "c", "")), done(4, call("g", "c", "[]")),
		added(5, opened("n")), part(5), text(5, "ho"), done(5, message("n", "ho")),
	})
	wantLines(t, "before the last", showItems(f.Before(5)), []string{"reasoning r ", "call f new1 {", "message m hi", "call g new2 []"})
	f.Replace(3, message("m", "**"))
	f.Replace(3, nil)
	f.Replace(0, message("x", "not complete"))
	f.Replace(-1, message("x", "nowhere"))
	f.Replace(9, message("x", "nowhere"))
	wantLines(t, "after one was replaced", showItems(f.Before(5)), []string{"reasoning r ", "call f new1 {", "message m **", "call g new2 []"})
	wantLines(t, "more than all", showItems(f.Before(99)), []string{"reasoning r ", "call f new1 {", "message m **", "call g new2 []", "message n ho"})
	wantLines(t, "less than none", showItems(f.Before(-1)), []string{})
	wantLines(t, "a replaced item restated", run(f, stream{done(3, message("m", "hi"))}), []string{})

	items := f.Before(2)
	items[0] = nil
	wantLines(t, "a slice of its own", showItems(f.Before(1)), []string{"reasoning r "})
}

// An item that lost its index to a later one is shown as far as it came.
func TestBeforeAtASharedIndex(t *testing.T) {
	f := fold.New(nil)
	run(f, stream{added(0, opened("a")), part(0), text(0, "one"), added(0, opened("b")), part(0), text(0, "two")})
	wantLines(t, "before", showItems(f.Before(2)), []string{"message a one", "message b two"})
	run(f, stream{added(0, opened("a")), part(0), text(0, "three")})
	wantLines(t, "once it is opened again", showItems(f.Before(2)), []string{"message a three", "message b two"})

	f = fold.New(nil)
	run(f, stream{done(0, message("a", "one")), added(0, opened("b")), part(0), text(0, "two"), done(0, message("a", "one"))})
	wantLines(t, "next to a restatement", showItems(f.Before(2)), []string{"message a one", "message b two"})
}

func TestUpdateAllocatesNothing(t *testing.T) {
	events := map[string]stream{
		"message":   {added(0, opened("m")), part(0), text(0, "x"), text(0, "")},
		"call":      {added(0, call("f", "c", "")), args(0, "x"), args(0, "")},
		"reasoning": {added(0, &openresponses.ReasoningItem{ID: "r"}), &openresponses.ReasoningDeltaEvent{Delta: "x"}, &openresponses.ReasoningDeltaEvent{}},
	}
	for name, events := range events {
		t.Run(name, func(t *testing.T) {
			f := fold.New(nil)
			run(f, events)
			last := events[len(events)-1]
			if n := testing.AllocsPerRun(1000, func() { f.Add(last) }); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}
