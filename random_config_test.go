package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// toolNames are the tools of the random test, each of the temper its name says.
var toolNames = []string{
	"fine", "slow", "broken", "panics", "nests", "spawns", "ends", "chatty", "queues", "queues too", "alone", "meddles", "asks", "holds",
}

var replays = map[string]agenttool.Replay{"fine": agenttool.ReplaySafe, "holds": agenttool.ReplaySafe, "slow": agenttool.ReplayKeyed}

// config is a configuration with some of the hooks.
func (w *world) config() agentturn.Config {
	var list []agenttool.Tool
	for _, name := range toolNames {
		list = append(list, w.tool(name))
	}
	cfg := agentturn.Config{
		Model: randomModel{w}, ModelName: []string{"m", "n"}[w.roll("model name", 2)], Tools: list,
		ToolElicitor: w.elicit, BeforeToolCall: w.beforeToolCall, AfterToolCall: w.afterToolCall,
		MaxParallelTools: w.roll("max parallel", 4), MaxTurns: 8,
		Retry: agentturn.Retry{MaxAttempts: 1 + w.roll("attempts", 3), Revise: w.revise},
	}
	if w.roll("retry all", 3) == 0 {
		cfg.Retry.Retryable = func(error) bool { return true }
	}
	if w.roll("output guard", 2) == 0 {
		cfg.OutputGuard = w.outputGuard
	}
	if w.roll("turn hooks", 2) == 0 {
		cfg.BeforeTurn, cfg.ShouldStopAfterTurn = w.beforeTurn, w.shouldStop
	}
	if w.roll("request hooks", 2) == 0 {
		cfg.Transform, cfg.BeforeModelCall = w.transform, w.beforeModelCall
	}
	if w.roll("filter", 3) == 0 {
		cfg.Filter = agentturn.DefaultFilter
	}
	if w.roll("provider", 3) == 0 {
		cfg.ToolProvider = w.provider(list)
	}
	if w.roll("sequential", 4) == 0 {
		cfg.ToolExecution = agentturn.ExecSequential
	}
	if w.roll("grace", 6) == 0 {
		cfg.ToolGrace = time.Second
		w.mu.Lock()
		w.leftBehind = true
		w.mu.Unlock()
	}
	return cfg
}

// rangedKey marks the context of a low-level run.
type rangedKey struct{}

// tool is a tool with the temper that its name says.
func (w *world) tool(name string) agenttool.Tool {
	var opts []agenttool.Option
	switch name {
	case "queues", "queues too":
		opts = append(opts, agenttool.WithResource("one"))
	case "alone":
		opts = append(opts, agenttool.WithSequential())
	}
	if replay, ok := replays[name]; ok {
		opts = append(opts, agenttool.WithReplay(func(context.Context, json.RawMessage) agenttool.Replay { return replay }))
	}
	return funcTool(name, func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		defer w.enter(ctx, name, call)()
		key := name + call.ID
		w.sleep(ctx, key+" works", 300)
		switch name {
		case "slow":
			time.Sleep(w.span(key+" is deaf", 5000))
		case "broken":
			return agenttool.Result{Details: 1}, errTest
		case "panics":
			panic(errTest)
		case "nests":
			return agentturn.Invoke(ctx, append(toolNames, "none")[w.roll(key+" nested", len(toolNames)+1)], call.Args)
		case "spawns":
			// What a tool leaves running is cut off with it, and its context is good for nothing afterwards: no event of
			// what these come to may lie outside the call.
			go agentturn.Invoke(ctx, "slow", call.Args)
			go func() {
				time.Sleep(w.span(key+" lingers", 2000))
				agentturn.Invoke(ctx, "fine", nil)
			}()
			w.sleep(ctx, key+" waits a little", 400)
		case "ends":
			return agenttool.Result{Terminate: true}, nil
		case "chatty":
			for range 3 {
				call.Update(agenttool.Text("so far"))
			}
			go func() { time.Sleep(time.Second); call.Update(agenttool.Text("too late")) }()
		case "meddles":
			if !w.calm.Load() {
				w.inside(ctx, key)
			}
		case "holds":
			if w.chance(key+" holds", 2) {
				return agenttool.Text("not yet"), fmt.Errorf("wait: %w", &agentturn.HeldError{Reason: "the bank"})
			}
		case "asks":
			agentturn.Ask(ctx, agentturn.AskedCall{CallID: call.ID, Name: name, Args: call.Args})
		}
		return agenttool.Text("\xff ok"), ctx.Err()
	}, opts...)
}

// enter notes that a call is in its tool, until the function it returns is called.
func (w *world) enter(ctx context.Context, name string, call agenttool.Call) (leave func()) {
	_, ranged := ctx.Value(rangedKey{}).(bool)
	id := call.ID
	if ranged {
		id = "ranged " + id
	}
	if got, _ := agenttool.CallFrom(ctx); got.ID != call.ID || got.IdempotencyKey != call.IdempotencyKey || call.IdempotencyKey == "" {
		w.errorf("%s is called as %+v, and finds %+v", name, call, got)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[id]++
	if !ranged {
		w.ran[id]++
		if w.ran[id] > w.handed[id] {
			w.errorf("%s ran for the %d. time and was handed over %d times", id, w.ran[id], w.handed[id])
		}
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.running[id]--; w.running[id] == 0 {
			delete(w.running, id)
		}
	}
}

func (w *world) beforeToolCall(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
	if w.calm.Load() {
		return nil, nil
	}
	if info.Batch[info.Index] != info.Call {
		w.errorf("call %s is not number %d of its batch", info.Call.CallID, info.Index)
	}
	key := "before " + info.Call.CallID
	args := []json.RawMessage{nil, nil, json.RawMessage(`{"rewritten":true}`)}[w.roll(key+" args", 3)]
	switch w.roll(key, 10) {
	case 0:
		return &agentturn.ToolDecision{Action: agentturn.Block, Terminate: w.chance("end", 4), Args: args}, nil
	case 1, 2:
		return &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "ask", Args: args, Terminate: w.chance("end", 4)}, nil
	case 3:
		return &agentturn.ToolDecision{Note: "note of a decision", Args: args}, nil
	}
	return nil, w.trouble("hook", "before-tool-call hook", 60)
}

func (w *world) afterToolCall(_ context.Context, info agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
	switch {
	case w.chance("override result "+info.Call.CallID, 12):
		return &agentturn.ToolOverride{Result: agenttool.Text("overridden")}, nil
	case w.chance("override error "+info.Call.CallID, 20):
		return &agentturn.ToolOverride{Result: info.Result, Err: errors.New("overridden")}, nil
	}
	return nil, w.trouble("hook", "after-tool-call hook", 60)
}

// policy is a guard's error now and then, or an ordinary one.
func (w *world) policy(key string, n int) error {
	if w.mishap("guard", key+" guard", n) {
		return fmt.Errorf("policy of %s: %w", key, agentturn.ErrGuard)
	}
	return w.trouble("hook", key, 4*n)
}

func (w *world) outputGuard(_ context.Context, info agentturn.OutputInfo) (*openresponses.Message, error) {
	if w.chance("replace", 6) {
		replaced := *info.Message
		replaced.Content = openresponses.AssistantText("replaced").Content
		return &replaced, nil
	}
	return nil, w.policy("output guard", 15)
}

func (w *world) shouldStop(context.Context, agentturn.TurnInfo) (bool, error) {
	return w.chance("stop", 15), w.policy("should-stop hook", 30)
}

func (w *world) beforeTurn(ctx context.Context, info agentturn.TurnStartInfo) (openresponses.Items, error) {
	if agentturn.RunIDFromContext(ctx) != info.RunID {
		w.errorf("run %s on the context of run %s", info.RunID, agentturn.RunIDFromContext(ctx))
	}
	err := w.policy("before-turn hook", 30)
	if w.chance("turn items", 6) {
		return items(openresponses.DeveloperText("by the way"), nil), err
	}
	return nil, err
}

func (w *world) transform(_ context.Context, t agentturn.Transcript) (agentturn.Transcript, error) {
	if w.chance("transform adds", 4) {
		t = append(t, openresponses.DeveloperText("transform"))
	}
	return t, w.trouble("hook", "transform", 60)
}

func (w *world) beforeModelCall(_ context.Context, req *openresponses.Request) error {
	req.Instructions = "as the hook says"
	return w.policy("before-model-call hook", 30)
}

func (w *world) revise(_ int, req *openresponses.Request, _ error) *openresponses.Request {
	if err := w.trouble("hook", "revise", 30); err != nil {
		return nil
	}
	req.Instructions = "try harder"
	return nil
}

// provider offers the tools, and at times one of them twice.
func (w *world) provider(list []agenttool.Tool) func(context.Context) []agenttool.Tool {
	return func(ctx context.Context) []agenttool.Tool {
		if agentturn.RunIDFromContext(ctx) == "" { // asked about an approval
			return list
		}
		if w.trouble("hook", "provider", 60) != nil {
			return append(list[:len(list):len(list)], list[0])
		}
		return list
	}
}

func (w *world) elicit(ctx context.Context, _ agenttool.Elicitation) (agenttool.Answer, error) {
	w.sleep(ctx, "elicit", 100)
	action := []agenttool.Action{agenttool.ActionAccept, agenttool.ActionDecline, agenttool.ActionCancel}[w.roll("elicited", 3)]
	return agenttool.Answer{Action: action}, w.trouble("user", "elicitor", 30)
}
