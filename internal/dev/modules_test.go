package main

import (
	"io"
	"maps"
	"slices"
	"testing"
)

// sound is a tree in which everything agrees.
var sound = map[string]string{
	"go.work":      "go 1.25\n\n// outside: odd has requirements that clash\n\nuse (\n\t.\n\t./low\n)\n",
	"go.mod":       "module example.test/top\n\ngo 1.25\n\nrequire example.test/low v0.1.0\n\nreplace example.test/low => ./low\n",
	"top.go":       "package top\n\nimport _ \"example.test/low\"\n",
	"low/go.mod":   "module example.test/low\n\ngo 1.25\n",
	"low/low.go":   "package low\n",
	"odd/go.mod":   "module example.test/odd\n\ngo 1.25.0\n\nrequire example.test/low v0.1.0\n\nreplace example.test/low => ../low\n",
	"odd/main.go":  "package main\n\nimport _ \"example.test/low\"\n\nfunc main() {}\n",
	"bare/go.mod":  "",
	"CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- The first thing.\n",
}

// but returns the sound tree with some files replaced or, where empty, left
// out.
func but(changes map[string]string) map[string]string {
	files := maps.Clone(sound)
	maps.Copy(files, changes)
	maps.DeleteFunc(files, func(_, text string) bool { return text == "" })
	return files
}

func TestAgreement(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes map[string]string
		want    []string // what it finds; nothing: that all is well
	}{
		{name: "sound"},
		{
			name:    "another go line",
			changes: map[string]string{"low/go.mod": "module example.test/low\n\ngo 1.24\n"},
			want:    []string{"low/go.mod: says go 1.24, want 1.25"},
		},
		{
			name:    "a toolchain line",
			changes: map[string]string{"low/go.mod": "module example.test/low\n\ngo 1.25.0\n\ntoolchain go1.25.1\n"},
			want:    []string{"low/go.mod: asks for toolchain go1.25.1"},
		},
		{
			name:    "two sibling versions",
			changes: map[string]string{"odd/go.mod": "module example.test/odd\n\ngo 1.25\n\nrequire example.test/low v0.2.0\n\nreplace example.test/low => ../low\n"},
			want:    []string{"more than one sibling version: v0.1.0 in . -> low", "more than one sibling version: v0.2.0 in odd -> low"},
		},
		{
			name:    "a replacement that leads elsewhere",
			changes: map[string]string{"odd/go.mod": "module example.test/odd\n\ngo 1.25\n\nrequire example.test/low v0.1.0\n\nreplace example.test/low => ../lower\n"},
			want:    []string{"odd/go.mod: replaces example.test/low by ../lower, which is not its place in the tree"},
		},
		{
			name:    "a module that go.work does not know",
			changes: map[string]string{"new/go.mod": "module example.test/new\n\ngo 1.25\n"},
			want:    []string{"go.work: does not list new, nor says that it is outside"},
		},
		{
			name:    "an exception without a reason",
			changes: map[string]string{"go.work": "go 1.25\n\n// outside: odd\n\nuse (\n\t.\n\t./low\n)\n"},
			want:    []string{"go.work: does not say why odd is outside"},
		},
		{
			name:    "an exception that is listed",
			changes: map[string]string{"go.work": "go 1.25\n\n// outside: odd clashes\n\nuse (\n\t.\n\t./low\n\t./odd\n)\n"},
			want:    []string{"go.work: lists odd and says that it is outside"},
		},
		{
			name:    "an exception that is gone",
			changes: map[string]string{"odd/go.mod": "", "odd/main.go": ""},
			want:    []string{"go.work: says that odd is outside, where there is no module"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			repo, err := openRepository(t.Context(), tree(t, but(c.changes)), io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			if got := repo.agreementProblems(); !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestModules(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes map[string]string
		want    []string // what it finds; nothing: that all is well
	}{
		{name: "sound"},
		{
			name:    "a go.mod that does not agree",
			changes: map[string]string{"odd/go.mod": "module example.test/odd\n\ngo 1.26\n", "odd/main.go": "package main\n\nfunc main() {}\n"},
			want:    []string{"odd/go.mod: says go 1.26, want 1.25"},
		},
		{
			name:    "a module that does not build",
			changes: map[string]string{"low/low.go": "package low\n\nvar x int = \"\"\n"},
			want:    []string{"low: go build", "cannot use"},
		},
		{
			name:    "a test that does not vet",
			changes: map[string]string{"low/low_test.go": "package low\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc TestLow(*testing.T) { fmt.Printf(\"%d\", \"one\") }\n"},
			want:    []string{"low: go vet"},
		},
		{
			name:    "a module that is not tidy",
			changes: map[string]string{"odd/main.go": "package main\n\nfunc main() {}\n"},
			want:    []string{"odd: go mod tidy -diff", "-require example.test/low v0.1.0"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, stderr := dev(t, tree(t, but(c.changes)), "modules")
			if failed := len(c.want) > 0; failed != (status == 1) {
				t.Errorf("exit status %d\n%s%s", status, out, stderr)
			}
			expect(t, out, c.want...)
		})
	}
}

func TestWorkListsNoModule(t *testing.T) {
	top := tree(t, but(map[string]string{"low/go.mod": ""}))
	status, _, stderr := dev(t, top, "modules")
	if status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	expect(t, stderr, "go.work lists low, which holds no go.mod")
}
