package agentturn

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// modelCall is a function call of a response, as the transcript holds it.
type modelCall = fold.Call

// callModel makes the turn's model call, again where the retry policy says so, and returns
// the response with the calls it made.
func (r *run) callModel(req openresponses.Request) (*openresponses.Response, []modelCall, end) {
	for n := 1; ; n++ {
		a := r.attempt(req)
		r.models.attribute(r.cfg.ModelName, a.taken)
		switch {
		case a.withheld != nil:
			return nil, nil, r.closeWithheld(a)
		case a.err == nil:
			r.inputs = r.inputs[:0]
			return a.response, a.calls, goOn
		case r.ctx.Err() != nil && a.own:
			return nil, nil, r.aborted(a.err)
		case r.ctx.Err() != nil:
			return nil, nil, r.aborted(nil)
		}
		failed := fmt.Errorf("agentturn: model: %w", a.err)
		if a.committed {
			return nil, nil, r.fail(failed)
		}
		delay, again, err := r.nextAttempt(n, a.err)
		if err != nil {
			return nil, nil, r.fail(err)
		}
		if !again {
			return nil, nil, r.fail(failed)
		}
		if req, err = r.revise(n, req, a.err); err != nil {
			return nil, nil, r.fail(err)
		}
		if err := r.host.deliver(&ModelRetry{RunID: r.id, Turn: r.turn, Attempt: n, Err: a.err, Delay: delay, Request: req}); err != nil {
			return nil, nil, r.fail(err)
		}
		if r.driver.wait(r.ctx, delay); r.ctx.Err() != nil {
			return nil, nil, r.aborted(nil)
		}
	}
}

// attempt is one pass over the model's events.
type attempt struct {
	run  *run
	fold *fold.Folder

	// committed says the answer has begun: what the attempt completes joins the transcript
	// at once, and it is never made again. Until then what it completes is held.
	committed bool
	held      []*ItemEnd
	taken     openresponses.Items // what joined the transcript

	spare []ItemUpdate // not used yet
	made  int          // how many there were in all

	// How it ended: a response with its calls, a failure, or a message withheld.
	response *openresponses.Response
	calls    []modelCall
	err      error
	own      bool  // err is of a receiver or a hook rather than of the model
	withheld error // the output guard's
}

var errAttemptOver = errors.New("agentturn: the attempt is over")

// attempt streams req and folds what comes into the transcript.
func (r *run) attempt(req openresponses.Request) *attempt {
	if r.folder == nil {
		r.given.Reserved = func(id string) bool { return r.log.isTaken(id) || r.ids.has(id) }
		r.folder = fold.New(r.given.Decide)
	}
	r.folder.Reset()
	r.given.Reset(len(r.log.items))
	a := &attempt{run: r, fold: r.folder}
	err := r.driver.stream(r.ctx, r.cfg.Model, req, a.take)
	if a.withheld == nil && a.err == nil {
		a.finish(err)
	}
	return a
}

// take folds one event of the stream. Its error only stops the stream: what it means is
// on the attempt.
func (a *attempt) take(ev openresponses.StreamEvent) error {
	if a.withheld != nil {
		a.fold.Add(ev) // read on for the usage
		return nil
	}
	for _, c := range a.fold.Add(ev) {
		switch c.Kind {
		case fold.Open:
			a.open(c, ev)
		case fold.Update:
			u := a.newUpdate()
			*u = ItemUpdate{RunID: a.run.id, Turn: a.run.turn, Item: c.Item, Stream: c.Event, ResponseID: c.ResponseID}
			a.deliver(u)
		case fold.Done:
			a.complete(c.Item, c.Slot, c.ResponseID, c.ModelCallID)
		case fold.Fail:
			a.err = c.Err
		}
		if a.err != nil {
			return errAttemptOver
		}
		if a.withheld != nil {
			break
		}
	}
	return nil
}

// newUpdate is an event to fill in. There are as many as there are deltas, so they are made
// several at a time: seven, which fit into half a kilobyte.
func (a *attempt) newUpdate() *ItemUpdate {
	if len(a.spare) == 0 {
		a.spare = make([]ItemUpdate, max(1, min(a.made, 7)))
		a.made += len(a.spare)
	}
	u := &a.spare[0]
	a.spare = a.spare[1:]
	return u
}

// deliver hands ev on; a receiver that fails ends the attempt for good.
func (a *attempt) deliver(ev Event) {
	if a.err == nil {
		a.delivered(a.run.host.deliver(ev))
	}
}

func (a *attempt) delivered(err error) {
	if err != nil {
		a.err, a.own, a.committed = err, true, true
	}
}

func (a *attempt) open(c fold.Change, ev openresponses.StreamEvent) {
	if c.Commits {
		a.commit()
	}
	start := &ItemStart{RunID: a.run.id, Turn: a.run.turn, Item: c.Item, ResponseID: c.ResponseID}
	if wire, ok := ev.(*openresponses.OutputItemAddedEvent); ok && a.err == nil {
		a.delivered(a.run.host.deliverOpened(start, wire))
	}
}

// commit makes the attempt the turn's answer and appends what it held.
func (a *attempt) commit() {
	a.committed = true
	held := a.held
	a.held = nil
	for _, e := range held {
		a.append(e)
	}
}

// complete takes a finished item: a message past the guard, into the transcript once the
// attempt has committed.
func (a *attempt) complete(item openresponses.Item, slot int, responseID, modelCallID string) {
	if msg, ok := item.(*openresponses.Message); ok && a.run.cfg.OutputGuard != nil {
		kept, err := a.run.outputGuard(OutputInfo{
			RunID: a.run.id, Turn: a.run.turn, ResponseID: responseID,
			Message: msg, Output: a.fold.Before(slot),
		})
		switch {
		case errors.Is(err, ErrGuard):
			a.withheld = err
			return
		case err != nil:
			a.err, a.own, a.committed = fmt.Errorf("agentturn: output guard: %w", err), true, true
			return
		case kept != nil:
			item = kept
			a.fold.Replace(slot, kept)
		}
	}
	e := &ItemEnd{RunID: a.run.id, Turn: a.run.turn, Item: item, ResponseID: responseID, ModelCallID: modelCallID}
	if !a.committed {
		a.held = append(a.held, e)
		return
	}
	a.append(e)
}

func (a *attempt) append(e *ItemEnd) {
	if a.err != nil {
		return
	}
	a.run.host.commit(a.run.log, e.Item)
	a.taken = append(a.taken, e.Item)
	a.deliver(e)
}

// finish settles the attempt once the stream is over, err being how the streamer returned.
func (a *attempt) finish(err error) {
	response := a.fold.Response()
	failed := response != nil && response.Status == openresponses.ResponseStatusFailed
	switch {
	case failed:
		a.committed, a.held = true, nil
		a.end(response)
		if a.err == nil {
			a.err = responseError(response)
		}
	case err != nil:
		a.err = err
	case response == nil:
		a.err = openresponses.ErrTruncatedStream
	default:
		a.succeed()
	}
}

// succeed takes what the terminal response completes, and the response itself.
func (a *attempt) succeed() {
	result := a.fold.Result()
	a.commit()
	for _, u := range result.Unstreamed {
		if a.err != nil {
			return
		}
		if !u.Opened {
			a.deliver(&ItemStart{RunID: a.run.id, Turn: a.run.turn, Item: u.Item, ResponseID: result.Response.ID})
		}
		a.complete(u.Item, u.Slot, result.Response.ID, u.ModelCallID)
		if a.withheld != nil {
			return
		}
	}
	a.response, a.calls = result.Response, result.Calls
	a.end(a.response)
}

func (a *attempt) end(response *openresponses.Response) {
	a.deliver(&ResponseEnd{RunID: a.run.id, Turn: a.run.turn, Response: response})
}

func responseError(response *openresponses.Response) error {
	if response.Error != nil {
		return response.Error.Err(0)
	}
	return errors.New("response failed")
}

// closeWithheld ends the run for a message the guard withheld: the response is accounted
// for without it, and the calls the response put into the transcript before it are closed.
func (r *run) closeWithheld(a *attempt) end {
	response := a.fold.Response()
	if response == nil {
		response = a.fold.Accumulated()
	}
	if response == nil {
		response = &openresponses.Response{}
	}
	response = response.Clone()
	response.Status = openresponses.ResponseStatusIncomplete
	response.IncompleteDetails = &openresponses.IncompleteDetails{Reason: openresponses.IncompleteReasonContentFilter}
	response.Error = nil
	response.Output = a.taken.Clone()
	if response.Output == nil {
		response.Output = openresponses.Items{}
	}
	how := end{reason: ReasonStopped, cause: StopGuard, err: a.withheld, withheld: true}
	if err := r.host.deliver(&ResponseEnd{RunID: r.id, Turn: r.turn, Response: response, Withheld: true}); err != nil {
		return r.fail(err)
	}
	r.inputs = r.inputs[:0]
	for _, call := range slices.Clone(r.log.open) {
		if slices.Contains(a.taken, openresponses.Item(call)) {
			out := openresponses.NewFunctionCallOutput(call.CallID, WithheldCallOutput)
			if e := r.appendInputs([]TurnInput{{Item: out, Mode: InputTool}}); e.stops() {
				return e
			}
		}
	}
	return how
}
