package agentturn

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ChristopherDavenport/openresponses"
)

// RefusedReasoning recovers a conversation whose encrypted reasoning a server cannot read, as
// after a change of account, deployment or key under one model name. Set its Retry and its
// BeforeModelCall on a [Config]:
//
//	var refused agentturn.RefusedReasoning
//	cfg.Retry = refused.Retry(cfg.Retry)
//	cfg.BeforeModelCall = agentturn.ChainBeforeModelCall(refused.BeforeModelCall, cfg.BeforeModelCall)
//
// A model call that is refused for its encrypted content is made again without the reasoning
// it held, and later requests leave that reasoning out too. The transcript keeps it. The zero
// value is ready, and serves runs side by side.
type RefusedReasoning struct {
	mu    sync.Mutex
	items map[*openresponses.ReasoningItem]struct{}
}

// codeInvalidEncryptedContent is what a server refuses encrypted reasoning with.
const codeInvalidEncryptedContent = "invalid_encrypted_content"

// Retry is policy with a second attempt, at once, for a call whose reasoning was refused. Any
// other failure is retried as policy says.
func (r *RefusedReasoning) Retry(policy Retry) Retry {
	retryable, backoff, revise := policy.Retryable, policy.Backoff, policy.Revise
	switch {
	case policy.MaxAttempts < 2:
		policy.MaxAttempts = 2
		retryable = func(error) bool { return false }
	case retryable == nil:
		retryable = DefaultRetryable
	}
	if backoff == nil {
		backoff = DefaultBackoff
	}
	policy.Retryable = func(err error) bool { return isRefusedReasoning(err) || retryable(err) }
	policy.Backoff = func(attempt int, err error) time.Duration {
		if isRefusedReasoning(err) {
			return 0
		}
		return backoff(attempt, err)
	}
	policy.Revise = func(attempt int, req *openresponses.Request, err error) *openresponses.Request {
		if isRefusedReasoning(err) {
			r.refuse(req.Input)
			req.Input = r.without(req.Input)
			return nil
		}
		if revise == nil {
			return nil
		}
		return revise(attempt, req, err)
	}
	return policy
}

// BeforeModelCall leaves the reasoning that was refused before out of req.
func (r *RefusedReasoning) BeforeModelCall(_ context.Context, req *openresponses.Request) error {
	req.Input = r.without(req.Input)
	return nil
}

func isRefusedReasoning(err error) bool {
	var refused *openresponses.Error
	return errors.As(err, &refused) && refused.Code == codeInvalidEncryptedContent
}

func (r *RefusedReasoning) refuse(input openresponses.Items) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, item := range input {
		if reasoning, ok := item.(*openresponses.ReasoningItem); ok {
			if r.items == nil {
				r.items = make(map[*openresponses.ReasoningItem]struct{})
			}
			r.items[reasoning] = struct{}{}
		}
	}
}

// without is input without the refused items, input itself when it holds none.
func (r *RefusedReasoning) without(input openresponses.Items) openresponses.Items {
	r.mu.Lock()
	defer r.mu.Unlock()
	refused := func(item openresponses.Item) bool {
		reasoning, ok := item.(*openresponses.ReasoningItem)
		if !ok {
			return false
		}
		_, ok = r.items[reasoning]
		return ok
	}
	if len(r.items) == 0 || !slices.ContainsFunc(input, refused) {
		return input
	}
	return slices.DeleteFunc(slices.Clone(input), refused)
}
