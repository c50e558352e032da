package agenttool

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
)

// DefaultMaxParallel is how many jobs an [Executor] runs at a time unless it
// is told otherwise.
const DefaultMaxParallel = 8

// A Job is one call for an [Executor] to run, and the tool to run it with. A
// job without a tool completes with an error.
type Job struct {
	Tool Tool
	Call Call
}

// An Event is progress of a job, or its completion.
type Event struct {
	// Index is the job's place in the batch.
	Index int

	// Final marks the completion: the last event of the job, of which every
	// job has one.
	Final bool

	// Result is what the tool reported, or returned, in which case it may
	// come with an error.
	Result Result

	// Err is why the job failed. On progress it is set only when the OnUpdate
	// of the job's call panicked, which does not fail the job.
	Err error
}

// An Executor runs batches of calls. The zero value is ready for use.
//
// Jobs whose tools name the same [Resource] run one after another, in order.
// If any tool of a batch is [Sequential], the whole batch does. All else runs
// side by side, up to the limit, with no order between two calls of Execute.
//
// The context of each tool has the call on it, whose OnUpdate leads into the
// sequence of events.
type Executor struct {
	// MaxParallel limits the jobs running at a time. Zero or less means
	// [DefaultMaxParallel]; 1 runs every batch in order.
	MaxParallel int

	// Sequential runs every batch in order.
	Sequential bool

	// Recorder is put on the context of the calls. When it is nil, a recorder
	// that is on the batch's context stays.
	Recorder RecordFunc

	// OnStart is called right before a tool is, on the goroutine that will
	// run it, with the call as the tool will get it. Its error becomes that
	// of the job, and the tool does not run. It is not called for a job that
	// was cancelled before its turn. It must be safe for concurrent use. It
	// may wait for an earlier job of its chain to be dealt with (see
	// [Executor.Chains]), and must not wait for any other.
	OnStart func(ctx context.Context, job Job) error
}

// Execute gives the events of a batch. Nothing runs until the sequence is
// ranged over, and each range runs the batch anew.
//
// Events are yielded on the ranging goroutine, one at a time, completions as
// they happen. A job's place is taken by another when its completion has been
// received, so that a slow loop slows the batch. For the same reason progress
// waits for the loop: the loop's body must not report any.
//
// Cancelling ctx reaches the running tools; jobs that have not started
// complete with ctx.Err(). Leaving the loop cancels the batch. Either way the
// range ends when every tool has returned. A panic in a tool completes its
// job with a [*PanicError].
func (e Executor) Execute(ctx context.Context, jobs []Job) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if len(jobs) == 0 {
			return
		}
		b := e.start(ctx, jobs)
		defer b.stop()
		for b.open > 0 {
			if ev, ok := b.next(); ok && !yield(ev) {
				return
			}
		}
	}
}

// Results runs a batch and gives the results and errors of its jobs, in the
// order of the jobs. Progress reaches the OnUpdate of the calls alone.
func (e Executor) Results(ctx context.Context, jobs []Job) ([]Result, []error) {
	results, errs := make([]Result, len(jobs)), make([]error, len(jobs))
	for ev := range e.Execute(ctx, jobs) {
		if ev.Final {
			results[ev.Index], errs[ev.Index] = ev.Result, ev.Err
		}
	}
	return results, errs
}

// A PanicError is the error of a call whose tool panicked. The call may have
// had an effect before it did.
type PanicError struct {
	// Tool is the tool's name.
	Tool string

	// Value is what was panicked with.
	Value any

	// Stack is the stack of the goroutine that panicked.
	Stack []byte
}

// Error is one line, without the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("tool %q panicked: %v", e.Tool, e.Value)
}

// recoverTool, deferred around a tool's methods, turns a panic into *err.
func recoverTool(t Tool, err *error) {
	if v := recover(); v != nil {
		*err = &PanicError{Tool: nameOf(t), Value: v, Stack: debug.Stack()}
	}
}

// nameOf names a tool that has panicked before, and might again.
func nameOf(t Tool) (name string) {
	defer func() {
		if recover() != nil {
			name = fmt.Sprintf("%T", t)
		}
	}()
	return t.Name()
}
