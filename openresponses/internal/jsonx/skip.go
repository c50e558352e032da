package jsonx

import (
	"reflect"
	"unicode/utf16"
	"unicode/utf8"
)

// Skip consumes the next value, checking it, and returns its bytes.
func (r *Reader) Skip() ([]byte, error) {
	r.Peek()
	start := r.pos
	if err := r.skip(); err != nil {
		return nil, err
	}
	return r.data[start:r.pos], nil
}

func (r *Reader) skip() error {
	switch c := r.Peek(); c {
	case '"':
		_, _, err := r.scanString()
		return err
	case '{':
		return r.skipObject()
	case '[':
		return r.skipArray()
	case 't':
		return r.literal("true")
	case 'f':
		return r.literal("false")
	case 'n':
		return r.literal("null")
	default:
		_, err := r.number()
		return err
	}
}

func (r *Reader) skipObject() error {
	if err := r.BeginObject(nil); err != nil {
		return err
	}
	for first := true; ; first = false {
		_, ok, err := r.Member(first)
		if err != nil || !ok {
			return err
		}
		if err := r.skip(); err != nil {
			return err
		}
	}
}

func (r *Reader) skipArray() error {
	if err := r.BeginArray(nil); err != nil {
		return err
	}
	for first := true; ; first = false {
		ok, err := r.Element(first)
		if err != nil || !ok {
			return err
		}
		if err := r.skip(); err != nil {
			return err
		}
	}
}

// String reads a string. Half of a surrogate pair and bytes that are not UTF-8
// become U+FFFD.
func (r *Reader) String() (string, error) {
	if r.Peek() != '"' {
		return "", r.Mismatch(reflect.TypeFor[string]())
	}
	raw, plain, err := r.scanString()
	if err != nil {
		return "", err
	}
	if !plain {
		r.scratch = unescape(r.scratch[:0], raw)
		raw = r.scratch
	}
	return string(raw), nil
}

// StringBytes is String without a copy of the text, where it has no escapes.
func (r *Reader) StringBytes() ([]byte, error) {
	if r.Peek() != '"' {
		return nil, r.Mismatch(reflect.TypeFor[string]())
	}
	raw, plain, err := r.scanString()
	if err != nil || plain {
		return raw, err
	}
	return unescape(nil, raw), nil
}

// Interned is String for a value that mostly repeats: it returns the string it
// returned last when the text is the same.
func (r *Reader) Interned() (string, error) {
	b, err := r.StringBytes()
	if err != nil {
		return "", err
	}
	if string(b) != r.last {
		r.last = string(b)
	}
	return r.last, nil
}

// scanString consumes a string and returns what is between its quotes, and
// whether that is the value as it stands.
func (r *Reader) scanString() (raw []byte, plain bool, err error) {
	start, plain := r.pos+1, true
	for i := start; ; {
		i = skipPlain(r.data, i)
		if i >= len(r.data) {
			return nil, false, r.syntax()
		}
		switch c := r.data[i]; {
		case c == '"':
			r.pos = i + 1
			return r.data[start:i], plain, nil
		case c == '\\':
			plain = false
			size := checkEscape(r.data[i:])
			if size == 0 {
				return nil, false, r.syntax()
			}
			i += size
		case c < ' ':
			return nil, false, r.syntax()
		default:
			_, size := utf8.DecodeRune(r.data[i:])
			plain = plain && size > 1
			i += size
		}
	}
}

// checkEscape returns the length of the escape b begins with, or 0 if it is not
// a valid one.
func checkEscape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if hex4(b) >= 0 {
			return 6
		}
	}
	return 0
}

// unescape appends the value of the text between the quotes of a valid string.
func unescape(dst, raw []byte) []byte {
	for i := 0; i < len(raw); {
		plain := skipPlain(raw, i)
		dst = append(dst, raw[i:plain]...)
		i = plain
		if i == len(raw) {
			break
		}
		if raw[i] != '\\' {
			r, size := utf8.DecodeRune(raw[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
			continue
		}
		if raw[i+1] != 'u' {
			dst = append(dst, unescaped(raw[i+1]))
			i += 2
			continue
		}
		r := hex4(raw[i:])
		i += 6
		if utf16.IsSurrogate(r) {
			if r = utf16.DecodeRune(r, hex4(raw[i:])); r != utf8.RuneError {
				i += 6
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// unescaped returns the byte that a backslash and c stand for.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	default:
		return c
	}
}

// number consumes a number and returns its text.
func (r *Reader) number() ([]byte, error) {
	start, i := r.pos, r.pos
	if i < len(r.data) && r.data[i] == '-' {
		i++
	}
	switch {
	case i < len(r.data) && r.data[i] == '0':
		i++
	default:
		n := digits(r.data[i:])
		if n == 0 {
			return nil, r.syntax()
		}
		i += n
	}
	if i < len(r.data) && r.data[i] == '.' {
		n := digits(r.data[i+1:])
		if n == 0 {
			return nil, r.syntax()
		}
		i += 1 + n
	}
	if i < len(r.data) && (r.data[i] == 'e' || r.data[i] == 'E') {
		i++
		if i < len(r.data) && (r.data[i] == '+' || r.data[i] == '-') {
			i++
		}
		n := digits(r.data[i:])
		if n == 0 {
			return nil, r.syntax()
		}
		i += n
	}
	r.pos = i
	return r.data[start:i], nil
}

// digits counts the digits b begins with.
func digits(b []byte) int {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
