package openresponses

import (
	"encoding/json"
	"fmt"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// Types of the events this package knows. EventWebSocketResponseCreate is a
// client's frame that begins a turn over WebSocket; it is not a stream event.
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
	EventWebSocketResponseCreate    = "response.create"
)

// Other names that servers give to two of the events. They are read, not written.
const (
	eventReasoningTextDelta = "response.reasoning_text.delta"
	eventReasoningTextDone  = "response.reasoning_text.done"
)

// A StreamEvent is one event of a streamed response. The events of this package
// are pointers, one type for each Event constant, and [*UnknownEvent]; others can
// be added with [RegisterEvent]. Undeclared members are kept, as those of an [Item]
// are.
type StreamEvent interface {
	// EventType is the event's member "type".
	EventType() string
	// Sequence is the event's place in its stream, from 0.
	Sequence() int64
}

// A SequenceSetter is an event whose sequence number can be set, as those of this
// package can. Whoever sends a stream numbers its events by it.
type SequenceSetter interface {
	SetSequence(int64)
}

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
	builtinType[StreamEvent](EventResponseCreated, responseCreatedFields),
	builtinType[StreamEvent](EventResponseQueued, responseQueuedFields),
	builtinType[StreamEvent](EventResponseInProgress, responseInProgressFields),
	builtinType[StreamEvent](EventResponseCompleted, responseCompletedFields),
	builtinType[StreamEvent](EventResponseFailed, responseFailedFields),
	builtinType[StreamEvent](EventResponseIncomplete, responseIncompleteFields),
	builtinType[StreamEvent](EventOutputItemAdded, outputItemAddedFields),
	builtinType[StreamEvent](EventOutputItemDone, outputItemDoneFields),
	builtinType[StreamEvent](EventContentPartAdded, contentPartAddedFields),
	builtinType[StreamEvent](EventContentPartDone, contentPartDoneFields),
	builtinType[StreamEvent](EventOutputTextDelta, outputTextDeltaFields),
	builtinType[StreamEvent](EventOutputTextDone, outputTextDoneFields),
	builtinType[StreamEvent](EventRefusalDelta, refusalDeltaFields),
	builtinType[StreamEvent](EventRefusalDone, refusalDoneFields),
	builtinType[StreamEvent](EventFunctionCallArgumentsDelta, functionCallArgumentsDeltaFields),
	builtinType[StreamEvent](EventFunctionCallArgumentsDone, functionCallArgumentsDoneFields),
	builtinType[StreamEvent](EventReasoningSummaryPartAdded, reasoningSummaryPartAddedFields),
	builtinType[StreamEvent](EventReasoningSummaryPartDone, reasoningSummaryPartDoneFields),
	builtinType[StreamEvent](EventReasoningSummaryTextDelta, reasoningSummaryTextDeltaFields),
	builtinType[StreamEvent](EventReasoningSummaryTextDone, reasoningSummaryTextDoneFields),
	builtinType[StreamEvent](EventReasoningDelta, reasoningDeltaFields),
	builtinType[StreamEvent](eventReasoningTextDelta, reasoningDeltaFields),
	builtinType[StreamEvent](EventReasoningDone, reasoningDoneFields),
	builtinType[StreamEvent](eventReasoningTextDone, reasoningDoneFields),
	builtinType[StreamEvent](EventOutputTextAnnotationAdded, outputTextAnnotationAddedFields),
	builtinType[StreamEvent](EventError, errorEventFields),
)

func isBuiltinEvent(ev StreamEvent) bool {
	switch ev.(type) {
	case *ResponseCreatedEvent, *ResponseQueuedEvent, *ResponseInProgressEvent,
		*ResponseCompletedEvent, *ResponseFailedEvent, *ResponseIncompleteEvent,
		*OutputItemAddedEvent, *OutputItemDoneEvent, *ContentPartAddedEvent, *ContentPartDoneEvent,
		*OutputTextDeltaEvent, *OutputTextDoneEvent, *RefusalDeltaEvent, *RefusalDoneEvent,
		*FunctionCallArgumentsDeltaEvent, *FunctionCallArgumentsDoneEvent,
		*ReasoningSummaryPartAddedEvent, *ReasoningSummaryPartDoneEvent,
		*ReasoningSummaryTextDeltaEvent, *ReasoningSummaryTextDoneEvent,
		*ReasoningDeltaEvent, *ReasoningDoneEvent, *OutputTextAnnotationAddedEvent,
		*ErrorEvent, *UnknownEvent:
		return true
	}
	return false
}

// EncodeEvent returns the JSON of an event, its type first.
func EncodeEvent(ev StreamEvent) ([]byte, error) {
	return appendEvent(make([]byte, 0, 256), ev)
}

// appendEvent is EncodeEvent onto a buffer.
func appendEvent(dst []byte, ev StreamEvent) ([]byte, error) {
	dst, err := eventTypes.append(dst, &ev)
	if err != nil {
		return nil, fmt.Errorf("openresponses: encode event: %w", err)
	}
	return dst, nil
}

// TerminalResponse returns the response of an event that ends a stream as
// completed, failed or incomplete, and whether ev is one. The response may be nil
// even so.
func TerminalResponse(ev StreamEvent) (*Response, bool) {
	switch e := ev.(type) {
	case *ResponseCompletedEvent:
		return e.Response, true
	case *ResponseFailedEvent:
		return e.Response, true
	case *ResponseIncompleteEvent:
		return e.Response, true
	}
	return nil, false
}

// An UnknownEvent is an event of a type that nobody registered, kept as it came.
type UnknownEvent struct {
	Type           string // "" if the event had none
	SequenceNumber int64
	// Raw is the event's JSON. While it is not empty it alone is encoded, but for
	// the sequence number once SetSequence has been called.
	Raw json.RawMessage

	renumbered bool
}

// EventType returns Type.
func (e *UnknownEvent) EventType() string { return e.Type }

// Sequence returns the sequence number.
func (e *UnknownEvent) Sequence() int64 { return e.SequenceNumber }

// SetSequence replaces the sequence number, in Raw too when it is encoded.
func (e *UnknownEvent) SetSequence(n int64) {
	e.SequenceNumber = n
	e.renumbered = true
}

// MarshalJSON returns Raw, with its text repaired where a receiver would refuse
// it, or, once the event was given a new number, Raw with that number and its
// members in alphabetical order; Raw must be an object then. Without Raw it
// encodes the type and the number.
func (e *UnknownEvent) MarshalJSON() ([]byte, error) {
	if e != nil && len(e.Raw) > 0 && !e.renumbered {
		return jsonx.Repair(e.Raw), nil
	}
	return e.appendJSON(nil)
}

func (e *UnknownEvent) appendJSON(dst []byte) ([]byte, error) {
	switch {
	case e == nil || len(e.Raw) == 0:
		return unknownEventFields.Append(dst, e)
	case e.renumbered:
		return e.appendRenumbered(dst)
	default:
		return jsonx.AppendRaw(dst, e.Raw)
	}
}

func (e *UnknownEvent) appendRenumbered(dst []byte) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(e.Raw, &members); err != nil {
		return dst, fmt.Errorf("renumber event %q: %w", e.Type, err)
	}
	if members == nil {
		return dst, fmt.Errorf("renumber event %q: not an object", e.Type)
	}
	members["sequence_number"] = jsonx.AppendInt(nil, e.SequenceNumber)
	raw, err := json.Marshal(members)
	if err != nil {
		return dst, err
	}
	return jsonx.AppendRaw(dst, raw)
}

var unknownEventFields = jsonx.NewObject("", nil,
	jsonx.String("type", func(e *UnknownEvent) *string { return &e.Type }),
	jsonx.Int("sequence_number", func(e *UnknownEvent) *int64 { return &e.SequenceNumber }),
)

// UnmarshalJSON keeps a copy of data, an object or null, and takes its type and its
// sequence number from it. A number that is not an integer counts as 0.
func (e *UnknownEvent) UnmarshalJSON(data []byte) error {
	h, raw, err := unmarshalHead(data)
	if err != nil {
		return err
	}
	*e = UnknownEvent{Type: h.typ, SequenceNumber: h.sequence, Raw: raw}
	return nil
}
