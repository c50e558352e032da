package main

import (
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn/bench/measure"
)

// TestTable: the table has the median of each case, in order, and what it costs beside ours.
func TestTable(t *testing.T) {
	sample := func(scenario, library string, cpu float64) measure.Sample {
		return measure.Sample{Scenario: scenario, Contender: library, Unit: "turn", Wall: cpu, CPU: cpu}
	}
	var out strings.Builder
	err := printTable(&out, medians([]measure.Sample{
		sample("A", "agentturn", 90), sample("B", "agentturn", 5), sample("A", "other", 500),
		sample("A", "agentturn", 100), sample("B", "agentturn", 7), sample("A", "other", 200),
		sample("A", "agentturn", 900), sample("B", "agentturn", 6), sample("A", "other", 300),
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n")[1:] {
		got = append(got, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"A agentturn turn 100 100 0.00 0 1.00",
		"A other turn 300 300 0.00 0 3.00",
		"B agentturn turn 6 6 0.00 0 1.00",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestPrograms: every library's program builds, runs each of its cases and has the work checked.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs of all libraries")
	}
	var out strings.Builder
	if err := run(&out, "", "1ns", 1); err != nil {
		t.Fatal(err)
	}
	for _, library := range []string{"bytes only", "frames only", "agentturn client", "agentturn loop", "openai-go raw", "openai-go typed"} {
		if !strings.Contains(out.String(), library) {
			t.Errorf("no row for %s in\n%s", library, out.String())
		}
	}
}
