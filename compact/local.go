package compact

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// Why a summary is of no use. The model is asked once more, and then the request goes out as it
// was, the fold reported with this error.
var (
	ErrSummaryNoText     = errors.New("compact: summary response has no text")
	ErrSummaryIncomplete = errors.New("compact: summary response is incomplete")
	ErrSummaryTooLarge   = errors.New("compact: summary is larger than what it folds")
)

func isSoft(err error) bool {
	return errors.Is(err, ErrSummaryNoText) || errors.Is(err, ErrSummaryIncomplete) || errors.Is(err, ErrSummaryTooLarge)
}

// DefaultSummaryPrompt is what [NewLocal] asks of the model behind the items to fold.
const DefaultSummaryPrompt = `Write a summary of the conversation above. It will replace these messages, so whoever reads on has nothing but your text.

Keep every fact, decision, constraint and open question that may matter later, and every identifier as it is written: names of files, IDs, URLs, numbers. For each tool call, keep what it was for and what came of it. If the conversation begins with an earlier summary, work it in; do not repeat it beside yours.

Write in the third person, in prose or short lists, without an introduction.`

// SummaryMessage is the item that a summary stands in as: a message of the user's that says what
// it is.
func SummaryMessage(summary string) openresponses.Item {
	return openresponses.UserText("Summary of the conversation so far:\n\n" + summary)
}

// NewLocal folds with a summary that a model writes.
func NewLocal(model openresponses.Streamer, opts ...Option) *Transform {
	t := newTransform(summarizer{model}, opts)
	if t.minFold < 0 {
		t.minFold = max(2*t.estimate(openresponses.Items{t.summaryOf("")}), t.budget/8)
	}
	return t
}

type summarizer struct{ model openresponses.Streamer }

func (m summarizer) fold(ctx context.Context, s *settings, input openresponses.Items) folded {
	first := m.ask(ctx, s, input)
	first.attempts = 1
	if first.err == nil || !isSoft(first.err) {
		return first
	}
	second := m.ask(ctx, s, input)
	second.attempts = 2
	second.usage = sum(first.usage, second.usage)
	return second
}

// ask asks for one summary and looks at what comes.
func (m summarizer) ask(ctx context.Context, s *settings, input openresponses.Items) (f folded) {
	req := s.summaryRequest(input)
	f.request = &req
	response, err := openresponses.CollectStream(ctx, m.model, req)
	if response != nil {
		f.usage, f.responseID = response.Usage, response.ID
		for _, item := range response.Output {
			if item != nil {
				f.types = append(f.types, item.ItemType())
			}
		}
	}
	switch {
	case err != nil:
		if cause := ctx.Err(); cause != nil && !errors.Is(err, cause) {
			err = fmt.Errorf("%w: %w", cause, err)
		}
		f.err = fmt.Errorf("compact: summary: %w", err)
	case response.Status == openresponses.ResponseStatusFailed:
		f.err = errors.New("compact: summary response failed")
	case response.Status == openresponses.ResponseStatusIncomplete:
		f.err = ErrSummaryIncomplete
		if d := response.IncompleteDetails; d != nil && d.Reason != "" {
			f.err = fmt.Errorf("%w: %s", ErrSummaryIncomplete, d.Reason)
		}
	default:
		f.summary, f.err = s.summary(response, input)
	}
	if f.err == nil {
		f.output = openresponses.Items{f.summary}
	}
	return f
}

func (s *settings) summaryRequest(input openresponses.Items) openresponses.Request {
	store := false
	req := openresponses.Request{Model: s.model, Store: &store}
	if most := min(s.budget/2, DefaultSummaryMaxOutputTokens); most > 0 {
		req.MaxOutputTokens = &most
	}
	for _, item := range input {
		if _, ok := item.(*openresponses.ReasoningItem); !ok {
			req.Input = append(req.Input, s.clipped(item))
		}
	}
	req.Input = append(req.Input, openresponses.UserText(s.prompt))
	if s.edit != nil {
		s.edit(&req)
	}
	return req
}

// summary is the item that stands in for the input, unless it is of no use.
func (s *settings) summary(response *openresponses.Response, input openresponses.Items) (openresponses.Item, error) {
	var text strings.Builder
	for _, item := range response.Output {
		if m, ok := item.(*openresponses.Message); ok && m != nil && m.Role == openresponses.RoleAssistant {
			text.WriteString(m.Text())
		}
	}
	summary := strings.TrimSpace(text.String())
	if summary == "" {
		return nil, ErrSummaryNoText
	}
	item := s.summaryOf(summary)
	got := s.estimate(openresponses.Items{item}) - s.estimate(openresponses.Items{s.summaryOf("")})
	if folds := s.estimate(input); got >= folds {
		return nil, fmt.Errorf("%w: %d tokens for %d", ErrSummaryTooLarge, got, folds)
	}
	return item, nil
}

// sum adds up what two calls cost; nil is nothing known.
func sum(a, b *openresponses.Usage) *openresponses.Usage {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	total := &openresponses.Usage{
		InputTokens: a.InputTokens + b.InputTokens, OutputTokens: a.OutputTokens + b.OutputTokens, TotalTokens: a.TotalTokens + b.TotalTokens,
	}
	total.InputTokensDetails.CachedTokens = a.InputTokensDetails.CachedTokens + b.InputTokensDetails.CachedTokens
	total.OutputTokensDetails.ReasoningTokens = a.OutputTokensDetails.ReasoningTokens + b.OutputTokensDetails.ReasoningTokens
	return total
}
