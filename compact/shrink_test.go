package compact_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/compact"
	"github.com/ChristopherDavenport/openresponses"
)

// An item larger than the budget by itself is clipped for the summary, at a character, and the summary is told.
func TestClip(t *testing.T) {
	for _, text := range []string{strings.Repeat("é👋", 50_000), strings.Repeat("x", 5<<20), strings.Repeat("\xff", 1<<17)} {
		w := writing(says("s"))
		big := openresponses.NewFunctionCallOutput("1", text)
		items := append(agentturn.Transcript{msg("a"), call("1"), big}, numbered(6)...)
		tr := compact.NewLocal(w, compact.WithBudget(1000))
		goes(t, tr, items, "S(s) m2 m3 m4 m5")
		sent := w.requests[0].Input[2].(*openresponses.FunctionCallOutput).Output.Text
		if len(sent) > 2200 || len(sent) < 500 || !strings.Contains(sent, "bytes were left out here") || sent[:20] != text[:20] || sent[len(sent)-20:] != text[len(text)-20:] {
			t.Errorf("sent %d bytes: %.60q", len(sent), sent)
		}
		if utf8.ValidString(text) && !utf8.ValidString(sent) {
			t.Error("a character was cut in two")
		}
		if big.Output.Text != text {
			t.Error("the transcript was changed")
		}
		if n := compact.Estimate(w.requests[0].Input); n > 1000 {
			t.Errorf("the summary request has %d tokens", n)
		}
	}
	w := writing(says("s"))
	photo := openresponses.UserMessage(&openresponses.InputText{Text: "look"}, &openresponses.InputImage{ImageURL: strings.Repeat("A", 1<<20)}, &openresponses.InputFile{Filename: "a.pdf", FileData: strings.Repeat("A", 1<<20)})
	goes(t, compact.NewLocal(w, compact.WithBudget(1000)), append(agentturn.Transcript{photo}, numbered(5)...), "S(s) m1 m2 m3 m4")
	if got := w.requests[0].Input[0].(*openresponses.Message).Text(); !strings.Contains(got, "an image of 1048576 bytes was left out") || !strings.Contains(got, `the file "a.pdf"`) {
		t.Errorf("sent %q", got)
	}
}

// A request that cannot be made to fit is not sent, and the error says what is in the way.
func TestLimit(t *testing.T) {
	big := openresponses.UserText(strings.Repeat("x", 40_000))
	items := append(numbered(6), big)
	tr := compact.NewLocal(writing(says("s")), compact.WithBudget(500), compact.WithLimit(1000), compact.WithMinFold(0))
	_, err := tr.Transform(t.Context(), items)
	var cannot *compact.CannotShrinkError
	if !errors.As(err, &cannot) || cannot.Largest != openresponses.Item(big) || cannot.Limit != 1000 || cannot.Tokens <= 10_000 || cannot.Size < 10_000 {
		t.Fatalf("error %v", err)
	}
	if want := "compact: the request cannot be made to fit: "; !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "a message") {
		t.Errorf("error %v", err)
	}
	goes(t, compact.NewLocal(writing(says("s")), compact.WithBudget(500), compact.WithLimit(1000)), numbered(3), "m0 m1 m2")
}

func TestIsTooLong(t *testing.T) {
	for want, errs := range map[bool][]error{
		true: {
			&openresponses.Error{StatusCode: 400, Code: "context_length_exceeded"},
			fmt.Errorf("x: %w", &openresponses.Error{StatusCode: 413}),
			openresponses.InvalidRequest("invalid", "This model's maximum context length is 8192 tokens.", ""),
			openresponses.InvalidRequest("invalid", "prompt is too long: 210000 tokens > 200000 maximum", ""),
			openresponses.ServerError("exceed_context_size_error", "the request exceeds the available context size"),
		},
		false: {nil, errTest, openresponses.TooManyRequests("rate", "slow down"), openresponses.InvalidRequest("invalid_value", "bad", "input")},
	} {
		for _, err := range errs {
			if compact.IsTooLong(err) != want {
				t.Errorf("IsTooLong(%v) is %t", err, !want)
			}
		}
	}
}

// narrow is a model with a window: it refuses what does not fit, and answers a summary request with a summary.
type narrow struct {
	window   int
	refused  int
	requests []openresponses.Request
}

func (n *narrow) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	n.requests = append(n.requests, req)
	if len(req.Input) > n.window {
		n.refused++
		return &openresponses.Error{StatusCode: 400, Type: openresponses.ErrorTypeInvalidRequest, Code: "context_length_exceeded", Message: "too long"}
	}
	if last, ok := req.Input[len(req.Input)-1].(*openresponses.Message); ok && last.Text() == compact.DefaultSummaryPrompt {
		return writing(says("s")).CreateStream(ctx, req, sink)
	}
	return writing(says("answer")).CreateStream(ctx, req, sink)
}

// A model that refuses a request as too long is asked again with a folded one, and later requests stay below.
func TestRetryTooLong(t *testing.T) {
	model := &narrow{window: 12}
	var f folds
	tr := compact.NewLocal(model, each(10), compact.WithMinFold(0), f.option()) // whose budget is far too large
	a := agentturn.New(agentturn.Config{Model: model, Transform: tr.Transform, Retry: tr.Retry(t.Context(), agentturn.Retry{})},
		agentturn.WithTranscript(append(numbered(11), openresponses.AssistantText("ok"))))
	rec := &at.Recorder{Omit: []string{agentturn.EventItemUpdate}}
	a.Subscribe(rec.Record)
	for range 3 {
		if end, err := a.Prompt(t.Context(), openresponses.UserText("and?")); err != nil || end.Reason != agentturn.ReasonDone {
			t.Fatalf("%+v, error %v", end, err)
		}
	}
	retries := 0
	for _, ev := range rec.Events() {
		if retry, ok := ev.(*agentturn.ModelRetry); ok {
			retries++
			if got := show(retry.Request.Input); got != "S(s) m9 m10 ok and?" {
				t.Errorf("the second attempt sent %q", got)
			}
		}
	}
	if retries != 1 || model.refused != 1 || len(f.list) < 1 || f.list[0].Split != 9 {
		t.Errorf("%d retries, %d refusals, folds %+v", retries, model.refused, f.list)
	}
}

// Where nothing can be made smaller the model's refusal is the turn's error, and other errors are left to the policy.
func TestRetryHopeless(t *testing.T) {
	model := &narrow{window: 0}
	tr := compact.NewLocal(model, each(10), compact.WithMinFold(0))
	a := agentturn.New(agentturn.Config{Model: model, Transform: tr.Transform, Retry: tr.Retry(t.Context(), agentturn.Retry{})})
	if _, err := a.Prompt(t.Context(), openresponses.UserText("hi")); !compact.IsTooLong(err) || model.refused != 2 {
		t.Errorf("error %v after %d attempts", err, model.refused)
	}
	retry := tr.Retry(t.Context(), agentturn.Retry{})
	if retry.Retryable(openresponses.ServerError("x", "x")) {
		t.Error("a policy that does not retry retries")
	}
	retry = tr.Retry(t.Context(), agentturn.Retry{MaxAttempts: 3})
	if !retry.Retryable(openresponses.ServerError("x", "x")) || retry.MaxAttempts != 3 || retry.Backoff(1, errTest) != agentturn.DefaultBackoff(1, errTest) {
		t.Error("the policy's own rules are lost")
	}
}

// Any transcript, any budget: what goes out is what a strict server accepts, and within the budget or reported.
func TestAnyTranscript(t *testing.T) {
	for seed := range 400 {
		random := rand.New(rand.NewPCG(1, uint64(seed)))
		var items agentturn.Transcript
		var open []string
		for i := range random.IntN(60) {
			switch n := random.IntN(10); {
			case n < 3:
				if len(open) == 0 || random.IntN(3) > 0 {
					id := fmt.Sprint("c", i)
					items, open = append(items, call(id)), append(open, id)
				}
			case n < 6 && len(open) > 0:
				k := random.IntN(len(open))
				items = append(items, openresponses.NewFunctionCallOutput(open[k], strings.Repeat("o", random.IntN(400))))
				open = append(open[:k], open[k+1:]...)
			case n == 6:
				items = append(items, thought(), openresponses.AssistantText("a"))
			case n == 7:
				items = append(items, note())
			case len(open) == 0:
				items = append(items, msg(strings.Repeat("m", random.IntN(200))))
			}
		}
		for _, id := range open { // what is in flight is kept with the last items, and answered before the request
			items = append(items, out(id))
		}
		items = append(items, msg("now"))
		var f folds
		budget, keep := random.IntN(3000), random.IntN(6)
		w := writing(says("s"))
		tr := compact.NewLocal(w, compact.WithBudget(budget), compact.WithKeepLast(keep), compact.WithMinFold(0), f.option(),
			compact.WithPin(func(item openresponses.Item) bool {
				_, ok := item.(*openresponses.Message)
				return ok && random.IntN(10) == 0
			}))
		got, err := tr.Transform(t.Context(), items)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if keep == 0 && len(got) < len(items) {
			continue // a host that keeps nothing adds what the model is to answer itself
		}
		req := openresponses.Request{Model: "m", Input: openresponses.Items(agentturn.DefaultFilter(got)), Stream: true}
		store := false
		req.Store = &store
		if err := at.CheckRequest(req); err != nil {
			t.Errorf("seed %d, budget %d, keep %d: %s became %s: %v", seed, budget, keep, show(items), show(got), err)
		}
		for _, sent := range w.requests {
			for _, item := range sent.Input {
				switch item.(type) {
				case *openresponses.ReasoningItem, *openresponses.UnknownItem, nil:
					t.Errorf("seed %d: the summarizer was sent %T", seed, item)
				}
			}
		}
		if over := compact.Estimate(openresponses.Items(items)) > budget; !over && len(f.list) > 0 || len(f.list) > 1 {
			t.Errorf("seed %d: over the budget %t, %d folds", seed, over, len(f.list))
		}
	}
}

// In a loop a call in flight keeps its place: the fold that comes between a batch and its answer leaves the batch alone.
func TestInALoop(t *testing.T) {
	tool := agenttool.NewFunc("x", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
		return agenttool.Text(strings.Repeat("result ", 50)), nil
	})
	var script []at.Turn
	for range 20 {
		script = append(script, at.Attempt{at.Call("x", `{}`), at.Call("x", `{}`)})
	}
	model := at.NewModel(t, append(script, at.Text("done"))...)
	w := writing(says("what was done so far"))
	var f folds
	tr := compact.NewLocal(w, compact.WithBudget(1500), f.option())
	a := agentturn.New(agentturn.Config{Model: model, Tools: []agenttool.Tool{tool}, Transform: tr.Transform})
	end, err := a.Prompt(t.Context(), openresponses.UserText("go"))
	if err != nil || end.Reason != agentturn.ReasonDone || len(end.Items) != 1+20*4+1 {
		t.Fatalf("%+v, error %v", end, err)
	}
	if len(f.list) < 2 {
		t.Errorf("%d folds", len(f.list))
	}
	for i := range model.Requests() {
		if n := compact.Estimate(model.Request(i + 1).Input); n > 1500 {
			t.Errorf("request %d has %d tokens", i+1, n)
		}
	}
}

// BenchmarkTransform: with a fold in memory a turn costs one pass of hashing over the prefix, and what is behind it.
func BenchmarkTransform(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		items := numbered(n)
		for name, transform := range map[string]func() *compact.Transform{
			"folded": func() *compact.Transform {
				tr := compact.New(compacted(compaction), compact.WithBudget(100))
				if _, err := tr.Transform(b.Context(), items); err != nil {
					b.Fatal(err)
				}
				return tr
			},
			"hash alone": nil,
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				if transform == nil {
					for b.Loop() {
						compact.PrefixHash(items[:n-4])
					}
					return
				}
				tr := transform()
				for b.Loop() {
					if got, err := tr.Transform(b.Context(), items); err != nil || len(got) != 5 {
						b.Fatal(len(got), err)
					}
				}
			})
		}
	}
}
