package agentturn

import (
	"context"
	"fmt"
	"slices"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// approval is an answer that runs its call.
type approval struct {
	pending PendingCall
	answer  Answer
	reason  string // the answer's, or the rule that lets a call run again
}

// Resume answers the calls the last run left pending and goes on. Every pending call needs
// exactly one answer. The outputs are appended first, then the notes that came with them;
// then the approved calls run as one batch, and the model is called unless an answer was
// built with [Refuse] or the batch's results end the run. It returns as [Agent.Prompt] does.
//
// An approved call that was held runs as it was decided; one that never started is put to
// BeforeToolCall; one that may have run already runs again only where its tool says that
// this does no harm. Besides the errors of Prompt it returns ErrNotPending for answers that
// do not fit, ErrCallAnswered for the approval of a settled call, and ErrAmbiguousCall for
// one that may have run and must not run again. Nothing has happened then.
func (a *Agent) Resume(ctx context.Context, answers ...Answer) (*RunEnd, error) {
	ctx = answersContext(ctx, answers)
	return a.start(ctx, func(s standing) (opening, error) {
		if s.running {
			return opening{}, ErrRunning
		}
		o, err := s.resume(ctx, answers)
		if err != nil {
			return opening{}, err
		}
		if err := s.cfg.check(); err != nil {
			return opening{}, err
		}
		return o, TriggerFromContext(ctx).Validate()
	})
}

// answersContext carries who gave the answers, and for the outputs among them why and where
// from.
func answersContext(ctx context.Context, answers []Answer) context.Context {
	by, reasons, origins := map[string]string{}, map[string]string{}, map[string]string{}
	for _, answer := range answers {
		if answer.By != "" {
			by[answer.CallID] = answer.By
		}
		if answer.Output == nil {
			continue
		}
		if answer.Reason != "" {
			reasons[answer.CallID] = answer.Reason
		}
		if answer.Origin != "" {
			origins[answer.CallID] = answer.Origin
		}
	}
	ctx = ContextWithDeciders(ctx, by)
	ctx = ContextWithReasons(ctx, reasons)
	return ContextWithOrigins(ctx, origins)
}

// resume is the opening of a run that begins with answers to the pending calls.
func (s standing) resume(ctx context.Context, answers []Answer) (opening, error) {
	if len(s.pending) == 0 {
		return opening{}, fmt.Errorf("%w: nothing is pending", ErrNotPending)
	}
	o := opening{source: SourceResume}
	var notes []TurnInput
	waiting := slices.Clone(s.pending)
	for _, answer := range answers {
		i := slices.IndexFunc(waiting, func(p PendingCall) bool { return p.Call.CallID == answer.CallID })
		if i < 0 {
			return opening{}, fmt.Errorf("%w: %q", ErrNotPending, answer.CallID)
		}
		p := waiting[i]
		waiting = slices.Delete(waiting, i, i+1)
		if answer.Output == nil {
			reason, err := s.approve(ctx, p, answer)
			if err != nil {
				return opening{}, err
			}
			o.approved = append(o.approved, approval{pending: p, answer: answer, reason: reason})
			continue
		}
		if answer.Output.CallID != answer.CallID {
			return opening{}, fmt.Errorf("%w: %q is answered with the output of %q", ErrNotPending, answer.CallID, answer.Output.CallID)
		}
		o.items = append(o.items, TurnInput{Item: answer.Output, Mode: inputOutput})
		if answer.Note != "" {
			notes = append(notes, TurnInput{Item: openresponses.UserText(validText(answer.Note)), Mode: inputAnswer})
		}
		o.refused = o.refused || answer.Terminate
	}
	if len(waiting) > 0 {
		return opening{}, fmt.Errorf("%w: %d pending call(s) unanswered", ErrNotPending, len(waiting))
	}
	o.items = append(o.items, notes...)
	return o, nil
}

// approve applies the replay rule to the approval of p.
func (s standing) approve(ctx context.Context, p PendingCall, answer Answer) (reason string, err error) {
	if p.Reason == PendingAnswered || p.Reason == PendingRejected {
		return "", fmt.Errorf("%w: %q", ErrCallAnswered, p.Call.CallID)
	}
	if !p.MayHaveRun() || answer.RunAgain {
		return replayRule(p, answer, nil, agenttool.ReplayUnknown)
	}
	defer recovered(&err, "tool of a pending call")
	tool, _ := agenttool.Set(s.cfg.ResolveTools(ctx)).Lookup(p.Call.Name)
	replay := agenttool.ReplayUnknown
	if tool != nil {
		call := agenttool.Call{ID: p.Call.CallID, Args: answer.argsFor(p), IdempotencyKey: answer.keyFor(p)}
		replay = agenttool.ReplayOf(agenttool.WithCall(ctx, call), tool, call.Args)
	}
	return replayRule(p, answer, tool, replay)
}

// inTranscriptOrder sorts the calls of an approved batch as the transcript holds them.
func (r *run) inTranscriptOrder(calls []*toolCall) []*toolCall {
	sorted := make([]*toolCall, 0, len(calls))
	for _, item := range r.log.open {
		for _, c := range calls {
			if c.item == item {
				sorted = append(sorted, c)
			}
		}
	}
	return sorted
}
