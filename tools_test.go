package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// outputText is the text of the output of a call.
func outputText(t *testing.T, list openresponses.Items, callID string) string {
	t.Helper()
	for _, item := range list {
		if out, ok := item.(*openresponses.FunctionCallOutput); ok && out.CallID == callID {
			return out.Output.Text
		}
	}
	t.Errorf("call %s has no output in %s", callID, kinds(list))
	return ""
}

func TestDecisions(t *testing.T) {
	three := at.Attempt{at.Call("x", `{}`), at.Call("y", `{}`), at.Call("z", `{}`)}
	t.Run("R052", func(t *testing.T) {
		var order []string
		var mu sync.Mutex
		note := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, what)
		}
		tool := func(name string) agenttool.Tool {
			return funcTool(name, func(context.Context, agenttool.Call) (agenttool.Result, error) {
				note("run")
				return agenttool.Result{}, nil
			})
		}
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, three, at.Text("ok")), Tools: tools(tool("x"), tool("y"), tool("z")),
			BeforeToolCall: func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				if info.Batch[info.Index] != info.Call || len(info.Batch) != 3 {
					t.Errorf("place %d of %d", info.Index, len(info.Batch))
				}
				note("decide " + info.Call.Name)
				return nil, nil
			},
		})
		prompted(t, a, "hi", agentturn.ReasonDone)
		expect(t, order, "decide x", "decide y", "decide z", "run", "run", "run")
		if got := lines(rec, "tool_start", "tool_dispatch"); !strings.HasPrefix(got[2], "tool_start 1 call_3") {
			t.Errorf("events %q", got)
		}
	})
	t.Run("R053", func(t *testing.T) {
		var seen []string
		a, _ := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Call("nope", `{}`), at.Call("x", `[1]`)}, at.Text("ok")).CheckWith(at.AllowAnyArguments()), Tools: tools(okTool("x")),
			BeforeToolCall: func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				seen = append(seen, info.Call.Name+" "+string(info.Args))
				if (info.Tool == nil) != (info.Call.Name == "nope") {
					t.Errorf("%s has the tool %v", info.Call.Name, info.Tool)
				}
				return nil, nil
			},
		})
		prompted(t, a, "hi", agentturn.ReasonDone)
		expect(t, seen, "nope {}", "x [1]")
	})
	t.Run("R054 R055", func(t *testing.T) {
		// CheckEvents holds every recorded run to R054; here for a hook that fails on the second call.
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, three), Tools: tools(okTool("x"), okTool("y"), okTool("z")),
			BeforeToolCall: func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				if info.Call.Name == "y" {
					return nil, errTest
				}
				return nil, nil
			},
		})
		end := prompted(t, a, "hi", agentturn.ReasonError)
		if end.Err.Error() != "agentturn: before-tool-call hook: it broke" || !errors.Is(end.Err, errTest) {
			t.Errorf("error %v", end.Err)
		}
		expect(t, lines(rec, "tool_"), "tool_start 1 call_1 x {}", `tool_end 1 call_1 error "agentturn: before-tool-call hook: it broke"`)
		if got := pendingOf(end.Pending); got != "call_1=undispatched call_2=undispatched call_3=undispatched" {
			t.Errorf("pending %s", got)
		}
	})
	t.Run("R057", func(t *testing.T) {
		for reason, want := range map[string]string{"against the rules": "against the rules", "": "call blocked"} {
			a, rec := agentOf(t, agentturn.Config{
				Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), Tools: tools(okTool("x")),
				BeforeToolCall: deciding("x", agentturn.ToolDecision{Action: agentturn.Block, Reason: reason}),
				AfterToolCall: func(context.Context, agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
					t.Error("AfterToolCall was asked")
					return nil, nil
				},
			})
			end := prompted(t, a, "hi", agentturn.ReasonDone)
			if got := outputText(t, end.Items, "call_1"); got != "Error: "+want {
				t.Errorf("output %q", got)
			}
			if e := find[*agentturn.ToolEnd](rec); !e.Blocked || e.Reason != want || e.Err == nil || e.Err.Error() != want {
				t.Errorf("%+v", e)
			}
			if len(lines(rec, "tool_dispatch")) > 0 {
				t.Error("it was dispatched")
			}
		}
	})
	t.Run("R058", func(t *testing.T) {
		var after []string
		a, _ := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Call("nope", `{}`), at.Call("x", `[1]`), at.Call("x", `null`), at.Call("x", `{"a":`), at.Call("x", ``)}, at.Text("ok")).CheckWith(at.AllowAnyArguments()),
			Tools: tools(okTool("x")),
			AfterToolCall: func(_ context.Context, info agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
				after = append(after, info.Call.CallID)
				return nil, nil
			},
		})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if got := outputText(t, end.Items, "call_1"); !strings.HasPrefix(got, `Error: unknown tool "nope"`) || !strings.Contains(got, "x") {
			t.Errorf("output %q", got)
		}
		for _, id := range []string{"call_2", "call_3", "call_4"} {
			if got := outputText(t, end.Items, id); got != "Error: invalid arguments: expected a JSON object" {
				t.Errorf("output %q", got)
			}
		}
		if got := outputText(t, end.Items, "call_5"); got != "x ok" {
			t.Errorf("empty arguments: output %q", got)
		}
		if len(after) != 5 {
			t.Errorf("AfterToolCall saw %v", after)
		}
	})
	t.Run("R059", func(t *testing.T) {
		rewrite := func(args string) func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return deciding("x", agentturn.ToolDecision{Args: json.RawMessage(args)})
		}
		var later string
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Call("x", `{"n":1}`), at.Text("ok")), Tools: tools(ranTool("x")),
			BeforeToolCall: agentturn.ChainBeforeToolCall(rewrite(`{"n":2}`), func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
				later = string(info.Args)
				return nil, nil
			}),
		})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		if later != `{"n":2}` || string(find[*agentturn.ToolStart](rec).Args) != `{"n":2}` || outputText(t, end.Items, "call_1") != `ran {"n":2}` {
			t.Errorf("a later hook saw %s, events %q", later, rec.Lines())
		}
		if got := callsOf(end.Items)[0].Arguments; got != `{"n":1}` {
			t.Errorf("the transcript has %s", got)
		}
	})
	t.Run("R060 R061", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, three), Tools: tools(okTool("x"), okTool("y"), okTool("z")),
			BeforeToolCall: deciding("y", agentturn.ToolDecision{Action: agentturn.Defer, Reason: "ask first"}),
			ShouldStopAfterTurn: func(context.Context, agentturn.TurnInfo) (bool, error) {
				t.Error("the stop hook was asked")
				return true, nil
			},
		})
		end := prompted(t, a, "hi", agentturn.ReasonInputRequired)
		if kinds(end.Items) != "user:hi call:call_1 call:call_2 call:call_3 output:call_1 output:call_3" || pendingOf(end.Pending) != "call_2=deferred" {
			t.Errorf("items %s, pending %s", kinds(end.Items), pendingOf(end.Pending))
		}
		got := lines(rec, "tool_start", "tool_dispatch 1 call_2", "tool_end 1 call_2", "turn_end", "run_end")
		expect(t, got, "tool_start 1 call_1 x {}", "tool_start 1 call_2 y {} defer", `tool_end 1 call_2 deferred "ask first"`, "tool_start 1 call_3 z {}",
			"turn_end 1", "run_end input_required pending call_2=deferred")
		results := find[*agentturn.TurnEnd](rec).ToolResults
		if len(results) != 3 || results[0].Output.Text != "x ok" || results[1].Output.Text != "" || results[2].Output.Text != "z ok" {
			t.Errorf("results %+v", results)
		}
	})
}

func TestBatches(t *testing.T) {
	t.Run("R056", func(t *testing.T) {
		delivered := make(map[string]bool)
		var mu sync.Mutex
		tool := funcTool("x", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			mu.Lock()
			defer mu.Unlock()
			if !delivered[call.ID] {
				t.Errorf("%s runs ahead of its tool_dispatch", call.ID)
			}
			return agenttool.Text("ok"), nil
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("x", `{}`), at.Call("no", `{}`)}, at.Text("ok")), Tools: tools(tool)})
		a.Subscribe(func(_ context.Context, ev agentturn.Event) error {
			if d, ok := ev.(*agentturn.ToolDispatch); ok {
				mu.Lock()
				defer mu.Unlock()
				delivered[d.CallID] = true
			}
			return nil
		})
		prompted(t, a, "hi", agentturn.ReasonDone)
		for _, id := range []string{"call_1", "call_2"} {
			got := lines(rec, "tool_start 1 "+id, "tool_dispatch 1 "+id, "tool_end 1 "+id)
			expect(t, got, "tool_start 1 "+id+" x {}", "tool_dispatch 1 "+id+" x", "tool_end 1 "+id+" ok")
		}
		if len(delivered) != 2 {
			t.Errorf("dispatched %v", delivered)
		}
	})
	t.Run("R062 R063", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			slow := func(name string, d time.Duration) agenttool.Tool {
				return funcTool(name, func(context.Context, agenttool.Call) (agenttool.Result, error) {
					time.Sleep(d)
					return agenttool.Text(name), nil
				})
			}
			a, rec := agentOf(t, agentturn.Config{
				Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("y", `{}`), at.Call("z", `{}`)}, at.Text("ok")),
				Tools: tools(slow("x", 3*time.Second), slow("y", time.Second), slow("z", 2*time.Second)),
				BeforeToolCall: func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
					return &agentturn.ToolDecision{Note: "note " + info.Call.Name}, nil
				},
			})
			end := prompted(t, a, "hi", agentturn.ReasonDone)
			expect(t, lines(rec, "tool_end"), "tool_end 1 call_2 ok", "tool_end 1 call_3 ok", "tool_end 1 call_1 ok")
			if got := kinds(end.Items[4:]); got != "output:call_1 output:call_2 output:call_3 developer:note x developer:note y developer:note z assistant:ok" {
				t.Errorf("items %s", got)
			}
		})
	})
	t.Run("R064", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Call("x", `{}`)), Tools: tools(okTool("x")),
			BeforeToolCall: deciding("x", agentturn.ToolDecision{Terminate: true}),
			AfterToolCall: func(context.Context, agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
				return &agentturn.ToolOverride{Result: agenttool.Text("overridden")}, nil
			},
		})
		if end := prompted(t, a, "hi", agentturn.ReasonStopped); end.Cause != agentturn.StopTerminate || outputText(t, end.Items, "call_1") != "overridden" {
			t.Errorf("%+v", end)
		}
	})
	t.Run("R065", func(t *testing.T) {
		ending := funcTool("end", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			return agenttool.Result{Terminate: true}, nil
		})
		for cause, calls := range map[agentturn.StopCause]at.Attempt{
			agentturn.StopTerminate:        {at.Call("end", `{}`), at.Call("end", `{}`)},
			agentturn.StopPartialTerminate: {at.Call("end", `{}`), at.Call("x", `{}`)},
		} {
			model := at.NewModel(t, calls)
			a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("x"), ending)})
			end := prompted(t, a, "hi", agentturn.ReasonStopped)
			if end.Cause != cause || len(end.Items) != 5 || len(end.Pending) > 0 || len(model.Requests()) != 1 {
				t.Errorf("%s: %+v", cause, end)
			}
		}
	})
	t.Run("R066", func(t *testing.T) {
		tool := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			return agenttool.Result{Output: openresponses.FunctionCallOutputData{Text: "half"}, Details: 7, Terminate: true}, errTest
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`)), Tools: tools(tool)})
		prompted(t, a, "hi", agentturn.ReasonStopped)
		if e := find[*agentturn.ToolEnd](rec); e.Result.Output.Text != "Error: it broke" || e.Result.Details != 7 || !e.Result.Terminate || e.Err != errTest {
			t.Errorf("%+v", e)
		}
	})
	t.Run("R067", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tool := func(name string, opts ...agenttool.Option) agenttool.Tool {
				return funcTool(name, func(context.Context, agenttool.Call) (agenttool.Result, error) {
					time.Sleep(time.Second)
					return agenttool.Text("ok"), nil
				}, opts...)
			}
			a, rec := agentOf(t, agentturn.Config{
				Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("y", `{}`), at.Call("x", `{}`)}, at.Text("ok")),
				Tools: tools(tool("x", agenttool.WithResource("disk")), tool("y")),
				AfterToolCall: func(context.Context, agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
					time.Sleep(time.Second) // settling takes its time, too
					return nil, nil
				},
			})
			prompted(t, a, "hi", agentturn.ReasonDone)
			got := lines(rec, "tool_dispatch", "tool_end")
			if slices.Index(got, "tool_dispatch 1 call_3 x") < slices.Index(got, "tool_end 1 call_1 ok") {
				t.Errorf("events %q", got)
			}
			if slices.Index(got, "tool_dispatch 1 call_2 y") > slices.Index(got, "tool_end 1 call_1 ok") {
				t.Errorf("another chain was held up: %q", got)
			}
		})
	})
	t.Run("R068", func(t *testing.T) {
		for _, c := range []struct {
			cfg  agentturn.Config
			most int64
		}{{agentturn.Config{MaxParallelTools: 2}, 2}, {agentturn.Config{ToolExecution: agentturn.ExecSequential}, 1}, {agentturn.Config{}, 8}} {
			synctest.Test(t, func(t *testing.T) {
				var running, most atomic.Int64
				cfg := c.cfg
				cfg.Tools = tools(funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
					most.Store(max(most.Load(), running.Add(1)))
					time.Sleep(time.Second)
					running.Add(-1)
					return agenttool.Text("ok"), nil
				}))
				var calls at.Attempt
				for range 10 {
					calls = append(calls, at.Call("x", `{}`))
				}
				cfg.Model = at.NewModel(t, calls, at.Text("ok"))
				a, _ := agentOf(t, cfg)
				prompted(t, a, "hi", agentturn.ReasonDone)
				if most.Load() != c.most {
					t.Errorf("%d at a time, want %d", most.Load(), c.most)
				}
			})
		}
	})
	t.Run("R069", func(t *testing.T) {
		keys := map[string]string{}
		var mu sync.Mutex
		tool := funcTool("x", func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
			mu.Lock()
			keys[call.ID] = call.IdempotencyKey
			mu.Unlock()
			if len(call.Args) > 2 {
				return agentturn.Invoke(ctx, "x", nil)
			}
			return agenttool.Text("ok"), nil
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("x", `{"nest":1}`), at.Call("x", `{"nest":1}`), at.Call("x", `{}`)}, at.Call("x", `{}`), at.Text("ok")), Tools: tools(tool)})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		seen := map[string]bool{}
		for _, d := range all[*agentturn.ToolDispatch](rec) {
			if d.IdempotencyKey == "" || seen[d.IdempotencyKey] || keys[d.CallID] != d.IdempotencyKey {
				t.Errorf("%s is dispatched under %q, the tool has %q", d.CallID, d.IdempotencyKey, keys[d.CallID])
			}
			seen[d.IdempotencyKey] = true
		}
		if len(seen) != 6 || !seen[end.RunID+"/call_3"] {
			t.Errorf("keys %v", seen)
		}
	})
	t.Run("R070", func(t *testing.T) {
		var before, after string
		synctest.Test(t, func(t *testing.T) {
			slow := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
				tr, _ := agentturn.TranscriptFromContext(ctx)
				before = kinds(tr)
				time.Sleep(time.Minute)
				after = kinds(tr)
				return agenttool.Text("ok"), nil
			})
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("y", `{}`)}, at.Text("ok")), Tools: tools(slow, okTool("y"))})
			time.AfterFunc(time.Second, func() { a.Steer(user("more")) })
			prompted(t, a, "hi", agentturn.ReasonDone)
		})
		if before != "user:hi call:call_1 call:call_2" || after != before {
			t.Errorf("the tool saw %q, then %q", before, after)
		}
	})
	t.Run("R071", func(t *testing.T) {
		tool := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) { panic("boom") })
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), Tools: tools(tool)})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		var p *agenttool.PanicError
		if e := find[*agentturn.ToolEnd](rec); !errors.As(e.Err, &p) || outputText(t, end.Items, "call_1") != `Error: tool "x" panicked: boom` {
			t.Errorf("%+v", e)
		}
	})
	t.Run("R072", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var inside atomic.Int64
			slowly := func() {
				if inside.Add(1) != 1 {
					t.Error("two hooks at once")
				}
				time.Sleep(time.Second)
				inside.Add(-1)
			}
			nesting := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
				return agentturn.Invoke(ctx, "y", nil)
			})
			a, _ := agentOf(t, agentturn.Config{
				Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("x", `{}`), at.Call("y", `{}`)}, at.Text("ok")), Tools: tools(nesting, okTool("y")),
				BeforeToolCall: func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
					slowly()
					return nil, nil
				},
				AfterToolCall: func(context.Context, agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
					slowly()
					return nil, nil
				},
			})
			prompted(t, a, "hi", agentturn.ReasonDone)
		})
	})
}
