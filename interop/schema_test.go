package interop_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/ChristopherDavenport/openresponses"
)

// schemaVariable names the file with the protocol's OpenAPI document, which is not part of the repository.
const schemaVariable = "OPENRESPONSES_SCHEMA"

// schemaBeside is where the document is looked for without that, beside the checkout.
const schemaBeside = "../../shared/reference/open-responses-openapi-" + openresponses.SpecVersion + ".json"

// protocol is the OpenAPI document.
type protocol struct {
	compiler *jsonschema.Compiler
	events   map[string]string // names of schemas by event type
	schemas  map[string]any
}

const documentURL = "openapi.json"

// loadProtocol reads the document, or skips the test if there is none. A document that was named must exist.
func loadProtocol(t *testing.T) *protocol {
	t.Helper()
	file := os.Getenv(schemaVariable)
	if file == "" {
		if _, err := os.Stat(schemaBeside); err != nil {
			t.Skipf("the protocol's OpenAPI document is not beside the checkout; name it in %s to check what the handler sends", schemaVariable)
		}
		file = schemaBeside
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	p := &protocol{compiler: jsonschema.NewCompiler(), events: map[string]string{}}
	if err := p.compiler.AddResource(documentURL, document); err != nil {
		t.Fatal(err)
	}
	p.schemas = member[map[string]any](t, document, "components", "schemas")
	streamed := member[[]any](t, document, "paths", "/responses", "post", "responses", "200", "content", "text/event-stream", "schema", "oneOf")
	for _, ref := range streamed {
		name := path.Base(member[string](t, ref, "$ref"))
		types := member[[]any](t, p.schemas[name], "properties", "type", "enum")
		p.events[types[0].(string)] = name
	}
	return p
}

// member returns what is in a JSON object at a path.
func member[T any](t *testing.T, v any, names ...string) T {
	t.Helper()
	for _, name := range names {
		object, ok := v.(map[string]any)
		if !ok {
			t.Fatalf("%v: %T is no object", names, v)
		}
		v = object[name]
	}
	found, ok := v.(T)
	if !ok {
		t.Fatalf("%v is %T", names, v)
	}
	return found
}

// violations returns where a value is not as a schema has it: each as the schema's name, the place in the value with
// * for an index, and the keyword that refuses it, with the members that it misses.
func (p *protocol) violations(t *testing.T, name string, value any) []string {
	t.Helper()
	schema, err := p.compiler.Compile(documentURL + "#/components/schemas/" + name)
	if err != nil {
		t.Fatal(err)
	}
	err = schema.Validate(value)
	if err == nil {
		return nil
	}
	refused, ok := err.(*jsonschema.ValidationError)
	if !ok {
		t.Fatal(err)
	}
	var found []string
	for _, leaf := range blamed(refused) {
		place := indexes.ReplaceAllString("/"+strings.Join(leaf.InstanceLocation, "/"), "/*")
		keyword := strings.Join(leaf.ErrorKind.KeywordPath(), "/")
		if lacking, ok := leaf.ErrorKind.(*kind.Required); ok {
			keyword += " " + strings.Join(lacking.Missing, ",")
		}
		found = append(found, name+" "+place+" "+keyword)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

var indexes = regexp.MustCompile(`/[0-9]+\b`)

// blamed returns the errors that are to blame on their own. Of a choice of schemas they are those of the one that the
// value is meant for, by its type, or that there is no such schema.
func blamed(err *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(err.Causes) == 0 {
		return []*jsonschema.ValidationError{err}
	}
	branches := make([][]*jsonschema.ValidationError, 0, len(err.Causes))
	for _, cause := range err.Causes {
		branches = append(branches, blamed(cause))
	}
	switch err.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf:
		branches = slices.DeleteFunc(branches, func(leaves []*jsonschema.ValidationError) bool {
			return slices.ContainsFunc(leaves, func(leaf *jsonschema.ValidationError) bool { return isOtherType(err, leaf) })
		})
		if len(branches) != 1 {
			return []*jsonschema.ValidationError{err}
		}
	}
	return slices.Concat(branches...)
}

// isOtherType reports whether what a leaf tells of one schema in a choice is that it is for values of another type.
func isOtherType(choice, leaf *jsonschema.ValidationError) bool {
	rest, ok := strings.CutPrefix(strings.Join(leaf.InstanceLocation, "/"), strings.Join(choice.InstanceLocation, "/"))
	if !ok {
		return false
	}
	switch leaf.ErrorKind.(type) {
	case *kind.Type:
		return rest == ""
	case *kind.Enum:
		return rest == "/type" || rest == "type"
	}
	return false
}

// exchange is an answer of the handler: one response, or the events of a stream.
type exchange struct {
	status int
	body   []byte
	events []json.RawMessage
}

// post sends a request as it is.
func post(t *testing.T, url, body string) exchange {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := exchange{status: res.StatusCode, body: data}
	if res.Header.Get("Content-Type") != "text/event-stream" {
		return got
	}
	for line := range strings.Lines(string(data)) {
		if event, ok := strings.CutPrefix(line, "data: "); ok && event != "[DONE]\n" {
			got.events = append(got.events, json.RawMessage(event))
		}
	}
	return got
}
