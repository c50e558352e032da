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
	"github.com/ChristopherDavenport/openresponses"
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

// A panic in what answers for a tool, for a user or for a run is an error of the one who asked.
func TestPanickingAnswers(t *testing.T) {
	boom := func() { panic(errTest) }
	t.Run("elicitor", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Call("nest", `{}`), at.Text("ok")), Tools: tools(nester("x"), ranTool("x")),
			BeforeToolCall: deciding("x", agentturn.ToolDecision{Action: agentturn.Defer, Reason: "who says"}),
			ToolElicitor: func(context.Context, agenttool.Elicitation) (agenttool.Answer, error) {
				boom()
				return agenttool.Answer{}, nil
			},
		})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if got := outputText(t, end.Items, "call_1"); !strings.Contains(got, "a nested call cannot be deferred to the caller: who says") {
			t.Errorf("output %q", got)
		}
		if e := find[*agentturn.ToolEnd](rec); e.Name != "x" || !e.Blocked || e.Deferred {
			t.Errorf("%+v", e)
		}
	})
	t.Run("elicitor of a tool", func(t *testing.T) {
		asking := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			elicit, _ := agenttool.ElicitorFrom(ctx)
			_, err := elicit(ctx, agenttool.Elicitation{Message: "?"})
			return agenttool.Text("asked"), err
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), Tools: tools(asking),
			ToolElicitor: func(context.Context, agenttool.Elicitation) (agenttool.Answer, error) {
				boom()
				return agenttool.Answer{}, nil
			}})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if !tells(nil, rec) {
			t.Errorf("events %q", rec.Lines())
		}
	})
	t.Run("recorder", func(t *testing.T) {
		writing := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			return agenttool.Text("written"), agenttool.WriteRecord(ctx, noteRecord{})
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), Tools: tools(writing),
			ToolRecorder: func(context.Context, *agenttool.Record) error { boom(); return nil }})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if !tells(nil, rec) {
			t.Errorf("events %q", rec.Lines())
		}
	})
	t.Run("replay class", func(t *testing.T) {
		tool := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) { return agenttool.Text("ran"), nil },
			agenttool.WithReplay(func(context.Context, json.RawMessage) agenttool.Replay { boom(); return agenttool.ReplaySafe }))
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t), Tools: tools(tool)}, agentturn.WithTranscript(agentturn.Transcript{user("hi"), callItem("c", "x")}))
		end, err := a.Resume(t.Context(), agentturn.Approve("c"))
		if end != nil || !errors.Is(err, errTest) || len(rec.Events()) > 0 || pendingOf(a.State().Pending) != "c=unknown" {
			t.Errorf("%+v, error %v, pending %s", end, err, pendingOf(a.State().Pending))
		}
		usable(t, a)
	})
	for name, list := range map[string][]agenttool.Tool{"nil tool": {nil}, "nil pointer": {(*panickyTool)(nil)}} {
		t.Run("provider of a "+name, func(t *testing.T) {
			a, _ := heldAgent(t, 1, agentturn.Config{}, at.Text("ok"))
			broken := a.Config()
			broken.ToolProvider = func(context.Context) []agenttool.Tool { return list }
			if err := a.SetConfig(broken); err != nil {
				t.Fatal(err)
			}
			end, err := a.Resume(t.Context(), agentturn.Approve("call_1"))
			if end == nil || end.Reason != agentturn.ReasonError || err == nil {
				t.Errorf("%+v, error %v", end, err)
			}
			usable(t, a)
			broken.Model = at.NewModel(t)
			if rec, end := ranged(t, nil, items(user("hi")), broken); end == nil || end.Reason != agentturn.ReasonError {
				t.Errorf("%+v, events %q", end, rec.Lines())
			}
		})
	}
	t.Run("chains", func(t *testing.T) {
		// A panic inside a chain is one of the hook the chain is.
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`)), Tools: tools(okTool("x")), BeforeToolCall: agentturn.ChainBeforeToolCall(
			func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) { return nil, nil },
			func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				boom()
				return nil, nil
			},
		)})
		end := prompted(t, a, "hi", agentturn.ReasonError)
		if !errors.Is(end.Err, errTest) || pendingOf(end.Pending) != "call_1=undispatched" {
			t.Errorf("%+v", end)
		}
		usable(t, a)
	})
}

// A subscriber may panic on any event there is, in a run of the agent's and in the goroutines of its tools.
func TestPanickingSubscribers(t *testing.T) {
	retry := agentturn.Retry{MaxAttempts: 2, Backoff: atOnce, Retryable: func(error) bool { return true }}
	for _, c := range []struct {
		event string
		nth   int
		want  agentturn.Reason
	}{
		{agentturn.EventModelRetry, 1, agentturn.ReasonError},
		{agentturn.EventToolUpdate, 1, agentturn.ReasonError},
		{agentturn.EventToolStart, 2, agentturn.ReasonDone}, // of the nested call: its tool's error
		{agentturn.EventToolDispatch, 2, agentturn.ReasonDone},
		{agentturn.EventToolEnd, 1, agentturn.ReasonDone},
		{agentturn.EventToolEnd, 2, agentturn.ReasonError},
		{agentturn.EventModelBlocked, 1, agentturn.ReasonError},
		{agentturn.EventRunEnd, 1, agentturn.ReasonError}, // changes nothing: the run was blocked
	} {
		t.Run(fmt.Sprintf("%s %d", c.event, c.nth), func(t *testing.T) {
			nest := funcTool("nest", func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
				call.Update(agenttool.Text("half way"))
				return agentturn.Invoke(ctx, "x", nil)
			})
			turns := 0
			cfg := agentturn.Config{
				Model: at.NewModel(t, at.Attempts{{at.Fail(errors.New("no line"))}, {at.Call("nest", `{}`)}}, at.Text("ok")), Tools: tools(nest, ranTool("x")), Retry: retry,
				BeforeModelCall: func(context.Context, *openresponses.Request) error {
					if turns++; turns == 2 && c.want == agentturn.ReasonError {
						return errors.New("no more")
					}
					return nil
				},
			}
			a, rec := agentOf(t, cfg)
			panicking := func(ctx context.Context, ev agentturn.Event) error {
				if failingAt(c.event, 1, errTest)(ctx, ev) != nil {
					if c.nth--; c.nth == 0 {
						panic(errTest)
					}
				}
				return nil
			}
			a.Subscribe(panicking)
			end := prompted(t, a, "hi", c.want)
			switch {
			case c.nth > 0:
				t.Errorf("the event did not come: %q", rec.Lines())
			case c.event == agentturn.EventRunEnd:
				if end.Err.Error() != "agentturn: before-model-call hook: no more" {
					t.Errorf("error %v", end.Err)
				}
			case !errors.Is(end.Err, errTest) && !tells(end.Err, rec):
				t.Errorf("error %v, events %q", end.Err, rec.Lines())
			}
			usable(t, a)
		})
	}
}

// noteRecord is something a tool records.
type noteRecord struct{}

func (noteRecord) RecordNS() string { return "test:note" }

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
