package compact_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/compact"
	"github.com/ChristopherDavenport/openresponses"
)

func TestBudget(t *testing.T) {
	t.Run("C001", func(t *testing.T) {
		s, w := compacted(compaction), writing(says("s"))
		items := numbered(10)
		for _, tr := range []*compact.Transform{compact.New(s, each(1), compact.WithBudget(10)), compact.NewLocal(w, each(1), compact.WithBudget(10))} {
			got, err := tr.Transform(t.Context(), items)
			if err != nil || &got[0] != &items[0] || len(got) != 10 {
				t.Errorf("not the slice that was given, error %v", err)
			}
		}
		if len(s.requests)+len(w.requests) > 0 {
			t.Error("a model was called")
		}
	})
	t.Run("C002 C003 C004", func(t *testing.T) {
		s, w := compacted(compaction), writing(says("s"))
		items := numbered(10)
		got := goes(t, compact.New(s, each(1), compact.WithBudget(9)), items, "compaction m6 m7 m8 m9")
		if got[1] != items[6] || len(s.requests) != 1 {
			t.Errorf("%d requests", len(s.requests))
		}
		goes(t, compact.NewLocal(w, each(10), compact.WithBudget(99)), items, "S(s) m6 m7 m8 m9")
		if len(w.requests) != 1 {
			t.Errorf("%d requests", len(w.requests))
		}
		pinned := compact.New(compacted(compaction, msg("more")), each(1), compact.WithBudget(9), compact.WithPin(func(item openresponses.Item) bool { return item == items[2] || item == items[8] }))
		goes(t, pinned, items, "compaction more m2 m6 m7 m8 m9")
	})
}

func TestMemory(t *testing.T) {
	t.Run("C005 C006", func(t *testing.T) {
		s := compacted(compaction)
		tr := compact.New(s, each(1), compact.WithBudget(9))
		items := numbered(16)
		first := goes(t, tr, items[:10], "compaction m6 m7 m8 m9")
		again := goes(t, tr, items[:12], "compaction m6 m7 m8 m9 m10 m11")
		if len(s.requests) != 1 || again[0] != first[0] {
			t.Errorf("%d requests", len(s.requests))
		}
		goes(t, tr, items[:16], "compaction m12 m13 m14 m15")
		if got := show(s.requests[1].Input); got != "compaction m6 m7 m8 m9 m10 m11" {
			t.Errorf("folded %q", got)
		}
	})
	t.Run("C007 C008 C041", func(t *testing.T) {
		s := compacted(compaction)
		tr := compact.New(s, each(1), compact.WithBudget(9))
		if tr.Last() != nil {
			t.Errorf("Last %v before a fold", tr.Last())
		}
		items := numbered(10)
		goes(t, tr, items, "compaction m6 m7 m8 m9")
		goes(t, tr, items[:5], "m0 m1 m2 m3 m4") // a rewind
		goes(t, tr, items[:9], "m0 m1 m2 m3 m4 m5 m6 m7 m8")
		goes(t, tr, items, "compaction m6 m7 m8 m9")
		edited := append(agentturn.Transcript{msg("other")}, items[1:9]...)
		goes(t, tr, edited, "other m1 m2 m3 m4 m5 m6 m7 m8")
		if len(s.requests) != 2 || tr.Last() != openresponses.Item(compaction) {
			t.Errorf("%d requests, Last %v", len(s.requests), tr.Last())
		}
	})
	t.Run("C044", func(t *testing.T) {
		items := numbered(3)
		hash := compact.PrefixHash(items)
		if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(hash) {
			t.Errorf("hash %q", hash)
		}
		for i := range items {
			other := numbered(3)
			other[i] = msg("x")
			if compact.PrefixHash(other) == hash {
				t.Errorf("item %d does not count", i)
			}
		}
	})
}

func TestServer(t *testing.T) {
	t.Run("C009", func(t *testing.T) {
		s := compacted(compaction)
		goes(t, compact.New(s, each(1), compact.WithBudget(5), compact.WithModel("m")), append(numbered(9), thought()), "compaction m6 m7 m8 reasoning")
		req := s.requests[0]
		if req.Model != "m" || len(req.Input) != 6 || req.PreviousResponseID != "" || req.Instructions != "" || len(req.Extra) > 0 {
			t.Errorf("request %+v", req)
		}
	})
	t.Run("C010", func(t *testing.T) {
		for _, response := range []*openresponses.CompactResponse{nil, {ID: "r", Usage: &openresponses.Usage{TotalTokens: 3}}} {
			var f folds
			_, err := compact.New(&server{response: response}, each(1), compact.WithBudget(5), f.option()).Transform(t.Context(), numbered(9))
			if err == nil || err.Error() != "compact: empty compaction response" || len(f.list) != 1 || f.list[0].Err != err || f.list[0].Attempts != 1 || f.list[0].OutputTypes != nil {
				t.Errorf("error %v, folds %+v", err, f.list)
			}
			if response != nil && (f.list[0].ResponseID != "r" || f.list[0].Usage.TotalTokens != 3) {
				t.Errorf("fold %+v", f.list[0])
			}
		}
	})
	t.Run("C011", func(t *testing.T) {
		_, err := compact.New(&server{err: errTest}, each(1), compact.WithBudget(5)).Transform(t.Context(), numbered(9))
		if !errors.Is(err, errTest) || err.Error() != "compact: it broke" {
			t.Errorf("error %v", err)
		}
	})
	t.Run("C012", func(t *testing.T) {
		var f folds
		second := &openresponses.Compaction{ID: "second"}
		tr := compact.New(compacted(msg("head"), compaction, second), each(1), compact.WithBudget(5), f.option())
		goes(t, tr, numbered(9), "head compaction compaction m5 m6 m7 m8")
		if f.list[0].Summary != openresponses.Item(compaction) || tr.Last() != openresponses.Item(compaction) || len(f.list[0].Output) != 3 {
			t.Errorf("fold %+v", f.list[0])
		}
		none := compact.New(compacted(msg("only")), each(1), compact.WithBudget(5), f.option())
		goes(t, none, numbered(9), "only m5 m6 m7 m8")
		if f.list[1].Summary != nil || none.Last() != nil {
			t.Errorf("fold %+v", f.list[1])
		}
	})
}

func TestSplit(t *testing.T) {
	folded := func(t *testing.T, keep int, items agentturn.Transcript, want string) []compact.Fold {
		t.Helper()
		var f folds
		goes(t, compact.New(compacted(compaction), each(1), compact.WithBudget(2), compact.WithKeepLast(keep), f.option()), items, want)
		return f.list
	}
	t.Run("C013 C045", func(t *testing.T) {
		items := numbered(10)
		for keep, want := range map[int]string{1: "compaction m9", 3: "compaction m7 m8 m9"} {
			if f := folded(t, keep, items, want); f[0].Split != 10-keep || f[0].First != items[10-keep] {
				t.Errorf("fold %+v", f[0])
			}
		}
	})
	t.Run("C014", func(t *testing.T) {
		folded(t, 2, agentturn.Transcript{msg("a"), call("1"), note(), msg("b"), out("1"), msg("c")}, "compaction call:1 app:note b out:1 c")
	})
	t.Run("C015", func(t *testing.T) {
		folded(t, 1, agentturn.Transcript{msg("a"), call("1"), call("2"), call("3"), out("2"), out("1"), out("3")}, "compaction call:1 call:2 call:3 out:2 out:1 out:3")
		folded(t, 1, agentturn.Transcript{msg("a"), call("1"), out("1"), call("2"), out("2")}, "compaction call:2 out:2")
	})
	t.Run("C016", func(t *testing.T) {
		var f folds
		s := compacted(compaction)
		tr := compact.New(s, each(1), compact.WithBudget(3), compact.WithKeepLast(2), f.option())
		items := agentturn.Transcript{msg("a"), msg("b"), call("1"), msg("c"), msg("d")}
		goes(t, tr, items, "compaction c d") // the call is folded, in flight as it is
		goes(t, tr, append(items[:5:5], out("1")), "compaction c d out:1")
		if len(f.list) != 1 {
			t.Errorf("%d folds", len(f.list))
		}
	})
	t.Run("C017", func(t *testing.T) {
		if f := folded(t, 0, numbered(5), "compaction"); f[0].First != nil || f[0].Split != 5 {
			t.Errorf("fold %+v", f[0])
		}
	})
	t.Run("C018 C019", func(t *testing.T) {
		s := compacted(compaction)
		tr := compact.New(s, each(1), compact.WithBudget(3), compact.WithKeepLast(1), compact.WithPin(func(openresponses.Item) bool { return true }))
		goes(t, tr, agentturn.Transcript{msg("a"), note(), nil, msg("b"), msg("c")}, "compaction a b c")
		if got := show(s.requests[0].Input); got != "a b" {
			t.Errorf("folded %q", got)
		}
		goes(t, compact.New(s, each(1), compact.WithBudget(2), compact.WithKeepLast(1)), agentturn.Transcript{note(), note(), msg("c")}, "app:note app:note c")
		if len(s.requests) != 1 {
			t.Errorf("%d requests", len(s.requests))
		}
	})
}

func TestMinimum(t *testing.T) {
	t.Run("C020", func(t *testing.T) {
		var f folds
		goes(t, compact.New(compacted(compaction), each(1), compact.WithBudget(5), compact.WithMinFold(6), f.option()), numbered(9), "m0 m1 m2 m3 m4 m5 m6 m7 m8")
		if len(f.list) > 0 {
			t.Errorf("folds %+v", f.list)
		}
		goes(t, compact.New(compacted(compaction), each(1), compact.WithBudget(5), compact.WithMinFold(5)), numbered(9), "compaction m5 m6 m7 m8")
		goes(t, compact.New(compacted(compaction), each(1), compact.WithBudget(5), compact.WithMinFold(-3)), numbered(5), "m0 m1 m2 m3 m4")
	})
	t.Run("C021", func(t *testing.T) {
		heavy := compact.WithSummaryItem(func(s string) openresponses.Item { return msg(strings.Repeat("x", 40) + s) })
		bytes := compact.WithEstimator(func(items openresponses.Items) int {
			n := 0
			for _, item := range items {
				n += len(item.(*openresponses.Message).Text())
			}
			return n
		})
		ten := func(n int) (tr agentturn.Transcript) {
			for range n {
				tr = append(tr, msg("0123456789"))
			}
			return tr
		}
		for _, c := range []struct {
			opts  []compact.Option
			items int
			folds bool
		}{
			{[]compact.Option{heavy, bytes, compact.WithBudget(80)}, 11, false}, // 70 to fold, 80 at least: twice the empty summary
			{[]compact.Option{compact.WithBudget(80), bytes, heavy}, 12, true},
			{[]compact.Option{heavy, bytes, compact.WithBudget(800)}, 81, true}, // an eighth is 100
			{[]compact.Option{heavy, bytes, compact.WithBudget(800), compact.WithKeepLast(75)}, 84, false},
		} {
			w := writing(says("s"))
			if _, err := compact.NewLocal(w, c.opts...).Transform(t.Context(), ten(c.items)); err != nil || (len(w.requests) == 1) != c.folds {
				t.Errorf("%d items: %d requests, error %v", c.items, len(w.requests), err)
			}
		}
	})
}

func TestCallbacks(t *testing.T) {
	t.Run("C037", func(t *testing.T) {
		var order []string
		callback := func(name string, err error) compact.Option {
			return compact.WithOnFold(func(context.Context, compact.Fold) error { order = append(order, name); return err })
		}
		goes(t, compact.New(compacted(compaction), each(1), compact.WithBudget(5), callback("a", nil), compact.WithOnFold(nil), callback("b", nil)), numbered(9), "compaction m5 m6 m7 m8")
		_, err := compact.New(compacted(compaction), each(1), compact.WithBudget(5), callback("c", errTest), callback("d", nil)).Transform(t.Context(), numbered(9))
		if !errors.Is(err, errTest) || err.Error() != "compact: on-fold: it broke" || strings.Join(order, "") != "abc" {
			t.Errorf("error %v, called %v", err, order)
		}
		_, err = compact.New(&server{err: errors.New("other")}, each(1), compact.WithBudget(5), callback("e", errTest)).Transform(t.Context(), numbered(9))
		if err == nil || err.Error() != "compact: on-fold: it broke" {
			t.Errorf("error %v", err)
		}
	})
	t.Run("C038", func(t *testing.T) {
		s := compacted(compaction)
		fail := true
		tr := compact.New(s, each(1), compact.WithBudget(5), compact.WithOnFold(func(context.Context, compact.Fold) error {
			if fail {
				return errTest
			}
			return nil
		}))
		if _, err := tr.Transform(t.Context(), numbered(9)); !errors.Is(err, errTest) {
			t.Errorf("error %v", err)
		}
		fail = false
		goes(t, tr, numbered(9), "compaction m5 m6 m7 m8")
		if len(s.requests) != 1 {
			t.Errorf("%d requests", len(s.requests))
		}
	})
	t.Run("C039 C040", func(t *testing.T) {
		var f folds
		items := numbered(20)
		s := compacted(compaction)
		tr := compact.New(s, each(1), compact.WithBudget(9), f.option(), compact.WithPin(func(item openresponses.Item) bool { return item == items[1] || item == items[3] }))
		goes(t, tr, items[:10], "compaction m1 m3 m6 m7 m8 m9")
		goes(t, tr, items[:16], "compaction m1 m3 m12 m13 m14 m15")
		if show(f.list[0].Pinned) != "m1 m3" || show(f.list[0].Output) != "compaction" || show(f.list[1].Pinned) != "m1 m3" {
			t.Errorf("folds %+v", f.list)
		}
		if got := show(s.requests[1].Input); got != "compaction m1 m3 m6 m7 m8 m9 m10 m11" {
			t.Errorf("folded %q", got)
		}
	})
}

// slowServer takes a while, and ends with its context.
type slowServer struct {
	mu    sync.Mutex
	calls int
}

func (s *slowServer) Compact(ctx context.Context, _ openresponses.CompactRequest) (*openresponses.CompactResponse, error) {
	s.mu.Lock()
	s.calls++
	s.mu.Unlock()
	select {
	case <-time.After(time.Minute):
		return &openresponses.CompactResponse{Output: openresponses.Items{compaction}}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func TestConcurrency(t *testing.T) {
	t.Run("C042", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			folds := 0
			s := &slowServer{}
			tr := compact.New(s, each(1), compact.WithBudget(9), compact.WithOnFold(func(context.Context, compact.Fold) error {
				mu.Lock()
				defer mu.Unlock()
				folds++
				return nil
			}))
			items := numbered(10)
			start := time.Now()
			var both sync.WaitGroup
			for range 2 {
				both.Go(func() {
					got, err := tr.Transform(context.Background(), items)
					if err != nil || show(got) != "compaction m6 m7 m8 m9" {
						t.Errorf("%q, error %v", show(got), err)
					}
				})
			}
			synctest.Wait()
			goes(t, tr, items[:5], "m0 m1 m2 m3 m4")
			if time.Since(start) != 0 {
				t.Error("a call within the budget waited for a fold")
			}
			both.Wait()
			if folds < 1 || folds > 2 {
				t.Errorf("%d folds", folds)
			}
		})
	})
	t.Run("C043", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			for _, tr := range []func(f *folds) *compact.Transform{
				func(f *folds) *compact.Transform {
					return compact.New(&slowServer{}, each(10), compact.WithBudget(50), f.option())
				},
				func(f *folds) *compact.Transform {
					return compact.NewLocal(streamerFunc(func(ctx context.Context, _ openresponses.Request, _ openresponses.EventSink) error {
						<-ctx.Done()
						return ctx.Err()
					}), each(10), compact.WithBudget(50), f.option())
				},
			} {
				var f folds
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				_, err := tr(&f).Transform(ctx, numbered(9))
				if !errors.Is(err, context.DeadlineExceeded) || len(f.list) != 1 || f.list[0].Err != err {
					t.Errorf("error %v, folds %+v", err, f.list)
				}
			}
		})
	})
}

type streamerFunc func(context.Context, openresponses.Request, openresponses.EventSink) error

func (f streamerFunc) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	return f(ctx, req, sink)
}
