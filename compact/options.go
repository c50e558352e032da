package compact

import (
	"context"
	"fmt"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// What applies unless an option says otherwise.
const (
	// DefaultBudget is how many tokens a request may have, by estimate.
	DefaultBudget = 100_000

	// DefaultKeepLast is how many of the last items are kept at least.
	DefaultKeepLast = 4

	// DefaultSummaryMaxOutputTokens is the most a summary may have, also when half of the
	// budget is more.
	DefaultSummaryMaxOutputTokens = 8192
)

// Option sets one property of a [Transform]. One given twice counts the second time, but for
// [WithOnFold], which adds.
type Option func(*Transform)

// settings are what options set.
type settings struct {
	budget    int
	limit     int
	estimate  func(openresponses.Items) int
	model     string
	keepLast  int
	minFold   int // negative for the default
	backOff   bool
	pin       func(openresponses.Item) bool
	filter    func(agentturn.Transcript) agentturn.Transcript
	prompt    string
	edit      func(*openresponses.Request)
	summaryOf func(string) openresponses.Item
	onFold    []func(context.Context, Fold) error
}

func newTransform(f folder, opts []Option) *Transform {
	t := &Transform{folder: f, settings: settings{
		budget: DefaultBudget, estimate: Estimate, keepLast: DefaultKeepLast, minFold: -1, backOff: true,
		filter: agentturn.DefaultFilter, prompt: DefaultSummaryPrompt, summaryOf: SummaryMessage,
	}}
	for _, opt := range opts {
		if opt != nil {
			opt(t)
		}
	}
	return t
}

// WithBudget sets the estimate above which a request is folded.
func WithBudget(tokens int) Option { return func(t *Transform) { t.budget = tokens } }

// WithLimit sets the estimate above which [Transform.Transform] fails with a
// [*CannotShrinkError], folded or not. It is the size of the model's window, where the budget
// leaves room for an answer. Zero, the default, means that everything is sent.
func WithLimit(tokens int) Option { return func(t *Transform) { t.limit = tokens } }

// WithEstimator sets how tokens are counted, in place of [Estimate]. It is called from several
// goroutines, also under the Transform's lock, and must not call the Transform. nil is ignored.
func WithEstimator(fn func(openresponses.Items) int) Option {
	return func(t *Transform) {
		if fn != nil {
			t.estimate = fn
		}
	}
}

// WithModel names the model that folds. Empty, the default, leaves it to the server.
func WithModel(name string) Option { return func(t *Transform) { t.model = name } }

// WithKeepLast sets how many of the last items are kept at least. With 0 everything is folded.
// Less counts as 0.
func WithKeepLast(n int) Option { return func(t *Transform) { t.keepLast = max(n, 0) } }

// WithMinFold sets the estimate below which there is too little to fold. A negative one stands
// for the default: 0 for [New], and for [NewLocal] an eighth of the budget, or twice an empty
// summary where that is more.
func WithMinFold(tokens int) Option { return func(t *Transform) { t.minFold = tokens } }

// WithFailedFold tells of a fold that was of no use earlier, in the words of its [Fold], so that
// it is not tried again at once. An empty hash or a negative split is ignored.
func WithFailedFold(split int, prefixHash string, tokens int) Option {
	return func(t *Transform) {
		if prefixHash != "" && split >= 0 {
			t.failed = failure{split, prefixHash, tokens}
		}
	}
}

// WithBackOff sets whether a prefix whose fold was of no use is left alone until the
// conversation has grown. It is, by default.
func WithBackOff(enabled bool) Option { return func(t *Transform) { t.backOff = enabled } }

// WithPin names items that are kept word for word, behind the fold, as long as fn says so. fn
// must not call the Transform.
func WithPin(fn func(openresponses.Item) bool) Option { return func(t *Transform) { t.pin = fn } }

// WithFilter sets which items may be sent to be folded, and be pinned. The default, also for
// nil, is agentturn.DefaultFilter.
func WithFilter(fn func(agentturn.Transcript) agentturn.Transcript) Option {
	return func(t *Transform) {
		if fn != nil {
			t.filter = fn
		}
	}
}

// WithSummaryPrompt sets what [NewLocal] asks of the model, in place of [DefaultSummaryPrompt].
func WithSummaryPrompt(prompt string) Option { return func(t *Transform) { t.prompt = prompt } }

// WithRequest lets fn edit each summary request of [NewLocal] before it is sent.
func WithRequest(fn func(*openresponses.Request)) Option { return func(t *Transform) { t.edit = fn } }

// WithSummaryItem sets what item [NewLocal] makes of a summary, in place of [SummaryMessage]. fn
// must not return nil. nil is ignored.
func WithSummaryItem(fn func(summary string) openresponses.Item) Option {
	return func(t *Transform) {
		if fn != nil {
			t.summaryOf = fn
		}
	}
}

// WithOnFold adds a function that is told of every fold, applied or failed, on the goroutine of
// the turn and with its context. Its error fails the turn, and keeps those added after it from
// being called. nil is ignored.
func WithOnFold(fn func(context.Context, Fold) error) Option {
	return func(t *Transform) {
		if fn != nil {
			t.onFold = append(t.onFold, fn)
		}
	}
}

// Fold tells of one fold.
type Fold struct {
	// Split is how many items of the transcript were folded, or would have been.
	Split int

	// First is the first item that was kept, nil when none was or the fold failed.
	First openresponses.Item

	// Output are the items that stand in for the prefix, without the pinned ones, and Summary
	// the one of them that sums it up: the compaction item of a server, or the summary. Both
	// are nil for a fold that failed.
	Output  openresponses.Items
	Summary openresponses.Item

	// TokensBefore is the estimate that was over the budget.
	TokensBefore int

	// Usage is what the fold cost, nil when the server did not say.
	Usage *openresponses.Usage

	// ResponseID and OutputTypes are of the response that came last.
	ResponseID  string
	OutputTypes []string

	// Attempts is how often the model was asked.
	Attempts int

	// Pinned are the items kept word for word, nil when none were.
	Pinned openresponses.Items

	// Request is the summary request sent last, nil for a server's own compaction.
	Request *openresponses.Request

	// PrefixHash names what was to be folded by a fold of no use, for [WithFailedFold].
	PrefixHash string

	// Err is why the fold failed, nil for one that was applied.
	Err error
}

// report is what all folds have to tell.
func (t *Transform) report(p plan, f folded) Fold {
	return Fold{
		Split: p.split, TokensBefore: p.tokens, Usage: f.usage, ResponseID: f.responseID, OutputTypes: f.types,
		Attempts: f.attempts, Request: f.request, Err: f.err,
	}
}

// told calls the callbacks.
func (t *Transform) told(ctx context.Context, f Fold) error {
	for _, fn := range t.onFold {
		if err := fn(ctx, f); err != nil {
			return fmt.Errorf("compact: on-fold: %w", err)
		}
	}
	return nil
}
