package chatcompletions

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ChristopherDavenport/openresponses/internal/sse"
)

const doneMarker = "[DONE]"

// chunkReader reads the chunks of an answer. Its first character tells a stream of Server-Sent Events from a bare JSON
// object; the media type doesn't always.
type chunkReader struct {
	body  *bufio.Reader
	limit int64                  // of a frame or of the bare objects
	frame func() ([]byte, error) // nil until the first character came
	cut   func() bool            // the last frame was cut by the end of the answer
	chunk chunk
}

func newChunkReader(body io.Reader, limit int64) *chunkReader {
	return &chunkReader{body: bufio.NewReader(body), limit: limit}
}

// next returns the next chunk, which is valid until the call after. io.EOF is the end of the answer.
func (r *chunkReader) next() (*chunk, error) {
	if r.frame == nil {
		if err := r.sniff(); err != nil {
			return nil, err
		}
	}
	var data []byte
	for len(data) == 0 { // some servers keep a connection alive with empty frames
		var err error
		if data, err = r.frame(); err != nil {
			return nil, err
		}
	}
	if string(data) == doneMarker {
		return nil, io.EOF
	}
	if err := r.chunk.decode(data); err != nil {
		if r.cut() {
			return nil, io.EOF // which is why
		}
		return nil, invalidUpstream(fmt.Sprintf("a chunk is not one: %v", err))
	}
	return &r.chunk, nil
}

// sniff finds out what the answer is.
func (r *chunkReader) sniff() error {
	for {
		head, err := r.body.Peek(1)
		if err != nil {
			return readError(err)
		}
		switch head[0] {
		case ' ', '\t', '\r', '\n':
			r.body.Discard(1)
			continue
		case '{':
			r.frame, r.cut = r.bareObjects(), func() bool { return false }
		default:
			frames := sse.NewReader(r.body, sse.DefaultLimit)
			r.cut = frames.Incomplete
			r.frame = func() ([]byte, error) {
				data, err := frames.Next()
				return bytes.TrimSpace(data), readError(err)
			}
		}
		return nil
	}
}

// bareObjects reads objects without the framing of a stream: the whole answer, or one chunk a line.
func (r *chunkReader) bareObjects() func() ([]byte, error) {
	limited := &io.LimitedReader{R: r.body, N: r.limit}
	decoder := json.NewDecoder(limited)
	return func() ([]byte, error) {
		var raw json.RawMessage
		err := decoder.Decode(&raw)
		var syntax *json.SyntaxError
		switch {
		case err == nil, err == io.EOF:
			return raw, err
		case limited.N <= 0:
			return nil, invalidUpstream(fmt.Sprintf("the answer exceeds %d bytes", r.limit))
		case errors.As(err, &syntax):
			return nil, invalidUpstream("the answer is not JSON: " + err.Error())
		}
		return nil, readError(err)
	}
}

// readError returns the error for a body that can't be read on.
func readError(err error) error {
	switch {
	case err == nil, err == io.EOF, err == io.ErrUnexpectedEOF:
		return err
	case err == sse.ErrTooLong:
		return invalidUpstream("a frame of the stream is too long")
	}
	return upstreamError(err)
}

// ended reports whether what next returned is the end of the answer. Many servers end a stream in the middle of its
// framing; one that has said why it finished is complete all the same.
func ended(err error, finished bool) bool {
	return err == io.EOF || finished && err == io.ErrUnexpectedEOF
}
