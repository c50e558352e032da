package websocket_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/streamtest"
	"github.com/ChristopherDavenport/openresponses/websocket"
	ws "github.com/coder/websocket"
)

func TestFrames(t *testing.T) {
	const answered = "created in_progress output_item.added content_part.added output_text.delta output_text.done content_part.done output_item.done completed"
	for _, c := range []struct {
		name, frame, want, param string
		status                   float64
	}{
		{name: "a request", frame: `{"type":"response.create","model":"m","input":"hi"}`, want: answered},
		{name: "members that say nothing", frame: `{"type":"response.create","model":"m","input":"hi","stream":null,"stream_options":null,"background":null}`, want: answered},
		{name: "not JSON", frame: `{`, want: "error invalid_json", status: 400},
		{name: "no object", frame: `[]`, want: "error invalid_json", status: 400},
		{name: "no type", frame: `{"model":"m"}`, want: "error invalid_value", param: "type", status: 400},
		{name: "a type that is no string", frame: `{"type":1}`, want: "error invalid_value", param: "type", status: 400},
		{name: "another type", frame: `{"type":"response.cancel"}`, want: "error invalid_value", param: "type", status: 400},
		{name: "the type first", frame: `{"type":"x","stream":true}`, want: "error invalid_value", param: "type", status: 400},
		{name: "stream", frame: `{"type":"response.create","background":true,"stream":false}`, want: "error unsupported_parameter", param: "stream", status: 400},
		{name: "stream_options", frame: `{"type":"response.create","background":true,"stream_options":{}}`, want: "error unsupported_parameter", param: "stream_options", status: 400},
		{name: "background", frame: `{"type":"response.create","background":false}`, want: "error unsupported_parameter", param: "background", status: 400},
		{name: "no request", frame: `{"type":"response.create","model":1}`, want: "error invalid_json", status: 400},
		{name: "not valid", frame: `{"type":"response.create"}`, want: "error missing_required_parameter", param: "model", status: 400},
		{name: "a message without a type", frame: `{"type":"response.create","model":"m","input":[{"role":"user","content":"hi"}]}`, want: answered},
	} {
		bubble(t, c.name, func(t *testing.T) {
			conn := start(t, websocket.Handler(or.NewHandler(transcript))).raw()
			send(t, conn, c.frame)
			if c.status != 0 {
				frame := receive(t, conn)
				failure, _ := frame["error"].(map[string]any)
				if param, _ := failure["param"].(string); "error "+failure["code"].(string) != c.want || param != c.param || frame["status"] != c.status {
					t.Errorf("got %v", frame)
				}
				if _, ok := frame["sequence_number"]; ok {
					t.Errorf("%v has a number", frame)
				}
			} else if got := receiveTurn(t, conn); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			send(t, conn, `{"type":"response.create","model":"m","input":"again"}`)
			if got := receiveTurn(t, conn); got != answered {
				t.Errorf("the connection isn't usable afterwards: %s", got)
			}
		})
	}
	bubble(t, "a frame that is not text", func(t *testing.T) {
		conn := start(t, websocket.Handler(or.NewHandler(transcript))).raw()
		if err := conn.Write(t.Context(), ws.MessageBinary, []byte(`{"type":"response.create","model":"m"}`)); err != nil {
			t.Fatal(err)
		}
		if got := receiveTurn(t, conn); got != "error invalid_message" {
			t.Error(got)
		}
	})
	bubble(t, "the type is no member of the request", func(t *testing.T) {
		extra := make(chan map[string]any, 1)
		conn := start(t, websocket.Handler(or.NewHandler(streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
			extra <- req.Extra
			return say(req, sink)
		})))).raw()
		send(t, conn, `{"type":"response.create","model":"m","generate":false}`)
		receiveTurn(t, conn)
		if got := <-extra; len(got) != 1 || got["generate"] != false {
			t.Errorf("extra members %v", got)
		}
	})
}

func TestContinuation(t *testing.T) {
	bubble(t, "on the same connection", func(t *testing.T) {
		c := start(t, websocket.Handler(or.NewHandler(transcript))).dial()
		first := mustTurn(t, c, unstored(user("a")), "a")
		second := mustTurn(t, c, unstored(after(first.ID, "b")), "a|a|b")
		if p := second.PreviousResponseID; p == nil || *p != first.ID {
			t.Errorf("the response continues %v", p)
		}
		mustTurn(t, c, unstored(after(second.ID, "c")), "a|a|b|a|a|b|c")
		mustTurn(t, c, unstored(after(first.ID, "d")), "a|a|d")
	})
	bubble(t, "on a new connection", func(t *testing.T) {
		store := or.NewMemoryStore(8)
		n := start(t, websocket.Handler(or.NewHandler(transcript, or.WithResponseStore(store))))
		stored := mustTurn(t, n.dial(), user("a"), "a")
		hidden := mustTurn(t, n.dial(), unstored(user("a")), "a")
		c := n.dial()
		mustTurn(t, c, after(stored.ID, "b"), "a|a|b")
		_, err := c.Turn(t.Context(), after(hidden.ID, "b"))
		wantCode(t, err, or.CodePreviousResponseNotFound)
		if e := or.AsError(err); e.StatusCode != http.StatusNotFound {
			t.Errorf("status %d", e.StatusCode)
		}
		mustTurn(t, c, after(stored.ID, "c"), "a|a|c")
	})
	bubble(t, "an ID that is for the adapter", func(t *testing.T) {
		c := start(t, websocket.Handler(or.NewHandler(transcript))).dial()
		resp := mustTurn(t, c, after("resp_x", "a"), "a|after resp_x")
		if p := resp.PreviousResponseID; p == nil || *p != "resp_x" {
			t.Errorf("the response continues %v", p)
		}
		_, err := c.Turn(t.Context(), unstored(after("resp_x", "a")))
		wantCode(t, err, or.CodePreviousResponseNotFound)
	})
	bubble(t, "the cache forgets the oldest", func(t *testing.T) {
		c := start(t, websocket.Handler(or.NewHandler(transcript), websocket.WithCacheSize(1))).dial()
		first := mustTurn(t, c, unstored(user("a")), "a")
		second := mustTurn(t, c, unstored(user("b")), "b")
		_, err := c.Turn(t.Context(), unstored(after(first.ID, "c")))
		wantCode(t, err, or.CodePreviousResponseNotFound)
		mustTurn(t, c, unstored(after(second.ID, "c")), "b|b|c")
	})
	bubble(t, "after a compaction", func(t *testing.T) {
		c := start(t, websocket.Handler(or.NewHandler(transcript))).dial()
		compacted := or.Request{Model: "m", Input: or.Items{&or.Compaction{EncryptedContent: "x"}, or.UserText("a")}}
		first := mustTurn(t, c, unstored(compacted), "(compaction)|a")
		second := mustTurn(t, c, unstored(after(first.ID, "b")), "(compaction)|a|(compaction)|a|b")
		// The output of a call that the compaction stands for.
		req := or.Request{Model: "m", PreviousResponseID: second.ID, Input: or.Items{or.NewFunctionCallOutput("call", "out")}}
		if resp, err := c.Turn(t.Context(), unstored(req)); err != nil || !strings.HasSuffix(resp.OutputText(), "|out") {
			t.Errorf("%v, %v", resp, err)
		}
	})
	bubble(t, "saved before the next turn starts", func(t *testing.T) {
		conn := start(t, websocket.Handler(or.NewHandler(streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
			e := or.NewEmitter(sink, &or.Response{ID: "resp_" + or.Items(req.Input)[len(req.Input)-1].(*or.Message).Text()})
			return e.Complete()
		})))).raw()
		send(t, conn, `{"type":"response.create","model":"m","input":"1","store":false}`)
		send(t, conn, `{"type":"response.create","model":"m","input":"2","store":false,"previous_response_id":"resp_1"}`)
		for range 2 {
			if got := receiveTurn(t, conn); got != "created in_progress completed" {
				t.Error(got)
			}
		}
	})
}

// Each case is a turn that fails in its way after a good one; whether the good one can still be continued follows.
func TestEviction(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		name    string
		adapter streamer
		input   or.Item
		code    string
		status  or.ResponseStatus
		keeps   bool
	}{
		{name: "the adapter fails", code: "internal_error", adapter: func(context.Context, or.Request, or.EventSink) error {
			return broken
		}},
		{name: "the adapter fails late", code: "internal_error", adapter: func(_ context.Context, req or.Request, sink or.EventSink) error {
			if err := or.NewEmitter(sink, or.NewResponse(req)).Start(); err != nil {
				return err
			}
			return broken
		}},
		{name: "the adapter panics", code: "internal_error", adapter: func(context.Context, or.Request, or.EventSink) error {
			panic(broken)
		}},
		{name: "the response failed", status: or.ResponseStatusFailed, adapter: func(_ context.Context, req or.Request, sink or.EventSink) error {
			resp := or.NewResponse(req)
			resp.ID = "resp_failed"
			resp.Fail(broken)
			return sink.Send(&or.ResponseFailedEvent{Response: resp})
		}},
		{name: "the input doesn't fit", code: or.CodeInvalidValue, input: or.NewFunctionCallOutput("nowhere", "x")},
		{name: "the response is incomplete", status: or.ResponseStatusIncomplete, keeps: true, adapter: func(_ context.Context, req or.Request, sink or.EventSink) error {
			return or.NewEmitter(sink, or.NewResponse(req)).Incomplete(or.IncompleteReasonMaxOutputTokens)
		}},
		{name: "the request isn't valid", code: or.CodeMissingRequiredParameter, input: &or.ItemReference{}, keeps: true},
	} {
		bubble(t, c.name, func(t *testing.T) {
			defer log.SetOutput(log.Writer())
			log.SetOutput(io.Discard)
			turns := 0
			conn := start(t, websocket.Handler(or.NewHandler(streamer(func(ctx context.Context, req or.Request, sink or.EventSink) error {
				if turns++; turns == 2 && c.adapter != nil {
					return c.adapter(ctx, req, sink)
				}
				return transcript(ctx, req, sink)
			})))).dial()
			good := mustTurn(t, conn, unstored(user("a")), "a")
			req := unstored(after(good.ID, "b"))
			if c.input != nil {
				req.Input = or.Items{c.input}
			}
			resp, err := conn.Turn(t.Context(), req)
			if c.code != "" {
				wantCode(t, err, c.code)
			} else if err != nil || resp.Status != c.status {
				t.Errorf("got %+v, %v", resp, err)
			}
			if c.keeps {
				mustTurn(t, conn, unstored(after(good.ID, "c")), "a|a|c")
				return
			}
			_, err = conn.Turn(t.Context(), unstored(after(good.ID, "c")))
			wantCode(t, err, or.CodePreviousResponseNotFound)
			if c.status == or.ResponseStatusFailed {
				_, err = conn.Turn(t.Context(), unstored(after("resp_failed", "c")))
				wantCode(t, err, or.CodePreviousResponseNotFound)
			}
		})
	}
}

func TestEndOfTurn(t *testing.T) {
	payload := or.ErrorPayload{Type: or.ErrorTypeModelError, Code: "bad", Message: "bad"}
	for _, c := range []struct {
		name    string
		adapter streamer
		want    string
	}{
		{"nothing sent", func(context.Context, or.Request, or.EventSink) error { return nil }, "completed"},
		{"no terminal event", func(_ context.Context, req or.Request, sink or.EventSink) error {
			return or.NewEmitter(sink, or.NewResponse(req)).Start()
		}, "created in_progress completed"},
		{"an error", func(context.Context, or.Request, or.EventSink) error {
			return or.ModelError("bad", "bad")
		}, "error bad"},
		{"an error after the terminal event", func(_ context.Context, req or.Request, sink or.EventSink) error {
			return errors.Join(say(req, sink), or.ModelError("bad", "bad"))
		}, "created in_progress output_item.added output_item.done completed"},
		{"a terminal response without its output", func(_ context.Context, _ or.Request, sink or.EventSink) error {
			ev, err := or.DecodeEvent([]byte(`{"type":"response.completed","response":{"id":"r","status":"completed"}}`))
			if err != nil {
				return err
			}
			return sink.Send(ev)
		}, "completed"},
		{"an event after the terminal one", func(_ context.Context, req or.Request, sink or.EventSink) error {
			if err := or.NewEmitter(sink, or.NewResponse(req)).Complete(); err != nil {
				return err
			}
			if err := sink.Send(&or.ErrorEvent{Error: payload}); !errors.Is(err, or.ErrTerminalEventSent) {
				t.Errorf("Send after the end: %v", err)
			}
			return nil
		}, "created in_progress completed"},
		{"a nil event", func(_ context.Context, req or.Request, sink or.EventSink) error {
			if sink.Send(nil) == nil {
				t.Error("no error for a nil event")
			}
			return say(req, sink)
		}, "created in_progress output_item.added output_item.done completed"},
	} {
		bubble(t, c.name, func(t *testing.T) {
			conn := start(t, websocket.Handler(or.NewHandler(c.adapter))).raw()
			for range 2 {
				send(t, conn, `{"type":"response.create","model":"m"}`)
				if got := receiveTurn(t, conn); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			}
		})
	}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"an error event alone", nil, "response.failed"},
		{"an error event that is returned too", or.ModelError("bad", "bad"), ""},
	} {
		bubble(t, c.name, func(t *testing.T) {
			conn := start(t, websocket.Handler(or.NewHandler(streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
				if err := sink.Send(&or.ErrorEvent{Error: payload}); err != nil {
					return err
				}
				return c.err
			})))).raw()
			send(t, conn, `{"type":"response.create","model":"m"}`)
			send(t, conn, `{"type":"x"}`)
			if got := receiveTurn(t, conn); got != "error bad" {
				t.Error(got)
			}
			if c.want != "" {
				if got := receive(t, conn); got["type"] != c.want {
					t.Errorf("then came %v", got)
				}
			}
			if got := receiveTurn(t, conn); got != "error invalid_value" {
				t.Errorf("the next frame was answered by %s", got)
			}
		})
	}
	bubble(t, "an adapter that goes on after it returned", func(t *testing.T) {
		late := make(chan or.EventSink, 1)
		conn := start(t, websocket.Handler(or.NewHandler(streamer(func(_ context.Context, _ or.Request, sink or.EventSink) error {
			late <- sink
			return or.ModelError("bad", "bad")
		})))).raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		receiveTurn(t, conn)
		synctest.Wait()
		if err := (<-late).Send(&or.ErrorEvent{}); !errors.Is(err, or.ErrStreamClosed) {
			t.Errorf("Send: %v", err)
		}
	})
	bubble(t, "an adapter that aborts", func(t *testing.T) {
		conn := start(t, websocket.Handler(or.NewHandler(streamer(func(context.Context, or.Request, or.EventSink) error {
			panic(http.ErrAbortHandler)
		})))).dial()
		if resp, err := conn.Turn(t.Context(), user("a")); err == nil {
			t.Errorf("got %v", resp)
		}
	})
}

type badStore struct{ *or.MemoryStore }

func (badStore) Save(context.Context, string, or.Items) error { return errors.New("full") }

func TestStoreFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := or.NewHandler(transcript, or.WithResponseStore(badStore{or.NewMemoryStore(1)}))
		conn := start(t, websocket.Handler(h)).raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		if got := receiveTurn(t, conn); !strings.HasSuffix(got, "completed") {
			t.Error(got)
		}
		if got := receiveTurn(t, conn); got != "error internal_error" {
			t.Error(got)
		}
	})
}

// waiting is an adapter that waits for its context to end, and reports that.
func waiting(ended chan<- error) streamer {
	return func(ctx context.Context, req or.Request, sink or.EventSink) error {
		if err := or.NewEmitter(sink, or.NewResponse(req)).Start(); err != nil {
			return err
		}
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	}
}

func TestEndOfConnection(t *testing.T) {
	bubble(t, "the lifetime", func(t *testing.T) {
		conn := start(t, websocket.Handler(or.NewHandler(transcript), websocket.WithKeepalive(0))).raw()
		began := time.Now()
		frame := receive(t, conn)
		if frame["type"] != "error" || frame["status"] != 408.0 || frame["error"].(map[string]any)["code"] != or.CodeWebSocketConnectionLimitReached {
			t.Errorf("got %v", frame)
		}
		if lasted := time.Since(began); lasted != time.Hour {
			t.Errorf("it lasted %v", lasted)
		}
		if _, _, err := conn.Read(t.Context()); ws.CloseStatus(err) != ws.StatusNormalClosure {
			t.Errorf("closed with %v", err)
		}
	})
	bubble(t, "the lifetime, during a turn", func(t *testing.T) {
		ended := make(chan error, 1)
		conn := start(t, websocket.Handler(or.NewHandler(waiting(ended)), websocket.WithLifetime(time.Minute))).raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		if got := receiveTurn(t, conn); got != "created in_progress error "+or.CodeWebSocketConnectionLimitReached {
			t.Error(got)
		}
		if _, _, err := conn.Read(t.Context()); ws.CloseStatus(err) != ws.StatusNormalClosure {
			t.Errorf("closed with %v", err)
		}
		if <-ended == nil {
			t.Error("the turn was not cancelled")
		}
	})
	bubble(t, "the lifetime, of an adapter that is deaf", func(t *testing.T) {
		release := make(chan struct{})
		conn := start(t, websocket.Handler(or.NewHandler(streamer(func(context.Context, or.Request, or.EventSink) error {
			<-release
			return nil
		})), websocket.WithLifetime(time.Minute))).raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		if got := receiveTurn(t, conn); got != "error "+or.CodeWebSocketConnectionLimitReached {
			t.Error(got)
		}
		if _, _, err := conn.Read(t.Context()); ws.CloseStatus(err) != ws.StatusNormalClosure {
			t.Errorf("closed with %v", err)
		}
		close(release)
	})
	bubble(t, "the server's context", func(t *testing.T) {
		ended := make(chan error, 1)
		n := start(t, websocket.Handler(or.NewHandler(waiting(ended))))
		conn := n.raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		receive(t, conn)
		receive(t, conn)
		n.cancel()
		if _, _, err := conn.Read(t.Context()); ws.CloseStatus(err) != ws.StatusGoingAway {
			t.Errorf("closed with %v", err)
		}
		<-ended
	})
	bubble(t, "the client closes", func(t *testing.T) {
		ended := make(chan error, 1)
		conn := start(t, websocket.Handler(or.NewHandler(waiting(ended)))).raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		receive(t, conn)
		receive(t, conn)
		if err := conn.Close(ws.StatusNormalClosure, ""); err != nil {
			t.Error(err)
		}
		<-ended
	})
	bubble(t, "the client vanishes", func(t *testing.T) {
		ended := make(chan error, 1)
		conn := start(t, websocket.Handler(or.NewHandler(waiting(ended)))).raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		receive(t, conn)
		receive(t, conn)
		conn.CloseNow()
		<-ended
	})
	bubble(t, "the client vanishes in a stream", func(t *testing.T) {
		ended := make(chan error, 1)
		conn := start(t, websocket.Handler(or.NewHandler(streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
			for {
				if err := say(req, or.EventSinkFunc(func(ev or.StreamEvent) error {
					if _, terminal := or.TerminalResponse(ev); terminal {
						return nil
					}
					return sink.Send(ev)
				}), "x"); err != nil {
					ended <- err
					return err
				}
			}
		})))).raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		receive(t, conn)
		conn.CloseNow()
		<-ended
	})
	bubble(t, "a frame over the limit", func(t *testing.T) {
		h := or.NewHandler(transcript, or.WithMaxBodyBytes(100))
		conn := start(t, websocket.Handler(h)).raw()
		go conn.Write(t.Context(), ws.MessageText, []byte(strings.Repeat(" ", 200)))
		if _, _, err := conn.Read(t.Context()); ws.CloseStatus(err) != ws.StatusMessageTooBig {
			t.Errorf("closed with %v", err)
		}
	})
}

func TestKeepalive(t *testing.T) {
	bubble(t, "a client that answers", func(t *testing.T) {
		c := start(t, websocket.Handler(or.NewHandler(transcript))).dial()
		time.Sleep(10 * time.Minute)
		mustTurn(t, c, user("a"), "a")
	})
	bubble(t, "a client that doesn't", func(t *testing.T) {
		ended := make(chan error, 1)
		conn := start(t, websocket.Handler(or.NewHandler(waiting(ended)))).raw()
		send(t, conn, `{"type":"response.create","model":"m"}`)
		receive(t, conn)
		receive(t, conn)
		began := time.Now()
		<-ended
		if waited := time.Since(began); waited > time.Minute {
			t.Errorf("it took %v", waited)
		}
	})
	bubble(t, "frames that wait their turn, more than are kept", func(t *testing.T) {
		conn := start(t, websocket.Handler(or.NewHandler(streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
			time.Sleep(5 * time.Minute)
			return say(req, sink)
		}), or.WithMaxBodyBytes(50)))).raw()
		go func() {
			for range 4 {
				if conn.Write(context.Background(), ws.MessageText, []byte(`{"type":"response.create","model":"m"}`)) != nil {
					return
				}
			}
		}()
		for range 4 {
			if got := receiveTurn(t, conn); !strings.HasSuffix(got, "completed") {
				t.Error(got)
			}
		}
	})
}

func TestHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := start(t, websocket.Handler(or.NewHandler(transcript), websocket.WithOrigins("*.example.test")))
		for origin, want := range map[string]int{
			"":                          http.StatusSwitchingProtocols,
			"http://memory":             http.StatusSwitchingProtocols,
			"https://app.example.test":  http.StatusSwitchingProtocols,
			"https://other.test":        http.StatusForbidden,
			"https://example.test.evil": http.StatusForbidden,
		} {
			header := http.Header{}
			if origin != "" {
				header.Set("Origin", origin)
			}
			conn, res, _ := ws.Dial(t.Context(), "ws://memory/v1/responses", &ws.DialOptions{HTTPClient: n.http, HTTPHeader: header})
			if res == nil || res.StatusCode != want {
				t.Errorf("origin %q: got %v, want %d", origin, res, want)
			}
			if conn != nil {
				conn.CloseNow()
			}
		}
		for _, c := range []struct {
			method, path, upgrade string
			want                  int
		}{
			{http.MethodPost, "/v1/responses", "", http.StatusOK},
			{http.MethodGet, "/v1/responses", "", http.StatusMethodNotAllowed},
			{http.MethodGet, "/v1/other", "websocket", http.StatusNotFound},
			{http.MethodPost, "/v1/responses", "websocket", http.StatusOK},
			{http.MethodGet, "/v1/responses/", "WebSocket", http.StatusUpgradeRequired}, // without the rest of a handshake
		} {
			req, err := http.NewRequestWithContext(t.Context(), c.method, "http://memory"+c.path, strings.NewReader(`{"model":"m","input":"a"}`))
			if err != nil {
				t.Fatal(err)
			}
			if c.upgrade != "" {
				req.Header.Set("Upgrade", c.upgrade)
			}
			res, err := n.http.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != c.want {
				t.Errorf("%v: status %d", c, res.StatusCode)
			}
		}
	})
}

// The events that come over a connection keep to the protocol.
func TestStreamIsValid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := start(t, websocket.Handler(or.NewHandler(transcript))).dial()
		for range 2 {
			if err := c.Send(t.Context(), user("a")); err != nil {
				t.Fatal(err)
			}
			var events []or.StreamEvent
			for terminal := false; !terminal; {
				ev, err := c.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				events = append(events, ev)
				_, terminal = or.TerminalResponse(ev)
			}
			if err := streamtest.Validate(events); err != nil {
				t.Error(err)
			}
		}
	})
}
