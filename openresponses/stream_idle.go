package openresponses

import (
	"fmt"
	"time"
)

// IdleError reports a stream on which the server kept silent for too long: no data came, whatever else did.
// Comments that keep a connection alive are not data. It is a net.Error that timed out, as for a connection that
// broke.
type IdleError struct {
	Model string        // the model that was asked; may be empty
	Wait  time.Duration // the longest silence allowed
}

func (e *IdleError) Error() string {
	if e.Model == "" {
		return fmt.Sprintf("openresponses: no data on the stream for %v", e.Wait)
	}
	return fmt.Sprintf("openresponses: no data from model %q for %v", e.Model, e.Wait)
}

// Timeout returns true.
func (e *IdleError) Timeout() bool { return true }

// Temporary returns true: another attempt may succeed. It is there for net.Error.
func (e *IdleError) Temporary() bool { return true }

// FrameTooLargeError reports a frame of a stream that is longer than the reader accepts.
type FrameTooLargeError struct {
	Limit int64 // in bytes
}

func (e *FrameTooLargeError) Error() string {
	const mib = 1 << 20
	if e.Limit%mib == 0 {
		return fmt.Sprintf("openresponses: sse: frame exceeds %d MiB", e.Limit/mib)
	}
	return fmt.Sprintf("openresponses: sse: frame exceeds %d bytes", e.Limit)
}

// idleWatch measures the silence on a stream: the time that the reader waits without data coming in. The time
// that the consumer takes between two reads is not silence. Its fields are guarded by the stream's lock.
//
// One timer serves the whole stream. It is not set anew for every delta but looks, when it fires, at how long the
// silence really was, and sets itself for what is left; it rests while nobody reads.
type idleWatch struct {
	err   IdleError
	since time.Time // the last data, or the start of the wait for it; zero while nobody waits
	timer *time.Timer
	armed bool
}

// waitForData runs before each read of the body.
func (s *EventStream) waitForData(data bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.idle
	if s.ended {
		return
	}
	if data || w.since.IsZero() {
		w.since = time.Now()
	}
	switch {
	case w.armed:
		return
	case w.timer == nil:
		w.timer = time.AfterFunc(w.err.Wait, s.checkIdle)
	default:
		w.timer.Reset(w.err.Wait)
	}
	w.armed = true
}

// checkIdle runs when the timer fires, and ends the stream if it was silent all the while.
func (s *EventStream) checkIdle() {
	s.mu.Lock()
	w := s.idle
	w.armed = false
	if s.ended || w.since.IsZero() {
		s.mu.Unlock()
		return
	}
	if left := w.err.Wait - time.Since(w.since); left > 0 {
		w.armed = true
		w.timer.Reset(left)
		s.mu.Unlock()
		return
	}
	err := w.err
	s.endLocked(&err)
	s.mu.Unlock()
	s.body()
}

// rest notes that nobody waits for data.
func (w *idleWatch) rest() {
	if w != nil {
		w.since = time.Time{}
	}
}

// stop ends the watch. Should the timer fire all the same, it finds that the stream has ended.
func (w *idleWatch) stop() {
	if w != nil && w.timer != nil {
		w.timer.Stop()
	}
}
