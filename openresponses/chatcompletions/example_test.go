package chatcompletions_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/chatcompletions"
)

// A server that only speaks Chat Completions, here one that says the same to everybody, as a model.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `data: {"model":"qwen3","choices":[{"delta":{"reasoning_content":"A greeting."}}]}

data: {"choices":[{"delta":{"content":"Hello!"},"finish_reason":"stop"}]}

data: [DONE]

`)
	}))
	defer server.Close()

	model := chatcompletions.New(openresponses.NewClient(server.URL + "/v1"))
	resp, err := model.Create(context.Background(), openresponses.Request{
		Model: "qwen3",
		Input: openresponses.Items{openresponses.UserText("Hi!")},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range resp.Output {
		fmt.Println(item.ItemType())
	}
	fmt.Println(resp.OutputText())
	// Output:
	// reasoning
	// message
	// Hello!
}
