package openresponses_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	or "github.com/ChristopherDavenport/openresponses"
)

// holding answers with two events, and then writes filler for as long as the client stays.
func holding(t testing.TB, filler string) http.HandlerFunc {
	first := frame(t, &or.ResponseCreatedEvent{Response: &or.Response{ID: "resp_1"}}) +
		frame(t, &or.ResponseInProgressEvent{SequenceNumber: 1, Response: &or.Response{ID: "resp_1"}})
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		control := http.NewResponseController(w)
		io.WriteString(w, first)
		for control.Flush() == nil && r.Context().Err() == nil {
			if filler == "" {
				<-r.Context().Done()
				return
			}
			io.WriteString(w, filler)
		}
	}
}

// A server that falls silent after two events, or sends nothing but comments, must not hold the client for ever.
func TestClientStreamSilentServer(t *testing.T) {
	for name, filler := range map[string]string{"silence": "", "comments": ": ping\n\n"} {
		t.Run(name, func(t *testing.T) {
			expectNoLeaks(t)
			const wait = 50 * time.Millisecond
			client := or.NewClient(serve(t, holding(t, filler)).URL, or.WithIdleTimeout(wait))
			stream, err := client.CreateStream(t.Context(), or.Request{Model: "slow-model"})
			if err != nil {
				t.Fatal(err)
			}
			defer stream.Close()
			events := 0
			for range stream.Events() {
				events++
			}
			var idle *or.IdleError
			if !errors.As(stream.Err(), &idle) || idle.Model != "slow-model" || idle.Wait != wait {
				t.Errorf("got %v", stream.Err())
			}
			if events != 2 {
				t.Errorf("%d events", events)
			}
		})
	}
}

func TestClientStreamEndsWithContext(t *testing.T) {
	for name, filler := range map[string]string{"silence": "", "comments": ": ping\n\n"} {
		t.Run(name, func(t *testing.T) {
			expectNoLeaks(t)
			ctx, cancel := context.WithCancel(t.Context())
			client := or.NewClient(serve(t, holding(t, filler)).URL, or.WithIdleTimeout(0))
			stream, err := client.CreateStream(ctx, or.Request{Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			defer stream.Close()
			stream.Next()
			stream.Next()
			time.AfterFunc(time.Millisecond, cancel)
			if stream.Next() || !errors.Is(stream.Err(), context.Canceled) {
				t.Errorf("got %v, %v", stream.Event(), stream.Err())
			}
		})
	}
}

// pipeTransport answers every request with a stream that the test writes to.
func pipeTransport() (http.RoundTripper, *io.PipeWriter) {
	r, w := io.Pipe()
	return roundTripper(func(*http.Request) (*http.Response, error) {
		header := http.Header{"Content-Type": {"text/event-stream"}}
		return &http.Response{StatusCode: 200, Header: header, Body: r}, nil
	}), w
}

func TestClientIdleTimeoutDefault(t *testing.T) {
	tests := map[string]struct {
		opts []or.ClientOption
		wait time.Duration // until an IdleError; 0 for none in a day
	}{
		"default": {nil, 10 * time.Minute},
		"set":     {[]or.ClientOption{or.WithIdleTimeout(time.Hour)}, time.Hour},
		"never":   {[]or.ClientOption{or.WithIdleTimeout(0)}, 0},
		"less":    {[]or.ClientOption{or.WithIdleTimeout(-1)}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport, w := pipeTransport()
				opts := append(tt.opts, or.WithHTTPClient(&http.Client{Transport: transport}))
				stream, err := or.NewClient("http://x", opts...).CreateStream(t.Context(), or.Request{Model: "m"})
				if err != nil {
					t.Fatal(err)
				}
				defer stream.Close()
				const day = 24 * time.Hour
				time.AfterFunc(day, func() { w.CloseWithError(io.ErrUnexpectedEOF) })
				start := time.Now()
				stream.Next()
				var idle *or.IdleError
				if errors.As(stream.Err(), &idle) != (tt.wait > 0) {
					t.Errorf("got %v", stream.Err())
				}
				if got := time.Since(start); tt.wait > 0 && got != tt.wait || tt.wait == 0 && got != day {
					t.Errorf("after %v", got)
				}
			})
		})
	}
}

func TestClientMaxFrameBytes(t *testing.T) {
	big := frame(t, &or.OutputTextDeltaEvent{Delta: strings.Repeat("x", 17<<20)}) + "data: [DONE]\n\n"
	server := serve(t, answering(200, "text/event-stream", big))
	for _, tt := range []struct {
		limit int64
		ok    bool
	}{{0, false}, {-1, false}, {100, false}, {18 << 20, true}} {
		client := or.NewClient(server.URL, or.WithMaxFrameBytes(tt.limit))
		stream, err := client.CreateStream(t.Context(), or.Request{Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		got := stream.Next()
		var tooLarge *or.FrameTooLargeError
		if got != tt.ok || !tt.ok && !errors.As(stream.Err(), &tooLarge) {
			t.Errorf("limit %d: %v, %v", tt.limit, got, stream.Err())
		}
		stream.Close()
	}
}

// A response is there when its JSON is, also if the server doesn't end the body.
func TestClientDoesNotWaitForRest(t *testing.T) {
	for name, status := range map[string]int{"response": 200, "error": 500} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				go func() {
					io.WriteString(w, minimalResponse)
					if status != 200 {
						w.Close()
					}
				}()
				transport := roundTripper(func(*http.Request) (*http.Response, error) {
					return &http.Response{StatusCode: status, Header: http.Header{}, Body: r}, nil
				})
				client := or.NewClient("http://x", or.WithHTTPClient(&http.Client{Transport: transport}))
				resp, err := client.Create(t.Context(), or.Request{Model: "m"})
				if (err == nil) != (status == 200) || err == nil && resp.ID != "resp_1" {
					t.Errorf("got %v, %v", resp, err)
				}
			})
		})
	}
}
