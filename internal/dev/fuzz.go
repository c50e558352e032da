package main

import (
	"context"
	"flag"
	"fmt"
	"strings"
)

// A fuzzTarget is one fuzz function and where it is.
type fuzzTarget struct {
	pkg, name string
}

func runFuzz(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	each := flags.String("time", "30s", "how `long` to run each target: a duration, or a count as 1000x")
	if err := parse(flags, args); err != nil {
		return err
	}
	var problems []string
	found := 0
	for _, g := range repo.groups(repo.modules) {
		listing, err := g.output(ctx, "go", append([]string{"test", "-list", "^Fuzz"}, g.patterns...)...)
		if err != nil {
			return fmt.Errorf("list fuzz targets: %w\n%s", err, listing)
		}
		for _, target := range fuzzTargets(listing) {
			found++
			fmt.Fprintf(repo.out, "fuzz  %s %s\n", target.pkg, target.name)
			out, err := g.output(ctx, "go", "test", target.pkg, "-run", "^$", "-fuzz", "^"+target.name+"$", "-fuzztime", *each)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				problems = append(problems, fmt.Sprintf("%s %s: %v\n%s", target.pkg, target.name, err, indent(out)))
			}
		}
	}
	if found == 0 {
		problems = append(problems, "no fuzz target found")
	}
	return repo.report("fuzz", problems)
}

// fuzzTargets reads what go test -list prints: the names of each package's
// targets, and then its "ok" line.
func fuzzTargets(listing string) []fuzzTarget {
	var targets []fuzzTarget
	var names []string
	for line := range strings.Lines(listing) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 1 && strings.HasPrefix(fields[0], "Fuzz"):
			names = append(names, fields[0])
		case len(fields) >= 2 && fields[0] == "ok":
			for _, name := range names {
				targets = append(targets, fuzzTarget{fields[1], name})
			}
			names = nil
		}
	}
	return targets
}
