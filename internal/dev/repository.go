package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A repository is a tree of modules under one go.work.
type repository struct {
	top     string // absolute
	out     io.Writer
	workGo  string // the go line of go.work
	modules []*module
	outside map[string]string // module dir: why go.work leaves it out
}

// A module is one go.mod and what it says.
type module struct {
	dir       string // slash-separated, below the top; "." for the root
	path      string
	goVersion string
	toolchain string
	require   map[string]string
	replace   map[string]string // path: directory or module it is replaced by
	inWork    bool
}

// openRepository reads go.work and every go.mod below top.
func openRepository(ctx context.Context, top string, out io.Writer) (*repository, error) {
	top, err := filepath.Abs(top)
	if err != nil {
		return nil, err
	}
	repo := &repository{top: top, out: out}
	used, err := repo.readWork(ctx)
	if err != nil {
		return nil, err
	}
	err = walk(top, func(name string) error {
		if path.Base(name) != "go.mod" {
			return nil
		}
		m, err := repo.readModule(ctx, path.Dir(name))
		if err != nil {
			return err
		}
		m.inWork = slices.Contains(used, m.dir)
		repo.modules = append(repo.modules, m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, dir := range used {
		if repo.moduleAt(dir) == nil {
			return nil, fmt.Errorf("go.work lists %s, which holds no go.mod", dir)
		}
	}
	return repo, nil
}

// walk calls visit with the slash-separated name of each file below top, in
// lexical order.
func walk(top string, visit func(name string) error) error {
	return fs.WalkDir(os.DirFS(top), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && ignored(entry.Name()):
			return fs.SkipDir
		case entry.Type().IsRegular():
			return visit(name)
		}
		return nil
	})
}

// ignored says whether a folder of this name is no part of the source.
func ignored(folder string) bool {
	switch folder {
	case "testdata", "node_modules", "vendor":
		return true
	}
	return strings.HasPrefix(folder, ".") || strings.HasPrefix(folder, "_")
}

// readWork returns the directories that go.work uses, and keeps its comments
// of the form "// outside: DIR REASON".
func (r *repository) readWork(ctx context.Context) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(r.top, "go.work"))
	if err != nil {
		return nil, fmt.Errorf("run this from the top of the repository: %w", err)
	}
	r.outside = map[string]string{}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "// outside: "); ok {
			dir, reason, _ := strings.Cut(rest, " ")
			r.outside[path.Clean(dir)] = strings.TrimSpace(reason)
		}
	}
	var work struct {
		Go  string
		Use []struct{ DiskPath string }
	}
	if err := r.goJSON(ctx, &work, "work", "edit", "-json", filepath.Join(r.top, "go.work")); err != nil {
		return nil, err
	}
	r.workGo = work.Go
	var dirs []string
	for _, use := range work.Use {
		dirs = append(dirs, path.Clean(filepath.ToSlash(use.DiskPath)))
	}
	return dirs, nil
}

func (r *repository) readModule(ctx context.Context, dir string) (*module, error) {
	var file struct {
		Module    struct{ Path string }
		Go        string
		Toolchain string
		Require   []struct{ Path, Version string }
		Replace   []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := r.goJSON(ctx, &file, "mod", "edit", "-json", filepath.Join(r.top, dir, "go.mod")); err != nil {
		return nil, err
	}
	m := &module{
		dir: dir, path: file.Module.Path, goVersion: file.Go, toolchain: file.Toolchain,
		require: map[string]string{}, replace: map[string]string{},
	}
	for _, q := range file.Require {
		m.require[q.Path] = q.Version
	}
	for _, p := range file.Replace {
		m.replace[p.Old.Path] = p.New.Path
	}
	return m, nil
}

// moduleAt returns the module in a directory below the top, or nil.
func (r *repository) moduleAt(dir string) *module {
	return r.find(func(m *module) bool { return m.dir == dir })
}

// modulePath returns the module with this import path, or nil.
func (r *repository) modulePath(importPath string) *module {
	return r.find(func(m *module) bool { return m.path == importPath })
}

func (r *repository) find(match func(*module) bool) *module {
	if i := slices.IndexFunc(r.modules, match); i >= 0 {
		return r.modules[i]
	}
	return nil
}

// A group is a set of modules that one go command can work on together.
type group struct {
	dir      string // where to run it, absolute
	gowork   string // its GOWORK
	patterns []string
	env      []string // more of its environment
}

// groups puts the workspace's modules into one group and every other module
// into a group of its own. A module without Go files is left out.
func (r *repository) groups(modules []*module) []group {
	shared := group{dir: r.top, gowork: filepath.Join(r.top, "go.work")}
	var alone []group
	for _, m := range modules {
		switch {
		case len(r.goFiles(m)) == 0:
		case m.inWork:
			shared.patterns = append(shared.patterns, pattern(m.dir))
		default:
			alone = append(alone, r.alone(m))
		}
	}
	if len(shared.patterns) == 0 {
		return alone
	}
	return append([]group{shared}, alone...)
}

// alone is the group of one module without its workspace.
func (r *repository) alone(m *module) group {
	return group{dir: filepath.Join(r.top, m.dir), gowork: "off", patterns: []string{"./..."}}
}

func pattern(dir string) string {
	if dir == "." {
		return "./..."
	}
	return "./" + dir + "/..."
}

// goFiles returns the Go files of a module, those of modules inside it not
// among them, named from the top.
func (r *repository) goFiles(m *module) []string {
	var files []string
	walk(filepath.Join(r.top, m.dir), func(name string) error {
		name = path.Join(m.dir, name)
		if strings.HasSuffix(name, ".go") && r.owner(name) == m {
			files = append(files, name)
		}
		return nil
	})
	return files
}

// owner returns the innermost module that a file, named from the top, is in.
func (r *repository) owner(name string) *module {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if m := r.moduleAt(dir); m != nil || dir == "." {
			return m
		}
	}
}

// command prepares a program to run on a group.
func (g group) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = g.dir
	cmd.Env = append(append(os.Environ(), "GOWORK="+g.gowork), g.env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// output runs a program on a group and returns all that it printed, without
// the go command's notes on what it downloads.
func (g group) output(ctx context.Context, name string, args ...string) (string, error) {
	all, err := g.command(ctx, name, args...).CombinedOutput()
	var kept strings.Builder
	for line := range strings.Lines(string(all)) {
		if !strings.HasPrefix(line, "go: downloading ") {
			kept.WriteString(line)
		}
	}
	return kept.String(), err
}

// goJSON decodes what a go command outside of any workspace prints.
func (r *repository) goJSON(ctx context.Context, into any, args ...string) error {
	cmd := group{dir: r.top, gowork: "off"}.command(ctx, "go", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return json.Unmarshal(out, into)
}

// report prints what a check found, with its name, and fails if that is
// anything.
func (r *repository) report(check string, problems []string) error {
	for _, p := range problems {
		fmt.Fprintln(r.out, p)
	}
	if len(problems) > 0 {
		fmt.Fprintf(r.out, "%s: failed (%d)\n", check, len(problems))
		return errFailed
	}
	fmt.Fprintf(r.out, "%s: ok\n", check)
	return nil
}
