package agentturntest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// Line writes an event as one line: its type, its turn, and what a reader needs
// to tell it from others.
//
//	run_start run_1 input
//	turn_start 1
//	item_start 1 function_call call_1 read_file
//	item_update 1 response.function_call_arguments.delta "{\"path\""
//	item_end 1 function_call call_1 read_file {"path":"x"}
//	response_end 1 completed
//	tool_start 1 call_1 read_file {"path":"x"}
//	tool_dispatch 1 call_1 read_file
//	tool_update 1 call_1 read_file "half way"
//	tool_end 1 call_1 ok
//	turn_end 1
//	run_end done
//
// A tool_end says ok, blocked, deferred or error, the last three with a reason;
// a run_end says the reason and cause, the error, and the pending calls.
func Line(ev agentturn.Event) string {
	var l line
	l.word(ev.EventType())
	switch ev := ev.(type) {
	case *agentturn.RunStart:
		l.word(ev.RunID)
		l.word(string(ev.Source))
		if !ev.Trigger.IsZero() {
			l.word("trigger=" + ev.Trigger.String())
		}
	case *agentturn.TurnStart:
		l.turn(ev.Turn)
	case *agentturn.ModelRetry:
		l.turn(ev.Turn)
		l.word(fmt.Sprintf("attempt=%d delay=%s", ev.Attempt, ev.Delay))
		l.err(ev.Err)
	case *agentturn.ModelBlocked:
		l.turn(ev.Turn)
		l.err(ev.Err)
	case *agentturn.ResponseEnd:
		l.turn(ev.Turn)
		if ev.Response != nil {
			l.word(string(ev.Response.Status))
		}
		l.flag(ev.Withheld, "withheld")
	case *agentturn.ItemStart:
		l.turn(ev.Turn)
		l.item(ev.Item)
		l.flag(ev.Hidden, "hidden")
	case *agentturn.ItemUpdate:
		l.turn(ev.Turn)
		l.stream(ev.Stream)
	case *agentturn.ItemEnd:
		l.turn(ev.Turn)
		l.item(ev.Item)
		l.content(ev.Item)
		l.flag(ev.Hidden, "hidden")
		l.named("model_call_id", ev.ModelCallID)
	case *agentturn.Queued:
		if ev.RunID == "" {
			l.word("-")
		}
		l.word(ev.RunID)
		l.word(string(ev.Mode))
		l.item(ev.Item)
		l.content(ev.Item)
		l.flag(ev.Hidden, "hidden")
	case *agentturn.TurnEnd:
		l.turn(ev.Turn)
	case *agentturn.RunEnd:
		l.runEnd(ev)
	default:
		l.tool(ev)
	}
	return l.String()
}

// line is a line being written, words apart by single spaces.
type line struct{ strings.Builder }

// word adds a word as it is; an empty one is left out.
func (l *line) word(s string) {
	if s == "" {
		return
	}
	if l.Len() > 0 {
		l.WriteByte(' ')
	}
	l.WriteString(s)
}

// quoted adds a text in quotes.
func (l *line) quoted(s string) { l.word(strconv.Quote(s)) }

// raw adds a text as it is when it is one word-like line, else in quotes.
func (l *line) raw(s string) {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		l.quoted(s)
		return
	}
	l.word(s)
}

func (l *line) turn(n int) { l.word(strconv.Itoa(n)) }

func (l *line) err(err error) {
	if err != nil {
		l.quoted(err.Error())
	}
}

// flag adds a word if it is set.
func (l *line) flag(set bool, name string) {
	if set {
		l.word(name)
	}
}

// named adds name=value unless the value is empty.
func (l *line) named(name, value string) {
	if value != "" {
		l.word(name + "=" + value)
	}
}

// tool writes the rest of a tool event.
func (l *line) tool(ev agentturn.Event) {
	switch ev := ev.(type) {
	case *agentturn.ToolStart:
		l.turn(ev.Turn)
		l.word(ev.CallID)
		l.word(ev.Name)
		l.raw(string(ev.Args))
		l.decision(ev.Decision)
		l.named("parent", ev.Parent)
	case *agentturn.ToolDispatch:
		l.turn(ev.Turn)
		l.word(ev.CallID)
		l.word(ev.Name)
		l.named("parent", ev.Parent)
	case *agentturn.ToolUpdate:
		l.turn(ev.Turn)
		l.word(ev.CallID)
		l.word(ev.Name)
		l.quoted(ev.Partial.Output.String())
	case *agentturn.ToolEnd:
		l.turn(ev.Turn)
		l.word(ev.CallID)
		switch {
		case ev.Deferred:
			l.word("deferred")
			l.quoted(ev.Reason)
		case ev.Blocked:
			l.word("blocked")
			l.quoted(ev.Reason)
		case ev.Err != nil:
			l.word("error")
			l.err(ev.Err)
		default:
			l.word("ok")
		}
		l.flag(ev.Result.Terminate, "terminate")
		l.named("parent", ev.Parent)
	}
}

// decision writes what differs from plainly allowing a call.
func (l *line) decision(d *agentturn.ToolDecision) {
	if d == nil {
		return
	}
	switch d.Action {
	case agentturn.Block:
		l.word("block")
	case agentturn.Defer:
		l.word("defer")
	}
	l.named("by", d.By)
	l.flag(d.Note != "", "note")
}

// runEnd writes the rest of a run_end.
func (l *line) runEnd(ev *agentturn.RunEnd) {
	reason := string(ev.Reason)
	if ev.Cause != "" {
		reason += "/" + string(ev.Cause)
	}
	l.word(reason)
	l.err(ev.Err)
	l.flag(ev.Withheld, "withheld")
	for i, call := range ev.Pending {
		if i == 0 {
			l.word("pending")
		}
		if call.Call != nil {
			l.word(call.Call.CallID + "=" + string(call.Reason))
		}
	}
}

// item writes what names an item. It reads nothing of an item that a stream is
// still filling in.
func (l *line) item(item openresponses.Item) {
	if isNil(item) {
		l.word("nil")
		return
	}
	l.word(item.ItemType())
	switch item := item.(type) {
	case *openresponses.Message:
		l.word(string(item.Role))
		l.word(string(item.Phase))
	case *openresponses.FunctionCall:
		l.word(item.CallID)
		l.word(item.Name)
	case *openresponses.FunctionCallOutput:
		l.word(item.CallID)
	}
}

// content writes what a finished item says.
func (l *line) content(item openresponses.Item) {
	if isNil(item) {
		return
	}
	switch item := item.(type) {
	case *openresponses.Message:
		l.quoted(item.Text())
		for _, part := range item.Content {
			if refusal, ok := part.(*openresponses.Refusal); ok && refusal != nil {
				l.word("refusal")
				l.quoted(refusal.Refusal)
			}
		}
	case *openresponses.FunctionCall:
		l.raw(item.Arguments)
	case *openresponses.FunctionCallOutput:
		l.quoted(item.Output.String())
	case *openresponses.ReasoningItem:
		l.quoted(item.Summary.Text())
	}
}

// stream writes a wire event: its type and, for a delta, what it adds.
func (l *line) stream(ev openresponses.StreamEvent) {
	if ev == nil {
		return
	}
	l.word(ev.EventType())
	switch ev := ev.(type) {
	case *openresponses.OutputTextDeltaEvent:
		l.quoted(ev.Delta)
	case *openresponses.RefusalDeltaEvent:
		l.quoted(ev.Delta)
	case *openresponses.FunctionCallArgumentsDeltaEvent:
		l.quoted(ev.Delta)
	case *openresponses.ReasoningSummaryTextDeltaEvent:
		l.quoted(ev.Delta)
	case *openresponses.ReasoningDeltaEvent:
		l.quoted(ev.Delta)
	}
}
