package examples_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const top = ".." // of the repository

// pages returns the pages of documentation by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for _, pattern := range []string{"*.md", "*/README.md", "*/*/README.md", "docs/*.md", "docs/*/*.md"} {
		names, err := filepath.Glob(filepath.Join(top, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if name, err = filepath.Abs(name); err != nil {
				t.Fatal(err)
			}
			pages[name] = string(text)
		}
	}
	return pages
}

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// All the Go in the documentation compiles, and go vet finds nothing to say about it.
func TestSnippetsCompile(t *testing.T) {
	w := newWorkspace(t)
	count := 0
	for page, text := range pages(t) {
		snippets, err := snippetsOf(page, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range snippets {
			w.add(t, s)
			count++
		}
	}
	if count == 0 {
		t.Fatal("there is no Go in the documentation")
	}
	if out, err := w.run("vet", "./..."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A whole program that ends in an output comment, as an example does, has that output.
func TestSnippetsRun(t *testing.T) {
	outputs := regexp.MustCompile(`(?m)^\s*// Output:\n((?:\s*//.*\n)+)`)
	comment := regexp.MustCompile(`(?m)^\s*// ?`)
	w := newWorkspace(t)
	count := 0
	for page, text := range pages(t) {
		snippets, err := snippetsOf(page, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range snippets {
			want := outputs.FindStringSubmatch(s.code)
			if want == nil || s.fragment {
				continue
			}
			count++
			out, err := w.run("run", w.add(t, s))
			if err != nil || out != comment.ReplaceAllString(want[1], "") {
				t.Errorf("%v: %v\n%s", s, err, out)
			}
		}
	}
	if count == 0 {
		t.Fatal("there is no program with an output in the documentation")
	}
}

// What is wrong with a snippet is reported, by the page and the line.
func TestBrokenSnippets(t *testing.T) {
	tests := []struct{ name, page, want string }{
		{"file", "# A\n```go\npackage main\n\nfunc main() { missing() }\n```\n", `:5: undefined: missing`},
		{"statements", "```go fragment\nend, err := agent.Missing(ctx)\n```\n", `:2: agent\.Missing undefined`},
		{"declarations", "text\n\n```go fragment\nvar _ agentturn.Missing\n```\n", `:4: undefined: agentturn\.Missing`},
		{"vet", "```go fragment\nfmt.Printf(\"%d\", \"text\")\n```\n", `:2: fmt\.Printf format %d`},
		{"no-package", "```go\nfunc main() {}\n```\n", `:2: expected 'package'`},
	}
	w := newWorkspace(t)
	var packages []string
	for _, test := range tests {
		snippets, err := snippetsOf(filepath.Join(w.dir, test.name+".md"), test.page)
		if err != nil || len(snippets) != 1 {
			t.Fatal(test.name, snippets, err)
		}
		packages = append(packages, w.add(t, snippets[0]))
	}
	last := len(packages) - 1 // what does not parse keeps go vet from looking at the others
	out, err := w.run(append([]string{"vet"}, packages[:last]...)...)
	unparsed, err2 := w.run("vet", packages[last])
	if err == nil || err2 == nil {
		t.Error("go vet found nothing")
	}
	out += unparsed
	for _, test := range tests {
		if !regexp.MustCompile(regexp.QuoteMeta(test.name+".md") + test.want).MatchString(out) {
			t.Errorf("%s: no %s in\n%s", test.name, test.want, out)
		}
	}
	if _, err := snippetsOf("page.md", "```go\npackage main\n"); err == nil {
		t.Error("no error for a fence that is not closed")
	}
}

// Links lead somewhere.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	for page, text := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), match[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// The table of events has all of them.
func TestEventTable(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, "events.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && strings.HasPrefix(spec.Names[0].Name, "Event") && len(spec.Values) == 1 {
			if value, ok := spec.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
				name, err := strconv.Unquote(value.Value)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, name)
			}
		}
		return true
	})
	_, table, _ := strings.Cut(readme(t), "\n## Events\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z_]+)`").FindAllStringSubmatch(table, -1) {
		got = append(got, row[1])
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("README.md has %q, want %q", got, want)
	}
}
