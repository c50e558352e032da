package agentturn_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// What a loop easily gets wrong, each with the smallest case that shows it.
func TestHazards(t *testing.T) {
	// A report that fails takes neither the event behind it nor what the event changes.
	for _, behind := range []string{agentturn.EventItemEnd, agentturn.EventTurnStart, agentturn.EventToolEnd, agentturn.EventRunEnd} {
		t.Run("a failed report ahead of "+behind, func(t *testing.T) {
			var ahead string // the event before it, which queues the items
			switch behind {
			case agentturn.EventItemEnd:
				ahead = agentturn.EventItemStart
			case agentturn.EventTurnStart:
				ahead = agentturn.EventItemEnd
			case agentturn.EventToolEnd:
				ahead = agentturn.EventToolDispatch
			case agentturn.EventRunEnd:
				ahead = agentturn.EventTurnEnd
			}
			cfg := agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("held", `{}`)}), Tools: tools(okTool("x"), okTool("held")),
				BeforeToolCall: deciding("held", agentturn.ToolDecision{Action: agentturn.Defer})}
			a, rec := agentOf(t, cfg)
			a.Subscribe(onFirst(ahead, func(context.Context) { a.FollowUp(user("a"), user("b")) }))
			a.Subscribe(failingAt(agentturn.EventQueued, 1, errTest))
			end, _ := a.Prompt(t.Context(), user("hi"))
			got := rec.Lines()
			i := slices.IndexFunc(got, func(line string) bool { return strings.HasPrefix(line, "queued") })
			if i < 0 || i+2 >= len(got) || !strings.HasPrefix(got[i+1], "queued") || !strings.HasPrefix(got[i+2], behind) {
				t.Errorf("events %q", got)
			}
			if s := a.State(); s.Running || len(s.Transcript) != len(end.Items) || pendingOf(s.Pending) != pendingOf(end.Pending) {
				t.Errorf("the state %+v, the run's end %+v", s, end)
			}
			if want := behind != agentturn.EventRunEnd; want != errors.Is(end.Err, errTest) {
				t.Errorf("error %v", end.Err)
			}
		})
	}
	t.Run("an invoker outlives its call", func(t *testing.T) {
		for name, run := range map[string]func(*testing.T, agentturn.Config) *at.Recorder{
			"agent": func(t *testing.T, cfg agentturn.Config) *at.Recorder {
				a, rec := agentOf(t, cfg)
				prompted(t, a, "hi", agentturn.ReasonDone)
				return rec
			},
			"low-level": func(t *testing.T, cfg agentturn.Config) *at.Recorder {
				rec, _ := ranged(t, nil, items(user("hi")), cfg)
				return rec
			},
		} {
			t.Run(name, func(t *testing.T) {
				contexts, over := make(chan context.Context, 1), make(chan struct{})
				keep := funcTool("keep", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
					contexts <- context.WithoutCancel(ctx)
					return agenttool.Text("ok"), nil
				})
				// The batch goes on after the call that lent its context.
				other := funcTool("other", func(context.Context, agenttool.Call) (agenttool.Result, error) {
					<-over
					kept := <-contexts
					if _, err := agentturn.Invoke(kept, "x", nil); !errors.Is(err, agentturn.ErrNoInvoker) {
						t.Errorf("the call has ended, its batch has not: error %v", err)
					}
					contexts <- kept
					return agenttool.Text("ok"), nil
				})
				cfg := agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("keep", `{}`), at.Call("other", `{}`)}, at.Text("ok")), Tools: tools(keep, other, okTool("x")),
					AfterToolCall: func(_ context.Context, info agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
						if info.Call.Name == "keep" {
							close(over)
						}
						return nil, nil
					}}
				rec := run(t, cfg)
				n := len(rec.Events())
				if _, err := agentturn.Invoke(<-contexts, "x", nil); !errors.Is(err, agentturn.ErrNoInvoker) {
					t.Errorf("the run is over: error %v", err)
				}
				if len(rec.Events()) != n || strings.Contains(strings.Join(rec.Lines(), "\n"), "tool_start 1 x") {
					t.Errorf("a call nobody could make any more was announced")
				}
			})
		}
	})
	t.Run("a nested call left running", func(t *testing.T) {
		started := make(chan struct{})
		slow := funcTool("slow", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			close(started)
			<-ctx.Done()
			return agenttool.Result{}, ctx.Err()
		})
		var nested error
		var wg sync.WaitGroup
		leave := funcTool("leave", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			ctx = context.WithoutCancel(ctx)
			wg.Go(func() { _, nested = agentturn.Invoke(ctx, "slow", nil) })
			<-started
			return agenttool.Text("left"), nil
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("leave", `{}`), at.Text("ok")), Tools: tools(leave, slow)})
		prompted(t, a, "hi", agentturn.ReasonDone)
		wg.Wait()
		ends := all[*agentturn.ToolEnd](rec)
		if len(ends) != 2 || ends[0].Name != "slow" || ends[1].Name != "leave" || nested == nil {
			t.Errorf("events %q, error %v", lines(rec, "tool_end"), nested)
		}
	})
	t.Run("the zero agent", func(t *testing.T) {
		at.NoLeaks(t)
		var a agentturn.Agent
		a.Abort()
		a.AbortCause(errTest)
		if err := a.WaitForIdle(t.Context()); err != nil {
			t.Errorf("WaitForIdle: %v", err)
		}
		if s := a.State(); s.Running || len(s.Transcript)+len(s.Pending)+s.Steering != 0 {
			t.Errorf("state %+v", s)
		}
		if _, err := a.Prompt(t.Context(), user("hi")); err != agentturn.ErrNoModel {
			t.Errorf("Prompt: %v", err)
		}
		if _, err := a.Continue(t.Context()); err != agentturn.ErrCannotContinue {
			t.Errorf("Continue: %v", err)
		}
		if _, err := a.Resume(t.Context(), agentturn.Approve("c")); !errors.Is(err, agentturn.ErrNotPending) {
			t.Errorf("Resume: %v", err)
		}
		a.Steer(user("s"))
		a.FollowUp(user("f"))
		if _, _, err := a.Deliver(t.Context(), user("d")); err != agentturn.ErrNoModel {
			t.Errorf("Deliver: %v", err)
		}
		model := at.NewModel(t, at.Text("ok"), at.Text("ok"))
		rec := recording(t)
		a.Subscribe(rec.Record)
		if err := errors.Join(a.SetPending(nil), a.SetTranscript(nil), a.SetConfig(agentturn.Config{Model: model})); err != nil {
			t.Fatal(err)
		}
		end := prompted(t, &a, "hi", agentturn.ReasonDone)
		if got := kinds(end.Items); got != "user:hi user:s user:d assistant:ok user:f assistant:ok" {
			t.Errorf("items %s", got)
		}
	})
	t.Run("a late delta", func(t *testing.T) {
		stream := at.Send(created("r"), added(0, opening("m")), textDelta(0, "text"), done(0, message("m", "text")), textDelta(0, " and more"),
			added(1, wireCall("fc", "c", "")), done(1, wireCall("fc", "c", `{}`)), argsDelta(1, "fc", `{"late":1}`), ended(finished))
		var seen []string
		tool := funcTool("x", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			seen = append(seen, string(call.Args))
			return agenttool.Text("ok"), nil
		})
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, stream, at.Text("ok")), Tools: tools(tool)})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		call, _ := end.Items[2].(*openresponses.FunctionCall)
		if kinds(end.Items[:3]) != "user:hi assistant:text call:c" || call.Arguments != `{}` || !slices.Equal(seen, []string{`{}`}) {
			t.Errorf("items %s, arguments %v, run with %q", kinds(end.Items), call, seen)
		}
		for _, ev := range all[*agentturn.ItemEnd](rec) {
			if m, ok := ev.Item.(*openresponses.Message); ok && m.ID == "m" && m.Text() != "text" {
				t.Errorf("item_end says %q", m.Text())
			}
		}
		if response := find[*agentturn.ResponseEnd](rec).Response; len(response.FunctionCalls()) != 1 || response.FunctionCalls()[0] != call {
			t.Errorf("the response has another call: %+v", response.FunctionCalls())
		}
	})
	t.Run("the configuration is read while it changes", func(t *testing.T) {
		at.NoLeaks(t)
		a := agentturn.New(agentturn.Config{Name: "0"})
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				if err := a.SetConfig(agentturn.Config{Name: "set", MaxTurns: i}); err != nil {
					t.Error(err)
				}
			})
			wg.Go(func() {
				if c := a.Config(); c.Name == "0" && c.MaxTurns != 0 {
					t.Errorf("half of one configuration and half of another: %+v", c)
				}
			})
		}
		wg.Wait()
	})
	t.Run("a body that panics while the buffer is full", func(t *testing.T) {
		at.NoLeaks(t)
		var returned atomic.Bool
		steps := at.Attempt{at.Do(func() {}), at.PartialText("")}
		for range 2 * agentturn.EventBuffer {
			steps = append(steps, at.Send(textDelta(0, "x")))
		}
		steps = append(steps, at.Func(func(ctx context.Context, _ openresponses.Request, _ openresponses.EventSink) error {
			<-ctx.Done()
			returned.Store(true)
			return ctx.Err()
		}))
		defer func() {
			if recover() != errTest || !returned.Load() {
				t.Error("the panic did not come through, or ahead of the model's end")
			}
		}()
		for range agentturn.Run(t.Context(), nil, items(user("hi")), agentturn.Config{Model: at.NewModel(t, steps)}) {
			panic(errTest)
		}
	})
	t.Run("a failed response and an error", func(t *testing.T) {
		failed := at.Attempt{at.Send(created("r"), ended(openresponses.ResponseStatusFailed)), at.Fail(errTest)}
		model := at.NewModel(t, failed)
		retry := agentturn.Retry{MaxAttempts: 3, Backoff: atOnce, Retryable: func(error) bool { return true }}
		a, rec := agentOf(t, agentturn.Config{Model: model, Retry: retry})
		end := prompted(t, a, "hi", agentturn.ReasonError)
		if n := len(lines(rec, "response_end")); n != 1 || len(lines(rec, "model_retry")) != 0 {
			t.Errorf("%d response_end, events %q, error %v", n, rec.Lines(), end.Err)
		}
	})
	t.Run("runs leave nothing registered with the caller's context", func(t *testing.T) {
		model := at.NewModel(t, at.Call("x", `{}`), at.Text("ok")).RepeatLast()
		a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("x"))})
		ctx := &countingContext{Context: t.Context(), done: make(chan struct{})}
		for range 20 {
			if _, err := a.Prompt(ctx, user("hi")); err != nil {
				t.Fatal(err)
			}
		}
		for range 20 {
			for ev := range agentturn.Run(ctx, nil, items(user("hi")), agentturn.Config{Model: model}) {
				if ev.EventType() == agentturn.EventTurnStart {
					break
				}
			}
		}
		if n := ctx.made.Load(); n < 40 {
			t.Errorf("the test counts nothing: %d registrations", n)
		}
		if n := ctx.registered.Load(); n != 0 {
			t.Errorf("%d registrations are left", n)
		}
	})
}

// countingContext counts what waits for it to end.
type countingContext struct {
	context.Context
	done       chan struct{}
	registered atomic.Int64
	made       atomic.Int64
}

func (c *countingContext) Done() <-chan struct{} { return c.done }

func (c *countingContext) Err() error { return nil }

// AfterFunc is what package context calls in place of starting a goroutine.
func (c *countingContext) AfterFunc(func()) (stop func() bool) {
	c.registered.Add(1)
	c.made.Add(1)
	var once sync.Once
	return func() bool {
		first := false
		once.Do(func() { c.registered.Add(-1); first = true })
		return first
	}
}
