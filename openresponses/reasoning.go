package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// A ReasoningItem is what a model thought before it answered. Servers differ in
// how much of it they show; EncryptedContent is for giving back only.
type ReasoningItem struct {
	ID               string   `json:"id,omitempty"`
	Status           Status   `json:"status,omitempty"`
	Summary          Contents `json:"summary"`
	Content          Contents `json:"content,omitempty"`
	EncryptedContent string   `json:"encrypted_content,omitempty"`

	unknown *jsonx.Unknown
}

var reasoningItemFields = jsonx.NewObject(ItemTypeReasoning,
	func(r *ReasoningItem) **jsonx.Unknown { return &r.unknown },
	jsonx.String("id", func(r *ReasoningItem) *string { return &r.ID }).OmitEmpty(),
	jsonx.String("status", func(r *ReasoningItem) *Status { return &r.Status }).OmitEmpty(),
	contentsField("summary", func(r *ReasoningItem) *Contents { return &r.Summary }),
	contentsField("content", func(r *ReasoningItem) *Contents { return &r.Content }).OmitEmpty(),
	jsonx.String("encrypted_content", func(r *ReasoningItem) *string { return &r.EncryptedContent }).OmitEmpty(),
)

// ItemType returns ItemTypeReasoning.
func (*ReasoningItem) ItemType() string { return ItemTypeReasoning }

// MarshalJSON encodes the item; a nil summary is an empty array.
func (r *ReasoningItem) MarshalJSON() ([]byte, error) { return r.appendJSON(nil) }

func (r *ReasoningItem) appendJSON(dst []byte) ([]byte, error) {
	return reasoningItemFields.Append(dst, r)
}

// UnmarshalJSON decodes the item.
func (r *ReasoningItem) UnmarshalJSON(data []byte) error {
	return reasoningItemFields.Unmarshal(data, r)
}
