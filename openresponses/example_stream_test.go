package openresponses_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// A model adapter streams its answer through an Emitter; the sink is whatever carries it to the client.
func ExampleEmitter() {
	sink := openresponses.EventSinkFunc(func(ev openresponses.StreamEvent) error {
		fmt.Println(ev.EventType())
		return nil
	})
	e := openresponses.NewEmitter(sink, openresponses.NewResponse(openresponses.Request{Model: "m1"}))
	message, err := e.Message(openresponses.PhaseFinalAnswer)
	if err != nil {
		return // the client is gone
	}
	for _, word := range []string{"Hello, ", "world!"} {
		if err := message.Text(word); err != nil {
			return
		}
	}
	e.Complete()
	// Output:
	// response.created
	// response.in_progress
	// response.output_item.added
	// response.content_part.added
	// response.output_text.delta
	// response.output_text.delta
	// response.output_text.done
	// response.content_part.done
	// response.output_item.done
	// response.completed
}

// Deltas are shown as they come; the response is whole at the end.
func ExampleEventStream() {
	body := strings.NewReader(`data: {"type":"response.created","response":{"id":"resp_1","status":"in_progress"}}

data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","role":"assistant","content":[]}}

data: {"type":"response.content_part.added","part":{"type":"output_text","text":""}}

data: {"type":"response.output_text.delta","delta":"Hello, "}

data: {"type":"response.output_text.delta","delta":"world!"}

data: {"type":"response.completed","response":{"id":"resp_1","status":"completed"}}

data: [DONE]

`)
	stream := openresponses.NewEventStream(context.Background(), io.NopCloser(body))
	defer stream.Close()
	for ev := range stream.Events() {
		if delta, ok := ev.(*openresponses.OutputTextDeltaEvent); ok {
			fmt.Printf("%q\n", delta.Delta)
		}
	}
	resp, err := stream.Wait()
	fmt.Println(resp.Status, resp.OutputText(), err)
	// Output:
	// "Hello, "
	// "world!"
	// completed Hello, world! <nil>
}
