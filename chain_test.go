package agentturn_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

type (
	policy      = func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error)
	beforeTurn  = func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error)
	transform   = func(context.Context, agentturn.Transcript) (agentturn.Transcript, error)
	beforeModel = func(context.Context, *openresponses.Request) error
	outputGuard = func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error)
	shouldStop  = func(context.Context, agentturn.TurnInfo) (bool, error)
)

var errHook = errors.New("hook failed")

func decide(d agentturn.ToolDecision) policy {
	return func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) { return &d, nil }
}

// Of two decisions the stricter one stands with its own reason and decider, even where
// those are empty; among equals the first stands and the second fills what it left empty.
func TestR127(t *testing.T) {
	const first, second = 0, 1
	standing := map[[2]agentturn.ToolAction]int{
		{agentturn.Allow, agentturn.Allow}: first,
		{agentturn.Allow, agentturn.Defer}: second,
		{agentturn.Allow, agentturn.Block}: second,
		{agentturn.Defer, agentturn.Allow}: first,
		{agentturn.Defer, agentturn.Defer}: first,
		{agentturn.Defer, agentturn.Block}: second,
		{agentturn.Block, agentturn.Allow}: first,
		{agentturn.Block, agentturn.Defer}: first,
		{agentturn.Block, agentturn.Block}: first,
	}
	texts := func(number int) [][2]string {
		reason, by := fmt.Sprint("reason ", number), fmt.Sprint("by ", number)
		return [][2]string{{"", ""}, {reason, ""}, {"", by}, {reason, by}}
	}
	for actions, stands := range standing {
		for _, one := range texts(1) {
			for _, two := range texts(2) {
				name := fmt.Sprintf("%d %q then %d %q", actions[0], one, actions[1], two)
				t.Run(name, func(t *testing.T) {
					asked := false
					got, err := agentturn.ChainBeforeToolCall(
						decide(agentturn.ToolDecision{Action: actions[0], Reason: one[0], By: one[1]}),
						func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
							asked = true
							return &agentturn.ToolDecision{Action: actions[1], Reason: two[0], By: two[1]}, nil
						},
					)(t.Context(), agentturn.ToolCallInfo{})
					if err != nil {
						t.Fatal(err)
					}
					want := &agentturn.ToolDecision{Action: actions[stands], Reason: one[0], By: one[1]}
					switch {
					case actions[0] == agentturn.Block:
					case stands == second:
						want.Reason, want.By = two[0], two[1]
					default:
						if want.Reason == "" {
							want.Reason = two[0]
						}
						if want.By == "" {
							want.By = two[1]
						}
					}
					if !reflect.DeepEqual(got, want) {
						t.Errorf("got %+v, want %+v", got, want)
					}
					if ended := actions[0] == agentturn.Block; asked == ended {
						t.Errorf("second policy asked: %t", asked)
					}
				})
			}
		}
	}
}

func TestChainBeforeToolCall(t *testing.T) {
	type decision = agentturn.ToolDecision
	none := func(context.Context, agentturn.ToolCallInfo) (*decision, error) { return nil, nil }
	fails := func(context.Context, agentturn.ToolCallInfo) (*decision, error) { return &decision{}, errHook }
	for name, test := range map[string]struct {
		chain []policy
		want  *decision
		err   error
	}{
		"nobody decides":           {chain: []policy{none, none}},
		"silence keeps a decision": {chain: []policy{none, decide(decision{Note: "n"}), none}, want: &decision{Note: "n"}},
		"an error leaves none":     {chain: []policy{decide(decision{Action: agentturn.Defer}), fails}, err: errHook},
		"a block ends before an error": {
			chain: []policy{decide(decision{Action: agentturn.Block}), fails},
			want:  &decision{Action: agentturn.Block},
		},
		"a later decision fills what the standing one left empty": {
			chain: []policy{
				decide(decision{Reason: "first"}),
				decide(decision{Action: agentturn.Defer}),
				decide(decision{Reason: "third", By: "policy", Note: "note"}),
			},
			want: &decision{Action: agentturn.Defer, Reason: "third", By: "policy", Note: "note"},
		},
		"the first note stands whatever the action": {
			chain: []policy{decide(decision{Note: "first"}), decide(decision{Action: agentturn.Block, Note: "second"})},
			want:  &decision{Action: agentturn.Block, Note: "first"},
		},
		"the last arguments stand": {
			chain: []policy{
				decide(decision{Args: json.RawMessage(`1`)}), decide(decision{Args: json.RawMessage(`2`)}), decide(decision{}),
			},
			want: &decision{Args: json.RawMessage(`2`)},
		},
		"empty arguments are arguments": {
			chain: []policy{decide(decision{Args: json.RawMessage(`1`)}), decide(decision{Args: json.RawMessage{}})},
			want:  &decision{Args: json.RawMessage{}},
		},
		"anyone can terminate": {
			chain: []policy{decide(decision{}), decide(decision{Terminate: true}), decide(decision{})},
			want:  &decision{Terminate: true},
		},
		"nil policies are skipped": {chain: []policy{nil, decide(decision{Note: "n"}), nil}, want: &decision{Note: "n"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := agentturn.ChainBeforeToolCall(test.chain...)(t.Context(), agentturn.ToolCallInfo{})
			if !errors.Is(err, test.err) || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %v, want %+v, %v", got, err, test.want, test.err)
			}
		})
	}
}

func TestChainBeforeToolCallPassesRewrittenArguments(t *testing.T) {
	var seen []string
	rewrite := func(args string) policy {
		return func(_ context.Context, info agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			seen = append(seen, string(info.Args))
			if args == "" {
				return nil, nil
			}
			return &agentturn.ToolDecision{Args: json.RawMessage(args)}, nil
		}
	}
	chain := agentturn.ChainBeforeToolCall(rewrite("1"), rewrite(""), rewrite("2"), rewrite(""))
	if _, err := chain(t.Context(), agentturn.ToolCallInfo{Args: json.RawMessage("0")}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"0", "1", "1", "2"}; !slices.Equal(seen, want) {
		t.Errorf("policies saw %q, want %q", seen, want)
	}
}

func TestChainBeforeToolCallLeavesDecisionsAlone(t *testing.T) {
	kept := &agentturn.ToolDecision{}
	chain := agentturn.ChainBeforeToolCall(
		func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) { return kept, nil },
		decide(agentturn.ToolDecision{Action: agentturn.Block, Reason: "no", Terminate: true}),
	)
	if _, err := chain(t.Context(), agentturn.ToolCallInfo{}); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(kept, &agentturn.ToolDecision{}) {
		t.Errorf("the policy's own decision became %+v", kept)
	}
}

func TestChainsOfNoneAreNil(t *testing.T) {
	for name, chain := range map[string]any{
		"before turn":       agentturn.ChainBeforeTurn(nil, nil),
		"transform":         agentturn.ChainTransform(nil),
		"before model call": agentturn.ChainBeforeModelCall(nil),
		"output guard":      agentturn.ChainOutputGuard(nil),
		"before tool call":  agentturn.ChainBeforeToolCall(),
		"should stop":       agentturn.ChainShouldStopAfterTurn(),
	} {
		if !reflect.ValueOf(chain).IsNil() {
			t.Errorf("%s: a chain of no hooks is a hook", name)
		}
	}
}

func TestChainBeforeTurn(t *testing.T) {
	a, b, c := openresponses.UserText("a"), openresponses.UserText("b"), openresponses.UserText("c")
	add := func(items ...openresponses.Item) beforeTurn {
		return func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) { return items, nil }
	}
	fails := func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) { return nil, errHook }

	got, err := agentturn.ChainBeforeTurn(add(a, b), add(), nil, add(c))(t.Context(), agentturn.TurnStartInfo{})
	if want := (openresponses.Items{a, b, c}); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	got, err = agentturn.ChainBeforeTurn(add(a), fails)(t.Context(), agentturn.TurnStartInfo{})
	if got != nil || err != errHook {
		t.Errorf("got %v, %v, want no items and the error", got, err)
	}
}

func TestChainTransform(t *testing.T) {
	a, b := openresponses.UserText("a"), openresponses.UserText("b")
	dropFirst := func(_ context.Context, t agentturn.Transcript) (agentturn.Transcript, error) { return t[1:], nil }
	overwrite := func(_ context.Context, t agentturn.Transcript) (agentturn.Transcript, error) {
		t[0] = b
		return t, nil
	}
	fails := func(context.Context, agentturn.Transcript) (agentturn.Transcript, error) {
		return agentturn.Transcript{a}, errHook
	}

	start := agentturn.Transcript{a, a, a}
	got, err := agentturn.ChainTransform(transform(dropFirst), nil, overwrite)(t.Context(), start)
	if want := (agentturn.Transcript{b, a}); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if want := (agentturn.Transcript{a, a, a}); !slices.Equal(start, want) {
		t.Error("a transform reached the slice the chain was given")
	}
	got, err = agentturn.ChainTransform(transform(fails), dropFirst)(t.Context(), start)
	if got != nil || err != errHook {
		t.Errorf("got %v, %v, want no transcript and the error", got, err)
	}
}

func TestChainBeforeModelCall(t *testing.T) {
	edit := func(_ context.Context, req *openresponses.Request) error { req.Model += "x"; return nil }
	fails := func(context.Context, *openresponses.Request) error { return errHook }

	var req openresponses.Request
	if err := agentturn.ChainBeforeModelCall(beforeModel(edit), nil, edit)(t.Context(), &req); err != nil || req.Model != "xx" {
		t.Errorf("got %v and model %q, want xx", err, req.Model)
	}
	req = openresponses.Request{}
	if err := agentturn.ChainBeforeModelCall(beforeModel(edit), fails, edit)(t.Context(), &req); err != errHook || req.Model != "x" {
		t.Errorf("got %v and model %q, want the error and nothing after it", err, req.Model)
	}
}

func TestChainOutputGuard(t *testing.T) {
	original := openresponses.AssistantText("original")
	one, two := openresponses.AssistantText("one"), openresponses.AssistantText("two")
	var seen []*openresponses.Message
	replace := func(with *openresponses.Message) outputGuard {
		return func(_ context.Context, info agentturn.OutputInfo) (*openresponses.Message, error) {
			seen = append(seen, info.Message)
			return with, nil
		}
	}
	fails := func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) { return one, errHook }
	info := agentturn.OutputInfo{Message: original}

	got, err := agentturn.ChainOutputGuard(replace(one), replace(nil), replace(two), replace(nil))(t.Context(), info)
	if err != nil || got != two {
		t.Errorf("got %v, %v, want the last replacement", got, err)
	}
	if want := []*openresponses.Message{original, one, one, two}; !slices.Equal(seen, want) {
		t.Errorf("guards saw %v, want %v", seen, want)
	}
	got, err = agentturn.ChainOutputGuard(replace(nil), replace(nil))(t.Context(), info)
	if err != nil || got != nil {
		t.Errorf("got %v, %v, want nil when nobody replaced", got, err)
	}
	got, err = agentturn.ChainOutputGuard(replace(one), fails)(t.Context(), info)
	if err != errHook || got != nil {
		t.Errorf("got %v, %v, want the error alone", got, err)
	}
}

func TestChainShouldStopAfterTurn(t *testing.T) {
	asked := 0
	answer := func(stop bool, err error) shouldStop {
		return func(context.Context, agentturn.TurnInfo) (bool, error) { asked++; return stop, err }
	}
	for name, test := range map[string]struct {
		chain []shouldStop
		stop  bool
		err   error
		asked int
	}{
		"nobody stops":    {[]shouldStop{answer(false, nil), nil, answer(false, nil)}, false, nil, 2},
		"the first stops": {[]shouldStop{answer(true, nil), answer(false, errHook)}, true, nil, 1},
		"the first fails": {[]shouldStop{answer(false, errHook), answer(true, nil)}, false, errHook, 1},
	} {
		t.Run(name, func(t *testing.T) {
			asked = 0
			stop, err := agentturn.ChainShouldStopAfterTurn(test.chain...)(t.Context(), agentturn.TurnInfo{})
			if stop != test.stop || err != test.err || asked != test.asked {
				t.Errorf("got %t, %v after asking %d, want %t, %v after %d", stop, err, asked, test.stop, test.err, test.asked)
			}
		})
	}
}
