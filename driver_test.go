package agentturn

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// journal is a driver that keeps what every step of a run came to, in its JSON form, and
// plays it back without a model, a tool or a clock: what a durable engine does with a run
// that its process did not survive. It starts no goroutine.
type journal struct {
	steps  [][]byte
	replay bool
	next   int
}

// step runs do once and keeps what it gives; on replay it gives that again.
func step[T any](j *journal, do func() T) T {
	var out T
	if j.replay {
		if err := json.Unmarshal(j.steps[j.next], &out); err != nil {
			panic(err)
		}
		j.next++
		return out
	}
	out = do()
	data, err := json.Marshal(out)
	if err != nil {
		panic(err)
	}
	j.steps = append(j.steps, data)
	return out
}

func (j *journal) newID(prefix string) string {
	return step(j, func() string { return live{}.newID(prefix) })
}

func (j *journal) wait(context.Context, time.Duration) { step(j, func() bool { return true }) }

func (j *journal) stream(ctx context.Context, model Model, req openresponses.Request, take func(openresponses.StreamEvent) error) error {
	sent := step(j, func() (sent []json.RawMessage) {
		_ = model.CreateStream(ctx, req, openresponses.EventSinkFunc(func(ev openresponses.StreamEvent) error {
			data, err := openresponses.EncodeEvent(ev)
			sent = append(sent, data)
			return err
		}))
		return sent
	})
	for _, data := range sent {
		ev, err := openresponses.DecodeEvent(data)
		if err != nil {
			return err
		}
		if err := take(ev); err != nil {
			return err
		}
	}
	return nil
}

func (j *journal) execute(ctx context.Context, x execution) {
	for i, job := range x.jobs {
		if err := x.start(ctx, i); err != nil {
			x.take(agenttool.Event{Index: i, Final: true, Err: err})
			continue
		}
		text := step(j, func() string {
			result, err := job.Tool.Execute(ctx, job.Call)
			if err != nil {
				panic(err)
			}
			return result.Output.Text
		})
		x.take(agenttool.Event{Index: i, Final: true, Result: agenttool.Text(text)})
	}
}

// listener is a host that writes down what it is delivered.
type listener struct{ events []string }

func (l *listener) deliver(ev Event) error {
	data, err := json.Marshal(ev)
	l.events = append(l.events, string(data))
	return err
}

func (l *listener) deliverOpened(ev *ItemStart, _ *openresponses.OutputItemAddedEvent) error {
	return l.deliver(ev)
}
func (l *listener) commit(log *ledger, item openresponses.Item) { log.append(item) }
func (l *listener) drain(bool) []queuedItem                     { return nil }
func (l *listener) queued() bool                                { return false }
func (l *listener) closeQueues()                                {}
func (l *listener) steered() <-chan struct{}                    { return nil }

// calls is a model that fails once, calls a tool twice at once, and answers.
type calls struct{ made int }

func (m *calls) CreateStream(_ context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	m.made++
	e := openresponses.NewEmitter(sink, openresponses.NewResponse(req))
	if m.made == 1 {
		return nil // cut off
	}
	if m.made == 2 {
		for range 2 {
			w, err := e.FunctionCall("", "count")
			if err != nil {
				return err
			}
			if err := w.Arguments(`{}`); err != nil {
				return err
			}
		}
		return e.Complete()
	}
	w, err := e.Message(openresponses.PhaseFinalAnswer)
	if err != nil {
		return err
	}
	if err := w.Text("done"); err != nil {
		return err
	}
	return e.Complete()
}

// A run waits through its driver and nothing else: what a driver kept of one run makes the
// same run again, event by event, without the model and the tools.
func TestDriverReplaysARun(t *testing.T) {
	counted := 0
	count := agenttool.NewFunc("count", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
		counted++
		return agenttool.Text(fmt.Sprint(counted)), nil
	})
	model := &calls{}
	drive := func(j *journal) []string {
		l := &listener{}
		cfg := Config{Model: model, Tools: []agenttool.Tool{count}, Retry: Retry{MaxAttempts: 2}}
		r := &run{
			id: j.newID("run"), cfg: cfg, host: l, driver: j, ctx: t.Context(),
			log: newLedger(nil).fork(), models: &attribution{},
			opening: opening{source: SourceInput, items: []TurnInput{{Item: openresponses.UserText("go"), Mode: InputPrompt}}},
		}
		if e := r.drive(); e.Reason != ReasonDone {
			t.Fatalf("ended %s: %v", e.Reason, e.Err)
		}
		return l.events
	}
	recorded := &journal{}
	first := drive(recorded)
	second := drive(&journal{steps: recorded.steps, replay: true})
	if model.made != 3 || counted != 2 {
		t.Errorf("the replay called the model or a tool: %d calls, %d counts", model.made, counted)
	}
	if len(first) != len(second) {
		t.Fatalf("%d events, then %d", len(first), len(second))
	}
	for i := range first {
		if first[i] != second[i] {
			t.Errorf("event %d:\n%s\nthen\n%s", i, first[i], second[i])
		}
	}
}
