package agentturn_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

func TestOrder(t *testing.T) {
	t.Run("R016", func(t *testing.T) {
		// CheckEvents holds every recorded run to this; here it is told apart from a run that breaks it.
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Text("a"), at.Call("x", `{}`)}, at.Text("b")), Tools: tools(okTool("x"))})
		prompted(t, a, "hi", agentturn.ReasonDone)
		for i := range rec.Events() {
			events := slices.Delete(rec.Events(), i, i+1)
			switch rec.Events()[i].(type) {
			case *agentturn.TurnStart, *agentturn.ResponseEnd, *agentturn.TurnEnd, *agentturn.RunStart, *agentturn.RunEnd:
				if at.CheckEvents(events) == nil {
					t.Errorf("a run without its %s passes", rec.Events()[i].EventType())
				}
			}
		}
		for _, pair := range [][2]string{
			{agentturn.EventTurnStart, agentturn.EventItemUpdate}, {agentturn.EventItemUpdate, agentturn.EventResponseEnd},
			{agentturn.EventToolEnd, agentturn.EventTurnEnd},
		} {
			if !inOrder(rec.Events(), pair[0], pair[1]) {
				t.Errorf("not every %s comes before %s", pair[0], pair[1])
			}
		}
	})
	t.Run("R017", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Attempts{{at.Fail(openresponses.ServerError("x", "x"))}, {at.Fail(openresponses.ServerError("x", "x"))}, {at.Text("ok")}}),
			Retry: agentturn.Retry{MaxAttempts: 3, Backoff: atOnce},
		})
		prompted(t, a, "hi", agentturn.ReasonDone)
		expect(t, lines(rec, "turn_start", "response_end", "model_retry"), "turn_start 1",
			`model_retry 1 attempt=1 delay=0s "openresponses: server_error (500): x: x"`,
			`model_retry 1 attempt=2 delay=0s "openresponses: server_error (500): x: x"`, "response_end 1 completed")
	})
	t.Run("R018", func(t *testing.T) {
		var a *agentturn.Agent
		hook := func(_ context.Context, info agentturn.TurnStartInfo) (openresponses.Items, error) {
			return items(openresponses.DeveloperText("hook " + string(rune('0'+info.Turn)))), nil
		}
		steering := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			a.Steer(user("steered"))
			return agenttool.Text("ok"), nil
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("a"), at.Text("b")), Tools: tools(steering), BeforeTurn: hook})
		a.Steer(user("idle"))
		a.FollowUp(user("follow"))
		prompted(t, a, "hi", agentturn.ReasonDone)
		expect(t, lines(rec, "item_end"),
			`item_end 0 message user "hi"`, `item_end 0 message user "idle"`, `item_end 1 message developer "hook 1"`,
			`item_end 1 function_call call_1 x {}`, `item_end 1 function_call_output call_1 "ok"`, `item_end 1 message user "steered"`,
			`item_end 2 message developer "hook 2"`, `item_end 2 message assistant "a"`, `item_end 2 message user "follow"`,
			`item_end 3 message developer "hook 3"`, `item_end 3 message assistant "b"`)
	})
}

// inOrder reports whether every event of one type comes before every one of another within each turn.
func inOrder(events []agentturn.Event, before, after string) bool {
	seen := false
	for _, ev := range events {
		switch ev.EventType() {
		case agentturn.EventTurnStart:
			seen = after == agentturn.EventTurnStart
		case after:
			seen = true
		case before:
			if seen {
				return false
			}
		}
	}
	return true
}

func TestRequests(t *testing.T) {
	t.Run("R019", func(t *testing.T) {
		var order []string
		resolved := 0
		a, _ := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Call("x1", `{}`), at.Text("ok")),
			BeforeTurn: func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) {
				order = append(order, "hook")
				return nil, nil
			},
			ToolProvider: func(context.Context) []agenttool.Tool {
				resolved++
				order = append(order, "tools")
				return tools(okTool("x" + string(rune('0'+resolved))))
			},
		})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if strings.Join(order, " ") != "hook tools hook tools" {
			t.Errorf("order %v", order)
		}
		if out := end.Items[2].(*openresponses.FunctionCallOutput); out.Output.Text != "x1 ok" {
			t.Errorf("the batch had other tools than the request: %q", out.Output.Text)
		}
	})
	t.Run("R020", func(t *testing.T) {
		note := &openresponses.UnknownItem{Type: "app:note", Raw: []byte(`{"type":"app:note"}`)}
		thought := &openresponses.ReasoningItem{ID: "rs", Summary: openresponses.Contents{}}
		var transformed, filtered string
		model := at.NewModel(t, at.Text("ok"))
		a, _ := agentOf(t, agentturn.Config{
			Model: model, ModelName: "m",
			Transform: func(_ context.Context, tr agentturn.Transcript) (agentturn.Transcript, error) {
				transformed = kinds(tr)
				return append(tr, openresponses.DeveloperText("transformed")), nil
			},
			Filter: func(tr agentturn.Transcript) agentturn.Transcript {
				filtered = kinds(tr)
				return agentturn.DefaultFilter(tr)
			},
		}, agentturn.WithTranscript(agentturn.Transcript{user("a"), note, thought}), agentturn.WithReasoningModels(agentturn.ReasoningModels{thought: "other"}))
		prompted(t, a, "b", agentturn.ReasonDone)
		if transformed != "user:a app:note reasoning user:b" || filtered != transformed+" developer:transformed" {
			t.Errorf("Transform saw %q, Filter %q", transformed, filtered)
		}
		if got := kinds(model.Request(1).Input); got != "user:a user:b developer:transformed" {
			t.Errorf("sent %q", got)
		}
	})
	t.Run("R021", func(t *testing.T) {
		model := at.NewModel(t, at.Text("ok"))
		a, rec := agentOf(t, agentturn.Config{Model: model, BeforeModelCall: func(_ context.Context, req *openresponses.Request) error {
			req.Model, req.Instructions = "edited", "do"
			req.Input = append(req.Input, user("added"))
			return nil
		}})
		prompted(t, a, "hi", agentturn.ReasonDone)
		told, err := json.Marshal(find[*agentturn.TurnStart](rec).Request)
		sent, err2 := json.Marshal(model.Request(1))
		if err != nil || err2 != nil || string(told) != string(sent) || model.Request(1).Model != "edited" || len(model.Request(1).Input) != 2 {
			t.Errorf("told %s\nsent %s", told, sent)
		}
	})
	t.Run("R022", func(t *testing.T) {
		cfg := agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), Tools: tools(okTool("x"))}
		cfg.Request.PreviousResponseID = "resp_1"
		cfg.Request.StreamOptions = &openresponses.StreamOptions{}
		store := true
		cfg.Request.Store = &store
		var bodies []string
		cfg.BeforeModelCall = func(_ context.Context, req *openresponses.Request) error {
			data, err := json.Marshal(req)
			bodies = append(bodies, string(data))
			if req.PreviousResponseID != "" || req.StreamOptions != nil || !req.Stream || req.Store == nil || *req.Store {
				t.Errorf("request %s", data)
			}
			return err
		}
		a, _ := agentOf(t, cfg)
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		for _, body := range bodies {
			if strings.Contains(body, end.RunID) || strings.Contains(body, `"turn"`) {
				t.Errorf("request %s", body)
			}
		}
		if len(bodies) != 2 {
			t.Errorf("%d requests", len(bodies))
		}
	})
}

func TestInputs(t *testing.T) {
	t.Run("R023", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Call("x", `{}`), at.Text("a"), at.Text("b")), Tools: tools(okTool("x")),
			BeforeToolCall: deciding("x", agentturn.ToolDecision{Note: "noted"}),
		}, agentturn.WithTranscript(agentturn.Transcript{user("old"), openresponses.AssistantText("older")}))
		a.FollowUp(user("more"))
		prompted(t, a, "hi", agentturn.ReasonDone)
		var got []string
		for _, start := range all[*agentturn.TurnStart](rec) {
			got = append(got, kinds(start.Inputs))
		}
		expect(t, got, "user:hi", "output:call_1 developer:noted", "user:more")
	})
	t.Run("R024", func(t *testing.T) {
		note := &openresponses.UnknownItem{Type: "app:note", Raw: []byte(`{"type":"app:note"}`)}
		transcript := agentturn.Transcript{user("a"), openresponses.AssistantText("b"), user("c"), note, openresponses.DeveloperText("d")}
		rec, _ := ranged(t, transcript, items(user("e")), agentturn.Config{Model: at.NewModel(t, at.Text("ok"))})
		start := find[*agentturn.TurnStart](rec)
		if got := arrivals(start.Arrived); got != "continued:user:c continued:app:note continued:developer:d prompt:user:e" {
			t.Errorf("arrived %q", got)
		}
		if got := kinds(start.Inputs); got != "user:e" {
			t.Errorf("inputs %q", got)
		}
	})
	t.Run("R025", func(t *testing.T) {
		var seen string
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Text("ok")),
			BeforeTurn: func(_ context.Context, info agentturn.TurnStartInfo) (openresponses.Items, error) {
				seen = arrivals(info.Inputs)
				return items(openresponses.DeveloperText("hook")), nil
			},
		})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if seen != "prompt:user:hi" {
			t.Errorf("the hook saw %q", seen)
		}
		if got := arrivals(find[*agentturn.TurnStart](rec).Arrived); got != "prompt:user:hi hook:developer:hook" {
			t.Errorf("arrived %q", got)
		}
	})
}

// arrivals writes how items arrived.
func arrivals(inputs []agentturn.TurnInput) string {
	var out []string
	for _, in := range inputs {
		out = append(out, string(in.Mode)+":"+kinds(items(in.Item)))
	}
	return strings.Join(out, " ")
}
