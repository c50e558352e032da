package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
)

// A tool holds its own call: the rest of the batch runs, the call is pending with its key, and an approval hands it to the
// tool once more.
func TestHeldByItsTool(t *testing.T) {
	ready := false
	holds := funcTool("hold", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
		if !ready {
			return agenttool.Text("not yet"), fmt.Errorf("wait: %w", &agentturn.HeldError{Reason: "the bank"})
		}
		return agenttool.Text("done under " + call.IdempotencyKey), nil
	}, agenttool.WithReplay(func(context.Context, json.RawMessage) agenttool.Replay { return agenttool.ReplaySafe }))
	a, rec := agentOf(t, agentturn.Config{
		Model: at.NewModel(t, at.Attempt{at.Call("hold", `{}`), at.Call("x", `{}`)}, at.Text("ok")), Tools: tools(holds, okTool("x")),
		AfterToolCall: func(_ context.Context, info agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
			if info.Call.Name == "hold" && !ready {
				t.Error("AfterToolCall was asked")
			}
			return nil, nil
		},
	})
	end := prompted(t, a, "hi", agentturn.ReasonInputRequired)
	p := end.Pending[0]
	if pendingOf(end.Pending) != "call_1=deferred" || !p.Dispatched || !p.MayHaveRun() || p.IdempotencyKey != end.RunID+"/call_1" || kinds(end.Items) != "user:hi call:call_1 call:call_2 output:call_2" {
		t.Fatalf("pending %+v, items %s", p, kinds(end.Items))
	}
	for _, e := range all[*agentturn.ToolEnd](rec) {
		if e.CallID == "call_1" && (!e.Deferred || e.Reason != "the bank" || e.Err != nil || e.Result.Output.Text != "") {
			t.Errorf("%+v", e)
		}
	}
	end = resumed(t, a, agentturn.ReasonInputRequired, agentturn.Approve("call_1"))
	if pendingOf(end.Pending) != "call_1=deferred" || end.Pending[0].IdempotencyKey != p.IdempotencyKey {
		t.Errorf("held again: %+v", end.Pending)
	}
	ready = true
	end = resumed(t, a, agentturn.ReasonDone, agentturn.Approve("call_1"))
	if got := outputText(t, end.Items, "call_1"); got != "done under "+p.IdempotencyKey {
		t.Errorf("output %q", got)
	}
}

// From a nested call the error is the invoking tool's to deal with.
func TestHeldNested(t *testing.T) {
	holds := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
		return agenttool.Result{}, &agentturn.HeldError{Reason: "the bank"}
	})
	var held *agentturn.HeldError
	outer := funcTool("nest", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		_, err := agentturn.Invoke(ctx, "x", nil)
		if !errors.As(err, &held) {
			t.Errorf("error %v", err)
		}
		return agenttool.Text("fine"), nil
	})
	a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("nest", `{}`), at.Text("ok")), Tools: tools(outer, holds)})
	prompted(t, a, "hi", agentturn.ReasonDone)
}

// A cause that looks like a hold cuts the call all the same.
func TestHeldByTheCause(t *testing.T) {
	var a *agentturn.Agent
	slow := funcTool("slow", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		a.AbortCause(&agentturn.HeldError{Reason: "a cause"})
		<-ctx.Done()
		return agenttool.Result{}, context.Cause(ctx)
	})
	a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("slow", `{}`)), Tools: tools(slow)})
	if end := prompted(t, a, "hi", agentturn.ReasonAborted); pendingOf(end.Pending) != "call_1=aborted" {
		t.Errorf("pending %s", pendingOf(end.Pending))
	}
	if e := find[*agentturn.ToolEnd](rec); e.Deferred {
		t.Errorf("%+v", e)
	}
}
