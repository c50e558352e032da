package chatcompletions

import (
	"strings"

	"github.com/ChristopherDavenport/openresponses"
)

// completion turns chunks into events. One item is open at a time.
type completion struct {
	emitter   *openresponses.Emitter
	reasoning *openresponses.ReasoningWriter // the open item, or nil
	message   *openresponses.MessageWriter   // the open item, or nil
	inText    bool                           // the open part of the message is text
	call      *call                          // the last call, open or not
	started   bool
	finish    string // why the model stopped, once it has
}

// call is a function call that arrives in pieces.
type call struct {
	index   int
	id      string
	name    string
	pending []byte // arguments that came ahead of the name
	blank   bool   // nothing but white space was written
	writer  *openresponses.FunctionCallWriter
	closed  bool
}

// add sends what a chunk adds.
func (c *completion) add(chunk *chunk) error {
	resp := c.emitter.Response()
	if !c.started {
		c.started = true
		if chunk.model != "" {
			resp.Model = chunk.model
		}
		if err := c.emitter.Start(); err != nil {
			return err
		}
	}
	switch tier := openresponses.ServiceTier(chunk.serviceTier); tier {
	case openresponses.ServiceTierAuto, openresponses.ServiceTierDefault,
		openresponses.ServiceTierFlex, openresponses.ServiceTierPriority:
		resp.ServiceTier = tier
	}
	if chunk.usage != nil {
		resp.Usage = chunk.usage
	}
	if chunk.finish != "" {
		c.finish = chunk.finish
	}
	if err := c.addMessage(&chunk.delta, chunk.logprobs); err != nil {
		return err
	}
	for i := range chunk.delta.calls {
		if err := c.addCall(&chunk.delta.calls[i]); err != nil {
			return err
		}
	}
	return nil
}

func (c *completion) addMessage(d *delta, logprobs []openresponses.LogProb) error {
	thought := d.reasoningContent
	if thought == "" {
		thought = d.reasoning
	}
	if thought != "" {
		if err := c.openReasoning(); err != nil {
			return err
		}
		if err := c.reasoning.Text(thought); err != nil {
			return err
		}
	}
	if d.content != "" {
		if err := c.openMessage(true); err != nil {
			return err
		}
		if err := c.message.Text(d.content); err != nil {
			return err
		}
	}
	if len(logprobs) > 0 && c.message != nil && c.inText {
		if err := c.message.Logprobs(logprobs...); err != nil {
			return err
		}
	}
	for i := range d.annotations {
		citation := d.annotations[i].citation()
		if citation == nil {
			continue
		}
		if err := c.openMessage(true); err != nil {
			return err
		}
		if err := c.message.Annotation(citation); err != nil {
			return err
		}
	}
	if d.refusal == "" {
		return nil
	}
	if err := c.openMessage(false); err != nil {
		return err
	}
	return c.message.Refusal(d.refusal)
}

func (c *completion) openReasoning() error {
	if c.reasoning != nil {
		return nil
	}
	if err := c.closeItem(); err != nil {
		return err
	}
	var err error
	c.reasoning, err = c.emitter.Reasoning()
	return err
}

// openMessage sees that a message is open, for text or for a refusal.
func (c *completion) openMessage(text bool) error {
	c.inText = text
	if c.message != nil {
		return nil
	}
	if err := c.closeItem(); err != nil {
		return err
	}
	var err error
	c.message, err = c.emitter.Message(openresponses.PhaseFinalAnswer)
	return err
}

// closeItem makes room for another item. The emitter closes the open one itself, but for what a call lacks.
func (c *completion) closeItem() error {
	c.message, c.reasoning = nil, nil
	return c.closeCall()
}

func (c *completion) addCall(piece *toolCall) error {
	switch {
	case c.call == nil || c.call.isBefore(piece):
		if err := c.closeItem(); err != nil {
			return err
		}
		next := &call{index: piece.index, blank: true}
		if c.call != nil && !(piece.indexed && piece.index > c.call.index) {
			next.index = c.call.index // another call under an index that is taken, or under none
		}
		c.call = next
	case piece.indexed && piece.index < c.call.index:
		return invalidUpstream("the server goes back to an earlier tool call")
	case c.call.closed && piece.arguments != "":
		return invalidUpstream("the server goes on with a tool call after other output")
	case c.call.closed:
		return nil
	}
	current := c.call
	if current.id == "" {
		current.id = piece.id
	}
	if current.name == "" {
		current.name = piece.name
	}
	if current.name == "" {
		current.pending = append(current.pending, piece.arguments...)
		return nil
	}
	if current.writer == nil {
		var err error
		if current.writer, err = c.emitter.FunctionCall(current.id, current.name); err != nil {
			return err
		}
	}
	if err := current.write(string(current.pending)); err != nil {
		return err
	}
	current.pending = nil
	return current.write(piece.arguments)
}

// isBefore reports whether a piece begins another call. Some servers give all calls one index, or none; then a name
// begins one, unless it only repeats that of the call it goes on with.
func (c *call) isBefore(piece *toolCall) bool {
	if piece.indexed && piece.index != c.index {
		return piece.index > c.index
	}
	if piece.name == "" || c.name == "" {
		return false
	}
	if piece.id != "" {
		return c.id != "" && piece.id != c.id
	}
	return !piece.indexed
}

func (c *call) write(arguments string) error {
	if arguments == "" {
		return nil
	}
	if c.blank {
		c.blank = strings.TrimSpace(arguments) == ""
	}
	return c.writer.Arguments(arguments)
}

// closeCall ends the call that is open. One without arguments gets an empty object for them.
func (c *completion) closeCall() error {
	current := c.call
	switch {
	case current == nil || current.closed:
		return nil
	case current.writer == nil:
		return invalidUpstream("a tool call has no name")
	case current.blank:
		if err := current.write("{}"); err != nil {
			return err
		}
	}
	current.closed = true
	return current.writer.Close()
}

// end ends the response as the model's reason says. A call that was cut off stays open until then, so that it becomes
// incomplete and nobody runs it.
func (c *completion) end() error {
	switch c.finish {
	case "stop", "tool_calls", "function_call":
		if err := c.closeCall(); err != nil {
			return err
		}
		return c.emitter.Complete()
	case "length":
		return c.emitter.Incomplete(openresponses.IncompleteReasonMaxOutputTokens)
	case "content_filter":
		return c.emitter.Incomplete(openresponses.IncompleteReasonContentFilter)
	case "":
		return openresponses.ServerError("truncated_stream", "the stream ended before the model had finished")
	}
	return openresponses.ModelError(c.finish, "the model stopped for another reason: "+c.finish)
}
