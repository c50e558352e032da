// Command openresponses-echo serves the echo adapter, for trying out clients without a model:
//
//	openresponses-echo -addr 127.0.0.1:8000
//	curl -d '{"model":"echo","input":"Hi there"}' http://127.0.0.1:8000/v1/responses
//
// It answers over WebSockets too, from any origin. It logs each request and stops on an interrupt or SIGTERM, when it gives requests ten seconds to finish.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

const (
	headerTimeout   = 10 * time.Second
	shutdownTimeout = 10 * time.Second
)

func main() {
	addr := flag.String("addr", ":8000", "address to listen on")
	lifetime := flag.Duration("ws-lifetime", time.Hour, "how long a WebSocket connection may last")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx, *addr, *lifetime); err != nil {
		log.Fatal(err)
	}
}

// serve runs the server until it fails or the context ends.
func serve(ctx context.Context, addr string, lifetime time.Duration) error {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           logged(handler(lifetime)),
		ReadHeaderTimeout: headerTimeout,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.Printf("listening on %s", listener.Addr())
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		return errors.Join(err, server.Close())
	}
	return nil
}

func handler(lifetime time.Duration) http.Handler {
	return websocket.Handler(openresponses.NewHandler(&echo.Adapter{}),
		websocket.WithOrigins("*"), websocket.WithLifetime(lifetime))
}

// logged logs the requests that h has answered.
func logged(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			log.Printf("%s %s %s %d %v", r.RemoteAddr, r.Method, r.URL.Path, rec.status, time.Since(start))
		}()
		h.ServeHTTP(rec, r)
	})
}

// recorder remembers the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController flush, and the connection become a WebSocket.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
