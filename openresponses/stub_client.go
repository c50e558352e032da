package openresponses

import (
	"context"
	"iter"
	"net/http"
)

type Client struct {
}

type ClientOption func(*Client)

func NewClient(baseURL string, opts ...ClientOption) *Client { panic("not implemented") }

func WithAPIKey(key string) ClientOption { panic("not implemented") }

func WithAuthHeader(name, prefix string) ClientOption { panic("not implemented") }

func WithHTTPClient(hc *http.Client) ClientOption { panic("not implemented") }

func WithMaxResponseBytes(n int64) ClientOption { panic("not implemented") }

func WithHeader(name, value string) ClientOption { panic("not implemented") }

func WithUserAgent(ua string) ClientOption { panic("not implemented") }

func WithMiddleware(mw func(http.RoundTripper) http.RoundTripper) ClientOption {
	panic("not implemented")
}

func (c *Client) BaseURL() string { panic("not implemented") }

func (c *Client) Create(ctx context.Context, req Request) (*Response, error) {
	panic("not implemented")
}

func (c *Client) CreateStream(ctx context.Context, req Request) (*EventStream, error) {
	panic("not implemented")
}

func (c *Client) Compact(ctx context.Context, req CompactRequest) (*CompactResponse, error) {
	panic("not implemented")
}

func (c *Client) RequestHeaders() http.Header { panic("not implemented") }

func (c *Client) HTTPClient() *http.Client { panic("not implemented") }

func (c *Client) MaxResponseBytes() int64 { panic("not implemented") }

func (c *Client) AsAdapter() *ClientAdapter { panic("not implemented") }

type ClientAdapter struct {
	Client *Client
}

func (a *ClientAdapter) Create(ctx context.Context, req Request) (*Response, error) {
	panic("not implemented")
}

func (a *ClientAdapter) Compact(ctx context.Context, req CompactRequest) (*CompactResponse, error) {
	panic("not implemented")
}

func (a *ClientAdapter) CreateStream(ctx context.Context, req Request, sink EventSink) error {
	panic("not implemented")
}

type Adapter interface {
	Create(ctx context.Context, req Request) (*Response, error)
	CreateStream(ctx context.Context, req Request, sink EventSink) error
	Compact(ctx context.Context, req CompactRequest) (*CompactResponse, error)
}

type EventSink interface {
	Send(ev StreamEvent) error
}

type EventSinkFunc func(ev StreamEvent) error

func (f EventSinkFunc) Send(ev StreamEvent) error { panic("not implemented") }

type Streamer interface {
	CreateStream(ctx context.Context, req Request, sink EventSink) error
}

func CollectStream(ctx context.Context, s Streamer, req Request) (*Response, error) {
	panic("not implemented")
}

func Events(ctx context.Context, s Streamer, req Request) iter.Seq2[StreamEvent, error] {
	panic("not implemented")
}

type UnsupportedStreaming struct{}

func (UnsupportedStreaming) CreateStream(context.Context, Request, EventSink) error {
	panic("not implemented")
}

type UnsupportedCompaction struct{}

func (UnsupportedCompaction) Compact(context.Context, CompactRequest) (*CompactResponse, error) {
	panic("not implemented")
}

type Handler struct {
}

type HandlerOption func(*Handler)

func NewHandler(adapter Adapter, opts ...HandlerOption) *Handler { panic("not implemented") }

func WithResponseStore(store ResponseStore) HandlerOption { panic("not implemented") }

func WithMaxBodyBytes(n int64) HandlerOption { panic("not implemented") }

func (h *Handler) Adapter() Adapter { panic("not implemented") }

func (h *Handler) Store() ResponseStore { panic("not implemented") }

func (h *Handler) MaxBodyBytes() int64 { panic("not implemented") }

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { panic("not implemented") }

func NewID(prefix string) string { panic("not implemented") }

type ResponseStore interface {
	Load(ctx context.Context, id string) (history Items, ok bool, err error)
	Save(ctx context.Context, id string, history Items) error
	Delete(ctx context.Context, id string) error
}

type MemoryStore struct {
}

func NewMemoryStore(capacity int) *MemoryStore { panic("not implemented") }

func (m *MemoryStore) Load(_ context.Context, id string) (Items, bool, error) {
	panic("not implemented")
}

func (m *MemoryStore) Save(_ context.Context, id string, history Items) error {
	panic("not implemented")
}

func (m *MemoryStore) Delete(_ context.Context, id string) error { panic("not implemented") }

func (m *MemoryStore) Len() int { panic("not implemented") }

type Continuation struct {
	ID       string
	Resolved bool
}

func ResolveContinuation(ctx context.Context, req *Request, stores ...ResponseStore) (Continuation, error) {
	panic("not implemented")
}

func History(req Request, resp *Response) Items { panic("not implemented") }

func StampPreviousID(ev StreamEvent, id string) { panic("not implemented") }
