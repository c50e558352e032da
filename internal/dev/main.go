package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, ".", os.Args[1:], os.Stdout, os.Stderr))
}

// A command is one verb of the tool.
type command struct {
	name    string
	usage   string // what follows the name
	summary string
	run     func(context.Context, *repository, *flag.FlagSet, []string) error
}

// commands lists the verbs in the order of the help text.
func commands() []command {
	return []command{
		{"test", "[-race] [-short] [module dirs...]", "run the tests of every module and count them", runTest},
		{"check", "", "style, imports, modules, lint and api, one after the other", runCheck},
		{"style", "", "formatting, file and function length, names, doc comments, stray words", runStyle},
		{"imports", "", "hold the lower modules to the imports they may have", runImports},
		{"modules", "", "every go.mod agrees, and every module builds, vets and tidies alone", runModules},
		{"lint", "", "go vet and staticcheck over every module", runLint},
		{"api", "[-checker dir]", "compare exported APIs with their published shape, where a checker is at hand", runAPI},
		{"fuzz", "[-time 30s]", "run each fuzz target of every module for a while", runFuzz},
		{"vuln", "", "govulncheck over every module, where its database can be reached", runVuln},
		{"release", "vX.Y.Z", "set one version everywhere, date the changelog, print the tags", runRelease},
	}
}

// errFailed ends a command whose output already says what is wrong.
var errFailed = errors.New("failed")

// errUsage ends a command that was called wrongly; the flag package has
// already said how.
var errUsage = errors.New("usage")

// run executes one command line on the repository at top and returns the exit
// status.
func run(ctx context.Context, top string, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return 2
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		usage(stdout)
		return 0
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.execute(ctx, top, args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "dev: no command %q\n\n", args[0])
	usage(stderr)
	return 2
}

func (c command) execute(ctx context.Context, top string, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "usage: go run ./internal/dev %s %s\n\n%s\n", c.name, c.usage, c.summary)
		flags.PrintDefaults()
	}
	repo, err := openRepository(ctx, top, stdout)
	if err == nil {
		err = c.run(ctx, repo, flags, args)
	}
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2
	case !errors.Is(err, errFailed):
		fmt.Fprintf(stderr, "dev: %s: %v\n", c.name, err)
	}
	return 1
}

func usage(w io.Writer) {
	fmt.Fprint(w, "usage: go run ./internal/dev <command> [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\n<command> -h tells more about one.\n")
}

// parse reads the flags of a command that takes no other arguments.
func parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return usageError(err)
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(flags.Output(), "unexpected argument %q\n", flags.Arg(0))
		flags.Usage()
		return errUsage
	}
	return nil
}

// usageError keeps a request for help apart from a mistake.
func usageError(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	return errUsage
}

// runCheck runs every check, also after one has failed.
func runCheck(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	if err := parse(flags, args); err != nil {
		return err
	}
	var failed error
	for _, check := range []func(context.Context, *repository) error{
		checkStyle, checkImports, checkModules, lint,
		func(ctx context.Context, repo *repository) error { return checkAPI(ctx, repo, defaultChecker) },
	} {
		if err := check(ctx, repo); err != nil {
			if !errors.Is(err, errFailed) {
				return err
			}
			failed = err
		}
	}
	return failed
}
