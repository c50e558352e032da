package agentturn

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"

	"github.com/ChristopherDavenport/openresponses"
)

// Run appends prompts to the conversation t and drives the loop until the model has
// answered or something else ends the run. It yields the events in order; the last is the
// [RunEnd], whose Reason, Err and Items say how the run ended and what it added.
//
// The loop runs ahead of the consumer by at most [EventBuffer] events. Breaking out of the
// range aborts the run and returns once the model call and every tool have ended. t and
// prompts are not modified. Ranging again is another run from the same start.
//
// A run that cannot start yields one RunEnd with [ReasonError], without a run ID: no
// prompts, a trigger that does not encode, a function call in t that neither t nor the
// outputs at the head of prompts answer, no model, a tool list that is not valid.
func Run(ctx context.Context, t Transcript, prompts openresponses.Items, cfg Config) iter.Seq[Event] {
	if len(prompts) == 0 {
		return events(ctx, nil, cfg, opening{}, ErrNoPrompt)
	}
	log := newLedger(t)
	o, err := promptOpening(TriggerFromContext(ctx), log.open, prompts, true)
	return events(ctx, log, cfg, o, err)
}

// Continue drives the loop from t as it stands. t must satisfy [CanContinue] and leave no
// function call unanswered. Everything else is as for [Run].
func Continue(ctx context.Context, t Transcript, cfg Config) iter.Seq[Event] {
	log := newLedger(t)
	err := TriggerFromContext(ctx).Validate()
	switch {
	case err != nil:
	case len(log.open) > 0:
		err = fmt.Errorf("%w: %d call(s) unanswered", ErrInputRequired, len(log.open))
	case !CanContinue(t):
		err = ErrCannotContinue
	}
	return events(ctx, log, cfg, opening{source: SourceInput}, err)
}

// promptOpening is what a run prompted with prompts starts from, while the calls of open
// wait for an output. With strict set a leading output has to answer one of them.
func promptOpening(trigger Trigger, open []*openresponses.FunctionCall, prompts openresponses.Items, strict bool) (opening, error) {
	if err := trigger.Validate(); err != nil {
		return opening{}, err
	}
	leading := leadingOutputs(prompts)
	waiting := make(map[string]bool, len(open))
	for _, call := range open {
		waiting[call.CallID] = true
	}
	o := opening{source: SourceInput}
	for _, item := range prompts {
		item, _ := Unhide(item)
		if out, ok := item.(*openresponses.FunctionCallOutput); ok && out != nil && waiting[out.CallID] {
			o.source = SourceResume
		}
	}
	if strict {
		for _, out := range leading {
			if !waiting[out.CallID] {
				return opening{}, fmt.Errorf("%w: %q", ErrNotPending, out.CallID)
			}
			delete(waiting, out.CallID)
		}
		if len(waiting) > 0 {
			return opening{}, fmt.Errorf("%w: %d pending call(s) unanswered", ErrInputRequired, len(waiting))
		}
	}
	answers := len(leading)
	o.items = make([]TurnInput, 0, len(prompts))
	for _, item := range prompts {
		in := TurnInput{Item: item, Mode: InputPrompt}
		if plain, _ := Unhide(item); answers > 0 && !isNil(plain) {
			in.Mode = inputAnswer
			answers--
		}
		o.items = append(o.items, in)
	}
	return o, nil
}

// events is the sequence of a low-level run from log that begins with o, or of its refusal.
func events(ctx context.Context, log *ledger, cfg Config, o opening, refusal error) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if err := cmp.Or(refusal, cfg.check()); err != nil {
			yield(&RunEnd{Reason: ReasonError, Err: err})
			return
		}
		rangeRun(ctx, log.fork(), cfg, o, yield)
	}
}

// rangeRun runs one run on a goroutine of its own and yields its events.
func rangeRun(ctx context.Context, log *ledger, cfg Config, o opening, yield func(Event) bool) {
	id := live{}.newID("run")
	scope := &scope{parent: ContextWithRunID(ctx, id), recorder: cfg.ToolRecorder}
	runCtx, cancel := context.WithCancelCause(ctx)
	f := newFeed()
	r := &run{
		id: id, cfg: cfg, host: f, driver: live{},
		trigger: TriggerFromContext(ctx),
		ctx:     &runContext{Context: runCtx, runID: id, scope: scope},
		log:     log, start: len(log.items),
		models:  newAttribution(reasoningModelsFrom(ctx)),
		ids:     reservations{context: reservedCallIDs(ctx)},
		opening: o,
	}
	over := false
	// The consumer may break out, or panic: either way the run is wound down before the
	// range statement is left.
	defer func() {
		if !over {
			scope.abort(context.Canceled)
		}
		cancel(nil)
		f.leave()
	}()
	go func() {
		defer f.finish()
		r.drive()
	}()
	var m mirror
	for e, ok := f.receive(); ok; e, ok = f.receive() {
		m.reflect(e)
		_, over = e.event.(*RunEnd)
		if !yield(e.event) {
			return
		}
	}
}

// reservations are call IDs that a model's call must not take although the transcript does
// not hold them.
type reservations struct {
	agent, context map[string]struct{}
}

func (r reservations) has(id string) bool {
	_, a := r.agent[id]
	_, c := r.context[id]
	return a || c
}

// with adds ids to a set of reserved ones and returns the set.
func withReserved(set map[string]struct{}, ids ...string) map[string]struct{} {
	set = maps.Clone(set)
	if set == nil {
		set = make(map[string]struct{}, len(ids))
	}
	for _, id := range ids {
		set[id] = struct{}{}
	}
	return set
}
