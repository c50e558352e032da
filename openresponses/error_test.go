package openresponses

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestErrorTypeStatus(t *testing.T) {
	for typ, want := range map[ErrorType]int{
		ErrorTypeInvalidRequest: 400, "invalid_request_error": 400, ErrorTypeNotFound: 404, ErrorTypeTooManyRequests: 429,
		ErrorTypeModelError: 500, ErrorTypeServerError: 500, "": 500, "other": 500,
	} {
		if got := typ.HTTPStatus(); got != want {
			t.Errorf("%q: got %d, want %d", typ, got, want)
		}
	}
}

func TestErrorText(t *testing.T) {
	for want, e := range map[string]*Error{
		"openresponses: server_error (500): c: m":    ServerError("c", "m"),
		"openresponses: not_found (404): m":          NotFound("", "m", "p"),
		"openresponses: too_many_requests (429)":     TooManyRequests("c", ""),
		"openresponses: model_error (503): c: m":     {Type: ErrorTypeModelError, StatusCode: 503, Code: "c", Message: "m"},
		"openresponses: invalid_request (400): c: m": InvalidRequest("c", "m", "p"),
		"openresponses: model_error (500): c: m":     ModelError("c", "m"),
		"openresponses:  (500)":                      {},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	e := PreviousResponseNotFound("resp_1")
	if e.Type != ErrorTypeNotFound || e.Code != CodePreviousResponseNotFound || e.Param != "previous_response_id" || !strings.Contains(e.Message, "resp_1") {
		t.Errorf("got %#v", e)
	}
}

func TestErrorPayload(t *testing.T) {
	e := ServerError("c", "m").WithHeader("retry-after", "1").WithHeader("X-Other", "a").WithHeader("x-other", "b")
	e.Type, e.Param, e.Body, e.ResponseHeaders = "", "p", []byte("x"), http.Header{"Secret": {"x"}}
	p := e.Payload()
	want := ErrorPayload{Type: ErrorTypeServerError, Code: "c", Message: "m", Param: "p", Headers: map[string]string{"Retry-After": "1", "X-Other": "a, b"}}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got %#v, want %#v", p, want)
	}
	if got, want := marshalText(t, p), `{"type":"server_error","code":"c","message":"m","param":"p","headers":{"Retry-After":"1","X-Other":"a, b"}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := ServerError("", "").Payload().Headers; got != nil {
		t.Errorf("headers %v, want nil", got)
	}

	p.Headers = map[string]string{
		"retry-after": "2", "X-Request-ID": "r", "request-id": "q", "ratelimit-limit": "l", "x-ratelimit-remaining": "m",
		"Authorization": "no", "Ratelimit": "no", "X-Ratelimit": "no",
	}
	back := p.Err(0)
	wantHeaders := http.Header{"Retry-After": {"2"}, "X-Request-Id": {"r"}, "Request-Id": {"q"}, "Ratelimit-Limit": {"l"}, "X-Ratelimit-Remaining": {"m"}}
	if !reflect.DeepEqual(back, &Error{Type: ErrorTypeServerError, Code: "c", Message: "m", Param: "p", Headers: wantHeaders}) {
		t.Errorf("got %#v", back)
	}
	if got := (&ErrorEvent{Status: 429, Error: ErrorPayload{Code: "c"}}).Err(); !reflect.DeepEqual(got, &Error{StatusCode: 429, Code: "c"}) {
		t.Errorf("got %#v", got)
	}
	for _, text := range []string{`{"code":null,"param":null}`, `{}`, `{"headers":null}`, `null`} {
		if got, err := decodeInto[ErrorPayload]([]byte(text)); err != nil || !reflect.DeepEqual(got, ErrorPayload{}) {
			t.Errorf("%s: got %#v, %v", text, got, err)
		}
	}
}

func TestErrorIs(t *testing.T) {
	err := fmt.Errorf("wrapped: %w", NotFound("c", "m", "p"))
	for _, tt := range []struct {
		target error
		want   bool
	}{
		{&Error{}, true}, {&Error{Type: ErrorTypeNotFound}, true}, {&Error{Code: "c"}, true}, {&Error{StatusCode: 404}, true},
		{&Error{Type: ErrorTypeNotFound, Code: "c", StatusCode: 404, Message: "other", Param: "other"}, true},
		{&Error{Type: ErrorTypeServerError}, false}, {&Error{Code: "d"}, false}, {&Error{StatusCode: 400}, false}, {(*Error)(nil), false}, {io.EOF, false},
	} {
		if got := errors.Is(err, tt.target); got != tt.want {
			t.Errorf("%#v: got %v, want %v", tt.target, got, tt.want)
		}
	}
	if !IsNotFound(err) || IsRateLimited(err) || IsInvalidRequest(err) || IsNotFound(nil) || IsNotFound(io.EOF) {
		t.Error("classes are wrong for not_found")
	}
	if !IsRateLimited(TooManyRequests("", "")) || !IsInvalidRequest(InvalidRequest("", "", "")) || IsInvalidRequest(&Error{StatusCode: 400}) {
		t.Error("classes are wrong")
	}
}

type statusError int

func (e statusError) Error() string   { return "status" }
func (e statusError) HTTPStatus() int { return int(e) }

func TestAsError(t *testing.T) {
	own := NotFound("c", "m", "p")
	if got := AsError(fmt.Errorf("wrapped: %w", own)); got != own {
		t.Errorf("got %#v", got)
	}
	if got := AsError(nil); got != nil {
		t.Errorf("nil: got %#v", got)
	}
	if got := AsError(io.EOF); !reflect.DeepEqual(got, &Error{Type: ErrorTypeServerError, Code: "internal_error", Message: "EOF"}) {
		t.Errorf("got %#v", got)
	}
	for status, typ := range map[int]ErrorType{400: ErrorTypeInvalidRequest, 404: ErrorTypeNotFound, 429: ErrorTypeTooManyRequests, 503: ErrorTypeServerError, 422: ErrorTypeServerError} {
		got := AsError(fmt.Errorf("wrapped: %w", statusError(status)))
		if !reflect.DeepEqual(got, &Error{StatusCode: status, Type: typ, Code: "internal_error", Message: "wrapped: status"}) {
			t.Errorf("%d: got %#v", status, got)
		}
	}
}

type closeCounter struct {
	io.Reader
	closed int
}

func (c *closeCounter) Close() error { c.closed++; return nil }

func TestErrorFromResponse(t *testing.T) {
	large := strings.Repeat("x", maxErrorBody+10)
	tests := []struct {
		name   string
		status int
		body   string
		want   Error
	}{
		{"error object", 400, `{"error":{"type":"t","code":"c","message":"m","param":"p","headers":{"Retry-After":"9"}}}`, Error{Type: "t", Code: "c", Message: "m", Param: "p"}},
		{"code alone", 404, `{"error":{"code":"c"}}`, Error{Type: ErrorTypeNotFound, Code: "c"}},
		{"type alone", 500, `{"error":{"type":"t"}}`, Error{Type: "t"}},
		{"empty object", 422, `{"error":{"param":"p"}}`, Error{Type: ErrorTypeInvalidRequest, Message: `{"error":{"param":"p"}}`, Body: []byte(`{"error":{"param":"p"}}`)}},
		{"error text", 500, `{"error":"down"}`, Error{Type: ErrorTypeServerError, Message: `{"error":"down"}`, Body: []byte(`{"error":"down"}`)}},
		{"page", 429, " slow down\n", Error{Type: ErrorTypeTooManyRequests, Message: "slow down", Body: []byte(" slow down\n")}},
		{"blank", 503, " ", Error{Type: ErrorTypeServerError, Message: "Service Unavailable", Body: []byte(" ")}},
		{"large", 400, large, Error{Type: ErrorTypeInvalidRequest, Message: large[:maxErrorBody], Body: []byte(large[:maxErrorBody])}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := &closeCounter{Reader: strings.NewReader(tt.body)}
			header := http.Header{"Retry-After": {"1"}, "Date": {"d"}}
			got := ErrorFromResponse(&http.Response{StatusCode: tt.status, Header: header, Body: body})
			want := tt.want
			want.StatusCode, want.ResponseHeaders, want.Headers = tt.status, header, http.Header{"Retry-After": {"1"}}
			if !reflect.DeepEqual(got, &want) {
				t.Errorf("got %.300v, want %.300v", got, &want)
			}
			if body.closed != 0 {
				t.Error("the body was closed")
			}
		})
	}
	if got := ErrorFromResponse(&http.Response{StatusCode: 502}); got.Message != "Bad Gateway" || got.Headers != nil {
		t.Errorf("without a body: got %#v", got)
	}
}

func TestSentinelTexts(t *testing.T) {
	for want, err := range map[string]error{
		"openresponses: stream ended before a terminal event": ErrTruncatedStream,
		"openresponses: stream closed":                        ErrStreamClosed,
		"openresponses: terminal event already sent":          ErrTerminalEventSent,
	} {
		if err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
}
