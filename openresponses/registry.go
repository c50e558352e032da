package openresponses

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// RegisterItem sets the decoder of one item type, in place of the one it has, a
// built-in one included. It is for the whole process, safe at any time, and meant
// for init functions. The decoder is given a copy of the item's JSON. A nil
// decoder panics. The same holds for the other Register functions.
func RegisterItem(typ string, decode func(json.RawMessage) (Item, error)) {
	itemTypes.register(typ, decode)
}

// RegisterContent sets the decoder of one content part type; see [RegisterItem].
func RegisterContent(typ string, decode func(json.RawMessage) (Content, error)) {
	contentTypes.register(typ, decode)
}

// RegisterTool sets the decoder of one tool type; see [RegisterItem].
func RegisterTool(typ string, decode func(json.RawMessage) (Tool, error)) {
	toolTypes.register(typ, decode)
}

// RegisterAnnotation sets the decoder of one annotation type; see [RegisterItem].
func RegisterAnnotation(typ string, decode func(json.RawMessage) (Annotation, error)) {
	annotationTypes.register(typ, decode)
}

// RegisterEvent sets the decoder of one event type; see [RegisterItem].
func RegisterEvent(typ string, decode func(json.RawMessage) (StreamEvent, error)) {
	eventTypes.register(typ, decode)
}

// UnmarshalItem decodes one item by its type. An item of a type that nobody
// registered, or without one, becomes an [UnknownItem].
func UnmarshalItem(data []byte) (Item, error) { return itemTypes.unmarshal(data) }

// UnmarshalContent decodes one content part by its type; unregistered types become
// an [UnknownContent].
func UnmarshalContent(data []byte) (Content, error) { return contentTypes.unmarshal(data) }

// UnmarshalTool decodes one tool by its type; unregistered types become an
// [UnknownTool].
func UnmarshalTool(data []byte) (Tool, error) { return toolTypes.unmarshal(data) }

// UnmarshalAnnotation decodes one annotation by its type; unregistered types become
// an [UnknownAnnotation].
func UnmarshalAnnotation(data []byte) (Annotation, error) { return annotationTypes.unmarshal(data) }

// A registry knows the types of one family of values that are told apart by their
// member "type". Lookup takes no lock and does not allocate.
type registry[V any] struct {
	family[V]

	mu    sync.Mutex // held by register
	types atomic.Pointer[map[string]typeCodec[V]]
}

// A family says what a registry cannot find out by itself.
type family[V any] struct {
	kind    string // names the family in errors
	typeOf  func(V) string
	builtin func(V) bool                        // whether v is of a Go type of this package
	unknown func(h head, raw json.RawMessage) V // takes over raw
	infer   func(*head)                         // supplies a type where a value has none; may be nil
}

// A typeCodec decodes and copies the values of one type. Those of a registered
// type have only decode.
type typeCodec[V any] struct {
	typ    string
	decode func(json.RawMessage) (V, error)

	read     func(*jsonx.Reader) (V, error)               // a whole value
	readRest func(r *jsonx.Reader, typ []byte) (V, error) // what follows its type
	clone    func(V) (c V, ok bool, err error)            // not ok for any other Go type
}

// builtinType returns the codec of a type declared in this package. Pointers to T
// must be values of the family.
func builtinType[V, T any](typ string, object *jsonx.Object[T]) typeCodec[V] {
	return typeCodec[V]{
		typ: typ,
		read: func(r *jsonx.Reader) (V, error) {
			v := new(T)
			err := object.Decode(r, v)
			return any(v).(V), err
		},
		readRest: func(r *jsonx.Reader, typ []byte) (V, error) {
			v := new(T)
			err := object.DecodeRest(r, v, typ)
			return any(v).(V), err
		},
		clone: func(v V) (V, bool, error) {
			t, ok := any(v).(*T)
			if !ok || t == nil {
				return v, false, nil
			}
			c, err := object.Clone(t)
			return any(c).(V), true, err
		},
	}
}

func newRegistry[V any](f family[V], codecs ...typeCodec[V]) *registry[V] {
	g := &registry[V]{family: f}
	types := make(map[string]typeCodec[V], len(codecs))
	for _, c := range codecs {
		types[c.typ] = c
	}
	g.types.Store(&types)
	return g
}

func (g *registry[V]) register(typ string, decode func(json.RawMessage) (V, error)) {
	if decode == nil {
		panic("openresponses: nil decoder registered for " + g.kind + " type " + typ)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	types := maps.Clone(*g.types.Load())
	types[typ] = typeCodec[V]{typ: typ, decode: decode}
	g.types.Store(&types)
}

func (g *registry[V]) unmarshal(data []byte) (V, error) {
	r := jsonx.NewReader(data)
	defer r.Release()
	return g.readAll(r)
}

// readAll decodes a value after which nothing follows.
func (g *registry[V]) readAll(r *jsonx.Reader) (V, error) {
	var none V
	v, err := g.read(r)
	if err != nil {
		return none, err
	}
	if err := r.End(); err != nil {
		return none, fmt.Errorf("%s: %w", g.kind, err)
	}
	return v, nil
}

// read decodes the next value. The usual case is one whose first member is a
// type known to this package: it is decoded in one pass. All others are passed
// over once to find what they are.
func (g *registry[V]) read(r *jsonx.Reader) (V, error) {
	start := r.Mark()
	if typ := r.LeadingType(); typ != nil {
		if codec, ok := (*g.types.Load())[string(typ)]; ok && codec.readRest != nil {
			v, err := codec.readRest(r, typ)
			if err == nil {
				return v, nil
			}
			if !errors.Is(err, jsonx.ErrRetyped) {
				return v, fmt.Errorf("%s %q: %w", g.kind, codec.typ, err)
			}
		}
	}
	r.Rewind(start)
	return g.readScanned(r)
}

// readScanned decodes the next value after reading it through for its type.
func (g *registry[V]) readScanned(r *jsonx.Reader) (v V, err error) {
	start := r.Mark()
	h, raw, err := scanHead(r)
	if err != nil {
		return v, fmt.Errorf("%s: %w", g.kind, err)
	}
	if g.infer != nil {
		g.infer(&h)
	}
	codec, ok := (*g.types.Load())[h.typ]
	switch {
	case !ok:
		return g.unknown(h, slices.Clone(raw)), nil
	case codec.decode != nil:
		v, err = codec.decode(slices.Clone(raw))
	default:
		r.Rewind(start)
		v, err = codec.read(r)
	}
	if err != nil {
		err = fmt.Errorf("%s %q: %w", g.kind, h.typ, err)
	}
	return v, err
}

// append appends the JSON of a value.
func (g *registry[V]) append(dst []byte, v *V) ([]byte, error) {
	if g.builtin(*v) {
		return any(*v).(appender).appendJSON(dst)
	}
	raw, err := json.Marshal(*v)
	if err != nil {
		return dst, err
	}
	return jsonx.AppendRaw(dst, raw)
}

// clone returns what encoding and decoding a value would give. A value of this
// package's types is copied directly while the package also decodes its type.
func (g *registry[V]) clone(v V) (V, error) {
	if g.builtin(v) && !isNil(v) {
		if codec := (*g.types.Load())[g.typeOf(v)]; codec.clone != nil {
			if c, ok, err := codec.clone(v); ok {
				return c, err
			}
		}
	}
	raw, err := g.append(nil, &v)
	if err != nil {
		return v, err
	}
	return g.unmarshal(raw)
}

// copy replaces a value with a clone of it.
func (g *registry[V]) copy(v *V) error {
	c, err := g.clone(*v)
	if err == nil {
		*v = c
	}
	return err
}

// isNil reports whether v, a value of this package's types, is a nil pointer.
func isNil(v any) bool { return reflect.ValueOf(v).IsNil() }

// codec returns the registry as the codec of one value; label names a list of
// them in errors.
func (g *registry[V]) codec(label string) jsonx.Codec[V] {
	return jsonx.Codec[V]{
		Label:  label,
		Append: g.append,
		Decode: func(r *jsonx.Reader, v *V) (err error) {
			*v, err = g.read(r)
			return err
		},
		Copy: g.copy,
	}
}

// nullable returns the row of one value of a registry, nil being null.
func nullable[T, V any](name string, g *registry[V], at func(*T) *V) jsonx.Field[T] {
	return jsonx.Custom(name,
		func(dst []byte, v *T) ([]byte, error) { return g.append(dst, at(v)) },
		func(r *jsonx.Reader, v *T) error {
			var none V
			*at(v) = none
			null, err := r.Null()
			if !null {
				*at(v), err = g.read(r)
			}
			return err
		},
		func(v *T) error {
			if any(*at(v)) == nil {
				return nil
			}
			return g.copy(at(v))
		},
		func(v *T) bool { return any(*at(v)) == nil },
	)
}

// A head is what can be told of a value without knowing its type.
type head struct {
	typ      string
	id       string
	status   Status
	sequence int64
	hasError bool
}

var headFields = jsonx.NewObject("", nil,
	jsonx.String("type", func(h *head) *string { return &h.typ }),
	jsonx.Loose(jsonx.String("id", func(h *head) *string { return &h.id }), '"'),
	jsonx.Loose(jsonx.String("status", func(h *head) *Status { return &h.status }), '"'),
	jsonx.Loose(jsonx.Int("sequence_number", func(h *head) *int64 { return &h.sequence }), '0'),
	jsonx.Present("error", func(h *head) *bool { return &h.hasError }),
)

// scanHead reads a value through and returns what it is and its bytes. The value
// must be an object, whose type must be a string, or null. The other members of a
// head are left empty where their values are of another kind.
func scanHead(r *jsonx.Reader) (h head, raw []byte, err error) {
	r.Peek()
	start := r.Mark()
	err = headFields.Decode(r, &h)
	return h, r.Since(start), err
}

// unmarshalHead is scanHead for a whole text; it returns a copy of the bytes.
func unmarshalHead(data []byte) (head, json.RawMessage, error) {
	r := jsonx.NewReader(data)
	defer r.Release()
	h, raw, err := scanHead(r)
	if err == nil {
		err = r.End()
	}
	return h, slices.Clone(raw), err
}
