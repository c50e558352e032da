// Package jsonfield writes structs as JSON objects and reads them back from one
// list that says which field is which member.
package jsonfield

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A Field is one member of an object and the value behind it.
type Field struct {
	name  string
	value Value
}

// A Value is a struct's field that can be written as JSON and read back.
type Value interface {
	// Absent says the member is left out.
	Absent() bool
	// AppendJSON appends the value's JSON to dst.
	AppendJSON(dst []byte) ([]byte, error)
	// DecodeJSON sets the value from JSON other than null.
	DecodeJSON(data []byte) error
}

// Of is a member with a value of the caller's making.
func Of(name string, value Value) Field { return Field{name, value} }

// AppendMembers appends the members that are not absent to the object that dst
// has opened and not closed.
func AppendMembers(dst []byte, fields []Field) ([]byte, error) {
	for _, f := range fields {
		if f.value.Absent() {
			continue
		}
		if dst[len(dst)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, f.name...)
		dst = append(dst, '"', ':')
		var err error
		if dst, err = f.value.AppendJSON(dst); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return dst, nil
}

// Append appends an object of the members that are not absent.
func Append(dst []byte, fields []Field) ([]byte, error) {
	dst, err := AppendMembers(append(dst, '{'), fields)
	if err != nil {
		return nil, err
	}
	return append(dst, '}'), nil
}

// Split reads the members of an object.
func Split(data []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, err
	}
	if members == nil {
		return nil, errors.New("null is not an object")
	}
	return members, nil
}

// DecodeMembers sets the values whose members are there and not null. Members
// that no field has are ignored.
func DecodeMembers(members map[string]json.RawMessage, fields []Field) error {
	for _, f := range fields {
		raw, ok := members[f.name]
		if !ok || string(raw) == "null" {
			continue
		}
		if err := f.value.DecodeJSON(raw); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

// Decode sets the values from an object.
func Decode(data []byte, fields []Field) error {
	members, err := Split(data)
	if err != nil {
		return err
	}
	return DecodeMembers(members, fields)
}
