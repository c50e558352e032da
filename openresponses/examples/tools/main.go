// Command tools lets the model call a function, and goes on until it no longer does.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/ChristopherDavenport/openresponses"
)

const maxTurns = 8

var timeSchema = json.RawMessage(`{
	"type": "object",
	"properties": {"zone": {"type": "string", "description": "IANA name, such as Europe/Paris"}},
	"required": ["zone"],
	"additionalProperties": false
}`)

func main() {
	client := openresponses.NewClient(
		cmp.Or(os.Getenv("OPENRESPONSES_BASE_URL"), "https://api.openai.com/v1"),
		openresponses.WithAPIKey(os.Getenv("OPENRESPONSES_API_KEY")),
	)
	answer, err := ask(context.Background(), client, "What time is it in Tokyo and in Paris?")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

func ask(ctx context.Context, client *openresponses.Client, question string) (string, error) {
	req := openresponses.Request{
		Model: cmp.Or(os.Getenv("OPENRESPONSES_MODEL"), "gpt-5"),
		Input: openresponses.Items{openresponses.UserText(question)},
		Tools: openresponses.Tools{
			openresponses.NewFunctionTool("current_time", "Tells the time in a time zone.", timeSchema),
		},
	}
	for range maxTurns {
		resp, err := client.Create(ctx, req)
		if err != nil {
			return "", err
		}
		calls := resp.FunctionCalls()
		if len(calls) == 0 {
			return resp.OutputText(), nil
		}
		req.Input = append(req.Input, resp.Output...)
		for _, call := range calls {
			req.Input = append(req.Input, openresponses.NewFunctionCallOutput(call.CallID, currentTime(call)))
		}
	}
	return "", fmt.Errorf("no answer after %d turns", maxTurns)
}

// currentTime runs a call. Errors go to the model, which may do better next time.
func currentTime(call *openresponses.FunctionCall) string {
	var args struct {
		Zone string `json:"zone"`
	}
	if err := call.UnmarshalArguments(&args); err != nil {
		return "error: " + err.Error()
	}
	zone, err := time.LoadLocation(args.Zone)
	if err != nil {
		return "error: " + err.Error()
	}
	return time.Now().In(zone).Format(time.RFC1123)
}
