package alone

import "testing"

func TestAlone(t *testing.T) {}
