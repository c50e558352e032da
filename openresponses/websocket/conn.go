package websocket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"sync"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/coder/websocket"
)

// Conn is a client's connection. Send and Close may be called from any goroutine at any time; Next and Turn from one
// at a time. What the server sends is read and kept, up to the client's limit for a response, so that the connection
// stays alive while nobody calls Next.
type Conn struct {
	conn      *websocket.Conn
	inbox     *inbox
	closing   sync.Once
	closed    chan struct{}
	readEnded chan struct{}

	// Of the goroutine that calls Next and Turn:
	abandoned int   // turns that Turn gave up on and whose events are still to come
	tail      int64 // the sequence number that response.failed has after an error event, else 0
}

// Dial opens a connection to the server of c, at its base URL and with its HTTP client, headers and limit for a
// response, which applies to a frame. The context is for the handshake alone. A server that answers the handshake with
// anything but a WebSocket gives an *openresponses.Error.
func Dial(ctx context.Context, c *openresponses.Client) (*Conn, error) {
	if c == nil {
		return nil, errors.New("websocket: dial without a client")
	}
	target, err := url.Parse(c.BaseURL() + "/responses")
	if err != nil {
		return nil, fmt.Errorf("websocket: %w", err)
	}
	switch target.Scheme {
	case "http":
		target.Scheme = "ws"
	case "https":
		target.Scheme = "wss"
	case "ws", "wss":
	default:
		return nil, fmt.Errorf("websocket: unknown scheme %q in the base URL", target.Scheme)
	}
	conn, res, err := websocket.Dial(ctx, target.String(), &websocket.DialOptions{
		HTTPClient: c.HTTPClient(),
		HTTPHeader: c.RequestHeaders(),
	})
	switch {
	case err == nil:
	case res != nil && res.StatusCode != http.StatusSwitchingProtocols:
		return nil, openresponses.ErrorFromResponse(res)
	default:
		return nil, fmt.Errorf("websocket: %w", err)
	}
	conn.SetReadLimit(c.MaxResponseBytes())
	w := &Conn{conn: conn, closed: make(chan struct{}), readEnded: make(chan struct{})}
	w.inbox = newInbox(c.MaxResponseBytes(), w.closed)
	go w.read()
	return w, nil
}

// Send asks for a response. The members stream, stream_options and background have no meaning here and are left out.
// After Close it fails with openresponses.ErrStreamClosed. A context that ends while the request is being written ends
// the connection, for the server has half of it.
func (w *Conn) Send(ctx context.Context, req openresponses.Request) error {
	data, err := encode(req)
	if err != nil {
		return err
	}
	if w.isClosed() {
		return openresponses.ErrStreamClosed
	}
	if err := w.conn.Write(ctx, websocket.MessageText, data); err != nil {
		if w.isClosed() {
			return openresponses.ErrStreamClosed
		}
		return fmt.Errorf("websocket: send: %w", err)
	}
	return nil
}

// encode returns the frame of a request.
func encode(req openresponses.Request) ([]byte, error) {
	req.Stream, req.StreamOptions, req.Background = false, nil, false
	req.Extra = maps.Clone(req.Extra)
	for _, name := range []string{"type", "stream", "stream_options", "background"} {
		delete(req.Extra, name)
	}
	data, err := req.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("websocket: encode request: %w", err)
	}
	const head = `{"type":"` + openresponses.EventWebSocketResponseCreate + `"`
	framed := append(make([]byte, 0, len(head)+len(data)), head...)
	if !bytes.Equal(data, []byte("{}")) {
		framed = append(framed, ',')
	}
	return append(framed, data[1:]...), nil
}

// Next returns the next event. A frame that is an error of the protocol's is an *openresponses.ErrorEvent with a
// status. When the context ends first, its error is returned and no event is lost; one that can't be decoded is lost.
// What ends the connection is returned once, and openresponses.ErrStreamClosed from then on and after Close.
func (w *Conn) Next(ctx context.Context) (openresponses.StreamEvent, error) {
	f, err := w.inbox.take(ctx)
	if err != nil {
		return nil, err
	}
	ev, err := openresponses.DecodeEvent(f.data)
	if err != nil {
		return nil, fmt.Errorf("websocket: %w", err)
	}
	_, ends := openresponses.TerminalResponse(ev)
	w.tail = 0
	if failure, ok := ev.(*openresponses.ErrorEvent); ok {
		ends = true
		w.tail = failure.Sequence() + 1
	}
	if ends && w.abandoned > 0 {
		w.abandoned--
	}
	return ev, nil
}

// Turn sends a request and returns its response, also one that failed. An error event is an *openresponses.Error.
// With every error comes the response as far as it was received, nil if nothing was.
//
// After a turn that was given up, because its context ended, the server still sends the rest of its events: the next
// Turn passes them over, Next returns them.
func (w *Conn) Turn(ctx context.Context, req openresponses.Request) (*openresponses.Response, error) {
	if err := w.Send(ctx, req); err != nil {
		return nil, err
	}
	var acc openresponses.Accumulator
	for {
		stale, tail := w.abandoned > 0, w.tail
		ev, err := w.Next(ctx)
		if err != nil {
			w.abandoned++
			return acc.Response(), err
		}
		if stale || isTail(ev, tail) {
			continue
		}
		acc.Add(ev)
		if failure, ok := ev.(*openresponses.ErrorEvent); ok {
			return received(&acc), failure.Err()
		}
		if _, ok := openresponses.TerminalResponse(ev); ok {
			return acc.Response(), nil
		}
	}
}

// isTail reports whether an event only repeats the error event that ended the turn before.
func isTail(ev openresponses.StreamEvent, sequence int64) bool {
	_, failed := ev.(*openresponses.ResponseFailedEvent)
	return failed && sequence > 0 && ev.Sequence() == sequence
}

// received returns the response unless nothing but an error was received of it.
func received(acc *openresponses.Accumulator) *openresponses.Response {
	resp := acc.Response()
	if resp == nil || resp.ID == "" && len(resp.Output) == 0 {
		return nil
	}
	return resp
}

// Close ends the connection in the normal way. It waits some seconds for the server to agree. Closing again does
// nothing.
func (w *Conn) Close() error {
	var err error
	w.closing.Do(func() {
		close(w.closed)
		err = w.conn.Close(websocket.StatusNormalClosure, "")
		<-w.readEnded
	})
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("websocket: close: %w", err)
	}
	return nil
}

func (w *Conn) isClosed() bool {
	select {
	case <-w.closed:
		return true
	default:
		return false
	}
}

// read fills the inbox until the connection ends.
func (w *Conn) read() {
	defer close(w.readEnded)
	for {
		typ, data, err := w.conn.Read(context.Background())
		switch {
		case errors.Is(err, websocket.ErrMessageTooBig):
			w.fail(&openresponses.FrameTooLargeError{Limit: w.inbox.limit})
			return
		case err != nil:
			w.fail(fmt.Errorf("websocket: %w", err))
			return
		case typ != websocket.MessageText:
			w.fail(errors.New("websocket: the server sent a frame that is not text"))
			return
		case !w.inbox.put(frame{text: true, data: data}):
			return
		}
	}
}

// fail ends the connection for Next to report.
func (w *Conn) fail(err error) {
	w.inbox.fail(err)
	w.conn.CloseNow()
}
