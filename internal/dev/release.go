package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const changelogFile = "CHANGELOG.md"

// unpublished lists folders whose modules nobody imports, and so have no tag.
var unpublished = []string{"bench", "examples", "internal", "interop"}

var semver = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

func runRelease(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); err != nil {
		return usageError(err)
	}
	if flags.NArg() != 1 || !semver.MatchString(flags.Arg(0)) {
		fmt.Fprintln(flags.Output(), "want one version of the form v1.2.3")
		flags.Usage()
		return errUsage
	}
	return release(ctx, repo, flags.Arg(0), time.Now())
}

// release prepares the tree for one version of all modules. It commits
// nothing and tags nothing, so that what it did can be looked at first.
func release(ctx context.Context, repo *repository, version string, today time.Time) error {
	changelogPath := filepath.Join(repo.top, changelogFile)
	changelog, err := os.ReadFile(changelogPath)
	if err != nil {
		return err
	}
	dated, err := dateChangelog(string(changelog), version, today)
	if err != nil {
		return err
	}
	for _, m := range repo.modules {
		if err := repo.setSiblings(ctx, m, version); err != nil {
			return err
		}
	}
	after, err := openRepository(ctx, repo.top, repo.out)
	if err != nil {
		return err
	}
	if problems := after.versionProblems(); len(problems) > 0 {
		return repo.report("release", problems)
	}
	if err := os.WriteFile(changelogPath, []byte(dated), 0o644); err != nil {
		return err
	}
	after.printTags(version)
	return nil
}

// setSiblings makes a module require its siblings at version.
func (r *repository) setSiblings(ctx context.Context, m *module, version string) error {
	args := []string{"mod", "edit"}
	for _, sibling := range r.siblings(m) {
		args = append(args, "-require="+sibling.path+"@"+version)
	}
	if len(args) == 2 {
		return nil
	}
	if out, err := r.alone(m).output(ctx, "go", args...); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

const unreleased = "## [Unreleased]\n"

// dateChangelog turns what stands under Unreleased into the section of
// version, and leaves an empty Unreleased above it.
func dateChangelog(changelog, version string, today time.Time) (string, error) {
	heading := fmt.Sprintf("## [%s]", strings.TrimPrefix(version, "v"))
	if strings.Contains(changelog, heading) {
		return "", fmt.Errorf("%s already has %s", changelogFile, heading)
	}
	before, after, found := strings.Cut(changelog, unreleased)
	if !found {
		return "", fmt.Errorf("%s has no section %s", changelogFile, strings.TrimSpace(unreleased))
	}
	changes, _, _ := strings.Cut(after, "\n## ")
	if !strings.Contains(changes, "\n- ") {
		return "", fmt.Errorf("%s lists no change under %s", changelogFile, strings.TrimSpace(unreleased))
	}
	return before + unreleased + "\n" + heading + " - " + today.Format(time.DateOnly) + "\n" + after, nil
}

// printTags lists the tags that publish the modules. A module in a folder of
// its own has its folder in its tag; one whose import path lies elsewhere is
// published from there.
func (r *repository) printTags(version string) {
	var tags, elsewhere []string
	for _, m := range r.modules {
		first, _, _ := strings.Cut(m.dir, "/")
		switch {
		case slices.Contains(unpublished, first):
		case within(m.path, rootPath):
			tags = append(tags, path.Join(m.dir, version))
		default:
			elsewhere = append(elsewhere, m.path+" "+version)
		}
	}
	fmt.Fprintln(r.out, "tags:")
	fmt.Fprint(r.out, indent(strings.Join(tags, "\n")))
	if len(elsewhere) > 0 {
		fmt.Fprintln(r.out, "published under import paths of their own:")
		fmt.Fprint(r.out, indent(strings.Join(elsewhere, "\n")))
	}
}
