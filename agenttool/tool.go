package agenttool

import (
	"context"
	"encoding/json"

	"github.com/ChristopherDavenport/openresponses"
)

// A Tool is something a model can call. Its methods may be called from
// several goroutines at once.
type Tool interface {
	// Name is the name the model calls the tool by. It is unique in a [Set].
	Name() string

	// Description tells the model what the tool is for and when to use it.
	Description() string

	// Parameters is the JSON Schema of the arguments object; nil means that
	// the tool takes no arguments. Callers do not modify it.
	Parameters() json.RawMessage

	// Execute runs one call. Cancelling ctx is the only way to interrupt it.
	// With an error the model sees the error in place of the output; the
	// result's Details and Terminate still count.
	Execute(ctx context.Context, call Call) (Result, error)
}

// A Call is one call of a tool by a model.
type Call struct {
	// ID is the call_id of the model's function call.
	ID string

	// Args is the arguments object as the model wrote it. Empty means {}.
	Args json.RawMessage

	// IdempotencyKey is the same each time this call is run, and different
	// for every other call. It is empty when the harness mints none. A tool
	// that replays as [ReplayKeyed] deduplicates on it.
	IdempotencyKey string

	// OnUpdate receives progress while the tool runs. It may be nil, and may
	// be called from any goroutine of the tool. Call it through Update.
	OnUpdate func(Result)
}

// Update reports progress to the call's OnUpdate, if it has one.
func (c Call) Update(r Result) {
	if c.OnUpdate != nil {
		c.OnUpdate(r)
	}
}

// A Result is what a call comes to, or, as progress, what it has come to so
// far.
type Result struct {
	// Output is what the model sees.
	Output openresponses.FunctionCallOutputData

	// Details is for the host and never reaches the model. A [Recordable]
	// value is written to the session's record.
	Details any

	// Terminate suggests to stop after this batch of calls. A loop follows
	// it only when every result of the batch says so.
	Terminate bool
}

// ProgressInfo is the Details of a progress update that can be put in
// numbers, by value.
type ProgressInfo struct {
	// Progress grows with every update.
	Progress float64

	// Total is what Progress will be at the end; 0 when that is not known.
	Total float64

	// Message says in words what is being done.
	Message string
}

// Text is a result whose output is s.
func Text(s string) Result {
	return Result{Output: openresponses.FunctionCallOutputData{Text: s}}
}

// Parts is a result whose output is a list of content parts, such as text
// and images.
func Parts(parts ...openresponses.Content) Result {
	return Result{Output: openresponses.FunctionCallOutputData{Parts: openresponses.Contents(parts)}}
}

// ErrorResult is the output the model sees for a call that failed with err,
// which must not be nil. It is for loops; a tool returns its error.
func ErrorResult(err error) Result {
	return Text("Error: " + err.Error())
}
