package websocket

import (
	"errors"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/openresponses"
)

// Whatever a client sends is a valid request or an error that names what is wrong.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type":"response.create","model":"m","input":"hi"}`,
		`{"type":"response.create","model":"m","input":[{"role":"user","content":"hi"}],"generate":false}`,
		`{"type":"response.create","model":"m","previous_response_id":"r","stream":null}`,
		`{"type":"response.create","stream":true}`,
		`{"type":null}`, `[]`, `null`, `"`, ``, `{"Type":"response.create","model":"m"}`,
		`{"type":"response.create","model":"m","type":"x"}`,
	} {
		f.Add([]byte(seed), true)
	}
	f.Add([]byte(`{}`), false)
	f.Fuzz(func(t *testing.T, data []byte, text bool) {
		req, err := decode(frame{text: text, data: data})
		if err != nil {
			if e := openresponses.AsError(err); e.Code == "" || e.HTTPStatus() != 400 {
				t.Errorf("error %v", err)
			}
			return
		}
		if err := req.Validate(); err != nil {
			t.Error(err)
		}
		sent, err := encode(req)
		if err != nil {
			t.Fatal(err)
		}
		again, err := decode(frame{text: true, data: sent})
		if err != nil {
			t.Fatalf("%v in %s", err, sent)
		}
		if resent, err := encode(again); err != nil || string(resent) != string(sent) {
			t.Errorf("sent %s, then %s, %v", sent, resent, err)
		}
	})
}

// Whatever a server sends, each frame is an event or an error, none is lost, and the events can be folded.
func FuzzNext(f *testing.F) {
	for _, seed := range []string{
		`{"type":"response.created","response":{"id":"r"}}` + "\n" + `{"type":"response.completed","sequence_number":1}`,
		`{"type":"error","status":400,"error":{"code":"c","message":"m"}}`,
		`{"type":"error","error":null}` + "\n" + `{"error":{}}` + "\n{}\nnull\n[]\n\n\"",
		`{"type":"response.output_item.added","output_index":-1,"item":{"type":"message"}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data string) {
		w := &Conn{inbox: newInbox(16, nil)}
		ended := errors.New("ended")
		frames := strings.Split(data, "\n")
		go func() {
			for _, frame := range frames {
				w.inbox.put(frameOf(frame))
			}
			w.inbox.fail(ended)
		}()
		var acc openresponses.Accumulator
		for range frames {
			ev, err := w.Next(t.Context())
			if (ev == nil) == (err == nil) || errors.Is(err, ended) {
				t.Fatalf("got %v, %v", ev, err)
			}
			if ev != nil {
				acc.Add(ev)
			}
		}
		for _, want := range []error{ended, openresponses.ErrStreamClosed, openresponses.ErrStreamClosed} {
			if _, err := w.Next(t.Context()); err != want {
				t.Errorf("at the end: %v, want %v", err, want)
			}
		}
	})
}

func frameOf(data string) frame { return frame{text: true, data: []byte(data)} }
