package websocket_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
	"github.com/ChristopherDavenport/openresponses/websocket"
)

// A server and a client that continues the first response in a second turn, though nothing is stored.
func Example() {
	server := httptest.NewServer(websocket.Handler(openresponses.NewHandler(&echo.Adapter{})))
	defer server.Close()

	ctx := context.Background()
	conn, err := websocket.Dial(ctx, openresponses.NewClient(server.URL+"/v1"))
	if err != nil {
		log.Fatal(err)
	}
	defer conn.Close()

	keep := false
	req := openresponses.Request{Model: "echo", Input: openresponses.Items{openresponses.UserText("Hi!")}, Store: &keep}
	for _, next := range []string{"And again.", ""} {
		resp, err := conn.Turn(ctx, req)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(resp.OutputText())
		req.PreviousResponseID = resp.ID
		req.Input = openresponses.Items{openresponses.UserText(next)}
	}
	// Output:
	// Hi!
	// And again.
}
