package main

import (
	"bytes"
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

func TestLogged(t *testing.T) {
	var out bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&out)
	h := logged(handler(time.Hour))
	for body, want := range map[string]string{
		`{"model":"m","input":"hi","stream":true}`: "POST /v1/responses 200",
		`{}`: "POST /v1/responses 400",
	} {
		out.Reset()
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/v1/responses", strings.NewReader(body)))
		if !strings.Contains(out.String(), want) {
			t.Errorf("logged %q, want %q in it", &out, want)
		}
		if strings.Contains(body, "stream") && !rec.Flushed {
			t.Error("the stream was not flushed")
		}
	}
}

func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := serve(ctx, "127.0.0.1:0", time.Hour); err != nil {
		t.Errorf("stopped: %v", err)
	}
	if err := serve(t.Context(), "127.0.0.1:-1", time.Hour); err == nil {
		t.Error("no error for a bad address")
	}
}

func TestWebSocket(t *testing.T) {
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard)
	server := httptest.NewServer(logged(handler(time.Hour)))
	defer server.Close()
	conn, err := websocket.Dial(t.Context(), openresponses.NewClient(server.URL+"/v1",
		openresponses.WithHeader("Origin", "https://elsewhere.test")))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	req := openresponses.Request{Model: "m", Input: openresponses.Items{openresponses.UserText("hi")}}
	if resp, err := conn.Turn(t.Context(), req); err != nil || resp.OutputText() != "hi" {
		t.Errorf("got %+v, %v", resp, err)
	}
}
