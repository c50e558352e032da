package websocket

import (
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/coder/websocket"
)

const (
	defaultKeepalive = 30 * time.Second
	defaultLifetime  = time.Hour
	defaultCacheSize = 4
)

// Option sets one property of the server side of connections.
type Option func(*config)

type config struct {
	keepalive time.Duration
	lifetime  time.Duration
	origins   []string
	cacheSize int
}

// WithKeepalive sets the time from one ping to the next, 30 seconds unless set. A client that doesn't answer within
// as much again is gone. Zero or less sends no pings.
func WithKeepalive(d time.Duration) Option {
	return func(c *config) { c.keepalive = d }
}

// WithLifetime limits how long a connection lasts, whatever it is doing; the default, also for zero or less, is 60
// minutes. The client is told before the connection is closed.
func WithLifetime(d time.Duration) Option {
	return func(c *config) {
		if d <= 0 {
			d = defaultLifetime
		}
		c.lifetime = d
	}
}

// WithOrigins allows pages of other origins to connect, besides those of the server's own host and clients that are
// no browsers. A pattern is one of path.Match for the host of the origin, or for scheme://host if it has a scheme. To
// allow every origin opens a server that trusts cookies or its network to any page its users visit.
func WithOrigins(patterns ...string) Option {
	return func(c *config) { c.origins = append(c.origins, patterns...) }
}

// WithCacheSize sets how many responses of its own a connection can continue without the handler's store; the
// default is 4, and it is at least 1.
func WithCacheSize(n int) Option {
	return func(c *config) { c.cacheSize = n }
}

// Handler returns a handler that accepts WebSockets at paths that end in /responses, and leaves all other requests to
// h. Connections have the adapter, the store and the size limit of h.
//
// A connection ends with its handler's request, whose context the server's BaseContext can end; Shutdown does not wait
// for it.
func Handler(h *openresponses.Handler, opts ...Option) http.Handler {
	c := config{keepalive: defaultKeepalive, lifetime: defaultLifetime, cacheSize: defaultCacheSize}
	for _, opt := range opts {
		opt(&c)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isUpgrade(r) {
			h.ServeHTTP(w, r)
			return
		}
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{OriginPatterns: c.origins})
		if err != nil {
			return // and answered
		}
		serve(h, c, conn, r)
	})
}

func isUpgrade(r *http.Request) bool {
	return r.Method == http.MethodGet &&
		strings.EqualFold(r.Header.Get("Upgrade"), "websocket") &&
		strings.HasSuffix(path.Clean("/"+r.URL.Path), "/responses")
}
