package openresponses

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The plain type of a struct has the same exported fields and tags but no
// methods, so that encoding/json handles it by reflection. It is what the tables of
// fields are held against.

var (
	rawType       = reflect.TypeFor[json.RawMessage]()
	interfaceType = []reflect.Type{
		reflect.TypeFor[Item](), reflect.TypeFor[Content](), reflect.TypeFor[Annotation](), reflect.TypeFor[Tool](),
	}
)

// plainType returns the plain type of t. A typ other than "" adds a member "type"
// in front.
func plainType(t reflect.Type, typ string) reflect.Type {
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(plainType(t.Elem(), ""))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return reflect.SliceOf(plainType(t.Elem(), ""))
		}
	case reflect.Interface:
		return rawType
	case reflect.Struct:
		return plainStruct(t, typ)
	}
	return t
}

func plainStruct(t reflect.Type, typ string) reflect.Type {
	var fields []reflect.StructField
	if typ != "" {
		fields = append(fields, reflect.StructField{Name: "Type", Type: reflect.TypeFor[string](), Tag: `json:"type"`})
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Tag == "" {
			return t // a wire form of its own
		}
		f.Type, f.Offset, f.Index = plainType(f.Type, ""), 0, nil
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

// toPlain copies v into a value of its plain type.
func toPlain(t testing.TB, v reflect.Value, typ string) reflect.Value {
	p := reflect.New(plainType(v.Type(), typ)).Elem()
	switch {
	case v.Type() == p.Type():
		return v
	case v.Kind() == reflect.Interface:
		raw, err := json.Marshal(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		p.SetBytes(raw)
	case v.Kind() == reflect.Pointer:
		if !v.IsNil() {
			p.Set(reflect.New(p.Type().Elem()))
			p.Elem().Set(toPlain(t, v.Elem(), ""))
		}
	case v.Kind() == reflect.Slice:
		if !v.IsNil() {
			p.Set(reflect.MakeSlice(p.Type(), 0, v.Len()))
			for i := range v.Len() {
				p.Set(reflect.Append(p, toPlain(t, v.Index(i), "")))
			}
		}
	default:
		if typ != "" {
			p.FieldByName("Type").SetString(typ)
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				p.FieldByName(f.Name).Set(toPlain(t, v.Field(i), ""))
			}
		}
	}
	return p
}

// diffPlain returns where v and a value of its plain type differ, or "".
func diffPlain(v, p reflect.Value, at string) string {
	switch {
	case v.Type() == p.Type():
		if reflect.DeepEqual(v.Interface(), p.Interface()) {
			return ""
		}
	case v.Kind() == reflect.Interface:
		if diff := diffInterface(v, p.Bytes()); diff == "" {
			return ""
		}
	case v.Kind() == reflect.Pointer:
		if v.IsNil() && p.IsNil() {
			return ""
		}
		if !v.IsNil() && !p.IsNil() {
			return diffPlain(v.Elem(), p.Elem(), at)
		}
	case v.Kind() == reflect.Slice:
		if v.IsNil() == p.IsNil() && v.Len() == p.Len() {
			for i := range v.Len() {
				if diff := diffPlain(v.Index(i), p.Index(i), fmt.Sprintf("%s[%d]", at, i)); diff != "" {
					return diff
				}
			}
			return ""
		}
	default:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || f.Tag == `json:"-"` {
				continue
			}
			if diff := diffPlain(v.Field(i), p.FieldByName(f.Name), at+"."+f.Name); diff != "" {
				return diff
			}
		}
		return ""
	}
	return fmt.Sprintf("%s: got %#v, encoding/json has %#v", at, v.Interface(), p.Interface())
}

// diffInterface compares a value of one of the families with its JSON.
func diffInterface(v reflect.Value, raw []byte) string {
	var want any
	var err error
	if len(raw) == 0 || string(raw) == "null" {
		if v.IsNil() {
			return ""
		}
		return "not nil"
	}
	switch v.Interface().(type) {
	case Item:
		want, err = UnmarshalItem(raw)
	case Content:
		want, err = UnmarshalContent(raw)
	case Annotation:
		want, err = UnmarshalAnnotation(raw)
	}
	if err != nil {
		return err.Error()
	}
	if !reflect.DeepEqual(v.Interface(), want) {
		return "different"
	}
	return ""
}

// fill sets every field below v to something that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("<é>")
	case reflect.Int, reflect.Int64:
		v.SetInt(-7)
	case reflect.Float64:
		v.SetFloat(0.25)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"k": "v", "a": "<"}))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		if v.Type() == rawType {
			v.SetBytes([]byte(`{"a":[1,"b"]}`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Interface:
		fillInterface(v)
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[ToolChoice]():
			v.Set(reflect.ValueOf(ToolChoiceFunction("f")))
			return
		case reflect.TypeFor[FunctionCallOutputData]():
			v.Set(reflect.ValueOf(FunctionCallOutputData{Text: "<é>"}))
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Extra" {
				fill(v.Field(i))
			}
		}
		switch v := v.Addr().Interface().(type) {
		case *Response:
			v.Object = ObjectResponse
		case *CompactResponse:
			v.Object = ObjectCompaction
		}
	}
}

func fillInterface(v reflect.Value) {
	for i, sample := range []any{&ItemReference{ID: "i"}, &Text{Text: "t"}, &URLCitation{URL: "u"}, &FunctionTool{Name: "n", Parameters: json.RawMessage("{}")}} {
		if v.Type() == interfaceType[i] {
			v.Set(reflect.ValueOf(sample))
		}
	}
}

// declared lists every type that has a table of fields and a plain form.
func declared() []any {
	return []any{
		&Message{}, &FunctionCall{}, &FunctionCallOutput{}, &ReasoningItem{}, &Compaction{}, &ItemReference{},
		&InputText{}, &InputImage{}, &InputFile{}, &InputVideo{}, &OutputText{}, &Refusal{}, &Text{}, &SummaryText{}, &ReasoningText{},
		&FunctionTool{}, &URLCitation{},
		&ResponseCreatedEvent{}, &ResponseQueuedEvent{}, &ResponseInProgressEvent{}, &ResponseCompletedEvent{},
		&ResponseFailedEvent{}, &ResponseIncompleteEvent{}, &OutputItemAddedEvent{}, &OutputItemDoneEvent{},
		&ContentPartAddedEvent{}, &ContentPartDoneEvent{}, &OutputTextDeltaEvent{}, &OutputTextDoneEvent{},
		&RefusalDeltaEvent{}, &RefusalDoneEvent{}, &FunctionCallArgumentsDeltaEvent{}, &FunctionCallArgumentsDoneEvent{},
		&ReasoningSummaryPartAddedEvent{}, &ReasoningSummaryPartDoneEvent{}, &ReasoningSummaryTextDeltaEvent{},
		&ReasoningSummaryTextDoneEvent{}, &ReasoningDeltaEvent{}, &ReasoningDoneEvent{}, &OutputTextAnnotationAddedEvent{}, &ErrorEvent{},
		&Request{}, &CompactRequest{}, &Response{}, &CompactResponse{},
		&Usage{}, &InputTokensDetails{}, &OutputTokensDetails{}, &ErrorPayload{}, &LogProb{}, &TopLogProb{},
		&TextConfig{}, &TextFormat{}, &ToolReference{},
	}
}

// discriminator returns the type that v writes of itself, or "".
func discriminator(v any) string {
	switch v := v.(type) {
	case Item:
		return v.ItemType()
	case Content:
		return v.ContentType()
	case Annotation:
		return v.AnnotationType()
	case Tool:
		return v.ToolType()
	case StreamEvent:
		return v.EventType()
	}
	return ""
}

// TestFieldTables holds every table against the tags of its struct: with all
// fields set, encoding/json writes the plain type in the same bytes, and those
// decode to the same value.
func TestFieldTables(t *testing.T) {
	for _, v := range declared() {
		t.Run(strings.TrimPrefix(fmt.Sprintf("%T", v), "*openresponses."), func(t *testing.T) {
			value := reflect.ValueOf(v).Elem()
			fill(value)
			typ := discriminator(v)
			want, err := json.Marshal(toPlain(t, value, typ).Interface())
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("encoded\n%s\nwant\n%s", got, want)
			}
			back := reflect.New(value.Type())
			if err := json.Unmarshal(got, back.Interface()); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(back.Interface(), v) {
				t.Errorf("decoded\n%+v\nwant\n%+v", back.Interface(), v)
			}
		})
	}
}
