package responses_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

// An agent with a tool, served as a model. To a client it is a server like any other.
func Example() {
	type place struct {
		City string `json:"city"`
	}
	weather := agenttool.New("weather", "Tells the weather.", func(_ context.Context, at place) (string, error) {
		return "Sunny in " + at.City, nil
	})
	adapter := responses.New(agentturn.Config{Model: &echo.Adapter{}, Tools: []agenttool.Tool{weather}})
	server := httptest.NewServer(openresponses.NewHandler(adapter))
	defer server.Close()

	response, err := openresponses.NewClient(server.URL).Create(context.Background(), openresponses.Request{
		Model: "agent", Input: openresponses.Items{openresponses.UserText("Oslo")},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.OutputText())
	// Output: Tool result: Sunny in Oslo
}
