package main

import (
	"slices"
	"testing"
)

func TestFuzzTargets(t *testing.T) {
	const listing = `FuzzA
FuzzB
ok  	example.test/one	0.010s
ok  	example.test/none	0.011s
?   	example.test/untested	[no test files]
FuzzC
ok  	example.test/two	0.012s
`
	want := []fuzzTarget{{"example.test/one", "FuzzA"}, {"example.test/one", "FuzzB"}, {"example.test/two", "FuzzC"}}
	if got := fuzzTargets(listing); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFuzz(t *testing.T) {
	status, out, stderr := dev(t, "testdata/green", "fuzz", "-time", "10x")
	if status != 0 {
		t.Errorf("exit status %d\n%s%s", status, out, stderr)
	}
	expect(t, out, "fuzz  example.test/green FuzzSeeds\n", "fuzz: ok\n")

	status, out, _ = dev(t, "testdata/empty", "fuzz")
	if status != 1 {
		t.Errorf("exit status %d without a target, want 1", status)
	}
	expect(t, out, "no fuzz target found")
}
