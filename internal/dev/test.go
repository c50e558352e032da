package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

func runTest(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	race := flags.Bool("race", false, "build with the race detector")
	short := flags.Bool("short", false, "leave out what tests call long")
	if err := flags.Parse(args); err != nil {
		return usageError(err)
	}
	modules, err := repo.named(flags.Args())
	if err != nil {
		return err
	}
	command := []string{"test", "-json"}
	if *race {
		command = append(command, "-race")
	}
	if *short {
		command = append(command, "-short")
	}
	tally := newTally(repo.out)
	for _, g := range repo.groups(modules) {
		if err := testGroup(ctx, tally, g, command); err != nil {
			return err
		}
	}
	return tally.finish()
}

// named returns the modules in the given directories, all of them for none.
func (r *repository) named(dirs []string) ([]*module, error) {
	if len(dirs) == 0 {
		return r.modules, nil
	}
	var modules []*module
	for _, dir := range dirs {
		m := r.moduleAt(path.Clean(filepath.ToSlash(dir)))
		if m == nil {
			return nil, fmt.Errorf("%s is not the directory of a module", dir)
		}
		modules = append(modules, m)
	}
	return modules, nil
}

// testGroup feeds the events of one go test to the tally. A go command that
// fails without having reported a failure counts as one.
func testGroup(ctx context.Context, tally *tally, g group, command []string) error {
	before := tally.failed
	cmd := g.command(ctx, "go", append(command, g.patterns...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			tally.line(line)
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && tally.failed == before {
		tally.fail(fmt.Sprintf("go test in %s: %v", g.dir, err), stderr.String())
	}
	return nil
}

// line takes one line of go test -json. What is no event is passed on as it is.
func (t *tally) line(line []byte) {
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		fmt.Fprintln(t.out, strings.TrimRight(string(line), "\n"))
		return
	}
	t.event(e)
}
