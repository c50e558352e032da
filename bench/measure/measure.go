// Package measure runs the same work over several libraries, and says what it costs each.
//
// Every library has a program of its own, whose main is [Main]: it runs its cases and prints a [Sample] a line. The
// program one directory up runs them in turn and makes one table of what they print. Programs of their own keep the
// garbage of one library out of the figures of the next, and let libraries that cannot share a build be compared.
package measure

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"syscall"
	"time"
)

// Case is one scenario done by one library.
type Case struct {
	Scenario  string // what is done, the same text for every library
	Contender string // who does it
	Unit      string // what the cost is counted by: "delta", "turn", "run"
	Units     int    // how many of these one Run does

	// Run does the work once, and returns an error unless all of it was done.
	Run func() error
}

// Sample is what a Case cost in one go.
type Sample struct {
	Scenario, Contender, Unit string
	Wall, CPU                 float64 // nanoseconds a unit; CPU is that of the whole process, system calls included
	Allocs, Bytes             float64 // a unit
}

// Once runs the case as often as fits into the given time, at least once, after a run that is not counted.
func (c Case) Once(d time.Duration) (Sample, error) {
	if c.Units <= 0 || c.Run == nil {
		return Sample{}, errors.New("measure: a case needs Units and Run")
	}
	if err := c.Run(); err != nil {
		return Sample{}, fmt.Errorf("measure: %s, %s: %w", c.Scenario, c.Contender, err)
	}
	runtime.GC()
	before := now()
	runs := 0
	for runs == 0 || time.Since(before.wall) < d {
		if err := c.Run(); err != nil {
			return Sample{}, fmt.Errorf("measure: %s, %s: %w", c.Scenario, c.Contender, err)
		}
		runs++
	}
	after := now()
	n := float64(runs) * float64(c.Units)
	return Sample{
		Scenario: c.Scenario, Contender: c.Contender, Unit: c.Unit,
		Wall:   float64(after.wall.Sub(before.wall)) / n,
		CPU:    float64(after.cpu-before.cpu) / n,
		Allocs: float64(after.mem.Mallocs-before.mem.Mallocs) / n,
		Bytes:  float64(after.mem.TotalAlloc-before.mem.TotalAlloc) / n,
	}, nil
}

// reading is the state of the process's meters.
type reading struct {
	wall time.Time
	cpu  time.Duration
	mem  runtime.MemStats
}

func now() reading {
	var r reading
	runtime.ReadMemStats(&r.mem)
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err == nil {
		r.cpu = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	r.wall = time.Now()
	return r
}

// Main is the main function of a library's program: it runs the cases that the flags pick, and prints a Sample a
// line as JSON. The first case that fails ends the program.
func Main(cases []Case) {
	pick := flag.String("run", "", "the scenarios to run, as a regular expression")
	d := flag.Duration("time", time.Second, "how long to run each case")
	flag.Parse()
	if err := run(cases, *pick, *d); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(cases []Case, pick string, d time.Duration) error {
	picked, err := regexp.Compile(pick)
	if err != nil {
		return fmt.Errorf("measure: %w", err)
	}
	out := json.NewEncoder(os.Stdout)
	for _, c := range cases {
		if !picked.MatchString(c.Scenario) {
			continue
		}
		sample, err := c.Once(d)
		if err != nil {
			return err
		}
		if err := out.Encode(sample); err != nil {
			return fmt.Errorf("measure: %w", err)
		}
	}
	return nil
}
