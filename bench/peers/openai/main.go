// Command openai runs the scenarios over openai-go, which is a client alone.
package main

import (
	"context"

	"github.com/ChristopherDavenport/agentturn/bench/measure"
	"github.com/ChristopherDavenport/agentturn/bench/wire"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

func main() {
	s := wire.NewServer()
	client := openai.NewClient(option.WithBaseURL(s.URL), option.WithAPIKey("k"))
	of := func(who string, run func() error) measure.Case {
		return measure.Case{Scenario: "S6 stream over loopback", Contender: who, Unit: "delta", Units: wire.Deltas, Run: run}
	}
	measure.Main([]measure.Case{
		of("openai-go raw", func() error { return read(s, client, rawDelta) }),
		of("openai-go typed", func() error { return read(s, client, typedDelta) }),
	})
}

// rawDelta takes the delta from the union of all events, as the stream decodes it.
func rawDelta(event responses.ResponseStreamEventUnion) (string, bool) {
	return event.Delta, event.Type == "response.output_text.delta"
}

// typedDelta takes it from the event's own type.
func typedDelta(event responses.ResponseStreamEventUnion) (string, bool) {
	delta, ok := event.AsAny().(responses.ResponseTextDeltaEvent)
	return delta.Delta, ok
}

func read(s *wire.Server, client openai.Client, delta func(responses.ResponseStreamEventUnion) (string, bool)) error {
	stream := client.Responses.NewStreaming(context.Background(), responses.ResponseNewParams{
		Model: "m", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("x")},
	})
	defer stream.Close()
	deltas, text := 0, 0
	for stream.Next() {
		if d, ok := delta(stream.Current()); ok {
			deltas++
			text += len(d)
		}
	}
	if err := stream.Err(); err != nil {
		return err
	}
	return s.Check(deltas, text)
}
