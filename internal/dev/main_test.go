package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dev runs a command line on a tree and returns its exit status and output.
func dev(t *testing.T, top string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), top, args, &out, &errs)
	return status, out.String(), errs.String()
}

// tree writes files, named with slashes, into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range files {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return top
}

// expect fails the test for each text that output does not contain.
func expect(t *testing.T, output string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(output, text) {
			t.Errorf("no %q in the output:\n%s", text, output)
		}
	}
}

func TestCommandLine(t *testing.T) {
	top := tree(t, map[string]string{"go.work": "go 1.25\n"})
	for _, c := range []struct {
		name   string
		args   []string
		status int
		stderr string
	}{
		{"no command", nil, 2, "usage:"},
		{"help", []string{"-h"}, 0, ""},
		{"an unknown command", []string{"frobnicate"}, 2, `no command "frobnicate"`},
		{"help for a command", []string{"test", "-h"}, 0, "-race"},
		{"an unknown flag", []string{"test", "-frob"}, 2, "-frob"},
		{"an argument too many", []string{"style", "now"}, 2, `unexpected argument "now"`},
		{"a folder that holds no module", []string{"test", "nowhere"}, 1, "nowhere is not the directory of a module"},
		{"a version that is none", []string{"release", "1.2"}, 2, "v1.2.3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, _, stderr := dev(t, top, c.args...)
			if status != c.status {
				t.Errorf("exit status %d, want %d", status, c.status)
			}
			expect(t, stderr, c.stderr)
		})
	}
}

func TestOutsideOfARepository(t *testing.T) {
	status, _, stderr := dev(t, t.TempDir(), "style")
	if status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	expect(t, stderr, "from the top of the repository")
}
