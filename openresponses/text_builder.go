package openresponses

import "strings"

// textBuilder appends to a string field in place, at a cost that follows what is appended and not what is there:
// the field always holds the builder's own string, which is no copy.
type textBuilder struct {
	b strings.Builder
}

// append lengthens *text. A text that somebody else has set in between is taken as it is.
func (t *textBuilder) append(text *string, delta string) {
	// Strings that are the same memory compare at once.
	if t.b.String() != *text {
		t.b = strings.Builder{}
		t.b.WriteString(*text)
	}
	t.b.Grow(len(delta)) // doubles, where writing alone would grow long texts by a quarter at a time
	t.b.WriteString(delta)
	*text = t.b.String()
}
