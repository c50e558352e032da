package responses_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/streamtest"
)

func TestSingleTurn(t *testing.T) {
	mine := tool("look", func(context.Context, agenttool.Call) (agenttool.Result, error) { panic("it ran") })
	t.Run("F037", func(t *testing.T) {
		model := at.NewModel(t, at.Attempt{at.Text("I look."), at.Call("look", `{"a":1}`), at.Call("theirs", `{}`)})
		a := responses.New(agentturn.Config{Model: model, Tools: []agenttool.Tool{mine}})
		ask(t, a, withTools(asking("hi"), "theirs", "also")).want(t, completed,
			`assistant completed ["I look."]`, `call completed call_1 look {"a":1}`, `call completed call_2 theirs {}`)
		var names []string
		for _, offered := range model.Request(1).Tools {
			names = append(names, offered.(*openresponses.FunctionTool).Name)
		}
		if !slices.Equal(names, []string{"look", "theirs", "also"}) {
			t.Errorf("offered %v", names)
		}
	})
	t.Run("F038", func(t *testing.T) {
		a := responses.New(agentturn.Config{Model: at.NewModel(t), Tools: []agenttool.Tool{mine}})
		e := ask(t, a, withTools(asking("hi"), "theirs", "look")).errorOf(t)
		if e.HTTPStatus() != 400 || e.Param != "tools" || e.Code != openresponses.CodeInvalidValue || e.Message != `tool "look" is owned by the agent` {
			t.Errorf("error %+v", e)
		}
	})
	t.Run("F039", func(t *testing.T) {
		high := openresponses.ReasoningConfig{Effort: "high"}
		low := openresponses.ReasoningConfig{Effort: "low"}
		for name, c := range map[string]struct{ own, asked, want openresponses.ReasoningConfig }{
			"the agent's": {high, low, high}, "the client's": {openresponses.ReasoningConfig{}, low, low},
		} {
			model := at.NewModel(t, at.Text("x"))
			cfg := agentturn.Config{Model: model, Reasoning: c.own}
			cfg.Request.Include = []openresponses.Include{"reasoning.encrypted_content"}
			cfg.Request.ToolChoice = openresponses.ToolChoice{Mode: openresponses.ToolChoiceNone}
			req := withTools(asking("hi"), "f")
			req.Reasoning, req.Text.Verbosity = c.asked, "low"
			req.ToolChoice = openresponses.ToolChoiceFunction("f")
			temperature := 0.5
			req.Temperature = &temperature
			ask(t, responses.New(cfg), req)
			up := model.Request(1)
			if up.Reasoning.Effort != c.want.Effort || up.Text.Verbosity != "low" || len(up.Include) != 1 || up.ToolChoice.Function == nil || up.Temperature != nil {
				t.Errorf("%s: the model got %+v", name, up)
			}
		}
	})
	t.Run("F040", func(t *testing.T) {
		before := 0
		var sent []openresponses.StreamEvent
		model := at.NewModel(t, at.Attempt{at.Text("text"), at.Call("f", `{}`), at.Text("behind"),
			at.Do(func() { before = len(sent) })})
		err := responses.New(agentturn.Config{Model: model}).CreateStream(t.Context(), withTools(asking("hi"), "f"),
			openresponses.EventSinkFunc(func(ev openresponses.StreamEvent) error { sent = append(sent, ev); return nil }))
		if err != nil {
			t.Fatal(err)
		}
		early := types(sent[:before])
		if !slices.Contains(early, openresponses.EventOutputItemDone) {
			t.Errorf("the text before the call had not been sent: %v", early)
		}
		for _, ev := range sent[:before] {
			if added, ok := ev.(*openresponses.OutputItemAddedEvent); ok && added.OutputIndex > 0 {
				t.Errorf("sent before the end: %s", show(added.Item))
			}
		}
		response, _ := openresponses.TerminalResponse(sent[len(sent)-1])
		if len(response.Output) != 3 || show(response.Output[2]) != `assistant completed ["behind"]` {
			t.Errorf("output %v", response.Output)
		}
	})
	t.Run("F041", func(t *testing.T) {
		a := responses.New(agentturn.Config{Model: at.NewModel(t), BeforeModelCall: func(context.Context, *openresponses.Request) error { return errRule }})
		ask(t, a, withTools(asking("hi"), "f")).refused(t)
	})
	t.Run("F042", func(t *testing.T) {
		model := at.NewModel(t, at.Attempt{at.Text("good"), at.Call("f", `{}`), at.Text("bad"), at.Usage(4, 2)})
		got := ask(t, responses.New(agentturn.Config{Model: model, OutputGuard: guarding("bad", nil)}), withTools(asking("hi"), "f"))
		got.refused(t, `assistant completed ["good"]`)
		if u := got.resp.Usage; u == nil || u.TotalTokens != 6 {
			t.Errorf("usage %+v", u)
		}
	})
	t.Run("F043", func(t *testing.T) {
		model := at.NewModel(t, at.Attempt{at.Call("f", `{}`), at.Incomplete(openresponses.IncompleteReasonContentFilter)})
		ask(t, responses.New(agentturn.Config{Model: model}), withTools(asking("hi"), "f")).refused(t, `call completed call_1 f {}`)
		model = at.NewModel(t, at.Attempt{at.Text("half"), at.Incomplete("")})
		got := ask(t, responses.New(agentturn.Config{Model: model}), withTools(asking("hi"), "f"))
		got.want(t, incomplete, `assistant completed ["half"]`)
		if d := got.resp.IncompleteDetails; d == nil || d.Reason != openresponses.IncompleteReasonMaxOutputTokens {
			t.Errorf("details %+v", d)
		}
	})
	t.Run("F044", func(t *testing.T) {
		overloaded := openresponses.ServerError("overloaded", "come back later")
		for name, step := range map[string]at.Step{"response failed": at.FailResponse(overloaded), "error event": at.ErrorEvent(overloaded)} {
			model := at.NewModel(t, at.Attempt{at.Text("text"), at.Call("f", `{}`), step})
			got := ask(t, responses.New(agentturn.Config{Model: model}), withTools(asking("hi"), "f"))
			var e *openresponses.Error
			if !errors.As(got.err, &e) || e.Code != "overloaded" {
				t.Errorf("%s: error %v", name, got.err)
			}
			if slices.ContainsFunc(got.resp.Output, func(item openresponses.Item) bool { return item.ItemType() == openresponses.ItemTypeFunctionCall }) {
				t.Errorf("%s: a call was sent", name)
			}
		}
		model := at.NewModel(t, at.FailResponse(nil))
		if got := ask(t, responses.New(agentturn.Config{Model: model}), withTools(asking("hi"), "f")); got.err == nil || got.err.Error() != "responses: model response failed" {
			t.Errorf("error %v", got.err)
		}
		model = at.NewModel(t, at.Attempt{at.Text("x"), at.Cut()})
		if got := ask(t, responses.New(agentturn.Config{Model: model}), withTools(asking("hi"), "f")); got.err == nil || got.err.Error() != "responses: model stream ended without a terminal event" {
			t.Errorf("error %v", got.err)
		}
	})
	t.Run("hooks that fail", func(t *testing.T) {
		broken := errors.New("broken")
		for want, cfg := range map[string]agentturn.Config{
			"transform: broken":              {Transform: func(context.Context, agentturn.Transcript) (agentturn.Transcript, error) { return nil, broken }},
			"before-model-call hook: broken": {BeforeModelCall: func(context.Context, *openresponses.Request) error { return broken }},
			"output guard: broken":           {OutputGuard: func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) { return nil, broken }},
		} {
			cfg.Model = at.NewModel(t, at.Text("x")).RepeatLast()
			if got := ask(t, responses.New(cfg), withTools(asking("hi"), "f")); got.err == nil || got.err.Error() != want {
				t.Errorf("error %v, want %s", got.err, want)
			}
		}
	})
}

// F045: a server that opens every call at one index, with and without item IDs, at once or one after another.
func TestReusedIndex(t *testing.T) {
	added := func(id, call string) openresponses.StreamEvent {
		return &openresponses.OutputItemAddedEvent{Item: &openresponses.FunctionCall{ID: id, CallID: call, Name: "f"}}
	}
	delta := func(id, text string) openresponses.StreamEvent {
		return &openresponses.FunctionCallArgumentsDeltaEvent{ItemID: id, Delta: text}
	}
	done := func(id, call, args string) openresponses.StreamEvent {
		return &openresponses.OutputItemDoneEvent{Item: &openresponses.FunctionCall{ID: id, CallID: call, Name: "f", Arguments: args, Status: "completed"}}
	}
	end := &openresponses.ResponseCompletedEvent{Response: &openresponses.Response{ID: "r", Status: completed}}
	t.Run("F045", func(t *testing.T) {
		for _, ids := range [][2]string{{"x", "y"}, {"", ""}} {
			model := at.NewModel(t, at.Send(added(ids[0], "a"), delta(ids[0], `{"n":`), delta(ids[0], `1}`), done(ids[0], "a", `{"n":1}`),
				added(ids[1], "b"), delta(ids[1], `{"n":2}`), done(ids[1], "b", `{"n":2}`), end))
			ask(t, responses.New(agentturn.Config{Model: model}), withTools(asking("hi"), "f")).
				want(t, completed, `call completed a f {"n":1}`, `call completed b f {"n":2}`)
		}
	})
}

// Items that a server opens while another is open reach the client one after another, each whole.
func TestInterleavedItems(t *testing.T) {
	message := func(id, text string) *openresponses.Message {
		m := openresponses.AssistantText(text)
		m.ID = id
		return m
	}
	open := func(index int, id string) openresponses.StreamEvent {
		return &openresponses.OutputItemAddedEvent{OutputIndex: index, Item: &openresponses.Message{ID: id, Role: "assistant", Status: "in_progress"}}
	}
	part := func(index int, id string) openresponses.StreamEvent {
		return &openresponses.ContentPartAddedEvent{OutputIndex: index, ItemID: id, Part: &openresponses.OutputText{}}
	}
	delta := func(index int, id, text string) openresponses.StreamEvent {
		return &openresponses.OutputTextDeltaEvent{OutputIndex: index, ItemID: id, Delta: text}
	}
	done := func(index int, m *openresponses.Message) openresponses.StreamEvent {
		return &openresponses.OutputItemDoneEvent{OutputIndex: index, Item: m}
	}
	a, b := message("a", "one two"), message("b", "three")
	stream := at.Send(open(0, "a"), part(0, "a"), open(1, "b"), part(1, "b"), delta(0, "a", "one "), delta(1, "b", "three"),
		done(1, b), delta(0, "a", "two"), done(0, a),
		&openresponses.ResponseCompletedEvent{Response: &openresponses.Response{ID: "r", Status: completed, Output: openresponses.Items{a, b}}})
	for _, req := range []openresponses.Request{asking("hi"), withTools(asking("hi"), "f")} {
		ask(t, responses.New(agentturn.Config{Model: at.NewModel(t, stream)}), req).
			want(t, completed, `assistant completed ["one two"]`, `assistant completed ["three"]`)
	}
}

// Reasoning that an attempt streamed and the loop made again is closed, and the next attempt's comes after it.
func TestRetriedReasoning(t *testing.T) { synctest.Test(t, testRetriedReasoning) }

func testRetriedReasoning(t *testing.T) {
	item := &openresponses.ReasoningItem{ID: "rs", Summary: openresponses.Contents{}}
	first := at.Send(&openresponses.OutputItemAddedEvent{Item: item},
		&openresponses.ReasoningSummaryPartAddedEvent{ItemID: "rs", Part: &openresponses.SummaryText{}},
		&openresponses.ReasoningSummaryTextDeltaEvent{ItemID: "rs", Delta: "half a tho"})
	var sink streamtest.Sink
	var early []string
	model := at.NewModel(t, at.Attempts{{first, at.Fail(openresponses.ServerError("x", "x"))},
		{at.Reasoning("whole"), at.Text("x"), at.Do(func() { synctest.Wait(); early = types(sink.Events()) })}})
	a := responses.New(agentturn.Config{Model: model, Retry: agentturn.Retry{MaxAttempts: 2, Backoff: noWait}})
	err := a.CreateStream(t.Context(), asking("hi"), &sink)
	answer{err, sink.Response(), sink.Events()}.want(t, completed,
		`reasoning incomplete "half a tho" `, `reasoning completed "whole" `, `assistant completed ["x"]`)
	if !slices.Contains(early, openresponses.EventOutputTextDone) {
		t.Errorf("the text waited for the end of the response: %v", early)
	}
}

// compacting is a model that compacts.
type compacting struct {
	agentturn.Model
	req openresponses.CompactRequest
}

func (c *compacting) Compact(_ context.Context, req openresponses.CompactRequest) (*openresponses.CompactResponse, error) {
	c.req = req
	return &openresponses.CompactResponse{ID: "resp_c"}, nil
}

func TestCompact(t *testing.T) {
	t.Run("F046", func(t *testing.T) {
		for _, cfg := range []agentturn.Config{{}, {Model: at.NewModel(t)}} {
			_, err := responses.New(cfg).Compact(t.Context(), openresponses.CompactRequest{Model: "asked"})
			var e *openresponses.Error
			if !errors.As(err, &e) || e.Code != openresponses.CodeCompactionNotSupported || e.HTTPStatus() != 400 || e.Param != "" {
				t.Errorf("error %v", err)
			}
		}
		for own, want := range map[string]string{"": "asked", "own": "own"} {
			model := &compacting{Model: at.NewModel(t)}
			got, err := responses.New(agentturn.Config{Model: model, ModelName: own}).Compact(t.Context(), openresponses.CompactRequest{Model: "asked"})
			if err != nil || got.ID != "resp_c" || model.req.Model != want {
				t.Errorf("got %v, error %v; the model got %q", got, err, model.req.Model)
			}
		}
	})
}

// Log probabilities that a model gives reach the client with the part.
func TestLogprobs(t *testing.T) {
	probs := []openresponses.LogProb{{Token: "hi", Logprob: -0.5}}
	m := &openresponses.Message{ID: "m", Role: "assistant", Status: "completed", Content: openresponses.Contents{
		&openresponses.OutputText{Text: "hi", Logprobs: probs, Annotations: openresponses.Annotations{}}}}
	stream := at.Send(&openresponses.OutputItemAddedEvent{Item: &openresponses.Message{ID: "m", Role: "assistant"}},
		&openresponses.ContentPartAddedEvent{ItemID: "m", Part: &openresponses.OutputText{}},
		&openresponses.OutputTextDeltaEvent{ItemID: "m", Delta: "hi", Logprobs: probs},
		&openresponses.OutputItemDoneEvent{Item: m},
		&openresponses.ResponseCompletedEvent{Response: &openresponses.Response{ID: "r", Status: completed, Output: openresponses.Items{m}}})
	got := ask(t, responses.New(agentturn.Config{Model: at.NewModel(t, stream)}), asking("hi"))
	data, err := json.Marshal(got.resp.Output)
	if err != nil || !strings.Contains(string(data), `"logprob":-0.5`) {
		t.Errorf("output %s, error %v", data, err)
	}
}
