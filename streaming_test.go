package agentturn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

func atOnce(int, error) time.Duration { return 0 }

// Wire events of a made-up server.

func created(id string) openresponses.StreamEvent {
	return &openresponses.ResponseCreatedEvent{Response: &openresponses.Response{ID: id, Status: openresponses.ResponseStatusInProgress}}
}

func added(index int, item openresponses.Item) openresponses.StreamEvent {
	return &openresponses.OutputItemAddedEvent{OutputIndex: index, Item: item}
}

func done(index int, item openresponses.Item) openresponses.StreamEvent {
	return &openresponses.OutputItemDoneEvent{OutputIndex: index, Item: item}
}

func textDelta(index int, text string) openresponses.StreamEvent {
	return &openresponses.OutputTextDeltaEvent{OutputIndex: index, Delta: text}
}

func argsDelta(index int, id, text string) openresponses.StreamEvent {
	return &openresponses.FunctionCallArgumentsDeltaEvent{OutputIndex: index, ItemID: id, Delta: text}
}

func ended(status openresponses.ResponseStatus, output ...openresponses.Item) openresponses.StreamEvent {
	r := &openresponses.Response{ID: "resp_x", Status: status, Output: output}
	switch status {
	case openresponses.ResponseStatusFailed:
		return &openresponses.ResponseFailedEvent{Response: r}
	case openresponses.ResponseStatusIncomplete:
		return &openresponses.ResponseIncompleteEvent{Response: r}
	}
	return &openresponses.ResponseCompletedEvent{Response: r}
}

func message(id, text string) *openresponses.Message {
	m := openresponses.AssistantText(text)
	m.ID, m.Status = id, openresponses.StatusCompleted
	return m
}

func opening(id string) *openresponses.Message {
	return &openresponses.Message{ID: id, Role: openresponses.RoleAssistant, Status: openresponses.StatusInProgress}
}

func wireCall(id, callID, args string) *openresponses.FunctionCall {
	return &openresponses.FunctionCall{ID: id, CallID: callID, Name: "x", Arguments: args, Status: openresponses.StatusCompleted}
}

func thought(id string) *openresponses.ReasoningItem {
	return &openresponses.ReasoningItem{ID: id, Summary: openresponses.Contents{}}
}

const finished = openresponses.ResponseStatusCompleted

func TestItemEvents(t *testing.T) {
	t.Run("R026", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.TextDeltas("a", "b", "c"))})
		rec.Omit = nil
		prompted(t, a, "hi", agentturn.ReasonDone)
		got := lines(rec, "item_start 1", "item_update", "item_end 1")
		if n := len(got); n < 6 || !strings.HasPrefix(got[0], "item_start") || !strings.HasPrefix(got[n-1], "item_end") ||
			slices.ContainsFunc(got[1:n-1], func(line string) bool { return !strings.HasPrefix(line, "item_update") }) {
			t.Errorf("events %q", got)
		}
		var deltas []string
		for _, u := range all[*agentturn.ItemUpdate](rec) {
			if d, ok := u.Stream.(*openresponses.OutputTextDeltaEvent); ok {
				deltas = append(deltas, d.Delta)
			}
		}
		if strings.Join(deltas, " ") != "a b c" {
			t.Errorf("deltas %v", deltas)
		}
	})
	t.Run("R027", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok"))})
		a.Subscribe(func(_ context.Context, ev agentturn.Event) error {
			if end, ok := ev.(*agentturn.ItemEnd); ok {
				tr := a.State().Transcript
				if len(tr) == 0 || tr[len(tr)-1] != end.Item {
					t.Errorf("%s is not in the transcript at its item_end", kinds(items(end.Item)))
				}
			}
			return nil
		})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if !slices.Equal(end.Items, a.State().Transcript) {
			t.Errorf("RunEnd has %s", kinds(end.Items))
		}
	})
	t.Run("R028", func(t *testing.T) {
		stream := at.Send(created("r"), added(0, opening("m1")), textDelta(0, "lost"), added(1, opening("m2")), done(1, message("m2", "kept")), ended(finished))
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream)})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if kinds(end.Items) != "user:hi assistant:kept" || len(lines(rec, "item_start 1")) != 2 || len(lines(rec, "item_end 1")) != 1 {
			t.Errorf("items %s, events %q", kinds(end.Items), rec.Lines())
		}
	})
	t.Run("R029", func(t *testing.T) {
		logprob := openresponses.LogProb{Token: "a", Logprob: -1}
		delta := &openresponses.OutputTextDeltaEvent{SequenceNumber: 7, ItemID: "m", Delta: "a", Logprobs: []openresponses.LogProb{logprob}, Obfuscation: "zz"}
		stream := at.Send(created("r"), &openresponses.ResponseInProgressEvent{Response: &openresponses.Response{ID: "r"}},
			added(0, opening("m")), &openresponses.ContentPartAddedEvent{ItemID: "m", Part: &openresponses.OutputText{}}, delta, done(0, message("m", "a")), ended(finished))
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream)})
		prompted(t, a, "hi", agentturn.ReasonDone)
		updates := all[*agentturn.ItemUpdate](rec)
		got, ok := updates[len(updates)-1].Stream.(*openresponses.OutputTextDeltaEvent)
		if len(updates) != 2 || !ok || got.SequenceNumber != 7 || got.Delta != "a" || got.Obfuscation != "zz" || len(got.Logprobs) != 1 {
			t.Errorf("updates %d, the delta %+v", len(updates), got)
		}
		for _, ev := range rec.Events() {
			if strings.HasPrefix(ev.EventType(), "response.") {
				t.Errorf("event %s", ev.EventType())
			}
		}
	})
	t.Run("R030", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Reasoning("hm"), at.Text("ok")})})
		prompted(t, a, "hi", agentturn.ReasonDone)
		expect(t, lines(rec, "item_start 1", "item_end 1"), "item_start 1 reasoning", "item_end 1 reasoning \"hm\"",
			"item_start 1 message assistant", `item_end 1 message assistant "ok"`)
	})
	t.Run("R031", func(t *testing.T) {
		stream := at.Attempt{at.Send(created("r"), done(0, thought("rs")), done(1, message("m", "a")), done(2, wireCall("fc", "c", "{}")), ended(finished))}
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream, at.Text("ok")), Tools: tools(okTool("x"))})
		prompted(t, a, "hi", agentturn.ReasonDone)
		expect(t, lines(rec, "item_start 1 message", "item_start 1 reasoning", "item_start 1 function_call ", "item_end 1", "response_end 1"),
			`item_end 1 reasoning ""`, `item_end 1 message assistant "a"`, "item_end 1 function_call c x {}", "response_end 1 completed", `item_end 1 function_call_output c "x ok"`)
	})
	t.Run("R042", func(t *testing.T) {
		stream := at.Send(done(0, thought("early")), added(1, thought("rs")), created("named"), done(1, thought("rs")), added(2, opening("m")), done(2, message("m", "a")), ended(finished))
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream)})
		prompted(t, a, "hi", agentturn.ReasonDone)
		var got []string
		for _, ev := range rec.Events() {
			switch ev := ev.(type) {
			case *agentturn.ItemStart:
				if ev.Turn == 1 {
					got = append(got, "start "+ev.ResponseID)
				}
			case *agentturn.ItemEnd:
				if ev.Turn == 1 {
					got = append(got, "end "+ev.ResponseID)
				}
			}
		}
		expect(t, got, "start ", "end ", "end named", "start named", "end named")
	})
}

func TestResponses(t *testing.T) {
	t.Run("R032", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Reasoning("hm"))})
		if end := prompted(t, a, "hi", agentturn.ReasonDone); kinds(end.Items) != "user:hi reasoning" {
			t.Errorf("items %s", kinds(end.Items))
		}
	})
	t.Run("R033", func(t *testing.T) {
		stream := at.Attempt{at.Send(created("r"), added(0, opening("m")), done(0, message("m", "a")), added(1, wireCall("fc", "c", "")), done(1, wireCall("fc", "c", "{}")),
			ended(openresponses.ResponseStatusIncomplete, message("m", "a"), wireCall("fc", "c", "{}")))}
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream, at.Text("ok")), Tools: tools(okTool("x"))})
		if end := prompted(t, a, "hi", agentturn.ReasonDone); kinds(end.Items) != "user:hi assistant:a call:c output:c assistant:ok" {
			t.Errorf("items %s", kinds(end.Items))
		}
		expect(t, lines(rec, "tool_dispatch", "response_end 1"), "response_end 1 incomplete", "tool_dispatch 1 c x")
	})
	t.Run("R034", func(t *testing.T) {
		stream := at.Attempts{{at.Reasoning("held"), at.FailResponse(openresponses.ServerError("overloaded", "come back"))}}
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream), Retry: agentturn.Retry{MaxAttempts: 3, Backoff: atOnce}})
		end := prompted(t, a, "hi", agentturn.ReasonError)
		var e *openresponses.Error
		if !errors.As(end.Err, &e) || e.Code != "overloaded" || kinds(end.Items) != "user:hi" {
			t.Errorf("error %v, items %s", end.Err, kinds(end.Items))
		}
		expect(t, lines(rec, "response_end", "model_retry", "turn_end"), "response_end 1 failed")
	})
	t.Run("R035", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Text("a"), at.Cut()})})
		end := prompted(t, a, "hi", agentturn.ReasonError)
		if !errors.Is(end.Err, openresponses.ErrTruncatedStream) || len(lines(rec, "response_end")) > 0 {
			t.Errorf("error %v, events %q", end.Err, rec.Lines())
		}
	})
}

func TestRetries(t *testing.T) {
	limited := openresponses.TooManyRequests("slow", "slow down")
	retrying := func(n int) agentturn.Retry { return agentturn.Retry{MaxAttempts: n, Backoff: atOnce} }
	t.Run("R036", func(t *testing.T) {
		var policy error
		retry := retrying(2)
		retry.Retryable = func(err error) bool { policy = err; return agentturn.DefaultRetryable(err) }
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempts{{at.ErrorEvent(limited)}, {at.Text("ok")}}), Retry: retry})
		prompted(t, a, "hi", agentturn.ReasonDone)
		var e *openresponses.Error
		if !errors.As(policy, &e) || e.Code != "slow" || policy != error(e) || len(lines(rec, "model_retry")) != 1 {
			t.Errorf("the policy saw %#v, events %q", policy, rec.Lines())
		}
		a, rec = agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.PartialText("a"), at.ErrorEvent(limited)}), Retry: retrying(2)})
		prompted(t, a, "hi", agentturn.ReasonError)
		if len(lines(rec, "model_retry")) > 0 {
			t.Errorf("events %q", rec.Lines())
		}
	})
	t.Run("R037", func(t *testing.T) {
		for name, step := range map[string]at.Step{"message": at.PartialText(""), "call": at.PartialCall("x", ""), "whole": at.Text("a")} {
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{step, at.Fail(limited)}), Retry: retrying(3)})
			prompted(t, a, "hi", agentturn.ReasonError)
			if len(lines(rec, "model_retry")) > 0 {
				t.Errorf("%s: events %q", name, rec.Lines())
			}
		}
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempts{{at.Reasoning("hm"), at.Fail(limited)}, {at.Text("ok")}}), Retry: retrying(3)})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if len(lines(rec, "model_retry")) != 1 {
			t.Errorf("reasoning alone: events %q", rec.Lines())
		}
	})
	t.Run("R038", func(t *testing.T) {
		// All that does not commit, and a stream of done events that is cut.
		dones := at.Send(created("r"), done(0, message("m", "lost")), done(1, wireCall("fc", "c", "{}")))
		model := at.NewModel(t, at.Attempts{{at.Reasoning("lost"), at.Fail(limited)}, {dones, at.Cut()}, {at.Text("ok")}})
		a, _ := agentOf(t, agentturn.Config{Model: model, Retry: retrying(3)})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if kinds(end.Items) != "user:hi assistant:ok" || kinds(model.Request(3).Input) != "user:hi" {
			t.Errorf("items %s, sent %s", kinds(end.Items), kinds(model.Request(3).Input))
		}
	})
	t.Run("R039", func(t *testing.T) {
		for attempts, want := range map[int]int{0: 1, 1: 1, 3: 3} {
			model := at.NewModel(t, at.Fail(limited)).RepeatLast()
			a, rec := agentOf(t, agentturn.Config{Model: model, Retry: retrying(attempts)})
			prompted(t, a, "hi", agentturn.ReasonError)
			var numbers []int
			for i, retry := range all[*agentturn.ModelRetry](rec) {
				if numbers = append(numbers, retry.Attempt); retry.Attempt != i+1 {
					t.Errorf("attempts %v", numbers)
				}
			}
			if len(model.Requests()) != want || len(numbers) != want-1 {
				t.Errorf("MaxAttempts %d: %d requests, retries %v", attempts, len(model.Requests()), numbers)
			}
		}
	})
	t.Run("R040", func(t *testing.T) {
		retry := retrying(3)
		retry.Revise = func(attempt int, req *openresponses.Request, _ error) *openresponses.Request {
			if attempt == 1 {
				req.Model += "-a"
				return nil
			}
			other := *req
			other.Model += "-b"
			return &other
		}
		model := at.NewModel(t, at.Attempts{{at.Fail(limited)}, {at.Fail(limited)}, {at.Text("ok")}})
		a, rec := agentOf(t, agentturn.Config{Model: model, ModelName: "m", Retry: retry})
		prompted(t, a, "hi", agentturn.ReasonDone)
		got := []string{find[*agentturn.TurnStart](rec).Request.Model}
		for i, retry := range all[*agentturn.ModelRetry](rec) {
			got = append(got, fmt.Sprintf("%s %s", retry.Request.Model, model.Request(i+2).Model))
		}
		expect(t, got, "m", "m-a m-a", "m-a-b m-a-b")
	})
	t.Run("R041", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			retry := retrying(2)
			retry.Backoff = func(int, error) time.Duration { return time.Hour }
			retry.MaxDelay = -1
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Fail(limited)), Retry: retry})
			a.Subscribe(func(_ context.Context, ev agentturn.Event) error {
				if _, ok := ev.(*agentturn.ModelRetry); ok {
					time.AfterFunc(time.Minute, func() { a.AbortCause(errTest) })
				}
				return nil
			})
			start := time.Now()
			if end := prompted(t, a, "hi", agentturn.ReasonAborted); end.Err != errTest || time.Since(start) != time.Minute {
				t.Errorf("error %v after %v", end.Err, time.Since(start))
			}
		})
	})
}
