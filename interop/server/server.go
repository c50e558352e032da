// Package server is the library's side of the tests: handlers for adapters whose answers a client can predict, and
// ready-made streams, all on one loopback address.
package server

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"strings"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

// MaxBodyBytes is what the handlers take of a request.
const MaxBodyBytes = 1 << 20

//go:embed streams
var streams embed.FS

// Streams holds streams as OpenAI documents them: NAME.sse is one, and NAME.json what it comes to.
func Streams() fs.FS {
	sub, err := fs.Sub(streams, "streams")
	if err != nil {
		panic(err) // the name is not a path
	}
	return sub
}

// Server serves, each below a path of its own that is the base URL of a client:
//
//   - /echo/v1: package echo behind a Handler with a MemoryStore;
//   - /scripted/v1: Scripted behind a Handler with a MemoryStore;
//   - /streams/v1: a stream of Streams as it is, the request's model being the name;
//   - /proxied/v1: the same, read by a Client and sent on by a Handler;
//   - /agent/v1: an agent with a tool of its own, on package echo, behind a Handler with a MemoryStore.
//
// Beside them /waiting/KEY and /cancelled/KEY answer once Scripted waits, or saw the end, of a request whose metadata
// has that key.
type Server struct {
	Scripted *Scripted

	listener net.Listener
	server   *http.Server
}

// Start serves on a free port of the loopback address until Close.
func Start() (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	s := &Server{Scripted: NewScripted(), listener: listener}
	s.server = &http.Server{
		Handler:  Handler(s.Scripted, s.URL()),
		ErrorLog: log.New(io.Discard, "", 0), // of the script Panics, among others
	}
	go s.server.Serve(listener) // ends with Close
	return s, nil
}

// URL returns the address without a path.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Close ends all requests and the server.
func (s *Server) Close() error { return s.server.Close() }

// Handler serves what Server does, with url as its own address.
func Handler(scripted *Scripted, url string) http.Handler {
	handler := func(adapter openresponses.Adapter) http.Handler {
		return openresponses.NewHandler(adapter,
			openresponses.WithResponseStore(openresponses.NewMemoryStore(64)),
			openresponses.WithMaxBodyBytes(MaxBodyBytes))
	}
	upstream := openresponses.NewClient(url + "/streams/v1")
	mux := http.NewServeMux()
	mux.Handle("/echo/v1/", handler(&echo.Adapter{}))
	mux.Handle("/scripted/v1/", handler(scripted))
	mux.Handle("/proxied/v1/", handler(upstream.AsAdapter()))
	mux.Handle("/agent/v1/", handler(responses.New(agent())))
	mux.HandleFunc("POST /streams/v1/responses", serveStream)
	mux.HandleFunc("GET /waiting/{key}", func(_ http.ResponseWriter, r *http.Request) {
		await(r, scripted.Tracked(r.PathValue("key")).Waiting)
	})
	mux.HandleFunc("GET /cancelled/{key}", func(_ http.ResponseWriter, r *http.Request) {
		await(r, scripted.Tracked(r.PathValue("key")).Cancelled)
	})
	return mux
}

// agent looks things up, and says what it found.
func agent() agentturn.Config {
	type place struct {
		City string `json:"city"`
	}
	lookUp := agenttool.New("look_up", "Looks a city up.", func(_ context.Context, at place) (string, error) {
		return at.City + " lies on a river", nil
	})
	return agentturn.Config{Name: "guide", Model: &echo.Adapter{}, Tools: []agenttool.Tool{lookUp}}
}

// await delays the empty answer until the channel is closed.
func await(r *http.Request, closed <-chan struct{}) {
	select {
	case <-closed:
	case <-r.Context().Done():
	}
}

// serveStream answers with a ready-made stream.
func serveStream(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Model string `json:"model"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	stream, err := fs.ReadFile(Streams(), request.Model+".sse")
	if errors.Is(err, fs.ErrNotExist) || strings.Contains(request.Model, "/") {
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Write(stream) // to a peer that may be gone
}
