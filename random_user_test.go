package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// meddle is the user and whoever else holds the agent: they do something at any time.
func (w *world) meddle(key string) {
	for i := range w.roll(key+" meddlers", 5) {
		key := fmt.Sprint(key, " meddler ", i)
		time.AfterFunc(w.span(key+" when", 3000), func() { w.meddler(key) })
	}
}

func (w *world) meddler(key string) {
	a := w.theAgent()
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Minute, w.cause("a meddler's"))
	defer cancel()
	switch w.roll(key, 11) {
	case 0:
		a.Steer(w.say("steer"), nil, w.say("steer"))
	case 1:
		a.FollowUp(w.say("follow-up"))
	case 2:
		ctx := agentturn.ContextWithTrigger(ctx, agentturn.Trigger{Kind: "test", Ref: key})
		if err := a.Queue(ctx, agentturn.QueueMode("any other"), w.say("queue")); err != nil {
			w.errorf("Queue: %v", err)
		}
	case 3, 4:
		w.abort(a, "a meddler's")
	case 5, 6:
		w.deliver(ctx, a, key)
	case 7:
		w.mayStart(a.Prompt(ctx, user("a meddler's prompt")))
	case 8:
		w.mayStart(a.Continue(ctx))
	case 9:
		if err := a.SetConfig(w.config()); err != nil && !errors.Is(err, agentturn.ErrRunning) {
			w.errorf("SetConfig: %v", err)
		}
	case 10:
		if end, err := a.Resume(ctx); end != nil || !errors.Is(err, agentturn.ErrRunning) && !errors.Is(err, agentturn.ErrNotPending) {
			w.errorf("Resume with no answer: %+v, error %v", end, err)
		}
		unsubscribe := a.Subscribe(func(context.Context, agentturn.Event) error { return nil })
		time.AfterFunc(time.Second, unsubscribe)
		w.cleared(a.ClearQueue(agentturn.QueueSteer))
	}
}

// mayStart takes what a start at any time returns.
func (w *world) mayStart(end *agentturn.RunEnd, err error) {
	refused := errors.Is(err, agentturn.ErrRunning) || errors.Is(err, agentturn.ErrInputRequired) || errors.Is(err, agentturn.ErrCannotContinue)
	if (end == nil) != refused && (end == nil || end.Reason != agentturn.ReasonError) {
		w.errorf("a start at any time: %+v, error %v", end, err)
	}
}

// deliver waits until the model has seen an item.
func (w *world) deliver(ctx context.Context, a *agentturn.Agent, key string) {
	ctx, cancel := context.WithTimeout(ctx, w.span(key+" patience", 1000))
	defer cancel()
	w.mu.Lock()
	w.causes = append(w.causes, context.DeadlineExceeded) // of a run that the delivery starts
	w.mu.Unlock()
	item := w.say("deliver")
	joined, end, err := a.Deliver(ctx, item)
	plain, _ := agentturn.Unhide(item)
	there := strings.Contains(kinds(openresponses.Items(a.State().Transcript))+" ", kinds(items(plain))+" ")
	switch {
	case joined && (!there || end != nil || err != nil):
		w.errorf("%s joined: there %t, %+v, error %v", kinds(items(plain)), there, end, err)
	case there && err != nil && err == ctx.Err():
		w.errorf("%s is there, and its delivery still waited: %v", kinds(items(plain)), err)
	case !joined && end == nil && err == nil:
		w.errorf("%s was neither delivered nor refused", kinds(items(plain)))
	}
}

// inside is a subscriber, a tool or a hook that uses the agent it works for.
func (w *world) inside(ctx context.Context, key string) {
	a := w.theAgent()
	if _, ranged := ctx.Value(rangedKey{}).(bool); ranged {
		return
	}
	switch w.roll(key, 4) {
	case 0:
		a.Steer(w.say("steer inside"))
	case 1:
		a.FollowUp(w.say("follow-up inside"))
	case 2:
		joined, end, err := a.Deliver(ctx, w.say("deliver inside"))
		if end != nil || joined != (err == nil) || err != nil && !errors.Is(err, agentturn.ErrRunning) {
			w.errorf("Deliver inside the run: %t, %+v, error %v", joined, end, err)
		}
	case 3:
		w.abort(a, "an insider's")
		if end, err := a.Prompt(ctx, user("inside")); end != nil || !errors.Is(err, agentturn.ErrRunning) {
			w.errorf("Prompt inside the run: %+v, error %v", end, err)
		}
	}
}

// fail is a subscriber that meddles, and sometimes fails.
func (w *world) fail(ctx context.Context, ev agentturn.Event) (err error) {
	if ctx.Err() != nil {
		w.errorf("a subscriber's context is cancelled")
	}
	key := "subscriber on " + ev.EventType()
	if _, queued := ev.(*agentturn.Queued); !queued && w.chance(key+" meddles", 150) {
		w.inside(ctx, key+" inside")
	}
	defer func() {
		if v := recover(); v != nil {
			w.refuse(ev)
			panic(v)
		}
	}()
	if err = w.trouble("subscriber", key, 150); err != nil {
		w.refuse(ev)
	}
	return err
}

// plainAnswers answer all pending calls with outputs.
func (w *world) plainAnswers() (answers []agentturn.Answer) {
	for _, p := range w.agent.State().Pending {
		answers = append(answers, agentturn.Output(output(p.Call.CallID, "answered")))
	}
	return answers
}

// answers answer the pending calls in any way, in any order, and refusal is what one of them has to be refused with.
func (w *world) answers(key string, pending []agentturn.PendingCall) (answers []agentturn.Answer, refusal error) {
	for _, p := range pending {
		id := p.Call.CallID
		var answer agentturn.Answer
		switch w.roll(key+" answer", 9) {
		case 0:
			answer = agentturn.Output(output(id, "answered")).WithNote("note of an answer")
		case 1:
			answer = agentturn.Refuse(output(id, "refused")).WithBy("human").WithOrigin("elsewhere")
		case 2:
			answer = agentturn.OutcomeUnknown(id)
		case 3:
			answer = agentturn.Approve(id)
		case 4:
			answer = agentturn.ApproveWith(id, json.RawMessage([]string{`{"b":2}`, `{"rewritten": true}`, `[]`}[w.roll(key+" args", 3)]))
		case 5:
			answer = agentturn.Approve(id).WithIdempotencyKey("chosen for " + id)
		default:
			answer = agentturn.Approve(id).WithRunAgain().WithNote("note of an approval").WithBy("human")
		}
		answers = append(answers, answer)
	}
	for i := range answers {
		j := i + w.roll(key+" order", len(answers)-i)
		answers[i], answers[j] = answers[j], answers[i]
	}
	for _, answer := range answers {
		i := slices.IndexFunc(pending, func(p agentturn.PendingCall) bool { return p.Call.CallID == answer.CallID })
		switch p := pending[i]; {
		case answer.Output != nil:
		case p.Reason == agentturn.PendingAnswered, p.Reason == agentturn.PendingRejected:
			return answers, agentturn.ErrCallAnswered
		case !mayRunAgain(p, answer):
			return answers, agentturn.ErrAmbiguousCall
		}
	}
	return answers, nil
}

// recorded is what a record may know of pending calls beyond what the agent knew.
func (w *world) recorded(key string, pending []agentturn.PendingCall) []agentturn.PendingCall {
	pending = slices.Clone(pending)
	for i := range pending {
		p := &pending[i]
		switch roll := w.roll(key+" recorded", 4); {
		case p.Reason == agentturn.PendingDeferred && roll < 3:
			p.Dispatched = true
			if roll < 2 {
				p.IdempotencyKey = "recorded for " + p.Call.CallID
			}
		case roll == 0:
			p.Reason, p.IdempotencyKey = agentturn.PendingAnswered, ""
		case roll == 1:
			p.Reason, p.Refused = agentturn.PendingRejected, "no"
		case roll == 2:
			p.Ran, p.RanWhere = output(p.Call.CallID, "ran"), "elsewhere"
		}
	}
	return pending
}

// mayHaveRun is what a pending call's reason says of it.
func mayHaveRun(p agentturn.PendingCall) bool {
	return p.Reason == agentturn.PendingAborted || p.Reason == agentturn.PendingUnknown || p.Reason == agentturn.PendingDeferred && p.Dispatched
}

// mayRunAgain is the rule for the approval of a call that may have run.
func mayRunAgain(p agentturn.PendingCall, answer agentturn.Answer) bool {
	if !mayHaveRun(p) || answer.RunAgain {
		return true
	}
	before := string(p.Args)
	if p.Args == nil {
		before = p.Call.Arguments
	}
	if before == "" {
		before = "{}"
	}
	same := answer.Args == nil || sameValue(answer.Args, []byte(before))
	key := answer.IdempotencyKey
	if key == "" {
		key = p.IdempotencyKey
	}
	switch replays[p.Call.Name] {
	case agenttool.ReplaySafe:
		return true
	case agenttool.ReplayKeyed:
		if same {
			return p.IdempotencyKey != "" && key == p.IdempotencyKey
		}
		return key != "" && key != p.IdempotencyKey
	}
	return p.Call.Name == "none" || p.Call.Name == ""
}
