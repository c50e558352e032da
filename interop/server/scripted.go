package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/ChristopherDavenport/openresponses"
)

// Scripted is an adapter in place of a model. The model that a request names is the script that it follows; a number
// in place of a name is the status of an error. It is safe for concurrent use.
type Scripted struct {
	mu       sync.Mutex
	requests map[string]*Tracked
}

// Tracked is what Scripted knows of the requests whose metadata has one key.
type Tracked struct {
	Waiting   chan struct{} // closed once the script Waits waits
	Cancelled chan struct{} // closed once its request has ended

	attempts int
}

// NewScripted returns an adapter that has seen no requests.
func NewScripted() *Scripted {
	return &Scripted{requests: map[string]*Tracked{}}
}

// Scripts that clients name as their model.
const (
	Reasoning   = "reasoning"    // a reasoning item with all that it can have, then a message
	Refusal     = "refusal"      // a message that refuses
	Citations   = "citations"    // a text with an annotation and log probabilities
	Calls       = "calls"        // a call for each set of OddArguments, then an answer that lists the outputs
	Media       = "media"        // a message that tells what the last message holds
	Foreign     = "foreign"      // an item and an annotation of types that are not of the protocol
	Structured  = "structured"   // JSON that fits the schema {"city": string, "degrees": number}
	CutOff      = "cut_off"      // an incomplete message
	RateLimited = "rate_limited" // an error on the first attempt of each metadata key, told to wait RetryAfter
	FailsLate   = "fails_late"   // an error after half a message
	FailsPlain  = "fails_plain"  // an error that is not of the protocol, before anything
	Panics      = "panics"       // a panic after half a message
	Waits       = "waits"        // half a message, then nothing until the request ends
	Surrogates  = "surrogates"   // bytes that are not UTF-8, in a text and in arguments
)

// Key is the metadata key by which tests tell their requests apart.
const Key = "key"

// RetryAfter is how many seconds the script RateLimited asks a client to wait.
const RetryAfter = 7

// OddArguments are what models send as arguments beside objects. All are to reach the client as they are.
var OddArguments = []string{
	`{"a":1}`, ``, `null`, `{"a":`, `[1]`, `"str"`, `{"a":1}{"b":2}`, `{"emoji":"\ud83d"}`, `{"a":"<&>\u2028"}`,
}

var errPlain = errors.New("the disk is full")

// Tracked returns what there is to know of the requests with a key. A key is for one request that waits.
func (s *Scripted) Tracked(key string) *Tracked {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.requests[key] == nil {
		s.requests[key] = &Tracked{Waiting: make(chan struct{}), Cancelled: make(chan struct{})}
	}
	return s.requests[key]
}

func (s *Scripted) attempt(key string) int {
	tracked := s.Tracked(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	tracked.attempts++
	return tracked.attempts
}

// Create returns what CreateStream streams.
func (s *Scripted) Create(ctx context.Context, req openresponses.Request) (*openresponses.Response, error) {
	return openresponses.CollectStream(ctx, s, req)
}

// Compact gives the error of the embedded type in package openresponses.
func (s *Scripted) Compact(ctx context.Context, req openresponses.CompactRequest) (*openresponses.CompactResponse, error) {
	return openresponses.UnsupportedCompaction{}.Compact(ctx, req)
}

// CreateStream follows the script.
func (s *Scripted) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	if status, err := strconv.Atoi(req.Model); err == nil {
		return statusError(status)
	}
	e := openresponses.NewEmitter(sink, openresponses.NewResponse(req))
	switch req.Model {
	case RateLimited:
		return s.rateLimited(e, req.Metadata[Key])
	case Waits:
		return s.wait(ctx, e, req.Metadata[Key])
	case CutOff:
		return cutOff(e)
	case FailsPlain:
		return errPlain
	}
	write, ok := map[string]func(*openresponses.Emitter, openresponses.Request) error{
		Reasoning: reasoning, Refusal: refusal, Citations: citations, Calls: calls, Media: media, Foreign: foreign,
		Structured: structured, FailsLate: failsLate, Panics: panics, Surrogates: surrogates,
	}[req.Model]
	if !ok {
		return openresponses.NotFound("model_not_found", fmt.Sprintf("there is no script %q", req.Model), "model")
	}
	if err := write(e, req); err != nil {
		return err
	}
	e.Response().Usage = &openresponses.Usage{
		InputTokens: 11, InputTokensDetails: openresponses.InputTokensDetails{CachedTokens: 3},
		OutputTokens: 7, OutputTokensDetails: openresponses.OutputTokensDetails{ReasoningTokens: 2},
		TotalTokens: 18,
	}
	return e.Complete()
}

func statusError(status int) error {
	typ := openresponses.ErrorTypeServerError
	switch {
	case status == http.StatusNotFound:
		typ = openresponses.ErrorTypeNotFound
	case status == http.StatusTooManyRequests:
		typ = openresponses.ErrorTypeTooManyRequests
	case status < 500:
		typ = openresponses.ErrorTypeInvalidRequest
	}
	return &openresponses.Error{
		StatusCode: status, Type: typ, Code: "scripted", Message: "as the script has it", Param: "model",
	}
}

// say streams a message in the given pieces.
func say(e *openresponses.Emitter, pieces ...string) error {
	w, err := e.Message(openresponses.PhaseFinalAnswer)
	for _, piece := range pieces {
		if err == nil {
			err = w.Text(piece)
		}
	}
	return err
}

func (s *Scripted) rateLimited(e *openresponses.Emitter, key string) error {
	attempt := s.attempt(key)
	if attempt == 1 {
		return openresponses.TooManyRequests("slow_down", "too fast").
			WithHeader("Retry-After", strconv.Itoa(RetryAfter)).WithHeader("X-RateLimit-Remaining-Requests", "0")
	}
	if err := say(e, fmt.Sprintf("attempt %d", attempt)); err != nil {
		return err
	}
	return e.Complete()
}

func (s *Scripted) wait(ctx context.Context, e *openresponses.Emitter, key string) error {
	if err := say(e, "Half a ", "message"); err != nil {
		return err
	}
	tracked := s.Tracked(key)
	close(tracked.Waiting)
	<-ctx.Done()
	close(tracked.Cancelled)
	return ctx.Err()
}

func cutOff(e *openresponses.Emitter) error {
	if err := say(e, "Half a ", "message"); err != nil {
		return err
	}
	return e.Incomplete(openresponses.IncompleteReasonMaxOutputTokens)
}

func reasoning(e *openresponses.Emitter, _ openresponses.Request) error {
	w, err := e.Reasoning()
	if err != nil {
		return err
	}
	w.EncryptedContent("c2VjcmV0")
	err = errors.Join(
		w.Summary("First "), w.Summary("this."), w.EndSummary(), w.Summary("Then that."),
		w.Text("Because "), w.Text("of it."), w.Close())
	if err != nil {
		return err
	}
	return say(e, "So ", "be it.")
}

func refusal(e *openresponses.Emitter, _ openresponses.Request) error {
	w, err := e.Message("")
	if err != nil {
		return err
	}
	return errors.Join(w.Refusal("I will "), w.Refusal("not."))
}

func citations(e *openresponses.Emitter, _ openresponses.Request) error {
	w, err := e.Message("")
	if err != nil {
		return err
	}
	return errors.Join(
		w.Text("See "), w.Text("there."),
		w.Annotation(&openresponses.URLCitation{URL: "https://example.org/", Title: "There", StartIndex: 4, EndIndex: 10}),
		w.Logprobs(openresponses.LogProb{Token: "See ", Logprob: -0.25, TopLogprobs: []openresponses.TopLogProb{
			{Token: "See ", Logprob: -0.25, Bytes: []int{83, 101, 101, 32}},
		}}))
}

func calls(e *openresponses.Emitter, req openresponses.Request) error {
	var outputs []string
	for _, item := range req.Input {
		if output, ok := item.(*openresponses.FunctionCallOutput); ok {
			outputs = append(outputs, output.CallID+"="+output.Output.String())
		}
	}
	if outputs != nil {
		return say(e, strings.Join(outputs, ","))
	}
	for i, arguments := range OddArguments {
		w, err := e.FunctionCall(fmt.Sprintf("call_%d", i), "tool")
		if err != nil {
			return err
		}
		middle := len(arguments) / 2
		if err := errors.Join(w.Arguments(arguments[:middle]), w.Arguments(arguments[middle:])); err != nil {
			return err
		}
	}
	return nil
}

func media(e *openresponses.Emitter, req openresponses.Request) error {
	if len(req.Input) == 0 {
		return say(e, "nothing")
	}
	message, ok := req.Input[len(req.Input)-1].(*openresponses.Message)
	if !ok {
		return say(e, fmt.Sprintf("no message but %T", req.Input[len(req.Input)-1]))
	}
	var parts []string
	for _, part := range message.Content {
		switch part := part.(type) {
		case *openresponses.InputText:
			parts = append(parts, "text "+part.Text)
		case *openresponses.InputImage:
			parts = append(parts, fmt.Sprintf("image %s %s", part.ImageURL, part.Detail))
		case *openresponses.InputFile:
			parts = append(parts, fmt.Sprintf("file %s %s", part.Filename, part.FileData))
		default:
			parts = append(parts, part.ContentType())
		}
	}
	return say(e, strings.Join(parts, "; "))
}

func foreign(e *openresponses.Emitter, _ openresponses.Request) error {
	search := &openresponses.UnknownItem{Raw: json.RawMessage(
		`{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"weather"}}`)}
	if err := json.Unmarshal(search.Raw, search); err != nil {
		return err
	}
	if err := e.Item(search); err != nil {
		return err
	}
	w, err := e.Message("")
	if err != nil {
		return err
	}
	return errors.Join(w.Text("Found."), w.Annotation(&openresponses.UnknownAnnotation{
		Type: "file_citation",
		Raw:  json.RawMessage(`{"type":"file_citation","file_id":"file_1","filename":"a.txt","index":0}`),
	}))
}

func structured(e *openresponses.Emitter, _ openresponses.Request) error {
	return say(e, `{"city":"Bern",`, `"degrees":21.5}`)
}

func failsLate(e *openresponses.Emitter, _ openresponses.Request) error {
	if err := say(e, "Half a ", "message"); err != nil {
		return err
	}
	return openresponses.ModelError("overloaded", "the model is overloaded")
}

func panics(e *openresponses.Emitter, _ openresponses.Request) error {
	if err := say(e, "Half a ", "message"); err != nil {
		return err
	}
	panic("a secret of the server")
}

func surrogates(e *openresponses.Emitter, _ openresponses.Request) error {
	if err := say(e, "a\xffb", "\xf0\x9f", "\x98\x80", "\xed\xa0\xbd"); err != nil {
		return err
	}
	w, err := e.FunctionCall("call_0", "tool")
	if err != nil {
		return err
	}
	return w.Arguments("{\"a\":\"\xff\"}")
}
