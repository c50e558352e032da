package interop_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/openresponses"
)

// laxItems are streams whose items lack what the official client requires of items. A Handler completes responses; an
// item is its author's, and is sent on as it came.
var laxItems = map[string]string{
	"no_item_status":       "status: is required by ResponseOutputMessage",
	"reasoning_without_id": "id: is required by ResponseReasoningItem",
}

// TestSDKLaxServers reads streams of servers that leave things out, or break off, with the official client. A Handler
// stands between them, and what comes out of it is what a strict client needs.
func TestSDKLaxServers(t *testing.T) {
	files, err := filepath.Glob("../openresponses/testdata/streams/*.sse")
	if err != nil || len(files) == 0 {
		t.Fatalf("no streams: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".sse")
		t.Run(name, func(t *testing.T) {
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				http.ServeFile(w, r, file)
			}))
			defer upstream.Close()
			proxy := httptest.NewServer(openresponses.NewHandler(openresponses.NewClient(upstream.URL).AsAdapter()))
			defer proxy.Close()
			client := newClient(t, proxy.URL)

			stream := client.Responses.NewStreaming(t.Context(), ask(name, "go"))
			defer stream.Close()
			for stream.Next() {
				event := stream.Current()
				for _, problem := range missing(event.Type, reflect.ValueOf(event.AsAny())) {
					if known := laxItems[name]; known == "" || !strings.HasSuffix(problem, known) {
						t.Error(problem)
					}
				}
			}

			got := drain(t, client.Responses.NewStreaming(t.Context(), ask(name, "go")))
			direct := readWithClient(t, upstream.URL, name)
			switch {
			case got.response != nil:
				if name == "done_marker_only" {
					direct.Status = "completed" // the marker is the end, and what came before it is the answer
				}
				compare(t, sdkDigest(*got.response), direct)
			case got.err == nil:
				t.Error("the stream has neither a response nor an error")
			case direct.Error != nil && *got.err != *direct.Error:
				t.Errorf("the error is %+v, was %+v", *got.err, *direct.Error)
			}
		})
	}
}
