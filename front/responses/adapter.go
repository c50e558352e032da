package responses

import (
	"context"
	"runtime/debug"
	"slices"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// Adapter answers requests with an agent. It keeps nothing between requests and may be used
// by many at once; so may be the hooks and tools of its configuration, and the functions of
// its options. Make one with [New].
type Adapter struct {
	cfg          agentturn.Config
	instructions bool
	toolItems    bool
	handoff      func(context.Context, *agentturn.RunEnd, []*agentturn.ToolEnd) (agentturn.Config, bool)
	start        func(context.Context, agentturn.Transcript) (agentturn.Config, bool)
	route        Route
}

var _ openresponses.Adapter = (*Adapter)(nil)

// Option sets one property of an [Adapter]. One given twice counts the second time.
type Option func(*Adapter)

// New returns an Adapter for the agent that cfg describes. A configuration without a model
// refuses every request. Nil options are ignored.
func New(cfg agentturn.Config, opts ...Option) *Adapter {
	a := &Adapter{cfg: cfg}
	for _, opt := range opts {
		if opt != nil {
			opt(a)
		}
	}
	return a
}

// WithRequestInstructions puts the instructions of a request behind the agent's own. Without
// it they are ignored: a client does not instruct somebody else's agent.
func WithRequestInstructions() Option {
	return func(a *Adapter) { a.instructions = true }
}

// WithToolItems shows the calls that the agent runs, and their outputs, among the items of a
// full run. A client that sends the output back as input then sends them too.
func WithToolItems() Option {
	return func(a *Adapter) { a.toolItems = true }
}

// WithHandoff lets another agent finish the answer. fn is called when a full run stopped on a
// tool's wish, with the run's end and the results of the batch that stopped it, in the order
// of ending. When it returns true, the configuration it returns runs on from there, into the
// same response, and fn is asked again should that run stop in the same way: only fn and the
// context end such a chain.
func WithHandoff(fn func(ctx context.Context, end *agentturn.RunEnd, results []*agentturn.ToolEnd) (agentturn.Config, bool)) Option {
	return func(a *Adapter) { a.handoff = fn }
}

// WithStart lets fn pick who answers a request, by its conversation, newest item last. When
// it returns false the agent of [New] does, whatever [WithTransfers] says. What a client
// writes decides here: let fn pick only among those whom the client may reach anyway.
func WithStart(fn func(ctx context.Context, t agentturn.Transcript) (agentturn.Config, bool)) Option {
	return func(a *Adapter) { a.start = fn }
}

// WithTransfers says which calls hand a conversation over, as [HandedTo] reads it: the last
// receiver answers, unless [WithStart] is given, and the reasoning in the input is taken for
// that of whoever was in charge.
func WithTransfers(route Route) Option {
	return func(a *Adapter) { a.route = route }
}

// Config returns the configuration given to [New].
func (a *Adapter) Config() agentturn.Config { return a.cfg }

// Create is CreateStream, collected.
func (a *Adapter) Create(ctx context.Context, req openresponses.Request) (*openresponses.Response, error) {
	return openresponses.CollectStream(ctx, a, req)
}

// CreateStream answers a request. An error comes without a terminal event; what the client
// made of the request wrong is an *openresponses.Error, and nothing was sent. Cancelling ctx
// aborts the run, and is returned as its cause.
func (a *Adapter) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) (err error) {
	defer recovered(&err)
	q, err := a.accept(ctx, req)
	if err != nil {
		return err
	}
	q.relay = newRelay(openresponses.NewEmitter(sink, q.response()))
	if slices.ContainsFunc(req.Tools, isFunction) {
		return q.singleTurn(ctx)
	}
	return q.fullRun(ctx)
}

func isFunction(tool openresponses.Tool) bool {
	_, ok := tool.(*openresponses.FunctionTool)
	return ok
}

// recovered makes the panic of a hook or a function of the host an error, in place of one that
// takes down the process of whoever calls outside of a server.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &agentturn.PanicError{Where: "front/responses", Value: v, Stack: debug.Stack()}
	}
}

// request is one request under way.
type request struct {
	adapter    *Adapter
	req        openresponses.Request
	transcript agentturn.Transcript // the input, and what joined it
	base       agentturn.Config     // as picked
	models     agentturn.ReasoningModels
	relay      *relay
}

// accept checks a request and picks who answers it.
func (a *Adapter) accept(ctx context.Context, req openresponses.Request) (*request, error) {
	if req.PreviousResponseID != "" {
		return nil, openresponses.PreviousResponseNotFound(req.PreviousResponseID)
	}
	if !agentturn.CanContinue(agentturn.Transcript(req.Input)) {
		return nil, openresponses.InvalidRequest(openresponses.CodeInvalidValue,
			"input must end with a user message or a function call output", "input")
	}
	q := &request{adapter: a, req: req, transcript: slices.Clone(agentturn.Transcript(req.Input)), base: a.cfg}
	switch {
	case a.start != nil:
		if cfg, ok := a.start(ctx, slices.Clone(q.transcript)); ok {
			q.base = cfg
		}
	case a.route != nil:
		if cfg, ok := HandedTo(q.transcript, a.route); ok {
			q.base = cfg
		}
	}
	q.attribute()
	if q.base.Model == nil {
		return nil, openresponses.ServerError("no_model", "agent has no model")
	}
	return q, nil
}

// attribute finds out whose the reasoning in the input is.
func (q *request) attribute() {
	q.models = agentturn.ReasoningModels{}
	if q.adapter.route == nil {
		return
	}
	handoffs := Handoffs(q.transcript, q.adapter.route)
	for i := range handoffs {
		handoffs[i].To = q.named(handoffs[i].To)
	}
	q.models = Attribute(q.transcript, q.named(q.adapter.cfg), handoffs)
}

// named is cfg with the request's model where it has none of its own.
func (q *request) named(cfg agentturn.Config) agentturn.Config {
	if cfg.ModelName == "" {
		cfg.ModelName = q.req.Model
	}
	return cfg
}

// configured is cfg as it runs for this request.
func (q *request) configured(cfg agentturn.Config) agentturn.Config {
	cfg = q.named(cfg)
	if q.adapter.instructions && q.req.Instructions != "" {
		if cfg.Instructions != "" {
			cfg.Instructions += "\n\n"
		}
		cfg.Instructions += q.req.Instructions
	}
	return cfg
}

// response is the response as it begins.
func (q *request) response() *openresponses.Response {
	r := openresponses.NewResponse(q.req)
	cfg := q.configured(q.base)
	r.Model = cfg.ModelName
	if q.base.Instructions != "" {
		r.Instructions = &cfg.Instructions
	}
	return r
}

// refuse ends the response as one that a guard stopped.
func (q *request) refuse() error {
	if err := q.relay.withhold(); err != nil {
		return err
	}
	return q.relay.emitter.Incomplete(openresponses.IncompleteReasonContentFilter)
}

// Compact hands the request to the model of the configuration given to [New], under its
// ModelName where that is set, if the model can compact. Otherwise the error is an
// invalid_request of code compaction_not_supported.
func (a *Adapter) Compact(ctx context.Context, req openresponses.CompactRequest) (_ *openresponses.CompactResponse, err error) {
	defer recovered(&err)
	model, ok := a.cfg.Model.(interface {
		Compact(context.Context, openresponses.CompactRequest) (*openresponses.CompactResponse, error)
	})
	if !ok {
		return nil, openresponses.InvalidRequest(openresponses.CodeCompactionNotSupported, "the agent's model does not compact", "")
	}
	if a.cfg.ModelName != "" {
		req.Model = a.cfg.ModelName
	}
	return model.Compact(ctx, req)
}
