package agentturn

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Trigger says what caused a run or brought in an item, in the caller's terms: a
// schedule, a message in a channel, a person. The loop hands it on, to [RunStart],
// [ItemEnd], [Queued] and [TurnInput], and reads nothing from it.
type Trigger struct {
	Kind   string // the category, such as "cron"
	Ref    string // which one of its kind, such as the job's name
	Source string // the layer that took it in, such as a gateway

	// Extra is whatever else is known of it: JSON values under names other than
	// kind, ref and source, beside which a record writes them. See Validate.
	Extra map[string]any
}

// IsZero reports whether t says nothing.
func (t Trigger) IsZero() bool {
	return t.Kind == "" && t.Ref == "" && t.Source == "" && len(t.Extra) == 0
}

// String joins kind and ref with a colon; when only one of them is set, it is that one.
func (t Trigger) String() string {
	if t.Kind == "" || t.Ref == "" {
		return t.Kind + t.Ref
	}
	return t.Kind + ":" + t.Ref
}

// Validate returns an error wrapping [ErrTriggerExtra] when a member of Extra takes
// the name of one of the other members, or holds a value that does not encode as
// JSON. Whatever takes a trigger refuses one that fails here before it does anything.
func (t Trigger) Validate() error {
	for _, name := range slices.Sorted(maps.Keys(t.Extra)) {
		switch name {
		case "kind", "ref", "source":
			return fmt.Errorf("%w: %q is a member of the trigger", ErrTriggerExtra, name)
		}
		if err := encodes(t.Extra[name]); err != nil {
			return fmt.Errorf("%w: %q: %w", ErrTriggerExtra, name, err)
		}
	}
	return nil
}

// encodes reports why v has no JSON form. The value may bring an encoder of its own,
// which may panic.
func encodes(v any) (err error) {
	defer recovered(&err, "trigger extra")
	_, err = json.Marshal(v)
	return err
}

type triggerKey struct{}

// ContextWithTrigger returns ctx with t as the trigger of what is started or queued
// with it, in place of one it carried. An invalid t is refused there, not here.
func ContextWithTrigger(ctx context.Context, t Trigger) context.Context {
	return context.WithValue(ctx, triggerKey{}, t)
}

// TriggerFromContext returns the trigger on ctx, the zero Trigger when it has none.
func TriggerFromContext(ctx context.Context) Trigger {
	t, _ := ctx.Value(triggerKey{}).(Trigger)
	return t
}
