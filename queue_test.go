package agentturn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// onFirst calls fn at the first event of a type.
func onFirst(eventType string, fn func(ctx context.Context)) func(context.Context, agentturn.Event) error {
	var once sync.Once
	return func(ctx context.Context, ev agentturn.Event) error {
		if ev.EventType() == eventType {
			once.Do(func() { fn(ctx) })
		}
		return nil
	}
}

func TestQueues(t *testing.T) {
	t.Run("R107", func(t *testing.T) {
		model := at.NewModel(t, at.Call("x", `{}`), at.Text("ok"))
		a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("x")), BeforeToolCall: deciding("x", agentturn.ToolDecision{Note: "note"})})
		a.Subscribe(onFirst(agentturn.EventToolStart, func(context.Context) { a.Steer(user("steered")) }))
		prompted(t, a, "hi", agentturn.ReasonDone)
		if got := kinds(model.Request(2).Input); got != "user:hi call:call_1 output:call_1 developer:note user:steered" {
			t.Errorf("sent %s", got)
		}
	})
	t.Run("R108", func(t *testing.T) {
		model := at.NewModel(t, at.Text("ok"))
		a, _ := agentOf(t, agentturn.Config{Model: model})
		a.Steer(user("steered"), nil)
		prompted(t, a, "hi", agentturn.ReasonDone)
		if got := kinds(model.Request(1).Input); got != "user:hi user:steered" {
			t.Errorf("sent %s", got)
		}
	})
	t.Run("R109", func(t *testing.T) {
		model := at.NewModel(t, at.Call("x", `{}`), at.Text("a"), at.Text("b"))
		a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("x"))})
		a.FollowUp(user("follow"))
		turns := 0
		a.Subscribe(func(_ context.Context, ev agentturn.Event) error {
			if _, ok := ev.(*agentturn.ResponseEnd); ok {
				if turns++; turns == 2 {
					a.Steer(user("steered"))
				}
			}
			return nil
		})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if got := kinds(model.Request(2).Input); strings.Contains(got, "follow") {
			t.Errorf("the turn behind the calls was sent %s", got)
		}
		if got := kinds(model.Request(3).Input); !strings.HasSuffix(got, "assistant:a user:steered user:follow") {
			t.Errorf("sent %s", got)
		}
	})
	t.Run("R110", func(t *testing.T) {
		ending := funcTool("end", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			return agenttool.Result{Terminate: true}, nil
		})
		for name, cfg := range map[string]agentturn.Config{
			"hook":      {ShouldStopAfterTurn: func(context.Context, agentturn.TurnInfo) (bool, error) { return true, nil }},
			"guard":     {ShouldStopAfterTurn: func(context.Context, agentturn.TurnInfo) (bool, error) { return false, agentturn.ErrGuard }},
			"max turns": {MaxTurns: 1},
			"terminate": {Tools: tools(ending)},
			"deferred":  {BeforeToolCall: holding},
		} {
			t.Run(name, func(t *testing.T) {
				if cfg.Tools == nil {
					cfg.Tools = tools(okTool("end"))
				}
				model := at.NewModel(t, at.Call("end", `{}`), at.Text("ok"), at.Text("ok"))
				cfg.Model = model
				a, _ := agentOf(t, cfg)
				a.Subscribe(onFirst(agentturn.EventToolStart, func(context.Context) { a.Steer(user("s")); a.FollowUp(user("f")) }))
				end, err := a.Prompt(t.Context(), user("hi"))
				if err != nil || strings.Contains(kinds(end.Items), "user:s") || a.State().Steering != 1 || a.State().FollowUps != 1 {
					t.Fatalf("%+v, error %v, state %+v", end, err, a.State())
				}
				if err := a.SetConfig(agentturn.Config{Model: model}); err != nil {
					t.Fatal(err)
				}
				if len(end.Pending) > 0 {
					end, err = a.Resume(t.Context(), agentturn.Output(output("call_1", "x")))
				} else {
					end, err = a.Prompt(t.Context(), user("next"))
				}
				if err != nil || !strings.Contains(kinds(end.Items), "user:s assistant:ok user:f assistant:ok") {
					t.Errorf("the next run took %s, error %v", kinds(end.Items), err)
				}
			})
		}
	})
	t.Run("R111", func(t *testing.T) {
		for name, c := range map[string]struct {
			turn  at.Turn
			queue bool
			want  agentturn.Reason
		}{
			"answer":             {at.Text("ok"), false, agentturn.ReasonDone},
			"answer, and queued": {at.Text("ok"), true, agentturn.ReasonStopped},
			"calls":              {at.Call("x", `{}`), false, agentturn.ReasonStopped},
		} {
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, c.turn), Tools: tools(okTool("x")), MaxTurns: 1})
			if c.queue {
				a.FollowUp(user("f"))
			}
			if end := prompted(t, a, "hi", c.want); c.want == agentturn.ReasonStopped && end.Cause != agentturn.StopMaxTurns {
				t.Errorf("%s: cause %s", name, end.Cause)
			}
		}
	})
	t.Run("R112", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok"), at.Text("ok"), at.Text("ok")), Tools: tools(okTool("x"))})
		a.Steer(user("idle"))
		a.Subscribe(onFirst(agentturn.EventToolEnd, func(context.Context) { a.Steer(user("running")) }))
		a.Subscribe(onFirst(agentturn.EventRunEnd, func(context.Context) { a.FollowUp(user("after")) }))
		prompted(t, a, "hi", agentturn.ReasonDone)
		prompted(t, a, "again", agentturn.ReasonDone)
		expect(t, lines(rec, "queued", `item_end 0 message user "idle"`, `item_end 1 message user`),
			`queued - steer message user "idle"`, `item_end 0 message user "idle"`, `queued run_1 steer message user "running"`, `item_end 1 message user "running"`,
			`queued - follow_up message user "after"`, `item_end 1 message user "after"`)
	})
	t.Run("R113", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok"), at.Text("ok"))})
			a.Subscribe(onFirst(agentturn.EventTurnStart, func(context.Context) {
				a.Steer(user("inside"))
				steered := make(chan struct{})
				go func() { a.Steer(user("outside")); close(steered) }()
				<-steered // while this delivery is under way
				time.Sleep(time.Minute)
			}))
			prompted(t, a, "hi", agentturn.ReasonDone)
			expect(t, lines(rec, "turn_start 1", "queued", "item_start 1 message assistant"), "turn_start 1",
				`queued run_1 steer message user "inside"`, `queued run_1 steer message user "outside"`, "item_start 1 message assistant")
		})
	})
	t.Run("R114", func(t *testing.T) {
		var busy sync.Mutex
		var order []int
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("x", `{}`), at.Call("x", `{}`)}, at.Text("ok")), Tools: tools(okTool("x"))})
		for i := range 3 {
			a.Subscribe(func(context.Context, agentturn.Event) error {
				if !busy.TryLock() {
					t.Error("two subscribers at once")
					return nil
				}
				defer busy.Unlock()
				order = append(order, i)
				return nil
			})
		}
		prompted(t, a, "hi", agentturn.ReasonDone)
		for i, n := range order {
			if n != i%3 {
				t.Fatalf("order %v", order)
			}
		}
	})
	t.Run("R115", func(t *testing.T) {
		told := false
		tool := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			if !told {
				t.Error("the tool runs ahead of response_end")
			}
			return agenttool.Result{}, nil
		})
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), Tools: tools(tool)})
		a.Subscribe(onFirst(agentturn.EventResponseEnd, func(context.Context) { time.Sleep(10 * time.Millisecond); told = true }))
		prompted(t, a, "hi", agentturn.ReasonDone)
	})
	t.Run("R122", func(t *testing.T) {
		closed := func(ctx context.Context) bool {
			select {
			case <-agentturn.Steered(ctx):
				return true
			default:
				return false
			}
		}
		var a *agentturn.Agent
		var seen []bool
		tool := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			seen = append(seen, closed(ctx))
			if len(seen) == 1 {
				a.Steer(user("s"))
				seen = append(seen, closed(ctx))
			}
			return agenttool.Result{}, nil
		})
		a, _ = agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Call("x", `{}`), at.Text("ok")), Tools: tools(tool)})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if !slices.Equal(seen, []bool{false, true, false}) {
			t.Errorf("the signal was %v", seen)
		}
	})
	t.Run("R123", func(t *testing.T) {
		var during, batch context.Context
		tool := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			during, _ = agentturn.RunContext(ctx)
			batch = ctx
			return agenttool.Result{}, nil
		})
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok"), at.Call("x", `{}`)), Tools: tools(tool)})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if during.Err() != nil || batch.Err() == nil || agentturn.RunIDFromContext(during) == "" {
			t.Errorf("the run's context ended with %v, the batch's with %v", during.Err(), batch.Err())
		}
		a.Subscribe(abortingAt(a, agentturn.EventToolEnd, errTest))
		prompted(t, a, "hi", agentturn.ReasonAborted)
		if context.Cause(during) != errTest {
			t.Errorf("after an abort the cause is %v", context.Cause(during))
		}
	})
}

// delivered is what a Deliver returned.
type delivered struct {
	joined bool
	end    *agentturn.RunEnd
	err    error
}

func deliver(ctx context.Context, a *agentturn.Agent, items ...openresponses.Item) <-chan delivered {
	ch := make(chan delivered, 1)
	go func() {
		joined, end, err := a.Deliver(ctx, items...)
		ch <- delivered{joined, end, err}
	}()
	return ch
}

func TestDeliver(t *testing.T) {
	t.Run("R116", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			slow := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
				time.Sleep(time.Minute)
				return agenttool.Result{}, nil
			})
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Attempt{at.Sleep(time.Minute), at.Text("ok")}), Tools: tools(slow)})
			var when []string
			go func() {
				time.Sleep(time.Second) // the tool runs
				got := <-deliver(t.Context(), a, user("late"))
				when = lines(rec, "turn_start")
				if !got.joined || got.end != nil || got.err != nil {
					t.Errorf("%+v", got)
				}
			}()
			prompted(t, a, "hi", agentturn.ReasonDone)
			synctest.Wait()
			expect(t, when, "turn_start 1", "turn_start 2")
		})
	})
	t.Run("R117", func(t *testing.T) {
		model := at.NewModel(t, at.Text("ok"))
		a, _ := agentOf(t, agentturn.Config{Model: model})
		got := <-deliver(t.Context(), a, user("late"))
		if got.joined || got.err != nil || got.end.Reason != agentturn.ReasonDone || kinds(model.Request(1).Input) != "user:late" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("R118", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("a"), at.Text("b"))})
		var inside, past delivered
		a.Subscribe(onFirst(agentturn.EventResponseEnd, func(ctx context.Context) {
			inside.joined, inside.end, inside.err = a.Deliver(ctx, user("more"))
		}))
		a.Subscribe(onFirst(agentturn.EventRunEnd, func(ctx context.Context) { past.joined, past.end, past.err = a.Deliver(ctx, user("late")) }))
		prompted(t, a, "hi", agentturn.ReasonDone)
		if !inside.joined || inside.err != nil || past.joined || past.err != agentturn.ErrRunning || a.State().Steering != 1 {
			t.Errorf("inside %+v, past %+v", inside, past)
		}
	})
	t.Run("R119", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, rec := agentOf(t, agentturn.Config{
				Model: at.NewModel(t, at.Call("x", `{}`)), Tools: tools(okTool("x")),
				BeforeTurn: func(_ context.Context, info agentturn.TurnStartInfo) (openresponses.Items, error) {
					if info.Turn == 2 {
						return nil, errTest
					}
					return nil, nil
				},
			})
			var ch <-chan delivered
			a.Subscribe(onFirst(agentturn.EventToolStart, func(context.Context) { ch = deliver(t.Context(), a, user("late")); synctest.Wait() }))
			end, _ := a.Prompt(t.Context(), user("hi"))
			if got := <-ch; got.joined || got.end != end || !errors.Is(got.err, errTest) || len(lines(rec, "run_start")) != 1 || !strings.HasSuffix(kinds(end.Items), "user:late") {
				t.Errorf("%+v, the run %+v", got, end)
			}
		})
	})
	t.Run("refused", func(t *testing.T) {
		a, _ := heldAgent(t, 1, agentturn.Config{})
		if got := <-deliver(t.Context(), a, user("late")); got.err != agentturn.ErrInputRequired || a.State().Steering != 1 {
			t.Errorf("pending: %+v", got)
		}
		if got := <-deliver(t.Context(), a); got.err != agentturn.ErrNoPrompt {
			t.Errorf("nothing: %+v", got)
		}
		b, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t)})
		if got := <-deliver(t.Context(), b, openresponses.AssistantText("x")); got.err != agentturn.ErrCannotContinue {
			t.Errorf("nothing to answer: %+v", got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got := <-deliver(ctx, b, user("late")); got.err != context.Canceled || got.end != nil {
			t.Errorf("a context that has ended: %+v", got)
		}
	})
}

func TestRange(t *testing.T) {
	t.Run("R120", func(t *testing.T) {
		for _, event := range []string{agentturn.EventRunStart, agentturn.EventItemUpdate, agentturn.EventToolDispatch, agentturn.EventRunEnd} {
			at.NoLeaks(t)
			tool := funcTool("x", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
				if event != agentturn.EventRunEnd {
					<-ctx.Done()
				}
				return agenttool.Result{}, ctx.Err()
			})
			model := at.NewModel(t, at.Attempt{at.Text("a"), at.Call("x", `{}`)}, at.Text("ok"))
			var kept context.Context
			cfg := agentturn.Config{Model: model, Tools: tools(tool), BeforeTurn: func(ctx context.Context, _ agentturn.TurnStartInfo) (openresponses.Items, error) {
				kept, _ = agentturn.RunContext(ctx)
				return nil, nil
			}}
			for ev := range agentturn.Run(t.Context(), nil, items(user("hi")), cfg) {
				if ev.EventType() == event {
					break
				}
			}
			if event == agentturn.EventRunEnd && kept.Err() != nil {
				t.Errorf("leaving at run_end cancelled the run's context: %v", kept.Err())
			}
		}
	})
	t.Run("R121", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			at.NoLeaks(t)
			sent := 0
			stream := []at.Step{at.PartialText("")}
			for range 600 {
				stream = append(stream, at.Do(func() { sent++ }), at.Send(textDelta(0, "x")))
			}
			stream = append(stream, at.Send(done(0, message("m", "x")), ended(finished)))
			n, deltas := 0, 0
			for ev := range agentturn.Run(t.Context(), nil, items(user("hi")), agentturn.Config{Model: at.NewModel(t, at.Attempt(stream)).Unchecked()}) {
				if n++; n == 1 {
					synctest.Wait()
					if sent < agentturn.EventBuffer-20 || sent > agentturn.EventBuffer {
						t.Errorf("the model sent %d deltas to a reader who had read one event", sent)
					}
				}
				if u, ok := ev.(*agentturn.ItemUpdate); ok {
					if _, ok := u.Stream.(*openresponses.OutputTextDeltaEvent); ok {
						deltas++
					}
				}
			}
			if deltas < 600 {
				t.Errorf("%d of 600 deltas arrived", deltas)
			}
		})
	})
	t.Run("a body that panics", func(t *testing.T) {
		at.NoLeaks(t)
		func() {
			defer func() {
				if recover() != "boom" {
					t.Error("the panic did not come through")
				}
			}()
			for range agentturn.Run(t.Context(), nil, items(user("hi")), agentturn.Config{Model: at.NewModel(t, at.Attempt{at.PartialText("a"), at.Block()})}) {
				panic("boom")
			}
		}()
	})
}

func TestValues(t *testing.T) {
	t.Run("R124", func(t *testing.T) {
		model := at.NewModel(t, at.Text("ok"))
		a, rec := agentOf(t, agentturn.Config{Model: model})
		note := openresponses.DeveloperText("note")
		a.Steer(agentturn.Hidden(user("steered")))
		if _, err := a.Prompt(t.Context(), agentturn.Hidden(note), user("hi")); err != nil {
			t.Fatal(err)
		}
		if a.State().Transcript[0] != openresponses.Item(note) || model.Request(1).Input[0].ItemType() != "message" {
			t.Errorf("transcript %s", kinds(a.State().Transcript))
		}
		expect(t, lines(rec, "queued", "item_start 0", "item_end 0"), `queued - steer message user "steered" hidden`,
			"item_start 0 message developer hidden", `item_end 0 message developer "note" hidden`, "item_start 0 message user", `item_end 0 message user "hi"`,
			"item_start 0 message user hidden", `item_end 0 message user "steered" hidden`)
		if hidden := agentturn.Hidden(note); agentturn.Hidden(nil) != nil || agentturn.Hidden(hidden) != hidden {
			t.Error("Hidden of nil, or of what is hidden")
		}
	})
	t.Run("R125", func(t *testing.T) {
		mine, other, unknown, unnamed := thought("mine"), thought("other"), thought("unknown"), thought("unnamed")
		models := agentturn.ReasoningModels{mine: "m", other: "n", unnamed: ""}
		tr := agentturn.Transcript{user("a"), mine, other, unknown, unnamed, openresponses.AssistantText("b")}
		model := at.NewModel(t, at.Text("ok")).RepeatLast()
		a, _ := agentOf(t, agentturn.Config{Model: model, ModelName: "m"}, agentturn.WithTranscript(tr), agentturn.WithReasoningModels(models))
		prompted(t, a, "hi", agentturn.ReasonDone)
		var sent []string
		for _, item := range model.Request(1).Input {
			if r, ok := item.(*openresponses.ReasoningItem); ok {
				sent = append(sent, r.ID)
			}
		}
		if fmt.Sprint(sent) != "[mine unknown unnamed]" || len(a.State().Transcript) != 8 {
			t.Errorf("sent %v, the transcript has %d items", sent, len(a.State().Transcript))
		}
	})
	t.Run("R126", func(t *testing.T) {
		var got []float64
		for n := range 8 {
			got = append(got, agentturn.DefaultBackoff(n+1, errTest).Seconds())
		}
		if fmt.Sprint(got) != "[0.5 1 2 4 8 16 30 30]" {
			t.Errorf("backoff %v", got)
		}
	})
	t.Run("R127", func(t *testing.T) {
		rank := map[agentturn.ToolAction]int{agentturn.Allow: 0, agentturn.Defer: 1, agentturn.Block: 2}
		for first := range rank {
			for second := range rank {
				for _, reasons := range [][2]string{{"", ""}, {"one", ""}, {"", "two"}, {"one", "two"}} {
					a := agentturn.ToolDecision{Action: first, Reason: reasons[0], By: reasons[0]}
					b := agentturn.ToolDecision{Action: second, Reason: reasons[1], By: reasons[1]}
					chain := agentturn.ChainBeforeToolCall(deciding("x", a), nil, deciding("x", b))
					got, err := chain(t.Context(), agentturn.ToolCallInfo{Call: callItem("c", "x")})
					want := a
					switch {
					case first == agentturn.Block: // the chain stopped there
					case rank[second] > rank[first]:
						want = b
					case reasons[0] == "":
						want.Reason, want.By = b.Reason, b.By
					}
					if err != nil || got.Action != want.Action || got.Reason != want.Reason || got.By != want.By {
						t.Errorf("%v %q and %v %q: %+v, want %+v", first, reasons[0], second, reasons[1], got, want)
					}
				}
			}
		}
	})
}

// Whether an input landed can be told for each: queued, taken by a turn, or left for the next run.
func TestReceipts(t *testing.T) {
	receipts := func(rec *at.Recorder) []string {
		var out []string
		for _, ev := range rec.Events() {
			switch ev := ev.(type) {
			case *agentturn.Queued:
				out = append(out, "queued "+kinds(items(ev.Item)))
			case *agentturn.TurnStart:
				for _, in := range ev.Arrived {
					if in.Mode == agentturn.InputSteer || in.Mode == agentturn.InputFollowUp {
						out = append(out, fmt.Sprintf("turn %d takes %s", ev.Turn, kinds(items(in.Item))))
					}
				}
			case *agentturn.RunEnd:
				out = append(out, "end "+string(ev.Reason))
			}
		}
		return out
	}
	t.Run("with a follow-up already queued", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("a"), at.Text("b")), Tools: tools(okTool("x"))})
		a.FollowUp(user("f"))
		a.Subscribe(onFirst(agentturn.EventToolStart, func(context.Context) { a.Steer(user("s")) }))
		prompted(t, a, "hi", agentturn.ReasonDone)
		expect(t, receipts(rec), "queued user:f", "queued user:s", "turn 2 takes user:s", "turn 3 takes user:f", "end done")
	})
	t.Run("while a person is asked", func(t *testing.T) {
		a, rec := heldAgent(t, 1, agentturn.Config{}, at.Text("ok"))
		a.Steer(user("s"))
		resumed(t, a, agentturn.ReasonDone, agentturn.Approve("call_1"))
		expect(t, receipts(rec), "queued user:s", "turn 1 takes user:s", "end done")
	})
	t.Run("on the last turn allowed", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), Tools: tools(okTool("x")), MaxTurns: 1})
		a.Subscribe(onFirst(agentturn.EventToolStart, func(context.Context) { a.Steer(user("s")) }))
		prompted(t, a, "hi", agentturn.ReasonStopped)
		if left := kinds(a.State().Steered); left != "user:s" {
			t.Errorf("left %q", left)
		}
		joined, end, err := a.Deliver(t.Context(), user("d"))
		if joined || err != nil || kinds(end.Items) != "user:s user:d assistant:ok" {
			t.Errorf("%t, %+v, error %v", joined, end, err)
		}
		expect(t, receipts(rec)[:2], "queued user:s", "end stopped")
	})
	t.Run("just after the end", func(t *testing.T) {
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("a"), at.Text("b"))})
		prompted(t, a, "hi", agentturn.ReasonDone)
		a.Steer(user("s"))
		if _, err := a.Prompt(t.Context(), user("next")); err != nil {
			t.Fatal(err)
		}
		expect(t, receipts(rec), "end done", "queued user:s", "turn 1 takes user:s", "end done")
	})
}
