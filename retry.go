package agentturn

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/ChristopherDavenport/openresponses"
)

// Retry says when a model call that failed is made again. The zero value never does.
//
// Only an attempt that has not committed is repeated: one in which no message and no
// function call had opened yet and no response arrived. What it streamed until then,
// reasoning above all, went out as [ItemStart] and [ItemUpdate] and is dropped without
// an [ItemEnd]. A repeated attempt is announced by [ModelRetry] and belongs to the same
// turn.
type Retry struct {
	// MaxAttempts is how often a turn may call the model, the first time included.
	// Zero and one mean no retry.
	MaxAttempts int

	// Backoff returns how long to wait after attempt number attempt, counted from 1,
	// failed with err. nil means [DefaultBackoff]. Zero or less does not wait.
	Backoff func(attempt int, err error) time.Duration

	// MaxDelay is the longest wait accepted: when Backoff asks for more, as a server
	// may with Retry-After, the failure is final. Zero means 5 minutes; negative
	// means no limit.
	MaxDelay time.Duration

	// Retryable reports whether err is worth another attempt. nil means
	// [DefaultRetryable].
	Retryable func(error) bool

	// Revise may change the request for the next attempt: another model, fewer tokens.
	// It gets a copy of the request that failed, to edit in place, or returns a request
	// to send instead. The copy shares slices and maps with the original: replace them,
	// do not write to them. What it leaves is what later attempts build on, and what
	// [ModelRetry] reports.
	Revise func(attempt int, req *openresponses.Request, err error) *openresponses.Request
}

const (
	defaultMaxDelay = 5 * time.Minute
	firstBackoff    = 500 * time.Millisecond
	maxBackoff      = 30 * time.Second
)

// next decides on attempt number attempt, which failed with err: whether another one
// follows, and after how long.
func (r Retry) next(attempt int, err error) (delay time.Duration, ok bool) {
	if attempt >= r.MaxAttempts {
		return 0, false
	}
	retryable := r.Retryable
	if retryable == nil {
		retryable = DefaultRetryable
	}
	if !retryable(err) {
		return 0, false
	}
	backoff := r.Backoff
	if backoff == nil {
		backoff = DefaultBackoff
	}
	delay = backoff(attempt, err)
	limit := r.MaxDelay
	if limit == 0 {
		limit = defaultMaxDelay
	}
	if limit > 0 && delay > limit {
		return 0, false
	}
	return delay, true
}

// DefaultBackoff waits half a second after the first attempt and doubles that with each
// further one, up to 30 seconds. A Retry-After header on an openresponses error in err
// takes its place, in seconds or as a date; other forms are ignored.
func DefaultBackoff(attempt int, err error) time.Duration {
	if refused, ok := serverError(err); ok {
		if delay, ok := retryAfter(refused); ok {
			return delay
		}
	}
	delay := firstBackoff
	for range attempt - 1 {
		if delay *= 2; delay >= maxBackoff {
			return maxBackoff
		}
	}
	return delay
}

// DefaultRetryable accepts what may pass on its own: an openresponses error of status
// 408, 409, 429, 500 or above, a stream that was cut off, and failures of the transport.
// Everything else is final, a cancelled context included.
func DefaultRetryable(err error) bool {
	if refused, ok := serverError(err); ok {
		switch status := refused.HTTPStatus(); status {
		case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooManyRequests:
			return true
		default:
			return status >= http.StatusInternalServerError
		}
	}
	for _, passing := range []error{
		openresponses.ErrTruncatedStream,
		io.EOF, io.ErrUnexpectedEOF,
		syscall.ECONNRESET, syscall.ECONNREFUSED, syscall.EPIPE,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	var transport net.Error
	return errors.As(err, &transport)
}

// serverError returns the error a server answered with, anywhere in err.
func serverError(err error) (*openresponses.Error, bool) {
	var refused *openresponses.Error
	ok := errors.As(err, &refused) && refused != nil
	return refused, ok
}

// retryAfter reads the Retry-After header of err. A date is taken relative to the
// server's own clock where it sent the time, so that ours need not be right.
func retryAfter(err *openresponses.Error) (time.Duration, bool) {
	value := strings.TrimSpace(err.Headers.Get("Retry-After"))
	seconds, parseErr := strconv.ParseUint(value, 10, 64)
	if parseErr == nil || errors.Is(parseErr, strconv.ErrRange) {
		const most = uint64(1<<63-1) / uint64(time.Second)
		return time.Duration(min(seconds, most)) * time.Second, true
	}
	at, parseErr := http.ParseTime(value)
	if parseErr != nil {
		return 0, false
	}
	now, parseErr := http.ParseTime(err.ResponseHeaders.Get("Date"))
	if parseErr != nil {
		now = time.Now()
	}
	return max(at.Sub(now), 0), true
}
