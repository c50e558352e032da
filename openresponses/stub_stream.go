package openresponses

import (
	"context"
	"io"
	"iter"
)

type EventStream struct {
}

func NewEventStream(ctx context.Context, body io.ReadCloser) *EventStream { panic("not implemented") }

func (s *EventStream) Next() bool { panic("not implemented") }

func (s *EventStream) Event() StreamEvent { panic("not implemented") }

func (s *EventStream) Err() error { panic("not implemented") }

func (s *EventStream) Response() *Response { panic("not implemented") }

func (s *EventStream) ReusedIndexes() []int { panic("not implemented") }

func (s *EventStream) Events() iter.Seq[StreamEvent] { panic("not implemented") }

func (s *EventStream) Close() error { panic("not implemented") }

func (s *EventStream) Wait() (*Response, error) { panic("not implemented") }

type Accumulator struct {
}

func (a *Accumulator) Add(ev StreamEvent) { panic("not implemented") }

func (a *Accumulator) Response() *Response { panic("not implemented") }

func (a *Accumulator) ReusedIndexes() []int { panic("not implemented") }

func (a *Accumulator) Position(outputIndex int) (int, bool) { panic("not implemented") }

func (a *Accumulator) ItemAt(outputIndex int) (Item, bool) { panic("not implemented") }

type Emitter struct {
}

func NewEmitter(sink EventSink, resp *Response) *Emitter { panic("not implemented") }

func (e *Emitter) Response() *Response { panic("not implemented") }

func (e *Emitter) Start() error { panic("not implemented") }

func (e *Emitter) Message(phase Phase) (*MessageWriter, error) { panic("not implemented") }

func (e *Emitter) FunctionCall(callID, name string) (*FunctionCallWriter, error) {
	panic("not implemented")
}

func (e *Emitter) Reasoning() (*ReasoningWriter, error) { panic("not implemented") }

func (e *Emitter) Item(item Item) error { panic("not implemented") }

func (e *Emitter) Complete() error { panic("not implemented") }

func (e *Emitter) Incomplete(reason IncompleteReason) error { panic("not implemented") }

type MessageWriter struct {
}

func (w *MessageWriter) Item() *Message { panic("not implemented") }

func (w *MessageWriter) Text(delta string) error { panic("not implemented") }

func (w *MessageWriter) Annotation(a Annotation) error { panic("not implemented") }

func (w *MessageWriter) Logprobs(logprobs ...LogProb) error { panic("not implemented") }

func (w *MessageWriter) Refusal(delta string) error { panic("not implemented") }

func (w *MessageWriter) Close() error { panic("not implemented") }

type FunctionCallWriter struct {
}

func (w *FunctionCallWriter) Item() *FunctionCall { panic("not implemented") }

func (w *FunctionCallWriter) Arguments(delta string) error { panic("not implemented") }

func (w *FunctionCallWriter) Close() error { panic("not implemented") }

type ReasoningWriter struct {
}

func (w *ReasoningWriter) Item() *ReasoningItem { panic("not implemented") }

func (w *ReasoningWriter) Summary(delta string) error { panic("not implemented") }

func (w *ReasoningWriter) EndSummary() error { panic("not implemented") }

func (w *ReasoningWriter) Text(delta string) error { panic("not implemented") }

func (w *ReasoningWriter) EncryptedContent(s string) { panic("not implemented") }

func (w *ReasoningWriter) Close() error { panic("not implemented") }
