package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/bench/measure"
	"github.com/ChristopherDavenport/agentturn/bench/wire"
	"github.com/ChristopherDavenport/openresponses"
)

const wireScenario = "S6 stream over loopback"

// wireCases read one streamed answer: the bytes, the frames, the events, and through the whole loop.
func wireCases() []measure.Case {
	s := wire.NewServer()
	client := openresponses.NewClient(s.URL)
	of := func(who string, run func() error) measure.Case {
		return measure.Case{Scenario: wireScenario, Contender: who, Unit: "delta", Units: wire.Deltas, Run: run}
	}
	return []measure.Case{
		of("bytes only", func() error { return readBytes(s) }),
		of("frames only", func() error { return readFrames(s) }),
		of(library+" client", func() error { return readClient(s, client) }),
		of(library+" loop", func() error { return readLoop(s, client) }),
	}
}

func readBytes(s *wire.Server) error {
	body, err := s.Post()
	if err != nil {
		return err
	}
	defer body.Close()
	n, err := io.Copy(io.Discard, body)
	if err == nil && n != int64(s.Size()) {
		err = fmt.Errorf("got %d bytes", n)
	}
	return err
}

// readFrames splits the body at blank lines and looks at no byte otherwise.
func readFrames(s *wire.Server) error {
	body, err := s.Post()
	if err != nil {
		return err
	}
	defer body.Close()
	lines := bufio.NewReaderSize(body, 4<<10)
	frames := 0
	for start := true; ; {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			break
		}
		if err != nil && err != bufio.ErrBufferFull {
			return err
		}
		if start && len(line) == 1 {
			frames++
		}
		start = err == nil
	}
	if frames != s.Frames() {
		return fmt.Errorf("got %d frames", frames)
	}
	return nil
}

func readClient(s *wire.Server, client *openresponses.Client) error {
	stream, err := client.CreateStream(context.Background(), openresponses.Request{
		Model: "m", Input: openresponses.Items{openresponses.UserText("x")},
	})
	if err != nil {
		return err
	}
	defer stream.Close()
	deltas := 0
	for stream.Next() {
		if _, ok := stream.Event().(*openresponses.OutputTextDeltaEvent); ok {
			deltas++
		}
	}
	if err := stream.Err(); err != nil {
		return err
	}
	return s.Check(deltas, len(stream.Response().OutputText()))
}

func readLoop(s *wire.Server, client *openresponses.Client) error {
	agent := agentturn.New(agentturn.Config{Model: client.AsAdapter(), ModelName: "m"})
	deltas, text := 0, 0
	agent.Subscribe(func(_ context.Context, event agentturn.Event) error {
		switch event := event.(type) {
		case *agentturn.ItemUpdate:
			if _, ok := event.Stream.(*openresponses.OutputTextDeltaEvent); ok {
				deltas++
			}
		case *agentturn.ItemEnd:
			if m, ok := event.Item.(*openresponses.Message); ok && m.Role == openresponses.RoleAssistant {
				text = len(m.Text())
			}
		}
		return nil
	})
	if end, err := agent.Prompt(context.Background(), openresponses.UserText("x")); err != nil {
		return err
	} else if end.Reason != agentturn.ReasonDone {
		return fmt.Errorf("ended for %s", end.Reason)
	}
	return s.Check(deltas, text)
}
