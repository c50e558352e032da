package interop_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/ChristopherDavenport/agentturn/interop/server"
)

// TestSDKErrors checks what the official client tells of errors that come in place of an answer.
func TestSDKErrors(t *testing.T) {
	url := start(t)
	tests := []struct {
		name             string
		path             string
		params           responses.ResponseNewParams
		opts             []option.RequestOption
		status           int
		typ, code, param string
		messageHas       string
	}{
		{
			name: "no model", path: "/echo/v1", params: ask("", "hello"),
			status: 400, typ: "invalid_request", code: "missing_required_parameter", param: "model",
		},
		{
			name: "output without call", path: "/echo/v1", params: input("m1", outputOf("call_1", "x")),
			status: 400, typ: "invalid_request", code: "invalid_value", param: "input[0].call_id",
		},
		{
			name: "background", path: "/echo/v1", params: ask("m1", "hello"),
			opts:   []option.RequestOption{option.WithJSONSet("background", true)},
			status: 400, typ: "invalid_request", code: "unsupported_parameter", param: "background",
		},
		{
			name: "not JSON of a request", path: "/echo/v1", params: ask("m1", "hello"),
			opts:   []option.RequestOption{option.WithJSONSet("tools", 1)},
			status: 400, typ: "invalid_request", code: "invalid_json",
		},
		{
			name: "unknown previous response", path: "/echo/v1", params: ask("m1", "hello"),
			opts:   []option.RequestOption{option.WithJSONSet("previous_response_id", "resp_none")},
			status: 404, typ: "not_found", code: "previous_response_not_found", param: "previous_response_id",
			messageHas: "resp_none",
		},
		{
			name: "unknown path", path: "/echo/v1/threads", params: ask("m1", "hello"),
			opts:   []option.RequestOption{option.WithBaseURL(url + "/echo/v1/threads/"), option.WithMiddleware(elsewhere)},
			status: 404, typ: "not_found", code: "not_found",
		},
		{
			name: "body too large", path: "/echo/v1", params: ask("m1", strings.Repeat("a", server.MaxBodyBytes)),
			status: 413, typ: "invalid_request", code: "request_too_large",
		},
		{
			name: "status 401", path: "/scripted/v1", params: ask("401", "hello"),
			status: 401, typ: "invalid_request", code: "scripted", param: "model", messageHas: "as the script has it",
		},
		{
			name: "status 429", path: "/scripted/v1", params: ask("429", "hello"),
			status: 429, typ: "too_many_requests", code: "scripted", param: "model",
		},
		{
			name: "status 503", path: "/scripted/v1", params: ask("503", "hello"),
			status: 503, typ: "server_error", code: "scripted", param: "model",
		},
		{
			name: "plain error", path: "/scripted/v1", params: ask(server.FailsPlain, "hello"),
			status: 500, typ: "server_error", code: "internal_error", messageHas: "disk is full",
		},
	}
	for _, tt := range tests {
		client := newClient(t, url+tt.path)
		check := func(t *testing.T, err error) {
			var apiErr *openai.Error
			if !errors.As(err, &apiErr) {
				t.Fatalf("got %v, want an API error", err)
			}
			got := [...]any{apiErr.StatusCode, apiErr.Type, apiErr.Code, apiErr.Param}
			if want := [...]any{tt.status, tt.typ, tt.code, tt.param}; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if apiErr.Message == "" || !strings.Contains(apiErr.Message, tt.messageHas) {
				t.Errorf("the message is %q", apiErr.Message)
			}
		}
		t.Run(tt.name+"/whole", func(t *testing.T) {
			_, err := client.Responses.New(t.Context(), tt.params, tt.opts...)
			check(t, err)
		})
		t.Run(tt.name+"/streamed", func(t *testing.T) {
			stream := client.Responses.NewStreaming(t.Context(), tt.params, tt.opts...)
			defer stream.Close()
			if stream.Next() {
				t.Errorf("got event %s", stream.Current().RawJSON())
			}
			check(t, stream.Err())
		})
	}
}

// elsewhere sends a request to a path that a Handler doesn't serve.
func elsewhere(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	r.URL.Path = strings.TrimSuffix(r.URL.Path, "responses") + "runs"
	return next(r)
}

// TestSDKRetryAfter checks, on a clock of its own, that the official client waits as long as an error tells it to.
func TestSDKRetryAfter(t *testing.T) {
	for name, send := range map[string]func(*testing.T, openai.Client) string{
		"whole": func(t *testing.T, client openai.Client) string {
			resp, err := client.Responses.New(t.Context(), keyed(t, ask(server.RateLimited, "hello")))
			if err != nil {
				t.Fatal(err)
			}
			return resp.OutputText()
		},
		"streamed": func(t *testing.T, client openai.Client) string {
			return drain(t, client.Responses.NewStreaming(t.Context(), keyed(t, ask(server.RateLimited, "hello")))).text.String()
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler := server.Handler(server.NewScripted(), "http://none.invalid")
				client := newClient(t, "http://none.invalid/scripted/v1",
					option.WithMaxRetries(2), option.WithHTTPClient(&http.Client{Transport: inProcess{handler}}))
				begin := time.Now()
				if got := send(t, client); got != "attempt 2" {
					t.Errorf("got %q", got)
				}
				if waited := time.Since(begin); waited != server.RetryAfter*time.Second {
					t.Errorf("waited %v, was told to wait %d s", waited, server.RetryAfter)
				}
			})
		})
	}
}

// inProcess is a transport that calls a handler and no network, so that a test's own clock can go on.
type inProcess struct{ handler http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	p.handler.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// TestSDKErrorInStream checks that the official client reports what goes wrong half-way, and not as a good answer.
func TestSDKErrorInStream(t *testing.T) {
	client := newClient(t, start(t)+"/scripted/v1", option.WithMaxRetries(2))
	for model, want := range map[string]errorDigest{
		server.FailsLate: {"overloaded", "the model is overloaded"},
		server.Panics:    {"internal_error", "the adapter failed unexpectedly"},
	} {
		t.Run(model, func(t *testing.T) {
			got := drain(t, client.Responses.NewStreaming(t.Context(), ask(model, "go")))
			if got.err == nil || *got.err != want {
				t.Errorf("got error %+v, want %+v", got.err, want)
			}
			if text := got.text.String(); text != "Half a message" {
				t.Errorf("the text before it is %q", text)
			}
			if got.response != nil {
				t.Errorf("got a response, %s", got.response.RawJSON())
			}
		})
	}
}

// TestSDKAbort gives up on an answer. The adapter learns of it.
func TestSDKAbort(t *testing.T) {
	url := start(t)
	client := newClient(t, url+"/scripted/v1")
	t.Run("streamed, by context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		stream := client.Responses.NewStreaming(ctx, keyed(t, ask(server.Waits, "go")))
		defer stream.Close()
		awaitDelta(t, stream.Next, stream.Current)
		cancel()
		if stream.Next() {
			for stream.Next() { // what had arrived
			}
		}
		if err := stream.Err(); !errors.Is(err, context.Canceled) {
			t.Errorf("Err() = %v", err)
		}
		await(t, url, "cancelled")
	})
	t.Run("streamed, by close", func(t *testing.T) {
		stream := client.Responses.NewStreaming(t.Context(), keyed(t, ask(server.Waits, "go")))
		awaitDelta(t, stream.Next, stream.Current)
		stream.Close()
		await(t, url, "cancelled")
	})
	t.Run("whole", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		params := keyed(t, ask(server.Waits, "go"))
		result := make(chan error)
		go func() {
			_, err := client.Responses.New(ctx, params)
			result <- err
		}()
		await(t, url, "waiting")
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Errorf("New() = %v", err)
		}
		await(t, url, "cancelled")
	})
}

func awaitDelta(t *testing.T, next func() bool, current func() responses.ResponseStreamEventUnion) {
	t.Helper()
	for next() {
		if current().Type == "response.output_text.delta" {
			return
		}
	}
	t.Fatal("the stream ended before a delta")
}

// await returns once the test's request has come to a state: the adapter is waiting, or saw it cancelled.
func await(t *testing.T, url, state string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/"+state+"/"+strings.ReplaceAll(t.Name(), "/", "%2F"), nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("the request is not %s: %v", state, err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("status %s", res.Status)
	}
}
