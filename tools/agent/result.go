package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// ChildInfo tells of a call's child, as the details of results and of progress. Progress, and
// the result of a call that detached its child, has agent and run alone.
type ChildInfo struct {
	Agent string
	RunID string

	// Items are what the child's run appended, its prompt included and its seed not.
	Items agentturn.Transcript

	Reason agentturn.Reason    // why the run ended
	Cause  agentturn.StopCause // of one that stopped

	// Pending are the child's calls without an output.
	Pending []agentturn.PendingCall
}

// InputRequiredError says that the child cannot go on without answers to calls of its own. It
// matches agentturn.ErrInputRequired.
type InputRequiredError struct {
	Agent   string
	RunID   string
	Pending []agentturn.PendingCall
}

const maxArgs = 200 // bytes of arguments in an error's text

// Error names the agent and its calls, long arguments cut short.
func (e *InputRequiredError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "agent %q needs input before it can finish: %d pending tool call(s):", e.Agent, len(e.Pending))
	b.WriteString(listed(e.Pending))
	return b.String()
}

// listed names calls, each with a space before it, and cuts long arguments short.
func listed(pending []agentturn.PendingCall) string {
	var b strings.Builder
	for _, p := range pending {
		args := p.Call.Arguments
		if len(args) > maxArgs {
			args = args[:maxArgs] + "..."
		}
		fmt.Fprintf(&b, " %s(%s)", p.Call.Name, args)
	}
	return b.String()
}

// Is reports whether target is agentturn.ErrInputRequired.
func (e *InputRequiredError) Is(target error) bool { return target == agentturn.ErrInputRequired }

// result is what the parent's call comes to when the child's run is over.
func (c *child) result(end *agentturn.RunEnd, err error) (agenttool.Result, error) {
	named := func(err error) error { return fmt.Errorf("agent %q: %w", c.cfg.Name, err) }
	if end == nil {
		if err == nil {
			err = errors.New("child run produced no run_end")
		}
		return agenttool.Result{}, named(err)
	}
	info := ChildInfo{
		Agent: c.cfg.Name, RunID: end.RunID, Items: end.Items, Reason: end.Reason, Cause: end.Cause, Pending: end.Pending,
	}
	result, err := agenttool.Result{}, error(nil)
	text, answered := end.Answer()
	switch {
	case end.Reason == agentturn.ReasonInputRequired:
		err = &InputRequiredError{Agent: c.cfg.Name, RunID: end.RunID, Pending: end.Pending}
	case end.Reason == agentturn.ReasonError:
		err = named(end.Err)
	case end.Reason == agentturn.ReasonAborted:
		if err = end.Err; err == nil {
			err = context.Canceled
		}
	case answered:
		result = agenttool.Text(text)
	case end.Cause == agentturn.StopGuard:
		err = named(end.Err)
	case c.noAnswer != nil:
		result, err = c.noAnswer(info)
	default:
		result, err = c.unanswered(end)
	}
	result.Details = info
	return result, err
}

// unanswered is what a call comes to whose child had nothing to say.
func (c *child) unanswered(end *agentturn.RunEnd) (agenttool.Result, error) {
	if end.Cause == agentturn.StopTerminate || end.Cause == agentturn.StopPartialTerminate {
		for i := len(end.Items) - 1; i >= 0; i-- {
			if out, ok := end.Items[i].(*openresponses.FunctionCallOutput); ok {
				return agenttool.Result{Output: out.Output}, nil // images and files too
			}
		}
	}
	if end.Cause != "" {
		return agenttool.Result{}, fmt.Errorf("agent %q stopped (%s) without a final answer", c.cfg.Name, end.Cause)
	}
	return agenttool.Result{}, fmt.Errorf("agent %q finished without a final answer", c.cfg.Name)
}
