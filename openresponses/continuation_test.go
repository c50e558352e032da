package openresponses_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
)

// brokenStore fails at everything.
type brokenStore struct{ err error }

func (s brokenStore) Load(context.Context, string) (or.Items, bool, error) { return nil, false, s.err }
func (s brokenStore) Save(context.Context, string, or.Items) error         { return s.err }
func (s brokenStore) Delete(context.Context, string) error                 { return s.err }

func storeOf(t *testing.T, id string, items ...or.Item) *or.MemoryStore {
	t.Helper()
	store := or.NewMemoryStore(4)
	if err := store.Save(t.Context(), id, items); err != nil {
		t.Fatal(err)
	}
	return store
}

func TestResolveContinuation(t *testing.T) {
	call := &or.FunctionCall{CallID: "c", Name: "f", Arguments: "{}"}
	down := errors.New("down")
	tests := map[string]struct {
		id       string
		input    or.Items
		stores   []or.ResponseStore
		want     int // items afterwards
		resolved bool
		err      error
	}{
		"nothing to continue": {"", or.Items{or.UserText("x")}, []or.ResponseStore{brokenStore{down}}, 1, false, nil},
		"no store":            {"r", or.Items{or.UserText("x")}, nil, 1, false, nil},
		"miss":                {"r", or.Items{or.UserText("x")}, []or.ResponseStore{nil, or.NewMemoryStore(1)}, 1, false, nil},
		"hit":                 {"r", or.Items{or.UserText("x")}, []or.ResponseStore{storeOf(t, "r", or.UserText("a"), call)}, 3, true, nil},
		"hit in the second":   {"r", nil, []or.ResponseStore{or.NewMemoryStore(1), storeOf(t, "r", call), brokenStore{down}}, 1, true, nil},
		"answers a call":      {"r", or.Items{or.NewFunctionCallOutput("c", "1")}, []or.ResponseStore{storeOf(t, "r", call)}, 2, true, nil},
		"answers no call": {
			"r", or.Items{or.NewFunctionCallOutput("d", "1")}, []or.ResponseStore{storeOf(t, "r", call)}, 1, true,
			&or.Error{Type: or.ErrorTypeInvalidRequest, Code: "invalid_value"},
		},
		"broken": {"r", nil, []or.ResponseStore{brokenStore{down}, storeOf(t, "r", call)}, 0, false, down},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			req := or.Request{Model: "m", Input: tt.input, PreviousResponseID: tt.id}
			cont, err := or.ResolveContinuation(t.Context(), &req, tt.stores...)
			if cont.ID != tt.id || cont.Resolved != tt.resolved {
				t.Errorf("continuation %+v", cont)
			}
			if !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			if len(req.Input) != tt.want {
				t.Errorf("%d items: %v", len(req.Input), req.Input)
			}
			want := tt.id
			if tt.resolved && tt.err == nil {
				want = ""
			}
			if req.PreviousResponseID != want {
				t.Errorf("previous response %q, want %q", req.PreviousResponseID, want)
			}
		})
	}
	t.Run("names", func(t *testing.T) {
		req := or.Request{PreviousResponseID: "resp_x"}
		if _, err := or.ResolveContinuation(t.Context(), &req, brokenStore{down}); !strings.Contains(err.Error(), "resp_x") {
			t.Errorf("error %v", err)
		}
		req = or.Request{PreviousResponseID: "r", Input: or.Items{or.NewFunctionCallOutput("d", "1")}}
		_, err := or.ResolveContinuation(t.Context(), &req, storeOf(t, "r", or.UserText("a")))
		var e *or.Error
		if !errors.As(err, &e) || e.Param != "input[1].call_id" {
			t.Errorf("error %+v", err)
		}
	})
	t.Run("copies", func(t *testing.T) {
		held := or.UserText("a")
		req := or.Request{PreviousResponseID: "r"}
		if _, err := or.ResolveContinuation(t.Context(), &req, storeOf(t, "r", held)); err != nil {
			t.Fatal(err)
		}
		if req.Input[0] == or.Item(held) {
			t.Error("the request shares items with the store")
		}
	})
}

func TestHistory(t *testing.T) {
	req := userRequest("q")
	resp := &or.Response{Output: or.Items{or.AssistantText("a")}}
	got := or.History(req, resp)
	if !reflect.DeepEqual(got, or.Items{or.UserText("q"), or.AssistantText("a")}.Clone()) {
		t.Errorf("got %v", got)
	}
	if got[0] == req.Input[0] || got[1] == resp.Output[0] {
		t.Error("the history shares items")
	}
	if got := or.History(or.Request{}, &or.Response{}); got == nil || len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	if got := or.History(req, nil); len(got) != 1 {
		t.Errorf("without a response: %v", got)
	}
}

func TestStampPreviousID(t *testing.T) {
	other := "resp_other"
	for _, ev := range []or.StreamEvent{
		&or.ResponseCreatedEvent{Response: &or.Response{}}, &or.ResponseQueuedEvent{Response: &or.Response{}},
		&or.ResponseInProgressEvent{Response: &or.Response{}}, &or.ResponseCompletedEvent{Response: &or.Response{}},
		&or.ResponseFailedEvent{Response: &or.Response{}}, &or.ResponseIncompleteEvent{Response: &or.Response{}},
	} {
		resp := reflect.ValueOf(ev).Elem().FieldByName("Response").Interface().(*or.Response)
		if or.StampPreviousID(ev, ""); resp.PreviousResponseID != nil {
			t.Errorf("%s: an empty ID was set", ev.EventType())
		}
		if or.StampPreviousID(ev, "resp_1"); resp.PreviousResponseID == nil || *resp.PreviousResponseID != "resp_1" {
			t.Errorf("%s: %v", ev.EventType(), resp.PreviousResponseID)
		}
		resp.PreviousResponseID = &other
		if or.StampPreviousID(ev, "resp_1"); *resp.PreviousResponseID != other {
			t.Errorf("%s: replaced", ev.EventType())
		}
	}
	or.StampPreviousID(&or.ResponseCreatedEvent{}, "resp_1") // no response, and no panic
	or.StampPreviousID(&or.OutputTextDeltaEvent{}, "resp_1")
	or.StampPreviousID(nil, "resp_1")
}

// seen is what an adapter was asked.
func seeing(a fakeAdapter, seen *or.Request) fakeAdapter {
	create, stream := a.create, a.stream
	a.create = func(ctx context.Context, req or.Request) (*or.Response, error) {
		*seen = req
		return create(ctx, req)
	}
	a.stream = func(ctx context.Context, req or.Request, sink or.EventSink) error {
		*seen = req
		return stream(ctx, req, sink)
	}
	return a
}

func TestHandlerContinues(t *testing.T) {
	for name, stream := range map[string]bool{"JSON": false, "stream": true} {
		t.Run(name, func(t *testing.T) {
			var seen or.Request
			h := or.NewHandler(seeing(saying("answer"), &seen), or.WithResponseStore(or.NewMemoryStore(8)))
			ask := func(req or.Request) *or.Response {
				t.Helper()
				req.Stream = stream
				body, err := json.Marshal(req)
				if err != nil {
					t.Fatal(err)
				}
				rec := post(h, "/responses", string(body))
				if rec.Code != 200 {
					t.Fatalf("got %d %s", rec.Code, rec.Body)
				}
				if stream {
					return terminal(t, events(t, rec))
				}
				var resp or.Response
				if err := json.Unmarshal(rec.Body.Bytes(), &resp); err != nil {
					t.Fatal(err)
				}
				return &resp
			}
			first := ask(userRequest("one"))
			if first.PreviousResponseID != nil {
				t.Errorf("the first continues %q", *first.PreviousResponseID)
			}
			req := userRequest("two")
			req.PreviousResponseID = first.ID
			second := ask(req)
			if second.PreviousResponseID == nil || *second.PreviousResponseID != first.ID {
				t.Errorf("the second continues %v, want %s", second.PreviousResponseID, first.ID)
			}
			if seen.PreviousResponseID != "" || len(seen.Input) != 3 {
				t.Errorf("the adapter saw %q and %d items", seen.PreviousResponseID, len(seen.Input))
			}
			req.PreviousResponseID = second.ID
			ask(req)
			if len(seen.Input) != 5 {
				t.Errorf("the adapter saw %d items", len(seen.Input))
			}
		})
	}
}

func TestHandlerContinuationFails(t *testing.T) {
	tests := map[string]struct {
		store  or.ResponseStore
		status int
		code   string
	}{
		"unknown": {or.NewMemoryStore(1), 404, "previous_response_not_found"},
		"broken":  {brokenStore{errors.New("down")}, 500, "internal_error"},
		"own error": {
			brokenStore{&or.Error{StatusCode: 503, Type: or.ErrorTypeServerError, Code: "busy"}}, 503, "busy",
		},
		"no call": {storeOf(t, "resp_0", or.UserText("a")), 400, "invalid_value"},
	}
	const body = `"model":"m","input":[{"type":"function_call_output","call_id":"c","output":"x"}],"previous_response_id":"resp_0"}`
	for name, tt := range tests {
		for _, request := range [][2]string{
			{"/responses", "{" + body}, {"/responses", `{"stream":true,` + body}, {"/responses/compact", "{" + body},
		} {
			rec := post(or.NewHandler(fakeAdapter{}, or.WithResponseStore(tt.store)), request[0], request[1])
			if p := payloadOf(t, rec); rec.Code != tt.status || p.Code != tt.code {
				t.Errorf("%s, %s: got %d %+v", name, request[0], rec.Code, p)
			}
		}
	}
}

// Without a store the ID is the adapter's business, and the response names it all the same when streamed.
func TestHandlerWithoutStore(t *testing.T) {
	var seen or.Request
	a := seeing(saying("x"), &seen)
	a.compact = func(_ context.Context, req or.CompactRequest) (*or.CompactResponse, error) {
		seen = or.Request{PreviousResponseID: req.PreviousResponseID}
		return &or.CompactResponse{}, nil
	}
	for _, request := range [][2]string{
		{"/responses", `{"model":"m","input":"hi","previous_response_id":"resp_0"}`},
		{"/responses", `{"model":"m","input":"hi","previous_response_id":"resp_0","stream":true}`},
		{"/responses/compact", `{"model":"m","input":"hi","previous_response_id":"resp_0"}`},
	} {
		seen = or.Request{}
		rec := post(or.NewHandler(a), request[0], request[1])
		if rec.Code != 200 || seen.PreviousResponseID != "resp_0" {
			t.Errorf("%v: got %d, the adapter saw %q", request, rec.Code, seen.PreviousResponseID)
		}
	}
	rec := streaming(func(_ context.Context, _ or.Request, sink or.EventSink) error {
		return sink.Send(&or.ResponseCompletedEvent{Response: &or.Response{ID: "resp_1", Status: or.ResponseStatusCompleted}})
	})
	if resp := terminal(t, events(t, rec)); resp.PreviousResponseID != nil {
		t.Errorf("continues %q", *resp.PreviousResponseID)
	}
	rec = post(or.NewHandler(fakeAdapter{stream: func(_ context.Context, _ or.Request, sink or.EventSink) error {
		return sink.Send(&or.ResponseCompletedEvent{Response: &or.Response{ID: "resp_1", Status: or.ResponseStatusCompleted}})
	}}), "/responses", `{"model":"m","input":"hi","previous_response_id":"resp_0","stream":true}`)
	if resp := terminal(t, events(t, rec)); resp.PreviousResponseID == nil || *resp.PreviousResponseID != "resp_0" {
		t.Errorf("continues %v", resp.PreviousResponseID)
	}
}

func TestHandlerCompactContinues(t *testing.T) {
	var seen or.CompactRequest
	store := storeOf(t, "resp_0", or.UserText("a"), or.AssistantText("b"))
	h := or.NewHandler(fakeAdapter{compact: func(_ context.Context, req or.CompactRequest) (*or.CompactResponse, error) {
		seen = req
		return &or.CompactResponse{ID: "resp_c"}, nil
	}}, or.WithResponseStore(store))
	rec := post(h, "/responses/compact", `{"model":"m","input":"c","previous_response_id":"resp_0"}`)
	if rec.Code != 200 || len(seen.Input) != 3 || seen.PreviousResponseID != "" {
		t.Errorf("got %d %s, the adapter saw %+v", rec.Code, rec.Body, seen)
	}
	if store.Len() != 1 {
		t.Error("the compaction was saved")
	}
}

func TestHandlerSaves(t *testing.T) {
	no := false
	tests := map[string]struct {
		id     string
		status or.ResponseStatus
		store  *bool
		saved  bool
	}{
		"completed":   {"resp_1", or.ResponseStatusCompleted, nil, true},
		"incomplete":  {"resp_1", or.ResponseStatusIncomplete, nil, true},
		"failed":      {"resp_1", or.ResponseStatusFailed, nil, false},
		"in progress": {"resp_1", or.ResponseStatusInProgress, nil, false},
		"without ID":  {"", or.ResponseStatusCompleted, nil, false},
		"not wanted":  {"resp_1", or.ResponseStatusCompleted, &no, false},
	}
	for name, tt := range tests {
		for _, stream := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				resp := &or.Response{ID: tt.id, Status: tt.status, Output: or.Items{or.AssistantText("a")}}
				store := or.NewMemoryStore(2)
				h := or.NewHandler(fakeAdapter{
					create: func(context.Context, or.Request) (*or.Response, error) { return resp, nil },
					stream: func(_ context.Context, _ or.Request, sink or.EventSink) error {
						return sink.Send(&or.ResponseCompletedEvent{Response: resp})
					},
				}, or.WithResponseStore(store))
				body, _ := json.Marshal(or.Request{Model: "m", Input: or.Items{or.UserText("q")}, Store: tt.store, Stream: stream})
				if rec := post(h, "/responses", string(body)); rec.Code != 200 {
					t.Fatalf("got %d %s", rec.Code, rec.Body)
				}
				history, ok, _ := store.Load(t.Context(), tt.id)
				if ok != tt.saved || store.Len() > 1 {
					t.Fatalf("saved: %v", ok)
				}
				if ok && (len(history) != 2 || history[1] == resp.Output[0]) {
					t.Errorf("history %v", history)
				}
			})
		}
	}
}

func TestHandlerSaveFails(t *testing.T) {
	h := or.NewHandler(saying("x"), or.WithResponseStore(brokenStore{errors.New("full")}))
	if p := payloadOf(t, post(h, "/responses", hello)); p.Code != "internal_error" {
		t.Errorf("JSON: %+v", p)
	}
	if resp := terminal(t, events(t, post(h, "/responses", helloStream))); resp.Status != or.ResponseStatusCompleted {
		t.Errorf("stream: %+v", resp)
	}
}

// A conversation is kept when the client leaves before the end: it may come back and continue.
func TestHandlerSavesWhenClientIsGone(t *testing.T) {
	for _, body := range []string{hello, helloStream} {
		ctx, cancel := context.WithCancel(t.Context())
		var saveErr error
		store := watchedStore{or.NewMemoryStore(1), &saveErr}
		a := saying("x")
		create, stream := a.create, a.stream
		a.create = func(ctx context.Context, req or.Request) (*or.Response, error) { cancel(); return create(ctx, req) }
		a.stream = func(ctx context.Context, req or.Request, sink or.EventSink) error {
			cancel()
			return stream(ctx, req, sink)
		}
		req := httptest.NewRequest("POST", "/responses", strings.NewReader(body)).WithContext(ctx)
		or.NewHandler(a, or.WithResponseStore(store)).ServeHTTP(httptest.NewRecorder(), req)
		if store.Len() != 1 || saveErr != nil {
			t.Errorf("%s: %d saved, context %v", body, store.Len(), saveErr)
		}
	}
}

// watchedStore notes what the context of a save says.
type watchedStore struct {
	*or.MemoryStore
	err *error
}

func (s watchedStore) Save(ctx context.Context, id string, history or.Items) error {
	*s.err = ctx.Err()
	return s.MemoryStore.Save(ctx, id, history)
}
