package openresponses

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/ChristopherDavenport/openresponses/internal/sse"
)

// stream answers with the events of the adapter. It returns an error if nothing was written and the peer should have
// that error instead.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, req Request, previousID string) error {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	s := &streamSink{
		handler:    h,
		ctx:        ctx,
		gone:       cancel,
		req:        req,
		previousID: previousID,
		w:          w,
		control:    http.NewResponseController(w),
	}
	defer s.close()
	err := guard(r, func() error { return h.adapter.CreateStream(ctx, req, s) })
	return s.finish(err)
}

// streamSink writes events as frames. One lock makes each event one step: numbered, encoded, folded, saved if it is
// the last, and written in one go from buffers that serve the whole stream.
type streamSink struct {
	handler    *Handler
	ctx        context.Context
	gone       context.CancelFunc // ends ctx when the peer is gone
	req        Request            // as the adapter sees it
	previousID string             // as the client sent it
	w          http.ResponseWriter
	control    *http.ResponseController

	mu       sync.Mutex
	acc      Accumulator
	unsaid   *Response // see blank
	sequence int64
	started  bool  // the header is written
	errored  bool  // the last event was an error event
	terminal bool  // the terminal event was sent
	err      error // why nothing can be sent any more
	noFlush  bool
	json     []byte
	frame    []byte
}

// Send numbers the event, stamps it with the previous response's ID, and writes it.
func (s *streamSink) Send(ev StreamEvent) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.err != nil:
		return s.err
	case s.terminal:
		return ErrTerminalEventSent
	case ev == nil:
		return errNilEvent
	}
	return s.send(ev)
}

func (s *streamSink) send(ev StreamEvent) error {
	if setter, ok := ev.(SequenceSetter); ok {
		setter.SetSequence(s.sequence)
	}
	s.sequence++
	s.complete(ev)
	var err error
	if s.json, err = eventTypes.append(s.json[:0], &ev); err != nil {
		return fmt.Errorf("openresponses: encode event: %w", err)
	}
	s.acc.Add(ev)
	_, s.errored = ev.(*ErrorEvent)
	if _, terminal := TerminalResponse(ev); terminal {
		s.save()
		s.terminal = true
	}
	s.frame = sse.AppendEvent(s.frame[:0], ev.EventType(), s.json)
	return s.write()
}

// complete gives the response of a lifecycle event what it lacks.
func (s *streamSink) complete(ev StreamEvent) {
	StampPreviousID(ev, s.previousID)
	resp := snapshotOf(ev)
	if resp == nil || resp.absent == 0 {
		return
	}
	if resp.Status == "" {
		resp.Status = statusOf(ev)
	}
	if _, terminal := TerminalResponse(ev); terminal && resp.omits("output") {
		resp.Output = s.folded().Output
	}
	resp.fillIn(s.blank())
}

// statusOf returns the status that a lifecycle event stands for.
func statusOf(ev StreamEvent) ResponseStatus {
	switch ev.(type) {
	case *ResponseQueuedEvent:
		return ResponseStatusQueued
	case *ResponseCompletedEvent:
		return ResponseStatusCompleted
	case *ResponseFailedEvent:
		return ResponseStatusFailed
	case *ResponseIncompleteEvent:
		return ResponseStatusIncomplete
	}
	return ResponseStatusInProgress
}

// blank returns the response that says no more than the request, the same throughout the stream.
func (s *streamSink) blank() *Response {
	if s.unsaid == nil {
		s.unsaid = newResponse(s.req)
	}
	return s.unsaid
}

// save keeps the conversation before the peer hears that it can be continued. The response is on its way already, so
// a failure has nobody to go to.
func (s *streamSink) save() {
	if resp := s.acc.Response(); resp != nil {
		_ = s.handler.save(s.ctx, s.req, resp)
	}
}

// write writes the frame.
func (s *streamSink) write() error {
	if !s.started {
		s.started = true
		h := s.w.Header()
		h.Set("Content-Type", mediaTypeSSE)
		h.Set("Cache-Control", "no-cache")
		h.Set("Connection", "keep-alive")
		h.Set("X-Accel-Buffering", "no")
		s.w.WriteHeader(http.StatusOK)
	}
	_, err := s.w.Write(s.frame)
	if err == nil && !s.noFlush {
		err = s.control.Flush()
		if errors.Is(err, http.ErrNotSupported) {
			s.noFlush, err = true, nil
		}
	}
	if err != nil {
		s.err = fmt.Errorf("openresponses: write event: %w", err)
		s.gone()
	}
	return s.err
}

// finish ends the stream after the adapter, which returned err. If nothing was written, it returns the error that
// the peer should have.
func (s *streamSink) finish(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.refuse()
	switch {
	case s.err != nil:
		return nil
	case !s.terminal && !s.started && err != nil:
		if s.ctx.Err() != nil {
			return nil // nobody is there
		}
		return err
	case !s.terminal:
		s.conclude(err)
	}
	if s.err == nil {
		s.frame = sse.AppendDone(s.frame[:0])
		s.write()
	}
	return nil
}

// conclude sends the terminal event that the adapter did not. An error event must have response.failed after it, so
// a stream that has one fails in any case.
func (s *streamSink) conclude(err error) {
	resp := s.folded()
	if err == nil && resp.Status != ResponseStatusFailed {
		resp.Complete()
		s.send(&ResponseCompletedEvent{Response: resp})
		return
	}
	if err != nil {
		e := AsError(err)
		if !s.errored {
			s.send(&ErrorEvent{Error: e.Payload()})
		}
		resp.Fail(e)
	}
	if s.err == nil {
		s.send(&ResponseFailedEvent{Response: resp})
	}
}

// folded returns the response as far as it was streamed; what the stream didn't say of it is as the request has it.
func (s *streamSink) folded() *Response {
	streamed := s.acc.Response()
	if streamed != nil && streamed.ID != "" {
		return streamed.Clone()
	}
	resp := s.blank().Clone()
	if streamed != nil {
		resp.Status, resp.Error = streamed.Status, streamed.Error
		resp.Output, resp.Usage = streamed.Output, streamed.Usage
	}
	return resp
}

// close refuses what an adapter sends after it has returned or panicked: the writer isn't ours any more.
func (s *streamSink) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse()
}

func (s *streamSink) refuse() {
	if s.err == nil && !s.terminal {
		s.err = ErrStreamClosed
	}
}
