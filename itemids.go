package agentturn

import (
	"context"

	"github.com/ChristopherDavenport/openresponses"
)

// OmitItemIDs is a BeforeModelCall for [Config] that sends the input without item IDs, for
// servers that refuse the ID of an item they have not stored: the loop has nothing stored.
// The transcript keeps the IDs. Item references, which are nothing but an ID, stay, and so
// do call IDs.
func OmitItemIDs(_ context.Context, req *openresponses.Request) error {
	for i, item := range req.Input {
		req.Input[i] = withoutID(item)
	}
	return nil
}

// withoutID is item, or a copy of it when it has an ID to leave out.
func withoutID(item openresponses.Item) openresponses.Item {
	if isNil(item) {
		return item
	}
	switch item := item.(type) {
	case *openresponses.Message:
		c := *item
		c.ID = ""
		return &c
	case *openresponses.FunctionCall:
		c := *item
		c.ID = ""
		return &c
	case *openresponses.FunctionCallOutput:
		c := *item
		c.ID = ""
		return &c
	case *openresponses.ReasoningItem:
		c := *item
		c.ID = ""
		return &c
	case *openresponses.Compaction:
		c := *item
		c.ID = ""
		return &c
	}
	return item
}
