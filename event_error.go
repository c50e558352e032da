package agentturn

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/ChristopherDavenport/agentturn/internal/jsonfield"
	"github.com/ChristopherDavenport/openresponses"
)

// sentinels are the errors that are told apart in an event's JSON, by a name
// that stays when a text changes.
var sentinels = []struct {
	name string
	err  error
}{
	{"running", ErrRunning},
	{"input_required", ErrInputRequired},
	{"not_pending", ErrNotPending},
	{"ambiguous_call", ErrAmbiguousCall},
	{"call_answered", ErrCallAnswered},
	{"no_model", ErrNoModel},
	{"cannot_continue", ErrCannotContinue},
	{"no_prompt", ErrNoPrompt},
	{"guard", ErrGuard},
	{"no_invoker", ErrNoInvoker},
	{"trigger_extra", ErrTriggerExtra},
	{"truncated_stream", openresponses.ErrTruncatedStream},
	{"stream_closed", openresponses.ErrStreamClosed},
	{"terminal_event_sent", openresponses.ErrTerminalEventSent},
	{"canceled", context.Canceled},
	{"deadline_exceeded", context.DeadlineExceeded},
	{"eof", io.EOF},
	{"unexpected_eof", io.ErrUnexpectedEOF},
}

// errorValue is an error, absent when nil.
type errorValue struct{ p *error }

func (v errorValue) Absent() bool { return *v.p == nil }

func (v errorValue) AppendJSON(dst []byte) ([]byte, error) {
	return jsonfield.AppendMarshal(dst, describeError(*v.p))
}

func (v errorValue) DecodeJSON(data []byte) error {
	var e errorJSON
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	*v.p = e.restore()
	return nil
}

// errorJSON is the JSON form of an error: its text, and what can be told of the
// errors it wraps.
type errorJSON struct {
	Message string        `json:"message"`
	Is      []string      `json:"is,omitempty"`  // names of sentinels
	API     *apiErrorJSON `json:"api,omitempty"` // the model's or the server's
}

// apiErrorJSON is an *openresponses.Error without the response it came from.
type apiErrorJSON struct {
	Status  int                     `json:"status,omitempty"`
	Type    openresponses.ErrorType `json:"type,omitempty"`
	Code    string                  `json:"code,omitempty"`
	Message string                  `json:"message,omitempty"`
	Param   string                  `json:"param,omitempty"`
	Headers http.Header             `json:"headers,omitempty"`
}

func describeError(err error) errorJSON {
	e := errorJSON{Message: err.Error()}
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			e.Is = append(e.Is, s.name)
		}
	}
	var api *openresponses.Error
	if errors.As(err, &api) && api != nil {
		e.API = &apiErrorJSON{
			Status: api.StatusCode, Type: api.Type, Code: api.Code,
			Message: api.Message, Param: api.Param, Headers: api.Headers,
		}
	}
	return e
}

// restore returns the wrapped error itself where the description is of nothing
// else, so that a sentinel comes back as that sentinel.
func (e errorJSON) restore() error {
	var wrapped []error
	for _, s := range sentinels {
		for _, name := range e.Is {
			if name == s.name {
				wrapped = append(wrapped, s.err)
				break
			}
		}
	}
	if e.API != nil {
		wrapped = append(wrapped, &openresponses.Error{
			StatusCode: e.API.Status, Type: e.API.Type, Code: e.API.Code,
			Message: e.API.Message, Param: e.API.Param, Headers: e.API.Headers,
		})
	}
	if len(wrapped) == 1 && wrapped[0].Error() == e.Message {
		return wrapped[0]
	}
	return &decodedError{message: e.Message, wrapped: wrapped}
}

// decodedError is an error read from an event's JSON.
type decodedError struct {
	message string
	wrapped []error
}

func (e *decodedError) Error() string   { return e.message }
func (e *decodedError) Unwrap() []error { return e.wrapped }
