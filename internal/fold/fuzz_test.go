package fold_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// A script is a stream in four bytes an event: what it is, its index, which IDs, which content.

var (
	scriptIndexes  = []int{0, 0, 1, 2, -1, 1 << 40}
	scriptIDs      = []string{"", "a", "b", "c"}
	scriptCallIDs  = []string{"", "x", "y"}
	scriptContents = []string{"", "{}", `{"a":"\ud83d"}`, "\xff", "hi"}
	scriptStatuses = []openresponses.Status{"", openresponses.StatusCompleted, openresponses.StatusIncomplete}
)

func pick[T any](from []T, b byte) T { return from[int(b)%len(from)] }

func scriptItem(which, ids, content byte) openresponses.Item {
	id, text := pick(scriptIDs, ids), pick(scriptContents, content)
	switch which % 6 {
	case 0:
		return message(id, text)
	case 1:
		return reasoning(id, text)
	case 2:
		return unknown("acme:x", id)
	case 3:
		if content%2 == 0 {
			return nil
		}
		fallthrough
	default:
		return call(id, pick(scriptCallIDs, ids/4), text, pick(scriptStatuses, content/8))
	}
}

func scriptEvent(code [4]byte) openresponses.StreamEvent {
	index, which := pick(scriptIndexes, code[1]), code[1]/8
	switch code[0] % 12 {
	case 0, 1, 2:
		return added(index, scriptItem(which, code[2], code[3]))
	case 3, 4, 5, 6:
		return done(index, scriptItem(which, code[2], code[3]))
	case 7:
		return args(index, pick(scriptContents, code[3]))
	case 8:
		return pick(updates(index), code[2])
	case 9:
		return &openresponses.ErrorEvent{}
	case 10:
		return &openresponses.ResponseInProgressEvent{Response: response("in_progress", "resp", scriptItems(code[2:])...)}
	default:
		status := pick([]openresponses.ResponseStatus{"completed", "incomplete", ""}, which)
		return &openresponses.ResponseCompletedEvent{Response: response(status, "resp", scriptItems(code[2:])...)}
	}
}

// scriptItems lists up to three items.
func scriptItems(code []byte) openresponses.Items {
	var items openresponses.Items
	for i := range code[0] % 4 {
		items = append(items, scriptItem(code[0]/4+i, code[1]+i*code[0], code[1]/2+i))
	}
	return items
}

func FuzzFold(f *testing.F) {
	const open, complete, delta, respond, call, message = 0, 3, 7, 11, 4 * 8, 0
	f.Add([]byte{open, message, 1, 0, 8, 0, 0, 0, 8, 0, 1, 0, complete, message, 1, 4, respond, 0, 1, 0})
	f.Add([]byte{open, call, 5, 0, delta, 0, 0, 1, complete, call, 5, 1, respond, 0, 0, 0})
	f.Add([]byte{complete, call, 4, 1, complete, call, 4, 2, complete, call, 4, 2, respond, 0, 3 + 4*4, 4})
	f.Add([]byte{open, call, 0, 0, complete, call, 1, 0, open, call, 0, 0, complete, call, 2, 1, respond, 0, 2 + 4*4, 4})
	f.Add([]byte{open, call + 2, 4, 0, respond, 8, 3 + 4*4, 4, delta, 2, 0, 3, complete, call + 2, 4, 1})
	f.Add([]byte{respond, 0, 3 + 3*4, 9})
	f.Add([]byte{9, 0, 0, 0, 10, 0, 3 + 4*4, 1, delta, 0, 0, 1, open, 3 * 8, 0, 0, respond, 8, 0, 0})
	f.Fuzz(func(t *testing.T, script []byte) {
		c := newChecker(t)
		for ; len(script) >= 4; script = script[4:] {
			c.add(scriptEvent([4]byte(script)))
		}
		c.finish()
	})
}

// checker holds a folder to what must be so of every stream.
type checker struct {
	t     *testing.T
	fold  *fold.Folder
	given []string // the IDs that calls run under
	slots int
	open  map[int]bool
	done  map[int]openresponses.Item
	shown map[int]string // the items of done, as they were
	sent  []string       // the output of the last response, as it was
	calls []*openresponses.FunctionCall
}

func newChecker(t *testing.T) *checker {
	c := &checker{t: t, open: map[int]bool{}, done: map[int]openresponses.Item{}, shown: map[int]string{}}
	decide := deciding()
	c.fold = fold.New(func(modelID string) string {
		id := decide(modelID)
		c.given = append(c.given, id)
		return id
	})
	return c
}

func (c *checker) add(ev openresponses.StreamEvent) {
	if response, ok := openresponses.TerminalResponse(ev); ok {
		c.sent = showItems(response.Output)
	}
	asked := len(c.given)
	changes := c.fold.Add(ev)
	if len(changes) > 1 {
		c.t.Errorf("%d changes", len(changes))
	}
	if len(c.given) > asked && (len(changes) == 0 || changes[0].Kind != fold.Open && changes[0].Kind != fold.Done) {
		c.t.Errorf("%T gave a call an ID and changed %v", ev, changes)
	}
	for _, change := range changes {
		switch change.Kind {
		case fold.Open:
			if change.Slot != c.slots {
				c.t.Errorf("opened slot %d, want %d", change.Slot, c.slots)
			}
			c.slots++
			c.open[change.Slot] = true
		case fold.Done:
			c.complete(change)
		}
	}
}

func (c *checker) complete(change fold.Change) {
	switch {
	case c.done[change.Slot] != nil:
		c.t.Errorf("slot %d completed twice", change.Slot)
	case !c.open[change.Slot] && change.Slot != c.slots:
		c.t.Errorf("slot %d completed, want %d", change.Slot, c.slots)
	case !c.open[change.Slot]:
		c.slots++
	}
	c.done[change.Slot] = change.Item
	c.shown[change.Slot] = show(change.Item)
	if call, ok := change.Item.(*openresponses.FunctionCall); ok {
		c.calls = append(c.calls, call)
		if !slices.Contains(c.given, call.CallID) {
			c.t.Errorf("a call runs under %q, which nobody gave it", call.CallID)
		}
	}
	if accumulated := c.fold.Accumulated(); accumulated != nil {
		for _, item := range accumulated.Output {
			// Of an unknown type the accumulator knows nothing to write.
			if _, unknown := item.(*openresponses.UnknownItem); item == change.Item && !unknown {
				c.t.Errorf("the accumulator goes on writing to %s", show(item))
			}
		}
	}
	for _, item := range c.fold.Before(change.Slot) {
		if item == nil {
			c.t.Error("nil before a completed item")
		}
	}
}

func (c *checker) finish() {
	if before := c.fold.Before(c.slots); len(before) > c.slots {
		c.t.Errorf("%d items in %d slots", len(before), c.slots)
	}
	if c.fold.Response() != nil {
		c.settle()
		if got := showItems(c.fold.Response().Output); !slices.Equal(got, c.sent) {
			c.t.Errorf("the response sent was %q, and is %q", c.sent, got)
		}
	}
	for slot, item := range c.done {
		if show(item) != c.shown[slot] {
			c.t.Errorf("slot %d was %s, and is %s", slot, c.shown[slot], show(item))
		}
	}
}

// settle checks the result.
func (c *checker) settle() {
	result := c.fold.Result()
	var batch []*openresponses.FunctionCall
	ids := map[string]bool{}
	for _, call := range result.Calls {
		batch = append(batch, call.Item)
		if ids[call.Item.CallID] || !slices.Contains(c.given, call.Item.CallID) {
			c.t.Errorf("call ID %q is a second one, or nobody gave it", call.Item.CallID)
		}
		ids[call.Item.CallID] = true
		if call.Item.Status == openresponses.StatusIncomplete && !call.CutOff {
			c.t.Errorf("%s may run", show(call.Item))
		}
	}
	if !slices.Equal(batch, result.Response.FunctionCalls()) {
		c.t.Errorf("calls %q are not those of the response, %q", showCalls(result.Calls), showItems(result.Response.Output))
	}
	want := slices.Clone(c.calls)
	for _, u := range result.Unstreamed {
		if c.done[u.Slot] != nil || u.Opened != c.open[u.Slot] || !u.Opened && u.Slot < c.slots {
			c.t.Errorf("unstreamed in slot %d of %d", u.Slot, c.slots)
		}
		c.done[u.Slot], c.shown[u.Slot] = u.Item, show(u.Item)
		if call, ok := u.Item.(*openresponses.FunctionCall); ok {
			want = append(want, call)
		} else if len(c.calls) > 0 {
			c.t.Errorf("%s is unstreamed in a response that was streamed", show(u.Item))
		}
	}
	if !sameCalls(batch, want) {
		c.t.Errorf("calls are %q; completed %d and unstreamed %q", showCalls(result.Calls), len(c.calls), showUnstreamed(result.Unstreamed))
	}
	others := func(items openresponses.Items) []string {
		return showItems(slices.DeleteFunc(slices.Clone(items), func(item openresponses.Item) bool {
			_, ok := item.(*openresponses.FunctionCall)
			return ok
		}))
	}
	if got, want := others(result.Response.Output), others(c.fold.Response().Output); !slices.Equal(got, want) {
		c.t.Errorf("other items are %q, were %q", got, want)
	}
	if again := c.fold.Result(); fmt.Sprint(again) != fmt.Sprint(result) {
		c.t.Error("another result the second time")
	}
}

// sameCalls reports whether two lists hold the same calls, each once.
func sameCalls(a, b []*openresponses.FunctionCall) bool {
	seen := map[*openresponses.FunctionCall]int{}
	for _, call := range a {
		seen[call]++
	}
	for _, call := range b {
		seen[call]--
	}
	for _, n := range seen {
		if n != 0 {
			return false
		}
	}
	return len(a) == len(b)
}
