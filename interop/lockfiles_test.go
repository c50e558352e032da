package interop_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestLockFiles checks that what is installed is pinned to its content, and to nowhere that it is from.
func TestLockFiles(t *testing.T) {
	files, err := filepath.Glob("*/package.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no packages: %v", err)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		t.Run(folder, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
			if err != nil {
				t.Fatal(err)
			}
			var lock struct{ Packages map[string]map[string]any }
			if err := json.Unmarshal(data, &lock); err != nil {
				t.Fatal(err)
			}
			if len(lock.Packages) < 2 {
				t.Error("the lock file names no packages")
			}
			for name, locked := range lock.Packages {
				if _, ok := locked["resolved"]; ok {
					t.Errorf("%s: has the address that it was downloaded from", name)
				}
				if name != "" && locked["integrity"] == nil {
					t.Errorf("%s: has no checksum", name)
				}
			}
		})
	}
}
