package responses_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
)

// guarding is an output guard that deals with the messages that hold a word: it withholds them, or puts others in
// their place.
func guarding(word string, instead *openresponses.Message) func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) {
	return func(_ context.Context, info agentturn.OutputInfo) (*openresponses.Message, error) {
		switch {
		case !strings.Contains(info.Message.Text(), word):
			return nil, nil
		case instead == nil:
			return nil, errRule
		}
		return instead, nil
	}
}

func TestGuards(t *testing.T) {
	look := []agenttool.Tool{saying("look", "red")}
	t.Run("F017", func(t *testing.T) {
		a := responses.New(agentturn.Config{
			Model:           at.NewModel(t),
			BeforeModelCall: func(context.Context, *openresponses.Request) error { return errRule },
		})
		got := ask(t, a, asking("hi"))
		got.refused(t)
		if got.resp.Usage == nil || got.resp.Usage.TotalTokens != 0 {
			t.Errorf("usage %+v", got.resp.Usage)
		}
	})
	t.Run("F018", func(t *testing.T) {
		calls := 0
		a := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Text("One moment."), at.Call("look", `{}`)}), Tools: look,
			BeforeModelCall: func(context.Context, *openresponses.Request) error {
				if calls++; calls == 2 {
					return errRule
				}
				return nil
			},
		})
		ask(t, a, asking("hi")).refused(t, `assistant completed ["One moment."]`)
	})
	t.Run("F019", func(t *testing.T) {
		stop := func(context.Context, agentturn.TurnInfo) (bool, error) { return false, errRule }
		a := responses.New(agentturn.Config{Model: at.NewModel(t, at.Call("look", `{}`)), Tools: look, ShouldStopAfterTurn: stop})
		ask(t, a, asking("hi")).refused(t)
		a = responses.New(agentturn.Config{Model: at.NewModel(t, at.Text("done")), ShouldStopAfterTurn: stop})
		ask(t, a, asking("hi")).want(t, completed, `assistant completed ["done"]`)
	})
	t.Run("F022", func(t *testing.T) {
		a := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Text("a bad word"), at.Usage(7, 3)}), OutputGuard: guarding("bad", nil),
		})
		got := ask(t, a, asking("hi"))
		got.refused(t, `assistant incomplete [""]`)
		if got.deltas() != "a bad word" {
			t.Errorf("streamed %q", got.deltas())
		}
		if u := got.resp.Usage; u == nil || u.TotalTokens != 10 {
			t.Errorf("usage %+v", u)
		}
		for _, ev := range got.events {
			if done, ok := ev.(*openresponses.OutputTextDoneEvent); ok && done.Text != "" {
				t.Errorf("output_text.done says %q", done.Text)
			}
		}
	})
	t.Run("F023", func(t *testing.T) {
		a := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Text("good"), at.Text("bad")}), OutputGuard: guarding("bad", nil),
		})
		ask(t, a, asking("hi")).refused(t, `assistant completed ["good"]`, `assistant incomplete [""]`)
	})
	t.Run("F024", func(t *testing.T) {
		a := responses.New(agentturn.Config{
			Model: at.NewModel(t, at.Attempt{at.Call("look", `{}`), at.Text("bad")}), Tools: look, OutputGuard: guarding("bad", nil),
		}, responses.WithToolItems())
		ask(t, a, asking("hi")).refused(t, `call completed call_1 look {}`, `assistant incomplete [""]`,
			fmt.Sprintf("output call_1 %q", agentturn.WithheldCallOutput))
	})
	t.Run("a guard that fails is a failure", func(t *testing.T) {
		broken := fmt.Errorf("no connection")
		a := responses.New(agentturn.Config{
			Model:       at.NewModel(t, at.Text("x")),
			OutputGuard: func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) { return nil, broken },
		})
		if got := ask(t, a, asking("hi")); got.err == nil || !strings.Contains(got.err.Error(), "no connection") {
			t.Errorf("error %v", got.err)
		}
	})
}

// parts makes a message of texts, one that begins with "-" being a refusal.
func parts(texts ...string) *openresponses.Message {
	m := &openresponses.Message{Role: openresponses.RoleAssistant}
	for _, text := range texts {
		if refusal, ok := strings.CutPrefix(text, "-"); ok {
			m.Content = append(m.Content, &openresponses.Refusal{Refusal: refusal})
			continue
		}
		m.Content = append(m.Content, &openresponses.OutputText{Text: text, Annotations: openresponses.Annotations{}})
	}
	return m
}

func TestReplacedMessages(t *testing.T) {
	for _, c := range []struct {
		name    string
		step    at.Step
		instead *openresponses.Message
		want    string
		deltas  string // behind "my bad"
	}{
		{"F020", at.Text("my bad"), parts("my good"), `["my good"]`, ""},
		{"F020 shorter", at.Text("my bad"), parts("my"), `["my"]`, ""},
		{"F020 longer", at.Text("my bad"), parts("my bad luck"), `["my bad luck"]`, " luck"},
		{"F021 by a refusal", at.Text("my bad"), parts("-no"), `["" refusal "no"]`, ""},
		{"F021 by more parts", at.Text("my bad"), parts("a", "-no", "b"), `["a" refusal "no" "b"]`, "b"},
		{"F021 by parts of one kind", at.Text("my bad"), parts("a", "b"), `["ab"]`, ""},
		{"F021 by nothing", at.Text("my bad"), parts(), `[""]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := agentturn.Config{OutputGuard: guarding("bad", c.instead)}
			for _, req := range []openresponses.Request{asking("hi"), withTools(asking("hi"), "f")} {
				cfg.Model = at.NewModel(t, c.step)
				got := ask(t, responses.New(cfg), req)
				got.want(t, completed, "assistant completed "+c.want)
				if got.deltas() != "my bad"+c.deltas {
					t.Errorf("streamed %q", got.deltas())
				}
				var done openresponses.Item
				for _, ev := range got.events {
					if ev, ok := ev.(*openresponses.OutputItemDoneEvent); ok {
						done = ev.Item
					}
				}
				if show(done) != "assistant completed "+c.want {
					t.Errorf("output_item.done has %s", show(done))
				}
			}
		})
	}
}
