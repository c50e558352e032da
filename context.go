package agentturn

import (
	"context"
	"maps"
)

// answerKey names one of the facts about answers to pending calls, each held on a
// context as a map by call ID.
type answerKey int

const (
	decidersKey answerKey = iota
	reasonsKey
	originsKey
)

// contextWithAnswers puts a copy of facts on ctx in place of what an outer context
// carried. No facts clear those, and change nothing where there are none.
func contextWithAnswers(ctx context.Context, key answerKey, facts map[string]string) context.Context {
	if len(facts) == 0 {
		if len(answers(ctx, key)) == 0 {
			return ctx
		}
		facts = nil
	}
	return context.WithValue(ctx, key, maps.Clone(facts))
}

func answers(ctx context.Context, key answerKey) map[string]string {
	facts, _ := ctx.Value(key).(map[string]string)
	return facts
}

// ContextWithDeciders says who decided the answers to pending calls, by call ID: as a
// record knows them, "human", "policy" or "agent". [Agent.Resume] sets it from
// [Answer.By]; a host that hands outputs to [Run] sets it itself. It replaces what ctx
// carried, and an empty map clears it. The loop does not read it: it is for whoever
// records the outputs.
func ContextWithDeciders(ctx context.Context, by map[string]string) context.Context {
	return contextWithAnswers(ctx, decidersKey, by)
}

// DeciderFromContext returns who decided the answer to callID, "" when nobody is named.
func DeciderFromContext(ctx context.Context, callID string) string {
	return answers(ctx, decidersKey)[callID]
}

// ContextWithReasons says why pending calls were answered with the outputs given, by
// call ID; [Agent.Resume] sets it from [Answer.Reason]. It replaces, clears and is read
// as [ContextWithDeciders] says.
func ContextWithReasons(ctx context.Context, reasons map[string]string) context.Context {
	return contextWithAnswers(ctx, reasonsKey, reasons)
}

// ReasonFromContext returns why callID was answered so, "" when no reason is given.
func ReasonFromContext(ctx context.Context, callID string) string {
	return answers(ctx, reasonsKey)[callID]
}

// ContextWithOrigins says where the outputs for pending calls were taken from, by call
// ID; [Agent.Resume] sets it from [Answer.Origin]. It replaces, clears and is read as
// [ContextWithDeciders] says.
func ContextWithOrigins(ctx context.Context, origins map[string]string) context.Context {
	return contextWithAnswers(ctx, originsKey, origins)
}

// OriginFromContext returns where the output for callID was taken from, "" when it was
// produced for the occasion.
func OriginFromContext(ctx context.Context, callID string) string {
	return answers(ctx, originsKey)[callID]
}

type reservedKey struct{}

// ContextWithReservedCallIDs adds call IDs the model must not use again in a run on
// ctx, beside those already on ctx and those the agent reserved: IDs a record holds and
// the run's transcript does not. A call that repeats one gets an ID of the loop's own.
func ContextWithReservedCallIDs(ctx context.Context, ids ...string) context.Context {
	if len(ids) == 0 {
		return ctx
	}
	outer := reservedCallIDs(ctx)
	reserved := make(map[string]struct{}, len(outer)+len(ids))
	maps.Copy(reserved, outer)
	for _, id := range ids {
		reserved[id] = struct{}{}
	}
	return context.WithValue(ctx, reservedKey{}, reserved)
}

// reservedCallIDs returns the IDs reserved on ctx, nil when none are. It is shared: read
// only.
func reservedCallIDs(ctx context.Context) map[string]struct{} {
	reserved, _ := ctx.Value(reservedKey{}).(map[string]struct{})
	return reserved
}

type askedCallKey struct{}

// ContextWithAskedCall returns ctx carrying the call a question to the user is about,
// for the elicitor that puts it. [Ask] does so; a front that asks by another way can.
func ContextWithAskedCall(ctx context.Context, call AskedCall) context.Context {
	return context.WithValue(ctx, askedCallKey{}, call)
}

// AskedCallFrom returns the call the question on ctx is about, and false when the
// question is about no call.
func AskedCallFrom(ctx context.Context) (AskedCall, bool) {
	call, ok := ctx.Value(askedCallKey{}).(AskedCall)
	return call, ok
}
