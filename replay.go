package agentturn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/ChristopherDavenport/agenttool"
)

// replayRule decides on an approval a of p. A call that may have run runs again only when
// that cannot do harm twice; the error wraps [ErrAmbiguousCall] otherwise. tool is what the
// call resolves to, nil when nothing, and replay what the tool says of the arguments the
// call would run with. reason is the approval's own, else the rule that lets it pass.
func replayRule(p PendingCall, a Answer, tool agenttool.Tool, replay agenttool.Replay) (reason string, err error) {
	switch {
	case !p.MayHaveRun():
		return a.Reason, nil
	case a.RunAgain:
		return cmp.Or(a.Reason, RunAgainReason), nil
	case tool == nil:
		return a.Reason, nil
	case replay == agenttool.ReplaySafe:
		return cmp.Or(a.Reason, RunAgainSafeReason), nil
	case replay != agenttool.ReplayKeyed:
		return "", fmt.Errorf("%w: %q", ErrAmbiguousCall, p.Call.CallID)
	}
	args, key := a.argsFor(p), a.keyFor(p)
	same := sameArgs(args, p.args())
	var problem string
	switch {
	case key == "":
		problem = "is keyed and the key of the dispatch it repeats is not known"
	case same && p.IdempotencyKey == "":
		problem = "is keyed and the key of the dispatch it repeats is not known, so another key would run it as a new operation"
	case same && key != p.IdempotencyKey:
		problem = "is keyed and would run again under another key than the dispatch it repeats, as a new operation"
	case !same && key == p.IdempotencyKey:
		problem = "is keyed and would run again with other arguments under the key of the dispatch it repeats"
	default:
		return cmp.Or(a.Reason, RunAgainKeyedReason), nil
	}
	return "", fmt.Errorf("%w: %q %s", ErrAmbiguousCall, p.Call.CallID, problem)
}

// argsFor returns the arguments an approval runs p with.
func (a Answer) argsFor(p PendingCall) json.RawMessage {
	if a.Args != nil {
		return a.Args
	}
	return p.args()
}

// keyFor returns the key an approval runs p under, empty where a new one is needed.
func (a Answer) keyFor(p PendingCall) string {
	return cmp.Or(a.IdempotencyKey, p.IdempotencyKey)
}

// sameArgs reports whether a and b are equal as JSON values. Numbers are compared as they
// are written, since a tool may read them so, and what does not decode is compared as bytes.
func sameArgs(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	left, ok := decodeArgs(a)
	if !ok {
		return false
	}
	right, ok := decodeArgs(b)
	return ok && reflect.DeepEqual(left, right)
}

// decodeArgs decodes the one JSON value in raw. Bytes that are not UTF-8 do not decode: the
// decoder would replace them, and make different strings the same.
func decodeArgs(raw json.RawMessage) (value any, ok bool) {
	if !utf8.Valid(raw) {
		return nil, false
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	_, err := decoder.Token()
	return value, err == io.EOF
}
