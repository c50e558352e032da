// Command server serves a model of its own: one that answers in upper case, as JSON, as a stream
// and over WebSockets.
package main

import (
	"context"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

func main() {
	server := &http.Server{
		Addr:              ":8000",
		Handler:           websocket.Handler(openresponses.NewHandler(shouter{})),
		ReadHeaderTimeout: 10 * time.Second,
	}
	log.Printf("listening on %s", server.Addr)
	log.Fatal(server.ListenAndServe())
}

// shouter is the adapter. It streams; the rest follows from that.
type shouter struct {
	openresponses.UnsupportedCompaction
}

func (s shouter) Create(ctx context.Context, req openresponses.Request) (*openresponses.Response, error) {
	return openresponses.CollectStream(ctx, s, req)
}

func (shouter) CreateStream(_ context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	emitter := openresponses.NewEmitter(sink, openresponses.NewResponse(req))
	message, err := emitter.Message(openresponses.PhaseFinalAnswer)
	if err != nil {
		return err
	}
	if err := message.Text(strings.ToUpper(lastUserText(req.Input))); err != nil {
		return err
	}
	return emitter.Complete()
}

func lastUserText(input openresponses.Items) string {
	for i := len(input) - 1; i >= 0; i-- {
		if m, ok := input[i].(*openresponses.Message); ok && m.Role == openresponses.RoleUser {
			return m.Text()
		}
	}
	return ""
}
