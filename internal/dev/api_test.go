package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// checkerSource stands for the API checker: a package matches when its
// folder's name is not "agenttool".
const checkerSource = `package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	ref := flag.String("ref", "", "")
	dir := flag.String("dir", "", "")
	flag.String("package", "", "")
	flag.Parse()
	if _, err := os.Stat(*ref); err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	if filepath.Base(*dir) == "agenttool" {
		fmt.Println("missing   Tool")
		fmt.Println("1 of 2 identifiers match")
		os.Exit(1)
	}
	fmt.Println("2 of 2 identifiers match")
}
`

func TestAPI(t *testing.T) {
	shared := map[string]string{
		"shared/tools/apicheck/go.mod":               "module apicheck\n\ngo 1.25\n",
		"shared/tools/apicheck/main.go":              checkerSource,
		"shared/contract/openresponses.md":           "",
		"shared/contract/agenttool.md":               "",
		"shared/reference/agentturn-v0.0.18.txt":     "",
		"repo/go.work":                               "go 1.25\n",
		"repo/openresponses/a.go":                    "package openresponses\n",
		"repo/root.go":                               "package agentturn\n",
		"repo/openresponses/streamtest/doc_test.txt": "",
	}
	t.Run("all match", func(t *testing.T) {
		status, out, stderr := dev(t, filepath.Join(tree(t, shared), "repo"), "api")
		if status != 0 {
			t.Errorf("exit status %d\n%s%s", status, out, stderr)
		}
		expect(t, out,
			"ok    openresponses: 2 of 2 identifiers match\n",
			"-     openresponses/streamtest: not there yet\n",
			"ok    .: 2 of 2 identifiers match\n",
			"api: ok\n")
	})
	t.Run("one differs", func(t *testing.T) {
		shared["repo/agenttool/a.go"] = "package agenttool\n"
		top := tree(t, shared)
		status, out, _ := dev(t, filepath.Join(top, "repo"), "api", "-checker", filepath.Join(top, "shared/tools/apicheck"))
		if status != 1 {
			t.Errorf("exit status %d, want 1", status)
		}
		expect(t, out, "    missing   Tool\n", "FAIL  agenttool: 1 of 2 identifiers match\n", "api: failed (1)\n")
	})
	t.Run("a value that is left open", func(t *testing.T) {
		for lines, want := range map[string]bool{
			"different Prompt\n    want x\n    have y\n1 of 2": true, "different Prompt\nmissing   Other": false, "different Other": false, "": false,
		} {
			if got := differsInOnly(strings.Split(lines, "\n"), "Prompt"); got != want {
				t.Errorf("%q: %t", lines, got)
			}
		}
		if differsInOnly([]string{"different "}, "") {
			t.Error("nothing is left open")
		}
	})
	t.Run("no checker", func(t *testing.T) {
		status, out, _ := dev(t, tree(t, map[string]string{"go.work": "go 1.25\n"}), "api", "-checker", "nowhere")
		if status != 0 {
			t.Errorf("exit status %d, want 0", status)
		}
		expect(t, out, "api: skipped, there is no checker at nowhere\n")
	})
}
