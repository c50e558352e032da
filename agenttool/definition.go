package agenttool

import (
	"encoding/json"

	"github.com/ChristopherDavenport/openresponses"
)

// NoArgsSchema is the schema sent for a tool without arguments. It must not
// be modified.
var NoArgsSchema = json.RawMessage(`{"type":"object","properties":{},"required":[]}`)

// Definition is what a request says of t: name, description, parameters, and
// strict where the tool is strict. A tool without parameters is given
// [NoArgsSchema].
func Definition(t Tool) *openresponses.FunctionTool {
	parameters := t.Parameters()
	if len(parameters) == 0 {
		parameters = NoArgsSchema
	}
	def := openresponses.NewFunctionTool(t.Name(), t.Description(), parameters)
	if IsStrict(t) {
		strict := true
		def.Strict = &strict
	}
	return def
}
