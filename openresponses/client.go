package openresponses

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/ChristopherDavenport/openresponses/internal/sse"
)

const (
	defaultUserAgent        = "openresponses-go/" + SpecVersion
	defaultMaxResponseBytes = 64 << 20
	defaultIdleTimeout      = 10 * time.Minute
	headerTimeout           = 2 * time.Minute

	// What is left of a body is read, so that its connection can be used again, if it isn't long and comes soon.
	maxDrain  = 1 << 20
	drainTime = time.Second

	mediaTypeJSON = "application/json"
	mediaTypeSSE  = "text/event-stream"
)

// Client sends requests to a server. It is safe for concurrent use.
//
// It does not retry, and does not validate requests. A server that refuses one gives an *Error; so does none of the
// failures on the way, whose causes are in the error's chain.
type Client struct {
	baseURL     string
	key         string
	authHeader  string
	authPrefix  string
	header      http.Header
	userAgent   string
	httpClient  *http.Client
	middleware  []func(http.RoundTripper) http.RoundTripper
	maxResponse int64
	maxFrame    int64
	idleTimeout time.Duration
}

// NewClient returns a client of the server whose endpoints are under baseURL, such as https://api.openai.com/v1.
//
// Unless options say otherwise it waits up to two minutes for the header of an answer and up to ten for data on a
// stream, and sets no other limit of time: that is for the context of each call.
func NewClient(baseURL string, opts ...ClientOption) *Client {
	c := &Client{
		baseURL:     strings.TrimRight(baseURL, "/"),
		authHeader:  "Authorization",
		authPrefix:  "Bearer ",
		header:      http.Header{},
		userAgent:   defaultUserAgent,
		httpClient:  defaultHTTPClient(),
		maxResponse: defaultMaxResponseBytes,
		maxFrame:    sse.DefaultLimit,
		idleTimeout: defaultIdleTimeout,
	}
	for _, opt := range opts {
		opt(c)
	}
	c.guardRedirects()
	c.applyMiddleware()
	return c
}

// BaseURL returns the base URL without a slash at its end.
func (c *Client) BaseURL() string { return c.baseURL }

// HTTPClient returns the HTTP client that the requests go through, middleware included.
func (c *Client) HTTPClient() *http.Client { return c.httpClient }

// MaxResponseBytes returns the limit on a JSON answer.
func (c *Client) MaxResponseBytes() int64 { return c.maxResponse }

// RequestHeaders returns the header of each request but for what depends on its body: the user's own fields, the key
// and the user agent. The map is the caller's, and holds the key.
func (c *Client) RequestHeaders() http.Header {
	h := c.header.Clone()
	if c.key != "" {
		h.Set(c.authHeader, c.authPrefix+c.key)
	}
	if c.userAgent != "" {
		h.Set("User-Agent", c.userAgent)
	}
	return h
}

// Create asks for a whole response, whatever the request says of streaming. A response that failed is no error.
func (c *Client) Create(ctx context.Context, req Request) (*Response, error) {
	req.Stream = false
	res, err := c.post(ctx, "/responses", req, mediaTypeJSON)
	if err != nil {
		return nil, err
	}
	resp := new(Response)
	if err := c.decodeBody(res, resp); err != nil {
		return nil, err
	}
	return resp, nil
}

// Compact asks the server to compact a conversation.
func (c *Client) Compact(ctx context.Context, req CompactRequest) (*CompactResponse, error) {
	res, err := c.post(ctx, "/responses/compact", req, mediaTypeJSON)
	if err != nil {
		return nil, err
	}
	resp := new(CompactResponse)
	if err := c.decodeBody(res, resp); err != nil {
		return nil, err
	}
	return resp, nil
}

// CreateStream asks for the response as a stream, whatever the request says, and returns once the server begins to
// answer. The caller closes the stream; the end of the context ends it too.
//
// From a server that doesn't stream and answers with the whole response, the stream has one event, the terminal one.
func (c *Client) CreateStream(ctx context.Context, req Request) (*EventStream, error) {
	return c.stream(ctx, req, streamOptions{})
}

// stream is CreateStream with options, of which it sets the limits.
func (c *Client) stream(ctx context.Context, req Request, opts streamOptions) (*EventStream, error) {
	req.Stream = true
	res, err := c.post(ctx, "/responses", req, mediaTypeSSE)
	if err != nil {
		return nil, err
	}
	if mediaType(res.Header) == mediaTypeSSE {
		opts.maxFrame, opts.idle, opts.model = c.maxFrame, c.idleTimeout, req.Model
		return newEventStream(ctx, res.Body, opts), nil
	}
	resp := new(Response)
	if err := c.decodeBody(res, resp); err != nil {
		return nil, err
	}
	return newEventStreamOf(ctx, terminalEvent(resp)), nil
}

// mediaType returns the media type that a header announces, in lower case and without parameters.
func mediaType(h http.Header) string {
	contentType := h.Get("Content-Type")
	typ, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		typ, _, _ = strings.Cut(contentType, ";")
		typ = strings.ToLower(strings.TrimSpace(typ))
	}
	return typ
}

// terminalEvent returns the event that ends the stream of a response, by its status.
func terminalEvent(resp *Response) StreamEvent {
	switch resp.Status {
	case ResponseStatusFailed:
		return &ResponseFailedEvent{Response: resp}
	case ResponseStatusIncomplete:
		return &ResponseIncompleteEvent{Response: resp}
	}
	return &ResponseCompletedEvent{Response: resp}
}

// post sends one request, encoded by itself rather than by json.Marshal, which would read
// it over once more, and returns the answer if the server agreed. The caller closes its body.
func (c *Client) post(ctx context.Context, path string, body json.Marshaler, accept string) (*http.Response, error) {
	data, err := body.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("openresponses: encode request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.baseURL+path, bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("openresponses: build request: %w", err)
	}
	req.Header = c.RequestHeaders()
	req.Header.Set("Content-Type", mediaTypeJSON)
	req.Header.Set("Accept", accept)
	res, err := c.httpClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("openresponses: %w", err)
	}
	if res.StatusCode < 200 || res.StatusCode > 299 {
		defer discard(res.Body)
		return nil, c.redact(ErrorFromResponse(res))
	}
	return res, nil
}

// decodeBody decodes the first JSON value of the answer's body, and closes the body.
func (c *Client) decodeBody(res *http.Response, v any) error {
	defer discard(res.Body)
	err := json.NewDecoder(&limitedReader{src: res.Body, left: c.maxResponse, limit: c.maxResponse}).Decode(v)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	var tooLarge *bodyTooLargeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &tooLarge):
		return tooLarge
	}
	return fmt.Errorf("openresponses: decode response: %w", err)
}

func discard(body io.ReadCloser) {
	late := time.AfterFunc(drainTime, func() { body.Close() })
	io.CopyN(io.Discard, body, maxDrain)
	late.Stop()
	body.Close()
}

// limitedReader fails, where io.LimitedReader would pretend that its source ended.
type limitedReader struct {
	src   io.Reader
	left  int64
	limit int64
}

func (r *limitedReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if r.left == 0 {
		// Whether there is more decides.
		if n, err := r.src.Read(p[:1]); n == 0 {
			return 0, err
		}
		return 0, &bodyTooLargeError{r.limit}
	}
	n, err := r.src.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	return n, err
}

type bodyTooLargeError struct{ limit int64 }

func (e *bodyTooLargeError) Error() string {
	return fmt.Sprintf("openresponses: response exceeds %d bytes", e.limit)
}
