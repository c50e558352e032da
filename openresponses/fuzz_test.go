package openresponses

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func FuzzItem(f *testing.F) {
	for _, seed := range []string{
		`{"type":"message","role":"user","content":"hi"}`,
		`{"type":"message","id":"m","status":"completed","role":"assistant","content":[{"type":"output_text","text":"a\ud83d\ude00","annotations":[{"type":"url_citation","url":"u","title":"t","start_index":0,"end_index":3,"x":1}],"logprobs":[{"token":"a","logprob":-0.5,"bytes":[97],"top_logprobs":[]}]},{"type":"refusal","refusal":"no"},null],"phase":"final_answer","x":{"y":[1,2.50,"\ud83d"]}}`,
		`{"role":"assistant","content":"hi","type":"message"}`,
		`{"Type":"message","ROLE":"user","content":null}`,
		`{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":\"\\ud83d\"}"}`,
		`{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"data:,"},{"type":"input_file","file_id":"f"},{"type":"input_video","video_url":"v"}]}`,
		`{"type":"function_call_output","call_id":"c","output":null}`,
		`{"type":"reasoning","id":"","summary":null,"content":[{"type":"reasoning_text","text":"t"}],"encrypted_content":"x"}`,
		`{"type":"compaction","encrypted_content":"x","created_by":"y"}`,
		`{"type":"item_reference","id":"x"}`,
		`{"type":"acme:search","id":7,"status":[],"x":"\udc00 <&>"}`,
		`{"type":"message","type":"item_reference","id":"x"}`,
		`{"type":"item_reference","id":1}`, `{"type":3}`, `{"type":null}`, `null`, `[]`, `"x"`, ``, `{"type":"message"`, "{\"type\":\"item_reference\",\"id\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		item, err := UnmarshalItem(data)
		if err != nil {
			for _, v := range declared() {
				if item, ok := v.(Item); ok && typeOf(data) == item.ItemType() {
					checkRefused(t, data, item, err)
				}
			}
			return
		}
		encoded := checkFixedPoint(t, item, UnmarshalItem)
		checkPlain(t, data, item)
		clone := Items{item}.Clone()
		again, err := UnmarshalItem(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(clone[0], again) {
			t.Errorf("%s\ncloned  %#v\ndecoded %#v", data, clone[0], again)
		}
	})
}

func FuzzEvent(f *testing.F) {
	f.Add(deltaFrame)
	for _, seed := range []string{
		`{"type":"response.created","sequence_number":0,"response":{"id":"r","output":[{"type":"message","role":"assistant","content":[]}],"x":1}}`,
		`{"type":"response.completed","response":null}`,
		`{"type":"response.output_item.added","output_index":-1,"item":null}`,
		`{"type":"response.output_item.done","output_index":9999999999999,"item":{"type":"acme:x"}}`,
		`{"type":"response.content_part.added","item_id":"i","part":{"type":"summary_text","text":""}}`,
		`{"sequence_number":1,"type":"response.reasoning_text.delta","delta":"x"}`,
		`{"type":"response.output_text.annotation.added","annotation":{"type":"url_citation"}}`,
		`{"type":"error","sequence_number":3,"status":429,"error":{"type":"too_many_requests","code":null,"message":"m","param":null,"headers":{"Retry-After":"1"}}}`,
		`{"error":{"message":"m"}}`, `{"error":null}`, `{"type":"acme:x","sequence_number":"7","x":"\ud83d"}`, `{}`, `null`, `[DONE]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ev, err := DecodeEvent(data)
		if err != nil {
			return
		}
		checkFixedPoint(t, ev, DecodeEvent)
		checkPlain(t, data, ev)
		var d eventDecoder
		for range 2 {
			again, err := d.decode(data)
			if err != nil || !reflect.DeepEqual(again, ev) {
				t.Fatalf("%s\nstream decoder: %#v, %v\nDecodeEvent: %#v", data, again, err, ev)
			}
		}
		ev.(SequenceSetter).SetSequence(5)
		encoded, err := EncodeEvent(ev)
		if err != nil {
			if u, ok := ev.(*UnknownEvent); ok && string(u.Raw) == "null" {
				return
			}
			t.Fatal(err)
		}
		if again, err := DecodeEvent(encoded); err != nil || again.Sequence() != 5 {
			t.Fatalf("%s\nrenumbered %s: %v", data, encoded, err)
		}
	})
}

func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"model":"m","input":"hi"}`,
		`{"model":"m","input":[{"type":"message","role":"user","content":"x"}],"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true,"x":1},{"type":"acme:t"}],"tool_choice":{"type":"function","name":"f"},"metadata":{"b":"2","a":null},"text":{"format":{"type":"json_schema","name":"n","schema":{}},"verbosity":"low"},"reasoning":{"effort":"high","summary":null,"x":1}}`,
		`{"model":"m","tool_choice":{"type":"allowed_tools","tools":[{"type":"mcp","server_label":"s"}],"mode":"auto"},"temperature":1e-7,"top_p":-0.0,"max_output_tokens":10,"store":false,"include":["x"],"stream_options":{"include_obfuscation":true}}`,
		`{"model":"m","zeta":{"a":[1,2,{"b":null}]},"Model":"n","alpha":1e400}`, `{"tools":null,"input":null,"text":null,"metadata":null}`, `null`, `{"input":[1]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var req Request
		if err := json.Unmarshal(data, &req); err != nil {
			checkRefused(t, data, &req, err)
			return
		}
		checkFixedPoint(t, req, decodeInto[Request])
		checkPlain(t, data, &req)
		_ = req.Validate()
	})
}

func FuzzResponse(f *testing.F) {
	for _, seed := range []string{
		`{"id":"r","object":"response","created_at":1,"completed_at":null,"status":"completed","incomplete_details":{"reason":"max_output_tokens"},"model":"m","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"t"}]}],"error":{"code":"c","message":"m"},"tools":[],"tool_choice":"auto","truncation":"disabled","parallel_tool_calls":true,"text":{"format":{"type":"text"}},"top_p":1,"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3,"input_tokens_details":{"cached_tokens":0,"audio":1},"cost":0.1},"metadata":{}}`,
		`{"id":"r","output":null,"tools":null,"usage":null,"billing":{"payer":"x"}}`, `{}`, `null`, `{"ID":"x","Output":[]}`, `{"usage":{"input_tokens":1.5}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var res Response
		if err := json.Unmarshal(data, &res); err != nil {
			checkRefused(t, data, &res, err)
			return
		}
		checkFixedPoint(t, res, decodeInto[Response])
		checkPlain(t, data, &res)
	})
}

func decodeInto[V any](data []byte) (V, error) {
	var v V
	err := json.Unmarshal(data, &v)
	return v, err
}

// checkFixedPoint encodes a value that was decoded and decodes it again: the JSON
// is valid, the second value encodes to the same bytes, and json.Marshal agrees
// with the value's own method.
func checkFixedPoint[V any](t *testing.T, v V, decode func([]byte) (V, error)) []byte {
	t.Helper()
	encoded, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("encode %#v: %v", v, err)
	}
	if own, ok := any(v).(appender); ok {
		direct, err := own.appendJSON(nil)
		if err != nil || !bytes.Equal(direct, encoded) {
			t.Fatalf("appended %s (%v), json.Marshal gives %s", direct, err, encoded)
		}
	}
	if lone := loneSurrogate(encoded); lone {
		t.Fatalf("lone surrogate in %s", encoded)
	}
	again, err := decode(encoded)
	if err != nil {
		t.Fatalf("decode %s: %v", encoded, err)
	}
	twice, err := json.Marshal(again)
	if err != nil || !bytes.Equal(twice, encoded) {
		t.Fatalf("encoded\n%s\nthen (%v)\n%s", encoded, err, twice)
	}
	return encoded
}

// loneSurrogate reports whether data has an escape that is half of a pair, which
// decoding into a string would turn into a replacement character.
func loneSurrogate(data []byte) bool {
	s := strings.ToLower(strings.ReplaceAll(string(data), `\\`, ""))
	for {
		i := strings.Index(s, `\ud`)
		if i < 0 || i+6 > len(s) {
			return false
		}
		s = s[i:]
		switch {
		case s[3] < '8':
			s = s[6:]
		case s[3] < 'c' && len(s) >= 12 && strings.HasPrefix(s[6:], `\ud`) && s[9] >= 'c':
			s = s[12:]
		default:
			return true
		}
	}
}

// checkPlain compares v, a pointer that was decoded from data, with what
// encoding/json decodes into its plain type, where it does. Texts in which a member
// comes twice are left out: encoding/json merges some of them.
func checkPlain(t *testing.T, data []byte, v any) {
	t.Helper()
	value := reflect.ValueOf(v).Elem()
	if isUnknown(v) || hasDuplicates(data) {
		return
	}
	plain := reflect.New(plainType(value.Type(), discriminator(v)))
	if json.Unmarshal(data, plain.Interface()) != nil {
		return
	}
	if m, ok := v.(*Message); ok && m.Content == nil {
		plain.Elem().FieldByName("Content").SetZero() // null is not an empty list here
	}
	if diff := diffPlain(value, plain.Elem(), "value"); diff != "" {
		t.Errorf("%s\n%s", data, diff)
	}
}

// checkRefused fails if encoding/json decodes data into the plain type of v.
func checkRefused(t *testing.T, data []byte, v any, err error) {
	t.Helper()
	plain := reflect.New(plainType(reflect.TypeOf(v).Elem(), discriminator(v)))
	if json.Unmarshal(data, plain.Interface()) == nil {
		t.Errorf("%s\nrefused: %v\nencoding/json has %+v", data, err, plain.Elem())
	}
}

// typeOf returns the type that encoding/json reads in data.
func typeOf(data []byte) string {
	var head struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(data, &head)
	return head.Type
}

func isUnknown(v any) bool {
	switch v.(type) {
	case *UnknownItem, *UnknownEvent:
		return true
	}
	return false
}

// hasDuplicates reports whether some object in data has two members whose names
// are the same but for case.
func hasDuplicates(data []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(data))
	var open []map[string]bool // nil for an array
	name := false
	for {
		token, err := dec.Token()
		if err != nil {
			return false
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
			name = len(open) > 0 && open[len(open)-1] != nil
			continue
		case string:
			if name {
				seen := open[len(open)-1]
				key := strings.ToUpper(strings.ToLower(strings.ToUpper(token)))
				if seen[key] {
					return true
				}
				seen[key] = true
				name = false
				continue
			}
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
}
