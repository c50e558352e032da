package responses

import (
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// Route reports where a call hands the conversation, and the text its tool answers with when
// it does so. ok is false for a call that is no transfer.
type Route func(call *openresponses.FunctionCall) (to agentturn.Config, output string, ok bool)

// Handoff is a transfer that took place in a transcript.
type Handoff struct {
	Call   *openresponses.FunctionCall // the transfer call
	Output int                         // index of its output in the transcript
	To     agentturn.Config            // what the route named
}

// Handoffs finds the transfers that took place, in the order of their outputs; nil when there
// are none. A transfer took place when the first output behind its call is the text that the
// route says, and nothing else: a call that was refused, failed or never answered changed
// nobody's charge. A nil route finds none.
func Handoffs(t agentturn.Transcript, route Route) []Handoff {
	if route == nil {
		return nil
	}
	type transfer struct {
		Handoff
		text string
	}
	open := map[string]transfer{}
	var found []Handoff
	for i, item := range t {
		item, _ := agentturn.Unhide(item)
		switch item := item.(type) {
		case *openresponses.FunctionCall:
			if item == nil {
				continue
			}
			if to, text, ok := route(item); ok {
				open[item.CallID] = transfer{Handoff{Call: item, To: to}, text}
			}
		case *openresponses.FunctionCallOutput:
			if item == nil {
				continue
			}
			h, ok := open[item.CallID]
			delete(open, item.CallID)
			if ok && item.Output.Parts == nil && item.Output.Text == h.text && h.text != agentturn.WithheldCallOutput {
				h.Output = i
				found = append(found, h.Handoff)
			}
		}
	}
	return found
}

// HandedTo returns who was last handed the conversation, and false when nobody was.
func HandedTo(t agentturn.Transcript, route Route) (agentturn.Config, bool) {
	handoffs := Handoffs(t, route)
	if len(handoffs) == 0 {
		return agentturn.Config{}, false
	}
	return handoffs[len(handoffs)-1].To, true
}

// Attribute says which model each reasoning item of a transcript came from: up to and with the
// output of the first handoff the model of start, and from there on that of the receiver. An
// empty ModelName leaves its items out. The map is never nil.
func Attribute(t agentturn.Transcript, start agentturn.Config, handoffs []Handoff) agentturn.ReasoningModels {
	models := agentturn.ReasoningModels{}
	from, name := 0, start.ModelName
	for _, h := range handoffs {
		end := min(max(h.Output+1, from), len(t))
		models.Attribute(name, openresponses.Items(t[from:end]))
		from, name = end, h.To.ModelName
	}
	models.Attribute(name, openresponses.Items(t[from:]))
	return models
}
