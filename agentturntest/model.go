package agentturntest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/ChristopherDavenport/openresponses"
)

// ErrScriptEnded is what a [Model] returns, wrapped, when it is called more
// often than its script has attempts. No default policy retries it.
var ErrScriptEnded = errors.New("agentturntest: the script has ended")

// A Model is a model that plays a script. It implements
// openresponses.Streamer and so agentturn.Model, and it is safe for concurrent
// use: concurrent calls take attempts in the order in which they arrive.
//
// The zero Model has an empty script, reports to nobody and checks requests.
type Model struct {
	checks []CheckOption
	lax    bool
	repeat bool

	mu       sync.Mutex
	tb       testing.TB // nil when there is none, or once its test is over
	script   []scripted
	turns    int
	requests []openresponses.Request
	calls    int // function calls numbered so far
	errs     []error
}

// scripted is one attempt and where the script has it.
type scripted struct {
	attempt      Attempt
	turn, number int
}

// NewModel returns a model that plays the turns, one attempt a call. What goes
// wrong (a request that breaks a rule, a call past the end of the script) is
// an error of the test, tb.Errorf, until the test ends; with a nil tb it is
// only collected, see [Model.Err].
func NewModel(tb testing.TB, turns ...Turn) *Model {
	m := &Model{tb: tb}
	if tb != nil {
		tb.Cleanup(func() {
			m.mu.Lock()
			m.tb = nil
			m.mu.Unlock()
		})
	}
	return m.Then(turns...)
}

// Then adds turns to the end of the script. It may be called at any time, from
// a step too. A nil turn is skipped.
func (m *Model) Then(turns ...Turn) *Model {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, turn := range turns {
		if turn == nil {
			continue
		}
		m.turns++
		for i, a := range turn.attempts() {
			m.script = append(m.script, scripted{attempt: a, turn: m.turns, number: i + 1})
		}
	}
	return m
}

// CheckWith sets the options the model gives to [CheckRequest]. Call it before
// the model is used.
func (m *Model) CheckWith(opts ...CheckOption) *Model {
	m.checks = opts
	return m
}

// Unchecked makes the model take any request. Call it before the model is used.
func (m *Model) Unchecked() *Model {
	m.lax = true
	return m
}

// RepeatLast makes the model play the last attempt of its script again and
// again rather than end. Call it before the model is used.
func (m *Model) RepeatLast() *Model {
	m.repeat = true
	return m
}

// CreateStream plays the next attempt into sink. Use it through agentturn or
// openresponses.Events.
func (m *Model) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	call, next, err := m.next(req)
	if !m.lax {
		if err := CheckRequest(req, m.checks...); err != nil {
			m.report(fmt.Errorf("agentturntest: model call %d: %w", call, err))
		}
	}
	if err != nil {
		m.report(err)
		return err
	}
	r := &reply{ctx: ctx, model: m, req: req, sink: sink, call: call}
	return r.play(next.attempt)
}

// next records the request and takes an attempt off the script.
func (m *Model) next(req openresponses.Request) (call int, next scripted, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, copyRequest(req))
	call = len(m.requests)
	i := call - 1
	if m.repeat {
		i = min(i, len(m.script)-1)
	}
	if i < 0 || i >= len(m.script) {
		return call, scripted{}, fmt.Errorf("%w: model call %d, and the script has %s", ErrScriptEnded, call, m.extent())
	}
	return call, m.script[i], nil
}

// extent says how long the script is.
func (m *Model) extent() string {
	if len(m.script) == 0 {
		return "no turn"
	}
	last := m.script[len(m.script)-1]
	return fmt.Sprintf("%d, ending with turn %d, attempt %d", len(m.script), last.turn, last.number)
}

// report keeps err and tells the test.
func (m *Model) report(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.errs = append(m.errs, err)
	if m.tb != nil {
		m.tb.Errorf("%v", err)
	}
}

// Requests returns the requests received so far, oldest first. They are copies
// taken on arrival, shared between callers: treat them as read-only.
func (m *Model) Requests() []openresponses.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Request returns the request of the n-th call, from 1, and fails the test
// when there was none.
func (m *Model) Request(n int) openresponses.Request {
	requests := m.Requests()
	if n < 1 || n > len(requests) {
		m.report(fmt.Errorf("agentturntest: no request %d, the model was called %d times", n, len(requests)))
		return openresponses.Request{}
	}
	return requests[n-1]
}

// Remaining is how many attempts of the script have not been played. A test
// that cares asserts that it is 0.
func (m *Model) Remaining() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return max(0, len(m.script)-len(m.requests))
}

// Err joins everything that went wrong so far, nil when nothing did.
func (m *Model) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return errors.Join(m.errs...)
}

// callID numbers a function call.
func (m *Model) callID() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	return fmt.Sprintf("call_%d", m.calls)
}

// copyRequest copies what the loop or a hook may edit after the call.
func copyRequest(req openresponses.Request) openresponses.Request {
	req.Input = req.Input.Clone()
	req.Include = slices.Clone(req.Include)
	req.Tools = slices.Clone(req.Tools)
	req.Metadata = maps.Clone(req.Metadata)
	req.Extra = maps.Clone(req.Extra)
	req.Store = clonePtr(req.Store)
	req.Temperature = clonePtr(req.Temperature)
	req.TopP = clonePtr(req.TopP)
	req.PresencePenalty = clonePtr(req.PresencePenalty)
	req.FrequencyPenalty = clonePtr(req.FrequencyPenalty)
	req.ParallelToolCalls = clonePtr(req.ParallelToolCalls)
	req.StreamOptions = clonePtr(req.StreamOptions)
	req.MaxOutputTokens = clonePtr(req.MaxOutputTokens)
	req.MaxToolCalls = clonePtr(req.MaxToolCalls)
	req.TopLogprobs = clonePtr(req.TopLogprobs)
	return req
}

func clonePtr[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}
