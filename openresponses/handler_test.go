package openresponses_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

const hello = `{"model":"m","input":"hi"}`

func TestHandlerRouting(t *testing.T) {
	a := saying("hello")
	a.compact = func(context.Context, or.CompactRequest) (*or.CompactResponse, error) {
		return &or.CompactResponse{ID: "resp_c"}, nil
	}
	tests := []struct {
		method, path string
		status       int
		code         string
		object       string
	}{
		{"POST", "/responses", 200, "", "response"},
		{"POST", "/responses/", 200, "", "response"},
		{"POST", "/any/mount/v1/responses", 200, "", "response"},
		{"POST", "/v1//responses/.", 200, "", "response"},
		{"POST", "/v1/responses/compact", 200, "", "response.compaction"},
		{"POST", "/v1/responses/compact/", 200, "", "response.compaction"},
		{"GET", "/v1/responses", 405, "method_not_allowed", ""},
		{"DELETE", "/v1/responses/compact", 405, "method_not_allowed", ""},
		{"POST", "/v1/responses/resp_1", 404, "not_found", ""},
		{"POST", "/v1/xresponses", 404, "not_found", ""},
		{"GET", "/v1/responses/resp_1", 404, "not_found", ""},
		{"POST", "/", 404, "not_found", ""},
		{"POST", "/compact", 404, "not_found", ""},
	}
	for _, tt := range tests {
		rec := httptest.NewRecorder()
		req := httptest.NewRequest(tt.method, tt.path, strings.NewReader(hello))
		or.NewHandler(a).ServeHTTP(rec, req)
		if rec.Code != tt.status {
			t.Errorf("%s %s: status %d, want %d", tt.method, tt.path, rec.Code, tt.status)
		}
		if tt.code != "" {
			if p := payloadOf(t, rec); p.Code != tt.code {
				t.Errorf("%s %s: code %q, want %q", tt.method, tt.path, p.Code, tt.code)
			}
			if allow := rec.Header().Get("Allow"); (allow == "POST") != (tt.status == 405) {
				t.Errorf("%s %s: allows %q", tt.method, tt.path, allow)
			}
			continue
		}
		var body struct{ Object string }
		if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil || body.Object != tt.object {
			t.Errorf("%s %s: %v, %s", tt.method, tt.path, err, rec.Body)
		}
	}

	t.Run("without a leading slash", func(t *testing.T) {
		h := http.StripPrefix("/v1/", or.NewHandler(a))
		if rec := post(h, "/v1/responses", hello); rec.Code != 200 {
			t.Errorf("status %d", rec.Code)
		}
	})
	t.Run("upgrade", func(t *testing.T) {
		req := httptest.NewRequest("GET", "/responses", nil)
		req.Header.Set("Upgrade", "WebSocket")
		rec := httptest.NewRecorder()
		or.NewHandler(a).ServeHTTP(rec, req)
		if p := payloadOf(t, rec); rec.Code != 405 || p.Code != "method_not_allowed" || p.Type != or.ErrorTypeInvalidRequest {
			t.Errorf("%d %+v", rec.Code, p)
		}
	})
}

func TestHandlerAccessors(t *testing.T) {
	store := or.NewMemoryStore(1)
	h := or.NewHandler(saying(), or.WithResponseStore(store), or.WithMaxBodyBytes(7))
	if h.Store() != store || h.MaxBodyBytes() != 7 || h.Adapter() == nil {
		t.Errorf("got %v, %d, %v", h.Store(), h.MaxBodyBytes(), h.Adapter())
	}
	h = or.NewHandler(saying(), or.WithMaxBodyBytes(0))
	if h.Store() != nil || h.MaxBodyBytes() != 16<<20 {
		t.Errorf("got %v, %d", h.Store(), h.MaxBodyBytes())
	}
}

func TestHandlerBadRequests(t *testing.T) {
	tests := map[string]struct {
		body        string
		status      int
		code, param string
	}{
		"empty":         {"", 400, "invalid_json", ""},
		"blank":         {" \r\n", 400, "invalid_json", ""},
		"cut":           {`{"model":`, 400, "invalid_json", ""},
		"two values":    {hello + hello, 400, "invalid_json", ""},
		"not an object": {`[]`, 400, "invalid_json", ""},
		"wrong type":    {`{"model":5}`, 400, "invalid_json", ""},
		"no model":      {`{"input":"hi"}`, 400, "missing_required_parameter", "model"},
		"null":          {`null`, 400, "missing_required_parameter", "model"},
		"bad item":      {`{"model":"m","input":[{"type":"message","content":"x"}]}`, 400, "missing_required_parameter", "input[0].role"},
		"output first": {
			`{"model":"m","input":[{"type":"function_call_output","call_id":"c","output":"x"}]}`,
			400, "invalid_value", "input[0].call_id",
		},
		"background":  {`{"model":"m","input":"hi","background":true}`, 400, "unsupported_parameter", "background"},
		"both faults": {`{"input":"hi","background":true}`, 400, "missing_required_parameter", "model"},
		"too long":    {`{"model":"m","input":"` + strings.Repeat("x", 300) + `"}`, 413, "request_too_large", ""},
	}
	var a fakeAdapter // a call would panic
	for name, tt := range tests {
		for _, path := range []string{"/responses", "/responses/compact"} {
			if strings.HasSuffix(path, "compact") && strings.Contains(tt.body, "background") {
				continue
			}
			t.Run(name+path, func(t *testing.T) {
				rec := post(or.NewHandler(a, or.WithMaxBodyBytes(200)), path, tt.body)
				p := payloadOf(t, rec)
				if rec.Code != tt.status || p.Code != tt.code || p.Param != tt.param || p.Type != or.ErrorTypeInvalidRequest {
					t.Errorf("got %d %+v", rec.Code, p)
				}
			})
		}
	}
	t.Run("unreadable", func(t *testing.T) {
		req := httptest.NewRequest("POST", "/responses", io.MultiReader(strings.NewReader("{"), failingReader{}))
		rec := httptest.NewRecorder()
		or.NewHandler(a).ServeHTTP(rec, req)
		if p := payloadOf(t, rec); rec.Code != 400 || p.Code != "invalid_body" {
			t.Errorf("got %d %+v", rec.Code, p)
		}
	})
	t.Run("at the limit", func(t *testing.T) {
		h := or.NewHandler(saying("x"), or.WithMaxBodyBytes(int64(len(hello))))
		if rec := post(h, "/responses", hello); rec.Code != 200 {
			t.Errorf("got %d %s", rec.Code, rec.Body)
		}
	})
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errors.New("broken pipe") }

// responseMembers are what the protocol requires of every response.
var responseMembers = strings.Fields(`id object created_at completed_at status incomplete_details model
	previous_response_id instructions output error tools tool_choice truncation parallel_tool_calls text top_p
	presence_penalty frequency_penalty top_logprobs temperature reasoning usage max_output_tokens max_tool_calls
	store background service_tier metadata safety_identifier prompt_cache_key`)

func missingMembers(t *testing.T, data []byte) []string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return slices.DeleteFunc(slices.Clone(responseMembers), func(name string) bool { return members[name] != nil })
}

func TestHandlerJSON(t *testing.T) {
	rec := post(or.NewHandler(saying("Hello, ", "world!")), "/v1/responses", hello)
	if rec.Code != 200 || rec.Header().Get("Content-Type") != "application/json" {
		t.Fatalf("got %d %v", rec.Code, rec.Header())
	}
	var resp or.Response
	if err := json.Unmarshal(rec.Body.Bytes(), &resp); err != nil {
		t.Fatal(err)
	}
	if resp.OutputText() != "Hello, world!" || resp.Status != or.ResponseStatusCompleted || resp.Model != "m" {
		t.Errorf("got %s", rec.Body)
	}
	if missing := missingMembers(t, rec.Body.Bytes()); len(missing) > 0 {
		t.Errorf("members %v are missing", missing)
	}
}

func TestHandlerAdapterErrors(t *testing.T) {
	failed := &or.Response{ID: "resp_1", Status: or.ResponseStatusFailed}
	tests := map[string]struct {
		resp    *or.Response
		err     error
		status  int
		payload or.ErrorPayload
	}{
		"typed": {
			nil, or.TooManyRequests("slow", "wait").WithHeader("Retry-After", "3").WithHeader("Content-Type", "x/y"),
			429, or.ErrorPayload{Type: "too_many_requests", Code: "slow", Message: "wait"},
		},
		"wrapped":         {nil, fmt.Errorf("while asking: %w", or.NotFound("c", "m", "p")), 404, or.ErrorPayload{Type: "not_found", Code: "c", Message: "m", Param: "p"}},
		"plain":           {nil, errors.New("broken"), 500, or.ErrorPayload{Type: "server_error", Code: "internal_error", Message: "broken"}},
		"with a response": {failed, or.ModelError("c", "m"), 500, or.ErrorPayload{Type: "model_error", Code: "c", Message: "m"}},
		"own status":      {nil, &or.Error{StatusCode: 418, Type: "server_error", Code: "tea"}, 418, or.ErrorPayload{Type: "server_error", Code: "tea"}},
		"no error status": {nil, &or.Error{StatusCode: 42, Type: "server_error", Code: "c"}, 500, or.ErrorPayload{Type: "server_error", Code: "c"}},
		"nothing at all":  {nil, nil, 500, or.ErrorPayload{Type: "server_error", Code: "internal_error", Message: "the adapter gave no response"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rec := post(or.NewHandler(fakeAdapter{create: func(context.Context, or.Request) (*or.Response, error) {
				return tt.resp, tt.err
			}}), "/responses", hello)
			p := payloadOf(t, rec)
			headers := p.Headers
			p.Headers = nil
			if rec.Code != tt.status || fmt.Sprint(p) != fmt.Sprint(tt.payload) {
				t.Errorf("got %d %+v", rec.Code, p)
			}
			if name == "typed" && (rec.Header().Get("Retry-After") != "3" || headers["Retry-After"] != "3") {
				t.Errorf("headers %v, in the payload %v", rec.Header(), headers)
			}
		})
	}
	t.Run("no compaction", func(t *testing.T) {
		rec := post(or.NewHandler(fakeAdapter{compact: func(context.Context, or.CompactRequest) (*or.CompactResponse, error) {
			return nil, nil
		}}), "/responses/compact", hello)
		if p := payloadOf(t, rec); rec.Code != 500 || p.Code != "internal_error" {
			t.Errorf("got %d %+v", rec.Code, p)
		}
	})
	t.Run("cannot be encoded", func(t *testing.T) {
		resp := &or.Response{ID: "resp_1", Extra: map[string]any{"x": func() {}}}
		rec := post(or.NewHandler(fakeAdapter{create: func(context.Context, or.Request) (*or.Response, error) {
			return resp, nil
		}}), "/responses", hello)
		if p := payloadOf(t, rec); rec.Code != 500 || p.Code != "encode_failed" || p.Type != "server_error" {
			t.Errorf("got %d %+v", rec.Code, p)
		}
	})
}

// quiet serves one request as a server that logs into the returned buffer does.
func quiet(h http.Handler, body string) (*httptest.ResponseRecorder, *bytes.Buffer) {
	return quietAt(h, "/responses", body)
}

func quietAt(h http.Handler, path, body string) (*httptest.ResponseRecorder, *bytes.Buffer) {
	var logged bytes.Buffer
	server := &http.Server{ErrorLog: log.New(&logged, "", 0)}
	req := httptest.NewRequest("POST", path, strings.NewReader(body))
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req.WithContext(context.WithValue(req.Context(), http.ServerContextKey, server)))
	return rec, &logged
}

func TestHandlerPanics(t *testing.T) {
	const streaming = `{"model":"m","input":"hi","stream":true}`
	a := fakeAdapter{
		create: func(context.Context, or.Request) (*or.Response, error) { panic("secret state") },
		stream: func(_ context.Context, req or.Request, sink or.EventSink) error {
			if req.Instructions == "late" {
				or.NewEmitter(sink, or.NewResponse(req)).Start()
			}
			panic("secret state")
		},
	}
	for name, body := range map[string]string{"JSON": hello, "stream": streaming} {
		t.Run(name, func(t *testing.T) {
			rec, logged := quiet(or.NewHandler(a), body)
			if p := payloadOf(t, rec); rec.Code != 500 || p.Code != "internal_error" || strings.Contains(p.Message, "secret") {
				t.Errorf("got %d %+v", rec.Code, p)
			}
			if s := logged.String(); !strings.Contains(s, "secret state") || !strings.Contains(s, "handler_test.go") {
				t.Errorf("logged %q", s)
			}
		})
	}
	t.Run("within a stream", func(t *testing.T) {
		rec, _ := quiet(or.NewHandler(a), `{"model":"m","input":"hi","stream":true,"instructions":"late"}`)
		all := events(t, rec)
		if got := typesOf(all); got != "created in_progress error failed" {
			t.Errorf("events %s", got)
		}
		if strings.Contains(rec.Body.String(), "secret") {
			t.Errorf("the peer learns of it: %s", rec.Body)
		}
	})
	t.Run("abort", func(t *testing.T) {
		abort := func(context.Context, or.Request, or.EventSink) error { panic(http.ErrAbortHandler) }
		defer func() {
			if v := recover(); v != http.ErrAbortHandler {
				t.Errorf("recovered %v", v)
			}
		}()
		post(or.NewHandler(fakeAdapter{stream: abort}), "/responses", streaming)
	})
}

// No request is answered with anything but a response, a stream or an error that names the fault.
func FuzzHandler(f *testing.F) {
	for _, body := range []string{
		"", "null", "[]", "{", hello, helloStream, hello + hello, "\xff", `{"model":"m","input":"\ud83d"}`,
		`{"model":"m","input":[{"type":"message","role":"user","content":"x"}],"previous_response_id":"resp_0"}`,
		`{"model":"m","input":[{"type":"compaction","encrypted_content":"W10="}],"stream":true,"store":false}`,
		`{"model":"m","tools":[{"type":"function","name":"f","parameters":{"required":["\u0000"]}}]}`,
		`{"model":"m","input":[{"type":"function_call","call_id":"c","name":"f","arguments":"{"},` +
			`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"x"}]}]}`,
		`{"model":"m","input":[null,{"type":5}],"tool_choice":{"type":"function"},"temperature":1e400}`,
	} {
		f.Add(body, false)
		f.Add(body, true)
	}
	f.Fuzz(func(t *testing.T, body string, compact bool) {
		store := or.NewMemoryStore(2)
		store.Save(t.Context(), "resp_0", or.Items{or.UserText("a")})
		path := "/responses"
		if compact {
			path += "/compact"
		}
		rec, logged := quietAt(or.NewHandler(&echo.Adapter{}, or.WithResponseStore(store)), path, body)
		if logged.Len() > 0 {
			t.Fatalf("a panic: %s", logged)
		}
		switch {
		case rec.Code != 200:
			if p := payloadOf(t, rec); p.Code == "" || p.Message == "" || rec.Code >= 500 {
				t.Errorf("%d %+v", rec.Code, p)
			}
		case rec.Header().Get("Content-Type") == "text/event-stream":
			terminal(t, events(t, rec))
		case !json.Valid(rec.Body.Bytes()):
			t.Errorf("not JSON: %s", rec.Body)
		}
	})
}

// The official clients leave out the type of a message.
func TestHandlerBareMessages(t *testing.T) {
	for _, tt := range []struct {
		name, input, want string
		status            int
	}{
		{"text", `[{"role":"user","content":"a"}]`, "*openresponses.Message a", 200},
		{"parts", `[{"role":"user","content":[{"type":"input_text","text":"a"}]}]`, "*openresponses.Message a", 200},
		{"no role", `[{"content":"a"}]`, "*openresponses.UnknownItem ", 200},
		{"null", `[null]`, "*openresponses.UnknownItem ", 200},
		{"another type", `[{"type":"x:note","role":"user","content":"a"}]`, "*openresponses.UnknownItem ", 200},
		{"not a message", `[{"role":"user","content":5}]`, "", 400},
		{"a role that is none", `[{"role":5}]`, "*openresponses.UnknownItem ", 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got string
			adapter := saying("x")
			answer := adapter.stream
			adapter.stream = func(ctx context.Context, req or.Request, sink or.EventSink) error {
				text := ""
				if m, ok := req.Input[0].(*or.Message); ok {
					text = m.Text()
				}
				got = fmt.Sprintf("%T %s", req.Input[0], text)
				return answer(ctx, req, sink)
			}
			rec := post(or.NewHandler(adapter), "/responses", `{"model":"m","stream":true,"input":`+tt.input+`}`)
			if rec.Code != tt.status || got != tt.want {
				t.Errorf("status %d, the adapter got %q, want %q\n%s", rec.Code, got, tt.want, rec.Body)
			}
		})
	}
}

func TestDecodeRequest(t *testing.T) {
	req, err := or.DecodeRequest([]byte(`{"model":"m","input":[{"role":"user","content":"hi"}],"own":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := req.Input[0].(*or.Message); !ok || m.Text() != "hi" || req.Extra["own"] == nil {
		t.Errorf("got %+v", req)
	}
	if _, err := or.DecodeRequest([]byte(`{"model":1}`)); err == nil {
		t.Error("no error for what is no request")
	}
}
