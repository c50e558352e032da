package agentturntest

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// leakLabel marks the goroutines of a test. Goroutines inherit labels from the
// one that starts them, so that tests running in parallel do not see each
// other's.
const leakLabel = "agentturntest.leaks"

// leakWait is how long a goroutine that is on its way out is waited for.
const leakWait = 2 * time.Second

var leakTests atomic.Int64

// NoLeaks fails the test if goroutines started by it, or by what it started,
// are still there when it is over. Call it first, from the test's own
// goroutine: clean-up registered later has run by the time it looks. Goroutines
// whose stack contains one of the ignored texts do not count, and neither do
// those of package testing.
func NoLeaks(tb testing.TB, ignore ...string) {
	tb.Helper()
	label := fmt.Sprintf("%s %d", tb.Name(), leakTests.Add(1))
	pprof.SetGoroutineLabels(pprof.WithLabels(context.Background(), pprof.Labels(leakLabel, label)))
	tb.Cleanup(func() {
		pprof.SetGoroutineLabels(context.Background())
		deadline := time.Now().Add(leakWait)
		leaked := labelled(label, ignore)
		for wait := time.Millisecond; len(leaked) > 0 && time.Now().Before(deadline); wait *= 2 {
			time.Sleep(wait)
			leaked = labelled(label, ignore)
		}
		for _, stack := range leaked {
			tb.Errorf("agentturntest: leaked goroutine:\n%s", stack)
		}
	})
}

// labelled returns the stacks of the goroutines that carry the label.
func labelled(label string, ignore []string) []string {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return []string{err.Error()}
	}
	mark := fmt.Sprintf("%q:%q", leakLabel, label)
	ignore = append([]string{"testing.tRunner", "testing.(*T).Run", "testing.(*B).run"}, ignore...)
	var stacks []string
	for _, stack := range strings.Split(profile.String(), "\n\n") {
		if strings.Contains(stack, mark) && !containsAny(stack, ignore) {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}

func containsAny(s string, texts []string) bool {
	for _, text := range texts {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}
