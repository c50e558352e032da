package examples_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// snippet is a fence of Go in a page of Markdown. It is a whole file, or with "go fragment"
// in place of "go" behind the fence, declarations or statements.
type snippet struct {
	page     string // path of the page
	line     int    // of the code's first line
	fragment bool
	code     string
}

func (s snippet) String() string { return fmt.Sprintf("%s:%d", s.page, s.line) }

// snippetsOf finds the snippets of a page.
func snippetsOf(page, text string) ([]snippet, error) {
	var found []snippet
	var open *snippet
	fence := ""
	number := 0
	for line := range strings.Lines(text) {
		number++
		mark := strings.TrimSpace(line)
		switch {
		case fence != "" && mark == fence:
			if open != nil {
				found = append(found, *open)
			}
			open, fence = nil, ""
		case open != nil:
			open.code += line
		case fence == "" && strings.HasPrefix(mark, "```"):
			info := strings.TrimLeft(mark, "`")
			fence = mark[:len(mark)-len(info)]
			words := strings.Fields(info)
			if len(words) == 0 || words[0] != "go" {
				continue
			}
			open = &snippet{page: page, line: number + 1, fragment: slices.Contains(words, "fragment")}
		}
	}
	if fence != "" {
		return nil, fmt.Errorf("%s: a fence is not closed", page)
	}
	return found, nil
}

// packages are what a fragment may use without an import.
var packages = map[string]string{
	"agenttool":     "github.com/ChristopherDavenport/agenttool",
	"agentturn":     "github.com/ChristopherDavenport/agentturn",
	"agentturntest": "github.com/ChristopherDavenport/agentturn/agentturntest",
	"echo":          "github.com/ChristopherDavenport/openresponses/echo",
	"openresponses": "github.com/ChristopherDavenport/openresponses",
	"responses":     "github.com/ChristopherDavenport/agentturn/front/responses",
	"compact":       "github.com/ChristopherDavenport/agentturn/compact",
	"context":       "context",
	"errors":        "errors",
	"fmt":           "fmt",
	"http":          "net/http",
	"io":            "io",
	"json":          "encoding/json",
	"log":           "log",
	"os":            "os",
	"slices":        "slices",
	"strings":       "strings",
	"testing":       "testing",
	"time":          "time",
}

// surroundings are the variables that a fragment may use without having declared them.
const surroundings = `package main

import (
	"context"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

var (
	ctx        context.Context
	agent      *agentturn.Agent
	client     *openresponses.Client
	config     agentturn.Config
	model      agentturn.Model
	prompts    openresponses.Items
	tools      []agenttool.Tool
	transcript agentturn.Transcript
)

func main() {}
`

// source returns the Go file that the compiler is given. Its errors name the page.
func (s snippet) source() (string, error) {
	at := fmt.Sprintf("//line %s:%d\n", s.page, s.line)
	if !s.fragment {
		return at + s.code, nil
	}
	declarations := "package main\n" + at + s.code
	file, err := parser.ParseFile(token.NewFileSet(), "", declarations, 0)
	if err == nil {
		return "package main\n" + importsFor(file) + at + s.code, nil
	}
	statements := "package main\nfunc _() {\n" + at + s.code
	file, err = parser.ParseFile(token.NewFileSet(), "", statements+"}\n", 0)
	if err != nil {
		return "", err
	}
	body := file.Decls[0].(*ast.FuncDecl).Body
	return "package main\n" + importsFor(file) + "func _() {\n" + at + s.code + use(body) + "}\n", nil
}

// importsFor returns clauses for the packages that file mentions.
func importsFor(file *ast.File) string {
	paths := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok && packages[x.Name] != "" {
				paths[packages[x.Name]] = true
			}
		}
		return true
	})
	var clauses strings.Builder
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&clauses, "import %q\n", path)
	}
	return clauses.String()
}

// use returns statements that use what body declares: a fragment may show where a value
// comes from and leave it at that.
func use(body *ast.BlockStmt) string {
	var uses strings.Builder
	for _, statement := range body.List {
		assign, ok := statement.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE {
			continue
		}
		for _, name := range assign.Lhs {
			if name := name.(*ast.Ident).Name; name != "_" {
				uses.WriteString("_ = " + name + "\n")
			}
		}
	}
	return uses.String()
}

// workspace is a temporary module in a workspace with the modules of the tree.
type workspace struct {
	dir string
}

// newWorkspace makes one. The modules that nobody imports stay outside of it, with all that
// they require.
func newWorkspace(t *testing.T) workspace {
	t.Helper()
	var tree struct {
		Go  string
		Use []struct{ DiskPath string }
	}
	out, err := exec.Command("go", "work", "edit", "-json", filepath.Join(top, "go.work")).Output()
	if err == nil {
		err = json.Unmarshal(out, &tree)
	}
	if err != nil {
		t.Fatal("go work edit: ", err)
	}
	w := workspace{t.TempDir()}
	var work strings.Builder
	fmt.Fprintf(&work, "go %s\nuse .\n", tree.Go)
	for _, use := range tree.Use {
		switch first, _, _ := strings.Cut(path.Clean(use.DiskPath), "/"); first {
		case "bench", "examples", "internal", "interop":
			continue
		}
		module, err := filepath.Abs(filepath.Join(top, use.DiskPath))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&work, "use %q\n", module)
	}
	w.write(t, "go.work", work.String())
	w.write(t, "go.mod", "module snippets\n\ngo "+tree.Go+"\n")
	return w
}

func (w workspace) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// add puts a snippet into a package of its own and returns the package's pattern.
func (w workspace) add(t *testing.T, s snippet) string {
	t.Helper()
	source, err := s.source()
	if err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	dir := fmt.Sprintf("line%d_%s", s.line, strings.NewReplacer("/", "_", ".", "_").Replace(filepath.Base(filepath.Dir(s.page))+"/"+filepath.Base(s.page)))
	w.write(t, dir+"/snippet.go", source)
	if s.fragment {
		w.write(t, dir+"/surroundings.go", surroundings)
	}
	return "./" + dir
}

// run runs the go command in the workspace and returns what it wrote, to either output.
func (w workspace) run(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(w.dir, "go.work"), "GOFLAGS=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}
