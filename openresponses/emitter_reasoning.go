package openresponses

// ReasoningWriter streams what a model tells of its reasoning: summaries, part by part, and the text itself. After
// Close, and so after the next item was opened, writing is an error.
type ReasoningWriter struct {
	openItem
	reasoning      *ReasoningItem
	summary        *SummaryText // the open part, or nil
	summaryBuilder textBuilder  // of the open part
	text           *ReasoningText
	textBuilder    textBuilder
}

// Item returns the live reasoning item.
func (w *ReasoningWriter) Item() *ReasoningItem { return w.reasoning }

// Summary appends to the open summary part, or to a new one. An empty delta is sent too.
func (w *ReasoningWriter) Summary(delta string) error {
	if err := w.checkOpen(); err != nil {
		return err
	}
	if w.summary == nil {
		w.summary, w.summaryBuilder = new(SummaryText), textBuilder{}
		w.reasoning.Summary = append(w.reasoning.Summary, w.summary)
		added := &ReasoningSummaryPartAddedEvent{
			ItemID: w.id(), OutputIndex: w.index, SummaryIndex: w.part(), Part: w.summary,
		}
		if err := w.send(added); err != nil {
			return err
		}
	}
	w.summaryBuilder.append(&w.summary.Text, delta)
	return w.send(&ReasoningSummaryTextDeltaEvent{
		ItemID: w.id(), OutputIndex: w.index, SummaryIndex: w.part(), Delta: delta,
	})
}

// EndSummary ends the open summary part, so that the next summary is a part of its own. It does nothing when none
// is open.
func (w *ReasoningWriter) EndSummary() error {
	if err := w.checkOpen(); err != nil {
		return err
	}
	part := w.summary
	if part == nil {
		return nil
	}
	w.summary = nil
	done := &ReasoningSummaryTextDoneEvent{
		ItemID: w.id(), OutputIndex: w.index, SummaryIndex: w.part(), Text: part.Text,
	}
	if err := w.send(done); err != nil {
		return err
	}
	return w.send(&ReasoningSummaryPartDoneEvent{
		ItemID: w.id(), OutputIndex: w.index, SummaryIndex: w.part(), Part: part,
	})
}

// Text appends to the reasoning text, which is a single part. An empty delta is sent too.
func (w *ReasoningWriter) Text(delta string) error {
	if err := w.checkOpen(); err != nil {
		return err
	}
	if w.text == nil {
		w.text = new(ReasoningText)
		w.reasoning.Content = append(w.reasoning.Content, w.text)
	}
	w.textBuilder.append(&w.text.Text, delta)
	return w.send(&ReasoningDeltaEvent{ItemID: w.id(), OutputIndex: w.index, Delta: delta})
}

// EncryptedContent sets what a client has to send back for the model to go on from this reasoning. It is sent with
// the end of the item.
func (w *ReasoningWriter) EncryptedContent(s string) { w.reasoning.EncryptedContent = s }

// Close ends the open summary, the text and the item. Opening the next item and ending the stream do it too;
// closing again does nothing.
func (w *ReasoningWriter) Close() error { return w.close(w.finish) }

func (w *ReasoningWriter) finish() error {
	if err := w.EndSummary(); err != nil {
		return err
	}
	if w.text == nil {
		return nil
	}
	return w.send(&ReasoningDoneEvent{ItemID: w.id(), OutputIndex: w.index, Text: w.text.Text})
}

// part returns the index of the open summary part.
func (w *ReasoningWriter) part() int { return len(w.reasoning.Summary) - 1 }
