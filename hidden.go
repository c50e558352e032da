package agentturn

import (
	"encoding/json"

	"github.com/ChristopherDavenport/openresponses"
)

// hiddenItem is an item with the mark of [Hidden] on it. It stands for the item
// wherever the mark has not been taken off: it reports the same type and encodes
// to the same bytes.
type hiddenItem struct {
	openresponses.Item
}

// MarshalJSON encodes the item without the mark.
func (h *hiddenItem) MarshalJSON() ([]byte, error) { return json.Marshal(h.Item) }

// Hidden marks item as one for the model and not for the user: a reminder, the
// report of an interrupt. It may be used on any item handed to a run, as a prompt,
// in a queue or from [Config.BeforeTurn].
//
// The loop takes the mark off as it appends the item, so the transcript and the
// request hold the item itself; [ItemStart], [ItemEnd] and [Queued] say that it was
// marked. An item still queued carries the mark, see [Unhide]. A nil item stays nil,
// and a marked one is not marked again.
func Hidden(item openresponses.Item) openresponses.Item {
	if isNil(item) {
		return nil
	}
	if _, hidden := Unhide(item); hidden {
		return item
	}
	return &hiddenItem{item}
}

// Unhide returns the item without the mark of [Hidden], and whether it had one.
func Unhide(item openresponses.Item) (openresponses.Item, bool) {
	if h, ok := item.(*hiddenItem); ok && h != nil {
		return h.Item, true
	}
	return item, false
}
