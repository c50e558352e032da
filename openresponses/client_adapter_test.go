package openresponses_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
)

// proxied returns a client of a proxy of the handler, with a store of its own.
func proxied(t testing.TB, upstream http.Handler) *or.Client {
	t.Helper()
	front := or.NewClient(serve(t, upstream).URL)
	proxy := or.NewHandler(front.AsAdapter(), or.WithResponseStore(or.NewMemoryStore(8)))
	return or.NewClient(serve(t, proxy).URL)
}

func TestClientAdapterProxy(t *testing.T) {
	expectNoLeaks(t)
	var seen or.Request
	client := proxied(t, or.NewHandler(seeing(saying("Hello, ", "world!"), &seen)))

	first, err := client.Create(t.Context(), userRequest("one"))
	if err != nil {
		t.Fatal(err)
	}
	if first.OutputText() != "Hello, world!" {
		t.Errorf("text %q", first.OutputText())
	}
	req := userRequest("two")
	req.PreviousResponseID = first.ID
	stream, err := client.CreateStream(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	second, err := stream.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if second.OutputText() != "Hello, world!" || second.PreviousResponseID == nil || *second.PreviousResponseID != first.ID {
		t.Errorf("response %+v", second)
	}
	if seen.PreviousResponseID != "" || len(seen.Input) != 3 {
		t.Errorf("the server saw %q and %d items", seen.PreviousResponseID, len(seen.Input))
	}
	if _, err := client.Compact(t.Context(), or.CompactRequest{}); !or.IsInvalidRequest(err) {
		t.Errorf("compaction without a model: %v", err)
	}
}

// A lax server leaves out much of what the protocol requires; the proxy's clients get it all the same.
func TestClientAdapterProxyCompletes(t *testing.T) {
	expectNoLeaks(t)
	const item = `{"type":"message","id":"msg_1","role":"assistant","status":"completed",` +
		`"content":[{"type":"output_text","text":"hi","annotations":[]}]}`
	upstream := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept") == "application/json" {
			answering(200, "application/json", `{"id":"resp_1","status":"completed","output":[`+item+`]}`)(w, r)
			return
		}
		answering(200, "text/event-stream", `data: {"type":"response.created","response":{"id":"resp_1"}}`+"\n\n"+
			`data: {"type":"response.output_item.done","output_index":0,"item":`+item+"}\n\n"+
			`data: {"type":"response.completed","response":{"id":"resp_1","temperature":0.5}}`+"\n\n")(w, r)
	}))
	store := or.NewMemoryStore(1)
	proxy := or.NewHandler(or.NewClient(upstream.URL).AsAdapter(), or.WithResponseStore(store))
	for _, body := range []string{
		`{"model":"m","input":"hi","top_p":0.25,"metadata":{"k":"v"}}`,
		`{"model":"m","input":"hi","top_p":0.25,"metadata":{"k":"v"},"stream":true}`,
	} {
		rec := post(proxy, "/responses", body)
		wire := rec.Body.String()
		if _, rest, ok := strings.Cut(wire, `"type":"response.completed",`); ok {
			_, rest, _ = strings.Cut(rest, `"response":`)
			wire, _, _ = strings.Cut(rest, "}\n")
		}
		if missing := missingMembers(t, []byte(wire)); len(missing) > 0 {
			t.Errorf("members %v are missing in %s", missing, wire)
		}
		var resp or.Response
		if err := json.Unmarshal([]byte(wire), &resp); err != nil {
			t.Fatal(err)
		}
		if resp.ID != "resp_1" || resp.Status != or.ResponseStatusCompleted || resp.OutputText() != "hi" ||
			resp.Model != "m" || resp.TopP != 0.25 || resp.Metadata["k"] != "v" || resp.CreatedAt == 0 {
			t.Errorf("got %s", wire)
		}
		if history, _, _ := store.Load(t.Context(), "resp_1"); len(history) != 2 {
			t.Errorf("saved %v", history)
		}
	}
}

func TestClientAdapterProxyErrors(t *testing.T) {
	for kind, upstream := range map[string]http.Handler{
		"JSON error": answering(429, "application/json", `{"error":{"code":"slow","message":"wait"}}`),
		"text error": answering(503, "text/plain", "down"),
	} {
		t.Run(kind, func(t *testing.T) {
			expectNoLeaks(t)
			client := proxied(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Retry-After", "9")
				upstream.ServeHTTP(w, r)
			}))
			for call, f := range clientCalls(t.Context(), client) {
				var e *or.Error
				if err := f(); !errors.As(err, &e) || e.StatusCode < 429 || e.Headers.Get("Retry-After") != "9" {
					t.Errorf("%s: %v", call, err)
				}
			}
		})
	}
}

func TestClientAdapterStream(t *testing.T) {
	created := frame(t, &or.ResponseCreatedEvent{Response: &or.Response{ID: "resp_1"}})
	failure := frame(t, &or.ErrorEvent{Status: 429, Error: or.ErrorPayload{Type: "too_many_requests", Code: "slow"}})
	completed := frame(t, &or.ResponseCompletedEvent{Response: &or.Response{ID: "resp_1", Status: "completed"}})
	failed := frame(t, &or.ResponseFailedEvent{Response: &or.Response{ID: "resp_1", Status: "failed"}})
	const done = "data: [DONE]\n\n"
	tests := map[string]struct {
		body  string
		types string
		is    error
		not   error
	}{
		"whole":                   {created + completed + done, "created completed", nil, nil},
		"without a marker":        {created + completed, "created completed", nil, nil},
		"marker alone":            {created + done, "created", nil, nil},
		"cut":                     {created, "created", or.ErrTruncatedStream, nil},
		"cut after an error":      {created + failure, "created error", &or.Error{Code: "slow", StatusCode: 429}, or.ErrTruncatedStream},
		"error, failed":           {created + failure + failed + done, "created error failed", nil, nil},
		"error, marker":           {created + failure + done, "created error", nil, nil},
		"garbage":                 {created + "data: {\n\n" + done, "created", errors.New("decode SSE frame: "), nil},
		"garbage after an error":  {failure + "data: {]\n\n" + done, "error", errors.New("decode SSE frame: "), nil},
		"events after the end":    {completed + created + done, "completed created", nil, nil},
		"unknown and odd events":  {"data: {\"type\":\"x:y\"}\n\n" + completed, "x:y completed", nil, nil},
		"comments, blanks, CRLFs": {": hi\r\n\r\n" + strings.ReplaceAll(completed, "\n", "\r\n"), "completed", nil, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			expectNoLeaks(t)
			a := or.NewClient(serve(t, answering(200, "text/event-stream", tt.body)).URL).AsAdapter()
			check := func(all []or.StreamEvent, err error) {
				t.Helper()
				if got := typesOf(all); got != tt.types {
					t.Errorf("events %s, want %s", got, tt.types)
				}
				switch {
				case (err == nil) != (tt.is == nil):
					t.Errorf("error %v, want %v", err, tt.is)
				case err != nil && !errors.Is(err, tt.is) && !strings.HasPrefix(err.Error(), tt.is.Error()):
					t.Errorf("error %v, want %v", err, tt.is)
				case tt.not != nil && errors.Is(err, tt.not):
					t.Errorf("error %v", err)
				}
			}
			var sent []or.StreamEvent
			err := a.CreateStream(t.Context(), userRequest("x"), or.EventSinkFunc(func(ev or.StreamEvent) error {
				sent = append(sent, ev)
				return nil
			}))
			check(sent, err)

			var ranged []or.StreamEvent
			err = nil
			for ev, failure := range or.Events(t.Context(), a, userRequest("x")) {
				if failure != nil {
					err = failure
					continue
				}
				ranged = append(ranged, ev)
			}
			check(ranged, err)
		})
	}
}

func TestClientAdapterStops(t *testing.T) {
	expectNoLeaks(t)
	server := serve(t, holding(t, ""))
	a := or.NewClient(server.URL).AsAdapter()
	full := errors.New("full")
	n := 0
	err := a.CreateStream(t.Context(), userRequest("x"), or.EventSinkFunc(func(or.StreamEvent) error { n++; return full }))
	if err != full || n != 1 {
		t.Errorf("%d events, error %v", n, err)
	}
	for range or.Events(t.Context(), a, userRequest("x")) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	n = 0
	for _, err := range or.Events(ctx, a, userRequest("x")) {
		if n++; n == 2 {
			cancel()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) || n != 3 {
		t.Errorf("after %d events: %v", n, last)
	}
}

func TestClientAdapterWithoutClient(t *testing.T) {
	a := &or.ClientAdapter{}
	_, createErr := a.Create(t.Context(), or.Request{})
	_, compactErr := a.Compact(t.Context(), or.CompactRequest{})
	errs := []error{createErr, compactErr, a.CreateStream(t.Context(), or.Request{}, nil)}
	for _, err := range or.Events(t.Context(), a, or.Request{}) {
		errs = append(errs, err)
	}
	for i, err := range errs {
		if err == nil {
			t.Errorf("call %d: no error", i)
		}
	}
	if len(errs) != 4 {
		t.Errorf("%d errors", len(errs))
	}
}

// Whoever folds the events does so alone: nobody else changes the items that they carry.
func TestClientAdapterEventsAreUntouched(t *testing.T) {
	expectNoLeaks(t)
	open := &or.Message{ID: "msg_1", Role: or.RoleAssistant, Status: or.StatusInProgress,
		Content: or.Contents{&or.OutputText{Text: "a"}}}
	body := frame(t, &or.ResponseInProgressEvent{Response: &or.Response{ID: "resp_1", Output: or.Items{open}}}) +
		frame(t, &or.OutputTextDeltaEvent{ItemID: "msg_1", Delta: "b"}) + "data: [DONE]\n\n"
	a := or.NewClient(serve(t, answering(200, "text/event-stream", body)).URL).AsAdapter()
	var acc or.Accumulator
	for ev, err := range or.Events(t.Context(), a, userRequest("x")) {
		if err != nil {
			t.Fatal(err)
		}
		acc.Add(ev)
	}
	if got := acc.Response().OutputText(); got != "ab" {
		t.Errorf("folded to %q", got)
	}
}
