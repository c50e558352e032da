package agentturn

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestHostLock: one goroutine at a time, each in its turn, and who waits is durably blocked: in a bubble time goes on.
func TestHostLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lock hostLock
		start := time.Now()
		inside := 0
		done := make(chan struct{})
		for range 20 {
			go func() {
				lock.Lock()
				if inside++; inside > 1 {
					t.Error("two goroutines hold the lock")
				}
				time.Sleep(time.Second)
				inside--
				lock.Unlock()
				done <- struct{}{}
			}()
		}
		for range 20 {
			<-done
		}
		if d := time.Since(start); d != 20*time.Second {
			t.Errorf("20 goroutines took %v", d)
		}
	})
}
