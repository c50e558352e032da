// Command proxy stands between clients and another server, and adds what many servers lack: continuing an earlier
// response by its ID, and WebSockets.
package main

import (
	"cmp"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

const conversations = 256

func main() {
	upstream := openresponses.NewClient(
		cmp.Or(os.Getenv("OPENRESPONSES_UPSTREAM_URL"), "http://localhost:11434/v1"),
		openresponses.WithAPIKey(os.Getenv("OPENRESPONSES_UPSTREAM_API_KEY")),
	)
	server := &http.Server{
		Addr: ":8000",
		Handler: websocket.Handler(openresponses.NewHandler(upstream.AsAdapter(),
			openresponses.WithResponseStore(openresponses.NewMemoryStore(conversations)))),
		ReadHeaderTimeout: 10 * time.Second,
	}
	log.Printf("listening on %s, asking %s", server.Addr, upstream.BaseURL())
	log.Fatal(server.ListenAndServe())
}
