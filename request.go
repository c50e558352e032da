package agentturn

import (
	"fmt"
	"slices"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn/internal/callid"
	"github.com/ChristopherDavenport/openresponses"
)

// resolveTools asks for the tools of the turn; the same list serves its request and its
// batch.
func (r *run) resolveTools() (tools agenttool.Set, err error) {
	if tools, err = r.provideTools(); err != nil || r.cfg.ToolProvider == nil {
		return tools, err // a static list was checked before the run
	}
	if err := validateTools(tools); err != nil {
		return nil, fmt.Errorf("agentturn: turn %d: tool provider: %w", r.turn, err)
	}
	return tools, nil
}

func (r *run) provideTools() (tools agenttool.Set, err error) {
	defer recovered(&err, "tool provider")
	return r.cfg.ResolveTools(r.ctx), nil
}

// buildRequest is the request of a turn over tools, before BeforeModelCall sees it.
func (r *run) buildRequest(tools agenttool.Set) (openresponses.Request, error) {
	input, err := r.input()
	if err != nil {
		return openresponses.Request{}, err
	}
	if input, err = r.rename(input, tools); err != nil {
		return openresponses.Request{}, err
	}
	req, err := r.baseRequest(tools)
	if err != nil {
		return openresponses.Request{}, err
	}
	req.Input = input
	if r.cfg.BeforeModelCall != nil {
		// The hook may change anything, and the input may be the transcript's own slice.
		req.Input = slices.Clone(input)
	}
	return req, nil
}

func (r *run) baseRequest(tools agenttool.Set) (req openresponses.Request, err error) {
	defer recovered(&err, "tool definition")
	return r.cfg.baseRequest(tools), nil
}

// input is what the model is sent of the transcript.
func (r *run) input() (t Transcript, err error) {
	if r.cfg.Transform == nil && r.cfg.Filter == nil {
		t = r.log.visible()
	} else {
		t = slices.Clone(r.log.items)
		if r.cfg.Transform != nil {
			if t, err = r.transform(t); err != nil {
				return nil, fmt.Errorf("agentturn: transform: %w", err)
			}
		}
		if t, err = r.filter(t); err != nil {
			return nil, err
		}
		t = r.log.onWire(slices.Clone(t))
	}
	return r.models.visible(r.cfg.ModelName, t), nil
}

// rename is t with the names that no tool has and a strict server refuses put into characters
// it takes: a model makes such names up, and what it said of them would spoil every request
// that follows. A name that is offered is sent as it is.
func (r *run) rename(t Transcript, tools agenttool.Set) (out Transcript, err error) {
	if !r.log.misnamed {
		return t, nil
	}
	defer recovered(&err, "tool name")
	t = slices.Clone(t)
	for i, item := range t {
		call, ok := item.(*openresponses.FunctionCall)
		if !ok || call == nil || call.Name == plainName(call.Name) {
			continue
		}
		if _, offered := tools.Lookup(call.Name); !offered {
			form := *call
			form.Name = plainName(call.Name)
			t[i] = &form
		}
	}
	return t, nil
}

const maxName = 64 // bytes

// plainName is name, or what stands for one that a strict server refuses.
func plainName(name string) string {
	if name == "" {
		return "unknown"
	}
	return callid.Plain(name, maxName)
}

func (r *run) filter(t Transcript) (out Transcript, err error) {
	defer recovered(&err, "filter")
	if r.cfg.Filter != nil {
		return r.cfg.Filter(t), nil
	}
	return DefaultFilter(t), nil
}

// attribution is what a run knows of which model produced the transcript's reasoning.
type attribution struct {
	models ReasoningModels
	// names counts the attributed items by model, so that a conversation that one model
	// had all to itself is not searched for another's items on every turn.
	names map[string]int
}

func newAttribution(sources ...ReasoningModels) *attribution {
	a := &attribution{}
	for _, m := range sources {
		for item, name := range m {
			a.set(item, name)
		}
	}
	return a
}

func (a *attribution) set(item *openresponses.ReasoningItem, name string) {
	if a.models == nil {
		a.models, a.names = make(ReasoningModels), make(map[string]int)
	}
	if old, ok := a.models[item]; ok {
		a.names[old]--
	}
	a.models[item] = name
	a.names[name]++
}

// attribute notes name as the producer of the reasoning among items not attributed yet.
func (a *attribution) attribute(name string, items openresponses.Items) {
	if name == "" {
		return
	}
	for _, item := range items {
		if r, ok := item.(*openresponses.ReasoningItem); ok {
			if _, known := a.models[r]; !known {
				a.set(r, name)
			}
		}
	}
}

// visible is t without the reasoning that another model than name produced.
func (a *attribution) visible(name string, t Transcript) Transcript {
	if name == "" {
		return t
	}
	for other, n := range a.names {
		if other != name && n > 0 {
			return a.models.For(name, t)
		}
	}
	return t
}

// keep forgets the items that t does not hold.
func (a *attribution) keep(t Transcript) *attribution {
	kept := &attribution{}
	for _, item := range t {
		if r, ok := item.(*openresponses.ReasoningItem); ok {
			if name, known := a.models[r]; known {
				kept.set(r, name)
			}
		}
	}
	return kept
}
