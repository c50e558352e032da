package openresponses

// Enumerations are open: a value that is not listed here is decoded and encoded
// as it is, and only [Request.Validate] refuses any.

// Status is how far an item has come.
type Status string

// Item states.
const (
	StatusInProgress Status = "in_progress"
	StatusCompleted  Status = "completed"
	StatusIncomplete Status = "incomplete"
)

// ResponseStatus is how far a response has come.
type ResponseStatus string

// Response states.
const (
	ResponseStatusQueued     ResponseStatus = "queued"
	ResponseStatusInProgress ResponseStatus = "in_progress"
	ResponseStatusCompleted  ResponseStatus = "completed"
	ResponseStatusIncomplete ResponseStatus = "incomplete"
	ResponseStatusFailed     ResponseStatus = "failed"
)

// Terminal reports whether a response in this state is final. Unknown states are
// not.
func (s ResponseStatus) Terminal() bool {
	switch s {
	case ResponseStatusCompleted, ResponseStatusIncomplete, ResponseStatusFailed:
		return true
	}
	return false
}

// Role is who a message comes from.
type Role string

// Message roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleSystem    Role = "system"
	RoleDeveloper Role = "developer"
)

// Phase tells an assistant's remarks on the way from its answer.
type Phase string

// Message phases.
const (
	PhaseCommentary  Phase = "commentary"
	PhaseFinalAnswer Phase = "final_answer"
)

// ReasoningEffort is how much a model should reason before it answers.
type ReasoningEffort string

// Efforts, from none to the most. ReasoningEffortMinimal is not part of the
// specification, but servers take it.
const (
	ReasoningEffortNone    ReasoningEffort = "none"
	ReasoningEffortMinimal ReasoningEffort = "minimal"
	ReasoningEffortLow     ReasoningEffort = "low"
	ReasoningEffortMedium  ReasoningEffort = "medium"
	ReasoningEffortHigh    ReasoningEffort = "high"
	ReasoningEffortXHigh   ReasoningEffort = "xhigh"
)

// ReasoningSummary is the kind of summary of its reasoning a model should give.
type ReasoningSummary string

// Kinds of summary.
const (
	ReasoningSummaryConcise  ReasoningSummary = "concise"
	ReasoningSummaryDetailed ReasoningSummary = "detailed"
	ReasoningSummaryAuto     ReasoningSummary = "auto"
)

// Truncation is what a server does with input that is too long for the model.
type Truncation string

// Drop input, or fail.
const (
	TruncationAuto     Truncation = "auto"
	TruncationDisabled Truncation = "disabled"
)

// ServiceTier is the class of service a request asks for or was given.
type ServiceTier string

// Classes of service.
const (
	ServiceTierAuto     ServiceTier = "auto"
	ServiceTierDefault  ServiceTier = "default"
	ServiceTierFlex     ServiceTier = "flex"
	ServiceTierPriority ServiceTier = "priority"
)

// Verbosity is how long a model's text should be.
type Verbosity string

// Verbosities.
const (
	VerbosityLow    Verbosity = "low"
	VerbosityMedium Verbosity = "medium"
	VerbosityHigh   Verbosity = "high"
)

// ImageDetail is the resolution at which a model looks at an image.
type ImageDetail string

// Image resolutions.
const (
	ImageDetailLow  ImageDetail = "low"
	ImageDetailHigh ImageDetail = "high"
	ImageDetailAuto ImageDetail = "auto"
)

// Include names a part of the output that is left out unless asked for.
type Include string

// What a request can ask for in addition.
const (
	IncludeReasoningEncryptedContent Include = "reasoning.encrypted_content"
	IncludeOutputTextLogprobs        Include = "message.output_text.logprobs"
)

// IncompleteReason is why a response ended before the model was done.
type IncompleteReason string

// Reasons for an incomplete response.
const (
	IncompleteReasonMaxOutputTokens IncompleteReason = "max_output_tokens"
	IncompleteReasonContentFilter   IncompleteReason = "content_filter"
)

// ToolChoiceMode is how free a model is to call tools.
type ToolChoiceMode string

// No calls, calls if the model sees fit, or at least one.
const (
	ToolChoiceNone     ToolChoiceMode = "none"
	ToolChoiceAuto     ToolChoiceMode = "auto"
	ToolChoiceRequired ToolChoiceMode = "required"
)
