package fold_test

import (
	"fmt"
	"testing"

	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// BenchmarkDeltas folds 10,000 deltas into one item, alone or after many others.
func BenchmarkDeltas(b *testing.B) {
	const deltas = 10_000
	items := []struct {
		name  string
		taken string
		open  func(index int) stream
		delta func(index int) openresponses.StreamEvent
	}{
		{"message", "", func(i int) stream { return stream{added(i, opened("m")), part(i)} }, func(i int) openresponses.StreamEvent { return text(i, "some words ") }},
		{"call", "", func(i int) stream { return stream{added(i, call("f", "c", ""))} }, func(i int) openresponses.StreamEvent { return args(i, `"some": 1, `) }},
		{"renamed call", "c", func(i int) stream { return stream{added(i, call("f", "c", ""))} }, func(i int) openresponses.StreamEvent { return args(i, `"some": 1, `) }},
		{"reasoning", "", func(i int) stream { return stream{added(i, &openresponses.ReasoningItem{ID: "r"})} }, func(i int) openresponses.StreamEvent {
			return &openresponses.ReasoningDeltaEvent{OutputIndex: i, Delta: "some words "}
		}},
	}
	for _, item := range items {
		for _, before := range []int{0, 1000} {
			b.Run(fmt.Sprintf("%s/after=%d", item.name, before), func(b *testing.B) {
				b.ReportAllocs()
				delta := item.delta(before)
				for b.Loop() {
					b.StopTimer()
					f := fold.New(deciding(item.taken))
					for i := range before {
						f.Add(done(i, message(fmt.Sprint("m", i), "hi")))
					}
					for _, ev := range item.open(before) {
						f.Add(ev)
					}
					b.StartTimer()
					for range deltas {
						f.Add(delta)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/deltas, "ns/delta")
			})
		}
	}
}

// BenchmarkAccumulator is what of BenchmarkDeltas is the accumulator's.
func BenchmarkAccumulator(b *testing.B) {
	const deltas = 10_000
	b.ReportAllocs()
	delta := text(0, "some words ")
	for b.Loop() {
		var items openresponses.Accumulator
		items.Add(added(0, opened("m")))
		items.Add(part(0))
		for range deltas {
			items.Add(delta)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/deltas, "ns/delta")
}

// BenchmarkTurn folds a turn of a hundred calls, opened and completed all at index 0, and settles its response.
func BenchmarkTurn(b *testing.B) {
	var events stream
	var calls openresponses.Items
	for i := range 100 {
		c := call(fmt.Sprint("f", i), fmt.Sprint("c", i), `{"a":1}`)
		calls = append(calls, c)
		events = append(events, added(0, c), args(0, `{"a":`), args(0, `1}`), done(0, c))
	}
	events = append(events, completed(calls...))
	b.ReportAllocs()
	for b.Loop() {
		f := fold.New(nil)
		for _, ev := range events {
			f.Add(ev)
		}
		if n := len(f.Result().Calls); n != 100 {
			b.Fatal(n)
		}
	}
}
