package agentturn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/openresponses"
)

func TestR126(t *testing.T) {
	want := []time.Duration{
		500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second,
		8 * time.Second, 16 * time.Second, 30 * time.Second, 30 * time.Second,
	}
	for i, want := range want {
		if got := DefaultBackoff(i+1, io.EOF); got != want {
			t.Errorf("after attempt %d: %v, want %v", i+1, got, want)
		}
	}
	for attempt, want := range map[int]time.Duration{
		-1: 500 * time.Millisecond, 0: 500 * time.Millisecond, 100: 30 * time.Second, math.MaxInt: 30 * time.Second,
	} {
		if got := DefaultBackoff(attempt, nil); got != want {
			t.Errorf("after attempt %d: %v, want %v", attempt, got, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	const ignored = 2 * time.Second // what the third attempt waits without the header
	date := time.Date(2030, time.March, 1, 12, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		header string
		want   time.Duration
	}{
		"absent":              {"", ignored},
		"seconds":             {"7", 7 * time.Second},
		"spaces":              {" 7\t", 7 * time.Second},
		"zero":                {"0", 0},
		"two hours":           {"7200", 2 * time.Hour},
		"beyond a duration":   {"9999999999999", math.MaxInt64 / time.Second * time.Second},
		"beyond an integer":   {"99999999999999999999999", math.MaxInt64 / time.Second * time.Second},
		"negative":            {"-1", ignored},
		"signed":              {"+1", ignored},
		"fraction":            {"1.5", ignored},
		"go duration":         {"6m0s", ignored},
		"words":               {"soon", ignored},
		"list":                {"1, 2", ignored},
		"date":                {date.Add(time.Minute).Format(http.TimeFormat), time.Minute},
		"date in RFC 850":     {date.Add(time.Minute).Format("Monday, 02-Jan-06 15:04:05 GMT"), time.Minute},
		"date in ANSI C":      {date.Add(time.Minute).Format(time.ANSIC), time.Minute},
		"date of the request": {date.Format(http.TimeFormat), 0},
		"date gone by":        {date.Add(-time.Hour).Format(http.TimeFormat), 0},
		"date cut off":        {date.Format(http.TimeFormat)[:20], ignored},
	} {
		t.Run(name, func(t *testing.T) {
			refused := &openresponses.Error{
				StatusCode:      http.StatusTooManyRequests,
				Headers:         http.Header{},
				ResponseHeaders: http.Header{"Date": {date.Format(http.TimeFormat)}},
			}
			if test.header != "" {
				refused.Headers.Set("Retry-After", test.header)
			}
			if got := DefaultBackoff(3, fmt.Errorf("wrapped: %w", refused)); got != test.want {
				t.Errorf("%q: %v, want %v", test.header, got, test.want)
			}
		})
	}
	t.Run("date by our clock", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			refused := &openresponses.Error{Headers: http.Header{
				"Retry-After": {time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)},
			}}
			if got := DefaultBackoff(3, refused); got != time.Minute {
				t.Errorf("%v, want a minute", got)
			}
		})
	})
}

func TestDefaultRetryable(t *testing.T) {
	status := func(code int) error { return &openresponses.Error{StatusCode: code} }
	for name, test := range map[string]struct {
		err  error
		want bool
	}{
		"200":                     {status(200), false},
		"400":                     {status(400), false},
		"401":                     {status(401), false},
		"404":                     {status(404), false},
		"408":                     {status(408), true},
		"409":                     {status(409), true},
		"422":                     {status(422), false},
		"429":                     {status(429), true},
		"499":                     {status(499), false},
		"500":                     {status(500), true},
		"503":                     {status(503), true},
		"529":                     {status(529), true},
		"wrapped 503":             {fmt.Errorf("model: %w", status(503)), true},
		"type alone, final":       {&openresponses.Error{Type: openresponses.ErrorTypeInvalidRequest}, false},
		"type alone, passing":     {&openresponses.Error{Type: openresponses.ErrorTypeTooManyRequests}, true},
		"status beats transport":  {errors.Join(status(400), io.EOF), false},
		"truncated stream":        {fmt.Errorf("read: %w", openresponses.ErrTruncatedStream), true},
		"EOF":                     {io.EOF, true},
		"unexpected EOF":          {fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true},
		"reset":                   {syscall.ECONNRESET, true},
		"refused":                 {syscall.ECONNREFUSED, true},
		"broken pipe":             {syscall.EPIPE, true},
		"network":                 {&net.OpError{Op: "dial", Err: errors.New("no route")}, true},
		"deadline":                {fmt.Errorf("call: %w", context.DeadlineExceeded), true},
		"cancelled":               {context.Canceled, false},
		"anything else":           {errors.New("no"), false},
		"nil pointer of an error": {(*openresponses.Error)(nil), false},
		"nil":                     {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := DefaultRetryable(test.err); got != test.want {
				t.Errorf("DefaultRetryable(%v) = %t", test.err, got)
			}
		})
	}
}

func TestRetryNext(t *testing.T) {
	passing := &openresponses.Error{StatusCode: 503}
	waits := func(delay time.Duration) func(int, error) time.Duration {
		return func(int, error) time.Duration { return delay }
	}
	for name, test := range map[string]struct {
		retry   Retry
		attempt int
		err     error
		delay   time.Duration
		ok      bool
	}{
		"zero value":           {Retry{}, 1, passing, 0, false},
		"one attempt":          {Retry{MaxAttempts: 1}, 1, passing, 0, false},
		"negative":             {Retry{MaxAttempts: -1}, 1, passing, 0, false},
		"first of two":         {Retry{MaxAttempts: 2}, 1, passing, 500 * time.Millisecond, true},
		"second of two":        {Retry{MaxAttempts: 2}, 2, passing, 0, false},
		"second of three":      {Retry{MaxAttempts: 3}, 2, passing, time.Second, true},
		"final error":          {Retry{MaxAttempts: 3}, 1, &openresponses.Error{StatusCode: 400}, 0, false},
		"own idea of passing":  {Retry{MaxAttempts: 3, Retryable: func(err error) bool { return err == errNo }}, 1, errNo, 500 * time.Millisecond, true},
		"own idea of final":    {Retry{MaxAttempts: 3, Retryable: func(error) bool { return false }}, 1, passing, 0, false},
		"own backoff":          {Retry{MaxAttempts: 3, Backoff: waits(time.Minute)}, 1, passing, time.Minute, true},
		"no wait":              {Retry{MaxAttempts: 3, Backoff: waits(0)}, 1, passing, 0, true},
		"negative wait":        {Retry{MaxAttempts: 3, Backoff: waits(-1)}, 1, passing, -1, true},
		"up to five minutes":   {Retry{MaxAttempts: 3, Backoff: waits(5 * time.Minute)}, 1, passing, 5 * time.Minute, true},
		"over five minutes":    {Retry{MaxAttempts: 3, Backoff: waits(5*time.Minute + 1)}, 1, passing, 0, false},
		"up to a bound of own": {Retry{MaxAttempts: 3, MaxDelay: time.Hour, Backoff: waits(time.Hour)}, 1, passing, time.Hour, true},
		"over a bound of own":  {Retry{MaxAttempts: 3, MaxDelay: time.Second, Backoff: waits(time.Minute)}, 1, passing, 0, false},
		"without a bound":      {Retry{MaxAttempts: 3, MaxDelay: -1, Backoff: waits(24 * time.Hour)}, 1, passing, 24 * time.Hour, true},
		"server asks too much": {Retry{MaxAttempts: 3}, 1, passing503After("7200"), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			delay, ok := test.retry.next(test.attempt, test.err)
			if delay != test.delay || ok != test.ok {
				t.Errorf("got %v, %t, want %v, %t", delay, ok, test.delay, test.ok)
			}
		})
	}
}

var errNo = errors.New("no")

func passing503After(seconds string) error {
	return &openresponses.Error{StatusCode: 503, Headers: http.Header{"Retry-After": {seconds}}}
}
