package agenttool_test

import (
	"reflect"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

// jobsFor makes a job for each description of a tool: empty for a plain one,
// ! for a sequential one, nil for none, boom for one that panics when asked,
// and anything else is a resource.
func jobsFor(tools ...string) []agenttool.Job {
	jobs := make([]agenttool.Job, len(tools))
	for i, tool := range tools {
		switch tool {
		case "":
			jobs[i].Tool = bareTool{"plain"}
		case "!":
			jobs[i].Tool = fullTool{sequential: true, resource: "a"}
		case "nil":
		case "boom":
			jobs[i].Tool = panicTool{at: "Resource"}
		default:
			jobs[i].Tool = fullTool{resource: tool}
		}
	}
	return jobs
}

func TestChains(t *testing.T) {
	parallel := agenttool.Executor{}
	tests := []struct {
		name string
		e    agenttool.Executor
		jobs []agenttool.Job
		want [][]int
	}{
		{"no jobs", parallel, nil, nil},
		{"no jobs, serial", agenttool.Executor{Sequential: true}, []agenttool.Job{}, nil},
		{"one", parallel, jobsFor(""), [][]int{{0}}},
		{"independent", parallel, jobsFor("", "nil", ""), [][]int{{0}, {1}, {2}}},
		{"one resource", parallel, jobsFor("a", "a", "a"), [][]int{{0, 1, 2}}},
		{"resources among others", parallel, jobsFor("", "a", "b", "", "b", "a", "nil"), [][]int{{0}, {1, 5}, {2, 4}, {3}, {6}}},
		{"two places are not one", agenttool.Executor{MaxParallel: 2}, jobsFor("a", "", "a"), [][]int{{0, 2}, {1}}},
		{"one place", agenttool.Executor{MaxParallel: 1}, jobsFor("a", "", "nil", "a"), [][]int{{0, 1, 2, 3}}},
		{"serial executor", agenttool.Executor{Sequential: true, MaxParallel: 4}, jobsFor("a", "", "a"), [][]int{{0, 1, 2}}},
		{"one sequential tool", parallel, jobsFor("a", "", "!", "a"), [][]int{{0, 1, 2, 3}}},
		{"a tool that panics when asked is on its own", parallel, jobsFor("a", "boom", "a"), [][]int{{0, 2}, {1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.e.Chains(tt.jobs); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("chains %v, want %v", got, tt.want)
			}
		})
	}
}

// TestChainsDoNotShare: whoever appends to a chain does not write into the
// next one.
func TestChainsDoNotShare(t *testing.T) {
	chains := agenttool.Executor{}.Chains(jobsFor("a", "", "", "a"))
	for i := range chains {
		_ = append(chains[i], -1)
	}
	if want := [][]int{{0, 3}, {1}, {2}}; !reflect.DeepEqual(chains, want) {
		t.Errorf("chains %v, want %v", chains, want)
	}
}
