package openresponses_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
)

const minimalResponse = `{"id":"resp_1","object":"response","status":"completed","output":[]}`

// answering returns a handler that gives each request the same answer.
func answering(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// captured is a request as a server received it.
type captured struct {
	*http.Request
	body string
}

// recorder returns a handler that records requests before h answers them.
func recorder(h http.Handler) (http.Handler, *[]captured) {
	var all []captured
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		all = append(all, captured{r, string(body)})
		h.ServeHTTP(w, r)
	}), &all
}

func TestClientRequests(t *testing.T) {
	req := userRequest("hi")
	req.Stream = true
	calls := map[string]struct {
		call               func(*or.Client) error
		path, accept, body string
	}{
		"create": {
			call:   func(c *or.Client) error { _, err := c.Create(t.Context(), req); return err },
			path:   "/v1/responses",
			accept: "application/json",
			body:   `{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}]}`,
		},
		"stream": {
			call: func(c *or.Client) error {
				s, err := c.CreateStream(t.Context(), userRequest("hi"))
				if err != nil {
					return err
				}
				return s.Close()
			},
			path:   "/v1/responses",
			accept: "text/event-stream",
			body:   `{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}],"stream":true}`,
		},
		"compact": {
			call: func(c *or.Client) error {
				_, err := c.Compact(t.Context(), or.CompactRequest{Model: "m"})
				return err
			},
			path:   "/v1/responses/compact",
			accept: "application/json",
			body:   `{"model":"m"}`,
		},
	}
	for name, tt := range calls {
		t.Run(name, func(t *testing.T) {
			expectNoLeaks(t)
			h, requests := recorder(answering(200, "application/json", minimalResponse))
			client := or.NewClient(serve(t, h).URL+"/v1//", or.WithAPIKey("k"))
			if err := tt.call(client); err != nil {
				t.Fatal(err)
			}
			if len(*requests) != 1 {
				t.Fatalf("%d requests", len(*requests))
			}
			got := (*requests)[0]
			if got.Method != "POST" || got.URL.Path != tt.path || got.body != tt.body {
				t.Errorf("got %s %s %s\nwant POST %s %s", got.Method, got.URL.Path, got.body, tt.path, tt.body)
			}
			for field, want := range map[string]string{
				"Accept": tt.accept, "Content-Type": "application/json",
				"Authorization": "Bearer k", "User-Agent": "openresponses-go/2026-04-24",
			} {
				if v := got.Header.Get(field); v != want {
					t.Errorf("%s is %q, want %q", field, v, want)
				}
			}
		})
	}
}

func TestClientHeaders(t *testing.T) {
	tests := map[string]struct {
		opts []or.ClientOption
		want http.Header
	}{
		"defaults": {nil, http.Header{"User-Agent": {"openresponses-go/2026-04-24"}}},
		"own field, key and agent": {
			[]or.ClientOption{or.WithHeader("x-a", "1"), or.WithHeader("X-A", "2"), or.WithAPIKey("k"), or.WithUserAgent("me")},
			http.Header{"X-A": {"1", "2"}, "Authorization": {"Bearer k"}, "User-Agent": {"me"}},
		},
		"key and agent replace own fields": {
			[]or.ClientOption{or.WithAPIKey("k"), or.WithHeader("Authorization", "x"), or.WithHeader("User-Agent", "x")},
			http.Header{"Authorization": {"Bearer k"}, "User-Agent": {"openresponses-go/2026-04-24"}},
		},
		"other field for the key": {
			[]or.ClientOption{or.WithAuthHeader("api-key", ""), or.WithAPIKey("k"), or.WithUserAgent("")},
			http.Header{"Api-Key": {"k"}},
		},
		"no key": {
			[]or.ClientOption{or.WithAPIKey(""), or.WithHeader("Authorization", "Basic x"), or.WithUserAgent("")},
			http.Header{"Authorization": {"Basic x"}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			client := or.NewClient("http://x", tt.opts...)
			got := client.RequestHeaders()
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			got.Set("X-Mine", "1")
			if client.RequestHeaders().Get("X-Mine") != "" {
				t.Error("the map is the client's own")
			}
		})
	}
}

func TestClientAccessors(t *testing.T) {
	client := or.NewClient("http://x/v1/")
	if client.BaseURL() != "http://x/v1" || client.MaxResponseBytes() != 64<<20 {
		t.Errorf("base %q, limit %d", client.BaseURL(), client.MaxResponseBytes())
	}
	if hc := client.HTTPClient(); hc.Timeout != 0 || hc.Transport.(*http.Transport).ResponseHeaderTimeout == 0 {
		t.Errorf("unexpected limits of time: %+v", hc)
	}
	hc := &http.Client{}
	client = or.NewClient("http://x", or.WithHTTPClient(hc), or.WithMaxResponseBytes(5), or.WithAPIKey("secret-key"))
	if client.HTTPClient() != hc || client.MaxResponseBytes() != 5 {
		t.Error("options were not taken")
	}
	client = or.NewClient("http://x", or.WithHTTPClient(nil), or.WithMaxResponseBytes(-1))
	if client.HTTPClient() == nil || client.MaxResponseBytes() != 64<<20 {
		t.Error("nothing and a negative limit should stand for the defaults")
	}
}

func TestClientStatusErrors(t *testing.T) {
	tests := map[string]struct {
		status      int
		body        string
		typ         or.ErrorType
		code, param string
		message     string
		raw         string
	}{
		"payload": {
			400, `{"error":{"type":"invalid_request","code":"invalid_value","message":"no","param":"input"}}`,
			or.ErrorTypeInvalidRequest, "invalid_value", "input", "no", "",
		},
		"payload without type": {
			429, `{"error":{"message":"slow down"}}`,
			or.ErrorTypeTooManyRequests, "", "", "slow down", "",
		},
		"unprocessable": {422, `{"error":{"message":"m"}}`, or.ErrorTypeInvalidRequest, "", "", "m", ""},
		"text":          {404, " gone \n", or.ErrorTypeNotFound, "", "", "gone", " gone \n"},
		"blank":         {503, "", or.ErrorTypeServerError, "", "", "Service Unavailable", ""},
		"other JSON":    {500, `{"detail":"x"}`, or.ErrorTypeServerError, "", "", `{"detail":"x"}`, `{"detail":"x"}`},
		"not followed":  {304, "", or.ErrorTypeServerError, "", "", "Not Modified", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expectNoLeaks(t)
			server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After", "7")
				w.Header().Set("X-Other", "o")
				answering(tt.status, "application/json", tt.body)(w, r)
			}))
			client := or.NewClient(server.URL)
			for kind, call := range clientCalls(t.Context(), client) {
				err := call()
				var e *or.Error
				if !errors.As(err, &e) {
					t.Fatalf("%s: %v is no *Error", kind, err)
				}
				if e.StatusCode != tt.status || e.Type != tt.typ || e.Code != tt.code || e.Param != tt.param ||
					e.Message != tt.message || string(e.Body) != tt.raw {
					t.Errorf("%s: got %+v", kind, e)
				}
				if e.Headers.Get("Retry-After") != "7" || e.Headers.Get("X-Other") != "" ||
					e.ResponseHeaders.Get("X-Other") != "o" {
					t.Errorf("%s: headers %v of %v", kind, e.Headers, e.ResponseHeaders)
				}
			}
		})
	}
}

// clientCalls returns the calls of a client that ask the server, each to its end.
func clientCalls(ctx context.Context, c *or.Client) map[string]func() error {
	return map[string]func() error{
		"create":  func() error { _, err := c.Create(ctx, userRequest("x")); return err },
		"compact": func() error { _, err := c.Compact(ctx, or.CompactRequest{Model: "m"}); return err },
		"stream": func() error {
			s, err := c.CreateStream(ctx, userRequest("x"))
			if err != nil {
				return err
			}
			defer s.Close()
			_, err = s.Wait()
			return err
		},
	}
}

func TestClientFailures(t *testing.T) {
	expectNoLeaks(t)
	closed := httptest.NewServer(nil)
	closed.Close()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	serverOf := func(body string) string { return serve(t, answering(200, "application/json", body)).URL }
	tests := map[string]struct {
		ctx  context.Context
		url  string
		opts []or.ClientOption
		is   error
		text string
	}{
		"no server":     {ctx: t.Context(), url: closed.URL, text: "connect"},
		"bad URL":       {ctx: t.Context(), url: "http://a b", text: "build request"},
		"cancelled":     {ctx: cancelled, url: serverOf(minimalResponse), is: context.Canceled},
		"empty body":    {ctx: t.Context(), url: serverOf(""), is: io.ErrUnexpectedEOF},
		"cut body":      {ctx: t.Context(), url: serverOf(`{"id":`), is: io.ErrUnexpectedEOF},
		"not JSON":      {ctx: t.Context(), url: serverOf("<html>"), text: "decode response"},
		"wrong type":    {ctx: t.Context(), url: serverOf(`{"id":1}`), text: "decode response"},
		"over limit":    {ctx: t.Context(), url: serverOf(minimalResponse), opts: []or.ClientOption{or.WithMaxResponseBytes(20)}, text: "20 bytes"},
		"never decoded": {ctx: t.Context(), url: serverOf(strings.Repeat(" ", 100)), opts: []or.ClientOption{or.WithMaxResponseBytes(20)}, text: "20 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for kind, call := range clientCalls(tt.ctx, or.NewClient(tt.url, tt.opts...)) {
				err := call()
				if err == nil {
					t.Fatalf("%s: no error", kind)
				}
				var e *or.Error
				if errors.As(err, &e) {
					t.Errorf("%s: %v is an *Error", kind, err)
				}
				if !strings.HasPrefix(err.Error(), "openresponses: ") || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("%s: text %q, want %q in it", kind, err, tt.text)
				}
				if tt.is != nil && !errors.Is(err, tt.is) {
					t.Errorf("%s: %v is not %v", kind, err, tt.is)
				}
			}
		})
	}
}

func TestClientResponseLimit(t *testing.T) {
	body := minimalResponse
	server := serve(t, answering(200, "application/json", body+strings.Repeat(" ", 1000)+"trailing"))
	for _, tt := range []struct {
		limit int
		ok    bool
	}{{len(body) - 1, false}, {len(body), true}, {len(body) + 1, true}} {
		client := or.NewClient(server.URL, or.WithMaxResponseBytes(int64(tt.limit)))
		_, err := client.Create(t.Context(), userRequest("x"))
		if ok := err == nil; ok != tt.ok {
			t.Errorf("a body of %d bytes under a limit of %d: %v", len(body), tt.limit, err)
		}
	}
}

func TestClientStreamMediaTypes(t *testing.T) {
	completed := `data: {"type":"response.completed","sequence_number":0,"response":` + minimalResponse + "}\n\n"
	tests := map[string]struct {
		contentType, body string
		event             string
		fails             bool
	}{
		"stream":                 {contentType: "text/event-stream", body: completed, event: "response.completed"},
		"stream with parameters": {contentType: "Text/Event-Stream; charset=utf-8", body: completed, event: "response.completed"},
		"stream, odd parameters": {contentType: "text/event-stream; ;=", body: completed, event: "response.completed"},
		"JSON":                   {contentType: "application/json", body: minimalResponse, event: "response.completed"},
		"failed": {
			contentType: "application/json", body: `{"id":"r","status":"failed","error":{"code":"c","message":"m"}}`,
			event: "response.failed", fails: true,
		},
		"incomplete": {contentType: "application/json", body: `{"id":"r","status":"incomplete"}`, event: "response.incomplete"},
		"queued":     {contentType: "application/json", body: `{"id":"r","status":"queued"}`, event: "response.completed"},
		"no type":    {contentType: "", body: minimalResponse, event: "response.completed"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expectNoLeaks(t)
			client := or.NewClient(serve(t, answering(200, tt.contentType, tt.body)).URL)
			stream, err := client.CreateStream(t.Context(), userRequest("x"))
			if err != nil {
				t.Fatal(err)
			}
			defer stream.Close()
			var types []string
			for ev := range stream.Events() {
				types = append(types, ev.EventType())
			}
			if len(types) != 1 || types[0] != tt.event {
				t.Errorf("events %v, want %s", types, tt.event)
			}
			resp, err := stream.Wait()
			if stream.Err() != nil || (err != nil) != tt.fails || resp == nil {
				t.Errorf("outcome %v, %v, %v", resp, err, stream.Err())
			}
		})
	}
}

func TestClientRedirects(t *testing.T) {
	tests := map[string]struct {
		opts  []or.ClientOption
		field string
		same  bool // what the same host receives
	}{
		"bearer":            {[]or.ClientOption{or.WithAPIKey("secret-key")}, "Authorization", true},
		"own field for key": {[]or.ClientOption{or.WithAPIKey("secret-key"), or.WithAuthHeader("X-Api-Key", "")}, "X-Api-Key", true},
		"own field":         {[]or.ClientOption{or.WithHeader("X-Tenant", "t")}, "X-Tenant", true},
		"with a client": {
			[]or.ClientOption{or.WithHTTPClient(&http.Client{}), or.WithAPIKey("secret-key"), or.WithAuthHeader("X-Api-Key", "")},
			"X-Api-Key", true,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expectNoLeaks(t)
			other, toOther := recorder(answering(200, "application/json", minimalResponse))
			// Another name for the loopback address makes another host.
			elsewhere := strings.Replace(serve(t, other).URL, "127.0.0.1", "localhost", 1)
			mux := http.NewServeMux()
			mux.Handle("/away/responses", http.RedirectHandler(elsewhere+"/x", http.StatusTemporaryRedirect))
			mux.Handle("/back/responses", http.RedirectHandler("/stay", http.StatusTemporaryRedirect))
			stay, toSame := recorder(answering(200, "application/json", minimalResponse))
			mux.Handle("/stay", stay)
			server := serve(t, mux)
			for _, base := range []string{"/away", "/back"} {
				client := or.NewClient(server.URL+base, tt.opts...)
				if _, err := client.Create(t.Context(), userRequest("x")); err != nil {
					t.Fatal(err)
				}
			}
			if v := (*toOther)[0].Header.Get(tt.field); v != "" {
				t.Errorf("the other host received %q", v)
			}
			if v := (*toSame)[0].Header.Get(tt.field); (v != "") != tt.same {
				t.Errorf("the same host received %q", v)
			}
			if (*toSame)[0].body == "" {
				t.Error("the body was not sent again")
			}
		})
	}

	t.Run("the user's policy", func(t *testing.T) {
		refuse := errors.New("no redirects here")
		hc := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return refuse }}
		server := serve(t, http.RedirectHandler("/x", http.StatusTemporaryRedirect))
		client := or.NewClient(server.URL, or.WithHTTPClient(hc), or.WithHeader("X-Tenant", "t"))
		if _, err := client.Create(t.Context(), userRequest("x")); !errors.Is(err, refuse) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("endless", func(t *testing.T) {
		server := serve(t, http.RedirectHandler("/x", http.StatusTemporaryRedirect))
		client := or.NewClient(server.URL, or.WithHeader("X-Tenant", "t"))
		var e *url.Error
		if _, err := client.Create(t.Context(), userRequest("x")); !errors.As(err, &e) {
			t.Errorf("got %v", err)
		}
	})
}

func TestClientMiddlewareOrder(t *testing.T) {
	var order []string
	tag := func(name string) or.ClientOption {
		return or.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(r *http.Request) (*http.Response, error) {
				order = append(order, name)
				return next.RoundTrip(r)
			})
		})
	}
	server := serve(t, answering(200, "application/json", minimalResponse))
	hc := &http.Client{}
	client := or.NewClient(server.URL, tag("inner"), tag("outer"), or.WithHTTPClient(hc))
	if _, err := client.Create(t.Context(), userRequest("x")); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, " "); got != "outer inner" {
		t.Errorf("order %q", got)
	}
	if hc.Transport != nil {
		t.Error("the user's HTTP client was changed")
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestClientKeepsKeyOutOfErrors(t *testing.T) {
	const key = "sk-very-secret"
	payload, _ := json.Marshal(map[string]any{"error": map[string]string{
		"message": "bad key " + key, "code": key, "param": key,
	}})
	for name, body := range map[string]string{"payload": string(payload), "text": "no such key: " + key} {
		server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", r.Header.Get("Authorization"))
			answering(401, "", body)(w, r)
		}))
		_, err := or.NewClient(server.URL, or.WithAPIKey(key)).Create(t.Context(), userRequest("x"))
		var e *or.Error
		if !errors.As(err, &e) {
			t.Fatalf("%s: %v", name, err)
		}
		if dump := fmt.Sprintf("%v %+v %s", err, e, e.Body); strings.Contains(dump, key) {
			t.Errorf("%s: the key is in %s", name, dump)
		}
	}
}
