package websocket

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/coder/websocket"
)

// closeTimeout is how long the end of a session may wait for a peer that doesn't read.
const closeTimeout = 5 * time.Second

// Why a session ends.
var (
	errGone     = errors.New("websocket: the connection is gone")
	errTooLarge = errors.New("websocket: frame too large")
	errLifetime = func() error {
		e := openresponses.InvalidRequest(openresponses.CodeWebSocketConnectionLimitReached,
			"the connection has reached the end of its lifetime; open a new one to go on", "")
		e.StatusCode = http.StatusRequestTimeout
		return e
	}()
)

// session is one connection on the server's side. Its turns run one after another in the goroutine of the HTTP
// handler. Another goroutine reads all the time, so that pongs and the end of the connection are noticed during a
// turn, and a third waits for the end of ctx, to close the connection also when an adapter doesn't return.
type session struct {
	handler *openresponses.Handler
	conn    *websocket.Conn
	request *http.Request
	cache   *openresponses.MemoryStore

	ctx    context.Context // of the turns
	cancel context.CancelCauseFunc
	inbox  *inbox

	received atomic.Int64 // frames
	writing  sync.Mutex
}

// serve runs the session until the connection ends.
func serve(h *openresponses.Handler, c config, conn *websocket.Conn, r *http.Request) {
	conn.SetReadLimit(h.MaxBodyBytes())
	limited, stop := context.WithTimeoutCause(r.Context(), c.lifetime, errLifetime)
	defer stop()
	ctx, cancel := context.WithCancelCause(limited)
	s := &session{
		handler: h,
		conn:    conn,
		request: r,
		cache:   openresponses.NewMemoryStore(c.cacheSize),
		ctx:     ctx,
		cancel:  cancel,
		inbox:   newInbox(h.MaxBodyBytes(), ctx.Done()),
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel(errGone)
	running.Go(s.read)
	running.Go(s.closeAtEnd)
	if c.keepalive > 0 {
		running.Go(func() { s.keepAlive(c.keepalive) })
	}
	for {
		f, err := s.inbox.take(ctx)
		if err != nil {
			return
		}
		s.turn(f)
	}
}

// read fills the inbox until the connection ends. It reads without ctx, whose end would drop the connection before
// the peer was told.
func (s *session) read() {
	for {
		typ, data, err := s.conn.Read(context.Background())
		if err != nil {
			if errors.Is(err, websocket.ErrMessageTooBig) {
				err = errTooLarge
			} else {
				err = errGone
			}
			s.cancel(err)
			return
		}
		s.received.Add(1)
		if !s.inbox.put(frame{text: typ == websocket.MessageText, data: data}) {
			return
		}
	}
}

// keepAlive ends the session when a ping stays without an answer. A frame from the peer is an answer too, and a full
// inbox keeps us from seeing any.
func (s *session) keepAlive(interval time.Duration) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-s.ctx.Done():
			return
		}
		if s.inbox.full.Load() {
			continue
		}
		before := s.received.Load()
		// Not of s.ctx, for a context that ends while a ping is being written ends the connection.
		ctx, cancel := context.WithTimeout(context.Background(), interval)
		err := s.conn.Ping(ctx)
		cancel()
		if err != nil && !s.inbox.full.Load() && s.received.Load() == before {
			s.cancel(errGone)
			return
		}
	}
}

// closeAtEnd closes the connection as the cause of its end demands.
func (s *session) closeAtEnd() {
	<-s.ctx.Done()
	switch cause := context.Cause(s.ctx); cause {
	case errGone:
		s.conn.CloseNow()
	case errTooLarge:
		s.conn.Close(websocket.StatusMessageTooBig, "the frame is too large")
	case errLifetime:
		s.sayLast(cause)
		s.conn.Close(websocket.StatusNormalClosure, "")
	default:
		s.conn.Close(websocket.StatusGoingAway, "")
	}
}

// sayLast writes an error after the end of ctx, when nobody else writes any more.
func (s *session) sayLast(err error) {
	late := time.AfterFunc(closeTimeout, func() { s.conn.CloseNow() })
	defer late.Stop()
	s.writing.Lock()
	defer s.writing.Unlock()
	_ = s.conn.Write(context.Background(), websocket.MessageText, errorFrame(err))
}

// write writes one text frame, unless the session is over. A failure ends it.
func (s *session) write(data []byte) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	if err := s.conn.Write(context.Background(), websocket.MessageText, data); err != nil {
		s.cancel(errGone)
		return errGone
	}
	return nil
}

// fail reports an error outside of a stream. The connection stays open.
func (s *session) fail(err error) { _ = s.write(errorFrame(err)) }

func errorFrame(err error) []byte {
	e := openresponses.AsError(err)
	data, err := json.Marshal(struct {
		Type   string                     `json:"type"`
		Status int                        `json:"status"`
		Error  openresponses.ErrorPayload `json:"error"`
	}{openresponses.EventError, e.HTTPStatus(), e.Payload()})
	if err != nil {
		panic(err) // strings and a number
	}
	return data
}

// guard calls f and makes a panic in it an error, logged where the server logs, as the HTTP handler does: package
// net/http would leave a connection that it no longer owns open.
func (s *session) guard(f func() error) (err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		logf := log.Printf
		if server, ok := s.request.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ErrorLog != nil {
			logf = server.ErrorLog.Printf
		}
		if v != http.ErrAbortHandler {
			logf("websocket: panic serving %s: %v\n%s", s.request.URL.Path, v, debug.Stack())
			err = openresponses.ServerError("internal_error", "the adapter failed unexpectedly")
			return
		}
		s.cancel(errGone)
		err = errGone
	}()
	return f()
}
