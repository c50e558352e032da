package agentturn_test

import (
	"context"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

type prepared struct {
	turns [][]openresponses.StreamEvent
	n     int
}

func (p *prepared) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	evs := p.turns[p.n%len(p.turns)]
	p.n++
	for _, e := range evs {
		if err := sink.Send(e); err != nil {
			return err
		}
	}
	return nil
}

func deltas(n int) []openresponses.StreamEvent {
	r := openresponses.NewResponse(openresponses.Request{Model: "m"})
	r.ID = "resp_1"
	msg := &openresponses.Message{ID: "msg_1", Role: "assistant", Status: "in_progress"}
	evs := []openresponses.StreamEvent{&openresponses.ResponseCreatedEvent{Response: r}, &openresponses.OutputItemAddedEvent{Item: msg}, &openresponses.ContentPartAddedEvent{ItemID: "msg_1", Part: &openresponses.OutputText{}}}
	for range n {
		evs = append(evs, &openresponses.OutputTextDeltaEvent{ItemID: "msg_1", Delta: "hello "})
	}
	m2 := openresponses.AssistantText("done")
	m2.ID = "msg_1"
	c := r.Clone()
	c.Status = "completed"
	c.Output = openresponses.Items{m2}
	return append(evs, &openresponses.OutputItemDoneEvent{Item: m2}, &openresponses.ResponseCompletedEvent{Response: c})
}

func toolTurn() []openresponses.StreamEvent {
	r := openresponses.NewResponse(openresponses.Request{Model: "m"})
	r.ID = "resp_1"
	fc := &openresponses.FunctionCall{ID: "fc_1", CallID: "", Name: "e", Arguments: `{"text":"a"}`}
	c := r.Clone()
	c.Status = "completed"
	c.Output = openresponses.Items{fc}
	return []openresponses.StreamEvent{&openresponses.ResponseCreatedEvent{Response: r}, &openresponses.OutputItemAddedEvent{Item: fc}, &openresponses.OutputItemDoneEvent{Item: fc}, &openresponses.ResponseCompletedEvent{Response: c}}
}

func BenchmarkDeltaAgent(b *testing.B) {
	evs := deltas(1000)
	b.ReportAllocs()
	for b.Loop() {
		a := agentturn.New(agentturn.Config{Model: &prepared{turns: [][]openresponses.StreamEvent{evs}}})
		a.Subscribe(func(context.Context, agentturn.Event) error { return nil })
		a.Prompt(context.Background(), openresponses.UserText("x"))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/delta")
}

func BenchmarkDeltaRun(b *testing.B) {
	evs := deltas(1000)
	b.ReportAllocs()
	for b.Loop() {
		for range agentturn.Run(context.Background(), nil, openresponses.Items{openresponses.UserText("x")}, agentturn.Config{Model: &prepared{turns: [][]openresponses.StreamEvent{evs}}}) {
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/delta")
}

func BenchmarkTools(b *testing.B) {
	tt := toolTurn()
	fin := deltas(1)
	for _, n := range []int{10, 100, 400} {
		b.Run("", func(b *testing.B) {
			var turns [][]openresponses.StreamEvent
			for range n {
				turns = append(turns, tt)
			}
			turns = append(turns, fin)
			tool := agenttool.NewFunc("e", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) { return agenttool.Text("r"), nil })
			b.ReportAllocs()
			for b.Loop() {
				a := agentturn.New(agentturn.Config{Model: &prepared{turns: turns}, Tools: []agenttool.Tool{tool}})
				a.Subscribe(func(context.Context, agentturn.Event) error { return nil })
				if e, err := a.Prompt(context.Background(), openresponses.UserText("x")); err != nil || e.Reason != "done" {
					b.Fatal(e, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n)/1000, "us/turn")
		})
	}
}
