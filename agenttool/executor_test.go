package agenttool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
)

// Every test of the executor runs in a bubble of synctest, which fails when a
// goroutine is left behind or nothing moves any more.

type toolFunc = func(context.Context, agenttool.Call) (agenttool.Result, error)

func job(id string, fn toolFunc, opts ...agenttool.Option) agenttool.Job {
	return agenttool.Job{Tool: agenttool.NewFunc("tool-"+id, "", nil, fn, opts...), Call: agenttool.Call{ID: id}}
}

// sleeper is a tool that takes d and says so, unless it is cancelled.
func sleeper(d time.Duration) toolFunc {
	return func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		select {
		case <-time.After(d):
			return agenttool.Text(call.ID), nil
		case <-ctx.Done():
			return agenttool.Result{}, ctx.Err()
		}
	}
}

// log puts events in words.
func log(ev agenttool.Event) string {
	kind := "progress"
	if ev.Final {
		kind = "final"
	}
	s := fmt.Sprintf("%d %s %s", ev.Index, kind, ev.Result.Output.Text)
	if ev.Err != nil {
		s += " error: " + ev.Err.Error()
	}
	return s
}

func collect(e agenttool.Executor, ctx context.Context, jobs ...agenttool.Job) []string {
	var events []string
	for ev := range e.Execute(ctx, jobs) {
		events = append(events, log(ev))
	}
	return events
}

func checkEvents(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("events\n%q\nwant\n%q", got, want)
	}
}

func TestExecuteIsLazyAndRepeatable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran := 0
		seq := agenttool.Executor{}.Execute(t.Context(), []agenttool.Job{job("a", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			ran++
			return agenttool.Text(fmt.Sprint(ran)), nil
		})})
		synctest.Wait()
		if ran != 0 {
			t.Fatalf("ran %d times before it was ranged over", ran)
		}
		for want := 1; want <= 2; want++ {
			for ev := range seq {
				checkEvents(t, []string{log(ev)}, fmt.Sprintf("0 final %d", want))
			}
		}
		if ran != 2 {
			t.Errorf("ran %d times in two ranges", ran)
		}
		checkEvents(t, collect(agenttool.Executor{}, t.Context()))
	})
}

func TestExecuteOrderOfCompletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs := []agenttool.Job{job("a", sleeper(3)), job("b", sleeper(1)), job("c", sleeper(2))}
		checkEvents(t, collect(agenttool.Executor{}, t.Context(), jobs...), "1 final b", "2 final c", "0 final a")
		checkEvents(t, collect(agenttool.Executor{Sequential: true}, t.Context(), jobs...), "0 final a", "1 final b", "2 final c")
	})
}

func TestResultsAreInOrderOfJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failed := errors.New("failed")
		results, errs := agenttool.Executor{}.Results(t.Context(), []agenttool.Job{
			job("a", sleeper(2)),
			job("b", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
				call.Update(agenttool.Text("not a result"))
				return agenttool.Result{Details: "kept", Terminate: true}, failed
			}),
		})
		want := []agenttool.Result{agenttool.Text("a"), {Details: "kept", Terminate: true}}
		if !reflect.DeepEqual(results, want) || !slices.Equal(errs, []error{nil, failed}) {
			t.Errorf("results %+v, errors %v", results, errs)
		}
		results, errs = agenttool.Executor{}.Results(t.Context(), nil)
		if results == nil || errs == nil || len(results)+len(errs) != 0 {
			t.Errorf("of no jobs: %#v, %#v", results, errs)
		}
	})
}

func TestLimit(t *testing.T) {
	sequential := agenttool.WithSequential()
	tests := []struct {
		name string
		e    agenttool.Executor
		jobs int
		opts []agenttool.Option
		want int32
	}{
		{"default", agenttool.Executor{}, 20, nil, agenttool.DefaultMaxParallel},
		{"negative", agenttool.Executor{MaxParallel: -1}, 20, nil, agenttool.DefaultMaxParallel},
		{"three", agenttool.Executor{MaxParallel: 3}, 20, nil, 3},
		{"more than jobs", agenttool.Executor{MaxParallel: 30}, 20, nil, 20},
		{"one", agenttool.Executor{MaxParallel: 1}, 5, nil, 1},
		{"serial", agenttool.Executor{Sequential: true, MaxParallel: 8}, 5, nil, 1},
		{"sequential tools", agenttool.Executor{}, 5, []agenttool.Option{sequential}, 1},
		{"one resource", agenttool.Executor{}, 5, []agenttool.Option{agenttool.WithResource("r")}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var running, most atomic.Int32
				var order []string
				var jobs []agenttool.Job
				for i := range tt.jobs {
					jobs = append(jobs, job(fmt.Sprint(i), func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
						n := running.Add(1)
						if n > most.Load() {
							most.Store(n)
						}
						time.Sleep(time.Second)
						running.Add(-1)
						return agenttool.Result{}, nil
					}, tt.opts...))
				}
				start := time.Now()
				for ev := range tt.e.Execute(t.Context(), jobs) {
					order = append(order, jobs[ev.Index].Call.ID)
				}
				if most.Load() != tt.want {
					t.Errorf("%d jobs at a time, want %d", most.Load(), tt.want)
				}
				rounds := (tt.jobs + int(tt.want) - 1) / int(tt.want)
				if took := time.Since(start); took != time.Duration(rounds)*time.Second {
					t.Errorf("took %v, want %d rounds", took, rounds)
				}
				if tt.want == 1 && !slices.Equal(order, []string{"0", "1", "2", "3", "4"}) {
					t.Errorf("order %v", order)
				}
			})
		})
	}
}

// TestOneSequentialToolMakesTheBatchSerial, in the model's order, whatever
// resources there are.
func TestOneSequentialToolMakesTheBatchSerial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checkEvents(t, collect(agenttool.Executor{}, t.Context(),
			job("a", sleeper(3), agenttool.WithResource("r")), job("b", sleeper(2)),
			job("c", sleeper(1), agenttool.WithSequential()), job("d", sleeper(1), agenttool.WithResource("r"))),
			"0 final a", "1 final b", "2 final c", "3 final d")
	})
}

func TestResourcesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var inUse [2]atomic.Int32
		tool := func(r int) toolFunc {
			return func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
				if inUse[r].Add(1) != 1 {
					t.Errorf("resource %d used twice at a time", r)
				}
				time.Sleep(time.Second)
				inUse[r].Add(-1)
				return agenttool.Text(call.ID), nil
			}
		}
		x, y := agenttool.WithResource("x"), agenttool.WithResource("y")
		start := time.Now()
		got := collect(agenttool.Executor{}, t.Context(),
			job("x1", tool(0), x), job("y1", tool(1), y), job("x2", tool(0), x), job("y2", tool(1), y), job("x3", tool(0), x))
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("took %v: the resources waited for each other", took)
		}
		xs := slices.DeleteFunc(slices.Clone(got), func(ev string) bool { return ev[8] != 'x' })
		checkEvents(t, xs, "0 final x1", "2 final x2", "4 final x3")
	})
}

// TestASlowLoopSlowsTheBatch: the place of a job is free when its completion
// has been received, not when the loop's body is through with it.
func TestASlowLoopSlowsTheBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var starts []time.Duration
		e := agenttool.Executor{MaxParallel: 1, OnStart: func(context.Context, agenttool.Job) error {
			starts = append(starts, time.Since(start))
			return nil
		}}
		for range e.Execute(t.Context(), []agenttool.Job{job("a", sleeper(0)), job("b", sleeper(0)), job("c", sleeper(0)), job("d", sleeper(0))}) {
			time.Sleep(time.Second)
		}
		want := []time.Duration{0, 0, time.Second, 2 * time.Second}
		if !slices.Equal(starts, want) {
			t.Errorf("started at %v, want %v", starts, want)
		}
	})
}

func TestProgressEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []string
		a := job("a", func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
			call.Update(agenttool.Text("1"))
			agenttool.Progress(ctx, agenttool.Text("2"))
			var wg sync.WaitGroup
			wg.Go(func() { call.Update(agenttool.Text("3")) })
			wg.Wait() // the loop has to take it meanwhile
			return agenttool.Text("done"), nil
		})
		a.Call.OnUpdate = func(r agenttool.Result) { events = append(events, "told "+r.Output.Text) }
		for ev := range (agenttool.Executor{}).Execute(t.Context(), []agenttool.Job{a}) {
			events = append(events, log(ev))
		}
		checkEvents(t, events, "told 1", "0 progress 1", "told 2", "0 progress 2", "told 3", "0 progress 3", "0 final done")
	})
}

func TestProgressWaitsForTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var waited time.Duration
		tool := func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			call.Update(agenttool.Text("1"))
			call.Update(agenttool.Text("2"))
			waited = time.Since(start)
			return agenttool.Result{}, nil
		}
		for range (agenttool.Executor{}).Execute(t.Context(), []agenttool.Job{job("a", tool)}) {
			time.Sleep(time.Second)
		}
		if waited != time.Second {
			t.Errorf("the second update was taken after %v, want the loop's body to be through with the first", waited)
		}
	})
}

// TestLateProgress: what a tool's goroutines report after the tool returned
// is dropped, and does not hold them up.
func TestLateProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		kept := make(chan agenttool.Call, 2)
		told := 0
		a := job("a", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			kept <- call
			kept <- call
			return agenttool.Text("a"), nil
		})
		a.Call.OnUpdate = func(agenttool.Result) { told++ }
		b := job("b", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			time.Sleep(time.Second)
			late := <-kept
			late.Update(agenttool.Text("too late"))
			return agenttool.Text("b"), nil
		})
		checkEvents(t, collect(agenttool.Executor{}, t.Context(), a, b), "0 final a", "1 final b")
		late := <-kept
		late.Update(agenttool.Text("long after"))
		if told != 0 {
			t.Errorf("OnUpdate was told %d times", told)
		}
	})
}

// TestStragglers: an update that is under way when the completion is received
// is dropped, and its sender released, whether or not the batch goes on.
func TestStragglers(t *testing.T) {
	for _, others := range []time.Duration{0, time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var released time.Duration
			a := job("a", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
				go func() {
					time.Sleep(time.Second)
					call.Update(agenttool.Text("too late"))
					released = time.Since(start)
				}()
				call.Update(agenttool.Text("in time"))
				return agenttool.Text("done"), nil
			})
			jobs := []agenttool.Job{a}
			if others > 0 {
				jobs = append(jobs, job("b", sleeper(others)))
			}
			var events []string
			for ev := range (agenttool.Executor{}).Execute(t.Context(), jobs) {
				events = append(events, log(ev))
				if !ev.Final {
					time.Sleep(2 * time.Second)
				}
			}
			synctest.Wait()
			checkEvents(t, events[:2], "0 progress in time", "0 final done")
			if len(events) != len(jobs)+1 || released != 2*time.Second {
				t.Errorf("events %q, the sender released after %v", events, released)
			}
		})
	}
}

// TestProgressRacesWithCompletion: updates in flight while the tool returns
// come before the completion or not at all.
func TestProgressRacesWithCompletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var senders sync.WaitGroup
		var jobs []agenttool.Job
		for i := range 16 {
			jobs = append(jobs, job(fmt.Sprint(i), func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
				for range 4 {
					senders.Go(func() { call.Update(agenttool.Text("p")) })
				}
				return agenttool.Text("done"), nil
			}))
		}
		done := map[int]bool{}
		for ev := range (agenttool.Executor{}).Execute(t.Context(), jobs) {
			if done[ev.Index] {
				t.Errorf("after the completion: %s", log(ev))
			}
			done[ev.Index] = ev.Final
		}
		senders.Wait()
		if len(done) != len(jobs) {
			t.Errorf("%d of %d jobs completed", len(done), len(jobs))
		}
	})
}

func TestContextOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		recorded := map[string]int{}
		recorder := func(name string) agenttool.RecordFunc {
			return func(context.Context, *agenttool.Record) error { recorded[name]++; return nil }
		}
		a := job("a", func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
			onContext, ok := agenttool.CallFrom(ctx)
			if !ok || onContext.OnUpdate == nil || call.OnUpdate == nil {
				t.Errorf("call on the context: %+v, %v", onContext, ok)
			}
			onContext.OnUpdate, call.OnUpdate = nil, nil
			if want := (agenttool.Call{ID: "a", IdempotencyKey: "k", Args: json.RawMessage(`[]`)}); !reflect.DeepEqual(onContext, want) || !reflect.DeepEqual(call, want) {
				t.Errorf("call %+v, on the context %+v, want %+v", call, onContext, want)
			}
			if ctx.Value(key{}) != 1 {
				t.Error("the context is not the batch's")
			}
			return agenttool.Result{}, agenttool.WriteRecord(ctx, process{})
		})
		a.Call.IdempotencyKey, a.Call.Args = "k", json.RawMessage(`[]`)
		ctx := context.WithValue(t.Context(), key{}, 1)
		checkEvents(t, collect(agenttool.Executor{}, ctx, a), "0 final ")
		ctx = agenttool.ContextWithRecorder(ctx, recorder("context"))
		checkEvents(t, collect(agenttool.Executor{}, ctx, a), "0 final ")
		checkEvents(t, collect(agenttool.Executor{Recorder: recorder("executor")}, ctx, a), "0 final ")
		if want := map[string]int{"context": 1, "executor": 1}; !reflect.DeepEqual(recorded, want) {
			t.Errorf("recorded %v, want %v", recorded, want)
		}
	})
}

func TestOnStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := errors.New("cannot be recorded")
		var order []string
		e := agenttool.Executor{MaxParallel: 1, OnStart: func(ctx context.Context, job agenttool.Job) error {
			order = append(order, "start "+job.Call.ID)
			if call, ok := agenttool.CallFrom(ctx); !ok || call.ID != job.Call.ID {
				t.Errorf("call on the context: %q, %v", call.ID, ok)
			}
			if job.Tool.Name() != "tool-"+job.Call.ID {
				t.Errorf("job of %s", job.Tool.Name())
			}
			job.Call.Update(agenttool.Text("about to start"))
			switch job.Call.ID {
			case "refused":
				return refused
			case "panics":
				panic("no disk")
			}
			return nil
		}}
		tool := func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			order = append(order, "run "+call.ID)
			return agenttool.Text("ran"), nil
		}
		jobs := []agenttool.Job{job("a", tool), job("refused", tool), job("panics", tool), {Call: agenttool.Call{ID: "none"}}, job("b", tool)}
		var errs []error
		var events []string
		for ev := range e.Execute(t.Context(), jobs) {
			events = append(events, log(ev))
			if ev.Final {
				errs = append(errs, ev.Err)
			}
		}
		checkEvents(t, events,
			"0 progress about to start", "0 final ran",
			"1 progress about to start", "1 final  error: cannot be recorded",
			"2 progress about to start", `2 final  error: agenttool: OnStart for call "panics" panicked: no disk`,
			`3 final  error: no tool for call "none"`,
			"4 progress about to start", "4 final ran")
		if errs[1] != refused {
			t.Errorf("error %v, want that of OnStart, unchanged", errs[1])
		}
		var panicked *agenttool.PanicError
		if errors.As(errs[2], &panicked) {
			t.Error("a panic in OnStart is reported as the tool's")
		}
		want := []string{"start a", "run a", "start refused", "start panics", "start b", "run b"}
		if !slices.Equal(order, want) {
			t.Errorf("order %q, want %q", order, want)
		}
	})
}

// TestOnStartWaitsForTheJobBefore: a host that must be through with a job
// before the next of its chain starts holds that one up in OnStart.
func TestOnStartWaitsForTheJobBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var e agenttool.Executor
		r := agenttool.WithResource("r")
		jobs := []agenttool.Job{job("a", sleeper(1), r), job("x", sleeper(5)), job("b", sleeper(1), r), job("c", sleeper(1), r)}
		before := map[string]string{}
		for _, chain := range e.Chains(jobs) {
			for i := 1; i < len(chain); i++ {
				before[jobs[chain[i]].Call.ID] = jobs[chain[i-1]].Call.ID
			}
		}
		settled := map[string]chan struct{}{}
		for _, job := range jobs {
			settled[job.Call.ID] = make(chan struct{})
		}
		var mu sync.Mutex
		var order []string
		note := func(s string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, s)
		}
		e.OnStart = func(ctx context.Context, job agenttool.Job) error {
			if id := before[job.Call.ID]; id != "" {
				<-settled[id]
				note("start " + job.Call.ID)
			}
			return nil
		}
		for ev := range e.Execute(t.Context(), jobs) {
			time.Sleep(10 * time.Second)
			id := jobs[ev.Index].Call.ID
			if id != "x" {
				note("settled " + id)
			}
			close(settled[id])
		}
		want := []string{"settled a", "start b", "settled b", "start c", "settled c"}
		if !slices.Equal(order, want) {
			t.Errorf("order %q, want %q", order, want)
		}
	})
}

func TestCancellation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var started atomic.Int32
		e := agenttool.Executor{MaxParallel: 2, OnStart: func(context.Context, agenttool.Job) error { started.Add(1); return nil }}
		partial := func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
			<-ctx.Done()
			for range 50 {
				call.Update(agenttool.Text("nobody waits for this any more"))
			}
			time.Sleep(time.Second) // the range waits for it
			return agenttool.Text("partial"), nil
		}
		time.AfterFunc(time.Minute, cancel)
		got := collect(e, ctx, job("a", sleeper(time.Hour)), job("b", partial), job("c", sleeper(0)), agenttool.Job{})
		checkEvents(t, got, "0 final  error: context canceled", "2 final  error: context canceled",
			"3 final  error: context canceled", "1 final partial")
		if n := started.Load(); n != 2 {
			t.Errorf("%d jobs started", n)
		}
	})
}

func TestDeadlineBeforeTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		defer cancel()
		e := agenttool.Executor{Sequential: true, OnStart: func(context.Context, agenttool.Job) error {
			t.Error("OnStart of a job that was cancelled before its turn")
			return nil
		}}
		checkEvents(t, collect(e, ctx, job("a", sleeper(1)), job("b", sleeper(1))),
			"0 final  error: context deadline exceeded", "1 final  error: context deadline exceeded")
	})
}

// TestLeavingTheLoop cancels the batch and waits for it, and nobody hears
// anything more.
func TestLeavingTheLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		returned := 0
		told := 0
		stubborn := func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
			defer func() { returned++ }()
			call.Update(agenttool.Text("before"))
			<-ctx.Done()
			time.Sleep(time.Second)
			call.Update(agenttool.Text("after"))
			return agenttool.Result{}, nil
		}
		a := job("a", stubborn)
		a.Call.OnUpdate = func(agenttool.Result) { told++ }
		start, events := time.Now(), 0
		for range (agenttool.Executor{MaxParallel: 1}).Execute(t.Context(), []agenttool.Job{a, job("b", stubborn)}) {
			events++
			break
		}
		if events != 1 || told != 1 {
			t.Errorf("%d events, %d calls of OnUpdate", events, told)
		}
		if took := time.Since(start); returned != 1 || took != time.Second {
			t.Errorf("left after %v, when %d tools had returned", took, returned)
		}
	})
}

// TestLeavingTheLoopReleasesSenders: progress that the loop will never take
// does not hold up the tool that reports it.
func TestLeavingTheLoopReleasesSenders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		chatty := func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
			for ctx.Err() == nil {
				call.Update(agenttool.Text("more"))
			}
			return agenttool.Result{}, ctx.Err()
		}
		jobs := []agenttool.Job{job("a", chatty), job("b", chatty), job("c", chatty)}
		n := 0
		for range (agenttool.Executor{}).Execute(t.Context(), jobs) {
			if n++; n == 10 {
				break
			}
		}
		if n != 10 {
			t.Errorf("%d events", n)
		}
	})
}
