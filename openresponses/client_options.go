package openresponses

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/ChristopherDavenport/openresponses/internal/sse"
)

// A ClientOption sets one property of a Client. Options apply in order; middleware applies after them all.
type ClientOption func(*Client)

// WithAPIKey sends the key with each request. An empty key sends none.
func WithAPIKey(key string) ClientOption {
	return func(c *Client) { c.key = key }
}

// WithAuthHeader sends the key in that header field, after the prefix, in place of "Authorization" and "Bearer ".
func WithAuthHeader(name, prefix string) ClientOption {
	return func(c *Client) { c.authHeader, c.authPrefix = name, prefix }
}

// WithHTTPClient sends the requests through hc, with its limits of time; nil means the default. Where a redirect
// could take the key or fields of WithHeader to another host, and hc has no CheckRedirect, a copy is used that
// prevents it.
func WithHTTPClient(hc *http.Client) ClientOption {
	return func(c *Client) {
		if hc == nil {
			hc = defaultHTTPClient()
		}
		c.httpClient = hc
	}
}

// WithMaxResponseBytes limits a JSON answer; the default, also for zero or less, is 64 MiB. Streams aren't limited as
// a whole.
func WithMaxResponseBytes(n int64) ClientOption {
	return func(c *Client) { c.maxResponse = positiveOr(n, defaultMaxResponseBytes) }
}

// WithMaxFrameBytes limits one event of a stream as it is on the wire; the default, also for zero or less, is 16 MiB.
func WithMaxFrameBytes(n int64) ClientOption {
	return func(c *Client) { c.maxFrame = positiveOr(n, sse.DefaultLimit) }
}

// WithIdleTimeout limits how long a stream may bring no data; comments, which servers send to keep a connection open,
// aren't data. The stream then fails with an *IdleError. The default is ten minutes; with zero or less a stream may
// be silent for ever.
func WithIdleTimeout(d time.Duration) ClientOption {
	return func(c *Client) { c.idleTimeout = max(d, 0) }
}

func positiveOr(n, def int64) int64 {
	if n > 0 {
		return n
	}
	return def
}

// WithHeader adds a header field to each request. The key and the user agent replace a field of their name.
func WithHeader(name, value string) ClientOption {
	return func(c *Client) { c.header.Add(name, value) }
}

// WithUserAgent replaces the user agent; with an empty one it is left to WithHeader or package net/http.
func WithUserAgent(ua string) ClientOption {
	return func(c *Client) { c.userAgent = ua }
}

// WithMiddleware wraps the transport of the HTTP client, for logs, traces or retries. A later middleware is around the
// earlier ones. The HTTP client of WithHTTPClient itself isn't changed.
func WithMiddleware(mw func(http.RoundTripper) http.RoundTripper) ClientOption {
	return func(c *Client) { c.middleware = append(c.middleware, mw) }
}

func (c *Client) applyMiddleware() {
	if len(c.middleware) == 0 {
		return
	}
	wrapped := *c.httpClient
	if wrapped.Transport == nil {
		wrapped.Transport = http.DefaultTransport
	}
	for _, mw := range c.middleware {
		wrapped.Transport = mw(wrapped.Transport)
	}
	c.httpClient = &wrapped
}

func defaultHTTPClient() *http.Client {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return &http.Client{Transport: http.DefaultTransport}
	}
	t = t.Clone()
	t.ResponseHeaderTimeout = headerTimeout
	return &http.Client{Transport: t}
}

const maxRedirects = 10 // as package net/http

// guardRedirects keeps secrets from another host that the server redirects to. Package net/http takes care of
// Authorization alone.
func (c *Client) guardRedirects() {
	secrets := c.header.Clone()
	if c.key != "" {
		secrets.Set(c.authHeader, "")
	}
	secrets.Del("Authorization")
	if len(secrets) == 0 || c.httpClient.CheckRedirect != nil {
		return
	}
	guarded := *c.httpClient
	guarded.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		if len(via) >= maxRedirects {
			return errors.New("stopped after 10 redirects")
		}
		first := via[0].URL
		if req.URL.Host != first.Host || req.URL.Scheme != first.Scheme {
			for name := range secrets {
				req.Header.Del(name)
			}
		}
		return nil
	}
	c.httpClient = &guarded
}

// minSecret is the length below which a key is no secret and may well be part of a word.
const minSecret = 6

// redact takes the key out of an error, should the server have repeated it.
func (c *Client) redact(err *Error) *Error {
	if len(c.key) < minSecret {
		return err
	}
	const mask = "[key]"
	for _, s := range []*string{&err.Message, &err.Code, &err.Param} {
		*s = strings.ReplaceAll(*s, c.key, mask)
	}
	err.Body = bytes.ReplaceAll(err.Body, []byte(c.key), []byte(mask))
	for _, h := range []http.Header{err.Headers, err.ResponseHeaders} {
		for _, values := range h {
			for i, v := range values {
				values[i] = strings.ReplaceAll(v, c.key, mask)
			}
		}
	}
	return err
}
