package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// DecodeEvent decodes one event by its type. An event of a type that nobody
// registered becomes an [UnknownEvent]; one without a type but with an error is an
// [ErrorEvent]. The event does not alias data.
func DecodeEvent(data []byte) (StreamEvent, error) { return eventTypes.unmarshal(data) }

// An eventDecoder decodes the events of one stream. It is DecodeEvent with a
// memory for what repeats from event to event. The zero value is ready; it is not
// safe for concurrent use.
type eventDecoder struct {
	reader jsonx.Reader
}

// decode decodes one event, which does not alias data.
func (d *eventDecoder) decode(data []byte) (StreamEvent, error) {
	d.reader.Reset(data)
	ev, err := eventTypes.readAll(&d.reader)
	d.reader.Reset(nil)
	return ev, err
}
