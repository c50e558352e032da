package chatcompletions

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ChristopherDavenport/openresponses"
)

const (
	maxErrorBody = 1 << 20

	// What is left of an answer is read, so that its connection can be used again, if it isn't long and comes soon.
	maxDrain  = 64 << 10
	drainTime = 100 * time.Millisecond
)

func upstreamError(err error) error {
	return openresponses.ServerError("upstream_error", "the server cannot be reached: "+err.Error())
}

func invalidUpstream(what string) error {
	return openresponses.ServerError("invalid_upstream_response", what)
}

// errorFromResponse returns the error of an answer that is not a success.
func errorFromResponse(res *http.Response) *openresponses.Error {
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody)) // what could be read is all there is to report
	read := *res
	read.Body = io.NopCloser(bytes.NewReader(body))
	e := openresponses.ErrorFromResponse(&read) // with the headers; what the body says follows
	e.Type, e.Code, e.Param = typeOf(res.StatusCode), "http_"+strconv.Itoa(res.StatusCode), ""
	if p, ok := parseFailure(body); ok {
		e.Body = nil
		p.describe(e)
	} else if e.Message = strings.TrimSpace(string(body)); e.Message == "" {
		e.Message = res.Status
	}
	return e
}

func typeOf(status int) openresponses.ErrorType {
	switch {
	case status == http.StatusNotFound:
		return openresponses.ErrorTypeNotFound
	case status == http.StatusTooManyRequests:
		return openresponses.ErrorTypeTooManyRequests
	case status >= 400 && status < 500:
		return openresponses.ErrorTypeInvalidRequest
	}
	return openresponses.ErrorTypeServerError
}

// errorFromStream returns the error that a server reports in place of a chunk, in its member "error".
func errorFromStream(raw []byte) *openresponses.Error {
	e := openresponses.ServerError("http_500", "")
	e.StatusCode = http.StatusInternalServerError
	var p failure
	if p.UnmarshalJSON(raw) == nil {
		p.describe(e)
	}
	if e.Message == "" {
		e.Message = string(raw)
	}
	return e
}

// parseFailure reads the error out of a body, in any of the usual shapes: an object or a string under "error", the
// members of such an object at the top, or a string under "detail".
func parseFailure(body []byte) (failure, bool) {
	var nested struct {
		Error  *failure `json:"error"`
		Detail any      `json:"detail"`
	}
	if json.Unmarshal(body, &nested) != nil {
		return failure{}, false
	}
	if nested.Error != nil && nested.Error.says() {
		return *nested.Error, true
	}
	var flat failure
	if flat.UnmarshalJSON(body) == nil && flat.message != "" {
		return flat, true
	}
	detail, _ := nested.Detail.(string)
	return failure{message: detail}, detail != ""
}

// failure is a server's own description of an error.
type failure struct{ message, typ, code, param string }

// UnmarshalJSON takes an object whose members may be anything, of which strings and numbers count, or a string.
func (f *failure) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &f.message)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	for name, at := range map[string]*string{"message": &f.message, "type": &f.typ, "code": &f.code, "param": &f.param} {
		*at = scalar(members[name])
	}
	return nil
}

// scalar returns a JSON string or number as text, and nothing for any other value.
func scalar(raw json.RawMessage) string {
	var s string
	var n json.Number
	switch {
	case json.Unmarshal(raw, &s) == nil:
		return s
	case json.Unmarshal(raw, &n) == nil:
		return n.String()
	}
	return ""
}

func (f *failure) says() bool { return f.message != "" || f.code != "" || f.typ != "" }

// describe gives an error the server's words.
func (f *failure) describe(e *openresponses.Error) {
	e.Message, e.Param = f.message, f.param
	switch {
	case f.code != "":
		e.Code = f.code
	case f.typ != "":
		e.Code = f.typ
	}
}

// minSecret is the length below which a value is no secret and may well be part of a word.
const minSecret = 6

// redacted takes the key that was sent out of an error, should the server have repeated it.
func redacted(e *openresponses.Error, sent http.Header) error {
	for name, values := range sent {
		name = strings.ToLower(name)
		if name != "authorization" && !strings.Contains(name, "key") && !strings.Contains(name, "token") {
			continue
		}
		for _, value := range values {
			redact(e, value[strings.LastIndexByte(value, ' ')+1:])
		}
	}
	return e
}

func redact(e *openresponses.Error, secret string) {
	if len(secret) < minSecret {
		return
	}
	const mask = "[key]"
	for _, s := range []*string{&e.Message, &e.Code, &e.Param} {
		*s = strings.ReplaceAll(*s, secret, mask)
	}
	e.Body = bytes.ReplaceAll(e.Body, []byte(secret), []byte(mask))
	for _, h := range []http.Header{e.Headers, e.ResponseHeaders} {
		for _, values := range h {
			for i, v := range values {
				values[i] = strings.ReplaceAll(v, secret, mask)
			}
		}
	}
}

func drain(body io.ReadCloser) {
	late := time.AfterFunc(drainTime, func() { body.Close() })
	io.CopyN(io.Discard, body, maxDrain)
	late.Stop()
	body.Close()
}
