package agenttool

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// batch is one run of an Executor. Workers run the jobs; the ranging
// goroutine receives their events and owns the workers.
type batch struct {
	ctx     context.Context
	cancel  context.CancelFunc
	onStart func(ctx context.Context, job Job) error
	tasks   []task

	chains  [][]int
	taken   atomic.Int64 // chains that a worker has taken
	workers sync.WaitGroup

	// events is unbuffered: a worker goes on when its event was received.
	events chan Event

	open int // jobs whose completion has not been received
}

// task is one job of a batch, and the context of its call.
type task struct {
	callContext
	batch *batch
	index int
	job   Job // as handed in: the OnUpdate of its call is the host's
	fault error

	// received is whether the ranging goroutine, whose field this is, has the
	// completion. Progress that comes now is too late.
	received bool
}

func (e Executor) start(ctx context.Context, jobs []Job) *batch {
	p := e.plan(jobs)
	b := &batch{
		onStart: e.OnStart,
		tasks:   make([]task, len(jobs)),
		chains:  p.chains,
		events:  make(chan Event),
		open:    len(jobs),
	}
	b.ctx, b.cancel = context.WithCancel(ctx)
	callCtx := b.ctx
	if e.Recorder != nil {
		callCtx = ContextWithRecorder(callCtx, e.Recorder)
	}
	for i, job := range jobs {
		t := &b.tasks[i]
		t.batch, t.index, t.job, t.fault = b, i, job, p.faults[i]
		t.Context, t.call = callCtx, job.Call
		t.call.OnUpdate = t.update
	}
	workers := min(p.limit, len(p.chains))
	b.workers.Add(workers)
	for range workers {
		go b.work(nil)
	}
	return b
}

// next receives an event, and reports whether it is to be yielded.
func (b *batch) next() (Event, bool) {
	ev := <-b.events
	t := &b.tasks[ev.Index]
	switch {
	case ev.Final:
		b.open--
		t.received = true
		return ev, true
	case t.received:
		return ev, false
	}
	ev.Err = t.notify(ev.Result)
	return ev, true
}

// stop ends the batch, however the range over it ended: it waits for every
// job and every worker. Events of the rest are dropped.
func (b *batch) stop() {
	b.cancel()
	for b.open > 0 {
		if ev := <-b.events; ev.Final {
			b.open--
		}
	}
	b.workers.Wait()
}

// work runs the rest of a chain, and then chains until all are taken. A job
// may end the goroutine it runs on, with runtime.Goexit; another one then
// goes on in its place.
func (b *batch) work(chain []int) {
	finished := false
	defer func() {
		if finished {
			b.workers.Done()
		} else {
			go b.work(chain)
		}
	}()
	for ok := true; ok; chain, ok = b.take() {
		for len(chain) > 0 {
			index := chain[0]
			chain = chain[1:]
			b.tasks[index].complete()
		}
	}
	finished = true
}

// take gives the next chain that no worker has taken.
func (b *batch) take() ([]int, bool) {
	n := int(b.taken.Add(1)) - 1
	if n >= len(b.chains) {
		return nil, false
	}
	return b.chains[n], true
}

// complete runs the job and sends its one final event.
func (t *task) complete() {
	ev := Event{Index: t.index, Final: true}
	returned := false
	defer func() {
		if !returned {
			ev.Err = fmt.Errorf("agenttool: call %q ended its goroutine before it returned", t.call.ID)
		}
		t.batch.events <- ev
	}()
	ev.Result, ev.Err = t.run()
	returned = true
}

func (t *task) run() (res Result, err error) {
	if err := t.Err(); err != nil {
		return Result{}, err
	}
	if t.fault != nil {
		return Result{}, t.fault
	}
	if t.job.Tool == nil {
		return Result{}, fmt.Errorf("no tool for call %q", t.call.ID)
	}
	if err := t.dispatch(); err != nil {
		return Result{}, err
	}
	defer recoverTool(t.job.Tool, &err)
	return t.job.Tool.Execute(&t.callContext, t.call)
}

// dispatch asks the host's hook whether the tool may run.
func (t *task) dispatch() (err error) {
	if t.batch.onStart == nil {
		return nil
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("agenttool: OnStart for call %q panicked: %v", t.call.ID, v)
		}
	}()
	return t.batch.onStart(&t.callContext, Job{Tool: t.job.Tool, Call: t.call})
}

// update is the OnUpdate of the call that the tool gets. It waits until the
// progress is received or the batch ends.
func (t *task) update(r Result) {
	ctx := t.batch.ctx
	if ctx.Err() != nil {
		return
	}
	select {
	case t.batch.events <- Event{Index: t.index, Result: r}:
	case <-ctx.Done():
	}
}

// notify hands progress to the OnUpdate the host gave the call.
func (t *task) notify(r Result) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("agenttool: OnUpdate for call %q panicked: %v", t.call.ID, v)
		}
	}()
	t.job.Call.Update(r)
	return nil
}
