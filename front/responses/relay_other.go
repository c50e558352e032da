package responses

import (
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// callWriter streams a function call.
type callWriter struct {
	out *openresponses.FunctionCallWriter
}

func openCall(emitter *openresponses.Emitter, call *openresponses.FunctionCall) (writer, error) {
	out, err := emitter.FunctionCall(call.CallID, call.Name)
	if err != nil {
		return nil, err
	}
	return callWriter{out}, nil
}

func (w callWriter) update(ev openresponses.StreamEvent) error {
	if ev, ok := ev.(*openresponses.FunctionCallArgumentsDeltaEvent); ok {
		return w.out.Arguments(ev.Delta)
	}
	return nil
}

func (w callWriter) end(item openresponses.Item) error {
	final := item.(*openresponses.FunctionCall)
	if more, ok := strings.CutPrefix(final.Arguments, w.out.Item().Arguments); ok && more != "" {
		if err := w.out.Arguments(more); err != nil {
			return err
		}
	}
	if final.Status == openresponses.StatusIncomplete {
		w.out.Item().Status = openresponses.StatusIncomplete
	}
	return w.out.Close()
}

func (w callWriter) cut(bool) error {
	w.out.Item().Status = openresponses.StatusIncomplete
	return w.out.Close()
}

// reasoningWriter streams a reasoning item.
type reasoningWriter struct {
	out    *openresponses.ReasoningWriter
	closed int // summary parts
}

func openReasoning(emitter *openresponses.Emitter) (writer, error) {
	out, err := emitter.Reasoning()
	if err != nil {
		return nil, err
	}
	return &reasoningWriter{out: out}, nil
}

func (w *reasoningWriter) update(ev openresponses.StreamEvent) error {
	switch ev := ev.(type) {
	case *openresponses.ReasoningSummaryTextDeltaEvent:
		return w.out.Summary(ev.Delta)
	case *openresponses.ReasoningSummaryPartDoneEvent:
		return w.endSummary()
	case *openresponses.ReasoningDeltaEvent:
		return w.out.Text(ev.Delta)
	}
	return nil
}

// endSummary ends the part that is open, if one is.
func (w *reasoningWriter) endSummary() error {
	if len(w.out.Item().Summary) == w.closed {
		return nil
	}
	w.closed++
	return w.out.EndSummary()
}

func (w *reasoningWriter) end(item openresponses.Item) error {
	final := item.(*openresponses.ReasoningItem)
	live := w.out.Item()
	for i := w.closed; i < len(final.Summary); i++ {
		text := summaryText(final.Summary[i])
		if i < len(live.Summary) { // it streamed, and its end did not
			more, ok := strings.CutPrefix(text, summaryText(live.Summary[i]))
			if !ok {
				more = ""
			}
			text = more
		}
		if text != "" || i == len(live.Summary) {
			if err := w.out.Summary(text); err != nil {
				return err
			}
		}
		if err := w.endSummary(); err != nil {
			return err
		}
	}
	if more, ok := strings.CutPrefix(reasoningText(final.Content), reasoningText(live.Content)); ok && more != "" {
		if err := w.out.Text(more); err != nil {
			return err
		}
	}
	w.out.EncryptedContent(final.EncryptedContent)
	if final.Status == openresponses.StatusIncomplete {
		live.Status = openresponses.StatusIncomplete
	}
	return w.out.Close()
}

func (w *reasoningWriter) cut(bool) error {
	w.out.Item().Status = openresponses.StatusIncomplete
	return w.out.Close()
}

func summaryText(part openresponses.Content) string {
	if part, ok := part.(*openresponses.SummaryText); ok {
		return part.Text
	}
	return ""
}

func reasoningText(parts openresponses.Contents) string {
	var text []byte
	for _, part := range parts {
		if part, ok := part.(*openresponses.ReasoningText); ok {
			text = append(text, part.Text...)
		}
	}
	return string(text)
}
