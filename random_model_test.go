package agentturn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// randomModel answers as a good, sloppy or broken server.
type randomModel struct{ w *world }

func (m randomModel) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	w := m.w
	if err := at.CheckRequest(req); err != nil {
		w.errorf("a strict server refuses %s: %v", kinds(req.Input), err)
	}
	s := &randomStream{w: w, ctx: ctx, sink: sink}
	return s.play()
}

type randomStream struct {
	w     *world
	ctx   context.Context
	sink  openresponses.EventSink
	index int
	out   openresponses.Items
	deaf  bool // goes on when nobody listens any more
	err   error
}

func (s *randomStream) send(events ...openresponses.StreamEvent) {
	for _, ev := range events {
		if s.err != nil && !s.deaf {
			return
		}
		if s.w.chance("pause", 8) {
			s.w.sleep(s.ctx, "wire", 100)
		}
		err := s.ctx.Err()
		if err == nil || s.deaf {
			err = s.sink.Send(ev)
		}
		if s.err == nil {
			s.err = err
		}
	}
}

func (s *randomStream) play() error {
	w := s.w
	if w.calm.Load() {
		m := message("", "fine")
		s.send(done(0, m), ended(finished, m))
		return s.err
	}
	if w.mishap("model", "overloaded", 8) {
		return openresponses.ServerError("overloaded", "overloaded")
	}
	s.deaf = w.mishap("model", "deaf", 8)
	if !w.chance("nameless", 6) {
		s.send(created(fmt.Sprint("resp_", w.roll("resp", 1000))))
	}
	for range w.roll("items", 5) {
		s.item()
		if err := w.trouble("model", "stream", 30); err != nil {
			return err
		}
	}
	if w.risks["model"] {
		switch w.roll("breaks off", 20) {
		case 0:
			return errors.Join(s.err, openresponses.ErrTruncatedStream)
		case 1:
			return s.err
		case 2:
			s.send(&openresponses.ErrorEvent{Error: openresponses.ErrorPayload{Message: "in the stream"}})
			return s.err
		case 3:
			s.send(ended(openresponses.ResponseStatusFailed, s.out...))
			return errors.Join(s.err, errTest)
		case 4:
			return errors.Join(errTest, s.err)
		}
	}
	s.end()
	return s.err
}

// end sends the terminal response, in one of the ways in which servers do.
func (s *randomStream) end() {
	w := s.w
	status := finished
	if w.chance("incomplete", 12) {
		status = openresponses.ResponseStatusIncomplete
	}
	out := slices.Clone(s.out)
	switch w.roll("terminal output", 8) {
	case 0:
		out = nil
	case 1:
		slices.Reverse(out)
	case 2: // under other item IDs, or none
		for i, item := range out {
			if call, ok := item.(*openresponses.FunctionCall); ok {
				other := *call
				other.ID = []string{"", "other"}[w.roll("terminal id", 2)]
				out[i] = &other
			}
		}
	case 3:
		out = append(out, &openresponses.FunctionCall{ID: "late", CallID: "late", Name: "fine", Arguments: "{}"})
	case 4:
		if len(out) > 0 {
			out = out[1:]
		}
	}
	s.send(ended(status, out...))
	if w.chance("afterthought", 10) {
		s.send(textDelta(0, "after the end"), done(99, message("afterthought", "after the end")))
	}
}

// item sends one item, in one of the ways in which servers do.
func (s *randomStream) item() {
	w := s.w
	id := fmt.Sprint("item_", w.roll("id", 1_000_000))
	if w.chance("no id", 5) {
		id = ""
	}
	index := s.index
	s.index++
	if w.chance("reuse", 6) {
		index = 0
	}
	var start, whole openresponses.Item
	var deltas []openresponses.StreamEvent
	switch w.roll("kind", 12) {
	case 0:
		start, whole = &openresponses.UnknownItem{Type: "acme:note", ID: id}, &openresponses.UnknownItem{Type: "acme:note", ID: id}
	case 1, 2:
		start, whole = thought(id), thought(id)
	case 3, 4:
		start, whole = opening(id), message(id, "some text\xff")
		deltas = []openresponses.StreamEvent{textDelta(index, "some "), textDelta(index, "text\xff")}
	default:
		name := append(toolNames, "none", "fine", "fine", "fine")[w.roll("name", len(toolNames)+4)]
		callID := []string{"", "same", strings.Repeat("long", 30), fmt.Sprint("call_", w.roll("call", 1_000_000))}[w.roll("call id", 4)]
		args := []string{`{}`, `{"a":1}`, ``, `[1]`, `{"a":`, `{"a":"\ud83d"}`}[w.roll("args", 6)]
		call := func(args string) *openresponses.FunctionCall {
			return &openresponses.FunctionCall{ID: id, CallID: callID, Name: name, Arguments: args}
		}
		start, whole = call(""), call(args)
		if w.chance("incomplete call", 12) {
			whole.(*openresponses.FunctionCall).Status = openresponses.StatusIncomplete
		}
		deltas = []openresponses.StreamEvent{argsDelta(index, id, args)}
	}
	s.out = append(s.out, whole)
	if !w.chance("done only", 4) {
		s.send(added(index, start))
		s.send(deltas...)
	}
	if !w.chance("never done", 10) {
		s.send(done(index, whole))
	}
	if w.chance("done twice", 12) {
		s.send(done(index, whole))
	}
}
