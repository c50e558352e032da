package openresponses

import "fmt"

// maxMetadata is how many metadata keys a request may have.
const maxMetadata = 16

// Validate checks what can be checked without the server. It returns nil, or an
// [*Error] of type invalid_request whose param names the first member at fault:
// no model, an item without what its type needs, an output before its call (only
// when nothing precedes the input), a function or a schema without a name, too
// many metadata keys.
func (r Request) Validate() error {
	// The result is typed so that a nil *Error cannot become a non-nil error.
	if err := r.validate(); err != nil {
		return err
	}
	return nil
}

func (r *Request) validate() *Error {
	if err := validateInput(r.Model, r.Input, r.PreviousResponseID); err != nil {
		return err
	}
	for i, tool := range r.Tools {
		if f, ok := tool.(*FunctionTool); ok && (f == nil || f.Name == "") {
			return missing(fmt.Sprintf("tools[%d].name", i))
		}
	}
	if f := r.ToolChoice.Function; f != nil && f.Name == "" {
		return missing("tool_choice.name")
	}
	if f := r.Text.Format; f != nil && f.Type == TextFormatJSONSchema && f.Name == "" {
		return missing("text.format.name")
	}
	if len(r.Metadata) > maxMetadata {
		return invalid("metadata", "at most %d keys are allowed, got %d", maxMetadata, len(r.Metadata))
	}
	return nil
}

// Validate checks the model and the input as [Request.Validate] does.
func (r CompactRequest) Validate() error {
	if err := validateInput(r.Model, r.Input, r.PreviousResponseID); err != nil {
		return err
	}
	return nil
}

func validateInput(model string, input Items, previous string) *Error {
	if model == "" {
		return missing("model")
	}
	for i, item := range input {
		if err := validateItem(item, fmt.Sprintf("input[%d]", i)); err != nil {
			return err
		}
	}
	if previous == "" {
		return validatePairs(input)
	}
	return nil
}

func validateItem(item Item, at string) *Error {
	if item == nil || isBuiltinItem(item) && isNil(item) {
		return invalid(at, "the item is null")
	}
	switch it := item.(type) {
	case *Message:
		return validateMessage(it, at)
	case *FunctionCall:
		return required(it.CallID, at+".call_id", it.Name, at+".name")
	case *FunctionCallOutput:
		return required(it.CallID, at+".call_id")
	case *Compaction:
		return required(it.EncryptedContent, at+".encrypted_content")
	case *ItemReference:
		return required(it.ID, at+".id")
	}
	return nil
}

func validateMessage(m *Message, at string) *Error {
	allowed := isInputPart
	switch m.Role {
	case "":
		return missing(at + ".role")
	case RoleUser, RoleSystem, RoleDeveloper:
	case RoleAssistant:
		allowed = isOutputPart
	default:
		return invalid(at+".role", "unknown role %q", m.Role)
	}
	for j, part := range m.Content {
		if !allowed(part) {
			return invalid(fmt.Sprintf("%s.content[%d]", at, j), "a part of this type is not allowed for the role %s", m.Role)
		}
	}
	if m.Role != RoleAssistant {
		return nil
	}
	switch m.Phase {
	case "", PhaseCommentary, PhaseFinalAnswer:
		return nil
	}
	return invalid(at+".phase", "unknown phase %q", m.Phase)
}

func isInputPart(part Content) bool {
	switch part.(type) {
	case *InputText, *InputImage, *InputFile, *InputVideo, *UnknownContent:
		return true
	}
	return false
}

func isOutputPart(part Content) bool {
	switch part.(type) {
	case *OutputText, *Refusal, *UnknownContent:
		return true
	}
	return false
}

// validatePairs requires that an output follows its call. Items that stand for
// history that cannot be seen end the check.
func validatePairs(input Items) *Error {
	calls := map[string]bool{}
	for i, item := range input {
		switch it := item.(type) {
		case *FunctionCall:
			calls[it.CallID] = true
		case *FunctionCallOutput:
			if !calls[it.CallID] {
				return invalid(fmt.Sprintf("input[%d].call_id", i), "no function call with the ID %q precedes its output", it.CallID)
			}
		case *Compaction, *ItemReference, *UnknownItem:
			return nil
		}
	}
	return nil
}

// required takes values and the params that name them, in turn, and reports the
// first value that is empty.
func required(pairs ...string) *Error {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i] == "" {
			return missing(pairs[i+1])
		}
	}
	return nil
}

func missing(param string) *Error {
	return InvalidRequest(CodeMissingRequiredParameter, "missing required parameter: "+param, param)
}

func invalid(param, format string, args ...any) *Error {
	return InvalidRequest(CodeInvalidValue, "invalid value for "+param+": "+fmt.Sprintf(format, args...), param)
}
