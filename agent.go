package agentturn

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ChristopherDavenport/openresponses"
)

// Agent is the loop with a memory: a transcript that grows run by run, queues that steer
// it, and subscribers that follow it. It runs one run at a time.
//
// Subscribers are called for every event, one event at a time, in the order they were
// registered, and the run goes on when all of them have returned: an event is a barrier.
// An error of one ends the run. A subscriber's context is never cancelled, so that what an
// abort leaves behind can still be recorded. A subscriber may call State, Steer, FollowUp,
// Queue, Abort and, with the context it was given, Deliver; it must not call WaitForIdle
// or Invoke, which wait for the subscriber itself.
//
// Every method may be called from any goroutine. The zero Agent is idle and has no model;
// use [New].
type Agent struct {
	// delivery is held while an event is with the subscribers. It is taken before mu.
	delivery    hostLock
	subscribers atomic.Pointer[[]*subscriber]

	mu       sync.Mutex // guards what follows; no code of the host runs under it
	cfg      Config
	log      *ledger
	pending  []PendingCall
	reserved map[string]struct{}
	models   *attribution
	active   *activeRun
	last     *RunEnd // of the run that ended last
	queues   queues
	// generation counts the changes to what a start is decided on.
	generation int
	seed       []PendingCall // of WithPending, until New applies it
}

type subscriber struct {
	fn func(context.Context, Event) error
}

// activeRun is the run an agent is in.
type activeRun struct {
	agent  *Agent
	id     string
	turn   int
	past   bool // past its last drain
	cancel context.CancelCauseFunc
	scope  *scope
	idle   chan struct{}   // closed when the run is over
	ctx    context.Context // the subscribers'
	before []PendingCall   // what was pending when it began
}

// State is a snapshot of an [Agent]. Its slices are copies, the items in them shared: read
// only.
type State struct {
	Transcript Transcript

	// Running is true from a run's start until its run_end has been delivered. It does not
	// say that a steer still joins the run; [Agent.Deliver] does.
	Running bool
	RunID   string // of the active run
	Turn    int    // of the active run; 0 before its first turn

	// What is queued: how many items, and the items, the mark of [Hidden] on them, so that a
	// host can keep what it accepted across a restart.
	Steering  int
	FollowUps int
	Steered   openresponses.Items
	Queued    openresponses.Items

	// Pending lists the calls that wait for an answer. It is empty during a run.
	Pending []PendingCall
}

// Option configures an agent made with [New].
type Option func(*Agent)

// New makes an idle agent. Options apply in order, WithPending last.
func New(cfg Config, opts ...Option) *Agent {
	a := &Agent{cfg: cfg}
	for _, opt := range opts {
		if opt != nil {
			opt(a)
		}
	}
	a.explainPending(a.seed)
	a.seed = nil
	return a
}

// Config returns the agent's configuration. Its slices and maps are shared.
func (a *Agent) Config() Config {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cfg
}

// State returns a snapshot of the agent.
func (a *Agent) State() State {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := State{
		Transcript: slices.Clone(a.ledger().items),
		Steered:    a.queues.items(QueueSteer),
		Queued:     a.queues.items(QueueFollowUp),
		Pending:    slices.Clone(a.pending),
	}
	s.Steering, s.FollowUps = len(s.Steered), len(s.Queued)
	if a.active != nil {
		s.Running, s.RunID, s.Turn = true, a.active.id, a.active.turn
	}
	return s
}

// ledger is the agent's transcript; the zero Agent gets an empty one.
func (a *Agent) ledger() *ledger {
	if a.log == nil {
		a.log = &ledger{}
	}
	return a.log
}

// Subscribe registers fn for every event from the next one on and returns a function that
// removes it. See [Agent] for what fn may do. A nil fn is never called.
func (a *Agent) Subscribe(fn func(context.Context, Event) error) (unsubscribe func()) {
	if fn == nil {
		return func() {}
	}
	s := &subscriber{fn: fn}
	a.changeSubscribers(func(list []*subscriber) []*subscriber { return append(list, s) })
	return func() {
		a.changeSubscribers(func(list []*subscriber) []*subscriber {
			return slices.DeleteFunc(list, func(other *subscriber) bool { return other == s })
		})
	}
}

// changeSubscribers replaces the list, so that a delivery under way keeps the one it has.
func (a *Agent) changeSubscribers(change func([]*subscriber) []*subscriber) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var list []*subscriber
	if old := a.subscribers.Load(); old != nil {
		list = slices.Clone(*old)
	}
	list = change(list)
	a.subscribers.Store(&list)
}

// Prompt appends items to the transcript and runs until the agent is idle. While calls are
// pending, items has to open with one output for each of them.
//
// It returns the run's end once every subscriber is done with it. The error is not nil when
// the run could not start, with a nil RunEnd (ErrNoPrompt, ErrNoModel, ErrRunning,
// ErrInputRequired, ErrNotPending, ErrTriggerExtra, a tool list that is not valid), and when
// it ended with [ReasonError], with the RunEnd beside it.
func (a *Agent) Prompt(ctx context.Context, items ...openresponses.Item) (*RunEnd, error) {
	if len(items) == 0 {
		return nil, ErrNoPrompt
	}
	return a.start(ctx, func(s standing) (opening, error) {
		if err := s.cfg.check(); err != nil {
			return opening{}, err
		}
		if s.running {
			return opening{}, ErrRunning
		}
		return promptOpening(TriggerFromContext(ctx), PendingCalls(s.pending), items, len(s.pending) > 0)
	})
}

// Continue runs from the transcript as it stands, which must satisfy [CanContinue] and leave
// no call pending. It returns as [Agent.Prompt] does.
func (a *Agent) Continue(ctx context.Context) (*RunEnd, error) {
	return a.start(ctx, func(s standing) (opening, error) {
		switch {
		case s.running:
			return opening{}, ErrRunning
		case len(s.pending) > 0:
			return opening{}, ErrInputRequired
		case !CanContinue(s.transcript):
			return opening{}, ErrCannotContinue
		}
		return s.open(ctx)
	})
}

// standing is how an agent stands when a start is decided on.
type standing struct {
	cfg        Config
	running    bool
	pending    []PendingCall
	transcript Transcript
	generation int
}

// open is the opening of a run without prompts.
func (s standing) open(ctx context.Context) (opening, error) {
	if err := s.cfg.check(); err != nil {
		return opening{}, err
	}
	return opening{source: SourceInput}, TriggerFromContext(ctx).Validate()
}

func (a *Agent) standing() standing {
	return standing{
		cfg: a.cfg, running: a.active != nil, pending: a.pending,
		transcript: a.ledger().snapshot(), generation: a.generation,
	}
}

// start begins the run that open allows and drives it to its end. open may call the host's
// code, the names of tools among it, so it is called without a lock, and again when the
// agent has changed meanwhile: nothing comes between its answer and the start.
func (a *Agent) start(ctx context.Context, open func(standing) (opening, error)) (*RunEnd, error) {
	for {
		a.mu.Lock()
		s := a.standing()
		a.mu.Unlock()
		o, err := open(s)
		if err != nil {
			return nil, err
		}
		if r, active := a.begin(ctx, s, o); r != nil {
			return a.drive(r, active)
		}
	}
}

// begin marks the agent as running, or returns nil when it no longer stands as s says.
func (a *Agent) begin(ctx context.Context, s standing, o opening) (*run, *activeRun) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.generation != s.generation {
		return nil, nil
	}
	a.generation++
	id := live{}.newID("run")
	outer, _ := ctx.Value(inRunKey{}).(*inRun)
	mark := &inRun{agent: a, runID: id, outer: outer}
	runCtx, cancel := context.WithCancelCause(ctx)
	active := &activeRun{
		agent: a, id: id, cancel: cancel,
		scope:  &scope{parent: ContextWithRunID(ctx, id), recorder: a.cfg.ToolRecorder},
		idle:   make(chan struct{}),
		ctx:    context.WithValue(context.WithoutCancel(ctx), inRunKey{}, mark),
		before: a.pending,
	}
	a.active, a.pending = active, nil
	if a.models == nil {
		a.models = &attribution{}
	}
	models := a.models
	if given := reasoningModelsFrom(ctx); len(given) > 0 {
		models = newAttribution(a.models.models, given)
	}
	log := a.ledger()
	return &run{
		id: id, cfg: a.cfg, host: active, driver: live{},
		trigger: TriggerFromContext(ctx),
		ctx:     &runContext{Context: runCtx, runID: id, scope: active.scope, mark: mark},
		log:     log, start: len(log.items),
		models:  models,
		ids:     reservations{agent: a.reserved, context: reservedCallIDs(ctx)},
		known:   active.before,
		opening: o,
	}, active
}

// drive runs r and leaves the agent idle, whatever happens.
func (a *Agent) drive(r *run, active *activeRun) (*RunEnd, error) {
	var e *RunEnd
	defer func() {
		active.cancel(nil)
		a.mu.Lock()
		defer a.mu.Unlock()
		if r.models != a.models {
			a.models = r.models.keep(a.log.items)
		}
		a.active, a.last = nil, e
		a.generation++
		close(active.idle)
		a.queues.wake()
	}()
	e = r.drive()
	if e.Reason == ReasonError {
		return e, e.Err
	}
	return e, nil
}

// Abort cancels the active run, if there is one, with [context.Canceled] as its cause. The
// queues stay as they are.
func (a *Agent) Abort() { a.AbortCause(nil) }

// AbortCause cancels the active run, if there is one, for cause: what [context.Cause] tells
// everything the run called, and what the run's end carries. The first cause counts. A nil
// cause is [context.Canceled].
func (a *Agent) AbortCause(cause error) {
	if cause == nil {
		cause = context.Canceled
	}
	a.mu.Lock()
	active := a.active
	a.mu.Unlock()
	if active != nil {
		active.cancel(cause)
		active.scope.abort(cause)
	}
}

// WaitForIdle returns nil once the run that is active when it is called is over, at once
// when there is none, and ctx's error when that ends first.
func (a *Agent) WaitForIdle(ctx context.Context) error {
	a.mu.Lock()
	active := a.active
	a.mu.Unlock()
	if active == nil {
		return nil
	}
	select {
	case <-active.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// SetConfig replaces the configuration from the next run on. The transcript, the
// subscribers and the queues stay. Each request leaves out the reasoning items that were
// produced under another ModelName, so a change of model needs nothing more. It returns
// [ErrRunning] during a run.
func (a *Agent) SetConfig(cfg Config) error {
	return a.whenIdle(func() { a.cfg = cfg })
}

func (a *Agent) whenIdle(change func()) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.active != nil {
		return ErrRunning
	}
	change()
	a.generation++
	return nil
}

// deliver makes ev part of the agent's state and then hands it to the subscribers, after
// the reports of what was queued meanwhile. The error is the first of a subscriber; what
// one fails on does not reach those after it, and nothing else is lost to them.
func (r *activeRun) deliver(ev Event) error {
	a := r.agent
	a.delivery.Lock()
	defer a.delivery.Unlock()
	switch e := ev.(type) {
	case *ItemUpdate:
	case *TurnStart:
		a.mu.Lock()
		r.turn = e.Turn
		a.mu.Unlock()
	case *RunEnd:
		a.mu.Lock()
		a.pending = e.Pending
		a.mu.Unlock()
	}
	err := r.report()
	if failed := a.publish(r.ctx, ev); err == nil {
		err = failed
	}
	switch ev.(type) {
	case *TurnStart:
		if err == nil {
			a.queues.seen(a)
		}
	case *RunEnd:
		_ = r.report()
	}
	return err
}

func (r *activeRun) deliverOpened(ev *ItemStart, _ *openresponses.OutputItemAddedEvent) error {
	return r.deliver(ev)
}

// report delivers the reports of the items queued so far.
func (r *activeRun) report() (err error) {
	for _, report := range r.agent.takeReports() {
		if failed := r.agent.publish(r.ctx, report); err == nil {
			err = failed
		}
	}
	return err
}

// publish calls the subscribers with ev until one fails.
func (a *Agent) publish(ctx context.Context, ev Event) error {
	list := a.subscribers.Load()
	if list == nil {
		return nil
	}
	for _, s := range *list {
		if err := s.call(ctx, ev); err != nil {
			return err
		}
	}
	return nil
}

func (s *subscriber) call(ctx context.Context, ev Event) (err error) {
	defer recovered(&err, "subscriber")
	return s.fn(ctx, ev)
}

func (r *activeRun) commit(log *ledger, item openresponses.Item) {
	r.agent.mu.Lock()
	defer r.agent.mu.Unlock()
	log.append(item)
}
