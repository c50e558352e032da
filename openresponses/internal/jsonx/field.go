package jsonx

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"
)

// A Field is one row of an Object: a member's name and how its value is written,
// read and copied. Rows are made by the functions below, which differ in the kind
// of value and take a function that finds it in the struct. A null leaves the
// value alone unless its kind has a nil.
type Field[T any] struct {
	name   string
	key    string // `,"name":`
	append func(dst []byte, v *T) ([]byte, error)
	decode func(r *Reader, v *T) error
	copy   func(v *T) error // nil if assignment copies
	reset  func(v *T)       // nil if an empty value is a zero value
	zero   func(v *T) bool
	empty  func(v *T) bool
	omit   bool
}

// OmitEmpty returns the field as one that is left out when its value is zero or
// of no length.
func (f Field[T]) OmitEmpty() Field[T] {
	f.omit = true
	return f
}

func (f *Field[T]) appendMember(dst []byte, v *T, first bool) ([]byte, error) {
	key := f.key
	if first {
		key = key[1:]
	}
	dst, err := f.append(append(dst, key...), v)
	if err != nil {
		err = fmt.Errorf("%s: %w", f.name, err)
	}
	return dst, err
}

// Custom returns a field from its parts. The zero function decides both whether
// the value is empty and whether it is zero; a nil copy says that assignment
// copies.
func Custom[T any](
	name string,
	append func(dst []byte, v *T) ([]byte, error),
	decode func(r *Reader, v *T) error,
	copy func(v *T) error,
	zero func(v *T) bool,
) Field[T] {
	return Field[T]{
		name: name, key: `,"` + name + `":`,
		append: append, decode: decode, copy: copy, zero: zero, empty: zero,
	}
}

// A Codec says how one kind of value is written, read and copied. Copy turns an
// assigned value into an independent one, as if it had been encoded and decoded.
// Label, if set, names the list in the errors of its elements.
type Codec[E any] struct {
	Label  string
	Append func(dst []byte, v *E) ([]byte, error)
	Decode func(r *Reader, v *E) error
	Copy   func(v *E) error
}

// Value returns the field of a value with a codec of its own.
func Value[T any, E comparable](name string, codec Codec[E], at func(*T) *E) Field[T] {
	return Custom(name,
		func(dst []byte, v *T) ([]byte, error) { return codec.Append(dst, at(v)) },
		func(r *Reader, v *T) error { return codec.Decode(r, at(v)) },
		func(v *T) error { return codec.Copy(at(v)) },
		func(v *T) bool { var zero E; return *at(v) == zero },
	)
}

// Nested is Value for a type that cannot be compared, whose value is never
// taken for zero.
func Nested[T, E any](name string, codec Codec[E], at func(*T) *E) Field[T] {
	return Custom(name,
		func(dst []byte, v *T) ([]byte, error) { return codec.Append(dst, at(v)) },
		func(r *Reader, v *T) error { return codec.Decode(r, at(v)) },
		func(v *T) error { return codec.Copy(at(v)) },
		func(*T) bool { return false },
	)
}

// ValueOr is Value with another value that is written for zero.
func ValueOr[T any, E comparable](name string, codec Codec[E], def E, at func(*T) *E) Field[T] {
	f := Value(name, codec, at)
	zero := f.zero
	f.append = func(dst []byte, v *T) ([]byte, error) {
		if zero(v) {
			return codec.Append(dst, &def)
		}
		return codec.Append(dst, at(v))
	}
	f.copy = func(v *T) error {
		if zero(v) {
			*at(v) = def
		}
		return codec.Copy(at(v))
	}
	return f
}

// String returns the field of a string.
func String[T any, S ~string](name string, at func(*T) *S) Field[T] {
	return Custom(name,
		func(dst []byte, v *T) ([]byte, error) { return AppendString(dst, *at(v)), nil },
		func(r *Reader, v *T) error { return decodeString(r, at(v)) },
		func(v *T) error { copyString(at(v)); return nil },
		func(v *T) bool { return *at(v) == "" },
	)
}

// StringOr returns the field of a string that is written as another when empty.
func StringOr[T any, S ~string](name string, def S, at func(*T) *S) Field[T] {
	f := String(name, at)
	f.append = func(dst []byte, v *T) ([]byte, error) {
		s := *at(v)
		if s == "" {
			s = def
		}
		return AppendString(dst, s), nil
	}
	f.copy = func(v *T) error {
		s := at(v)
		if *s == "" {
			*s = def
		}
		copyString(s)
		return nil
	}
	return f
}

// StringOrNull returns the field of a string that is written as null when empty.
func StringOrNull[T any, S ~string](name string, at func(*T) *S) Field[T] {
	f := String(name, at)
	f.append = func(dst []byte, v *T) ([]byte, error) {
		if s := *at(v); s != "" {
			return AppendString(dst, s), nil
		}
		return append(dst, "null"...), nil
	}
	return f
}

// ConstString returns the field of a string that is always written as the given
// one.
func ConstString[T any](name, value string, at func(*T) *string) Field[T] {
	f := String(name, at)
	f.append = func(dst []byte, _ *T) ([]byte, error) { return AppendString(dst, value), nil }
	f.copy = func(v *T) error { *at(v) = value; return nil }
	return f
}

// Interned returns the field of a string that repeats from one value to the next,
// such as an ID.
func Interned[T any](name string, at func(*T) *string) Field[T] {
	f := String(name, at)
	f.decode = func(r *Reader, v *T) (err error) {
		if null, err := r.Null(); null || err != nil {
			return err
		}
		*at(v), err = r.Interned()
		return err
	}
	return f
}

// Int returns the field of an integer.
func Int[T any, I ~int | ~int64](name string, at func(*T) *I) Field[T] {
	return Custom(name,
		func(dst []byte, v *T) ([]byte, error) { return AppendInt(dst, *at(v)), nil },
		func(r *Reader, v *T) error { return decodeInt(r, at(v)) },
		nil,
		func(v *T) bool { return *at(v) == 0 },
	)
}

// Float returns the field of a number.
func Float[T any](name string, at func(*T) *float64) Field[T] {
	return Value(name, FloatCodec, at)
}

// Bool returns the field of a boolean.
func Bool[T any](name string, at func(*T) *bool) Field[T] {
	return Value(name, BoolCodec, at)
}

// Optional returns the field of a pointer, nil being null.
func Optional[T, E any](name string, codec Codec[E], at func(*T) **E) Field[T] {
	return Custom(name,
		func(dst []byte, v *T) ([]byte, error) {
			if e := *at(v); e != nil {
				return codec.Append(dst, e)
			}
			return append(dst, "null"...), nil
		},
		func(r *Reader, v *T) error {
			*at(v) = nil
			if null, err := r.Null(); null || err != nil {
				return err
			}
			e := new(E)
			*at(v) = e
			return codec.Decode(r, e)
		},
		func(v *T) error {
			e := at(v)
			if *e == nil {
				return nil
			}
			c := **e
			*e = &c
			return codec.Copy(*e)
		},
		func(v *T) bool { return *at(v) == nil },
	)
}

// OptionalOr is Optional with a value that is written for nil.
func OptionalOr[T, E any](name string, codec Codec[E], def E, at func(*T) **E) Field[T] {
	f := Optional(name, codec, at)
	f.append = func(dst []byte, v *T) ([]byte, error) {
		if e := *at(v); e != nil {
			return codec.Append(dst, e)
		}
		return codec.Append(dst, &def)
	}
	copy := f.copy
	f.copy = func(v *T) error {
		if e := at(v); *e == nil {
			*e = &def
		}
		return copy(v)
	}
	return f
}

// List returns the field of a slice. A nil one is written as an empty array, and
// null is read as nil.
func List[T any, L ~[]E, E any](name string, codec Codec[E], at func(*T) *L) Field[T] {
	f := Custom(name,
		func(dst []byte, v *T) ([]byte, error) { return AppendList(dst, codec, *at(v)) },
		func(r *Reader, v *T) error {
			null, err := r.Null()
			if null || err != nil {
				*at(v) = nil
				return err
			}
			list, err := DecodeList[L](r, codec)
			*at(v) = list
			return err
		},
		func(v *T) error { return CopyList(codec, at(v)) },
		func(v *T) bool { return *at(v) == nil },
	)
	f.empty = func(v *T) bool { return len(*at(v)) == 0 }
	f.reset = func(v *T) { *at(v) = nil }
	return f
}

// DecodeAs returns the field with another way to decode it.
func DecodeAs[T, E any](f Field[T], decode func(*Reader, *E) error, at func(*T) *E) Field[T] {
	f.decode = func(r *Reader, v *T) error { return decode(r, at(v)) }
	return f
}

// AppendList appends an array.
func AppendList[L ~[]E, E any](dst []byte, codec Codec[E], list L) ([]byte, error) {
	dst = append(dst, '[')
	for i := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = codec.Append(dst, &list[i]); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// DecodeList reads an array.
func DecodeList[L ~[]E, E any](r *Reader, codec Codec[E]) (L, error) {
	if err := r.BeginArray(reflect.TypeFor[L]()); err != nil {
		return nil, err
	}
	list := L{}
	for i := 0; ; i++ {
		ok, err := r.Element(i == 0)
		if err != nil {
			return nil, err
		}
		if !ok {
			return list, nil
		}
		var zero E
		list = append(list, zero)
		if err := codec.Decode(r, &list[i]); err != nil {
			if codec.Label != "" {
				err = fmt.Errorf("%s[%d]: %w", codec.Label, i, err)
			}
			return nil, err
		}
	}
}

// CopyList makes a shared slice an independent one, nil becoming empty.
func CopyList[L ~[]E, E any](codec Codec[E], list *L) error {
	c := make(L, len(*list))
	copy(c, *list)
	for i := range c {
		if err := codec.Copy(&c[i]); err != nil {
			return err
		}
	}
	*list = c
	return nil
}

// StringMap returns the field of a map. It is written in the order of its keys, a
// nil one as an empty object; null is read as nil.
func StringMap[T any](name string, at func(*T) *map[string]string) Field[T] {
	f := Custom(name,
		func(dst []byte, v *T) ([]byte, error) { return appendMap(dst, *at(v)), nil },
		func(r *Reader, v *T) error { return decodeMap(r, at(v)) },
		func(v *T) error { copyMap(at(v)); return nil },
		func(v *T) bool { return *at(v) == nil },
	)
	f.empty = func(v *T) bool { return len(*at(v)) == 0 }
	f.reset = func(v *T) { *at(v) = nil }
	return f
}

func copyMap(m *map[string]string) {
	c := make(map[string]string, len(*m))
	for _, key := range slices.Sorted(maps.Keys(*m)) {
		c[ValidString(key)] = ValidString((*m)[key])
	}
	*m = c
}

func appendMap(dst []byte, m map[string]string) []byte {
	dst = append(dst, '{')
	for i, key := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, key), ':')
		dst = AppendString(dst, m[key])
	}
	return append(dst, '}')
}

func decodeMap(r *Reader, m *map[string]string) error {
	*m = nil
	if null, err := r.Null(); null || err != nil {
		return err
	}
	if err := r.BeginObject(reflect.TypeFor[map[string]string]()); err != nil {
		return err
	}
	*m = map[string]string{}
	for first := true; ; first = false {
		key, ok, err := r.Member(first)
		if err != nil || !ok {
			return err
		}
		var value string
		if err := decodeString(r, &value); err != nil {
			return err
		}
		(*m)[string(key)] = value
	}
}

// Raw returns the field of a raw value. An empty one is written as null, and null
// is read as it stands.
func Raw[T any, R ~[]byte](name string, at func(*T) *R) Field[T] {
	return Custom(name,
		func(dst []byte, v *T) ([]byte, error) {
			if raw := *at(v); len(raw) > 0 {
				return AppendRaw(dst, raw)
			}
			return append(dst, "null"...), nil
		},
		func(r *Reader, v *T) error {
			raw, err := r.Skip()
			*at(v) = append(R(nil), raw...)
			return err
		},
		func(v *T) error {
			raw := *at(v)
			if len(raw) == 0 {
				raw = R("null")
			}
			c, err := AppendRaw(nil, raw)
			*at(v) = c
			return err
		},
		func(v *T) bool { return len(*at(v)) == 0 },
	)
}

// Loose returns the field as one that passes over values of another kind than its
// own, which is told by the byte it begins with, '0' standing for numbers. A
// number out of range is passed over too.
func Loose[T any](f Field[T], kind byte) Field[T] {
	decode := f.decode
	f.decode = func(r *Reader, v *T) error {
		start, c := r.Mark(), r.Peek()
		if c == '-' || isDigit(c) {
			c = '0'
		}
		if c == kind && decode(r, v) == nil {
			return nil
		}
		r.Rewind(start)
		_, err := r.Skip()
		return err
	}
	return f
}

// Present returns the field of a boolean that tells whether there is a member of
// that name. It is for decoding only.
func Present[T any](name string, at func(*T) *bool) Field[T] {
	f := Bool(name, at)
	f.decode = func(r *Reader, v *T) error {
		*at(v) = true
		_, err := r.Skip()
		return err
	}
	return f
}

// FloatCodec is the codec of numbers.
var FloatCodec = Codec[float64]{
	Append: func(dst []byte, f *float64) ([]byte, error) { return AppendFloat(dst, *f) },
	Decode: func(r *Reader, f *float64) error {
		null, err := r.Null()
		if null || err != nil {
			return err
		}
		*f, err = r.Float()
		return err
	},
	Copy: func(f *float64) error {
		_, err := AppendFloat(nil, *f)
		return err
	},
}

// BoolCodec is the codec of booleans.
var BoolCodec = Codec[bool]{
	Append: func(dst []byte, b *bool) ([]byte, error) { return AppendBool(dst, *b), nil },
	Decode: func(r *Reader, b *bool) error {
		null, err := r.Null()
		if null || err != nil {
			return err
		}
		*b, err = r.Bool()
		return err
	},
	Copy: func(*bool) error { return nil },
}

// StringCodec returns the codec of strings.
func StringCodec[S ~string]() Codec[S] {
	return Codec[S]{
		Append: func(dst []byte, s *S) ([]byte, error) { return AppendString(dst, *s), nil },
		Decode: decodeString[S],
		Copy:   func(s *S) error { copyString(s); return nil },
	}
}

// IntCodec returns the codec of integers.
func IntCodec[I ~int | ~int64]() Codec[I] {
	return Codec[I]{
		Append: func(dst []byte, n *I) ([]byte, error) { return AppendInt(dst, *n), nil },
		Decode: decodeInt[I],
		Copy:   func(*I) error { return nil },
	}
}

func decodeString[S ~string](r *Reader, s *S) error {
	if null, err := r.Null(); null || err != nil {
		return err
	}
	value, err := r.String()
	*s = S(value)
	return err
}

func decodeInt[I ~int | ~int64](r *Reader, n *I) error {
	if null, err := r.Null(); null || err != nil {
		return err
	}
	bits := 64
	if wide := int64(1) << 40; int64(I(wide)) != wide {
		bits = 32
	}
	value, err := r.Int(bits)
	*n = I(value)
	return err
}

func copyString[S ~string](s *S) { *s = ValidString(*s) }

// ValidString returns s as encoding and decoding would leave it, with U+FFFD in
// place of each byte that is not UTF-8.
func ValidString[S ~string](s S) S {
	if utf8.ValidString(string(s)) {
		return s
	}
	return S([]rune(s))
}
