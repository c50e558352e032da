package openresponses

import (
	"encoding/json"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// AnnotationTypeURLCitation is the type of the annotation this package knows.
const AnnotationTypeURLCitation = "url_citation"

// An Annotation is a remark on a piece of output text, such as its source:
// [*URLCitation], [*UnknownAnnotation], or a type added with [RegisterAnnotation].
// Undeclared members are kept, as those of an [Item] are.
type Annotation interface {
	// AnnotationType is the annotation's member "type".
	AnnotationType() string
}

var annotationTypes = newRegistry(
	family[Annotation]{
		kind:    "annotation",
		typeOf:  Annotation.AnnotationType,
		builtin: isBuiltinAnnotation,
		unknown: func(h head, raw json.RawMessage) Annotation {
			return &UnknownAnnotation{Type: h.typ, Raw: raw}
		},
	},
	builtinType[Annotation](AnnotationTypeURLCitation, urlCitationFields),
)

func isBuiltinAnnotation(a Annotation) bool {
	switch a.(type) {
	case *URLCitation, *UnknownAnnotation:
		return true
	}
	return false
}

// Annotations is a list of annotations. It encodes as an array; a nil list on its
// own is null.
type Annotations []Annotation

var (
	annotationCodec   = annotationTypes.codec("annotations")
	decodeAnnotations = decodeArray[Annotations](annotationCodec)
)

// annotationsField returns the row of a list of annotations.
func annotationsField[T any](name string, at func(*T) *Annotations) jsonx.Field[T] {
	return jsonx.DecodeAs(jsonx.List(name, annotationCodec, at), decodeAnnotations, at)
}

// UnmarshalJSON decodes an array of annotations; null is an empty list that is not
// nil. The error for an element begins with its position, annotations[0]. On error
// the list is as it was.
func (a *Annotations) UnmarshalJSON(data []byte) error {
	return unmarshalWhole(data, a, decodeAnnotations)
}

// A URLCitation names the web page that a piece of text rests on.
type URLCitation struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	// StartIndex and EndIndex delimit the piece, as the server counts characters.
	StartIndex int `json:"start_index"`
	EndIndex   int `json:"end_index"`

	unknown *jsonx.Unknown
}

var urlCitationFields = jsonx.NewObject(AnnotationTypeURLCitation,
	func(a *URLCitation) **jsonx.Unknown { return &a.unknown },
	jsonx.String("url", func(a *URLCitation) *string { return &a.URL }),
	jsonx.String("title", func(a *URLCitation) *string { return &a.Title }),
	jsonx.Int("start_index", func(a *URLCitation) *int { return &a.StartIndex }),
	jsonx.Int("end_index", func(a *URLCitation) *int { return &a.EndIndex }),
)

// AnnotationType returns AnnotationTypeURLCitation.
func (*URLCitation) AnnotationType() string { return AnnotationTypeURLCitation }

// MarshalJSON encodes the annotation.
func (a *URLCitation) MarshalJSON() ([]byte, error) { return a.appendJSON(nil) }

func (a *URLCitation) appendJSON(dst []byte) ([]byte, error) { return urlCitationFields.Append(dst, a) }

// UnmarshalJSON decodes the annotation.
func (a *URLCitation) UnmarshalJSON(data []byte) error { return urlCitationFields.Unmarshal(data, a) }

// An UnknownAnnotation is an annotation of a type that nobody registered, kept as it came.
type UnknownAnnotation struct {
	Type string // "" if the annotation had none
	// Raw is the annotation's JSON. While it is not empty it alone is encoded.
	Raw json.RawMessage
}

var unknownAnnotationFields = jsonx.NewObject("", nil,
	jsonx.String("type", func(a *UnknownAnnotation) *string { return &a.Type }),
)

// AnnotationType returns Type.
func (a *UnknownAnnotation) AnnotationType() string { return a.Type }

// MarshalJSON returns Raw, with its text repaired where a receiver would refuse
// it. Without Raw it encodes the type alone.
func (a *UnknownAnnotation) MarshalJSON() ([]byte, error) {
	if a != nil && len(a.Raw) > 0 {
		return jsonx.Repair(a.Raw), nil
	}
	return a.appendJSON(nil)
}

func (a *UnknownAnnotation) appendJSON(dst []byte) ([]byte, error) {
	if a != nil && len(a.Raw) > 0 {
		return jsonx.AppendRaw(dst, a.Raw)
	}
	return unknownAnnotationFields.Append(dst, a)
}

// UnmarshalJSON keeps a copy of data, an object or null, and takes its type from it.
func (a *UnknownAnnotation) UnmarshalJSON(data []byte) error {
	h, raw, err := unmarshalHead(data)
	if err != nil {
		return err
	}
	*a = UnknownAnnotation{Type: h.typ, Raw: raw}
	return nil
}
