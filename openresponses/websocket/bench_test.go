package websocket_test

import (
	"context"
	"net/http/httptest"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

// BenchmarkDelta is one text delta from the adapter, over a connection of the machine's, to the folded response.
func BenchmarkDelta(b *testing.B) {
	deltas := make(chan int, 1)
	adapter := streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
		e := or.NewEmitter(sink, or.NewResponse(req))
		w, err := e.Message(or.PhaseFinalAnswer)
		for i := <-deltas; i > 0 && err == nil; i-- {
			err = w.Text("four words of text ")
		}
		if err != nil {
			return err
		}
		return e.Complete()
	})
	server := httptest.NewServer(websocket.Handler(or.NewHandler(adapter)))
	defer server.Close()
	conn, err := websocket.Dial(b.Context(), or.NewClient(server.URL))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	const batch = 1000 // deltas in one turn
	b.ReportAllocs()
	for b.Loop() {
		deltas <- batch
		if _, err := conn.Turn(b.Context(), or.Request{Model: "m"}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(batch*b.N), "ns/delta")
}
