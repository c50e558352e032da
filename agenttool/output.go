package agenttool

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/ChristopherDavenport/openresponses"
)

// Output turns what a function returned into a result. A [Result], or a
// pointer to one, is taken as it is; a string is text; content parts and
// output data are the output. Nil, also as a pointer, is the zero result.
// Anything else, named string types and byte slices included, becomes its
// JSON as text.
func Output(v any) (Result, error) {
	switch v := v.(type) {
	case nil:
		return Result{}, nil
	case Result:
		return v, nil
	case *Result:
		if v == nil {
			return Result{}, nil
		}
		return *v, nil
	case string:
		return Text(v), nil
	case openresponses.Contents:
		return Parts(v...), nil
	case openresponses.FunctionCallOutputData:
		return Result{Output: v}, nil
	}
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
		return Result{}, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return Result{}, fmt.Errorf("encode result: %w", err)
	}
	return Text(string(data)), nil
}
