package openresponses

import (
	"context"
	"fmt"
)

// A Continuation tells what became of a request's previous response ID.
type Continuation struct {
	ID       string // as the request had it; empty for a request that continues nothing
	Resolved bool   // a store knew it
}

// ResolveContinuation puts the conversation that a request continues in front of its input and clears its
// PreviousResponseID. The first store that knows the ID serves it; nil ones are passed over. If none does, the request
// is left as it is and nothing is resolved.
//
// The error is that of a store, or an *Error where the input answers a call that the conversation doesn't have; the
// continuation is resolved then. In both cases the request is left as it is.
func ResolveContinuation(ctx context.Context, req *Request, stores ...ResponseStore) (Continuation, error) {
	cont := Continuation{ID: req.PreviousResponseID}
	history, ok, err := loadHistory(ctx, cont.ID, stores)
	if err != nil || !ok {
		return cont, err
	}
	cont.Resolved = true
	merged := append(history.Clone(), req.Input...)
	if err := validatePairs(merged); err != nil {
		return cont, err
	}
	req.Input = merged
	req.PreviousResponseID = ""
	return cont, nil
}

func loadHistory(ctx context.Context, id string, stores []ResponseStore) (Items, bool, error) {
	if id == "" {
		return nil, false, nil
	}
	for _, store := range stores {
		if store == nil {
			continue
		}
		history, ok, err := store.Load(ctx, id)
		if err != nil {
			return nil, false, fmt.Errorf("openresponses: load response %q: %w", id, err)
		}
		if ok {
			return history, true, nil
		}
	}
	return nil, false, nil
}

// History returns the conversation that ends in a response, to be saved under its ID: the input of the request, as
// the adapter saw it, and the output. It is a deep copy, never nil. A nil response has no output.
func History(req Request, resp *Response) Items {
	history := append(Items{}, req.Input.Clone()...)
	if resp != nil {
		history = append(history, resp.Output.Clone()...)
	}
	return history
}

// StampPreviousID sets the PreviousResponseID of the response that a lifecycle event carries, unless it has one. It
// does nothing for other events and for an empty ID.
func StampPreviousID(ev StreamEvent, id string) {
	if resp := snapshotOf(ev); resp != nil && id != "" && resp.PreviousResponseID == nil {
		resp.PreviousResponseID = &id
	}
}

// snapshotOf returns the response of a lifecycle event, and nil for any other event.
func snapshotOf(ev StreamEvent) *Response {
	switch ev := ev.(type) {
	case *ResponseCreatedEvent:
		return ev.Response
	case *ResponseQueuedEvent:
		return ev.Response
	case *ResponseInProgressEvent:
		return ev.Response
	case *ResponseCompletedEvent:
		return ev.Response
	case *ResponseFailedEvent:
		return ev.Response
	case *ResponseIncompleteEvent:
		return ev.Response
	}
	return nil
}
