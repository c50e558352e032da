package agentturntest

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
)

// A Recorder keeps events and writes each as one line as it arrives, in the
// form [Line] gives it and with the IDs that were drawn at random replaced in
// the order in which they appear: run_1, run_2 and so on, and call_gen1 for an
// ID the loop gave a call. The zero Recorder is ready and safe for concurrent
// use.
type Recorder struct {
	// Omit lists types of events (agentturn.EventItemUpdate and the like)
	// to write no lines for. [Recorder.Events] has them all the same.
	Omit []string

	mu     sync.Mutex
	events []agentturn.Event
	lines  []string
	ids    map[string]string // name given to each random ID
	counts map[string]int    // names given, by prefix
}

// Record keeps an event. It has the form Agent.Subscribe takes and never fails.
// Subscribe it before any subscriber that may fail, so that it misses nothing.
func (r *Recorder) Record(_ context.Context, ev agentturn.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, ev)
	if !slices.Contains(r.Omit, ev.EventType()) {
		r.lines = append(r.lines, r.nameIDs(Line(ev)))
	}
	return nil
}

// Collect records a whole run, as agentturn.Run and agentturn.Continue return
// it, and gives back how it ended, nil when the sequence ended without saying.
func (r *Recorder) Collect(run iter.Seq[agentturn.Event]) *agentturn.RunEnd {
	var end *agentturn.RunEnd
	for ev := range run {
		r.Record(context.Background(), ev)
		if e, ok := ev.(*agentturn.RunEnd); ok {
			end = e
		}
	}
	return end
}

// Events returns the events recorded, oldest first.
func (r *Recorder) Events() []agentturn.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// Lines returns the lines written, oldest first.
func (r *Recorder) Lines() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.lines)
}

// Reset forgets the events and lines, and keeps the names given to IDs.
func (r *Recorder) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events, r.lines = nil, nil
}

// Expect fails the test, showing a [Diff], unless the lines are exactly want.
func (r *Recorder) Expect(tb testing.TB, want ...string) {
	tb.Helper()
	if diff := Diff(r.Lines(), want); diff != "" {
		tb.Errorf("events differ (- expected, + recorded):\n%s", diff)
	}
}

// randomID matches an ID as openresponses.NewID makes it.
var randomID = regexp.MustCompile(`\b([A-Za-z0-9_-]*)_[0-9a-f]{24}\b`)

// nameIDs replaces the random IDs in a line.
func (r *Recorder) nameIDs(line string) string {
	return randomID.ReplaceAllStringFunc(line, func(id string) string {
		name, ok := r.ids[id]
		if !ok {
			prefix := id[:strings.LastIndexByte(id, '_')]
			if r.ids == nil {
				r.ids, r.counts = make(map[string]string), make(map[string]int)
			}
			r.counts[prefix]++
			name = fmt.Sprintf("%s_gen%d", prefix, r.counts[prefix])
			if prefix == "run" {
				name = fmt.Sprintf("run_%d", r.counts[prefix])
			}
			r.ids[id] = name
		}
		return name
	})
}
