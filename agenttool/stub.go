package agenttool

import (
	"context"
	"encoding/json"
	"iter"
	"reflect"

	"github.com/ChristopherDavenport/openresponses"
)

type Tool interface {
	Name() string
	Description() string
	Parameters() json.RawMessage
	Execute(ctx context.Context, call Call) (Result, error)
}

type Call struct {
	ID             string
	Args           json.RawMessage
	IdempotencyKey string
	OnUpdate       func(Result)
}

func (c Call) Update(r Result) { panic("not implemented") }

type Result struct {
	Output    openresponses.FunctionCallOutputData
	Details   any
	Terminate bool
}

type ProgressInfo struct {
	Progress float64
	Total    float64
	Message  string
}

func Text(s string) Result { panic("not implemented") }

func Parts(parts ...openresponses.Content) Result { panic("not implemented") }

func ErrorResult(err error) Result { panic("not implemented") }

type Sequential interface{ Sequential() bool }

type Resource interface{ Resource() string }

type Strict interface{ Strict() bool }

type Annotations struct {
	Title       string
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

type Annotated interface{ Annotations() Annotations }

type Confined interface {
	Confined(ctx context.Context, args json.RawMessage) (bool, string)
}

type Replay int

const (
	ReplayUnknown Replay = iota
	ReplaySafe
	ReplayKeyed
)

func (r Replay) String() string { panic("not implemented") }

type Replayable interface {
	Replay(ctx context.Context, args json.RawMessage) Replay
}

func IsSequential(t Tool) bool { panic("not implemented") }

func IsStrict(t Tool) bool { panic("not implemented") }

func ResourceOf(t Tool) string { panic("not implemented") }

func AnnotationsOf(t Tool) Annotations { panic("not implemented") }

func ConfinedBy(ctx context.Context, t Tool, args json.RawMessage) (bool, string) {
	panic("not implemented")
}

func ReplayOf(ctx context.Context, t Tool, args json.RawMessage) Replay { panic("not implemented") }

var NoArgsSchema = json.RawMessage(`{"type":"object","properties":{},"required":[]}`)

func Definition(t Tool) *openresponses.FunctionTool { panic("not implemented") }

type Set []Tool

func (s Set) Lookup(name string) (Tool, bool) { panic("not implemented") }

func (s Set) Definitions() openresponses.Tools { panic("not implemented") }

func (s Set) Close() error { panic("not implemented") }

func (s Set) Validate() error { panic("not implemented") }

type NoArgs struct{}

type Option func(*options)

func New[Args, Out any](name, description string, fn func(context.Context, Args) (Out, error), opts ...Option) Tool {
	panic("not implemented")
}

func NewFunc(name, description string, parameters json.RawMessage, fn func(ctx context.Context, call Call) (Result, error), opts ...Option) Tool {
	panic("not implemented")
}

func WithStrict() Option { panic("not implemented") }

func WithSequential() Option { panic("not implemented") }

func WithResource(name string) Option { panic("not implemented") }

func WithAnnotations(a Annotations) Option { panic("not implemented") }

func WithCloser(fn func() error) Option { panic("not implemented") }

func WithConfined(fn func(ctx context.Context, args json.RawMessage) (bool, string)) Option {
	panic("not implemented")
}

func WithReplay(fn func(ctx context.Context, args json.RawMessage) Replay) Option {
	panic("not implemented")
}

func WithParameters(schema json.RawMessage) Option { panic("not implemented") }

func WithoutValidation() Option { panic("not implemented") }

func Decode[T any](raw json.RawMessage) (T, error) { panic("not implemented") }

func Output(v any) (Result, error) { panic("not implemented") }

func WithCall(ctx context.Context, call Call) context.Context { panic("not implemented") }

func CallFrom(ctx context.Context) (Call, bool) { panic("not implemented") }

func Progress(ctx context.Context, r Result) { panic("not implemented") }

type Schemer interface {
	JSONSchema() json.RawMessage
}

type Schema struct {
	Type                 string
	Nullable             bool
	Description          string
	Format               string
	Enum                 []any
	Properties           []Property
	Required             []string
	AdditionalProperties *Schema
	NoAdditional         bool
	Items                *Schema
}

type Property struct {
	Name   string
	Schema *Schema
}

func (s Schema) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (s *Schema) Validate(v any) error { panic("not implemented") }

func (s *Schema) ValidateJSON(raw json.RawMessage) error { panic("not implemented") }

func SchemaFor[T any](opts ...Option) (json.RawMessage, error) { panic("not implemented") }

func SchemaOf(t reflect.Type, opts ...Option) (json.RawMessage, error) { panic("not implemented") }

func Reflect(t reflect.Type, opts ...Option) (*Schema, error) { panic("not implemented") }

type ValidationError struct {
	Path string
	Msg  string
}

func (e *ValidationError) Error() string { panic("not implemented") }

type Recordable interface{ RecordNS() string }

type Record struct {
	NS   string
	Data json.RawMessage
}

type RecordFunc func(ctx context.Context, rec *Record) error

func RecordOf(details any) (*Record, error) { panic("not implemented") }

func ContextWithRecorder(ctx context.Context, fn RecordFunc) context.Context {
	panic("not implemented")
}

func RecorderFrom(ctx context.Context) (RecordFunc, bool) { panic("not implemented") }

func WriteRecord(ctx context.Context, details Recordable) error { panic("not implemented") }

type Elicitation struct {
	Message string
	Schema  json.RawMessage
	URL     string
}

type Action string

const (
	ActionAccept  Action = "accept"
	ActionDecline Action = "decline"
	ActionCancel  Action = "cancel"
)

type Answer struct {
	Action  Action
	Content json.RawMessage
}

type Elicitor func(ctx context.Context, q Elicitation) (Answer, error)

func ContextWithElicitor(ctx context.Context, fn Elicitor) context.Context { panic("not implemented") }

func ElicitorFrom(ctx context.Context) (Elicitor, bool) { panic("not implemented") }

const DefaultMaxParallel = 8

type Job struct {
	Tool Tool
	Call Call
}

type Event struct {
	Index  int
	Final  bool
	Result Result
	Err    error
}

type Executor struct {
	MaxParallel int
	Sequential  bool
	Recorder    RecordFunc
	OnStart     func(ctx context.Context, job Job) error
}

func (e Executor) Execute(ctx context.Context, jobs []Job) iter.Seq[Event] { panic("not implemented") }

func (e Executor) Results(ctx context.Context, jobs []Job) ([]Result, []error) {
	panic("not implemented")
}

type PanicError struct {
	Tool  string
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { panic("not implemented") }

func (e Executor) Chains(jobs []Job) [][]int { panic("not implemented") }

func Wrap(t Tool, exec func(ctx context.Context, call Call) (Result, error)) Tool {
	panic("not implemented")
}

func Unwrap(t Tool) Tool { panic("not implemented") }

type options struct{}
