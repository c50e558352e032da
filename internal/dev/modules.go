package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// minimumGo is the language version that every go.mod declares.
const minimumGo = "1.25"

func runModules(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	if err := parse(flags, args); err != nil {
		return err
	}
	return checkModules(ctx, repo)
}

// checkModules holds the go.mod files against each other and go.work, and
// then builds, vets and tidies each module without the workspace, as someone
// who imports it would.
func checkModules(ctx context.Context, repo *repository) error {
	problems := repo.agreementProblems()
	for _, m := range repo.modules {
		problems = append(problems, repo.aloneProblems(ctx, m)...)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return repo.report("modules", problems)
}

// agreementProblems checks what go.work and the go.mod files say, without
// running any of it.
func (r *repository) agreementProblems() []string {
	problems := slices.Concat(r.workProblems(), r.versionProblems())
	for _, m := range r.modules {
		problems = append(problems, r.modProblems(m)...)
	}
	return problems
}

// workProblems checks that go.work lists every module but those that it
// documents as outside.
func (r *repository) workProblems() []string {
	var problems []string
	if !isMinimumGo(r.workGo) {
		problems = append(problems, fmt.Sprintf("go.work: says go %s, want %s", r.workGo, minimumGo))
	}
	for _, m := range r.modules {
		reason, outside := r.outside[m.dir]
		switch {
		case m.inWork && outside:
			problems = append(problems, fmt.Sprintf("go.work: lists %s and says that it is outside", m.dir))
		case !m.inWork && !outside:
			problems = append(problems, fmt.Sprintf("go.work: does not list %s, nor says that it is outside", m.dir))
		case outside && reason == "":
			problems = append(problems, fmt.Sprintf("go.work: does not say why %s is outside", m.dir))
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(r.outside)) {
		if r.moduleAt(dir) == nil {
			problems = append(problems, fmt.Sprintf("go.work: says that %s is outside, where there is no module", dir))
		}
	}
	return problems
}

// versionProblems checks that the modules of the tree require each other at
// one version.
func (r *repository) versionProblems() []string {
	users := map[string][]string{}
	for _, m := range r.modules {
		for _, sibling := range r.siblings(m) {
			version := m.require[sibling.path]
			users[version] = append(users[version], m.dir+" -> "+sibling.dir)
		}
	}
	if len(users) < 2 {
		return nil
	}
	var problems []string
	for _, version := range slices.Sorted(maps.Keys(users)) {
		problems = append(problems, fmt.Sprintf("more than one sibling version: %s in %s", version, strings.Join(users[version], ", ")))
	}
	return problems
}

// siblings returns the modules of the tree that m requires.
func (r *repository) siblings(m *module) []*module {
	var siblings []*module
	for _, other := range r.modules {
		if _, ok := m.require[other.path]; ok {
			siblings = append(siblings, other)
		}
	}
	return siblings
}

// modProblems checks the go line and the replacements of one go.mod.
func (r *repository) modProblems(m *module) []string {
	file := path.Join(m.dir, "go.mod")
	var problems []string
	if !isMinimumGo(m.goVersion) {
		problems = append(problems, fmt.Sprintf("%s: says go %s, want %s", file, m.goVersion, minimumGo))
	}
	if m.toolchain != "" {
		problems = append(problems, fmt.Sprintf("%s: asks for toolchain %s", file, m.toolchain))
	}
	for _, sibling := range r.siblings(m) {
		if m.replace[sibling.path] == "" {
			problems = append(problems, fmt.Sprintf("%s: requires %s without replacing it by the tree", file, sibling.path))
		}
	}
	for _, old := range slices.Sorted(maps.Keys(m.replace)) {
		by := m.replace[old]
		if sibling := r.modulePath(old); sibling == nil || path.Join(m.dir, by) != sibling.dir {
			problems = append(problems, fmt.Sprintf("%s: replaces %s by %s, which is not its place in the tree", file, old, by))
		}
	}
	return problems
}

// isMinimumGo accepts the language version and its first release, which the
// go command writes where a dependency does.
func isMinimumGo(version string) bool {
	return version == minimumGo || version == minimumGo+".0"
}

// aloneProblems runs the go command on one module without the workspace.
func (r *repository) aloneProblems(ctx context.Context, m *module) []string {
	checks := [][]string{
		{"build", "-o", os.DevNull, "./..."},
		{"vet", "./..."},
		{"mod", "tidy", "-diff"},
	}
	if len(r.goFiles(m)) == 0 {
		checks = checks[2:]
	}
	var problems []string
	for _, args := range checks {
		if out, err := r.alone(m).output(ctx, "go", args...); err != nil {
			problems = append(problems, fmt.Sprintf("%s: go %s: %v\n%s", m.dir, strings.Join(args, " "), err, indent(out)))
		}
	}
	return problems
}
