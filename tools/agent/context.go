package agent

import (
	"context"
	"fmt"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

type (
	configKey struct{}
	retryKey  struct{}
)

// ConfigFromContext returns the configuration of the child whose events an observer is given,
// and false on any other context.
func ConfigFromContext(ctx context.Context) (agentturn.Config, bool) {
	cfg, ok := ctx.Value(configKey{}).(agentturn.Config)
	return cfg, ok
}

// ContextWithConfig puts a configuration where [ConfigFromContext] finds it, for a host that
// runs a child itself and calls the same observer.
func ContextWithConfig(ctx context.Context, cfg agentturn.Config) context.Context {
	return context.WithValue(ctx, configKey{}, cfg)
}

// ContextWithRetry marks the runs under a context as ones that start afresh under their call,
// knowing nothing of an earlier run of it.
func ContextWithRetry(ctx context.Context) context.Context {
	return context.WithValue(ctx, retryKey{}, true)
}

// RetryFromContext reports that mark. In an observer it is that of the run whose event it is.
func RetryFromContext(ctx context.Context) bool {
	marked, _ := ctx.Value(retryKey{}).(bool)
	return marked
}

// observerContext is what an observer of the call is given.
func observerContext(ctx context.Context, call agenttool.Call, cfg agentturn.Config) context.Context {
	return ContextWithConfig(agenttool.WithCall(context.WithoutCancel(ctx), call), cfg)
}

// ofRun is an observer's context with the mark of the run whose event it gets.
func ofRun(observer, run context.Context) context.Context {
	if RetryFromContext(observer) == RetryFromContext(run) {
		return observer
	}
	return context.WithValue(observer, retryKey{}, RetryFromContext(run))
}

// childContext is what a child runs under, ahead of [WithRunContext].
func childContext(ctx context.Context) context.Context {
	ctx = agentturn.ContextWithTrigger(ctx, agentturn.Trigger{})
	ctx = agentturn.ContextWithDeciders(ctx, nil)
	ctx = agentturn.ContextWithReasons(ctx, nil)
	return agentturn.ContextWithOrigins(ctx, nil)
}

// goesOn takes the mark of a retry off, which may be that of an outer child.
func goesOn(ctx context.Context) context.Context {
	return context.WithValue(ctx, retryKey{}, false)
}

// detachedContext is the context of the parent's run, in place of that of its batch.
func detachedContext(ctx context.Context, call agenttool.Call) context.Context {
	if run, ok := agentturn.RunContext(ctx); ok {
		return agenttool.WithCall(run, call)
	}
	return ctx
}

// answered is the parent's conversation with a placeholder for each call that has no output,
// nil outside of a loop.
func (o *options) answered(ctx context.Context, callID string) agentturn.Transcript {
	parent, ok := agentturn.TranscriptFromContext(ctx)
	if !ok {
		return nil
	}
	done := map[string]bool{}
	for _, item := range parent {
		if out, ok := item.(*openresponses.FunctionCallOutput); ok && out != nil {
			done[out.CallID] = true
		}
	}
	out := append(make(agentturn.Transcript, 0, len(parent)+1), parent...)
	for _, item := range parent {
		call, ok := item.(*openresponses.FunctionCall)
		if !ok || call == nil || done[call.CallID] {
			continue
		}
		text := "(in progress: this call runs alongside)"
		if call.CallID == callID {
			text = fmt.Sprintf("(in progress: the agent %q is answering this call)", o.cfg.Name)
		}
		out = append(out, openresponses.NewFunctionCallOutput(call.CallID, text))
	}
	return out
}
