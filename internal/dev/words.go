package main

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// strayWords finds what belongs to somebody's machine and not in the
// repository: absolute paths of homes and workplaces, and the hosts of package
// registries, which lock files and go commands know without being told. The
// words are split so that this file does not hold them.
var strayWords = regexp.MustCompile(
	`(?:^|[^\w.~)}-])(/(?:` + strings.Join([]string{"ro" + "ot", "wo" + "rk", "ho" + "me"}, "|") + `)/)` +
		`|(` + strings.Join([]string{
		`proxy\.` + `golang\.org`,
		`sum\.` + `golang\.org`,
		`goproxy\.` + `(?:io|cn)`,
		`registry\.` + `(?:npmjs\.org|yarnpkg\.com)`,
		`npm\.` + `jsr\.io`,
		`files\.` + `pythonhosted\.org`,
		`pypi\.` + `org`,
		`(?:static\.|index\.)?` + `crates\.io`,
		`(?:deb|security|ftp)\.` + `debian\.org`,
		`archive\.` + `ubuntu\.com`,
	}, "|") + `)`)

// wordProblems looks for stray words in one file, unless it is binary.
func wordProblems(name string, text []byte) []string {
	if bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return nil
	}
	var problems []string
	number := 0
	for line := range bytes.Lines(text) {
		number++
		if word := strayWords.FindSubmatch(line); word != nil {
			problems = append(problems, fmt.Sprintf("%s:%d: must not name %s%s", name, number, word[1], word[2]))
		}
	}
	return problems
}
