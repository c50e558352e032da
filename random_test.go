package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

var (
	randomSeed = flag.Int("random.seed", 0, "run the random test with this seed alone")
	randomRuns = flag.Int("random.n", 600, "how many seeds the random test runs")
)

// TestRandom drives agents with models, tools, hooks, subscribers and users that do anything at any time, and holds what
// comes out to the rules. A seed that fails runs again with -random.seed.
func TestRandom(t *testing.T) {
	if *randomSeed > 0 {
		synctest.Test(t, func(t *testing.T) { newWorld(t, *randomSeed).live() })
		return
	}
	runs := *randomRuns
	if testing.Short() {
		runs = 100
	}
	for seed := 1; seed <= runs && !t.Failed(); seed++ {
		synctest.Test(t, func(t *testing.T) { newWorld(t, seed).live() })
		if t.Failed() {
			t.Logf("again: go test -run TestRandom -random.seed=%d .", seed)
		}
	}
}

// world is one agent and all that happens to it. What it does follows from the seed and from what is asked, not from the
// order in which goroutines ask.
type world struct {
	t     *testing.T
	seed  int
	agent *agentturn.Agent
	calm  atomic.Bool // nothing goes wrong any more

	mu     sync.Mutex
	rolls  map[string]int
	events []agentturn.Event // since the transcript was last set
	run    []agentturn.Event
	runs   int
}

func newWorld(t *testing.T, seed int) *world {
	w := &world{t: t, seed: seed, rolls: map[string]int{}}
	var names []agenttool.Tool
	for _, name := range []string{"fine", "slow", "broken", "panics", "nests", "ends", "chatty", "alone"} {
		names = append(names, w.tool(name))
	}
	cfg := agentturn.Config{
		Model: randomModel{w}, ModelName: "m", Tools: names, ToolElicitor: w.elicit,
		BeforeToolCall: w.beforeToolCall, AfterToolCall: w.afterToolCall, OutputGuard: w.guard, ShouldStopAfterTurn: w.shouldStop, BeforeTurn: w.beforeTurn,
		MaxParallelTools: w.roll("parallel", 4), MaxTurns: 8,
		Retry: agentturn.Retry{MaxAttempts: 1 + w.roll("attempts", 3)},
	}
	if w.chance("sequential", 4) {
		cfg.ToolExecution = agentturn.ExecSequential
	}
	if w.chance("grace", 4) {
		cfg.ToolGrace = time.Second
	}
	w.agent = agentturn.New(cfg)
	w.agent.Subscribe(w.record)
	w.agent.Subscribe(w.fail)
	return w
}

// roll is a number below n that follows from the seed, the key and how often the key was rolled before.
func (w *world) roll(key string, n int) int {
	w.mu.Lock()
	w.rolls[key]++
	count := w.rolls[key]
	w.mu.Unlock()
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s/%d", w.seed, key, count)
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return int(x % uint64(n))
}

// chance is true once in n times, and never when all is calm.
func (w *world) chance(key string, n int) bool { return !w.calm.Load() && w.roll(key, n) == 0 }

func (w *world) sleep(ctx context.Context, key string, most int) {
	select {
	case <-time.After(time.Duration(w.roll(key, most)) * time.Millisecond):
	case <-ctx.Done():
	}
}

// live prompts, resumes and meddles, and then sees whether the agent still works.
func (w *world) live() {
	for i := range 3 {
		w.meddle(fmt.Sprint("meddle", i))
		w.once(i)
		synctest.Wait()
	}
	w.calm.Store(true)
	time.Sleep(time.Hour) // what was left behind ends
	for i := 0; len(w.agent.State().Pending) > 0; i++ {
		if i > 3 {
			w.t.Errorf("calls stay pending: %s", pendingOf(w.agent.State().Pending))
			return
		}
		w.begin()
		w.finish(w.agent.Resume(context.Background(), w.answers("calm", true)...))
	}
	w.agent.ClearQueue(agentturn.QueueSteer)
	w.agent.ClearQueue(agentturn.QueueFollowUp)
	w.begin()
	end, err := w.agent.Prompt(context.Background(), user("and now?"))
	w.finish(end, err)
	if err != nil || end.Reason != agentturn.ReasonDone {
		w.t.Errorf("at the end the agent is of no use: %+v, error %v", end, err)
	}
}

// once starts a run in the way that its state asks for.
func (w *world) once(i int) {
	w.begin()
	key := fmt.Sprint("once", i)
	switch {
	case len(w.agent.State().Pending) > 0:
		w.finish(w.agent.Resume(context.Background(), w.answers(key, false)...))
	case w.chance(key+"deliver", 4):
		_, end, err := w.agent.Deliver(context.Background(), user("delivered"))
		w.finish(end, err)
	default:
		w.finish(w.agent.Prompt(context.Background(), user("prompt")))
	}
}

// answers answers all pending calls.
func (w *world) answers(key string, plain bool) (answers []agentturn.Answer) {
	for _, p := range w.agent.State().Pending {
		id := p.Call.CallID
		out := output(id, "answered")
		kind := w.roll(key+id, 5)
		if plain {
			kind = 0
		}
		switch kind {
		case 0:
			answers = append(answers, agentturn.Output(out))
		case 1:
			answers = append(answers, agentturn.Refuse(out))
		case 2:
			answers = append(answers, agentturn.OutcomeUnknown(id))
		default:
			answers = append(answers, agentturn.Approve(id).WithRunAgain())
		}
	}
	return answers
}

// meddle is the user, who may say something or stop it all while the run goes on.
func (w *world) meddle(key string) {
	for i := range w.roll(key, 4) {
		key := fmt.Sprint(key, i)
		time.AfterFunc(time.Duration(w.roll(key+"when", 3000))*time.Millisecond, func() {
			switch w.roll(key+"what", 6) {
			case 0:
				w.agent.Steer(user("steered"), agentturn.Hidden(openresponses.DeveloperText("hidden")))
			case 1:
				w.agent.FollowUp(user("follow-up"))
			case 2:
				w.agent.AbortCause(fmt.Errorf("aborted: %w", errTest))
			case 3:
				if w.agent.State().Running { // one that starts a run of its own is not for this test to follow
					ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
					defer cancel()
					w.agent.Deliver(ctx, user("delivered"))
				}
			case 4:
				w.agent.State()
			case 5:
				if err := w.agent.SetConfig(w.agent.Config()); err != nil && err != agentturn.ErrRunning {
					w.t.Errorf("SetConfig: %v", err)
				}
			}
		})
	}
}

func (w *world) record(_ context.Context, ev agentturn.Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, ev)
	w.run = append(w.run, ev)
	return nil
}

// fail is a subscriber that sometimes does.
func (w *world) fail(_ context.Context, ev agentturn.Event) error {
	switch {
	case w.chance("fail"+ev.EventType(), 80):
		return errTest
	case w.chance("panic"+ev.EventType(), 200):
		panic("a subscriber")
	}
	return nil
}

func (w *world) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run = nil
	w.runs++
}

// finish holds what happened to the rules.
func (w *world) finish(end *agentturn.RunEnd, err error) {
	w.mu.Lock()
	run, events := slices.Clone(w.run), slices.Clone(w.events)
	w.mu.Unlock()
	if end == nil {
		if err == nil {
			w.t.Error("neither an end nor an error")
		}
		return
	}
	if bad := at.CheckEvents(run); bad != nil {
		w.t.Errorf("%v\n%s", bad, strings.Join(allLines(run), "\n"))
	}
	var transcript openresponses.Items
	for _, ev := range events {
		if e, ok := ev.(*agentturn.ItemEnd); ok {
			transcript = append(transcript, e.Item)
		}
	}
	state := w.agent.State()
	if !slices.Equal(transcript, state.Transcript) {
		w.t.Errorf("the events come to %s, the transcript is %s", kinds(transcript), kinds(state.Transcript))
	}
	if n := len(transcript) - len(end.Items); n < 0 || !slices.Equal(transcript[n:], end.Items) {
		w.t.Errorf("the run's items %s are not the end of %s", kinds(end.Items), kinds(transcript))
	}
	w.checkPending(state)
	if state.Running || (end.Reason == agentturn.ReasonError) != (err != nil) || end.Reason == agentturn.ReasonInputRequired && len(end.Pending) == 0 {
		w.t.Errorf("running %t, ended %+v, error %v", state.Running, end, err)
	}
	for _, ev := range run {
		data, err := json.Marshal(ev)
		if err == nil {
			_, err = agentturn.DecodeEvent(data)
		}
		if err != nil {
			w.t.Errorf("JSON of %s: %v", ev.EventType(), err)
		}
	}
}

// checkPending: what is pending is what has no output, in order.
func (w *world) checkPending(state agentturn.State) {
	answered := map[string]bool{}
	for _, item := range state.Transcript {
		if out, ok := item.(*openresponses.FunctionCallOutput); ok {
			answered[out.CallID] = true
		}
	}
	var want []*openresponses.FunctionCall
	for _, call := range callsOf(state.Transcript) {
		if !answered[call.CallID] {
			want = append(want, call)
		}
	}
	if got := agentturn.PendingCalls(state.Pending); !slices.Equal(got, want) {
		w.t.Errorf("pending %s, unanswered %v", pendingOf(state.Pending), want)
	}
}

func allLines(events []agentturn.Event) (lines []string) {
	for _, ev := range events {
		lines = append(lines, at.Line(ev))
	}
	return lines
}

// tool is a tool with the temper that its name says.
func (w *world) tool(name string) agenttool.Tool {
	var opts []agenttool.Option
	if name == "alone" {
		opts = append(opts, agenttool.WithResource("one"))
	}
	return funcTool(name, func(ctx context.Context, call agenttool.Call) (agenttool.Result, error) {
		w.sleep(ctx, "tool"+call.ID, 300)
		switch name {
		case "slow":
			time.Sleep(time.Duration(w.roll("slow"+call.ID, 5000)) * time.Millisecond) // and deaf
		case "broken":
			return agenttool.Result{Details: 1}, errTest
		case "panics":
			panic(errTest)
		case "nests":
			return agentturn.Invoke(ctx, []string{"fine", "broken", "panics", "none", "nests", "chatty"}[w.roll("nest"+call.ID, 6)], call.Args)
		case "ends":
			return agenttool.Result{Terminate: true}, nil
		case "chatty":
			for range 3 {
				call.Update(agenttool.Text("so far"))
			}
		}
		return agenttool.Text("\xff ok"), ctx.Err()
	}, opts...)
}

func (w *world) beforeToolCall(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
	if w.calm.Load() {
		return nil, nil
	}
	switch w.roll("before"+info.Call.CallID, 14) {
	case 0:
		return &agentturn.ToolDecision{Action: agentturn.Block, Terminate: w.chance("end", 4)}, nil
	case 1, 2:
		return &agentturn.ToolDecision{Action: agentturn.Defer, Reason: "ask"}, nil
	case 3:
		return &agentturn.ToolDecision{Note: "note", Args: json.RawMessage(`{"rewritten":true}`)}, nil
	case 4:
		if w.chance("hook error", 4) {
			return nil, errTest
		}
	case 5:
		if w.chance("hook panic", 4) {
			panic("a hook")
		}
	}
	return nil, nil
}

func (w *world) afterToolCall(_ context.Context, info agentturn.ToolResultInfo) (*agentturn.ToolOverride, error) {
	switch {
	case w.chance("override"+info.Call.CallID, 8):
		return &agentturn.ToolOverride{Result: agenttool.Text("overridden")}, nil
	case w.chance("after"+info.Call.CallID, 40):
		return nil, errTest
	}
	return nil, nil
}

func (w *world) guard(_ context.Context, info agentturn.OutputInfo) (*openresponses.Message, error) {
	switch {
	case w.chance("guard", 20):
		return nil, agentturn.ErrGuard
	case w.chance("replace", 10):
		return openresponses.AssistantText("replaced"), nil
	}
	return nil, nil
}

func (w *world) shouldStop(context.Context, agentturn.TurnInfo) (bool, error) {
	return w.chance("stop", 15), nil
}

func (w *world) beforeTurn(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) {
	switch {
	case w.chance("turn items", 6):
		return items(openresponses.DeveloperText("by the way")), nil
	case w.chance("turn guard", 40):
		return nil, agentturn.ErrGuard
	}
	return nil, nil
}

func (w *world) elicit(context.Context, agenttool.Elicitation) (agenttool.Answer, error) {
	return agenttool.Answer{Action: []agenttool.Action{agenttool.ActionAccept, agenttool.ActionDecline, agenttool.ActionCancel}[w.roll("elicit", 3)]}, nil
}

// randomModel answers as a good, sloppy or broken server.
type randomModel struct{ w *world }

func (m randomModel) CreateStream(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error {
	w := m.w
	if err := at.CheckRequest(req); err != nil && !noted(req.Input) {
		w.t.Errorf("a strict server refuses %s: %v", kinds(req.Input), err)
	}
	s := &randomStream{w: w, ctx: ctx, sink: sink}
	return s.play()
}

// noted reports whether a message stands between a call and its output, where the note on another call put it: one call
// of a batch may have its output, and its note, while another waits for a person.
func noted(input openresponses.Items) bool {
	open := 0
	for _, item := range input {
		switch item := item.(type) {
		case *openresponses.FunctionCall:
			open++
		case *openresponses.FunctionCallOutput:
			open--
		case *openresponses.Message:
			if open > 0 && item.Role != openresponses.RoleAssistant {
				return true
			}
		}
	}
	return false
}

type randomStream struct {
	w     *world
	ctx   context.Context
	sink  openresponses.EventSink
	index int
	out   openresponses.Items
	err   error
}

func (s *randomStream) send(events ...openresponses.StreamEvent) {
	for _, ev := range events {
		if s.err == nil {
			s.w.sleep(s.ctx, "wire", 20)
			if s.err = s.ctx.Err(); s.err == nil {
				s.err = s.sink.Send(ev)
			}
		}
	}
}

func (s *randomStream) play() error {
	w := s.w
	if w.calm.Load() {
		return at.NewModel(w.t, at.Text("fine")).Unchecked().CreateStream(s.ctx, openresponses.Request{}, s.sink)
	}
	if w.chance("overloaded", 8) {
		return openresponses.ServerError("overloaded", "overloaded")
	}
	if !w.chance("nameless", 6) {
		s.send(created(fmt.Sprint("resp_", w.roll("resp", 1000))))
	}
	for range 1 + w.roll("items", 4) {
		s.item()
	}
	switch w.roll("ending", 14) {
	case 0:
		return errors.Join(s.err, openresponses.ErrTruncatedStream)
	case 1:
		return s.err
	case 2:
		s.send(&openresponses.ErrorEvent{Error: openresponses.ErrorPayload{Message: "in the stream"}})
	case 3:
		s.send(ended(openresponses.ResponseStatusFailed, s.out...))
	case 4:
		s.send(ended(openresponses.ResponseStatusIncomplete, s.out...))
	case 5:
		s.send(ended(finished))
	default:
		s.send(ended(finished, s.out...))
	}
	return s.err
}

// item sends one item, in one of the ways in which servers do.
func (s *randomStream) item() {
	w := s.w
	id := fmt.Sprint("item_", w.roll("id", 1_000_000))
	if w.chance("no id", 5) {
		id = ""
	}
	index := s.index
	s.index++
	if w.chance("reuse", 6) {
		index = 0
	}
	var start, whole openresponses.Item
	var deltas []openresponses.StreamEvent
	switch w.roll("kind", 5) {
	case 0:
		start, whole = thought(id), thought(id)
	case 1:
		start, whole = opening(id), message(id, "some text")
		deltas = []openresponses.StreamEvent{textDelta(index, "some "), textDelta(index, "text")}
	default:
		name := []string{"fine", "slow", "broken", "panics", "nests", "ends", "chatty", "alone", "none"}[w.roll("name", 9)]
		callID := []string{"", "same", strings.Repeat("long", 30), fmt.Sprint("call_", w.roll("call", 1_000_000))}[w.roll("call id", 4)]
		args := []string{`{}`, `{"a":1}`, ``, `[1]`, `{"a":`, `{"a":"\ud83d"}`}[w.roll("args", 6)]
		call := func(args string) *openresponses.FunctionCall {
			return &openresponses.FunctionCall{ID: id, CallID: callID, Name: name, Arguments: args}
		}
		start, whole = call(""), call(args)
		deltas = []openresponses.StreamEvent{argsDelta(index, id, args)}
	}
	s.out = append(s.out, whole)
	if !w.chance("done only", 5) {
		s.send(added(index, start))
		s.send(deltas...)
	}
	if !w.chance("never done", 8) {
		s.send(done(index, whole))
	}
	if w.chance("done twice", 10) {
		s.send(done(index, whole))
	}
}
