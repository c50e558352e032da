package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

type echoArgs struct {
	Text string `json:"text"`
}

func echoTool(name string) agenttool.Tool {
	return agenttool.New(name, "Echo", func(_ context.Context, a echoArgs) (string, error) { return "echo " + a.Text, nil })
}

func TestSmokeTool(t *testing.T) {
	agentturntest.NoLeaks(t)
	model := agentturntest.NewModel(t,
		agentturntest.Attempt{agentturntest.Reasoning("think"), agentturntest.Call("e", `{"text":"a"}`), agentturntest.Call("e", `{"text":"b"}`)},
		agentturntest.Text("done deal"))
	a := agentturn.New(agentturn.Config{Model: model, ModelName: "m", Tools: []agenttool.Tool{echoTool("e")}})
	var rec agentturntest.Recorder
	a.Subscribe(rec.Record)
	end, err := a.Prompt(context.Background(), openresponses.UserText("hi"))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(strings.Join(rec.Lines(), "\n"))
	if err := agentturntest.CheckEvents(rec.Events()); err != nil {
		t.Error(err)
	}
	if s, ok := end.Answer(); !ok || s != "done deal" {
		t.Error(s, ok)
	}
	var rec2 agentturntest.Recorder
	model.Then(agentturntest.Call("e", `{"text":"c"}`), agentturntest.TextDeltas("x", "y", "z"))
	rec2.Collect(agentturn.Run(context.Background(), a.State().Transcript, openresponses.Items{openresponses.UserText("again")}, a.Config()))
	t.Log(strings.Join(rec2.Lines(), "\n"))
	if err := agentturntest.CheckEvents(rec2.Events()); err != nil {
		t.Error(err)
	}
}

func TestSmokeDefer(t *testing.T) {
	agentturntest.NoLeaks(t)
	model := agentturntest.NewModel(t, agentturntest.Attempt{agentturntest.Call("e", `{"text":"a"}`), agentturntest.Call("f", `{"text":"b"}`)}, agentturntest.Text("ok"))
	nest := agenttool.New("f", "", func(ctx context.Context, a echoArgs) (string, error) {
		r, err := agentturn.Invoke(ctx, "e", json.RawMessage(`{"text":"nested"}`))
		return r.Output.Text, err
	})
	cfg := agentturn.Config{Model: model, Tools: []agenttool.Tool{echoTool("e"), nest}}
	cfg.BeforeToolCall = func(_ context.Context, i agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
		if i.Call.Name == "e" && i.Parent == "" {
			return &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "ask"}, nil
		}
		return nil, nil
	}
	a := agentturn.New(cfg)
	var rec agentturntest.Recorder
	a.Subscribe(rec.Record)
	end, err := a.Prompt(context.Background(), openresponses.UserText("hi"))
	if err != nil || end.Reason != agentturn.ReasonInputRequired {
		t.Fatal(end, err)
	}
	end, err = a.Resume(context.Background(), agentturn.Approve(end.Pending[0].Call.CallID).WithNote("go"))
	t.Log(strings.Join(rec.Lines(), "\n"))
	if err != nil || end.Reason != agentturn.ReasonDone {
		t.Fatal(end, err)
	}
	if err := agentturntest.CheckEvents(rec.Events()); err != nil {
		t.Error(err)
	}
}

func TestSmokeAbort(t *testing.T) {
	agentturntest.NoLeaks(t)
	model := agentturntest.NewModel(t, agentturntest.Call("w", `{"text":"a"}`), agentturntest.Attempt{agentturntest.PartialText("abc"), agentturntest.Block()}, agentturntest.Text("yes"))
	started := make(chan struct{})
	w := agenttool.New("w", "", func(ctx context.Context, a echoArgs) (string, error) {
		close(started)
		<-ctx.Done()
		return "", ctx.Err()
	})
	a := agentturn.New(agentturn.Config{Model: model, Tools: []agenttool.Tool{w}})
	var rec agentturntest.Recorder
	a.Subscribe(rec.Record)
	why := errors.New("esc")
	go func() { <-started; a.AbortCause(why) }()
	end, err := a.Prompt(context.Background(), openresponses.UserText("hi"))
	if err != nil || end.Reason != agentturn.ReasonAborted || end.Err != why || len(end.Pending) != 1 || end.Pending[0].Reason != agentturn.PendingAborted {
		t.Fatal(end, err)
	}
	go func() { time.Sleep(50 * time.Millisecond); a.Abort() }()
	end, err = a.Resume(context.Background(), agentturn.OutcomeUnknown(end.Pending[0].Call.CallID))
	if err != nil || end.Reason != agentturn.ReasonAborted {
		t.Fatal(end, err)
	}
	joined, end, err := a.Deliver(context.Background(), openresponses.UserText("deliver"))
	t.Log(strings.Join(rec.Lines(), "\n"))
	if joined || err != nil || end.Reason != agentturn.ReasonDone {
		t.Fatal(joined, end, err)
	}
	if err := agentturntest.CheckEvents(rec.Events()); err != nil {
		t.Error(err)
	}
}
