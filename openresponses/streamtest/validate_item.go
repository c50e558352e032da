package streamtest

import (
	"errors"
	"fmt"

	"github.com/ChristopherDavenport/openresponses"
)

// openItem is the state of the item that is open.
type openItem struct {
	key   itemKey
	index int       // its output index
	text  textState // arguments of a call, text of a reasoning item
	parts partList  // content of a message, summary of a reasoning item
}

// finished checks that nothing of the item is left open.
func (o *openItem) finished() error {
	if o.parts.open != nil {
		return fmt.Errorf("part %d is not done", o.parts.open.index)
	}
	if o.text.begun && !o.text.done {
		return errors.New("deltas were sent, but no done event with the whole text")
	}
	return nil
}

// textState is the state of a text that deltas make up.
type textState struct{ begun, done bool }

func (t *textState) delta() error {
	if t.done {
		return errors.New("the text is done already")
	}
	t.begun = true
	return nil
}

func (t *textState) finish() error {
	err := t.delta()
	t.done = true
	return err
}

// partList is the state of the list of parts of an item.
type partList struct {
	next int // index of the next part
	open *openPart
}

type openPart struct {
	index    int
	typ      string
	needText bool // the text has to be done before the part is
	text     textState
}

func (l *partList) add(index int, part openresponses.Content, needText bool) error {
	switch {
	case part == nil:
		return errors.New("no part")
	case l.open != nil:
		return fmt.Errorf("part %d is not done", l.open.index)
	case index != l.next:
		return fmt.Errorf("index of the part is %d, want %d", index, l.next)
	}
	l.open = &openPart{index: index, typ: part.ContentType(), needText: needText}
	l.next++
	return nil
}

func (l *partList) finish(index int, part openresponses.Content) error {
	if part == nil {
		return errors.New("no part")
	}
	open, err := l.named(index, part.ContentType())
	if err != nil {
		return err
	}
	if open.needText && !open.text.done {
		return errors.New("the text of the part is not done")
	}
	l.open = nil
	return nil
}

// named returns the open part, if an event names it by its index and type.
func (l *partList) named(index int, typ string) (*openPart, error) {
	switch {
	case l.open == nil:
		return nil, errors.New("no part is open")
	case index != l.open.index:
		return nil, fmt.Errorf("index of the part is %d, want %d", index, l.open.index)
	case typ != l.open.typ:
		return nil, fmt.Errorf("the open part is %s, not %s", l.open.typ, typ)
	}
	return l.open, nil
}

func (l *partList) delta(index int, typ string) error {
	open, err := l.named(index, typ)
	if err != nil {
		return err
	}
	return open.text.delta()
}

func (l *partList) finishText(index int, typ string) error {
	open, err := l.named(index, typ)
	if err != nil {
		return err
	}
	return open.text.finish()
}

// within checks an event of an item against the one that is open.
func (v *validator) within(typ, itemID string, outputIndex int, check func(*openItem) error) error {
	switch o := v.open; {
	case o == nil:
		return errors.New("no item is open")
	case o.key.typ != typ:
		return fmt.Errorf("the open item is a %s, not a %s", o.key.typ, typ)
	case outputIndex != o.index:
		return fmt.Errorf("output_index is %d, want %d", outputIndex, o.index)
	case itemID != o.key.id && o.key.id != "":
		return fmt.Errorf("item_id is %q, want %q", itemID, o.key.id)
	}
	return check(v.open)
}

// inItem checks the events that grow an item. Those that are of no item pass.
func (v *validator) inItem(ev openresponses.StreamEvent) error {
	switch ev := ev.(type) {
	case *openresponses.FunctionCallArgumentsDeltaEvent:
		return v.within(openresponses.ItemTypeFunctionCall, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.text.delta()
		})
	case *openresponses.FunctionCallArgumentsDoneEvent:
		return v.within(openresponses.ItemTypeFunctionCall, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.text.finish()
		})
	case *openresponses.ReasoningDeltaEvent:
		return v.within(openresponses.ItemTypeReasoning, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.text.delta()
		})
	case *openresponses.ReasoningDoneEvent:
		return v.within(openresponses.ItemTypeReasoning, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.text.finish()
		})
	case *openresponses.ReasoningSummaryPartAddedEvent:
		return v.within(openresponses.ItemTypeReasoning, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.add(ev.SummaryIndex, ev.Part, true)
		})
	case *openresponses.ReasoningSummaryPartDoneEvent:
		return v.within(openresponses.ItemTypeReasoning, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.finish(ev.SummaryIndex, ev.Part)
		})
	case *openresponses.ReasoningSummaryTextDeltaEvent:
		return v.within(openresponses.ItemTypeReasoning, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.delta(ev.SummaryIndex, openresponses.ContentTypeSummaryText)
		})
	case *openresponses.ReasoningSummaryTextDoneEvent:
		return v.within(openresponses.ItemTypeReasoning, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.finishText(ev.SummaryIndex, openresponses.ContentTypeSummaryText)
		})
	}
	return v.inMessage(ev)
}

// inMessage checks the events that grow a message.
func (v *validator) inMessage(ev openresponses.StreamEvent) error {
	const message, text, refusal = openresponses.ItemTypeMessage, openresponses.ContentTypeOutputText, openresponses.ContentTypeRefusal
	switch ev := ev.(type) {
	case *openresponses.ContentPartAddedEvent:
		return v.within(message, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			streamed := ev.Part != nil && (ev.Part.ContentType() == text || ev.Part.ContentType() == refusal)
			return o.parts.add(ev.ContentIndex, ev.Part, streamed)
		})
	case *openresponses.ContentPartDoneEvent:
		return v.within(message, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.finish(ev.ContentIndex, ev.Part)
		})
	case *openresponses.OutputTextDeltaEvent:
		return v.within(message, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.delta(ev.ContentIndex, text)
		})
	case *openresponses.OutputTextDoneEvent:
		return v.within(message, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.finishText(ev.ContentIndex, text)
		})
	case *openresponses.OutputTextAnnotationAddedEvent:
		return v.within(message, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			_, err := o.parts.named(ev.ContentIndex, text)
			return err
		})
	case *openresponses.RefusalDeltaEvent:
		return v.within(message, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.delta(ev.ContentIndex, refusal)
		})
	case *openresponses.RefusalDoneEvent:
		return v.within(message, ev.ItemID, ev.OutputIndex, func(o *openItem) error {
			return o.parts.finishText(ev.ContentIndex, refusal)
		})
	}
	return nil
}
