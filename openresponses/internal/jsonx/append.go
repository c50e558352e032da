package jsonx

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// safe marks the ASCII bytes a string carries without an escape. As in
// encoding/json, <, > and & are not among them, so that the output can stand in
// an HTML page.
var safe = func() (set [utf8.RuneSelf]bool) {
	for c := range set {
		switch c {
		case '"', '\\', '<', '>', '&':
		default:
			set[c] = c >= ' '
		}
	}
	return set
}()

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD, one for each.
func AppendString[S ~string](dst []byte, s S) []byte {
	b := []byte(s) // not written to, so not copied either
	dst = append(dst, '"')
	start := 0
	for i := skipSafe(b, 0); i < len(b); i = skipSafe(b, i) {
		if c := b[i]; c < utf8.RuneSelf {
			dst = append(dst, b[start:i]...)
			dst = appendEscape(dst, c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if special := escapedRune(r, size); special != "" {
			dst = append(dst, b[start:i]...)
			dst = append(dst, special...)
			start = i + size
		}
		i += size
	}
	dst = append(dst, b[start:]...)
	return append(dst, '"')
}

// appendEscape appends the escape of an ASCII byte that is not safe.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xF])
	}
}

// escapedRune returns the escape that stands for a decoded rune, or "" if the
// rune is written as it is.
func escapedRune(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return `\ufffd`
	case r == '\u2028':
		return `\u2028`
	case r == '\u2029':
		return `\u2029`
	default:
		return ""
	}
}

// AppendInt appends n in decimal.
func AppendInt[I ~int | ~int64](dst []byte, n I) []byte {
	return strconv.AppendInt(dst, int64(n), 10)
}

// AppendBool appends true or false.
func AppendBool(dst []byte, b bool) []byte { return strconv.AppendBool(dst, b) }

// AppendFloat appends f in its shortest form. It fails for NaN and the
// infinities, which JSON cannot express.
func AppendFloat(dst []byte, f float64) ([]byte, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return dst, &json.UnsupportedValueError{
			Value: reflect.ValueOf(f), Str: strconv.FormatFloat(f, 'g', -1, 64),
		}
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if n := len(dst); format == 'e' && n >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 becomes e-9
		dst = dst[:n-1]
	}
	return dst, nil
}

// AppendAny appends the JSON of any value: the generic forms directly, anything
// else through encoding/json.
func AppendAny(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case string:
		return AppendString(dst, v), nil
	case bool:
		return AppendBool(dst, v), nil
	case float64:
		return AppendFloat(dst, v)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return dst, err
	}
	return AppendRaw(dst, raw)
}
