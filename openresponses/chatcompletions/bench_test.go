package chatcompletions_test

import (
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
)

// BenchmarkDelta is one delta, from the bytes of its frame to the event.
func BenchmarkDelta(b *testing.B) {
	for _, c := range []struct{ name, delta string }{
		{"text", `{"content":" word"}`},
		{"reasoning", `{"reasoning_content":" word"}`},
		{"arguments", `{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"word"}}]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			const deltas = 1000
			frame := `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m",` +
				`"choices":[{"index":0,"delta":` + c.delta + `,"logprobs":null,"finish_reason":null}]}` + "\n\n"
			body := strings.Repeat(frame, deltas) + `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
			u, adapter := answering("")
			sink := or.EventSinkFunc(func(or.StreamEvent) error { return nil })
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				u.body = strings.NewReader(body)
				if err := adapter.CreateStream(b.Context(), user("hi"), sink); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(deltas*b.N), "ns/delta")
		})
	}
}
