package agent_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
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

// tree is agents four levels below a parent, two children each: 30 children, known by the path of
// the calls that lead to them.
type tree struct {
	t     *testing.T
	pause func() time.Duration // ahead of each model's answer
	opts  []agent.Option

	mu     sync.Mutex
	agents map[string]*agentturn.Agent
	events map[string]*at.Recorder
}

const levels = 4

type pathKey struct{}

// above is the path of the agent a call on ctx is of; the parent's is empty.
func above(ctx context.Context) string {
	path, _ := ctx.Value(pathKey{}).(string)
	return path
}

func newTree(t *testing.T, leafTools []agenttool.Tool, hook func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error), opts ...agent.Option) *tree {
	tr := &tree{t: t, pause: func() time.Duration { return 0 }, opts: opts, agents: map[string]*agentturn.Agent{}, events: map[string]*at.Recorder{}}
	tools := leafTools
	for level := levels; level >= 1; level-- {
		cfg := agentturn.Config{Name: fmt.Sprint("level", level), Model: tr.model(tools), Tools: tools}
		if level == levels {
			cfg.BeforeToolCall = hook
		}
		tools = []agenttool.Tool{tr.tool(cfg)}
	}
	parent := agentturn.New(agentturn.Config{Name: "parent", Model: tr.model(tools), Tools: tools})
	tr.enter("", parent)
	return tr
}

// tool is an agent whose children enter the tree ahead of their runs. One that holds its children is
// one tool for all calls, and its children enter with their first event and cannot be aborted.
func (tr *tree) tool(cfg agentturn.Config) agenttool.Tool {
	opts := append(slices.Clone(tr.opts), agent.WithRunContext(func(ctx context.Context, callID string) context.Context {
		return context.WithValue(ctx, pathKey{}, above(ctx)+"/"+callID)
	}))
	if tr.opts != nil {
		return agent.New(cfg, append(opts, agent.WithObserver(func(ctx context.Context, ev agentturn.Event) {
			call, _ := agenttool.CallFrom(ctx)
			_ = tr.recorder(above(ctx)+"/"+call.ID).Record(ctx, ev)
		}))...)
	}
	return agenttool.Wrap(agent.New(cfg), func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		spawn := agent.WithSpawn(func(callID string, a *agentturn.Agent) { tr.enter(above(ctx)+"/"+callID, a) })
		return agent.New(cfg, append(opts, spawn)...).Execute(ctx, call)
	})
}

func (tr *tree) enter(path string, a *agentturn.Agent) {
	a.Subscribe(tr.recorder(path).Record)
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.agents[path] = a
}

func (tr *tree) recorder(path string) *at.Recorder {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if tr.events[path] == nil {
		tr.events[path] = &at.Recorder{}
	}
	return tr.events[path]
}

// model calls the first of the tools twice, where there are any, and then answers with its own name
// and what it was told.
func (tr *tree) model(tools []agenttool.Tool) agentturn.Model {
	answer := func(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
		select {
		case <-time.After(tr.pause()):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		var told []string
		for _, item := range req.Input {
			if out, ok := item.(*openresponses.FunctionCallOutput); ok {
				told = append(told, out.Output.Text)
			}
		}
		if len(tools) == 0 || len(told) > 0 {
			return at.NewModel(tr.t, at.Text(above(ctx)+"("+strings.Join(told, " ")+")")).CreateStream(ctx, req, sink)
		}
		two := at.Attempt{at.Call(tools[0].Name(), asked), at.Call(tools[0].Name(), asked)}
		return at.NewModel(tr.t, two).CreateStream(ctx, req, sink)
	}
	return streamerFunc(answer)
}

type streamerFunc func(context.Context, openresponses.Request, openresponses.EventSink) error

func (f streamerFunc) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	return f(ctx, req, sink)
}

// ends are the ends of the runs so far, by path.
func (tr *tree) ends() map[string]*agentturn.RunEnd {
	ends := map[string]*agentturn.RunEnd{}
	for path, rec := range tr.events {
		for _, ev := range rec.Events() {
			if end, ok := ev.(*agentturn.RunEnd); ok {
				ends[path] = end
			}
		}
	}
	return ends
}

// Aborts anywhere in the tree and at any time, several of them: nothing leaks, every run has its end
// and its events in order, every answer is where it was asked for, and every cause arrives at the
// agent it was meant for and below it, and nowhere else.
func TestDeepAborts(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			at.NoLeaks(t)
			random := rand.New(rand.NewPCG(seed, 11))
			var mu sync.Mutex
			tr := newTree(t, nil, nil)
			tr.pause = func() time.Duration {
				mu.Lock()
				defer mu.Unlock()
				return time.Duration(1+random.IntN(10)) * time.Second
			}
			causes := map[error]string{}
			for i := range 1 + random.IntN(4) {
				time.AfterFunc(time.Duration(random.IntN(400))*100*time.Millisecond, func() {
					tr.mu.Lock()
					defer tr.mu.Unlock()
					mu.Lock()
					paths := slices.Sorted(maps.Keys(tr.agents))
					path := paths[random.IntN(len(paths))]
					cause := fmt.Errorf("cause %d at %q", i, path)
					causes[cause] = path
					mu.Unlock()
					tr.agents[path].AbortCause(cause)
				})
			}
			if _, err := tr.agents[""].Prompt(t.Context(), openresponses.UserText("go")); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			synctest.Wait()
			tr.check(fmt.Sprint("seed ", seed), causes)
		})
	}
}

// check holds what became of the tree to what it should be.
func (tr *tree) check(name string, causes map[error]string) {
	t := tr.t
	ends := tr.ends()
	for path, rec := range tr.events {
		if err := at.CheckEvents(rec.Events()); err != nil {
			t.Errorf("%s: %q: %v", name, path, err)
		}
		end := ends[path]
		if end == nil {
			t.Errorf("%s: %q has no end", name, path)
			continue
		}
		switch end.Reason {
		case agentturn.ReasonDone:
		case agentturn.ReasonAborted:
			if target, ok := causes[end.Err]; !ok || !strings.HasPrefix(path, target) {
				t.Errorf("%s: %q was aborted for %v", name, path, end.Err)
			}
		default:
			t.Errorf("%s: %q ended %s, %v", name, path, end.Reason, end.Err)
		}
		tr.checkCalls(name, path, rec, end, ends)
	}
}

// checkCalls holds the calls of one agent to the ends of the children that served them.
func (tr *tree) checkCalls(name, path string, rec *at.Recorder, end *agentturn.RunEnd, ends map[string]*agentturn.RunEnd) {
	t := tr.t
	outputs := map[string]string{}
	for _, item := range end.Items {
		if out, ok := item.(*openresponses.FunctionCallOutput); ok {
			outputs[out.CallID] = out.Output.Text
		}
	}
	for _, ev := range rec.Events() {
		call, ok := ev.(*agentturn.ToolEnd)
		if !ok {
			continue
		}
		below := ends[path+"/"+call.CallID]
		output, has := outputs[call.CallID]
		if below == nil {
			if has || end.Reason != agentturn.ReasonAborted {
				t.Errorf("%s: call %s of %q had no child, output %q", name, call.CallID, path, output)
			}
			continue
		}
		answer, answered := below.Answer()
		switch {
		case answered && (!has || output != answer):
			t.Errorf("%s: the answer %q of %q/%s is lost: %q", name, answer, path, call.CallID, output)
		case !answered && !errors.Is(call.Err, below.Err):
			t.Errorf("%s: call %s of %q ended for %v, its child for %v", name, call.CallID, path, call.Err, below.Err)
		}
		if details, ok := call.Result.Details.(agent.ChildInfo); !ok || details.RunID != below.RunID {
			t.Errorf("%s: call %s of %q has details %+v", name, call.CallID, path, call.Result.Details)
		}
	}
}

// Without an abort the tree answers from every leaf.
func TestDeep(t *testing.T) {
	tr := newTree(t, nil, nil)
	end, err := tr.agents[""].Prompt(t.Context(), openresponses.UserText("go"))
	if err != nil {
		t.Fatal(err)
	}
	tr.check("deep", nil)
	text, _ := end.Answer()
	if len(tr.agents) != 31 || strings.Count(text, "()") != 16 {
		t.Errorf("%d agents, answer %s", len(tr.agents), text)
	}
}

// Sixteen leaves, four levels down, want to pay. The user answers some at a time, in rounds: each
// payment is made once, if it was allowed, whoever asked is told, and all of it happens under the
// calls that were made first.
func TestDeepHolding(t *testing.T) {
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 12))
		var mu sync.Mutex
		paid := map[string]int{}
		pay := agenttool.NewFunc("pay", "", nil, func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
			mu.Lock()
			defer mu.Unlock()
			paid[above(ctx)+"/"+call.ID]++
			return agenttool.Text("paid"), nil
		})
		tr := newTree(t, []agenttool.Tool{pay}, func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "money"}, nil
		}, agent.WithHolding())
		parent := tr.agents[""]
		end, err := parent.Prompt(t.Context(), openresponses.UserText("go"))
		decided := map[string]bool{}
		for round := 0; err == nil && end.Reason == agentturn.ReasonInputRequired && round < 50; round++ {
			if held := agent.HeldCalls(end.Pending); len(held) == 0 || len(held)%2 != 0 {
				t.Fatalf("seed %d: %d held calls", seed, len(held))
			}
			// A leaf goes on when both of its calls are answered; here a leaf is answered or left.
			ready := map[string]bool{}
			ctx, answers := agent.Answers(t.Context(), end.Pending, func(h agent.HeldCall) agentturn.Answer {
				leaf := "/" + strings.Join(h.Path, "/")
				if _, ok := ready[leaf]; !ok {
					ready[leaf] = random.IntN(2) == 0
				}
				id := h.Pending.Call.CallID
				if !ready[leaf] {
					return agentturn.Answer{} // fits no call, and is refused
				}
				allowed := random.IntN(2) == 0
				if decided[leaf+"/"+id] = allowed; allowed {
					return agentturn.Approve(id)
				}
				return agentturn.Output(openresponses.NewFunctionCallOutput(id, "no"))
			})
			end, err = parent.Resume(ctx, answers...)
		}
		if err != nil || end.Reason != agentturn.ReasonDone {
			t.Fatalf("seed %d: %+v, error %v", seed, end, err)
		}
		if len(decided) != 32 {
			t.Errorf("seed %d: %d calls were decided", seed, len(decided))
		}
		for path, allowed := range decided {
			if want := map[bool]int{true: 1}[allowed]; paid[path] != want {
				t.Errorf("seed %d: %s, allowed %t, was paid %d times", seed, path, allowed, paid[path])
			}
		}
		first, second := "output:call_1 output:call_2", "output:call_2 output:call_1" // one may be through a round earlier
		got := kinds(parent.State().Transcript[:5])
		if len(parent.State().Transcript) != 6 || got != "user:go call:call_1 call:call_2 "+first && got != "user:go call:call_1 call:call_2 "+second {
			t.Errorf("seed %d: transcript %s", seed, got)
		}
		text, _ := end.Answer()
		if strings.Count(text, "paid")+strings.Count(text, "no") != 32 {
			t.Errorf("seed %d: the parent was told %s", seed, text)
		}
		for path, rec := range tr.events {
			if err := at.CheckEvents(rec.Events()); err != nil {
				t.Errorf("seed %d: %q: %v", seed, path, err)
			}
		}
	}
}
