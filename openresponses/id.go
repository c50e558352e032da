package openresponses

import (
	"crypto/rand"
	"encoding/hex"
)

// NewID returns a new random identifier: the prefix, such as "resp" or "msg", an underscore and 24 hexadecimal
// digits.
func NewID(prefix string) string {
	var random [12]byte
	rand.Read(random[:]) // never fails
	buf := make([]byte, 0, len(prefix)+1+hex.EncodedLen(len(random)))
	buf = append(buf, prefix...)
	buf = append(buf, '_')
	return string(hex.AppendEncode(buf, random[:]))
}
