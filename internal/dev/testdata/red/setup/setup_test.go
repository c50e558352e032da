package setup

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(4) }
