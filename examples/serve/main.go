// Command serve serves an agent as a model: the quickstart's, which reads files of the working
// directory. Any client of Open Responses can talk to it, OpenAI's SDKs among them.
//
//	serve                                             the built-in model: no key, no network
//	serve -base-url http://localhost:11434/v1 -model qwen3
//	serve -key secret                                 callers need the bearer key
//
// It prints its URL and how to call it, answers over HTTP and WebSocket, and ends on an
// interrupt when the requests under way are answered, or on a second one at once.
package main

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/examples/readfile"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

// Bounds of a server that strangers may reach.
const (
	maxBody     = 4 << 20
	concurrent  = 64
	deadline    = 10 * time.Minute
	stored      = 10_000 // conversations that can be continued
	headerWait  = 10 * time.Second
	goodbyeWait = 30 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	if err := run(ctx, os.Args[1:], os.Getenv, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

type options struct {
	addr, baseURL, model, key string
}

// run serves until ctx ends.
func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer) error {
	var o options
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.StringVar(&o.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks one")
	flags.StringVar(&o.baseURL, "base-url", "", "`URL` of the server to ask, which is sent OPENAI_API_KEY; empty for the built-in model")
	flags.StringVar(&o.model, "model", "", "`name` of the model to ask")
	flags.StringVar(&o.key, "key", "", "bearer `key` that callers have to send")
	if err := flags.Parse(args); err != nil {
		return err
	}
	files, err := readfile.Open("")
	if err != nil {
		return err
	}
	defer files.Close()
	listener, err := net.Listen("tcp", o.addr)
	if err != nil {
		return err
	}
	fmt.Fprint(out, o.greeting("http://"+listener.Addr().String()))

	server := &http.Server{Handler: o.handler(o.agent(files.Tool(), getenv("OPENAI_API_KEY"))), ReadHeaderTimeout: headerWait}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	goodbye, cancel := context.WithTimeout(context.Background(), goodbyeWait)
	defer cancel()
	if err := server.Shutdown(goodbye); err != nil {
		return fmt.Errorf("requests were still under way: %w", errors.Join(err, server.Close()))
	}
	return nil
}

// agent is what is served.
func (o options) agent(tool agenttool.Tool, apiKey string) agentturn.Config {
	cfg := agentturn.Config{
		Name: "reader", Description: "Answers questions about files.", Model: &echo.Adapter{}, ModelName: o.model,
		Instructions: "You answer questions about files. Read a file with read_file before you say anything about it.",
		Tools:        []agenttool.Tool{tool}, MaxTurns: 10, Retry: agentturn.Retry{MaxAttempts: 3},
	}
	if o.baseURL != "" {
		cfg.Model = openresponses.NewClient(o.baseURL, openresponses.WithAPIKey(apiKey)).AsAdapter()
	}
	return cfg
}

func (o options) handler(cfg agentturn.Config) http.Handler {
	answer := openresponses.NewHandler(responses.New(cfg),
		openresponses.WithResponseStore(openresponses.NewMemoryStore(stored)), openresponses.WithMaxBodyBytes(maxBody))
	limited := responses.Limit(answer, responses.Limits{Concurrent: concurrent, Deadline: deadline, RetryAfter: time.Second})
	// A WebSocket lasts for many turns, and has limits of its own.
	sockets := responses.Limit(websocket.Handler(answer), responses.Limits{Concurrent: concurrent})
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
			sockets.ServeHTTP(w, r)
			return
		}
		limited.ServeHTTP(w, r)
	})
	if o.key != "" {
		h = requireKey(o.key, h)
	}
	mux := http.NewServeMux()
	mux.Handle("/v1/", h)
	return mux
}

// requireKey lets only callers through who send the key.
func requireKey(key string, h http.Handler) http.Handler {
	want := sha256.Sum256([]byte(key)) // of one length, so that comparing tells nothing
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		got := sha256.Sum256([]byte(sent))
		if ok && subtle.ConstantTimeCompare(got[:], want[:]) == 1 {
			h.ServeHTTP(w, r)
			return
		}
		e := openresponses.InvalidRequest("invalid_api_key", "the bearer key is missing or wrong", "")
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		json.NewEncoder(w).Encode(map[string]openresponses.ErrorPayload{"error": e.Payload()})
	})
}

// greeting says how to call the server.
func (o options) greeting(url string) string {
	key, header := "none", ""
	if o.key != "" {
		key, header = "the key", " -H 'Authorization: Bearer '\"$KEY\""
	}
	return fmt.Sprintf(`%[1]s/v1/responses

  curl -N %[1]s/v1/responses%[3]s -H 'Content-Type: application/json' -d '{"model":"reader","input":"README.md","stream":true}'

  new OpenAI({ baseURL: "%[1]s/v1", apiKey: %[2]q })

`, url, key, header)
}
