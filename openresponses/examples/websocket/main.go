// Command websocket holds a conversation over one connection. The server keeps it for as long as the connection lasts
// and stores nothing.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

func main() {
	client := openresponses.NewClient(
		cmp.Or(os.Getenv("OPENRESPONSES_BASE_URL"), "https://api.openai.com/v1"),
		openresponses.WithAPIKey(os.Getenv("OPENRESPONSES_API_KEY")),
	)
	if err := talk(context.Background(), client); err != nil {
		log.Fatal(err)
	}
}

func talk(ctx context.Context, client *openresponses.Client) error {
	conn, err := websocket.Dial(ctx, client)
	if err != nil {
		return err
	}
	defer conn.Close()
	store := false
	req := openresponses.Request{Model: cmp.Or(os.Getenv("OPENRESPONSES_MODEL"), "gpt-5"), Store: &store}
	for _, question := range []string{"Name a river.", "Where does it rise?"} {
		req.Input = openresponses.Items{openresponses.UserText(question)}
		resp, err := conn.Turn(ctx, req)
		if err != nil {
			return err
		}
		fmt.Printf("%s\n%s\n\n", question, resp.OutputText())
		req.PreviousResponseID = resp.ID
	}
	return nil
}
