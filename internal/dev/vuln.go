package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

func runVuln(ctx context.Context, repo *repository, flags *flag.FlagSet, args []string) error {
	if err := parse(flags, args); err != nil {
		return err
	}
	if err := reachVulnDB(ctx); err != nil {
		fmt.Fprintf(repo.out, "vuln: skipped, the database cannot be reached: %v\n", err)
		return nil
	}
	govulncheck, remove, err := repo.buildTool(ctx, govulncheckPath)
	if err != nil {
		return err
	}
	defer remove()
	var problems []string
	for _, g := range repo.groups(repo.modules) {
		out, err := g.output(ctx, govulncheck, g.patterns...)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			problems = append(problems, fmt.Sprintf("%s: %v\n%s", g.dir, err, indent(out)))
		}
	}
	return repo.report("vuln", problems)
}

// reachVulnDB asks the vulnerability database for its smallest file.
func reachVulnDB(ctx context.Context) error {
	db := os.Getenv("GOVULNDB")
	if db == "" {
		db = "https://vuln.go.dev"
	}
	if strings.HasPrefix(db, "file:") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(db, "/")+"/index/db.json", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", request.URL, response.Status)
	}
	return nil
}
