package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// Usage counts the tokens that a response cost.
type Usage struct {
	InputTokens         int                 `json:"input_tokens"`
	OutputTokens        int                 `json:"output_tokens"`
	TotalTokens         int                 `json:"total_tokens"`
	InputTokensDetails  InputTokensDetails  `json:"input_tokens_details"`
	OutputTokensDetails OutputTokensDetails `json:"output_tokens_details"`

	unknown *jsonx.Unknown
}

var usageFields = jsonx.NewObject("",
	func(u *Usage) **jsonx.Unknown { return &u.unknown },
	jsonx.Int("input_tokens", func(u *Usage) *int { return &u.InputTokens }),
	jsonx.Int("output_tokens", func(u *Usage) *int { return &u.OutputTokens }),
	jsonx.Int("total_tokens", func(u *Usage) *int { return &u.TotalTokens }),
	jsonx.Value("input_tokens_details", inputTokensDetailsFields.Codec(),
		func(u *Usage) *InputTokensDetails { return &u.InputTokensDetails }),
	jsonx.Value("output_tokens_details", outputTokensDetailsFields.Codec(),
		func(u *Usage) *OutputTokensDetails { return &u.OutputTokensDetails }),
)

// MarshalJSON encodes the counts.
func (u Usage) MarshalJSON() ([]byte, error) { return usageFields.Append(nil, &u) }

// UnmarshalJSON decodes the counts.
func (u *Usage) UnmarshalJSON(data []byte) error { return usageFields.Unmarshal(data, u) }

// InputTokensDetails breaks down the input tokens.
type InputTokensDetails struct {
	CachedTokens int `json:"cached_tokens"` // read from the prompt cache

	unknown *jsonx.Unknown
}

var inputTokensDetailsFields = jsonx.NewObject("",
	func(d *InputTokensDetails) **jsonx.Unknown { return &d.unknown },
	jsonx.Int("cached_tokens", func(d *InputTokensDetails) *int { return &d.CachedTokens }),
)

// MarshalJSON encodes the counts.
func (d InputTokensDetails) MarshalJSON() ([]byte, error) {
	return inputTokensDetailsFields.Append(nil, &d)
}

// UnmarshalJSON decodes the counts.
func (d *InputTokensDetails) UnmarshalJSON(data []byte) error {
	return inputTokensDetailsFields.Unmarshal(data, d)
}

// OutputTokensDetails breaks down the output tokens.
type OutputTokensDetails struct {
	ReasoningTokens int `json:"reasoning_tokens"` // spent before the visible output

	unknown *jsonx.Unknown
}

var outputTokensDetailsFields = jsonx.NewObject("",
	func(d *OutputTokensDetails) **jsonx.Unknown { return &d.unknown },
	jsonx.Int("reasoning_tokens", func(d *OutputTokensDetails) *int { return &d.ReasoningTokens }),
)

// MarshalJSON encodes the counts.
func (d OutputTokensDetails) MarshalJSON() ([]byte, error) {
	return outputTokensDetailsFields.Append(nil, &d)
}

// UnmarshalJSON decodes the counts.
func (d *OutputTokensDetails) UnmarshalJSON(data []byte) error {
	return outputTokensDetailsFields.Unmarshal(data, d)
}
