package openresponses

import "errors"

// MessageWriter streams the parts of a message. Text and refusals open and close parts as needed: a part lasts as
// long as what is written is of its kind. After Close, and so after the next item was opened, writing is an error.
type MessageWriter struct {
	openItem
	message *Message
	text    *OutputText // the open part, if it is one
	refusal *Refusal    // the open part, if it is one
	builder textBuilder // of the open part
}

// Item returns the live message.
func (w *MessageWriter) Item() *Message { return w.message }

// Text appends to the open text part, or to a new one. An empty delta is sent too.
func (w *MessageWriter) Text(delta string) error {
	if err := w.openText(); err != nil {
		return err
	}
	w.builder.append(&w.text.Text, delta)
	return w.send(&OutputTextDeltaEvent{ItemID: w.id(), OutputIndex: w.index, ContentIndex: w.part(), Delta: delta})
}

// Annotation adds to the open text part, or to a new one.
func (w *MessageWriter) Annotation(a Annotation) error {
	if a == nil {
		return errors.New("openresponses: emit a nil annotation")
	}
	if err := w.openText(); err != nil {
		return err
	}
	w.text.Annotations = append(w.text.Annotations, a)
	return w.send(&OutputTextAnnotationAddedEvent{
		ItemID: w.id(), OutputIndex: w.index, ContentIndex: w.part(),
		AnnotationIndex: len(w.text.Annotations) - 1, Annotation: a,
	})
}

// Logprobs adds to the open text part, or to a new one. They are sent with the end of the part.
func (w *MessageWriter) Logprobs(logprobs ...LogProb) error {
	if err := w.openText(); err != nil {
		return err
	}
	w.text.Logprobs = append(w.text.Logprobs, logprobs...)
	return nil
}

// Refusal appends to the open refusal, or to a new one. An empty delta is sent too.
func (w *MessageWriter) Refusal(delta string) error {
	if w.refusal == nil {
		part := new(Refusal)
		if err := w.openPart(part); err != nil {
			return err
		}
		w.refusal = part
	}
	w.builder.append(&w.refusal.Refusal, delta)
	return w.send(&RefusalDeltaEvent{ItemID: w.id(), OutputIndex: w.index, ContentIndex: w.part(), Delta: delta})
}

// Close ends the open part and the message. Opening the next item and ending the stream do it too; closing again
// does nothing.
func (w *MessageWriter) Close() error { return w.close(w.closePart) }

func (w *MessageWriter) openText() error {
	if w.text != nil {
		return nil
	}
	part := &OutputText{Annotations: Annotations{}}
	if err := w.openPart(part); err != nil {
		return err
	}
	w.text = part
	return nil
}

// openPart closes the open part and announces the next.
func (w *MessageWriter) openPart(part Content) error {
	if err := w.checkOpen(); err != nil {
		return err
	}
	if err := w.closePart(); err != nil {
		return err
	}
	w.message.Content = append(w.message.Content, part)
	w.builder = textBuilder{}
	return w.send(&ContentPartAddedEvent{ItemID: w.id(), OutputIndex: w.index, ContentIndex: w.part(), Part: part})
}

// closePart ends the open part, if there is one.
func (w *MessageWriter) closePart() error {
	var part Content
	var done StreamEvent
	switch {
	case w.text != nil:
		part, done = w.text, &OutputTextDoneEvent{
			ItemID: w.id(), OutputIndex: w.index, ContentIndex: w.part(),
			Text: w.text.Text, Logprobs: w.text.Logprobs,
		}
	case w.refusal != nil:
		part, done = w.refusal, &RefusalDoneEvent{
			ItemID: w.id(), OutputIndex: w.index, ContentIndex: w.part(), Refusal: w.refusal.Refusal,
		}
	default:
		return nil
	}
	w.text, w.refusal = nil, nil
	if err := w.send(done); err != nil {
		return err
	}
	return w.send(&ContentPartDoneEvent{ItemID: w.id(), OutputIndex: w.index, ContentIndex: w.part(), Part: part})
}

// part returns the index of the open part.
func (w *MessageWriter) part() int { return len(w.message.Content) - 1 }
