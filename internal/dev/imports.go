package main

import (
	"context"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	rootPath          = "github.com/ChristopherDavenport/agentturn"
	agenttoolPath     = "github.com/ChristopherDavenport/agenttool"
	openresponsesPath = "github.com/ChristopherDavenport/openresponses"
)

// An importRule says what a module may import beyond itself and the standard
// library.
type importRule struct {
	module string   // its path
	allow  []string // paths of modules
	below  string   // a folder of the module that may import one thing more,
	extra  string   // which is this module; other libraries of the module may not import what is in the folder
}

var importRules = []importRule{
	{module: rootPath, allow: []string{openresponsesPath, agenttoolPath}},
	{module: agenttoolPath, allow: []string{openresponsesPath}},
	{module: openresponsesPath, below: "websocket", extra: "github.com/coder/websocket"},
}

func runImports(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	if err := parse(flags, args); err != nil {
		return err
	}
	return checkImports(ctx, repo)
}

// checkImports reads the import clauses of every file, tests and files for
// other systems included.
func checkImports(_ context.Context, repo *repository) error {
	var problems []string
	for _, rule := range importRules {
		m := repo.modulePath(rule.module)
		if m == nil {
			problems = append(problems, fmt.Sprintf("no module %s", rule.module))
			continue
		}
		for _, file := range repo.goFiles(m) {
			problems = append(problems, repo.importProblems(rule, m, file)...)
		}
	}
	return repo.report("imports", problems)
}

func (r *repository) importProblems(rule importRule, m *module, file string) []string {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, filepath.Join(r.top, file), nil, parser.ImportsOnly)
	if err != nil {
		return []string{err.Error()}
	}
	allow, closed := rule.allow, ""
	switch {
	case rule.below == "":
	case strings.HasPrefix(file, path.Join(m.dir, rule.below)+"/"):
		allow = append(slices.Clip(allow), rule.extra)
	case syntax.Name.Name != "main" && !strings.HasSuffix(file, "_test.go"):
		closed = path.Join(rule.module, rule.below)
	}
	var problems []string
	for _, spec := range syntax.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err == nil && (!r.mayImport(m, allow, name) || closed != "" && within(name, closed)) {
			problems = append(problems, fmt.Sprintf("%s:%d: %s may not import %s", file, fset.Position(spec.Pos()).Line, m.path, name))
		}
	}
	return problems
}

func (r *repository) mayImport(m *module, allow []string, name string) bool {
	if standard(name) {
		return true
	}
	if provider := r.provider(name); provider != nil {
		return provider == m || slices.Contains(allow, provider.path)
	}
	return slices.ContainsFunc(allow, func(mod string) bool { return within(name, mod) })
}

// provider returns the module of the tree that a package belongs to, or nil.
// Where modules nest, it is the innermost one.
func (r *repository) provider(name string) *module {
	var best *module
	for _, m := range r.modules {
		if within(name, m.path) && (best == nil || len(m.path) > len(best.path)) {
			best = m
		}
	}
	return best
}

func within(name, module string) bool {
	return name == module || strings.HasPrefix(name, module+"/")
}

// standard says whether a package comes with Go. The pseudo-package C does
// not: the lower modules are pure Go.
func standard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".") && name != "C"
}
