package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// A Compaction stands for a part of the conversation that a server has folded into
// an opaque text.
type Compaction struct {
	ID               string `json:"id,omitempty"`
	Status           Status `json:"status,omitempty"`
	EncryptedContent string `json:"encrypted_content"`
	CreatedBy        string `json:"created_by,omitempty"`

	unknown *jsonx.Unknown
}

var compactionFields = jsonx.NewObject(ItemTypeCompaction,
	func(c *Compaction) **jsonx.Unknown { return &c.unknown },
	jsonx.String("id", func(c *Compaction) *string { return &c.ID }).OmitEmpty(),
	jsonx.String("status", func(c *Compaction) *Status { return &c.Status }).OmitEmpty(),
	jsonx.String("encrypted_content", func(c *Compaction) *string { return &c.EncryptedContent }),
	jsonx.String("created_by", func(c *Compaction) *string { return &c.CreatedBy }).OmitEmpty(),
)

// ItemType returns ItemTypeCompaction.
func (*Compaction) ItemType() string { return ItemTypeCompaction }

// MarshalJSON encodes the item.
func (c *Compaction) MarshalJSON() ([]byte, error) { return c.appendJSON(nil) }

func (c *Compaction) appendJSON(dst []byte) ([]byte, error) { return compactionFields.Append(dst, c) }

// UnmarshalJSON decodes the item.
func (c *Compaction) UnmarshalJSON(data []byte) error { return compactionFields.Unmarshal(data, c) }

// An ItemReference stands for an item the server has stored.
type ItemReference struct {
	ID string `json:"id"`

	unknown *jsonx.Unknown
}

var itemReferenceFields = jsonx.NewObject(ItemTypeItemReference,
	func(r *ItemReference) **jsonx.Unknown { return &r.unknown },
	jsonx.String("id", func(r *ItemReference) *string { return &r.ID }),
)

// ItemType returns ItemTypeItemReference.
func (*ItemReference) ItemType() string { return ItemTypeItemReference }

// MarshalJSON encodes the reference.
func (r *ItemReference) MarshalJSON() ([]byte, error) { return r.appendJSON(nil) }

func (r *ItemReference) appendJSON(dst []byte) ([]byte, error) {
	return itemReferenceFields.Append(dst, r)
}

// UnmarshalJSON decodes the reference.
func (r *ItemReference) UnmarshalJSON(data []byte) error {
	return itemReferenceFields.Unmarshal(data, r)
}
