// Command streaming prints an answer while it is being written.
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
	if err := run(context.Background(), client); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, client *openresponses.Client) error {
	stream, err := client.CreateStream(ctx, openresponses.Request{
		Model: cmp.Or(os.Getenv("OPENRESPONSES_MODEL"), "gpt-5"),
		Input: openresponses.Items{openresponses.UserText("Write a short poem about streams.")},
	})
	if err != nil {
		return err
	}
	defer stream.Close()
	for ev := range stream.Events() {
		if delta, ok := ev.(*openresponses.OutputTextDeltaEvent); ok {
			fmt.Print(delta.Delta)
		}
	}
	fmt.Println()
	// Nothing is left to read: Wait gives the outcome, a failure of the model included.
	_, err = stream.Wait()
	return err
}
