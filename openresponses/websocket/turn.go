package websocket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/ChristopherDavenport/openresponses"
)

// turn is one request and the events that answer it. It is the adapter's sink; one lock makes each event one step.
type turn struct {
	session *session
	req     openresponses.Request // as the adapter sees it
	cont    openresponses.Continuation

	mu       sync.Mutex
	acc      openresponses.Accumulator
	sequence int64
	errored  bool // the last event was an error event
	terminal bool // the terminal event was sent
	err      error
}

// turn answers one frame.
func (s *session) turn(f frame) {
	req, err := decode(f)
	if err != nil {
		s.fail(err)
		return
	}
	t := &turn{session: s, req: req}
	if err := t.resolve(); err != nil {
		s.fail(err)
		return
	}
	t.finish(s.guard(func() error { return s.handler.Adapter().CreateStream(s.ctx, t.req, t) }))
}

// decode returns the request that a frame is.
func decode(f frame) (openresponses.Request, error) {
	var req openresponses.Request
	if !f.text {
		return req, openresponses.InvalidRequest("invalid_message", "the frame is not text", "")
	}
	var head struct {
		Type          json.RawMessage `json:"type"`
		Stream        json.RawMessage `json:"stream"`
		StreamOptions json.RawMessage `json:"stream_options"`
		Background    json.RawMessage `json:"background"`
	}
	if err := json.Unmarshal(f.data, &head); err != nil {
		return req, notARequest(err)
	}
	if string(head.Type) != `"`+openresponses.EventWebSocketResponseCreate+`"` {
		return req, openresponses.InvalidRequest(openresponses.CodeInvalidValue,
			"the type of a frame must be "+openresponses.EventWebSocketResponseCreate, "type")
	}
	for _, forbidden := range []struct {
		name  string
		value json.RawMessage
	}{{"stream", head.Stream}, {"stream_options", head.StreamOptions}, {"background", head.Background}} {
		if len(forbidden.value) > 0 && string(forbidden.value) != "null" {
			return req, openresponses.InvalidRequest(openresponses.CodeUnsupportedParameter,
				forbidden.name+" has no meaning on a WebSocket", forbidden.name)
		}
	}
	req, err := openresponses.DecodeRequest(f.data)
	if err != nil {
		return req, notARequest(err)
	}
	if delete(req.Extra, "type"); len(req.Extra) == 0 {
		req.Extra = nil
	}
	return req, req.Validate()
}

func notARequest(err error) error {
	return openresponses.InvalidRequest("invalid_json", "the frame is not a request: "+err.Error(), "")
}

// resolve inlines the conversation that the request continues.
func (t *turn) resolve() error {
	s := t.session
	var err error
	t.cont, err = openresponses.ResolveContinuation(s.ctx, &t.req, s.cache, s.handler.Store())
	switch {
	case err != nil:
		t.forget()
		return err
	case t.cont.ID == "" || t.cont.Resolved:
		return nil
	case !t.req.Stored() || s.handler.Store() != nil:
		return openresponses.PreviousResponseNotFound(t.cont.ID)
	}
	return nil // the adapter may know it
}

// forget drops what this turn continued: its end is not known to agree with what the client believes.
func (t *turn) forget() {
	if t.cont.Resolved {
		_ = t.session.cache.Delete(t.session.ctx, t.cont.ID) // never fails
	}
}

var errNilEvent = errors.New("websocket: nil event")

// Send numbers the event, stamps it with the previous response's ID, and writes it.
func (t *turn) Send(ev openresponses.StreamEvent) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.err != nil:
		return t.err
	case t.terminal:
		return openresponses.ErrTerminalEventSent
	case ev == nil:
		return errNilEvent
	}
	return t.send(ev)
}

func (t *turn) send(ev openresponses.StreamEvent) error {
	if setter, ok := ev.(openresponses.SequenceSetter); ok {
		setter.SetSequence(t.sequence)
	}
	t.sequence++
	openresponses.StampPreviousID(ev, t.cont.ID)
	resp, terminal := openresponses.TerminalResponse(ev)
	if terminal && resp != nil && resp.Output == nil {
		resp.Output = t.folded().Output // which a lax server leaves out
	}
	data, err := openresponses.EncodeEvent(ev)
	if err != nil {
		return err
	}
	t.acc.Add(ev)
	_, t.errored = ev.(*openresponses.ErrorEvent)
	t.terminal = terminal
	if err := t.session.write(data); err != nil {
		t.err = fmt.Errorf("websocket: write event: %w", err)
	}
	return t.err
}

// folded returns the response as far as it was streamed.
func (t *turn) folded() *openresponses.Response {
	resp := openresponses.NewResponse(t.req)
	if streamed := t.acc.Response(); streamed != nil && streamed.ID != "" {
		return streamed.Clone()
	} else if streamed != nil {
		resp.Status, resp.Error = streamed.Status, streamed.Error
		resp.Output, resp.Usage = streamed.Output, streamed.Usage
	}
	resp.ID = openresponses.NewID("resp")
	return resp
}

// finish ends the turn after the adapter, which returned err.
func (t *turn) finish(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.session
	switch {
	case s.ctx.Err() != nil:
	case t.terminal || t.err != nil:
	case err != nil && !t.errored:
		s.fail(err)
	case err == nil:
		t.conclude()
	}
	if t.err == nil && !t.terminal {
		t.err = openresponses.ErrStreamClosed // for an adapter that still sends
	}
	t.settle()
}

// conclude sends the terminal event that the adapter did not.
func (t *turn) conclude() {
	resp := t.folded()
	if resp.Status == openresponses.ResponseStatusFailed { // there was an error event
		_ = t.send(&openresponses.ResponseFailedEvent{Response: resp})
		return
	}
	resp.Complete()
	_ = t.send(&openresponses.ResponseCompletedEvent{Response: resp})
}

// settle keeps the conversation if it came to a good end, and otherwise drops what it continued.
func (t *turn) settle() {
	resp := t.acc.Response()
	if !t.terminal || resp == nil {
		t.forget()
		return
	}
	switch resp.Status {
	case openresponses.ResponseStatusFailed:
		t.forget()
	case openresponses.ResponseStatusCompleted, openresponses.ResponseStatusIncomplete:
		if resp.ID != "" {
			t.save(resp)
		}
	}
}

func (t *turn) save(resp *openresponses.Response) {
	s := t.session
	ctx := context.WithoutCancel(s.ctx)
	history := openresponses.History(t.req, resp)
	_ = s.cache.Save(ctx, resp.ID, history) // never fails
	store := s.handler.Store()
	if store == nil || !t.req.Stored() {
		return
	}
	if err := store.Save(ctx, resp.ID, history); err != nil {
		s.fail(fmt.Errorf("websocket: save response %q: %w", resp.ID, err))
	}
}
