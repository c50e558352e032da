package agentturn_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// callsOf are the calls of a list.
func callsOf(list openresponses.Items) (calls []*openresponses.FunctionCall) {
	for _, item := range list {
		if call, ok := item.(*openresponses.FunctionCall); ok {
			calls = append(calls, call)
		}
	}
	return calls
}

// paired checks that each call has an ID of its own and its own output, which repeats its arguments.
func paired(t *testing.T, list openresponses.Items, arguments ...string) {
	t.Helper()
	outputs := map[string][]string{}
	for _, item := range list {
		if out, ok := item.(*openresponses.FunctionCallOutput); ok {
			outputs[out.CallID] = append(outputs[out.CallID], out.Output.Text)
		}
	}
	var got []string
	for _, call := range callsOf(list) {
		got = append(got, call.Arguments)
		if out := outputs[call.CallID]; call.CallID == "" || len(out) != 1 || out[0] != "ran "+call.Arguments {
			t.Errorf("call %q with %s has the outputs %q", call.CallID, call.Arguments, out)
		}
	}
	if !slices.Equal(got, arguments) || len(outputs) != len(arguments) {
		t.Errorf("calls with %q, %d outputs, want %q", got, len(outputs), arguments)
	}
}

var wellFormed = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func TestCallIDs(t *testing.T) {
	long := strings.Repeat("x", 94)
	held := at.Send(created("r"), done(0, wireCall("", "dup", `{"n":1}`)), done(1, wireCall("", "dup", `{"n":2}`)), ended(finished))
	t.Run("R043", func(t *testing.T) {
		for name, turn := range map[string]at.Turn{
			"empty": at.Attempt{at.CallWithID("", "x", `{"n":1}`), at.CallWithID("", "x", `{"n":2}`)},
			"equal": at.Attempt{at.CallWithID("c", "x", `{"n":1}`), at.CallWithID("c", "x", `{"n":2}`)},
			"held":  held,
			"long":  at.Attempt{at.CallWithID(long, "x", `{"n":1}`), at.CallWithID(long, "x", `{"n":2}`)},
		} {
			t.Run(name, func(t *testing.T) {
				a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, turn, at.Text("ok")), Tools: tools(ranTool("x"))})
				paired(t, prompted(t, a, "hi", agentturn.ReasonDone).Items, `{"n":1}`, `{"n":2}`)
			})
		}
	})
	t.Run("R044", func(t *testing.T) {
		odd := "a b/é" + strings.Repeat("y", 80)
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.CallWithID("seen", "x", `{"n":1}`), at.CallWithID("kept", "x", `{"n":2}`), at.CallWithID(odd, "x", `{"n":3}`),
				at.CallWithID("mine", "x", `{"n":4}`), at.CallWithID("fine", "x", `{"n":5}`)}, at.Text("ok")),
			Tools: tools(ranTool("x")),
		}, agentturn.WithTranscript(agentturn.Transcript{user("a"), callItem("seen", "x"), output("seen", "ran {}"), user("b")}), agentturn.WithReservedCallIDs([]string{"kept"}))
		ctx := agentturn.ContextWithReservedCallIDs(t.Context(), "mine")
		if _, err := a.Prompt(ctx, user("hi")); err != nil {
			t.Fatal(err)
		}
		for _, call := range callsOf(a.State().Transcript)[1:] {
			renamed := call.CallID != "fine"
			if !wellFormed.MatchString(call.CallID) || renamed != slices.Contains([]string{`{"n":1}`, `{"n":2}`, `{"n":3}`, `{"n":4}`}, call.Arguments) {
				t.Errorf("the call with %s runs as %q", call.Arguments, call.CallID)
			}
		}
		var model []string
		for _, end := range all[*agentturn.ItemEnd](rec) {
			if _, ok := end.Item.(*openresponses.FunctionCall); ok {
				model = append(model, end.ModelCallID)
			}
		}
		expect(t, model, "seen", "kept", odd, "mine", "")
	})
	t.Run("R045", func(t *testing.T) {
		stream := at.Send(created("r"), added(0, wireCall("fc", "dup", "")), argsDelta(0, "fc", `{"n"`), argsDelta(0, "fc", `:2}`), done(0, wireCall("fc", "dup", `{"n":2}`)),
			ended(finished, wireCall("fc", "dup", `{"n":2}`)))
		model := at.NewModel(t, stream, at.Text("ok"))
		a, rec := agentOf(t, agentturn.Config{Model: model, Tools: tools(ranTool("x"))},
			agentturn.WithTranscript(agentturn.Transcript{user("a"), callItem("dup", "x"), output("dup", "ran {}")}))
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		id := callsOf(end.Items)[0].CallID
		var seen []string
		for _, ev := range rec.Events() {
			switch ev := ev.(type) {
			case *agentturn.ItemStart:
				if call, ok := ev.Item.(*openresponses.FunctionCall); ok {
					seen = append(seen, call.CallID)
				}
			case *agentturn.ItemUpdate:
				if call, ok := ev.Item.(*openresponses.FunctionCall); ok {
					seen = append(seen, call.CallID)
				}
			case *agentturn.ItemEnd:
				if call, ok := ev.Item.(*openresponses.FunctionCall); ok {
					seen = append(seen, call.CallID)
					if ev.ModelCallID != "dup" {
						t.Errorf("ModelCallID %q", ev.ModelCallID)
					}
				}
			case *agentturn.ResponseEnd:
				for _, call := range ev.Response.FunctionCalls() {
					seen = append(seen, call.CallID)
				}
			case *agentturn.ToolEnd:
				seen = append(seen, ev.CallID)
			}
		}
		seen = append(seen, callsOf(model.Request(2).Input)[1].CallID)
		if slices.Contains(seen, "dup") || len(seen) < 7 || len(slices.Compact(seen)) != 1 || seen[0] != id {
			t.Errorf("IDs %q, in the transcript %q", seen, id)
		}
	})
	t.Run("R046", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.CallWithID("one", "x", `{}`), at.CallWithID("two", "x", `{}`)}, at.Text("ok")), Tools: tools(okTool("x"))})
		prompted(t, a, "hi", agentturn.ReasonDone)
		for _, end := range all[*agentturn.ItemEnd](rec) {
			if end.ModelCallID != "" {
				t.Errorf("ModelCallID %q of %s", end.ModelCallID, kinds(items(end.Item)))
			}
		}
	})
	t.Run("derived", func(t *testing.T) {
		var ids [2][]string
		for i := range ids {
			model := at.NewModel(t, at.Attempt{at.CallWithID("", "x", `{}`), at.CallWithID("c", "x", `{}`), at.CallWithID("c", "x", `{}`)}, at.Text("ok"))
			a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("x"))})
			for _, call := range callsOf(prompted(t, a, "hi", agentturn.ReasonDone).Items) {
				ids[i] = append(ids[i], call.CallID)
			}
		}
		if !slices.Equal(ids[0], ids[1]) {
			t.Errorf("the same stream gave %q, then %q", ids[0], ids[1])
		}
	})
	t.Run("R051", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.CallWithID("old", "x", `{"n":1}`), at.Text("ok")), Tools: tools(ranTool("x"))},
			agentturn.WithTranscript(agentturn.Transcript{user("a"), callItem("old", "x"), output("old", "")}))
		if err := a.SetTranscript(agentturn.Transcript{user("b")}); err != nil {
			t.Fatal(err)
		}
		if call := callsOf(prompted(t, a, "hi", agentturn.ReasonDone).Items)[0]; call.CallID == "old" {
			t.Error("the ID of the old transcript was given again")
		}
	})
}

func TestCallsOfSloppyServers(t *testing.T) {
	one, two := `{"n":1}`, `{"n":2}`
	cases := map[string][]openresponses.StreamEvent{
		"one index, item IDs, in turn": {added(0, wireCall("f1", "a", "")), argsDelta(0, "f1", one), done(0, wireCall("f1", "a", one)),
			added(0, wireCall("f2", "b", "")), argsDelta(0, "f2", two), done(0, wireCall("f2", "b", two))},
		"one index, item IDs, at once": {added(0, wireCall("f1", "a", "")), added(0, wireCall("f2", "b", "")),
			done(0, wireCall("f1", "a", one)), done(0, wireCall("f2", "b", two))},
		"one index, no item IDs, in turn":          {added(0, wireCall("", "a", "")), done(0, wireCall("", "a", one)), added(0, wireCall("", "b", "")), done(0, wireCall("", "b", two))},
		"one index, the second never opened":       {added(0, wireCall("f1", "a", "")), done(0, wireCall("f2", "b", one)), done(0, wireCall("f1", "a", two))},
		"no item IDs, the second never opened":     {added(0, wireCall("", "a", "")), done(0, wireCall("", "a", one)), done(0, wireCall("", "b", two))},
		"one index, no item IDs, at once":          {added(0, wireCall("", "a", "")), added(0, wireCall("", "b", "")), done(0, wireCall("", "b", one)), done(0, wireCall("", "a", two))},
		"one index, no item IDs, the other way on": {added(0, wireCall("", "a", "")), added(0, wireCall("", "b", "")), done(0, wireCall("", "a", one)), done(0, wireCall("", "b", two))},
		"no call IDs either":                       {added(0, wireCall("", "", "")), done(0, wireCall("", "", one)), added(0, wireCall("", "", "")), done(0, wireCall("", "", two))},
	}
	t.Run("R047", func(t *testing.T) {
		for name, events := range cases {
			t.Run(name, func(t *testing.T) {
				stream := at.Send(append(append([]openresponses.StreamEvent{created("r")}, events...), ended(finished))...)
				a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream, at.Text("ok")), Tools: tools(ranTool("x"))})
				paired(t, prompted(t, a, "hi", agentturn.ReasonDone).Items, one, two)
			})
		}
	})
	t.Run("R048", func(t *testing.T) {
		stream := at.Send(created("r"), added(0, wireCall("", "", "")), done(0, wireCall("fc", "late", one)), ended(finished))
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream, at.Text("ok")), Tools: tools(ranTool("x"))})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		opened := ""
		for _, ev := range all[*agentturn.ItemStart](rec) {
			if call, ok := ev.Item.(*openresponses.FunctionCall); ok {
				opened = call.CallID
			}
		}
		if got := callsOf(end.Items)[0].CallID; got != opened || got == "late" {
			t.Errorf("opened as %q, completed as %q", opened, got)
		}
		paired(t, end.Items, one)
	})
	t.Run("R049", func(t *testing.T) {
		f1, f2 := wireCall("f1", "a", one), wireCall("f2", "b", two)
		streamed := []openresponses.StreamEvent{created("r"), added(0, f1), done(0, f1), added(1, f2), done(1, f2), done(1, f2)}
		for name, listed := range map[string][]openresponses.Item{"all": {f1, f2}, "one": {f2}, "none": nil, "in another order": {f2, f1}, "twice": {f1, f2, f2}} {
			t.Run(name, func(t *testing.T) {
				a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Send(append(slices.Clone(streamed), ended(finished, listed...))...), at.Text("ok")), Tools: tools(ranTool("x"))})
				end := prompted(t, a, "hi", agentturn.ReasonDone)
				if name == "twice" { // the response lists one call more than was streamed
					if len(callsOf(end.Items)) != 3 {
						t.Errorf("items %s", kinds(end.Items))
					}
					return
				}
				paired(t, end.Items, one, two)
				if n := len(lines(rec, "tool_dispatch")); n != 2 {
					t.Errorf("%d dispatches", n)
				}
			})
		}
	})
	t.Run("R050", func(t *testing.T) {
		f1, f2 := wireCall("f1", "a", one), wireCall("f2", "a", two)
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Send(created("r"), added(0, f1), done(0, f1), added(1, f2), done(1, f2), ended(finished, f1, f2)), at.Text("ok")), Tools: tools(ranTool("x"))})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if got := find[*agentturn.ResponseEnd](rec).Response.FunctionCalls(); !slices.Equal(got, callsOf(end.Items)) {
			t.Errorf("response_end has %v, the transcript %v", got, callsOf(end.Items))
		}
	})
	t.Run("a call only the terminal response lists", func(t *testing.T) {
		f1 := wireCall("f1", "a", one)
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Send(created("r"), ended(finished, f1)), at.Text("ok")), Tools: tools(ranTool("x"))})
		paired(t, prompted(t, a, "hi", agentturn.ReasonDone).Items, one)
		expect(t, lines(rec, "item_start 1 function_call ", "item_end 1 function_call ", "response_end 1", "tool_start"),
			"item_start 1 function_call a x", "item_end 1 function_call a x "+one, "response_end 1 completed", "tool_start 1 a x "+one)
	})
}

// Calls that the server did not finish are never run, whatever their arguments look like.
func TestCutOffCalls(t *testing.T) {
	whole := wireCall("fc", "c", `{"n":1}`)
	cut := wireCall("fc", "c", `{"n":1}`)
	cut.Status = openresponses.StatusIncomplete
	cases := map[string][]openresponses.StreamEvent{
		"its item says incomplete":     {added(0, cut), done(0, cut), ended(openresponses.ResponseStatusIncomplete, cut)},
		"the list says incomplete":     {added(0, whole), done(0, cut), ended(finished, whole)},
		"opened and only listed":       {added(0, whole), ended(openresponses.ResponseStatusIncomplete, cut)},
		"only listed, status left out": {ended(openresponses.ResponseStatusIncomplete, &openresponses.FunctionCall{ID: "fc", CallID: "c", Name: "x", Arguments: `{"n":1}`})},
		"the last of an incomplete response": {added(0, whole), done(0, &openresponses.FunctionCall{ID: "fc", CallID: "c", Name: "x", Arguments: `{"n":`}),
			ended(openresponses.ResponseStatusIncomplete, &openresponses.FunctionCall{ID: "fc", CallID: "c", Name: "x", Arguments: `{"n":`})},
	}
	for name, events := range cases {
		t.Run(name, func(t *testing.T) {
			stream := at.Send(append([]openresponses.StreamEvent{created("r")}, events...)...)
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream, at.Text("ok")), Tools: tools(ranTool("x"))})
			end := prompted(t, a, "hi", agentturn.ReasonDone)
			if len(lines(rec, "tool_dispatch")) > 0 || kinds(end.Items) != "user:hi call:c output:c assistant:ok" {
				t.Errorf("items %s, events %q", kinds(end.Items), rec.Lines())
			}
			if out := end.Items[2].(*openresponses.FunctionCallOutput).Output.Text; !strings.Contains(out, "cut off") {
				t.Errorf("output %q", out)
			}
		})
	}
}
