package chatcompletions_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/chatcompletions"
	"github.com/ChristopherDavenport/openresponses/streamtest"
)

// answers says what comes of the answers in testdata/answers: a response, or an error if it begins with a class.
var answers = map[string]string{
	"text.sse":                        `completed; message completed "Hello"; usage 3+4=7`,
	"usage_absent.sse":                `completed; message completed "Hello"`,
	"usage_without_total.sse":         `completed; message completed "Hello"; usage 3+4=7`,
	"usage_in_every_chunk.sse":        `completed; message completed "Hello"; usage 3+4=7`,
	"done_missing.sse":                `completed; message completed "Hello"`,
	"finish_missing.sse":              `server_error truncated_stream: `,
	"finish_empty.sse":                `completed; message completed "Hello"`,
	"cut_mid_frame.sse":               `server_error truncated_stream: `,
	"cut_after_finish.sse":            `completed; message completed "Hello"`,
	"length.sse":                      `incomplete max_output_tokens; message incomplete "Hello"`,
	"length_in_call.sse":              `incomplete max_output_tokens; call incomplete a f {"x":1`,
	"content_filter.sse":              `incomplete content_filter; message incomplete "Hello"`,
	"finish_unknown.sse":              `model_error insufficient_system_resource: `,
	"reasoning_content.sse":           `completed; reasoning completed "Hmm."; message completed "Hello"`,
	"reasoning.sse":                   `completed; reasoning completed "Hmm."; message completed "Hello"`,
	"reasoning_under_both_names.sse":  `completed; reasoning completed "Hmm."; message completed "Hello"`,
	"reasoning_object.sse":            `completed; message completed "Hello"`,
	"refusal.sse":                     `completed; message completed refusal "I won't."`,
	"call.sse":                        `completed; call completed a f {"x":1}`,
	"call_whole.sse":                  `completed; call completed a f {"x":1}`,
	"call_after_text.sse":             `completed; message completed "Hello"; call completed a f {}`,
	"calls_parallel.sse":              `completed; call completed a f {"x":1}; call completed b g {}`,
	"calls_in_one_chunk.sse":          `completed; call completed a f {"x":1}; call completed b g {}`,
	"calls_without_index.sse":         `completed; call completed a f {"x":1}; call completed b g {}`,
	"calls_without_index_or_id.sse":   `completed; call completed generated f {"x":1}; call completed generated f {}`,
	"call_pieces_without_index.sse":   `completed; call completed a f {"x":1}`,
	"calls_all_at_index_0.sse":        `completed; call completed a f {"x":1}; call completed b g {}`,
	"call_without_id.sse":             `completed; call completed generated f {"x":1}`,
	"call_id_empty.sse":               `completed; call completed generated f {"x":1}`,
	"call_head_repeated.sse":          `completed; call completed a f {"x":1}`,
	"call_name_late.sse":              `completed; call completed a f {"x":1}`,
	"call_name_missing.sse":           `server_error invalid_upstream_response: a tool call has no name`,
	"call_arguments_missing.sse":      `completed; call completed a f {}`,
	"call_arguments_object.sse":       `completed; call completed a f {"x": 1}`,
	"call_finish_stop.sse":            `completed; call completed a f {}`,
	"calls_interleaved.sse":           `server_error invalid_upstream_response: the server goes back`,
	"call_interrupted_by_text.sse":    `server_error invalid_upstream_response: the server goes on`,
	"function_call.sse":               `completed; call completed generated f {"x":1}`,
	"content_parts.sse":               `completed; message completed "Hello"`,
	"content_number.sse":              `server_error invalid_upstream_response: `,
	"first_chunk_without_choices.sse": `completed; message completed "Hello"`,
	"nulls.sse":                       `completed; message completed "Hello"`,
	"second_choice.sse":               `completed; message completed "Hello"`,
	"service_tier.sse":                `completed; message completed "Hello"`,
	"keep_alive_crlf.sse":             `completed; message completed "Hello"`,
	"no_space_after_colon.sse":        `completed; message completed "Hello"`,
	"error_first.sse":                 `server_error 503: overloaded`,
	"error_in_stream.sse":             `server_error oom: out of memory`,
	"error_string.sse":                `server_error http_500: out of memory`,
	"not_json.sse":                    `server_error invalid_upstream_response: `,
	"annotations.sse":                 `completed; message completed "Hello"`,
	"logprobs.sse":                    `completed; message completed "Hello"`,
	"whole.json":                      `completed; reasoning completed "Hmm."; message completed "Hello"; usage 3+4=7`,
	"whole_with_calls.json":           `completed; call completed a f {"x":1}; call completed b g {}; usage 3+4=7`,
	"whole_cut.json":                  `server_error upstream_error: `,
	"error_with_status_200.json":      `server_error model_not_found: no such model`,
	"lines.json":                      `completed; message completed "Hello"`,
	"page.html":                       `server_error truncated_stream: `,
	"empty.txt":                       `server_error truncated_stream: `,
}

func readAnswer(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/answers/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestAnswers(t *testing.T) {
	files, err := os.ReadDir("testdata/answers")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := file.Name()
		want, ok := answers[name]
		if !ok {
			if name != "README.md" && name != ".gitattributes" {
				t.Errorf("nothing is said of %s", name)
			}
			continue
		}
		t.Run(name, func(t *testing.T) {
			body := readAnswer(t, name)
			u, adapter := answering(body)
			sink, err := streamtest.Run(t.Context(), adapter, user("hi"))
			if u.closed == 0 {
				t.Error("the body was not closed")
			}
			if isError := !strings.HasPrefix(want, "completed") && !strings.HasPrefix(want, "incomplete"); isError {
				if err == nil {
					t.Fatalf("got %s, want %s", describe(sink.Response()), want)
				}
				if got := describeError(t, errors.Unwrap(err)); !strings.HasPrefix(got, want) {
					t.Errorf("got error %s, want %s", got, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(sink.Response()); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			// However the network chops it, the answer is the same.
			u.body = iotest.OneByteReader(strings.NewReader(body))
			resp, err := adapter.Create(t.Context(), user("hi"))
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(resp); got != want {
				t.Errorf("Create: got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestDetailsOfAnswers(t *testing.T) {
	create := func(t *testing.T, name string) *or.Response {
		t.Helper()
		_, adapter := answering(readAnswer(t, name))
		resp, err := adapter.Create(t.Context(), user("hi"))
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	text := func(resp *or.Response) *or.OutputText {
		return resp.Output[0].(*or.Message).Content[0].(*or.OutputText)
	}
	t.Run("the model of the first chunk", func(t *testing.T) {
		if got := create(t, "text.sse").Model; got != "served" {
			t.Error(got)
		}
		if got := create(t, "first_chunk_without_choices.sse").Model; got != "asked" {
			t.Error(got)
		}
	})
	t.Run("the model is known when the response is created", func(t *testing.T) {
		_, adapter := answering(readAnswer(t, "text.sse"))
		sink, err := streamtest.Run(t.Context(), adapter, user("hi"))
		if err != nil {
			t.Fatal(err)
		}
		if created := sink.Events()[0].(*or.ResponseCreatedEvent); created.Response.Model != "served" {
			t.Error(created.Response.Model)
		}
	})
	t.Run("tokens in detail", func(t *testing.T) {
		u := create(t, "text.sse").Usage
		if u.InputTokensDetails.CachedTokens != 2 || u.OutputTokensDetails.ReasoningTokens != 1 {
			t.Errorf("%+v", u)
		}
	})
	t.Run("the service tier", func(t *testing.T) {
		if got := create(t, "service_tier.sse").ServiceTier; got != or.ServiceTierFlex {
			t.Error(got)
		}
	})
	t.Run("the phase", func(t *testing.T) {
		if got := create(t, "text.sse").Output[0].(*or.Message).Phase; got != or.PhaseFinalAnswer {
			t.Error(got)
		}
	})
	t.Run("citations", func(t *testing.T) {
		got := text(create(t, "annotations.sse")).Annotations
		if len(got) != 2 || got[0].(*or.URLCitation).Title != "A" || got[1].(*or.URLCitation).URL != "https://example.test/b" {
			t.Errorf("%v", got)
		}
	})
	t.Run("log probabilities", func(t *testing.T) {
		got := text(create(t, "logprobs.sse")).Logprobs
		if len(got) != 1 || got[0].Token != "Hello" || got[0].Logprob != -0.5 || len(got[0].TopLogprobs) != 1 {
			t.Errorf("%v", got)
		}
	})
}

func TestRefusedRequests(t *testing.T) {
	const key = "sk-very-secret"
	for _, c := range []struct {
		name   string
		status int
		body   string
		want   string
		param  string
	}{
		{"OpenAI's form", 400, `{"error":{"message":"bad","type":"invalid_request_error","param":"x","code":"oops"}}`, "invalid_request oops: bad", "x"},
		{"a numeric code", 400, `{"error":{"message":"bad","type":"t","param":null,"code":40001}}`, "invalid_request 40001: bad", ""},
		{"a type for a code", 429, `{"error":{"message":"slow","type":"rate_limit","code":null}}`, "too_many_requests rate_limit: slow", ""},
		{"a string", 404, `{"error":"no such model"}`, "not_found http_404: no such model", ""},
		{"vLLM's form", 400, `{"object":"error","message":"bad","type":"BadRequestError","param":null,"code":400}`, "invalid_request 400: bad", ""},
		{"FastAPI's form", 404, `{"detail":"Not Found"}`, "not_found http_404: Not Found", ""},
		{"text", 503, " overloaded\n", "server_error http_503: overloaded", ""},
		{"nothing", 401, "", "invalid_request http_401: 401 Unauthorized", ""},
		{"another object", 500, `{"error":null}`, `server_error http_500: {"error":null}`, ""},
		{"a redirect that leads nowhere", 304, "", "server_error http_304: 304 Not Modified", ""},
		{"the key", 401, `{"error":{"message":"Incorrect API key: ` + key + `"}}`, "invalid_request http_401: Incorrect API key: [key]", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &upstream{status: c.status, body: strings.NewReader(c.body), header: http.Header{
				"Retry-After": {"7"}, "Set-Cookie": {"x"},
			}}
			adapter := chatcompletions.New(u.client(or.WithAPIKey(key)))
			sink, err := streamtest.Run(t.Context(), adapter, user("hi"))
			if err == nil || len(sink.Events()) > 0 {
				t.Fatalf("%v and %d events", err, len(sink.Events()))
			}
			err = errors.Unwrap(err)
			if got := describeError(t, err); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			e := err.(*or.Error)
			if e.StatusCode != c.status || e.Param != c.param || e.Headers.Get("Retry-After") != "7" || e.Headers.Get("Set-Cookie") != "" {
				t.Errorf("got %+v", e)
			}
			if u.closed == 0 {
				t.Error("the body was not closed")
			}
		})
	}
}

func TestFailures(t *testing.T) {
	broken := errors.New("broken")
	text := readAnswer(t, "text.sse")
	first, _, _ := strings.Cut(text, "finish_reason\": \"stop")
	t.Run("no connection", func(t *testing.T) {
		u := &upstream{err: broken}
		_, err := chatcompletions.New(u.client()).Create(t.Context(), user("hi"))
		if got := describeError(t, err); !strings.HasPrefix(got, "server_error upstream_error: ") {
			t.Error(got)
		}
	})
	t.Run("a connection that breaks", func(t *testing.T) {
		u := &upstream{body: io.MultiReader(strings.NewReader(first), iotest.ErrReader(broken))}
		_, err := chatcompletions.New(u.client()).Create(t.Context(), user("hi"))
		if got := describeError(t, err); !strings.HasPrefix(got, "server_error upstream_error: ") {
			t.Error(got)
		}
	})
	t.Run("a body that is cut", func(t *testing.T) {
		u := &upstream{body: io.MultiReader(strings.NewReader(first), iotest.ErrReader(io.ErrUnexpectedEOF))}
		_, err := chatcompletions.New(u.client()).Create(t.Context(), user("hi"))
		if got := describeError(t, err); !strings.HasPrefix(got, "server_error upstream_error: ") {
			t.Error(got)
		}
	})
	t.Run("a body that is cut when all was said", func(t *testing.T) {
		said := strings.TrimSuffix(text, "data: [DONE]\n\n")
		u := &upstream{body: io.MultiReader(strings.NewReader(said), iotest.ErrReader(io.ErrUnexpectedEOF))}
		resp, err := chatcompletions.New(u.client()).Create(t.Context(), user("hi"))
		if err != nil || resp.OutputText() != "Hello" {
			t.Errorf("%v, %v", resp, err)
		}
	})
	t.Run("a sink that fails", func(t *testing.T) {
		for after := range 5 {
			u, adapter := answering(text)
			n := 0
			err := adapter.CreateStream(t.Context(), user("hi"), or.EventSinkFunc(func(or.StreamEvent) error {
				if n++; n > after {
					return broken
				}
				return nil
			}))
			if err != broken || n != after+1 || u.closed == 0 {
				t.Errorf("after %d: %v, %d calls", after, err, n)
			}
		}
	})
	t.Run("an answer over the limit", func(t *testing.T) {
		u := &upstream{body: strings.NewReader(readAnswer(t, "whole.json"))}
		_, err := chatcompletions.New(u.client(or.WithMaxResponseBytes(50))).Create(t.Context(), user("hi"))
		if got := describeError(t, err); got != "server_error invalid_upstream_response: the answer exceeds 50 bytes" {
			t.Error(got)
		}
	})
	t.Run("no client", func(t *testing.T) {
		if _, err := chatcompletions.New(nil).Create(t.Context(), user("hi")); err == nil {
			t.Error("no error")
		}
		if _, err := (*chatcompletions.Adapter)(nil).Create(t.Context(), user("hi")); err == nil {
			t.Error("no error")
		}
	})
	t.Run("compaction", func(t *testing.T) {
		_, adapter := answering("")
		if _, err := adapter.Compact(t.Context(), or.CompactRequest{}); or.AsError(err).Code != or.CodeCompactionNotSupported {
			t.Error(err)
		}
	})
}

// A server that hangs, before its header and within its stream, holds nobody longer than the context.
func TestContext(t *testing.T) {
	for _, c := range []struct{ name, begins string }{
		{"before the answer", ""},
		{"in the stream", "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			arrived := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if c.begins != "" {
					io.WriteString(w, c.begins)
					w.(http.Flusher).Flush()
				} else {
					close(arrived)
				}
				<-r.Context().Done()
			}))
			defer server.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.begins == "" {
				go func() {
					<-arrived
					cancel()
				}()
			}
			adapter := chatcompletions.New(or.NewClient(server.URL))
			err := adapter.CreateStream(ctx, user("hi"), or.EventSinkFunc(func(ev or.StreamEvent) error {
				if _, ok := ev.(*or.OutputTextDeltaEvent); ok {
					cancel()
				}
				return nil
			}))
			if err != context.Canceled {
				t.Errorf("got %v", err)
			}
		})
	}
}

// A turn leaves its connection to the next.
func TestConnectionIsReused(t *testing.T) {
	remotes := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		remotes[r.RemoteAddr] = true
		io.WriteString(w, readAnswer(t, "text.sse"))
	}))
	defer server.Close()
	adapter := chatcompletions.New(or.NewClient(server.URL))
	for range 3 {
		if _, err := adapter.Create(t.Context(), user("hi")); err != nil {
			t.Fatal(err)
		}
	}
	if len(remotes) != 1 {
		t.Errorf("%d connections for three turns", len(remotes))
	}
}

// Behind a handler with a store the adapter can continue a response.
func TestBehindHandler(t *testing.T) {
	u, adapter := answering(readAnswer(t, "call.sse"))
	h := or.NewHandler(adapter, or.WithResponseStore(or.NewMemoryStore(4)))
	post := func(body string) *or.Response {
		t.Helper()
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest(http.MethodPost, "/v1/responses", strings.NewReader(body)))
		resp := new(or.Response)
		if err := json.Unmarshal(rec.Body.Bytes(), resp); err != nil || rec.Code != http.StatusOK {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
		return resp
	}
	first := post(`{"model":"m","input":"hi"}`)
	u.body = strings.NewReader(readAnswer(t, "text.sse"))
	second := post(`{"model":"m","previous_response_id":"` + first.ID + `","input":[{"type":"function_call_output","call_id":"a","output":"sunny"}]}`)
	if second.OutputText() != "Hello" {
		t.Error(second.OutputText())
	}
	var sent struct{ Messages []struct{ Role string } }
	if err := json.Unmarshal(u.sent, &sent); err != nil || len(sent.Messages) != 3 || sent.Messages[2].Role != "tool" {
		t.Errorf("sent %s", u.sent)
	}
}
