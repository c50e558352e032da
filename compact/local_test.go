package compact_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/compact"
	"github.com/ChristopherDavenport/openresponses"
)

// local is a Transform with a model, over its budget with six items or more.
func local(w *writer, f *folds, opts ...compact.Option) *compact.Transform {
	return compact.NewLocal(w, append([]compact.Option{each(10), compact.WithBudget(50), compact.WithMinFold(0), f.option()}, opts...)...)
}

const unfolded = "m0 m1 m2 m3 m4 m5 m6 m7 m8"

func TestSummaryRequest(t *testing.T) {
	t.Run("C022", func(t *testing.T) {
		for budget, want := range map[int]int{50: 25, 100_000: 8192, 1: 0} {
			w := writing(says("s"))
			tr := compact.NewLocal(w, compact.WithEstimator(func(items openresponses.Items) int { return 100_000 * len(items) }), compact.WithBudget(budget), compact.WithModel("m"), compact.WithMinFold(0))
			goes(t, tr, numbered(9), "S(s) m5 m6 m7 m8")
			req := w.requests[0]
			last, ok := req.Input[len(req.Input)-1].(*openresponses.Message)
			if !ok || last.Role != openresponses.RoleUser || last.Text() != compact.DefaultSummaryPrompt || len(req.Input) != 6 {
				t.Errorf("input %s", show(req.Input))
			}
			if req.Model != "m" || req.Store == nil || *req.Store || len(req.Tools) > 0 || req.Instructions != "" {
				t.Errorf("request %+v", req)
			}
			if got := req.MaxOutputTokens; (got == nil) != (want == 0) || got != nil && *got != want {
				t.Errorf("budget %d: MaxOutputTokens %v, want %d", budget, got, want)
			}
		}
	})
	t.Run("C023", func(t *testing.T) {
		w := writing(says("s"))
		var f folds
		items := agentturn.Transcript{msg("a"), thought(), thought(), thought(), msg("b"), msg("c"), msg("d"), msg("e")}
		// Counted by items, the input is four, so that a summary of three is smaller only if the reasoning counts.
		tr := compact.NewLocal(w, compact.WithEstimator(func(items openresponses.Items) int {
			n := 0
			for _, item := range items {
				n++
				if m, ok := item.(*openresponses.Message); ok && strings.HasSuffix(m.Text(), "\n\ns") {
					n += 2
				}
			}
			return n
		}), compact.WithBudget(5), compact.WithMinFold(0), f.option())
		goes(t, tr, items, "S(s) b c d e")
		if got := show(w.requests[0].Input[:len(w.requests[0].Input)-1]); got != "a" {
			t.Errorf("sent %q", got)
		}
	})
	t.Run("C024", func(t *testing.T) {
		w := writing(silent, says("s"))
		var f folds
		calls := 0
		goes(t, local(w, &f, compact.WithRequest(func(req *openresponses.Request) {
			calls++
			if req.Model != "" {
				t.Error("not a fresh request")
			}
			req.Model = fmt.Sprint("edited", calls)
		})), numbered(9), "S(s) m5 m6 m7 m8")
		if calls != 2 || w.requests[1].Model != "edited2" || f.list[0].Request.Model != "edited2" {
			t.Errorf("%d calls, fold %+v", calls, f.list[0])
		}
	})
	t.Run("summary prompt and item", func(t *testing.T) {
		w := writing(says("  s  "))
		var f folds
		goes(t, local(w, &f, compact.WithSummaryPrompt("short"), compact.WithSummaryItem(func(s string) openresponses.Item { return openresponses.DeveloperText("<" + s + ">") })), numbered(9), "<s> m5 m6 m7 m8")
		if got := show(w.requests[0].Input[5:]); got != "short" {
			t.Errorf("asked %q", got)
		}
	})
}

func TestSummaries(t *testing.T) {
	cut := says("half")
	cut.Status = openresponses.ResponseStatusIncomplete
	cut.IncompleteDetails = &openresponses.IncompleteDetails{Reason: openresponses.IncompleteReasonMaxOutputTokens}
	t.Run("C025", func(t *testing.T) {
		var f folds
		goes(t, local(writing(silent, says("s")), &f), numbered(9), "S(s) m5 m6 m7 m8")
		if got := f.list[0]; got.Attempts != 2 || got.Usage.TotalTokens != 13 || got.ResponseID != "resp_2" || got.Err != nil {
			t.Errorf("fold %+v", got)
		}
	})
	t.Run("C026", func(t *testing.T) {
		var f folds
		w := writing(silent)
		goes(t, local(w, &f), numbered(9), unfolded)
		got := f.list[0]
		if len(w.requests) != 2 || !errors.Is(got.Err, compact.ErrSummaryNoText) || got.Attempts != 2 || strings.Join(got.OutputTypes, "") != "reasoning" ||
			got.PrefixHash != compact.PrefixHash(numbered(5)) || got.Split != 5 || got.TokensBefore != 90 || got.Output != nil || got.First != nil {
			t.Errorf("fold %+v", got)
		}
	})
	t.Run("C027", func(t *testing.T) {
		var f folds
		goes(t, local(writing(cut), &f), numbered(9), unfolded)
		if err := f.list[0].Err; !errors.Is(err, compact.ErrSummaryIncomplete) || !strings.HasSuffix(err.Error(), ": max_output_tokens") {
			t.Errorf("error %v", err)
		}
	})
	t.Run("C028 C029", func(t *testing.T) {
		bytes := compact.WithEstimator(func(items openresponses.Items) int {
			n := 0
			for _, item := range items {
				n += len(item.(*openresponses.Message).Text())
			}
			return n
		})
		for size, folds_ := range map[int]bool{10: false, 9: true} { // five items of two bytes are folded
			var f folds
			w := writing(says(strings.Repeat("s", size)))
			got, err := compact.NewLocal(w, bytes, compact.WithBudget(15), compact.WithMinFold(0), f.option()).Transform(t.Context(), numbered(9))
			if err != nil || (len(got) == 5) != folds_ || folds_ == (len(w.requests) == 2) || folds_ == errors.Is(f.list[0].Err, compact.ErrSummaryTooLarge) {
				t.Errorf("%d bytes: %q, error %v, fold %+v", size, show(got), err, f.list)
			}
		}
	})
	t.Run("C030 C031", func(t *testing.T) {
		for errAt, want := range map[int]int{1: 1, 2: 2} {
			var f folds
			w := writing(silent)
			w.err, w.errAt = errTest, errAt
			_, err := local(w, &f).Transform(t.Context(), numbered(9))
			if !errors.Is(err, errTest) || err.Error() != "compact: summary: it broke" || f.list[0].Attempts != want || len(w.requests) != want || f.list[0].PrefixHash != "" {
				t.Errorf("error %v, fold %+v", err, f.list[0])
			}
		}
		failed := &openresponses.Response{Status: openresponses.ResponseStatusFailed}
		var f folds
		if _, err := local(writing(failed), &f).Transform(t.Context(), numbered(9)); err == nil || err.Error() != "compact: summary response failed" {
			t.Errorf("error %v", err)
		}
		failed.Error = &openresponses.ErrorPayload{Type: openresponses.ErrorTypeServerError, Code: "overloaded", Message: "x"}
		_, err := local(writing(failed), &f).Transform(t.Context(), numbered(9))
		var e *openresponses.Error
		if !errors.As(err, &e) || e.Code != "overloaded" || !strings.HasPrefix(err.Error(), "compact: summary: ") {
			t.Errorf("error %v", err)
		}
	})
}

func TestBackOff(t *testing.T) {
	t.Run("C032 C033", func(t *testing.T) {
		var f folds
		w := writing(silent)
		tr := local(w, &f)
		goes(t, tr, numbered(9), unfolded)
		goes(t, tr, numbered(9), unfolded)
		if len(w.requests) != 2 || len(f.list) != 1 {
			t.Errorf("%d requests", len(w.requests))
		}
		goes(t, tr, numbered(10), unfolded+" m9") // the estimate grew by 10, a quarter of the budget is 12
		if len(w.requests) != 2 {
			t.Errorf("%d requests", len(w.requests))
		}
		goes(t, tr, numbered(11), unfolded+" m9 m10")
		if len(w.requests) != 4 {
			t.Errorf("%d requests", len(w.requests))
		}
		// By the split, where the estimate stays.
		flat := compact.WithEstimator(func(openresponses.Items) int { return 60 })
		w = writing(silent)
		tr = local(w, &f, flat)
		for _, c := range [][2]int{{9, 2}, {12, 2}, {13, 4}} {
			if _, err := tr.Transform(t.Context(), numbered(c[0])); err != nil || len(w.requests) != c[1] {
				t.Errorf("%d items: %d requests, error %v", c[0], len(w.requests), err)
			}
		}
	})
	t.Run("C034 C035", func(t *testing.T) {
		var f folds
		goes(t, local(writing(silent), &f), numbered(9), unfolded)
		fold := f.list[0]
		for name, c := range map[string]struct {
			opt   compact.Option
			items agentturn.Transcript
			asks  bool
		}{
			"the same":         {compact.WithFailedFold(fold.Split, fold.PrefixHash, fold.TokensBefore), numbered(9), false},
			"another prefix":   {compact.WithFailedFold(fold.Split, fold.PrefixHash, fold.TokensBefore), append(agentturn.Transcript{msg("x")}, numbered(9)[1:]...), true},
			"without a hash":   {compact.WithFailedFold(fold.Split, "", fold.TokensBefore), numbered(9), true},
			"a negative split": {compact.WithFailedFold(-1, fold.PrefixHash, fold.TokensBefore), numbered(9), true},
		} {
			w := writing(says("s"))
			if _, err := local(w, &f, c.opt).Transform(t.Context(), c.items); err != nil || (len(w.requests) > 0) != c.asks {
				t.Errorf("%s: %d requests, error %v", name, len(w.requests), err)
			}
		}
	})
	t.Run("C036", func(t *testing.T) {
		var f folds
		w := writing(silent)
		tr := local(w, &f, compact.WithBackOff(false))
		for range 3 {
			goes(t, tr, numbered(9), unfolded)
		}
		if len(w.requests) != 6 || f.list[2].PrefixHash == "" {
			t.Errorf("%d requests", len(w.requests))
		}
	})
}
