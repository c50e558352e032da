package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"unicode"

	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/openresponses"
)

// worthRetrying accepts what the loop would retry by itself, except that nobody answers at
// the other end: then the user has to do something.
func worthRetrying(err error) bool {
	return agentturn.DefaultRetryable(err) && !unreachable(err)
}

func unreachable(err error) bool {
	var transport *net.OpError
	return errors.As(err, &transport) && transport.Op == "dial"
}

// hints say what to do about an answer of the server.
var hints = map[int]string{
	http.StatusUnauthorized: " (check OPENAI_API_KEY)",
	http.StatusForbidden:    " (check OPENAI_API_KEY)",
	http.StatusNotFound:     " (check -model and -base-url)",
}

// shortestKey is how long a key has to be to be one. Local servers are content with a word.
const shortestKey = 8

// explain says in one line, and without the key, what failed.
func (o options) explain(err error) string {
	text := err.Error()
	var refused *openresponses.Error
	if errors.As(err, &refused) {
		status := refused.HTTPStatus()
		text = fmt.Sprintf("the server answered %d: %s%s", status, cmp.Or(refused.Message, string(refused.Type)), hints[status])
	} else if unreachable(err) {
		text = fmt.Sprintf("cannot reach %s: %v", o.host, rootCause(err))
	}
	if len(o.key) >= shortestKey {
		text = strings.ReplaceAll(text, o.key, "[key]")
	}
	return oneLine(text)
}

func rootCause(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// oneLine keeps a text that came from elsewhere from taking over the terminal.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}
