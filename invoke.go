package agentturn

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn/internal/callid"
	"github.com/ChristopherDavenport/openresponses"
)

// Invoke runs one of the turn's tools under the call that ctx belongs to, as if the model
// had asked for it: BeforeToolCall decides, the tool events are raised with Parent set, and
// AfterToolCall may replace the result. It returns what the model would have been shown,
// with the error beside it.
//
// Nothing of a nested call enters the transcript and it is never pending. One that the hook
// defers is put to the user with [Ask]; without an answer it is refused. Its idempotency
// key follows from the invoking call's key, the name, the arguments and how often the call
// made the same one before, so that a call that runs again repeats the keys of its nested
// calls.
//
// Call it from a tool with the context the tool was given, also concurrently. From a hook
// or a subscriber it would wait for itself. Outside a tool call, and once the call has
// returned, it returns [ErrNoInvoker].
func Invoke(ctx context.Context, name string, args json.RawMessage) (agenttool.Result, error) {
	inv, _ := ctx.Value(invokerKey{}).(*invoker)
	if inv == nil {
		return agenttool.Result{}, ErrNoInvoker
	}
	parent, _ := agenttool.CallFrom(ctx)
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, done := inv.open(parent, name, args, cancel)
	if c == nil {
		return agenttool.Result{}, ErrNoInvoker
	}
	defer done()
	return inv.invoke(ctx, c)
}

// invoker lends the tools of a batch to the calls of the batch. What it lent expires with
// the call it was lent to, at the latest with the batch: a nested call still running then
// is cancelled and waited for, so that its events lie within its parent's.
type invoker struct {
	run   *run
	turn  int
	tools agenttool.Set

	mu     sync.Mutex
	closed bool
	loans  map[string]*loan // by the invoking call's ID
	ended  []string         // calls that ended without a loan
}

// loan is what one call has on loan.
type loan struct {
	closed  bool
	made    map[string]int // how often each nested call was made
	running sync.WaitGroup
	cancels map[*toolCall]context.CancelCauseFunc
}

// open registers a nested call under parent, to be cancelled with cancel, and returns it
// with what its end has to call. It returns nil when the loan has expired.
func (inv *invoker) open(parent agenttool.Call, name string, args json.RawMessage, cancel context.CancelCauseFunc) (c *toolCall, done func()) {
	inv.mu.Lock()
	defer inv.mu.Unlock()
	l := inv.loans[parent.ID]
	if inv.closed || (l == nil && slices.Contains(inv.ended, parent.ID)) || (l != nil && l.closed) {
		return nil, nil
	}
	if l == nil {
		l = &loan{made: make(map[string]int), cancels: make(map[*toolCall]context.CancelCauseFunc)}
		if inv.loans == nil {
			inv.loans = make(map[string]*loan)
		}
		inv.loans[parent.ID] = l
	}
	same := callid.Derive(name, string(args))
	place := strconv.Itoa(l.made[same])
	l.made[same]++
	key := parent.IdempotencyKey
	if key == "" {
		key = inv.run.id + "/" + parent.ID
	}
	c = &toolCall{
		item: &openresponses.FunctionCall{
			CallID: callid.Derive("call", parent.ID, name, string(args), place), Name: name, Arguments: string(args),
		},
		args: args, nested: true, parent: parent.ID,
		key: callid.Derive(key+"/"+name, string(args), place),
	}
	c.choose(inv.tools)
	l.running.Add(1)
	l.cancels[c] = cancel
	return c, func() {
		inv.mu.Lock()
		delete(l.cancels, c)
		inv.mu.Unlock()
		l.running.Done()
	}
}

// invoke takes c through the steps of any call, on the goroutine of the tool that made it.
// A hook or a receiver that fails fails the call and not the run.
func (inv *invoker) invoke(ctx context.Context, c *toolCall) (agenttool.Result, error) {
	r := inv.run
	info := ToolCallInfo{Batch: []*openresponses.FunctionCall{c.item}}
	if err := r.decide(ctx, c, inv.turn, info); err != nil {
		return agenttool.Result{}, err
	}
	failure := r.announce(ctx, c, inv.turn)
	if failure == nil && !c.ended {
		failure = inv.execute(ctx, c)
	}
	if failure != nil {
		if c.started && !c.ended {
			r.cutOff(c, inv.turn, failure)
		}
		return agenttool.Result{}, failure
	}
	return c.result, c.err
}

// execute hands c to its tool. It takes no slot of the batch and no place in its chains,
// and its progress reaches nobody.
func (inv *invoker) execute(ctx context.Context, c *toolCall) (failure error) {
	r := inv.run
	r.driver.execute(ctx, execution{
		executor: agenttool.Executor{Recorder: r.cfg.ToolRecorder},
		jobs:     []agenttool.Job{{Tool: c.tool, Call: c.call()}},
		grace:    r.cfg.ToolGrace,
		start: func(ctx context.Context, _ int) error {
			return r.dispatched(c, inv.turn)
		},
		take: func(ev agenttool.Event) {
			if !ev.Final {
				return
			}
			inv.closeCall(c.item.CallID)
			if c.refused {
				failure = ev.Err
				return
			}
			failure = r.settle(ctx, c, inv.turn, ev.Result, ev.Err, nil)
		},
	})
	return failure
}

// closeCall ends what the call with id has on loan, and waits for what it left running.
func (inv *invoker) closeCall(id string) {
	inv.mu.Lock()
	l := inv.loans[id]
	if l == nil {
		inv.ended = append(inv.ended, id)
	} else {
		l.closed = true
		for _, cancel := range l.cancels {
			cancel(context.Canceled)
		}
	}
	inv.mu.Unlock()
	if l != nil {
		l.running.Wait()
	}
}

// close ends every loan.
func (inv *invoker) close() {
	inv.mu.Lock()
	inv.closed = true
	ids := make([]string, 0, len(inv.loans))
	for id := range inv.loans {
		ids = append(ids, id)
	}
	inv.mu.Unlock()
	for _, id := range ids {
		inv.closeCall(id)
	}
}

// askUser puts a nested call that d defers to the user. Without an answer it is refused:
// its parent runs, and nobody else can be asked meanwhile.
func (r *run) askUser(ctx context.Context, c *toolCall, d *ToolDecision) {
	args := c.args
	if d.Args != nil {
		args = d.Args
	}
	asked := AskedCall{Parent: c.parent, CallID: c.item.CallID, Name: c.item.Name, Args: args, Decision: d}
	if answer, ok := Ask(ctx, asked); ok {
		c.apply(answer)
		return
	}
	c.apply(d)
	reason := d.Reason
	if reason == "" {
		reason = blockedReason
	}
	c.deferred = false
	c.block("a nested call cannot be deferred to the caller: " + reason)
	c.reason = reason
}
