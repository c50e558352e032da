package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

// output is where the program writes; first has its first words.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	first chan string
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	select {
	case o.first <- string(p):
	default:
	}
	return o.text.Write(p)
}

// serving runs the program in a folder with one file, and returns what it printed. It ends with the test.
func serving(t *testing.T, args ...string) (greeting string) {
	t.Helper()
	agentturntest.NoLeaks(t)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("note.txt", []byte("Buy milk."), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	out := &output{first: make(chan string, 1)}
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), func(string) string { return "" }, out)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("ended with %v", err)
		}
	})
	select {
	case greeting = <-out.first:
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	}
	return greeting
}

var urls = regexp.MustCompile(`http://[^/ ]+`)

func request(text string) openresponses.Request {
	return openresponses.Request{Model: "reader", Input: openresponses.Items{openresponses.UserText(text)}}
}

func TestServe(t *testing.T) {
	greeting := serving(t)
	url := urls.FindString(greeting)
	for _, want := range []string{url + "/v1/responses\n", "curl -N " + url, `baseURL: "` + url + `/v1"`} {
		if !strings.Contains(greeting, want) {
			t.Errorf("no %q in %s", want, greeting)
		}
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := openresponses.NewClient(url+"/v1", openresponses.WithHTTPClient(&http.Client{Transport: transport}))
	first, err := client.Create(t.Context(), request("note.txt"))
	if err != nil || first.OutputText() != "Tool result: Buy milk." {
		t.Fatalf("%+v, error %v", first, err)
	}
	more := request("and note.txt again")
	more.PreviousResponseID = first.ID
	stream, err := client.CreateStream(t.Context(), more)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if _, err := stream.Wait(); err != nil {
		t.Errorf("continuing: %v", err)
	}
	conn, err := websocket.Dial(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if response, err := conn.Turn(t.Context(), request("note.txt")); err != nil || response.OutputText() != "Tool result: Buy milk." {
		t.Errorf("over a WebSocket: %+v, error %v", response, err)
	}
}

func TestKey(t *testing.T) {
	greeting := serving(t, "-key", "s3cret")
	if strings.Contains(greeting, "s3cret") || !strings.Contains(greeting, "Authorization: Bearer") {
		t.Errorf("printed %s", greeting)
	}
	url := urls.FindString(greeting)
	for sent, want := range map[string]int{"": 401, "Bearer wrong": 401, "s3cret": 401, "Bearer s3cret": 200} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/responses", strings.NewReader(`{"model":"m","input":"note.txt"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Close = true
		if sent != "" {
			req.Header.Set("Authorization", sent)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != want || want == 401 && !strings.Contains(string(body), `"code":"invalid_api_key"`) {
			t.Errorf("%q: status %d, %s, error %v", sent, res.StatusCode, body, err)
		}
	}
}

func TestUsage(t *testing.T) {
	if err := run(t.Context(), []string{"-addr", "nowhere:http:x"}, os.Getenv, io.Discard); err == nil {
		t.Error("an address that is none")
	}
}
