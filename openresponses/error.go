package openresponses

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// Ways in which a stream ends or refuses to go on.
var (
	// ErrTruncatedStream is a stream that ended without an end marker and without
	// a terminal event.
	ErrTruncatedStream = errors.New("openresponses: stream ended before a terminal event")
	// ErrStreamClosed is a connection that was closed.
	ErrStreamClosed = errors.New("openresponses: stream closed")
	// ErrTerminalEventSent is an event or an item after a terminal event.
	ErrTerminalEventSent = errors.New("openresponses: terminal event already sent")
)

// ErrorType is the class of an error.
type ErrorType string

// Error classes.
const (
	ErrorTypeInvalidRequest  ErrorType = "invalid_request"
	ErrorTypeNotFound        ErrorType = "not_found"
	ErrorTypeTooManyRequests ErrorType = "too_many_requests"
	ErrorTypeModelError      ErrorType = "model_error"
	ErrorTypeServerError     ErrorType = "server_error"
)

// Error codes.
const (
	CodePreviousResponseNotFound        = "previous_response_not_found"
	CodeWebSocketConnectionLimitReached = "websocket_connection_limit_reached"
	CodeInvalidValue                    = "invalid_value"
	CodeMissingRequiredParameter        = "missing_required_parameter"
	CodeUnsupportedParameter            = "unsupported_parameter"
	CodeStreamingNotSupported           = "streaming_not_supported"
	CodeCompactionNotSupported          = "compaction_not_supported"
)

// HTTPStatus returns the HTTP status for the class, 500 for an unknown one.
func (t ErrorType) HTTPStatus() int {
	switch t {
	case ErrorTypeInvalidRequest, "invalid_request_error":
		return http.StatusBadRequest
	case ErrorTypeNotFound:
		return http.StatusNotFound
	case ErrorTypeTooManyRequests:
		return http.StatusTooManyRequests
	default:
		return http.StatusInternalServerError
	}
}

// errorTypeOf returns the class for an HTTP status.
func errorTypeOf(status int) ErrorType {
	switch status {
	case http.StatusBadRequest:
		return ErrorTypeInvalidRequest
	case http.StatusNotFound:
		return ErrorTypeNotFound
	case http.StatusTooManyRequests:
		return ErrorTypeTooManyRequests
	default:
		return ErrorTypeServerError
	}
}

// An Error is a failure that a server reported or is to report. It has no cause;
// compare with [errors.Is] against an Error that has only the fields that matter.
type Error struct {
	StatusCode int // HTTP status; 0 leaves it to the type
	Type       ErrorType
	Code       string
	Message    string
	Param      string // the member of the request at fault
	// Headers describe the failure, such as Retry-After, and travel with it.
	Headers http.Header
	// ResponseHeaders are all headers of the HTTP response the error was read
	// from.
	ResponseHeaders http.Header
	// Body is that response's body, if it was not an error object.
	Body []byte
}

// NewError returns an error of a class.
func NewError(typ ErrorType, code, message string) *Error {
	return &Error{Type: typ, Code: code, Message: message}
}

// InvalidRequest returns the error for a request that cannot be served as it is.
func InvalidRequest(code, message, param string) *Error {
	return &Error{Type: ErrorTypeInvalidRequest, Code: code, Message: message, Param: param}
}

// NotFound returns the error for something that does not exist.
func NotFound(code, message, param string) *Error {
	return &Error{Type: ErrorTypeNotFound, Code: code, Message: message, Param: param}
}

// PreviousResponseNotFound returns the error for a request that goes on from a
// response the server does not have.
func PreviousResponseNotFound(id string) *Error {
	return NotFound(CodePreviousResponseNotFound, "previous response "+strconv.Quote(id)+" not found", "previous_response_id")
}

// TooManyRequests returns the error for a rate limit.
func TooManyRequests(code, message string) *Error {
	return NewError(ErrorTypeTooManyRequests, code, message)
}

// ModelError returns the error for a model that failed.
func ModelError(code, message string) *Error { return NewError(ErrorTypeModelError, code, message) }

// ServerError returns the error for a server that failed.
func ServerError(code, message string) *Error { return NewError(ErrorTypeServerError, code, message) }

// Error returns the type, the status, the code and the message. Without a message
// the code is left out too.
func (e *Error) Error() string {
	text := "openresponses: " + string(e.Type) + " (" + strconv.Itoa(e.HTTPStatus()) + ")"
	if e.Message == "" {
		return text
	}
	if e.Code != "" {
		text += ": " + e.Code
	}
	return text + ": " + e.Message
}

// HTTPStatus returns StatusCode, or the status for the type if that is 0.
func (e *Error) HTTPStatus() int {
	if e.StatusCode != 0 {
		return e.StatusCode
	}
	return e.Type.HTTPStatus()
}

// WithHeader adds a header that describes the failure to e itself, and returns e.
func (e *Error) WithHeader(name, value string) *Error {
	if e.Headers == nil {
		e.Headers = http.Header{}
	}
	e.Headers.Add(name, value)
	return e
}

// Is reports whether target is an [*Error] whose type, code and status, where they
// are set, are those of e.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t != nil &&
		(t.Type == "" || t.Type == e.Type) &&
		(t.Code == "" || t.Code == e.Code) &&
		(t.StatusCode == 0 || t.StatusCode == e.HTTPStatus())
}

// Payload returns the error as it travels. An empty type is server_error.
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

// An ErrorPayload is the error object of an HTTP body, an event or a response.
type ErrorPayload struct {
	Type    ErrorType         `json:"type,omitempty"`
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Param   string            `json:"param"`
	Headers map[string]string `json:"headers,omitempty"`

	unknown *jsonx.Unknown
}

var errorPayloadFields = jsonx.NewObject("",
	func(p *ErrorPayload) **jsonx.Unknown { return &p.unknown },
	jsonx.String("type", func(p *ErrorPayload) *ErrorType { return &p.Type }).OmitEmpty(),
	jsonx.String("code", func(p *ErrorPayload) *string { return &p.Code }),
	jsonx.String("message", func(p *ErrorPayload) *string { return &p.Message }),
	jsonx.StringOrNull("param", func(p *ErrorPayload) *string { return &p.Param }),
	jsonx.StringMap("headers", func(p *ErrorPayload) *map[string]string { return &p.Headers }).OmitEmpty(),
)

// MarshalJSON encodes the payload; an empty param is null.
func (p ErrorPayload) MarshalJSON() ([]byte, error) { return errorPayloadFields.Append(nil, &p) }

// UnmarshalJSON decodes the payload. The code and the param may be null or missing.
func (p *ErrorPayload) UnmarshalJSON(data []byte) error { return errorPayloadFields.Unmarshal(data, p) }

// Err returns the payload as an error with an HTTP status, 0 if that is not known.
// Of the headers only those that describe the failure are taken over.
func (p ErrorPayload) Err(status int) *Error {
	e := &Error{StatusCode: status, Type: p.Type, Code: p.Code, Message: p.Message, Param: p.Param}
	for name, value := range p.Headers {
		if describesFailure(name) {
			e.WithHeader(name, value)
		}
	}
	return e
}

// describesFailure reports whether a header belongs to a failure rather than to
// the connection it came on.
func describesFailure(name string) bool {
	switch name = http.CanonicalHeaderKey(name); name {
	case "Retry-After", "X-Request-Id", "Request-Id":
		return true
	}
	return strings.HasPrefix(name, "Ratelimit-") || strings.HasPrefix(name, "X-Ratelimit-")
}

// AsError returns the [*Error] in err's chain, or else a server_error with the
// text of err. If the chain has a method HTTPStatus() int, that gives the status
// and the type. A nil err gives nil.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) && e != nil {
		return e
	}
	e = ServerError("internal_error", err.Error())
	var s interface{ HTTPStatus() int }
	if errors.As(err, &s) {
		e.StatusCode = s.HTTPStatus()
		e.Type = errorTypeOf(e.StatusCode)
	}
	return e
}

// IsNotFound reports whether err's chain has an [*Error] of type not_found.
func IsNotFound(err error) bool { return isType(err, ErrorTypeNotFound) }

// IsRateLimited reports whether err's chain has an [*Error] of type
// too_many_requests.
func IsRateLimited(err error) bool { return isType(err, ErrorTypeTooManyRequests) }

// IsInvalidRequest reports whether err's chain has an [*Error] of type
// invalid_request.
func IsInvalidRequest(err error) bool { return isType(err, ErrorTypeInvalidRequest) }

func isType(err error, typ ErrorType) bool { return errors.Is(err, &Error{Type: typ}) }

// maxErrorBody is how much of the body of a failed response is read.
const maxErrorBody = 1 << 20

// ErrorFromResponse reads the error of an HTTP response whose status is not a
// success. It reads at most 1 MiB of the body and does not close it. A body that
// is not an error object becomes the message.
func ErrorFromResponse(res *http.Response) *Error {
	var body []byte
	if res.Body != nil {
		// What could be read is all there is to report.
		body, _ = io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	}
	e := errorFromBody(res.StatusCode, body)
	e.ResponseHeaders = res.Header.Clone()
	for name, values := range res.Header {
		if describesFailure(name) {
			for _, value := range values {
				e.WithHeader(name, value)
			}
		}
	}
	if e.Type == "" {
		e.Type = errorTypeOf(res.StatusCode)
		if res.StatusCode == http.StatusUnprocessableEntity {
			e.Type = ErrorTypeInvalidRequest
		}
	}
	return e
}

func errorFromBody(status int, body []byte) *Error {
	var envelope struct {
		Error ErrorPayload `json:"error"`
	}
	p := &envelope.Error
	if err := json.Unmarshal(body, &envelope); err == nil && (p.Message != "" || p.Code != "" || p.Type != "") {
		return &Error{StatusCode: status, Type: p.Type, Code: p.Code, Message: p.Message, Param: p.Param}
	}
	message := strings.TrimSpace(string(body))
	if message == "" {
		message = http.StatusText(status)
	}
	return &Error{StatusCode: status, Message: message, Body: body}
}
