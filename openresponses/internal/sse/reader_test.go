package sse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll returns the data of every frame and the error that ended the stream, nil for io.EOF.
func readAll(r *Reader) ([]string, error) {
	var frames []string
	for {
		data, err := r.Next()
		if err == io.EOF {
			return frames, nil
		}
		if err != nil {
			return frames, err
		}
		frames = append(frames, string(data))
	}
}

func TestReader(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty stream", "", nil},
		{"one frame", "data: a\n\n", []string{"a"}},
		{"two frames", "data: a\n\ndata: b\n\n", []string{"a", "b"}},
		{"event name", "event: x\ndata: a\n\n", []string{"a"}},
		{"CRLF", "event: x\r\ndata: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}},
		{"LF line, CRLF blank line", "data: a\n\r\ndata: b\n\r\n", []string{"a", "b"}},
		{"CRLF line, LF blank line", "data: a\r\n\ndata: b\r\n\n", []string{"a", "b"}},
		{"frames of each kind", "data: a\r\n\r\ndata: b\n\n", []string{"a", "b"}},
		{"lone CR is data", "data: a\rb\n\n", []string{"a\rb"}},
		{"only one CR is stripped", "data: a\r\r\n\n", []string{"a\r"}},
		{"no space after the colon", "data:a\n\n", []string{"a"}},
		{"one space is stripped", "data:  a\n\n", []string{" a"}},
		{"colons in the value", "data: a: b:c\n\n", []string{"a: b:c"}},
		{"empty value", "data:\n\n", []string{""}},
		{"empty value after a space", "data: \n\n", []string{""}},
		{"field without a colon", "data\n\n", []string{""}},
		{"lines join", "data: a\ndata: b\ndata: c\n\n", []string{"a\nb\nc"}},
		{"lines join over CRLF", "data: a\r\ndata:b\r\n\r\n", []string{"a\nb"}},
		{"lines join around others", ":c\ndata: a\nevent: x\n:c\ndata: b\nid: 1\n\n", []string{"a\nb"}},
		{"empty lines join", "data\ndata\ndata: x\ndata:\n\n", []string{"\n\nx\n"}},
		{"comments", ": ping\n\n:\n\n: data: no\ndata: a\n\n", []string{"a"}},
		{"frames without data", "event: x\n\nid: 1\nretry: 5\n\ndata: a\n\n", []string{"a"}},
		{"fields that only begin like data", "database: a\ndata : b\ndatab\n\ndata: c\n\n", []string{"c"}},
		{"field names have a case", "Data: a\n\n", nil},
		{"leading blank lines", "\n\r\n\ndata: a\n\n", []string{"a"}},
		{"byte order mark", "\xef\xbb\xbfdata: a\n\n", []string{"a"}},
		{"byte order mark before a blank line", "\xef\xbb\xbf\ndata: a\n\n", []string{"a"}},
		{"a second byte order mark is not skipped", "data: a\n\n\xef\xbb\xbfdata: b\n\n", []string{"a"}},
		{"no blank line at the end", "data: a\n\ndata: b\n", []string{"a", "b"}},
		{"no line end at the end", "data: a\n\ndata: b", []string{"a", "b"}},
		{"CR at the end", "data: a\r", []string{"a"}},
		{"comment at the end", "data: a\n\n: bye", []string{"a"}},
		{"the end marker is data", "data: [DONE]\n\n", []string{"[DONE]"}},
		{"NUL and invalid UTF-8", "data: \x00\xff\n\n", []string{"\x00\xff"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sources := map[string]io.Reader{
				"at once":          strings.NewReader(tt.in),
				"byte by byte":     iotest.OneByteReader(strings.NewReader(tt.in)),
				"EOF with data":    iotest.DataErrReader(strings.NewReader(tt.in)),
				"halves":           iotest.HalfReader(strings.NewReader(tt.in)),
				"with empty reads": &chopped{data: []byte(tt.in), sizes: []byte{0, 1, 0, 2}},
			}
			for name, src := range sources {
				got, err := readAll(NewReader(src, 0))
				if err != nil || !slices.Equal(got, tt.want) {
					t.Errorf("%s: got %q, error %v; want %q", name, got, err, tt.want)
				}
			}
		})
	}
}

func TestReaderIncomplete(t *testing.T) {
	r := NewReader(strings.NewReader("data: a\n\ndata: b\n"), 0)
	for i, want := range []bool{false, true, false} {
		r.Next()
		if got := r.Incomplete(); got != want {
			t.Errorf("call %d: Incomplete() = %v, want %v", i, got, want)
		}
	}
}

// TestReaderLimit holds frames of just the limit and one byte more against it.
func TestReaderLimit(t *testing.T) {
	const limit = 100
	line := func(n int) string { return "data: " + strings.Repeat("x", n-len("data: ")) }
	tests := []struct {
		name, in string
		frames   int
		err      error
	}{
		{"at the limit", line(limit) + "\n\n", 1, nil},
		{"at the limit with CRLF", line(limit) + "\r\n\r\n", 1, nil},
		{"at the limit at EOF", line(limit), 1, nil},
		{"over the limit", line(limit+1) + "\n\n", 0, ErrTooLong},
		{"over the limit without an end", line(limit + 1), 0, ErrTooLong},
		{"over the limit in two lines", line(limit-50) + "\n" + line(51) + "\n\n", 0, ErrTooLong},
		{"at the limit in two lines", line(limit-51) + "\n" + line(50) + "\n\n", 1, nil},
		{"after a good frame", "data: a\n\n" + line(limit+1) + "\n\n", 1, ErrTooLong},
		{"comments before data do not count", strings.Repeat(": ping\n", 100) + "data: a\n\n", 1, nil},
		{"one comment over the limit", ":" + strings.Repeat("x", limit) + "\n\n", 0, ErrTooLong},
		{"many small frames", strings.Repeat("data: a\n\n", 100), 100, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, src := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				r := NewReader(src, limit)
				frames, err := readAll(r)
				if len(frames) != tt.frames || !errors.Is(err, tt.err) {
					t.Errorf("%d frames, error %v; want %d, %v", len(frames), err, tt.frames, tt.err)
				}
				if tt.err != nil {
					if _, err := r.Next(); !errors.Is(err, tt.err) {
						t.Errorf("the error does not stay: %v", err)
					}
				}
			}
		})
	}
}

func TestReaderSourceErrors(t *testing.T) {
	broken := errors.New("connection reset")
	in := "data: a\n\ndata: b\n"
	r := NewReader(io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)), 0)
	frames, err := readAll(r)
	if !slices.Equal(frames, []string{"a"}) || err != broken {
		t.Errorf("got %q, error %v; want the complete frame and the source's error", frames, err)
	}

	_, err = readAll(NewReader(&chopped{data: []byte(in), sizes: []byte{0}}, 0))
	if err != io.ErrNoProgress {
		t.Errorf("a source that never reads: error %v, want %v", err, io.ErrNoProgress)
	}
}

// TestReaderBeforeRead checks which reads count as having brought data.
func TestReaderBeforeRead(t *testing.T) {
	chunks := []struct {
		in   string
		data bool
	}{
		{": ping\n\n", false},
		{"\n", false},
		{"event: x\n", false},
		{"da", false},
		{"ta: {", true},
		{"}", true},
		{"\n", true},
		{"\n", false},
		{":", false},
		{" data: \n", false},
	}
	var got []bool
	src := &sequence{}
	for _, c := range chunks {
		src.chunks = append(src.chunks, c.in)
	}
	r := NewReader(src, 0)
	r.BeforeRead = func(data bool) { got = append(got, data) }
	if _, err := readAll(r); err != nil {
		t.Fatal(err)
	}
	got = got[1:] // before the first chunk
	for i, c := range chunks {
		if got[i] != c.data {
			t.Errorf("after chunk %d, %q: data %v, want %v", i, c.in, got[i], c.data)
		}
	}
}

// TestReaderMemory checks that the buffer follows the longest frame and the pace of the source, not the length of
// the stream.
func TestReaderMemory(t *testing.T) {
	frame := "event: x\ndata: " + strings.Repeat("x", 1000) + "\n\n"
	stream := strings.Repeat(frame, 1000) + strings.Repeat(": ping\n", 10000)
	for name, tt := range map[string]struct {
		src  io.Reader
		most int
	}{
		"a source that gives a little at a time":  {&chopped{data: []byte(stream), sizes: []byte{250}}, firstBuffer},
		"a source that gives all it is asked for": {strings.NewReader(stream), fastBuffer},
	} {
		r := NewReader(tt.src, 0)
		if _, err := readAll(r); err != nil {
			t.Fatal(err)
		}
		if cap(r.buf) > tt.most {
			t.Errorf("%s: buffer grew to %d bytes over frames of %d", name, cap(r.buf), len(frame))
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("data: a\n\n"), []byte{1}, uint16(0))
	f.Add([]byte("\xef\xbb\xbfevent: x\r\ndata: {\"a\":1}\r\n\r\n: ping\n\ndata: b\ndata: c\n\ndata: [DONE]\n\n"), []byte{3, 0, 1}, uint16(0))
	f.Add([]byte("data: 0123456789\ndata: 0123456789\r\n\r\ndata: a"), []byte{7, 2}, uint16(33))
	f.Add([]byte("data\r\n:\rdata:\n\n\r\ndata: \r"), []byte{1, 2, 3}, uint16(5))
	f.Fuzz(func(t *testing.T, in, sizes []byte, limit uint16) {
		want, wantErr := readAll(NewReader(bytes.NewReader(in), int64(limit)))
		got, err := readAll(NewReader(&chopped{data: in, sizes: append([]byte{1}, sizes...)}, int64(limit)))
		if !slices.Equal(got, want) || err != wantErr {
			t.Errorf("split by %v: got %q, error %v; at once: %q, error %v", sizes, got, err, want, wantErr)
		}
		for _, frame := range want {
			if limit > 0 && len(frame) > int(limit) {
				t.Errorf("a frame of %d bytes passed the limit %d", len(frame), limit)
			}
		}
	})
}

// chopped reads data in pieces of the given sizes, over and over.
type chopped struct {
	data  []byte
	sizes []byte
	n     int
}

func (c *chopped) Read(p []byte) (int, error) {
	if len(c.data) == 0 {
		return 0, io.EOF
	}
	size := int(c.sizes[c.n%len(c.sizes)])
	c.n++
	n := copy(p[:min(size, len(p))], c.data)
	c.data = c.data[n:]
	return n, nil
}

// sequence reads one chunk a call.
type sequence struct{ chunks []string }

func (s *sequence) Read(p []byte) (int, error) {
	if len(s.chunks) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.chunks[0])
	s.chunks = s.chunks[1:]
	return n, nil
}

func BenchmarkReader(b *testing.B) {
	delta := "event: response.output_text.delta\n" +
		`data: {"type":"response.output_text.delta","sequence_number":1,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"word "}` + "\n\n"
	for _, bb := range []struct{ name, in string }{
		{"deltas=10000", strings.Repeat(delta, 10000)},
		{"frame=1MiB", "data: " + strings.Repeat("x", 1<<20) + "\n\n"},
		{"frame=15MiB", "data: " + strings.Repeat("x", 15<<20) + "\n\n"},
	} {
		for _, chunk := range []int{1, 64, 1 << 20} {
			if chunk == 1 && len(bb.in) > 2<<20 {
				continue
			}
			b.Run(fmt.Sprintf("%s/chunk=%d", bb.name, chunk), func(b *testing.B) {
				b.SetBytes(int64(len(bb.in)))
				b.ReportAllocs()
				for b.Loop() {
					r := NewReader(&limited{strings.NewReader(bb.in), chunk}, 0)
					for {
						if _, err := r.Next(); err != nil {
							break
						}
					}
				}
			})
		}
	}
}

// limited reads at most n bytes a call.
type limited struct {
	r io.Reader
	n int
}

func (l *limited) Read(p []byte) (int, error) { return l.r.Read(p[:min(len(p), l.n)]) }
