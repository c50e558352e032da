package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRelease(t *testing.T) {
	top := tree(t, map[string]string{
		"go.work":              "go 1.25\n\nuse (\n\t.\n\t./agenttool\n\t./bench\n\t./session\n)\n",
		"go.mod":               "module " + rootPath + "\n\ngo 1.25\n\nrequire " + agenttoolPath + " v0.1.0 // the tools\n",
		"agenttool/go.mod":     "module " + agenttoolPath + "\n\ngo 1.25\n",
		"session/go.mod":       "module " + rootPath + "/session\n\ngo 1.25\n\nrequire (\n\t" + rootPath + " v0.0.9\n\t" + agenttoolPath + " v0.1.0\n\texample.test/other v1.0.0\n)\n",
		"bench/go.mod":         "module " + rootPath + "/bench\n\ngo 1.25\n",
		"CHANGELOG.md":         sound["CHANGELOG.md"],
		"session/doc.go":       "package session\n",
		"internal/dev/keep.md": "",
	})
	var out bytes.Buffer
	repo, err := openRepository(t.Context(), top, &out)
	if err != nil {
		t.Fatal(err)
	}
	if err := release(t.Context(), repo, "v0.2.0", time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]string{
		"go.mod":         {agenttoolPath + " v0.2.0 // the tools\n"},
		"session/go.mod": {rootPath + " v0.2.0\n", agenttoolPath + " v0.2.0\n", "example.test/other v1.0.0\n"},
		"CHANGELOG.md":   {"## [Unreleased]\n\n## [0.2.0] - 2030-01-02\n\n### Added\n\n- The first thing.\n"},
	} {
		text, err := os.ReadFile(filepath.Join(top, file))
		if err != nil {
			t.Fatal(err)
		}
		expect(t, string(text), want...)
	}
	const tags = "tags:\n    v0.2.0\n    session/v0.2.0\npublished under import paths of their own:\n    " + agenttoolPath + " v0.2.0\n"
	if out.String() != tags {
		t.Errorf("output:\n%s\nwant:\n%s", out.String(), tags)
	}
}

// A release that cannot be made changes nothing.
func TestReleaseRefused(t *testing.T) {
	for _, c := range []struct {
		name, changelog, want string
	}{
		{"no changelog", "", "CHANGELOG.md"},
		{"no section for it", "# Changelog\n", "has no section ## [Unreleased]"},
		{"no change", "## [Unreleased]\n\n## [0.1.0] - 2029-01-01\n\n- Old.\n", "lists no change under ## [Unreleased]"},
		{"a version that was released", "## [Unreleased]\n\n- New.\n\n## [0.2.0] - 2029-01-01\n", "already has ## [0.2.0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := tree(t, but(map[string]string{"CHANGELOG.md": c.changelog}))
			status, _, stderr := dev(t, top, "release", "v0.2.0")
			if status != 1 {
				t.Errorf("exit status %d, want 1", status)
			}
			expect(t, stderr, c.want)
			text, err := os.ReadFile(filepath.Join(top, "go.mod"))
			if err != nil {
				t.Fatal(err)
			}
			if string(text) != sound["go.mod"] {
				t.Errorf("go.mod has changed:\n%s", text)
			}
		})
	}
}
