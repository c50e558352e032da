package responses_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
)

const (
	completed  = openresponses.ResponseStatusCompleted
	incomplete = openresponses.ResponseStatusIncomplete
)

func TestRefusedRequests(t *testing.T) {
	model := func() *at.Model { return at.NewModel(t) }
	t.Run("F001", func(t *testing.T) {
		for _, items := range [][]any{{"hi"}, nil} {
			req := asking(items...)
			req.PreviousResponseID = "resp_9"
			e := ask(t, responses.New(agentturn.Config{Model: model()}), req).errorOf(t)
			if e.HTTPStatus() != 404 || e.Code != openresponses.CodePreviousResponseNotFound || e.Param != "previous_response_id" {
				t.Errorf("error %+v", e)
			}
		}
	})
	t.Run("F002", func(t *testing.T) {
		call := &openresponses.FunctionCall{CallID: "c", Name: "x", Arguments: "{}"}
		for _, items := range [][]any{nil, {"hi", openresponses.AssistantText("ho")}, {"hi", call}} {
			e := ask(t, responses.New(agentturn.Config{Model: model()}), asking(items...)).errorOf(t)
			if e.HTTPStatus() != 400 || e.Code != openresponses.CodeInvalidValue || e.Param != "input" {
				t.Errorf("error %+v", e)
			}
		}
	})
	t.Run("F003", func(t *testing.T) {
		for _, req := range []openresponses.Request{asking("hi"), withTools(asking("hi"), "f")} {
			if e := ask(t, responses.New(agentturn.Config{}), req).errorOf(t); e.HTTPStatus() != 500 || e.Code != "no_model" {
				t.Errorf("error %+v", e)
			}
		}
	})
}

func TestFullRun(t *testing.T) {
	script := []at.Turn{at.Attempt{at.Text("Let me look."), at.Call("look", `{}`)}, at.Text("It is red.")}
	look := saying("look", "red")
	t.Run("F004", func(t *testing.T) {
		a := responses.New(agentturn.Config{Model: at.NewModel(t, at.Call("look", `{}`), at.Text("It is red.")), Tools: []agenttool.Tool{look}})
		ask(t, a, asking("What colour?")).want(t, completed, `assistant completed ["It is red."]`)
	})
	t.Run("F005", func(t *testing.T) {
		a := responses.New(agentturn.Config{Model: at.NewModel(t, script...), Tools: []agenttool.Tool{look}}, responses.WithToolItems())
		ask(t, a, asking("What colour?")).want(t, completed,
			`assistant completed ["Let me look."]`, `call completed call_1 look {}`, `output call_1 "red"`, `assistant completed ["It is red."]`)
	})
	t.Run("F006", func(t *testing.T) {
		a := responses.New(agentturn.Config{Model: at.NewModel(t, script...), Tools: []agenttool.Tool{look}})
		got := ask(t, a, asking("What colour?"))
		got.want(t, completed, `assistant completed ["Let me look."]`, `assistant completed ["It is red."]`)
		if got.deltas() != "Let me look.It is red." {
			t.Errorf("streamed %q", got.deltas())
		}
	})
	t.Run("F007 F008", func(t *testing.T) {
		whole := &openresponses.Compaction{ID: "cmp_7", EncryptedContent: "x"}
		model := at.NewModel(t, at.Attempt{at.EncryptedReasoning("hm", "enc"), at.Item(whole), at.Text("a"), at.Call("look", `{}`)}, at.Text("b"))
		a := responses.New(agentturn.Config{Model: model, Tools: []agenttool.Tool{look}}, responses.WithToolItems())
		got := ask(t, a, asking("hi")) // which validates the stream
		got.want(t, completed, `reasoning completed "hm" enc`, "compaction", `assistant completed ["a"]`,
			`call completed call_1 look {}`, `output call_1 "red"`, `assistant completed ["b"]`)
		var ids []string
		for _, item := range got.resp.Output {
			switch item := item.(type) {
			case *openresponses.Message:
				ids = append(ids, item.ID)
			case *openresponses.FunctionCall:
				ids = append(ids, item.ID)
			case *openresponses.ReasoningItem:
				ids = append(ids, item.ID)
			case *openresponses.Compaction:
				if item.ID != "cmp_7" {
					t.Errorf("a whole item got the ID %s", item.ID)
				}
			}
		}
		for _, id := range ids {
			if id == "" || strings.Contains(id, "_1_") || strings.Contains(id, "_2_") {
				t.Errorf("the item ID %q is the model's", id)
			}
		}
	})
	t.Run("F009", func(t *testing.T) {
		m := openresponses.AssistantText("all at once")
		m.ID = "m"
		a := responses.New(agentturn.Config{Model: at.NewModel(t, at.Item(m))})
		if got := ask(t, a, asking("hi")); got.deltas() != "all at once" || got.resp.OutputText() != "all at once" {
			t.Errorf("streamed %q, ended with %q", got.deltas(), got.resp.OutputText())
		}
	})
	t.Run("F010", func(t *testing.T) {
		a := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Call("look", `{}`), at.Usage(10, 2)}, at.Attempt{at.Text("x"), at.Usage(20, 3)}),
			Tools: []agenttool.Tool{look},
		})
		if u := ask(t, a, asking("hi")).resp.Usage; u == nil || u.InputTokens != 30 || u.OutputTokens != 5 || u.TotalTokens != 35 {
			t.Errorf("usage %+v", u)
		}
	})
	t.Run("F025", func(t *testing.T) {
		for name, cfg := range map[string]agentturn.Config{
			"turn limit": {MaxTurns: 1},
			"stop hook":  {ShouldStopAfterTurn: func(context.Context, agentturn.TurnInfo) (bool, error) { return true, nil }},
		} {
			cfg.Model, cfg.Tools = at.NewModel(t, at.Call("look", `{}`)), []agenttool.Tool{look}
			t.Run(name, func(t *testing.T) { ask(t, responses.New(cfg), asking("hi")).want(t, completed) })
		}
	})
	t.Run("F048", func(t *testing.T) {
		for name, mark := range map[string]func(openresponses.Item) openresponses.Item{
			"plain": func(item openresponses.Item) openresponses.Item { return item }, "hidden": agentturn.Hidden,
		} {
			a := responses.New(agentturn.Config{
				Model: at.NewModel(t, at.Text("x")),
				BeforeTurn: func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) {
					return openresponses.Items{mark(openresponses.DeveloperText("it is late"))}, nil
				},
			})
			t.Run(name, func(t *testing.T) {
				ask(t, a, asking("hi")).want(t, completed, `developer completed [input "it is late"]`, `assistant completed ["x"]`)
			})
		}
	})
}

// F049: the relay changes nothing of the transcript.
func TestTranscriptUntouched(t *testing.T) {
	t.Run("F049", func(t *testing.T) {
		out := &openresponses.FunctionCallOutput{CallID: "c", Output: openresponses.FunctionCallOutputData{Text: "red"}}
		call := &openresponses.FunctionCall{CallID: "c", Name: "look", Arguments: "{}"}
		var seen agentturn.Transcript
		a := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Call("look", `{}`), at.Text("x")), Tools: []agenttool.Tool{saying("look", "red")},
			ShouldStopAfterTurn: func(_ context.Context, info agentturn.TurnInfo) (bool, error) {
				seen = info.Transcript
				return false, nil
			},
		}, responses.WithToolItems())
		req := asking("hi", call, out)
		ask(t, a, req)
		if call.Status != "" || out.Status != "" || out.ID != "" || len(req.Input) != 3 {
			t.Errorf("the input was changed: %+v %+v", call, out)
		}
		for _, item := range seen {
			if o, ok := item.(*openresponses.FunctionCallOutput); ok && o.Status != "" {
				t.Errorf("an output of the transcript has the status %s", o.Status)
			}
		}
	})
}

func TestInstructionsAndModel(t *testing.T) {
	for _, c := range []struct {
		name, own, asked, want, shown string
		opts                          []responses.Option
	}{
		{"ignored", "own", "asked", "own", "own", nil},
		{"appended", "own", "asked", "own\n\nasked", "own\n\nasked", []responses.Option{responses.WithRequestInstructions()}},
		{"alone", "", "asked", "asked", "asked", []responses.Option{responses.WithRequestInstructions()}},
		{"none of its own", "", "asked", "", "asked", nil},
	} {
		t.Run("F011 "+c.name, func(t *testing.T) {
			for _, req := range []openresponses.Request{asking("hi"), withTools(asking("hi"), "f")} {
				model := at.NewModel(t, at.Text("x"))
				req.Instructions = c.asked
				got := ask(t, responses.New(agentturn.Config{Model: model, Instructions: c.own}, c.opts...), req)
				if up := model.Request(1).Instructions; up != c.want {
					t.Errorf("the model got %q, want %q", up, c.want)
				}
				if got.resp.Instructions == nil || *got.resp.Instructions != c.shown {
					t.Errorf("the response says %v, want %q", got.resp.Instructions, c.shown)
				}
			}
		})
	}
	t.Run("F012", func(t *testing.T) {
		for name, want := range map[string]string{"": "asked", "own": "own"} {
			for _, req := range []openresponses.Request{asking("hi"), withTools(asking("hi"), "f")} {
				model := at.NewModel(t, at.Text("x"))
				got := ask(t, responses.New(agentturn.Config{Model: model, ModelName: name}), req)
				if up := model.Request(1).Model; up != want || got.resp.Model != want {
					t.Errorf("the model got %q, the client %q, want %q", up, got.resp.Model, want)
				}
			}
		}
	})
}

func TestHeldCalls(t *testing.T) {
	hold := func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
		if info.Call.Name == "pay" {
			return &agentturn.ToolDecision{Action: agentturn.Defer}, nil
		}
		return nil, nil
	}
	both := at.Attempt{at.Call("pay", `{"sum":5}`), at.Call("look", `{}`)}
	tools := []agenttool.Tool{saying("pay", "paid"), saying("look", "red")}
	t.Run("F013", func(t *testing.T) {
		a := responses.New(agentturn.Config{Model: at.NewModel(t, both), Tools: tools, BeforeToolCall: hold})
		ask(t, a, asking("hi")).want(t, completed, `call completed call_1 pay {"sum":5}`)
		a = responses.New(agentturn.Config{Model: at.NewModel(t, both), Tools: tools, BeforeToolCall: hold}, responses.WithToolItems())
		ask(t, a, asking("hi")).want(t, completed, `call completed call_1 pay {"sum":5}`, `call completed call_2 look {}`, `output call_2 "red"`)
	})
	t.Run("F014", func(t *testing.T) {
		a := responses.New(agentturn.Config{Model: at.NewModel(t, at.Call("pay", `{}`), at.Text("Paid.")), Tools: tools, BeforeToolCall: hold})
		first := ask(t, a, asking("pay"))
		call := first.resp.Output[0].(*openresponses.FunctionCall)
		ask(t, a, asking("pay", call, openresponses.NewFunctionCallOutput(call.CallID, "yes, paid"))).
			want(t, completed, `assistant completed ["Paid."]`)
	})
}

func TestFailures(t *testing.T) {
	t.Run("F015", func(t *testing.T) {
		limited := openresponses.TooManyRequests("slow", "slow down")
		for _, req := range []openresponses.Request{asking("hi"), withTools(asking("hi"), "f")} {
			if e := ask(t, responses.New(agentturn.Config{Model: at.NewModel(t, at.Fail(limited))}), req).errorOf(t); e != limited || e.HTTPStatus() != 429 {
				t.Errorf("error %+v", e)
			}
		}
	})
	t.Run("F016", func(t *testing.T) {
		cause := errors.New("the line is cut")
		for _, want := range []error{context.Canceled, cause} {
			for _, req := range []openresponses.Request{asking("hi"), withTools(asking("hi"), "f")} {
				at.NoLeaks(t)
				ctx, cancel := context.WithCancelCause(t.Context())
				model := at.NewModel(t, at.Attempt{at.Do(func() { cancel(want) }), at.Block()})
				_, err := responses.New(agentturn.Config{Model: model}).Create(ctx, req)
				if !errors.Is(err, want) {
					t.Errorf("error %v, want %v", err, want)
				}
			}
		}
	})
	t.Run("F047", func(t *testing.T) {
		gone := errors.New("nobody is there")
		for _, req := range []openresponses.Request{asking("hi"), withTools(asking("hi"), "f")} {
			at.NoLeaks(t)
			model := at.NewModel(t, at.Attempt{at.TextDeltas("a", "b", "c"), at.Block()}).RepeatLast()
			sent := 0
			err := responses.New(agentturn.Config{Model: model}).CreateStream(t.Context(), req, openresponses.EventSinkFunc(func(openresponses.StreamEvent) error {
				if sent++; sent > 5 {
					return gone
				}
				return nil
			}))
			if err != gone || sent != 6 {
				t.Errorf("error %v after %d events", err, sent)
			}
		}
	})
	t.Run("a panic is an error", func(t *testing.T) {
		boom := func(context.Context, agentturn.Transcript) (agentturn.Config, bool) { panic("boom") }
		got := ask(t, responses.New(agentturn.Config{Model: at.NewModel(t)}, responses.WithStart(boom)), asking("hi"))
		var p *agentturn.PanicError
		if !errors.As(got.err, &p) || p.Value != "boom" {
			t.Errorf("error %v", got.err)
		}
	})
}

// F050: to another loop the agent is a model that calls only what it was offered.
func TestBehindAClient(t *testing.T) {
	t.Run("F050", func(t *testing.T) {
		inner := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Call("inner", `{}`), at.Text("It is red.")), Tools: []agenttool.Tool{saying("inner", "red")},
		})
		server := serve(t, openresponses.NewHandler(inner))
		outer := agentturn.New(agentturn.Config{Model: openresponses.NewClient(server).AsAdapter(), ModelName: "agent"})
		end, err := outer.Prompt(t.Context(), openresponses.UserText("What colour?"))
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := end.Answer(); text != "It is red." {
			t.Errorf("answer %q", text)
		}
		if slices.ContainsFunc(end.Items, func(item openresponses.Item) bool { return item.ItemType() == openresponses.ItemTypeFunctionCall }) {
			t.Errorf("items %v", end.Items)
		}
	})
}
