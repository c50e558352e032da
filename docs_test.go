package agentturn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// invariants is how many sentences the contract of the loop ends in.
const invariants = 127

// TestInvariantsListed: the contract lists each invariant once, in order, and every subtest that bears a number is one
// of them.
func TestInvariantsListed(t *testing.T) {
	text, err := os.ReadFile("docs/rfcs/0001-agent-loop.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^- (R\d{3})\. \S`).FindAllSubmatch(text, -1) {
		listed = append(listed, string(m[1]))
	}
	var want []string
	for n := range invariants {
		want = append(want, fmt.Sprintf("R%03d", n+1))
	}
	if !slices.Equal(listed, want) {
		t.Errorf("the contract lists %v", listed)
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(R\d{3})\b`).FindAllSubmatch(source, -1) {
			if !slices.Contains(want, string(m[1])) {
				t.Errorf("%s has a subtest %s, which is no invariant", file, m[1])
			}
		}
	}
}
