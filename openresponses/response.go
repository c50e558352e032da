package openresponses

import (
	"maps"
	"slices"
	"time"

	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// Values of the member "object".
const (
	ObjectResponse   = "response"
	ObjectCompaction = "response.compaction"
)

// A Response is a model's answer, in progress or final.
//
// One built in Go encodes every declared member, with defaults for those that are
// empty. One that was decoded leaves out again the members its source did not
// have, until they are set.
type Response struct {
	ID                 string             `json:"id"`
	Object             string             `json:"object"`       // always written as ObjectResponse
	CreatedAt          int64              `json:"created_at"`   // Unix seconds
	CompletedAt        *int64             `json:"completed_at"` // Unix seconds
	Status             ResponseStatus     `json:"status"`       // "" is written as in_progress
	IncompleteDetails  *IncompleteDetails `json:"incomplete_details"`
	Model              string             `json:"model"`
	PreviousResponseID *string            `json:"previous_response_id"`
	Instructions       *string            `json:"instructions"`
	Output             Items              `json:"output"`
	Error              *ErrorPayload      `json:"error"`
	Tools              Tools              `json:"tools"`
	ToolChoice         ToolChoice         `json:"tool_choice"` // zero is written as auto
	Truncation         Truncation         `json:"truncation"`  // "" is written as disabled
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
	ServiceTier        ServiceTier        `json:"service_tier"` // "" is written as default
	Metadata           map[string]string  `json:"metadata"`
	SafetyIdentifier   *string            `json:"safety_identifier"`
	PromptCacheKey     *string            `json:"prompt_cache_key"`

	// Extra holds members that this type does not declare; see [Request].
	Extra map[string]any `json:"-"`

	absent uint64 // the declared members the source did not have, a bit for each
}

// An IncompleteDetails says why a response is incomplete.
type IncompleteDetails struct {
	Reason IncompleteReason `json:"reason"`
}

var incompleteDetailsFields = jsonx.NewObject("", nil,
	jsonx.String("reason", func(d *IncompleteDetails) *IncompleteReason { return &d.Reason }),
)

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
	jsonx.Optional("error", errorPayloadFields.Codec(), func(r *Response) **ErrorPayload { return &r.Error }),
	toolsField("tools", func(r *Response) *Tools { return &r.Tools }),
	jsonx.ValueOr("tool_choice", toolChoiceCodec, ToolChoice{Mode: ToolChoiceAuto}, func(r *Response) *ToolChoice { return &r.ToolChoice }),
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

// responseCodec is the codec of a response inside another value.
var responseCodec = jsonx.Codec[Response]{
	Append: func(dst []byte, r *Response) ([]byte, error) { return r.appendJSON(dst) },
	Decode: decodeResponse,
	Copy:   func(r *Response) error { return copyByJSON(r, r.appendJSON, decodeResponse) },
}

// MarshalJSON encodes the response.
func (r Response) MarshalJSON() ([]byte, error) { return jsonx.Marshal(r.appendJSON) }

func (r *Response) appendJSON(dst []byte) ([]byte, error) {
	return responseFields.AppendWith(dst, r, r.absent, r.Extra)
}

// UnmarshalJSON replaces the whole response. Members of names that are not
// declared, letter for letter, go to Extra.
func (r *Response) UnmarshalJSON(data []byte) error {
	return unmarshalWhole(data, r, decodeResponse)
}

func decodeResponse(r *jsonx.Reader, v *Response) (err error) {
	var fresh Response
	fresh.absent, fresh.Extra, err = responseFields.DecodeNestedWith(r, &fresh)
	*v = fresh
	return err
}

// OutputText returns the output text of the assistant's messages, joined.
func (r *Response) OutputText() string {
	var text string
	for _, item := range r.Output {
		m, ok := item.(*Message)
		if !ok || m.Role != RoleAssistant {
			continue
		}
		for _, part := range m.Content {
			if p, ok := part.(*OutputText); ok {
				text += p.Text
			}
		}
	}
	return text
}

// FunctionCalls returns the response's own function calls in order, nil if there
// are none.
func (r *Response) FunctionCalls() []*FunctionCall {
	var calls []*FunctionCall
	for _, item := range r.Output {
		if call, ok := item.(*FunctionCall); ok {
			calls = append(calls, call)
		}
	}
	return calls
}

// Clone returns a copy with lists and maps of its own. The items, the tools and
// what else is behind a pointer are shared.
func (r *Response) Clone() *Response {
	c := *r
	c.Output = slices.Clone(r.Output)
	c.Tools = slices.Clone(r.Tools)
	c.Metadata = maps.Clone(r.Metadata)
	c.Extra = maps.Clone(r.Extra)
	return &c
}

// Complete ends the response as completed, now.
func (r *Response) Complete() {
	r.Status = ResponseStatusCompleted
	r.CompletedAt = now()
}

// Incomplete ends the response as incomplete, now.
func (r *Response) Incomplete(reason IncompleteReason) {
	r.Status = ResponseStatusIncomplete
	r.IncompleteDetails = &IncompleteDetails{Reason: reason}
	r.CompletedAt = now()
}

// Fail ends the response as failed. The error is what [AsError] makes of err.
func (r *Response) Fail(err error) {
	payload := AsError(err).Payload()
	r.Status = ResponseStatusFailed
	r.Error = &payload
}

func now() *int64 {
	t := time.Now().Unix()
	return &t
}

// NewResponse returns a response in progress that echoes the settings of a
// request, with the defaults for those it leaves open. It shares nothing with the
// request but tools of foreign types. The ID is left to the caller.
func NewResponse(req Request) *Response {
	return &Response{
		Object:             ObjectResponse,
		CreatedAt:          *now(),
		Status:             ResponseStatusInProgress,
		Model:              req.Model,
		PreviousResponseID: nonEmpty(req.PreviousResponseID),
		Instructions:       nonEmpty(req.Instructions),
		Output:             Items{},
		Tools:              echoTools(req.Tools),
		ToolChoice:         req.ToolChoice.clone(),
		Truncation:         req.Truncation,
		ParallelToolCalls:  valueOr(req.ParallelToolCalls, true),
		Text:               req.Text.clone(),
		TopP:               valueOr(req.TopP, 1),
		PresencePenalty:    valueOr(req.PresencePenalty, 0),
		FrequencyPenalty:   valueOr(req.FrequencyPenalty, 0),
		TopLogprobs:        valueOr(req.TopLogprobs, 0),
		Temperature:        valueOr(req.Temperature, 1),
		Reasoning:          req.Reasoning,
		MaxOutputTokens:    clonePointer(req.MaxOutputTokens),
		MaxToolCalls:       clonePointer(req.MaxToolCalls),
		Store:              req.Stored(),
		Background:         req.Background,
		ServiceTier:        req.ServiceTier,
		Metadata:           maps.Clone(req.Metadata),
		SafetyIdentifier:   nonEmpty(req.SafetyIdentifier),
		PromptCacheKey:     nonEmpty(req.PromptCacheKey),
	}
}

// echoTools copies the tools of a request as a response states them, where the
// strictness of a function is never left open.
func echoTools(tools Tools) Tools {
	echoed := make(Tools, len(tools))
	for i, tool := range tools {
		f, ok := tool.(*FunctionTool)
		if !ok || f == nil {
			echoed[i] = tool
			continue
		}
		c := *f
		c.Parameters = slices.Clone(f.Parameters)
		strict := valueOr(f.Strict, false)
		c.Strict = &strict
		echoed[i] = &c
	}
	return echoed
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func valueOr[V any](p *V, def V) V {
	if p == nil {
		return def
	}
	return *p
}

func clonePointer[V any](p *V) *V {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// A CompactResponse is the answer to a [CompactRequest].
type CompactResponse struct {
	ID        string `json:"id"`
	Object    string `json:"object"` // always written as ObjectCompaction
	Output    Items  `json:"output"`
	CreatedAt int64  `json:"created_at"` // Unix seconds
	Usage     *Usage `json:"usage"`      // nil is written as no tokens

	// Extra holds members that this type does not declare; see [Request].
	Extra map[string]any `json:"-"`

	absent uint64 // as in Response
}

var compactResponseFields = jsonx.NewObject("", nil,
	jsonx.String("id", func(r *CompactResponse) *string { return &r.ID }),
	jsonx.ConstString("object", ObjectCompaction, func(r *CompactResponse) *string { return &r.Object }),
	itemsField("output", func(r *CompactResponse) *Items { return &r.Output }),
	jsonx.Int("created_at", func(r *CompactResponse) *int64 { return &r.CreatedAt }),
	jsonx.OptionalOr("usage", usageFields.Codec(), Usage{}, func(r *CompactResponse) **Usage { return &r.Usage }),
)

// MarshalJSON encodes the response as that of [Response] does.
func (r CompactResponse) MarshalJSON() ([]byte, error) { return jsonx.Marshal(r.appendJSON) }

func (r *CompactResponse) appendJSON(dst []byte) ([]byte, error) {
	return compactResponseFields.AppendWith(dst, r, r.absent, r.Extra)
}

// UnmarshalJSON replaces the whole response, as that of [Response] does.
func (r *CompactResponse) UnmarshalJSON(data []byte) error {
	var fresh CompactResponse
	absent, extra, err := compactResponseFields.DecodeWith(data, &fresh)
	if err != nil {
		return err
	}
	fresh.absent, fresh.Extra = absent, extra
	*r = fresh
	return nil
}

// omits reports whether the response was decoded from JSON without the member.
func (r *Response) omits(member string) bool { return responseFields.Has(r.absent, member) }
