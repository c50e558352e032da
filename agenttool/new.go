package agenttool

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
)

// New makes a tool from a function over an argument struct.
//
// The schema is reflected from Args, once, by the rules of [SchemaOf]; New
// panics when it cannot be. A call's arguments are checked against that
// schema and decoded before fn sees them, and failures of either come back as
// errors a model can learn from, beginning "invalid arguments:". The context
// fn gets carries the call. What fn returns goes through [Output].
func New[Args, Out any](name, description string, fn func(context.Context, Args) (Out, error), opts ...Option) Tool {
	o := optionsOf(opts)
	parameters, schema, err := o.schema(reflect.TypeFor[Args]())
	if err != nil {
		panic(fmt.Sprintf("agenttool.New(%q): %v", name, err))
	}
	return o.tool(name, description, parameters, func(ctx context.Context, call Call) (Result, error) {
		raw, err := checkArguments(schema, call.Args)
		if err != nil {
			return Result{}, err
		}
		args, err := Decode[Args](raw)
		if err != nil {
			return Result{}, err
		}
		out, err := fn(WithCall(ctx, call), args)
		if err != nil {
			return Result{}, err
		}
		return Output(out)
	})
}

// NewFunc makes a tool from a schema and a function over the raw call. The
// schema is served as it is and arguments are not checked against it; nil
// means that the tool takes none. NewFunc panics when fn is nil.
func NewFunc(name, description string, parameters json.RawMessage, fn func(ctx context.Context, call Call) (Result, error), opts ...Option) Tool {
	if fn == nil {
		panic(fmt.Sprintf("agenttool.NewFunc(%q): nil function", name))
	}
	o := optionsOf(opts)
	return o.tool(name, description, parameters, fn)
}

// NoArgs is the argument type of a tool that takes none.
type NoArgs struct{}

// schema gives the parameters a tool over args serves, and the tree to check
// arguments against: nil where they are not checked.
func (o *options) schema(args reflect.Type) (json.RawMessage, *Schema, error) {
	if o.parameters != nil {
		return o.parameters, nil, nil
	}
	if custom, ok := customSchema(args); ok {
		return custom, nil, nil
	}
	schema, err := reflectSchema(args, o.strict)
	if err != nil {
		return nil, nil, err
	}
	parameters, err := schema.MarshalJSON()
	if o.unchecked {
		schema = nil
	}
	return parameters, schema, err
}

func (o *options) tool(name, description string, parameters json.RawMessage, run func(context.Context, Call) (Result, error)) Tool {
	f := function{name: name, description: description, parameters: parameters, run: run, options: *o}
	if o.close != nil {
		return &closableFunction{f}
	}
	return &f
}

// function is the tool behind New and NewFunc.
type function struct {
	name        string
	description string
	parameters  json.RawMessage
	run         func(context.Context, Call) (Result, error)
	options     options
}

func (f *function) Name() string                { return f.name }
func (f *function) Description() string         { return f.description }
func (f *function) Parameters() json.RawMessage { return f.parameters }
func (f *function) Strict() bool                { return f.options.strict }
func (f *function) Sequential() bool            { return f.options.sequential }
func (f *function) Resource() string            { return f.options.resource }
func (f *function) Annotations() Annotations    { return f.options.annotations }

func (f *function) Execute(ctx context.Context, call Call) (Result, error) {
	return f.run(ctx, call)
}

func (f *function) Confined(ctx context.Context, args json.RawMessage) (bool, string) {
	if f.options.confined == nil {
		return false, ""
	}
	return f.options.confined(ctx, args)
}

func (f *function) Replay(ctx context.Context, args json.RawMessage) Replay {
	if f.options.replay == nil {
		return ReplayUnknown
	}
	return f.options.replay(ctx, args)
}

// closableFunction is a function that is an io.Closer: being one tells the
// host that the tool owns something.
type closableFunction struct{ function }

func (f *closableFunction) Close() error { return f.options.close() }
