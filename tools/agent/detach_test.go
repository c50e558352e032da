package agent_test

import (
	"context"
	"errors"
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
