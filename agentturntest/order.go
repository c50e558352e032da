package agentturntest

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/ChristopherDavenport/agentturn"
)

// CheckEvents holds a sequence of events to the rules of order every run keeps
// and returns everything that breaks one, joined; nil when nothing does. Each
// error names the event and the rule, by its number in
// docs/rfcs/0001-agent-loop.md (R054 for invariant 54).
//
// The events are those of one or more whole runs of one agent, or of runs of
// agentturn.Run and agentturn.Continue one after the other, as a subscriber
// sees them that comes before any that fails.
func CheckEvents(events []agentturn.Event) error {
	c := &orderCheck{}
	for i, ev := range events {
		c.index, c.event = i, ev
		c.step(ev)
	}
	if c.run != nil {
		c.index, c.event = len(events), nil
		c.broken("R001", "the run has no run_end")
	}
	return errors.Join(c.errs...)
}

// orderCheck is a sequence being checked.
type orderCheck struct {
	errs  []error
	index int
	event agentturn.Event

	run      *runOrder // nil outside a run
	reported string    // the run a queued report before run_start named
}

// broken reports that the present event breaks a rule.
func (c *orderCheck) broken(rule, format string, args ...any) {
	where := "end"
	if c.event != nil {
		where = c.event.EventType()
	}
	c.errs = append(c.errs, fmt.Errorf("agentturntest: event %d (%s): %s: %s", c.index, where, rule, fmt.Sprintf(format, args...)))
}

// runIDForm is what a run ID looks like.
var runIDForm = regexp.MustCompile(`^run_[0-9a-f]{24}$`)

// step takes the next event.
func (c *orderCheck) step(ev agentturn.Event) {
	switch ev := ev.(type) {
	case *agentturn.RunStart:
		c.runStart(ev)
		return
	case *agentturn.Queued:
		c.queued(ev)
		return
	case *agentturn.RunEnd:
		if c.run == nil {
			c.refusal(ev)
			return
		}
	}
	if c.run == nil {
		c.broken("R001", "outside a run")
		return
	}
	runID, turn := placeOf(ev)
	if runID != c.run.id {
		c.broken("R011", "names run %q inside run %q", runID, c.run.id)
	}
	if c.run.blocked && ev.EventType() != agentturn.EventRunEnd {
		c.broken("R103", "after model_blocked")
	}
	c.run.take(ev, turn)
	if ev.EventType() == agentturn.EventRunEnd {
		c.run = nil
	}
}

func (c *orderCheck) runStart(ev *agentturn.RunStart) {
	if c.run != nil {
		c.broken("R001", "inside run %q", c.run.id)
	}
	if !runIDForm.MatchString(ev.RunID) {
		c.broken("R011", "run ID %q", ev.RunID)
	}
	if c.reported != "" && c.reported != ev.RunID {
		c.broken("R112", "a queued report before it named run %q", c.reported)
	}
	c.reported = ""
	c.run = newRunOrder(c, ev.RunID)
}

// queued checks which run a report names: the active one, the one about to
// start, or none.
func (c *orderCheck) queued(ev *agentturn.Queued) {
	switch {
	case ev.RunID == "":
	case c.run == nil:
		c.reported = ev.RunID
	case ev.RunID != c.run.id:
		c.broken("R112", "names run %q inside run %q", ev.RunID, c.run.id)
	}
}

// refusal checks a run_end without a run.
func (c *orderCheck) refusal(ev *agentturn.RunEnd) {
	if ev.RunID != "" {
		c.broken("R001", "of run %q, which has not started", ev.RunID)
		return
	}
	if ev.Reason != agentturn.ReasonError || ev.Err == nil {
		c.broken("R002", "a refusal with reason %q and error %v", ev.Reason, ev.Err)
	}
}

// placeOf returns the run and the turn an event names, -1 for no turn.
func placeOf(ev agentturn.Event) (runID string, turn int) {
	switch ev := ev.(type) {
	case *agentturn.TurnStart:
		return ev.RunID, ev.Turn
	case *agentturn.ModelRetry:
		return ev.RunID, ev.Turn
	case *agentturn.ModelBlocked:
		return ev.RunID, ev.Turn
	case *agentturn.ResponseEnd:
		return ev.RunID, ev.Turn
	case *agentturn.ItemStart:
		return ev.RunID, ev.Turn
	case *agentturn.ItemUpdate:
		return ev.RunID, ev.Turn
	case *agentturn.ItemEnd:
		return ev.RunID, ev.Turn
	case *agentturn.ToolStart:
		return ev.RunID, ev.Turn
	case *agentturn.ToolDispatch:
		return ev.RunID, ev.Turn
	case *agentturn.ToolUpdate:
		return ev.RunID, ev.Turn
	case *agentturn.ToolEnd:
		return ev.RunID, ev.Turn
	case *agentturn.TurnEnd:
		return ev.RunID, ev.Turn
	case *agentturn.RunEnd:
		return ev.RunID, -1
	}
	return "", -1
}
