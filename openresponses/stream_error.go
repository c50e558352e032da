package openresponses

import (
	"fmt"
	"time"
)

// IdleError reports a stream on which the server kept silent for too long: no data came, whatever else did.
// Comments that keep a connection alive are not data. It is a net.Error that timed out, as for a connection that
// broke.
type IdleError struct {
	Model string        // the model that was asked; may be empty
	Wait  time.Duration // the longest silence allowed
}

// Error names the model and the wait.
func (e *IdleError) Error() string {
	if e.Model == "" {
		return fmt.Sprintf("openresponses: no data on the stream for %v", e.Wait)
	}
	return fmt.Sprintf("openresponses: no data from model %q for %v", e.Model, e.Wait)
}

// Timeout returns true.
func (e *IdleError) Timeout() bool { return true }

// Temporary returns true: another attempt may succeed. It is there for net.Error.
func (e *IdleError) Temporary() bool { return true }

// FrameTooLargeError reports a frame of a stream that is longer than the reader accepts.
type FrameTooLargeError struct {
	Limit int64 // in bytes
}

// Error names the limit.
func (e *FrameTooLargeError) Error() string {
	const mib = 1 << 20
	if e.Limit%mib == 0 {
		return fmt.Sprintf("openresponses: sse: frame exceeds %d MiB", e.Limit/mib)
	}
	return fmt.Sprintf("openresponses: sse: frame exceeds %d bytes", e.Limit)
}
