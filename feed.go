package agentturn

import (
	"sync"

	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// feed is the host of a low-level run: its events go to a range loop that reads behind it,
// and nothing can be queued. A channel would do, but for its buffer, which is there from
// the start: most runs are never far ahead of their reader.
type feed struct {
	mu    sync.Mutex
	ready sync.Cond // an event came, or the run is over
	room  sync.Cond // an event was read, or nobody reads any more
	ring  []fed     // the events not read yet: count of them from first on, round the end
	first int
	count int
	over  bool // the run has sent its last event
	gone  bool // nobody reads any more
}

// fed is an event on its way to the range loop. opened is the wire event behind the
// item_start of a streamed item.
type fed struct {
	event  Event
	opened *openresponses.OutputItemAddedEvent
}

func newFeed() *feed {
	f := &feed{}
	f.ready.L, f.room.L = &f.mu, &f.mu
	return f
}

func (f *feed) deliver(ev Event) error {
	f.send(fed{event: ev})
	return nil
}

func (f *feed) deliverOpened(ev *ItemStart, wire *openresponses.OutputItemAddedEvent) error {
	f.send(fed{event: ev, opened: wire})
	return nil
}

// send waits while EventBuffer events are unread. Tools send as well as the run.
func (f *feed) send(e fed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.count == EventBuffer && !f.gone {
		f.room.Wait()
	}
	if f.gone {
		return
	}
	if f.count == len(f.ring) {
		f.grow()
	}
	f.ring[(f.first+f.count)%len(f.ring)] = e
	f.count++
	f.ready.Signal()
}

func (f *feed) grow() {
	ring := make([]fed, max(8, min(2*len(f.ring), EventBuffer)))
	n := copy(ring, f.ring[f.first:])
	copy(ring[n:], f.ring[:f.first])
	f.ring, f.first = ring, 0
}

// receive waits for the next event; false says that there is none to come.
func (f *feed) receive() (fed, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.count == 0 && !f.over {
		f.ready.Wait()
	}
	if f.count == 0 {
		return fed{}, false
	}
	e := f.ring[f.first]
	f.ring[f.first] = fed{}
	f.first = (f.first + 1) % len(f.ring)
	f.count--
	if f.count == EventBuffer-1 {
		f.room.Broadcast()
	}
	return e, true
}

// finish says that the run has sent its last event.
func (f *feed) finish() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.over = true
	f.ready.Broadcast()
}

// leave drops what is unread and still to come, and waits for the run to be over.
func (f *feed) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gone, f.ring, f.first, f.count = true, nil, 0, 0
	f.room.Broadcast()
	for !f.over {
		f.ready.Wait()
	}
}

func (f *feed) commit(log *ledger, item openresponses.Item) { log.append(item) }
func (f *feed) drain(bool) []queuedItem                     { return nil }
func (f *feed) queued() bool                                { return false }
func (f *feed) closeQueues()                                {}
func (f *feed) steered() <-chan struct{}                    { return nil }

// mirror accumulates the streamed items once more, on the side of the range loop: the loop's
// own are ahead of the events read there, and still being written to.
type mirror struct {
	items openresponses.Accumulator
}

// reflect puts the mirror's item in the place of the loop's.
func (m *mirror) reflect(e fed) {
	switch ev := e.event.(type) {
	case *TurnStart, *ModelRetry:
		m.items = openresponses.Accumulator{}
	case *ItemStart:
		if e.opened != nil {
			m.items.Add(e.opened)
			ev.Item = m.at(e.opened.OutputIndex, ev.Item)
		}
	case *ItemUpdate:
		m.items.Add(ev.Stream)
		if index, ok := fold.OutputIndex(ev.Stream); ok {
			ev.Item = m.at(index, ev.Item)
		}
	}
}

// at is the mirror's item at index, under the call ID of the loop's.
func (m *mirror) at(index int, live openresponses.Item) openresponses.Item {
	item, ok := m.items.ItemAt(index)
	if !ok {
		return nil
	}
	call, isCall := item.(*openresponses.FunctionCall)
	named, _ := live.(*openresponses.FunctionCall)
	if !isCall || named == nil || named.CallID == call.CallID {
		return item
	}
	renamed := *call
	renamed.CallID = named.CallID
	return &renamed
}
