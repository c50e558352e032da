package responses

import (
	"cmp"
	"context"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// fullRun lets the agent answer, and whoever it hands the conversation to.
func (q *request) fullRun(ctx context.Context) error {
	f := &follower{request: q}
	q.relay.emitter.Response().Usage = &f.usage
	sender := q.base
	runCtx := ctx
	for {
		cfg := q.configured(sender)
		end, err := f.follow(agentturn.ContextWithReasoningModels(runCtx, q.models), cfg)
		if err != nil {
			return err
		}
		receiver, ok := f.receiver(ctx, end)
		if !ok {
			return f.finish(end)
		}
		q.models.Attribute(cfg.ModelName, openresponses.Items(end.Items))
		q.transcript = append(q.transcript, end.Items...)
		runCtx = agentturn.ContextWithTrigger(ctx, agentturn.Trigger{Kind: "handoff", Ref: sender.Name})
		sender = receiver
	}
}

// follower relays what runs bring.
type follower struct {
	*request
	usage openresponses.Usage
	batch []*agentturn.ToolEnd // of the calls the model made last, in the order of ending
}

// follow runs cfg from the transcript to its end. The error is the sink's.
func (f *follower) follow(ctx context.Context, cfg agentturn.Config) (*agentturn.RunEnd, error) {
	for event := range agentturn.Continue(ctx, f.transcript, cfg) {
		if end, ok := event.(*agentturn.RunEnd); ok {
			return end, f.relay.cut()
		}
		if err := f.take(event); err != nil {
			return nil, err
		}
	}
	panic("responses: a run without an end")
}

func (f *follower) take(event agentturn.Event) error {
	switch e := event.(type) {
	case *agentturn.ItemStart:
		if f.shows(e.Item) {
			return f.relay.opened(e.Item)
		}
	case *agentturn.ItemUpdate:
		if f.shows(e.Item) {
			return f.relay.updated(e.Item, e.Stream)
		}
	case *agentturn.ItemEnd:
		if f.shows(e.Item) {
			return f.relay.ended(e.Item)
		}
	case *agentturn.ModelRetry:
		return f.relay.cut() // what a failed attempt opened goes no further
	case *agentturn.ResponseEnd:
		f.batch = nil
		if e.Withheld {
			addUsage(&f.usage, e.Response)
			return f.relay.withhold()
		}
		return f.relay.cut()
	case *agentturn.ToolEnd:
		if e.Parent == "" {
			f.batch = append(f.batch, e)
		}
	case *agentturn.TurnEnd:
		addUsage(&f.usage, e.Response)
	}
	return nil
}

// shows reports whether the client is to see an item.
func (f *follower) shows(item openresponses.Item) bool {
	switch item.(type) {
	case nil:
		return false
	case *openresponses.FunctionCall, *openresponses.FunctionCallOutput:
		return f.adapter.toolItems
	}
	return true
}

// receiver is who goes on after end, if somebody does.
func (f *follower) receiver(ctx context.Context, end *agentturn.RunEnd) (agentturn.Config, bool) {
	if f.adapter.handoff == nil || !byTool(end) {
		return agentturn.Config{}, false
	}
	return f.adapter.handoff(ctx, end, f.batch)
}

// byTool reports whether the results of tools stopped the run.
func byTool(end *agentturn.RunEnd) bool {
	return end.Reason == agentturn.ReasonStopped &&
		(end.Cause == agentturn.StopTerminate || end.Cause == agentturn.StopPartialTerminate)
}

// finish ends the response as the last run ended.
func (f *follower) finish(end *agentturn.RunEnd) error {
	_, answered := end.Answer()
	switch end.Reason {
	case agentturn.ReasonError:
		return end.Err
	case agentturn.ReasonAborted:
		return cmp.Or(end.Err, context.Canceled)
	case agentturn.ReasonStopped:
		if end.Cause == agentturn.StopGuard && !answered {
			return f.refuse()
		}
		if text := f.terminatingText(end); text != "" && !answered {
			if err := f.relay.message(text); err != nil {
				return err
			}
		}
	case agentturn.ReasonInputRequired:
		if f.adapter.toolItems {
			break
		}
		for _, p := range end.Pending {
			if err := f.relay.ended(p.Call); err != nil {
				return err
			}
		}
	}
	return f.relay.emitter.Complete()
}

// terminatingText is what the tool that ended the run has to say: the last text among the
// outputs of those that asked for the end.
func (f *follower) terminatingText(end *agentturn.RunEnd) string {
	if !byTool(end) {
		return ""
	}
	asked := map[string]bool{}
	for _, e := range f.batch {
		if e.Result.Terminate && e.Err == nil {
			asked[e.CallID] = true
		}
	}
	text := ""
	for _, item := range end.Items {
		if out, ok := item.(*openresponses.FunctionCallOutput); ok && asked[out.CallID] {
			text = cmp.Or(out.Output.Text, text)
		}
	}
	return text
}

// addUsage adds what a response cost.
func addUsage(sum *openresponses.Usage, response *openresponses.Response) {
	if response == nil || response.Usage == nil {
		return
	}
	u := response.Usage
	sum.InputTokens += u.InputTokens
	sum.OutputTokens += u.OutputTokens
	sum.TotalTokens += u.TotalTokens
	sum.InputTokensDetails.CachedTokens += u.InputTokensDetails.CachedTokens
	sum.OutputTokensDetails.ReasoningTokens += u.OutputTokensDetails.ReasoningTokens
}
