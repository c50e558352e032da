package websocket_test

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/websocket"
	ws "github.com/coder/websocket"
)

// script is a server that does with a connection what the function says.
func script(f func(ctx context.Context, conn *ws.Conn)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := ws.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer conn.CloseNow()
		f(r.Context(), conn)
	})
}

// replies is a server that answers each frame with the next list of frames, and then waits.
func replies(answers ...[]string) http.Handler {
	return script(func(ctx context.Context, conn *ws.Conn) {
		for _, answer := range answers {
			if _, _, err := conn.Read(ctx); err != nil {
				return
			}
			for _, frame := range answer {
				if conn.Write(ctx, ws.MessageText, []byte(frame)) != nil {
					return
				}
			}
		}
		conn.Read(ctx)
	})
}

func TestDial(t *testing.T) {
	bubble(t, "the header", func(t *testing.T) {
		got := make(chan http.Header, 1)
		h := websocket.Handler(or.NewHandler(transcript))
		n := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got <- r.Header
			h.ServeHTTP(w, r)
		}))
		mustTurn(t, n.dial(or.WithAPIKey("secret"), or.WithHeader("X-Own", "1")), user("a"), "a")
		header := <-got
		if header.Get("Authorization") != "Bearer secret" || header.Get("X-Own") != "1" || header.Get("User-Agent") == "" {
			t.Errorf("got %v", header)
		}
	})
	bubble(t, "a refusal", func(t *testing.T) {
		n := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
			w.Write([]byte(`{"error":{"code":"slow","message":"slow down"}}`))
		}))
		_, err := websocket.Dial(t.Context(), n.client())
		var e *or.Error
		if !errors.As(err, &e) || e.Code != "slow" || e.StatusCode != http.StatusTooManyRequests || e.Headers.Get("Retry-After") != "7" {
			t.Errorf("got %v", err)
		}
	})
	bubble(t, "no handshake", func(t *testing.T) {
		n := start(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}))
		if _, err := websocket.Dial(t.Context(), n.client()); or.AsError(err).StatusCode != http.StatusOK {
			t.Errorf("got %v", err)
		}
	})
	bubble(t, "the context", func(t *testing.T) {
		n := start(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := websocket.Dial(ctx, n.client()); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
	for _, base := range []string{"ftp://host/v1", "://", "host"} {
		if _, err := websocket.Dial(t.Context(), or.NewClient(base)); err == nil || !strings.HasPrefix(err.Error(), "websocket: ") {
			t.Errorf("%s: %v", base, err)
		}
	}
	if _, err := websocket.Dial(t.Context(), nil); err == nil {
		t.Error("no error without a client")
	}
}

func TestSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		frames := make(chan string, 4)
		c := start(t, script(func(ctx context.Context, conn *ws.Conn) {
			for {
				_, data, err := conn.Read(ctx)
				if err != nil {
					return
				}
				frames <- string(data)
			}
		})).dial()
		req := or.Request{
			Model: "m", Stream: true, StreamOptions: &or.StreamOptions{IncludeObfuscation: true}, Background: true,
			Extra: map[string]any{"type": "x", "stream": true, "own": 1},
		}
		same := req
		same.Extra = map[string]any{"type": "x", "stream": true, "own": 1}
		for _, send := range []struct {
			req  or.Request
			want string
		}{
			{req, `{"type":"response.create","model":"m","own":1}`},
			{or.Request{}, `{"type":"response.create"}`},
		} {
			if err := c.Send(t.Context(), send.req); err != nil {
				t.Fatal(err)
			}
			if got := <-frames; got != send.want {
				t.Errorf("sent %s, want %s", got, send.want)
			}
		}
		if !reflect.DeepEqual(req, same) {
			t.Errorf("the request was changed: %+v", req)
		}
		if err := c.Send(t.Context(), or.Request{Extra: map[string]any{"f": func() {}}}); err == nil {
			t.Error("no error for a request that can't be encoded")
		}
		for range 2 {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := c.Send(t.Context(), req); err != or.ErrStreamClosed {
			t.Errorf("Send after Close: %v", err)
		}
		if _, err := c.Next(t.Context()); err != or.ErrStreamClosed {
			t.Errorf("Next after Close: %v", err)
		}
	})
}

func TestNext(t *testing.T) {
	bubble(t, "the end of a context takes no event", func(t *testing.T) {
		c := start(t, replies([]string{`{"type":"a"}`})).dial()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if err := c.Send(t.Context(), user("a")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := c.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if ev, err := c.Next(t.Context()); err != nil || ev.EventType() != "a" {
			t.Errorf("got %v, %v", ev, err)
		}
	})
	bubble(t, "an error frame", func(t *testing.T) {
		c := start(t, websocket.Handler(or.NewHandler(transcript))).dial()
		if err := c.Send(t.Context(), or.Request{}); err != nil {
			t.Fatal(err)
		}
		ev, err := c.Next(t.Context())
		if failure, ok := ev.(*or.ErrorEvent); !ok || failure.Status != http.StatusBadRequest || failure.Err().Param != "model" {
			t.Errorf("got %v, %v", ev, err)
		}
	})
	bubble(t, "a frame that is no event", func(t *testing.T) {
		c := start(t, replies([]string{`{`, ``, `{"type":"a"}`})).dial()
		if err := c.Send(t.Context(), user("a")); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if ev, err := c.Next(t.Context()); err == nil {
				t.Errorf("got %v", ev)
			}
		}
		if ev, err := c.Next(t.Context()); err != nil || ev.EventType() != "a" {
			t.Errorf("got %v, %v", ev, err)
		}
	})
	for _, c := range []struct {
		name  string
		serve func(context.Context, *ws.Conn)
		check func(error) bool
	}{
		{"a frame that is not text", func(ctx context.Context, conn *ws.Conn) {
			conn.Write(ctx, ws.MessageBinary, []byte(`{}`))
			conn.Read(ctx)
		}, func(err error) bool { return strings.Contains(err.Error(), "not text") }},
		{"a connection that breaks", func(context.Context, *ws.Conn) {}, func(error) bool { return true }},
		{"a server that closes", func(_ context.Context, conn *ws.Conn) {
			conn.Close(ws.StatusGoingAway, "bye")
		}, func(err error) bool { return ws.CloseStatus(err) == ws.StatusGoingAway }},
		{"a frame over the limit", func(ctx context.Context, conn *ws.Conn) {
			conn.Write(ctx, ws.MessageText, []byte(strings.Repeat(" ", 2000)))
			conn.Read(ctx)
		}, func(err error) bool {
			var tooLarge *or.FrameTooLargeError
			return errors.As(err, &tooLarge) && tooLarge.Limit == 1000
		}},
	} {
		bubble(t, c.name, func(t *testing.T) {
			conn := start(t, script(func(ctx context.Context, conn *ws.Conn) {
				conn.Write(ctx, ws.MessageText, []byte(`{"type":"a"}`))
				c.serve(ctx, conn)
			})).dial(or.WithMaxResponseBytes(1000))
			synctest.Wait()
			if ev, err := conn.Next(t.Context()); err != nil || ev.EventType() != "a" {
				t.Errorf("what came before: %v, %v", ev, err)
			}
			if _, err := conn.Next(t.Context()); err == nil || err == or.ErrStreamClosed || !c.check(err) {
				t.Errorf("first error %v", err)
			}
			for range 2 {
				if _, err := conn.Next(t.Context()); err != or.ErrStreamClosed {
					t.Errorf("then %v", err)
				}
			}
			if err := conn.Send(t.Context(), user("a")); err == nil {
				t.Error("Send to a broken connection succeeds")
			}
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	bubble(t, "more than is kept", func(t *testing.T) {
		const frames = 50
		conn := start(t, script(func(ctx context.Context, conn *ws.Conn) {
			for range frames {
				conn.Write(ctx, ws.MessageText, []byte(`{"type":"a"}`))
			}
			conn.Read(ctx)
		})).dial(or.WithMaxResponseBytes(100))
		synctest.Wait()
		for range frames {
			if _, err := conn.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	bubble(t, "closed while more than is kept waits", func(t *testing.T) {
		conn := start(t, script(func(ctx context.Context, conn *ws.Conn) {
			for conn.Write(ctx, ws.MessageText, []byte(`{"type":"a"}`)) == nil {
			}
		})).dial(or.WithMaxResponseBytes(100))
		synctest.Wait()
		conn.Close()
	})
	bubble(t, "closed meanwhile", func(t *testing.T) {
		conn := start(t, replies()).dial()
		go func() {
			time.Sleep(time.Second)
			conn.Close()
		}()
		if _, err := conn.Next(t.Context()); err != or.ErrStreamClosed {
			t.Errorf("got %v", err)
		}
	})
}

func TestTurn(t *testing.T) {
	const (
		created   = `{"type":"response.created","sequence_number":0,"response":{"id":"r1","status":"in_progress","output":[]}}`
		completed = `{"type":"response.completed","sequence_number":1,"response":{"id":"r1","status":"completed","output":[]}}`
		second    = `{"type":"response.completed","sequence_number":0,"response":{"id":"r2","status":"completed","output":[]}}`
		failed    = `{"type":"response.failed","sequence_number":2,"response":{"id":"r1","status":"failed","output":[]}}`
		failure   = `{"type":"error","sequence_number":1,"error":{"code":"bad","message":"bad"}}`
		refusal   = `{"type":"error","status":429,"error":{"code":"slow","message":"slow"}}`
	)
	for _, c := range []struct {
		name         string
		answer       []string
		id           string // of the response; "" for none
		status       or.ResponseStatus
		code         string // of the error
		errorStatus  int
		otherFailure bool
	}{
		{name: "a response", answer: []string{created, completed}, id: "r1", status: or.ResponseStatusCompleted},
		{name: "a response that failed", answer: []string{created, `{"type":"response.failed","response":{"id":"r1","status":"failed","error":{"code":"bad"}}}`}, id: "r1", status: or.ResponseStatusFailed},
		{name: "an error frame", answer: []string{refusal}, code: "slow", errorStatus: 429},
		{name: "an error frame in a stream", answer: []string{created, refusal}, id: "r1", code: "slow", errorStatus: 429},
		{name: "an error event and the end of its stream", answer: []string{created, failure, failed}, id: "r1", code: "bad"},
		{name: "a frame that is no event", answer: []string{created, `x`, completed}, id: "r1", otherFailure: true},
	} {
		bubble(t, c.name, func(t *testing.T) {
			conn := start(t, replies(c.answer, []string{second})).dial()
			resp, err := conn.Turn(t.Context(), user("a"))
			switch {
			case c.code != "":
				wantCode(t, err, c.code)
				if got := or.AsError(err).StatusCode; got != c.errorStatus {
					t.Errorf("status %d", got)
				}
			case c.otherFailure != (err != nil):
				t.Errorf("error %v", err)
			}
			switch {
			case c.id == "" && resp != nil || c.id != "" && (resp == nil || resp.ID != c.id):
				t.Errorf("response %+v", resp)
			case c.status != "" && resp.Status != c.status:
				t.Errorf("status %s", resp.Status)
			}
			if resp, err := conn.Turn(t.Context(), user("b")); err != nil || resp.ID != "r2" {
				t.Errorf("the next turn is %+v, %v", resp, err)
			}
		})
	}
	bubble(t, "after one that was given up", func(t *testing.T) {
		adapter := streamer(func(ctx context.Context, req or.Request, sink or.EventSink) error {
			time.Sleep(time.Minute)
			return transcript(ctx, req, sink)
		})
		conn := start(t, websocket.Handler(or.NewHandler(adapter))).dial()
		for _, text := range []string{"a", "b"} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if resp, err := conn.Turn(ctx, user(text)); !errors.Is(err, context.DeadlineExceeded) || resp != nil {
				t.Errorf("got %v, %v", resp, err)
			}
			cancel()
		}
		mustTurn(t, conn, user("c"), "c")
		mustTurn(t, conn, user("d"), "d")
	})
	bubble(t, "the connection breaks", func(t *testing.T) {
		conn := start(t, script(func(ctx context.Context, conn *ws.Conn) {
			conn.Read(ctx)
			conn.Write(ctx, ws.MessageText, []byte(created))
		})).dial()
		if resp, err := conn.Turn(t.Context(), user("a")); err == nil || resp == nil || resp.ID != "r1" {
			t.Errorf("got %+v, %v", resp, err)
		}
	})
}
