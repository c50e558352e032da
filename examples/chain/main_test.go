package main

import (
	"os"
	"strings"
	"testing"
)

func TestChain(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("note.txt", []byte("Buy milk."), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := run(t.Context(), []string{"note.txt"}, &out); err != nil {
		t.Fatal(err)
	}
	if want := "Tool result: Buy milk.\ndone, in 2 items\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	for _, args := range [][]string{nil, {"missing.txt"}, {"-url", "http://127.0.0.1:1", "note.txt"}} {
		if err := run(t.Context(), args, &out); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
