package openresponses

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// A StreamEvent is one event of a streaming response. The events of this package are
// pointers; a type that nobody registered is an [UnknownEvent]. Others can be added with
// [RegisterEvent].
type StreamEvent interface {
	// EventType is the event's member "type".
	EventType() string
	// Sequence is the event's number in its stream, from 0.
	Sequence() int64
}

// A SequenceSetter is an event that can be given its number in a stream. Every event of
// this package is one.
type SequenceSetter interface {
	SetSequence(int64)
}

// Types of the events this package knows.
const (
	EventResponseCreated            = "response.created"
	EventResponseQueued             = "response.queued"
	EventResponseInProgress         = "response.in_progress"
	EventResponseCompleted          = "response.completed"
	EventResponseFailed             = "response.failed"
	EventResponseIncomplete         = "response.incomplete"
	EventOutputItemAdded            = "response.output_item.added"
	EventOutputItemDone             = "response.output_item.done"
	EventContentPartAdded           = "response.content_part.added"
	EventContentPartDone            = "response.content_part.done"
	EventOutputTextDelta            = "response.output_text.delta"
	EventOutputTextDone             = "response.output_text.done"
	EventRefusalDelta               = "response.refusal.delta"
	EventRefusalDone                = "response.refusal.done"
	EventFunctionCallArgumentsDelta = "response.function_call_arguments.delta"
	EventFunctionCallArgumentsDone  = "response.function_call_arguments.done"
	EventReasoningSummaryPartAdded  = "response.reasoning_summary_part.added"
	EventReasoningSummaryPartDone   = "response.reasoning_summary_part.done"
	EventReasoningSummaryTextDelta  = "response.reasoning_summary_text.delta"
	EventReasoningSummaryTextDone   = "response.reasoning_summary_text.done"
	EventReasoningDelta             = "response.reasoning.delta"
	EventReasoningDone              = "response.reasoning.done"
	EventOutputTextAnnotationAdded  = "response.output_text.annotation.added"
	EventError                      = "error"

	// EventWebSocketResponseCreate is the type of the frame with which a client starts a
	// turn on a WebSocket. It is a request, not an event.
	EventWebSocketResponseCreate = "response.create"
)

// Names that some servers give the reasoning events.
const (
	eventReasoningTextDelta = "response.reasoning_text.delta"
	eventReasoningTextDone  = "response.reasoning_text.done"
)

var eventTypes = newRegistry(
	family[StreamEvent]{
		kind:    "event",
		typeOf:  StreamEvent.EventType,
		builtin: isBuiltinEvent,
		unknown: func(h head, raw json.RawMessage) StreamEvent {
			return &UnknownEvent{Type: h.typ, SequenceNumber: h.sequence, Raw: raw}
		},
		infer: func(h *head) {
			if h.typ == "" && h.hasError {
				h.typ = EventError
			}
		},
	},
	builtinType[StreamEvent](EventResponseCreated, responseCreatedEventFields),
	builtinType[StreamEvent](EventResponseQueued, responseQueuedEventFields),
	builtinType[StreamEvent](EventResponseInProgress, responseInProgressEventFields),
	builtinType[StreamEvent](EventResponseCompleted, responseCompletedEventFields),
	builtinType[StreamEvent](EventResponseFailed, responseFailedEventFields),
	builtinType[StreamEvent](EventResponseIncomplete, responseIncompleteEventFields),
	builtinType[StreamEvent](EventOutputItemAdded, outputItemAddedEventFields),
	builtinType[StreamEvent](EventOutputItemDone, outputItemDoneEventFields),
	builtinType[StreamEvent](EventContentPartAdded, contentPartAddedEventFields),
	builtinType[StreamEvent](EventContentPartDone, contentPartDoneEventFields),
	builtinType[StreamEvent](EventOutputTextDelta, outputTextDeltaEventFields),
	builtinType[StreamEvent](EventOutputTextDone, outputTextDoneEventFields),
	builtinType[StreamEvent](EventRefusalDelta, refusalDeltaEventFields),
	builtinType[StreamEvent](EventRefusalDone, refusalDoneEventFields),
	builtinType[StreamEvent](EventFunctionCallArgumentsDelta, functionCallArgumentsDeltaEventFields),
	builtinType[StreamEvent](EventFunctionCallArgumentsDone, functionCallArgumentsDoneEventFields),
	builtinType[StreamEvent](EventReasoningSummaryPartAdded, reasoningSummaryPartAddedEventFields),
	builtinType[StreamEvent](EventReasoningSummaryPartDone, reasoningSummaryPartDoneEventFields),
	builtinType[StreamEvent](EventReasoningSummaryTextDelta, reasoningSummaryTextDeltaEventFields),
	builtinType[StreamEvent](EventReasoningSummaryTextDone, reasoningSummaryTextDoneEventFields),
	builtinType[StreamEvent](EventReasoningDelta, reasoningDeltaEventFields),
	builtinType[StreamEvent](EventReasoningDone, reasoningDoneEventFields),
	builtinType[StreamEvent](EventOutputTextAnnotationAdded, outputTextAnnotationAddedEventFields),
	builtinType[StreamEvent](EventError, errorEventFields),
	builtinType[StreamEvent](eventReasoningTextDelta, reasoningDeltaEventFields),
	builtinType[StreamEvent](eventReasoningTextDone, reasoningDoneEventFields),
)

func isBuiltinEvent(ev StreamEvent) bool {
	_, ok := ev.(interface{ builtinEvent() })
	return ok
}

// DecodeEvent decodes one event by its type. Without a type, an object with an "error"
// member is an [ErrorEvent]; anything else that nobody registered is an [UnknownEvent].
func DecodeEvent(data []byte) (StreamEvent, error) {
	return eventTypes.unmarshal(data)
}

// EncodeEvent returns the JSON of an event.
func EncodeEvent(ev StreamEvent) ([]byte, error) {
	if ev == nil {
		return []byte("null"), nil
	}
	return eventTypes.append(nil, &ev)
}

// eventDecoder decodes the events of one stream. It keeps what repeats from one to the
// next, such as the ID of the item.
type eventDecoder struct {
	reader jsonx.Reader
}

func (d *eventDecoder) decode(data []byte) (StreamEvent, error) {
	d.reader.Reset(data)
	ev, err := eventTypes.read(&d.reader)
	if err == nil {
		err = eventTypes.end(&d.reader)
	}
	if err != nil {
		return nil, err
	}
	return ev, nil
}

// TerminalResponse returns the response of the event that ends a response, which may be
// nil, and whether ev is one.
func TerminalResponse(ev StreamEvent) (*Response, bool) {
	switch ev := ev.(type) {
	case *ResponseCompletedEvent:
		return ev.Response, true
	case *ResponseFailedEvent:
		return ev.Response, true
	case *ResponseIncompleteEvent:
		return ev.Response, true
	}
	return nil, false
}

// nullable is codec for a value that may be nil, which is null.
func nullable[E comparable](codec jsonx.Codec[E]) jsonx.Codec[E] {
	var none E
	return jsonx.Codec[E]{
		Append: func(dst []byte, v *E) ([]byte, error) {
			if *v == none {
				return append(dst, "null"...), nil
			}
			return codec.Append(dst, v)
		},
		Decode: func(r *jsonx.Reader, v *E) error {
			*v = none
			if null, err := r.Null(); null || err != nil {
				return err
			}
			return codec.Decode(r, v)
		},
		Copy: func(v *E) error {
			if *v == none {
				return nil
			}
			return codec.Copy(v)
		},
	}
}

// Err returns the event's error, with its status.
func (e *ErrorEvent) Err() *Error { return e.Error.Err(e.Status) }

// An UnknownEvent is an event of a type that nobody registered, kept as it came.
type UnknownEvent struct {
	Type           string // "" if the event had none
	SequenceNumber int64
	// Raw is the event's JSON. While it is not empty it alone is encoded, with the
	// sequence number that SetSequence gave it.
	Raw json.RawMessage

	renumbered bool
}

func (*UnknownEvent) builtinEvent() {}

// EventType returns Type.
func (e *UnknownEvent) EventType() string { return e.Type }

// Sequence returns SequenceNumber.
func (e *UnknownEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence sets SequenceNumber, and has it replace the one in Raw.
func (e *UnknownEvent) SetSequence(n int64) { e.SequenceNumber, e.renumbered = n, true }

// MarshalJSON returns Raw. After SetSequence, Raw has to be an object, and its members
// come in alphabetical order. Without Raw it encodes the type and the number.
func (e *UnknownEvent) MarshalJSON() ([]byte, error) {
	if len(e.Raw) > 0 && !e.renumbered {
		return jsonx.Repair(e.Raw), nil
	}
	return e.appendJSON(nil)
}

func (e *UnknownEvent) appendJSON(dst []byte) ([]byte, error) {
	switch {
	case e == nil:
		return append(dst, "null"...), nil
	case len(e.Raw) == 0:
		return unknownEventFields.Append(dst, e)
	case !e.renumbered:
		return jsonx.AppendRaw(dst, e.Raw)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(e.Raw, &members); err != nil || members == nil {
		return dst, fmt.Errorf("openresponses: number event %q: %w", e.Type, errors.Join(errNoObject, err))
	}
	members["sequence_number"] = jsonx.AppendInt(nil, e.SequenceNumber)
	raw, err := json.Marshal(members)
	if err != nil {
		return dst, err
	}
	return jsonx.AppendRaw(dst, raw)
}

var errNoObject = errors.New("not a JSON object")

var unknownEventFields = jsonx.NewObject("", nil,
	jsonx.String("type", func(e *UnknownEvent) *string { return &e.Type }),
	jsonx.Int("sequence_number", func(e *UnknownEvent) *int64 { return &e.SequenceNumber }),
)

// UnmarshalJSON keeps a copy of data and takes the event's type and number from it.
func (e *UnknownEvent) UnmarshalJSON(data []byte) error {
	h, raw, err := unmarshalHead(data)
	if err != nil {
		return err
	}
	*e = UnknownEvent{Type: h.typ, SequenceNumber: h.sequence, Raw: slices.Clone(raw)}
	return nil
}
