package responses

import (
	"testing"

	"github.com/ChristopherDavenport/openresponses"
)

func TestNearest(t *testing.T) {
	call := func(id, callID string) *openresponses.FunctionCall {
		return &openresponses.FunctionCall{ID: id, CallID: callID}
	}
	message := func(id string) *openresponses.Message { return &openresponses.Message{ID: id} }
	unnamed := message("")
	for _, c := range []struct {
		name string
		open openresponses.Items
		item openresponses.Item
		want int
	}{
		{"nothing is open", nil, message("a"), -1},
		{"nil", openresponses.Items{message("a")}, nil, -1},
		{"another type", openresponses.Items{message("a")}, call("a", "a"), -1},
		{"one that has ended", openresponses.Items{nil}, message("a"), -1},
		{"the same ID", openresponses.Items{message("b"), message("a")}, message("a"), 1},
		{"another ID", openresponses.Items{message("b")}, message("a"), -1},
		{"no ID", openresponses.Items{message("b"), message("")}, message(""), 0},
		{"the same value", openresponses.Items{message(""), unnamed}, unnamed, 1},
		{"a call that changed its item ID", openresponses.Items{call("x", "1"), call("y", "2")}, call("z", "2"), 1},
		{"calls with one call ID", openresponses.Items{call("x", "1"), call("y", "1")}, call("y", "1"), 1},
		{"another call of one item ID", openresponses.Items{call("x", "1")}, call("x", "2"), -1},
		{"a call without IDs", openresponses.Items{call("x", ""), call("", "")}, call("x", ""), 0},
		{"calls told apart by item IDs alone", openresponses.Items{call("x", ""), call("y", "")}, call("y", "1"), 1},
	} {
		got := nearest(len(c.open), c.item, func(i int) openresponses.Item { return c.open[i] })
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
