package agenttool

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// accepts reports whether raw certainly satisfies s and decodes to exactly
// what was checked. It builds no values, which is what most arguments cost
// nothing for. Where it is not certain, with anything wrong or unusual, it
// says no, and leaves the verdict and its wording to a [validator].
func (s *Schema) accepts(raw []byte) bool {
	if !json.Valid(raw) {
		return false
	}
	sc := scanner{data: raw}
	return sc.value(s)
}

// scanner walks over valid JSON.
type scanner struct {
	data []byte
	pos  int
}

// maxScannedProperties is how many properties of an object fit the set of
// those seen.
const maxScannedProperties = 64

func (sc *scanner) value(s *Schema) bool {
	token := sc.peek()
	switch {
	case s == nil || s.Type == "" && s.Enum == nil:
		sc.skip()
		return true
	case s.Enum != nil:
		return s.lists(sc.skip())
	case token == '{':
		return s.Type == "object" && sc.object(s)
	case token == '[':
		return s.Type == "array" && sc.array(s)
	}
	raw := sc.skip()
	switch token {
	case '"':
		return s.Type == "string"
	case 't', 'f':
		return s.Type == "boolean"
	case 'n':
		return s.Nullable || s.Type == "null"
	default:
		return s.Type == "number" || s.Type == "integer" && plainInteger(raw)
	}
}

func (sc *scanner) array(s *Schema) bool {
	sc.pos++ // [
	for sc.peek() != ']' {
		if !sc.value(s.Items) {
			return false
		}
		if sc.peek() == ',' {
			sc.pos++
		}
	}
	sc.pos++
	return true
}

func (sc *scanner) object(s *Schema) bool {
	if len(s.Properties) > maxScannedProperties {
		return false
	}
	var seen uint64
	required := len(s.Required)
	sc.pos++ // {
	for sc.peek() != '}' {
		key, ok := plainString(sc.skip())
		if !ok {
			return false
		}
		sc.peek()
		sc.pos++ // :
		member := s.AdditionalProperties
		i := slices.IndexFunc(s.Properties, func(p Property) bool { return p.Name == string(key) })
		switch {
		case i < 0 && (s.NoAdditional || s.folds(key)):
			return false
		case i >= 0:
			if seen&(1<<i) != 0 {
				return false // twice: the first would leave its traces in the second
			}
			seen |= 1 << i
			member = s.Properties[i].Schema
			if slices.Contains(s.Required, s.Properties[i].Name) {
				required--
			}
		}
		if !sc.value(member) {
			return false
		}
		if sc.peek() == ',' {
			sc.pos++
		}
	}
	sc.pos++
	return required == 0
}

// folds reports whether key is a declared property but for its case.
func (s *Schema) folds(key []byte) bool {
	return slices.ContainsFunc(s.Properties, func(p Property) bool {
		return strings.EqualFold(p.Name, string(key))
	})
}

// lists reports whether the enum of s has the value written as raw, and its
// type allows that.
func (s *Schema) lists(raw []byte) bool {
	switch raw[0] {
	case '{', '[', 'n':
		return false
	case 't', 'f':
		return s.Validate(raw[0] == 't') == nil
	case '"':
		str, ok := plainString(raw)
		return ok && (s.Type == "string" || s.Type == "") && slices.ContainsFunc(s.Enum, func(listed any) bool {
			want, ok := listed.(string)
			return ok && want == string(str)
		})
	default:
		return (s.Type != "integer" || plainInteger(raw)) && s.Validate(json.Number(raw)) == nil
	}
}

// peek moves to the next token and gives its first byte.
func (sc *scanner) peek() byte {
	for {
		switch c := sc.data[sc.pos]; c {
		case ' ', '\t', '\r', '\n':
			sc.pos++
		default:
			return c
		}
	}
}

// skip moves behind the value that begins here and gives its bytes.
func (sc *scanner) skip() []byte {
	start, depth := sc.pos, 0
	for sc.pos < len(sc.data) {
		switch sc.data[sc.pos] {
		case '"':
			sc.skipString()
		case '{', '[':
			depth++
			sc.pos++
		case '}', ']':
			depth--
			sc.pos++
		case ',', ':', ' ', '\t', '\r', '\n':
			sc.pos++
			continue
		default:
			sc.skipLiteral()
		}
		if depth == 0 {
			break
		}
	}
	return sc.data[start:sc.pos]
}

func (sc *scanner) skipString() {
	for sc.pos++; sc.data[sc.pos] != '"'; sc.pos++ {
		if sc.data[sc.pos] == '\\' {
			sc.pos++
		}
	}
	sc.pos++
}

// skipLiteral moves behind a number, true, false or null.
func (sc *scanner) skipLiteral() {
	for sc.pos < len(sc.data) {
		switch sc.data[sc.pos] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return
		}
		sc.pos++
	}
}

// plainString gives the content of a string that stands for itself.
func plainString(raw []byte) ([]byte, bool) {
	s := raw[1 : len(raw)-1]
	return s, bytes.IndexByte(s, '\\') < 0 && utf8.Valid(s)
}

// plainInteger reports whether raw is an integer as encoding/json reads one,
// and small enough for any check.
func plainInteger(raw []byte) bool {
	digits := bytes.TrimPrefix(raw, []byte("-"))
	return len(digits) < 16 && bytes.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
