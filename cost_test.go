package agentturn_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// What the loop allocates is exact and so is tested; what it takes in time is for the benchmarks below.

// prepared is a model whose streams were made in advance, so that what is measured is the loop's.
type prepared struct {
	turns [][]openresponses.StreamEvent
	next  int
}

func (p *prepared) CreateStream(_ context.Context, _ openresponses.Request, sink openresponses.EventSink) error {
	events := p.turns[p.next%len(p.turns)]
	p.next++
	for _, ev := range events {
		if err := sink.Send(ev); err != nil {
			return err
		}
	}
	return nil
}

// answerOf is the stream of an answer in so many deltas.
func answerOf(deltas int) []openresponses.StreamEvent {
	events := []openresponses.StreamEvent{created("resp_1"), added(0, opening("msg_1")), &openresponses.ContentPartAddedEvent{ItemID: "msg_1", Part: &openresponses.OutputText{}}}
	for range deltas {
		events = append(events, &openresponses.OutputTextDeltaEvent{ItemID: "msg_1", Delta: "token "})
	}
	final := message("msg_1", "done")
	return append(events, done(0, final), ended(finished, final))
}

// callsIn is the stream of a response with so many calls of x.
func callsIn(calls int) []openresponses.StreamEvent {
	events := []openresponses.StreamEvent{created("resp_1")}
	var list []openresponses.Item
	for i := range calls {
		call := wireCall(fmt.Sprintf("fc_%d", i), "", `{"text":"a"}`)
		events = append(events, added(i, call), done(i, call))
		list = append(list, call)
	}
	return append(events, ended(finished, list...))
}

func turnsOf(toolTurns int) [][]openresponses.StreamEvent {
	var turns [][]openresponses.StreamEvent
	for range toolTurns {
		turns = append(turns, callsIn(1))
	}
	return append(turns, answerOf(1))
}

func followed(cfg agentturn.Config, opts ...agentturn.Option) *agentturn.Agent {
	a := agentturn.New(cfg, opts...)
	a.Subscribe(func(context.Context, agentturn.Event) error { return nil })
	return a
}

func mustPrompt(tb testing.TB, a *agentturn.Agent) {
	if end, err := a.Prompt(context.Background(), openresponses.UserText("hi")); err != nil || end.Reason != agentturn.ReasonDone {
		tb.Fatalf("%+v, error %v", end, err)
	}
}

func mustRun(tb testing.TB, transcript agentturn.Transcript, cfg agentturn.Config) {
	var end *agentturn.RunEnd
	for ev := range agentturn.Run(context.Background(), transcript, openresponses.Items{openresponses.UserText("hi")}, cfg) {
		end, _ = ev.(*agentturn.RunEnd)
	}
	if end == nil || end.Reason != agentturn.ReasonDone {
		tb.Fatalf("%+v", end)
	}
}

// allocated is what f allocates: how often, and how many bytes. The runtime may allocate meanwhile, so it is the least of
// some times.
func allocated(f func()) (allocs, bytes uint64) {
	f() // what is made once
	for i := range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		n, size := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
		if i == 0 || n < allocs {
			allocs = n
		}
		if i == 0 || size < bytes {
			bytes = size
		}
	}
	return allocs, bytes
}

// within fails when a figure is over its limit. With the race detector there is a twentieth of room: it keeps some of what
// would be used again.
func within(t *testing.T, what string, got, most uint64) {
	t.Helper()
	t.Logf("%s: %d of %d", what, got, most)
	if raceEnabled {
		most += most / 20
	}
	if got > most {
		t.Errorf("%s: %d, want at most %d", what, got, most)
	}
}

func TestAllocations(t *testing.T) {
	agent := func(toolTurns, deltas int) func() {
		turns := append(turnsOf(toolTurns)[:toolTurns], answerOf(deltas))
		return func() {
			mustPrompt(t, followed(agentturn.Config{Model: &prepared{turns: turns}, Tools: tools(okTool("x"))}))
		}
	}
	few, fewBytes := allocated(agent(0, 1_000))
	many, manyBytes := allocated(agent(0, 10_000))
	// Two, of which one is the copy of an event that is no client's.
	within(t, "allocations for 9,000 deltas", many-few, 2*9_000)
	within(t, "bytes for 10,000 deltas", manyBytes, 2<<20)
	within(t, "bytes for 10,000 deltas, of those for 1,000", manyBytes, 10*fewBytes+fewBytes/10)

	one, _ := allocated(agent(1, 1))
	within(t, "allocations of a run with one call", one, 200)
	_, bytes := allocated(agent(400, 1))
	within(t, "bytes of 400 turns with a call each", bytes, 6<<20)

	growth := func(turns int) uint64 {
		a, _ := allocated(agent(turns, 1))
		b, _ := allocated(agent(turns+10, 1))
		return b - a
	}
	at100, at400 := growth(100), growth(400)
	within(t, "allocations of ten turns behind 400, of those behind 100", at400, at100+at100/2)
}

// TestHistoryCosts: without a filter and a transform a turn of an agent costs what is new, however long the transcript.
func TestHistoryCosts(t *testing.T) {
	cost := func(n int) uint64 {
		a := followed(agentturn.Config{Model: &prepared{turns: turnsOf(0)}}, agentturn.WithTranscript(history(n)))
		_, bytes := allocated(func() { mustPrompt(t, a) }) // the least: the transcript's own slice grows now and then
		return bytes
	}
	short, long := cost(5_000), cost(10_000)
	within(t, "bytes of a prompt on 10,000 items, of one on 5,000", long, short+short/4)
}

func history(n int) agentturn.Transcript {
	transcript := make(agentturn.Transcript, 0, n)
	for range n / 2 {
		transcript = append(transcript, openresponses.UserText("a question"), openresponses.AssistantText("an answer"))
	}
	return transcript
}

// TestManyRuns: a thousand runs at once leave no goroutine. One that is on its way out is waited for: how long the last
// steps of a goroutine take is up to the machine.
func TestManyRuns(t *testing.T) {
	at.NoLeaks(t)
	var runs sync.WaitGroup
	for range 500 {
		runs.Go(func() {
			mustPrompt(t, followed(agentturn.Config{Model: &prepared{turns: turnsOf(2)}, Tools: tools(okTool("x"))}))
		})
		runs.Go(func() {
			mustRun(t, nil, agentturn.Config{Model: &prepared{turns: turnsOf(2)}, Tools: tools(okTool("x"))})
		})
	}
	runs.Wait()
}

func perUnit(b *testing.B, units int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(units), "ns/"+unit)
}

func BenchmarkDelta(b *testing.B) {
	const n = 1000
	turns := [][]openresponses.StreamEvent{answerOf(n)}
	b.Run("Agent", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			mustPrompt(b, followed(agentturn.Config{Model: &prepared{turns: turns}}))
		}
		perUnit(b, n, "delta")
	})
	b.Run("Run", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			mustRun(b, nil, agentturn.Config{Model: &prepared{turns: turns}})
		}
		perUnit(b, n, "delta")
	})
}

func BenchmarkToolTurns(b *testing.B) {
	for _, n := range []int{10, 100, 400} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			turns := turnsOf(n)
			b.ReportAllocs()
			for b.Loop() {
				mustPrompt(b, followed(agentturn.Config{Model: &prepared{turns: turns}, Tools: tools(okTool("x"))}))
			}
			perUnit(b, n, "turn")
		})
	}
}

func BenchmarkHistory(b *testing.B) {
	for _, n := range []int{5_000, 10_000} {
		transcript := history(n)
		b.Run(fmt.Sprintf("Agent/%d", n), func(b *testing.B) {
			a := followed(agentturn.Config{Model: &prepared{turns: turnsOf(0)}}, agentturn.WithTranscript(transcript))
			b.ReportAllocs()
			for b.Loop() {
				mustPrompt(b, a)
			}
		})
		b.Run(fmt.Sprintf("Run/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustRun(b, transcript, agentturn.Config{Model: &prepared{turns: turnsOf(0)}})
			}
		})
	}
}

func BenchmarkParallelCalls(b *testing.B) {
	slow := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
		time.Sleep(5 * time.Millisecond)
		return agenttool.Text("ok"), nil
	})
	turns := [][]openresponses.StreamEvent{callsIn(8), answerOf(1)}
	b.ReportAllocs()
	for b.Loop() {
		mustPrompt(b, followed(agentturn.Config{Model: &prepared{turns: turns}, Tools: tools(slow)}))
	}
}

func BenchmarkConcurrentRuns(b *testing.B) {
	const n = 2000
	turns := [][]openresponses.StreamEvent{answerOf(50)}
	b.ReportAllocs()
	for b.Loop() {
		var runs sync.WaitGroup
		for range n {
			runs.Go(func() { mustPrompt(b, followed(agentturn.Config{Model: &prepared{turns: turns}})) })
		}
		runs.Wait()
	}
	perUnit(b, n, "run")
}
