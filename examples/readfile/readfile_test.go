package readfile

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

// What the model may read, whatever it asks for.
func TestReadIsConfined(t *testing.T) {
	outside := t.TempDir()
	secret, named := filepath.Join(outside, "secret.txt"), filepath.Join(outside, "named.txt")
	for _, name := range []string{secret, named} {
		if err := os.WriteFile(name, []byte("from outside"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inFolder(t, map[string]string{"note.txt": "Buy milk.", "folder/deep.txt": "deep"})
	for link, to := range map[string]string{"link.txt": secret, "links": outside, "inside.txt": "note.txt"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip("no symbolic links:", err)
		}
	}
	files, err := Open(named)
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	up, err := filepath.Rel(mustGetwd(t), secret)
	if err != nil {
		t.Fatal(err)
	}
	const escapes = "path escapes from parent"
	tests := map[string]struct{ path, want, err string }{
		"in the folder":          {path: "note.txt", want: "Buy milk."},
		"with a dot":             {path: "./note.txt", want: "Buy milk."},
		"below it":               {path: "folder/deep.txt", want: "deep"},
		"there and back":         {path: "folder/../note.txt", want: "Buy milk."},
		"link that stays inside": {path: "inside.txt", want: "Buy milk."},
		"named by the user":      {path: named, want: "from outside"},
		"beside the named one":   {path: secret, err: escapes},
		"upwards":                {path: up, err: escapes},
		"link to a file":         {path: "link.txt", err: escapes},
		"link to a folder":       {path: "links/secret.txt", err: escapes},
		"folder":                 {path: "folder", err: "is a directory"},
		"missing":                {path: "nowhere.txt", err: "no such file or directory"},
		"NUL":                    {path: "note.txt\x00", err: "invalid argument"},
	}
	tool := files.Tool()
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			args, err := json.Marshal(readArgs{Path: test.path})
			if err != nil {
				t.Fatal(err)
			}
			result, err := tool.Execute(t.Context(), agenttool.Call{Args: args})
			switch {
			case test.err == "" && err != nil:
				t.Error(err)
			case test.err != "" && (err == nil || err.Error() != test.path+": "+test.err):
				t.Errorf("error %v, want %s: %s", err, test.path, test.err)
			case result.Output.Text != test.want:
				t.Errorf("read %q, want %q", result.Output.Text, test.want)
			}
		})
	}
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestReadLimit(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 2<<20/16)
	inFolder(t, map[string]string{"small.txt": "Größe", "big.txt": big})
	files, err := Open("small.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	tests := map[string]struct {
		args readArgs
		want string
	}{
		"none":               {readArgs{Path: "small.txt"}, "Größe"},
		"negative":           {readArgs{Path: "small.txt", MaxBytes: -1}, "Größe"},
		"more than there is": {readArgs{Path: "small.txt", MaxBytes: 100}, "Größe"},
		"all":                {readArgs{Path: "small.txt", MaxBytes: 7}, "Größe"},
		"between characters": {readArgs{Path: "small.txt", MaxBytes: 4}, "Grö\n[cut off after 4 of 7 bytes]"},
		"in a character":     {readArgs{Path: "small.txt", MaxBytes: 3}, "Gr\n[cut off after 2 of 7 bytes]"},
		"default":            {readArgs{Path: "big.txt"}, big[:64<<10] + "\n[cut off after 65536 of 2097152 bytes]"},
		"at most":            {readArgs{Path: "big.txt", MaxBytes: 1 << 30}, big[:1<<20] + "\n[cut off after 1048576 of 2097152 bytes]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := files.read(t.Context(), test.args)
			if err != nil || got != test.want {
				t.Errorf("got %d bytes ending in %q, %v; want %d ending in %q",
					len(got), got[max(0, len(got)-50):], err, len(test.want), test.want[max(0, len(test.want)-50):])
			}
		})
	}
}

func TestReadStops(t *testing.T) {
	inFolder(t, map[string]string{"note.txt": "Buy milk."})
	files, err := Open("note.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := files.read(ctx, readArgs{Path: "note.txt"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// inFolder changes to a folder of its own with these files.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
