package openresponses

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// Values of the member "object".
const (
	ObjectResponse   = "response"
	ObjectCompaction = "response.compaction"
)

// A Response is what a server answers a [Request] with.
//
// One made in Go encodes with every member it declares. One that was decoded leaves out
// what its source left out, until the field is set.
type Response struct {
	ID                 string             `json:"id"`
	Object             string             `json:"object"`
	CreatedAt          int64              `json:"created_at"`   // in seconds since 1970
	CompletedAt        *int64             `json:"completed_at"` // likewise
	Status             ResponseStatus     `json:"status"`
	IncompleteDetails  *IncompleteDetails `json:"incomplete_details"`
	Model              string             `json:"model"`
	PreviousResponseID *string            `json:"previous_response_id"`
	Instructions       *string            `json:"instructions"`
	Output             Items              `json:"output"`
	Error              *ErrorPayload      `json:"error"`
	Tools              Tools              `json:"tools"`
	ToolChoice         ToolChoice         `json:"tool_choice"`
	Truncation         Truncation         `json:"truncation"`
	ParallelToolCalls  bool               `json:"parallel_tool_calls"`
	Text               TextConfig         `json:"text"`
	TopP               float64            `json:"top_p"`
	PresencePenalty    float64            `json:"presence_penalty"`
	FrequencyPenalty   float64            `json:"frequency_penalty"`
	TopLogprobs        int                `json:"top_logprobs"`
	Temperature        float64            `json:"temperature"`
	Reasoning          ReasoningConfig    `json:"reasoning"`
	Usage              *Usage             `json:"usage"`
	MaxOutputTokens    *int               `json:"max_output_tokens"`
	MaxToolCalls       *int               `json:"max_tool_calls"`
	Store              bool               `json:"store"`
	Background         bool               `json:"background"`
	ServiceTier        ServiceTier        `json:"service_tier"`
	Metadata           map[string]string  `json:"metadata"`
	SafetyIdentifier   *string            `json:"safety_identifier"`
	PromptCacheKey     *string            `json:"prompt_cache_key"`

	// Extra holds members that this type does not declare; see [Request].
	Extra map[string]any `json:"-"`

	absent uint64 // the members its source did not have
}

var responseFields = jsonx.NewObject("", nil,
	jsonx.String("id", func(r *Response) *string { return &r.ID }),
	jsonx.ConstString("object", ObjectResponse, func(r *Response) *string { return &r.Object }),
	jsonx.Int("created_at", func(r *Response) *int64 { return &r.CreatedAt }),
	jsonx.Optional("completed_at", jsonx.IntCodec[int64](), func(r *Response) **int64 { return &r.CompletedAt }),
	jsonx.StringOr("status", ResponseStatusInProgress, func(r *Response) *ResponseStatus { return &r.Status }),
	jsonx.Optional("incomplete_details", incompleteDetailsFields.Codec(), func(r *Response) **IncompleteDetails { return &r.IncompleteDetails }),
	jsonx.String("model", func(r *Response) *string { return &r.Model }),
	jsonx.Optional("previous_response_id", jsonx.StringCodec[string](), func(r *Response) **string { return &r.PreviousResponseID }),
	jsonx.Optional("instructions", jsonx.StringCodec[string](), func(r *Response) **string { return &r.Instructions }),
	itemsField("output", func(r *Response) *Items { return &r.Output }),
	jsonx.Optional("error", errorPayloadCodec, func(r *Response) **ErrorPayload { return &r.Error }),
	toolsField("tools", func(r *Response) *Tools { return &r.Tools }),
	toolChoiceOrAuto(),
	jsonx.StringOr("truncation", TruncationDisabled, func(r *Response) *Truncation { return &r.Truncation }),
	jsonx.Bool("parallel_tool_calls", func(r *Response) *bool { return &r.ParallelToolCalls }),
	jsonx.Value("text", textConfigFields.Codec(), func(r *Response) *TextConfig { return &r.Text }),
	jsonx.Float("top_p", func(r *Response) *float64 { return &r.TopP }),
	jsonx.Float("presence_penalty", func(r *Response) *float64 { return &r.PresencePenalty }),
	jsonx.Float("frequency_penalty", func(r *Response) *float64 { return &r.FrequencyPenalty }),
	jsonx.Int("top_logprobs", func(r *Response) *int { return &r.TopLogprobs }),
	jsonx.Float("temperature", func(r *Response) *float64 { return &r.Temperature }),
	jsonx.Value("reasoning", reasoningConfigFields.Codec(), func(r *Response) *ReasoningConfig { return &r.Reasoning }),
	jsonx.Optional("usage", usageFields.Codec(), func(r *Response) **Usage { return &r.Usage }),
	jsonx.Optional("max_output_tokens", jsonx.IntCodec[int](), func(r *Response) **int { return &r.MaxOutputTokens }),
	jsonx.Optional("max_tool_calls", jsonx.IntCodec[int](), func(r *Response) **int { return &r.MaxToolCalls }),
	jsonx.Bool("store", func(r *Response) *bool { return &r.Store }),
	jsonx.Bool("background", func(r *Response) *bool { return &r.Background }),
	jsonx.StringOr("service_tier", ServiceTierDefault, func(r *Response) *ServiceTier { return &r.ServiceTier }),
	jsonx.StringMap("metadata", func(r *Response) *map[string]string { return &r.Metadata }),
	jsonx.Optional("safety_identifier", jsonx.StringCodec[string](), func(r *Response) **string { return &r.SafetyIdentifier }),
	jsonx.Optional("prompt_cache_key", jsonx.StringCodec[string](), func(r *Response) **string { return &r.PromptCacheKey }),
)

// errorPayloadCodec is the codec of an error, of which null is an empty one.
var errorPayloadCodec = jsonx.Codec[ErrorPayload]{
	Append: errorPayloadFields.Append,
	Decode: func(r *jsonx.Reader, p *ErrorPayload) error {
		*p = ErrorPayload{}
		return errorPayloadFields.Decode(r, p)
	},
	Copy: errorPayloadFields.Codec().Copy,
}

// errorField returns the row of an error that is always there.
func errorField[T any](name string, at func(*T) *ErrorPayload) jsonx.Field[T] {
	return jsonx.Custom(name,
		func(dst []byte, v *T) ([]byte, error) { return errorPayloadCodec.Append(dst, at(v)) },
		func(r *jsonx.Reader, v *T) error { return errorPayloadCodec.Decode(r, at(v)) },
		func(v *T) error { return errorPayloadCodec.Copy(at(v)) },
		func(*T) bool { return false },
	)
}

func toolChoiceOrAuto() jsonx.Field[Response] {
	codec := toolChoiceCodec
	codec.Append = func(dst []byte, c *ToolChoice) ([]byte, error) {
		if c.IsZero() {
			return jsonx.AppendString(dst, ToolChoiceAuto), nil
		}
		return toolChoiceCodec.Append(dst, c)
	}
	return jsonx.Value("tool_choice", codec, func(r *Response) *ToolChoice { return &r.ToolChoice })
}

// responseCodec is the codec of a response inside an event.
var responseCodec = jsonx.Codec[Response]{
	Append: func(dst []byte, r *Response) ([]byte, error) { return r.appendJSON(dst) },
	Decode: func(r *jsonx.Reader, v *Response) (err error) {
		var fresh Response
		fresh.absent, fresh.Extra, err = responseFields.DecodeNestedWith(r, &fresh)
		*v = fresh
		return err
	},
	Copy: responseFields.Codec().Copy,
}

// MarshalJSON encodes the response. What is nil or empty gets the value the protocol gives
// it: an empty list, null, or a default.
func (r Response) MarshalJSON() ([]byte, error) { return r.appendJSON(nil) }

func (r *Response) appendJSON(dst []byte) ([]byte, error) {
	return responseFields.AppendWith(dst, r, r.absent, r.Extra)
}

// UnmarshalJSON replaces the response.
func (r *Response) UnmarshalJSON(data []byte) error {
	return unmarshalWhole(data, r, responseCodec.Decode)
}

// OutputText returns the text of the assistant's messages, without refusals.
func (r *Response) OutputText() string {
	var b strings.Builder
	for _, item := range r.Output {
		m, ok := item.(*Message)
		if !ok || m == nil || m.Role != RoleAssistant {
			continue
		}
		for _, part := range m.Content {
			if t, ok := part.(*OutputText); ok && t != nil {
				b.WriteString(t.Text)
			}
		}
	}
	return b.String()
}

// FunctionCalls returns the function calls of the output, in order, nil if there are none.
func (r *Response) FunctionCalls() []*FunctionCall {
	var calls []*FunctionCall
	for _, item := range r.Output {
		if call, ok := item.(*FunctionCall); ok && call != nil {
			calls = append(calls, call)
		}
	}
	return calls
}

// Clone returns a copy with lists and maps of its own; items, tools and what pointers name
// are shared.
func (r *Response) Clone() *Response {
	if r == nil {
		return nil
	}
	c := *r
	c.Output = slices.Clone(r.Output)
	c.Tools = slices.Clone(r.Tools)
	c.Metadata = maps.Clone(r.Metadata)
	c.Extra = maps.Clone(r.Extra)
	return &c
}

// Complete makes the response a completed one, as of now.
func (r *Response) Complete() {
	r.Status = ResponseStatusCompleted
	r.CompletedAt = now()
}

// Incomplete makes the response one that was cut short, as of now.
func (r *Response) Incomplete(reason IncompleteReason) {
	r.Status = ResponseStatusIncomplete
	r.IncompleteDetails = &IncompleteDetails{Reason: reason}
	r.CompletedAt = now()
}

// Fail makes the response one that failed with err.
func (r *Response) Fail(err error) {
	r.Status = ResponseStatusFailed
	p := AsError(err).Payload()
	r.Error = &p
}

func now() *int64 {
	t := time.Now().Unix()
	return &t
}

// NewResponse returns a response in progress, with the settings of req and without an ID.
// It shares nothing with req but tools that are not function tools.
func NewResponse(req Request) *Response {
	r := &Response{
		Object: ObjectResponse, CreatedAt: *now(), Status: ResponseStatusInProgress,
		Model: req.Model, Output: Items{}, Tools: make(Tools, 0, len(req.Tools)),
		ToolChoice: req.ToolChoice.clone(), Truncation: req.Truncation,
		ParallelToolCalls: or(req.ParallelToolCalls, true),
		TopP:              or(req.TopP, 1), Temperature: or(req.Temperature, 1),
		PresencePenalty: or(req.PresencePenalty, 0), FrequencyPenalty: or(req.FrequencyPenalty, 0),
		TopLogprobs: or(req.TopLogprobs, 0), Store: or(req.Store, true),
		Reasoning: req.Reasoning, MaxOutputTokens: clonePointer(req.MaxOutputTokens),
		MaxToolCalls: clonePointer(req.MaxToolCalls), Background: req.Background,
		ServiceTier: req.ServiceTier, Metadata: maps.Clone(req.Metadata),
		PreviousResponseID: pointerTo(req.PreviousResponseID), Instructions: pointerTo(req.Instructions),
		SafetyIdentifier: pointerTo(req.SafetyIdentifier), PromptCacheKey: pointerTo(req.PromptCacheKey),
	}
	r.Text = req.Text
	if f := req.Text.Format; f != nil {
		format := *f
		format.Schema, format.Strict = slices.Clone(f.Schema), clonePointer(f.Strict)
		r.Text.Format = &format
	}
	for _, tool := range req.Tools {
		if f, ok := tool.(*FunctionTool); ok && f != nil {
			c := *f
			c.Parameters = slices.Clone(f.Parameters)
			c.Strict = new(bool)
			*c.Strict = or(f.Strict, false)
			tool = &c
		}
		r.Tools = append(r.Tools, tool)
	}
	return r
}

func (c ToolChoice) clone() ToolChoice {
	c.Function = clonePointer(c.Function)
	if c.Allowed != nil {
		c.Allowed = clonePointer(c.Allowed)
		c.Allowed.Tools = slices.Clone(c.Allowed.Tools)
	}
	return c
}

func or[T any](p *T, def T) T {
	if p == nil {
		return def
	}
	return *p
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

func pointerTo(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// IncompleteDetails says why a response was cut short.
type IncompleteDetails struct {
	Reason IncompleteReason `json:"reason"`
}

var incompleteDetailsFields = jsonx.NewObject("", nil,
	jsonx.String("reason", func(d *IncompleteDetails) *IncompleteReason { return &d.Reason }),
)

// Usage counts the tokens of a response.
type Usage struct {
	InputTokens         int                 `json:"input_tokens"`
	OutputTokens        int                 `json:"output_tokens"`
	TotalTokens         int                 `json:"total_tokens"`
	InputTokensDetails  InputTokensDetails  `json:"input_tokens_details"`
	OutputTokensDetails OutputTokensDetails `json:"output_tokens_details"`
}

// InputTokensDetails counts the input tokens that came from a cache.
type InputTokensDetails struct {
	CachedTokens int `json:"cached_tokens"`
}

// OutputTokensDetails counts the output tokens spent on reasoning.
type OutputTokensDetails struct {
	ReasoningTokens int `json:"reasoning_tokens"`
}

var usageFields = jsonx.NewObject("", nil,
	jsonx.Int("input_tokens", func(u *Usage) *int { return &u.InputTokens }),
	jsonx.Int("output_tokens", func(u *Usage) *int { return &u.OutputTokens }),
	jsonx.Int("total_tokens", func(u *Usage) *int { return &u.TotalTokens }),
	jsonx.Value("input_tokens_details", jsonx.NewObject("", nil,
		jsonx.Int("cached_tokens", func(d *InputTokensDetails) *int { return &d.CachedTokens }),
	).Codec(), func(u *Usage) *InputTokensDetails { return &u.InputTokensDetails }),
	jsonx.Value("output_tokens_details", jsonx.NewObject("", nil,
		jsonx.Int("reasoning_tokens", func(d *OutputTokensDetails) *int { return &d.ReasoningTokens }),
	).Codec(), func(u *Usage) *OutputTokensDetails { return &u.OutputTokensDetails }),
)

// A CompactResponse is what a server answers a [CompactRequest] with. Absent members are
// treated as in [Response].
type CompactResponse struct {
	ID        string `json:"id"`
	Object    string `json:"object"`
	Output    Items  `json:"output"`
	CreatedAt int64  `json:"created_at"` // in seconds since 1970
	Usage     *Usage `json:"usage"`

	// Extra holds members that this type does not declare; see [Request].
	Extra map[string]any `json:"-"`

	absent uint64
}

var compactResponseFields = jsonx.NewObject("", nil,
	jsonx.String("id", func(r *CompactResponse) *string { return &r.ID }),
	jsonx.ConstString("object", ObjectCompaction, func(r *CompactResponse) *string { return &r.Object }),
	itemsField("output", func(r *CompactResponse) *Items { return &r.Output }),
	jsonx.Int("created_at", func(r *CompactResponse) *int64 { return &r.CreatedAt }),
	jsonx.OptionalOr("usage", usageFields.Codec(), Usage{}, func(r *CompactResponse) **Usage { return &r.Usage }),
)

// MarshalJSON encodes the response; no usage is one of zeros.
func (r CompactResponse) MarshalJSON() ([]byte, error) {
	return compactResponseFields.AppendWith(nil, &r, r.absent, r.Extra)
}

// UnmarshalJSON replaces the response.
func (r *CompactResponse) UnmarshalJSON(data []byte) (err error) {
	var fresh CompactResponse
	if fresh.absent, fresh.Extra, err = compactResponseFields.DecodeWith(data, &fresh); err == nil {
		*r = fresh
	}
	return err
}

// omits reports whether the response was decoded from JSON without the member.
func (r *Response) omits(member string) bool { return responseFields.Has(r.absent, member) }
