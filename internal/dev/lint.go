package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// The programs that internal/dev/tools pins.
const (
	staticcheckPath = "honnef.co/go/tools/cmd/staticcheck"
	govulncheckPath = "golang.org/x/vuln/cmd/govulncheck"
)

func runLint(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	if err := parse(flags, args); err != nil {
		return err
	}
	return lint(ctx, repo)
}

// lint runs go vet and staticcheck over every module.
func lint(ctx context.Context, repo *repository) error {
	staticcheck, remove, err := repo.buildTool(ctx, staticcheckPath)
	if err != nil {
		return err
	}
	defer remove()
	cache := staticcheckCache()
	var problems []string
	for _, g := range repo.groups(repo.modules) {
		g.env = cache
		for _, linter := range [][]string{{"go", "vet"}, {staticcheck}} {
			out, err := g.output(ctx, linter[0], append(linter[1:], g.patterns...)...)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				problems = append(problems, fmt.Sprintf("%s: %v\n%s", filepath.Base(linter[0]), err, indent(out)))
			}
		}
	}
	return repo.report("lint", problems)
}

// staticcheckCache keeps staticcheck's cache in a temporary folder that lasts
// from one run to the next, so that a check leaves nothing in the home folder.
func staticcheckCache() []string {
	const name = "STATICCHECK_CACHE"
	if os.Getenv(name) != "" {
		return nil
	}
	return []string{fmt.Sprintf("%s=%s", name, filepath.Join(os.TempDir(), fmt.Sprintf("agentturn-staticcheck-%d", os.Getuid())))}
}

// buildTool builds a program at the version that internal/dev/tools pins, in
// a temporary folder that remove deletes.
func (r *repository) buildTool(ctx context.Context, importPath string) (program string, remove func(), err error) {
	return buildProgram(ctx, filepath.Join(r.top, "internal", "dev", "tools"), importPath)
}

// buildProgram builds one program of the module in dir.
func buildProgram(ctx context.Context, dir, importPath string) (program string, remove func(), err error) {
	temp, err := os.MkdirTemp("", "dev-")
	if err != nil {
		return "", nil, err
	}
	program = filepath.Join(temp, path.Base(path.Join(filepath.ToSlash(dir), importPath)))
	module := group{dir: dir, gowork: "off"}
	if out, err := module.output(ctx, "go", "build", "-buildvcs=false", "-o", program, importPath); err != nil {
		os.RemoveAll(temp)
		return "", nil, fmt.Errorf("build %s: %w\n%s", importPath, err, out)
	}
	return program, func() { os.RemoveAll(temp) }, nil
}
