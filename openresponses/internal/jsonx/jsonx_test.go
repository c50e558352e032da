package jsonx

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

var textSeeds = []string{
	"", "a", "plain text of more than eight bytes", `quote " and \ backslash`, "<b>&amp;</b>",
	"\x00\x01\b\t\n\f\r\x1f\x7f", "\u2028\u2029", "é", "日本語のテキスト", "😀 emoji", "\xff", "a\xc3", "\xed\xa0\x80", "\xf0\x9f\x98",
	"seven77\"", "eight888\\", "1234567<", "12345678>", "&", "\ufffd", `\ud83d`, `\ud83d\ude00`,
}

func FuzzAppendString(f *testing.F) {
	for _, s := range textSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got := AppendString([]byte("x"), s)
		if string(got) != "x"+string(want) {
			t.Fatalf("%q: got %s, want %s", s, got[1:], want)
		}
		r := NewReader(got[1:])
		defer r.Release()
		back, err := r.String()
		if err != nil || back != ValidString(s) {
			t.Fatalf("%q: read back %q, %v", s, back, err)
		}
	})
}

func FuzzAppendFloat(f *testing.F) {
	for _, v := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e-9, 1e20, 1e21, 1e100, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.NaN()} {
		f.Add(math.Float64bits(v))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		v := math.Float64frombits(bits)
		want, wantErr := json.Marshal(v)
		got, err := AppendFloat(nil, v)
		if (err == nil) != (wantErr == nil) || string(got) != string(want) {
			t.Fatalf("%v: got %s, %v, want %s, %v", v, got, err, want, wantErr)
		}
	})
}

// FuzzReader holds the reader against encoding/json: what is valid, and what it
// means.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		``, ` `, `null`, `nul`, `true`, `false `, `0`, `-0`, `-`, `01`, `1.`, `1.5e+10`, `1e`, `.5`, `1e400`, `123456789012345678901`,
		`""`, `"\u00e9\ud83d\ude00\ud83d\ud83d\n"`, `"\x"`, `"\u12"`, "\"\x01\"", "\"\xff\"", `"abc`, `"\`,
		`{}`, `{"a":1,"a":2,"\u0061":3}`, `{"a"}`, `{"a":1,}`, `{,}`, `{"a":1 "b":2}`, `{1:2}`, `[]`, `[1,]`, `[1 2]`, `[[[{"a":[null]}]]]`, `[`, `]`, `1 2`, "\ufeff1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want any
		wantErr := json.Unmarshal(data, &want)
		valid := json.Valid(data)

		r := NewReader(data)
		defer r.Release()
		_, err := r.Skip()
		if err == nil {
			err = r.End()
		}
		if (err == nil) != valid {
			t.Fatalf("%q: skip: %v, want valid %v", data, err, valid)
		}
		if err != nil && wantErr != nil && err.Error() != wantErr.Error() {
			t.Fatalf("%q: skip: %v, want %v", data, err, wantErr)
		}
		r.Reset(data)
		got, err := r.Any()
		if err == nil {
			err = r.End()
		}
		if (err == nil) != valid {
			t.Fatalf("%q: any: %v, want valid %v", data, err, valid)
		}
		if wantErr == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: got %#v, want %#v", data, got, want)
		}
		checkRaw(t, data, valid)
	})
}

// checkRaw checks AppendRaw and Repair on data.
func checkRaw(t *testing.T, data []byte, valid bool) {
	t.Helper()
	raw, err := AppendRaw(nil, data)
	if (err == nil) != valid {
		t.Fatalf("%q: raw: %v, want valid %v", data, err, valid)
	}
	Repair(data) // whatever the bytes, it must not panic
	if err != nil {
		return
	}
	if utf8.Valid(data) && !bytes.Contains(bytes.ToLower(data), []byte(`\ud`)) {
		if want, err := json.Marshal(json.RawMessage(data)); err != nil || !bytes.Equal(raw, want) {
			t.Fatalf("%q: raw %s, want %s, %v", data, raw, want, err)
		}
	}
	again, err := AppendRaw(nil, raw)
	if err != nil || !bytes.Equal(again, raw) {
		t.Fatalf("%q: raw %s, again %s, %v", data, raw, again, err)
	}
	for _, repaired := range [][]byte{raw, Repair(data)} {
		if !utf8.Valid(repaired) {
			t.Fatalf("%q: not UTF-8: %q", data, repaired)
		}
		var got, want any
		if json.Unmarshal(data, &want) == nil && (json.Unmarshal(repaired, &got) != nil || !reflect.DeepEqual(got, want)) {
			t.Fatalf("%q: repaired %s means something else", data, repaired)
		}
	}
}

func TestAppendRaw(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"compacted", " { \"a b\" : [ 1 , \"x y\" ] }\n", `{"a b":[1,"x y"]}`},
		{"escaped", `["<&>` + "\u2028\u2029" + `"]`, `["\u003c\u0026\u003e\u2028\u2029"]`},
		{"number kept as it is", `1.50E+3`, `1.50E+3`},
		{"escapes kept as they are", `"\/\u00e9\ud83d\ude00\\ud83d"`, `"\/\u00e9\ud83d\ude00\\ud83d"`},
		{"high half alone", `"\ud83d"`, `"\ufffd"`},
		{"low half alone", `"a\uDE00b"`, `"a\ufffdb"`},
		{"halves the wrong way round", `"\ude00\ud83d"`, `"\ufffd\ufffd"`},
		{"high half before a pair", `"\ud83d\ud83d\ude00"`, `"\ufffd\ud83d\ude00"`},
		{"high half before another escape", `"\ud83d\n\u0041"`, `"\ufffd\n\u0041"`},
		{"in a name", `{"\ud83d":1}`, `{"\ufffd":1}`},
		{"not UTF-8", "\"\xff\xc3\"", `"\ufffd\ufffd"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := AppendRaw(nil, []byte(tt.raw))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
	for _, raw := range []string{``, ` `, `{`, `1 2`, `nope`, `"\ud8"`} {
		if got, err := AppendRaw([]byte("x"), []byte(raw)); err == nil || string(got) != "x" {
			t.Errorf("%q: got %s, %v, want an error and nothing appended", raw, got, err)
		}
	}
}

func TestRepair(t *testing.T) {
	clean := []byte(" {\"a\": \"<\u2028\\u00e9\"}")
	if got := Repair(clean); &got[0] != &clean[0] {
		t.Errorf("clean text was copied: %s", got)
	}
	if got := Repair([]byte(" [ \"<\\ud83d\xff\" ] ")); string(got) != ` [ "<\ufffd\ufffd" ] ` {
		t.Errorf("got %s", got)
	}
}

func TestDepth(t *testing.T) {
	for _, tt := range []struct {
		depth int
		ok    bool
	}{{maxDepth, true}, {maxDepth + 1, false}, {1000000, false}} {
		for _, pair := range []string{"[]", `{"a":}`} {
			open, end := pair[:len(pair)-1], pair[len(pair)-1:]
			middle := "1"
			text := []byte(strings.Repeat(open, tt.depth) + middle + strings.Repeat(end, tt.depth))
			r := NewReader(text)
			_, err := r.Skip()
			r.Reset(text)
			_, anyErr := r.Any()
			r.Release()
			if (err == nil) != tt.ok || (anyErr == nil) != tt.ok {
				t.Errorf("%s to depth %d: skip %v, any %v", pair, tt.depth, err, anyErr)
			}
		}
	}
}

func TestInt(t *testing.T) {
	tests := []struct {
		text string
		bits int
		want int64
		ok   bool
	}{
		{"0", 64, 0, true}, {"-0", 64, 0, true}, {"7 ", 64, 7, true}, {"-12345", 64, -12345, true},
		{"999999999", 32, 999999999, true}, {"2147483647", 32, math.MaxInt32, true}, {"2147483648", 32, 0, false},
		{"9223372036854775807", 64, math.MaxInt64, true}, {"-9223372036854775808", 64, math.MinInt64, true}, {"9223372036854775808", 64, 0, false},
		{"1.0", 64, 0, false}, {"1e2", 64, 0, false}, {`"1"`, 64, 0, false}, {"null", 64, 0, false}, {"true", 64, 0, false},
	}
	for _, tt := range tests {
		r := NewReader([]byte(tt.text))
		got, err := r.Int(tt.bits)
		if (err == nil) != tt.ok || got != tt.want {
			t.Errorf("%s: got %d, %v, want %d", tt.text, got, err, tt.want)
		}
		var mismatch *json.UnmarshalTypeError
		if err != nil && !errors.As(err, &mismatch) {
			t.Errorf("%s: error %T, want a type error", tt.text, err)
		}
		r.Release()
	}
	for _, text := range []string{"-", "01", "1.", "-a", "x", "1e", ""} {
		r := NewReader([]byte(text))
		_, err := r.Int(64)
		if err == nil {
			err = r.End()
		}
		var syntax *json.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: error %v, want a syntax error", text, err)
		}
		r.Release()
	}
}

func TestInterned(t *testing.T) {
	var r Reader
	read := func(text string) string {
		r.Reset([]byte(text))
		s, err := r.Interned()
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	text := `"an ID that comes again and again"`
	want := read(text)
	r.Reset(nil)
	if n := testing.AllocsPerRun(100, func() {
		r.Reset(nil)
		r.data = append(r.data[:0], text...)
		if s, _ := r.Interned(); s != want {
			t.Fatal(s)
		}
	}); n > 1 { // the append
		t.Errorf("%v allocations", n)
	}
	if got := read(`"\u0061"`); got != "a" {
		t.Errorf("got %q", got)
	}
	if got := read(`""`); got != "" {
		t.Errorf("got %q", got)
	}
}

type inner struct {
	N int
}

type outer struct {
	ID      string
	Count   int
	Inner   *inner
	List    []string
	Map     map[string]string
	unknown *Unknown
}

var innerFields = NewObject("", nil, Int("n", func(v *inner) *int { return &v.N }))

var outerFields = NewObject("outer",
	func(v *outer) **Unknown { return &v.unknown },
	String("id", func(v *outer) *string { return &v.ID }).OmitEmpty(),
	Int("count", func(v *outer) *int { return &v.Count }),
	Optional("inner", innerFields.Codec(), func(v *outer) **inner { return &v.Inner }),
	List("list", StringCodec[string](), func(v *outer) *[]string { return &v.List }),
	StringMap("map", func(v *outer) *map[string]string { return &v.Map }).OmitEmpty(),
)

func TestObject(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", `{}`, `{"type":"outer","count":0,"inner":null,"list":[]}`},
		{"in order", `{"type":"outer","id":"a","count":1,"inner":{"n":2},"list":["x"],"map":{"b":"2","a":"1"}}`,
			`{"type":"outer","id":"a","count":1,"inner":{"n":2},"list":["x"],"map":{"a":"1","b":"2"}}`},
		{"out of order", `{"list":[],"count":1,"id":"a"}`, `{"type":"outer","id":"a","count":1,"inner":null,"list":[]}`},
		{"nulls", `{"id":null,"count":null,"inner":null,"list":null,"map":null}`, `{"type":"outer","count":0,"inner":null,"list":[]}`},
		{"case", `{"ID":"a","Count":1}`, `{"type":"outer","id":"a","count":1,"inner":null,"list":[]}`},
		{"twice", `{"count":1,"inner":{"n":1},"count":2,"inner":{}}`, `{"type":"outer","count":2,"inner":{"n":0},"list":[]}`},
		{"unknown", `{"z":1,"count":1,"<":[ true ],"y":"\ud83d"}`, `{"type":"outer","count":1,"inner":null,"list":[],"z":1,"\u003c":[true],"y":"\ufffd"}`},
		{"unknown in a type without a place", `{"inner":{"x":1}}`, `{"type":"outer","count":0,"inner":{"n":0},"list":[]}`},
		{"other type", `{"type":7,"count":1}`, `{"type":"outer","count":1,"inner":null,"list":[]}`},
		{"null", `null`, `{"type":"outer","count":0,"inner":null,"list":[]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var v outer
			if err := outerFields.Unmarshal([]byte(tt.text), &v); err != nil {
				t.Fatal(err)
			}
			got, err := outerFields.Append(nil, &v)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
			clone, err := outerFields.Clone(&v)
			if err != nil {
				t.Fatal(err)
			}
			var again outer
			if err := outerFields.Unmarshal(got, &again); err != nil || !reflect.DeepEqual(clone, &again) {
				t.Errorf("cloned %+v, decoded %+v, %v", clone, again, err)
			}
		})
	}
}

func TestObjectErrors(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"count":"x"}`, "json: cannot unmarshal string into Go struct field outer.count of type int64"},
		{`{"inner":{"n":true}}`, "json: cannot unmarshal bool into Go struct field outer.inner.n of type int64"},
		{`{"list":{}}`, "json: cannot unmarshal object into Go struct field outer.list of type []string"},
		{`[]`, "json: cannot unmarshal array into Go value of type jsonx.outer"},
		{`{"count":1`, "unexpected end of JSON input"},
		{`{"count":1}x`, "invalid character 'x' after top-level value"},
	}
	for _, tt := range tests {
		v := outer{ID: "kept", List: []string{"kept"}}
		err := outerFields.Unmarshal([]byte(tt.text), &v)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.text, err, tt.want)
		}
		if !reflect.DeepEqual(v, outer{ID: "kept", List: []string{"kept"}}) {
			t.Errorf("%s: the target changed: %+v", tt.text, v)
		}
	}
}

func TestDecodeRest(t *testing.T) {
	for text, want := range map[string]error{
		`{"type":"x","count":1}`:                            nil,
		`{"type":"x","count":1,"type":"x"}`:                 nil,
		`{"type":"x","count":1,"TYPE":"y"}`:                 ErrRetyped,
		`{"type":"x","count":1,"type":null}`:                ErrRetyped,
		`{"type":"x","inner":{"type":"y"},"Type":"\u0078"}`: nil,
	} {
		r := NewReader([]byte(text))
		var v outer
		if err := outerFields.DecodeRest(r, &v, r.LeadingType()); err != want {
			t.Errorf("%s: got %v, want %v", text, err, want)
		}
		r.Release()
	}
}

func TestMarshalKeepsNothing(t *testing.T) {
	first, err := Marshal(func(dst []byte) ([]byte, error) { return append(dst, "first"...), nil })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Marshal(func(dst []byte) ([]byte, error) { return append(dst, "other"...), nil }); err != nil {
		t.Fatal(err)
	}
	if string(first) != "first" {
		t.Errorf("overwritten: %s", first)
	}
}
