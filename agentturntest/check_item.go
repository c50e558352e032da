package agentturntest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/ChristopherDavenport/openresponses"
)

// The longest call ID and the longest name servers take.
const maxCallID, maxName = 64, 64

// item checks one item and its place among the ones before it.
func (c *checker) item(i int, item openresponses.Item) {
	if isNil(item) {
		c.add(i, "item is nil")
		return
	}
	if strings.Contains(item.ItemType(), ":") && !c.namespaced {
		c.add(i, "item of type %q is not the protocol's", item.ItemType())
	}
	data, err := json.Marshal(item)
	if err != nil {
		c.add(i, "does not encode: %v", err)
		return
	}
	c.itemID(i, data)
	if c.known(i, item) {
		return
	}
	// A type of the caller's own is judged as what the server reads.
	c.reasoning = c.reasoning[:0]
	if sent, err := openresponses.UnmarshalItem(data); err != nil {
		c.add(i, "does not decode: %v", err)
	} else {
		c.known(i, sent)
	}
}

// itemID checks the ID as it is on the wire.
func (c *checker) itemID(i int, data []byte) {
	var wire struct {
		ID *json.RawMessage `json:"id"`
	}
	if json.Unmarshal(data, &wire) != nil || wire.ID == nil {
		return
	}
	switch id := string(*wire.ID); {
	case id == `""`:
		c.add(i, "id is present and empty")
	case c.refuseItemIDs:
		c.add(i, "id %s is not stored", id)
	}
}

// known checks an item of the protocol's own types; false means it is none.
func (c *checker) known(i int, item openresponses.Item) bool {
	switch item := item.(type) {
	case *openresponses.Message:
		c.message(i, item)
	case *openresponses.FunctionCall:
		c.reasoning = c.reasoning[:0]
		c.call(i, item)
	case *openresponses.FunctionCallOutput:
		c.unfollowed("an output")
		c.output(i, item)
	case *openresponses.ReasoningItem:
		c.reasoning = append(c.reasoning, i)
	case *openresponses.Compaction:
		c.reasoning = c.reasoning[:0]
		if item.EncryptedContent == "" {
			c.add(i, "compaction has no content")
		}
	case *openresponses.ItemReference:
		c.add(i, "reference to item %q, which nothing stored", item.ID)
	default:
		return false
	}
	return true
}

// message checks the role, what the role may say, and that a turn of the user's
// finds every call answered.
func (c *checker) message(i int, msg *openresponses.Message) {
	assistant := false
	switch msg.Role {
	case openresponses.RoleAssistant:
		assistant = true
	case openresponses.RoleUser, openresponses.RoleSystem, openresponses.RoleDeveloper:
	default:
		c.add(i, "message has the role %q", msg.Role)
	}
	for j, part := range msg.Content {
		if isNil(part) {
			c.add(i, "content[%d] is nil", j)
		} else if !mayHold(assistant, part) {
			c.add(i, "content[%d] of a message by %s is of type %q", j, msg.Role, part.ContentType())
		}
	}
	if assistant {
		c.reasoning = c.reasoning[:0]
		return
	}
	c.unfollowed(fmt.Sprintf("a message by %s", msg.Role))
	c.unanswered(fmt.Sprintf("before the message at input[%d]", i))
}

// mayHold says whether a message of the assistant or of another may hold part.
func mayHold(assistant bool, part openresponses.Content) bool {
	switch part.(type) {
	case *openresponses.OutputText, *openresponses.Refusal:
		return assistant
	case *openresponses.InputText, *openresponses.InputImage, *openresponses.InputFile, *openresponses.InputVideo:
		return !assistant
	case *openresponses.UnknownContent:
		return true
	}
	return false
}

func (c *checker) call(i int, call *openresponses.FunctionCall) {
	c.callID(i, call.CallID)
	switch name := call.Name; {
	case name == "":
		c.add(i, "call %q has no name", call.CallID)
	case c.offered[name]:
	case len(name) > maxName:
		c.add(i, "call %q has a name of %d characters, %d are allowed", call.CallID, len(name), maxName)
	case strings.ContainsFunc(name, func(r rune) bool { return !isIDRune(r) }):
		c.add(i, "call %q has the name %q, which no tool has and which has characters other than A-Z a-z 0-9 _ -", call.CallID, name)
	}
	if !c.anyArguments {
		if !json.Valid([]byte(call.Arguments)) {
			c.add(i, "call %q has arguments that are not JSON: %q", call.CallID, call.Arguments)
		} else if at, bad := loneSurrogate([]byte(call.Arguments)); bad {
			c.add(i, "call %q has an unpaired surrogate in its arguments: %s", call.CallID, around([]byte(call.Arguments), at))
		}
	}
	if first, ok := c.calls[call.CallID]; ok {
		c.add(i, "call %q has the ID of the call at input[%d]", call.CallID, first)
		return
	}
	c.calls[call.CallID] = i
	c.open = append(c.open, call.CallID)
}

func (c *checker) output(i int, out *openresponses.FunctionCallOutput) {
	if _, ok := c.calls[out.CallID]; !ok {
		c.add(i, "output for %q comes without its call before it", out.CallID)
		return
	}
	if first, ok := c.answered[out.CallID]; ok {
		c.add(i, "output for %q is a second one, the first is at input[%d]", out.CallID, first)
		return
	}
	c.answered[out.CallID] = i
	for j, id := range c.open {
		if id == out.CallID {
			c.open = append(c.open[:j], c.open[j+1:]...)
			break
		}
	}
}

func (c *checker) callID(i int, id string) {
	switch {
	case id == "":
		c.add(i, "call has no ID")
	case len(id) > maxCallID:
		c.add(i, "call ID %q has %d characters, %d are allowed", id, len(id), maxCallID)
	case strings.ContainsFunc(id, func(r rune) bool { return !isIDRune(r) }):
		c.add(i, "call ID %q has characters other than A-Z a-z 0-9 _ -", id)
	}
}

func isIDRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

// isNil reports whether v is nil or holds a nil pointer.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	rv := reflect.ValueOf(v)
	return rv.Kind() == reflect.Pointer && rv.IsNil()
}

// loneSurrogate finds a \u escape of half a surrogate pair in JSON text.
func loneSurrogate(data []byte) (at int, found bool) {
	for i := 0; i < len(data); {
		if data[i] != '\\' {
			i++
			continue
		}
		unit, ok := escapedUnit(data[i:])
		switch {
		case !ok:
			i += 2 // an escape of one character
		case unit >= 0xdc00 && unit <= 0xdfff:
			return i, true
		case unit >= 0xd800 && unit <= 0xdbff:
			low, ok := escapedUnit(data[min(i+6, len(data)):])
			if !ok || low < 0xdc00 || low > 0xdfff {
				return i, true
			}
			i += 12
		default:
			i += 6
		}
	}
	return 0, false
}

// escapedUnit reads the \uXXXX that data starts with.
func escapedUnit(data []byte) (unit rune, ok bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	for _, b := range data[2:6] {
		switch {
		case b >= '0' && b <= '9':
			unit = unit<<4 | rune(b-'0')
		case b >= 'a' && b <= 'f':
			unit = unit<<4 | rune(b-'a'+10)
		case b >= 'A' && b <= 'F':
			unit = unit<<4 | rune(b-'A'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// invalidStrings returns the paths of all strings in v that are not UTF-8.
func invalidStrings(v any) []string {
	var paths []string
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if !utf8.ValidString(v.String()) {
				paths = append(paths, path)
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(path, v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if field := v.Type().Field(i); field.IsExported() {
					walk(path+"."+field.Name, v.Field(i))
				}
			}
		case reflect.Slice, reflect.Array:
			if v.Type().Elem().Kind() == reflect.Uint8 {
				if v.Kind() == reflect.Slice && !utf8.Valid(v.Bytes()) {
					paths = append(paths, path)
				}
				return
			}
			for i := range v.Len() {
				walk(fmt.Sprintf("%s[%d]", path, i), v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(fmt.Sprintf("%s[%v]", path, key), v.MapIndex(key))
			}
		}
	}
	walk("Request", reflect.ValueOf(v))
	return paths
}
