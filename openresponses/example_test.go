package openresponses_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

func ExampleClient() {
	server := httptest.NewServer(openresponses.NewHandler(&echo.Adapter{}))
	defer server.Close()

	client := openresponses.NewClient(server.URL, openresponses.WithAPIKey("key"))
	resp, err := client.Create(context.Background(), openresponses.Request{
		Model: "echo",
		Input: openresponses.Items{openresponses.UserText("Good morning!")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(resp.OutputText())
	// Output: Good morning!
}

func ExampleClient_CreateStream() {
	server := httptest.NewServer(openresponses.NewHandler(&echo.Adapter{}))
	defer server.Close()

	client := openresponses.NewClient(server.URL)
	stream, err := client.CreateStream(context.Background(), openresponses.Request{
		Model: "echo",
		Input: openresponses.Items{openresponses.UserText("one two three")},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	for ev := range stream.Events() {
		if delta, ok := ev.(*openresponses.OutputTextDeltaEvent); ok {
			fmt.Printf("%q\n", delta.Delta)
		}
	}
	if err := stream.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// "one "
	// "two "
	// "three"
}

// A server that continues earlier responses by their ID.
func ExampleHandler() {
	handler := openresponses.NewHandler(&echo.Adapter{},
		openresponses.WithResponseStore(openresponses.NewMemoryStore(100)))
	server := httptest.NewServer(handler)
	defer server.Close()

	client := openresponses.NewClient(server.URL)
	ask := func(question, previous string) *openresponses.Response {
		resp, err := client.Create(context.Background(), openresponses.Request{
			Model:              "echo",
			Input:              openresponses.Items{openresponses.UserText(question)},
			PreviousResponseID: previous,
		})
		if err != nil {
			log.Fatal(err)
		}
		return resp
	}
	first := ask("Hello there", "")
	second := ask("And again", first.ID)
	fmt.Println(second.OutputText(), *second.PreviousResponseID == first.ID)
	// Output: And again true
}

func ExampleEvents() {
	req := openresponses.Request{Model: "echo", Input: openresponses.Items{openresponses.UserText("Hi!")}}
	for ev, err := range openresponses.Events(context.Background(), &echo.Adapter{}, req) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(ev.EventType())
	}
	// Output:
	// response.created
	// response.in_progress
	// response.output_item.added
	// response.content_part.added
	// response.output_text.delta
	// response.output_text.done
	// response.content_part.done
	// response.output_item.done
	// response.completed
}

func ExampleMemoryStore() {
	ctx := context.Background()
	store := openresponses.NewMemoryStore(2)
	for _, id := range []string{"resp_1", "resp_2", "resp_3"} {
		store.Save(ctx, id, openresponses.Items{openresponses.UserText(id)})
	}
	_, ok, _ := store.Load(ctx, "resp_1")
	fmt.Println(store.Len(), ok)
	// Output: 2 false
}
