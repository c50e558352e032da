package openresponses

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"path"
	"reflect"
	"runtime/debug"
	"strings"
)

const defaultMaxBodyBytes = 16 << 20

// Error codes of the Handler that nobody else gives.
const (
	codeNotFound         = "not_found"
	codeMethodNotAllowed = "method_not_allowed"
	codeInvalidBody      = "invalid_body"
	codeInvalidJSON      = "invalid_json"
	codeRequestTooLarge  = "request_too_large"
	codeEncodeFailed     = "encode_failed"
	codeInternalError    = "internal_error"
)

// Handler serves an Adapter over HTTP: POST to a path that ends in /responses, answered as JSON or as a stream of
// Server-Sent Events, and to one that ends in /responses/compact. What precedes that in the path doesn't matter.
//
// It has no authentication, no limits of time and no fields for other origins: put it behind what has them.
type Handler struct {
	adapter Adapter
	store   ResponseStore
	maxBody int64
}

// A HandlerOption sets one property of a Handler.
type HandlerOption func(*Handler)

// NewHandler returns a Handler that serves the adapter.
func NewHandler(adapter Adapter, opts ...HandlerOption) *Handler {
	h := &Handler{adapter: adapter, maxBody: defaultMaxBodyBytes}
	for _, opt := range opts {
		opt(h)
	}
	return h
}

// WithResponseStore lets requests continue earlier responses: the Handler saves in the store each response that
// completes, or ends incomplete, unless its request says not to, and puts the conversation that a request continues
// in front of its input. Without a store, or with a nil one, a previous_response_id is the adapter's to deal with.
func WithResponseStore(store ResponseStore) HandlerOption {
	return func(h *Handler) { h.store = store }
}

// WithMaxBodyBytes limits the body of a request; the default, also for zero or less, is 16 MiB.
func WithMaxBodyBytes(n int64) HandlerOption {
	return func(h *Handler) { h.maxBody = positiveOr(n, defaultMaxBodyBytes) }
}

// Adapter returns the adapter.
func (h *Handler) Adapter() Adapter { return h.adapter }

// Store returns the store, or nil.
func (h *Handler) Store() ResponseStore { return h.store }

// MaxBodyBytes returns the limit on the body of a request.
func (h *Handler) MaxBodyBytes() int64 { return h.maxBody }

// ServeHTTP answers one request. A panic in the adapter is logged as by net/http, but the peer has an answer, and
// learns nothing else of it. A panic with http.ErrAbortHandler passes through.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := guard(r, func() error { return h.serve(w, r) }); err != nil {
		writeError(w, err)
	}
}

// serve answers the request, unless it returns an error.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request) error {
	endpoint := path.Clean("/" + r.URL.Path)
	compact := strings.HasSuffix(endpoint, "/responses/compact")
	switch {
	case !compact && !strings.HasSuffix(endpoint, "/responses"):
		return NotFound(codeNotFound, "there is nothing at this path", "")
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		err := InvalidRequest(codeMethodNotAllowed, "only POST is allowed", "")
		err.StatusCode = http.StatusMethodNotAllowed
		return err
	case compact:
		return h.compact(w, r)
	}
	return h.respond(w, r)
}

func (h *Handler) respond(w http.ResponseWriter, r *http.Request) error {
	var req Request
	if err := h.readRequest(w, r, &req); err != nil {
		return err
	}
	if req.Background {
		return InvalidRequest(CodeUnsupportedParameter, "background responses are not supported", "background")
	}
	cont, err := h.resolve(r.Context(), &req)
	if err != nil {
		return err
	}
	if req.Stream {
		return h.stream(w, r, req, cont.ID)
	}
	return h.create(w, r, req, cont)
}

func (h *Handler) create(w http.ResponseWriter, r *http.Request, req Request, cont Continuation) error {
	resp, err := h.adapter.Create(r.Context(), req)
	if err != nil {
		return err
	}
	if resp == nil {
		return errNoResponse
	}
	resp = resp.Clone() // the adapter may keep its own
	if resp.absent != 0 {
		resp.fillIn(newResponse(req))
	}
	if cont.Resolved && resp.PreviousResponseID == nil {
		resp.PreviousResponseID = &cont.ID
	}
	if err := h.save(r.Context(), req, resp); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, resp)
}

func (h *Handler) compact(w http.ResponseWriter, r *http.Request) error {
	var req CompactRequest
	if err := h.readRequest(w, r, &req); err != nil {
		return err
	}
	continued := Request{Input: req.Input, PreviousResponseID: req.PreviousResponseID}
	if _, err := h.resolve(r.Context(), &continued); err != nil {
		return err
	}
	req.Input, req.PreviousResponseID = continued.Input, continued.PreviousResponseID
	resp, err := h.adapter.Compact(r.Context(), req)
	if err != nil {
		return err
	}
	if resp == nil {
		return errNoResponse
	}
	filled := *resp
	filled.absent = 0
	return writeJSON(w, http.StatusOK, filled)
}

// newResponse returns the response that a request has before anything is known of it.
func newResponse(req Request) *Response {
	resp := NewResponse(req)
	resp.ID = NewID("resp")
	return resp
}

// fillIn gives the response what its source left out, from another. A response that came from a lax server then has
// all the members that strict clients insist on.
func (r *Response) fillIn(from *Response) {
	to, source := reflect.ValueOf(r).Elem(), reflect.ValueOf(from).Elem()
	for i := range responseMembers {
		if field := to.Field(i); r.absent&(1<<i) != 0 && field.IsZero() {
			field.Set(source.Field(i))
		}
	}
	r.absent = 0
}

// responseMembers is how many members a response declares: the first fields of the struct, in order.
const responseMembers = 31

var errNoResponse = ServerError(codeInternalError, "the adapter gave no response")

// readRequest decodes the body into req and validates it.
func (h *Handler) readRequest(w http.ResponseWriter, r *http.Request, req interface{ Validate() error }) error {
	var body bytes.Buffer
	_, err := io.Copy(&body, http.MaxBytesReader(w, r.Body, h.maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		e := InvalidRequest(codeRequestTooLarge, fmt.Sprintf("the body exceeds %d bytes", tooLarge.Limit), "")
		e.StatusCode = http.StatusRequestEntityTooLarge
		return e
	case err != nil:
		return InvalidRequest(codeInvalidBody, "the body cannot be read: "+err.Error(), "")
	case len(bytes.TrimSpace(body.Bytes())) == 0:
		return InvalidRequest(codeInvalidJSON, "the body is empty", "")
	}
	if err := decodeRequest(body.Bytes(), req); err != nil {
		return InvalidRequest(codeInvalidJSON, "the body is not a request: "+err.Error(), "")
	}
	return req.Validate()
}

// DecodeRequest decodes a request as the Handler does, for those who serve an Adapter over another transport: an item
// of the input without a type is a message when it has a role. It does not validate.
func DecodeRequest(data []byte) (Request, error) {
	var req Request
	err := decodeRequest(data, &req)
	return req, err
}

func decodeRequest(data []byte, req any) error {
	if err := json.Unmarshal(data, req); err != nil {
		return err
	}
	return nameMessages(inputOf(req))
}

// inputOf returns the input of a request, for editing in place.
func inputOf(req any) Items {
	switch req := req.(type) {
	case *Request:
		return req.Input
	case *CompactRequest:
		return req.Input
	}
	return nil
}

// nameMessages makes messages of the items without a type that have a role. The protocol wants the type, but the
// official clients, and what one reads about them, leave it out, and what a user said must not get lost.
func nameMessages(items Items) error {
	for i, item := range items {
		bare, ok := item.(*UnknownItem)
		if !ok || bare.Type != "" {
			continue
		}
		var head struct {
			Role string `json:"role"`
		}
		if json.Unmarshal(bare.Raw, &head) != nil || head.Role == "" {
			continue
		}
		message := new(Message)
		if err := json.Unmarshal(bare.Raw, message); err != nil {
			return fmt.Errorf("items[%d]: %w", i, err)
		}
		items[i] = message
	}
	return nil
}

// resolve inlines the conversation that the request continues, if there is a store.
func (h *Handler) resolve(ctx context.Context, req *Request) (Continuation, error) {
	if h.store == nil {
		return Continuation{ID: req.PreviousResponseID}, nil
	}
	cont, err := ResolveContinuation(ctx, req, h.store)
	if err == nil && cont.ID != "" && !cont.Resolved {
		err = PreviousResponseNotFound(cont.ID)
	}
	return cont, err
}

// save keeps the conversation for requests that continue it, also when the client doesn't wait for the answer.
func (h *Handler) save(ctx context.Context, req Request, resp *Response) error {
	if h.store == nil || resp.ID == "" || !req.Stored() {
		return nil
	}
	switch resp.Status {
	case ResponseStatusCompleted, ResponseStatusIncomplete:
		return h.store.Save(context.WithoutCancel(ctx), resp.ID, History(req, resp))
	}
	return nil
}

// writeJSON writes v as the whole answer. The error is that v can't be encoded; nothing is written then. One of
// writing is for nobody: the peer is gone.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return ServerError(codeEncodeFailed, "the response cannot be encoded: "+err.Error())
	}
	w.Header().Set("Content-Type", mediaTypeJSON)
	w.WriteHeader(status)
	w.Write(data)
	return nil
}

// writeError writes the error as the whole answer.
func writeError(w http.ResponseWriter, err error) {
	e := AsError(err)
	status := e.HTTPStatus()
	if status < 400 || status > 999 {
		status = http.StatusInternalServerError // a success, or what net/http panics on
	}
	for name, values := range e.Headers {
		switch name = http.CanonicalHeaderKey(name); name {
		case "Content-Length", "Content-Type", "Transfer-Encoding", "Connection":
			continue // not the error's to say
		}
		for _, v := range values {
			w.Header().Add(name, v)
		}
	}
	body := struct {
		Error ErrorPayload `json:"error"`
	}{e.Payload()}
	writeJSON(w, status, body) // strings, which can be encoded
}

// guard calls f and makes a panic in it an error, logged where the server logs.
func guard(r *http.Request, f func() error) (err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		if v == http.ErrAbortHandler {
			panic(v)
		}
		logf := log.Printf
		if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
			logf = server.ErrorLog.Printf
		}
		logf("openresponses: panic serving %s: %v\n%s", r.URL.Path, v, debug.Stack())
		err = errPanicked
	}()
	return f()
}

var errPanicked = ServerError(codeInternalError, "the adapter failed unexpectedly")
