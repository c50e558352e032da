package sse

import (
	"bytes"
	"testing"
)

func TestAppendEvent(t *testing.T) {
	tests := []struct{ name, typ, data, want string }{
		{"plain", "error", `{"a":1}`, "event: error\ndata: {\"a\":1}\n\n"},
		{"no name", "", `{}`, "data: {}\n\n"},
		{"a name that would break out of its line", "x\ndata: y", `{}`, "data: {}\n\n"},
		{"LF in the data", "x", "{\n}", "event: x\ndata: {\ndata: }\n\n"},
		{"CR in the data", "x", "{\r}", "event: x\ndata: {\ndata: }\n\n"},
		{"CRLF in the data", "x", "{\r\n}\n", "event: x\ndata: {\ndata: \ndata: }\ndata: \n\n"},
		{"no data", "x", "", "event: x\ndata: \n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := AppendEvent([]byte("before"), tt.typ, []byte(tt.data))
			if string(got) != "before"+tt.want {
				t.Errorf("got %q, want %q", got, "before"+tt.want)
			}
		})
	}
	if got := AppendDone(nil); string(got) != "data: [DONE]\n\n" {
		t.Errorf("AppendDone: got %q", got)
	}
}

// TestWriteRead checks that what the writer wrote the reader reads.
func TestWriteRead(t *testing.T) {
	stream := AppendEvent(nil, "a", []byte(`{"n":1}`))
	stream = AppendEvent(stream, "b", []byte("{\"n\":\n2}"))
	stream = AppendDone(stream)
	got, err := readAll(NewReader(bytes.NewReader(stream), 0))
	want := []string{`{"n":1}`, "{\"n\":\n2}", "[DONE]"}
	if err != nil || len(got) != len(want) {
		t.Fatalf("got %q, error %v", got, err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("frame %d: got %q, want %q", i, got[i], want[i])
		}
	}
}

func TestAppendEventAllocates(t *testing.T) {
	buf := make([]byte, 0, 1024)
	data := []byte(`{"type":"error"}`)
	if n := testing.AllocsPerRun(100, func() { buf = AppendEvent(buf[:0], "error", data) }); n != 0 {
		t.Errorf("%v allocations into a buffer with room, want none", n)
	}
}
