package agenttool

import (
	"errors"
	"fmt"
	"io"

	"github.com/ChristopherDavenport/openresponses"
)

// A Set is the tools offered to a model, in the order they are offered. The
// nil set is empty.
type Set []Tool

// Lookup finds the first tool with the given name.
func (s Set) Lookup(name string) (Tool, bool) {
	for _, t := range s {
		if t.Name() == name {
			return t, true
		}
	}
	return nil, false
}

// Definitions gives the [Definition] of each tool, in order; nil for an empty
// set.
func (s Set) Definitions() openresponses.Tools {
	if len(s) == 0 {
		return nil
	}
	defs := make(openresponses.Tools, len(s))
	for i, t := range s {
		defs[i] = Definition(t)
	}
	return defs
}

// Close closes every tool that is an [io.Closer], in order, and returns all
// their errors. It belongs to the host, which calls it once, when no call
// runs any more.
func (s Set) Close() error {
	var errs []error
	for _, t := range s {
		closer, ok := t.(io.Closer)
		if !ok {
			continue
		}
		if err := closer.Close(); err != nil {
			errs = append(errs, fmt.Errorf("agenttool: close %q: %w", t.Name(), err))
		}
	}
	return errors.Join(errs...)
}

// Validate returns the first reason why the set cannot be offered to a model:
// a nil tool, an empty name, or a name used twice.
func (s Set) Validate() error {
	seen := make(map[string]bool, len(s))
	for i, t := range s {
		if t == nil {
			return fmt.Errorf("tool[%d]: nil tool", i)
		}
		name := t.Name()
		if name == "" {
			return fmt.Errorf("tool[%d]: empty name", i)
		}
		if seen[name] {
			return fmt.Errorf("tool %q: duplicate name", name)
		}
		seen[name] = true
	}
	return nil
}
