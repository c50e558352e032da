package jsonx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// ErrRetyped is what decoding returns when a later "type" member contradicts the
// one the object was dispatched on. The caller reads the type again in full.
var ErrRetyped = errors.New("jsonx: conflicting types")

// An Object is the JSON form of a struct type: a table of its members, from
// which it is encoded, decoded and copied. Declare one per type, once.
type Object[T any] struct {
	typ     string // written first, as the member "type"; "" for none
	open    string
	target  reflect.Type
	unknown func(*T) **Unknown
	fields  []Field[T]
	finish  func(*T)
}

// NewObject returns the table of T. A typ other than "" is written as a first
// member "type", and on decode a member of that name is skipped. Members the
// table does not have are kept where unknown points, or dropped if it is nil.
func NewObject[T any](typ string, unknown func(*T) **Unknown, fields ...Field[T]) *Object[T] {
	if len(fields) > 64 {
		panic("jsonx: more than 64 fields")
	}
	open := "{"
	if typ != "" {
		open = `{"type":` + string(AppendString(nil, typ))
	}
	return &Object[T]{typ: typ, open: open, target: reflect.TypeFor[T](), unknown: unknown, fields: fields}
}

// Finish sets a function that completes a value once all its members are read.
func (o *Object[T]) Finish(f func(*T)) *Object[T] {
	o.finish = f
	return o
}

// Unknown holds the members of an object that its table does not have, in the
// order they came. It never changes, so copies of a struct may share it.
type Unknown struct {
	members []byte // each `,"name":value`, ready to be written
}

// Append appends the JSON object of v, or null if v is nil.
func (o *Object[T]) Append(dst []byte, v *T) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}
	start := len(dst) + 1
	dst = append(dst, o.open...)
	for i := range o.fields {
		f := &o.fields[i]
		if f.omit && f.empty(v) {
			continue
		}
		var err error
		if dst, err = f.appendMember(dst, v, len(dst) == start); err != nil {
			return dst, err
		}
	}
	if o.unknown != nil {
		if u := *o.unknown(v); u != nil {
			members := u.members
			if len(dst) == start {
				members = members[1:]
			}
			dst = append(dst, members...)
		}
	}
	return append(dst, '}'), nil
}

// AppendWith is Append for a value with undeclared members of its own and with
// fields to leave out while they are zero, a bit for each as Decode reports
// them. With either in effect the members are in alphabetical order, and those
// of the struct win over undeclared ones of the same name.
func (o *Object[T]) AppendWith(dst []byte, v *T, absent uint64, extra map[string]any) ([]byte, error) {
	if absent == 0 && len(extra) == 0 {
		return o.Append(dst, v)
	}
	type member struct {
		name  string
		field *Field[T] // nil for one of extra
	}
	members := make([]member, 0, len(o.fields)+len(extra))
	written := uint64(0)
	for i := range o.fields {
		f := &o.fields[i]
		if f.omit && f.empty(v) || absent&(1<<i) != 0 && f.zero(v) {
			continue
		}
		written |= 1 << i
		members = append(members, member{f.name, f})
	}
	for name := range extra {
		if i := o.index([]byte(name), 0); i < 0 || written&(1<<i) == 0 {
			members = append(members, member{name, nil})
		}
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })

	start := len(dst) + 1
	dst = append(dst, '{')
	for _, m := range members {
		var err error
		if m.field != nil {
			dst, err = m.field.appendMember(dst, v, len(dst) == start)
		} else {
			if len(dst) > start {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, m.name), ':')
			if dst, err = AppendAny(dst, extra[m.name]); err != nil {
				err = fmt.Errorf("%s: %w", m.name, err)
			}
		}
		if err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// Unmarshal decodes data into v, which stays as it is when that fails.
func (o *Object[T]) Unmarshal(data []byte, v *T) error {
	r := NewReader(data)
	defer r.Release()
	fresh := *v
	err := o.Decode(r, &fresh)
	if err == nil {
		err = r.End()
	}
	if err == nil {
		*v = fresh
	}
	return err
}

// Decode reads an object into v. Null changes nothing.
func (o *Object[T]) Decode(r *Reader, v *T) error {
	null, err := r.Null()
	if null || err != nil {
		return err
	}
	if err := r.BeginObject(o.target); err != nil {
		return err
	}
	_, err = o.decodeMembers(r, v, true, nil, nil)
	return err
}

// DecodeRest reads the members of an object of which the first has been read:
// its type, as typ says. It returns ErrRetyped if a later one says otherwise.
func (o *Object[T]) DecodeRest(r *Reader, v *T, typ []byte) error {
	_, err := o.decodeMembers(r, v, false, typ, nil)
	return err
}

// DecodeWith is Unmarshal for a new value that keeps its undeclared members in a map,
// which stays nil if there are none. It also returns the fields that were absent,
// a bit for each. For both, a name must match exactly.
func (o *Object[T]) DecodeWith(data []byte, v *T) (absent uint64, extra map[string]any, err error) {
	r := NewReader(data)
	defer r.Release()
	if absent, extra, err = o.DecodeNestedWith(r, v); err == nil {
		err = r.End()
	}
	return absent, extra, err
}

// DecodeNestedWith is DecodeWith for a value inside a larger text.
func (o *Object[T]) DecodeNestedWith(r *Reader, v *T) (absent uint64, extra map[string]any, err error) {
	null, err := r.Null()
	if null || err != nil {
		return 0, nil, err
	}
	if err := r.BeginObject(o.target); err != nil {
		return 0, nil, err
	}
	seen, err := o.decodeMembers(r, v, true, nil, &extra)
	return (1<<len(o.fields) - 1) &^ seen, extra, err
}

// decodeMembers reads members up to the closing brace. With a typ, a member
// "type" must repeat it; with an extra, undeclared members go there.
func (o *Object[T]) decodeMembers(r *Reader, v *T, first bool, typ []byte, extra *map[string]any) (seen uint64, err error) {
	if o.unknown != nil {
		*o.unknown(v) = nil
	}
	for next := 0; ; first = false {
		name, ok, err := r.Member(first)
		if err != nil {
			return seen, err
		}
		if !ok {
			break
		}
		if o.typ != "" && string(name) == "type" {
			if err := o.checkType(r, typ); err != nil {
				return seen, err
			}
			continue
		}
		i := o.index(name, next)
		if i >= 0 {
			seen |= 1 << i
			next = i + 1
		} else {
			if i, err = o.undeclared(r, v, name, typ, extra); err != nil {
				return seen, err
			}
			if i < 0 {
				continue
			}
		}
		if err := o.fields[i].decode(r, v); err != nil {
			return seen, o.locate(err, o.fields[i].name)
		}
	}
	if o.finish != nil {
		o.finish(v)
	}
	return seen, nil
}

// undeclared handles a member whose name matches no field exactly. It returns
// the field that matches without regard to case, for its value to be decoded;
// otherwise it has consumed the value.
func (o *Object[T]) undeclared(r *Reader, v *T, name, typ []byte, extra *map[string]any) (int, error) {
	if o.typ != "" && bytes.EqualFold(name, []byte("type")) {
		return -1, o.checkType(r, typ)
	}
	i := slices.IndexFunc(o.fields, func(f Field[T]) bool { return strings.EqualFold(f.name, string(name)) })
	switch {
	case extra != nil:
		mark := r.Mark()
		value, err := r.Any()
		if err != nil {
			return -1, err
		}
		if *extra == nil {
			*extra = map[string]any{}
		}
		(*extra)[string(name)] = value
		if i >= 0 {
			r.Rewind(mark)
		}
		return i, nil
	case i >= 0:
		return i, nil
	}
	raw, err := r.Skip()
	if err != nil || o.unknown == nil {
		return -1, err
	}
	u := o.unknown(v)
	if *u == nil {
		*u = new(Unknown)
	}
	members := append((*u).members, ',')
	members = append(AppendString(members, string(name)), ':')
	(*u).members = appendValid(members, raw, true)
	return -1, nil
}

// checkType consumes the value of a member "type" and holds it against the type
// the object was dispatched on, if it was.
func (o *Object[T]) checkType(r *Reader, typ []byte) error {
	if typ == nil {
		_, err := r.Skip()
		return err
	}
	if r.Peek() != '"' {
		return ErrRetyped
	}
	again, err := r.StringBytes()
	if err == nil && !bytes.Equal(again, typ) {
		err = ErrRetyped
	}
	return err
}

// index returns the field of exactly this name, or -1. It looks from field next
// on, where members in their usual order are found at once.
func (o *Object[T]) index(name []byte, next int) int {
	for i := next; i < len(o.fields); i++ {
		if o.fields[i].name == string(name) {
			return i
		}
	}
	for i := range min(next, len(o.fields)) {
		if o.fields[i].name == string(name) {
			return i
		}
	}
	return -1
}

// locate adds to a type error which member it happened in.
func (o *Object[T]) locate(err error, name string) error {
	if mismatch, ok := err.(*json.UnmarshalTypeError); ok {
		mismatch.Struct = o.target.Name()
		if mismatch.Field != "" {
			name += "." + mismatch.Field
		}
		mismatch.Field = name
	}
	return err
}

// Clone returns what encoding and decoding v again would give, without doing so.
// It fails where encoding would.
func (o *Object[T]) Clone(v *T) (*T, error) {
	c := *v
	err := o.copyInPlace(&c)
	return &c, err
}

// copyInPlace makes a shallow copy deep.
func (o *Object[T]) copyInPlace(v *T) error {
	for i := range o.fields {
		f := &o.fields[i]
		switch {
		case f.omit && f.empty(v):
			if f.reset != nil {
				f.reset(v)
			}
		case f.copy != nil:
			if err := f.copy(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Codec returns the table as the codec of a value nested in another.
func (o *Object[T]) Codec() Codec[T] {
	return Codec[T]{Append: o.Append, Decode: o.Decode, Copy: o.copyInPlace}
}
