package openresponses

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/openresponses/internal/sse"
)

const (
	createdFrame   = `data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","status":"in_progress"}}` + "\n\n"
	completedFrame = `data: {"type":"response.completed","sequence_number":1,"response":{"id":"resp_1","status":"completed","output":[]}}` + "\n\n"
	doneFrame      = "data: [DONE]\n\n"
)

func streamOf(text string) *EventStream {
	return NewEventStream(context.Background(), io.NopCloser(strings.NewReader(text)))
}

func TestEventStreamEnds(t *testing.T) {
	broken := errors.New("connection reset")
	tests := []struct {
		name   string
		body   io.Reader
		events int
		err    error
		prefix string
	}{
		{"terminal event and marker", strings.NewReader(createdFrame + completedFrame + doneFrame), 2, nil, ""},
		{"terminal event and EOF", strings.NewReader(createdFrame + completedFrame), 2, nil, ""},
		{"marker alone", strings.NewReader(doneFrame), 0, nil, ""},
		{"marker without a blank line", strings.NewReader(createdFrame + "data: [DONE]"), 1, nil, ""},
		{"nothing after the marker is read", strings.NewReader(createdFrame + doneFrame + completedFrame), 1, nil, ""},
		{"events after the terminal one", strings.NewReader(completedFrame + createdFrame + doneFrame), 2, nil, ""},
		{"EOF after the terminal one and others", strings.NewReader(completedFrame + createdFrame), 2, nil, ""},
		{"empty body", strings.NewReader(""), 0, ErrTruncatedStream, ""},
		{"EOF before a terminal event", strings.NewReader(createdFrame), 1, ErrTruncatedStream, ""},
		{"EOF after an error event", strings.NewReader(`data: {"type":"error","error":{"code":"c","message":"m"}}` + "\n\n"), 1, ErrTruncatedStream, ""},
		{"EOF inside a frame", strings.NewReader(createdFrame + completedFrame[:40]), 1, ErrTruncatedStream, "decode SSE frame: "},
		{"the body's error", io.MultiReader(strings.NewReader(createdFrame+"data: {"), iotest.ErrReader(broken)), 1, broken, ""},
		{"the body's error after the end", io.MultiReader(strings.NewReader(completedFrame), iotest.ErrReader(broken)), 1, broken, ""},
		{"no JSON", strings.NewReader(createdFrame + "data: nonsense\n\n" + completedFrame), 1, nil, "decode SSE frame: "},
		{"empty data", strings.NewReader(createdFrame + "data:\n\n" + completedFrame), 1, nil, "decode SSE frame: "},
		{"the marker with something more", strings.NewReader(createdFrame + "data: [DONE] \n\n"), 1, nil, "decode SSE frame: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := NewEventStream(t.Context(), io.NopCloser(tt.body))
			defer s.Close()
			n := 0
			for ev := range s.Events() {
				if ev == nil || ev != s.Event() {
					t.Errorf("event %d is %v, Event() %v", n, ev, s.Event())
				}
				n++
			}
			err := s.Err()
			if n != tt.events {
				t.Errorf("%d events, want %d", n, tt.events)
			}
			switch {
			case tt.err != nil && !errors.Is(err, tt.err), tt.err == nil && tt.prefix == "" && err != nil:
				t.Errorf("Err() = %v, want %v", err, tt.err)
			case tt.prefix != "" && (err == nil || !strings.HasPrefix(err.Error(), tt.prefix)):
				t.Errorf("Err() = %v, want the prefix %q", err, tt.prefix)
			}
			if s.Next() {
				t.Error("Next goes on after the end")
			}
			if s.Err() != err {
				t.Errorf("Err changed to %v", s.Err())
			}
		})
	}
}

func TestEventStreamNilAndZero(t *testing.T) {
	for name, s := range map[string]*EventStream{"nil": nil, "zero": {}} {
		if s.Next() || s.Event() != nil || s.Err() != nil || s.Response() != nil || s.ReusedIndexes() != nil || s.Close() != nil {
			t.Errorf("%s stream: not the one of a stream without events", name)
		}
		for range s.Events() {
			t.Errorf("%s stream: has events", name)
		}
		if resp, err := s.Wait(); resp != nil || err != nil {
			t.Errorf("%s stream: Wait() = %v, %v", name, resp, err)
		}
	}
	var noContext context.Context // a nil context is allowed
	s := NewEventStream(noContext, nil)
	if s.Next() || !errors.Is(s.Err(), ErrTruncatedStream) {
		t.Errorf("nil body: Err() = %v", s.Err())
	}
}

func TestEventStreamEvents(t *testing.T) {
	s := streamOf(createdFrame + createdFrame + completedFrame)
	for range s.Events() {
		break
	}
	if s.Response() == nil || s.Response().Status != ResponseStatusInProgress {
		t.Errorf("after the first event: %+v", s.Response())
	}
	n := 0
	for range s.Events() {
		n++
	}
	if n != 2 || s.Err() != nil {
		t.Errorf("%d events remained, error %v; want 2", n, s.Err())
	}
	if _, ok := s.Event().(*ResponseCompletedEvent); !ok {
		t.Errorf("the last event is %T after the end", s.Event())
	}
}

func TestEventStreamWait(t *testing.T) {
	failed := `data: {"type":"response.failed","response":{"status":"failed","error":{"type":"model_error","code":"c","message":"m","param":"p","headers":{"Retry-After":"1"}}}}` + "\n\n"
	resp, err := streamOf(failed).Wait()
	var apiErr *Error
	if resp == nil || !errors.As(err, &apiErr) {
		t.Fatalf("Wait() = %v, %v", resp, err)
	}
	want := Error{Type: ErrorTypeModelError, Code: "c", Message: "m", Param: "p"}
	if apiErr.Type != want.Type || apiErr.Code != "c" || apiErr.Message != "m" || apiErr.Param != "p" || apiErr.StatusCode != 0 || apiErr.Headers != nil {
		t.Errorf("error %+v, want %+v", apiErr, want)
	}
	if resp, err := streamOf(doneFrame).Wait(); resp != nil || err != nil {
		t.Errorf("a stream without events: Wait() = %v, %v", resp, err)
	}
	if resp, err := streamOf(createdFrame).Wait(); resp == nil || !errors.Is(err, ErrTruncatedStream) {
		t.Errorf("a cut stream: Wait() = %v, %v", resp, err)
	}
	var noContext context.Context
	if resp, err := newEventStreamOf(noContext, completed(msg("m"))).Wait(); err != nil || resp.Status != ResponseStatusCompleted {
		t.Errorf("a stream of one event: Wait() = %v, %v", resp, err)
	}
}

func TestEventStreamFrameLimit(t *testing.T) {
	frame := func(size int) io.Reader {
		const head = `data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"`
		const tail = `"}}`
		return io.MultiReader(strings.NewReader(head+strings.Repeat("x", size-len(head)-len(tail))+tail+"\n\n"), strings.NewReader(completedFrame))
	}
	tests := []struct {
		name  string
		size  int
		limit int64
		text  string
	}{
		{"15 MiB", 15 << 20, 0, ""},
		{"just 16 MiB", 16 << 20, 0, ""},
		{"over 16 MiB", 16<<20 + 1, 0, "openresponses: sse: frame exceeds 16 MiB"},
		{"48 MiB under a raised limit", 48 << 20, 64 << 20, ""},
		{"over a limit of odd size", 2000, 1000, "openresponses: sse: frame exceeds 1000 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newEventStream(t.Context(), io.NopCloser(frame(tt.size)), streamOptions{maxFrame: tt.limit})
			defer s.Close()
			_, err := s.Wait()
			if tt.text == "" {
				if err != nil {
					t.Errorf("Wait() = %v", err)
				}
				return
			}
			var tooLarge *FrameTooLargeError
			if !errors.As(err, &tooLarge) || err.Error() != tt.text {
				t.Errorf("Wait() = %v, want %q", err, tt.text)
			}
		})
	}
}

// pipeBody is an in-memory body whose Close unblocks a pending Read, as that of an HTTP response does.
type pipeBody struct {
	*io.PipeReader
	closes   int
	closeErr error
}

func newPipe() (*pipeBody, *io.PipeWriter) {
	r, w := io.Pipe()
	return &pipeBody{PipeReader: r}, w
}

func (b *pipeBody) Close() error {
	b.closes++
	b.PipeReader.Close()
	return b.closeErr
}

func TestEventStreamContext(t *testing.T) {
	t.Run("ends a pending read", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			body, w := newPipe()
			s := NewEventStream(ctx, body)
			go io.WriteString(w, createdFrame)
			if !s.Next() {
				t.Fatal(s.Err())
			}
			time.AfterFunc(time.Hour, cancel)
			if s.Next() || !errors.Is(s.Err(), context.Canceled) {
				t.Errorf("Err() = %v, want the context's error", s.Err())
			}
			synctest.Wait()
			if body.closes != 1 {
				t.Errorf("the body was closed %d times", body.closes)
			}
			if err := s.Close(); err != nil || body.closes != 1 {
				t.Errorf("Close() = %v, body closed %d times", err, body.closes)
			}
		})
	})
	t.Run("ended before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := NewEventStream(ctx, io.NopCloser(strings.NewReader(createdFrame)))
		if s.Next() || !errors.Is(s.Err(), context.Canceled) {
			t.Errorf("Err() = %v", s.Err())
		}
	})
	t.Run("deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			body, _ := newPipe()
			s := NewEventStream(ctx, body)
			if _, err := s.Wait(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Wait() = %v", err)
			}
			s.Close()
		})
	})
	t.Run("a finished stream keeps its result", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			body, w := newPipe()
			go io.WriteString(w, completedFrame+doneFrame)
			s := NewEventStream(ctx, body)
			if _, err := s.Wait(); err != nil {
				t.Fatal(err)
			}
			cancel()
			synctest.Wait()
			if s.Next() || s.Err() != nil {
				t.Errorf("Err() = %v", s.Err())
			}
			if body.closes != 1 {
				t.Errorf("the body was closed %d times, want once, by the context", body.closes)
			}
		})
	})
}

func TestEventStreamClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body, w := newPipe()
		body.closeErr = errors.New("close failed")
		s := NewEventStream(context.Background(), body)
		go io.WriteString(w, createdFrame)
		if !s.Next() {
			t.Fatal(s.Err())
		}
		ended := make(chan bool)
		go func() { ended <- s.Next() }()
		synctest.Wait()
		if err := s.Close(); err != body.closeErr {
			t.Errorf("the first Close() = %v, want that of the body", err)
		}
		if <-ended {
			t.Error("Next returned true after Close")
		}
		if err := s.Close(); err != nil || body.closes != 1 {
			t.Errorf("the second Close() = %v, body closed %d times", err, body.closes)
		}
		if s.Err() != nil || s.Next() || s.Event() == nil || s.Response() == nil {
			t.Errorf("after Close: Err() = %v, event %v", s.Err(), s.Event())
		}
	})
}

// TestEventStreamConcurrency has other goroutines look at a stream while it is read; the race detector judges.
func TestEventStreamConcurrency(t *testing.T) {
	s := streamOf(strings.Repeat(createdFrame, 200) + completedFrame)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				s.Event()
				s.Err()
				s.Response()
				s.ReusedIndexes()
			}
		})
	}
	wg.Go(func() { s.Wait() })
	wg.Go(func() { s.Close() })
	wg.Wait()
	if err := s.Err(); err != nil {
		t.Error(err)
	}
}

func TestEventStreamIdle(t *testing.T) {
	const limit = time.Minute
	type step struct {
		after time.Duration
		send  string
	}
	tests := []struct {
		name  string
		steps []step
		err   bool
		at    time.Duration // when the stream ends
	}{
		{"silence from the start", nil, true, limit},
		{"silence after data", []step{{30 * time.Second, createdFrame}}, true, 90 * time.Second},
		{"data in time", []step{{59 * time.Second, createdFrame}, {59 * time.Second, createdFrame}, {59 * time.Second, completedFrame + doneFrame}}, false, 177 * time.Second},
		{"comments are not data", []step{{0, createdFrame}, {25 * time.Second, ": ping\n\n"}, {25 * time.Second, ": ping\n\n"}, {25 * time.Second, ": ping\n\n"}}, true, limit},
		{"blank lines are not data", []step{{0, createdFrame}, {40 * time.Second, "\n"}, {40 * time.Second, "\n"}}, true, limit},
		{"events without data are not data", []step{{0, createdFrame}, {40 * time.Second, "event: ping\n\n"}, {40 * time.Second, "event: ping\n\n"}}, true, limit},
		{"a slow frame is data", []step{{0, completedFrame[:20]}, {50 * time.Second, completedFrame[20:40]}, {50 * time.Second, completedFrame[40:]}, {50 * time.Second, doneFrame}}, false, 150 * time.Second},
		{"a frame that stops", []step{{0, completedFrame[:20]}, {50 * time.Second, completedFrame[20:40]}}, true, 110 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body, w := newPipe()
				s := newEventStream(context.Background(), body, streamOptions{idle: limit, model: "m1"})
				var server sync.WaitGroup
				defer server.Wait()
				server.Go(func() {
					for _, step := range tt.steps {
						time.Sleep(step.after)
						io.WriteString(w, step.send)
					}
				})
				start := time.Now()
				_, err := s.Wait()
				if got := time.Since(start); got != tt.at {
					t.Errorf("the stream ended after %v, want %v", got, tt.at)
				}
				if !tt.err {
					if err != nil {
						t.Errorf("Wait() = %v", err)
					}
				} else {
					wantIdleError(t, err, limit)
					if body.closes != 1 {
						t.Errorf("the body was closed %d times", body.closes)
					}
				}
				s.Close()
			})
		})
	}
}

func wantIdleError(t *testing.T, err error, wait time.Duration) {
	t.Helper()
	var idle *IdleError
	var timeout net.Error
	switch {
	case !errors.As(err, &idle) || idle.Model != "m1" || idle.Wait != wait:
		t.Errorf("error %v, want an IdleError", err)
	case !errors.As(err, &timeout) || !timeout.Timeout():
		t.Errorf("error %v is not a timeout of the network", err)
	case !strings.Contains(err.Error(), `"m1"`) || !strings.Contains(err.Error(), wait.String()):
		t.Errorf("error %q does not name the model and the wait", err)
	}
}

// TestEventStreamIdleConsumer checks that only the server's silence counts, not the time the consumer takes.
func TestEventStreamIdleConsumer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body, w := newPipe()
		s := newEventStream(context.Background(), body, streamOptions{idle: time.Minute, model: "m1"})
		defer s.Close()
		go io.WriteString(w, createdFrame)
		if !s.Next() {
			t.Fatal(s.Err())
		}
		time.Sleep(time.Hour)
		go io.WriteString(w, createdFrame)
		if !s.Next() {
			t.Fatalf("a slow consumer ended the stream: %v", s.Err())
		}
		time.Sleep(90 * time.Second)
		start := time.Now()
		if s.Next() {
			t.Fatal("there was an event")
		}
		wantIdleError(t, s.Err(), time.Minute)
		if got := time.Since(start); got != time.Minute {
			t.Errorf("the stream ended after %v, want a minute", got)
		}
	})
}

func TestIdleErrorText(t *testing.T) {
	if got, want := (&IdleError{Wait: time.Second}).Error(), "openresponses: no data on the stream for 1s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzEventStream(f *testing.F) {
	f.Add([]byte(createdFrame + completedFrame + doneFrame))
	f.Add([]byte("data: {\"type\":\"response.output_item.added\",\"output_index\":99999999,\"item\":{\"type\":\"message\"}}\n\n"))
	f.Add([]byte("data: {\"type\":\"error\",\"error\":null}\r\n\r\ndata: [DONE]"))
	for _, tt := range faults {
		if data, err := readFaultFile(tt.file); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := NewEventStream(t.Context(), io.NopCloser(bytes.NewReader(data)))
		defer s.Close()
		for s.Next() {
			if s.Event() == nil {
				t.Fatal("Next returned true without an event")
			}
		}
		if resp := s.Response(); resp != nil {
			for i := range resp.Output {
				s.acc.ItemAt(i)
			}
		}
	})
}

func deltaStream(n int) []byte {
	var b bytes.Buffer
	b.WriteString(createdFrame)
	b.WriteString(`data: {"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}` + "\n\n")
	b.WriteString(`data: {"type":"response.content_part.added","item_id":"msg_1","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}` + "\n\n")
	for i := range n {
		fmt.Fprintf(&b, "event: response.output_text.delta\ndata: "+`{"type":"response.output_text.delta","sequence_number":%d,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"word "}`+"\n\n", i+3)
	}
	b.WriteString(completedFrame + doneFrame)
	return b.Bytes()
}

// BenchmarkFrames reads what BenchmarkEventStream reads, but only splits it into frames.
func BenchmarkFrames(b *testing.B) {
	for _, deltas := range []int{1000, 10000, 100000} {
		stream := deltaStream(deltas)
		b.Run(fmt.Sprintf("deltas=%d", deltas), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				frames := sse.NewReader(bytes.NewReader(stream), 0)
				for {
					if _, err := frames.Next(); err != nil {
						break
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*deltas), "ns/delta")
		})
	}
}

func BenchmarkEventStream(b *testing.B) {
	for _, deltas := range []int{1000, 10000, 100000} {
		stream := deltaStream(deltas)
		b.Run(fmt.Sprintf("deltas=%d", deltas), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				s := NewEventStream(context.Background(), io.NopCloser(bytes.NewReader(stream)))
				if _, err := s.Wait(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*deltas), "ns/delta")
		})
	}
}
