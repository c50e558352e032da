package agenttool

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// Wrap is t with its Execute replaced by exec, which calls t's own where it
// means to. This is how a policy, a cache or a log goes in front of a tool:
// everything else t says of itself, its definition and every optional
// interface, stays as it is. The wrapper is an [io.Closer] exactly when t is.
// Wrap panics when t or exec is nil.
func Wrap(t Tool, exec func(ctx context.Context, call Call) (Result, error)) Tool {
	if t == nil {
		panic("agenttool.Wrap: nil tool")
	}
	if exec == nil {
		panic(fmt.Sprintf("agenttool.Wrap(%q): nil function", t.Name()))
	}
	w := wrapper{Tool: t, exec: exec}
	if closer, ok := t.(io.Closer); ok {
		return &closableWrapper{wrapper: w, Closer: closer}
	}
	return &w
}

// Unwrap gives the tool directly inside a wrapper made by [Wrap], and nil for
// any other tool.
func Unwrap(t Tool) Tool {
	if w, ok := t.(interface{ inner() Tool }); ok {
		return w.inner()
	}
	return nil
}

// wrapper answers every optional interface of the package, from the reader
// that knows the default. An interface added to the package is added here.
type wrapper struct {
	Tool
	exec func(ctx context.Context, call Call) (Result, error)
}

func (w *wrapper) inner() Tool { return w.Tool }

func (w *wrapper) Execute(ctx context.Context, call Call) (Result, error) {
	return w.exec(ctx, call)
}

func (w *wrapper) Strict() bool             { return IsStrict(w.Tool) }
func (w *wrapper) Sequential() bool         { return IsSequential(w.Tool) }
func (w *wrapper) Resource() string         { return declaredResource(w.Tool) }
func (w *wrapper) Annotations() Annotations { return AnnotationsOf(w.Tool) }

func (w *wrapper) Confined(ctx context.Context, args json.RawMessage) (bool, string) {
	return ConfinedBy(ctx, w.Tool, args)
}

func (w *wrapper) Replay(ctx context.Context, args json.RawMessage) Replay {
	return ReplayOf(ctx, w.Tool, args)
}

type closableWrapper struct {
	wrapper
	io.Closer
}
