package agentturn_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

var (
	randomSeed = flag.Int("random.seed", 0, "run the random test with this seed alone; -v shows its events")
	randomRuns = flag.Int("random.n", 0, "how many seeds the random test runs, each of about ten runs; 0 for as many as take some seconds")
	randomFrom = flag.Int("random.from", 1, "the first of them")
)

// TestRandom drives agents with models, tools, hooks, subscribers and users that do anything at any time, and holds what
// comes out to the rules. A seed that fails runs again with -random.seed.
func TestRandom(t *testing.T) {
	if *randomSeed > 0 {
		synctest.Test(t, func(t *testing.T) { newWorld(t, *randomSeed).live() })
		return
	}
	seeds := *randomRuns
	switch {
	case seeds > 0:
	case testing.Short():
		seeds = 50
	case raceEnabled:
		seeds = 500
	default:
		seeds = 2500
	}
	var next, runs atomic.Int64
	t.Cleanup(func() { t.Logf("%d runs", runs.Load()) })
	for worker := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			for n := int(next.Add(1)); n <= seeds && !t.Failed(); n = int(next.Add(1)) {
				seed := *randomFrom + n - 1
				synctest.Test(t, func(t *testing.T) {
					defer func() { // also when the bubble panics, over a goroutine that hangs
						if t.Failed() {
							t.Logf("again: go test -run 'TestRandom$' -random.seed=%d -v .", seed)
						}
					}()
					w := newWorld(t, seed)
					w.live()
					runs.Add(int64(w.runs))
				})
			}
		})
	}
}

// world is one agent and all that happens to it. What it does follows from the seed and from what is asked, not from the
// order in which goroutines ask.
type world struct {
	t     *testing.T
	seed  int
	risks map[string]bool // what goes wrong in this world
	calm  atomic.Bool     // nothing goes wrong any more

	mu         sync.Mutex
	leftBehind bool // a grace may leave tools running
	agent      *agentturn.Agent
	rolls      map[string]int
	causes     []error // of the aborts so far
	said       map[string]*saying
	running    map[string]int // the calls that are in their tools, by ID
	books
}

// newWorld makes a world. In each some things go wrong and others do not, so that runs also get far.
func newWorld(t *testing.T, seed int) *world {
	w := &world{t: t, seed: seed, rolls: map[string]int{}, risks: map[string]bool{}, said: map[string]*saying{}, running: map[string]int{}}
	for _, risk := range []string{"model", "hook", "guard", "tool", "subscriber", "user"} {
		w.risks[risk] = w.roll("risk "+risk, 3) > 0
	}
	w.books = newBooks()
	w.adopt(agentturn.New(w.config()))
	return w
}

// adopt makes a the world's agent.
func (w *world) adopt(a *agentturn.Agent) {
	a.Subscribe(w.record)
	a.Subscribe(w.fail)
	a.Subscribe(w.after)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.agent = a
}

func (w *world) theAgent() *agentturn.Agent {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.agent
}

// roll is a number below n that follows from the seed, the key and how often the key was rolled before.
func (w *world) roll(key string, n int) int {
	w.mu.Lock()
	w.rolls[key]++
	count := w.rolls[key]
	w.mu.Unlock()
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s/%d", w.seed, key, count)
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return int(x % uint64(n))
}

// chance is true once in n times, and never when all is calm.
func (w *world) chance(key string, n int) bool { return !w.calm.Load() && w.roll(key, n) == 0 }

// mishap is a chance for something to go wrong, in a world where that kind of thing does.
func (w *world) mishap(risk, key string, n int) bool { return w.risks[risk] && w.chance(key, n) }

// trouble is an error now and then, and sometimes a panic.
func (w *world) trouble(risk, key string, n int) error {
	switch {
	case w.mishap(risk, key+" error", n):
		return fmt.Errorf("%s: %w", key, errTest)
	case w.mishap(risk, key+" panic", 3*n):
		panic(key)
	}
	return nil
}

// span is a time of at most so many milliseconds, fine enough that no two things happen at once: what they do to each
// other would depend on the scheduler.
func (w *world) span(key string, most int) time.Duration {
	return time.Duration(w.roll(key, most*1_000_000)) * time.Nanosecond
}

func (w *world) sleep(ctx context.Context, key string, most int) {
	timer := time.NewTimer(w.span(key, most))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// live prompts, resumes and meddles, and then sees whether the agent still works.
func (w *world) live() {
	for i := range 3 {
		key := fmt.Sprint("day ", i)
		w.meddle(key)
		w.once(key)
		w.change(key)
	}
	w.calm.Store(true)
	w.watch("the night", func() (*agentturn.RunEnd, error) {
		time.Sleep(time.Hour) // what was planned or left behind comes to its end
		return nil, nil
	})
	for i := 0; len(w.agent.State().Pending) > 0; i++ {
		if i > 3 {
			w.errorf("calls stay pending: %s", pendingOf(w.agent.State().Pending))
			return
		}
		w.watch("calm resume", func() (*agentturn.RunEnd, error) {
			return w.agent.Resume(context.Background(), w.plainAnswers()...)
		})
	}
	end := w.watch("calm prompt", func() (*agentturn.RunEnd, error) {
		return w.agent.Prompt(context.Background(), user("and now?"))
	})
	if end == nil || end.Reason != agentturn.ReasonDone {
		w.errorf("at the end the agent is of no use: %+v", end)
	}
	w.nothingLost()
	if *randomSeed > 0 && testing.Verbose() {
		w.t.Log(strings.Join(w.history, "\n"))
	}
}

// once starts a run in one of the ways that the agent's state allows.
func (w *world) once(key string) {
	state := w.agent.State()
	ctx, cancel := w.context(key)
	defer cancel()
	if len(state.Pending) > 0 {
		w.onceAnswered(ctx, key, state.Pending)
		return
	}
	w.refusedWith(agentturn.ErrNotPending, func() (*agentturn.RunEnd, error) { return w.agent.Resume(ctx) })
	form := w.roll(key+" form", 8)
	if !agentturn.CanContinue(state.Transcript) {
		w.refusedWith(agentturn.ErrCannotContinue, func() (*agentturn.RunEnd, error) { return w.agent.Continue(ctx) })
	} else if form < 4 {
		w.watch(key+": continue", func() (*agentturn.RunEnd, error) { return w.agent.Continue(ctx) })
		return
	}
	switch form {
	case 5:
		w.watch(key+": deliver", func() (*agentturn.RunEnd, error) {
			_, end, err := w.agent.Deliver(ctx, w.say("deliver"))
			return end, err
		})
	case 6, 7:
		w.watch(key+": range", func() (*agentturn.RunEnd, error) {
			w.ranged(ctx, key, state.Transcript)
			return nil, nil
		})
	default:
		w.watch(key+": prompt", func() (*agentturn.RunEnd, error) { return w.agent.Prompt(ctx, user("prompt")) })
	}
}

// onceAnswered answers what is pending, after what is no answer was refused.
func (w *world) onceAnswered(ctx context.Context, key string, pending []agentturn.PendingCall) {
	a := w.agent
	w.refusedWith(agentturn.ErrInputRequired, func() (*agentturn.RunEnd, error) { return a.Prompt(ctx, user("hi")) })
	w.refusedWith(agentturn.ErrInputRequired, func() (*agentturn.RunEnd, error) { return a.Continue(ctx) })
	plain := w.plainAnswers()
	w.refusedWith(agentturn.ErrNotPending, func() (*agentturn.RunEnd, error) { return a.Resume(ctx, plain[1:]...) })
	w.refusedWith(agentturn.ErrNotPending, func() (*agentturn.RunEnd, error) { return a.Resume(ctx, append(plain, plain[0])...) })
	w.refusedWith(agentturn.ErrNotPending, func() (*agentturn.RunEnd, error) {
		return a.Resume(ctx, append(plain, agentturn.Approve("nobody's"))...)
	})
	if w.roll(key+" leading", 4) == 0 {
		var prompt openresponses.Items
		for _, answer := range plain {
			prompt = append(prompt, answer.Output)
		}
		w.watch(key+": outputs", func() (*agentturn.RunEnd, error) { return a.Prompt(ctx, append(prompt, user("prompt"))...) })
		return
	}
	answers, refusal := w.answers(key, pending)
	if refusal != nil {
		w.refusedWith(refusal, func() (*agentturn.RunEnd, error) { return a.Resume(ctx, answers...) })
		answers = plain
	}
	for _, answer := range answers {
		if answer.Output == nil {
			w.approved[answer.CallID] = answer
		}
	}
	w.watch(key+": resume", func() (*agentturn.RunEnd, error) { return a.Resume(ctx, answers...) })
	clear(w.approved)
}

// context is a caller's, which may end.
func (w *world) context(key string) (context.Context, context.CancelFunc) {
	ctx := agentturn.ContextWithTrigger(context.Background(), agentturn.Trigger{Kind: "test", Ref: key})
	if w.mishap("user", key+" timeout", 6) {
		return context.WithTimeoutCause(ctx, w.span(key+" timeout after", 2000), w.cause("the caller's"))
	}
	return ctx, func() {}
}

// cause is a new reason to abort.
func (w *world) cause(what string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	err := fmt.Errorf("%s cause %d", what, len(w.causes))
	w.causes = append(w.causes, err)
	return err
}

// change is what a host does between runs.
func (w *world) change(key string) {
	state := w.agent.State()
	switch w.roll(key+" change", 7) {
	case 0, 1: // the process starts again from what was kept
		pending := w.recorded(key, state.Pending)
		a := agentturn.New(w.config(), agentturn.WithPending(pending), agentturn.WithTranscript(state.Transcript))
		if got, want := describe(a.State().Pending), describe(pending); got != want {
			w.errorf("of the pending calls %s a seeded agent knows %s", want, got)
		}
		w.adopt(a)
		a.Steer(state.Steered...)
		a.FollowUp(state.Queued...)
		w.requeued(append(state.Steered, state.Queued...))
	case 2: // a rewind
		n := w.roll(key+" rewind", len(state.Transcript)+1)
		if err := w.agent.SetTranscript(state.Transcript[:n]); err != nil {
			w.errorf("SetTranscript: %v", err)
		}
		w.rewound(n, state)
	case 3:
		if err := w.agent.SetConfig(w.config()); err != nil {
			w.errorf("SetConfig: %v", err)
		}
	case 4:
		w.cleared(w.agent.ClearQueue(agentturn.QueueFollowUp))
	}
}

// ranged is a low-level run on the transcript, whose consumer may leave it.
func (w *world) ranged(ctx context.Context, key string, transcript agentturn.Transcript) {
	ctx = context.WithValue(ctx, rangedKey{}, true)
	var events []agentturn.Event
	leave := -1
	if w.mishap("user", key+" leaves", 2) {
		leave = w.roll(key+" leaves after", 60)
	}
	func() {
		defer func() {
			if v := recover(); v != nil && v != "a consumer" {
				panic(v)
			}
		}()
		for ev := range agentturn.Run(ctx, transcript, openresponses.Items{user("ranged")}, w.config()) {
			events = append(events, ev)
			if leave--; leave == 0 {
				if w.chance(key+" leaves in panic", 3) {
					panic("a consumer")
				}
				break
			}
		}
	}()
	if w.nobodyRuns("ranged "); leave == 0 {
		return
	}
	w.keep(key+": ranged", events)
	if err := at.CheckEvents(events); err != nil {
		w.errorf("%v", err)
	}
	end, ok := events[len(events)-1].(*agentturn.RunEnd)
	if !ok || !w.explained(end) {
		w.errorf("the range ended with %s", at.Line(events[len(events)-1]))
	}
	l := newRunBook(transcript, nil, nil, nil)
	for _, ev := range events {
		l.take(ev)
	}
	w.runs++
	w.complain(l.faults)
}
