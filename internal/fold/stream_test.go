package fold_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agentturn/internal/fold"
	"github.com/ChristopherDavenport/openresponses"
)

// The words that test streams are written in.

type stream = []openresponses.StreamEvent

func added(index int, item openresponses.Item) openresponses.StreamEvent {
	return &openresponses.OutputItemAddedEvent{OutputIndex: index, Item: item}
}

func done(index int, item openresponses.Item) openresponses.StreamEvent {
	return &openresponses.OutputItemDoneEvent{OutputIndex: index, Item: item}
}

func part(index int) openresponses.StreamEvent {
	return &openresponses.ContentPartAddedEvent{OutputIndex: index, Part: &openresponses.OutputText{}}
}

func text(index int, delta string) openresponses.StreamEvent {
	return &openresponses.OutputTextDeltaEvent{OutputIndex: index, Delta: delta}
}

func args(index int, delta string) openresponses.StreamEvent {
	return &openresponses.FunctionCallArgumentsDeltaEvent{OutputIndex: index, Delta: delta}
}

func created(id string) openresponses.StreamEvent {
	return &openresponses.ResponseCreatedEvent{Response: response(openresponses.ResponseStatusInProgress, id)}
}

func completed(items ...openresponses.Item) openresponses.StreamEvent {
	return &openresponses.ResponseCompletedEvent{Response: response(openresponses.ResponseStatusCompleted, "resp", items...)}
}

func incomplete(items ...openresponses.Item) openresponses.StreamEvent {
	return &openresponses.ResponseIncompleteEvent{Response: response(openresponses.ResponseStatusIncomplete, "resp", items...)}
}

func response(status openresponses.ResponseStatus, id string, items ...openresponses.Item) *openresponses.Response {
	return &openresponses.Response{ID: id, Status: status, Output: items}
}

func call(id, callID, arguments string, status ...openresponses.Status) *openresponses.FunctionCall {
	c := &openresponses.FunctionCall{ID: id, CallID: callID, Name: "f", Arguments: arguments}
	if len(status) > 0 {
		c.Status = status[0]
	}
	return c
}

func message(id, text string) *openresponses.Message {
	return &openresponses.Message{ID: id, Role: openresponses.RoleAssistant, Content: openresponses.Contents{&openresponses.OutputText{Text: text}}}
}

// opened is a message as it opens.
func opened(id string) *openresponses.Message {
	return &openresponses.Message{ID: id, Role: openresponses.RoleAssistant}
}

func reasoning(id, text string) *openresponses.ReasoningItem {
	return &openresponses.ReasoningItem{ID: id, Summary: openresponses.Contents{&openresponses.SummaryText{Text: text}}}
}

func unknown(typ, id string) *openresponses.UnknownItem {
	return &openresponses.UnknownItem{Type: typ, ID: id}
}

// show writes an item in one line: its type, its item ID, then a call's ID and arguments or another's text.
func show(item openresponses.Item) string {
	id := func(id string) string {
		if id == "" {
			return "-"
		}
		return id
	}
	switch item := item.(type) {
	case nil:
		return "nil"
	case *openresponses.FunctionCall:
		return fmt.Sprintf("call %s %s %s", id(item.ID), id(item.CallID), item.Arguments)
	case *openresponses.Message:
		return fmt.Sprintf("message %s %s", id(item.ID), showParts(item.Content))
	case *openresponses.ReasoningItem:
		return fmt.Sprintf("reasoning %s %s%s", id(item.ID), showParts(item.Summary), showParts(item.Content))
	case *openresponses.UnknownItem:
		return fmt.Sprintf("%s %s", item.Type, id(item.ID))
	}
	return item.ItemType()
}

func showParts(parts openresponses.Contents) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *openresponses.OutputText:
			b.WriteString(part.Text)
			for _, a := range part.Annotations {
				fmt.Fprintf(&b, " %T", a)
			}
			for _, p := range part.Logprobs {
				fmt.Fprintf(&b, " p(%s)", p.Token)
			}
		case *openresponses.SummaryText:
			b.WriteString(part.Text)
		case *openresponses.ReasoningText:
			b.WriteString(part.Text)
		case *openresponses.Refusal:
			b.WriteString(part.Refusal)
		default:
			fmt.Fprintf(&b, "<%T>", part)
		}
	}
	return b.String()
}

func showItems(items openresponses.Items) []string {
	shown := []string{}
	for _, item := range items {
		shown = append(shown, show(item))
	}
	return shown
}

func showChange(c fold.Change) string {
	switch c.Kind {
	case fold.Open:
		s := fmt.Sprintf("open %d %s", c.Slot, show(c.Item))
		if c.Commits {
			s += " !"
		}
		return s
	case fold.Update:
		return "update " + show(c.Item)
	case fold.Done:
		s := fmt.Sprintf("done %d %s", c.Slot, show(c.Item))
		if c.ModelCallID != "" {
			s += " from " + c.ModelCallID
		}
		return s
	case fold.Fail:
		return "fail " + c.Err.Error()
	case fold.Terminal:
		return "terminal"
	}
	return fmt.Sprintf("kind %d", c.Kind)
}

func showCalls(calls []fold.Call) []string {
	shown := []string{}
	for _, c := range calls {
		s := show(c.Item)
		if c.CutOff {
			s += " cut off"
		}
		shown = append(shown, s)
	}
	return shown
}

func showUnstreamed(unstreamed []fold.Unstreamed) []string {
	shown := []string{}
	for _, u := range unstreamed {
		s := fmt.Sprintf("%d %s", u.Slot, show(u.Item))
		if u.Opened {
			s += " opened"
		}
		if u.ModelCallID != "" {
			s += " from " + u.ModelCallID
		}
		shown = append(shown, s)
	}
	return shown
}

// deciding keeps the model's IDs that are neither empty nor taken; others become new1, new2, ...
func deciding(taken ...string) func(string) string {
	n := 0
	return func(modelID string) string {
		id := modelID
		for id == "" || slices.Contains(taken, id) {
			n++
			id = fmt.Sprintf("new%d", n)
		}
		taken = append(taken, id)
		return id
	}
}

// run folds events and returns what they changed, as shown when it was.
func run(f *fold.Folder, events stream) []string {
	changes := []string{}
	for _, ev := range events {
		for _, c := range f.Add(ev) {
			changes = append(changes, showChange(c))
		}
	}
	return changes
}

func wantLines(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n got  %s\n want %s", what, strings.Join(got, "\n      "), strings.Join(want, "\n      "))
	}
}
