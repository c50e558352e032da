package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
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
// Held children are kept by the tool, in memory, until their call is approved; [Forget] lets go
// of those whose call is settled in another way. A call whose child is gone, with the process
// or because an abort cut it while it went on, is one that may have run: its approval is
// refused as ambiguous.
//
// It has no effect together with [WithDetach], and none on a call without an idempotency key,
// as one outside of a loop.
func WithHolding() Option {
	return func(o *options) { o.held = &heldChildren{} }
}

// HeldCall is a call that waits for an answer: the parent's own, or one that a child of its, at
// any depth, waits for.
type HeldCall struct {
	// Path are the IDs of the calls that lead to the child, the parent's first; empty for a
	// call of the parent's own.
	Path []string

	// Agent and RunID name the child and its run; empty for a call of the parent's own.
	Agent string
	RunID string

	Pending agentturn.PendingCall

	// Refused is why the child did not take the answers it was given last, the errors of
	// agentturn.Agent.Resume; nil when there were none.
	Refused error
}

// HeldCalls finds, behind the pending calls of an agent, those that wait for somebody: itself, or
// where a call is held by [WithHolding] those of the child, and of the child's children. It
// knows the children through PendingCall.Tool, also behind agenttool.Wrap.
func HeldCalls(pending []agentturn.PendingCall) []HeldCall {
	return HeldCall{}.below(pending)
}

// below are the calls behind the pending ones of the agent that h, but for its call, is of.
func (h HeldCall) below(pending []agentturn.PendingCall) (calls []HeldCall) {
	for _, p := range pending {
		c := heldChild(p)
		if c == nil {
			h.Pending = p
			calls = append(calls, h)
			continue
		}
		runID, refused := c.standing()
		inner := HeldCall{
			Path:  append(h.Path[:len(h.Path):len(h.Path)], p.Call.CallID),
			Agent: c.cfg.Name, RunID: runID, Refused: refused,
		}
		calls = append(calls, inner.below(c.agent.State().Pending)...)
	}
	return calls
}

// Forget lets go of the children that hold pending calls, and of theirs: for a host that
// answers such a call by itself, with an output, and does not want the child to go on.
func Forget(pending ...agentturn.PendingCall) {
	for _, p := range pending {
		if c := heldChild(p); c != nil {
			c.held.set(p.IdempotencyKey, nil)
			Forget(c.agent.State().Pending...)
		}
	}
}

// heldChild is the child that holds a pending call, nil when none does.
func heldChild(p agentturn.PendingCall) *child {
	for tool := p.Tool; tool != nil; tool = agenttool.Unwrap(tool) {
		if t, ok := tool.(holdingTool); ok {
			return t.held.get(p.IdempotencyKey)
		}
	}
	return nil
}

type answersKey struct{}

// given are the answers on a context: for each agent, by the path of the calls that lead to it,
// those to its pending calls by ID.
type given struct {
	path    string // of the agent that has the context
	answers map[string]map[string]agentturn.Answer
}

// Answers answers the pending calls of an agent. answer is asked about each of [HeldCalls]; the
// context it returns is for agentturn.Agent.Resume, with the answers it returns:
//
//	ctx, answers := agent.Answers(ctx, end.Pending, ask)
//	end, err = parent.Resume(ctx, answers...)
//
// An answer that does not fit its call is refused by the parent's Resume, and for a call further
// down by the child's: then its call is held as before, and [HeldCall] says why.
func Answers(ctx context.Context, pending []agentturn.PendingCall, answer func(HeldCall) agentturn.Answer) (context.Context, []agentturn.Answer) {
	g := given{answers: map[string]map[string]agentturn.Answer{}}
	for _, h := range HeldCalls(pending) {
		var path string
		for _, id := range h.Path {
			path = joined(path, id)
		}
		if g.answers[path] == nil {
			g.answers[path] = map[string]agentturn.Answer{}
		}
		g.answers[path][h.Pending.Call.CallID] = answer(h)
	}
	answers, _ := g.of(pending)
	return context.WithValue(ctx, answersKey{}, g), answers
}

// joined is a path with one more call. IDs are the models' to choose, so they are quoted: no
// two paths may read the same.
func joined(path, callID string) string { return path + strconv.Quote(callID) }

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

// Replay says that a call whose child is here goes on where it was, under its key. With other
// arguments it would be another call.
func (t holdingTool) Replay(ctx context.Context, _ json.RawMessage) agenttool.Replay {
	if call, ok := agenttool.CallFrom(ctx); ok && t.held.get(call.IdempotencyKey) != nil {
		return agenttool.ReplayKeyed
	}
	return agenttool.ReplayUnknown
}

// Execute runs a child for the call, or goes on with the one that holds it.
func (t holdingTool) Execute(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
	if t.detach != nil {
		return t.tool.Execute(ctx, call)
	}
	g, _ := ctx.Value(answersKey{}).(given)
	g.path = joined(g.path, call.ID)
	ctx = context.WithValue(ctx, answersKey{}, g)
	if c := t.held.get(call.IdempotencyKey); c != nil {
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

// goOn resumes a held child with the answers on the context; without them, and with answers
// that it does not take, the call stays held.
func (t holdingTool) goOn(ctx context.Context, call agenttool.Call, c *child, g given) (agenttool.Result, error) {
	if err := c.agent.WaitForIdle(ctx); err != nil {
		return agenttool.Result{}, err
	}
	pending := c.agent.State().Pending
	if len(pending) == 0 { // the host has answered the child by itself
		return t.settle(c, c.last(), nil)
	}
	answers, complete := g.of(pending)
	if !complete {
		return agenttool.Result{}, c.holds()
	}
	c.wake(call)
	defer c.mute()
	run := goesOn(childContext(ctx))
	if t.runContext != nil {
		run = t.runContext(run, call.ID)
	}
	end, err := c.agent.Resume(run, answers...)
	c.refuse(err)
	if end == nil {
		return agenttool.Result{}, c.holds()
	}
	return t.settle(c, end, err)
}

// settle keeps the child when it waits for a person, and otherwise gives the call its result:
// what all its runs came to.
func (t holdingTool) settle(c *child, end *agentturn.RunEnd, err error) (agenttool.Result, error) {
	key := c.call.IdempotencyKey
	if end != nil && end.Reason == agentturn.ReasonInputRequired && key != "" {
		t.held.set(key, c)
		return agenttool.Result{}, c.holds()
	}
	t.held.set(key, nil)
	result, err := c.result(end, err)
	if info, ok := result.Details.(ChildInfo); ok {
		info.Items = c.items()
		result.Details = info
	}
	return result, err
}

// holds is the error with which a call waits for its child. Whoever makes a nested call, which
// nobody can hold, reads what is waited for.
func (c *child) holds() error {
	needs := &InputRequiredError{Agent: c.cfg.Name, Pending: c.agent.State().Pending}
	var refused error
	needs.RunID, refused = c.standing()
	waits := HeldCall{}.below(needs.Pending)
	pending := make([]agentturn.PendingCall, len(waits))
	for i, h := range waits {
		pending[i] = h.Pending
	}
	reason := fmt.Sprintf("the agent %q waits for answers to %d call(s):%s", c.cfg.Name, len(pending), listed(pending))
	if refused != nil {
		reason += "; the last answers were refused: " + refused.Error()
	}
	return fmt.Errorf("%w: %w", needs, &agentturn.HeldError{Reason: reason})
}

// wake begins another run of the child under its call.
func (c *child) wake(call agenttool.Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.call, c.said, c.over = call, nil, false
}

// refuse notes why the child took no answers, nil when it did.
func (c *child) refuse(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = err
}

// standing is the run that ended last, and why the answers to its calls were refused.
func (c *child) standing() (runID string, refused error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.ends) > 0 {
		runID = c.ends[len(c.ends)-1].RunID
	}
	return runID, c.refused
}

// last is the end of the run that ended last.
func (c *child) last() *agentturn.RunEnd {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.ends) == 0 {
		return nil
	}
	return c.ends[len(c.ends)-1]
}

// items are what all runs of the child appended.
func (c *child) items() (items agentturn.Transcript) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, end := range c.ends {
		items = append(items, end.Items...)
	}
	return items
}
