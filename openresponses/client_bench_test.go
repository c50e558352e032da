package openresponses_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/internal/sse"
)

const benchDeltas = 10_000

// deltaStream returns a stream of one message in many deltas, as a server sends it.
func deltaStream(b *testing.B) []byte {
	var deltas [benchDeltas]string
	for i := range deltas {
		deltas[i] = "token" + strconv.Itoa(i) + " "
	}
	rec := post(or.NewHandler(saying(deltas[:]...)), "/responses", helloStream)
	if rec.Code != 200 {
		b.Fatal(rec.Body)
	}
	return rec.Body.Bytes()
}

func reportPerDelta(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchDeltas, "ns/delta")
}

// BenchmarkClientStream reads a stream over the loopback interface: as frames alone, decoded and folded by the client,
// and by way of Events.
func BenchmarkClientStream(b *testing.B) {
	body := deltaStream(b)
	server := serve(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Write(body)
	}))
	client := or.NewClient(server.URL)

	b.Run("frames", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			res, err := http.Post(server.URL+"/responses", "application/json", bytes.NewReader([]byte(helloStream)))
			if err != nil {
				b.Fatal(err)
			}
			frames := sse.NewReader(res.Body, 0)
			n := 0
			for {
				if _, err := frames.Next(); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
				n++
			}
			res.Body.Close()
			if n < benchDeltas {
				b.Fatalf("%d frames", n)
			}
		}
		reportPerDelta(b)
	})
	b.Run("client", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			stream, err := client.CreateStream(b.Context(), userRequest("x"))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := stream.Wait(); err != nil {
				b.Fatal(err)
			}
			stream.Close()
		}
		reportPerDelta(b)
	})
	b.Run("events", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range or.Events(b.Context(), client.AsAdapter(), userRequest("x")) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
		reportPerDelta(b)
	})
}

// BenchmarkEvents hands the events of an adapter over in the same process.
func BenchmarkEvents(b *testing.B) {
	deltas := make([]string, benchDeltas)
	for i := range deltas {
		deltas[i] = "token "
	}
	adapter := saying(deltas...)
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range or.Events(b.Context(), adapter, userRequest("x")) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	reportPerDelta(b)
}

// nowhere takes an answer and forgets it.
type nowhere struct{ header http.Header }

func (w nowhere) Header() http.Header       { return w.header }
func (nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (nowhere) WriteHeader(int)             {}
func (nowhere) Flush()                      {}

// BenchmarkHandlerStream serves a stream to nobody.
func BenchmarkHandlerStream(b *testing.B) {
	deltas := make([]string, benchDeltas)
	for i := range deltas {
		deltas[i] = "token "
	}
	h := or.NewHandler(saying(deltas...))
	b.ReportAllocs()
	for b.Loop() {
		req := httptest.NewRequest(http.MethodPost, "/responses", strings.NewReader(helloStream))
		h.ServeHTTP(nowhere{http.Header{}}, req)
	}
	reportPerDelta(b)
}
