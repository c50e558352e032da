package jsonx

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// The scans below look at eight bytes at a time. In each term the top bit of a
// byte is set where the byte is one they look for; carries can set more of them,
// but only above the lowest, which is the one that counts.
const (
	ones = 0x0101010101010101
	tops = 0x8080808080808080
)

// skipPlain returns the index, from i on, of the first byte of b that is not plain
// text between the quotes of a string: a quote, a backslash, a control byte or a
// byte above ASCII.
func skipPlain(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		found := (w | (w - ones*' ') | ((w ^ ones*'"') - ones) | ((w ^ ones*'\\') - ones)) & tops
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			break
		}
	}
	return i
}

// skipSafe is skipPlain for text that is to be written, where <, > and & need an
// escape as well. The pairs " & and < > differ in one bit each.
func skipSafe(b []byte, i int) int {
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		found := (w | (w - ones*' ') | ((w ^ ones*'\\') - ones) |
			(((w | ones*('"'^'&')) ^ ones*'&') - ones) |
			(((w | ones*('<'^'>')) ^ ones*'>') - ones)) & tops
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c >= utf8.RuneSelf || !safe[c] {
			break
		}
	}
	return i
}
