// Package agenttool says what a tool of a language model is, turns typed Go
// functions into tools, and runs the calls a model makes.
//
// # Tools
//
// A [Tool] has a name, a description, a JSON Schema of its arguments and an
// Execute method. Most tools are written as a function over an argument
// struct and made with [New], which reflects the schema from the struct,
// checks every call's arguments against it and decodes them:
//
//	type Args struct {
//		Path  string `json:"path" desc:"Absolute path to read"`
//		Limit int    `json:"limit,omitempty" desc:"Stop after this many bytes"`
//	}
//
//	read := agenttool.New("read_file", "Read a file.",
//		func(ctx context.Context, a Args) (string, error) { ... })
//
// The struct tags are those of encoding/json, with desc for a description and
// enum for a comma-separated list of allowed values. A pointer, omitempty or
// omitzero makes a field optional. [NewFunc] makes a tool from a schema at
// hand and a function that takes the raw [Call].
//
// A failing tool returns an error. It never writes the error into its output:
// the loop renders it for the model, once, with [ErrorResult].
//
// # What a tool says about itself
//
// Everything beyond the four methods is an optional interface with a reader
// that knows the default: [Sequential], [Resource], [Strict], [Annotated],
// [Confined], [Replayable], and [io.Closer] for a tool that owns something
// outliving a call. Tools from this package take them as options. A policy
// layer puts itself in front of a tool with [Wrap], which keeps them all.
//
// # Running calls
//
// An [Executor] runs a batch of calls side by side up to a limit and yields
// progress and results to the goroutine that ranges over the batch. Tools
// that name the same resource take turns; a sequential tool makes the whole
// batch take turns. A panicking tool fails its own call and nothing else.
//
// # What a running tool can reach
//
// The context of a call carries the call itself ([CallFrom]), a sink for
// progress ([Progress]), a place for durable records ([WriteRecord]) and a
// way to ask the user ([ElicitorFrom]).
package agenttool
