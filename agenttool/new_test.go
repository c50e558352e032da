package agenttool_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

func rawFunc(context.Context, agenttool.Call) (agenttool.Result, error) {
	return agenttool.Text("done"), nil
}

type readFile struct {
	Path     string `json:"path" desc:"Absolute path to read"`
	MaxBytes int    `json:"max_bytes,omitempty" desc:"Stop after this many bytes"`
}

func TestNew(t *testing.T) {
	type key struct{}
	var got readFile
	var gotCall agenttool.Call
	tool := agenttool.New("read_file", "Read a file.", func(ctx context.Context, args readFile) (string, error) {
		got = args
		gotCall, _ = agenttool.CallFrom(ctx)
		if ctx.Value(key{}) == nil {
			t.Error("the context is not the caller's")
		}
		return "content", nil
	})
	if tool.Name() != "read_file" || tool.Description() != "Read a file." {
		t.Errorf("tool %q: %q", tool.Name(), tool.Description())
	}
	call := agenttool.Call{ID: "c1", IdempotencyKey: "k1", Args: json.RawMessage(`{"path":"/etc/hosts","max_bytes":10,"other":true}`)}
	res, err := tool.Execute(context.WithValue(t.Context(), key{}, 1), call)
	if err != nil || !reflect.DeepEqual(res, agenttool.Text("content")) {
		t.Errorf("result %+v, %v", res, err)
	}
	if want := (readFile{"/etc/hosts", 10}); got != want {
		t.Errorf("arguments %+v, want %+v", got, want)
	}
	if !reflect.DeepEqual(gotCall, call) {
		t.Errorf("call on the context %+v, want %+v", gotCall, call)
	}
}

func TestNewDiscardsTheOutputOfAFailure(t *testing.T) {
	cause := errors.New("half way")
	tool := agenttool.New("t", "", func(context.Context, agenttool.NoArgs) (agenttool.Result, error) {
		return agenttool.Result{Details: "kept?", Terminate: true}, cause
	})
	res, err := tool.Execute(t.Context(), agenttool.Call{})
	if err != cause || !reflect.DeepEqual(res, agenttool.Result{}) {
		t.Errorf("got %+v, %v, want the zero result and the error unchanged", res, err)
	}
}

func TestNewPassesAResultThrough(t *testing.T) {
	want := agenttool.Result{Output: agenttool.Text("x").Output, Details: 1, Terminate: true}
	tool := agenttool.New("t", "", func(context.Context, agenttool.NoArgs) (agenttool.Result, error) { return want, nil })
	if res, err := tool.Execute(t.Context(), agenttool.Call{}); err != nil || !reflect.DeepEqual(res, want) {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestConstructorPanics(t *testing.T) {
	type bad struct {
		C chan int `json:"c"`
	}
	tests := []struct {
		name string
		make func()
		want any
	}{
		{"schema problem", func() {
			agenttool.New("t", "", func(context.Context, bad) (string, error) { return "", nil })
		}, `agenttool.New("t"): agenttool: field C: unsupported type chan int`},
		{"nil NewFunc function", func() { agenttool.NewFunc("t", "", nil, nil) }, `agenttool.NewFunc("t"): nil function`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if got := recover(); got != tt.want {
					t.Errorf("panic %v, want %v", got, tt.want)
				}
			}()
			tt.make()
		})
	}
	agenttool.New[agenttool.NoArgs, string]("t", "", nil) // fails when it is called
}

func TestOptions(t *testing.T) {
	yes := func(context.Context, json.RawMessage) (bool, string) { return true, "vm" }
	safe := func(context.Context, json.RawMessage) agenttool.Replay { return agenttool.ReplaySafe }
	title := agenttool.Annotations{Title: "T"}
	tests := []struct {
		name string
		opts []agenttool.Option
		want said
	}{
		{"none", nil, said{}},
		{"strict", []agenttool.Option{agenttool.WithStrict()}, said{strict: true}},
		{"sequential", []agenttool.Option{agenttool.WithSequential()}, said{sequential: true}},
		{"resource", []agenttool.Option{agenttool.WithResource("r")}, said{resource: "r"}},
		{"resource taken back", []agenttool.Option{agenttool.WithResource("r"), agenttool.WithResource("")}, said{}},
		{"annotations", []agenttool.Option{agenttool.WithAnnotations(title)}, said{annotations: title}},
		{"confined", []agenttool.Option{agenttool.WithConfined(yes)}, said{confined: true, confinedBy: "vm"}},
		{"confined taken back", []agenttool.Option{agenttool.WithConfined(yes), agenttool.WithConfined(nil)}, said{}},
		{"replay", []agenttool.Option{agenttool.WithReplay(safe)}, said{replay: agenttool.ReplaySafe}},
		{"replay taken back", []agenttool.Option{agenttool.WithReplay(safe), agenttool.WithReplay(nil)}, said{}},
	}
	for _, tt := range tests {
		for kind, tool := range map[string]agenttool.Tool{
			"New":     agenttool.New("t", "", noArgs, tt.opts...),
			"NewFunc": agenttool.NewFunc("t", "", nil, rawFunc, tt.opts...),
		} {
			t.Run(kind+"/"+tt.name, func(t *testing.T) {
				if got := read(t.Context(), tool); got != tt.want {
					t.Errorf("says %+v, want %+v", got, tt.want)
				}
				for name, iface := range toolProperties {
					if has := reflect.TypeOf(tool).Implements(iface); !has {
						t.Errorf("is not %s", name)
					}
				}
			})
		}
	}
}

func TestWithCloser(t *testing.T) {
	stuck := errors.New("stuck")
	for kind, construct := range map[string]func(...agenttool.Option) agenttool.Tool{
		"New": func(opts ...agenttool.Option) agenttool.Tool { return agenttool.New("t", "", noArgs, opts...) },
		"NewFunc": func(opts ...agenttool.Option) agenttool.Tool {
			return agenttool.NewFunc("t", "", nil, rawFunc, opts...)
		},
	} {
		closer := agenttool.WithCloser(func() error { return stuck })
		if _, ok := construct().(io.Closer); ok {
			t.Errorf("%s: a tool without a closer is an io.Closer", kind)
		}
		if _, ok := construct(closer, agenttool.WithCloser(nil)).(io.Closer); ok {
			t.Errorf("%s: a tool with a nil closer is an io.Closer", kind)
		}
		if err := construct(closer).(io.Closer).Close(); err != stuck {
			t.Errorf("%s: Close = %v", kind, err)
		}
	}
}

func TestParametersOptions(t *testing.T) {
	schema := json.RawMessage(`{"type":"object"}`)
	read := func(context.Context, readFile) (string, error) { return "done", nil }
	reflected, err := agenttool.SchemaFor[readFile]()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		tool agenttool.Tool
		want json.RawMessage
	}{
		{"reflected", agenttool.New("t", "", read), reflected},
		{"reflected, unchecked", agenttool.New("t", "", read, agenttool.WithoutValidation()), reflected},
		{"given", agenttool.New("t", "", read, agenttool.WithParameters(schema)), schema},
		{"nil given", agenttool.New("t", "", read, agenttool.WithParameters(nil)), reflected},
		{"given to NewFunc, which ignores it", agenttool.NewFunc("t", "", nil, rawFunc, agenttool.WithParameters(schema)), nil},
		{"brought by the type", agenttool.New("t", "", func(context.Context, custom) (string, error) { return "", nil }),
			json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}}}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.tool.Parameters(); string(got) != string(tt.want) {
				t.Errorf("parameters %s, want %s", got, tt.want)
			}
		})
	}
}

// TestWithParametersFreesTheArgumentType: a type that has no schema will do
// when the schema is given.
func TestWithParametersFreesTheArgumentType(t *testing.T) {
	type node struct {
		Name     string `json:"name"`
		Children []node `json:"children"`
	}
	tool := agenttool.New("t", "", func(_ context.Context, n node) (string, error) { return n.Children[0].Name, nil },
		agenttool.WithParameters(json.RawMessage(`{"type":"object"}`)))
	res, err := tool.Execute(t.Context(), agenttool.Call{Args: json.RawMessage(`{"children":[{"name":"leaf"}]}`)})
	if err != nil || res.Output.Text != "leaf" {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestNewFuncPassesTheCall(t *testing.T) {
	want := agenttool.Call{ID: "c", Args: json.RawMessage(`not even JSON`), IdempotencyKey: "k"}
	var got agenttool.Call
	onContext := true
	tool := agenttool.NewFunc("t", "", json.RawMessage(`{}`), func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		got = call
		_, onContext = agenttool.CallFrom(ctx)
		return agenttool.Result{Details: 1}, io.EOF
	})
	res, err := tool.Execute(t.Context(), want)
	if !reflect.DeepEqual(got, want) || res.Details != 1 || err != io.EOF {
		t.Errorf("call %+v, result %+v, %v", got, res, err)
	}
	if onContext {
		t.Error("the call was put on the context")
	}
}

// unchecked are the ways to make a tool whose arguments are not validated.
var unchecked = map[string]func(func(context.Context, custom) (string, error)) agenttool.Tool{
	"WithoutValidation": func(fn func(context.Context, custom) (string, error)) agenttool.Tool {
		type args struct {
			X string `json:"x"`
		}
		return agenttool.New("t", "", func(ctx context.Context, a args) (string, error) { return fn(ctx, custom(a)) },
			agenttool.WithoutValidation())
	},
	"WithParameters": func(fn func(context.Context, custom) (string, error)) agenttool.Tool {
		return agenttool.New("t", "", fn, agenttool.WithParameters(json.RawMessage(`{"type":"object"}`)))
	},
	"Schemer": func(fn func(context.Context, custom) (string, error)) agenttool.Tool {
		return agenttool.New("t", "", fn)
	},
}

// TestNothingIsCoerced: text that is not an arguments object is refused with
// an error for the model, however the tool was made, and never run as if it
// were an empty object.
func TestNothingIsCoerced(t *testing.T) {
	tests := []struct{ args, checked, unchecked string }{
		{`null`, `expected object, got null`, `expected a JSON object`},
		{`""`, `expected object, got ""`, `expected a JSON object`},
		{`"str"`, `expected object, got "str"`, `expected a JSON object`},
		{`[1]`, `expected object, got array`, `expected a JSON object`},
		{`7`, `expected object, got 7`, `expected a JSON object`},
		{` true`, `expected object, got true`, `expected a JSON object`},
		{`{"x":`, `not valid JSON: unexpected EOF`, `unexpected end of JSON input`},
		{`{"x":"a"`, `not valid JSON: unexpected EOF`, `unexpected end of JSON input`},
		{`{"x":"a"}{"y":2}`, `invalid character '{' after top-level value`, `invalid character '{' after top-level value`},
		{`{"x":"a"} x`, `invalid character 'x' after top-level value`, `invalid character 'x' after top-level value`},
		{`{"x":1}`, `x: expected string, got 1`, `json: cannot unmarshal number into Go struct field .x of type string`},
		{` `, `not valid JSON: EOF`, `expected a JSON object`},
		{`x`, `not valid JSON: invalid character 'x' looking for beginning of value`, `expected a JSON object`},
	}
	refused := func(t *testing.T, tool agenttool.Tool, args, want string, ran *bool) {
		t.Helper()
		res, err := tool.Execute(t.Context(), agenttool.Call{Args: json.RawMessage(args)})
		if *ran {
			t.Fatalf("%q was run", args)
		}
		if !reflect.DeepEqual(res, agenttool.Result{}) {
			t.Errorf("%q: result %+v", args, res)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "invalid arguments: ") {
			t.Fatalf("%q: error %v", args, err)
		}
		// Whether an error of encoding/json names the struct depends on its
		// version.
		got := strings.NewReplacer("field args.x", "field .x", "field custom.x", "field .x").Replace(err.Error())
		checkError(t, errors.New(got), "invalid arguments: "+want)
	}
	for _, tt := range tests {
		ran := false
		t.Run("checked/"+tt.args, func(t *testing.T) {
			type args struct {
				X string `json:"x"`
			}
			tool := agenttool.New("t", "", func(context.Context, args) (string, error) { ran = true; return "", nil })
			refused(t, tool, tt.args, tt.checked, &ran)
		})
		for name, construct := range unchecked {
			t.Run(name+"/"+tt.args, func(t *testing.T) {
				tool := construct(func(context.Context, custom) (string, error) { ran = true; return "", nil })
				refused(t, tool, tt.args, tt.unchecked, &ran)
			})
		}
	}
}

// TestEmptyArgumentsAreAnObject: no text at all stands for {}, which a tool
// with required properties still refuses.
func TestEmptyArgumentsAreAnObject(t *testing.T) {
	for _, args := range []json.RawMessage{nil, {}} {
		if _, err := agenttool.New("t", "", noArgs).Execute(t.Context(), agenttool.Call{Args: args}); err != nil {
			t.Errorf("a tool without arguments: %v", err)
		}
		tool := agenttool.New("t", "", func(context.Context, readFile) (string, error) { return "", nil })
		_, err := tool.Execute(t.Context(), agenttool.Call{Args: args})
		checkError(t, err, `invalid arguments: missing required property "path"`)
		for name, construct := range unchecked {
			tool := construct(func(context.Context, custom) (string, error) { return "", nil })
			if _, err := tool.Execute(t.Context(), agenttool.Call{Args: args}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestToolsSeeWhatWasChecked: where encoding/json reads arguments in another
// way than JSON Schema does, the tool gets what the schema was checked against.
func TestToolsSeeWhatWasChecked(t *testing.T) {
	type inner struct {
		Level string `json:"level,omitempty" enum:"low,high"`
		Note  string `json:"note,omitempty"`
	}
	type args struct {
		Name  string  `json:"name,omitempty"`
		Count int     `json:"count,omitempty"`
		Size  uint8   `json:"size,omitempty" enum:"1,2"`
		Ratio float64 `json:"ratio,omitempty"`
		List  []int   `json:"list,omitempty"`
		Inner inner   `json:"inner,omitzero"`
	}
	tests := []struct {
		name, args string
		want       args
		err        string
	}{
		{"one name in another case", `{"NAME":"a"}`, args{}, `unexpected property "NAME", did you mean "name"?`},
		{"both cases", `{"name":"a","Name":"b"}`, args{}, `unexpected property "Name", did you mean "name"?`},
		{"another case within", `{"inner":{"LEVEL":"bogus"}}`, args{}, `inner: unexpected property "LEVEL", did you mean "level"?`},
		{"a letter that folds to ASCII", `{"\u017fize":9}`, args{}, `unexpected property "ſize", did you mean "size"?`},
		{"one name twice", `{"name":"a","name":"b"}`, args{Name: "b"}, ``},
		{"the last of a name counts", `{"name":1,"name":"b"}`, args{Name: "b"}, ``},
		{"objects of one name do not merge", `{"inner":{"level":"bogus","note":"n"},"inner":{"note":"m"}}`, args{Inner: inner{Note: "m"}}, ``},
		{"valid objects of one name do not either", `{"inner":{"level":"low"},"inner":{"note":"m"}}`, args{Inner: inner{Note: "m"}}, ``},
		{"an escaped name", `{"n\u0061me":"a"}`, args{Name: "a"}, ``},
		{"an integer with a fraction of nothing", `{"count":1.0}`, args{Count: 1}, ``},
		{"an integer with an exponent", `{"count":-1.20e3}`, args{Count: -1200}, ``},
		{"a zero of many digits", `{"count":-0.000e99}`, args{}, ``},
		{"a listed integer with a fraction of nothing", `{"size":2.0}`, args{Size: 2}, ``},
		{"an element", `{"list":[1,2e0]}`, args{List: []int{1, 2}}, ``},
		{"a float stays what it is", `{"ratio":1e-2,"name":"\u0061"}`, args{Ratio: 0.01, Name: "a"}, ``},
		{"a big integer keeps its digits", `{"count":9007199254740993.0}`, args{Count: 9007199254740993}, ``},
		{"a fraction too small for float64", `{"count":1.00000000000000000001}`, args{},
			`json: cannot unmarshal number 1.00000000000000000001 into Go struct field args.count of type int`},
		{"an integer too big for its type", `{"count":1e30}`, args{},
			`json: cannot unmarshal number 1e30 into Go struct field args.count of type int`},
		{"lone surrogates", `{"name":"a\ud83d"}`, args{Name: "a\ufffd"}, ``},
		{"invalid UTF-8", "{\"name\":\"a\xff\"}", args{Name: "a\ufffd"}, ``},
		{"an unknown name that is not UTF-8", "{\"\xff\":1,\"name\":\"a\"}", args{Name: "a"}, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got args
			tool := agenttool.New("t", "", func(_ context.Context, a args) (string, error) { got = a; return "", nil })
			_, err := tool.Execute(t.Context(), agenttool.Call{Args: json.RawMessage(tt.args)})
			want := tt.err
			if want != "" {
				want = "invalid arguments: " + want
			}
			checkError(t, err, want)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("the tool got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	got, err := agenttool.Decode[readFile](nil)
	if err != nil || got != (readFile{}) {
		t.Errorf("empty arguments: %+v, %v", got, err)
	}
	got, err = agenttool.Decode[readFile](json.RawMessage(` {"path":"p","unknown":[]} `))
	if err != nil || got != (readFile{Path: "p"}) {
		t.Errorf("arguments: %+v, %v", got, err)
	}
	got, err = agenttool.Decode[readFile](json.RawMessage(`{"path":"p","max_bytes":"x"}`))
	if got != (readFile{}) {
		t.Errorf("what failed to decode left %+v", got)
	}
	var typeError *json.UnmarshalTypeError
	if !errors.As(err, &typeError) || !strings.HasPrefix(err.Error(), "invalid arguments: json: cannot unmarshal string") {
		t.Errorf("error %v", err)
	}
	_, err = agenttool.Decode[readFile](json.RawMessage(`{} {}`))
	checkError(t, err, "invalid arguments: invalid character '{' after top-level value")
}
