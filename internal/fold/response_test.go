package fold_test

import (
	"slices"
	"testing"

	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

const (
	yes     = openresponses.StatusCompleted
	halfway = openresponses.StatusIncomplete
)

// resultTests say what streams come to.
var resultTests = []struct {
	name       string
	taken      []string
	events     stream
	output     []string
	calls      []string
	unstreamed []string
}{
	{
		name:   "no calls",
		events: stream{added(0, opened("m")), done(0, message("m", "hi")), completed(message("m", "hi"))},
		output: []string{"message m hi"},
	},
	{
		name:   "paired by item ID",
		taken:  []string{"c"},
		events: stream{done(0, call("f", "c", "1")), done(1, call("g", "c", "2")), completed(call("g", "c", "2"), message("m", "hi"), call("f", "c", "1"))},
		output: []string{"call g new2 2", "message m hi", "call f new1 1"},
		calls:  []string{"call g new2 2", "call f new1 1"},
	},
	{
		name:   "paired by call ID",
		events: stream{done(0, call("", "c", "1")), done(1, call("", "d", "2")), completed(call("x", "d", "2"), call("y", "c", "1"))},
		output: []string{"call - d 2", "call - c 1"},
		calls:  []string{"call - d 2", "call - c 1"},
	},
	{
		name:   "paired by the call ID of the completion",
		events: stream{added(0, call("", "c", "")), done(0, call("", "d", "1")), added(1, call("", "", "")), done(1, call("", "c", "2")), completed(call("", "c", "2"), call("", "d", "1"))},
		output: []string{"call - new1 2", "call - c 1"},
		calls:  []string{"call - new1 2", "call - c 1"},
	},
	{
		name:   "equal item IDs pair in order, before call IDs do",
		events: stream{done(0, call("f", "c", "1")), done(1, call("", "d", "2")), completed(call("f", "d", "1"), call("", "c", "2"))},
		output: []string{"call f c 1", "call - d 2"},
		calls:  []string{"call f c 1", "call - d 2"},
	},
	{
		name:   "equal call IDs pair in order",
		events: stream{added(0, call("", "c", "")), done(0, call("", "c", "1")), added(0, call("", "c", "")), done(0, call("", "c", "2")), completed(call("", "c", "1"), call("", "c", "2"))},
		output: []string{"call - c 1", "call - new1 2"},
		calls:  []string{"call - c 1", "call - new1 2"},
	},
	{
		name:   "paired by order",
		events: stream{done(0, call("", "", "1")), done(1, call("", "", "2")), completed(call("", "", "1"), call("", "", "2"))},
		output: []string{"call - new1 1", "call - new2 2"},
		calls:  []string{"call - new1 1", "call - new2 2"},
	},
	{
		name:   "paired in the order of opening",
		events: stream{added(0, call("", "", "")), added(1, call("", "", "")), done(1, call("", "", "2")), done(0, call("", "", "1")), completed(call("", "", "1"), call("", "", "2"))},
		output: []string{"call - new1 1", "call - new2 2"},
		calls:  []string{"call - new1 1", "call - new2 2"},
	},
	{
		name:   "fewer listed: all give way",
		events: stream{done(0, call("f", "c", "1")), done(0, call("g", "d", "2")), completed(reasoning("r", "why"), call("g", "d", "2"), message("m", "hi"))},
		output: []string{"reasoning r why", "call f c 1", "call g d 2", "message m hi"},
		calls:  []string{"call f c 1", "call g d 2"},
	},
	{
		name:   "fewer listed, in several places",
		events: stream{done(0, call("f", "c", "1")), done(0, call("g", "d", "2")), done(0, call("h", "e", "3")), completed(call("h", "e", "3"), message("m", "hi"), call("f", "c", "1"))},
		output: []string{"call f c 1", "call g d 2", "call h e 3", "message m hi"},
		calls:  []string{"call f c 1", "call g d 2", "call h e 3"},
	},
	{
		name:   "none listed",
		events: stream{done(0, call("f", "c", "1")), done(0, call("g", "d", "2")), completed(message("m", "hi"))},
		output: []string{"message m hi", "call f c 1", "call g d 2"},
		calls:  []string{"call f c 1", "call g d 2"},
	},
	{
		name:   "no output at all",
		events: stream{done(0, message("m", "hi")), done(1, call("f", "c", "1")), completed()},
		output: []string{"call f c 1"},
		calls:  []string{"call f c 1"},
	},
	{
		name:       "only listed",
		taken:      []string{"d"},
		events:     stream{done(0, call("f", "c", "1")), completed(call("f", "c", "1"), call("g", "d", "2"), message("m", "hi"))},
		output:     []string{"call f c 1", "call g new1 2", "message m hi"},
		calls:      []string{"call f c 1", "call g new1 2"},
		unstreamed: []string{"1 call g new1 2 from d"},
	},
	{
		name:       "only listed, opened with its item ID",
		taken:      []string{"c"},
		events:     stream{added(4, call("f", "c", "")), completed(message("m", "hi"), call("f", "c", "1"))},
		output:     []string{"message m hi", "call f new1 1"},
		calls:      []string{"call f new1 1"},
		unstreamed: []string{"0 call f new1 1 opened from c"},
	},
	{
		name:       "only listed, opened at its position",
		events:     stream{added(0, opened("m")), added(1, call("", "", "")), completed(message("m", "hi"), call("f", "c", "1"))},
		output:     []string{"message m hi", "call f new1 1"},
		calls:      []string{"call f new1 1"},
		unstreamed: []string{"1 call f new1 1 opened from c"},
	},
	{
		name:       "only listed, another opened at its position",
		events:     stream{added(0, call("g", "c", "")), completed(call("f", "c", "1"))},
		output:     []string{"call f new1 1"},
		calls:      []string{"call f new1 1"},
		unstreamed: []string{"1 call f new1 1 from c"},
	},
	{
		name:       "only listed, twice under one item ID",
		events:     stream{added(0, call("f", "c", "")), completed(call("f", "c", "1"), call("f", "c", "2"))},
		output:     []string{"call f c 1", "call f new1 2"},
		calls:      []string{"call f c 1", "call f new1 2"},
		unstreamed: []string{"0 call f c 1 opened", "1 call f new1 2 from c"},
	},
	{
		name:   "opened, not completed and not listed",
		events: stream{added(0, call("f", "c", "")), added(1, call("g", "d", "")), done(1, call("g", "d", "2")), completed(call("g", "d", "2"))},
		output: []string{"call g d 2"},
		calls:  []string{"call g d 2"},
	},
	{
		name:   "other items that only the response lists",
		events: stream{added(0, opened("m")), completed(reasoning("r", "why"), message("m", "hi"), nil, unknown("acme:x", "u"))},
		output: []string{"reasoning r why", "message m hi", "nil", "acme:x u"},
	},
	{
		name:       "a response that came whole",
		taken:      []string{"d"},
		events:     stream{created("resp"), completed(reasoning("r", "why"), nil, message("m", "hi"), call("f", "c", "1"), call("g", "d", "2"))},
		output:     []string{"reasoning r why", "nil", "message m hi", "call f c 1", "call g new1 2"},
		calls:      []string{"call f c 1", "call g new1 2"},
		unstreamed: []string{"0 reasoning r why", "1 message m hi", "2 call f c 1", "3 call g new1 2 from d"},
	},
	{
		name:       "a whole response with equal IDs and none",
		events:     stream{completed(call("f", "c", "1"), call("f", "c", "2"), call("", "", "3"), call("", "", "3"))},
		output:     []string{"call f c 1", "call f new1 2", "call - new2 3", "call - new3 3"},
		calls:      []string{"call f c 1", "call f new1 2", "call - new2 3", "call - new3 3"},
		unstreamed: []string{"0 call f c 1", "1 call f new1 2 from c", "2 call - new2 3", "3 call - new3 3"},
	},
	{
		name:       "a whole response after events inside no item",
		events:     stream{text(0, "x"), completed(message("m", "hi"))},
		output:     []string{"message m hi"},
		unstreamed: []string{"0 message m hi"},
	},
	{
		name:       "the last response counts",
		events:     stream{incomplete(call("f", "c", "1")), completed(message("m", "hi"))},
		output:     []string{"message m hi"},
		unstreamed: []string{"0 message m hi"},
	},
	{
		name:   "a call done twice, and listed once",
		events: stream{added(0, call("f", "c", "")), done(0, call("f", "c", "1")), done(0, call("f", "c", "1")), completed(call("f", "c", "1"))},
		output: []string{"call f c 1"},
		calls:  []string{"call f c 1"},
	},
	{
		name:       "mended arguments of a call only listed",
		events:     stream{completed(call("f", "c", "\"\\ud83d\xff\""))},
		output:     []string{`call f c "\ufffd` + "\ufffd\""},
		calls:      []string{`call f c "\ufffd` + "\ufffd\""},
		unstreamed: []string{`0 call f c "\ufffd` + "\ufffd\""},
	},
}

func TestResult(t *testing.T) {
	for _, test := range resultTests {
		t.Run(test.name, func(t *testing.T) {
			f := fold.New(deciding(test.taken...))
			run(f, test.events)
			sent := showItems(f.Response().Output)
			result := f.Result()
			wantLines(t, "output", showItems(result.Response.Output), test.output)
			wantLines(t, "calls", showCalls(result.Calls), append([]string{}, test.calls...))
			wantLines(t, "unstreamed", showUnstreamed(result.Unstreamed), append([]string{}, test.unstreamed...))
			sameCall := func(o *openresponses.FunctionCall, c fold.Call) bool { return o == c.Item }
			if !slices.EqualFunc(result.Response.FunctionCalls(), result.Calls, sameCall) {
				t.Error("the calls are not those of the response, but copies")
			}
			wantLines(t, "what the server sent", showItems(f.Response().Output), sent)
		})
	}
}

func TestCutOff(t *testing.T) {
	tests := []struct {
		name   string
		events stream
		calls  []string
	}{
		{"incomplete as streamed", stream{done(0, call("f", "c", "{", halfway)), completed(call("f", "c", "{"))}, []string{"call f c { cut off"}},
		{"incomplete as listed", stream{done(0, call("f", "c", "{")), completed(call("f", "c", "{", halfway))}, []string{"call f c { cut off"}},
		{"incomplete as listed, among fewer", stream{done(0, call("f", "c", "{")), done(0, call("g", "d", "{")), completed(call("g", "d", "{", halfway))}, []string{"call f c {", "call g d { cut off"}},
		{"incomplete and never streamed", stream{completed(call("f", "c", "{", halfway))}, []string{"call f c { cut off"}},
		{"never completed, and the response incomplete", stream{added(0, call("f", "c", "")), incomplete(call("f", "c", "{}"), message("m", "hi"))}, []string{"call f c {} cut off"}},
		{"never completed but said to be", stream{added(0, call("f", "c", "")), incomplete(call("f", "c", "{}", yes))}, []string{"call f c {}"}},
		{"never completed, and the response complete", stream{added(0, call("f", "c", "")), completed(call("f", "c", "{}"))}, []string{"call f c {}"}},
		{"the last item of an incomplete response", stream{done(0, call("f", "c", "{}")), done(1, call("g", "d", "{}")), incomplete(call("f", "c", "{}"), call("g", "d", "{}"))}, []string{"call f c {}", "call g d {} cut off"}},
		{"the last but nil", stream{done(0, call("f", "c", "{}")), incomplete(call("f", "c", "{}"), nil)}, []string{"call f c {} cut off"}},
		{"the last, in progress", stream{done(0, call("f", "c", "{}", openresponses.StatusInProgress)), incomplete(call("f", "c", "{}"))}, []string{"call f c {} cut off"}},
		{"the last, complete as streamed", stream{done(0, call("f", "c", "{}", yes)), incomplete(call("f", "c", "{}"))}, []string{"call f c {}"}},
		{"the last, complete as listed", stream{done(0, call("f", "c", "{}")), incomplete(call("f", "c", "{}", yes))}, []string{"call f c {}"}},
		{"the last, not listed", stream{done(0, call("f", "c", "{}")), incomplete()}, []string{"call f c {} cut off"}},
		{"before the last item", stream{done(0, call("f", "c", "{}")), incomplete(call("f", "c", "{}"), message("m", "hi"))}, []string{"call f c {}"}},
		{"a complete response", stream{done(0, call("f", "c", "{}")), completed(call("f", "c", "{}"))}, []string{"call f c {}"}},
		{"a response that tells its status by its event alone", stream{&openresponses.ResponseCompletedEvent{Response: response("", "resp", call("f", "c", "{}"))}}, []string{"call f c {}"}},
		{"an incomplete one that does", stream{done(0, call("f", "c", "{}")), &openresponses.ResponseIncompleteEvent{Response: response("", "resp", call("f", "c", "{}"))}}, []string{"call f c {} cut off"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := fold.New(deciding())
			run(f, test.events)
			wantLines(t, "calls", showCalls(f.Result().Calls), test.calls)
		})
	}
}

func TestStatusFollowsTheEvent(t *testing.T) {
	statuses := func(said openresponses.ResponseStatus) []string {
		var got []string
		for _, ev := range (stream{
			&openresponses.ResponseCompletedEvent{Response: response(said, "resp")},
			&openresponses.ResponseIncompleteEvent{Response: response(said, "resp")},
			&openresponses.ResponseFailedEvent{Response: response(said, "resp")},
		}) {
			f := fold.New(nil)
			f.Add(ev)
			got = append(got, string(f.Response().Status))
		}
		return got
	}
	wantLines(t, "said nothing", statuses(""), []string{"completed", "incomplete", "failed"})
	wantLines(t, "said that it goes on", statuses("in_progress"), []string{"completed", "incomplete", "failed"})
	wantLines(t, "said that it failed", statuses("failed"), []string{"failed", "failed", "failed"})
}

func TestResultSharesWhatItCan(t *testing.T) {
	t.Run("the response without calls", func(t *testing.T) {
		f := fold.New(nil)
		run(f, stream{done(0, message("m", "hi")), completed(message("m", "hi"))})
		if f.Result().Response != f.Response() {
			t.Error("copied although nothing changed")
		}
	})
	t.Run("a whole response whose calls stand", func(t *testing.T) {
		f := fold.New(nil)
		run(f, stream{completed(message("m", "hi"), call("f", "c", "{}"))})
		if f.Result().Response != f.Response() {
			t.Error("copied although nothing changed")
		}
	})
	t.Run("the rest of a response with calls", func(t *testing.T) {
		f := fold.New(nil)
		usage := &openresponses.Usage{TotalTokens: 7}
		sent := response("incomplete", "resp", call("f", "c", "{}"))
		sent.Usage = usage
		run(f, stream{done(0, call("f", "c", "{}")), &openresponses.ResponseIncompleteEvent{Response: sent}})
		got := f.Result().Response
		if got == f.Response() || got.Usage != usage || got.ID != "resp" || got.Status != "incomplete" {
			t.Errorf("response = %+v", got)
		}
	})
	t.Run("no response", func(t *testing.T) {
		f := fold.New(nil)
		run(f, stream{done(0, call("f", "c", "{}"))})
		if r := f.Result(); r.Response != nil || r.Calls != nil || r.Unstreamed != nil || f.Response() != nil {
			t.Errorf("result = %+v", r)
		}
		if got := f.Accumulated(); got == nil || len(got.Output) != 1 {
			t.Errorf("accumulated = %+v", got)
		}
	})
	t.Run("nothing", func(t *testing.T) {
		if f := fold.New(nil); f.Accumulated() != nil || f.Response() != nil {
			t.Error("a response out of nothing")
		}
	})
}

// An unstreamed item has a place among those that opened, and can be replaced there.
func TestUnstreamedHasASlot(t *testing.T) {
	f := fold.New(deciding())
	run(f, stream{completed(message("m", "hi"), call("f", "", "{}"), message("n", "ho"))})
	result := f.Result()
	f.Replace(result.Unstreamed[0].Slot, message("m", "**"))
	wantLines(t, "before the last", showItems(f.Before(result.Unstreamed[2].Slot)), []string{"message m **", "call f new1 {}"})
	wantLines(t, "the response", showItems(result.Response.Output), []string{"message m hi", "call f new1 {}", "message n ho"})
}

func TestInvariants(t *testing.T) {
	t.Run("R047", testR047)
	t.Run("R048", testR048)
	t.Run("R049", testR049)
	t.Run("R050", testR050)
}

// oneByOne has a call for each item ID, all at index 0, one after the other, as Ollama 0.23 sends them.
func oneByOne(ids ...string) stream {
	var events stream
	for i, id := range ids {
		n := string(rune('1' + i))
		events = append(events, added(0, call(id, "c"+n, "")), args(0, n), done(0, call(id, "c"+n, n)))
	}
	return events
}

func testR047(t *testing.T) {
	terminals := map[string]stream{
		"lists all":           {completed(call("a", "c1", "1"), call("b", "c2", "2"), call("d", "c3", "3"))},
		"lists the last":      {completed(call("d", "c3", "3"))},
		"lists none":          {completed()},
		"lists them nameless": {completed(call("", "c1", "1"), call("", "c2", "2"), call("", "c3", "3"))},
	}
	for name, terminal := range terminals {
		for _, ids := range [][]string{{"", "", ""}, {"a", "b", "d"}, {"", "b", ""}} {
			f := fold.New(deciding())
			changes := run(f, append(oneByOne(ids...), terminal...))
			var got []string
			for _, c := range f.Result().Calls {
				got = append(got, c.Item.CallID+" "+c.Item.Arguments)
			}
			wantLines(t, name, got, []string{"c1 1", "c2 2", "c3 3"})
			if len(changes) != 10 {
				t.Errorf("%s: changes = %q", name, changes)
			}
		}
	}
}

func testR048(t *testing.T) {
	f := fold.New(deciding("c"))
	wantLines(t, "changes", run(f, stream{
		added(0, call("", "c", "")), args(0, "{}"), done(0, call("f", "c", "{}")),
		added(0, call("", "c", "")), done(0, call("g", "c", "[]")),
		done(0, call("f", "c", "{}")),
	}), []string{
		"open 0 call - new1  !", "update call - new1 {}", "done 0 call f new1 {} from c",
		"open 1 call - new2  !", "done 1 call g new2 [] from c",
	})
}

func testR049(t *testing.T) {
	for _, terminal := range []openresponses.StreamEvent{
		completed(), completed(message("m", "hi")), completed(call("f", "c", "1")), completed(call("x", "y", "9")),
		completed(call("f", "c", "1"), call("g", "d", "2")), completed(call("f", "c", "1"), call("f", "c", "1")),
	} {
		f := fold.New(deciding())
		var streamed []*openresponses.FunctionCall
		for _, ev := range (stream{done(0, call("f", "c", "1")), done(0, call("g", "d", "2")), terminal}) {
			for _, c := range f.Add(ev) {
				if c.Kind == fold.Done {
					streamed = append(streamed, c.Item.(*openresponses.FunctionCall))
				}
			}
		}
		result := f.Result()
		for _, want := range streamed {
			n := 0
			for _, c := range result.Calls {
				if c.Item == want {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%v: %s is in the batch %d times", showItems(f.Response().Output), show(want), n)
			}
		}
	}
}

func testR050(t *testing.T) {
	f := fold.New(deciding("c"))
	streamed := f.Add(done(0, call("f", "c", "1")))[0].Item
	run(f, stream{args(0, "late"), completed(call("f", "c", "1"), call("g", "d", "2"))})
	result := f.Result()
	output := result.Response.FunctionCalls()
	if len(output) != 2 || openresponses.Item(output[0]) != streamed || openresponses.Item(output[1]) != result.Unstreamed[0].Item {
		t.Errorf("response has %v", output)
	}
	if !slices.EqualFunc(output, result.Calls, func(o *openresponses.FunctionCall, c fold.Call) bool { return o == c.Item }) {
		t.Errorf("response has %v, calls are %v", output, result.Calls)
	}
	wantLines(t, "calls", showCalls(result.Calls), []string{"call f new1 1", "call g d 2"})
}
