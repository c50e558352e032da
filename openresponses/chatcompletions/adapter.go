package chatcompletions

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/ChristopherDavenport/openresponses"
)

const defaultMaxTokensField = "max_tokens"

// Adapter is a model behind a Chat Completions endpoint. New makes one; it is safe for concurrent use.
//
// It streams in all cases and doesn't compact. Each request stands alone: one with a previous_response_id is refused,
// as are the features that Chat Completions doesn't have. Errors are of type *openresponses.Error, but for those of
// the context and of the sink.
type Adapter struct {
	openresponses.UnsupportedCompaction

	client         *openresponses.Client
	maxTokensField string
	replayField    string
	extra          bool
}

var _ openresponses.Adapter = (*Adapter)(nil)

// Option sets one property of an Adapter.
type Option func(*Adapter)

// New returns an adapter that posts to /chat/completions under the client's base URL, with its HTTP client and headers.
func New(client *openresponses.Client, opts ...Option) *Adapter {
	a := &Adapter{client: client, maxTokensField: defaultMaxTokensField}
	for _, opt := range opts {
		opt(a)
	}
	return a
}

// WithMaxTokensField names the member that limits the output. The default, also for an empty name, is max_tokens;
// OpenAI's newer models want max_completion_tokens.
func WithMaxTokensField(name string) Option {
	return func(a *Adapter) {
		if name == "" {
			name = defaultMaxTokensField
		}
		a.maxTokensField = name
	}
}

// WithReasoningReplay sends the reasoning of earlier turns back, in that member of the assistant's messages, such as
// reasoning_content. Without it, or with an empty name, reasoning isn't sent back.
func WithReasoningReplay(field string) Option {
	return func(a *Adapter) { a.replayField = field }
}

// WithExtra passes on the members of a request that the protocol doesn't know, in Request.Extra. They can't replace
// one that the adapter sends itself.
func WithExtra() Option {
	return func(a *Adapter) { a.extra = true }
}

var errNoClient = errors.New("chatcompletions: an adapter without a client")

// Create returns the response that CreateStream streams.
func (a *Adapter) Create(ctx context.Context, req openresponses.Request) (*openresponses.Response, error) {
	return openresponses.CollectStream(ctx, a, req)
}

// CreateStream asks the server and streams its answer. It sends nothing until the server does, so that a refusal is an
// error alone.
func (a *Adapter) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	if a == nil || a.client == nil {
		return errNoClient
	}
	body, err := a.body(req)
	if err != nil {
		return err
	}
	res, err := a.post(ctx, body)
	if err != nil {
		return err
	}
	defer drain(res.Body)
	c := completion{emitter: openresponses.NewEmitter(sink, openresponses.NewResponse(req))}
	chunks := newChunkReader(res.Body, a.client.MaxResponseBytes())
	for {
		chunk, err := chunks.next()
		switch {
		case ended(err, c.finish != ""):
			return c.end()
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err == io.ErrUnexpectedEOF:
			return upstreamError(err)
		case err != nil:
			return err
		case chunk.failure != nil:
			return redacted(errorFromStream(chunk.failure), a.client.RequestHeaders())
		}
		if err := c.add(chunk); err != nil {
			return err
		}
	}
}

// post sends the request and returns the answer of a server that agreed. The caller closes its body.
func (a *Adapter) post(ctx context.Context, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.client.BaseURL()+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, upstreamError(err)
	}
	req.Header = a.client.RequestHeaders()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	res, err := a.client.HTTPClient().Do(req)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, upstreamError(err)
	case res.StatusCode < 200 || res.StatusCode > 299:
		defer drain(res.Body)
		return nil, redacted(errorFromResponse(res), a.client.RequestHeaders())
	}
	return res, nil
}
