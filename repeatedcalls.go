package agentturn

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/ChristopherDavenport/openresponses"
)

// StopOnRepeatedCalls returns a ShouldStopAfterTurn for [Config] that stops a run as a guard
// once the model has made the same call, to the same tool with the same arguments, limit
// times in the run and has got the same output each time: it goes round in circles. Key
// order in the arguments does not matter. A limit below 2 counts as 2.
//
// The hook counts for one run at a time: agents that run side by side need one each.
func StopOnRepeatedCalls(limit int) func(context.Context, TurnInfo) (bool, error) {
	limit = max(limit, 2)
	var mu sync.Mutex
	var runID string
	var made map[[sha256.Size]byte]int
	return func(_ context.Context, info TurnInfo) (bool, error) {
		mu.Lock()
		defer mu.Unlock()
		if runID != info.RunID {
			runID, made = info.RunID, make(map[[sha256.Size]byte]int)
		}
		for i, call := range info.Response.FunctionCalls() {
			if i >= len(info.ToolResults) {
				break
			}
			key := repeatKey(call, info.ToolResults[i].Output)
			if made[key]++; made[key] >= limit {
				return false, fmt.Errorf("%w: %s was called %d times with the same arguments and the same output", ErrGuard, call.Name, limit)
			}
		}
		return false, nil
	}
}

// repeatKey is the same for calls of one name, the same arguments as JSON values, and one
// output.
func repeatKey(call *openresponses.FunctionCall, output openresponses.FunctionCallOutputData) [sha256.Size]byte {
	args := call.Arguments
	if value, ok := decodeArgs(callArgs(call)); ok {
		if canonical, err := json.Marshal(value); err == nil {
			args = string(canonical)
		}
	}
	result := output.String()
	if encoded, err := json.Marshal(output); err == nil {
		result = string(encoded)
	}
	key, _ := json.Marshal([]string{call.Name, args, result}) // strings encode
	return sha256.Sum256(key)
}
