package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/tools/agent"
	"github.com/ChristopherDavenport/openresponses"
)

// payer is a child that wants to pay once and then answers, as a tool with holding.
func payer(t *testing.T, name string, opts ...agent.Option) agenttool.Tool {
	return agent.New(payerConfig(t, name, saying("pay", "paid")), append(opts, agent.WithHolding())...)
}

func payerConfig(t *testing.T, name string, pay agenttool.Tool) agentturn.Config {
	return agentturn.Config{
		Name: name, Model: at.NewModel(t, at.Attempt{at.Text("let me see"), at.Call("pay", `{}`)}, at.Text("all done")), Tools: []agenttool.Tool{pay},
		BeforeToolCall: func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return &agentturn.ToolDecision{Action: agentturn.Defer}, nil
		},
	}
}

// held prompts the parent, whose call is held.
func held(t *testing.T, parent *agentturn.Agent) *agentturn.RunEnd {
	t.Helper()
	end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
	if err != nil || end.Reason != agentturn.ReasonInputRequired {
		t.Fatalf("%+v, error %v", end, err)
	}
	return end
}

// approved approves everything that waits and resumes the parent.
func approved(ctx context.Context, parent *agentturn.Agent) (*agentturn.RunEnd, error) {
	ctx, answers := agent.Answers(ctx, parent.State().Pending, func(h agent.HeldCall) agentturn.Answer {
		return agentturn.Approve(h.Pending.Call.CallID)
	})
	return parent.Resume(ctx, answers...)
}

func lastToolEnd(rec *at.Recorder) (end *agentturn.ToolEnd) {
	for _, ev := range rec.Events() {
		if e, ok := ev.(*agentturn.ToolEnd); ok {
			end = e
		}
	}
	return end
}

// An answer that the child does not take leaves all as it was, and says why.
func TestHoldingRefusedAnswers(t *testing.T) {
	parent, rec := calling(t, payer(t, "helper"))
	end := held(t, parent)
	end, err := parent.Resume(t.Context(), agentturn.Approve(end.Pending[0].Call.CallID)) // with nothing for the child
	if err != nil || end.Reason != agentturn.ReasonInputRequired || agent.HeldCalls(end.Pending)[0].Refused != nil {
		t.Fatalf("%+v, error %v", end, err)
	}
	for name, c := range map[string]struct {
		answer agentturn.Answer
		want   error
	}{
		"no answer":           {agentturn.Answer{}, agentturn.ErrNotPending},
		"another call's":      {agentturn.Approve("call_9"), agentturn.ErrNotPending},
		"output of another's": {agentturn.Answer{CallID: "call_1", Output: openresponses.NewFunctionCallOutput("call_9", "x")}, agentturn.ErrNotPending},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, answers := agent.Answers(t.Context(), end.Pending, func(agent.HeldCall) agentturn.Answer { return c.answer })
			end, err := parent.Resume(ctx, answers...)
			if err != nil || end.Reason != agentturn.ReasonInputRequired {
				t.Fatalf("%+v, error %v", end, err)
			}
			waits := agent.HeldCalls(end.Pending)
			if len(waits) != 1 || !errors.Is(waits[0].Refused, c.want) || waits[0].Agent != "helper" || waits[0].RunID == "" {
				t.Errorf("held %+v", waits)
			}
			if reason := lastToolEnd(rec).Reason; !strings.Contains(reason, "refused: ") || !strings.Contains(reason, "pay({})") {
				t.Errorf("reason %q", reason)
			}
		})
	}
	if end, err := approved(t.Context(), parent); err != nil || end.Reason != agentturn.ReasonDone {
		t.Errorf("%+v, error %v", end, err)
	}
}

// The details of a held call that was answered tell of all the child's runs, and its progress of the
// run that answered.
func TestHoldingDetails(t *testing.T) {
	parent, rec := calling(t, payer(t, "helper"))
	held(t, parent)
	if _, err := approved(t.Context(), parent); err != nil {
		t.Fatal(err)
	}
	details := info(t, lastToolEnd(rec).Result.Details)
	if got := kinds(details.Items); got != "user:find it assistant:let me see call:call_1 output:call_1 assistant:all done" {
		t.Errorf("items %s", got)
	}
	var updates []string
	for _, ev := range rec.Events() {
		if u, ok := ev.(*agentturn.ToolUpdate); ok {
			updates = append(updates, u.Partial.Output.Text)
		}
	}
	if strings.Join(updates, "|") != "let me see|all done" {
		t.Errorf("updates %q", updates)
	}
}

// A child that goes on is no retry, whatever its parent is, two levels down either, and the observer sees all its runs.
func TestHoldingIsNoRetry(t *testing.T) {
	var inner, outer observed
	below := payer(t, "inner", agent.WithObserver(inner.observe))
	middle := agent.New(agentturn.Config{Name: "middle", Model: at.NewModel(t, at.Call("inner", asked), at.Text("fine")), Tools: []agenttool.Tool{below}},
		agent.WithObserver(outer.observe), agent.WithHolding())
	parent, _ := calling(t, middle)
	held(t, parent)
	if _, err := approved(agent.ContextWithRetry(t.Context()), parent); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]*observed{"inner": &inner, "middle": &outer} {
		var marks []bool
		for i, ev := range o.events {
			if ev.EventType() == agentturn.EventRunStart {
				marks = append(marks, agent.RetryFromContext(o.contexts[i]))
			}
		}
		if len(marks) != 2 || !marks[0] || marks[1] {
			t.Errorf("%s: runs marked %v", name, marks)
		}
	}
}

// A wrapper around the tool changes nothing.
func TestHoldingWrapped(t *testing.T) {
	inner := payer(t, "helper")
	wrapped := agenttool.Wrap(agenttool.Wrap(inner, inner.Execute), inner.Execute)
	parent, _ := calling(t, wrapped)
	end := held(t, parent)
	if waits := agent.HeldCalls(end.Pending); len(waits) != 1 || waits[0].Pending.Call.Name != "pay" {
		t.Fatalf("held %+v", waits)
	}
	if end, err := approved(t.Context(), parent); err != nil || end.Reason != agentturn.ReasonDone {
		t.Errorf("%+v, error %v", end, err)
	}
}

// A held call is not approved with other arguments, nor once its child is forgotten or was cut while
// it went on: it may have run.
func TestHoldingAmbiguous(t *testing.T) {
	t.Run("other arguments", func(t *testing.T) {
		parent, _ := calling(t, payer(t, "helper"))
		held(t, parent)
		if _, err := parent.Resume(t.Context(), agentturn.ApproveWith("call_1", json.RawMessage(`{"input":"other"}`))); !errors.Is(err, agentturn.ErrAmbiguousCall) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("forgotten", func(t *testing.T) {
		below := payer(t, "inner")
		middle := agent.New(agentturn.Config{Name: "middle", Model: at.NewModel(t, at.Call("inner", asked)), Tools: []agenttool.Tool{below}}, agent.WithHolding())
		parent, _ := calling(t, middle)
		end := held(t, parent)
		agent.Forget(end.Pending...)
		agent.Forget(end.Pending...) // and again, which is nothing
		if waits := agent.HeldCalls(end.Pending); len(waits) != 1 || len(waits[0].Path) != 0 || waits[0].Pending.Call.Name != "middle" {
			t.Errorf("held %+v", waits)
		}
		if _, err := parent.Resume(t.Context(), agentturn.Approve("call_1")); !errors.Is(err, agentturn.ErrAmbiguousCall) {
			t.Errorf("error %v", err)
		}
		end, err := parent.Resume(t.Context(), agentturn.Output(openresponses.NewFunctionCallOutput("call_1", "never mind")))
		if err != nil || end.Reason != agentturn.ReasonDone {
			t.Errorf("%+v, error %v", end, err)
		}
	})
	t.Run("cut", func(t *testing.T) {
		var parent *agentturn.Agent
		pay := agenttool.NewFunc("pay", "", nil, func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			parent.AbortCause(errTest)
			<-ctx.Done()
			return agenttool.Result{}, context.Cause(ctx)
		})
		parent, _ = calling(t, agent.New(payerConfig(t, "helper", pay), agent.WithHolding()))
		held(t, parent)
		end, err := approved(t.Context(), parent)
		if err != nil || end.Reason != agentturn.ReasonAborted || end.Err != errTest || end.Pending[0].Reason != agentturn.PendingAborted {
			t.Fatalf("%+v, error %v", end, err)
		}
		if _, err := parent.Resume(t.Context(), agentturn.Approve("call_1")); !errors.Is(err, agentturn.ErrAmbiguousCall) {
			t.Errorf("error %v", err)
		}
	})
}

// A host may resume the child by itself; the call is then what became of it.
func TestHoldingAnsweredByTheHost(t *testing.T) {
	var spawned *agentturn.Agent
	parent, rec := calling(t, payer(t, "helper", agent.WithSpawn(func(_ string, a *agentturn.Agent) { spawned = a })))
	held(t, parent)
	if _, err := spawned.Resume(t.Context(), agentturn.Approve("call_1")); err != nil {
		t.Fatal(err)
	}
	end, err := parent.Resume(t.Context(), agentturn.Approve("call_1"))
	if err != nil || end.Reason != agentturn.ReasonDone {
		t.Fatalf("%+v, error %v", end, err)
	}
	if out := lastToolEnd(rec).Result; out.Output.Text != "all done" || len(info(t, out.Details).Items) != 5 {
		t.Errorf("%+v", out)
	}
}

// What nobody could approve is not held: a call without a key, and, for the tool that makes it, a
// nested one.
func TestHoldingNeedsAKey(t *testing.T) {
	var needs *agent.InputRequiredError
	for range 2 {
		result, err := execute(t.Context(), payer(t, "helper"), asked)
		var held *agentturn.HeldError
		if !errors.As(err, &needs) || errors.As(err, &held) || len(info(t, result.Details).Pending) != 1 {
			t.Errorf("%+v, error %v", result, err)
		}
	}
	outer := agenttool.NewFunc("outer", "", nil, func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		_, err := agentturn.Invoke(ctx, "helper", json.RawMessage(asked))
		if needs = nil; !errors.As(err, &needs) || !errors.Is(err, agentturn.ErrInputRequired) {
			t.Errorf("error %v", err)
		}
		return agenttool.Text("ok"), nil
	})
	parent := agentturn.New(agentturn.Config{Model: at.NewModel(t, at.Call("outer", `{}`), at.Text("ok")), Tools: []agenttool.Tool{outer, payer(t, "helper")}})
	if end, err := parent.Prompt(t.Context(), openresponses.UserText("hi")); err != nil || end.Reason != agentturn.ReasonDone {
		t.Errorf("%+v, error %v", end, err)
	}
}

// Models choose the IDs of calls: an answer reaches the call it was given for and no other, whatever
// they are.
func TestHoldingPaths(t *testing.T) {
	level := func(id, name string, below agenttool.Tool) agenttool.Tool {
		return agent.New(agentturn.Config{Name: name, Model: at.NewModel(t, at.CallWithID(id, below.Name(), asked), at.Text("fine")).Unchecked(), Tools: []agenttool.Tool{below}}, agent.WithHolding())
	}
	paid := map[string]int{}
	leaf := func(name string) agenttool.Tool {
		return agent.New(payerConfig(t, name, agenttool.NewFunc("pay", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
			paid[name]++
			return agenttool.Text("paid"), nil
		})), agent.WithHolding())
	}
	one, two := level("b/c", "one", leaf("good")), level("c", "two", leaf("bad"))
	parent := agentturn.New(agentturn.Config{
		Model: at.NewModel(t, at.Attempt{at.CallWithID("a", "one", asked), at.CallWithID("a/b", "two", asked)}, at.Text("thanks")).Unchecked(),
		Tools: []agenttool.Tool{one, two},
	})
	end := held(t, parent)
	ctx, answers := agent.Answers(t.Context(), end.Pending, func(h agent.HeldCall) agentturn.Answer {
		if id := h.Pending.Call.CallID; h.Agent == "good" {
			return agentturn.Approve(id)
		} else {
			return agentturn.Output(openresponses.NewFunctionCallOutput(id, "no"))
		}
	})
	if end, err := parent.Resume(ctx, answers...); err != nil || end.Reason != agentturn.ReasonDone || paid["good"] != 1 || paid["bad"] != 0 {
		t.Errorf("%+v, error %v, paid %v", end, err, paid)
	}
}

// A child may need more than one round, and more than one of a parent's calls may be held.
func TestHoldingRounds(t *testing.T) {
	cfg := payerConfig(t, "helper", saying("pay", "paid"))
	cfg.Model = at.NewModel(t, at.Call("pay", `{}`), at.Call("pay", `{}`), at.Call("pay", `{}`), at.Text("all done"))
	parent, rec := calling(t, agent.New(cfg, agent.WithHolding()))
	end := held(t, parent)
	for round := range 3 {
		if end.Reason != agentturn.ReasonInputRequired {
			t.Fatalf("round %d: %+v", round, end)
		}
		var err error
		if end, err = approved(t.Context(), parent); err != nil {
			t.Fatal(err)
		}
	}
	if out := lastToolEnd(rec); end.Reason != agentturn.ReasonDone || out.Result.Output.Text != "all done" || out.CallID != "call_1" {
		t.Errorf("%+v, %+v", end, out)
	}
}
