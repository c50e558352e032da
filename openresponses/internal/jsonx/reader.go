package jsonx

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// maxDepth is how deep arrays and objects may nest, as in encoding/json.
const maxDepth = 10000

// A Reader pulls values out of one JSON text. Each method consumes one value or
// one token; the first error ends the reading. Slices it returns alias the text.
//
// The zero value reads an empty text; [Reader.Reset] points it at another.
type Reader struct {
	data    []byte
	pos     int
	depth   int
	scratch []byte // where escaped strings are decoded
	last    string // what Interned returned last
}

var readers = sync.Pool{New: func() any { return new(Reader) }}

// NewReader returns a Reader of data. Release it when nothing reads from it any
// more.
func NewReader(data []byte) *Reader {
	r := readers.Get().(*Reader)
	r.Reset(data)
	return r
}

// Release gives a Reader back. What was read from it stays valid.
func (r *Reader) Release() {
	if cap(r.scratch) > 64<<10 {
		r.scratch = nil
	}
	r.data, r.last = nil, ""
	readers.Put(r)
}

// Reset makes r read data from its start. It keeps the last interned string.
func (r *Reader) Reset(data []byte) { r.data, r.pos, r.depth = data, 0, 0 }

// A Mark is a place in the text to which a Reader can go back.
type Mark struct{ pos, depth int }

// Mark returns the current place.
func (r *Reader) Mark() Mark { return Mark{r.pos, r.depth} }

// Rewind goes back to a place.
func (r *Reader) Rewind(m Mark) { r.pos, r.depth = m.pos, m.depth }

// Since returns what was read since a place.
func (r *Reader) Since(m Mark) []byte { return r.data[m.pos:r.pos] }

// Peek skips white space and returns the first byte of the next token, or 0 at
// the end of the text.
func (r *Reader) Peek() byte {
	for r.pos < len(r.data) {
		c := r.data[r.pos]
		if !isSpace(c) {
			return c
		}
		r.pos++
	}
	return 0
}

func isSpace(c byte) bool {
	return c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r')
}

// End fails unless only white space is left.
func (r *Reader) End() error {
	r.Peek()
	if r.pos < len(r.data) {
		return r.syntax()
	}
	return nil
}

// Null reports whether the next value is null, and consumes it if so.
func (r *Reader) Null() (bool, error) {
	if r.Peek() != 'n' {
		return false, nil
	}
	return true, r.literal("null")
}

// Bool reads true or false.
func (r *Reader) Bool() (bool, error) {
	switch r.Peek() {
	case 't':
		return true, r.literal("true")
	case 'f':
		return false, r.literal("false")
	default:
		return false, r.Mismatch(reflect.TypeFor[bool]())
	}
}

func (r *Reader) literal(want string) error {
	end := r.pos + len(want)
	if end > len(r.data) || string(r.data[r.pos:end]) != want {
		return r.syntax()
	}
	r.pos = end
	return nil
}

// BeginObject consumes an opening brace; read on with [Reader.Member].
func (r *Reader) BeginObject(target reflect.Type) error { return r.begin('{', target) }

// BeginArray consumes an opening bracket; read on with [Reader.Element].
func (r *Reader) BeginArray(target reflect.Type) error { return r.begin('[', target) }

func (r *Reader) begin(open byte, target reflect.Type) error {
	if r.Peek() != open {
		return r.Mismatch(target)
	}
	r.pos++
	r.depth++
	if r.depth > maxDepth {
		return r.syntax()
	}
	return nil
}

// Member consumes the next member's name and its colon, or the closing brace,
// in which case ok is false. The first call in an object passes true.
func (r *Reader) Member(first bool) (name []byte, ok bool, err error) {
	c := r.Peek()
	if c == '}' {
		r.pos++
		r.depth--
		return nil, false, nil
	}
	if !first {
		if c != ',' {
			return nil, false, r.syntax()
		}
		r.pos++
		c = r.Peek()
	}
	if c != '"' {
		return nil, false, r.syntax()
	}
	if name, err = r.StringBytes(); err != nil {
		return nil, false, err
	}
	if r.Peek() != ':' {
		return nil, false, r.syntax()
	}
	r.pos++
	return name, true, nil
}

// LeadingType enters an object whose first member is a string named "type" and
// returns that string, to be read on with [Object.DecodeRest]. If there is no such
// thing it returns nil, somewhere in the text.
func (r *Reader) LeadingType() []byte {
	if r.Peek() != '{' || r.BeginObject(nil) != nil {
		return nil
	}
	name, ok, err := r.Member(true)
	if !ok || err != nil || string(name) != "type" || r.Peek() != '"' {
		return nil
	}
	typ, err := r.StringBytes()
	if err != nil {
		return nil
	}
	return typ
}

// Element stands before the next element, or consumes the closing bracket, in
// which case it returns false. The first call in an array passes true.
func (r *Reader) Element(first bool) (bool, error) {
	c := r.Peek()
	if c == ']' {
		r.pos++
		r.depth--
		return false, nil
	}
	if first {
		return true, nil
	}
	if c != ',' {
		return false, r.syntax()
	}
	r.pos++
	if r.Peek() == ']' {
		return false, r.syntax()
	}
	return true, nil
}

// Mismatch consumes the next value and returns the error for one that target
// cannot hold.
func (r *Reader) Mismatch(target reflect.Type) error {
	value := "number"
	switch r.Peek() {
	case '{':
		value = "object"
	case '[':
		value = "array"
	case '"':
		value = "string"
	case 't', 'f':
		value = "bool"
	case 'n':
		value = "null"
	}
	if _, err := r.Skip(); err != nil {
		return err
	}
	return r.mismatch(value, target)
}

func (r *Reader) mismatch(value string, target reflect.Type) error {
	return &json.UnmarshalTypeError{Value: value, Type: target, Offset: int64(r.pos)}
}

// syntax returns the error for a text that is not JSON. The standard library
// finds the words, so that callers see the type and the text they know.
func (r *Reader) syntax() error {
	if err := json.Unmarshal(r.data, new(discard)); err != nil {
		return err
	}
	return fmt.Errorf("jsonx: invalid JSON at byte %d", r.pos)
}

type discard struct{}

func (*discard) UnmarshalJSON([]byte) error { return nil }

// Any reads a value in its generic form: string, float64, bool, nil,
// map[string]any or []any. A number too large for float64 is a json.Number.
func (r *Reader) Any() (any, error) {
	switch r.Peek() {
	case '"':
		return r.String()
	case 't', 'f':
		return r.Bool()
	case 'n':
		return nil, r.literal("null")
	case '{':
		return r.anyObject()
	case '[':
		return r.anyArray()
	default:
		return r.anyNumber()
	}
}

func (r *Reader) anyNumber() (any, error) {
	number, err := r.number()
	if err != nil {
		return nil, err
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return json.Number(number), nil
	}
	return f, nil
}

func (r *Reader) anyObject() (any, error) {
	if err := r.BeginObject(nil); err != nil {
		return nil, err
	}
	object := map[string]any{}
	for first := true; ; first = false {
		name, ok, err := r.Member(first)
		if err != nil {
			return nil, err
		}
		if !ok {
			return object, nil
		}
		value, err := r.Any()
		if err != nil {
			return nil, err
		}
		object[string(name)] = value
	}
}

func (r *Reader) anyArray() (any, error) {
	if err := r.BeginArray(nil); err != nil {
		return nil, err
	}
	array := []any{}
	for first := true; ; first = false {
		ok, err := r.Element(first)
		if err != nil {
			return nil, err
		}
		if !ok {
			return array, nil
		}
		value, err := r.Any()
		if err != nil {
			return nil, err
		}
		array = append(array, value)
	}
}

// Int reads an integer of at most the given number of bits. A fraction or an
// exponent is an error, also where the number would be whole.
func (r *Reader) Int(bits int) (int64, error) {
	c := r.Peek()
	i, negative := r.pos, c == '-'
	if negative {
		i++
	}
	start, n := i, int64(0)
	for i < len(r.data) && i-start < 9 && isDigit(r.data[i]) {
		n = n*10 + int64(r.data[i]-'0')
		i++
	}
	plain := i > start && (r.data[start] != '0' || i == start+1)
	if plain && (i == len(r.data) || r.data[i] == ',' || r.data[i] == '}' || r.data[i] == ']') {
		r.pos = i
		if negative {
			n = -n
		}
		return n, nil
	}
	return r.slowInt(bits)
}

// slowInt reads what the quick path of Int leaves: long numbers, what a space
// follows, and errors.
func (r *Reader) slowInt(bits int) (int64, error) {
	target := reflect.TypeFor[int64]()
	if bits == 32 {
		target = reflect.TypeFor[int32]()
	}
	if c := r.Peek(); c != '-' && !isDigit(c) {
		return 0, r.Mismatch(target)
	}
	number, err := r.number()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(number), 10, bits)
	if err != nil {
		return 0, r.mismatch("number "+string(number), target)
	}
	return n, nil
}

// Float reads a number.
func (r *Reader) Float() (float64, error) {
	if c := r.Peek(); c != '-' && !isDigit(c) {
		return 0, r.Mismatch(reflect.TypeFor[float64]())
	}
	number, err := r.number()
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return 0, r.mismatch("number "+string(number), reflect.TypeFor[float64]())
	}
	return f, nil
}
