package responses

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/ChristopherDavenport/openresponses"
)

// Limits bounds what a server takes on. The zero value bounds nothing.
type Limits struct {
	// Concurrent is how many requests are answered at a time. One more is refused with the
	// status 429 and a Retry-After. Zero or less means no limit.
	Concurrent int

	// RetryAfter is what a refused client is told to wait, in whole seconds, rounded up. Zero
	// or less means one second.
	RetryAfter time.Duration

	// Deadline is how long a request may take, from its first byte to the last of the answer.
	// A run that is not done by then is aborted, and its stream ends as failed. Zero or less
	// means no deadline.
	Deadline time.Duration
}

// ErrDeadline is the cause with which a run is aborted for [Limits].Deadline.
var ErrDeadline error = &openresponses.Error{
	Type: openresponses.ErrorTypeServerError, Code: "deadline_exceeded",
	Message: "the request took longer than this server allows", StatusCode: http.StatusGatewayTimeout,
}

// Limit serves with h within limits. The size of a request's body is a property of the
// handler: openresponses.WithMaxBodyBytes.
func Limit(h http.Handler, limits Limits) http.Handler {
	var places chan struct{}
	if limits.Concurrent > 0 {
		places = make(chan struct{}, limits.Concurrent)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if places != nil {
			select {
			case places <- struct{}{}:
				defer func() { <-places }()
			default:
				refuse(w, limits.RetryAfter)
				return
			}
		}
		if limits.Deadline > 0 {
			ctx, cancel := context.WithTimeoutCause(r.Context(), limits.Deadline, ErrDeadline)
			defer cancel()
			r = r.WithContext(ctx)
			// A client that trickles its body in holds a place as well. A little later, so that
			// the context ends for the deadline and not for a connection that failed.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(limits.Deadline + time.Second))
		}
		h.ServeHTTP(w, r)
	})
}

// refuse answers that there is no place.
func refuse(w http.ResponseWriter, after time.Duration) {
	seconds := max(1, int64((after+time.Second-1)/time.Second))
	e := openresponses.TooManyRequests("too_many_requests", "too many requests are being answered")
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
	w.WriteHeader(e.HTTPStatus())
	json.NewEncoder(w).Encode(map[string]openresponses.ErrorPayload{"error": e.Payload()})
}
