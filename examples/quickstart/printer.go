package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// printer shows a run as it happens.
type printer struct {
	stdout, stderr io.Writer
	explain        func(error) string

	said     bool // some of the message at hand is on stdout,
	lineOpen bool // and does not end a line
	turns    int
	usage    openresponses.Usage
}

// print is the agent's subscriber. The run goes on when it returns, and ends when it fails.
func (p *printer) print(_ context.Context, event agentturn.Event) error {
	switch e := event.(type) {
	case *agentturn.TurnStart:
		p.turns = e.Turn
	case *agentturn.ModelRetry:
		p.note("%s; next attempt in %v", p.explain(e.Err), e.Delay)
	case *agentturn.ItemUpdate:
		return p.delta(e.Stream)
	case *agentturn.ItemEnd:
		return p.item(e.Item)
	case *agentturn.ResponseEnd:
		p.count(e.Response.Usage)
	case *agentturn.ToolStart:
		p.note("%s %s", e.Name, e.Args)
	case *agentturn.ToolUpdate:
		if at, ok := e.Partial.Details.(agenttool.ProgressInfo); ok {
			p.note("%s: %.0f of %.0f bytes", e.Name, at.Progress, at.Total)
		}
	case *agentturn.ToolEnd:
		if e.Err != nil {
			p.note("%s failed: %v", e.Name, e.Err)
		} else {
			p.note("%s returned %d bytes", e.Name, len(e.Result.Output.String()))
		}
	case *agentturn.RunEnd:
		return p.end(e)
	}
	return nil
}

// note writes one line about the run.
func (p *printer) note(format string, args ...any) {
	fmt.Fprintln(p.stderr, oneLine(fmt.Sprintf(format, args...)))
}

// delta writes what the model says while it says it.
func (p *printer) delta(event openresponses.StreamEvent) error {
	switch e := event.(type) {
	case *openresponses.OutputTextDeltaEvent:
		return p.say(e.Delta)
	case *openresponses.RefusalDeltaEvent:
		return p.say(e.Delta)
	}
	return nil
}

func (p *printer) say(text string) error {
	if text == "" {
		return nil
	}
	p.said, p.lineOpen = true, !strings.HasSuffix(text, "\n")
	_, err := io.WriteString(p.stdout, text)
	return err
}

// item ends a message of the model. One from a server that does not stream comes whole.
func (p *printer) item(item openresponses.Item) error {
	message, ok := item.(*openresponses.Message)
	if !ok || message.Role != openresponses.RoleAssistant {
		return nil
	}
	if !p.said {
		if err := p.say(message.Text()); err != nil {
			return err
		}
	}
	return p.endMessage()
}

// endMessage ends the message at hand, and the line that it has left open.
func (p *printer) endMessage() error {
	open := p.lineOpen
	p.said, p.lineOpen = false, false
	if !open {
		return nil
	}
	_, err := fmt.Fprintln(p.stdout)
	return err
}

func (p *printer) count(usage *openresponses.Usage) {
	if usage == nil {
		return // not every server counts
	}
	p.usage.InputTokens += usage.InputTokens
	p.usage.OutputTokens += usage.OutputTokens
	p.usage.TotalTokens += usage.TotalTokens
}

// end sums the run up. What failed is for the caller to say, who has it as an error.
func (p *printer) end(e *agentturn.RunEnd) error {
	if err := p.endMessage(); err != nil || e.Reason == agentturn.ReasonError {
		return err
	}
	reason := string(e.Reason)
	if e.Cause != "" {
		reason += " by " + string(e.Cause)
	}
	p.note("%s: %s, %d tokens (%d in, %d out)", reason, plural(p.turns, "turn"),
		p.usage.TotalTokens, p.usage.InputTokens, p.usage.OutputTokens)
	return nil
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
