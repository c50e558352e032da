package agentturn

import (
	"slices"

	"github.com/ChristopherDavenport/openresponses"
)

// WithTranscript starts the agent from a copy of t, as a host does that takes up a stored
// conversation. Its calls without an output are pending as [PendingUnknown]; [WithPending]
// says what a record knows of them.
func WithTranscript(t Transcript) Option {
	return func(a *Agent) { a.adopt(slices.Clone(t)) }
}

// WithPending says why the calls that the seeded transcript leaves open are pending. An
// entry applies to the call of the same ID, name and arguments; of several for one call the
// last counts, and one that fits no pending call is ignored. It does not matter whether it
// comes before or after WithTranscript.
func WithPending(pending []PendingCall) Option {
	return func(a *Agent) { a.seed = append(a.seed, pending...) }
}

// WithReasoningModels says which model produced the reasoning items of the seeded
// transcript; see [ReasoningModels].
func WithReasoningModels(m ReasoningModels) Option {
	return func(a *Agent) {
		if a.models == nil {
			a.models = &attribution{}
		}
		for item, name := range m {
			a.models.set(item, name)
		}
	}
}

// WithReservedCallIDs names call IDs that the model's calls must not take although the
// transcript does not hold them, such as those of calls a fold or a rewind has taken out of
// a recorded conversation. A call that repeats one runs under an ID of the loop's own.
func WithReservedCallIDs(ids []string) Option {
	return func(a *Agent) { a.reserved = withReserved(a.reserved, ids...) }
}

// ReserveCallIDs adds to the IDs of [WithReservedCallIDs]. It returns [ErrRunning] during a
// run.
func (a *Agent) ReserveCallIDs(ids ...string) error {
	return a.whenIdle(func() { a.reserved = withReserved(a.reserved, ids...) })
}

// SetTranscript replaces the transcript by a copy of t between runs: for another branch of a
// conversation, or a trim at a handoff. A call that was pending and is in t as well stays
// pending as it was; every other open call of t is [PendingUnknown]. The call IDs of the old
// transcript stay reserved, the attribution of its reasoning items stays with those that t
// holds, and the queues are kept. It returns [ErrRunning] during a run.
func (a *Agent) SetTranscript(t Transcript) error {
	t = slices.Clone(t)
	return a.whenIdle(func() {
		var ids []string
		for _, item := range a.ledger().items {
			if call, ok := item.(*openresponses.FunctionCall); ok && call != nil {
				ids = append(ids, call.CallID)
			}
		}
		a.reserved = withReserved(a.reserved, ids...)
		if a.models != nil {
			a.models = a.models.keep(t)
		}
		known := a.pending
		a.adopt(t)
		a.explainPending(known)
	})
}

// SetPending does for the transcript of the moment what [WithPending] does for a seeded one.
// It returns [ErrRunning] during a run.
func (a *Agent) SetPending(pending []PendingCall) error {
	pending = slices.Clone(pending)
	return a.whenIdle(func() { a.explainPending(pending) })
}

// adopt makes t, which becomes the agent's, its transcript.
func (a *Agent) adopt(t Transcript) {
	a.log = newLedger(t)
	a.pending = nil
	for _, call := range a.log.open {
		a.pending = append(a.pending, PendingCall{Call: call, Reason: PendingUnknown})
	}
}

// explainPending replaces what is known of the pending calls that known lists.
func (a *Agent) explainPending(known []PendingCall) {
	if len(known) == 0 {
		return
	}
	pending := slices.Clone(a.pending)
	for i, p := range pending {
		for _, k := range known {
			if k.Call != nil && sameCall(k.Call, p.Call) {
				k.Call = p.Call
				pending[i] = k
			}
		}
	}
	a.pending = pending
}

func sameCall(a, b *openresponses.FunctionCall) bool {
	return a.CallID == b.CallID && a.Name == b.Name && a.Arguments == b.Arguments
}
