package responses

import (
	"github.com/ChristopherDavenport/openresponses"
)

// relay writes the items of an agent's model to a client, as items of its own: with IDs,
// indexes and snapshots that the emitter gives. One item is open to the client at a time; one
// that opens before it is closed waits for it.
type relay struct {
	emitter *openresponses.Emitter
	items   []*relayed // not closed yet, in the order in which they opened; the first one streams
}

// relayed is an item on its way.
type relayed struct {
	item   openresponses.Item          // as it opened
	writer writer                      // of the one that streams, if it is of a kind that does
	held   []openresponses.StreamEvent // what came while it waited
	ended  openresponses.Item          // once it has
}

// writer streams one item.
type writer interface {
	// update writes what a wire event adds.
	update(ev openresponses.StreamEvent) error
	// end writes what is missing of the item as it ended, and closes it.
	end(item openresponses.Item) error
	// cut closes the item as one that did not end. withheld takes back what was written.
	cut(withheld bool) error
}

func newRelay(emitter *openresponses.Emitter) *relay { return &relay{emitter: emitter} }

// opened takes an item that began.
func (r *relay) opened(item openresponses.Item) error {
	if item == nil {
		return nil
	}
	r.items = append(r.items, &relayed{item: item})
	return r.advance()
}

// updated takes a wire event inside an item.
func (r *relay) updated(item openresponses.Item, ev openresponses.StreamEvent) error {
	i := r.find(item)
	switch {
	case i < 0:
		return nil // the item was never announced, and comes whole when it ends
	case i > 0 || r.items[0].writer == nil:
		r.items[i].held = append(r.items[i].held, ev)
		return nil
	}
	return r.items[0].writer.update(ev)
}

// ended takes an item that is complete.
func (r *relay) ended(item openresponses.Item) error {
	i := r.find(item)
	if i < 0 {
		r.items = append(r.items, &relayed{item: item})
		i = len(r.items) - 1
	}
	r.items[i].ended = item
	return r.advance()
}

// find is the place of the item that is meant, -1 for one that has not opened.
func (r *relay) find(item openresponses.Item) int {
	return nearest(len(r.items), item, func(i int) openresponses.Item {
		if r.items[i].ended != nil {
			return nil
		}
		return r.items[i].item
	})
}

// advance writes what may be written: the first item as far as it has come, and what is
// behind it once it is closed.
func (r *relay) advance() error {
	for len(r.items) > 0 {
		o := r.items[0]
		if o.writer == nil {
			if err := r.open(o); err != nil {
				return err
			}
		}
		if o.ended == nil {
			return nil
		}
		r.items = r.items[1:]
		if err := r.close(o); err != nil {
			return err
		}
	}
	return nil
}

// open begins to stream the item, if it is of a kind that streams.
func (r *relay) open(o *relayed) (err error) {
	item := o.item
	if o.ended != nil {
		item = o.ended
	}
	switch item := item.(type) {
	case *openresponses.Message:
		if item.Role == openresponses.RoleAssistant {
			o.writer, err = openMessage(r.emitter, item)
		}
	case *openresponses.FunctionCall:
		o.writer, err = openCall(r.emitter, item)
	case *openresponses.ReasoningItem:
		o.writer, err = openReasoning(r.emitter)
	}
	if err != nil || o.writer == nil {
		return err
	}
	for _, ev := range o.held {
		if err := o.writer.update(ev); err != nil {
			return err
		}
	}
	o.held = nil
	return nil
}

// close ends the item: one that did not stream is written whole.
func (r *relay) close(o *relayed) error {
	if o.writer != nil {
		return o.writer.end(o.ended)
	}
	// A copy: the loop's own is in its transcript, and the emitter gives it a status.
	return r.emitter.Item(openresponses.Items{o.ended}.Clone()[0])
}

// cut closes what is open as items that did not end.
func (r *relay) cut() error { return r.drop(false) }

// withhold closes what is open, the messages without what they have shown.
func (r *relay) withhold() error { return r.drop(true) }

func (r *relay) drop(withheld bool) error {
	for len(r.items) > 0 {
		o := r.items[0]
		r.items = r.items[1:]
		if o.writer == nil {
			if o.ended == nil {
				continue // nothing of it was shown
			}
			if err := r.open(o); err != nil {
				return err
			}
		}
		if o.ended != nil {
			if err := r.close(o); err != nil {
				return err
			}
			continue
		}
		if err := o.writer.cut(withheld); err != nil {
			return err
		}
	}
	return nil
}

// message says a whole text as the assistant.
func (r *relay) message(text string) error {
	w, err := r.emitter.Message("")
	if err != nil {
		return err
	}
	if err := w.Text(text); err != nil {
		return err
	}
	return w.Close()
}
