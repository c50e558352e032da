package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A tally counts the tests and subtests that go test -json reports. It prints
// a line for each package, and of what failed all the output.
type tally struct {
	passed, failed, skipped int

	out      io.Writer
	failures []string
	builds   map[string]*strings.Builder // build output by what was built
	packages map[string]*packageTally
}

// An event is one line of go test -json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of a build
	Test        string
	Output      string
	Elapsed     float64
	FailedBuild string
}

// A packageTally follows one package while it runs.
type packageTally struct {
	passed, failed, skipped int

	cached bool
	output map[string]*strings.Builder // by test; "" is the package itself
	open   map[string]bool             // tests that have begun and not ended
	report strings.Builder             // output of the tests that failed
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, builds: map[string]*strings.Builder{}, packages: map[string]*packageTally{}}
}

func (t *tally) event(e event) {
	switch {
	case e.Action == "build-output":
		write(t.builds, e.ImportPath, e.Output)
	case e.Package == "":
	case e.Test != "":
		t.testEvent(t.of(e.Package), e)
	default:
		t.packageEvent(t.of(e.Package), e)
	}
}

func (t *tally) of(name string) *packageTally {
	p := t.packages[name]
	if p == nil {
		p = &packageTally{output: map[string]*strings.Builder{}, open: map[string]bool{}}
		t.packages[name] = p
	}
	return p
}

func (t *tally) testEvent(p *packageTally, e event) {
	switch e.Action {
	case "run":
		p.open[e.Test] = true
	case "output":
		write(p.output, e.Test, e.Output)
	case "pass":
		p.passed++
		p.close(e.Test)
	case "skip":
		p.skipped++
		p.close(e.Test)
	case "fail":
		t.failTest(p, e.Package, e.Test, "")
	}
}

func (t *tally) packageEvent(p *packageTally, e event) {
	switch e.Action {
	case "output":
		p.cached = p.cached || strings.HasSuffix(e.Output, "\t(cached)\n")
		write(p.output, "", e.Output)
	case "fail":
		t.failPackage(p, e)
	case "pass":
		t.closePackage(p, e, "ok  ")
	case "skip":
		t.closePackage(p, e, "-   ")
	}
}

// failTest counts a test as failed and keeps what it printed.
func (t *tally) failTest(p *packageTally, pkg, test, note string) {
	p.failed++
	t.failures = append(t.failures, pkg+" "+test+note)
	p.keep(test)
	p.close(test)
}

// failPackage ends a package that failed. The tests it left unfinished have
// failed with it; where no test is to blame, the package itself counts as one
// failure: it did not build, or it died outside of any test.
func (t *tally) failPackage(p *packageTally, e event) {
	for _, test := range slices.Sorted(maps.Keys(p.open)) {
		t.failTest(p, e.Package, test, " (did not finish)")
	}
	if build := t.builds[e.FailedBuild]; build != nil {
		p.report.WriteString(build.String())
		build.Reset() // said once, however many packages need it
	}
	if p.failed == 0 {
		p.failed++
		t.failures = append(t.failures, e.Package)
	}
	p.keep("")
	t.closePackage(p, e, "FAIL")
	fmt.Fprint(t.out, indent(p.report.String()))
}

func (t *tally) closePackage(p *packageTally, e event, mark string) {
	t.passed += p.passed
	t.failed += p.failed
	t.skipped += p.skipped
	delete(t.packages, e.Package)
	took := fmt.Sprintf("%.1fs", e.Elapsed)
	if p.cached {
		took = "cached"
	}
	fmt.Fprintf(t.out, "%s  %s  %s  %s\n", mark, e.Package, p.summary(), took)
}

// fail counts a failure that no package reported.
func (t *tally) fail(what, output string) {
	t.failed++
	t.failures = append(t.failures, what)
	fmt.Fprintf(t.out, "FAIL  %s\n%s", what, indent(output))
}

// finish prints the count as the last line. It is an error that something
// failed, and that nothing ran.
func (t *tally) finish() error {
	for _, pkg := range slices.Sorted(maps.Keys(t.packages)) {
		t.failPackage(t.packages[pkg], event{Package: pkg})
	}
	for _, f := range t.failures {
		fmt.Fprintln(t.out, "failed:", f)
	}
	if t.passed+t.failed == 0 {
		fmt.Fprintln(t.out, "no test ran")
	}
	fmt.Fprintln(t.out, counts(t.passed, t.failed, t.skipped))
	if t.failed > 0 || t.passed == 0 {
		return errFailed
	}
	return nil
}

func counts(passed, failed, skipped int) string {
	s := fmt.Sprintf("%d passed, %d failed", passed, failed)
	if skipped > 0 {
		s += fmt.Sprintf(", %d skipped", skipped)
	}
	return s
}

// summary is the count of one package, in words that cannot be taken for the
// count of all.
func (p *packageTally) summary() string {
	total := p.passed + p.failed + p.skipped
	s := fmt.Sprintf("%d tests", total)
	if total == 1 {
		s = "1 test"
	}
	if p.failed > 0 {
		s += fmt.Sprintf(", %d FAILED", p.failed)
	}
	if p.skipped > 0 {
		s += fmt.Sprintf(", %d skipped", p.skipped)
	}
	return s
}

// close forgets a test that has ended.
func (p *packageTally) close(test string) {
	delete(p.open, test)
	delete(p.output, test)
}

// keep adds a test's output to the report, without the lines that only say
// that it ran.
func (p *packageTally) keep(test string) {
	output := p.output[test]
	if output == nil {
		return
	}
	for line := range strings.Lines(output.String()) {
		if !strings.HasPrefix(line, "=== ") {
			p.report.WriteString(line)
		}
	}
}

func write(to map[string]*strings.Builder, key, text string) {
	b := to[key]
	if b == nil {
		b = new(strings.Builder)
		to[key] = b
	}
	b.WriteString(text)
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + strings.TrimRight(line, "\n") + "\n")
	}
	return b.String()
}
