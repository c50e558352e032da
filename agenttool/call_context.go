package agenttool

import "context"

// WithCall puts a call on a context, where [CallFrom] and [Progress] find it.
// The innermost call counts.
func WithCall(ctx context.Context, call Call) context.Context {
	return &callContext{Context: ctx, call: call}
}

// CallFrom gives the call that a context belongs to, and whether there is
// one.
func CallFrom(ctx context.Context) (Call, bool) {
	if call, ok := ctx.Value(callKey{}).(*Call); ok {
		return *call, true
	}
	return Call{}, false
}

// Progress reports progress of the call on ctx. It does nothing without a
// call, or when nobody listens. It may be called from any goroutine of the
// tool, and may block until the update is taken or the call is cancelled.
func Progress(ctx context.Context, r Result) {
	if call, ok := CallFrom(ctx); ok {
		call.Update(r)
	}
}

type callKey struct{}

// callContext holds its call in place, so that a call on a context costs one
// allocation, or none where the context is part of something larger.
type callContext struct {
	context.Context
	call Call
}

func (c *callContext) Value(key any) any {
	if key == (callKey{}) {
		return &c.call
	}
	return c.Context.Value(key)
}
