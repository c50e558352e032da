package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
)

// A tool is the host's code from its name on: whatever of it panics, in whatever place it is asked, the run ends or goes on
// as for an error, and the agent is usable.
func TestPanickingTools(t *testing.T) {
	// A method panics the n-th time it is asked, or from then on, for every n there is.
	methods := map[string]func(*panickyTool) *atomic.Int64{
		"name":        func(p *panickyTool) *atomic.Int64 { return &p.nameIn },
		"description": func(p *panickyTool) *atomic.Int64 { return &p.descriptionIn },
		"parameters":  func(p *panickyTool) *atomic.Int64 { return &p.parametersIn },
		"strict":      func(p *panickyTool) *atomic.Int64 { return &p.strictIn },
		"sequential":  func(p *panickyTool) *atomic.Int64 { return &p.sequentialIn },
		"resource":    func(p *panickyTool) *atomic.Int64 { return &p.resourceIn },
	}
	script := at.Attempt{at.Call("x", `{}`), at.Call("x", `{}`), at.Call("y", `{}`)}
	for name, method := range methods {
		for _, provided := range []bool{false, true} {
			for _, always := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s provided=%t always=%t", name, provided, always), func(t *testing.T) {
					for n := int64(1); ; n++ {
						p := &panickyTool{always: always}
						method(p).Store(n)
						cfg := agentturn.Config{Model: at.NewModel(t, script, at.Text("ok")).RepeatLast(), ToolGrace: time.Hour}
						if provided {
							cfg.ToolProvider = func(context.Context) []agenttool.Tool { return tools(p) }
						} else {
							cfg.Tools = tools(p)
						}
						a, rec := agentOf(t, cfg)
						end, err := a.Prompt(t.Context(), user("hi"))
						if method(p).Load() > 0 {
							if n == 1 {
								t.Error("it was never asked")
							}
							return
						}
						if end == nil && len(rec.Events()) > 0 || end != nil && find[*agentturn.RunEnd](rec) != end {
							t.Errorf("panic %d: the run did not end: %q", n, rec.Lines())
						}
						// How calls run side by side is asked more than once, and one refusal of many may go unseen.
						unseen := !always && (name == "sequential" || name == "resource")
						if !unseen && !tells(err, rec) {
							t.Errorf("panic %d is not told of: error %v, events %q", n, err, rec.Lines())
						}
						usable(t, a)

						method(p).Store(n)
						cfg.Model = at.NewModel(t, script, at.Text("ok")).RepeatLast()
						if rec, end := ranged(t, nil, items(user("hi")), cfg); end == nil || !unseen && !tells(end.Err, rec) {
							t.Errorf("panic %d of a low-level run: %+v", n, end)
						}
					}
				})
			}
		}
	}
}

// tells reports whether a panic of a [panickyTool] can be read from the run's error, or from how a call ended.
func tells(err error, rec *at.Recorder) bool {
	if errors.Is(err, errTest) || err != nil && strings.Contains(err.Error(), "panicked") {
		return true
	}
	for _, e := range all[*agentturn.ToolEnd](rec) {
		if e.Err != nil && (strings.Contains(e.Err.Error(), "panicked") || strings.Contains(e.Result.Output.Text, "panickyTool")) {
			return true
		}
	}
	return false
}

// usable checks that an agent whose run has gone wrong takes another.
func usable(t *testing.T, a *agentturn.Agent) {
	t.Helper()
	if s := a.State(); s.Running {
		t.Fatal("the agent still runs")
	}
	if err := a.SetConfig(agentturn.Config{Model: at.NewModel(t, at.Text("fine")).RepeatLast()}); err != nil {
		t.Fatal(err)
	}
	var answers []agentturn.Answer
	for _, p := range a.State().Pending {
		answers = append(answers, agentturn.OutcomeUnknown(p.Call.CallID))
	}
	if len(answers) > 0 {
		resumed(t, a, agentturn.ReasonDone, answers...)
	}
	prompted(t, a, "and now?", agentturn.ReasonDone)
}

// panickyTool is a tool each of whose methods can be made to panic.
type panickyTool struct {
	always bool // not only once
	// How often a method may be asked until it panics: zero is for ever, below zero not once more.
	nameIn, descriptionIn, parametersIn, sequentialIn, resourceIn, strictIn atomic.Int64
}

func (p *panickyTool) countdown(n *atomic.Int64) {
	switch left := n.Load(); {
	case left == 0 || left > 0 && n.Add(-1) > 0:
		return
	case p.always:
		n.Store(-1)
	}
	panic(errTest)
}

func (p *panickyTool) Name() string { p.countdown(&p.nameIn); return "x" }

func (p *panickyTool) Description() string { p.countdown(&p.descriptionIn); return "" }

func (p *panickyTool) Parameters() json.RawMessage { p.countdown(&p.parametersIn); return nil }

func (p *panickyTool) Execute(context.Context, agenttool.Call) (agenttool.Result, error) {
	return agenttool.Text("ok"), nil
}

func (p *panickyTool) Sequential() bool { p.countdown(&p.sequentialIn); return false }

func (p *panickyTool) Resource() string { p.countdown(&p.resourceIn); return "" }

func (p *panickyTool) Strict() bool { p.countdown(&p.strictIn); return false }
