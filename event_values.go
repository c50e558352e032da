package agentturn

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn/internal/jsonfield"
	"github.com/ChristopherDavenport/openresponses"
)

// itemField is an item, absent when nil.
func itemField(p *openresponses.Item) jsonfield.Field { return jsonfield.Of("item", itemValue{p}) }

type itemValue struct{ p *openresponses.Item }

func (v itemValue) Absent() bool                          { return *v.p == nil }
func (v itemValue) AppendJSON(dst []byte) ([]byte, error) { return jsonfield.AppendMarshal(dst, *v.p) }
func (v itemValue) DecodeJSON(data []byte) (err error) {
	*v.p, err = openresponses.UnmarshalItem(data)
	return err
}

// streamField is a wire event, absent when nil.
func streamField(p *openresponses.StreamEvent) jsonfield.Field {
	return jsonfield.Of("stream", streamValue{p})
}

type streamValue struct{ p *openresponses.StreamEvent }

func (v streamValue) Absent() bool { return *v.p == nil }
func (v streamValue) AppendJSON(dst []byte) ([]byte, error) {
	data, err := openresponses.EncodeEvent(*v.p)
	return append(dst, data...), err
}
func (v streamValue) DecodeJSON(data []byte) (err error) {
	*v.p, err = openresponses.DecodeEvent(data)
	return err
}

// triggerField is a trigger, absent when zero. Its extras are members beside
// its own, as records have them.
func triggerField(p *Trigger) jsonfield.Field { return jsonfield.Of("trigger", triggerValue{p}) }

type triggerValue struct{ p *Trigger }

func (v triggerValue) fields() []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.Text("kind", &v.p.Kind),
		jsonfield.Text("ref", &v.p.Ref),
		jsonfield.Text("source", &v.p.Source),
	}
}

func (v triggerValue) Absent() bool { return v.p.IsZero() }

func (v triggerValue) AppendJSON(dst []byte) ([]byte, error) {
	dst, err := jsonfield.AppendMembers(append(dst, '{'), v.fields())
	for _, name := range slices.Sorted(maps.Keys(v.p.Extra)) {
		if err != nil {
			return nil, err
		}
		dst, err = appendExtra(dst, name, v.p.Extra[name])
	}
	return append(dst, '}'), err
}

// appendExtra writes a member that is the caller's.
func appendExtra(dst []byte, name string, value any) ([]byte, error) {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	dst, err := jsonfield.AppendText(dst, name)
	if err != nil {
		return nil, err
	}
	return jsonfield.AppendMarshal(append(dst, ':'), value)
}

func (v triggerValue) DecodeJSON(data []byte) error {
	if err := jsonfield.Decode(data, v.fields()); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &v.p.Extra); err != nil {
		return err
	}
	for _, name := range []string{"kind", "ref", "source"} {
		delete(v.p.Extra, name)
	}
	if len(v.p.Extra) == 0 {
		v.p.Extra = nil
	}
	return nil
}

// resultFields is the JSON form of a tool's result.
func resultFields(r *agenttool.Result) []jsonfield.Field {
	return []jsonfield.Field{
		jsonfield.JSON("output", &r.Output),
		jsonfield.Of("details", detailsValue{&r.Details}),
		jsonfield.Flag("terminate", &r.Terminate),
	}
}

// detailsValue is whatever a tool put into its details, absent when that is nil
// or has no JSON form.
type detailsValue struct{ p *any }

func (v detailsValue) Absent() bool { return *v.p == nil || encodes(*v.p) != nil }
func (v detailsValue) AppendJSON(dst []byte) ([]byte, error) {
	return jsonfield.AppendMarshal(dst, *v.p)
}
func (v detailsValue) DecodeJSON(data []byte) error { return json.Unmarshal(data, v.p) }

// actionNames are the actions as JSON has them. One without a name is a number.
var actionNames = [...]string{Allow: "allow", Block: "block", Defer: "defer"}

type actionValue struct{ p *ToolAction }

func (v actionValue) Absent() bool { return false }

func (v actionValue) AppendJSON(dst []byte) ([]byte, error) {
	if n := int(*v.p); n >= 0 && n < len(actionNames) {
		return jsonfield.AppendText(dst, actionNames[n])
	}
	return strconv.AppendInt(dst, int64(*v.p), 10), nil
}

func (v actionValue) DecodeJSON(data []byte) error {
	for n, name := range actionNames {
		if string(data) == strconv.Quote(name) {
			*v.p = ToolAction(n)
			return nil
		}
	}
	return json.Unmarshal(data, v.p)
}

// toolValue is a tool by its name. It is not read back.
type toolValue struct{ tool agenttool.Tool }

func (v toolValue) Absent() bool { return v.tool == nil }
func (v toolValue) AppendJSON(dst []byte) ([]byte, error) {
	return jsonfield.AppendText(dst, v.tool.Name())
}
func (v toolValue) DecodeJSON([]byte) error { return nil }
