package openresponses

// addToItem folds the events that grow an item already announced.
func (a *Accumulator) addToItem(ev StreamEvent) {
	switch ev := ev.(type) {
	case *ContentPartAddedEvent:
		if m, ok := itemAs[*Message](a, ev.OutputIndex); ok && ev.Part != nil {
			m.Content = setAt(m.Content, ev.ContentIndex, cloneContent(ev.Part))
		}
	case *ContentPartDoneEvent:
		if m, ok := itemAs[*Message](a, ev.OutputIndex); ok && ev.Part != nil {
			m.Content = setAt(m.Content, ev.ContentIndex, ev.Part)
		}
	case *OutputTextDeltaEvent:
		if p, ok := messagePart[*OutputText](a, ev.OutputIndex, ev.ContentIndex); ok {
			a.appendText(&p.Text, ev.Delta)
			if len(ev.Logprobs) > 0 {
				p.Logprobs = append(p.Logprobs, ev.Logprobs...)
			}
		}
	case *OutputTextDoneEvent:
		if p, ok := messagePart[*OutputText](a, ev.OutputIndex, ev.ContentIndex); ok {
			a.replaceText(&p.Text, ev.Text)
			if ev.Logprobs != nil {
				p.Logprobs = ev.Logprobs
			}
		}
	case *OutputTextAnnotationAddedEvent:
		if p, ok := messagePart[*OutputText](a, ev.OutputIndex, ev.ContentIndex); ok && ev.Annotation != nil {
			p.Annotations = setAt(p.Annotations, ev.AnnotationIndex, ev.Annotation)
		}
	case *RefusalDeltaEvent:
		if p, ok := messagePart[*Refusal](a, ev.OutputIndex, ev.ContentIndex); ok {
			a.appendText(&p.Refusal, ev.Delta)
		}
	case *RefusalDoneEvent:
		if p, ok := messagePart[*Refusal](a, ev.OutputIndex, ev.ContentIndex); ok {
			a.replaceText(&p.Refusal, ev.Refusal)
		}
	case *FunctionCallArgumentsDeltaEvent:
		if call, ok := itemAs[*FunctionCall](a, ev.OutputIndex); ok {
			a.appendText(&call.Arguments, ev.Delta)
		}
	case *FunctionCallArgumentsDoneEvent:
		if call, ok := itemAs[*FunctionCall](a, ev.OutputIndex); ok {
			a.replaceText(&call.Arguments, ev.Arguments)
		}
	default:
		a.addToReasoning(ev)
	}
}

func (a *Accumulator) addToReasoning(ev StreamEvent) {
	switch ev := ev.(type) {
	case *ReasoningSummaryPartAddedEvent:
		if r, ok := itemAs[*ReasoningItem](a, ev.OutputIndex); ok && ev.Part != nil {
			r.Summary = setAt(r.Summary, ev.SummaryIndex, cloneContent(ev.Part))
		}
	case *ReasoningSummaryPartDoneEvent:
		if r, ok := itemAs[*ReasoningItem](a, ev.OutputIndex); ok && ev.Part != nil {
			r.Summary = setAt(r.Summary, ev.SummaryIndex, ev.Part)
		}
	case *ReasoningSummaryTextDeltaEvent:
		if p, ok := summaryPart(a, ev.OutputIndex, ev.SummaryIndex); ok {
			a.appendText(&p.Text, ev.Delta)
		}
	case *ReasoningSummaryTextDoneEvent:
		if p, ok := summaryPart(a, ev.OutputIndex, ev.SummaryIndex); ok {
			a.replaceText(&p.Text, ev.Text)
		}
	case *ReasoningDeltaEvent:
		if p, ok := reasoningPart(a, ev.OutputIndex, ev.ContentIndex); ok {
			a.appendText(&p.Text, ev.Delta)
		}
	case *ReasoningDoneEvent:
		if p, ok := reasoningPart(a, ev.OutputIndex, ev.ContentIndex); ok {
			a.replaceText(&p.Text, ev.Text)
		}
	}
}

// appendText lengthens a text of the response by a delta.
func (a *Accumulator) appendText(text *string, delta string) {
	if *text == "" {
		*text = delta // often the only one
		return
	}
	b := a.texts[text]
	if b == nil {
		if a.texts == nil {
			a.texts = make(map[*string]*textBuilder)
		}
		b = new(textBuilder)
		a.texts[text] = b
	}
	b.append(text, delta)
}

// replaceText sets a text of the response that is now whole.
func (a *Accumulator) replaceText(text *string, whole string) {
	delete(a.texts, text)
	*text = whole
}

// itemAs returns the item that an output index names, when it is a T.
func itemAs[T Item](a *Accumulator, outputIndex int) (T, bool) {
	item, _ := a.ItemAt(outputIndex)
	t, ok := item.(T)
	return t, ok
}

func messagePart[P Content](a *Accumulator, outputIndex, index int) (P, bool) {
	if m, ok := itemAs[*Message](a, outputIndex); ok {
		return partAt[P](m.Content, index)
	}
	var none P
	return none, false
}

func summaryPart(a *Accumulator, outputIndex, index int) (*SummaryText, bool) {
	r, ok := itemAs[*ReasoningItem](a, outputIndex)
	if !ok {
		return nil, false
	}
	return partAt[*SummaryText](r.Summary, index)
}

// reasoningPart returns a part of a reasoning item's text. No event announces such a part, so it is made here, and
// those before it.
func reasoningPart(a *Accumulator, outputIndex, index int) (*ReasoningText, bool) {
	r, ok := itemAs[*ReasoningItem](a, outputIndex)
	if !ok || index > len(r.Content)+maxGap {
		return nil, false
	}
	for len(r.Content) <= index {
		r.Content = append(r.Content, new(ReasoningText))
	}
	return partAt[*ReasoningText](r.Content, index)
}

// partAt returns the part at an index, when it is a P.
func partAt[P Content](parts Contents, index int) (P, bool) {
	if index < 0 || index >= len(parts) {
		var none P
		return none, false
	}
	p, ok := parts[index].(P)
	return p, ok
}

// setAt sets the element at an index, padding with nil up to it. An index out of all proportion is ignored.
func setAt[S ~[]E, E any](s S, index int, v E) S {
	if index < 0 || index > len(s)+maxGap {
		return s
	}
	s = padTo(s, index+1)
	s[index] = v
	return s
}
