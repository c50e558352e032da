package builds

import "testing"

func TestNever(t *testing.T) { undefinedName() }
