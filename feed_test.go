package agentturn

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
)

// TestFeedOrder: events come out as they went in, however far the reader is behind, and the ring grows no further than
// it has to.
func TestFeedOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		f := newFeed()
		sent, read, most := 0, 0, 0
		for sent < 1000 {
			for range min(random.IntN(40), EventBuffer-(sent-read)) {
				sent++
				f.send(fed{event: &TurnEnd{Turn: sent}})
			}
			most = max(most, sent-read)
			for range random.IntN(sent - read + 1) {
				e, ok := f.receive()
				if read++; !ok || e.event.(*TurnEnd).Turn != read {
					t.Fatalf("read %v as event %d", e.event, read)
				}
			}
		}
		if len(f.ring) >= 2*max(most, 8) {
			t.Errorf("a ring of %d for %d unread events", len(f.ring), most)
		}
		f.finish()
		for {
			e, ok := f.receive()
			if !ok {
				break
			}
			if read++; e.event.(*TurnEnd).Turn != read {
				t.Fatalf("read %v as event %d", e.event, read)
			}
		}
		if read != sent {
			t.Errorf("read %d of %d events", read, sent)
		}
	}
}

// TestFeedLeave: a sender that waits for room is let go when the reader leaves, who waits for the end.
func TestFeedLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFeed()
		sent := 0
		go func() {
			for range 2 * EventBuffer {
				f.send(fed{event: &RunStart{}})
				sent++
			}
			f.finish()
		}()
		synctest.Wait()
		if sent != EventBuffer {
			t.Errorf("%d events were sent to nobody, want %d", sent, EventBuffer)
		}
		f.leave()
		if sent != 2*EventBuffer {
			t.Errorf("left when %d events had been sent", sent)
		}
	})
}
