package jsonx

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendRaw appends a raw JSON value: without white space, with the escapes
// encoding/json would use, and with its text repaired. It fails if raw is not
// exactly one valid value.
func AppendRaw(dst, raw []byte) ([]byte, error) {
	r := NewReader(raw)
	defer r.Release()
	value, err := r.Skip()
	if err == nil {
		err = r.End()
	}
	if err != nil {
		return dst, err
	}
	return appendValid(dst, value, true), nil
}

// Repair returns raw with its text repaired and everything else as it is. It
// returns raw itself when there is nothing to repair, and raw need not be valid.
func Repair(raw []byte) []byte {
	if utf8.Valid(raw) && !bytes.Contains(raw, []byte(`\u`)) {
		return raw
	}
	fixed := appendValid(make([]byte, 0, len(raw)+8), raw, false)
	if bytes.Equal(fixed, raw) {
		return raw
	}
	return fixed
}

// appendValid appends a raw value that is known to be valid, with its text
// repaired. With compact set it also drops white space between tokens and
// escapes what AppendString would.
func appendValid(dst, raw []byte, compact bool) []byte {
	start, inString := 0, false
	flush := func(end, next int) {
		dst = append(dst, raw[start:end]...)
		start = next
	}
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '"':
			inString = !inString
			i++
		case !inString:
			if compact && isSpace(c) {
				flush(i, i+1)
			}
			i++
		case c == '\\':
			size, lone := escapeSize(raw[i:])
			if lone {
				flush(i, i+size)
				dst = append(dst, `\ufffd`...)
			}
			i += size
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(raw[i:])
			special := escapedRune(r, size)
			if special != "" && (compact || r == utf8.RuneError) {
				flush(i, i+size)
				dst = append(dst, special...)
			}
			i += size
		case compact && !safe[c]:
			flush(i, i+1)
			dst = appendEscape(dst, c)
			i++
		default:
			i++
		}
	}
	flush(len(raw), len(raw))
	return dst
}

// escapeSize returns the length of the escape b begins with, a whole surrogate
// pair counting as one, and whether it is half a pair. The length never exceeds
// that of b.
func escapeSize(b []byte) (size int, lone bool) {
	first := hex4(b)
	switch {
	case first < 0:
		return min(2, len(b)), false
	case !utf16.IsSurrogate(first):
		return 6, false
	case utf16.DecodeRune(first, hex4(b[6:])) == utf8.RuneError:
		return 6, true
	default:
		return 12, false
	}
}

// hex4 returns the code unit of the \uXXXX escape b begins with, or -1.
func hex4(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	var unit rune
	for _, c := range b[2:6] {
		digit := hexValue(c)
		if digit < 0 {
			return -1
		}
		unit = unit<<4 | digit
	}
	return unit
}

func hexValue(c byte) rune {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0')
	case 'a' <= c && c <= 'f':
		return rune(c - 'a' + 10)
	case 'A' <= c && c <= 'F':
		return rune(c - 'A' + 10)
	default:
		return -1
	}
}
