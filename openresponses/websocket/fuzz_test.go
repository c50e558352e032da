package websocket

import (
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
