package agenttool_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
)

// TestRandomBatches runs batches of tools that sleep, report, fail, panic and
// are cancelled at random, and holds them to what is promised of every batch.
// The seed in the name of a failing test repeats it.
func TestRandomBatches(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { randomBatch(t, rand.New(rand.NewPCG(seed, 0))) })
		})
	}
}

func randomBatch(t *testing.T, rng *rand.Rand) {
	w := watcher{t: t}
	jobs := make([]agenttool.Job, rng.IntN(20))
	for i := range jobs {
		jobs[i] = w.job(i, rng)
	}
	e := agenttool.Executor{MaxParallel: rng.IntN(6), Sequential: rng.IntN(8) == 0}
	chains := e.Chains(jobs)
	if w.limit = e.MaxParallel; w.limit == 0 {
		w.limit = agenttool.DefaultMaxParallel
	}
	if len(chains) == 1 {
		w.limit = 1
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if rng.IntN(4) == 0 {
		time.AfterFunc(time.Duration(rng.IntN(20)), cancel)
	}
	leaveAt := -1
	if rng.IntN(4) == 0 {
		leaveAt = rng.IntN(30)
	}
	done := make([]bool, len(jobs))
	var finals []int
	events := 0
	for ev := range e.Execute(ctx, jobs) {
		if done[ev.Index] {
			t.Errorf("job %d has an event after its completion", ev.Index)
		}
		if done[ev.Index] = ev.Final; ev.Final {
			finals = append(finals, ev.Index)
		}
		if events++; events == leaveAt {
			break
		}
		time.Sleep(time.Duration(rng.IntN(3)))
	}
	if events != leaveAt && len(finals) != len(jobs) {
		t.Errorf("%d of %d jobs completed", len(finals), len(jobs))
	}
	for _, chain := range chains {
		inChain := slices.DeleteFunc(slices.Clone(finals), func(i int) bool { return !slices.Contains(chain, i) })
		if !slices.IsSorted(inChain) {
			t.Errorf("chain %v completed as %v", chain, inChain)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running != 0 {
		t.Errorf("%d tools run after the batch", w.running)
	}
}

// watcher sees every tool of a batch come and go.
type watcher struct {
	t       *testing.T
	limit   int
	mu      sync.Mutex
	running int
	inUse   map[string]int
}

func (w *watcher) job(i int, rng *rand.Rand) agenttool.Job {
	resource := []string{"", "", "x", "y"}[rng.IntN(4)]
	opts := []agenttool.Option{agenttool.WithResource(resource)}
	if rng.IntN(40) == 0 {
		opts = append(opts, agenttool.WithSequential())
	}
	pause, reports, end := time.Duration(rng.IntN(5)), rng.IntN(4), rng.IntN(8)
	return job(fmt.Sprint(i), func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		w.enter(resource, +1)
		defer w.enter(resource, -1)
		var senders sync.WaitGroup
		for range reports {
			senders.Go(func() {
				time.Sleep(pause)
				call.Update(agenttool.Text("report"))
			})
		}
		time.Sleep(pause)
		switch end {
		case 0:
			panic("at random")
		case 1:
			runtime.Goexit()
		case 2:
			select {
			case <-ctx.Done():
			case <-time.After(50):
			}
		case 3:
			return agenttool.Result{}, ctx.Err() // with senders under way
		}
		senders.Wait()
		return agenttool.Text("done"), ctx.Err()
	}, opts...)
}

func (w *watcher) enter(resource string, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.inUse == nil {
		w.inUse = map[string]int{}
	}
	w.running += n
	if w.running > w.limit {
		w.t.Errorf("%d jobs at a time, the limit is %d", w.running, w.limit)
	}
	if resource != "" {
		if w.inUse[resource] += n; w.inUse[resource] > 1 {
			w.t.Errorf("resource %s used %d times at a time", resource, w.inUse[resource])
		}
	}
}
