package green

import "testing"

func TestTable(t *testing.T) {
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) { t.Log("a passing test's output is not shown") })
	}
}

func TestSkipped(t *testing.T) { t.Skip("not here") }

func FuzzSeeds(f *testing.F) {
	f.Add("seed")
	f.Fuzz(func(t *testing.T, s string) {})
}

func Example() {
	println("to standard error")
	// Output:
}
