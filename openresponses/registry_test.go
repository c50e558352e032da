package openresponses

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
)

type searchItem struct {
	Query string `json:"query"`
}

func (*searchItem) ItemType() string { return "acme:search" }

func (s *searchItem) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"type": "acme:search", "query": s.Query})
}

// restore puts a registry back to what it is now when the test ends.
func restore[V any](t *testing.T, g *registry[V]) {
	before := g.types.Load()
	t.Cleanup(func() { g.types.Store(before) })
}

func TestRegisterItem(t *testing.T) {
	restore(t, itemTypes)
	text := []byte(`{"type":"acme:search","query":"q"}`)
	if item, err := UnmarshalItem(text); err != nil || reflect.TypeOf(item) != reflect.TypeFor[*UnknownItem]() {
		t.Fatalf("before: got %#v, %v", item, err)
	}
	var given json.RawMessage
	RegisterItem("acme:search", func(raw json.RawMessage) (Item, error) {
		given = raw
		s := new(searchItem)
		return s, json.Unmarshal(raw, s)
	})
	data := []byte(`{"input":[{"query":"q", "type":"acme:search"}]}`)
	req, err := decodeInto[Request](data)
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	if s, ok := req.Input[0].(*searchItem); !ok || s.Query != "q" {
		t.Errorf("got %#v", req.Input[0])
	}
	if string(given) != `{"query":"q", "type":"acme:search"}` {
		t.Errorf("the decoder was given %s, which must be a copy of the value", given)
	}
	if got := marshalText(t, req); got != `{"input":[{"query":"q","type":"acme:search"}]}` {
		t.Errorf("got %s", got)
	}
	if c := req.Input.Clone()[0].(*searchItem); c.Query != "q" || c == req.Input[0] {
		t.Errorf("cloned %#v", c)
	}
}

// TestReplaceBuiltin checks that a replaced built-in type is honoured wherever a
// value of it is decoded or copied.
func TestReplaceBuiltin(t *testing.T) {
	restore(t, itemTypes)
	restore(t, contentTypes)
	restore(t, toolTypes)
	restore(t, annotationTypes)
	restore(t, eventTypes)
	failure := errors.New("replaced")
	RegisterContent("input_text", func(json.RawMessage) (Content, error) { return &Text{Text: "replaced"}, nil })
	RegisterTool("function", func(json.RawMessage) (Tool, error) { return nil, failure })
	RegisterAnnotation("url_citation", func(json.RawMessage) (Annotation, error) { return nil, failure })
	RegisterEvent("error", func(json.RawMessage) (StreamEvent, error) { return nil, failure })

	m := new(Message)
	if err := json.Unmarshal([]byte(`{"role":"user","content":[{"type":"input_text","text":"x"}]}`), m); err != nil || m.Text() != "replaced" {
		t.Errorf("content: got %#v, %v", m, err)
	}
	if got := (Items{UserText("x")}).Clone()[0].(*Message).Text(); got != "replaced" {
		t.Errorf("cloned content: got %q", got)
	}
	if _, err := decodeInto[Request]([]byte(`{"tools":[{"type":"function"}]}`)); !errors.Is(err, failure) {
		t.Errorf("tool: got %v", err)
	}
	_, err := UnmarshalContent([]byte(`{"type":"output_text","annotations":[{"type":"url_citation"}]}`))
	if want := `content "output_text": annotations[0]: annotation "url_citation": replaced`; !errors.Is(err, failure) || err.Error() != want {
		t.Errorf("annotation: got %v, want %s", err, want)
	}
	for _, text := range []string{`{"type":"error"}`, `{"error":{}}`} {
		if _, err := DecodeEvent([]byte(text)); !errors.Is(err, failure) || err.Error() != `event "error": replaced` {
			t.Errorf("event: got %v", err)
		}
	}
}

func TestRegisterNil(t *testing.T) {
	defer func() {
		if r := fmt.Sprint(recover()); !strings.HasPrefix(r, "openresponses: ") {
			t.Errorf("recovered %q", r)
		}
	}()
	RegisterItem("acme:nil", nil)
}

func TestRegisterConcurrently(t *testing.T) {
	restore(t, itemTypes)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			typ := fmt.Sprint("acme:", i)
			RegisterItem(typ, func(json.RawMessage) (Item, error) { return &searchItem{Query: typ}, nil })
			item, err := UnmarshalItem([]byte(`{"type":"` + typ + `"}`))
			if s, ok := item.(*searchItem); !ok || s.Query != typ || err != nil {
				t.Errorf("%s: got %#v, %v", typ, item, err)
			}
		})
	}
	wg.Wait()
}

// TestDispatch checks how the type of a value is found.
func TestDispatch(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"type":"item_reference","id":"x"}`, `*openresponses.ItemReference`},
		{` { "id" : "x" , "type" : "item_reference" } `, `*openresponses.ItemReference`},
		{`{"TYPE":"item_reference"}`, `*openresponses.ItemReference`},
		{`{"\u0074ype":"item\u005freference"}`, `*openresponses.ItemReference`},
		{`{"type":"item_reference","type":"compaction"}`, `*openresponses.Compaction`},
		{`{"type":"acme:x","type":"compaction"}`, `*openresponses.Compaction`},
		{`{"type":"compaction","type":"acme:x"}`, `*openresponses.UnknownItem`},
		{`{"type":"compaction","type":null}`, `*openresponses.Compaction`},
		{`{"x":{"type":"compaction"}}`, `*openresponses.UnknownItem`},
		{`{"type":""}`, `*openresponses.UnknownItem`},
		{`{"type":null}`, `*openresponses.UnknownItem`},
		{`{}`, `*openresponses.UnknownItem`},
		{`null`, `*openresponses.UnknownItem`},
		{`{"type":"compaction","type":1}`, ``},
		{`{"type":[]}`, ``},
		{`"x"`, ``},
		{``, ``},
		{`{"type":"compaction"} x`, ``},
		{`{"type":"compaction"`, ``},
	}
	for _, tt := range tests {
		item, err := UnmarshalItem([]byte(tt.text))
		got := ""
		if err == nil {
			got = fmt.Sprintf("%T", item)
		} else if !strings.HasPrefix(err.Error(), "item") || item != nil {
			t.Errorf("%s: got %#v, %v", tt.text, item, err)
		}
		if got != tt.want {
			t.Errorf("%s: got %s, %v, want %s", tt.text, got, err, tt.want)
		}
	}
}
