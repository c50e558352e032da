package compact

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ChristopherDavenport/openresponses"
)

// Compactor is a server that compacts: an openresponses.Client, or any Adapter that can.
type Compactor interface {
	Compact(ctx context.Context, req openresponses.CompactRequest) (*openresponses.CompactResponse, error)
}

// New folds with a server's own compaction. Whatever goes wrong with it fails the turn.
func New(c Compactor, opts ...Option) *Transform {
	t := newTransform(endpoint{c}, opts)
	t.minFold = max(t.minFold, 0)
	return t
}

type endpoint struct{ compactor Compactor }

func (e endpoint) fold(ctx context.Context, s *settings, input openresponses.Items) folded {
	f := folded{attempts: 1}
	response, err := e.compactor.Compact(ctx, openresponses.CompactRequest{Model: s.model, Input: input})
	if err != nil {
		f.err = fmt.Errorf("compact: %w", err)
		return f
	}
	if response != nil {
		f.usage, f.responseID = response.Usage, response.ID
	}
	if response == nil || len(response.Output) == 0 {
		f.err = errors.New("compact: empty compaction response")
		return f
	}
	f.output = slices.Clone(response.Output)
	for _, item := range f.output {
		f.types = append(f.types, item.ItemType())
		if c, ok := item.(*openresponses.Compaction); ok && f.summary == nil {
			f.summary = c
		}
	}
	return f
}
