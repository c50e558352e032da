// Command bench measures the library beside others that do the same work, and prints one table.
//
//	go run . [-run regexp] [-time 1s] [-rounds 5]
//
// It builds the program of each library and runs them in turn, round after round, so that what else the machine does
// falls on all alike. The table has the median of the rounds. CPU time is the figure to compare on a noisy machine;
// the last column has it as a multiple of what this library, in the first row that bears its name, takes.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/ChristopherDavenport/agentturn/bench/measure"
)

// programs are the libraries' programs: the directory of each, from this one.
var programs = []string{"ours", "peers/openai"}

const us = "agentturn"

func main() {
	pick := flag.String("run", "", "the scenarios to run, as a regular expression")
	each := flag.String("time", "1s", "how long to run each case in a round")
	rounds := flag.Int("rounds", 5, "how often to run all")
	flag.Parse()
	if err := run(os.Stdout, *pick, *each, max(*rounds, 1)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, pick, each string, rounds int) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var built []string
	for _, program := range programs {
		file := filepath.Join(dir, strings.ReplaceAll(program, "/", "-"))
		build := exec.Command("go", "build", "-o", file, ".")
		build.Dir = filepath.Join(source(), program)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building %s: %w", program, err)
		}
		built = append(built, file)
	}
	var samples []measure.Sample
	for range rounds {
		for _, file := range built {
			more, err := samplesOf(file, "-run", pick, "-time", each)
			if err != nil {
				return err
			}
			samples = append(samples, more...)
		}
	}
	return printTable(out, medians(samples))
}

// source is the directory of this program's source: the working directory, or bench in it.
func source() string {
	if _, err := os.Stat("bench/ours"); err == nil {
		return "bench"
	}
	return "."
}

func samplesOf(program string, args ...string) ([]measure.Sample, error) {
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var samples []measure.Sample
	var bad error
	for dec := json.NewDecoder(out); bad == nil; {
		var s measure.Sample
		if bad = dec.Decode(&s); bad == nil {
			samples = append(samples, s)
		}
	}
	if err := cmd.Wait(); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	if bad != io.EOF {
		return nil, fmt.Errorf("%s: %w", filepath.Base(program), bad)
	}
	return samples, nil
}

// medians makes one sample of all those of the same case, in the order in which the cases first came, scenario by
// scenario.
func medians(samples []measure.Sample) []measure.Sample {
	type key struct{ scenario, library string }
	all := map[key][]measure.Sample{}
	var scenarios []string
	var order []key
	for _, s := range samples {
		k := key{s.Scenario, s.Contender}
		if all[k] == nil {
			order = append(order, k)
		}
		if !slices.Contains(scenarios, s.Scenario) {
			scenarios = append(scenarios, s.Scenario)
		}
		all[k] = append(all[k], s)
	}
	slices.SortStableFunc(order, func(a, b key) int {
		return slices.Index(scenarios, a.scenario) - slices.Index(scenarios, b.scenario)
	})
	var result []measure.Sample
	for _, k := range order {
		m := all[k][0]
		m.Wall = median(all[k], func(s measure.Sample) float64 { return s.Wall })
		m.CPU = median(all[k], func(s measure.Sample) float64 { return s.CPU })
		m.Allocs = median(all[k], func(s measure.Sample) float64 { return s.Allocs })
		m.Bytes = median(all[k], func(s measure.Sample) float64 { return s.Bytes })
		result = append(result, m)
	}
	return result
}

func median(samples []measure.Sample, of func(measure.Sample) float64) float64 {
	var values []float64
	for _, s := range samples {
		values = append(values, of(s))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func printTable(out io.Writer, samples []measure.Sample) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "scenario\tlibrary\tunit\twall ns\tCPU ns\tallocations\tbytes\tCPU, times ours\t")
	for _, s := range samples {
		times := "-"
		for _, our := range samples {
			if our.Scenario == s.Scenario && strings.HasPrefix(our.Contender, us) && our.CPU > 0 {
				times = fmt.Sprintf("%.2f", s.CPU/our.CPU)
				break
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.0f\t%.0f\t%.2f\t%.0f\t%s\t\n",
			s.Scenario, s.Contender, s.Unit, s.Wall, s.CPU, s.Allocs, s.Bytes, times)
	}
	return w.Flush()
}
