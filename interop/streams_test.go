package interop_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"

	"github.com/ChristopherDavenport/agentturn/interop/server"
	"github.com/ChristopherDavenport/openresponses"
)

// digest is what a client made of a response, in terms that all clients share.
type digest struct {
	Status      string       `json:"status"`
	Text        string       `json:"text"`
	Refusal     string       `json:"refusal"`
	Items       []string     `json:"items"` // types
	Calls       []call       `json:"calls"`
	Summaries   []string     `json:"summaries"`
	Reasoning   []string     `json:"reasoning"`
	Annotations []string     `json:"annotations"` // types
	Logprobs    int          `json:"logprobs"`    // how many tokens
	Usage       *usage       `json:"usage"`
	Incomplete  string       `json:"incomplete"` // the reason
	Error       *errorDigest `json:"error"`
}

type call struct {
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

type usage struct {
	Input     int `json:"input"`
	Cached    int `json:"cached"`
	Output    int `json:"output"`
	Reasoning int `json:"reasoning"`
	Total     int `json:"total"`
}

type errorDigest struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// readers are the clients under test. Each reads the stream of that name below a base URL.
var readers = map[string]func(t *testing.T, baseURL, name string) digest{
	"openai-go":     readWithSDK,
	"openresponses": readWithClient,
}

// flatErrors names the streams whose error event has its members beside its type. The protocol has them in a member of
// their own, and the library reads only that: of a flat error it knows that there was one.
var flatErrors = map[string]bool{"error": true}

// TestStreams reads the streams that OpenAI documents with both clients, as they are and by way of a Handler.
func TestStreams(t *testing.T) {
	url := start(t)
	names, err := fs.Glob(server.Streams(), "*.sse")
	if err != nil || len(names) == 0 {
		t.Fatalf("no streams: %v", err)
	}
	for client, read := range readers {
		for _, file := range names {
			name := strings.TrimSuffix(file, ".sse")
			for _, path := range []string{"/streams/v1", "/proxied/v1"} {
				t.Run(client+path+"/"+name, func(t *testing.T) {
					want := wanted(t, name)
					if flatErrors[name] && client+path != "openai-go/streams/v1" {
						want.Error = &errorDigest{}
					}
					compare(t, read(t, url+path, name), want)
				})
			}
		}
	}
}

// TestStreamsWithoutEnd folds all but the terminal event, which repeats everything: the events before it have to
// come to the same.
func TestStreamsWithoutEnd(t *testing.T) {
	client := openresponses.NewClient(start(t) + "/streams/v1")
	names, _ := fs.Glob(server.Streams(), "*.sse")
	for _, file := range names {
		name := strings.TrimSuffix(file, ".sse")
		t.Run(name, func(t *testing.T) {
			var (
				acc   openresponses.Accumulator
				final *openresponses.Response
			)
			for ev, err := range openresponses.Events(t.Context(), client.AsAdapter(), openresponses.Request{Model: name}) {
				if err != nil {
					break // the stream's own error
				}
				if resp, terminal := openresponses.TerminalResponse(ev); terminal {
					final = resp
					break
				}
				acc.Add(ev)
			}
			if final == nil {
				return // a stream that ends in an error has nothing to repeat
			}
			got := openresponses.Response{Output: acc.Response().Output}
			compare(t, digestOf(t, &got), digestOf(t, &openresponses.Response{Output: final.Output}))
		})
	}
}

func wanted(t *testing.T, name string) digest {
	t.Helper()
	data, err := fs.ReadFile(server.Streams(), name+".json")
	if err != nil {
		t.Fatal(err)
	}
	var want digest
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&want); err != nil {
		t.Fatal(err)
	}
	return want
}

func compare(t *testing.T, got, want digest) {
	t.Helper()
	a, _ := json.MarshalIndent(got, "", "  ")
	b, _ := json.MarshalIndent(want, "", "  ")
	if string(a) != string(b) {
		t.Errorf("got %s\nwant %s", a, b)
	}
}

// readWithClient reads with the library's own client.
func readWithClient(t *testing.T, baseURL, name string) digest {
	stream, err := openresponses.NewClient(baseURL).CreateStream(t.Context(), openresponses.Request{Model: name})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	resp, err := stream.Wait()
	if err != nil && resp == nil {
		t.Fatal(err)
	}
	return digestOf(t, resp)
}

// digestOf tells of a response. What the library has no type for is read from its JSON.
func digestOf(t *testing.T, resp *openresponses.Response) digest {
	t.Helper()
	d := newDigest(string(resp.Status))
	d.Text = resp.OutputText()
	for _, item := range resp.Output {
		d.Items = append(d.Items, item.ItemType())
		switch item := item.(type) {
		case *openresponses.Message:
			for _, part := range item.Content {
				switch part := part.(type) {
				case *openresponses.OutputText:
					d.Logprobs += len(part.Logprobs)
					for _, annotation := range part.Annotations {
						d.Annotations = append(d.Annotations, annotation.AnnotationType())
					}
				case *openresponses.Refusal:
					d.Refusal += part.Refusal
				}
			}
		case *openresponses.FunctionCall:
			d.Calls = append(d.Calls, call{item.CallID, item.Name, item.Arguments})
		case *openresponses.ReasoningItem:
			for _, part := range item.Summary {
				d.Summaries = append(d.Summaries, openresponses.Contents{part}.Text())
			}
			for _, part := range item.Content {
				d.Reasoning = append(d.Reasoning, openresponses.Contents{part}.Text())
			}
		}
	}
	if u := resp.Usage; u != nil {
		d.Usage = &usage{
			u.InputTokens, u.InputTokensDetails.CachedTokens,
			u.OutputTokens, u.OutputTokensDetails.ReasoningTokens, u.TotalTokens,
		}
	}
	if resp.IncompleteDetails != nil {
		d.Incomplete = string(resp.IncompleteDetails.Reason)
	}
	if resp.Error != nil {
		d.Error = &errorDigest{resp.Error.Code, resp.Error.Message}
	}
	return d
}

func newDigest(status string) digest {
	return digest{
		Status: status, Items: []string{}, Calls: []call{},
		Summaries: []string{}, Reasoning: []string{}, Annotations: []string{},
	}
}

// readWithSDK reads with the official client.
func readWithSDK(t *testing.T, baseURL, name string) digest {
	client := newClient(t, baseURL)
	stream := client.Responses.NewStreaming(t.Context(), ask(name, "go"))
	defer stream.Close()
	got := drain(t, stream)
	d := newDigest("failed") // if there is an error and no response
	if got.response != nil {
		d = sdkDigest(*got.response)
		if text := got.text.String(); text != d.Text {
			t.Errorf("the deltas come to %q, the response has %q", text, d.Text)
		}
		if text := got.accumulated.Snapshot().OutputText(); got.err == nil && text != d.Text {
			t.Errorf("the accumulator has %q, the response %q", text, d.Text)
		}
	}
	if got.err != nil {
		d.Error = got.err
	}
	return d
}

// drained is what the official client read of a stream.
type drained struct {
	text        strings.Builder // of the deltas
	accumulated responses.ResponseAccumulator
	response    *responses.Response // of the terminal event
	err         *errorDigest        // of an error event
	types       []string
}

func drain(t *testing.T, stream *ssestream.Stream[responses.ResponseStreamEventUnion]) *drained {
	t.Helper()
	var got drained
	for stream.Next() {
		event := stream.Current()
		got.types = append(got.types, event.Type)
		switch event := event.AsAny().(type) {
		case responses.ResponseTextDeltaEvent:
			got.text.WriteString(event.Delta)
		case responses.ResponseCompletedEvent:
			got.response = &event.Response
		case responses.ResponseIncompleteEvent:
			got.response = &event.Response
		case responses.ResponseFailedEvent:
			got.response = &event.Response
		case responses.ResponseErrorEvent:
			got.err = &errorDigest{event.Code, event.Message}
			continue // which the accumulator refuses
		}
		var ws responses.ResponsesServerEventUnion
		if err := json.Unmarshal([]byte(event.RawJSON()), &ws); err != nil {
			t.Fatal(err)
		}
		if err := got.accumulated.AddEvent(ws); err != nil {
			t.Errorf("the accumulator refuses %s: %v", event.RawJSON(), err)
		}
	}
	var streamErr *ssestream.StreamError
	switch err := stream.Err(); {
	case errors.As(err, &streamErr):
		var event struct{ Error errorDigest }
		if err := json.Unmarshal(streamErr.Event.Data, &event); err != nil {
			t.Fatal(err)
		}
		got.err = &event.Error
	case err != nil && !errors.Is(err, context.Canceled):
		t.Fatal(err)
	}
	return &got
}

// sdkDigest tells of a response as the official client has it.
func sdkDigest(resp responses.Response) digest {
	d := newDigest(string(resp.Status))
	d.Text = resp.OutputText()
	for _, item := range resp.Output {
		d.Items = append(d.Items, item.Type)
		switch item := item.AsAny().(type) {
		case responses.ResponseOutputMessage:
			for _, part := range item.Content {
				d.Refusal += part.Refusal
				d.Logprobs += len(part.Logprobs)
				for _, annotation := range part.Annotations {
					d.Annotations = append(d.Annotations, annotation.Type)
				}
			}
		case responses.ResponseFunctionToolCall:
			d.Calls = append(d.Calls, call{item.CallID, item.Name, item.Arguments})
		case responses.ResponseReasoningItem:
			for _, part := range item.Summary {
				d.Summaries = append(d.Summaries, part.Text)
			}
			for _, part := range item.Content {
				d.Reasoning = append(d.Reasoning, part.Text)
			}
		}
	}
	if u := resp.Usage; resp.JSON.Usage.Valid() {
		d.Usage = &usage{
			int(u.InputTokens), int(u.InputTokensDetails.CachedTokens),
			int(u.OutputTokens), int(u.OutputTokensDetails.ReasoningTokens), int(u.TotalTokens),
		}
	}
	d.Incomplete = resp.IncompleteDetails.Reason
	if resp.JSON.Error.Valid() {
		d.Error = &errorDigest{string(resp.Error.Code), resp.Error.Message}
	}
	return d
}
