package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// defaultChecker is where the API checker lies beside a checkout. The shapes
// it compares with are in files two folders above it.
const defaultChecker = "../shared/tools/apicheck"

// An apiEntry is one package whose exported API is fixed elsewhere.
type apiEntry struct {
	dir   string // below the top
	shape string // file, from two folders above the checker
	name  string // of the package in that file; "" where the file has one
	open  string // an identifier whose value the shape leaves open, with a placeholder
}

var apiEntries = []apiEntry{
	{dir: "openresponses", shape: "contract/openresponses.md", name: "openresponses"},
	{dir: "openresponses/streamtest", shape: "contract/openresponses.md", name: "streamtest"},
	{dir: "openresponses/echo", shape: "contract/openresponses.md", name: "echo"},
	{dir: "openresponses/websocket", shape: "contract/openresponses.md", name: "websocket"},
	{dir: "openresponses/chatcompletions", shape: "contract/openresponses.md", name: "chatcompletions"},
	{dir: "agenttool", shape: "contract/agenttool.md", name: "agenttool"},
	{dir: "agenttool/mcpclient", shape: "contract/agenttool.md", name: "mcpclient"},
	{dir: "agenttool/mcpserver", shape: "contract/agenttool.md", name: "mcpserver"},
	{dir: ".", shape: "reference/agentturn-v0.0.18.txt"},
	{dir: "compact", shape: "contract/compact.md", name: "compact", open: "DefaultSummaryPrompt"},
	{dir: "tools/agent", shape: "contract/tools-agent.md", name: "agent"},
	{dir: "front/responses", shape: "contract/front-responses.md", name: "responses"},
	{dir: "session", shape: "contract/agentturn-session.md", name: "session"},
	{dir: "front/a2a", shape: "contract/front-a2a.md", name: "a2a"},
	{dir: "tools/a2a", shape: "contract/tools-a2a.md", name: "a2a"},
	{dir: "agentsession", shape: "contract/agentsession.md", name: "agentsession"},
	{dir: "agentsession/jsonl", shape: "contract/agentsession.md", name: "jsonl"},
	{dir: "agentsession/storetest", shape: "contract/agentsession.md", name: "storetest"},
}

func runAPI(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	checker := flags.String("checker", defaultChecker, "`directory` of the checker's source, from the top of the repository")
	if err := parse(flags, args); err != nil {
		return err
	}
	return checkAPI(ctx, repo, *checker)
}

// checkAPI runs the checker on every package of the table that exists.
func checkAPI(ctx context.Context, repo *repository, checker string) error {
	source := checker
	if !filepath.IsAbs(source) {
		source = filepath.Join(repo.top, source)
	}
	if _, err := os.Stat(source); err != nil {
		fmt.Fprintf(repo.out, "api: skipped, there is no checker at %s\n", checker)
		return nil
	}
	program, remove, err := buildProgram(ctx, source, ".")
	if err != nil {
		return err
	}
	defer remove()
	var problems []string
	for _, entry := range apiEntries {
		failed, err := repo.compareAPI(ctx, program, filepath.Join(source, "..", ".."), entry)
		if err != nil {
			return err
		}
		if failed {
			problems = append(problems, entry.dir+": differs from its published shape")
		}
	}
	return repo.report("api", problems)
}

// compareAPI prints a line for one package, and the differences where they
// count.
func (r *repository) compareAPI(ctx context.Context, program, shapes string, entry apiEntry) (failed bool, err error) {
	sources, err := filepath.Glob(filepath.Join(r.top, entry.dir, "*.go"))
	if err != nil {
		return false, err
	}
	if len(sources) == 0 {
		fmt.Fprintf(r.out, "-     %s: not there yet\n", entry.dir)
		return false, nil
	}
	args := []string{"-ref", filepath.Join(shapes, entry.shape), "-dir", filepath.Join(r.top, entry.dir)}
	if entry.name != "" {
		args = append(args, "-package", entry.name)
	}
	out, err := group{dir: r.top, gowork: "off"}.output(ctx, program, args...)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	mark, verdict := "ok   ", lines[len(lines)-1]
	if err != nil && !differsInOnly(lines, entry.open) {
		mark = "FAIL "
		fmt.Fprint(r.out, indent(out))
	}
	fmt.Fprintf(r.out, "%s %s: %s\n", mark, path.Clean(entry.dir), verdict)
	return mark == "FAIL ", nil
}

// differsInOnly reports whether the checker found nothing but that one identifier is different.
func differsInOnly(lines []string, identifier string) bool {
	different := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return !strings.HasPrefix(line, "different ") && !strings.HasPrefix(line, "missing ")
	})
	return identifier != "" && len(different) == 1 && different[0] == "different "+identifier
}
