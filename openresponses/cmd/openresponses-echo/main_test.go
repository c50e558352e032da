package main

import (
	"bytes"
	"context"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

func TestLogged(t *testing.T) {
	var out bytes.Buffer
	defer log.SetOutput(log.Writer())
	log.SetOutput(&out)
	h := logged(openresponses.NewHandler(&echo.Adapter{}))
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
	if err := serve(ctx, "127.0.0.1:0"); err != nil {
		t.Errorf("stopped: %v", err)
	}
	if err := serve(t.Context(), "127.0.0.1:-1"); err == nil {
		t.Error("no error for a bad address")
	}
}
