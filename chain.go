package agentturn

import (
	"context"
	"slices"

	"github.com/ChristopherDavenport/openresponses"
)

// hook is any of the functions the Chain helpers join.
type hook interface {
	func(context.Context, TurnStartInfo) (openresponses.Items, error) |
		func(context.Context, Transcript) (Transcript, error) |
		func(context.Context, *openresponses.Request) error |
		func(context.Context, OutputInfo) (*openresponses.Message, error) |
		func(context.Context, ToolCallInfo) (*ToolDecision, error) |
		func(context.Context, TurnInfo) (bool, error)
}

// present returns fns without the nil ones, in a slice of its own.
func present[F hook](fns []F) []F {
	return slices.DeleteFunc(slices.Clone(fns), func(fn F) bool { return fn == nil })
}

// ChainBeforeTurn joins hooks for [Config.BeforeTurn]: the items of all of them, in order.
// The first error ends the chain and drops the items. Here as in the other chains nil
// hooks are skipped, and a chain of none is nil.
func ChainBeforeTurn(fns ...func(context.Context, TurnStartInfo) (openresponses.Items, error)) func(context.Context, TurnStartInfo) (openresponses.Items, error) {
	fns = present(fns)
	if len(fns) == 0 {
		return nil
	}
	return func(ctx context.Context, info TurnStartInfo) (openresponses.Items, error) {
		var items openresponses.Items
		for _, fn := range fns {
			more, err := fn(ctx, info)
			if err != nil {
				return nil, err
			}
			items = append(items, more...)
		}
		return items, nil
	}
}

// ChainTransform joins transforms for [Config.Transform]: each works on what the one before
// it returned, in a slice of its own. The first error ends the chain.
func ChainTransform(fns ...func(context.Context, Transcript) (Transcript, error)) func(context.Context, Transcript) (Transcript, error) {
	fns = present(fns)
	if len(fns) == 0 {
		return nil
	}
	return func(ctx context.Context, t Transcript) (Transcript, error) {
		for _, fn := range fns {
			var err error
			if t, err = fn(ctx, slices.Clone(t)); err != nil {
				return nil, err
			}
		}
		return t, nil
	}
}

// ChainBeforeModelCall joins hooks for [Config.BeforeModelCall]: each sees the request as
// the ones before it left it, so a hook that edits belongs before one that inspects. The
// first error ends the chain.
func ChainBeforeModelCall(fns ...func(context.Context, *openresponses.Request) error) func(context.Context, *openresponses.Request) error {
	fns = present(fns)
	if len(fns) == 0 {
		return nil
	}
	return func(ctx context.Context, req *openresponses.Request) error {
		for _, fn := range fns {
			if err := fn(ctx, req); err != nil {
				return err
			}
		}
		return nil
	}
}

// ChainOutputGuard joins guards for [Config.OutputGuard]: each sees the message the ones
// before it left, and the last replacement stands. The first error ends the chain.
func ChainOutputGuard(fns ...func(context.Context, OutputInfo) (*openresponses.Message, error)) func(context.Context, OutputInfo) (*openresponses.Message, error) {
	fns = present(fns)
	if len(fns) == 0 {
		return nil
	}
	return func(ctx context.Context, info OutputInfo) (*openresponses.Message, error) {
		var replacement *openresponses.Message
		for _, fn := range fns {
			message, err := fn(ctx, info)
			if err != nil {
				return nil, err
			}
			if message != nil {
				replacement, info.Message = message, message
			}
		}
		return replacement, nil
	}
}

// ChainShouldStopAfterTurn joins hooks for [Config.ShouldStopAfterTurn]: the first that
// stops the run, or fails, has the last word, and those after it are not asked.
func ChainShouldStopAfterTurn(fns ...func(context.Context, TurnInfo) (bool, error)) func(context.Context, TurnInfo) (bool, error) {
	fns = present(fns)
	if len(fns) == 0 {
		return nil
	}
	return func(ctx context.Context, info TurnInfo) (bool, error) {
		for _, fn := range fns {
			if stop, err := fn(ctx, info); stop || err != nil {
				return stop, err
			}
		}
		return false, nil
	}
}

// ChainBeforeToolCall joins policies for [Config.BeforeToolCall] into one decision.
//
//   - The strictest action stands, Block over Defer over Allow, with the reason and the
//     decider of the first that took it. Where they are empty, as an empty note is, those
//     of a later decision fill in.
//   - Rewritten arguments are what the policies after see; the last rewrite stands.
//   - Terminate stands when any decision sets it.
//   - A Block ends the chain, as an error does, which leaves no decision.
func ChainBeforeToolCall(fns ...func(context.Context, ToolCallInfo) (*ToolDecision, error)) func(context.Context, ToolCallInfo) (*ToolDecision, error) {
	fns = present(fns)
	if len(fns) == 0 {
		return nil
	}
	return func(ctx context.Context, info ToolCallInfo) (*ToolDecision, error) {
		var folded *ToolDecision
		for _, fn := range fns {
			decision, err := fn(ctx, info)
			if err != nil {
				return nil, err
			}
			if decision == nil {
				continue
			}
			folded = foldDecision(folded, *decision)
			if folded.Action == Block {
				break
			}
			if folded.Args != nil {
				info.Args = folded.Args
			}
		}
		return folded, nil
	}
}

// foldDecision adds next to the decision so far, which is nil before the first.
func foldDecision(folded *ToolDecision, next ToolDecision) *ToolDecision {
	if folded == nil {
		return &next
	}
	if strictness(next.Action) > strictness(folded.Action) {
		folded.Action, folded.Reason, folded.By = next.Action, next.Reason, next.By
	}
	if folded.Reason == "" {
		folded.Reason = next.Reason
	}
	if folded.By == "" {
		folded.By = next.By
	}
	if folded.Note == "" {
		folded.Note = next.Note
	}
	if next.Args != nil {
		folded.Args = next.Args
	}
	folded.Terminate = folded.Terminate || next.Terminate
	return folded
}

func strictness(action ToolAction) int {
	switch action {
	case Block:
		return 2
	case Defer:
		return 1
	default:
		return 0
	}
}
