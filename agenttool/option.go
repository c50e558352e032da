package agenttool

import (
	"context"
	"encoding/json"
)

// An Option sets a property of a tool made by [New] or [NewFunc]. Options
// apply in order; of two of one kind the later one counts.
type Option func(*options)

// options is what the options of one tool add up to.
type options struct {
	strict      bool
	sequential  bool
	resource    string
	annotations Annotations
	close       func() error
	confined    func(ctx context.Context, args json.RawMessage) (bool, string)
	replay      func(ctx context.Context, args json.RawMessage) Replay
	parameters  json.RawMessage
	unchecked   bool
}

func optionsOf(opts []Option) options {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// WithStrict marks the tool as [Strict]. A reflected schema then follows the
// rules of strict mode: every property required, no others allowed, pointers
// nullable, maps refused. Any other schema is served as it is. In [Reflect],
// [SchemaOf] and [SchemaFor] it sets the rules alone.
func WithStrict() Option {
	return func(o *options) { o.strict = true }
}

// WithSequential marks the tool as [Sequential].
func WithSequential() Option {
	return func(o *options) { o.sequential = true }
}

// WithResource names the [Resource] the tool works on; empty for none.
func WithResource(name string) Option {
	return func(o *options) { o.resource = name }
}

// WithAnnotations gives the tool [Annotations].
func WithAnnotations(a Annotations) Option {
	return func(o *options) { o.annotations = a }
}

// WithCloser makes the tool an [io.Closer] that calls fn. With a nil fn it is
// none.
func WithCloser(fn func() error) Option {
	return func(o *options) { o.close = fn }
}

// WithConfined answers [Confined] with fn; nil answers false.
func WithConfined(fn func(ctx context.Context, args json.RawMessage) (bool, string)) Option {
	return func(o *options) { o.confined = fn }
}

// WithReplay answers [Replayable] with fn; nil answers [ReplayUnknown].
func WithReplay(fn func(ctx context.Context, args json.RawMessage) Replay) Option {
	return func(o *options) { o.replay = fn }
}

// WithParameters gives a tool from [New] the schema to serve in place of the
// reflected one. It is neither parsed nor are arguments checked against it:
// they only have to decode. The argument type may then be any that decodes
// from an object. A nil schema leaves the reflected one.
func WithParameters(schema json.RawMessage) Option {
	return func(o *options) { o.parameters = schema }
}

// WithoutValidation keeps a tool from [New] from checking arguments against
// its schema; they only have to decode.
func WithoutValidation() Option {
	return func(o *options) { o.unchecked = true }
}
