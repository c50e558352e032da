package asserts

import "testing"

func TestPasses(t *testing.T) { t.Log("hidden") }

func TestFails(t *testing.T) {
	t.Run("good", func(t *testing.T) {})
	t.Run("bad", func(t *testing.T) { t.Error("got 1, want 2") })
}
