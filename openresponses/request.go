package openresponses

import (
	"slices"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// A Request asks for a response. Only Model is needed; what is nil or empty is
// left out and so left to the server.
type Request struct {
	Model              string            `json:"model,omitempty"`
	Input              Items             `json:"input,omitempty"`
	PreviousResponseID string            `json:"previous_response_id,omitempty"`
	Include            []Include         `json:"include,omitempty"`
	Tools              Tools             `json:"tools,omitempty"`
	ToolChoice         ToolChoice        `json:"tool_choice,omitzero"`
	Metadata           map[string]string `json:"metadata,omitempty"`
	Text               TextConfig        `json:"text,omitzero"`
	Temperature        *float64          `json:"temperature,omitempty"`
	TopP               *float64          `json:"top_p,omitempty"`
	PresencePenalty    *float64          `json:"presence_penalty,omitempty"`
	FrequencyPenalty   *float64          `json:"frequency_penalty,omitempty"`
	ParallelToolCalls  *bool             `json:"parallel_tool_calls,omitempty"`
	Stream             bool              `json:"stream,omitempty"`
	StreamOptions      *StreamOptions    `json:"stream_options,omitempty"`
	Background         bool              `json:"background,omitempty"`
	MaxOutputTokens    *int              `json:"max_output_tokens,omitempty"`
	MaxToolCalls       *int              `json:"max_tool_calls,omitempty"`
	Reasoning          ReasoningConfig   `json:"reasoning,omitzero"`
	SafetyIdentifier   string            `json:"safety_identifier,omitempty"`
	PromptCacheKey     string            `json:"prompt_cache_key,omitempty"`
	Truncation         Truncation        `json:"truncation,omitempty"`
	Instructions       string            `json:"instructions,omitempty"`
	Store              *bool             `json:"store,omitempty"`
	ServiceTier        ServiceTier       `json:"service_tier,omitempty"`
	TopLogprobs        *int              `json:"top_logprobs,omitempty"`

	// Extra holds members that this type does not declare, in generic form. On
	// encode a declared member that is written wins; with any Extra the members
	// are in alphabetical order.
	Extra map[string]any `json:"-"`
}

var requestFields = jsonx.NewObject("", nil,
	jsonx.String("model", func(r *Request) *string { return &r.Model }).OmitEmpty(),
	itemsField("input", func(r *Request) *Items { return &r.Input }).OmitEmpty(),
	jsonx.String("previous_response_id", func(r *Request) *string { return &r.PreviousResponseID }).OmitEmpty(),
	jsonx.List("include", jsonx.StringCodec[Include](), func(r *Request) *[]Include { return &r.Include }).OmitEmpty(),
	toolsField("tools", func(r *Request) *Tools { return &r.Tools }).OmitEmpty(),
	jsonx.Value("tool_choice", toolChoiceCodec, func(r *Request) *ToolChoice { return &r.ToolChoice }).OmitEmpty(),
	jsonx.StringMap("metadata", func(r *Request) *map[string]string { return &r.Metadata }).OmitEmpty(),
	jsonx.Value("text", textConfigFields.Codec(), func(r *Request) *TextConfig { return &r.Text }).OmitEmpty(),
	jsonx.Optional("temperature", jsonx.FloatCodec, func(r *Request) **float64 { return &r.Temperature }).OmitEmpty(),
	jsonx.Optional("top_p", jsonx.FloatCodec, func(r *Request) **float64 { return &r.TopP }).OmitEmpty(),
	jsonx.Optional("presence_penalty", jsonx.FloatCodec, func(r *Request) **float64 { return &r.PresencePenalty }).OmitEmpty(),
	jsonx.Optional("frequency_penalty", jsonx.FloatCodec, func(r *Request) **float64 { return &r.FrequencyPenalty }).OmitEmpty(),
	jsonx.Optional("parallel_tool_calls", jsonx.BoolCodec, func(r *Request) **bool { return &r.ParallelToolCalls }).OmitEmpty(),
	jsonx.Bool("stream", func(r *Request) *bool { return &r.Stream }).OmitEmpty(),
	jsonx.Optional("stream_options", streamOptionsFields.Codec(), func(r *Request) **StreamOptions { return &r.StreamOptions }).OmitEmpty(),
	jsonx.Bool("background", func(r *Request) *bool { return &r.Background }).OmitEmpty(),
	jsonx.Optional("max_output_tokens", jsonx.IntCodec[int](), func(r *Request) **int { return &r.MaxOutputTokens }).OmitEmpty(),
	jsonx.Optional("max_tool_calls", jsonx.IntCodec[int](), func(r *Request) **int { return &r.MaxToolCalls }).OmitEmpty(),
	jsonx.Value("reasoning", reasoningConfigFields.Codec(), func(r *Request) *ReasoningConfig { return &r.Reasoning }).OmitEmpty(),
	jsonx.String("safety_identifier", func(r *Request) *string { return &r.SafetyIdentifier }).OmitEmpty(),
	jsonx.String("prompt_cache_key", func(r *Request) *string { return &r.PromptCacheKey }).OmitEmpty(),
	jsonx.String("truncation", func(r *Request) *Truncation { return &r.Truncation }).OmitEmpty(),
	jsonx.String("instructions", func(r *Request) *string { return &r.Instructions }).OmitEmpty(),
	jsonx.Optional("store", jsonx.BoolCodec, func(r *Request) **bool { return &r.Store }).OmitEmpty(),
	jsonx.String("service_tier", func(r *Request) *ServiceTier { return &r.ServiceTier }).OmitEmpty(),
	jsonx.Optional("top_logprobs", jsonx.IntCodec[int](), func(r *Request) **int { return &r.TopLogprobs }).OmitEmpty(),
)

// MarshalJSON encodes what is set, and Extra.
func (r Request) MarshalJSON() ([]byte, error) { return jsonx.Marshal(r.appendJSON) }

func (r *Request) appendJSON(dst []byte) ([]byte, error) {
	return requestFields.AppendWith(dst, r, 0, r.Extra)
}

// UnmarshalJSON replaces the whole request; the input may be a string. Members of
// names that are not declared, letter for letter, go to Extra.
func (r *Request) UnmarshalJSON(data []byte) error {
	var fresh Request
	_, extra, err := requestFields.DecodeWith(data, &fresh)
	if err != nil {
		return err
	}
	fresh.Extra = extra
	*r = fresh
	return nil
}

// Includes reports whether the request asks for inc.
func (r Request) Includes(inc Include) bool { return slices.Contains(r.Include, inc) }

// Stored reports whether the server should keep the response, which it does
// unless told otherwise.
func (r Request) Stored() bool { return r.Store == nil || *r.Store }

// A CompactRequest asks to fold a conversation into a [Compaction].
type CompactRequest struct {
	Model              string `json:"model,omitempty"`
	Input              Items  `json:"input,omitempty"`
	PreviousResponseID string `json:"previous_response_id,omitempty"`
	Instructions       string `json:"instructions,omitempty"`
	PromptCacheKey     string `json:"prompt_cache_key,omitempty"`

	// Extra holds members that this type does not declare; see [Request].
	Extra map[string]any `json:"-"`
}

var compactRequestFields = jsonx.NewObject("", nil,
	jsonx.String("model", func(r *CompactRequest) *string { return &r.Model }).OmitEmpty(),
	itemsField("input", func(r *CompactRequest) *Items { return &r.Input }).OmitEmpty(),
	jsonx.String("previous_response_id", func(r *CompactRequest) *string { return &r.PreviousResponseID }).OmitEmpty(),
	jsonx.String("instructions", func(r *CompactRequest) *string { return &r.Instructions }).OmitEmpty(),
	jsonx.String("prompt_cache_key", func(r *CompactRequest) *string { return &r.PromptCacheKey }).OmitEmpty(),
)

// MarshalJSON encodes what is set, and Extra.
func (r CompactRequest) MarshalJSON() ([]byte, error) { return jsonx.Marshal(r.appendJSON) }

func (r *CompactRequest) appendJSON(dst []byte) ([]byte, error) {
	return compactRequestFields.AppendWith(dst, r, 0, r.Extra)
}

// UnmarshalJSON replaces the whole request, as that of [Request] does.
func (r *CompactRequest) UnmarshalJSON(data []byte) error {
	var fresh CompactRequest
	_, extra, err := compactRequestFields.DecodeWith(data, &fresh)
	if err != nil {
		return err
	}
	fresh.Extra = extra
	*r = fresh
	return nil
}
