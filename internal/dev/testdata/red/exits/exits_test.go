package exits

import (
	"os"
	"testing"
)

func TestBefore(t *testing.T) {}

func TestExits(t *testing.T) { os.Exit(3) }
