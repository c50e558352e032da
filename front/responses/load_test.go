package responses_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
)

// counting is a model that answers with the numbers from 0 on, a delta each. It waits for begin first, and counts those
// that were cut off.
type counting struct {
	deltas int
	begin  chan struct{}
	cut    atomic.Int64
}

func (c *counting) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	e := openresponses.NewEmitter(sink, openresponses.NewResponse(req))
	m, err := e.Message("")
	if err != nil {
		return err
	}
	for i := range c.deltas {
		if i == 1 && c.begin != nil {
			select {
			case <-c.begin:
			case <-ctx.Done():
			}
		}
		if err := errors.Join(ctx.Err(), m.Text(strconv.Itoa(i)+" ")); err != nil {
			c.cut.Add(1)
			return err
		}
	}
	return e.Complete()
}

func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Itoa(i) + " ")
	}
	return b.String()
}

// TestLoad: many streams at once, each complete and in order, and nothing left of them; the same with half of the clients
// hanging up on the way.
func TestLoad(t *testing.T) {
	const runs, deltas = 500, 200
	want := numbers(deltas)
	for name, hangUp := range map[string]bool{"all stay": false, "half hang up": true} {
		t.Run(name, func(t *testing.T) {
			at.NoLeaks(t)
			model := &counting{deltas: deltas, begin: make(chan struct{})}
			base := serve(t, openresponses.NewHandler(responses.New(agentturn.Config{Model: model})))
			client := openresponses.NewClient(base, openresponses.WithHTTPClient(&http.Client{Transport: &http.Transport{}}))
			var idle runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&idle)
			var clients, begun sync.WaitGroup
			begun.Add(runs)
			for i := range runs {
				clients.Go(func() {
					stream, err := client.CreateStream(t.Context(), asking("count"))
					if err != nil {
						begun.Done()
						t.Errorf("run %d: %v", i, err)
						return
					}
					defer stream.Close()
					for n := 0; stream.Next(); {
						if _, ok := stream.Event().(*openresponses.OutputTextDeltaEvent); ok {
							if n++; n == 1 {
								begun.Done()
							}
							if hangUp && i%2 == 0 && n == 5 {
								return
							}
						}
					}
					if got := stream.Response().OutputText(); stream.Err() != nil || got != want {
						t.Errorf("run %d: %d bytes of %d, error %v", i, len(got), len(want), stream.Err())
					}
				})
			}
			begun.Wait() // all of them are in their first delta
			var busy runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&busy)
			t.Logf("%d bytes in use for each run under way, both sides of the connection", (int64(busy.HeapInuse)-int64(idle.HeapInuse))/runs)
			close(model.begin)
			clients.Wait()
			if !hangUp && model.cut.Load() > 0 {
				t.Errorf("%d runs were cut off", model.cut.Load())
			}
		})
	}
}

// BenchmarkRelay compares a stream that passes through the agent's loop with the same bytes through a reverse proxy.
func BenchmarkRelay(b *testing.B) {
	const deltas = 2000
	upstream := httptest.NewServer(openresponses.NewHandler(adapterOf{&counting{deltas: deltas}}))
	defer upstream.Close()
	target, err := url.Parse(upstream.URL)
	if err != nil {
		b.Fatal(err)
	}
	agent := responses.New(agentturn.Config{Model: openresponses.NewClient(upstream.URL).AsAdapter(), ModelName: "m"})
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.FlushInterval = -1
	for name, h := range map[string]http.Handler{"proxy": proxy, "loop": openresponses.NewHandler(agent)} {
		b.Run(name, func(b *testing.B) {
			s := httptest.NewServer(h)
			defer s.Close()
			client := openresponses.NewClient(s.URL)
			b.ReportAllocs()
			for b.Loop() {
				stream, err := client.CreateStream(b.Context(), asking("count"))
				if err != nil {
					b.Fatal(err)
				}
				if resp, err := stream.Wait(); err != nil || len(resp.OutputText()) != len(numbers(deltas)) {
					b.Fatalf("%v, error %v", resp, err)
				}
				stream.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/deltas, "ns/delta")
		})
	}
}

// adapterOf serves a streamer.
type adapterOf struct{ openresponses.Streamer }

func (a adapterOf) Create(ctx context.Context, req openresponses.Request) (*openresponses.Response, error) {
	return openresponses.CollectStream(ctx, a, req)
}

func (adapterOf) Compact(context.Context, openresponses.CompactRequest) (*openresponses.CompactResponse, error) {
	return nil, openresponses.InvalidRequest(openresponses.CodeCompactionNotSupported, "no", "")
}
