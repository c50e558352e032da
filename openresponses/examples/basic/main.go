// Command basic asks one question and prints the answer.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"

	"github.com/ChristopherDavenport/openresponses"
)

func main() {
	client := openresponses.NewClient(
		cmp.Or(os.Getenv("OPENRESPONSES_BASE_URL"), "https://api.openai.com/v1"),
		openresponses.WithAPIKey(os.Getenv("OPENRESPONSES_API_KEY")),
	)
	resp, err := client.Create(context.Background(), openresponses.Request{
		Model: cmp.Or(os.Getenv("OPENRESPONSES_MODEL"), "gpt-5"),
		Input: openresponses.Items{openresponses.UserText("Why is the sky blue? Answer in one sentence.")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(resp.OutputText())
}
