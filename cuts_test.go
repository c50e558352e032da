package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// TestCuts aborts a run and makes it fail at each step of a turn with the calls call_1, call_2 and call_3, the last of which is held, run one
// after the other, and states what the transcript keeps, what is pending, and which tool events there were.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		event string
		nth   int
		abort string
		fail  string
	}{
		{agentturn.EventRunStart, 1,
			`aborted: hi |  | `,
			`error:  |  | `},
		{agentturn.EventTurnStart, 1,
			`aborted: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=deferred | s1 s2 s3 e3? e1! e2!`,
			`error: hi |  | `},
		{agentturn.EventItemEnd, 2, // call_1
			`aborted: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=deferred | s1 s2 s3 e3? e1! e2!`,
			`error: hi c1 | 1=undispatched | `},
		{agentturn.EventResponseEnd, 1,
			`aborted: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=deferred | s1 s2 s3 e3? e1! e2!`,
			`error: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=undispatched | `},
		{agentturn.EventToolStart, 1,
			`aborted: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=deferred | s1 s2 s3 e3? e1! e2!`,
			`error: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=undispatched | s1 e1!`},
		{agentturn.EventToolStart, 2,
			`aborted: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=deferred | s1 s2 s3 e3? e1! e2!`,
			`error: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=undispatched | s1 s2 e1! e2!`},
		{agentturn.EventToolEnd, 1, // call_3, held
			`aborted: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=deferred | s1 s2 s3 e3? e1! e2!`,
			`error: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=deferred | s1 s2 s3 e3? e1! e2!`},
		{agentturn.EventToolDispatch, 1,
			`aborted: hi c1 c2 c3 o1 | 2=undispatched 3=deferred | s1 s2 s3 e3? d1 e1 e2!`,
			`error: hi c1 c2 c3 | 1=undispatched 2=undispatched 3=deferred | s1 s2 s3 e3? d1 e1! e2!`},
		{agentturn.EventToolEnd, 2,
			`aborted: hi c1 c2 c3 o1 | 2=undispatched 3=deferred | s1 s2 s3 e3? d1 e1 e2!`,
			`error: hi c1 c2 c3 o1 | 2=undispatched 3=deferred | s1 s2 s3 e3? d1 e1 e2!`},
		{agentturn.EventToolDispatch, 2,
			`aborted: hi c1 c2 c3 o1 o2 | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2`,
			`error: hi c1 c2 c3 o1 | 2=undispatched 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2!`},
		{agentturn.EventToolEnd, 3,
			`aborted: hi c1 c2 c3 o1 o2 | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2`,
			`error: hi c1 c2 c3 o1 o2 | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2`},
		{agentturn.EventItemStart, 5, // the output of call_1
			`input_required: hi c1 c2 c3 o1 o2 note | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2 turn_end`,
			`error: hi c1 c2 c3 | 1=aborted 2=aborted 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2`},
		{agentturn.EventItemEnd, 5,
			`input_required: hi c1 c2 c3 o1 o2 note | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2 turn_end`,
			`error: hi c1 c2 c3 o1 | 2=aborted 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2`},
		{agentturn.EventItemStart, 6,
			`input_required: hi c1 c2 c3 o1 o2 note | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2 turn_end`,
			`error: hi c1 c2 c3 o1 | 2=aborted 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2`},
		{agentturn.EventItemStart, 7, // the note
			`input_required: hi c1 c2 c3 o1 o2 note | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2 turn_end`,
			`error: hi c1 c2 c3 o1 o2 | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2`},
		{agentturn.EventTurnEnd, 1,
			`input_required: hi c1 c2 c3 o1 o2 note | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2 turn_end`,
			`error: hi c1 c2 c3 o1 o2 note | 3=deferred | s1 s2 s3 e3? d1 e1 d2 e2 turn_end`},
	} {
		for _, kind := range []string{"abort", "fail"} {
			t.Run(fmt.Sprintf("R090 R091 %s at %s %d", kind, c.event, c.nth), func(t *testing.T) {
				model := at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.Call("y", `{}`), at.Call("held", `{}`)}).RepeatLast()
				a, rec := agentOf(t, agentturn.Config{
					Model: model, Tools: tools(okTool("x"), okTool("y"), okTool("held")), ToolExecution: agentturn.ExecSequential,
					BeforeToolCall: agentturn.ChainBeforeToolCall(deciding("held", agentturn.ToolDecision{Action: agentturn.Defer}), deciding("x", agentturn.ToolDecision{Note: "note"})),
				})
				var act func(context.Context, agentturn.Event) error
				want := c.abort
				if kind == "fail" {
					act, want = failingAt(c.event, c.nth, errTest), c.fail
				} else {
					n := c.nth
					act = func(_ context.Context, ev agentturn.Event) error {
						if ev.EventType() == c.event {
							if n--; n == 0 {
								a.AbortCause(errTest)
							}
						}
						return nil
					}
				}
				a.Subscribe(act)
				end, _ := a.Prompt(t.Context(), user("hi"))
				if got := cutOf(end, rec); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				if !errors.Is(end.Err, errTest) && end.Reason != agentturn.ReasonInputRequired {
					t.Errorf("error %v", end.Err)
				}
				for _, p := range end.Pending {
					key := ""
					if p.Reason == agentturn.PendingAborted {
						key = end.RunID + "/" + p.Call.CallID
					}
					if p.IdempotencyKey != key || p.Args != nil || p.Dispatched || (p.Tool != nil) != (len(lines(rec, "tool_start")) > 0) {
						t.Errorf("pending %+v", p)
					}
				}
				if s := a.State(); s.Running || pendingOf(s.Pending) != pendingOf(end.Pending) || kinds(openresponses.Items(s.Transcript)) != kinds(openresponses.Items(end.Items)) {
					t.Errorf("state %+v", s)
				}
				usable(t, a)
			})
		}
	}
}

// cutOf says how a run ended: the reason, what it appended, what is pending, and each tool event in short.
func cutOf(end *agentturn.RunEnd, rec *at.Recorder) string {
	var events []string
	for _, ev := range rec.Events() {
		switch ev := ev.(type) {
		case *agentturn.ToolStart:
			events = append(events, "s"+strings.TrimPrefix(ev.CallID, "call_"))
		case *agentturn.ToolDispatch:
			events = append(events, "d"+strings.TrimPrefix(ev.CallID, "call_"))
		case *agentturn.ToolEnd:
			how := ""
			switch {
			case ev.Deferred:
				how = "?"
			case ev.Err != nil:
				how = "!"
			}
			events = append(events, "e"+strings.TrimPrefix(ev.CallID, "call_")+how)
		case *agentturn.TurnEnd:
			events = append(events, "turn_end")
		}
	}
	var kept []string
	for _, item := range end.Items {
		kept = append(kept, strings.NewReplacer("function_", "", "call_output:call_", "o", "output:call_", "o", "call:call_", "c", "user:", "", "developer:", "").Replace(kinds(openresponses.Items{item})))
	}
	return fmt.Sprintf("%s: %s | %s | %s", end.Reason, strings.Join(kept, " "), strings.ReplaceAll(pendingOf(end.Pending), "call_", ""), strings.Join(events, " "))
}

// A model call that is cut leaves what it completed, and nobody has decided on its calls.
func TestCutModelCalls(t *testing.T) {
	for name, c := range map[string]struct {
		turn   at.Turn
		reason agentturn.Reason
		want   string
	}{
		"aborted":          {at.Attempt{at.Call("x", `{}`), at.PartialText("a"), at.Block()}, agentturn.ReasonAborted, "aborted: hi c1 | 1=undispatched | "},
		"aborted and held": {at.Attempt{at.Reasoning("r"), at.Send(added(1, nil)), at.Block()}, agentturn.ReasonAborted, "aborted: hi |  | "},
		"failed":           {at.Attempt{at.Call("x", `{}`), at.PartialCall("x", `{`), at.Fail(errTest)}, agentturn.ReasonError, "error: hi c1 | 1=undispatched | "},
		"cut":              {at.Attempt{at.Call("x", `{}`), at.Cut()}, agentturn.ReasonError, "error: hi c1 | 1=undispatched | "},
		"failed response":  {at.Attempt{at.Call("x", `{}`), at.FailResponse(errTest)}, agentturn.ReasonError, "error: hi c1 | 1=undispatched | "},
	} {
		t.Run("R090 R098 "+name, func(t *testing.T) {
			a, rec := agentOf(t, agentturn.Config{Model: at.NewModel(t, c.turn), Tools: tools(okTool("x"))})
			if c.reason == agentturn.ReasonAborted {
				last := agentturn.EventItemUpdate
				if name == "aborted and held" {
					last = agentturn.EventItemStart
				}
				starts := 0
				a.Subscribe(func(_ context.Context, ev agentturn.Event) error {
					if e, ok := ev.(*agentturn.ItemStart); ok && e.Turn == 1 {
						starts++
					}
					if ev.EventType() == last && starts == 2 {
						starts++ // once
						a.Abort()
					}
					return nil
				})
			}
			end := prompted(t, a, "hi", c.reason)
			if got := cutOf(end, rec); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if c.reason == agentturn.ReasonAborted && end.Err != context.Canceled {
				t.Errorf("error %v", end.Err)
			}
			usable(t, a)
		})
	}
}

// An approved batch is cut as any other. Of a call it did not reach what was known stands; of one it was to run, that it was not run.
func TestCutApprovals(t *testing.T) {
	for _, c := range []struct {
		event string
		nth   int
		abort string
		fail  string
	}{
		{agentturn.EventRunStart, 1,
			`aborted: o4 | 1=undispatched 2=undispatched 3=aborted | s3 s2 s1 e3! e2! e1!`,
			`error:  | 1=undispatched 2=undispatched 3=aborted 4=rejected | `},
		{agentturn.EventItemStart, 1,
			`aborted: o4 | 1=undispatched 2=undispatched 3=aborted | s3 s2 s1 e3! e2! e1!`,
			`error:  | 1=undispatched 2=undispatched 3=aborted 4=rejected | `},
		{agentturn.EventItemEnd, 1,
			`aborted: o4 | 1=undispatched 2=undispatched 3=aborted | s3 s2 s1 e3! e2! e1!`,
			`error: o4 | 1=undispatched 2=undispatched 3=aborted | `},
		{agentturn.EventToolStart, 1,
			`aborted: o4 | 1=undispatched 2=undispatched 3=aborted | s3 s2 s1 e3! e2! e1!`,
			`error: o4 | 1=undispatched 2=undispatched 3=aborted | s3 e3!`},
		{agentturn.EventToolDispatch, 1,
			`aborted: o4 o3 | 1=undispatched 2=undispatched | s3 s2 s1 d3 e3 e2! e1!`,
			`error: o4 | 1=undispatched 2=undispatched 3=aborted | s3 s2 s1 d3 e3! e2! e1!`},
		{agentturn.EventToolEnd, 1,
			`aborted: o4 o3 | 1=undispatched 2=undispatched | s3 s2 s1 d3 e3 e2! e1!`,
			`error: o4 o3 | 1=undispatched 2=undispatched | s3 s2 s1 d3 e3 e2! e1!`},
		{agentturn.EventToolDispatch, 2,
			`aborted: o4 o2 o3 | 1=undispatched | s3 s2 s1 d3 e3 d2 e2 e1!`,
			`error: o4 o3 | 1=undispatched 2=undispatched | s3 s2 s1 d3 e3 d2 e2! e1!`},
		{agentturn.EventToolEnd, 3,
			`aborted: o4 o1 o2 o3 |  | s3 s2 s1 d3 e3 d2 e2 d1 e1`,
			`error: o4 o1 o2 o3 |  | s3 s2 s1 d3 e3 d2 e2 d1 e1`},
		{agentturn.EventItemStart, 3,
			`aborted: o4 o1 o2 o3 |  | s3 s2 s1 d3 e3 d2 e2 d1 e1`,
			`error: o4 o1 | 2=aborted 3=aborted | s3 s2 s1 d3 e3 d2 e2 d1 e1`},
	} {
		for _, kind := range []string{"abort", "fail"} {
			t.Run(fmt.Sprintf("R090 R092 %s at %s %d", kind, c.event, c.nth), func(t *testing.T) {
				seed := agentturn.Transcript{user("hi"), callItem("call_1", "x"), callItem("call_2", "x"), callItem("call_3", "x"), callItem("call_4", "x")}
				known := []agentturn.PendingCall{
					{Call: seed[1].(*openresponses.FunctionCall), Reason: agentturn.PendingDeferred, Args: json.RawMessage(`{"n":1}`)},
					{Call: seed[2].(*openresponses.FunctionCall), Reason: agentturn.PendingUndispatched},
					{Call: seed[3].(*openresponses.FunctionCall), Reason: agentturn.PendingAborted, IdempotencyKey: "k", Args: json.RawMessage(`{"n":3}`)},
					{Call: seed[4].(*openresponses.FunctionCall), Reason: agentturn.PendingRejected, Refused: "why"},
				}
				var asked []string
				a, rec := agentOf(t, agentturn.Config{
					Model: at.NewModel(t, at.Text("ok")), Tools: tools(ranTool("x")), ToolExecution: agentturn.ExecSequential,
					BeforeToolCall: func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
						asked = append(asked, info.Call.CallID)
						return nil, nil
					},
				}, agentturn.WithTranscript(seed), agentturn.WithPending(known))
				want := c.abort
				if kind == "fail" {
					want = c.fail
					a.Subscribe(failingAt(c.event, c.nth, errTest))
				} else {
					failing := failingAt(c.event, c.nth, errTest)
					a.Subscribe(func(ctx context.Context, ev agentturn.Event) error {
						if failing(ctx, ev) != nil {
							a.AbortCause(errTest)
						}
						return nil
					})
				}
				end, _ := a.Resume(t.Context(), agentturn.Output(output("call_4", "no")), agentturn.Approve("call_3").WithRunAgain(), agentturn.Approve("call_2"), agentturn.Approve("call_1"))
				if got := cutOf(end, rec); got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
				if !errors.Is(end.Err, errTest) {
					t.Errorf("error %v", end.Err)
				}
				for _, id := range asked {
					if id != "call_2" {
						t.Errorf("BeforeToolCall was asked about %s", id)
					}
				}
				for _, p := range end.Pending {
					switch {
					case p.Reason == agentturn.PendingUndispatched && (p.IdempotencyKey != "" || p.Args != nil),
						p.Call.CallID == "call_3" && (p.IdempotencyKey != "k" || string(p.Args) != `{"n":3}`),
						p.Call.CallID == "call_4" && p.Refused != "why":
						t.Errorf("pending %+v", p)
					}
				}
				usable(t, a)
			})
		}
	}
}
