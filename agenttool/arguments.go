package agenttool

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

var emptyObject = json.RawMessage("{}")

// Decode reads arguments as a T, where empty means {}. It ignores properties
// that T does not have and refuses anything after the arguments. Its errors
// begin with "invalid arguments:".
func Decode[T any](raw json.RawMessage) (T, error) {
	if len(raw) == 0 {
		raw = emptyObject
	}
	var args T
	if err := json.Unmarshal(raw, &args); err != nil {
		var zero T
		return zero, fmt.Errorf("invalid arguments: %w", err)
	}
	return args, nil
}

// checkArguments checks raw against schema and gives bytes that decode to
// exactly what was checked: raw, in all but odd cases. A nil schema is one
// that is not enforced, and then only an object will do.
func checkArguments(schema *Schema, raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		raw = emptyObject
	}
	if schema == nil {
		if !isObject(raw) {
			return nil, &ValidationError{Msg: "expected a JSON object"}
		}
		return raw, nil
	}
	if schema.accepts(raw) {
		return raw, nil
	}
	v, err := schema.parse(raw, validator{exactNames: true})
	if err != nil {
		return nil, err
	}
	if !json.Valid(raw) {
		return raw, nil // more follows the arguments; decoding says so
	}
	// What is valid and yet was not accepted, JSON Schema reads in another way
	// than encoding/json does. Two members of one name are one to the former
	// and merged by the latter; 1.0 is an integer to the former only.
	return json.Marshal(normal(schema, v))
}

// isObject reports whether raw begins as an object does.
func isObject(raw []byte) bool {
	for _, c := range raw {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return c == '{'
		}
	}
	return false
}

// normal writes the integers within v as digits. It changes v in place.
func normal(s *Schema, v any) any {
	if s == nil {
		return v
	}
	switch v := v.(type) {
	case json.Number:
		if s.Type != "integer" {
			return v
		}
		if digits, ok := integerDigits(v.String()); ok {
			return json.Number(digits)
		}
	case []any:
		for i := range v {
			v[i] = normal(s.Items, v[i])
		}
	case map[string]any:
		for name := range v {
			member := s.AdditionalProperties
			if p := s.property(name); p != nil {
				member = p.Schema
			}
			v[name] = normal(member, v[name])
		}
	}
	return v
}

// integerDigits writes a JSON number that is exactly an integer, such as 1.0
// or 1e3, without fraction and exponent. It leaves alone what is far outside
// of any integer type.
func integerDigits(number string) (string, bool) {
	const maxDigits = 20
	number, negative := strings.CutPrefix(number, "-")
	mantissa, exponent := number, 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		var err error
		if exponent, err = strconv.Atoi(number[i+1:]); err != nil {
			return "", false
		}
		mantissa = number[:i]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0", true
	}
	// The point stands after this many of the digits.
	point := len(digits) - len(fraction) + exponent
	if point <= 0 || point > maxDigits {
		return "", false
	}
	if point < len(digits) {
		if strings.Trim(digits[point:], "0") != "" {
			return "", false
		}
		digits = digits[:point]
	}
	digits += strings.Repeat("0", point-len(digits))
	if negative {
		digits = "-" + digits
	}
	return digits, true
}
