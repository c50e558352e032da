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

// TestInvariantsListed: the contract lists each invariant once, in order; each has a subtest of its number, and every
// subtest that bears a number is of one.
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
	tested := map[string]bool{}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`"(?:R\d{3}\b ?)+`).FindAll(source, -1) {
			for _, number := range regexp.MustCompile(`R\d{3}`).FindAllString(string(name), -1) {
				tested[number] = true
				if !slices.Contains(want, number) {
					t.Errorf("%s has a subtest %s, which is no invariant", file, number)
				}
			}
		}
	}
	for _, number := range want {
		if !tested[number] {
			t.Errorf("%s has no subtest", number)
		}
	}
}
