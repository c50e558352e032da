package agentturntest_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// TestLine states the line of each event.
func TestLine(t *testing.T) {
	boom := errors.New("no \"such\" thing")
	refusal := &openresponses.Message{Role: openresponses.RoleAssistant, Content: openresponses.Contents{&openresponses.Refusal{Refusal: "no"}}}
	for want, ev := range map[string]agentturn.Event{
		`run_start r input`:                       &agentturn.RunStart{RunID: "r", Source: agentturn.SourceInput},
		`run_start r resume trigger=cron:nightly`: &agentturn.RunStart{RunID: "r", Source: agentturn.SourceResume, Trigger: agentturn.Trigger{Kind: "cron", Ref: "nightly"}},
		`turn_start 3`:                            &agentturn.TurnStart{Turn: 3},
		`model_retry 1 attempt=2 delay=500ms "no \"such\" thing"`: &agentturn.ModelRetry{Turn: 1, Attempt: 2, Delay: time.Second / 2, Err: boom},
		`model_blocked 1 "no \"such\" thing"`:                     &agentturn.ModelBlocked{Turn: 1, Err: boom},
		`response_end 1 incomplete withheld`:                      &agentturn.ResponseEnd{Turn: 1, Response: &openresponses.Response{Status: openresponses.ResponseStatusIncomplete}, Withheld: true},
		`response_end 1`:                                          &agentturn.ResponseEnd{Turn: 1},
		`item_start 1 function_call a x`:                          &agentturn.ItemStart{Turn: 1, Item: call("a", "x", "{}")},
		`item_start 1 nil`:                                        &agentturn.ItemStart{Turn: 1},
		`item_update 1 response.output_text.delta "he"`:           &agentturn.ItemUpdate{Turn: 1, Stream: &openresponses.OutputTextDeltaEvent{Delta: "he"}},
		`item_update 1`:                                           &agentturn.ItemUpdate{Turn: 1},
		`item_end 1 function_call a x {"k": 1} model_call_id=b`:   &agentturn.ItemEnd{Turn: 1, Item: call("a", "x", `{"k": 1}`), ModelCallID: "b"},
		`item_end 1 function_call a x ""`:                         &agentturn.ItemEnd{Turn: 1, Item: call("a", "x", "")},
		`item_end 1 function_call_output a "ok"`:                  &agentturn.ItemEnd{Turn: 1, Item: output("a")},
		`item_end 0 message user "hi\n" hidden`:                   &agentturn.ItemEnd{Item: openresponses.UserText("hi\n"), Hidden: true},
		`item_end 0 message assistant "" refusal "no"`:            &agentturn.ItemEnd{Item: refusal},
		`item_end 0 reasoning ""`:                                 &agentturn.ItemEnd{Item: reasoning()},
		`tool_start 1 a x {} block by=policy parent=p`: &agentturn.ToolStart{
			Turn: 1, CallID: "a", Name: "x", Args: []byte("{}"), Parent: "p", Decision: &agentturn.ToolDecision{Action: agentturn.Block, By: "policy"},
		},
		`tool_start 1 a x "{\n}" defer note`: &agentturn.ToolStart{
			Turn: 1, CallID: "a", Name: "x", Args: []byte("{\n}"), Decision: &agentturn.ToolDecision{Action: agentturn.Defer, Note: "n"},
		},
		`tool_dispatch 1 a x`:                                &agentturn.ToolDispatch{Turn: 1, CallID: "a", Name: "x"},
		`tool_update 1 a x "half"`:                           &agentturn.ToolUpdate{Turn: 1, CallID: "a", Name: "x", Partial: agenttool.Text("half")},
		`tool_end 1 a ok terminate`:                          &agentturn.ToolEnd{Turn: 1, CallID: "a", Result: agenttool.Result{Terminate: true}},
		`tool_end 1 a error "no \"such\" thing"`:             &agentturn.ToolEnd{Turn: 1, CallID: "a", Err: boom},
		`tool_end 1 a blocked "rule" parent=p`:               &agentturn.ToolEnd{Turn: 1, CallID: "a", Err: boom, Blocked: true, Reason: "rule", Parent: "p"},
		`tool_end 1 a deferred "ask"`:                        &agentturn.ToolEnd{Turn: 1, CallID: "a", Deferred: true, Reason: "ask"},
		`turn_end 1`:                                         &agentturn.TurnEnd{Turn: 1},
		`run_end done`:                                       &agentturn.RunEnd{Reason: agentturn.ReasonDone},
		`run_end stopped/guard "no \"such\" thing" withheld`: &agentturn.RunEnd{Reason: agentturn.ReasonStopped, Cause: agentturn.StopGuard, Err: boom, Withheld: true},
		`run_end input_required pending a=deferred b=aborted`: &agentturn.RunEnd{Reason: agentturn.ReasonInputRequired, Pending: []agentturn.PendingCall{
			{Call: call("a", "x", ""), Reason: agentturn.PendingDeferred}, {Call: call("b", "x", ""), Reason: agentturn.PendingAborted},
		}},
		`queued r steer message user "hi"`:            &agentturn.Queued{RunID: "r", Mode: agentturn.QueueSteer, Item: openresponses.UserText("hi")},
		`queued - follow_up message user "hi" hidden`: &agentturn.Queued{Mode: agentturn.QueueFollowUp, Item: openresponses.UserText("hi"), Hidden: true},
	} {
		if got := agentturntest.Line(ev); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestRecorder checks the naming of random IDs, omission and Reset.
func TestRecorder(t *testing.T) {
	const first, second = "run_0123456789abcdef01234567", "run_abcdef0123456789abcdef01"
	const drawn = "call_0123456789abcdef01234567"
	rec := &agentturntest.Recorder{Omit: []string{agentturn.EventItemUpdate}}
	record := func(ev agentturn.Event) {
		if err := rec.Record(context.Background(), ev); err != nil {
			t.Fatal(err)
		}
	}
	record(&agentturn.RunStart{RunID: first, Source: agentturn.SourceInput})
	record(&agentturn.ItemUpdate{RunID: first})
	record(&agentturn.ItemEnd{RunID: first, Turn: 1, Item: call(drawn, "x", "{}")})
	record(&agentturn.Queued{RunID: second, Mode: agentturn.QueueSteer, Item: openresponses.UserText(first + "/" + drawn)})
	rec.Expect(t,
		`run_start run_1 input`,
		`item_end 1 function_call call_gen1 x {}`,
		`queued run_2 steer message user "run_1/call_gen1"`)
	if got := len(rec.Events()); got != 4 {
		t.Errorf("%d events", got)
	}

	rec.Reset()
	record(&agentturn.RunStart{RunID: second, Source: agentturn.SourceInput})
	rec.Expect(t, `run_start run_2 input`)

	tb := &recordingTB{TB: t}
	rec.Expect(tb, `run_start run_2 resume`)
	if want := "events differ (- expected, + recorded):\n- run_start run_2 resume\n+ run_start run_2 input\n"; !slices.Equal(tb.errors, []string{want}) {
		t.Errorf("reported %q", tb.errors)
	}
}

// TestCollect records a run given as a sequence.
func TestCollect(t *testing.T) {
	events := wholeRun()
	rec := &agentturntest.Recorder{}
	if end := rec.Collect(slices.Values(events)); end != events[len(events)-1] {
		t.Errorf("ended with %v", end)
	}
	if !slices.Equal(rec.Events(), events) || len(rec.Lines()) != len(events) {
		t.Errorf("%d events, %d lines, want %d", len(rec.Events()), len(rec.Lines()), len(events))
	}
	if end := rec.Collect(slices.Values(events[:2])); end != nil {
		t.Errorf("a run without an end ended with %v", end)
	}
}

// TestDiff compares lists line by line.
func TestDiff(t *testing.T) {
	many := strings.Fields("a b c d e f g h i j k l m")
	tests := []struct {
		name, got, want, diff string
	}{
		{"empty", "", "", ""},
		{"equal", "a b", "a b", ""},
		{"added", "a x b", "a b", "  a\n+ x\n  b\n"},
		{"missing", "a b", "a x b", "  a\n- x\n  b\n"},
		{"changed", "a y b", "a x b", "  a\n- x\n+ y\n  b\n"},
		{"moved", "b a", "a b", "- a\n  b\n+ a\n"},
		{"nothing recorded", "", "a b", "- a\n- b\n"},
		{"nothing expected", "a", "", "+ a\n"},
		{"fewest", "a b c a b b a", "c b a b a c", "- c\n+ a\n  b\n+ c\n  a\n  b\n+ b\n  a\n- c\n"},
		{"far apart", strings.Join(many, " "), strings.Join(many[1:], " ") + " z", "+ a\n  b\n  c\n  d\n  ... 6 equal\n  k\n  l\n  m\n- z\n"},
		{"in the middle", strings.Join(many, " "), "a b c d e f G h i j k l m", "  ... 3 equal\n  d\n  e\n  f\n- G\n+ g\n  h\n  i\n  j\n  ... 3 equal\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := agentturntest.Diff(strings.Fields(tt.got), strings.Fields(tt.want))
			if got != tt.diff {
				t.Errorf("got\n%s\nwant\n%s", got, tt.diff)
			}
		})
	}
}
