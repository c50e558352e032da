package echo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

// The adapter calls the tool that it is offered, and then tells what the tool returned.
func Example() {
	adapter := &echo.Adapter{}
	req := openresponses.Request{
		Model: "echo",
		Input: openresponses.Items{openresponses.UserText("Rome")},
		Tools: openresponses.Tools{openresponses.NewFunctionTool("weather", "Tells the weather.",
			json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`))},
	}
	resp, err := adapter.Create(context.Background(), req)
	if err != nil {
		log.Fatal(err)
	}
	call := resp.FunctionCalls()[0]
	fmt.Println(call.Name, call.Arguments)

	req.Input = append(req.Input, call, openresponses.NewFunctionCallOutput(call.CallID, "sunny"))
	resp, err = adapter.Create(context.Background(), req)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(resp.OutputText())
	// Output:
	// weather {"city":"Rome"}
	// Tool result: sunny
}
