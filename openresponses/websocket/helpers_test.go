package websocket_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/websocket"
	ws "github.com/coder/websocket"
)

// streamer is an adapter that streams with the function.
type streamer func(context.Context, or.Request, or.EventSink) error

func (f streamer) CreateStream(ctx context.Context, req or.Request, sink or.EventSink) error {
	return f(ctx, req, sink)
}

func (f streamer) Create(ctx context.Context, req or.Request) (*or.Response, error) {
	return or.CollectStream(ctx, f, req)
}

func (streamer) Compact(context.Context, or.CompactRequest) (*or.CompactResponse, error) {
	return nil, or.InvalidRequest(or.CodeCompactionNotSupported, "no", "")
}

// say streams one message and completes.
func say(req or.Request, sink or.EventSink, deltas ...string) error {
	e := or.NewEmitter(sink, or.NewResponse(req))
	w, err := e.Message(or.PhaseFinalAnswer)
	if err != nil {
		return err
	}
	for _, delta := range deltas {
		if err := w.Text(delta); err != nil {
			return err
		}
	}
	return e.Complete()
}

// transcript answers with what the adapter was given: the texts of the input, and what it is to continue.
var transcript = streamer(func(_ context.Context, req or.Request, sink or.EventSink) error {
	var texts []string
	for _, item := range req.Input {
		switch item := item.(type) {
		case *or.Message:
			texts = append(texts, item.Text())
		case *or.FunctionCallOutput:
			texts = append(texts, item.Output.String())
		default:
			texts = append(texts, "("+item.ItemType()+")")
		}
	}
	if req.PreviousResponseID != "" {
		texts = append(texts, "after "+req.PreviousResponseID)
	}
	return say(req, sink, strings.Join(texts, "|"))
})

// network is a listener and a dialer without a network, so that tests can run in a synctest bubble.
type network struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (n *network) Accept() (net.Conn, error) {
	select {
	case c := <-n.conns:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error {
	n.once.Do(func() { close(n.closed) })
	return nil
}

func (n *network) Addr() net.Addr { return &net.UnixAddr{Name: "memory"} }

func (n *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case n.conns <- server:
		return client, nil
	case <-n.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// connectivity is a running server and how to reach it.
type connectivity struct {
	t      testing.TB
	http   *http.Client
	cancel context.CancelFunc // ends the base context of the server
}

// start serves a handler until the test ends. It is to be called within a bubble, which then also shows that no
// goroutine is left.
func start(t testing.TB, h http.Handler) *connectivity {
	n := &network{conns: make(chan net.Conn), closed: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	server := &http.Server{Handler: h, BaseContext: func(net.Listener) context.Context { return ctx }}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(n)
	}()
	transport := &http.Transport{DialContext: n.dial, DisableKeepAlives: true}
	t.Cleanup(func() {
		cancel()
		transport.CloseIdleConnections()
		server.Close()
		<-done
	})
	return &connectivity{t: t, http: &http.Client{Transport: transport}, cancel: cancel}
}

func (c *connectivity) client(opts ...or.ClientOption) *or.Client {
	return or.NewClient("http://memory/v1", append([]or.ClientOption{or.WithHTTPClient(c.http)}, opts...)...)
}

// dial opens a connection, which is closed when the test ends.
func (c *connectivity) dial(opts ...or.ClientOption) *websocket.Conn {
	c.t.Helper()
	conn, err := websocket.Dial(c.t.Context(), c.client(opts...))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { conn.Close() })
	return conn
}

// raw opens a connection whose frames the test sees.
func (c *connectivity) raw() *ws.Conn {
	c.t.Helper()
	conn, _, err := ws.Dial(c.t.Context(), "ws://memory/v1/responses", &ws.DialOptions{HTTPClient: c.http})
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { conn.CloseNow() })
	return conn
}

// bubble runs a subtest in a synctest bubble.
func bubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func send(t testing.TB, c *ws.Conn, frame string) {
	t.Helper()
	if err := c.Write(t.Context(), ws.MessageText, []byte(frame)); err != nil {
		t.Fatal(err)
	}
}

// receive reads the next frame, which must be text.
func receive(t testing.TB, c *ws.Conn) map[string]any {
	t.Helper()
	typ, data, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var frame map[string]any
	if err := json.Unmarshal(data, &frame); err != nil || typ != ws.MessageText {
		t.Fatalf("%v frame %q: %v", typ, data, err)
	}
	return frame
}

// receiveTurn reads frames to the end of a turn and returns their types, with the code of an error.
func receiveTurn(t testing.TB, c *ws.Conn) string {
	t.Helper()
	var types []string
	for {
		frame := receive(t, c)
		typ, _ := frame["type"].(string)
		if typ == "error" {
			code, _ := frame["error"].(map[string]any)["code"].(string)
			return strings.Join(append(types, "error "+code), " ")
		}
		if typ != "response.output_text.delta" && frame["sequence_number"] != float64(len(types)) {
			t.Errorf("%s has number %v, want %d", typ, frame["sequence_number"], len(types))
		}
		types = append(types, strings.TrimPrefix(typ, "response."))
		switch typ {
		case "response.completed", "response.failed", "response.incomplete":
			return strings.Join(types, " ")
		}
	}
}

func user(text string) or.Request {
	return or.Request{Model: "m", Input: or.Items{or.UserText(text)}}
}

func after(previous, text string) or.Request {
	req := user(text)
	req.PreviousResponseID = previous
	return req
}

func unstored(req or.Request) or.Request {
	no := false
	req.Store = &no
	return req
}

// mustTurn makes a turn and checks the text of the response.
func mustTurn(t testing.TB, c *websocket.Conn, req or.Request, want string) *or.Response {
	t.Helper()
	resp, err := c.Turn(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.OutputText(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	return resp
}

// wantCode checks the code of an *Error.
func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	if e := or.AsError(err); e == nil || e.Code != code {
		t.Errorf("error is %v, want code %s", err, code)
	}
}
