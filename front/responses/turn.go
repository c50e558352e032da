package responses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// singleTurn makes one call of the agent's model and hands what it calls to the client.
func (q *request) singleTurn(ctx context.Context) error {
	cfg := q.configured(q.base)
	req, err := q.turnRequest(ctx, &cfg)
	switch {
	case errors.Is(err, agentturn.ErrGuard):
		return q.refuse()
	case err != nil:
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &turnSink{ctx: ctx, cancel: cancel, relay: q.relay, guard: cfg.OutputGuard}
	err = cfg.Model.CreateStream(ctx, req, s)
	return s.finish(err)
}

// turnRequest builds the request of a single turn. An error that wraps ErrGuard is the
// BeforeModelCall hook's.
func (q *request) turnRequest(ctx context.Context, cfg *agentturn.Config) (req openresponses.Request, err error) {
	if cfg.Reasoning.IsZero() {
		cfg.Reasoning = q.req.Reasoning
	}
	if cfg.Text.IsZero() {
		cfg.Text = q.req.Text
	}
	tools := agenttool.Set(cfg.ResolveTools(ctx))
	cfg.Tools, cfg.ToolProvider = tools, nil // resolved once
	for _, tool := range q.req.Tools {
		if f, ok := tool.(*openresponses.FunctionTool); ok {
			if _, owned := tools.Lookup(f.Name); owned {
				return req, openresponses.InvalidRequest(openresponses.CodeInvalidValue,
					fmt.Sprintf("tool %q is owned by the agent", f.Name), "tools")
			}
		}
	}
	t := q.transcript
	if cfg.Transform != nil {
		if t, err = cfg.Transform(ctx, slices.Clone(t)); err != nil {
			return req, fmt.Errorf("transform: %v", err) // no guard's, whatever it wraps
		}
	}
	filter := cfg.Filter
	if filter == nil {
		filter = agentturn.DefaultFilter
	}
	t = q.models.For(cfg.ModelName, filter(t))
	req = cfg.BaseRequest(ctx)
	req.Input = openresponses.Items(t)
	for _, tool := range q.req.Tools {
		if isFunction(tool) {
			req.Tools = append(req.Tools, tool)
		}
	}
	if !q.req.ToolChoice.IsZero() {
		req.ToolChoice = q.req.ToolChoice
	}
	if cfg.BeforeModelCall != nil {
		if err := cfg.BeforeModelCall(ctx, &req); err != nil {
			return req, fmt.Errorf("before-model-call hook: %w", err)
		}
	}
	return req, nil
}

// turnSink relays the stream of a single turn. The first function call and all behind it wait
// for the end: a client that sees a call goes and runs it, which must not happen for a
// response that fails or is withheld.
type turnSink struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	relay  *relay
	guard  func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error)

	mu       sync.Mutex
	acc      openresponses.Accumulator
	opened   []*turnItem // in opening order
	holding  bool
	held     []func() error
	withheld bool
	terminal *openresponses.Response
	err      error // of the client's side, a hook or an error event: it ends the turn
	closed   bool
}

// turnItem is an item of the stream.
type turnItem struct {
	live openresponses.Item // what the accumulator had when it opened
	done openresponses.Item
}

var errTurnOver = errors.New("responses: the turn is over")

// Send takes the next event of the model's stream.
func (s *turnSink) Send(ev openresponses.StreamEvent) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errTurnOver
	case s.err != nil:
		return s.err
	}
	if response, ok := openresponses.TerminalResponse(ev); ok && response != nil {
		s.terminal = response.Clone()
		return nil
	}
	if s.withheld {
		return nil
	}
	if s.err = s.take(ev); s.err != nil {
		s.cancel(s.err)
	}
	return s.err
}

func (s *turnSink) take(ev openresponses.StreamEvent) error {
	s.acc.Add(ev)
	switch ev := ev.(type) {
	case *openresponses.OutputItemAddedEvent:
		item, ok := s.acc.ItemAt(ev.OutputIndex)
		if !ok {
			return nil
		}
		s.opened = append(s.opened, &turnItem{live: item})
		return s.pass(item, func() error { return s.relay.opened(item) })
	case *openresponses.OutputItemDoneEvent:
		return s.done(ev)
	case *openresponses.ErrorEvent:
		return ev.Err()
	}
	index, ok := outputIndex(ev)
	if !ok {
		return nil
	}
	item, ok := s.acc.ItemAt(index)
	if !ok {
		return nil
	}
	return s.pass(item, func() error { return s.relay.updated(item, ev) })
}

func (s *turnSink) done(ev *openresponses.OutputItemDoneEvent) error {
	item, ok := s.acc.ItemAt(ev.OutputIndex)
	if !ok || item == nil {
		return nil
	}
	i := nearest(len(s.opened), item, func(i int) openresponses.Item {
		if s.opened[i].done != nil {
			return nil
		}
		return s.opened[i].live
	})
	if i < 0 {
		i = len(s.opened)
		s.opened = append(s.opened, &turnItem{})
	}
	t := s.opened[i]
	t.done = item
	if m, ok := item.(*openresponses.Message); ok && s.guard != nil && m.Role == openresponses.RoleAssistant {
		kept, err := s.guard(s.ctx, agentturn.OutputInfo{Turn: 1, ResponseID: s.responseID(), Message: m, Output: s.before(t)})
		switch {
		case errors.Is(err, agentturn.ErrGuard):
			s.withheld = true
			return nil
		case err != nil:
			return fmt.Errorf("output guard: %w", err)
		case kept != nil:
			t.done, item = kept, kept
		}
	}
	return s.pass(item, func() error { return s.relay.ended(item) })
}

// before is the items that opened before one, each as far as it has come.
func (s *turnSink) before(t *turnItem) openresponses.Items {
	var items openresponses.Items
	for _, o := range s.opened {
		if o == t {
			break
		}
		if o.done != nil {
			items = append(items, o.done)
		} else {
			items = append(items, o.live)
		}
	}
	return items
}

func (s *turnSink) responseID() string {
	if r := s.acc.Response(); r != nil {
		return r.ID
	}
	return ""
}

// pass relays, now or when the turn has ended well.
func (s *turnSink) pass(item openresponses.Item, relay func() error) error {
	if _, ok := item.(*openresponses.FunctionCall); ok {
		s.holding = true
	}
	if s.holding {
		s.held = append(s.held, relay)
		return nil
	}
	return relay()
}

// finish ends the response; err is how the streamer returned.
func (s *turnSink) finish(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	response := s.relay.emitter.Response()
	if s.terminal != nil {
		response.Usage = s.terminal.Usage
	}
	switch {
	case s.withheld:
		if err := s.relay.withhold(); err != nil {
			return err
		}
		return s.relay.emitter.Incomplete(openresponses.IncompleteReasonContentFilter)
	case s.err != nil:
		return s.err
	case s.terminal != nil && s.terminal.Status == openresponses.ResponseStatusFailed:
		if s.terminal.Error != nil {
			return s.terminal.Error.Err(0)
		}
		return errors.New("responses: model response failed")
	case s.ctx.Err() != nil:
		return context.Cause(s.ctx)
	case err != nil:
		return err
	case s.terminal == nil:
		return errors.New("responses: model stream ended without a terminal event")
	}
	for _, relay := range s.held {
		if err := relay(); err != nil {
			return err
		}
	}
	if err := s.relay.cut(); err != nil {
		return err
	}
	if s.terminal.Status != openresponses.ResponseStatusIncomplete {
		return s.relay.emitter.Complete()
	}
	reason := openresponses.IncompleteReasonMaxOutputTokens
	if d := s.terminal.IncompleteDetails; d != nil && d.Reason != "" {
		reason = d.Reason
	}
	return s.relay.emitter.Incomplete(reason)
}
