package agentturn

import (
	"fmt"
	"unicode/utf8"

	"github.com/ChristopherDavenport/openresponses"
)

// ownedEvent is ev as a client would have read it from the wire, sharing nothing with ev
// that its sender may change: an emitter sends its live values. The events every stream is
// made of are copied, which costs a thirtieth of encoding and decoding them; the others go
// through the wire form.
func ownedEvent(ev openresponses.StreamEvent) (openresponses.StreamEvent, error) {
	if own := copyEvent(ev); own != nil {
		return own, nil
	}
	data, err := openresponses.EncodeEvent(ev)
	if err != nil {
		return nil, fmt.Errorf("agentturn: event of the model: %w", err)
	}
	return openresponses.DecodeEvent(data)
}

// copyEvent copies an event, or returns nil for one it does not know how to copy.
func copyEvent(ev openresponses.StreamEvent) openresponses.StreamEvent {
	switch e := ev.(type) {
	case *openresponses.OutputTextDeltaEvent:
		if e != nil && len(e.Logprobs) == 0 {
			c := *e
			c.Logprobs = nil
			validate(&c.Delta, &c.ItemID, &c.Obfuscation)
			return &c
		}
	case *openresponses.FunctionCallArgumentsDeltaEvent:
		if e != nil {
			c := *e
			validate(&c.Delta, &c.ItemID, &c.Obfuscation)
			return &c
		}
	case *openresponses.ReasoningDeltaEvent:
		if e != nil {
			c := *e
			validate(&c.Delta, &c.ItemID, &c.Obfuscation)
			return &c
		}
	case *openresponses.ReasoningSummaryTextDeltaEvent:
		if e != nil {
			c := *e
			validate(&c.Delta, &c.ItemID, &c.Obfuscation)
			return &c
		}
	case *openresponses.FunctionCallArgumentsDoneEvent:
		if e != nil {
			c := *e
			validate(&c.Arguments, &c.ItemID)
			return &c
		}
	case *openresponses.OutputItemAddedEvent:
		if e != nil && e.Item != nil {
			c := *e
			c.Item = copyItem(e.Item)
			return &c
		}
	case *openresponses.OutputItemDoneEvent:
		if e != nil && e.Item != nil {
			c := *e
			c.Item = copyItem(e.Item)
			return &c
		}
	case *openresponses.ResponseCreatedEvent:
		if e != nil && e.Response != nil {
			c := *e
			c.Response = copyResponse(e.Response)
			return &c
		}
	case *openresponses.ResponseInProgressEvent:
		if e != nil && e.Response != nil {
			c := *e
			c.Response = copyResponse(e.Response)
			return &c
		}
	case *openresponses.ResponseCompletedEvent:
		if e != nil && e.Response != nil {
			c := *e
			c.Response = copyResponse(e.Response)
			return &c
		}
	}
	return nil
}

// copyItem copies an item. A call is all strings, and the kind every turn of tools begins with.
func copyItem(item openresponses.Item) openresponses.Item {
	if call, ok := item.(*openresponses.FunctionCall); ok && call != nil {
		c := *call
		validate(&c.ID, &c.CallID, &c.Name, &c.Arguments)
		return &c
	}
	return openresponses.Items{item}.Clone()[0]
}

// copyResponse copies what a sender goes on to change: the lists and maps, the items, the
// usage and the error.
func copyResponse(r *openresponses.Response) *openresponses.Response {
	c := r.Clone()
	for i, item := range r.Output {
		c.Output[i] = copyItem(item)
	}
	if r.Usage != nil {
		usage := *r.Usage
		c.Usage = &usage
	}
	if r.Error != nil {
		failure := *r.Error
		c.Error = &failure
	}
	return c
}

// validate replaces what is not valid UTF-8 in texts, byte by byte, as encoding would.
func validate(texts ...*string) {
	for _, s := range texts {
		if !utf8.ValidString(*s) {
			*s = string([]rune(*s))
		}
	}
}
