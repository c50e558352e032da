package openresponses

type eventDecoder struct{}

func (d *eventDecoder) decode(data []byte) (StreamEvent, error) { return DecodeEvent(data) }

func cloneItem(it Item) Item { return Items{it}.Clone()[0] }

func cloneContent(c Content) Content {
	return Items{&Message{Role: RoleAssistant, Content: Contents{c}}}.Clone()[0].(*Message).Content[0]
}

func (r *Response) omits(member string) bool { return false }
