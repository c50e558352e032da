package openresponses

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// An ErrorType is the kind of an error.
type ErrorType string

// The kinds of error.
const (
	ErrorTypeInvalidRequest  ErrorType = "invalid_request"
	ErrorTypeNotFound        ErrorType = "not_found"
	ErrorTypeTooManyRequests ErrorType = "too_many_requests"
	ErrorTypeModelError      ErrorType = "model_error"
	ErrorTypeServerError     ErrorType = "server_error"
)

// Codes of errors that this package gives or reads.
const (
	CodePreviousResponseNotFound        = "previous_response_not_found"
	CodeWebSocketConnectionLimitReached = "websocket_connection_limit_reached"
	CodeInvalidValue                    = "invalid_value"
	CodeMissingRequiredParameter        = "missing_required_parameter"
	CodeUnsupportedParameter            = "unsupported_parameter"
	CodeStreamingNotSupported           = "streaming_not_supported"
	CodeCompactionNotSupported          = "compaction_not_supported"
)

// foreignInvalidRequest is what some servers call ErrorTypeInvalidRequest.
const foreignInvalidRequest ErrorType = "invalid_request_error"

// HTTPStatus returns the status that goes with the type: 400, 404 or 429, and 500 for
// every other.
func (t ErrorType) HTTPStatus() int {
	switch t {
	case ErrorTypeInvalidRequest, foreignInvalidRequest:
		return http.StatusBadRequest
	case ErrorTypeNotFound:
		return http.StatusNotFound
	case ErrorTypeTooManyRequests:
		return http.StatusTooManyRequests
	}
	return http.StatusInternalServerError
}

// An ErrorPayload is an error on the wire.
type ErrorPayload struct {
	Type    ErrorType         `json:"type,omitempty"`
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Param   string            `json:"param"`
	Headers map[string]string `json:"headers,omitempty"`
}

var errorPayloadFields = jsonx.NewObject("", nil,
	jsonx.String("type", func(p *ErrorPayload) *ErrorType { return &p.Type }).OmitEmpty(),
	jsonx.String("code", func(p *ErrorPayload) *string { return &p.Code }),
	jsonx.String("message", func(p *ErrorPayload) *string { return &p.Message }),
	jsonx.StringOrNull("param", func(p *ErrorPayload) *string { return &p.Param }),
	jsonx.StringMap("headers", func(p *ErrorPayload) *map[string]string { return &p.Headers }).OmitEmpty(),
)

// MarshalJSON encodes the payload; an empty param is null.
func (p ErrorPayload) MarshalJSON() ([]byte, error) { return errorPayloadFields.Append(nil, &p) }

// UnmarshalJSON replaces the payload. Members may be null or missing.
func (p *ErrorPayload) UnmarshalJSON(data []byte) error {
	return unmarshalWhole(data, p, errorPayloadFields.Decode)
}

// Err returns the payload as an error with the given status, 0 for the type's. Of the
// headers it keeps those that describe the failure: when to retry, which request it was
// and the limits in force.
func (p ErrorPayload) Err(status int) *Error {
	e := &Error{StatusCode: status, Type: p.Type, Code: p.Code, Message: p.Message, Param: p.Param}
	for name, value := range p.Headers {
		if describesFailure(name) {
			_ = e.WithHeader(name, value)
		}
	}
	return e
}

func describesFailure(header string) bool {
	header = http.CanonicalHeaderKey(header)
	switch header {
	case "Retry-After", "X-Request-Id", "Request-Id":
		return true
	}
	return strings.HasPrefix(header, "Ratelimit-") || strings.HasPrefix(header, "X-Ratelimit-")
}

// An Error is a failure that a server reported, or that one is to report.
type Error struct {
	StatusCode int // 0 for that of Type
	Type       ErrorType
	Code       string
	Message    string
	Param      string      // the part of the request at fault
	Headers    http.Header // those that describe the failure

	// ResponseHeaders are all headers of the reply, and Body its body where it was no
	// error object. Neither is sent on.
	ResponseHeaders http.Header
	Body            []byte
}

// Error names the type, the status, the code and the message.
func (e *Error) Error() string {
	text := fmt.Sprintf("openresponses: %s (%d)", e.Type, e.HTTPStatus())
	switch {
	case e.Message == "":
		return text
	case e.Code == "":
		return text + ": " + e.Message
	}
	return text + ": " + e.Code + ": " + e.Message
}

// HTTPStatus returns StatusCode, or the status of Type where it is 0.
func (e *Error) HTTPStatus() int {
	if e.StatusCode != 0 {
		return e.StatusCode
	}
	return e.Type.HTTPStatus()
}

// Payload returns the error as it is sent. An empty type is a server error.
func (e *Error) Payload() ErrorPayload {
	p := ErrorPayload{Type: e.Type, Code: e.Code, Message: e.Message, Param: e.Param}
	if p.Type == "" {
		p.Type = ErrorTypeServerError
	}
	for name, values := range e.Headers {
		if p.Headers == nil {
			p.Headers = make(map[string]string, len(e.Headers))
		}
		p.Headers[name] = strings.Join(values, ", ")
	}
	return p
}

// WithHeader adds a header to e and returns e.
func (e *Error) WithHeader(name, value string) *Error {
	if e.Headers == nil {
		e.Headers = make(http.Header)
	}
	e.Headers.Add(name, value)
	return e
}

// Is reports whether target is an [*Error] whose type, code and status, as far as they are
// set, are those of e.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t != nil &&
		(t.Type == "" || t.Type == e.Type) &&
		(t.Code == "" || t.Code == e.Code) &&
		(t.StatusCode == 0 || t.StatusCode == e.HTTPStatus())
}

// NewError returns an error of a type.
func NewError(typ ErrorType, code, message string) *Error {
	return &Error{Type: typ, Code: code, Message: message}
}

// InvalidRequest returns the error for a request that is at fault in param.
func InvalidRequest(code, message, param string) *Error {
	return &Error{Type: ErrorTypeInvalidRequest, Code: code, Message: message, Param: param}
}

// NotFound returns the error for a thing, named by param, that does not exist.
func NotFound(code, message, param string) *Error {
	return &Error{Type: ErrorTypeNotFound, Code: code, Message: message, Param: param}
}

// PreviousResponseNotFound returns the error for a response to continue from that is not
// known.
func PreviousResponseNotFound(id string) *Error {
	return NotFound(CodePreviousResponseNotFound, fmt.Sprintf("previous response %q was not found", id), "previous_response_id")
}

// TooManyRequests returns the error for a caller that has to slow down.
func TooManyRequests(code, message string) *Error {
	return NewError(ErrorTypeTooManyRequests, code, message)
}

// ModelError returns the error for a model that failed.
func ModelError(code, message string) *Error { return NewError(ErrorTypeModelError, code, message) }

// ServerError returns the error for a server that failed.
func ServerError(code, message string) *Error { return NewError(ErrorTypeServerError, code, message) }

// AsError returns the [*Error] in err's chain. An err without one becomes a server error of
// its text, with the status of the first error in the chain that has an HTTPStatus. A nil
// err becomes a server error as well.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) && e != nil {
		return e
	}
	if err == nil {
		return ServerError("internal_error", "unknown error")
	}
	e = ServerError("internal_error", err.Error())
	var withStatus interface{ HTTPStatus() int }
	if errors.As(err, &withStatus) {
		e.StatusCode = withStatus.HTTPStatus()
		switch e.StatusCode {
		case http.StatusBadRequest:
			e.Type = ErrorTypeInvalidRequest
		case http.StatusNotFound:
			e.Type = ErrorTypeNotFound
		case http.StatusTooManyRequests:
			e.Type = ErrorTypeTooManyRequests
		}
	}
	return e
}

// IsNotFound reports whether err is an error of type not_found.
func IsNotFound(err error) bool { return isType(err, ErrorTypeNotFound) }

// IsRateLimited reports whether err is an error of type too_many_requests.
func IsRateLimited(err error) bool { return isType(err, ErrorTypeTooManyRequests) }

// IsInvalidRequest reports whether err is an error of type invalid_request.
func IsInvalidRequest(err error) bool { return isType(err, ErrorTypeInvalidRequest) }

func isType(err error, typ ErrorType) bool { return errors.Is(err, &Error{Type: typ}) }

// maxErrorBody is how much of a reply is read for the error in it.
const maxErrorBody = 1 << 20

// ErrorFromResponse returns the error that a reply with a failure status holds. It reads at
// most 1 MiB of the body and does not close it.
func ErrorFromResponse(res *http.Response) *Error {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	var reply struct {
		Error *ErrorPayload `json:"error"`
	}
	e := &Error{}
	err := json.Unmarshal(body, &reply)
	if p := reply.Error; err == nil && p != nil && (p.Message != "" || p.Code != "" || p.Type != "") {
		e.Type, e.Code, e.Message, e.Param = p.Type, p.Code, p.Message, p.Param
	} else {
		e.Body = body
		if e.Message = string(bytes.TrimSpace(body)); e.Message == "" {
			e.Message = http.StatusText(res.StatusCode)
		}
	}
	e.StatusCode = res.StatusCode
	e.ResponseHeaders = maps.Clone(res.Header)
	for name, values := range res.Header {
		if describesFailure(name) {
			for _, value := range values {
				_ = e.WithHeader(name, value)
			}
		}
	}
	if e.Type == "" {
		e.Type = typeOfStatus(res.StatusCode)
	}
	return e
}

func typeOfStatus(status int) ErrorType {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return ErrorTypeInvalidRequest
	case http.StatusNotFound:
		return ErrorTypeNotFound
	case http.StatusTooManyRequests:
		return ErrorTypeTooManyRequests
	}
	return ErrorTypeServerError
}

var (
	// ErrTruncatedStream is the error of a stream that ended before its response did.
	ErrTruncatedStream = errors.New("openresponses: stream ended before a terminal event")
	// ErrStreamClosed is the error of using a connection that is closed.
	ErrStreamClosed = errors.New("openresponses: stream closed")
	// ErrTerminalEventSent is the error of sending more after a response has ended.
	ErrTerminalEventSent = errors.New("openresponses: terminal event already sent")
)
