package agentturntest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ChristopherDavenport/openresponses"
)

// errStop ends an attempt early and means no failure.
var errStop = errors.New("stop")

// reply is one call of the model being answered. It sends copies: whoever
// receives an event may keep and change it.
type reply struct {
	ctx   context.Context
	model *Model
	req   openresponses.Request
	sink  openresponses.EventSink
	call  int // number of the model call, from 1

	sequence int64
	output   []openresponses.Item // by index, as they stand
	open     map[int]bool         // indexes opened and not completed
	usage    *openresponses.Usage
	started  bool // something was sent
	ended    bool // nothing needs to be completed
}

// play plays the steps and completes the response if none of them ended it.
func (r *reply) play(attempt Attempt) error {
	for _, step := range attempt {
		if step.play == nil {
			continue
		}
		if err := step.play(r); errors.Is(err, errStop) {
			return nil
		} else if err != nil {
			return err
		}
	}
	if r.ended {
		return nil
	}
	return r.complete()
}

// stop ends the attempt where it is; err, when not nil, is why.
func (r *reply) stop(err error) error {
	if err != nil {
		return err
	}
	return errStop
}

// send numbers an event of the model's own and sends it.
func (r *reply) send(ev openresponses.StreamEvent) error {
	if s, ok := ev.(openresponses.SequenceSetter); ok {
		s.SetSequence(r.sequence)
	}
	r.sequence++
	r.started = true
	return r.sink.Send(ev)
}

// forward sends an event of the test's and notes what it means for the rest of
// the attempt.
func (r *reply) forward(ev openresponses.StreamEvent) error {
	if _, ok := openresponses.TerminalResponse(ev); ok {
		r.ended = true
	}
	if done, ok := ev.(*openresponses.OutputItemDoneEvent); ok {
		r.output = append(r.output, copyItem(done.Item))
	}
	r.sequence++
	r.started = true
	return r.sink.Send(ev)
}

// start announces the response, once.
func (r *reply) start() error {
	if r.started {
		return nil
	}
	if err := r.send(&openresponses.ResponseCreatedEvent{Response: r.response(openresponses.ResponseStatusInProgress)}); err != nil {
		return err
	}
	return r.send(&openresponses.ResponseInProgressEvent{Response: r.response(openresponses.ResponseStatusInProgress)})
}

// response is a fresh snapshot of the response with nothing in it that differs
// from run to run.
func (r *reply) response(status openresponses.ResponseStatus) *openresponses.Response {
	resp := openresponses.NewResponse(r.req)
	resp.ID = fmt.Sprintf("resp_%d", r.call)
	resp.CreatedAt = 0
	resp.Status = status
	resp.Store = r.req.Stored()
	if status.Terminal() {
		resp.Output = openresponses.Items(r.output).Clone()
		resp.Usage = clonePtr(r.usage)
	}
	if status == openresponses.ResponseStatusCompleted || status == openresponses.ResponseStatusIncomplete {
		resp.CompletedAt = new(int64)
	}
	return resp
}

func (r *reply) complete() error {
	if err := r.start(); err != nil {
		return err
	}
	r.ended = true
	return r.send(&openresponses.ResponseCompletedEvent{Response: r.response(openresponses.ResponseStatusCompleted)})
}

func (r *reply) incomplete(reason openresponses.IncompleteReason) error {
	if err := r.start(); err != nil {
		return err
	}
	for i := range r.open {
		setStatus(r.output[i], openresponses.StatusIncomplete)
	}
	resp := r.response(openresponses.ResponseStatusIncomplete)
	resp.IncompleteDetails = &openresponses.IncompleteDetails{Reason: reason}
	r.ended = true
	return r.send(&openresponses.ResponseIncompleteEvent{Response: resp})
}

func (r *reply) fail(err error) error {
	if err := r.start(); err != nil {
		return err
	}
	resp := r.response(openresponses.ResponseStatusFailed)
	if err != nil {
		resp.Fail(err)
	}
	r.ended = true
	return r.send(&openresponses.ResponseFailedEvent{Response: resp})
}

// text sends a message of one text part; complete says whether it is completed.
func (r *reply) text(phase openresponses.Phase, deltas []string, complete bool) error {
	msg := &openresponses.Message{Role: openresponses.RoleAssistant, Phase: phase, Content: openresponses.Contents{}}
	at, err := r.add("msg", msg)
	if err != nil {
		return err
	}
	part := &openresponses.OutputText{Annotations: openresponses.Annotations{}}
	events := []openresponses.StreamEvent{
		&openresponses.ContentPartAddedEvent{ItemID: at.id, OutputIndex: at.index, Part: clonePtr(part)},
	}
	for _, delta := range deltas {
		events = append(events, &openresponses.OutputTextDeltaEvent{ItemID: at.id, OutputIndex: at.index, Delta: delta})
	}
	part.Text = strings.Join(deltas, "")
	msg.Content = append(msg.Content, part)
	if complete {
		events = append(events,
			&openresponses.OutputTextDoneEvent{ItemID: at.id, OutputIndex: at.index, Text: part.Text},
			&openresponses.ContentPartDoneEvent{ItemID: at.id, OutputIndex: at.index, Part: clonePtr(part)})
	}
	return r.finish(at, events, complete)
}

// refusal sends a message of one refusal.
func (r *reply) refusal(deltas []string) error {
	msg := &openresponses.Message{Role: openresponses.RoleAssistant, Content: openresponses.Contents{}}
	at, err := r.add("msg", msg)
	if err != nil {
		return err
	}
	part := &openresponses.Refusal{}
	events := []openresponses.StreamEvent{
		&openresponses.ContentPartAddedEvent{ItemID: at.id, OutputIndex: at.index, Part: clonePtr(part)},
	}
	for _, delta := range deltas {
		events = append(events, &openresponses.RefusalDeltaEvent{ItemID: at.id, OutputIndex: at.index, Delta: delta})
	}
	part.Refusal = strings.Join(deltas, "")
	msg.Content = append(msg.Content, part)
	events = append(events,
		&openresponses.RefusalDoneEvent{ItemID: at.id, OutputIndex: at.index, Refusal: part.Refusal},
		&openresponses.ContentPartDoneEvent{ItemID: at.id, OutputIndex: at.index, Part: clonePtr(part)})
	return r.finish(at, events, true)
}

// functionCall sends a call, its arguments in two deltas.
func (r *reply) functionCall(callID, name, arguments string, complete bool) error {
	call := &openresponses.FunctionCall{CallID: callID, Name: name}
	at, err := r.add("fc", call)
	if err != nil {
		return err
	}
	var events []openresponses.StreamEvent
	for _, delta := range halves(arguments) {
		events = append(events, &openresponses.FunctionCallArgumentsDeltaEvent{ItemID: at.id, OutputIndex: at.index, Delta: delta})
	}
	call.Arguments = arguments
	if complete {
		events = append(events, &openresponses.FunctionCallArgumentsDoneEvent{ItemID: at.id, OutputIndex: at.index, Arguments: arguments})
	}
	return r.finish(at, events, complete)
}

// reasoning sends a reasoning item with at most one summary part.
func (r *reply) reasoning(deltas []string, encrypted string) error {
	item := &openresponses.ReasoningItem{Summary: openresponses.Contents{}}
	at, err := r.add("rs", item)
	if err != nil {
		return err
	}
	item.EncryptedContent = encrypted
	if len(deltas) == 0 {
		return r.finish(at, nil, true)
	}
	part := &openresponses.SummaryText{}
	events := []openresponses.StreamEvent{
		&openresponses.ReasoningSummaryPartAddedEvent{ItemID: at.id, OutputIndex: at.index, Part: clonePtr(part)},
	}
	for _, delta := range deltas {
		events = append(events, &openresponses.ReasoningSummaryTextDeltaEvent{ItemID: at.id, OutputIndex: at.index, Delta: delta})
	}
	part.Text = strings.Join(deltas, "")
	item.Summary = append(item.Summary, part)
	events = append(events,
		&openresponses.ReasoningSummaryTextDoneEvent{ItemID: at.id, OutputIndex: at.index, Text: part.Text},
		&openresponses.ReasoningSummaryPartDoneEvent{ItemID: at.id, OutputIndex: at.index, Part: clonePtr(part)})
	return r.finish(at, events, true)
}

// position is where an item is in the response.
type position struct {
	id    string
	index int
}

// item sends a finished item under the ID it has.
func (r *reply) item(item openresponses.Item) error {
	if err := r.start(); err != nil {
		return err
	}
	index := len(r.output)
	r.output = append(r.output, copyItem(item))
	return r.sendAll([]openresponses.StreamEvent{
		&openresponses.OutputItemAddedEvent{OutputIndex: index, Item: copyItem(item)},
		&openresponses.OutputItemDoneEvent{OutputIndex: index, Item: copyItem(item)},
	})
}

// add opens an item of the model's own, giving it its ID.
func (r *reply) add(prefix string, item openresponses.Item) (position, error) {
	if err := r.start(); err != nil {
		return position{}, err
	}
	at := position{index: len(r.output)}
	at.id = fmt.Sprintf("%s_%d_%d", prefix, r.call, at.index)
	setID(item, at.id)
	setStatus(item, openresponses.StatusInProgress)
	r.output = append(r.output, item)
	if r.open == nil {
		r.open = make(map[int]bool)
	}
	r.open[at.index] = true
	return at, r.send(&openresponses.OutputItemAddedEvent{OutputIndex: at.index, Item: copyItem(item)})
}

// finish sends the events of the item that add opened and, if it is complete,
// completes it.
func (r *reply) finish(at position, events []openresponses.StreamEvent, complete bool) error {
	if err := r.sendAll(events); err != nil || !complete {
		return err
	}
	delete(r.open, at.index)
	setStatus(r.output[at.index], openresponses.StatusCompleted)
	return r.send(&openresponses.OutputItemDoneEvent{OutputIndex: at.index, Item: copyItem(r.output[at.index])})
}

func (r *reply) sendAll(events []openresponses.StreamEvent) error {
	for _, ev := range events {
		if err := r.send(ev); err != nil {
			return err
		}
	}
	return nil
}

func setID(item openresponses.Item, id string) {
	switch item := item.(type) {
	case *openresponses.Message:
		item.ID = id
	case *openresponses.FunctionCall:
		item.ID = id
	case *openresponses.ReasoningItem:
		item.ID = id
	}
}

func setStatus(item openresponses.Item, status openresponses.Status) {
	switch item := item.(type) {
	case *openresponses.Message:
		item.Status = status
	case *openresponses.FunctionCall:
		item.Status = status
	case *openresponses.ReasoningItem:
		item.Status = status
	}
}

func copyItem(item openresponses.Item) openresponses.Item {
	return openresponses.Items{item}.Clone()[0]
}

// copyEvent copies the item an event of the test's carries, so that a script
// can play it more than once.
func copyEvent(ev openresponses.StreamEvent) openresponses.StreamEvent {
	switch ev := ev.(type) {
	case *openresponses.OutputItemAddedEvent:
		return &openresponses.OutputItemAddedEvent{SequenceNumber: ev.SequenceNumber, OutputIndex: ev.OutputIndex, Item: copyItem(ev.Item)}
	case *openresponses.OutputItemDoneEvent:
		return &openresponses.OutputItemDoneEvent{SequenceNumber: ev.SequenceNumber, OutputIndex: ev.OutputIndex, Item: copyItem(ev.Item)}
	}
	return ev
}

// halves cuts s in two between characters.
func halves(s string) []string {
	middle := len(s) / 2
	for middle > 0 && !utf8.RuneStart(s[middle]) {
		middle--
	}
	if middle == 0 {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	return []string{s[:middle], s[middle:]}
}
