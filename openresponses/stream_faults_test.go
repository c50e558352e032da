package openresponses

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// faults tells, for each recorded stream, what a client makes of it.
var faults = []struct {
	file   string
	like   string // the well-formed stream it folds like
	err    error  // what Err reports
	code   string // of the error that Wait returns for the response
	status ResponseStatus
	text   string // the output text, where like is empty
}{
	{file: "wellformed", like: "wellformed"},
	{file: "wellformed_message", like: "wellformed_message"},
	{file: "wellformed_empty_summary", like: "wellformed_empty_summary"},
	{file: "wellformed_parallel_calls", like: "wellformed_parallel_calls"},
	{file: "orphan_done", like: "wellformed"},
	{file: "no_text_done", like: "wellformed"},
	{file: "no_deltas", like: "wellformed"},
	{file: "items_done_only", like: "wellformed"},
	{file: "terminal_only", like: "wellformed"},
	{file: "no_done_events", like: "wellformed"},
	{file: "no_sequence_number", like: "wellformed"},
	{file: "no_item_status", like: "wellformed"},
	{file: "no_response_output", like: "wellformed"},
	{file: "call_id_for_item_id", like: "wellformed"},
	{file: "unknown_delta_field", like: "wellformed"},
	{file: "reasoning_tokens_only", like: "wellformed_message"},
	{file: "summary_null", like: "wellformed_empty_summary"},
	{file: "summary_missing", like: "wellformed_empty_summary"},
	{file: "reasoning_without_id", like: "wellformed"},
	{file: "done_twice", like: "wellformed"},
	{file: "calls_all_at_index_0", like: "wellformed_parallel_calls"},
	{file: "keep_alive_crlf", like: "wellformed"},
	{file: "pretty_printed", like: "wellformed"},
	{file: "done_marker_only", status: ResponseStatusInProgress, text: "Let me look."},
	{file: "eof_only", err: ErrTruncatedStream, status: ResponseStatusInProgress, text: "Let me look."},
	{file: "cut_mid_frame", err: ErrTruncatedStream, status: ResponseStatusInProgress, text: "Let me look."},
	{file: "error_first", code: "overloaded", status: ResponseStatusFailed},
	{file: "error_alone", code: "overloaded", status: ResponseStatusFailed},
	{file: "error_then_eof", err: ErrTruncatedStream, code: "overloaded", status: ResponseStatusFailed},
	{file: "failed_after_text", code: "overloaded", status: ResponseStatusFailed, text: "Let me "},
	{file: "failed_without_output", code: "overloaded", status: ResponseStatusFailed, text: "Let me "},
}

func TestStreamFaults(t *testing.T) {
	listed := map[string]bool{}
	for _, tt := range faults {
		listed[tt.file] = true
		t.Run(tt.file, func(t *testing.T) {
			stream := readFault(t, tt.file)
			for name, src := range map[string]io.Reader{
				"whole":        bytes.NewReader(stream),
				"byte by byte": iotest.OneByteReader(bytes.NewReader(stream)),
			} {
				s := NewEventStream(t.Context(), io.NopCloser(src))
				resp, err := s.Wait()
				if !errors.Is(s.Err(), tt.err) {
					t.Errorf("%s: Err() = %v, want %v", name, s.Err(), tt.err)
				}
				if tt.err == nil && tt.code != "" && !errors.Is(err, &Error{Code: tt.code}) {
					t.Errorf("%s: Wait() = %v, want the response's error %q", name, err, tt.code)
				}
				if tt.err == nil && tt.code == "" && err != nil {
					t.Errorf("%s: Wait() = %v", name, err)
				}
				if tt.like != "" {
					want := digest(t, foldFault(t, tt.like))
					if got := digest(t, resp); got != want {
						t.Errorf("%s: folds into\n%s\nwant\n%s", name, got, want)
					}
					continue
				}
				if resp.Status != tt.status || resp.OutputText() != tt.text {
					t.Errorf("%s: status %q and text %q, want %q and %q", name, resp.Status, resp.OutputText(), tt.status, tt.text)
				}
				if tt.code != "" && (resp.Error == nil || resp.Error.Code != tt.code) {
					t.Errorf("%s: the response's error is %+v, want code %q", name, resp.Error, tt.code)
				}
			}
		})
	}

	readme, err := os.ReadFile("testdata/streams/README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/streams/*.sse")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if !listed[strings.TrimSuffix(name, ".sse")] {
			t.Errorf("%s is not tested", name)
		}
		if !bytes.Contains(readme, []byte("`"+name+"`")) {
			t.Errorf("%s is not described in README.md", name)
		}
	}
}

// TestStreamFaultsBeforeTheEnd checks what is held before the terminal event repairs it.
func TestStreamFaultsBeforeTheEnd(t *testing.T) {
	want := digestItems(t, foldFault(t, "wellformed").Output)
	for _, file := range []string{
		"wellformed", "no_text_done", "no_deltas", "items_done_only", "no_done_events", "no_sequence_number",
		"no_item_status", "no_response_output", "call_id_for_item_id", "unknown_delta_field", "done_twice",
		"keep_alive_crlf", "pretty_printed", "done_marker_only", "eof_only",
	} {
		s := NewEventStream(t.Context(), io.NopCloser(bytes.NewReader(readFault(t, file))))
		var acc Accumulator
		for ev := range s.Events() {
			if _, ok := TerminalResponse(ev); ok {
				break
			}
			acc.Add(ev)
		}
		if got := digestItems(t, acc.Response().Output); got != want {
			t.Errorf("%s: held before the end\n%s\nwant\n%s", file, got, want)
		}
	}
}

func TestReusedIndexesOfStreams(t *testing.T) {
	for file, want := range map[string]int{"wellformed": 0, "done_twice": 0, "calls_all_at_index_0": 2} {
		s := NewEventStream(t.Context(), io.NopCloser(bytes.NewReader(readFault(t, file))))
		if _, err := s.Wait(); err != nil {
			t.Fatal(err)
		}
		if got := len(s.ReusedIndexes()); got != want {
			t.Errorf("%s: %d reused indexes, want %d", file, got, want)
		}
	}
}

func readFaultFile(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join("testdata", "streams", name+".sse"))
}

func readFault(t *testing.T, name string) []byte {
	t.Helper()
	data, err := readFaultFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func foldFault(t *testing.T, name string) *Response {
	t.Helper()
	resp, err := NewEventStream(t.Context(), io.NopCloser(bytes.NewReader(readFault(t, name)))).Wait()
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// digest renders what matters of a response: its status and its items.
func digest(t *testing.T, resp *Response) string {
	t.Helper()
	return string(resp.Status) + "\n" + digestItems(t, resp.Output)
}

// digestItems renders items without what a sloppy server may leave out without harm: the status of an item, and the
// id of a reasoning item.
func digestItems(t *testing.T, items Items) string {
	t.Helper()
	var b strings.Builder
	for _, item := range items.Clone() {
		if _, status := itemState(item); status != nil {
			*status = ""
		}
		if r, ok := item.(*ReasoningItem); ok {
			r.ID = ""
		}
		data, err := item.(interface{ MarshalJSON() ([]byte, error) }).MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
		b.WriteByte('\n')
	}
	return b.String()
}
