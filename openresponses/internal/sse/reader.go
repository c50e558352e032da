package sse

import (
	"bytes"
	"errors"
	"io"
)

// DefaultLimit is the longest frame a Reader accepts unless told otherwise, in bytes.
const DefaultLimit = 16 << 20

// ErrTooLong reports a frame longer than the Reader's limit.
var ErrTooLong = errors.New("sse: frame too long")

const (
	firstBuffer   = 4 << 10
	fastBuffer    = 64 << 10 // for a source that has more than it is asked for
	maxEmptyReads = 100
)

var (
	dataField     = []byte("data")
	dataPrefix    = []byte("data:")
	space         = []byte(" ")
	byteOrderMark = []byte("\xef\xbb\xbf")
)

// Reader splits a byte stream into frames. It holds one frame at a time, in a buffer that grows to the longest
// frame met, and looks at each byte once, however the source chops the stream.
type Reader struct {
	// BeforeRead, when set, is called before every read of the source. data tells whether bytes of a data line,
	// complete or not, came in since the call before: comments, blank lines and other fields are not data.
	BeforeRead func(data bool)

	src   io.Reader
	limit int
	buf   []byte
	frame int // start of the current frame in buf; what is before it is free
	line  int // start of the current line
	scan  int // no line end between line and here
	err   error

	started    bool // the first line was read, so no byte order mark is to come
	hasData    bool // the current frame has a data line: buf[from:to], lines joined
	from, to   int
	fresh      bool // data bytes since the last BeforeRead
	filled     bool // the last read took all of plenty of room: the source has more at hand
	incomplete bool
}

// NewReader returns a Reader over src whose frames may have up to limit bytes, the line ends between their lines
// included; zero or less means DefaultLimit.
func NewReader(src io.Reader, limit int64) *Reader {
	if limit <= 0 {
		limit = DefaultLimit
	}
	const most = int(^uint(0) >> 2) // leaves room for the arithmetic of growing
	return &Reader{src: src, limit: int(min(limit, int64(most))), buf: make([]byte, 0, firstBuffer)}
}

// Next returns the data of the next frame that has any, its lines joined by LF. The slice is valid until the next
// call. A frame that the stream ends in is returned all the same, and Incomplete then reports it; after it comes
// io.EOF. Any other error of the source is returned as it is, in place of the frame it cut.
func (r *Reader) Next() ([]byte, error) {
	r.hasData, r.incomplete = false, false
	r.frame = r.line
	for {
		done, err := r.scanLines()
		if err != nil {
			return nil, err
		}
		if done {
			return r.buf[r.from:r.to], nil
		}
		if r.err != nil {
			return r.last()
		}
		r.fill()
	}
}

// Incomplete reports whether the frame that Next returned last was cut by the end of the stream: its blank line
// never came.
func (r *Reader) Incomplete() bool { return r.incomplete }

// scanLines takes in the complete lines of the buffer up to the end of a frame with data, and reports whether it
// found one.
func (r *Reader) scanLines() (bool, error) {
	for {
		i := bytes.IndexByte(r.buf[r.scan:], '\n')
		if i < 0 {
			return false, r.scanPartial()
		}
		start, end := r.line, r.scan+i
		r.line, r.scan = end+1, end+1
		if blank, err := r.addLine(start, end); err != nil {
			return false, err
		} else if !blank {
			continue
		}
		if r.hasData {
			return true, nil
		}
		r.frame = r.line
	}
}

// scanPartial looks at the line that the buffer ends in.
func (r *Reader) scanPartial() error {
	if len(r.buf) == r.scan {
		return nil
	}
	r.scan = len(r.buf)
	end := r.trimCR(r.line, r.scan)
	if end > r.line && end-r.frame > r.limit {
		return r.fail()
	}
	if bytes.HasPrefix(r.buf[r.line:], dataPrefix) {
		r.fresh = true
	}
	return nil
}

// addLine takes in buf[start:end], which is a line without its LF, and reports whether it is blank.
func (r *Reader) addLine(start, end int) (blank bool, err error) {
	end = r.trimCR(start, end)
	if !r.started {
		r.started = true
		if bytes.HasPrefix(r.buf[start:end], byteOrderMark) {
			start += len(byteOrderMark)
		}
	}
	if start == end {
		return true, nil
	}
	if end-r.frame > r.limit {
		return false, r.fail()
	}
	value, ok := dataValue(r.buf[start:end])
	if !ok {
		r.dropLine()
		return false, nil
	}
	start = end - len(value)
	r.fresh = true
	if !r.hasData {
		r.hasData, r.from, r.to = true, start, end
		return false, nil
	}
	// In place: at least a line end and a field name lie between the two values.
	r.buf[r.to] = '\n'
	r.to += 1 + copy(r.buf[r.to+1:], r.buf[start:end])
	return false, nil
}

// dataValue returns the value of a data line, and false for any other line.
func dataValue(line []byte) ([]byte, bool) {
	if value, ok := bytes.CutPrefix(line, dataPrefix); ok {
		return bytes.TrimPrefix(value, space), true
	}
	return nil, bytes.Equal(line, dataField)
}

// dropLine forgets an ignored line when nothing before it is to be kept, so that a long run of comments takes no
// room.
func (r *Reader) dropLine() {
	if !r.hasData {
		r.frame = r.line
	}
}

// last deals with what the stream ended in.
func (r *Reader) last() ([]byte, error) {
	if r.err != io.EOF {
		return nil, r.err
	}
	start, end := r.line, len(r.buf)
	r.line, r.scan = end, end
	if start < end {
		if _, err := r.addLine(start, end); err != nil {
			return nil, err
		}
	}
	if !r.hasData {
		return nil, io.EOF
	}
	r.incomplete = true
	return r.buf[r.from:r.to], nil
}

func (r *Reader) trimCR(start, end int) int {
	if end > start && r.buf[end-1] == '\r' {
		return end - 1
	}
	return end
}

// fail ends the stream: what follows an overlong frame cannot be told apart from it.
func (r *Reader) fail() error {
	r.err = ErrTooLong
	r.line, r.scan = len(r.buf), len(r.buf)
	return r.err
}

// fill reads once from the source.
func (r *Reader) fill() {
	r.makeRoom()
	for range maxEmptyReads {
		if r.BeforeRead != nil {
			r.BeforeRead(r.fresh)
			r.fresh = false
		}
		n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		r.filled = len(r.buf) == cap(r.buf) && n >= firstBuffer/2
		r.err = err
		if n > 0 || err != nil {
			return
		}
	}
	r.err = io.ErrNoProgress
}

// makeRoom leaves free space at the end of the buffer. It moves the frame to the front only where that frees at
// least as much as it moves, and doubles the buffer otherwise: both cost a constant per byte read. It doubles a small
// buffer too when the source fills it: most of what reading costs is the number of reads.
func (r *Reader) makeRoom() {
	held := r.buf[r.frame:]
	switch {
	case len(held) > 0 && len(r.buf) < cap(r.buf):
		return
	case len(held) <= cap(r.buf)/2 && !(r.filled && cap(r.buf) < fastBuffer):
		r.buf = append(r.buf[:0], held...)
	default:
		r.buf = append(make([]byte, 0, 2*cap(r.buf)), held...)
	}
	r.line -= r.frame
	r.scan -= r.frame
	r.from -= r.frame
	r.to -= r.frame
	r.frame = 0
}
