package compact

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// CannotShrinkError says that a request is over the limit of [WithLimit] and that folding
// cannot bring it below: what has to be kept is too large.
type CannotShrinkError struct {
	Tokens  int                // of the request, by estimate
	Limit   int                // what it may have
	Largest openresponses.Item // the largest item of the request, nil for a request without items
	Size    int                // of that item, by estimate
}

// Error names the sizes and what is largest.
func (e *CannotShrinkError) Error() string {
	what := "there are no items"
	if e.Largest != nil {
		what = fmt.Sprintf("its largest item, a %s, has %d", e.Largest.ItemType(), e.Size)
	}
	return fmt.Sprintf("compact: the request cannot be made to fit: %d tokens for %d, and %s", e.Tokens, e.Limit, what)
}

func (t *Transform) cannotShrink(items agentturn.Transcript, tokens int) error {
	e := &CannotShrinkError{Tokens: tokens, Limit: t.limit}
	for _, item := range items {
		if size := t.estimate(openresponses.Items{item}); e.Largest == nil || size > e.Size {
			e.Largest, e.Size = item, size
		}
	}
	return e
}

// IsTooLong reports whether a model refused a request because it has too many tokens, by the
// code, the status or the words that servers use for it.
func IsTooLong(err error) bool {
	var e *openresponses.Error
	if !errors.As(err, &e) {
		return false
	}
	code := strings.ToLower(e.Code)
	if code == "context_length_exceeded" || code == "string_above_max_length" || e.HTTPStatus() == http.StatusRequestEntityTooLarge {
		return true
	}
	message := strings.ToLower(e.Message)
	return slices.ContainsFunc([]string{
		"context length", "context window", "context_length", "maximum context", "prompt is too long", "too many tokens",
		"exceeds the available context", "exceed_context_size", "input is too long",
	}, func(words string) bool { return strings.Contains(message, words) })
}

// Retry is a policy for agentturn.Config.Retry that folds and tries again when the model
// refuses a request of this Transform as too long; everything else is left to base. What was
// refused is also what later requests stay below, by a quarter. Each attempt beyond the first
// keeps half as many of the last items.
//
// MaxAttempts is base's, or 2 where that is less. ctx ends the fold's model call: the loop has
// none to give. A request that cannot be made smaller goes out as it was, and the model's
// refusal is the turn's error.
func (t *Transform) Retry(ctx context.Context, base agentturn.Retry) agentturn.Retry {
	retry := base
	retry.MaxAttempts = max(base.MaxAttempts, 2)
	retryable, backoff := base.Retryable, base.Backoff
	if retryable == nil {
		retryable = agentturn.DefaultRetryable
	}
	if base.MaxAttempts < 2 {
		retryable = func(error) bool { return false }
	}
	retry.Retryable = func(err error) bool { return IsTooLong(err) || retryable(err) }
	if backoff == nil {
		backoff = agentturn.DefaultBackoff
	}
	retry.Backoff = func(attempt int, err error) (wait time.Duration) {
		if IsTooLong(err) {
			return 0
		}
		return backoff(attempt, err)
	}
	retry.Revise = func(attempt int, req *openresponses.Request, err error) *openresponses.Request {
		if IsTooLong(err) {
			if input, ok := t.refold(ctx, attempt, req.Input); ok {
				req.Input = input
			}
		}
		if base.Revise != nil {
			return base.Revise(attempt, req, err)
		}
		return nil
	}
	return retry
}

// refold folds the transcript that a refused request was made of, and makes its input anew.
func (t *Transform) refold(ctx context.Context, attempt int, sent openresponses.Items) (openresponses.Items, bool) {
	t.mu.Lock()
	seen := t.seen
	ours := len(seen) > 0 && len(sent) > 0 && lastOf(t.filter(slices.Clone(seen))) == lastOf(agentturn.Transcript(sent))
	if ours {
		t.window = max(t.estimate(sent)*3/4, 1)
	}
	keep := t.keepLast
	t.mu.Unlock()
	if !ours {
		return nil, false // of another conversation, or edited on its way
	}
	smaller := t.keeping(keep >> (attempt - 1))
	out, err := smaller.transform(ctx, seen, true)
	if err != nil {
		return nil, false
	}
	t.mu.Lock()
	t.memory, t.failed, t.last = smaller.memory, smaller.failed, smaller.last
	t.mu.Unlock()
	input := asSent(t.filter(out), seen, sent)
	return input, t.estimate(input) < t.estimate(sent)
}

// keeping is a Transform like t, of the same conversation, that keeps other than its last items.
func (t *Transform) keeping(n int) *Transform {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &Transform{settings: t.settings, folder: t.folder, memory: t.memory, failed: t.failed, last: t.last, window: t.window}
	c.keepLast = n
	return c
}

func lastOf(items agentturn.Transcript) openresponses.Item {
	if len(items) == 0 {
		return nil
	}
	return items[len(items)-1]
}

// asSent is what of out belongs into a request, each item in the form in which the request
// refused had it: the loop leaves some out, and sends others otherwise than it keeps them.
func asSent(out, seen agentturn.Transcript, sent openresponses.Items) openresponses.Items {
	known := map[openresponses.Item]bool{}
	for _, item := range seen {
		known[item] = true
	}
	forms := map[any]openresponses.Item{}
	for _, item := range sent {
		forms[identity(item)] = item
	}
	var input openresponses.Items
	for _, item := range out {
		if form, ok := forms[identity(item)]; ok {
			input = append(input, form)
		} else if !known[item] {
			input = append(input, item) // what stands in for the prefix
		}
	}
	return input
}

// identity tells items apart that a request may have another copy of.
func identity(item openresponses.Item) any {
	type call struct{ kind, id string }
	switch item := item.(type) {
	case *openresponses.FunctionCall:
		return call{"call", item.CallID}
	case *openresponses.FunctionCallOutput:
		return call{"output", item.CallID}
	}
	return item
}
