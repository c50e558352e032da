package compact

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// Transform is a value for agentturn.Config.Transform. Make one with [New] or [NewLocal]. It is
// safe for concurrent use; no lock is held across model calls and callbacks.
type Transform struct {
	settings
	folder folder

	mu     sync.Mutex
	memory memory
	failed failure
	last   openresponses.Item   // that stood in for a prefix
	seen   agentturn.Transcript // what Transform was given last
	window int                  // the largest estimate that is known to fit; 0 while nothing is known
}

// folder makes something shorter of a list of items.
type folder interface {
	fold(ctx context.Context, s *settings, input openresponses.Items) folded
}

// folded is what a fold gave: items that stand in for its input, or an error.
type folded struct {
	output     openresponses.Items
	summary    openresponses.Item
	usage      *openresponses.Usage
	responseID string
	types      []string
	attempts   int
	request    *openresponses.Request
	err        error
}

// memory is the fold applied last.
type memory struct {
	covered  int // items of the transcript
	hash     string
	standing openresponses.Items
}

// failure is the fold of no use last.
type failure struct {
	split  int
	hash   string
	tokens int
}

// Transform returns the transcript as it is to be sent: unchanged while it is within the
// budget, or with its older part folded. What it returns shares the items it was given. An
// error fails the turn: a fold that failed, a callback's, prefixed "compact: on-fold: ", or a
// [*CannotShrinkError] under [WithLimit].
func (t *Transform) Transform(ctx context.Context, items agentturn.Transcript) (agentturn.Transcript, error) {
	out, err := t.transform(ctx, items, false)
	if err != nil {
		return nil, err
	}
	if t.limit > 0 {
		if tokens := t.estimate(openresponses.Items(out)); tokens > t.limit {
			return nil, t.cannotShrink(out, tokens)
		}
	}
	return out, nil
}

// Last returns the item that stood in for a prefix last: the summary, or the server's
// compaction item; nil before the first fold.
func (t *Transform) Last() openresponses.Item {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// plan is a fold that is to be made.
type plan struct {
	view   agentturn.Transcript
	tokens int // of the view
	split  int
	input  openresponses.Items
	known  memory
}

func (t *Transform) transform(ctx context.Context, items agentturn.Transcript, force bool) (agentturn.Transcript, error) {
	p, due := t.plan(items, force)
	if !due {
		return p.view, nil
	}
	f := t.folder.fold(ctx, &t.settings, p.input)
	if f.err != nil {
		return t.give(ctx, items, p, f)
	}
	return t.apply(ctx, items, p, f)
}

// plan finds out what the request looks like and whether something is to be folded.
func (t *Transform) plan(items agentturn.Transcript, force bool) (plan, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seen = items
	var p plan
	base := 0
	p.view, base = t.view(items)
	p.tokens = t.estimate(openresponses.Items(p.view))
	if p.tokens <= t.mostTokens() && !force {
		return p, false
	}
	p.split = split(items, t.keepLast)
	if p.split <= base || !force && t.backsOff(items, p.split, p.tokens) {
		return p, false
	}
	p.input = append(p.input, p.view[:len(p.view)-(len(items)-base)]...)
	p.input = append(p.input, t.filter(items[base:p.split:p.split])...)
	if len(p.input) == 0 || !force && t.estimate(p.input) < t.minFold {
		return p, false
	}
	p.known = t.memory
	return p, true
}

// mostTokens is the budget, or less when a model has refused less.
func (t *Transform) mostTokens() int {
	if t.window > 0 {
		return min(t.budget, t.window)
	}
	return t.budget
}

// view is the transcript with the fold applied last in place of the items that it covers, of
// which there are base. A fold of another transcript is forgotten.
func (t *Transform) view(items agentturn.Transcript) (view agentturn.Transcript, base int) {
	m := t.memory
	if m.hash == "" || m.covered < 1 || len(items) < m.covered || PrefixHash(items[:m.covered]) != m.hash {
		t.memory = memory{}
		return items, 0
	}
	return joined(m.standing, items[m.covered:]), m.covered
}

// joined is two lists in one that shares memory with neither.
func joined(head openresponses.Items, tail agentturn.Transcript) agentturn.Transcript {
	out := make(agentturn.Transcript, 0, len(head)+len(tail))
	return append(append(out, head...), tail...)
}

// backsOff reports whether the fold is too much like one that failed.
func (t *Transform) backsOff(items agentturn.Transcript, split, tokens int) bool {
	f := t.failed
	return t.backOff && f.hash != "" && len(items) >= f.split &&
		split < f.split+max(t.keepLast, 1) &&
		tokens < f.tokens+max(t.budget/4, 1) &&
		PrefixHash(items[:f.split]) == f.hash
}

// split is the index of the first item that is kept: at most keepLast from the end, and ahead
// of every call whose output is kept.
func split(items agentturn.Transcript, keepLast int) int {
	at := max(len(items)-keepLast, 0)
	calls := map[string]int{}
	for i, item := range items[:at] {
		if call, ok := item.(*openresponses.FunctionCall); ok && call != nil {
			if _, known := calls[call.CallID]; !known {
				calls[call.CallID] = i
			}
		}
	}
	for i := len(items) - 1; i >= at; i-- {
		if out, ok := items[i].(*openresponses.FunctionCallOutput); ok && out != nil {
			if call, known := calls[out.CallID]; known && call < at {
				at = call
			}
		}
	}
	return at
}

// apply remembers a fold, reports it and returns what goes out.
func (t *Transform) apply(ctx context.Context, items agentturn.Transcript, p plan, f folded) (agentturn.Transcript, error) {
	t.mu.Lock()
	if t.memory.covered != p.known.covered || t.memory.hash != p.known.hash {
		// Somebody else folded meanwhile.
		view, _ := t.view(items)
		t.mu.Unlock()
		return view, nil
	}
	var pinned openresponses.Items
	if t.pin != nil {
		for _, item := range t.filter(items[:p.split:p.split]) {
			if t.pin(item) {
				pinned = append(pinned, item)
			}
		}
	}
	standing := joined(f.output, agentturn.Transcript(pinned))
	t.memory = memory{covered: p.split, hash: PrefixHash(items[:p.split]), standing: openresponses.Items(standing)}
	if f.summary != nil {
		t.last = f.summary
	}
	t.mu.Unlock()
	report := t.report(p, f)
	report.Output, report.Summary, report.Pinned = f.output, f.summary, pinned
	if p.split < len(items) {
		report.First = items[p.split]
	}
	if err := t.told(ctx, report); err != nil {
		return nil, err
	}
	return joined(openresponses.Items(standing), items[p.split:]), nil
}

// give is what becomes of a turn whose fold failed.
func (t *Transform) give(ctx context.Context, items agentturn.Transcript, p plan, f folded) (agentturn.Transcript, error) {
	soft := isSoft(f.err)
	report := t.report(p, f)
	if soft {
		report.PrefixHash = PrefixHash(items[:p.split])
	}
	if err := t.told(ctx, report); err != nil {
		return nil, err
	}
	if !soft {
		return nil, f.err
	}
	if report.PrefixHash != "" {
		t.mu.Lock()
		t.failed = failure{p.split, report.PrefixHash, p.tokens}
		t.mu.Unlock()
	}
	return p.view, nil
}

// Estimate guesses how many tokens items are: a quarter of the bytes of their JSON; 0 for items
// that do not encode.
func Estimate(items openresponses.Items) int {
	data, err := json.Marshal(items)
	if err != nil {
		return 0
	}
	return len(data) / 4
}

// PrefixHash names a list of items by what is in it: the SHA-256 of its JSON, in hexadecimal.
// It is empty for items that do not encode.
func PrefixHash(items agentturn.Transcript) string {
	data, err := json.Marshal(openresponses.Items(items))
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
