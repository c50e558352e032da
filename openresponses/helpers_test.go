package openresponses_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	or "github.com/ChristopherDavenport/openresponses"
)

// fakeAdapter is an adapter made of functions.
type fakeAdapter struct {
	create  func(context.Context, or.Request) (*or.Response, error)
	stream  func(context.Context, or.Request, or.EventSink) error
	compact func(context.Context, or.CompactRequest) (*or.CompactResponse, error)
}

func (a fakeAdapter) Create(ctx context.Context, req or.Request) (*or.Response, error) {
	return a.create(ctx, req)
}

func (a fakeAdapter) CreateStream(ctx context.Context, req or.Request, sink or.EventSink) error {
	return a.stream(ctx, req, sink)
}

func (a fakeAdapter) Compact(ctx context.Context, req or.CompactRequest) (*or.CompactResponse, error) {
	return a.compact(ctx, req)
}

// saying returns an adapter that answers each request with one message of the given deltas.
func saying(deltas ...string) fakeAdapter {
	var a fakeAdapter
	a.stream = func(_ context.Context, req or.Request, sink or.EventSink) error {
		e := or.NewEmitter(sink, or.NewResponse(req))
		w, err := e.Message(or.PhaseFinalAnswer)
		if err != nil {
			return err
		}
		for _, delta := range deltas {
			if err := w.Text(delta); err != nil {
				return err
			}
		}
		return e.Complete()
	}
	a.create = func(ctx context.Context, req or.Request) (*or.Response, error) {
		return or.CollectStream(ctx, a, req)
	}
	return a
}

// expectNoLeaks fails the test if code of this module still runs in a goroutine when the test and its other cleanups
// are over. Call it first.
func expectNoLeaks(t testing.TB) {
	t.Helper()
	before := ownGoroutines()
	t.Cleanup(func() {
		var left []string
		for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); runtime.Gosched() {
			left = slices.DeleteFunc(ownGoroutines(), func(g string) bool { return slices.Contains(before, g) })
			if len(left) == 0 {
				return
			}
		}
		t.Errorf("%d goroutines left:\n%s", len(left), strings.Join(left, "\n\n"))
	})
}

// ownGoroutines returns the stacks of the goroutines that run code of this module, but for the caller's.
func ownGoroutines() []string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	stacks := strings.Split(string(buf), "\n\n")[1:]
	return slices.DeleteFunc(stacks, func(g string) bool {
		return !strings.Contains(g, "ChristopherDavenport/openresponses") || strings.Contains(g, "testing.tRunner")
	})
}

// serve starts a server that ends with the test.
func serve(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return server
}

// post sends a body to a handler and returns the answer.
func post(h http.Handler, path, body string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
	return rec
}

// payloadOf returns the error of a JSON answer.
func payloadOf(t testing.TB, rec *httptest.ResponseRecorder) or.ErrorPayload {
	t.Helper()
	if ct := rec.Header().Get("Content-Type"); ct != "application/json" {
		t.Fatalf("content type %q, want JSON; body %s", ct, rec.Body)
	}
	var body struct{ Error or.ErrorPayload }
	if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil {
		t.Fatalf("%v in %s", err, rec.Body)
	}
	return body.Error
}

// events decodes an answer in Server-Sent Events, which must end with the end marker.
func events(t testing.TB, rec *httptest.ResponseRecorder) []or.StreamEvent {
	t.Helper()
	if ct := rec.Header().Get("Content-Type"); ct != "text/event-stream" {
		t.Fatalf("content type %q, want a stream; body %s", ct, rec.Body)
	}
	if !strings.HasSuffix(rec.Body.String(), "\n\ndata: [DONE]\n\n") {
		t.Errorf("the stream doesn't end with the end marker:\n%s", rec.Body)
	}
	stream := or.NewEventStream(t.Context(), io.NopCloser(strings.NewReader(rec.Body.String())))
	all := slices.Collect(stream.Events())
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	for i, ev := range all {
		if ev.Sequence() != int64(i) {
			t.Errorf("event %d (%s) has number %d", i, ev.EventType(), ev.Sequence())
		}
	}
	return all
}

func typesOf(events []or.StreamEvent) string {
	var types []string
	for _, ev := range events {
		types = append(types, strings.TrimPrefix(ev.EventType(), "response."))
	}
	return strings.Join(types, " ")
}

// terminal returns the response of the last event.
func terminal(t testing.TB, events []or.StreamEvent) *or.Response {
	t.Helper()
	if len(events) == 0 {
		t.Fatal("no events")
	}
	resp, ok := or.TerminalResponse(events[len(events)-1])
	if !ok {
		t.Fatalf("the stream ends with %s", events[len(events)-1].EventType())
	}
	return resp
}

// frame returns one event as it is on the wire.
func frame(t testing.TB, ev or.StreamEvent) string {
	t.Helper()
	data, err := or.EncodeEvent(ev)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("event: %s\ndata: %s\n\n", ev.EventType(), data)
}

func userRequest(text string) or.Request {
	return or.Request{Model: "m", Input: or.Items{or.UserText(text)}}
}
