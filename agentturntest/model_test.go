package agentturntest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/streamtest"
)

// play calls a model once and returns what it sent, as types with what matters
// of each, and its error.
func play(ctx context.Context, m *agentturntest.Model) ([]string, error) {
	var sent []string
	err := m.CreateStream(ctx, request(openresponses.UserText("hi")), openresponses.EventSinkFunc(func(ev openresponses.StreamEvent) error {
		sent = append(sent, describe(ev))
		return ctx.Err()
	}))
	return sent, err
}

func describe(ev openresponses.StreamEvent) string {
	typ := strings.TrimPrefix(ev.EventType(), "response.")
	switch ev := ev.(type) {
	case *openresponses.OutputItemAddedEvent:
		return fmt.Sprintf("%s %d %s", typ, ev.OutputIndex, item(ev.Item))
	case *openresponses.OutputItemDoneEvent:
		return fmt.Sprintf("%s %d %s", typ, ev.OutputIndex, item(ev.Item))
	case *openresponses.OutputTextDeltaEvent:
		return fmt.Sprintf("%s %s %q", typ, ev.ItemID, ev.Delta)
	case *openresponses.FunctionCallArgumentsDeltaEvent:
		return fmt.Sprintf("%s %s %q", typ, ev.ItemID, ev.Delta)
	case *openresponses.ErrorEvent:
		return typ + " " + ev.Error.Message
	}
	if resp, ok := openresponses.TerminalResponse(ev); ok {
		out := typ + " " + resp.ID
		for _, it := range resp.Output {
			out += " " + item(it)
		}
		if resp.Error != nil {
			out += " error=" + resp.Error.Message
		}
		return out
	}
	return typ
}

func item(it openresponses.Item) string {
	switch it := it.(type) {
	case *openresponses.Message:
		return fmt.Sprintf("%s/%s/%s%q", it.ID, it.Status, it.Phase, it.Text())
	case *openresponses.FunctionCall:
		return fmt.Sprintf("%s/%s/%s/%s(%s)", it.ID, it.Status, it.CallID, it.Name, it.Arguments)
	case *openresponses.ReasoningItem:
		return fmt.Sprintf("%s/%s%q", it.ID, it.Status, it.Summary.Text())
	}
	return it.ItemType()
}

var (
	errBoom    = errors.New("boom")
	compaction = &openresponses.Compaction{ID: "cmp_1", EncryptedContent: "x"}
	callDone   = &openresponses.OutputItemDoneEvent{Item: &openresponses.FunctionCall{CallID: "c", Name: "x"}}
)

// stepCases gives each step with its events, to the letter.
var stepCases = []struct {
	name string
	turn agentturntest.Turn
	want []string
	err  error
}{
	{name: "text", turn: agentturntest.Text("hello world"), want: []string{
		"created", "in_progress",
		`output_item.added 0 msg_1_0/in_progress/""`, "content_part.added",
		`output_text.delta msg_1_0 "hello "`, `output_text.delta msg_1_0 "world"`,
		"output_text.done", "content_part.done", `output_item.done 0 msg_1_0/completed/"hello world"`,
		`completed resp_1 msg_1_0/completed/"hello world"`,
	}},
	{name: "deltas", turn: agentturntest.TextDeltas("a b", "", "c"), want: []string{
		"created", "in_progress",
		`output_item.added 0 msg_1_0/in_progress/""`, "content_part.added",
		`output_text.delta msg_1_0 "a b"`, `output_text.delta msg_1_0 ""`, `output_text.delta msg_1_0 "c"`,
		"output_text.done", "content_part.done", `output_item.done 0 msg_1_0/completed/"a bc"`,
		`completed resp_1 msg_1_0/completed/"a bc"`,
	}},
	{name: "parallel calls", turn: agentturntest.Attempt{
		agentturntest.Call("a", "{}"), agentturntest.CallWithID("mine", "b", ""),
	}, want: []string{
		"created", "in_progress",
		"output_item.added 0 fc_1_0/in_progress/call_1/a()",
		`function_call_arguments.delta fc_1_0 "{"`, `function_call_arguments.delta fc_1_0 "}"`, "function_call_arguments.done",
		"output_item.done 0 fc_1_0/completed/call_1/a({})",
		"output_item.added 1 fc_1_1/in_progress/mine/b()", "function_call_arguments.done",
		"output_item.done 1 fc_1_1/completed/mine/b()",
		"completed resp_1 fc_1_0/completed/call_1/a({}) fc_1_1/completed/mine/b()",
	}},
	{name: "reasoning and phase", turn: agentturntest.Attempt{
		agentturntest.Reasoning("hm"), agentturntest.Message(openresponses.PhaseCommentary, ""),
	}, want: []string{
		"created", "in_progress",
		`output_item.added 0 rs_1_0/in_progress""`, "reasoning_summary_part.added", "reasoning_summary_text.delta",
		"reasoning_summary_text.done", "reasoning_summary_part.done", `output_item.done 0 rs_1_0/completed"hm"`,
		`output_item.added 1 msg_1_1/in_progress/commentary""`, "content_part.added",
		"output_text.done", "content_part.done", `output_item.done 1 msg_1_1/completed/commentary""`,
		`completed resp_1 rs_1_0/completed"hm" msg_1_1/completed/commentary""`,
	}},
	{name: "item", turn: agentturntest.Item(compaction), want: []string{
		"created", "in_progress", "output_item.added 0 compaction", "output_item.done 0 compaction", "completed resp_1 compaction",
	}},
	{name: "empty attempt", turn: agentturntest.Attempt{}, want: []string{"created", "in_progress", "completed resp_1"}},
	{name: "zero step", turn: agentturntest.Step{}, want: []string{"created", "in_progress", "completed resp_1"}},
	{name: "raw", turn: agentturntest.Send(callDone), want: []string{
		"output_item.done 0 //c/x()", "completed resp_1 //c/x()",
	}},
	{name: "func", turn: agentturntest.Func(func(_ context.Context, req openresponses.Request, sink openresponses.EventSink) error {
		resp := openresponses.NewResponse(req)
		resp.ID = "own"
		return sink.Send(&openresponses.ResponseCompletedEvent{Response: resp})
	}), want: []string{"completed own"}},
	{name: "func failing", turn: agentturntest.Func(func(context.Context, openresponses.Request, openresponses.EventSink) error { return errBoom }), err: errBoom},

	{name: "incomplete", turn: agentturntest.Attempt{
		agentturntest.PartialCall("a", `{"k`), agentturntest.Incomplete(openresponses.IncompleteReasonMaxOutputTokens),
	}, want: []string{
		"created", "in_progress", "output_item.added 0 fc_1_0/in_progress/call_1/a()",
		`function_call_arguments.delta fc_1_0 "{"`, `function_call_arguments.delta fc_1_0 "\"k"`,
		`incomplete resp_1 fc_1_0/incomplete/call_1/a({"k)`,
	}},
	{name: "failed", turn: agentturntest.FailResponse(errBoom), want: []string{"created", "in_progress", "failed resp_1 error=boom"}},
	{name: "failed without an error", turn: agentturntest.FailResponse(nil), want: []string{"created", "in_progress", "failed resp_1"}},
	{name: "error event", turn: agentturntest.ErrorEvent(openresponses.ServerError("c", "sorry")), want: []string{"error sorry"}},
	{name: "error", turn: agentturntest.Fail(errBoom), err: errBoom},
	{name: "cut", turn: agentturntest.Attempt{agentturntest.PartialText("he"), agentturntest.Cut(), agentturntest.Text("never")}, want: []string{
		"created", "in_progress", `output_item.added 0 msg_1_0/in_progress/""`, "content_part.added", `output_text.delta msg_1_0 "he"`,
	}},
	{name: "after the end", turn: agentturntest.Attempt{agentturntest.Complete(), agentturntest.Fail(errBoom)}, want: []string{
		"created", "in_progress", "completed resp_1",
	}, err: errBoom},
}

// TestSteps plays each step and expects its events.
func TestSteps(t *testing.T) {
	for _, tt := range stepCases {
		t.Run(tt.name, func(t *testing.T) {
			got, err := play(t.Context(), agentturntest.NewModel(t, tt.turn))
			if err != tt.err {
				t.Errorf("error %v, want %v", err, tt.err)
			}
			if diff := agentturntest.Diff(got, tt.want); diff != "" {
				t.Errorf("stream differs:\n%s", diff)
			}
		})
	}
}

// TestStreamsConform holds what the steps stream to the protocol's rules.
func TestStreamsConform(t *testing.T) {
	for name, turn := range map[string]agentturntest.Turn{
		"everything": agentturntest.Attempt{
			agentturntest.EncryptedReasoning("let me see", "sealed"), agentturntest.Message(openresponses.PhaseCommentary, "one moment"),
			agentturntest.Call("a", `{"k":"é"}`), agentturntest.Call("b", ""), agentturntest.Refusal("no, thank you"),
			agentturntest.Reasoning(""), agentturntest.Item(&openresponses.Compaction{ID: "cmp", EncryptedContent: "x"}),
			agentturntest.Usage(3, 4), agentturntest.Text(""),
		},
		"incomplete": agentturntest.Attempt{agentturntest.Text("x"), agentturntest.Incomplete(openresponses.IncompleteReasonContentFilter)},
		"failed":     agentturntest.Attempt{agentturntest.PartialText("x"), agentturntest.FailResponse(io.EOF)},
	} {
		t.Run(name, func(t *testing.T) {
			model := agentturntest.NewModel(t, turn)
			var events []openresponses.StreamEvent
			for ev, err := range openresponses.Events(t.Context(), model, request(openresponses.UserText("hi"))) {
				if err != nil {
					t.Fatal(err)
				}
				events = append(events, ev)
			}
			if err := streamtest.Validate(events); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestScript checks the order of attempts, and what happens at its end.
func TestScript(t *testing.T) {
	model := agentturntest.NewModel(nil,
		agentturntest.Attempts{{agentturntest.Fail(io.ErrUnexpectedEOF)}, {agentturntest.Call("a", "{}")}},
		nil)
	model.Then(agentturntest.Attempt{agentturntest.Do(func() {}), agentturntest.Text("done")})
	if got := model.Remaining(); got != 3 {
		t.Errorf("%d attempts remain, want 3", got)
	}
	if _, err := play(t.Context(), model); err != io.ErrUnexpectedEOF {
		t.Errorf("first call: %v", err)
	}
	for _, want := range []string{"completed resp_2 fc_2_0/completed/call_1/a({})", `completed resp_3 msg_3_0/completed/"done"`} {
		got, err := play(t.Context(), model)
		if err != nil || got[len(got)-1] != want {
			t.Errorf("got %q, %v, want to end with %q", got, err, want)
		}
	}
	if err := model.Err(); err != nil {
		t.Errorf("went wrong: %v", err)
	}
	_, err := play(t.Context(), model)
	if !errors.Is(err, agentturntest.ErrScriptEnded) || !errors.Is(model.Err(), agentturntest.ErrScriptEnded) {
		t.Fatalf("fourth call: %v, %v", err, model.Err())
	}
	if want := "model call 4, and the script has 3, ending with turn 2, attempt 1"; !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %q does not end with %q", err, want)
	}
	if model.Remaining() != 0 || len(model.Requests()) != 4 {
		t.Errorf("%d remain after %d requests", model.Remaining(), len(model.Requests()))
	}

	again := agentturntest.NewModel(t, agentturntest.Text("same")).RepeatLast()
	for range 3 {
		if _, err := play(t.Context(), again); err != nil {
			t.Error(err)
		}
	}
	if _, err := play(t.Context(), new(agentturntest.Model)); !errors.Is(err, agentturntest.ErrScriptEnded) {
		t.Errorf("the zero model answered: %v", err)
	}
}

// recordingTB is a testing.TB that keeps what it is told.
type recordingTB struct {
	testing.TB
	errors []string
}

func (tb *recordingTB) Errorf(format string, args ...any) {
	tb.errors = append(tb.errors, fmt.Sprintf(format, args...))
}

// TestReports checks that a test hears of bad requests and of calls past the end.
func TestReports(t *testing.T) {
	tb := &recordingTB{TB: t}
	model := agentturntest.NewModel(tb, agentturntest.Text("a")).CheckWith(agentturntest.AllowAnyArguments())
	discard := openresponses.EventSinkFunc(func(openresponses.StreamEvent) error { return nil })
	bad := request(call("a", "", "{"), output("a"), nil)
	if err := model.CreateStream(t.Context(), bad, discard); err != nil {
		t.Fatal(err)
	}
	if err := model.CreateStream(t.Context(), request(openresponses.UserText("hi")), discard); err == nil {
		t.Error("no error past the end")
	}
	model.Request(3)
	want := []string{
		"agentturntest: model call 1: input[0]: call \"a\" has no name\ninput[2]: item is nil",
		"agentturntest: the script has ended: model call 2, and the script has 1, ending with turn 1, attempt 1",
		"agentturntest: no request 3, the model was called 2 times",
	}
	if diff := agentturntest.Diff(tb.errors, want); diff != "" {
		t.Errorf("reports differ:\n%s", diff)
	}

	lax := agentturntest.NewModel(tb, agentturntest.Text("a")).Unchecked()
	if err := lax.CreateStream(t.Context(), bad, discard); err != nil || lax.Err() != nil {
		t.Errorf("unchecked: %v, %v", err, lax.Err())
	}
}

// TestRequestsAreCopies edits a request after the call.
func TestRequestsAreCopies(t *testing.T) {
	model := agentturntest.NewModel(t, agentturntest.Text("a"))
	msg := openresponses.UserText("before")
	req := request(msg)
	temperature := 0.5
	req.Temperature, req.Metadata = &temperature, map[string]string{"k": "before"}
	if err := model.CreateStream(t.Context(), req, openresponses.EventSinkFunc(func(openresponses.StreamEvent) error { return nil })); err != nil {
		t.Fatal(err)
	}
	msg.Content = nil
	temperature, req.Metadata["k"], req.Input[0] = 1, "after", nil
	got := model.Request(1)
	if text := got.Input[0].(*openresponses.Message).Text(); text != "before" || *got.Temperature != 0.5 || got.Metadata["k"] != "before" {
		t.Errorf("recorded %q, %v, %v", text, *got.Temperature, got.Metadata)
	}
}

// TestPace runs the steps that wait, in a bubble whose clock is not the wall's.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		agentturntest.NoLeaks(t)
		release := make(chan struct{})
		var slept time.Duration
		model := agentturntest.NewModel(t,
			agentturntest.Attempt{
				agentturntest.Do(func() { time.AfterFunc(time.Minute, func() { close(release) }) }),
				agentturntest.Wait(release), agentturntest.Sleep(time.Hour), agentturntest.Text("done"),
			},
			agentturntest.Block(), agentturntest.Sleep(time.Hour), agentturntest.Wait(make(chan int)))
		start := time.Now()
		if _, err := play(t.Context(), model); err != nil {
			t.Fatal(err)
		}
		if slept = time.Since(start); slept != time.Hour+time.Minute {
			t.Errorf("waited %s", slept)
		}
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := play(ctx, model); err != context.DeadlineExceeded {
				t.Errorf("cancelled: %v", err)
			}
			cancel()
		}
	})
}

// TestPanic expects the panic to reach the caller.
func TestPanic(t *testing.T) {
	defer func() {
		if v := recover(); v != "boom" {
			t.Errorf("recovered %v", v)
		}
	}()
	play(t.Context(), agentturntest.NewModel(t, agentturntest.Panic("boom")))
}

// TestSinkErrorEndsTheCall expects a receiver's refusal back, at once.
func TestSinkErrorEndsTheCall(t *testing.T) {
	model := agentturntest.NewModel(t, agentturntest.Attempt{agentturntest.Reasoning("x"), agentturntest.Call("a", "{}"), agentturntest.Text("y")}).RepeatLast()
	var types []string
	for fail := 0; ; fail++ {
		types = types[:0]
		err := model.CreateStream(t.Context(), request(openresponses.UserText("hi")), openresponses.EventSinkFunc(func(ev openresponses.StreamEvent) error {
			types = append(types, ev.EventType())
			if len(types) > fail {
				return errBoom
			}
			return nil
		}))
		if err == nil {
			break
		}
		if err != errBoom || len(types) != fail+1 {
			t.Fatalf("refused event %d: %v after %d events", fail, err, len(types))
		}
	}
	if !slices.Contains(types, openresponses.EventResponseCompleted) {
		t.Error("the response was never completed")
	}
}

// TestRecorded plays a recorded body, whole and cut off.
func TestRecorded(t *testing.T) {
	const body = "event: response.output_item.done\n" +
		`data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"c","name":"x","arguments":"{}"}}` + "\n\n"
	const end = `data: {"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}` + "\n\ndata: [DONE]\n\n"
	model := agentturntest.NewModel(t, agentturntest.Recorded([]byte(body+end)), agentturntest.Recorded([]byte(body)))
	got, err := play(t.Context(), model)
	if diff := agentturntest.Diff(got, []string{"output_item.done 0 //c/x({})", "completed r"}); diff != "" || err != nil {
		t.Errorf("stream differs (%v):\n%s", err, diff)
	}
	if _, err := play(t.Context(), model); !errors.Is(err, openresponses.ErrTruncatedStream) {
		t.Errorf("cut body: %v", err)
	}
}
