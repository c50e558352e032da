package openresponses

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestDecodeEvent(t *testing.T) {
	tests := []struct {
		text string
		want StreamEvent
	}{
		{`{"type":"response.output_text.delta","sequence_number":1,"item_id":"i","output_index":-2,"content_index":3,"delta":"\u00e9\n","logprobs":[],"obfuscation":"o"}`,
			&OutputTextDeltaEvent{SequenceNumber: 1, ItemID: "i", OutputIndex: -2, ContentIndex: 3, Delta: "é\n", Logprobs: []LogProb{}, Obfuscation: "o"}},
		{`{"type":"response.output_text.delta","delta":null}`, &OutputTextDeltaEvent{}},
		{`{"type":"response.reasoning_text.delta","delta":"x"}`, &ReasoningDeltaEvent{Delta: "x"}},
		{`{"text":"x","type":"response.reasoning_text.done"}`, &ReasoningDoneEvent{Text: "x"}},
		{`{"type":"response.reasoning.delta","delta":"x"}`, &ReasoningDeltaEvent{Delta: "x"}},
		{`{"type":"response.output_item.added","item":null}`, &OutputItemAddedEvent{}},
		{`{"type":"response.output_item.done"}`, &OutputItemDoneEvent{}},
		{`{"type":"response.output_item.done","item":{"type":"x"}}`, &OutputItemDoneEvent{Item: &UnknownItem{Type: "x", Raw: json.RawMessage(`{"type":"x"}`)}}},
		{`{"type":"response.content_part.added","part":{"type":"refusal","refusal":"r"}}`, &ContentPartAddedEvent{Part: &Refusal{Refusal: "r"}}},
		{`{"type":"response.output_text.annotation.added","annotation":{"type":"url_citation","url":"u"}}`, &OutputTextAnnotationAddedEvent{Annotation: &URLCitation{URL: "u"}}},
		{`{"type":"response.failed","response":null}`, &ResponseFailedEvent{}},
		{`{"type":"error","status":429,"error":{"code":"c"}}`, &ErrorEvent{Status: 429, Error: ErrorPayload{Code: "c"}}},
		{`{"error":{"message":"m"},"sequence_number":2}`, &ErrorEvent{SequenceNumber: 2, Error: ErrorPayload{Message: "m"}}},
		{`{"type":"acme:x","sequence_number":3}`, &UnknownEvent{Type: "acme:x", SequenceNumber: 3, Raw: json.RawMessage(`{"type":"acme:x","sequence_number":3}`)}},
		{`{"type":"acme:x","sequence_number":"3"}`, &UnknownEvent{Type: "acme:x", Raw: json.RawMessage(`{"type":"acme:x","sequence_number":"3"}`)}},
		{`{}`, &UnknownEvent{Raw: json.RawMessage(`{}`)}},
		{`{"type":"response.create"}`, &UnknownEvent{Type: "response.create", Raw: json.RawMessage(`{"type":"response.create"}`)}},
	}
	for _, tt := range tests {
		data := []byte(tt.text)
		got, err := DecodeEvent(data)
		clear(data) // the event must not alias it
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %#v, %v, want %#v", tt.text, got, err, tt.want)
		}
	}
	flat, err := DecodeEvent([]byte(`{"type":"error","code":"c","message":"m"}`))
	if e, ok := flat.(*ErrorEvent); err != nil || !ok || !reflect.DeepEqual(e.Error, ErrorPayload{}) {
		t.Errorf("flat members were read: %#v, %v", flat, err)
	}
}

func TestDecodeEventErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{``, `event: unexpected end of JSON input`},
		{`[DONE]`, `event: invalid character 'D'`},
		{`[]`, `event: json: cannot unmarshal array`},
		{`{"type":1}`, `event: json: cannot unmarshal number`},
		{`{"type":"error","error":"x"}`, `event "error": json: cannot unmarshal string`},
		{`{"type":"response.output_item.done","item":1}`, `event "response.output_item.done": item: json: cannot unmarshal number`},
		{`{"type":"response.output_text.delta","output_index":9999999999999999999}`, `event "response.output_text.delta": json: cannot unmarshal number 9999999999999999999`},
		{`{"type":"response.output_text.delta"} {}`, `event: invalid character '{' after top-level value`},
	}
	for _, tt := range tests {
		got, err := DecodeEvent([]byte(tt.text))
		if err == nil || got != nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %#v, %v, want %s", tt.text, got, err, tt.want)
			continue
		}
		var d eventDecoder
		if _, again := d.decode([]byte(tt.text)); again == nil || again.Error() != err.Error() {
			t.Errorf("%s: stream decoder: %v", tt.text, again)
		}
	}
}

// TestEventMethods checks what all events have in common.
func TestEventMethods(t *testing.T) {
	events := 0
	for _, v := range declared() {
		ev, ok := v.(StreamEvent)
		if !ok {
			continue
		}
		events++
		ev.(SequenceSetter).SetSequence(7)
		if ev.Sequence() != 7 {
			t.Errorf("%T: sequence %d", ev, ev.Sequence())
		}
		data, err := EncodeEvent(ev)
		if err != nil || string(data) != marshalText(t, ev) {
			t.Errorf("%T: %s, %v", ev, data, err)
		}
		back, err := DecodeEvent(data)
		if err != nil || reflect.TypeOf(back) != reflect.TypeOf(ev) || back.Sequence() != 7 || back.EventType() != ev.EventType() {
			t.Errorf("%T: decoded %#v, %v", ev, back, err)
		}
	}
	if events != 24 {
		t.Errorf("%d types of events, want 24", events)
	}
	if data, err := EncodeEvent(nil); err != nil || string(data) != "null" {
		t.Errorf("nil: got %s, %v", data, err)
	}
}

func TestUnknownEventSequence(t *testing.T) {
	ev, err := DecodeEvent([]byte(`{"z":1,"type":"acme:x","a":"\ud83d"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := marshalText(t, ev), `{"z":1,"type":"acme:x","a":"\ufffd"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	ev.(SequenceSetter).SetSequence(4)
	if got, want := marshalText(t, ev), `{"a":"\ufffd","sequence_number":4,"type":"acme:x","z":1}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, raw := range []string{`null`, `[]`, `{`} {
		bad := &UnknownEvent{Raw: json.RawMessage(raw)}
		bad.SetSequence(1)
		if data, err := EncodeEvent(bad); err == nil {
			t.Errorf("%s: got %s", raw, data)
		}
	}
}

func TestTerminalResponse(t *testing.T) {
	r := &Response{}
	for _, ev := range []StreamEvent{&ResponseCompletedEvent{Response: r}, &ResponseFailedEvent{Response: r}, &ResponseIncompleteEvent{Response: r}} {
		if got, ok := TerminalResponse(ev); got != r || !ok {
			t.Errorf("%T: got %v, %v", ev, got, ok)
		}
	}
	if got, ok := TerminalResponse(&ResponseCompletedEvent{}); got != nil || !ok {
		t.Errorf("got %v, %v", got, ok)
	}
	for _, ev := range []StreamEvent{&ResponseCreatedEvent{Response: r}, &ErrorEvent{}, nil} {
		if got, ok := TerminalResponse(ev); got != nil || ok {
			t.Errorf("%T: got %v, %v", ev, got, ok)
		}
	}
}

// TestDecodeDeltaAllocations pins what a delta of a stream costs: the event and its
// text. The ID of its item is that of the event before.
func TestDecodeDeltaAllocations(t *testing.T) {
	var d eventDecoder
	if n := testing.AllocsPerRun(200, func() {
		if _, err := d.decode(deltaFrame); err != nil {
			t.Fatal(err)
		}
	}); n > 2 {
		t.Errorf("eventDecoder: %v allocations, want 2", n)
	}
}
