package agenttool

import (
	"context"
	"encoding/json"
)

// Sequential is implemented by a tool that may not run beside any other.
type Sequential interface {
	// Sequential reports whether the batch the tool is in runs one call after
	// another, in the model's order.
	Sequential() bool
}

// Resource is implemented by a tool that works on something only one call
// may use at a time.
type Resource interface {
	// Resource names what the tool works on. Calls of a batch whose tools
	// give the same name take turns. The name is free, by convention
	// <kind>:<id>, as in shell:session; empty means none.
	Resource() string
}

// Strict is implemented by a tool whose model should be held to its schema
// by the server.
type Strict interface {
	// Strict reports whether the schema follows the rules of strict mode, as
	// one reflected under [WithStrict] does. For any other schema it is the
	// author's word.
	Strict() bool
}

// Annotated is implemented by a tool that gives hints about itself.
type Annotated interface {
	// Annotations gives the hints.
	Annotations() Annotations
}

// Annotations are hints for people and policies, named as in MCP. They are
// claims, not guarantees. The zero value may also mean that a tool gives none.
type Annotations struct {
	// Title is a name for people.
	Title string

	// ReadOnly: the tool changes nothing.
	ReadOnly bool

	// Destructive: the tool may destroy or overwrite.
	Destructive bool

	// Idempotent: calling again with the same arguments changes nothing more.
	Idempotent bool

	// OpenWorld: the tool reaches systems beyond the host's own.
	OpenWorld bool
}

// Confined is implemented by a tool that knows whether a call would run in a
// sandbox.
type Confined interface {
	// Confined answers for a call with args, before it runs, and names what
	// confines it. False says nothing about the call being safe.
	Confined(ctx context.Context, args json.RawMessage) (bool, string)
}

// Replayable is implemented by a tool that knows whether a call that may have
// run already, its outcome lost, may be run again.
type Replayable interface {
	// Replay answers for a call with args.
	Replay(ctx context.Context, args json.RawMessage) Replay
}

// Replay says whether a call of unknown outcome may run again.
type Replay int

const (
	// ReplayUnknown: the call must not run twice.
	ReplayUnknown Replay = iota

	// ReplaySafe: a second run has no further effect, though its output may
	// differ.
	ReplaySafe

	// ReplayKeyed: the tool deduplicates on [Call].IdempotencyKey, so a second
	// run is allowed with the key of the first and with no other. Without a
	// key the call reads as unknown. For the key of a completed call the tool
	// has no second effect and gives that call's outcome, its error included;
	// it refuses a key whose call still runs or had other arguments.
	ReplayKeyed
)

// String is safe, keyed or unknown.
func (r Replay) String() string {
	switch r {
	case ReplaySafe:
		return "safe"
	case ReplayKeyed:
		return "keyed"
	default:
		return "unknown"
	}
}

// IsSequential reports whether t is [Sequential]; false for a tool that does
// not say.
func IsSequential(t Tool) bool {
	s, ok := t.(Sequential)
	return ok && s.Sequential()
}

// IsStrict reports whether t is [Strict]; false for a tool that does not say.
func IsStrict(t Tool) bool {
	s, ok := t.(Strict)
	return ok && s.Strict()
}

// ResourceOf is the resource whose turn a call of t has to wait for. It is
// empty for a tool that names none, and for a sequential tool, which waits
// for everything.
func ResourceOf(t Tool) string {
	if IsSequential(t) {
		return ""
	}
	return declaredResource(t)
}

// declaredResource is the resource t names, whether or not t is sequential.
func declaredResource(t Tool) string {
	if r, ok := t.(Resource); ok {
		return r.Resource()
	}
	return ""
}

// AnnotationsOf gives the annotations of t; the zero value for a tool that
// has none.
func AnnotationsOf(t Tool) Annotations {
	if a, ok := t.(Annotated); ok {
		return a.Annotations()
	}
	return Annotations{}
}

// ConfinedBy reports whether a call of t with args would run in a sandbox,
// and what confines it. The string is empty unless the answer is true.
func ConfinedBy(ctx context.Context, t Tool, args json.RawMessage) (bool, string) {
	if c, ok := t.(Confined); ok {
		if confined, by := c.Confined(ctx, args); confined {
			return true, by
		}
	}
	return false, ""
}

// ReplayOf reads how a call of t with args may be run again. A tool that does
// not say, or says something that is not one of the three values, reads as
// [ReplayUnknown].
func ReplayOf(ctx context.Context, t Tool, args json.RawMessage) Replay {
	if r, ok := t.(Replayable); ok {
		if replay := r.Replay(ctx, args); replay == ReplaySafe || replay == ReplayKeyed {
			return replay
		}
	}
	return ReplayUnknown
}
