package agenttool_test

import (
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

// toolProperties are the optional interfaces of a tool.
var toolProperties = map[string]reflect.Type{
	"Strict":     reflect.TypeFor[agenttool.Strict](),
	"Sequential": reflect.TypeFor[agenttool.Sequential](),
	"Resource":   reflect.TypeFor[agenttool.Resource](),
	"Annotated":  reflect.TypeFor[agenttool.Annotated](),
	"Confined":   reflect.TypeFor[agenttool.Confined](),
	"Replayable": reflect.TypeFor[agenttool.Replayable](),
}

// TestWrapForwardsEveryInterface: an interface that is added to the package
// is a property of tools, which Wrap forwards and which is listed above, or
// one of those that are about something else.
func TestWrapForwardsEveryInterface(t *testing.T) {
	notProperties := map[string]string{
		"Tool":       "what has the properties",
		"Schemer":    "of an argument type",
		"Recordable": "of a result's details",
	}
	declared := exportedInterfaces(t)
	if len(declared) != len(toolProperties)+len(notProperties) {
		t.Errorf("the package declares %d interfaces, the test knows %d", len(declared), len(toolProperties)+len(notProperties))
	}
	wrapped := reflect.TypeOf(agenttool.Wrap(bareTool{}, rawFunc))
	for _, name := range declared {
		if notProperties[name] != "" {
			continue
		}
		iface, ok := toolProperties[name]
		if !ok {
			t.Errorf("%s is in neither list", name)
		} else if !wrapped.Implements(iface) {
			t.Errorf("Wrap does not forward %s", name)
		}
	}
}

func exportedInterfaces(t *testing.T) []string {
	t.Helper()
	notTest := func(info fs.FileInfo) bool { return !strings.HasSuffix(info.Name(), "_test.go") }
	//lint:ignore SA1019 the one package of this directory, without build tags
	packages, err := parser.ParseDir(token.NewFileSet(), ".", notTest, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(packages["agenttool"], func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
			if _, ok := spec.Type.(*ast.InterfaceType); ok {
				names = append(names, spec.Name.Name)
			}
		}
		return true
	})
	return names
}

func TestWrapSaysWhatTheToolSays(t *testing.T) {
	full := fullTool{
		bareTool: bareTool{"full"}, strict: true, sequential: true, resource: "r", closed: new(int), confined: true, confinedBy: "vm",
		annotations: agenttool.Annotations{Title: "T", OpenWorld: true}, replay: agenttool.ReplayKeyed,
	}
	for _, tool := range []agenttool.Tool{
		bareTool{"bare"}, full,
		fullTool{resource: "r", replay: 9, confinedBy: "ignored"},
		agenttool.New("new", "d", noArgs, agenttool.WithStrict(), agenttool.WithResource("x")),
	} {
		wrapped := agenttool.Wrap(agenttool.Wrap(tool, rawFunc), rawFunc)
		if wrapped.Name() != tool.Name() || wrapped.Description() != tool.Description() ||
			string(wrapped.Parameters()) != string(tool.Parameters()) {
			t.Errorf("%s: definition differs", tool.Name())
		}
		if got, want := read(t.Context(), wrapped), read(t.Context(), tool); got != want {
			t.Errorf("%s: says %+v, want %+v", tool.Name(), got, want)
		}
	}
	declared := agenttool.Wrap(full, rawFunc).(agenttool.Resource).Resource()
	if declared != "r" {
		t.Errorf("resource %q of a sequential tool, want what it declares", declared)
	}
}

func TestWrapExecutes(t *testing.T) {
	inner := agenttool.NewFunc("t", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
		t.Error("the tool ran, though the wrapper did not run it")
		return agenttool.Result{}, nil
	})
	denied := errors.New("denied")
	want := agenttool.Call{ID: "c", Args: json.RawMessage(`{}`)}
	tool := agenttool.Wrap(inner, func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
		if !reflect.DeepEqual(call, want) {
			t.Errorf("call %+v", call)
		}
		return agenttool.Text("refused"), denied
	})
	res, err := tool.Execute(t.Context(), want)
	if res.Output.Text != "refused" || err != denied {
		t.Errorf("got %+v, %v", res, err)
	}
}

func TestWrapCloses(t *testing.T) {
	closed := 0
	if _, ok := agenttool.Wrap(bareTool{}, rawFunc).(io.Closer); ok {
		t.Error("the wrapper of a tool that is no closer is one")
	}
	twice := agenttool.Wrap(agenttool.Wrap(fullTool{closed: &closed}, rawFunc), rawFunc)
	if err := (agenttool.Set{twice}).Close(); err != nil || closed != 1 {
		t.Errorf("closed %d times, %v", closed, err)
	}
}

func TestUnwrap(t *testing.T) {
	closed := 0
	inner := agenttool.Tool(fullTool{closed: &closed})
	one := agenttool.Wrap(inner, rawFunc)
	two := agenttool.Wrap(one, rawFunc)
	if agenttool.Unwrap(two) != one || agenttool.Unwrap(one) != inner || agenttool.Unwrap(inner) != nil {
		t.Error("the layers do not come off one by one")
	}
	if agenttool.Unwrap(agenttool.Wrap(bareTool{"b"}, rawFunc)) != agenttool.Tool(bareTool{"b"}) {
		t.Error("a tool that is no closer does not come out")
	}
	if agenttool.Unwrap(nil) != nil {
		t.Error("nothing comes out of no tool")
	}
}

func TestWrapPanics(t *testing.T) {
	for want, wrap := range map[string]func(){
		"agenttool.Wrap: nil tool":          func() { agenttool.Wrap(nil, rawFunc) },
		`agenttool.Wrap("t"): nil function`: func() { agenttool.Wrap(bareTool{"t"}, nil) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panic %v, want %v", got, want)
				}
			}()
			wrap()
		}()
	}
}
