package interop_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/ChristopherDavenport/agentturn/interop/server"
)

// start returns the URL of a server that ends with the test.
func start(t *testing.T) string {
	t.Helper()
	s, err := server.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.URL()
}

// newClient returns the official client for a base URL. It does not retry, unless an option says so.
func newClient(t *testing.T, baseURL string, opts ...option.RequestOption) openai.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return openai.NewClient(append([]option.RequestOption{
		option.WithBaseURL(baseURL + "/"),
		option.WithAPIKey("key"),
		option.WithHTTPClient(&http.Client{Transport: transport, Timeout: time.Minute}),
		option.WithMaxRetries(0),
	}, opts...)...)
}

// ask is a request with one text.
func ask(model, text string) responses.ResponseNewParams {
	return responses.ResponseNewParams{
		Model: shared.ResponsesModel(model),
		Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(text)},
	}
}

// input is a request with items.
func input(model string, items ...responses.ResponseInputItemUnionParam) responses.ResponseNewParams {
	return responses.ResponseNewParams{
		Model: shared.ResponsesModel(model),
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: items},
	}
}

// keyed adds the metadata by which the server tells requests apart.
func keyed(t *testing.T, params responses.ResponseNewParams) responses.ResponseNewParams {
	params.Metadata = shared.Metadata{server.Key: t.Name()}
	return params
}

var weatherTool = responses.ToolUnionParam{OfFunction: &responses.FunctionToolParam{
	Name:        "get_weather",
	Description: openai.String("Get the weather of a place."),
	Parameters: map[string]any{
		"type":                 "object",
		"properties":           map[string]any{"place": map[string]any{"type": "string"}},
		"required":             []string{"place"},
		"additionalProperties": false,
	},
	Strict: openai.Bool(true),
}}
