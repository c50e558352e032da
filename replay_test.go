package agentturn

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/openresponses"
)

// namedTool is a tool of that name that does nothing.
type namedTool string

func (t namedTool) Name() string              { return string(t) }
func (namedTool) Description() string         { return "" }
func (namedTool) Parameters() json.RawMessage { return nil }
func (namedTool) Execute(context.Context, agenttool.Call) (agenttool.Result, error) {
	return agenttool.Result{}, nil
}

func TestReplayRule(t *testing.T) {
	const (
		ambiguous  = `agentturn: a call that may have run cannot run again: "c1"`
		keyUnknown = ambiguous + ` is keyed and the key of the dispatch it repeats is not known`
		keyNew     = keyUnknown + `, so another key would run it as a new operation`
		keyOther   = ambiguous + ` is keyed and would run again under another key than the dispatch it repeats, as a new operation`
		argsOther  = ambiguous + ` is keyed and would run again with other arguments under the key of the dispatch it repeats`
	)
	call := &openresponses.FunctionCall{CallID: "c1", Name: "pay", Arguments: `{"a":1,"b":2}`}
	pay := namedTool("pay")
	aborted := PendingCall{Call: call, Reason: PendingAborted, IdempotencyKey: "k1"}
	rewritten := PendingCall{Call: call, Reason: PendingAborted, IdempotencyKey: "k1", Args: json.RawMessage(`{"a":9}`)}
	unknown := PendingCall{Call: call, Reason: PendingUnknown}
	same, other := json.RawMessage(`{"b": 2, "a": 1}`), json.RawMessage(`{"a":2}`)
	for name, test := range map[string]struct {
		pending PendingCall
		answer  Answer
		tool    agenttool.Tool
		replay  agenttool.Replay
		reason  string
		err     string
	}{
		"did not run: undispatched": {PendingCall{Call: call, Reason: PendingUndispatched}, Approve("c1"), pay, agenttool.ReplayUnknown, "", ""},
		"did not run: deferred":     {PendingCall{Call: call, Reason: PendingDeferred}, Approve("c1").WithReason("ok"), pay, agenttool.ReplayUnknown, "ok", ""},
		"did not run: safe":         {PendingCall{Call: call, Reason: PendingDeferred}, Approve("c1"), pay, agenttool.ReplaySafe, "", ""},

		"risk taken":           {aborted, Approve("c1").WithRunAgain(), pay, agenttool.ReplayUnknown, RunAgainReason, ""},
		"risk taken, reason":   {aborted, Approve("c1").WithRunAgain().WithReason("ok"), pay, agenttool.ReplayUnknown, "ok", ""},
		"risk taken, safe":     {aborted, Approve("c1").WithRunAgain(), pay, agenttool.ReplaySafe, RunAgainReason, ""},
		"risk taken, keyed":    {aborted, ApproveWith("c1", other).WithRunAgain(), pay, agenttool.ReplayKeyed, RunAgainReason, ""},
		"risk taken, no tool":  {aborted, Approve("c1").WithRunAgain(), nil, agenttool.ReplayUnknown, RunAgainReason, ""},
		"no tool":              {aborted, Approve("c1"), nil, agenttool.ReplayUnknown, "", ""},
		"safe":                 {aborted, Approve("c1"), pay, agenttool.ReplaySafe, RunAgainSafeReason, ""},
		"safe, reason":         {aborted, Approve("c1").WithReason("ok"), pay, agenttool.ReplaySafe, "ok", ""},
		"safe, no key":         {unknown, ApproveWith("c1", other), pay, agenttool.ReplaySafe, RunAgainSafeReason, ""},
		"unknown":              {aborted, Approve("c1"), pay, agenttool.ReplayUnknown, "", ambiguous},
		"no such replay value": {aborted, Approve("c1"), pay, agenttool.Replay(7), "", ambiguous},
		"held after dispatch":  {PendingCall{Call: call, Reason: PendingDeferred, Dispatched: true}, Approve("c1"), pay, agenttool.ReplayUnknown, "", ambiguous},

		"keyed, no key at all":             {unknown, Approve("c1"), pay, agenttool.ReplayKeyed, "", keyUnknown},
		"keyed, no key, other arguments":   {unknown, ApproveWith("c1", other), pay, agenttool.ReplayKeyed, "", keyUnknown},
		"keyed, key not known":             {unknown, Approve("c1").WithIdempotencyKey("k2"), pay, agenttool.ReplayKeyed, "", keyNew},
		"keyed, another key":               {aborted, Approve("c1").WithIdempotencyKey("k2"), pay, agenttool.ReplayKeyed, "", keyOther},
		"keyed, another key, rewritten":    {rewritten, Approve("c1").WithIdempotencyKey("k2"), pay, agenttool.ReplayKeyed, "", keyOther},
		"keyed, other arguments":           {aborted, ApproveWith("c1", other), pay, agenttool.ReplayKeyed, "", argsOther},
		"keyed, other than handed over":    {rewritten, ApproveWith("c1", same), pay, agenttool.ReplayKeyed, "", argsOther},
		"keyed, repeated":                  {aborted, Approve("c1"), pay, agenttool.ReplayKeyed, RunAgainKeyedReason, ""},
		"keyed, repeated, reason":          {aborted, Approve("c1").WithReason("ok"), pay, agenttool.ReplayKeyed, "ok", ""},
		"keyed, repeated by its key":       {aborted, Approve("c1").WithIdempotencyKey("k1"), pay, agenttool.ReplayKeyed, RunAgainKeyedReason, ""},
		"keyed, repeated in other words":   {aborted, ApproveWith("c1", same), pay, agenttool.ReplayKeyed, RunAgainKeyedReason, ""},
		"keyed, repeated as handed over":   {rewritten, ApproveWith("c1", json.RawMessage(`{"a":9}`)), pay, agenttool.ReplayKeyed, RunAgainKeyedReason, ""},
		"keyed, new operation":             {aborted, ApproveWith("c1", other).WithIdempotencyKey("k2"), pay, agenttool.ReplayKeyed, RunAgainKeyedReason, ""},
		"keyed, new operation, none known": {unknown, ApproveWith("c1", other).WithIdempotencyKey("k2"), pay, agenttool.ReplayKeyed, RunAgainKeyedReason, ""},
	} {
		t.Run(name, func(t *testing.T) {
			reason, err := replayRule(test.pending, test.answer, test.tool, test.replay)
			if reason != test.reason {
				t.Errorf("reason %q, want %q", reason, test.reason)
			}
			switch {
			case test.err == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.err != "" && (err == nil || err.Error() != test.err):
				t.Errorf("error %v, want %s", err, test.err)
			case err != nil && !errors.Is(err, ErrAmbiguousCall):
				t.Errorf("%v is not ErrAmbiguousCall", err)
			}
		})
	}
}

// A call without arguments is one with an empty object.
func TestReplayRuleReadsNoArgumentsAsAnObject(t *testing.T) {
	p := PendingCall{
		Call:           &openresponses.FunctionCall{CallID: "c1", Name: "pay"},
		Reason:         PendingAborted,
		IdempotencyKey: "k1",
	}
	if _, err := replayRule(p, ApproveWith("c1", json.RawMessage(`{ }`)), namedTool("pay"), agenttool.ReplayKeyed); err != nil {
		t.Errorf("refused: %v", err)
	}
}

func TestSameArgs(t *testing.T) {
	for name, test := range map[string]struct {
		a, b string
		want bool
	}{
		"bytes":                         {`{"a":1}`, `{"a":1}`, true},
		"space":                         {`{"a":1}`, " {\n\"a\" : 1 } ", true},
		"key order":                     {`{"a":1,"b":{"c":2,"d":3}}`, `{"b":{"d":3,"c":2},"a":1}`, true},
		"item order":                    {`[1,2]`, `[2,1]`, false},
		"escapes":                       {`"\u0061"`, `"a"`, true},
		"another key":                   {`{"a":1}`, `{"b":1}`, false},
		"one key more":                  {`{"a":1}`, `{"a":1,"b":2}`, false},
		"null is not absent":            {`{"a":null}`, `{}`, false},
		"number as written":             {`1`, `1.0`, false},
		"exponent as written":           {`100`, `1e2`, false},
		"number beyond a float":         {`9007199254740993`, `9007199254740992`, false},
		"number is no string":           {`1`, `"1"`, false},
		"undecodable, same bytes":       {`{"a":`, `{"a":`, true},
		"undecodable, other bytes":      {`{"a":`, `{"a": `, false},
		"undecodable against decodable": {`{"a":1`, `{"a":1}`, false},
		"two values":                    {`{} {}`, `{}  {}`, false},
		"trailing garbage":              {`{}x`, `{} x`, false},
		"empty":                         {``, ``, true},
		"empty against an object":       {``, `{}`, false},
		"not UTF-8":                     {"\"\xff\"", "\"\xfe\"", false},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := json.RawMessage(test.a), json.RawMessage(test.b)
			if got := sameArgs(a, b); got != test.want {
				t.Errorf("sameArgs(%s, %s) = %t", a, b, got)
			}
			if got := sameArgs(b, a); got != test.want {
				t.Errorf("sameArgs(%s, %s) = %t", b, a, got)
			}
		})
	}
}

func FuzzSameArgs(f *testing.F) {
	f.Add([]byte(`{"a":[1,2.50,null,"x"]}`), []byte(`{}`))
	f.Add([]byte(`{"a":`), []byte("\xff"))
	f.Add([]byte(``), []byte(`[[[[`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if !sameArgs(a, a) || !sameArgs(b, b) {
			t.Error("not the same as itself")
		}
		if sameArgs(a, b) != sameArgs(b, a) {
			t.Error("depends on the order")
		}
	})
}
