package streamtest

import (
	"errors"
	"fmt"

	"github.com/ChristopherDavenport/openresponses"
)

// Option relaxes what Validate checks.
type Option func(*options)

type options struct {
	reuseIndexes bool
}

// WithOutputIndexReuse allows an output index to name a further item once the one before is done, as some servers do
// for parallel calls. The first use of an index must still be the next unused one.
func WithOutputIndexReuse() Option {
	return func(o *options) { o.reuseIndexes = true }
}

// Validate holds a complete stream against the rules of the protocol and returns an error that names the first event
// that breaks one, by its place and type, or nil.
//
// The stream begins with response.created and ends with its one terminal event, events are numbered from 0, and an
// error event is followed by response.failed. Items come one after another, each at the next output index, and each
// is done before the next; so do the parts of an item, whose deltas lie between its added and its done events, and
// whose text is done before they are. The terminal response has the status of its event and lists the items that
// were streamed, unless it failed. Events of unknown types only have to be numbered.
func Validate(events []openresponses.StreamEvent, opts ...Option) error {
	var v validator
	for _, opt := range opts {
		opt(&v.options)
	}
	for i, ev := range events {
		if ev == nil {
			return fmt.Errorf("streamtest: event %d is nil", i)
		}
		if err := v.event(i, ev); err != nil {
			return fmt.Errorf("streamtest: event %d (%s): %w", i, ev.EventType(), err)
		}
	}
	switch {
	case len(events) == 0:
		return errors.New("streamtest: the stream has no events")
	case !v.ended:
		last := len(events) - 1
		return fmt.Errorf("streamtest: event %d (%s) is the last, but not terminal", last, events[last].EventType())
	}
	return nil
}

// validator is the state of a stream up to some event.
type validator struct {
	options
	failing bool // the last event was an error
	ended   bool
	items   []itemKey
	indexes int // output indexes used
	open    *openItem
}

type itemKey struct{ typ, id string }

func keyOf(item openresponses.Item) itemKey {
	return itemKey{item.ItemType(), itemID(item)}
}

func (k itemKey) String() string { return fmt.Sprintf("%s %q", k.typ, k.id) }

// event checks the place of an event in the stream, then what it says.
func (v *validator) event(i int, ev openresponses.StreamEvent) error {
	_, created := ev.(*openresponses.ResponseCreatedEvent)
	_, failed := ev.(*openresponses.ResponseFailedEvent)
	switch {
	case v.ended:
		return errors.New("comes after the terminal event")
	case i == 0 && !created:
		return errors.New("the first event is not response.created")
	case i > 0 && created:
		return errors.New("the response was created before")
	case ev.Sequence() != int64(i):
		return fmt.Errorf("sequence number is %d, want %d", ev.Sequence(), i)
	case v.failing && !failed:
		return errors.New("an error event is not followed by response.failed")
	}
	_, v.failing = ev.(*openresponses.ErrorEvent)
	switch ev := ev.(type) {
	case *openresponses.ResponseCompletedEvent:
		return v.end(ev.Response, openresponses.ResponseStatusCompleted)
	case *openresponses.ResponseIncompleteEvent:
		return v.end(ev.Response, openresponses.ResponseStatusIncomplete)
	case *openresponses.ResponseFailedEvent:
		return v.end(ev.Response, openresponses.ResponseStatusFailed)
	case *openresponses.OutputItemAddedEvent:
		return v.itemAdded(ev)
	case *openresponses.OutputItemDoneEvent:
		return v.itemDone(ev)
	}
	return v.inItem(ev)
}

func (v *validator) end(resp *openresponses.Response, want openresponses.ResponseStatus) error {
	v.ended = true
	if resp == nil {
		return errors.New("no response")
	}
	if resp.Status != want {
		return fmt.Errorf("status of the response is %q, want %q", resp.Status, want)
	}
	if want == openresponses.ResponseStatusFailed {
		return nil
	}
	if v.open != nil {
		return fmt.Errorf("%v is not done", v.open.key)
	}
	if len(resp.Output) != len(v.items) {
		return fmt.Errorf("the response has %d items, %d were streamed", len(resp.Output), len(v.items))
	}
	for i, item := range resp.Output {
		if item == nil {
			return fmt.Errorf("item %d of the response is null", i)
		}
		if got := keyOf(item); got != v.items[i] {
			return fmt.Errorf("item %d of the response is %v, streamed was %v", i, got, v.items[i])
		}
	}
	return nil
}

func (v *validator) itemAdded(ev *openresponses.OutputItemAddedEvent) error {
	switch {
	case ev.Item == nil:
		return errors.New("no item")
	case v.open != nil:
		return fmt.Errorf("%v is not done", v.open.key)
	case ev.OutputIndex == v.indexes:
		v.indexes++
	case v.reuseIndexes && ev.OutputIndex >= 0 && ev.OutputIndex < v.indexes:
	default:
		return fmt.Errorf("output_index is %d, want %d", ev.OutputIndex, v.indexes)
	}
	v.open = &openItem{key: keyOf(ev.Item), index: ev.OutputIndex}
	v.items = append(v.items, v.open.key)
	return nil
}

func (v *validator) itemDone(ev *openresponses.OutputItemDoneEvent) error {
	switch {
	case ev.Item == nil:
		return errors.New("no item")
	case v.open == nil:
		return errors.New("no item is open")
	case ev.OutputIndex != v.open.index:
		return fmt.Errorf("output_index is %d, want %d", ev.OutputIndex, v.open.index)
	case keyOf(ev.Item) != v.open.key:
		return fmt.Errorf("%v is done while %v is open", keyOf(ev.Item), v.open.key)
	}
	if err := v.open.finished(); err != nil {
		return err
	}
	v.open = nil
	return nil
}

// itemID returns the id of an item, empty for types registered from outside.
func itemID(item openresponses.Item) string {
	switch item := item.(type) {
	case *openresponses.Message:
		return item.ID
	case *openresponses.FunctionCall:
		return item.ID
	case *openresponses.FunctionCallOutput:
		return item.ID
	case *openresponses.ReasoningItem:
		return item.ID
	case *openresponses.Compaction:
		return item.ID
	case *openresponses.ItemReference:
		return item.ID
	case *openresponses.UnknownItem:
		return item.ID
	}
	return ""
}
