package websocket

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/ChristopherDavenport/openresponses"
)

// frame is one message of the peer's.
type frame struct {
	text bool
	data []byte
}

// inbox keeps the frames that were read until they are taken. A connection has to be read all the time: without that
// no ping is answered, no answer to one is seen, and two peers that both write would wait for each other. One
// goroutine puts and one takes.
type inbox struct {
	limit   int64           // of bytes kept, unless it is a single frame
	closed  <-chan struct{} // ends the waiting
	arrived chan struct{}   // frames or failure changed
	taken   chan struct{}   // there is more room
	full    atomic.Bool     // a frame waits for room, and nothing is being read

	mu      sync.Mutex
	frames  []frame
	held    int64 // bytes
	failure error // what ended the reading
}

func newInbox(limit int64, closed <-chan struct{}) *inbox {
	return &inbox{limit: limit, closed: closed, arrived: make(chan struct{}, 1), taken: make(chan struct{}, 1)}
}

// put keeps a frame as soon as there is room for it. It returns false if the inbox is closed first.
func (b *inbox) put(f frame) bool {
	for !b.tryPut(f) {
		b.full.Store(true)
		select {
		case <-b.taken:
		case <-b.closed:
			return false
		}
	}
	b.full.Store(false)
	signal(b.arrived)
	return true
}

func (b *inbox) tryPut(f frame) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	size := int64(len(f.data))
	if len(b.frames) > 0 && b.held+size > b.limit {
		return false
	}
	b.frames = append(b.frames, f)
	b.held += size
	return true
}

// fail says what take returns once when the frames are used up.
func (b *inbox) fail(err error) {
	b.mu.Lock()
	b.failure = err
	b.mu.Unlock()
	signal(b.arrived)
}

// take returns the first frame, when there is one. The end of the context is its error and takes nothing. A closed
// inbox, and one whose failure was returned, gives openresponses.ErrStreamClosed.
func (b *inbox) take(ctx context.Context) (frame, error) {
	for {
		if err := ctx.Err(); err != nil {
			return frame{}, err
		}
		select {
		case <-b.closed:
			return frame{}, openresponses.ErrStreamClosed
		default:
		}
		if f, ok, err := b.tryTake(); ok || err != nil {
			return f, err
		}
		select {
		case <-b.arrived:
		case <-b.closed:
		case <-ctx.Done():
		}
	}
}

func (b *inbox) tryTake() (f frame, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.frames) == 0 {
		if err = b.failure; err != nil {
			b.failure = openresponses.ErrStreamClosed
		}
		return frame{}, false, err
	}
	f = b.frames[0]
	b.frames[0] = frame{}
	b.frames = b.frames[1:]
	b.held -= int64(len(f.data))
	signal(b.taken)
	return f, true, nil
}

// signal wakes up whoever waits on the channel, now or next.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
