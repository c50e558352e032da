package nested

import "testing"

func TestNested(t *testing.T) {}

func TestShort(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
}
