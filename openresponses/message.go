package openresponses

import (
	"github.com/ChristopherDavenport/openresponses/internal/jsonx"
)

// A Message is a turn of conversation: what a user, a developer or the model said.
type Message struct {
	ID      string   `json:"id,omitempty"`
	Status  Status   `json:"status,omitempty"`
	Role    Role     `json:"role"`
	Content Contents `json:"content"`
	Phase   Phase    `json:"phase,omitempty"`

	unknown *jsonx.Unknown
}

var messageFields = jsonx.NewObject(ItemTypeMessage,
	func(m *Message) **jsonx.Unknown { return &m.unknown },
	jsonx.String("id", func(m *Message) *string { return &m.ID }).OmitEmpty(),
	jsonx.String("status", func(m *Message) *Status { return &m.Status }).OmitEmpty(),
	jsonx.String("role", func(m *Message) *Role { return &m.Role }),
	jsonx.DecodeAs(
		jsonx.List("content", contentCodec, func(m *Message) *Contents { return &m.Content }),
		decodeMessageContent,
		func(m *Message) *Contents { return &m.Content },
	),
	jsonx.String("phase", func(m *Message) *Phase { return &m.Phase }).OmitEmpty(),
).Finish(finishMessage)

// bareText stands for content that came as a string until the role, which may
// follow it, says what part it is.
type bareText string

// ContentType is never asked for.
func (bareText) ContentType() string { return "" }

func decodeMessageContent(r *jsonx.Reader, c *Contents) error {
	switch r.Peek() {
	case 'n':
		*c = nil
		_, err := r.Null()
		return err
	case '"':
		text, err := r.String()
		*c = Contents{bareText(text)}
		return err
	}
	list, err := jsonx.DecodeList[Contents](r, contentCodec)
	*c = list
	return err
}

func finishMessage(m *Message) {
	if len(m.Content) != 1 {
		return
	}
	text, ok := m.Content[0].(bareText)
	switch {
	case !ok:
	case m.Role == RoleAssistant:
		m.Content[0] = &OutputText{Text: string(text)}
	default:
		m.Content[0] = &InputText{Text: string(text)}
	}
}

// ItemType returns ItemTypeMessage.
func (*Message) ItemType() string { return ItemTypeMessage }

// MarshalJSON encodes the message; nil content is an empty array.
func (m *Message) MarshalJSON() ([]byte, error) { return m.appendJSON(nil) }

func (m *Message) appendJSON(dst []byte) ([]byte, error) { return messageFields.Append(dst, m) }

// UnmarshalJSON decodes a message. Its content may be an array of parts or a
// string, which becomes one part: output text for the assistant, else input text.
func (m *Message) UnmarshalJSON(data []byte) error { return messageFields.Unmarshal(data, m) }

// Text returns the text of the message's parts; see [Contents.Text].
func (m *Message) Text() string { return m.Content.Text() }

// UserText returns a user message of one text.
func UserText(text string) *Message { return inputMessage(RoleUser, text) }

// UserMessage returns a user message of the given parts, with nil content if there
// are none.
func UserMessage(parts ...Content) *Message { return &Message{Role: RoleUser, Content: parts} }

// SystemText returns a system message of one text.
func SystemText(text string) *Message { return inputMessage(RoleSystem, text) }

// DeveloperText returns a developer message of one text.
func DeveloperText(text string) *Message { return inputMessage(RoleDeveloper, text) }

// AssistantText returns an assistant message of one text, as if the model had
// said it.
func AssistantText(text string) *Message {
	return &Message{Role: RoleAssistant, Content: Contents{&OutputText{Text: text}}}
}

func inputMessage(role Role, text string) *Message {
	return &Message{Role: role, Content: Contents{&InputText{Text: text}}}
}
