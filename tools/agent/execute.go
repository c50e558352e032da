package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// Execute runs a child for the call.
func (t tool) Execute(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
	c, items, err := t.prepare(ctx, call)
	if err != nil {
		return agenttool.Result{}, err
	}
	if t.detach != nil {
		return c.detached(items)
	}
	defer c.mute()
	end, err := c.agent.Prompt(c.run, items...)
	return c.result(end, err)
}

// child is one call's.
type child struct {
	*options
	call  agenttool.Call
	agent *agentturn.Agent
	run   context.Context // what it runs under

	started chan string // gets the ID of its first run

	mu      sync.Mutex
	said    []string // its messages
	turning bool     // its first turn has begun
	over    bool     // the call is

	// Of a child that may hold its call:
	ends    []*agentturn.RunEnd // of its runs
	refused error               // why it took no answers
}

// prepare makes the child of a call, and what it is asked.
func (t tool) prepare(ctx context.Context, call agenttool.Call) (*child, openresponses.Items, error) {
	o := &t.options
	var parent agentturn.Transcript
	if o.withParent || o.seed != nil {
		parent = o.answered(ctx, call.ID)
	}
	opening := parent
	if !o.withParent {
		opening = nil
	}
	cfg, items, err := o.open(ctx, call.Args, opening)
	if err != nil {
		return nil, nil, err
	}
	if len(items) == 0 {
		return nil, nil, fmt.Errorf("agent %q: arguments rendered no items", o.cfg.Name)
	}
	var opts []agentturn.Option
	if o.seed != nil {
		if seed := o.seed(parent); seed != nil {
			opts = append(opts, agentturn.WithTranscript(seed))
		}
	}
	observer := observerContext(ctx, call, cfg)
	c := &child{options: o, call: call, agent: agentturn.New(cfg, opts...), started: make(chan string, 1)}
	c.agent.Subscribe(func(run context.Context, ev agentturn.Event) error {
		if o.observer != nil {
			o.observer(ofRun(observer, run), ev)
		}
		c.progress(ev)
		return nil
	})
	if o.spawn != nil {
		o.spawn(call.ID, c.agent)
	}
	base := ctx
	if o.detach != nil {
		base = detachedContext(ctx, call)
	}
	c.run = ContextWithRetry(childContext(base))
	if o.runContext != nil {
		c.run = o.runContext(c.run, call.ID)
	}
	return c, items, nil
}

// progress reports what the child has said so far, while the call lasts.
func (c *child) progress(ev agentturn.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := ev.(type) {
	case *agentturn.RunStart:
		select {
		case c.started <- e.RunID:
		default:
		}
	case *agentturn.TurnStart:
		c.turning = true
	case *agentturn.ItemEnd:
		m, ok := e.Item.(*openresponses.Message)
		if !ok || m.Role != openresponses.RoleAssistant || !c.turning || c.over {
			return
		}
		c.said = append(c.said, m.Text())
		update := agenttool.Text(strings.Join(c.said, "\n\n"))
		update.Details = ChildInfo{Agent: c.cfg.Name, RunID: e.RunID}
		c.call.Update(update) // under the lock: none comes after mute
	case *agentturn.RunEnd:
		if c.held != nil {
			c.ends = append(c.ends, e)
		}
	}
}

// mute ends the progress of the call.
func (c *child) mute() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
}

// detached starts the child in the background.
func (c *child) detached(items openresponses.Items) (agenttool.Result, error) {
	type outcome struct {
		end *agentturn.RunEnd
		err error
	}
	returned := make(chan outcome, 1)
	begun := make(chan struct{})
	var id string
	go func() {
		end, err := c.agent.Prompt(c.run, items...)
		returned <- outcome{end, err}
		if end != nil && end.RunID != "" {
			<-begun // so that the call returns before anybody hears of the end
			c.detach(c.call.ID, end)
		}
	}()
	select {
	case id = <-c.started:
	case o := <-returned:
		select {
		case id = <-c.started:
		default:
			if o.end != nil {
				id = o.end.RunID // an observer failed on its start
			}
		}
		if id == "" {
			close(begun)
			if o.err == nil {
				o.err = errors.New("child run produced no run_start")
			}
			return agenttool.Result{}, fmt.Errorf("agent %q: %w", c.cfg.Name, o.err)
		}
	}
	c.mute()
	close(begun)
	result := agenttool.Text(fmt.Sprintf("The agent %q is working in the background, in run %s. Its answer will follow.", c.cfg.Name, id))
	result.Details = ChildInfo{Agent: c.cfg.Name, RunID: id}
	return result, nil
}
