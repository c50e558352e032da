package openresponses

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
)

func cloneSamples() Items {
	known, _ := UnmarshalItem([]byte(`{"type":"message","role":"user","content":[{"type":"input_text","text":"t","x":1}],"y":2}`))
	return Items{
		known,
		&Message{},
		&Message{ID: "i\xff", Role: RoleAssistant, Content: Contents{
			&OutputText{Text: "a\xffb", Annotations: Annotations{&URLCitation{URL: "u"}, nil, &UnknownAnnotation{Type: "z"}}, Logprobs: []LogProb{}},
			&OutputText{Logprobs: []LogProb{{Token: "t", TopLogprobs: []TopLogProb{{Bytes: []int{1}}}}}},
			nil, (*Text)(nil), &InputImage{}, &UnknownContent{Type: "text", Raw: json.RawMessage(`{ "type": "text", "text": "<" }`)}, &UnknownContent{Type: "text"},
		}},
		&FunctionCall{CallID: "c", Arguments: "\xed\xa0\xbd"},
		&FunctionCallOutput{Output: FunctionCallOutputData{Text: "dropped", Parts: Contents{}}},
		&FunctionCallOutput{Output: FunctionCallOutputData{Text: "kept\xc3"}},
		&ReasoningItem{Content: Contents{}},
		&ReasoningItem{Summary: Contents{&SummaryText{Text: "s"}}, Content: Contents{&ReasoningText{Text: "r"}}},
		&Compaction{EncryptedContent: "e"},
		&ItemReference{ID: "i"},
		&UnknownItem{Type: "message"},
		&UnknownItem{Type: "t", ID: "edited", Raw: json.RawMessage(`{"type": "u", "id": "i"}`)},
		&UnknownItem{Raw: json.RawMessage(`{"type":"message","role":"user"}`)},
		(*Message)(nil),
		foreignMessage{UserText("x")},
	}
}

// TestCloneIsRoundTrip checks that Clone gives what encoding and decoding again
// does, item by item.
func TestCloneIsRoundTrip(t *testing.T) {
	items := cloneSamples()
	clones := items.Clone()
	for i, item := range items {
		data := marshalText(t, Request{Input: Items{item}})
		want, err := decodeInto[Request]([]byte(data))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(clones[i], want.Input[0]) {
			t.Errorf("%s\ncloned  %#v\ndecoded %#v", data, clones[i], want.Input[0])
		}
	}
}

// TestTableCopies checks the same for every type of event and tool, empty and full.
func TestTableCopies(t *testing.T) {
	for _, v := range declared() {
		for range 2 {
			switch v := v.(type) {
			case StreamEvent:
				checkCopy(t, eventTypes, v)
			case Tool:
				checkCopy(t, toolTypes, v)
			case Annotation:
				checkCopy(t, annotationTypes, v)
			case Content:
				checkCopy(t, contentTypes, v)
			case Item:
				checkCopy(t, itemTypes, v)
			}
			fill(reflect.ValueOf(v).Elem())
		}
	}
	req, full := Request{Model: "m\xff", ToolChoice: ToolChoiceFunction("f\xff")}, Response{}
	fill(reflect.ValueOf(&full).Elem())
	for _, r := range []*Response{NewResponse(req), {}, &full, {Extra: map[string]any{"a": []any{1.0}}}} {
		checkCopy[StreamEvent](t, eventTypes, &ResponseCreatedEvent{Response: r})
	}
}

func checkCopy[V any](t *testing.T, g *registry[V], v V) {
	t.Helper()
	data, err := g.append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	want, err := g.unmarshal(data)
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.clone(v)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ncloned  %#v, %v\ndecoded %#v", data, got, err, want)
	}
}

func TestCloneIsDeep(t *testing.T) {
	original := Items{&Message{Role: RoleAssistant, Content: Contents{&OutputText{
		Text: "t", Annotations: Annotations{&URLCitation{URL: "u"}}, Logprobs: []LogProb{{Bytes: []int{1}}},
	}}}, &UnknownItem{Type: "x", Raw: json.RawMessage(`{"type":"x"}`)}}
	before := marshalText(t, original)
	c := original.Clone()
	part := c[0].(*Message).Content[0].(*OutputText)
	part.Text = "changed"
	part.Annotations[0].(*URLCitation).URL = "changed"
	part.Logprobs[0].Bytes[0] = 99
	c[0].(*Message).Content[0] = nil
	c[1].(*UnknownItem).Raw[2] = 'X'
	if after := marshalText(t, original); after != before {
		t.Errorf("the original became %s", after)
	}
}

func TestCloneLeaves(t *testing.T) {
	if got := Items(nil).Clone(); got != nil {
		t.Errorf("nil became %#v", got)
	}
	if got := (Items{}).Clone(); got == nil || len(got) != 0 {
		t.Errorf("empty became %#v", got)
	}
	for _, item := range []Item{
		nil,
		&UnknownItem{Raw: json.RawMessage(`nope`)},
		&Message{Content: Contents{&OutputText{Logprobs: []LogProb{{Logprob: math.NaN()}}}}},
	} {
		if got := (Items{item}).Clone(); got[0] != item {
			t.Errorf("%#v became %#v, want it shared", item, got[0])
		}
	}
}
