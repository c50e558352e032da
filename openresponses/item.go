package openresponses

import (
	"encoding/json"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// Types of the items this package knows.
const (
	ItemTypeMessage            = "message"
	ItemTypeFunctionCall       = "function_call"
	ItemTypeFunctionCallOutput = "function_call_output"
	ItemTypeReasoning          = "reasoning"
	ItemTypeCompaction         = "compaction"
	ItemTypeItemReference      = "item_reference"
)

// An Item is one entry of a model's input or output. The items of this package
// are pointers: [*Message], [*FunctionCall], [*FunctionCallOutput],
// [*ReasoningItem], [*Compaction], [*ItemReference] and [*UnknownItem]. Others can
// be added with [RegisterItem].
//
// Members that a known item does not declare are kept when it is decoded and
// written again, after the declared ones.
type Item interface {
	// ItemType is the item's member "type".
	ItemType() string
}

var itemTypes = newRegistry(
	family[Item]{
		kind:    "item",
		typeOf:  Item.ItemType,
		builtin: isBuiltinItem,
		unknown: func(h head, raw json.RawMessage) Item {
			return &UnknownItem{Type: h.typ, ID: h.id, Status: h.status, Raw: raw}
		},
	},
	builtinType[Item](ItemTypeMessage, messageFields),
	builtinType[Item](ItemTypeFunctionCall, functionCallFields),
	builtinType[Item](ItemTypeFunctionCallOutput, functionCallOutputFields),
	builtinType[Item](ItemTypeReasoning, reasoningItemFields),
	builtinType[Item](ItemTypeCompaction, compactionFields),
	builtinType[Item](ItemTypeItemReference, itemReferenceFields),
)

func isBuiltinItem(item Item) bool {
	switch item.(type) {
	case *Message, *FunctionCall, *FunctionCallOutput, *ReasoningItem, *Compaction, *ItemReference, *UnknownItem:
		return true
	}
	return false
}

// Items is a list of items, such as the input of a request. It encodes as an
// array; a nil list on its own is null.
type Items []Item

var itemCodec = itemTypes.codec("items")

// UnmarshalJSON decodes an array of items, a string, which stands for one user
// message, or null or nothing, which is a nil list. The error for an element
// begins with its position, items[0]. On error the list is as it was.
func (it *Items) UnmarshalJSON(data []byte) error {
	if len(data) == 0 {
		*it = nil
		return nil
	}
	return unmarshalWhole(data, it, decodeItems)
}

func decodeItems(r *jsonx.Reader, it *Items) error {
	switch r.Peek() {
	case 'n':
		*it = nil
		_, err := r.Null()
		return err
	case '"':
		text, err := r.String()
		*it = Items{UserText(text)}
		return err
	}
	list, err := jsonx.DecodeList[Items](r, itemCodec)
	*it = list
	return err
}

// Clone returns a deep copy: the items that encoding and decoding again would
// give, with defaults written out and text that is not UTF-8 replaced. A nil list
// and nil items stay nil. An item that cannot be encoded is shared.
func (it Items) Clone() Items {
	if it == nil {
		return nil
	}
	c := make(Items, len(it))
	for i, item := range it {
		c[i] = cloneItem(item)
	}
	return c
}

// cloneItem returns a deep copy of one item; see [Items.Clone].
func cloneItem(item Item) Item {
	if item == nil {
		return nil
	}
	c, err := itemTypes.clone(item)
	if err != nil {
		return item
	}
	return c
}

// itemsField returns the row of a list of items.
func itemsField[T any](name string, at func(*T) *Items) jsonx.Field[T] {
	return jsonx.DecodeAs(jsonx.List(name, itemCodec, at), decodeItems, at)
}

// An UnknownItem is an item of a type that nobody registered, kept as it came.
type UnknownItem struct {
	Type   string // "" if the item had none
	ID     string
	Status Status
	// Raw is the item's JSON. While it is not empty it alone is encoded, whatever
	// the other fields say.
	Raw json.RawMessage
}

// ItemType returns Type.
func (u *UnknownItem) ItemType() string { return u.Type }

// MarshalJSON returns Raw, with its text repaired where a receiver would refuse
// it. Without Raw it encodes the type, and the ID and status that are set.
func (u *UnknownItem) MarshalJSON() ([]byte, error) {
	if u != nil && len(u.Raw) > 0 {
		return jsonx.Repair(u.Raw), nil
	}
	return u.appendJSON(nil)
}

func (u *UnknownItem) appendJSON(dst []byte) ([]byte, error) {
	if u != nil && len(u.Raw) > 0 {
		return jsonx.AppendRaw(dst, u.Raw)
	}
	return unknownItemFields.Append(dst, u)
}

var unknownItemFields = jsonx.NewObject("", nil,
	jsonx.String("type", func(u *UnknownItem) *string { return &u.Type }),
	jsonx.String("id", func(u *UnknownItem) *string { return &u.ID }).OmitEmpty(),
	jsonx.String("status", func(u *UnknownItem) *Status { return &u.Status }).OmitEmpty(),
)

// UnmarshalJSON keeps a copy of data, an object or null, and takes its type, ID and
// status from it. An ID or a status that is not a string counts as none.
func (u *UnknownItem) UnmarshalJSON(data []byte) error {
	h, raw, err := unmarshalHead(data)
	if err != nil {
		return err
	}
	*u = UnknownItem{Type: h.typ, ID: h.id, Status: h.status, Raw: raw}
	return nil
}
