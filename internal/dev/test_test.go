package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRunTest(t *testing.T) {
	for _, c := range []struct {
		name   string
		top    string
		args   []string
		status int
		last   string
		want   []string
		never  []string
	}{
		{
			name: "modules in and out of the workspace count together", top: "testdata/green",
			last: "9 passed, 0 failed, 1 skipped",
			want: []string{
				"ok    example.test/green  7 tests, 1 skipped",
				"ok    example.test/green/nested  2 tests",
				"ok    example.test/alone  1 test ",
				"-     example.test/green/untested  0 tests",
			},
			never: []string{"is not shown"},
		},
		{
			name: "only the named modules", top: "testdata/green", args: []string{"./alone", "nested"},
			last: "3 passed, 0 failed", never: []string{"example.test/green "},
		},
		{
			name: "short", top: "testdata/green", args: []string{"-short", "nested"},
			last: "1 passed, 0 failed, 1 skipped",
		},
		{
			name: "every way to fail", top: "testdata/red", status: 1,
			last: "3 passed, 6 failed",
			want: []string{
				"got 1, want 2",
				"undefined: undefinedName",
				"panic: on purpose",
				"exit status 4",
				"failed: example.test/red/asserts TestFails/bad\n",
				"failed: example.test/red/asserts TestFails\n",
				"failed: example.test/red/builds\n",
				"failed: example.test/red/exits TestExits (did not finish)\n",
				"failed: example.test/red/panics TestPanics\n",
				"failed: example.test/red/setup\n",
			},
			never: []string{"hidden", "=== RUN"},
		},
		{
			name: "nothing ran", top: "testdata/empty", status: 1,
			last: "0 passed, 0 failed", want: []string{"no test ran"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, _ := dev(t, c.top, append([]string{"test"}, c.args...)...)
			if status != c.status {
				t.Errorf("exit status %d, want %d", status, c.status)
			}
			if lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n"); lines[len(lines)-1] != c.last {
				t.Errorf("last line %q, want %q", lines[len(lines)-1], c.last)
			}
			if n := strings.Count(out, " passed, "); n != 1 {
				t.Errorf("%d summary lines, want 1", n)
			}
			expect(t, out, c.want...)
			for _, text := range c.never {
				if strings.Contains(out, text) {
					t.Errorf("%q is in the output", text)
				}
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}

// A go command that fails before it reports anything must not look like a
// module without tests.
func TestBrokenModule(t *testing.T) {
	top := tree(t, map[string]string{
		"go.work":     "go 1.25\n\nuse .\n",
		"go.mod":      "module example.test/broken\n\ngo 1.25\n",
		"a_test.go":   "package broken\n\nimport \"testing\"\n\nfunc TestA(*testing.T) {}\n",
		"bad/go.mod":  "module example.test/bad\n\ngo 1.99\n",
		"bad/code.go": "package bad\n",
	})
	status, out, _ := dev(t, top, "test")
	if status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	expect(t, out, "go >= 1.99", "1 passed, 1 failed\n")
}

func TestTally(t *testing.T) {
	for _, c := range []struct {
		name   string
		events string
		want   string
		fails  bool
	}{
		{
			name: "subtests count beside their parents",
			events: `{"Action":"run","Package":"p","Test":"T"}
{"Action":"run","Package":"p","Test":"T/a"}
{"Action":"pass","Package":"p","Test":"T/a"}
{"Action":"pass","Package":"p","Test":"T"}
{"Action":"pass","Package":"p"}`,
			want: "2 passed, 0 failed\n",
		},
		{
			name: "a package that never ends has failed",
			events: `{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Output":"killed\n"}`,
			want: "    killed\nfailed: p\n0 passed, 1 failed\n", fails: true,
		},
		{
			name: "a test that never ends has failed",
			events: `{"Action":"run","Package":"p","Test":"A"}
{"Action":"pass","Package":"p","Test":"A"}
{"Action":"run","Package":"p","Test":"B"}`,
			want: "failed: p B (did not finish)\n1 passed, 1 failed\n", fails: true,
		},
		{
			name: "only skipped tests are as good as none",
			events: `{"Action":"run","Package":"p","Test":"A"}
{"Action":"skip","Package":"p","Test":"A"}
{"Action":"pass","Package":"p"}`,
			want: "no test ran\n0 passed, 0 failed, 1 skipped\n", fails: true,
		},
		{
			name: "a cached package says so",
			events: `{"Action":"pass","Package":"p","Test":"A"}
{"Action":"output","Package":"p","Output":"ok  \tp\t(cached)\n"}
{"Action":"pass","Package":"p"}`,
			want: "ok    p  1 test  cached\n1 passed, 0 failed\n",
		},
		{
			name: "a broken build is told once and fails each package that needs it",
			events: `{"Action":"build-output","ImportPath":"low","Output":"low.go:1: bad\n"}
{"Action":"build-fail","ImportPath":"low"}
{"Action":"fail","Package":"p","FailedBuild":"low"}
{"Action":"fail","Package":"q","FailedBuild":"low"}`,
			want: "FAIL  p  1 test, 1 FAILED  0.0s\n    low.go:1: bad\nFAIL  q  1 test, 1 FAILED  0.0s\n" +
				"failed: p\nfailed: q\n0 passed, 2 failed\n",
			fails: true,
		},
		{
			name:   "what is no event is passed on",
			events: "a stray line\n" + `{"Action":"pass","Package":"p","Test":"A"}` + "\n" + `{"Action":"pass","Package":"p"}`,
			want:   "a stray line\nok    p  1 test  0.0s\n1 passed, 0 failed\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			tally := newTally(&out)
			for line := range strings.Lines(c.events) {
				tally.line([]byte(line))
			}
			err := tally.finish()
			if got := out.String(); !strings.HasSuffix(got, c.want) {
				t.Errorf("output:\n%s\nwant at its end:\n%s", got, c.want)
			}
			if (err != nil) != c.fails {
				t.Errorf("error %v, want one: %v", err, c.fails)
			}
		})
	}
}
