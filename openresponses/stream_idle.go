package openresponses

import "time"

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
