package compact

import (
	"fmt"
	"unicode/utf8"

	"github.com/ChristopherDavenport/openresponses"
)

// clipped is item as the summary request holds it: itself, unless it is larger than the whole
// budget. Then its longest text loses its middle: what a tool put out is most telling at both
// ends.
func (s *settings) clipped(item openresponses.Item) openresponses.Item {
	if s.budget <= 0 || s.estimate(openresponses.Items{item}) <= s.budget {
		return item
	}
	smaller := item
	// Half of the budget in bytes of text, and less for a text that takes more bytes as JSON.
	for most := 2 * s.budget; most > 0; most /= 2 {
		smaller = clippedTo(item, most)
		if s.estimate(openresponses.Items{smaller}) <= s.budget {
			break
		}
	}
	return smaller
}

func clippedTo(item openresponses.Item, most int) openresponses.Item {
	switch item := item.(type) {
	case *openresponses.FunctionCallOutput:
		c := *item
		c.Output.Text = clip(c.Output.Text, most)
		c.Output.Parts = clippedParts(c.Output.Parts, most)
		return &c
	case *openresponses.Message:
		c := *item
		c.Content = clippedParts(c.Content, most)
		return &c
	}
	return item
}

// clippedParts clips what is text, and leaves out the bytes of what is not.
func clippedParts(parts openresponses.Contents, most int) openresponses.Contents {
	if parts == nil {
		return nil
	}
	most /= max(len(parts), 1)
	out := make(openresponses.Contents, len(parts))
	for i, part := range parts {
		out[i] = part
		switch part := part.(type) {
		case *openresponses.InputText:
			c := *part
			c.Text = clip(c.Text, most)
			out[i] = &c
		case *openresponses.OutputText:
			c := *part
			c.Text = clip(c.Text, most)
			out[i] = &c
		case *openresponses.InputImage:
			if len(part.ImageURL) > most {
				out[i] = &openresponses.InputText{Text: fmt.Sprintf("[an image of %d bytes was left out here]", len(part.ImageURL))}
			}
		case *openresponses.InputFile:
			if len(part.FileData) > most {
				out[i] = &openresponses.InputText{Text: fmt.Sprintf("[the file %q of %d bytes was left out here]", part.Filename, len(part.FileData))}
			}
		}
	}
	return out
}

// clip is text with at most so many bytes, its middle left out and a note in its place.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	half := max(most/2, 0)
	head, tail := half, len(text)-half
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[%d bytes were left out here]\n%s", text[:head], tail-head, text[tail:])
}
