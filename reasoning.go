package agentturn

import (
	"context"
	"maps"

	"github.com/ChristopherDavenport/openresponses"
)

// ReasoningModels says which model, by [Config.ModelName], produced a reasoning item.
// Such an item carries state that only its own provider accepts, so a request leaves
// out those of another model; the transcript keeps them for the day the model returns.
//
// Items are known by identity, so a copy of an item is not known, and an item that is
// not known is sent to every model. The loop adds what its runs produce. What a host
// knows of older items it gives with [WithReasoningModels] or
// [ContextWithReasoningModels].
type ReasoningModels map[*openresponses.ReasoningItem]string

// Attribute records modelName as the producer of those reasoning items that m does not
// hold yet. It does nothing for an empty name. m must not be nil.
func (m ReasoningModels) Attribute(modelName string, items openresponses.Items) {
	if modelName == "" {
		return
	}
	for _, item := range items {
		reasoning, ok := item.(*openresponses.ReasoningItem)
		if !ok || reasoning == nil {
			continue
		}
		if _, known := m[reasoning]; !known {
			m[reasoning] = modelName
		}
	}
}

// For returns what modelName may be sent of t: all but the reasoning items of other
// models. An empty modelName is sent everything. When nothing has to go, the result is
// t itself.
func (m ReasoningModels) For(modelName string, t Transcript) Transcript {
	first := 0
	for first < len(t) && !m.foreign(modelName, t[first]) {
		first++
	}
	if first == len(t) {
		return t
	}
	kept := make(Transcript, first, len(t)-1)
	copy(kept, t)
	for _, item := range t[first+1:] {
		if !m.foreign(modelName, item) {
			kept = append(kept, item)
		}
	}
	return kept
}

// foreign reports whether item is known as the reasoning of a model other than modelName.
func (m ReasoningModels) foreign(modelName string, item openresponses.Item) bool {
	if modelName == "" {
		return false
	}
	reasoning, ok := item.(*openresponses.ReasoningItem)
	if !ok {
		return false
	}
	producer := m[reasoning]
	return producer != "" && producer != modelName
}

type reasoningModelsKey struct{}

// ContextWithReasoningModels returns ctx with m laid over what it carried already: what
// the caller knows of the transcript a run on ctx starts from. It copies m, and the run
// works on a copy of its own. An empty m changes nothing.
func ContextWithReasoningModels(ctx context.Context, m ReasoningModels) context.Context {
	if len(m) == 0 {
		return ctx
	}
	outer := reasoningModelsFrom(ctx)
	merged := make(ReasoningModels, len(outer)+len(m))
	maps.Copy(merged, outer)
	maps.Copy(merged, m)
	return context.WithValue(ctx, reasoningModelsKey{}, merged)
}

// reasoningModelsFrom returns what ctx carries, nil when nothing. It is shared: read only.
func reasoningModelsFrom(ctx context.Context) ReasoningModels {
	m, _ := ctx.Value(reasoningModelsKey{}).(ReasoningModels)
	return m
}
