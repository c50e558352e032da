package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The longest that things may be, in lines.
const (
	maxFile     = 600
	maxTestFile = 900 // generated files too
	maxFunction = 80  // tests and generated files aside
)

// vagueNames are package names that say nothing of what is inside.
var vagueNames = []string{"base", "common", "helper", "helpers", "misc", "shared", "util", "utils"}

func runStyle(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	if err := parse(flags, args); err != nil {
		return err
	}
	return checkStyle(ctx, repo)
}

// checkStyle looks at every file that git tracks or would track. Fixtures
// below a testdata folder are only searched for stray words.
func checkStyle(ctx context.Context, repo *repository) error {
	files, err := repo.files(ctx)
	if err != nil {
		return err
	}
	var problems []string
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(repo.top, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not yet staged as that
		}
		if err != nil {
			return err
		}
		problems = append(problems, wordProblems(name, text)...)
		if strings.HasSuffix(name, ".go") && !isFixture(name) {
			problems = append(problems, sourceProblems(name, text)...)
		}
	}
	return repo.report("style", problems)
}

// files returns the names of all files that belong to the repository. Outside
// of git these are the files below the top.
func (r *repository) files(ctx context.Context) ([]string, error) {
	git := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	git.Dir = r.top
	out, err := git.Output()
	if err != nil {
		var files []string
		err := walk(r.top, func(name string) error {
			files = append(files, name)
			return nil
		})
		return files, err
	}
	var files []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		info, err := os.Lstat(filepath.Join(r.top, name))
		if name != "" && err == nil && info.Mode().IsRegular() {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func isFixture(name string) bool {
	return slices.Contains(strings.Split(name, "/"), "testdata")
}

// sourceProblems checks one Go file.
func sourceProblems(name string, text []byte) []string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	var problems []string
	found := func(at token.Pos, text string, args ...any) {
		position := fset.Position(at)
		problems = append(problems, fmt.Sprintf("%s:%d: ", name, position.Line)+fmt.Sprintf(text, args...))
	}
	if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
		found(file.Package, "not formatted by gofmt")
	}
	if slices.Contains(vagueNames, strings.TrimSuffix(file.Name.Name, "_test")) {
		found(file.Package, "a package named %s says nothing of what is in it", file.Name.Name)
	}
	test := strings.HasSuffix(name, "_test.go")
	relaxed := test || ast.IsGenerated(file)
	limit := maxFile
	if relaxed {
		limit = maxTestFile
	}
	if lines := bytes.Count(text, []byte("\n")); lines > limit {
		found(file.Package, "%d lines, more than %d", lines, limit)
	}
	if !relaxed {
		longFunctions(fset, file, found)
	}
	if !test {
		undocumented(file, found)
	}
	return problems
}

// longFunctions finds functions and function literals over the limit; of
// nested ones the outermost.
func longFunctions(fset *token.FileSet, file *ast.File, found func(token.Pos, string, ...any)) {
	ast.Inspect(file, func(n ast.Node) bool {
		what := "function literal"
		switch f := n.(type) {
		case *ast.FuncDecl:
			what = f.Name.Name
		case *ast.FuncLit:
		default:
			return true
		}
		first, last := n.Pos(), n.End()
		if f, ok := n.(*ast.FuncDecl); ok {
			first = f.Type.Pos() // not its comment
		}
		lines := fset.Position(last).Line - fset.Position(first).Line + 1
		if lines > maxFunction {
			found(first, "%s has %d lines, more than %d", what, lines, maxFunction)
		}
		return lines <= maxFunction
	})
}
