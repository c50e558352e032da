package agentturn

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ChristopherDavenport/agentturn/internal/jsonfield"
)

// DecodeEvent reads the JSON form of an event, as each event's MarshalJSON
// writes it: an object whose first member, type, says which event it is, with
// the event's fields in snake case. Members it does not know are ignored; a type
// it does not know is an error that names it.
//
// What comes back equals the event that was encoded, but for these:
//
//   - An error has its text, and errors.Is finds in it the sentinels of this
//     package and of openresponses, context.Canceled, context.DeadlineExceeded,
//     io.EOF and io.ErrUnexpectedEOF; errors.As finds an *openresponses.Error,
//     without the headers and the body of the response it came in.
//   - Result.Details is generic JSON, map[string]any and the like, and nil where
//     it has no JSON form.
//   - PendingCall.Tool is nil; the JSON has its name.
//   - Text that is not UTF-8 has U+FFFD in the place of what is not.
//   - What openresponses normalises when it encodes is normalised.
//
// The delay of a retry is in nanoseconds, as delay_ns. Arguments are strings
// that hold JSON, as on a function call.
func DecodeEvent(data []byte) (Event, error) {
	members, err := jsonfield.Split(data)
	if err != nil {
		return nil, fmt.Errorf("agentturn: decode event: %w", err)
	}
	var typ string
	if raw, ok := members["type"]; ok {
		if err := json.Unmarshal(raw, &typ); err != nil {
			return nil, fmt.Errorf("agentturn: decode event: type: %w", err)
		}
	}
	ev := newEvent(typ)
	if ev == nil {
		return nil, fmt.Errorf("agentturn: decode event: unknown type %q", typ)
	}
	if err := jsonfield.DecodeMembers(members, ev.fields()); err != nil {
		return nil, fmt.Errorf("agentturn: decode event %s: %w", typ, err)
	}
	return ev, nil
}

// codedEvent is an event that has a JSON form, as all of them have.
type codedEvent interface {
	Event
	fields() []jsonfield.Field
}

// newEvent returns an empty event of a type, nil for a type there is none of.
func newEvent(typ string) codedEvent {
	switch typ {
	case EventRunStart:
		return new(RunStart)
	case EventTurnStart:
		return new(TurnStart)
	case EventModelRetry:
		return new(ModelRetry)
	case EventModelBlocked:
		return new(ModelBlocked)
	case EventResponseEnd:
		return new(ResponseEnd)
	case EventItemStart:
		return new(ItemStart)
	case EventItemUpdate:
		return new(ItemUpdate)
	case EventItemEnd:
		return new(ItemEnd)
	case EventToolStart:
		return new(ToolStart)
	case EventToolDispatch:
		return new(ToolDispatch)
	case EventToolUpdate:
		return new(ToolUpdate)
	case EventToolEnd:
		return new(ToolEnd)
	case EventTurnEnd:
		return new(TurnEnd)
	case EventRunEnd:
		return new(RunEnd)
	case EventQueued:
		return new(Queued)
	}
	return nil
}

// encodeEvent writes the type and then the fields.
func encodeEvent(ev codedEvent) ([]byte, error) {
	dst := append([]byte(`{"type":"`), ev.EventType()...)
	dst, err := jsonfield.AppendMembers(append(dst, '"'), ev.fields())
	if err != nil {
		return nil, fmt.Errorf("agentturn: encode event %s: %w", ev.EventType(), err)
	}
	return append(dst, '}'), nil
}

// decodeInto replaces *p with the event in data, which must be of its type.
func decodeInto[T any, P interface {
	*T
	codedEvent
}](p P, data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		return nil // as for any json.Unmarshaler
	}
	ev, err := DecodeEvent(data)
	if err != nil {
		return err
	}
	decoded, ok := ev.(P)
	if !ok {
		return fmt.Errorf("agentturn: decode event %s: the type is %q", p.EventType(), ev.EventType())
	}
	*p = *decoded
	return nil
}
