package agentturntest_test

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/ChristopherDavenport/agentturn/agentturntest"
)

// cleaningTB is a testing.TB whose clean-up the test runs by hand.
type cleaningTB struct {
	recordingTB
	cleanup []func()
}

func (tb *cleaningTB) Cleanup(fn func()) { tb.cleanup = append(tb.cleanup, fn) }

func (tb *cleaningTB) finish() []string {
	for i := len(tb.cleanup) - 1; i >= 0; i-- {
		tb.cleanup[i]()
	}
	return tb.errors
}

func leakUntil(stop chan struct{}) { <-stop }

// TestNoLeaks leaves goroutines behind, of its own and of one that is gone.
func TestNoLeaks(t *testing.T) {
	for name, tt := range map[string]struct {
		start  func(stop chan struct{})
		ignore []string
		leaks  bool
	}{
		"none": {start: func(chan struct{}) {}},
		"one":  {start: func(stop chan struct{}) { go leakUntil(stop) }, leaks: true},
		"started by one that is gone": {start: func(stop chan struct{}) {
			var parent sync.WaitGroup
			parent.Go(func() { go leakUntil(stop) })
			parent.Wait()
		}, leaks: true},
		"ignored": {start: func(stop chan struct{}) { go leakUntil(stop) }, ignore: []string{"leakUntil"}},
		"in time": {start: func(stop chan struct{}) { go func() { close(stop) }() }},
	} {
		t.Run(name, func(t *testing.T) {
			// A bubble's clock makes the wait for late goroutines short.
			synctest.Test(t, func(t *testing.T) {
				tb := &cleaningTB{recordingTB: recordingTB{TB: t}}
				stop := make(chan struct{})
				agentturntest.NoLeaks(tb, tt.ignore...)
				tt.start(stop)
				errors := tb.finish()
				select {
				case <-stop:
				default:
					close(stop)
				}
				if leaks := len(errors) > 0; leaks != tt.leaks {
					t.Fatalf("reported %q", errors)
				}
				for _, text := range errors {
					if !strings.Contains(text, "leakUntil") {
						t.Errorf("the stack does not show the function: %s", text)
					}
				}
			})
		})
	}
}

// TestNoLeaksInParallel runs a test that leaks beside tests that do not.
func TestNoLeaksInParallel(t *testing.T) {
	stop := make(chan struct{})
	defer close(stop)
	var waiting sync.WaitGroup
	waiting.Add(1)
	go func() {
		tb := &cleaningTB{recordingTB: recordingTB{TB: t}}
		agentturntest.NoLeaks(tb)
		go leakUntil(stop)
		waiting.Done()
	}()
	waiting.Wait()
	tb := &cleaningTB{recordingTB: recordingTB{TB: t}}
	agentturntest.NoLeaks(tb)
	if errors := tb.finish(); len(errors) > 0 {
		t.Errorf("saw another test's goroutine: %q", errors)
	}
}
