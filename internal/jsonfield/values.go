package jsonfield

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Text is a string, absent when empty.
func Text[S ~string](name string, p *S) Field { return Field{name, text[S]{p}} }

// Number is a count, always there.
func Number(name string, p *int) Field { return Field{name, number{p}} }

// Flag is a bool, absent when false.
func Flag(name string, p *bool) Field { return Field{name, flag{p}} }

// JSON is a value that encoding/json writes and reads, always there.
func JSON[T any](name string, p *T) Field { return Field{name, plain[T]{p: p}} }

// Pointer is a value that encoding/json writes and reads, absent when nil.
func Pointer[T any](name string, p **T) Field {
	return Field{name, plain[*T]{p: p, absent: *p == nil}}
}

// List is a list that encoding/json writes and reads, absent when nil and there
// when empty.
func List[S ~[]E, E any](name string, p *S) Field {
	return Field{name, plain[S]{p: p, absent: *p == nil}}
}

// Raw is JSON text kept in a string, so that its bytes stay as they are, valid
// JSON or not; absent when nil.
func Raw(name string, p *json.RawMessage) Field { return Field{name, raw{p}} }

// Object is an object of fields, always there.
func Object[T any](name string, p *T, fields func(*T) []Field) Field {
	return Field{name, object[T]{p, fields}}
}

// Optional is an object of fields, absent when nil.
func Optional[T any](name string, p **T, fields func(*T) []Field) Field {
	return Field{name, optional[T]{p, fields}}
}

// Objects is a list of objects of fields, absent when nil.
func Objects[T any](name string, p *[]T, fields func(*T) []Field) Field {
	return Field{name, objects[T]{p, fields}}
}

// AppendMarshal appends what encoding/json makes of v.
func AppendMarshal(dst []byte, v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(dst, data...), nil
}

// AppendText appends a JSON string as encoding/json writes it.
func AppendText(dst []byte, s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return AppendMarshal(dst, s)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"'), nil
}

type text[S ~string] struct{ p *S }

func (v text[S]) Absent() bool                          { return *v.p == "" }
func (v text[S]) AppendJSON(dst []byte) ([]byte, error) { return AppendText(dst, string(*v.p)) }
func (v text[S]) DecodeJSON(data []byte) error          { return json.Unmarshal(data, v.p) }

type number struct{ p *int }

func (v number) Absent() bool { return false }
func (v number) AppendJSON(dst []byte) ([]byte, error) {
	return strconv.AppendInt(dst, int64(*v.p), 10), nil
}
func (v number) DecodeJSON(data []byte) error { return json.Unmarshal(data, v.p) }

type flag struct{ p *bool }

func (v flag) Absent() bool                          { return !*v.p }
func (v flag) AppendJSON(dst []byte) ([]byte, error) { return strconv.AppendBool(dst, *v.p), nil }
func (v flag) DecodeJSON(data []byte) error          { return json.Unmarshal(data, v.p) }

type plain[T any] struct {
	p      *T
	absent bool
}

func (v plain[T]) Absent() bool                          { return v.absent }
func (v plain[T]) AppendJSON(dst []byte) ([]byte, error) { return AppendMarshal(dst, v.p) }
func (v plain[T]) DecodeJSON(data []byte) error          { return json.Unmarshal(data, v.p) }

type raw struct{ p *json.RawMessage }

func (v raw) Absent() bool                          { return *v.p == nil }
func (v raw) AppendJSON(dst []byte) ([]byte, error) { return AppendText(dst, string(*v.p)) }
func (v raw) DecodeJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	*v.p = json.RawMessage(s)
	return nil
}

type object[T any] struct {
	p      *T
	fields func(*T) []Field
}

func (v object[T]) Absent() bool                          { return false }
func (v object[T]) AppendJSON(dst []byte) ([]byte, error) { return Append(dst, v.fields(v.p)) }
func (v object[T]) DecodeJSON(data []byte) error          { return Decode(data, v.fields(v.p)) }

type optional[T any] struct {
	p      **T
	fields func(*T) []Field
}

func (v optional[T]) Absent() bool                          { return *v.p == nil }
func (v optional[T]) AppendJSON(dst []byte) ([]byte, error) { return Append(dst, v.fields(*v.p)) }
func (v optional[T]) DecodeJSON(data []byte) error {
	*v.p = new(T)
	return Decode(data, v.fields(*v.p))
}

type objects[T any] struct {
	p      *[]T
	fields func(*T) []Field
}

func (v objects[T]) Absent() bool { return *v.p == nil }

func (v objects[T]) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, '[')
	for i := range *v.p {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = Append(dst, v.fields(&(*v.p)[i])); err != nil {
			return nil, fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return append(dst, ']'), nil
}

func (v objects[T]) DecodeJSON(data []byte) error {
	var elements []json.RawMessage
	if err := json.Unmarshal(data, &elements); err != nil {
		return err
	}
	list := make([]T, len(elements))
	for i, element := range elements {
		if err := Decode(element, v.fields(&list[i])); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	*v.p = list
	return nil
}
