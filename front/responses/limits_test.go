package responses_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
)

func post(h http.Handler, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/responses", strings.NewReader(body)))
	return w
}

// TestConcurrentLimit: one more than the limit is refused at once, and served again when there is a place.
func TestConcurrentLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := at.NewModel(t, at.Attempt{at.Sleep(time.Minute), at.Text("x")}).RepeatLast()
		h := responses.Limit(openresponses.NewHandler(responses.New(agentturn.Config{Model: model})),
			responses.Limits{Concurrent: 2, RetryAfter: 2500 * time.Millisecond})
		var served sync.WaitGroup
		for range 2 {
			served.Go(func() {
				if w := post(h, `{"model":"m","input":"hi"}`); w.Code != 200 {
					t.Errorf("status %d: %s", w.Code, w.Body)
				}
			})
		}
		synctest.Wait()
		w := post(h, `{"model":"m","input":"hi"}`)
		var body struct{ Error openresponses.ErrorPayload }
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || body.Error.Type != openresponses.ErrorTypeTooManyRequests {
			t.Errorf("body %s, error %v", w.Body, err)
		}
		if w.Code != 429 || w.Header().Get("Retry-After") != "3" {
			t.Errorf("status %d, headers %v", w.Code, w.Header())
		}
		served.Wait()
		if w := post(h, `{"model":"m","input":"hi"}`); w.Code != 200 {
			t.Errorf("status %d when all places are free", w.Code)
		}
	})
}

// TestDeadline: a run that takes too long is aborted, and the client is told why.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, stream := range []bool{false, true} {
			start := time.Now()
			model := at.NewModel(t, at.Attempt{at.PartialText("and so on"), at.Block()}).RepeatLast()
			h := responses.Limit(openresponses.NewHandler(responses.New(agentturn.Config{Model: model})), responses.Limits{Deadline: time.Minute})
			w := post(h, fmt.Sprintf(`{"model":"m","input":"hi","stream":%t}`, stream))
			if !stream && w.Code != 504 {
				t.Errorf("status %d", w.Code)
			}
			if stream && !strings.Contains(w.Body.String(), "event: response.failed\n") {
				t.Errorf("stream %s", w.Body)
			}
			if !strings.Contains(w.Body.String(), `"code":"deadline_exceeded"`) {
				t.Errorf("body %s", w.Body)
			}
			if d := time.Since(start); d != time.Minute {
				t.Errorf("took %v", d)
			}
		}
	})
}

// TestSlowBody: a client that does not finish its request is not waited for beyond the deadline.
func TestSlowBody(t *testing.T) {
	at.NoLeaks(t)
	h := responses.Limit(openresponses.NewHandler(responses.New(agentturn.Config{Model: at.NewModel(t)})), responses.Limits{Deadline: time.Millisecond})
	s := httptest.NewServer(h)
	defer s.Close()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST /responses HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"mo")
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 400 {
		t.Errorf("status %s", res.Status)
	}
}

// TestClientGone: a client that hangs up ends the run and the tools it runs.
func TestClientGone(t *testing.T) {
	at.NoLeaks(t)
	ended := make(chan error, 1)
	model := at.NewModel(t, at.Attempt{at.PartialText("and"), at.Func(func(ctx context.Context, _ openresponses.Request, _ openresponses.EventSink) error {
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return ctx.Err()
	})})
	url := serve(t, openresponses.NewHandler(responses.New(agentturn.Config{Model: model})))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := openresponses.NewClient(url).CreateStream(ctx, asking("hi"))
	if err != nil {
		t.Fatal(err)
	}
	for stream.Next() {
		if _, ok := stream.Event().(*openresponses.OutputTextDeltaEvent); ok {
			break
		}
	}
	cancel()
	stream.Close()
	if err := <-ended; err == nil {
		t.Error("the model's context had no cause")
	}
}

// TestContinueAtOnce: the ID of a response is good for continuing as soon as the client has read it, and a call that was
// only announced is not.
func TestContinueAtOnce(t *testing.T) {
	at.NoLeaks(t)
	model := at.NewModel(t, at.Text("one"), at.Text("two"))
	url := serve(t, openresponses.NewHandler(responses.New(agentturn.Config{Model: model}),
		openresponses.WithResponseStore(openresponses.NewMemoryStore(8))))
	client := openresponses.NewClient(url)
	first, err := client.CreateStream(t.Context(), asking("hi"))
	if err != nil {
		t.Fatal(err)
	}
	var id string
	for first.Next() {
		if r, ok := openresponses.TerminalResponse(first.Event()); ok {
			id = r.ID
			req := asking("and?")
			req.PreviousResponseID = id
			second, err := client.Create(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if second.OutputText() != "two" || len(model.Request(2).Input) != 3 {
				t.Errorf("answer %q to %d items", second.OutputText(), len(model.Request(2).Input))
			}
		}
	}
	if err := first.Err(); err != nil || id == "" {
		t.Errorf("ID %q, error %v", id, err)
	}
	first.Close()
}

// TestContinueUnfinished: a client that leaves in the middle of a response has its ID, and cannot continue it: it is told
// so, and was not shown the call whose output it might send.
func TestContinueUnfinished(t *testing.T) {
	at.NoLeaks(t)
	model := at.NewModel(t, at.Attempt{at.Text("I call."), at.PartialCall("f", `{"a`), at.Block()})
	url := serve(t, openresponses.NewHandler(responses.New(agentturn.Config{Model: model}),
		openresponses.WithResponseStore(openresponses.NewMemoryStore(8))))
	client := openresponses.NewClient(url)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stream, err := client.CreateStream(ctx, withTools(asking("hi"), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for stream.Next() {
		if _, ok := stream.Event().(*openresponses.OutputItemDoneEvent); ok {
			break
		}
	}
	req := withTools(asking(openresponses.NewFunctionCallOutput("call_1", "x")), "f")
	req.PreviousResponseID = stream.Response().ID
	if got := stream.Response().Output; len(got) != 1 || show(got[0]) != `assistant completed ["I call."]` {
		t.Errorf("shown %v", got)
	}
	cancel()
	if _, err := client.Create(t.Context(), req); openresponses.AsError(err).Code != openresponses.CodePreviousResponseNotFound {
		t.Errorf("continuing a response that never ended: error %v", err)
	}
}
