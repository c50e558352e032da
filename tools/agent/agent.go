package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// Input is what the model passes unless an option says otherwise: a text, which becomes the
// child's first user message as it is.
type Input struct {
	Input string `json:"input" desc:"The task or question for the agent"`
}

// options are what a tool is made of.
type options struct {
	cfg    agentturn.Config
	name   string
	schema json.RawMessage
	strict bool

	// open makes configuration and opening items of one call.
	open func(ctx context.Context, args json.RawMessage, parent agentturn.Transcript) (agentturn.Config, openresponses.Items, error)
	// withParent says that open reads the parent's transcript.
	withParent bool

	noAnswer   func(ChildInfo) (agenttool.Result, error)
	seed       func(agentturn.Transcript) agentturn.Transcript
	observer   func(context.Context, agentturn.Event)
	spawn      func(string, *agentturn.Agent)
	runContext func(context.Context, string) context.Context
	detach     func(string, *agentturn.RunEnd)
	held       *heldChildren // of WithHolding
}

// Option sets one property of a tool. One given twice counts the second time; [WithArgs],
// [WithStrictArgs] and [WithCallConfig] take each other's place.
type Option func(*options)

var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// New returns the agent that cfg describes as a tool: its name and description are the agent's.
// Every call makes an agent of its own, so that calls may run at once. It panics for an agent
// without a name, and for a name that is none of a tool, 1 to 64 of A-Z a-z 0-9 _ -, unless
// [WithToolName] gives another. Nil options are ignored.
func New(cfg agentturn.Config, opts ...Option) agenttool.Tool {
	if cfg.Name == "" {
		panic("agent: the agent has no name")
	}
	o := options{cfg: cfg}
	WithArgs(func(in Input) openresponses.Items { return openresponses.Items{openresponses.UserText(in.Input)} })(&o)
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	if o.name == "" {
		if !toolName.MatchString(cfg.Name) {
			panic(fmt.Sprintf("agent: %q is not a tool's name; give it one with WithToolName", cfg.Name))
		}
		o.name = cfg.Name
	}
	if o.held != nil {
		return holdingTool{tool{o}}
	}
	return tool{o}
}

// tool runs a child for each call.
type tool struct{ options }

var _ agenttool.Strict = tool{}

// Name is the tool's name.
func (t tool) Name() string { return t.name }

// Description is the agent's.
func (t tool) Description() string { return t.cfg.Description }

// Parameters is the schema of the arguments.
func (t tool) Parameters() json.RawMessage { return t.schema }

// Strict reports whether the schema is to be kept to the letter.
func (t tool) Strict() bool { return t.strict }

// WithToolName names the tool where the agent's own name is none for a tool, or not what the
// model should read. It panics for what is not a tool's name.
func WithToolName(name string) Option {
	if !toolName.MatchString(name) {
		panic(fmt.Sprintf("agent: %q is not a tool's name", name))
	}
	return func(o *options) { o.name = name }
}

// WithArgs sets the type of the arguments and what the child begins with. It panics for a type
// that has no schema; render must not be nil.
func WithArgs[T any](render func(T) openresponses.Items) Option {
	return withArgs(mustSchema[T](), false, render)
}

// WithStrictArgs is WithArgs with a schema that the model has to keep to the letter.
func WithStrictArgs[T any](render func(T) openresponses.Items) Option {
	return withArgs(mustSchema[T](agenttool.WithStrict()), true, render)
}

func withArgs[T any](schema json.RawMessage, strict bool, render func(T) openresponses.Items) Option {
	return func(o *options) {
		o.schema, o.strict, o.withParent = schema, strict, false
		o.open = func(_ context.Context, raw json.RawMessage, _ agentturn.Transcript) (agentturn.Config, openresponses.Items, error) {
			args, err := agenttool.Decode[T](raw)
			if err != nil {
				return agentturn.Config{}, nil, err
			}
			return o.cfg, render(args), nil
		}
	}
}

// WithCallConfig chooses configuration and opening items for each call, from its arguments and
// the parent's conversation, in which each open call is answered by a placeholder; it is nil
// outside of a loop. What fn returns as configuration must keep the agent's name. Its error
// fails the call. It panics for a type that has no schema; fn must not be nil.
func WithCallConfig[T any](fn func(ctx context.Context, args T, parent agentturn.Transcript, cfg agentturn.Config) (agentturn.Config, openresponses.Items, error)) Option {
	schema := mustSchema[T]()
	return func(o *options) {
		o.schema, o.strict, o.withParent = schema, false, true
		o.open = func(ctx context.Context, raw json.RawMessage, parent agentturn.Transcript) (agentturn.Config, openresponses.Items, error) {
			args, err := agenttool.Decode[T](raw)
			if err != nil {
				return agentturn.Config{}, nil, err
			}
			cfg, items, err := fn(ctx, args, parent, o.cfg)
			if err == nil && cfg.Name != o.cfg.Name {
				err = fmt.Errorf("agent %q: the call's configuration is named %q", o.cfg.Name, cfg.Name)
			}
			return cfg, items, err
		}
	}
}

// WithNoAnswer decides the result of a call whose child ended without an answer, other than by
// a failure, an abort or a guard. Without it a child that a tool of its own ended gives that
// tool's output, and any other an error.
func WithNoAnswer(fn func(ChildInfo) (agenttool.Result, error)) Option {
	return func(o *options) { o.noAnswer = fn }
}

// WithTranscript starts the child from what seed makes of the parent's conversation, in which
// each open call is answered by a placeholder; it is nil outside of a loop. Items of the seed
// are not among those of the child's run.
func WithTranscript(seed func(parent agentturn.Transcript) agentturn.Transcript) Option {
	return func(o *options) { o.seed = seed }
}

// WithObserver has fn given every event of each child, in order, also of runs that the host
// starts on it later; the child waits for fn. Children of one batch call it at once. Its
// context has the values of the call's, is never cancelled, and holds the configuration that
// runs ([ConfigFromContext]) and the call.
func WithObserver(fn func(context.Context, agentturn.Event)) Option {
	return func(o *options) { o.observer = fn }
}

// WithSpawn hands the host each child ahead of its run, with the ID of its call: to steer it,
// to abort it, to resume it later.
func WithSpawn(fn func(callID string, child *agentturn.Agent)) Option {
	return func(o *options) { o.spawn = fn }
}

// WithRunContext lets fn derive the context that a child runs under. It is called once for each
// call. The child's trigger is what fn puts there; the parent's is not passed on.
func WithRunContext(fn func(ctx context.Context, callID string) context.Context) Option {
	return func(o *options) { o.runContext = fn }
}

// WithDetach has calls return as soon as their child has started. The child goes on when the
// parent's run is over, and ends when that run is aborted. fn is given the end of each run that
// started, on the child's goroutine, where it may block. Nothing of it reaches the parent
// unless fn sees to it.
func WithDetach(fn func(callID string, end *agentturn.RunEnd)) Option {
	return func(o *options) { o.detach = fn }
}

func mustSchema[T any](opts ...agenttool.Option) json.RawMessage {
	schema, err := agenttool.SchemaFor[T](opts...)
	if err != nil {
		panic("agent: " + err.Error())
	}
	return schema
}
