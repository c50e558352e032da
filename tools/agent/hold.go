package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
)

// WithHolding has a call wait with its child: when calls of the child's own wait for a person,
// the parent's call is held too (agentturn.HeldError) in place of failing, at any depth. The
// parent's run ends with input required. [HeldCalls] finds the calls that a person is to be
// asked about, and [Answers] puts what they said where the children find it: the same call goes
// on from there, and nothing that ran runs again.
//
// Held children are kept by the tool, in memory; what outlives the process is the record of a
// host's. It has no effect together with [WithDetach].
func WithHolding() Option {
	return func(o *options) { o.held = &heldChildren{} }
}

// HeldCall is a call that waits for an answer: the parent's own, or one that a child of its, at
// any depth, waits for.
type HeldCall struct {
	// Path are the IDs of the calls that lead to the child, the parent's first; empty for a
	// call of the parent's own.
	Path []string

	Pending agentturn.PendingCall
}

// HeldCalls finds, behind the pending calls of an agent, those that wait for somebody: itself, or
// where a call is held by [WithHolding] those of the child, and of the child's children.
func HeldCalls(pending []agentturn.PendingCall) []HeldCall {
	return heldCalls(nil, pending)
}

func heldCalls(path []string, pending []agentturn.PendingCall) (calls []HeldCall) {
	for _, p := range pending {
		if c := heldChild(p); c != nil {
			calls = append(calls, heldCalls(append(path[:len(path):len(path)], p.Call.CallID), c.agent.State().Pending)...)
			continue
		}
		calls = append(calls, HeldCall{Path: path, Pending: p})
	}
	return calls
}

// heldChild is the child that holds a pending call, nil when none does.
func heldChild(p agentturn.PendingCall) *child {
	if t, ok := p.Tool.(holdingTool); ok {
		return t.held.get(p.IdempotencyKey)
	}
	return nil
}

type answersKey struct{}

// given are the answers on a context, by the path of the agent whose calls they are of.
type given struct {
	path    string
	answers map[string]map[string]agentturn.Answer
}

// Answers answers the pending calls of an agent. answer is asked about each of [HeldCalls]; the
// context it returns is for agentturn.Agent.Resume, with the answers it returns:
//
//	ctx, answers := agent.Answers(ctx, end.Pending, ask)
//	end, err = parent.Resume(ctx, answers...)
func Answers(ctx context.Context, pending []agentturn.PendingCall, answer func(HeldCall) agentturn.Answer) (context.Context, []agentturn.Answer) {
	g := given{answers: map[string]map[string]agentturn.Answer{}}
	for _, h := range HeldCalls(pending) {
		path := strings.Join(h.Path, "/")
		if g.answers[path] == nil {
			g.answers[path] = map[string]agentturn.Answer{}
		}
		g.answers[path][h.Pending.Call.CallID] = answer(h)
	}
	answers, _ := g.of(pending)
	return context.WithValue(ctx, answersKey{}, g), answers
}

// of are the answers to the pending calls of the agent at the path: held ones are approved, for
// their children to go on. It returns false when one has no answer.
func (g given) of(pending []agentturn.PendingCall) ([]agentturn.Answer, bool) {
	var answers []agentturn.Answer
	for _, p := range pending {
		a, ok := g.answers[g.path][p.Call.CallID]
		if heldChild(p) != nil {
			a, ok = agentturn.Approve(p.Call.CallID), true
		}
		if !ok {
			return nil, false
		}
		answers = append(answers, a)
	}
	return answers, true
}

// below is g for the child of a call.
func (g given) below(callID string) given {
	if g.path != "" {
		callID = g.path + "/" + callID
	}
	return given{path: callID, answers: maps.Clone(g.answers)}
}

// heldChildren are the children that hold a call, by the key it runs under.
type heldChildren struct {
	mu    sync.Mutex
	byKey map[string]*child
}

func (h *heldChildren) get(key string) *child {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.byKey[key]
}

// set keeps the child of a call, or forgets it when c is nil.
func (h *heldChildren) set(key string, c *child) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c == nil {
		delete(h.byKey, key)
		return
	}
	if h.byKey == nil {
		h.byKey = map[string]*child{}
	}
	h.byKey[key] = c
}

// holdingTool is a tool whose calls wait with their children.
type holdingTool struct{ tool }

// Replay says that a call whose child is here runs again without harm: it goes on where it was.
func (t holdingTool) Replay(ctx context.Context, _ json.RawMessage) agenttool.Replay {
	if call, ok := agenttool.CallFrom(ctx); ok && t.held.get(call.IdempotencyKey) != nil {
		return agenttool.ReplaySafe
	}
	return agenttool.ReplayUnknown
}

// Execute runs a child for the call, or goes on with the one that holds it.
func (t holdingTool) Execute(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
	if t.detach != nil {
		return t.tool.Execute(ctx, call)
	}
	g, _ := ctx.Value(answersKey{}).(given)
	g = g.below(call.ID)
	ctx = context.WithValue(ctx, answersKey{}, g)
	c := t.held.get(call.IdempotencyKey)
	if c != nil {
		return t.goOn(ctx, call, c, g)
	}
	c, items, err := t.prepare(ctx, call)
	if err != nil {
		return agenttool.Result{}, err
	}
	defer c.mute()
	end, err := c.agent.Prompt(c.run, items...)
	return t.settle(c, end, err)
}

// goOn resumes a held child with the answers on the context; without them the call stays held.
func (t holdingTool) goOn(ctx context.Context, call agenttool.Call, c *child, g given) (agenttool.Result, error) {
	pending := c.agent.State().Pending
	answers, complete := g.of(pending)
	if !complete {
		return agenttool.Result{}, c.holdError(pending)
	}
	c.wake(call)
	defer c.mute()
	run := childContext(ctx)
	if t.runContext != nil {
		run = t.runContext(run, call.ID)
	}
	end, err := c.agent.Resume(run, answers...)
	return t.settle(c, end, err)
}

// settle keeps the child when it waits for a person, and otherwise gives the call its result.
func (t holdingTool) settle(c *child, end *agentturn.RunEnd, err error) (agenttool.Result, error) {
	key := c.call.IdempotencyKey
	if end != nil && end.Reason == agentturn.ReasonInputRequired {
		t.held.set(key, c)
		return agenttool.Result{}, c.holdError(end.Pending)
	}
	if end != nil { // otherwise the answers were refused, and the child still waits
		t.held.set(key, nil)
	}
	return c.result(end, err)
}

// holdError says what a child waits for.
func (c *child) holdError(pending []agentturn.PendingCall) error {
	return &agentturn.HeldError{Reason: fmt.Sprintf("the agent %q waits for answers to %d call(s)", c.cfg.Name, len(HeldCalls(pending)))}
}

// wake begins another run of the child under its call.
func (c *child) wake(call agenttool.Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.call, c.said, c.over = call, nil, false
}
