// Package wire is a server that streams one long answer over loopback, as OpenAI's servers shape it, and the work
// that is the same whoever reads it.
package wire

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
)

// Deltas is how many pieces the answer comes in.
const Deltas = 5_000

// Server streams the answer to every POST.
type Server struct {
	URL  string // without a path, as clients want it
	Text string // the answer

	body []byte
	http *httptest.Server
}

// NewServer starts a server.
func NewServer() *Server {
	s := &Server{}
	s.record()
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = s.http.URL
	return s
}

// Close ends the server.
func (s *Server) Close() { s.http.Close() }

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Write(s.body)
}

const (
	response = `{"id":"resp_1","object":"response","created_at":1764547200,"status":%q,"background":false,"error":null,` +
		`"incomplete_details":null,"instructions":null,"max_output_tokens":null,"model":"gpt-5.2","output":[%s],` +
		`"parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},` +
		`"service_tier":"auto","store":false,"temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto",` +
		`"tools":[],"top_p":1.0,"truncation":"disabled","usage":%s,"user":null,"metadata":{}}`
	message = `{"id":"msg_1","type":"message","status":%q,"content":[%s],"role":"assistant"}`
	part    = `{"type":"output_text","annotations":[],"logprobs":[],"text":%s}`
	usage   = `{"input_tokens":12,"input_tokens_details":{"cached_tokens":0},"output_tokens":5000,` +
		`"output_tokens_details":{"reasoning_tokens":0},"total_tokens":5012}`
)

// record makes the body once, so that serving it costs next to nothing.
func (s *Server) record() {
	var body, text bytes.Buffer
	seq := 0
	send := func(event, members string) {
		fmt.Fprintf(&body, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,%s}\n\n", event, event, seq, members)
		seq++
	}
	send("response.created", `"response":`+fmt.Sprintf(response, "in_progress", "", "null"))
	send("response.in_progress", `"response":`+fmt.Sprintf(response, "in_progress", "", "null"))
	send("response.output_item.added", `"output_index":0,"item":`+fmt.Sprintf(message, "in_progress", ""))
	send("response.content_part.added", `"item_id":"msg_1","output_index":0,"content_index":0,"part":`+fmt.Sprintf(part, `""`))
	for i := range Deltas {
		delta := "token" + strconv.Itoa(i) + " "
		text.WriteString(delta)
		send("response.output_text.delta", fmt.Sprintf(
			`"item_id":"msg_1","output_index":0,"content_index":0,"delta":%q,"logprobs":[],"obfuscation":"aB3dE5gH7"`, delta))
	}
	s.Text = text.String()
	full := strconv.Quote(s.Text)
	send("response.output_text.done", `"item_id":"msg_1","output_index":0,"content_index":0,"logprobs":[],"text":`+full)
	send("response.content_part.done", `"item_id":"msg_1","output_index":0,"content_index":0,"part":`+fmt.Sprintf(part, full))
	item := fmt.Sprintf(message, "completed", fmt.Sprintf(part, full))
	send("response.output_item.done", `"output_index":0,"item":`+item)
	send("response.completed", `"response":`+fmt.Sprintf(response, "completed", item, usage))
	s.body = body.Bytes()
}

// Post asks for the answer without any library.
func (s *Server) Post() (io.ReadCloser, error) {
	res, err := http.Post(s.URL+"/responses", "application/json", bytes.NewReader([]byte(`{"model":"m","input":"x","stream":true}`)))
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// Size is how many bytes the body has.
func (s *Server) Size() int { return len(s.body) }

// Frames is how many frames the body has.
func (s *Server) Frames() int { return bytes.Count(s.body, []byte("\n\n")) }

// Check returns an error unless all deltas came and make up the answer.
func (s *Server) Check(deltas, text int) error {
	if deltas != Deltas || text != len(s.Text) {
		return fmt.Errorf("wire: got %d deltas and %d bytes of text, want %d and %d", deltas, text, Deltas, len(s.Text))
	}
	return nil
}
