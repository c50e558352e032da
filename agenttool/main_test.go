package agenttool_test

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"testing"
)

// TestMain fails when a goroutine of this package outlives the tests.
func TestMain(m *testing.M) {
	code := m.Run()
	if stacks := leaked(); code == 0 && stacks != nil {
		fmt.Fprintf(os.Stderr, "goroutines left behind:\n%s\n", stacks)
		code = 1
	}
	os.Exit(code)
}

// leaked gives the stacks of goroutines that stay in the code of a batch,
// once those that are about to end have had every chance to.
func leaked() []byte {
	buf := make([]byte, 1<<20)
	for range 1000 {
		stacks := buf[:runtime.Stack(buf, true)]
		if !bytes.Contains(stacks, []byte("agenttool.(*batch)")) {
			return nil
		}
		runtime.Gosched()
	}
	return buf[:runtime.Stack(buf, true)]
}
