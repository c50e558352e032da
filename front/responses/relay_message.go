package responses

import (
	"slices"
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// messageWriter streams a message of the assistant.
type messageWriter struct{ out *openresponses.MessageWriter }

func openMessage(emitter *openresponses.Emitter, m *openresponses.Message) (writer, error) {
	out, err := emitter.Message(m.Phase)
	if err != nil {
		return nil, err
	}
	return messageWriter{out}, nil
}

func (w messageWriter) update(ev openresponses.StreamEvent) error {
	switch ev := ev.(type) {
	case *openresponses.OutputTextDeltaEvent:
		if err := w.out.Text(ev.Delta); err != nil || len(ev.Logprobs) == 0 {
			return err
		}
		return w.out.Logprobs(ev.Logprobs...)
	case *openresponses.OutputTextAnnotationAddedEvent:
		if ev.Annotation != nil {
			return w.out.Annotation(ev.Annotation)
		}
	case *openresponses.RefusalDeltaEvent:
		return w.out.Refusal(ev.Delta)
	}
	return nil
}

func (w messageWriter) end(item openresponses.Item) error {
	final := item.(*openresponses.Message)
	live := w.out.Item()
	streamedText, streamedRefusal := said(live.Content)
	finalText, finalRefusal := said(final.Content)
	text, textGoesOn := strings.CutPrefix(finalText, streamedText)
	refusal, refusalGoesOn := strings.CutPrefix(finalRefusal, streamedRefusal)
	if !textGoesOn || !refusalGoesOn {
		if err := w.replace(joined(final.Content)); err != nil {
			return err
		}
	} else {
		if text != "" {
			if err := w.out.Text(text); err != nil {
				return err
			}
		}
		if refusal != "" {
			if err := w.out.Refusal(refusal); err != nil {
				return err
			}
		}
	}
	if final.Status == openresponses.StatusIncomplete {
		live.Status = openresponses.StatusIncomplete
	}
	return w.out.Close()
}

func (w messageWriter) cut(withheld bool) error {
	if withheld {
		if err := w.replace(nil); err != nil {
			return err
		}
	}
	w.out.Item().Status = openresponses.StatusIncomplete
	return w.out.Close()
}

// replace takes back what was streamed, in favour of other parts. Deltas cannot be called
// back, but a part that streamed keeps its place and says something else, or nothing, when it
// is done; the part still open takes the first of the others where it can.
func (w messageWriter) replace(parts openresponses.Contents) error {
	streamed := w.out.Item().Content
	for i, part := range streamed {
		if i == len(streamed)-1 && len(parts) > 0 && part.ContentType() == parts[0].ContentType() {
			become(part, parts[0])
			parts = parts[1:]
			continue
		}
		become(part, nil)
	}
	for _, part := range parts {
		var err error
		switch part := part.(type) {
		case *openresponses.OutputText:
			err = w.text(part)
		case *openresponses.Refusal:
			err = w.out.Refusal(part.Refusal)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// text writes a whole part.
func (w messageWriter) text(part *openresponses.OutputText) error {
	if err := w.out.Text(part.Text); err != nil {
		return err
	}
	for _, a := range part.Annotations {
		if a == nil {
			continue
		}
		if err := w.out.Annotation(a); err != nil {
			return err
		}
	}
	return w.out.Logprobs(part.Logprobs...)
}

// become makes a part say what another of its kind does, or nothing.
func become(part, other openresponses.Content) {
	switch part := part.(type) {
	case *openresponses.OutputText:
		o, _ := other.(*openresponses.OutputText)
		if o == nil {
			o = &openresponses.OutputText{Annotations: openresponses.Annotations{}}
		}
		part.Text, part.Annotations, part.Logprobs = o.Text, slices.Clone(o.Annotations), slices.Clone(o.Logprobs)
	case *openresponses.Refusal:
		part.Refusal = ""
		if o, _ := other.(*openresponses.Refusal); o != nil {
			part.Refusal = o.Refusal
		}
	}
}

// said is all text and all refusals of a message.
func said(parts openresponses.Contents) (text, refusal string) {
	var texts, refusals []byte
	for _, part := range parts {
		switch part := part.(type) {
		case *openresponses.OutputText:
			texts = append(texts, part.Text...)
		case *openresponses.Refusal:
			refusals = append(refusals, part.Refusal...)
		}
	}
	return string(texts), string(refusals)
}

// joined is the parts that can be streamed, neighbours of one kind as one part.
func joined(parts openresponses.Contents) openresponses.Contents {
	var out openresponses.Contents
	for _, part := range parts {
		switch part := part.(type) {
		case *openresponses.OutputText:
			if last, ok := lastOf(out).(*openresponses.OutputText); ok {
				last.Text += part.Text
				last.Annotations = append(last.Annotations, part.Annotations...)
				last.Logprobs = append(last.Logprobs, part.Logprobs...)
				continue
			}
			out = append(out, &openresponses.OutputText{
				Text: part.Text, Annotations: slices.Clone(part.Annotations), Logprobs: slices.Clone(part.Logprobs),
			})
		case *openresponses.Refusal:
			if last, ok := lastOf(out).(*openresponses.Refusal); ok {
				last.Refusal += part.Refusal
				continue
			}
			out = append(out, &openresponses.Refusal{Refusal: part.Refusal})
		}
	}
	return out
}

func lastOf(parts openresponses.Contents) openresponses.Content {
	if len(parts) == 0 {
		return nil
	}
	return parts[len(parts)-1]
}
