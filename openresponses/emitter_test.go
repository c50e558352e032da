package openresponses_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	. "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/streamtest"
)

// emit runs a script against a fresh emitter and returns what a client receives.
func emit(t *testing.T, script func(*Emitter) error) *streamtest.Sink {
	t.Helper()
	sink := new(streamtest.Sink)
	if err := script(NewEmitter(sink, NewResponse(Request{Model: "m1"}))); err != nil {
		t.Fatal(err)
	}
	if err := streamtest.Validate(sink.Events()); err != nil {
		t.Errorf("the stream does not conform: %v", err)
	}
	return sink
}

// brief renders an event as its type, without what all types share, its indexes and what it carries.
func brief(ev StreamEvent) string {
	s := strings.TrimPrefix(ev.EventType(), "response.")
	switch ev := ev.(type) {
	case *OutputItemAddedEvent:
		return fmt.Sprintf("%s %d %s", s, ev.OutputIndex, ev.Item.ItemType())
	case *OutputItemDoneEvent:
		return fmt.Sprintf("%s %d %s", s, ev.OutputIndex, ev.Item.ItemType())
	case *ContentPartAddedEvent:
		return fmt.Sprintf("%s %d.%d %s", s, ev.OutputIndex, ev.ContentIndex, ev.Part.ContentType())
	case *ContentPartDoneEvent:
		return fmt.Sprintf("%s %d.%d %s", s, ev.OutputIndex, ev.ContentIndex, ev.Part.ContentType())
	case *OutputTextDeltaEvent:
		return fmt.Sprintf("%s %d.%d %q", s, ev.OutputIndex, ev.ContentIndex, ev.Delta)
	case *OutputTextDoneEvent:
		return fmt.Sprintf("%s %d.%d %q %d", s, ev.OutputIndex, ev.ContentIndex, ev.Text, len(ev.Logprobs))
	case *OutputTextAnnotationAddedEvent:
		return fmt.Sprintf("%s %d.%d.%d", s, ev.OutputIndex, ev.ContentIndex, ev.AnnotationIndex)
	case *RefusalDeltaEvent:
		return fmt.Sprintf("%s %d.%d %q", s, ev.OutputIndex, ev.ContentIndex, ev.Delta)
	case *RefusalDoneEvent:
		return fmt.Sprintf("%s %d.%d %q", s, ev.OutputIndex, ev.ContentIndex, ev.Refusal)
	case *FunctionCallArgumentsDeltaEvent:
		return fmt.Sprintf("%s %d %q", s, ev.OutputIndex, ev.Delta)
	case *FunctionCallArgumentsDoneEvent:
		return fmt.Sprintf("%s %d %q", s, ev.OutputIndex, ev.Arguments)
	case *ReasoningSummaryPartAddedEvent:
		return fmt.Sprintf("%s %d.%d", s, ev.OutputIndex, ev.SummaryIndex)
	case *ReasoningSummaryPartDoneEvent:
		return fmt.Sprintf("%s %d.%d", s, ev.OutputIndex, ev.SummaryIndex)
	case *ReasoningSummaryTextDeltaEvent:
		return fmt.Sprintf("%s %d.%d %q", s, ev.OutputIndex, ev.SummaryIndex, ev.Delta)
	case *ReasoningSummaryTextDoneEvent:
		return fmt.Sprintf("%s %d.%d %q", s, ev.OutputIndex, ev.SummaryIndex, ev.Text)
	case *ReasoningDeltaEvent:
		return fmt.Sprintf("%s %d.%d %q", s, ev.OutputIndex, ev.ContentIndex, ev.Delta)
	case *ReasoningDoneEvent:
		return fmt.Sprintf("%s %d.%d %q", s, ev.OutputIndex, ev.ContentIndex, ev.Text)
	}
	return s
}

func TestEmitterEvents(t *testing.T) {
	tests := []struct {
		name   string
		script func(*Emitter) error
		want   []string // between the start and the end
	}{
		{"nothing", func(e *Emitter) error { return e.Complete() }, nil},
		{"started twice", func(e *Emitter) error { return errors.Join(e.Start(), e.Start(), e.Complete()) }, nil},
		{"message without parts", func(e *Emitter) error {
			_, err := e.Message("")
			return errors.Join(err, e.Complete())
		}, []string{"output_item.added 0 message", "output_item.done 0 message"}},
		{"message", func(e *Emitter) error {
			w, err := e.Message(PhaseFinalAnswer)
			return errors.Join(err, w.Text("a"), w.Text(""), w.Text("b"), w.Annotation(&URLCitation{URL: "u"}),
				w.Logprobs(LogProb{Token: "a"}, LogProb{Token: "b"}), w.Refusal("n"), w.Refusal("o"), w.Text("c"), w.Close(), w.Close(), e.Complete())
		}, []string{
			"output_item.added 0 message",
			"content_part.added 0.0 output_text", `output_text.delta 0.0 "a"`, `output_text.delta 0.0 ""`, `output_text.delta 0.0 "b"`,
			"output_text.annotation.added 0.0.0", `output_text.done 0.0 "ab" 2`, "content_part.done 0.0 output_text",
			"content_part.added 0.1 refusal", `refusal.delta 0.1 "n"`, `refusal.delta 0.1 "o"`, `refusal.done 0.1 "no"`, "content_part.done 0.1 refusal",
			"content_part.added 0.2 output_text", `output_text.delta 0.2 "c"`, `output_text.done 0.2 "c" 0`, "content_part.done 0.2 output_text",
			"output_item.done 0 message",
		}},
		{"annotation first", func(e *Emitter) error {
			w, err := e.Message("")
			return errors.Join(err, w.Annotation(&URLCitation{URL: "u"}), w.Annotation(&URLCitation{URL: "v"}), e.Complete())
		}, []string{
			"output_item.added 0 message", "content_part.added 0.0 output_text", "output_text.annotation.added 0.0.0", "output_text.annotation.added 0.0.1",
			`output_text.done 0.0 "" 0`, "content_part.done 0.0 output_text", "output_item.done 0 message",
		}},
		{"calls", func(e *Emitter) error {
			first, err := e.FunctionCall("call_1", "f")
			err = errors.Join(err, first.Arguments(`{"a"`), first.Arguments(":1}"))
			_, err2 := e.FunctionCall("", "g")
			return errors.Join(err, err2, e.Complete())
		}, []string{
			"output_item.added 0 function_call", `function_call_arguments.delta 0 "{\"a\""`, `function_call_arguments.delta 0 ":1}"`,
			`function_call_arguments.done 0 "{\"a\":1}"`, "output_item.done 0 function_call",
			"output_item.added 1 function_call", `function_call_arguments.done 1 ""`, "output_item.done 1 function_call",
		}},
		{"reasoning", func(e *Emitter) error {
			w, err := e.Reasoning()
			w.EncryptedContent("secret")
			return errors.Join(err, w.EndSummary(), w.Summary("a"), w.Summary("b"), w.EndSummary(), w.EndSummary(), w.Summary("c"), w.Text("x"), w.Text("y"), e.Complete())
		}, []string{
			"output_item.added 0 reasoning",
			"reasoning_summary_part.added 0.0", `reasoning_summary_text.delta 0.0 "a"`, `reasoning_summary_text.delta 0.0 "b"`,
			`reasoning_summary_text.done 0.0 "ab"`, "reasoning_summary_part.done 0.0",
			"reasoning_summary_part.added 0.1", `reasoning_summary_text.delta 0.1 "c"`,
			`reasoning.delta 0.0 "x"`, `reasoning.delta 0.0 "y"`,
			`reasoning_summary_text.done 0.1 "c"`, "reasoning_summary_part.done 0.1", `reasoning.done 0.0 "xy"`, "output_item.done 0 reasoning",
		}},
		{"reasoning without text", func(e *Emitter) error {
			_, err := e.Reasoning()
			return errors.Join(err, e.Complete())
		}, []string{"output_item.added 0 reasoning", "output_item.done 0 reasoning"}},
		{"whole items", func(e *Emitter) error {
			_, err := e.Message("")
			return errors.Join(err, e.Item(&Compaction{ID: "cmp_1"}), e.Item(&UnknownItem{Type: "acme:thing", ID: "x"}), e.Complete())
		}, []string{
			"output_item.added 0 message", "output_item.done 0 message", "output_item.added 1 compaction", "output_item.done 1 compaction",
			"output_item.added 2 acme:thing", "output_item.done 2 acme:thing",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sink := emit(t, tt.script)
			var got []string
			for _, ev := range sink.Events() {
				got = append(got, brief(ev))
			}
			want := append([]string{"created", "in_progress"}, tt.want...)
			want = append(want, "completed")
			if !slices.Equal(got, want) {
				t.Errorf("events\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			checkFolding(t, sink.Events())
		})
	}
}

// checkFolding checks that deltas alone, and done events alone, add up to the items of the terminal response.
func checkFolding(t *testing.T, events []StreamEvent) {
	t.Helper()
	last := events[len(events)-1]
	resp, _ := TerminalResponse(last)
	var acc Accumulator
	for _, ev := range events[:len(events)-1] {
		acc.Add(ev)
	}
	if got := acc.Response().Output; len(got)+len(resp.Output) > 0 && !reflect.DeepEqual(got, resp.Output) {
		t.Errorf("the events fold into %+v, the terminal response has %+v", got, resp.Output)
	}
}

func TestEmitterIDs(t *testing.T) {
	var call *FunctionCallWriter
	sink := emit(t, func(e *Emitter) error {
		message, err1 := e.Message(PhaseCommentary)
		err1 = errors.Join(err1, message.Text("x"))
		var err2 error
		call, err2 = e.FunctionCall("", "f")
		_, err3 := e.Reasoning()
		return errors.Join(err1, err2, err3, e.Complete())
	})
	resp := sink.Response()
	message, reasoning := resp.Output[0].(*Message), resp.Output[2].(*ReasoningItem)
	for id, prefix := range map[string]string{
		resp.ID: "resp_", message.ID: "msg_", call.Item().ID: "fc_", call.Item().CallID: "call_", reasoning.ID: "rs_",
	} {
		if !strings.HasPrefix(id, prefix) || id == prefix {
			t.Errorf("id %q, want the prefix %q", id, prefix)
		}
	}
	if message.Role != RoleAssistant || message.Phase != PhaseCommentary || message.Status != StatusCompleted {
		t.Errorf("message %+v", message)
	}
	if call.Item().Status != StatusCompleted || call.Item().Name != "f" {
		t.Errorf("call %+v", call.Item())
	}
	if resp.Status != ResponseStatusCompleted || resp.CompletedAt == nil {
		t.Errorf("response %q completed at %v", resp.Status, resp.CompletedAt)
	}
}

func TestEmitterStart(t *testing.T) {
	sink := new(streamtest.Sink)
	resp := &Response{ID: "resp_1", Status: ResponseStatusQueued}
	e := NewEmitter(sink, resp)
	if e.Response() != resp || resp.ID != "resp_1" || resp.Status != ResponseStatusQueued {
		t.Errorf("the given response was changed: %+v", resp)
	}
	if len(sink.Events()) != 0 {
		t.Error("NewEmitter sent something")
	}
	if e := NewEmitter(sink, nil); e.Response() == nil || e.Response().ID == "" || e.Response().Status != ResponseStatusInProgress {
		t.Errorf("without a response: %+v", e.Response())
	}
}

func TestEmitterIncomplete(t *testing.T) {
	t.Run("an item still open is incomplete", func(t *testing.T) {
		sink := emit(t, func(e *Emitter) error {
			w, err := e.FunctionCall("call_1", "f")
			return errors.Join(err, w.Arguments(`{"a`), e.Incomplete(IncompleteReasonMaxOutputTokens))
		})
		resp := sink.Response()
		if got := resp.FunctionCalls()[0].Status; got != StatusIncomplete {
			t.Errorf("status of the call is %q", got)
		}
		if resp.Status != ResponseStatusIncomplete || resp.IncompleteDetails.Reason != IncompleteReasonMaxOutputTokens {
			t.Errorf("response %q, %+v", resp.Status, resp.IncompleteDetails)
		}
	})
	t.Run("a closed one stays completed", func(t *testing.T) {
		sink := emit(t, func(e *Emitter) error {
			w, err := e.Message("")
			return errors.Join(err, w.Text("x"), w.Close(), e.Incomplete(IncompleteReasonContentFilter))
		})
		if got := sink.Response().Output[0].(*Message).Status; got != StatusCompleted {
			t.Errorf("status of the message is %q", got)
		}
	})
}

func TestEmitterAfterTheEnd(t *testing.T) {
	sink := new(streamtest.Sink)
	e := NewEmitter(sink, NewResponse(Request{}))
	message, err1 := e.Message("")
	call, err2 := e.FunctionCall("", "f")
	reasoning, err3 := e.Reasoning()
	if err := errors.Join(err1, err2, err3, e.Complete()); err != nil {
		t.Fatal(err)
	}
	sent := len(sink.Events())
	open := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Complete": e.Complete(), "Incomplete": e.Incomplete(IncompleteReasonContentFilter), "Message": open(e.Message("")),
		"FunctionCall": open(e.FunctionCall("", "f")), "Reasoning": open(e.Reasoning()), "Item": e.Item(UserText("x")),
	} {
		if !errors.Is(err, ErrTerminalEventSent) {
			t.Errorf("%s: error %v, want %v", name, err, ErrTerminalEventSent)
		}
	}
	for name, err := range map[string]error{
		"Text": message.Text("x"), "Refusal": message.Refusal("x"), "Annotation": message.Annotation(&URLCitation{}),
		"Logprobs": message.Logprobs(LogProb{}), "Arguments": call.Arguments("x"), "Summary": reasoning.Summary("x"),
		"EndSummary": reasoning.EndSummary(), "reasoning Text": reasoning.Text("x"),
	} {
		if err == nil || errors.Is(err, ErrTerminalEventSent) {
			t.Errorf("%s on a closed item: error %v", name, err)
		}
	}
	for _, w := range []interface{ Close() error }{message, call, reasoning} {
		if err := w.Close(); err != nil {
			t.Errorf("%T: closed again: %v", w, err)
		}
	}
	if e.Start() != nil || len(sink.Events()) != sent || e.Response().Status != ResponseStatusCompleted {
		t.Error("something changed after the end")
	}
}

func TestEmitterBadInput(t *testing.T) {
	e := NewEmitter(new(streamtest.Sink), NewResponse(Request{}))
	if err := e.Item(nil); err == nil {
		t.Error("a nil item was taken")
	}
	w, err := e.Message("")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Annotation(nil); err == nil {
		t.Error("a nil annotation was taken")
	}
}

// TestEmitterSinkErrors has the sink fail at each event in turn: every error reaches the caller, and none is sent
// past.
func TestEmitterSinkErrors(t *testing.T) {
	script := func(e *Emitter) error {
		message, err := e.Message("")
		if err != nil {
			return err
		}
		for _, write := range []func() error{
			func() error { return message.Text("a") }, func() error { return message.Annotation(&URLCitation{}) },
			func() error { return message.Refusal("b") }, message.Close,
		} {
			if err := write(); err != nil {
				return err
			}
		}
		call, err := e.FunctionCall("", "f")
		if err != nil {
			return err
		}
		if err := call.Arguments("{}"); err != nil {
			return err
		}
		reasoning, err := e.Reasoning()
		if err != nil {
			return err
		}
		for _, write := range []func() error{
			func() error { return reasoning.Summary("a") }, func() error { return reasoning.Text("b") },
		} {
			if err := write(); err != nil {
				return err
			}
		}
		if err := e.Item(&Compaction{}); err != nil {
			return err
		}
		return e.Complete()
	}
	gone := errors.New("peer is gone")
	for failAt := 0; ; failAt++ {
		n := 0
		sink := EventSinkFunc(func(StreamEvent) error {
			n++
			if n > failAt {
				return gone
			}
			return nil
		})
		err := script(NewEmitter(sink, NewResponse(Request{})))
		if err == nil {
			if n != failAt || n < 20 {
				t.Errorf("%d events were sent with %d allowed", n, failAt)
			}
			return
		}
		if err != gone || n != failAt+1 {
			t.Errorf("failing at event %d: error %v after %d events", failAt, err, n)
		}
	}
}

// TestEmitterAllocates checks that writing a delta costs its event and no copy of the text so far.
func TestEmitterAllocates(t *testing.T) {
	const deltas = 10000
	discard := EventSinkFunc(func(StreamEvent) error { return nil })
	open := map[string]func(*Emitter) func(string) error{
		"text":      func(e *Emitter) func(string) error { w, _ := e.Message(""); return w.Text },
		"refusal":   func(e *Emitter) func(string) error { w, _ := e.Message(""); return w.Refusal },
		"arguments": func(e *Emitter) func(string) error { w, _ := e.FunctionCall("", "f"); return w.Arguments },
		"summary":   func(e *Emitter) func(string) error { w, _ := e.Reasoning(); return w.Summary },
		"reasoning": func(e *Emitter) func(string) error { w, _ := e.Reasoning(); return w.Text },
	}
	for name, open := range open {
		allocs := testing.AllocsPerRun(1, func() {
			write := open(NewEmitter(discard, NewResponse(Request{})))
			for range deltas {
				write("word ")
			}
		})
		if allocs > deltas+200 {
			t.Errorf("%s: %v allocations for %d deltas", name, allocs, deltas)
		}
	}
}

func BenchmarkEmitter(b *testing.B) {
	for _, deltas := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprintf("deltas=%d", deltas), func(b *testing.B) {
			b.ReportAllocs()
			discard := EventSinkFunc(func(StreamEvent) error { return nil })
			for b.Loop() {
				w, err := NewEmitter(discard, NewResponse(Request{})).Message("")
				if err != nil {
					b.Fatal(err)
				}
				for range deltas {
					if err := w.Text("word "); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*deltas), "ns/delta")
		})
	}
}
