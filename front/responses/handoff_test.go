package responses_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
)

func TestTerminatingTools(t *testing.T) {
	t.Run("F026", func(t *testing.T) {
		a := responses.New(agentturn.Config{Model: at.NewModel(t, at.Call("end", `{}`)), Tools: []agenttool.Tool{ending("end", "All set.")}})
		ask(t, a, asking("hi")).want(t, completed, `assistant completed ["All set."]`)
	})
	t.Run("F027", func(t *testing.T) {
		calls := at.Attempt{at.Call("look", `{}`), at.Call("end", `{}`)}
		tools := []agenttool.Tool{saying("look", "red"), ending("end", "All set.")}
		a := responses.New(agentturn.Config{Model: at.NewModel(t, calls), Tools: tools})
		ask(t, a, asking("hi")).want(t, completed, `assistant completed ["All set."]`)

		block := func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return &agentturn.ToolDecision{Action: agentturn.Block, Reason: "no", Terminate: info.Call.Name == "end"}, nil
		}
		a = responses.New(agentturn.Config{Model: at.NewModel(t, calls), Tools: tools, BeforeToolCall: block})
		ask(t, a, asking("hi")).want(t, completed)

		failing := tool("end", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			r := agenttool.Text("All set.")
			r.Terminate = true
			return r, fmt.Errorf("broken")
		})
		a = responses.New(agentturn.Config{Model: at.NewModel(t, at.Call("end", `{}`)), Tools: []agenttool.Tool{failing}})
		ask(t, a, asking("hi")).want(t, completed)
	})
}

// to returns a handoff function that hands over to the receivers, one after another.
func to(receivers ...agentturn.Config) func(context.Context, *agentturn.RunEnd, []*agentturn.ToolEnd) (agentturn.Config, bool) {
	return func(context.Context, *agentturn.RunEnd, []*agentturn.ToolEnd) (agentturn.Config, bool) {
		if len(receivers) == 0 {
			return agentturn.Config{}, false
		}
		next := receivers[0]
		receivers = receivers[1:]
		return next, true
	}
}

func TestHandoff(t *testing.T) {
	transfer := ending("transfer", "over to you")
	t.Run("F028", func(t *testing.T) {
		var trigger agentturn.Trigger
		receiver := agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Text("Here I am."), at.Usage(5, 1)}),
			BeforeTurn: func(ctx context.Context, _ agentturn.TurnStartInfo) (openresponses.Items, error) {
				trigger = agentturn.TriggerFromContext(ctx)
				return nil, nil
			},
		}
		a := responses.New(agentturn.Config{
			Name: "desk", Model: at.NewModel(t, at.Attempt{at.Text("Wait."), at.Call("transfer", `{}`), at.Usage(3, 1)}), Tools: []agenttool.Tool{transfer},
		}, responses.WithHandoff(to(receiver)))
		got := ask(t, a, asking("hi"))
		got.want(t, completed, `assistant completed ["Wait."]`, `assistant completed ["Here I am."]`)
		if got.resp.Usage.TotalTokens != 10 {
			t.Errorf("usage %+v", got.resp.Usage)
		}
		if trigger.String() != "handoff:desk" {
			t.Errorf("trigger %v", trigger)
		}
	})
	t.Run("F029", func(t *testing.T) {
		var names []string
		nesting := tool("nest", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			_, err := agentturn.Invoke(ctx, "look", nil)
			return agenttool.Text("nested"), err
		})
		a := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Call("look", `{}`), at.Attempt{at.Call("nest", `{}`), at.Call("transfer", `{}`)}),
			Tools: []agenttool.Tool{saying("look", "red"), nesting, transfer}, ToolExecution: agentturn.ExecSequential,
		}, responses.WithHandoff(func(_ context.Context, _ *agentturn.RunEnd, results []*agentturn.ToolEnd) (agentturn.Config, bool) {
			for _, e := range results {
				names = append(names, e.Name)
			}
			return agentturn.Config{}, false
		}))
		ask(t, a, asking("hi")).want(t, completed, `assistant completed ["over to you"]`)
		if fmt.Sprint(names) != "[nest transfer]" {
			t.Errorf("results of %v", names)
		}
	})
	t.Run("F030", func(t *testing.T) {
		cfg := agentturn.Config{Model: at.NewModel(t, at.Call("transfer", `{}`)).RepeatLast(), Tools: []agenttool.Tool{transfer}}
		a := responses.New(cfg, responses.WithHandoff(to(cfg, cfg, cfg)), responses.WithToolItems())
		if n := len(ask(t, a, asking("hi")).resp.Output); n != 4*2+1 {
			t.Errorf("%d items", n)
		}
	})
	t.Run("F031", func(t *testing.T) {
		for name, wantReasoning := range map[string]bool{"other": false, "first": true} {
			model := at.NewModel(t, at.Text("x"))
			a := responses.New(agentturn.Config{
				ModelName: "first", Model: at.NewModel(t, at.Attempt{at.Reasoning("hm"), at.Call("transfer", `{}`)}), Tools: []agenttool.Tool{transfer},
			}, responses.WithHandoff(to(agentturn.Config{ModelName: name, Model: model})))
			ask(t, a, asking("hi"))
			if got := hasReasoning(model.Request(1)); got != wantReasoning {
				t.Errorf("receiver %s: reasoning in its request is %t", name, got)
			}
		}
	})
	t.Run("the request's own slice is left alone", func(t *testing.T) {
		req := asking("hi")
		req.Input = append(make(openresponses.Items, 0, 10), req.Input...)
		a := responses.New(agentturn.Config{Model: at.NewModel(t, at.Call("transfer", `{}`)), Tools: []agenttool.Tool{transfer}},
			responses.WithHandoff(to(agentturn.Config{Model: at.NewModel(t, at.Text("x"))})))
		ask(t, a, req)
		if behind := req.Input[:2][1]; behind != nil {
			t.Errorf("%s was written behind the input", show(behind))
		}
	})
	t.Run("a receiver without a model", func(t *testing.T) {
		a := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Call("transfer", `{}`)), Tools: []agenttool.Tool{transfer},
		}, responses.WithHandoff(to(agentturn.Config{})))
		if got := ask(t, a, asking("hi")); got.err != agentturn.ErrNoModel {
			t.Errorf("error %v", got.err)
		}
	})
}

func hasReasoning(req openresponses.Request) bool {
	for _, item := range req.Input {
		if item.ItemType() == openresponses.ItemTypeReasoning {
			return true
		}
	}
	return false
}

// transferTo is a route that takes calls of transfer for handoffs to cfg.
func transferTo(cfg agentturn.Config) responses.Route {
	return func(call *openresponses.FunctionCall) (agentturn.Config, string, bool) {
		return cfg, "over to you", call.Name == "transfer"
	}
}

func transferred(id, text string) []any {
	return []any{
		&openresponses.FunctionCall{CallID: id, Name: "transfer", Arguments: "{}"},
		openresponses.NewFunctionCallOutput(id, text),
	}
}

func TestStart(t *testing.T) {
	input := append(append([]any{"hi"}, transferred("c", "over to you")...), "go on")
	t.Run("F032", func(t *testing.T) {
		own, other := at.NewModel(t, at.Text("own")), at.NewModel(t)
		a := responses.New(agentturn.Config{Model: own}, responses.WithTransfers(transferTo(agentturn.Config{Model: other})),
			responses.WithStart(func(context.Context, agentturn.Transcript) (agentturn.Config, bool) { return agentturn.Config{}, false }))
		ask(t, a, asking(input...)).want(t, completed, `assistant completed ["own"]`)
	})
	t.Run("start picks by the transcript", func(t *testing.T) {
		other := at.NewModel(t, at.Text("other"))
		a := responses.New(agentturn.Config{Model: at.NewModel(t)},
			responses.WithStart(func(_ context.Context, transcript agentturn.Transcript) (agentturn.Config, bool) {
				last := transcript[len(transcript)-1].(*openresponses.Message)
				return agentturn.Config{Model: other}, last.Text() == "go on"
			}))
		ask(t, a, asking(input...)).want(t, completed, `assistant completed ["other"]`)
	})
	t.Run("F033", func(t *testing.T) {
		for _, req := range []openresponses.Request{asking(input...), withTools(asking(input...), "f")} {
			a := responses.New(agentturn.Config{Model: at.NewModel(t)},
				responses.WithTransfers(transferTo(agentturn.Config{Model: at.NewModel(t, at.Text("receiver"))})))
			ask(t, a, req).want(t, completed, `assistant completed ["receiver"]`)
		}
	})
	t.Run("F036", func(t *testing.T) {
		reasoning := &openresponses.ReasoningItem{ID: "rs", Summary: openresponses.Contents{&openresponses.SummaryText{Text: "hm"}}}
		items := append(append([]any{"hi", reasoning}, transferred("c", "over to you")...), "go on")
		for name, want := range map[string]bool{"other": false, "first": true} {
			model := at.NewModel(t, at.Text("x"))
			a := responses.New(agentturn.Config{ModelName: "first", Model: at.NewModel(t)},
				responses.WithTransfers(transferTo(agentturn.Config{ModelName: name, Model: model})))
			ask(t, a, asking(items...))
			if got := hasReasoning(model.Request(1)); got != want {
				t.Errorf("receiver %s: reasoning in its request is %t", name, got)
			}
		}
	})
}

func TestTransfers(t *testing.T) {
	route := transferTo(agentturn.Config{Name: "receiver", ModelName: "second"})
	transcript := func(items ...any) agentturn.Transcript { return agentturn.Transcript(asking(items...).Input) }
	out := func(id, text string) any { return openresponses.NewFunctionCallOutput(id, text) }
	call := transferred("c", "")[0]
	t.Run("F034", func(t *testing.T) {
		withParts := &openresponses.FunctionCallOutput{CallID: "c", Output: openresponses.FunctionCallOutputData{
			Text: "over to you", Parts: openresponses.Contents{&openresponses.InputText{Text: "over to you"}}}}
		for name, items := range map[string][]any{
			"other text": {call, out("c", "no")}, "parts": {call, withParts}, "withheld": {call, out("c", agentturn.WithheldCallOutput)},
			"unanswered": {call}, "answered before": {out("c", "over to you"), call}, "another call": {call, out("d", "over to you")},
			"the second output": {call, out("c", "no"), out("c", "over to you")},
		} {
			if got := responses.Handoffs(transcript(items...), route); got != nil {
				t.Errorf("%s: %v", name, got)
			}
		}
		withheld := func(*openresponses.FunctionCall) (agentturn.Config, string, bool) {
			return agentturn.Config{}, agentturn.WithheldCallOutput, true
		}
		if got := responses.Handoffs(transcript(call, out("c", agentturn.WithheldCallOutput)), withheld); got != nil {
			t.Errorf("withheld: %v", got)
		}
		got := responses.Handoffs(transcript("hi", call, "x", out("c", "over to you")), route)
		if len(got) != 1 || got[0].Output != 3 || got[0].Call != call || got[0].To.Name != "receiver" {
			t.Errorf("handoffs %+v", got)
		}
		n := 0
		counting := func(*openresponses.FunctionCall) (agentturn.Config, string, bool) {
			n++
			return agentturn.Config{Name: fmt.Sprint(n)}, "over to you", true
		}
		items := append(transferred("a", "over to you"), transferred("b", "over to you")...)
		if cfg, ok := responses.HandedTo(transcript(items...), counting); !ok || cfg.Name != "2" {
			t.Errorf("handed to %v, %t", cfg.Name, ok)
		}
		if _, ok := responses.HandedTo(transcript("hi"), route); ok {
			t.Error("handed to somebody")
		}
		if _, ok := responses.HandedTo(transcript(items...), nil); ok {
			t.Error("handed over without a route")
		}
	})
	t.Run("F035", func(t *testing.T) {
		r1, r2 := &openresponses.ReasoningItem{ID: "1"}, &openresponses.ReasoningItem{ID: "2"}
		tr := transcript("hi", r1, call, out("c", "over to you"), r2)
		for _, start := range []string{"first", ""} {
			got := responses.Attribute(tr, agentturn.Config{ModelName: start}, responses.Handoffs(tr, route))
			if got[r1] != start || got[r2] != "second" || (start == "" && len(got) != 1) {
				t.Errorf("start %q: %v", start, got)
			}
		}
		if got := responses.Attribute(nil, agentturn.Config{}, nil); got == nil {
			t.Error("a nil map")
		}
	})
}
