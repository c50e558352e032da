package fold

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	escapeLen   = len(`\uXXXX`)
	replacement = `\ufffd`
)

// Sendable returns arguments, which are the text of a JSON value or meant to be, without what makes a body that
// strict servers refuse: bytes that are not UTF-8, and escaped surrogates without their other half. It returns the
// string it is given when there is nothing to replace.
func Sendable(arguments string) string {
	arguments = strings.ToValidUTF8(arguments, string(utf8.RuneError))
	var b strings.Builder
	kept := 0 // arguments up to here are in b
	for i := 0; i < len(arguments); {
		next := strings.IndexByte(arguments[i:], '\\')
		if next < 0 {
			break
		}
		i += next
		unit, ok := escapedUnit(arguments[i:])
		switch {
		case !ok:
			i += len(`\n`) // or the first half of an escaped backslash
		case !utf16.IsSurrogate(unit):
			i += escapeLen
		case isPair(unit, arguments[i+escapeLen:]):
			i += 2 * escapeLen
		default:
			b.WriteString(arguments[kept:i])
			b.WriteString(replacement)
			i += escapeLen
			kept = i
		}
	}
	if kept == 0 {
		return arguments
	}
	b.WriteString(arguments[kept:])
	return b.String()
}

// isPair reports whether rest begins with the low surrogate that completes high.
func isPair(high rune, rest string) bool {
	low, ok := escapedUnit(rest)
	return ok && utf16.DecodeRune(high, low) != utf8.RuneError
}

// escapedUnit is the UTF-16 code unit that s begins with in escaped form.
func escapedUnit(s string) (rune, bool) {
	if len(s) < escapeLen || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(s[2:escapeLen], 16, 16)
	return rune(unit), err == nil
}
