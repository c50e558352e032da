package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

const testKey = "sk-test-0123456789"

// outcome is all that a user gets to see.
type outcome struct {
	status         int
	stdout, stderr string
}

func (o outcome) check(t *testing.T, want outcome) {
	t.Helper()
	if o.status != want.status {
		t.Errorf("exit status %d, want %d", o.status, want.status)
	}
	if o.stdout != want.stdout {
		t.Errorf("standard output\n%q, want\n%q", o.stdout, want.stdout)
	}
	if o.stderr != want.stderr {
		t.Errorf("standard error\n%s\nwant\n%s", o.stderr, want.stderr)
	}
}

func start(key string, args ...string) outcome {
	var stdout, stderr bytes.Buffer
	getenv := func(name string) string { return map[string]string{"OPENAI_API_KEY": key}[name] }
	status := run(context.Background(), args, getenv, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

// inFolder makes a new folder with the files the working directory, for the test.
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

func TestBuiltInModel(t *testing.T) {
	agentturntest.NoLeaks(t)
	long := strings.Repeat("ä", 40_000) // two bytes each, so that the limit cuts none in two
	inFolder(t, map[string]string{
		"note.txt":     "Buy milk.\n",
		"empty.txt":    "",
		"long.txt":     long,
		"odd.txt":      "a" + long, // and here it does
		"picture.png":  "\x89PNG\r\n\x1a\n\x00\x00",
		"folder/a.txt": "a",
	})
	tests := map[string]struct {
		file string
		want outcome
	}{
		"file": {"note.txt", outcome{exitAnswered, "Tool result: Buy milk.\n", `
read_file {"path":"note.txt"}
read_file: 10 of 10 bytes
read_file returned 10 bytes
done: 2 turns, 10 tokens (5 in, 5 out)
`}},
		"empty": {"empty.txt", outcome{exitAnswered, "Tool result: \n", `
read_file {"path":"empty.txt"}
read_file: 0 of 0 bytes
read_file returned 0 bytes
done: 2 turns, 8 tokens (4 in, 4 out)
`}},
		"long": {"long.txt", outcome{exitAnswered, "Tool result: " + long[:65536] + "\n[cut off after 65536 of 80000 bytes]\n", `
read_file {"path":"long.txt"}
read_file: 32768 of 65536 bytes
read_file: 65536 of 65536 bytes
read_file returned 65573 bytes
done: 2 turns, 20 tokens (10 in, 10 out)
`}},
		"character across the limit": {"odd.txt", outcome{exitAnswered, "Tool result: a" + long[:65534] + "\n[cut off after 65535 of 80001 bytes]\n", `
read_file {"path":"odd.txt"}
read_file: 32768 of 65536 bytes
read_file: 65536 of 65536 bytes
read_file returned 65572 bytes
done: 2 turns, 20 tokens (10 in, 10 out)
`}},
		"binary": {"picture.png", outcome{exitAnswered, "Tool result: Error: picture.png: is not a text file\n", `
read_file {"path":"picture.png"}
read_file: 10 of 10 bytes
read_file failed: picture.png: is not a text file
done: 2 turns, 20 tokens (10 in, 10 out)
`}},
		"missing": {"nowhere.txt", outcome{exitFailed, "", `
quickstart: nowhere.txt: no such file or directory
`}},
		"folder": {"folder", outcome{exitFailed, "", `
quickstart: folder: is a directory
`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.want.stderr = strings.TrimPrefix(test.want.stderr, "\n")
			start("", test.file).check(t, test.want)
		})
	}
}

// What README.md shows is what the program prints, to a terminal that has both outputs.
func TestReadme(t *testing.T) {
	t.Chdir(filepath.Join("..", ".."))
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	const command = "$ go run ./examples/quickstart examples/doc.go\n"
	_, shown, ok := strings.Cut(string(text), command)
	shown, _, closed := strings.Cut(shown, "```")
	if !ok || !closed {
		t.Fatalf("README.md does not show what %q prints", command)
	}
	var terminal bytes.Buffer
	none := func(string) string { return "" }
	if status := run(context.Background(), []string{"examples/doc.go"}, none, &terminal, &terminal); status != exitAnswered {
		t.Errorf("exit status %d", status)
	}
	if terminal.String() != shown {
		t.Errorf("README.md shows\n%s\nthe program prints\n%s", shown, &terminal)
	}
}

func TestCommandLine(t *testing.T) {
	inFolder(t, map[string]string{"a": "a", "b": "b"})
	tests := map[string]struct {
		key  string
		args []string
		want string
	}{
		"nothing":              {"", nil, "want one file, got 0; -h lists the flags"},
		"two files":            {"", []string{"a", "b"}, "want one file, got 2; -h lists the flags"},
		"unknown flag":         {"", []string{"-nope", "a"}, "flag provided but not defined: -nope"},
		"model without key":    {"", []string{"-model", "m", "a"}, "-model needs OPENAI_API_KEY, or -base-url for another server"},
		"prompt for nobody":    {testKey, []string{"-prompt", "Why?", "a"}, "-prompt needs -model or -base-url: the built-in model answers no questions"},
		"base URL is a host":   {"", []string{"-base-url", "localhost:11434", "a"}, "-base-url wants a URL such as https://api.openai.com/v1"},
		"base URL is no URL":   {"", []string{"-base-url", "http://user:secret%@host/v1", "a"}, "-base-url wants a URL such as https://api.openai.com/v1"},
		"base URL is a folder": {"", []string{"-base-url", "file:///tmp", "a"}, "-base-url wants a URL such as https://api.openai.com/v1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			start(test.key, test.args...).check(t, outcome{exitUsage, "", "quickstart: " + test.want + "\n"})
		})
	}
	t.Run("help", func(t *testing.T) {
		got := start(testKey, "-h")
		if got.status != exitAnswered || got.stderr != "" || !strings.HasPrefix(got.stdout, "usage: quickstart [flags] file\n  -base-url URL\n") {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("model with key", func(t *testing.T) {
		opts, err := parseOptions([]string{"-model", "m", "a"}, func(string) string { return testKey }, io.Discard)
		if want := (options{"a", openAI, "m", defaultPrompt, testKey, "api.openai.com"}); err != nil || opts != want {
			t.Errorf("got %+v, %v, want %+v", opts, err, want)
		}
	})
}

// serve returns the base URL of a server.
func serve(t *testing.T, handler http.Handler) string {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func TestServer(t *testing.T) {
	agentturntest.NoLeaks(t)
	inFolder(t, map[string]string{"note.txt": "Buy milk.\n"})
	var sent http.Header
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header
		openresponses.NewHandler(&echo.Adapter{}).ServeHTTP(w, r)
	}))
	start(testKey, "-base-url", url, "-model", "echo", "-prompt", "", "note.txt").check(t, outcome{exitAnswered, "Tool result: Buy milk.\n", `read_file {"path":"note.txt"}
read_file: 10 of 10 bytes
read_file returned 10 bytes
done: 2 turns, 10 tokens (5 in, 5 out)
`})
	if got := sent.Get("Authorization"); got != "Bearer "+testKey {
		t.Errorf("the server got Authorization %q", got)
	}
}

func TestQuestion(t *testing.T) {
	inFolder(t, map[string]string{"note.txt": "Buy milk.\n"})
	model := agentturntest.NewModel(t,
		agentturntest.Call("read_file", `{"path":"note.txt","max_bytes":3}`),
		agentturntest.Text("It is about milk."))
	url := serve(t, openresponses.NewHandler(adapter{Streamer: model}))
	start("", "-base-url", url, "-model", "m", "note.txt").check(t, outcome{exitAnswered, "It is about milk.\n", `read_file {"path":"note.txt","max_bytes":3}
read_file: 3 of 3 bytes
read_file returned 33 bytes
done: 2 turns, 0 tokens (0 in, 0 out)
`})
	first, second := model.Requests()[0], model.Requests()[1]
	if first.Model != "m" || first.Instructions != instructions {
		t.Errorf("asked model %q with instructions %q", first.Model, first.Instructions)
	}
	if got, want := first.Input[0].(*openresponses.Message).Text(), defaultPrompt+"\n\nThe file: note.txt"; got != want {
		t.Errorf("asked %q, want %q", got, want)
	}
	if got, want := second.Input[2].(*openresponses.FunctionCallOutput).Output.Text, "Buy\n[cut off after 3 of 10 bytes]"; got != want {
		t.Errorf("the output was %q, want %q", got, want)
	}
}

// adapter serves something that only streams.
type adapter struct {
	openresponses.Streamer
	openresponses.UnsupportedCompaction
}

func (a adapter) Create(ctx context.Context, req openresponses.Request) (*openresponses.Response, error) {
	return openresponses.CollectStream(ctx, a.Streamer, req)
}

func TestServerFails(t *testing.T) {
	agentturntest.NoLeaks(t)
	inFolder(t, map[string]string{"note.txt": "Buy milk.\n"})
	refuse := func(status int, body string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(status)
			io.WriteString(w, body)
		})
	}
	script := func(steps ...agentturntest.Turn) http.Handler {
		return openresponses.NewHandler(adapter{Streamer: agentturntest.NewModel(t, steps...)})
	}
	tests := map[string]struct {
		handler http.Handler
		want    string
	}{
		"key": {
			refuse(401, `{"error":{"message":"Incorrect API key provided: `+testKey+`.","type":"invalid_request_error","code":"invalid_api_key"}}`),
			"quickstart: the server answered 401: Incorrect API key provided: [key]. (check OPENAI_API_KEY)\n",
		},
		"model": {
			refuse(404, `{"error":{"message":"The model 'm' does not exist","type":"invalid_request_error","code":"model_not_found"}}`),
			"quickstart: the server answered 404: The model 'm' does not exist (check -model and -base-url)\n",
		},
		"path": {
			http.NotFoundHandler(),
			"quickstart: the server answered 404: 404 page not found (check -model and -base-url)\n",
		},
		"request": {
			refuse(400, `{"error":{"message":"no\nsuch\tthing"}}`),
			"quickstart: the server answered 400: no such thing\n",
		},
		"nothing said": {
			refuse(403, ""),
			"quickstart: the server answered 403: Forbidden (check OPENAI_API_KEY)\n",
		},
		"overloaded": {
			refuse(503, `{"error":{"message":"overloaded"}}`),
			strings.Repeat("the server answered 503: overloaded; next attempt in 0s\n", 2) +
				"quickstart: the server answered 503: overloaded\n",
		},
		"in the stream": {
			script(agentturntest.Attempt{agentturntest.FailResponse(openresponses.InvalidRequest("bad_key", "the key "+testKey+" has expired", ""))}),
			"quickstart: the server answered 400: the key [key] has expired\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := start(testKey, "-base-url", serve(t, test.handler), "-model", "m", "note.txt")
			got.check(t, outcome{exitFailed, "", test.want})
		})
	}
}

func TestServerUnreachable(t *testing.T) {
	inFolder(t, map[string]string{"note.txt": "Buy milk.\n"})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := listener.Addr().String()
	listener.Close()
	got := start(testKey, "-base-url", "http://"+host+"/v1", "note.txt")
	got.check(t, outcome{exitFailed, "", "quickstart: cannot reach " + host + ": connection refused\n"})
}

// A server that does not stream answers with a whole response.
func TestServerDoesNotStream(t *testing.T) {
	inFolder(t, map[string]string{"note.txt": "Buy milk.\n"})
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"resp_1","object":"response","status":"completed","output":[
			{"type":"message","id":"msg_1","status":"completed","role":"assistant",
			 "content":[{"type":"output_text","text":"Milk."}]}]}`)
	}))
	start("", "-base-url", url, "note.txt").check(t, outcome{exitAnswered, "Milk.\n", "done: 1 turn, 0 tokens (0 in, 0 out)\n"})
}

func TestTurnsAreLimited(t *testing.T) {
	inFolder(t, map[string]string{"note.txt": "Buy milk.\n"})
	model := agentturntest.NewModel(t)
	for range 10 {
		model.Then(agentturntest.Call("read_file", `{"path":"note.txt"}`))
	}
	got := start("", "-base-url", serve(t, openresponses.NewHandler(adapter{Streamer: model})), "-model", "m", "note.txt")
	if got.status != exitFailed || !strings.HasSuffix(got.stderr, "\nstopped by max_turns: 10 turns, 0 tokens (0 in, 0 out)\n") {
		t.Errorf("got %+v", got)
	}
}

// cancelling is a standard output whose user interrupts as soon as it shows something.
type cancelling struct {
	shown  bytes.Buffer
	cancel context.CancelFunc
}

func (c *cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return c.shown.Write(p)
}

func TestInterrupt(t *testing.T) {
	agentturntest.NoLeaks(t)
	inFolder(t, map[string]string{"note.txt": "Buy milk.\n"})
	slow := agentturntest.NewModel(t, agentturntest.Attempt{agentturntest.PartialText("Well, "), agentturntest.Block()})
	url := serve(t, openresponses.NewHandler(adapter{Streamer: slow}))

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stdout, stderr := &cancelling{cancel: cancel}, &bytes.Buffer{}
	none := func(string) string { return "" }
	status := run(ctx, []string{"-base-url", url, "-model", "m", "note.txt"}, none, stdout, stderr)
	outcome{status, stdout.shown.String(), stderr.String()}.check(t, outcome{
		exitInterrupted, "Well, \n", "aborted: 1 turn, 0 tokens (0 in, 0 out)\n",
	})
}

// failing is a standard output that nobody reads.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestOutputFails(t *testing.T) {
	inFolder(t, map[string]string{"note.txt": "Buy milk.\n"})
	var stderr bytes.Buffer
	status := run(context.Background(), []string{"note.txt"}, func(string) string { return "" }, failing{}, &stderr)
	if status != exitFailed || !strings.HasSuffix(stderr.String(), io.ErrClosedPipe.Error()+"\n") {
		t.Errorf("exit status %d, standard error\n%s", status, &stderr)
	}
}
