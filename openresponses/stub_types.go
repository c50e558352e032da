package openresponses

import (
	"encoding/json"
	"net/http"
)

const SpecVersion = "2026-04-24"

type Status string

const (
	StatusInProgress Status = "in_progress"
	StatusCompleted  Status = "completed"
	StatusIncomplete Status = "incomplete"
)

type ResponseStatus string

const (
	ResponseStatusQueued     ResponseStatus = "queued"
	ResponseStatusInProgress ResponseStatus = "in_progress"
	ResponseStatusCompleted  ResponseStatus = "completed"
	ResponseStatusIncomplete ResponseStatus = "incomplete"
	ResponseStatusFailed     ResponseStatus = "failed"
)

func (s ResponseStatus) Terminal() bool { panic("not implemented") }

type Role string

const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleSystem    Role = "system"
	RoleDeveloper Role = "developer"
)

type Phase string

const (
	PhaseCommentary  Phase = "commentary"
	PhaseFinalAnswer Phase = "final_answer"
)

type ReasoningEffort string

const (
	ReasoningEffortNone    ReasoningEffort = "none"
	ReasoningEffortMinimal ReasoningEffort = "minimal"
	ReasoningEffortLow     ReasoningEffort = "low"
	ReasoningEffortMedium  ReasoningEffort = "medium"
	ReasoningEffortHigh    ReasoningEffort = "high"
	ReasoningEffortXHigh   ReasoningEffort = "xhigh"
)

type ReasoningSummary string

const (
	ReasoningSummaryConcise  ReasoningSummary = "concise"
	ReasoningSummaryDetailed ReasoningSummary = "detailed"
	ReasoningSummaryAuto     ReasoningSummary = "auto"
)

type Truncation string

const (
	TruncationAuto     Truncation = "auto"
	TruncationDisabled Truncation = "disabled"
)

type ServiceTier string

const (
	ServiceTierAuto     ServiceTier = "auto"
	ServiceTierDefault  ServiceTier = "default"
	ServiceTierFlex     ServiceTier = "flex"
	ServiceTierPriority ServiceTier = "priority"
)

type Verbosity string

const (
	VerbosityLow    Verbosity = "low"
	VerbosityMedium Verbosity = "medium"
	VerbosityHigh   Verbosity = "high"
)

type ImageDetail string

const (
	ImageDetailLow  ImageDetail = "low"
	ImageDetailHigh ImageDetail = "high"
	ImageDetailAuto ImageDetail = "auto"
)

type Include string

const (
	IncludeReasoningEncryptedContent Include = "reasoning.encrypted_content"
	IncludeOutputTextLogprobs        Include = "message.output_text.logprobs"
)

type IncompleteReason string

const (
	IncompleteReasonMaxOutputTokens IncompleteReason = "max_output_tokens"
	IncompleteReasonContentFilter   IncompleteReason = "content_filter"
)

type ToolChoiceMode string

const (
	ToolChoiceNone     ToolChoiceMode = "none"
	ToolChoiceAuto     ToolChoiceMode = "auto"
	ToolChoiceRequired ToolChoiceMode = "required"
)

const (
	ItemTypeMessage            = "message"
	ItemTypeFunctionCall       = "function_call"
	ItemTypeFunctionCallOutput = "function_call_output"
	ItemTypeReasoning          = "reasoning"
	ItemTypeCompaction         = "compaction"
	ItemTypeItemReference      = "item_reference"
)

const (
	ContentTypeInputText     = "input_text"
	ContentTypeInputImage    = "input_image"
	ContentTypeInputFile     = "input_file"
	ContentTypeInputVideo    = "input_video"
	ContentTypeOutputText    = "output_text"
	ContentTypeRefusal       = "refusal"
	ContentTypeText          = "text"
	ContentTypeSummaryText   = "summary_text"
	ContentTypeReasoningText = "reasoning_text"
)

const (
	ToolTypeFunction          = "function"
	AnnotationTypeURLCitation = "url_citation"
	TextFormatText            = "text"
	TextFormatJSONObject      = "json_object"
	TextFormatJSONSchema      = "json_schema"
)

const (
	EventResponseCreated            = "response.created"
	EventResponseQueued             = "response.queued"
	EventResponseInProgress         = "response.in_progress"
	EventResponseCompleted          = "response.completed"
	EventResponseFailed             = "response.failed"
	EventResponseIncomplete         = "response.incomplete"
	EventOutputItemAdded            = "response.output_item.added"
	EventOutputItemDone             = "response.output_item.done"
	EventContentPartAdded           = "response.content_part.added"
	EventContentPartDone            = "response.content_part.done"
	EventOutputTextDelta            = "response.output_text.delta"
	EventOutputTextDone             = "response.output_text.done"
	EventRefusalDelta               = "response.refusal.delta"
	EventRefusalDone                = "response.refusal.done"
	EventFunctionCallArgumentsDelta = "response.function_call_arguments.delta"
	EventFunctionCallArgumentsDone  = "response.function_call_arguments.done"
	EventReasoningSummaryPartAdded  = "response.reasoning_summary_part.added"
	EventReasoningSummaryPartDone   = "response.reasoning_summary_part.done"
	EventReasoningSummaryTextDelta  = "response.reasoning_summary_text.delta"
	EventReasoningSummaryTextDone   = "response.reasoning_summary_text.done"
	EventReasoningDelta             = "response.reasoning.delta"
	EventReasoningDone              = "response.reasoning.done"
	EventOutputTextAnnotationAdded  = "response.output_text.annotation.added"
	EventError                      = "error"
	EventWebSocketResponseCreate    = "response.create"
)

type Item interface {
	ItemType() string
}

type Items []Item

func (it *Items) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (it Items) Clone() Items { panic("not implemented") }

type Message struct {
	ID      string   `json:"id,omitempty"`
	Status  Status   `json:"status,omitempty"`
	Role    Role     `json:"role"`
	Content Contents `json:"content"`
	Phase   Phase    `json:"phase,omitempty"`
}

func (*Message) ItemType() string { panic("not implemented") }

func (m *Message) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (m *Message) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (m *Message) Text() string { panic("not implemented") }

func UserText(text string) *Message { panic("not implemented") }

func UserMessage(parts ...Content) *Message { panic("not implemented") }

func SystemText(text string) *Message { panic("not implemented") }

func DeveloperText(text string) *Message { panic("not implemented") }

func AssistantText(text string) *Message { panic("not implemented") }

type FunctionCall struct {
	ID        string `json:"id,omitempty"`
	Status    Status `json:"status,omitempty"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

func (*FunctionCall) ItemType() string { panic("not implemented") }

func (f *FunctionCall) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (f *FunctionCall) UnmarshalArguments(v any) error { panic("not implemented") }

type FunctionCallOutput struct {
	ID     string                 `json:"id,omitempty"`
	Status Status                 `json:"status,omitempty"`
	CallID string                 `json:"call_id"`
	Output FunctionCallOutputData `json:"output"`
}

func (*FunctionCallOutput) ItemType() string { panic("not implemented") }

func (f *FunctionCallOutput) MarshalJSON() ([]byte, error) { panic("not implemented") }

func NewFunctionCallOutput(callID, output string) *FunctionCallOutput { panic("not implemented") }

type FunctionCallOutputData struct {
	Text  string
	Parts Contents
}

func (d FunctionCallOutputData) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (d *FunctionCallOutputData) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (d FunctionCallOutputData) String() string { panic("not implemented") }

type ReasoningItem struct {
	ID               string   `json:"id,omitempty"`
	Status           Status   `json:"status,omitempty"`
	Summary          Contents `json:"summary"`
	Content          Contents `json:"content,omitempty"`
	EncryptedContent string   `json:"encrypted_content,omitempty"`
}

func (*ReasoningItem) ItemType() string { panic("not implemented") }

func (r *ReasoningItem) MarshalJSON() ([]byte, error) { panic("not implemented") }

type Compaction struct {
	ID               string `json:"id,omitempty"`
	Status           Status `json:"status,omitempty"`
	EncryptedContent string `json:"encrypted_content"`
	CreatedBy        string `json:"created_by,omitempty"`
}

func (*Compaction) ItemType() string { panic("not implemented") }

func (c *Compaction) MarshalJSON() ([]byte, error) { panic("not implemented") }

type ItemReference struct {
	ID string `json:"id"`
}

func (*ItemReference) ItemType() string { panic("not implemented") }

func (r *ItemReference) MarshalJSON() ([]byte, error) { panic("not implemented") }

type UnknownItem struct {
	Type   string
	ID     string
	Status Status
	Raw    json.RawMessage
}

func (u *UnknownItem) ItemType() string { panic("not implemented") }

func (u *UnknownItem) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (u *UnknownItem) UnmarshalJSON(data []byte) error { panic("not implemented") }

type Content interface {
	ContentType() string
}

type Contents []Content

func (c *Contents) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (c Contents) Text() string { panic("not implemented") }

type InputText struct {
	Text string `json:"text"`
}

func (*InputText) ContentType() string { panic("not implemented") }

func (p *InputText) MarshalJSON() ([]byte, error) { panic("not implemented") }

type InputImage struct {
	ImageURL string      `json:"image_url"`
	Detail   ImageDetail `json:"detail,omitempty"`
	FileID   string      `json:"file_id,omitempty"`
}

func (*InputImage) ContentType() string { panic("not implemented") }

func (p *InputImage) MarshalJSON() ([]byte, error) { panic("not implemented") }

type InputFile struct {
	Filename string `json:"filename,omitempty"`
	FileData string `json:"file_data,omitempty"`
	FileURL  string `json:"file_url,omitempty"`
	FileID   string `json:"file_id,omitempty"`
}

func (*InputFile) ContentType() string { panic("not implemented") }

func (p *InputFile) MarshalJSON() ([]byte, error) { panic("not implemented") }

type InputVideo struct {
	VideoURL string `json:"video_url"`
}

func (*InputVideo) ContentType() string { panic("not implemented") }

func (p *InputVideo) MarshalJSON() ([]byte, error) { panic("not implemented") }

type OutputText struct {
	Text        string      `json:"text"`
	Annotations Annotations `json:"annotations"`
	Logprobs    []LogProb   `json:"logprobs,omitempty"`
}

func (*OutputText) ContentType() string { panic("not implemented") }

func (p *OutputText) MarshalJSON() ([]byte, error) { panic("not implemented") }

type Refusal struct {
	Refusal string `json:"refusal"`
}

func (*Refusal) ContentType() string { panic("not implemented") }

func (p *Refusal) MarshalJSON() ([]byte, error) { panic("not implemented") }

type Text struct {
	Text string `json:"text"`
}

func (*Text) ContentType() string { panic("not implemented") }

func (p *Text) MarshalJSON() ([]byte, error) { panic("not implemented") }

type SummaryText struct {
	Text string `json:"text"`
}

func (*SummaryText) ContentType() string { panic("not implemented") }

func (p *SummaryText) MarshalJSON() ([]byte, error) { panic("not implemented") }

type ReasoningText struct {
	Text string `json:"text"`
}

func (*ReasoningText) ContentType() string { panic("not implemented") }

func (p *ReasoningText) MarshalJSON() ([]byte, error) { panic("not implemented") }

type UnknownContent struct {
	Type string
	Raw  json.RawMessage
}

func (p *UnknownContent) ContentType() string { panic("not implemented") }

func (p *UnknownContent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (p *UnknownContent) UnmarshalJSON(data []byte) error { panic("not implemented") }

type LogProb struct {
	Token       string       `json:"token"`
	Logprob     float64      `json:"logprob"`
	Bytes       []int        `json:"bytes"`
	TopLogprobs []TopLogProb `json:"top_logprobs"`
}

func (l LogProb) MarshalJSON() ([]byte, error) { panic("not implemented") }

type TopLogProb struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
}

func (l TopLogProb) MarshalJSON() ([]byte, error) { panic("not implemented") }

type Annotation interface {
	AnnotationType() string
}

type Annotations []Annotation

func (a *Annotations) UnmarshalJSON(data []byte) error { panic("not implemented") }

type URLCitation struct {
	URL        string `json:"url"`
	Title      string `json:"title"`
	StartIndex int    `json:"start_index"`
	EndIndex   int    `json:"end_index"`
}

func (*URLCitation) AnnotationType() string { panic("not implemented") }

func (a *URLCitation) MarshalJSON() ([]byte, error) { panic("not implemented") }

type UnknownAnnotation struct {
	Type string
	Raw  json.RawMessage
}

func (a *UnknownAnnotation) AnnotationType() string { panic("not implemented") }

func (a *UnknownAnnotation) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (a *UnknownAnnotation) UnmarshalJSON(data []byte) error { panic("not implemented") }

type Tool interface {
	ToolType() string
}

type Tools []Tool

func (t *Tools) UnmarshalJSON(data []byte) error { panic("not implemented") }

type FunctionTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      *bool           `json:"strict,omitempty"`
}

func (*FunctionTool) ToolType() string { panic("not implemented") }

func (f *FunctionTool) MarshalJSON() ([]byte, error) { panic("not implemented") }

func NewFunctionTool(name, description string, parameters json.RawMessage) *FunctionTool {
	panic("not implemented")
}

type UnknownTool struct {
	Type string
	Raw  json.RawMessage
}

func (u *UnknownTool) ToolType() string { panic("not implemented") }

func (u *UnknownTool) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (u *UnknownTool) UnmarshalJSON(data []byte) error { panic("not implemented") }

type ToolChoice struct {
	Mode     ToolChoiceMode
	Function *FunctionToolChoice
	Allowed  *AllowedTools
}

func (c ToolChoice) IsZero() bool { panic("not implemented") }

func (c ToolChoice) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (c *ToolChoice) UnmarshalJSON(data []byte) error { panic("not implemented") }

type FunctionToolChoice struct {
	Name string `json:"name"`
}

type AllowedTools struct {
	Tools []ToolReference `json:"tools"`
	Mode  ToolChoiceMode  `json:"mode"`
}

type ToolReference struct {
	Type string `json:"type"`
	Name string `json:"name,omitempty"`
}

func FunctionReference(name string) ToolReference { panic("not implemented") }

func ToolChoiceFunction(name string) ToolChoice { panic("not implemented") }

type TextFormat struct {
	Type        string          `json:"type"`
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Strict      *bool           `json:"strict,omitempty"`
}

func JSONSchemaFormat(name string, schema json.RawMessage, strict bool) *TextFormat {
	panic("not implemented")
}

type TextConfig struct {
	Format    *TextFormat `json:"format,omitempty"`
	Verbosity Verbosity   `json:"verbosity,omitempty"`
}

func (t TextConfig) IsZero() bool { panic("not implemented") }

func (t TextConfig) MarshalJSON() ([]byte, error) { panic("not implemented") }

type ReasoningConfig struct {
	Effort  ReasoningEffort
	Summary ReasoningSummary
}

func (r ReasoningConfig) IsZero() bool { panic("not implemented") }

func (r ReasoningConfig) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (r *ReasoningConfig) UnmarshalJSON(data []byte) error { panic("not implemented") }

type StreamOptions struct {
	IncludeObfuscation bool `json:"include_obfuscation,omitempty"`
}

func RegisterItem(typ string, decode func(json.RawMessage) (Item, error)) { panic("not implemented") }

func RegisterContent(typ string, decode func(json.RawMessage) (Content, error)) {
	panic("not implemented")
}

func RegisterTool(typ string, decode func(json.RawMessage) (Tool, error)) { panic("not implemented") }

func RegisterAnnotation(typ string, decode func(json.RawMessage) (Annotation, error)) {
	panic("not implemented")
}

func RegisterEvent(typ string, decode func(json.RawMessage) (StreamEvent, error)) {
	panic("not implemented")
}

func UnmarshalItem(data []byte) (Item, error) { panic("not implemented") }

func UnmarshalContent(data []byte) (Content, error) { panic("not implemented") }

func UnmarshalTool(data []byte) (Tool, error) { panic("not implemented") }

func UnmarshalAnnotation(data []byte) (Annotation, error) { panic("not implemented") }

type StreamEvent interface {
	EventType() string
	Sequence() int64
}

type SequenceSetter interface {
	SetSequence(int64)
}

type ResponseCreatedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`
}

type ResponseQueuedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`
}

type ResponseInProgressEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`
}

type ResponseCompletedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`
}

type ResponseFailedEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`
}

type ResponseIncompleteEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	Response       *Response `json:"response"`
}

type OutputItemAddedEvent struct {
	SequenceNumber int64 `json:"sequence_number"`
	OutputIndex    int   `json:"output_index"`
	Item           Item  `json:"item"`
}

type OutputItemDoneEvent struct {
	SequenceNumber int64 `json:"sequence_number"`
	OutputIndex    int   `json:"output_index"`
	Item           Item  `json:"item"`
}

type ContentPartAddedEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	ContentIndex   int     `json:"content_index"`
	Part           Content `json:"part"`
}

type ContentPartDoneEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	ContentIndex   int     `json:"content_index"`
	Part           Content `json:"part"`
}

type OutputTextDeltaEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	ItemID         string    `json:"item_id"`
	OutputIndex    int       `json:"output_index"`
	ContentIndex   int       `json:"content_index"`
	Delta          string    `json:"delta"`
	Logprobs       []LogProb `json:"logprobs,omitempty"`
	Obfuscation    string    `json:"obfuscation,omitempty"`
}

type OutputTextDoneEvent struct {
	SequenceNumber int64     `json:"sequence_number"`
	ItemID         string    `json:"item_id"`
	OutputIndex    int       `json:"output_index"`
	ContentIndex   int       `json:"content_index"`
	Text           string    `json:"text"`
	Logprobs       []LogProb `json:"logprobs,omitempty"`
}

type RefusalDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`
}

type RefusalDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Refusal        string `json:"refusal"`
}

type FunctionCallArgumentsDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`
}

type FunctionCallArgumentsDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	Arguments      string `json:"arguments"`
}

type ReasoningSummaryPartAddedEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	SummaryIndex   int     `json:"summary_index"`
	Part           Content `json:"part"`
}

type ReasoningSummaryPartDoneEvent struct {
	SequenceNumber int64   `json:"sequence_number"`
	ItemID         string  `json:"item_id"`
	OutputIndex    int     `json:"output_index"`
	SummaryIndex   int     `json:"summary_index"`
	Part           Content `json:"part"`
}

type ReasoningSummaryTextDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	SummaryIndex   int    `json:"summary_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`
}

type ReasoningSummaryTextDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	SummaryIndex   int    `json:"summary_index"`
	Text           string `json:"text"`
}

type ReasoningDeltaEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Delta          string `json:"delta"`
	Obfuscation    string `json:"obfuscation,omitempty"`
}

type ReasoningDoneEvent struct {
	SequenceNumber int64  `json:"sequence_number"`
	ItemID         string `json:"item_id"`
	OutputIndex    int    `json:"output_index"`
	ContentIndex   int    `json:"content_index"`
	Text           string `json:"text"`
}

type OutputTextAnnotationAddedEvent struct {
	SequenceNumber  int64      `json:"sequence_number"`
	ItemID          string     `json:"item_id"`
	OutputIndex     int        `json:"output_index"`
	ContentIndex    int        `json:"content_index"`
	AnnotationIndex int        `json:"annotation_index"`
	Annotation      Annotation `json:"annotation"`
}

type ErrorEvent struct {
	SequenceNumber int64        `json:"sequence_number"`
	Status         int          `json:"status,omitempty"`
	Error          ErrorPayload `json:"error"`
}

type UnknownEvent struct {
	Type           string
	SequenceNumber int64
	Raw            json.RawMessage
}

func (e *ResponseCreatedEvent) EventType() string { panic("not implemented") }

func (e *ResponseCreatedEvent) Sequence() int64 { panic("not implemented") }

func (e *ResponseCreatedEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ResponseCreatedEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ResponseQueuedEvent) EventType() string { panic("not implemented") }

func (e *ResponseQueuedEvent) Sequence() int64 { panic("not implemented") }

func (e *ResponseQueuedEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ResponseQueuedEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ResponseInProgressEvent) EventType() string { panic("not implemented") }

func (e *ResponseInProgressEvent) Sequence() int64 { panic("not implemented") }

func (e *ResponseInProgressEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ResponseInProgressEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ResponseCompletedEvent) EventType() string { panic("not implemented") }

func (e *ResponseCompletedEvent) Sequence() int64 { panic("not implemented") }

func (e *ResponseCompletedEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ResponseCompletedEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ResponseFailedEvent) EventType() string { panic("not implemented") }

func (e *ResponseFailedEvent) Sequence() int64 { panic("not implemented") }

func (e *ResponseFailedEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ResponseFailedEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ResponseIncompleteEvent) EventType() string { panic("not implemented") }

func (e *ResponseIncompleteEvent) Sequence() int64 { panic("not implemented") }

func (e *ResponseIncompleteEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ResponseIncompleteEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *OutputItemAddedEvent) EventType() string { panic("not implemented") }

func (e *OutputItemAddedEvent) Sequence() int64 { panic("not implemented") }

func (e *OutputItemAddedEvent) SetSequence(n int64) { panic("not implemented") }

func (e *OutputItemAddedEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *OutputItemAddedEvent) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (e *OutputItemDoneEvent) EventType() string { panic("not implemented") }

func (e *OutputItemDoneEvent) Sequence() int64 { panic("not implemented") }

func (e *OutputItemDoneEvent) SetSequence(n int64) { panic("not implemented") }

func (e *OutputItemDoneEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *OutputItemDoneEvent) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (e *ContentPartAddedEvent) EventType() string { panic("not implemented") }

func (e *ContentPartAddedEvent) Sequence() int64 { panic("not implemented") }

func (e *ContentPartAddedEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ContentPartAddedEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ContentPartAddedEvent) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (e *ContentPartDoneEvent) EventType() string { panic("not implemented") }

func (e *ContentPartDoneEvent) Sequence() int64 { panic("not implemented") }

func (e *ContentPartDoneEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ContentPartDoneEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ContentPartDoneEvent) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (e *OutputTextDeltaEvent) EventType() string { panic("not implemented") }

func (e *OutputTextDeltaEvent) Sequence() int64 { panic("not implemented") }

func (e *OutputTextDeltaEvent) SetSequence(n int64) { panic("not implemented") }

func (e *OutputTextDeltaEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *OutputTextDoneEvent) EventType() string { panic("not implemented") }

func (e *OutputTextDoneEvent) Sequence() int64 { panic("not implemented") }

func (e *OutputTextDoneEvent) SetSequence(n int64) { panic("not implemented") }

func (e *OutputTextDoneEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *RefusalDeltaEvent) EventType() string { panic("not implemented") }

func (e *RefusalDeltaEvent) Sequence() int64 { panic("not implemented") }

func (e *RefusalDeltaEvent) SetSequence(n int64) { panic("not implemented") }

func (e *RefusalDeltaEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *RefusalDoneEvent) EventType() string { panic("not implemented") }

func (e *RefusalDoneEvent) Sequence() int64 { panic("not implemented") }

func (e *RefusalDoneEvent) SetSequence(n int64) { panic("not implemented") }

func (e *RefusalDoneEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *FunctionCallArgumentsDeltaEvent) EventType() string { panic("not implemented") }

func (e *FunctionCallArgumentsDeltaEvent) Sequence() int64 { panic("not implemented") }

func (e *FunctionCallArgumentsDeltaEvent) SetSequence(n int64) { panic("not implemented") }

func (e *FunctionCallArgumentsDeltaEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *FunctionCallArgumentsDoneEvent) EventType() string { panic("not implemented") }

func (e *FunctionCallArgumentsDoneEvent) Sequence() int64 { panic("not implemented") }

func (e *FunctionCallArgumentsDoneEvent) SetSequence(n int64) { panic("not implemented") }

func (e *FunctionCallArgumentsDoneEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ReasoningSummaryPartAddedEvent) EventType() string { panic("not implemented") }

func (e *ReasoningSummaryPartAddedEvent) Sequence() int64 { panic("not implemented") }

func (e *ReasoningSummaryPartAddedEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ReasoningSummaryPartAddedEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ReasoningSummaryPartAddedEvent) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (e *ReasoningSummaryPartDoneEvent) EventType() string { panic("not implemented") }

func (e *ReasoningSummaryPartDoneEvent) Sequence() int64 { panic("not implemented") }

func (e *ReasoningSummaryPartDoneEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ReasoningSummaryPartDoneEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ReasoningSummaryPartDoneEvent) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (e *ReasoningSummaryTextDeltaEvent) EventType() string { panic("not implemented") }

func (e *ReasoningSummaryTextDeltaEvent) Sequence() int64 { panic("not implemented") }

func (e *ReasoningSummaryTextDeltaEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ReasoningSummaryTextDeltaEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ReasoningSummaryTextDoneEvent) EventType() string { panic("not implemented") }

func (e *ReasoningSummaryTextDoneEvent) Sequence() int64 { panic("not implemented") }

func (e *ReasoningSummaryTextDoneEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ReasoningSummaryTextDoneEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ReasoningDeltaEvent) EventType() string { panic("not implemented") }

func (e *ReasoningDeltaEvent) Sequence() int64 { panic("not implemented") }

func (e *ReasoningDeltaEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ReasoningDeltaEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ReasoningDoneEvent) EventType() string { panic("not implemented") }

func (e *ReasoningDoneEvent) Sequence() int64 { panic("not implemented") }

func (e *ReasoningDoneEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ReasoningDoneEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *OutputTextAnnotationAddedEvent) EventType() string { panic("not implemented") }

func (e *OutputTextAnnotationAddedEvent) Sequence() int64 { panic("not implemented") }

func (e *OutputTextAnnotationAddedEvent) SetSequence(n int64) { panic("not implemented") }

func (e *OutputTextAnnotationAddedEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *OutputTextAnnotationAddedEvent) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (e *ErrorEvent) EventType() string { panic("not implemented") }

func (e *ErrorEvent) Sequence() int64 { panic("not implemented") }

func (e *ErrorEvent) SetSequence(n int64) { panic("not implemented") }

func (e *ErrorEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *ErrorEvent) Err() *Error { panic("not implemented") }

func (e *UnknownEvent) EventType() string { panic("not implemented") }

func (e *UnknownEvent) Sequence() int64 { panic("not implemented") }

func (e *UnknownEvent) SetSequence(n int64) { panic("not implemented") }

func (e *UnknownEvent) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (e *UnknownEvent) UnmarshalJSON(data []byte) error { panic("not implemented") }

func DecodeEvent(data []byte) (StreamEvent, error) { panic("not implemented") }

func EncodeEvent(ev StreamEvent) ([]byte, error) { panic("not implemented") }

func TerminalResponse(ev StreamEvent) (*Response, bool) { panic("not implemented") }

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

	Extra map[string]any `json:"-"`
}

func (r Request) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (r *Request) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (r Request) Includes(inc Include) bool { panic("not implemented") }

func (r Request) Stored() bool { panic("not implemented") }

func (r Request) Validate() error { panic("not implemented") }

type CompactRequest struct {
	Model              string `json:"model,omitempty"`
	Input              Items  `json:"input,omitempty"`
	PreviousResponseID string `json:"previous_response_id,omitempty"`
	Instructions       string `json:"instructions,omitempty"`
	PromptCacheKey     string `json:"prompt_cache_key,omitempty"`

	Extra map[string]any `json:"-"`
}

func (r CompactRequest) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (r *CompactRequest) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (r CompactRequest) Validate() error { panic("not implemented") }

type ErrorType string

const (
	ErrorTypeInvalidRequest  ErrorType = "invalid_request"
	ErrorTypeNotFound        ErrorType = "not_found"
	ErrorTypeTooManyRequests ErrorType = "too_many_requests"
	ErrorTypeModelError      ErrorType = "model_error"
	ErrorTypeServerError     ErrorType = "server_error"
)

const (
	CodePreviousResponseNotFound        = "previous_response_not_found"
	CodeWebSocketConnectionLimitReached = "websocket_connection_limit_reached"
	CodeInvalidValue                    = "invalid_value"
	CodeMissingRequiredParameter        = "missing_required_parameter"
	CodeUnsupportedParameter            = "unsupported_parameter"
	CodeStreamingNotSupported           = "streaming_not_supported"
	CodeCompactionNotSupported          = "compaction_not_supported"
)

func (t ErrorType) HTTPStatus() int { panic("not implemented") }

type ErrorPayload struct {
	Type    ErrorType         `json:"type,omitempty"`
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Param   string            `json:"param"`
	Headers map[string]string `json:"headers,omitempty"`
}

func (p ErrorPayload) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (p *ErrorPayload) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (p ErrorPayload) Err(status int) *Error { panic("not implemented") }

type Error struct {
	StatusCode      int
	Type            ErrorType
	Code            string
	Message         string
	Param           string
	Headers         http.Header
	ResponseHeaders http.Header
	Body            []byte
}

func (e *Error) Error() string { panic("not implemented") }

func (e *Error) HTTPStatus() int { panic("not implemented") }

func (e *Error) Payload() ErrorPayload { panic("not implemented") }

func (e *Error) WithHeader(name, value string) *Error { panic("not implemented") }

func (e *Error) Is(target error) bool { panic("not implemented") }

func NewError(typ ErrorType, code, message string) *Error { panic("not implemented") }

func InvalidRequest(code, message, param string) *Error { panic("not implemented") }

func NotFound(code, message, param string) *Error { panic("not implemented") }

func PreviousResponseNotFound(id string) *Error { panic("not implemented") }

func TooManyRequests(code, message string) *Error { panic("not implemented") }

func ModelError(code, message string) *Error { panic("not implemented") }

func ServerError(code, message string) *Error { panic("not implemented") }

func AsError(err error) *Error { panic("not implemented") }

func IsNotFound(err error) bool { panic("not implemented") }

func IsRateLimited(err error) bool { panic("not implemented") }

func IsInvalidRequest(err error) bool { panic("not implemented") }

func ErrorFromResponse(res *http.Response) *Error { panic("not implemented") }

var (
	ErrTruncatedStream   error
	ErrStreamClosed      error
	ErrTerminalEventSent error
)

const (
	ObjectResponse   = "response"
	ObjectCompaction = "response.compaction"
)

type Response struct {
	ID                 string             `json:"id"`
	Object             string             `json:"object"`
	CreatedAt          int64              `json:"created_at"`
	CompletedAt        *int64             `json:"completed_at"`
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

	Extra map[string]any `json:"-"`
}

func (r Response) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (r *Response) UnmarshalJSON(data []byte) error { panic("not implemented") }

func (r *Response) OutputText() string { panic("not implemented") }

func (r *Response) FunctionCalls() []*FunctionCall { panic("not implemented") }

func (r *Response) Clone() *Response { panic("not implemented") }

func (r *Response) Complete() { panic("not implemented") }

func (r *Response) Incomplete(reason IncompleteReason) { panic("not implemented") }

func (r *Response) Fail(err error) { panic("not implemented") }

func NewResponse(req Request) *Response { panic("not implemented") }

type IncompleteDetails struct {
	Reason IncompleteReason `json:"reason"`
}

type Usage struct {
	InputTokens         int                 `json:"input_tokens"`
	OutputTokens        int                 `json:"output_tokens"`
	TotalTokens         int                 `json:"total_tokens"`
	InputTokensDetails  InputTokensDetails  `json:"input_tokens_details"`
	OutputTokensDetails OutputTokensDetails `json:"output_tokens_details"`
}

type InputTokensDetails struct {
	CachedTokens int `json:"cached_tokens"`
}

type OutputTokensDetails struct {
	ReasoningTokens int `json:"reasoning_tokens"`
}

type CompactResponse struct {
	ID        string `json:"id"`
	Object    string `json:"object"`
	Output    Items  `json:"output"`
	CreatedAt int64  `json:"created_at"`
	Usage     *Usage `json:"usage"`

	Extra map[string]any `json:"-"`
}

func (r CompactResponse) MarshalJSON() ([]byte, error) { panic("not implemented") }

func (r *CompactResponse) UnmarshalJSON(data []byte) error { panic("not implemented") }
