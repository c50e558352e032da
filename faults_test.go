package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// Faults that users of agent loops met with calls and tools, each with its smallest input. The scripted model checks
// every request it is sent as the strictest server would, so a run that goes on is one that such a server takes.

// TestMixedRound: a round with a call that runs, one that waits and one that has no tool waits for the one alone.
func TestMixedRound(t *testing.T) {
	model := at.NewModel(t, at.Attempt{at.Call("x", `{"n":1}`), at.Call("held", `{}`), at.Call("none", `{}`)}, at.Text("ok"))
	a, rec := agentOf(t, agentturn.Config{Model: model, Tools: tools(ranTool("x"), ranTool("held")),
		BeforeToolCall: deciding("held", agentturn.ToolDecision{Action: agentturn.Defer})})
	a.Steer(user("and another thing"))
	end := prompted(t, a, "hi", agentturn.ReasonInputRequired)
	if kinds(end.Items) != "user:hi user:and another thing call:call_1 call:call_2 call:call_3 output:call_1 output:call_3" || pendingOf(end.Pending) != "call_2=deferred" {
		t.Errorf("items %s, pending %s", kinds(end.Items), pendingOf(end.Pending))
	}
	a.Steer(user("later"))
	for name, call := range map[string]func() (*agentturn.RunEnd, error){
		"prompt":   func() (*agentturn.RunEnd, error) { return a.Prompt(t.Context(), user("go on")) },
		"continue": func() (*agentturn.RunEnd, error) { return a.Continue(t.Context()) },
		"deliver": func() (*agentturn.RunEnd, error) {
			_, end, err := a.Deliver(t.Context(), user("delivered"))
			return end, err
		},
	} {
		if end, err := call(); end != nil || !errors.Is(err, agentturn.ErrInputRequired) {
			t.Errorf("%s over an open call: %+v, error %v", name, end, err)
		}
	}
	if n := len(model.Requests()); n != 1 {
		t.Errorf("the model was called %d times", n)
	}
	rec.Reset()
	end = resumed(t, a, agentturn.ReasonDone, agentturn.Approve("call_2"))
	if got := kinds(end.Items); got != "output:call_2 user:later user:delivered assistant:ok" {
		t.Errorf("items %s", got)
	}
}

// TestLongCallIDs: a strict server refuses call IDs over 64 characters, also those another one gave.
func TestLongCallIDs(t *testing.T) {
	shared := strings.Repeat("s", 64)
	ids := []string{shared + "-one5", shared + "-two5", strings.Repeat("é", 47), shared + strings.Repeat("z", 30), shared}
	var calls at.Attempt
	var transcript agentturn.Transcript
	for i, id := range ids {
		calls = append(calls, at.CallWithID(id, "x", fmt.Sprintf(`{"n":%d}`, i)))
		call := callItem(id, "x")
		call.Arguments = fmt.Sprintf(`{"n":%d}`, i)
		transcript = append(transcript, call)
	}
	wired := func(t *testing.T, req openresponses.Request) (calls, outputs []string) {
		for _, item := range req.Input {
			switch item := item.(type) {
			case *openresponses.FunctionCall:
				calls = append(calls, item.CallID)
			case *openresponses.FunctionCallOutput:
				outputs = append(outputs, item.CallID)
			}
		}
		for i, id := range calls {
			if !wellFormed.MatchString(id) || slices.Contains(calls[:i], id) {
				t.Errorf("call %d is sent as %q", i, id)
			}
		}
		return calls, outputs
	}
	t.Run("of the model", func(t *testing.T) {
		model := at.NewModel(t, calls, at.Text("ok"))
		a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(ranTool("x"))})
		end := prompted(t, a, "hi", agentturn.ReasonDone)
		paired(t, end.Items, `{"n":0}`, `{"n":1}`, `{"n":2}`, `{"n":3}`, `{"n":4}`)
		if calls, outputs := wired(t, model.Request(2)); !slices.Equal(calls, outputs) || calls[4] != shared {
			t.Errorf("calls %q, outputs %q", calls, outputs)
		}
		// Another server sees the same.
		other := at.NewModel(t, at.Text("ok"))
		if err := a.SetConfig(agentturn.Config{Model: other}); err != nil {
			t.Fatal(err)
		}
		prompted(t, a, "again", agentturn.ReasonDone)
		before, _ := wired(t, model.Request(2))
		if calls, _ := wired(t, other.Request(1)); !slices.Equal(calls, before) {
			t.Errorf("sent as %q, then as %q", before, calls)
		}
	})
	// The transcript of another server's keeps its IDs, and an answer names them.
	t.Run("of a seeded transcript", func(t *testing.T) {
		model := at.NewModel(t, at.Text("ok"), at.Text("ok"))
		seed := append(agentturn.Transcript{user("hi")}, transcript...)
		a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(ranTool("x"))}, agentturn.WithTranscript(seed))
		var answers []agentturn.Answer
		for _, id := range slices.Backward(ids) {
			answers = append(answers, agentturn.Approve(id).WithRunAgain())
		}
		resumed(t, a, agentturn.ReasonDone, answers...)
		paired(t, a.State().Transcript, `{"n":0}`, `{"n":1}`, `{"n":2}`, `{"n":3}`, `{"n":4}`)
		if got := callsOf(a.State().Transcript); got[0].CallID != ids[0] || got[0] != seed[1] {
			t.Errorf("the transcript's call became %q", got[0].CallID)
		}
		first, outputs := wired(t, model.Request(1))
		if !slices.Equal(first, outputs) {
			t.Errorf("calls %q, outputs %q", first, outputs)
		}
		prompted(t, a, "again", agentturn.ReasonDone)
		if calls, _ := wired(t, model.Request(2)); !slices.Equal(calls, first) {
			t.Errorf("sent as %q, then as %q", first, calls)
		}
	})
	// IDs that replace one another do not grow.
	t.Run("repeated round after round", func(t *testing.T) {
		var script []at.Turn
		for range 12 {
			script = append(script, at.CallWithID(shared, "x", `{}`))
		}
		model := at.NewModel(t, append(script, at.Text("ok"))...)
		a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("x"))})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if calls, outputs := wired(t, model.Request(13)); len(calls) != 12 || !slices.Equal(calls, outputs) {
			t.Errorf("calls %q, outputs %q", calls, outputs)
		}
	})
}

// TestDeafTool: a tool that ignores its cancelled context holds the abort up for the grace the host sets and no longer,
// and its call is pending as one that may have run.
func TestDeafTool(t *testing.T) {
	deaf := funcTool("deaf", func(context.Context, agenttool.Call) (agenttool.Result, error) {
		time.Sleep(time.Hour)
		return agenttool.Text("late"), nil
	}, agenttool.WithResource("disk"))
	next := funcTool("next", func(context.Context, agenttool.Call) (agenttool.Result, error) {
		t.Error("the chain went on behind the tool that was left behind")
		return agenttool.Result{}, nil
	}, agenttool.WithResource("disk"))
	nest := funcTool("nest", func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
		return agentturn.Invoke(ctx, "deaf", nil)
	})
	const grace = 5 * time.Second
	config := func(t *testing.T, calls at.Attempt) agentturn.Config {
		return agentturn.Config{Model: at.NewModel(t, calls, at.Text("ok")), Tools: tools(okTool("x"), deaf, next, nest), ToolGrace: grace}
	}
	batch := at.Attempt{at.Call("x", `{}`), at.Call("deaf", `{}`), at.Call("next", `{}`)}
	t.Run("abort", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a := agentturn.New(config(t, batch))
			rec := recording(t)
			a.Subscribe(rec.Record)
			time.AfterFunc(time.Minute, a.Abort)
			start := time.Now()
			end := prompted(t, a, "hi", agentturn.ReasonAborted)
			if took := time.Since(start); took != time.Minute+grace {
				t.Errorf("the abort took %v", took-time.Minute)
			}
			if kinds(end.Items[4:]) != "output:call_1" || pendingOf(end.Pending) != "call_2=aborted call_3=undispatched" || !end.Pending[0].MayHaveRun() || end.Pending[0].IdempotencyKey == "" {
				t.Errorf("items %s, pending %+v", kinds(end.Items), end.Pending)
			}
			// It may still be at work: nobody runs it again by accident.
			if _, err := a.Resume(t.Context(), agentturn.Approve("call_2"), agentturn.OutcomeUnknown("call_3")); !errors.Is(err, agentturn.ErrAmbiguousCall) {
				t.Errorf("error %v", err)
			}
			end = resumed(t, a, agentturn.ReasonDone, agentturn.OutcomeUnknown("call_2"), agentturn.Output(output("call_3", "not needed")))
			if kinds(end.Items) != "output:call_2 output:call_3 assistant:ok" {
				t.Errorf("items %s", kinds(end.Items))
			}
			n := len(rec.Events())
			time.Sleep(2 * time.Hour) // the tool returns, to nobody
			if len(rec.Events()) != n {
				t.Errorf("events %q", rec.Lines()[n:])
			}
		})
	})
	t.Run("a failure beside it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a := agentturn.New(config(t, batch))
			rec := recording(t)
			a.Subscribe(rec.Record)
			a.Subscribe(failingAt(agentturn.EventToolEnd, 1, errTest))
			start := time.Now()
			end := prompted(t, a, "hi", agentturn.ReasonError)
			if took := time.Since(start); took != grace || !errors.Is(end.Err, errTest) || pendingOf(end.Pending) != "call_2=aborted call_3=undispatched" {
				t.Errorf("after %v: error %v, pending %s", took, end.Err, pendingOf(end.Pending))
			}
			time.Sleep(2 * time.Hour)
		})
	})
	t.Run("nested", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a := agentturn.New(config(t, at.Attempt{at.Call("nest", `{}`)}))
			rec := recording(t)
			a.Subscribe(rec.Record)
			time.AfterFunc(time.Minute, a.Abort)
			start := time.Now()
			end := prompted(t, a, "hi", agentturn.ReasonAborted)
			if took := time.Since(start); took != time.Minute+grace || pendingOf(end.Pending) != "call_1=aborted" {
				t.Errorf("after %v: pending %s", took, pendingOf(end.Pending))
			}
			time.Sleep(2 * time.Hour)
		})
	})
	t.Run("leaving the range", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			for ev := range agentturn.Run(t.Context(), nil, items(user("hi")), config(t, batch)) {
				if ev.EventType() == agentturn.EventToolEnd {
					break
				}
			}
			if took := time.Since(start); took != grace {
				t.Errorf("left after %v", took)
			}
			time.Sleep(2 * time.Hour)
		})
	})
}

// TestOutputLimit: a response that the limit cut off within a call runs nothing of that call, whatever its arguments
// look like, and a host that would not pay for the same overflow again sees it.
func TestOutputLimit(t *testing.T) {
	for _, args := range []string{`{"path":"x","text":"half a f`, `{"path":"x"}`, ``} {
		t.Run(args, func(t *testing.T) {
			cut := at.Attempt{at.Call("x", `{"n":1}`), at.PartialCall("write", args), at.Incomplete(openresponses.IncompleteReasonMaxOutputTokens)}
			write := funcTool("write", func(context.Context, agenttool.Call) (agenttool.Result, error) {
				t.Error("half a call ran")
				return agenttool.Result{}, nil
			})
			cfg := agentturn.Config{Model: at.NewModel(t, cut, at.Text("ok")), Tools: tools(ranTool("x"), write)}
			a, rec := agentOf(t, cfg)
			end := prompted(t, a, "hi", agentturn.ReasonDone)
			if len(end.Pending) > 0 || outputText(t, end.Items, "call_1") != `ran {"n":1}` || !strings.Contains(outputText(t, end.Items, "call_2"), "cut off") {
				t.Errorf("items %s, pending %s", kinds(end.Items), pendingOf(end.Pending))
			}
			if len(lines(rec, "tool_dispatch 1 call_2")) > 0 {
				t.Errorf("events %q", rec.Lines())
			}
			cfg.Model = at.NewModel(t, cut)
			cfg.ShouldStopAfterTurn = func(_ context.Context, info agentturn.TurnInfo) (bool, error) {
				d := info.Response.IncompleteDetails
				return d != nil && d.Reason == openresponses.IncompleteReasonMaxOutputTokens, nil
			}
			a, _ = agentOf(t, cfg)
			if end := prompted(t, a, "hi", agentturn.ReasonStopped); end.Cause != agentturn.StopHook || len(end.Pending) > 0 {
				t.Errorf("%+v", end)
			}
		})
	}
}

// TestMalformedArguments: arguments that are no object reach no tool, the model is told, and the conversation goes on.
func TestMalformedArguments(t *testing.T) {
	for args, runs := range map[string]bool{
		``: true, ` {} `: true, "\t{\"a\":1}\n": true,
		`null`: false, `{"a":`: false, `[1]`: false, `"str"`: false, `""`: false, `{"a":1}{"b":2}`: false, `7`: false, ` `: false,
		`{"a":1,}`: false, `{'a':1}`: false, "{\"a\":\"\x01\"}": false, "\xff": false, "{\"a\":1}\x00": false, "```json\n{}\n```": false,
	} {
		t.Run(args, func(t *testing.T) {
			var got []string
			tool := funcTool("x", func(_ context.Context, call agenttool.Call) (agenttool.Result, error) {
				got = append(got, string(call.Args))
				return agenttool.Text("ran"), nil
			})
			model := at.NewModel(t, at.Call("x", args), at.Text("sorry"), at.Text("ok"))
			a, rec := agentOf(t, agentturn.Config{Model: model, Tools: tools(tool)})
			end := prompted(t, a, "hi", agentturn.ReasonDone)
			switch text := outputText(t, end.Items, "call_1"); {
			case runs:
				want := args
				if want == "" {
					want = "{}"
				}
				if text != "ran" || !slices.Equal(got, []string{want}) {
					t.Errorf("output %q, ran with %q", text, got)
				}
			default:
				if text != "Error: invalid arguments: expected a JSON object" || len(got) > 0 || len(lines(rec, "tool_dispatch")) > 0 {
					t.Errorf("output %q, ran with %q", text, got)
				}
			}
			// What the model said stays; what a server is sent is what it takes.
			if said := callsOf(end.Items)[0].Arguments; said != strings.ToValidUTF8(args, "\uFFFD") {
				t.Errorf("the transcript has %q", said)
			}
			prompted(t, a, "again", agentturn.ReasonDone)
			for n := 2; n <= 3; n++ {
				if sent := callsOf(model.Request(n).Input)[0].Arguments; !json.Valid([]byte(sent)) {
					t.Errorf("request %d has the arguments %q", n, sent)
				}
			}
		})
	}
}

// TestUnsendableText: no text that a model or a tool comes up with makes a body that a strict server refuses.
func TestUnsendableText(t *testing.T) {
	const emoji = "\U0001F600"
	texts := []string{"\xff", "a\xc3", "\xed\xa0\xbd", `\ud83d`, "\x00"}
	for n := range len(emoji) {
		texts = append(texts, "clipped "+emoji[:n], emoji[n:]+" clipped")
	}
	arguments := []string{`{"a":"\ud83d"}`, `{"a":"\ude00\ud83d"}`, `{"a":"\ud83d\u0041"}`, `{"a":"\\ud83d"}`, `{"a":"\ud83d\ude00"}`, `{"\ud83d":1}`, `{"a":"\ud83`, "{\"a\":\"\xf0\x9f\"}", "{\"a\":\"\xed\xa0\xbd\"}"}
	sound := func(t *testing.T, list openresponses.Items) {
		for _, item := range list {
			if data, err := json.Marshal(item); err != nil || !utf8.Valid(data) {
				t.Errorf("%s: %v", data, err)
			}
		}
	}
	for _, text := range texts {
		t.Run(fmt.Sprintf("output %q", text), func(t *testing.T) {
			tool := func(name string, result agenttool.Result, err error) agenttool.Tool {
				return funcTool(name, func(context.Context, agenttool.Call) (agenttool.Result, error) { return result, err })
			}
			parts := agenttool.Result{Output: openresponses.FunctionCallOutputData{Parts: openresponses.Contents{&openresponses.InputText{Text: text}}}}
			model := at.NewModel(t, at.Attempt{at.Call("text", `{}`), at.Call("parts", `{}`), at.Call("fails", `{}`), at.Call("panics", `{}`), at.Call("blocked", `{}`)}, at.Text("ok"), at.Text("ok"))
			a, _ := agentOf(t, agentturn.Config{
				Model: model,
				Tools: tools(tool("text", agenttool.Text(text), nil), tool("parts", parts, nil), tool("fails", agenttool.Result{}, errors.New(text)), okTool("blocked"),
					funcTool("panics", func(context.Context, agenttool.Call) (agenttool.Result, error) { panic(text) })),
				BeforeToolCall: agentturn.ChainBeforeToolCall(deciding("blocked", agentturn.ToolDecision{Action: agentturn.Block, Reason: text}), deciding("text", agentturn.ToolDecision{Note: text})),
			})
			end := prompted(t, a, "hi", agentturn.ReasonDone)
			sound(t, end.Items)
			if got := outputText(t, end.Items, "call_1"); got != strings.ToValidUTF8(text, "\uFFFD") {
				t.Errorf("output %q", got)
			}
			prompted(t, a, "again", agentturn.ReasonDone)
		})
		t.Run(fmt.Sprintf("answer %q", text), func(t *testing.T) {
			a, _ := heldAgent(t, 2, agentturn.Config{}, at.Text("ok"))
			sound(t, resumed(t, a, agentturn.ReasonDone, agentturn.Output(output("call_1", text)).WithNote(text), agentturn.Output(output("call_2", "ok"))).Items)
		})
	}
	for _, args := range arguments {
		t.Run("arguments "+args, func(t *testing.T) {
			model := at.NewModel(t, at.Call("x", args), at.Text("ok"), at.Text("ok"))
			a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(ranTool("x"))})
			sound(t, prompted(t, a, "hi", agentturn.ReasonDone).Items)
			prompted(t, a, "again", agentturn.ReasonDone)
		})
		// A transcript that was kept by someone less careful is sent on all the same.
		t.Run("seeded arguments "+args, func(t *testing.T) {
			call := callItem("c", "x")
			call.Arguments = args
			for name, cfg := range map[string]agentturn.Config{"plain": {}, "filter": {Filter: agentturn.VisibleFilter()}} {
				cfg.Model = at.NewModel(t, at.Text("ok"))
				a, _ := agentOf(t, cfg, agentturn.WithTranscript(agentturn.Transcript{user("hi"), call, output("c", "\xf0\x9f"), user("go on")}))
				if end, err := a.Continue(t.Context()); err != nil || end.Reason != agentturn.ReasonDone {
					t.Errorf("%s: %+v, error %v", name, end, err)
				}
				if call.Arguments != args || a.State().Transcript[1] != openresponses.Item(call) {
					t.Errorf("%s: the transcript has %q", name, call.Arguments)
				}
			}
		})
	}
}

// TestStreamBreaksBehindACall: nothing runs before the response is complete, and nothing of the call is lost.
func TestStreamBreaksBehindACall(t *testing.T) {
	broken := errors.New("connection reset")
	for name, last := range map[string]at.Step{
		"reset": at.Fail(broken), "end of stream": at.Cut(), "error event": at.ErrorEvent(&openresponses.Error{StatusCode: 503, Message: "overloaded"}),
		"failed response": at.FailResponse(broken), "panic": at.Panic("boom"),
	} {
		t.Run(name, func(t *testing.T) {
			ran := 0
			tool := funcTool("x", func(context.Context, agenttool.Call) (agenttool.Result, error) {
				ran++
				return agenttool.Text("ok"), nil
			})
			model := at.NewModel(t, at.Attempt{at.Call("x", `{}`), at.PartialText("I will"), last}, at.Text("ok"))
			a, rec := agentOf(t, agentturn.Config{Model: model, Tools: tools(tool), Retry: agentturn.Retry{MaxAttempts: 3, Backoff: atOnce}})
			end := prompted(t, a, "hi", agentturn.ReasonError)
			if ran > 0 || len(lines(rec, "tool_", "model_retry")) > 0 || kinds(end.Items) != "user:hi call:call_1" || pendingOf(end.Pending) != "call_1=undispatched" {
				t.Errorf("ran %d times, items %s, pending %s, events %q", ran, kinds(end.Items), pendingOf(end.Pending), rec.Lines())
			}
			// Nothing of it may have run, so it runs as if it had just been made.
			if resumed(t, a, agentturn.ReasonDone, agentturn.Approve("call_1")); ran != 1 {
				t.Errorf("ran %d times", ran)
			}
		})
	}
}

// sendableName is a name that the strictest server takes in a call.
var sendableName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// TestUnknownToolNames: a name that is nearly right costs one call and not the run. The model is told what there is,
// and the name it made up does not spoil the requests that follow.
func TestUnknownToolNames(t *testing.T) {
	for _, name := range []string{"functions.read", "creating:view", "Read", "reed", "read ", "read<|channel|>commentary", "", strings.Repeat("read", 40), "läs", "\xff"} {
		t.Run(name, func(t *testing.T) {
			model := at.NewModel(t, at.Attempt{at.Call(name, `{}`), at.Call("read", `{}`)}, at.Text("ok"), at.Text("ok"))
			a, rec := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("read"), okTool("fs.write"))})
			end := prompted(t, a, "hi", agentturn.ReasonDone)
			fixed := fmt.Sprintf("unknown tool %q", callsOf(end.Items)[0].Name)
			if got := outputText(t, end.Items, "call_1"); got != "Error: "+fixed+"; the tools are: read, fs.write" {
				t.Errorf("output %q", got)
			}
			if e := find[*agentturn.ToolEnd](rec); e.Err == nil || e.Err.Error() != fixed || e.Blocked {
				t.Errorf("%+v", e)
			}
			prompted(t, a, "again", agentturn.ReasonDone)
			for n := 2; n <= 3; n++ {
				calls := callsOf(model.Request(n).Input)
				if !sendableName.MatchString(calls[0].Name) || calls[1].Name != "read" {
					t.Errorf("request %d has calls of %q and %q", n, calls[0].Name, calls[1].Name)
				}
			}
			if got := callsOf(a.State().Transcript)[0].Name; got != strings.ToValidUTF8(name, "\uFFFD") {
				t.Errorf("the transcript has a call of %q", got)
			}
		})
	}
	// A name that is offered is sent as it is, whatever it looks like: its server takes it.
	t.Run("offered", func(t *testing.T) {
		model := at.NewModel(t, at.Call("fs.read", `{}`), at.Text("ok"))
		a, _ := agentOf(t, agentturn.Config{Model: model, Tools: tools(okTool("fs.read"))})
		prompted(t, a, "hi", agentturn.ReasonDone)
		if got := callsOf(model.Request(2).Input)[0].Name; got != "fs.read" {
			t.Errorf("sent as %q", got)
		}
	})
	t.Run("many tools", func(t *testing.T) {
		var list []agenttool.Tool
		for i := range 60 {
			list = append(list, okTool(fmt.Sprintf("tool_%d", i)))
		}
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("no", `{}`), at.Text("ok")), Tools: list})
		got := outputText(t, prompted(t, a, "hi", agentturn.ReasonDone).Items, "call_1")
		if !strings.HasPrefix(got, `Error: unknown tool "no"; the tools are: tool_0, `) || !strings.HasSuffix(got, "tool_49, and 10 more") {
			t.Errorf("output %q", got)
		}
	})
	t.Run("no tools", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("no", `{}`), at.Text("ok"))})
		if got := outputText(t, prompted(t, a, "hi", agentturn.ReasonDone).Items, "call_1"); got != `Error: unknown tool "no"` {
			t.Errorf("output %q", got)
		}
	})
	t.Run("nested", func(t *testing.T) {
		a, _ := agentOf(t, agentturn.Config{Model: at.NewModel(t, at.Call("nest", `{}`), at.Text("ok")), Tools: tools(nester("nset"))})
		got := outputText(t, prompted(t, a, "hi", agentturn.ReasonDone).Items, "call_1")
		if got != `nested: Error: unknown tool "nset"; the tools are: nest / unknown tool "nset"` {
			t.Errorf("output %q", got)
		}
	})
}
