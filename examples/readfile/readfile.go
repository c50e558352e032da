// Package readfile is a tool that reads text files within bounds. Several of the programs give it to their agents.
package readfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/ChristopherDavenport/agenttool"
)

const (
	defaultBytes = 64 << 10
	mostBytes    = 1 << 20
	chunkBytes   = 32 << 10 // between two reports of progress
)

// Files is what the model may read: what is in the working directory, and the file that
// the user named, wherever that is.
//
// A file may hold instructions to whoever reads it, and a model may follow them. So the
// bounds are not left to the model's good will, nor to a look at the path: an os.Root
// follows neither ".." nor a link to the outside.
type Files struct {
	root  *os.Root
	named string
}

// Open gives access to the working directory and the named file, which has to be one; with an
// empty name, to the directory alone.
func Open(named string) (*Files, error) {
	root, err := os.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	f := &Files{root: root, named: named}
	if named == "" {
		return f, nil
	}
	file, _, err := f.open(named)
	if err != nil {
		root.Close()
		return nil, err
	}
	file.Close()
	return f, nil
}

// Close ends the access.
func (f *Files) Close() error { return f.root.Close() }

// readArgs are the arguments of the tool. Its schema is made from them.
type readArgs struct {
	Path     string `json:"path" desc:"The file, relative to the working directory"`
	MaxBytes int    `json:"max_bytes,omitempty" desc:"Stop after this many bytes; 65536 if not set, and at most 1048576"`
}

// Tool is the tool, read_file.
func (f *Files) Tool() agenttool.Tool {
	return agenttool.New("read_file", "Read a text file.", f.read,
		agenttool.WithAnnotations(agenttool.Annotations{ReadOnly: true}))
}

// read is the tool. An error of its is told to the model, which can try something else.
func (f *Files) read(ctx context.Context, args readArgs) (string, error) {
	file, size, err := f.open(args.Path)
	if err != nil {
		return "", err
	}
	defer file.Close()

	limit := int64(defaultBytes)
	if args.MaxBytes > 0 {
		limit = min(int64(args.MaxBytes), mostBytes)
	}
	text, err := readText(ctx, file, limit, min(size, limit))
	if err != nil {
		return "", fmt.Errorf("%s: %w", args.Path, cause(err))
	}
	if read := int64(len(text)); read < size {
		text += fmt.Sprintf("\n[cut off after %d of %d bytes]", read, size)
	}
	return text, nil
}

// open opens a regular file. Anything else is no file to read: a pipe, for one, would keep
// the call waiting.
func (f *Files) open(path string) (*os.File, int64, error) {
	stat, open := f.root.Stat, f.root.Open
	if path == f.named && path != "" {
		stat, open = os.Stat, os.Open
	}
	info, err := stat(path)
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("%s: %w", path, cause(err))
	case info.IsDir():
		return nil, 0, fmt.Errorf("%s: is a directory", path)
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s: is not a regular file", path)
	}
	file, err := open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", path, cause(err))
	}
	return file, info.Size(), nil
}

// cause is err without the name of the system call and the path.
func cause(err error) error {
	if on := (*fs.PathError)(nil); errors.As(err, &on) {
		return on.Err
	}
	return err
}

// readText reads up to limit bytes of text, of which it expects total, and reports its
// progress. It ends before a character that the limit would cut in two.
func readText(ctx context.Context, file io.Reader, limit, total int64) (string, error) {
	var data bytes.Buffer
	for read := int64(0); read < limit; {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := io.CopyN(&data, file, min(chunkBytes, limit-read))
		read += n
		agenttool.Progress(ctx, agenttool.Result{
			Details: agenttool.ProgressInfo{Progress: float64(read), Total: float64(max(read, total))},
		})
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
	}
	text := data.Bytes()
	if int64(len(text)) == limit {
		text = wholeRunes(text)
	}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return "", errors.New("is not a text file")
	}
	return string(text), nil
}

// wholeRunes leaves out a character that is incomplete at the end of text.
func wholeRunes(text []byte) []byte {
	for start := len(text) - 1; start >= 0 && start > len(text)-utf8.UTFMax; start-- {
		if !utf8.RuneStart(text[start]) {
			continue
		}
		if !utf8.FullRune(text[start:]) {
			return text[:start]
		}
		break
	}
	return text
}
