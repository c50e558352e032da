package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/tools/agent"
	"github.com/ChristopherDavenport/openresponses"
)

func TestDetached(t *testing.T) {
	t.Run("G040 G041", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var ends []*agentturn.RunEnd
			var ids []string
			parent, rec := calling(t, agent.New(child(at.NewModel(t, at.Attempt{at.Sleep(time.Hour), at.Text("found")})), agent.WithDetach(func(id string, end *agentturn.RunEnd) {
				mu.Lock()
				defer mu.Unlock()
				ids, ends = append(ids, id), append(ends, end)
			})))
			start := time.Now()
			end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
			if err != nil || end.Reason != agentturn.ReasonDone || time.Since(start) > 0 {
				t.Fatalf("%+v, error %v", end, err)
			}
			call := toolEnd(t, rec)
			i := info(t, call.Result.Details)
			if text := call.Result.Output.Text; !strings.Contains(text, i.RunID) || !strings.Contains(text, `"helper"`) || i.Agent != "helper" || i.Items != nil {
				t.Errorf("%q, %+v", text, i)
			}
			time.Sleep(2 * time.Hour)
			mu.Lock()
			defer mu.Unlock()
			if len(ends) != 1 || ends[0].RunID != i.RunID || ends[0].Reason != agentturn.ReasonDone || ids[0] != "call_1" {
				t.Errorf("ends %+v of %v", ends, ids)
			}
		})
	})
	t.Run("G041 abort", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var ended *agentturn.RunEnd
			tool := agent.New(child(at.NewModel(t, at.Block())), agent.WithDetach(func(_ string, end *agentturn.RunEnd) { ended = end }))
			parent := agentturn.New(agentturn.Config{Model: at.NewModel(t, at.Call("helper", asked), at.Attempt{at.Sleep(time.Hour), at.Text("ok")}), Tools: []agenttool.Tool{tool}})
			time.AfterFunc(time.Minute, func() { parent.AbortCause(errTest) })
			if end, err := parent.Prompt(t.Context(), openresponses.UserText("hi")); err != nil || end.Reason != agentturn.ReasonAborted {
				t.Fatalf("%+v, error %v", end, err)
			}
			synctest.Wait()
			if ended == nil || ended.Reason != agentturn.ReasonAborted || ended.Err != errTest {
				t.Errorf("the child ended %+v", ended)
			}
		})
	})
	t.Run("G042", func(t *testing.T) {
		at.NoLeaks(t)
		result, err := execute(t.Context(), agent.New(child(nil), agent.WithDetach(func(string, *agentturn.RunEnd) { t.Error("told of an end") })), asked)
		if !errors.Is(err, agentturn.ErrNoModel) || !strings.HasPrefix(err.Error(), `agent "helper": `) || result.Details != nil {
			t.Errorf("%+v, error %v", result, err)
		}
	})
	t.Run("G043", func(t *testing.T) {
		ended := make(chan struct{})
		var transcript bool
		var id string
		parent, _ := calling(t, agent.New(child(at.NewModel(t, at.Text("ok"))), agent.WithDetach(func(string, *agentturn.RunEnd) { close(ended) }),
			agent.WithRunContext(func(ctx context.Context, _ string) context.Context {
				_, transcript = agentturn.TranscriptFromContext(ctx)
				call, _ := agenttool.CallFrom(ctx)
				id = call.ID
				return ctx
			})))
		if _, err := parent.Prompt(t.Context(), openresponses.UserText("hi")); err != nil {
			t.Fatal(err)
		}
		<-ended
		if transcript || id != "call_1" {
			t.Errorf("the parent's transcript is there: %t; the call is %q", transcript, id)
		}
	})
}

// Four levels of agents, two children each, aborted anywhere and at any time: nothing leaks, every call has its end, and
// the cause arrives where it should.
func TestDeepAborts(t *testing.T) {
	for seed := range 60 {
		synctest.Test(t, func(t *testing.T) {
			at.NoLeaks(t)
			var mu sync.Mutex
			var agents []*agentturn.Agent
			var recorders []*at.Recorder
			roll := func(n, salt int) int { return (seed*7919 + salt*104729 + seed*seed*31) % n }
			var level func(depth int) agenttool.Tool
			level = func(depth int) agenttool.Tool {
				cfg := agentturn.Config{Name: fmt.Sprint("level", depth)}
				if depth == 4 {
					cfg.Model = at.NewModel(t, at.Attempt{at.Sleep(time.Duration(1+roll(20, depth)) * time.Second), at.Text("leaf")}).RepeatLast()
				} else {
					below := level(depth + 1)
					two := at.Attempt{at.Call(below.Name(), asked), at.Call(below.Name(), asked)}
					cfg.Model = perRun{func() agentturn.Model { return at.NewModel(t, two, at.Text("sum")) }}
					cfg.Tools = []agenttool.Tool{below}
				}
				return agent.New(cfg, agent.WithSpawn(func(_ string, a *agentturn.Agent) {
					rec := &at.Recorder{}
					a.Subscribe(rec.Record)
					mu.Lock()
					defer mu.Unlock()
					agents, recorders = append(agents, a), append(recorders, rec)
				}))
			}
			top := level(1)
			parent := agentturn.New(agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call(top.Name(), asked), at.Call(top.Name(), asked)}, at.Text("all")), Tools: []agenttool.Tool{top}, MaxParallelTools: 1})
			rec := &at.Recorder{}
			parent.Subscribe(rec.Record)
			cause := fmt.Errorf("cause %d", seed)
			var victim *agentturn.Agent
			time.AfterFunc(time.Duration(1+roll(40, 1))*time.Second/2, func() {
				mu.Lock()
				defer mu.Unlock()
				victim = parent
				if n := roll(len(agents)+1, 2); n < len(agents) {
					victim = agents[n]
				}
				victim.AbortCause(cause)
			})
			end, err := parent.Prompt(t.Context(), openresponses.UserText("go"))
			if err != nil {
				t.Errorf("seed %d: %v", seed, err)
				return
			}
			if victim == parent && end.Reason == agentturn.ReasonAborted && end.Err != cause {
				t.Errorf("seed %d: the parent ended for %v", seed, end.Err)
			}
			if victim != parent && end.Reason != agentturn.ReasonDone {
				t.Errorf("seed %d: the abort of a child ended the parent: %+v", seed, end)
			}
			for i, r := range append(recorders, rec) {
				if bad := at.CheckEvents(r.Events()); bad != nil {
					t.Errorf("seed %d, agent %d: %v", seed, i, bad)
				}
				for _, ev := range r.Events() {
					if e, ok := ev.(*agentturn.RunEnd); ok && e.Reason == agentturn.ReasonAborted && !errors.Is(e.Err, cause) {
						t.Errorf("seed %d, agent %d: aborted for %v", seed, i, e.Err)
					}
				}
			}
		})
	}
}

// perRun is a model that begins anew for every conversation.
type perRun struct{ make func() agentturn.Model }

func (p perRun) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	m := p.make()
	for _, item := range req.Input { // the second turn of the conversation
		if _, ok := item.(*openresponses.FunctionCallOutput); ok {
			return at.NewModel(nil, at.Text("sum")).Unchecked().CreateStream(ctx, req, sink)
		}
	}
	return m.CreateStream(ctx, req, sink)
}
