package responses

import (
	"cmp"

	"github.com/ChristopherDavenport/openresponses"
)

// nearest is which of n open items a value is of, the first one of those that fit best, and -1
// when it is of none. open returns nil for an item that is not open any more.
func nearest(n int, item openresponses.Item, open func(i int) openresponses.Item) int {
	best, found := another, -1
	for i := range n {
		o := open(i)
		if o == nil || item == nil {
			continue
		}
		if fit := compare(o, item); fit > best {
			best, found = fit, i
		}
	}
	return found
}

// How well two values fit as two states of one item.
const (
	another   = iota // they are of two
	perhaps          // nothing tells them apart
	sameName         // they share the ID that names them
	sameNames        // they share two
	same             // they are one value
)

func compare(a, b openresponses.Item) int {
	if a == b {
		return same
	}
	if a.ItemType() != b.ItemType() {
		return another
	}
	byID := compareIDs(itemID(a), itemID(b))
	x, isCall := a.(*openresponses.FunctionCall)
	y, alsoCall := b.(*openresponses.FunctionCall)
	if !isCall || !alsoCall {
		return byID
	}
	switch byCall := compareIDs(x.CallID, y.CallID); {
	case byCall == sameName && byID == sameName:
		return sameNames
	case byCall == another || byCall == sameName:
		return byCall // an item ID may change on the way, or name two
	default:
		return byID
	}
}

func compareIDs(a, b string) int {
	switch {
	case a == "" || b == "":
		return perhaps
	case a == b:
		return sameName
	}
	return another
}

func itemID(item openresponses.Item) string {
	switch item := item.(type) {
	case *openresponses.Message:
		return item.ID
	case *openresponses.FunctionCall:
		return item.ID
	case *openresponses.FunctionCallOutput:
		return cmp.Or(item.ID, item.CallID)
	case *openresponses.ReasoningItem:
		return item.ID
	case *openresponses.Compaction:
		return item.ID
	case *openresponses.UnknownItem:
		return item.ID
	}
	return ""
}

// outputIndex is the index of an event inside an item, of those that a relay writes on.
func outputIndex(ev openresponses.StreamEvent) (int, bool) {
	switch ev := ev.(type) {
	case *openresponses.OutputTextDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.OutputTextAnnotationAddedEvent:
		return ev.OutputIndex, true
	case *openresponses.RefusalDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.FunctionCallArgumentsDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningSummaryTextDeltaEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningSummaryPartDoneEvent:
		return ev.OutputIndex, true
	case *openresponses.ReasoningDeltaEvent:
		return ev.OutputIndex, true
	}
	return 0, false
}
