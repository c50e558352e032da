package openresponses_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
)

const helloStream = `{"model":"m","input":"hi","stream":true}`

// streaming serves one streamed request with an adapter of the given function.
func streaming(f func(context.Context, or.Request, or.EventSink) error, opts ...or.HandlerOption) *httptest.ResponseRecorder {
	return post(or.NewHandler(fakeAdapter{stream: f}, opts...), "/responses", helloStream)
}

func TestHandlerStream(t *testing.T) {
	rec := post(or.NewHandler(saying("Hello, ", "world!")), "/responses", helloStream)
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-cache",
		"Connection": "keep-alive", "X-Accel-Buffering": "no",
	} {
		if got := rec.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	all := events(t, rec)
	want := "created in_progress output_item.added content_part.added output_text.delta output_text.delta " +
		"output_text.done content_part.done output_item.done completed"
	if got := typesOf(all); got != want {
		t.Errorf("events %s\nwant   %s", got, want)
	}
	if resp := terminal(t, all); resp.OutputText() != "Hello, world!" {
		t.Errorf("text %q", resp.OutputText())
	}
	if !rec.Flushed {
		t.Error("nothing was flushed")
	}
	for _, block := range strings.Split(strings.TrimSuffix(rec.Body.String(), "\n\n"), "\n\n") {
		lines := strings.Split(block, "\n")
		if block == "data: [DONE]" {
			continue
		}
		if len(lines) != 2 || !strings.HasPrefix(lines[0], "event: ") || !strings.HasPrefix(lines[1], `data: {"type":"`+lines[0][7:]+`"`) {
			t.Errorf("frame %q", block)
		}
	}
}

// A response carries what the protocol requires in every event, whoever made it.
func TestHandlerStreamMembers(t *testing.T) {
	rec := post(or.NewHandler(saying("x")), "/responses", helloStream)
	found := 0
	for _, line := range strings.Split(rec.Body.String(), "\n") {
		if _, rest, ok := strings.Cut(line, `,"response":`); ok && strings.HasPrefix(line, "data: ") {
			found++
			if missing := missingMembers(t, []byte(strings.TrimSuffix(rest, "}"))); len(missing) > 0 {
				t.Errorf("members %v are missing in %s", missing, line)
			}
		}
	}
	if found != 3 {
		t.Errorf("%d responses", found)
	}
}

func TestHandlerStreamAdapterErrors(t *testing.T) {
	broken := or.TooManyRequests("slow", "wait").WithHeader("Retry-After", "3")
	tests := map[string]struct {
		adapter func(context.Context, or.Request, or.EventSink) error
		types   string
		status  or.ResponseStatus
		code    string // of the response's error
		text    string
		items   int
	}{
		"after events": {
			func(_ context.Context, req or.Request, sink or.EventSink) error {
				w, _ := or.NewEmitter(sink, or.NewResponse(req)).Message("")
				w.Text("half")
				return broken
			},
			"created in_progress output_item.added content_part.added output_text.delta error failed",
			or.ResponseStatusFailed, "slow", "half", 1,
		},
		"without events": {
			func(context.Context, or.Request, or.EventSink) error { return nil },
			"completed", or.ResponseStatusCompleted, "", "", 0,
		},
		"without a terminal event": {
			func(_ context.Context, req or.Request, sink or.EventSink) error {
				w, _ := or.NewEmitter(sink, or.NewResponse(req)).Message("")
				w.Text("all")
				return w.Close()
			},
			"created in_progress output_item.added content_part.added output_text.delta output_text.done " +
				"content_part.done output_item.done completed",
			or.ResponseStatusCompleted, "", "all", 1,
		},
		"after the terminal event": {
			func(_ context.Context, req or.Request, sink or.EventSink) error {
				or.NewEmitter(sink, or.NewResponse(req)).Complete()
				return broken
			},
			"created in_progress completed", or.ResponseStatusCompleted, "", "", 0,
		},
		"its own error event": {
			func(_ context.Context, req or.Request, sink or.EventSink) error {
				or.NewEmitter(sink, or.NewResponse(req)).Start()
				return sink.Send(&or.ErrorEvent{Error: or.ErrorPayload{Code: "own"}})
			},
			"created in_progress error failed", or.ResponseStatusFailed, "own", "", 0,
		},
		"its own error event, and the error": {
			func(_ context.Context, req or.Request, sink or.EventSink) error {
				or.NewEmitter(sink, or.NewResponse(req)).Start()
				sink.Send(&or.ErrorEvent{Error: broken.Payload()})
				return broken
			},
			"created in_progress error failed", or.ResponseStatusFailed, "slow", "", 0,
		},
		"an error event alone": {
			func(_ context.Context, _ or.Request, sink or.EventSink) error {
				return sink.Send(&or.ErrorEvent{Error: or.ErrorPayload{Code: "own"}})
			},
			"error failed", or.ResponseStatusFailed, "own", "", 0,
		},
		"items alone": {
			func(_ context.Context, _ or.Request, sink or.EventSink) error {
				return sink.Send(&or.OutputItemDoneEvent{Item: or.AssistantText("lone")})
			},
			"output_item.done completed", or.ResponseStatusCompleted, "", "lone", 1,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			all := events(t, streaming(tt.adapter))
			if got := typesOf(all); got != tt.types {
				t.Errorf("events %s\nwant   %s", got, tt.types)
			}
			resp := terminal(t, all)
			code := ""
			if resp.Error != nil {
				code = resp.Error.Code
			}
			if resp.Status != tt.status || code != tt.code || resp.OutputText() != tt.text || len(resp.Output) != tt.items {
				t.Errorf("response %+v, error %+v", resp, resp.Error)
			}
			if !strings.HasPrefix(resp.ID, "resp_") || resp.Model != "m" {
				t.Errorf("ID %q, model %q", resp.ID, resp.Model)
			}
		})
	}
}

func TestHandlerStreamErrorFirst(t *testing.T) {
	fails := func(context.Context, or.Request, or.EventSink) error {
		return or.TooManyRequests("slow", "wait").WithHeader("Retry-After", "3")
	}
	rec := streaming(fails)
	if p := payloadOf(t, rec); rec.Code != 429 || p.Code != "slow" || rec.Header().Get("Retry-After") != "3" {
		t.Errorf("got %d %v %+v", rec.Code, rec.Header(), p)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rec = httptest.NewRecorder()
	req := httptest.NewRequest("POST", "/responses", strings.NewReader(helloStream)).WithContext(ctx)
	or.NewHandler(fakeAdapter{stream: fails}).ServeHTTP(rec, req)
	if rec.Body.Len() > 0 {
		t.Errorf("to a client that has gone: %s", rec.Body)
	}
}

func TestHandlerStreamSinkRefuses(t *testing.T) {
	var kept or.EventSink
	rec := streaming(func(_ context.Context, req or.Request, sink or.EventSink) error {
		kept = sink
		if err := sink.Send(nil); err == nil {
			t.Error("nil was taken for an event")
		}
		if err := sink.Send(&or.ResponseCreatedEvent{Response: &or.Response{Extra: map[string]any{"f": func() {}}}}); err == nil {
			t.Error("what can't be encoded was sent")
		}
		if err := or.NewEmitter(sink, or.NewResponse(req)).Complete(); err != nil {
			t.Error(err)
		}
		if err := sink.Send(&or.OutputTextDeltaEvent{}); !errors.Is(err, or.ErrTerminalEventSent) {
			t.Errorf("after the terminal event: %v", err)
		}
		return nil
	})
	if got := strings.Count(rec.Body.String(), "event: "); got != 3 {
		t.Errorf("%d events in\n%s", got, rec.Body)
	}
	// The number of the event that was not encoded is used up.
	if !strings.Contains(rec.Body.String(), `"sequence_number":1`) || strings.Contains(rec.Body.String(), `"sequence_number":0`) {
		t.Errorf("numbers in\n%s", rec.Body)
	}
	size := rec.Body.Len()
	if err := kept.Send(&or.OutputTextDeltaEvent{}); err == nil || rec.Body.Len() != size {
		t.Errorf("an event after the adapter returned: %v", err)
	}

	rec = streaming(func(_ context.Context, req or.Request, sink or.EventSink) error {
		kept = sink
		return or.ServerError("c", "m")
	})
	size = rec.Body.Len()
	if err := kept.Send(&or.OutputTextDeltaEvent{}); err == nil || rec.Body.Len() != size {
		t.Errorf("an event after the adapter failed: %v", err)
	}
}

func TestHandlerStreamManySenders(t *testing.T) {
	expectNoLeaks(t)
	const senders, each = 8, 25
	all := events(t, streaming(func(_ context.Context, req or.Request, sink or.EventSink) error {
		var wg sync.WaitGroup
		for range senders {
			wg.Go(func() {
				for range each {
					if err := sink.Send(&or.OutputTextDeltaEvent{Delta: "x"}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		return nil
	}))
	if len(all) != senders*each+1 {
		t.Errorf("%d events", len(all))
	}
}

// brokenWriter fails after some writes, as a connection does whose peer is gone.
type brokenWriter struct {
	*httptest.ResponseRecorder
	left int
}

func (w *brokenWriter) Write(p []byte) (int, error) {
	if w.left == 0 {
		return 0, io.ErrClosedPipe
	}
	w.left--
	return w.ResponseRecorder.Write(p)
}

func TestHandlerStreamWriteFails(t *testing.T) {
	expectNoLeaks(t)
	store := or.NewMemoryStore(1)
	w := &brokenWriter{httptest.NewRecorder(), 1}
	h := or.NewHandler(fakeAdapter{stream: func(ctx context.Context, req or.Request, sink or.EventSink) error {
		resp := or.NewResponse(req)
		resp.ID = "resp_1"
		e := or.NewEmitter(sink, resp)
		err := e.Start()
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("first failure: %v", err)
		}
		if again := sink.Send(&or.OutputTextDeltaEvent{}); again != err {
			t.Errorf("later: %v, want %v", again, err)
		}
		<-ctx.Done() // an adapter that waits for something hears of it
		return ctx.Err()
	}}, or.WithResponseStore(store))
	h.ServeHTTP(w, httptest.NewRequest("POST", "/responses", strings.NewReader(helloStream)))
	if body := w.Body.String(); strings.Count(body, "event: ") != 1 || strings.Contains(body, "[DONE]") {
		t.Errorf("written:\n%s", body)
	}
	if store.Len() != 0 {
		t.Error("a response without an end was saved")
	}
}

// plainWriter can't flush.
type plainWriter struct{ rec *httptest.ResponseRecorder }

func (w plainWriter) Header() http.Header         { return w.rec.Header() }
func (w plainWriter) Write(p []byte) (int, error) { return w.rec.Write(p) }
func (w plainWriter) WriteHeader(status int)      { w.rec.WriteHeader(status) }

func TestHandlerStreamWithoutFlush(t *testing.T) {
	rec := httptest.NewRecorder()
	req := httptest.NewRequest("POST", "/responses", strings.NewReader(helloStream))
	or.NewHandler(saying("x")).ServeHTTP(plainWriter{rec}, req)
	if resp := terminal(t, events(t, rec)); resp.OutputText() != "x" {
		t.Errorf("text %q", resp.OutputText())
	}
}

func TestHandlerStreamClientGone(t *testing.T) {
	expectNoLeaks(t)
	left := make(chan error)
	h := or.NewHandler(fakeAdapter{stream: func(ctx context.Context, req or.Request, sink or.EventSink) error {
		or.NewEmitter(sink, or.NewResponse(req)).Start()
		<-ctx.Done()
		left <- ctx.Err()
		return ctx.Err()
	}})
	stream, err := or.NewClient(serve(t, h).URL).CreateStream(t.Context(), userRequest("x"))
	if err != nil {
		t.Fatal(err)
	}
	stream.Next()
	stream.Close()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the adapter saw %v", err)
	}
}
