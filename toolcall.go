package agentturn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// toolCall is one call on its way from the model, an approval or another tool to its
// outcome. The three share every step: preflight, dispatch, settle.
type toolCall struct {
	item *openresponses.FunctionCall
	tool agenttool.Tool // nil when no tool has the name
	// offered is what there was to choose from, of a call without a tool.
	offered agenttool.Set
	args    json.RawMessage
	key     string
	// nested is set for a call a tool made, under the call parent, which is empty when the
	// tool hid it.
	nested bool
	parent string
	// approved is set for a call that an answer approved; decided when that answer is the
	// last word, so that BeforeToolCall is not asked.
	approved, decided bool

	decision  *ToolDecision
	reason    string             // of a block or a deferral
	note      openresponses.Item // what is said beside the output, nil for nothing
	terminate bool
	refusal   error // why it is settled without running

	// Milestones. dispatched and refused are set on the call's own goroutine before its
	// tool runs, and read once the call has ended.
	started    bool // tool_start was raised
	dispatched bool // tool_dispatch was delivered
	refused    bool // a receiver refused tool_dispatch
	ended      bool // tool_end was raised
	blocked    bool
	deferred   bool
	cut        bool // ended by the loop, not by a result of its own

	result agenttool.Result
	err    error
}

var (
	errCutOff    = errors.New("not run: the call was cut off before it was complete")
	errNotObject = errors.New("invalid arguments: expected a JSON object")
)

const blockedReason = "call blocked"

// prepare resolves a call the model made.
func (r *run) prepare(item *openresponses.FunctionCall, tools agenttool.Set) *toolCall {
	c := &toolCall{item: item, args: callArgs(item), key: r.id + "/" + item.CallID}
	c.choose(tools)
	return c
}

// prepareApproved resolves a call a resume approved.
func (r *run) prepareApproved(a approval, tools agenttool.Set) *toolCall {
	c := r.prepare(a.pending.Call, tools)
	c.approved = true
	c.decided = a.pending.Reason != PendingUndispatched
	if a.pending.Args != nil {
		c.args = a.pending.Args
	}
	if a.pending.IdempotencyKey != "" {
		c.key = a.pending.IdempotencyKey
	}
	if a.answer.Args != nil {
		c.args = a.answer.Args
	}
	if a.answer.IdempotencyKey != "" {
		c.key = a.answer.IdempotencyKey
	}
	if a.answer.Note != "" {
		c.note = openresponses.UserText(validText(a.answer.Note))
	}
	c.decision = &ToolDecision{Args: a.answer.Args, Note: a.answer.Note, By: a.answer.By, Reason: a.reason}
	return c
}

// choose finds the tool of the call. A tool that panics over its name fails the call.
func (c *toolCall) choose(tools agenttool.Set) {
	defer recovered(&c.refusal, "tool name")
	var ok bool
	if c.tool, ok = tools.Lookup(c.item.Name); !ok {
		c.offered = tools
	}
}

// call is what the tool is given.
func (c *toolCall) call() agenttool.Call {
	return agenttool.Call{ID: c.item.CallID, Args: c.args, IdempotencyKey: c.key}
}

// finished reports whether the call came to an outcome the model should see.
func (c *toolCall) finished() bool { return c.ended && !c.deferred && !c.cut }

// preflight decides the i-th call of the batch, announces it, and settles it at once when
// it is not to run.
func (b *batch) preflight(c *toolCall, i int) error {
	if !c.decided && c.refusal == nil {
		info := ToolCallInfo{Batch: b.items, Index: i}
		if err := b.run.decide(b.ctx, c, b.turn, info); err != nil {
			return err
		}
	}
	return b.run.announce(b.ctx, c, b.turn)
}

// decide asks BeforeToolCall about c.
func (r *run) decide(ctx context.Context, c *toolCall, turn int, info ToolCallInfo) error {
	info.RunID, info.Turn, info.Parent = r.id, turn, c.parent
	info.Call, info.Tool, info.Args = c.item, c.tool, c.args
	d, err := r.beforeToolCall(ctx, info)
	if err != nil {
		return fmt.Errorf("agentturn: before-tool-call hook: %w", err)
	}
	if d != nil && d.Action == Defer && c.nested {
		r.askUser(ctx, c, d)
		return nil
	}
	c.apply(d)
	return nil
}

// apply makes d the decision on c. A nil d leaves what stands.
func (c *toolCall) apply(d *ToolDecision) {
	if d == nil {
		return
	}
	c.decision = d
	if d.Args != nil {
		c.args = d.Args
	}
	c.terminate = d.Terminate && !c.nested
	switch d.Action {
	case Allow:
		if d.Note != "" && !c.nested {
			c.note = openresponses.DeveloperText(validText(d.Note))
		}
	case Block:
		c.block(d.Reason)
	case Defer:
		c.deferred, c.reason = true, d.Reason
	}
}

func (c *toolCall) block(reason string) {
	if reason == "" {
		reason = blockedReason
	}
	c.blocked, c.reason, c.refusal = true, reason, errors.New(reason)
}

// announce raises tool_start for a decided call, and settles one that is not to run.
func (r *run) announce(ctx context.Context, c *toolCall, turn int) error {
	c.started = true
	start := &ToolStart{
		RunID: r.id, Turn: turn, CallID: c.item.CallID, Name: c.item.Name,
		Args: c.args, Decision: c.decision, Parent: c.parent,
	}
	if err := r.host.deliver(start); err != nil {
		return err
	}
	if c.deferred {
		return r.endCall(c, turn)
	}
	if refusal := c.refuse(); refusal != nil {
		return r.settle(ctx, c, turn, agenttool.Result{}, refusal, nil)
	}
	return nil
}

// refuse is why c is not to run, or nil.
func (c *toolCall) refuse() error {
	switch {
	case c.refusal != nil:
		return c.refusal
	case c.tool == nil:
		return &unknownToolError{name: c.item.Name, offered: c.offered}
	case !isObject(c.args):
		return errNotObject
	}
	return nil
}

func isObject(raw json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) && json.Valid(raw)
}

// dispatched raises tool_dispatch for c, which is about to be handed to its tool.
func (r *run) dispatched(c *toolCall, turn int) error {
	err := r.host.deliver(&ToolDispatch{
		RunID: r.id, Turn: turn, CallID: c.item.CallID, Name: c.item.Name,
		Parent: c.parent, IdempotencyKey: c.key,
	})
	c.dispatched, c.refused = err == nil, err != nil
	return err
}

// settle ends c with what its tool returned, as AfterToolCall leaves it. isCut tells an
// error that only says the call was cut; nil when none does.
func (r *run) settle(ctx context.Context, c *toolCall, turn int, result agenttool.Result, err error, isCut func(error) bool) error {
	if held := c.heldBy(err); held != nil && (isCut == nil || !isCut(err)) {
		c.deferred, c.reason = true, held.Reason
		return r.endCall(c, turn)
	}
	if !c.blocked {
		info := ToolResultInfo{RunID: r.id, Turn: turn, Call: c.item, Tool: c.tool, Args: c.args, Result: result, Err: err}
		override, failed := r.afterToolCall(ctx, info)
		if failed != nil {
			return &afterHookError{failed}
		}
		if override != nil {
			result, err = override.Result, override.Err
		}
	}
	if isCut != nil && isCut(err) {
		c.cut = true
	}
	c.result, c.err = render(result, err), err
	c.result.Terminate = c.result.Terminate || c.terminate
	return r.endCall(c, turn)
}

// heldBy is the error with which the tool of c leaves it open, nil for any other: not for that
// of a call that never reached its tool, and not for a nested call, which is its parent's.
func (c *toolCall) heldBy(err error) (held *HeldError) {
	if err == nil || c.nested || !c.dispatched || !errors.As(err, &held) {
		return nil
	}
	return held
}

// render is result as the model sees it beside err: the error in place of the output, the
// rest kept.
func render(result agenttool.Result, err error) agenttool.Result {
	if err == nil {
		return result
	}
	shown := agenttool.ErrorResult(err)
	var unknown *unknownToolError
	if errors.As(err, &unknown) {
		shown.Output.Text += unknown.hint()
	}
	shown.Details, shown.Terminate = result.Details, result.Terminate
	return shown
}

// endCall raises tool_end. A call has ended once it was raised, even when a receiver fails
// on it.
func (r *run) endCall(c *toolCall, turn int) error {
	c.ended = true
	return r.host.deliver(&ToolEnd{
		RunID: r.id, Turn: turn, CallID: c.item.CallID, Name: c.item.Name,
		Result: c.result, Err: c.err, Blocked: c.blocked, Deferred: c.deferred,
		Reason: c.reason, Parent: c.parent,
	})
}

// cutOff ends c with err, past every hook: something else has failed already, and that is
// what the run ends for.
func (r *run) cutOff(c *toolCall, turn int, err error) {
	c.cut, c.err, c.result = true, err, agenttool.ErrorResult(err)
	_ = r.endCall(c, turn)
}

// unknownToolError is the error of a call without a tool.
type unknownToolError struct {
	name    string
	offered agenttool.Set
}

func (e *unknownToolError) Error() string { return fmt.Sprintf("unknown tool %q", e.name) }

const maxHint = 50 // names

// hint is what the model is told beside the error: told no more than that the name is wrong, it
// tries it again.
func (e *unknownToolError) hint() string {
	if len(e.offered) == 0 {
		return ""
	}
	names := make([]string, 0, min(len(e.offered), maxHint))
	for _, tool := range e.offered[:cap(names)] {
		names = append(names, nameOf(tool))
	}
	more := ""
	if n := len(e.offered) - len(names); n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return "; the tools are: " + strings.Join(names, ", ") + more
}

// afterHookError is the failure of AfterToolCall.
type afterHookError struct{ err error }

func (e *afterHookError) Error() string { return "agentturn: after-tool-call hook: " + e.err.Error() }
func (e *afterHookError) Unwrap() error { return e.err }

// validOutput is out with what is not valid UTF-8 replaced, so that what is stored and what
// a server is sent are the same text, and whether there was any.
func validOutput(out openresponses.FunctionCallOutputData) (valid openresponses.FunctionCallOutputData, changed bool) {
	if !utf8.ValidString(out.Text) {
		out.Text, changed = validText(out.Text), true
	}
	cloned := false
	for i, p := range out.Parts {
		if valid, ok := validPart(p); ok {
			if !cloned {
				out.Parts, cloned = slices.Clone(out.Parts), true
			}
			out.Parts[i] = valid
		}
	}
	return out, changed || cloned
}

func validText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func validPart(p openresponses.Content) (openresponses.Content, bool) {
	switch p := p.(type) {
	case *openresponses.Text:
		if p != nil && !utf8.ValidString(p.Text) {
			c := *p
			c.Text = validText(c.Text)
			return &c, true
		}
	case *openresponses.InputText:
		if p != nil && !utf8.ValidString(p.Text) {
			c := *p
			c.Text = validText(c.Text)
			return &c, true
		}
	case *openresponses.OutputText:
		if p != nil && !utf8.ValidString(p.Text) {
			c := *p
			c.Text = validText(c.Text)
			return &c, true
		}
	}
	return p, false
}
