package callid_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn/internal/callid"
)

func TestDecideKeepsAFreeID(t *testing.T) {
	var table callid.Table
	for _, id := range []string{"call_1", "a", strings.Repeat("x", callid.MaxLength), "weird id/é"} {
		if got := table.Decide(id); got != id {
			t.Errorf("Decide(%q) = %q, want it kept", id, got)
		}
		if !table.Taken(id) {
			t.Errorf("%q is not taken after Decide", id)
		}
	}
}

func TestDecideReplaces(t *testing.T) {
	shape := regexp.MustCompile(`^[A-Za-z0-9_-]{1,39}_[0-9a-f]{24}$`)
	reserved := func(id string) bool { return id == "held" }
	cases := []struct{ name, id, prefix string }{
		{"empty", "", "call_"},
		{"taken", "dup", "dup_"},
		{"reserved", "held", "held_"},
		{"too long", strings.Repeat("a", 65), strings.Repeat("a", 39) + "_"},
		{"too long, odd characters", strings.Repeat("é/", 40), strings.Repeat("_", 39) + "_"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			table := callid.Table{Reserved: reserved}
			table.Take("dup")
			got := table.Decide(c.id)
			if got == c.id || !strings.HasPrefix(got, c.prefix) || !shape.MatchString(got) || len(got) > callid.MaxLength {
				t.Errorf("Decide(%q) = %q", c.id, got)
			}
			again := table.Decide(c.id)
			if again == got {
				t.Errorf("Decide(%q) gave %q twice", c.id, got)
			}
		})
	}
}

func TestDecideIsDeterministic(t *testing.T) {
	decide := func() []string {
		var table callid.Table
		var out []string
		for _, id := range []string{"x", "x", "", "", "x", strings.Repeat("y", 90), strings.Repeat("y", 90)} {
			out = append(out, table.Decide(id))
		}
		return out
	}
	first, second := decide(), decide()
	seen := map[string]bool{}
	for i := range first {
		if first[i] != second[i] {
			t.Errorf("call %d: %q, then %q", i, first[i], second[i])
		}
		if seen[first[i]] {
			t.Errorf("call %d: %q given twice", i, first[i])
		}
		seen[first[i]] = true
	}
}

// A derived ID that is taken already makes way for the next one.
func TestDecideSkipsATakenDerivedID(t *testing.T) {
	var a, b callid.Table
	a.Take("x")
	b.Take("x")
	first := a.Decide("x")
	b.Reserved = func(id string) bool { return id == first }
	if got := b.Decide("x"); got == first {
		t.Errorf("Decide gave %q although it is reserved", got)
	}
}

func TestReset(t *testing.T) {
	var used, fresh callid.Table
	used.Decide("x")
	used.Reset(7)
	fresh.Seed = 7
	for _, id := range []string{"x", "x", ""} {
		if got, want := used.Decide(id), fresh.Decide(id); got != want {
			t.Errorf("Decide(%q) = %q after Reset, want %q", id, got, want)
		}
	}
}

func TestDeriveSeparatesItsParts(t *testing.T) {
	if callid.Derive("p", "ab", "c") == callid.Derive("p", "a", "bc") {
		t.Error("the parts run together")
	}
}

func FuzzDecide(f *testing.F) {
	f.Add("call_1", "call_1")
	f.Add("", "")
	f.Add(strings.Repeat("z", 70), "\xff\xfe")
	f.Fuzz(func(t *testing.T, x, y string) {
		var table callid.Table
		a, b := table.Decide(x), table.Decide(y)
		for _, id := range []string{a, b} {
			if id == "" || len(id) > callid.MaxLength {
				t.Errorf("bad ID %q", id)
			}
		}
		if a == b {
			t.Errorf("%q given twice", a)
		}
	})
}
