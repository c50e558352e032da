package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// holding defers every call of the model's.
func holding(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
	if info.Parent != "" {
		return nil, nil
	}
	return &agentturn.ToolDecision{Action: agentturn.Defer}, nil
}

// heldAgent is an agent with the calls call_1, call_2, ... of x pending, and a model that goes on with the turns.
func heldAgent(t *testing.T, calls int, cfg agentturn.Config, then ...at.Turn) (*agentturn.Agent, *at.Recorder) {
	t.Helper()
	var first at.Attempt
	for range calls {
		first = append(first, at.Call("x", `{"n":1}`))
	}
	model := at.NewModel(t, append([]at.Turn{first}, then...)...)
	cfg.Model = model
	if cfg.Tools == nil {
		cfg.Tools = tools(ranTool("x"))
	}
	if cfg.BeforeToolCall == nil {
		cfg.BeforeToolCall = holding
	}
	a, rec := agentOf(t, cfg)
	prompted(t, a, "hi", agentturn.ReasonInputRequired)
	rec.Reset()
	return a, rec
}

// resumed answers the pending calls and checks how the run ended.
func resumed(t *testing.T, a *agentturn.Agent, reason agentturn.Reason, answers ...agentturn.Answer) *agentturn.RunEnd {
	t.Helper()
	end, err := a.Resume(t.Context(), answers...)
	if end == nil || end.Reason != reason {
		t.Fatalf("ended %+v, error %v, want %s", end, err, reason)
	}
	return end
}

func TestAnswers(t *testing.T) {
	t.Run("R080", func(t *testing.T) {
		a, rec := heldAgent(t, 2, agentturn.Config{})
		for name, answers := range map[string][]agentturn.Answer{
			"none":           nil,
			"missing":        {agentturn.Approve("call_1")},
			"duplicate":      {agentturn.Approve("call_1"), agentturn.Approve("call_1"), agentturn.Approve("call_2")},
			"foreign":        {agentturn.Approve("call_1"), agentturn.Approve("call_2"), agentturn.Approve("call_3")},
			"of two calls":   {agentturn.Approve("call_1"), {CallID: "call_2", Output: output("call_1", "x")}},
			"without its ID": {agentturn.Approve("call_1"), {CallID: "call_2", Output: output("", "x")}},
		} {
			end, err := a.Resume(t.Context(), answers...)
			if end != nil || !errors.Is(err, agentturn.ErrNotPending) {
				t.Errorf("%s: %v, error %v", name, end, err)
			}
		}
		if len(rec.Events()) > 0 || pendingOf(a.State().Pending) != "call_1=deferred call_2=deferred" {
			t.Errorf("events %q, pending %s", rec.Lines(), pendingOf(a.State().Pending))
		}
		idle, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t)})
		if _, err := idle.Resume(t.Context()); !errors.Is(err, agentturn.ErrNotPending) || !strings.HasSuffix(err.Error(), ": nothing is pending") {
			t.Errorf("nothing pending: error %v", err)
		}
	})
	t.Run("R081", func(t *testing.T) {
		// The note of an output comes ahead of the outputs of approved calls, which the strictest server refuses.
		model := at.NewModel(t, at.Attempt{at.Call("x", `{"n":1}`), at.Call("x", `{"n":1}`), at.Call("x", `{"n":1}`)}, at.Text("ok")).Unchecked()
		a, rec := agentOf(t, agentturn.Config{Model: model, Tools: tools(ranTool("x")), BeforeToolCall: holding})
		prompted(t, a, "hi", agentturn.ReasonInputRequired)
		rec.Reset()
		resumed(t, a, agentturn.ReasonDone, agentturn.Approve("call_1").WithNote("run it"),
			agentturn.Output(output("call_3", "three")).WithNote("did it"), agentturn.Output(output("call_2", "two")))
		expect(t, lines(rec, "run_start", "item_end 0", "tool_start", "tool_end", "turn_start"), "run_start run_2 resume",
			`item_end 0 function_call_output call_3 "three"`, `item_end 0 function_call_output call_2 "two"`, `item_end 0 message user "did it"`,
			`tool_start 0 call_1 x {"n":1} note`, "tool_end 0 call_1 ok", `item_end 0 function_call_output call_1 "ran {\"n\":1}"`, `item_end 0 message user "run it"`,
			"turn_start 1")
	})
	t.Run("R082", func(t *testing.T) {
		var asked []string
		hook := func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			asked = append(asked, info.Call.CallID)
			return nil, nil
		}
		call := callItem("c", "x")
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok")), Tools: tools(ranTool("x")), BeforeToolCall: hook},
			agentturn.WithTranscript(agentturn.Transcript{user("hi"), callItem("held", "x"), call}),
			agentturn.WithPending([]agentturn.PendingCall{{Call: callItem("held", "x"), Reason: agentturn.PendingDeferred}, {Call: call, Reason: agentturn.PendingUndispatched}}))
		resumed(t, a, agentturn.ReasonDone, agentturn.Approve("held"), agentturn.Approve("c"))
		expect(t, asked, "c")
	})
	t.Run("R082 what the hook sees and says", func(t *testing.T) {
		hook := func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			if info.RunID == "" || info.Turn != 0 || len(info.Batch) != 3 || info.Batch[info.Index] != info.Call || info.Call.CallID != []string{"d", "c", "b"}[info.Index] {
				t.Errorf("asked about %s, at %d of %d in turn %d", info.Call.CallID, info.Index, len(info.Batch), info.Turn)
			}
			switch info.Call.CallID {
			case "b":
				return &agentturn.ToolDecision{Action: agentturn.Block, Reason: "too late"}, nil
			case "c":
				return &agentturn.ToolDecision{Args: json.RawMessage(`{"n":2}`), Note: "by the hook", By: "policy"}, nil
			}
			return nil, nil
		}
		var seed agentturn.Transcript
		var pending []agentturn.PendingCall
		for _, id := range []string{"b", "c", "d"} {
			call := callItem(id, "x")
			seed, pending = append(seed, call), append(pending, agentturn.PendingCall{Call: call, Reason: agentturn.PendingUndispatched})
		}
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok")), Tools: tools(ranTool("x")), BeforeToolCall: hook},
			agentturn.WithTranscript(append(agentturn.Transcript{user("hi")}, seed...)), agentturn.WithPending(pending))
		end := resumed(t, a, agentturn.ReasonDone, agentturn.Approve("d").WithNote("by the user").WithBy("ann").WithReason("fine"), agentturn.Approve("c").WithNote("lost").WithBy("ann"), agentturn.Approve("b"))
		if got := kinds(end.Items); got != "output:b output:c output:d user:by the user developer:by the hook assistant:ok" {
			t.Errorf("items %s", got)
		}
		if b, c, d := outputText(t, end.Items, "b"), outputText(t, end.Items, "c"), outputText(t, end.Items, "d"); b != "Error: too late" || c != `ran {"n":2}` || d != "ran {}" {
			t.Errorf("outputs %q, %q, %q", b, c, d)
		}
		starts := all[*agentturn.ToolStart](rec)
		if d := starts[0].Decision; d == nil || d.By != "ann" || d.Note != "by the user" || d.Reason != "fine" || d.Action != agentturn.Allow {
			t.Errorf("the answer's decision is %+v", d)
		}
		if c, b := starts[1].Decision, starts[2].Decision; c == nil || c.By != "policy" || c.Note != "by the hook" || b == nil || b.Action != agentturn.Block {
			t.Errorf("the hook's decisions are %+v and %+v", c, b)
		}
	})
	t.Run("R083", func(t *testing.T) {
		a, _ := heldAgent(t, 3, agentturn.Config{}, at.Text("ok"))
		end := resumed(t, a, agentturn.ReasonDone, agentturn.Approve("call_3").WithNote("3"), agentturn.Approve("call_1").WithNote("1"), agentturn.Approve("call_2"))
		if got := kinds(end.Items); got != "output:call_1 output:call_2 output:call_3 user:3 user:1 assistant:ok" {
			t.Errorf("items %s", got)
		}
	})
	t.Run("R084", func(t *testing.T) {
		stops := 0
		a, rec := heldAgent(t, 1, agentturn.Config{MaxTurns: 2, ShouldStopAfterTurn: func(_ context.Context, info agentturn.TurnInfo) (bool, error) {
			stops++
			return false, nil
		}, BeforeToolCall: deciding("x", agentturn.ToolDecision{Action: agentturn.Defer}), Tools: tools(ranTool("x"), okTool("y"))}, at.Call("y", `{}`), at.Text("ok"))
		stops = 0
		resumed(t, a, agentturn.ReasonDone, agentturn.Approve("call_1")) // with two turns, the two there may be
		if n := len(lines(rec, "tool_start 0 call_1", "tool_dispatch 0 call_1", "tool_end 0 call_1")); n != 3 {
			t.Errorf("events %q", rec.Lines())
		}
		if got := find[*agentturn.TurnStart](rec).Turn; got != 1 || stops != 2 {
			t.Errorf("the first turn is %d, the stop hook was asked %d times", got, stops)
		}
	})
	t.Run("R085", func(t *testing.T) {
		a, rec := heldAgent(t, 2, agentturn.Config{})
		a.Steer(user("later"))
		end := resumed(t, a, agentturn.ReasonStopped, agentturn.Refuse(output("call_1", "no")), agentturn.Output(output("call_2", "yes")))
		if end.Cause != agentturn.StopRefused || kinds(end.Items) != "output:call_1 output:call_2" || len(lines(rec, "turn_start")) > 0 || a.State().Steering != 1 {
			t.Errorf("%+v, %d steered", end, a.State().Steering)
		}
		// Beside an approval whose result asks for the end, too; then what is steered in is taken.
		ending := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
			return agenttool.Result{Terminate: true}, nil
		})
		a, _ = heldAgent(t, 2, agentturn.Config{Tools: tools(ending)})
		a.Steer(user("now"))
		end = resumed(t, a, agentturn.ReasonStopped, agentturn.Refuse(output("call_1", "no")), agentturn.Approve("call_2"))
		if end.Cause != agentturn.StopRefused || kinds(end.Items) != "output:call_1 output:call_2 user:now" {
			t.Errorf("%s, items %s", end.Cause, kinds(end.Items))
		}
	})
	t.Run("R088", func(t *testing.T) {
		rewrite := func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return &agentturn.ToolDecision{Action: agentturn.Defer, Args: json.RawMessage(`{"n":2}`)}, nil
		}
		a, rec := heldAgent(t, 1, agentturn.Config{BeforeToolCall: rewrite}, at.Text("ok"))
		if got := string(a.State().Pending[0].Args); got != `{"n":2}` {
			t.Errorf("pending with %s", got)
		}
		end := resumed(t, a, agentturn.ReasonDone, agentturn.Approve("call_1"))
		if outputText(t, end.Items, "call_1") != `ran {"n":2}` || string(find[*agentturn.ToolStart](rec).Args) != `{"n":2}` {
			t.Errorf("events %q", rec.Lines())
		}
	})
	t.Run("R089", func(t *testing.T) {
		for _, reason := range []agentturn.PendingReason{agentturn.PendingAnswered, agentturn.PendingRejected} {
			call := callItem("c", "x")
			a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok"))}, agentturn.WithTranscript(agentturn.Transcript{user("hi"), call}),
				agentturn.WithPending([]agentturn.PendingCall{{Call: call, Reason: reason}}))
			if _, err := a.Resume(t.Context(), agentturn.Approve("c")); !errors.Is(err, agentturn.ErrCallAnswered) {
				t.Errorf("%s: error %v", reason, err)
			}
			resumed(t, a, agentturn.ReasonDone, agentturn.Output(output("c", "as it was")))
		}
	})
	t.Run("deferred once more", func(t *testing.T) {
		call := callItem("c", "x")
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t), Tools: tools(ranTool("x")), BeforeToolCall: holding},
			agentturn.WithTranscript(agentturn.Transcript{user("hi"), call, callItem("d", "x")}),
			agentturn.WithPending([]agentturn.PendingCall{{Call: call, Reason: agentturn.PendingUndispatched}, {Call: callItem("d", "x"), Reason: agentturn.PendingDeferred}}))
		end := resumed(t, a, agentturn.ReasonInputRequired, agentturn.Approve("c"), agentturn.Approve("d"))
		if pendingOf(end.Pending) != "c=deferred" || kinds(end.Items) != "output:d" {
			t.Errorf("pending %s, items %s", pendingOf(end.Pending), kinds(end.Items))
		}
	})
}

func TestReplayRule(t *testing.T) {
	replay := func(r agenttool.Replay) agenttool.Tool {
		return funcTool("x", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
			return agenttool.Text(string(call.Args) + " under " + call.IdempotencyKey), nil
		}, agenttool.WithReplay(func(context.Context, json.RawMessage) agenttool.Replay { return r }))
	}
	aborted := func(key string) agentturn.PendingCall {
		return agentturn.PendingCall{Call: callItem("c", "x"), Reason: agentturn.PendingAborted, IdempotencyKey: key}
	}
	approve := agentturn.Approve("c")
	other := agentturn.ApproveWith("c", json.RawMessage(`{"n":2}`))
	const refused = "refused"
	for _, c := range []struct {
		name    string
		tool    agenttool.Tool
		pending agentturn.PendingCall
		answer  agentturn.Answer
		want    string // the output, or refused
	}{
		{"safe", replay(agenttool.ReplaySafe), aborted("k"), approve, `{} under k`},
		{"unknown", replay(agenttool.ReplayUnknown), aborted("k"), approve, refused},
		{"unknown, risk taken", replay(agenttool.ReplayUnknown), aborted("k"), approve.WithRunAgain(), `{} under k`},
		{"no tool", okTool("y"), aborted("k"), approve, `Error: unknown tool "x"; the tools are: y`},
		{"keyed, no key", replay(agenttool.ReplayKeyed), aborted(""), approve, refused},
		{"keyed, key of the answer alone", replay(agenttool.ReplayKeyed), aborted(""), approve.WithIdempotencyKey("k"), refused},
		{"keyed, the same", replay(agenttool.ReplayKeyed), aborted("k"), approve, `{} under k`},
		{"keyed, the same in other words", replay(agenttool.ReplayKeyed), aborted("k"), agentturn.ApproveWith("c", json.RawMessage(` { } `)), ` { }  under k`},
		{"keyed, another key", replay(agenttool.ReplayKeyed), aborted("k"), approve.WithIdempotencyKey("l"), refused},
		{"keyed, other arguments", replay(agenttool.ReplayKeyed), aborted("k"), other, refused},
		{"keyed, another operation", replay(agenttool.ReplayKeyed), aborted("k"), other.WithIdempotencyKey("l"), `{"n":2} under l`},
		{"held before it ran", replay(agenttool.ReplayUnknown), agentturn.PendingCall{Call: callItem("c", "x"), Reason: agentturn.PendingDeferred}, approve.WithIdempotencyKey("k"), `{} under k`},
		{"held after it ran", replay(agenttool.ReplayUnknown), agentturn.PendingCall{Call: callItem("c", "x"), Reason: agentturn.PendingDeferred, Dispatched: true}, approve, refused},
	} {
		t.Run("R086 "+c.name, func(t *testing.T) {
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok")).RepeatLast(), Tools: tools(c.tool)},
				agentturn.WithTranscript(agentturn.Transcript{user("hi"), c.pending.Call}), agentturn.WithPending([]agentturn.PendingCall{c.pending}))
			end, err := a.Resume(t.Context(), c.answer)
			if c.want == refused {
				if !errors.Is(err, agentturn.ErrAmbiguousCall) || len(rec.Events()) > 0 {
					t.Errorf("%v, error %v", end, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := outputText(t, end.Items, "c"); got != c.want {
				t.Errorf("output %q, want %q", got, c.want)
			}
		})
	}
	t.Run("R087", func(t *testing.T) {
		pending := aborted("run_before/c")
		pending.Args = json.RawMessage(`{"n":7}`)
		a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Text("ok")), Tools: tools(replay(agenttool.ReplaySafe))},
			agentturn.WithTranscript(agentturn.Transcript{user("hi"), pending.Call}), agentturn.WithPending([]agentturn.PendingCall{pending}))
		end := resumed(t, a, agentturn.ReasonDone, approve)
		if got := outputText(t, end.Items, "c"); got != `{"n":7} under run_before/c` || find[*agentturn.ToolDispatch](rec).IdempotencyKey != "run_before/c" {
			t.Errorf("output %q", got)
		}
	})
}

func TestPending(t *testing.T) {
	t.Run("R090 R091", func(t *testing.T) {
		var a *agentturn.Agent
		cut := funcTool("cut", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
			a.AbortCause(errTest)
			<-ctx.Done()
			return agenttool.Result{}, ctx.Err()
		})
		a, rec := agentOf(t, agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("cut", `{}`), at.Call("x", `{}`), at.Call("held", `{}`), at.Call("no", `{}`)}),
			Tools: tools(okTool("x"), cut, okTool("held")), ToolExecution: agentturn.ExecSequential,
			BeforeToolCall: deciding("held", agentturn.ToolDecision{Action: agentturn.Defer}),
		})
		end := prompted(t, a, "hi", agentturn.ReasonAborted)
		if got := pendingOf(end.Pending); got != "call_2=aborted call_3=undispatched call_4=deferred" || pendingOf(a.State().Pending) != got {
			t.Errorf("pending %s, the state says %s", got, pendingOf(a.State().Pending))
		}
		if got := kinds(end.Items[6:]); got != "output:call_1 output:call_5" {
			t.Errorf("outputs %s", got)
		}
		if end.Err != errTest || end.Pending[0].IdempotencyKey != end.RunID+"/call_2" || end.Pending[1].IdempotencyKey != "" {
			t.Errorf("error %v, pending %+v", end.Err, end.Pending)
		}
		if len(lines(rec, "turn_end")) > 0 {
			t.Errorf("events %q", rec.Lines())
		}
	})
	t.Run("R091 delivery of an output fails", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("x", `{}`)}), Tools: tools(okTool("x"))})
		outputs := 0
		a.Subscribe(func(_ context.Context, ev agentturn.Event) error {
			if e, ok := ev.(*agentturn.ItemStart); ok {
				if _, ok := e.Item.(*openresponses.FunctionCallOutput); ok {
					if outputs++; outputs == 2 {
						return errTest
					}
				}
			}
			return nil
		})
		end := prompted(t, a, "hi", agentturn.ReasonError)
		if pendingOf(end.Pending) != "call_2=aborted" || end.Err != errTest {
			t.Errorf("pending %s, error %v", pendingOf(end.Pending), end.Err)
		}
	})
	t.Run("R092", func(t *testing.T) {
		call := callItem("c", "x")
		known := agentturn.PendingCall{Call: call, Reason: agentturn.PendingAborted, IdempotencyKey: "k", Args: json.RawMessage(`{"n":1}`), Ran: output("c", "r"), RanWhere: "there", Refused: "why"}
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t), Tools: tools(okTool("x"))},
			agentturn.WithTranscript(agentturn.Transcript{user("hi"), call}), agentturn.WithPending([]agentturn.PendingCall{known}))
		a.Subscribe(failingAt(agentturn.EventRunStart, 1, errTest))
		end, err := a.Resume(t.Context(), agentturn.Approve("c").WithRunAgain())
		if err != errTest || len(end.Pending) != 1 {
			t.Fatalf("%+v, error %v", end, err)
		}
		got := end.Pending[0]
		if got.Reason != agentturn.PendingAborted || got.IdempotencyKey != "k" || string(got.Args) != `{"n":1}` || got.Ran != known.Ran || got.RanWhere != "there" || got.Refused != "why" {
			t.Errorf("pending %+v", got)
		}
	})
	t.Run("R093", func(t *testing.T) {
		a, _ := heldAgent(t, 3, agentturn.Config{})
		tr := a.State().Transcript
		other := callItem("call_2", "x")
		other.Arguments = `{"n":9}`
		same := *callsOf(tr)[0]
		if err := a.SetTranscript(agentturn.Transcript{user("new"), &same, other, callItem("call_9", "x")}); err != nil {
			t.Fatal(err)
		}
		if got := pendingOf(a.State().Pending); got != "call_1=deferred call_2=unknown call_9=unknown" {
			t.Errorf("pending %s", got)
		}
	})
}
