package measure

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestOnce: a case runs for the time it is given, and at least once after the run that is not counted.
func TestOnce(t *testing.T) {
	runs := 0
	var kept []*[1 << 10]byte
	c := Case{Scenario: "s", Contender: "l", Unit: "thing", Units: 4, Run: func() error {
		runs++
		for range 4 {
			kept = append(kept[:0], new([1 << 10]byte))
		}
		return nil
	}}
	got, err := c.Once(0)
	if err != nil || runs != 2 {
		t.Fatalf("ran %d times, error %v", runs, err)
	}
	if got.Scenario != "s" || got.Contender != "l" || got.Unit != "thing" || got.Wall <= 0 {
		t.Errorf("got %+v", got)
	}
	if _, err := c.Once(time.Millisecond); err != nil || runs < 4 {
		t.Errorf("ran %d times in all, error %v", runs, err)
	}
	if len(kept) != 1 {
		t.Error("nothing was allocated")
	}
}

// TestOnceFails: work that was not done is an error, whenever it happens.
func TestOnceFails(t *testing.T) {
	lost := errors.New("half of it is missing")
	for _, good := range []int{0, 1} {
		runs := 0
		c := Case{Scenario: "s", Contender: "l", Units: 1, Run: func() error {
			if runs++; runs > good {
				return lost
			}
			return nil
		}}
		if _, err := c.Once(0); !errors.Is(err, lost) || !strings.HasPrefix(err.Error(), "measure: s, l: ") {
			t.Errorf("after %d good runs: error %v", good, err)
		}
	}
	if _, err := (Case{Run: func() error { return nil }}).Once(0); err == nil {
		t.Error("a case without units was run")
	}
}
