package openresponses_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ChristopherDavenport/openresponses"
)

// Items are told apart by a type switch. One of a type that nobody registered is
// kept as it came.
func ExampleUnmarshalItem() {
	for _, text := range []string{
		`{"type":"message","role":"user","content":"What is the weather?"}`,
		`{"type":"function_call","call_id":"call_1","name":"weather","arguments":"{\"city\":\"Oslo\"}"}`,
		`{"type":"acme:search","query":"weather"}`,
	} {
		item, err := openresponses.UnmarshalItem([]byte(text))
		if err != nil {
			fmt.Println(err)
			return
		}
		switch item := item.(type) {
		case *openresponses.Message:
			fmt.Println(item.Role, "says", item.Text())
		case *openresponses.FunctionCall:
			var args struct{ City string }
			if err := item.UnmarshalArguments(&args); err != nil {
				fmt.Println(err)
			}
			fmt.Println("call", item.Name, "for", args.City)
		case *openresponses.UnknownItem:
			fmt.Println("unknown", item.Type)
		}
	}
	// Output:
	// user says What is the weather?
	// call weather for Oslo
	// unknown acme:search
}

type search struct {
	Query string `json:"query"`
}

func (*search) ItemType() string { return "example:search" }

// A program adds its own item types once, as it starts.
func ExampleRegisterItem() {
	openresponses.RegisterItem("example:search", func(raw json.RawMessage) (openresponses.Item, error) {
		s := new(search)
		return s, json.Unmarshal(raw, s)
	})
	item, err := openresponses.UnmarshalItem([]byte(`{"type":"example:search","query":"weather"}`))
	fmt.Println(item.(*search).Query, err)
	// Output: weather <nil>
}

// A request names the member at fault before it is sent.
func ExampleRequest_Validate() {
	req := openresponses.Request{
		Model: "example",
		Input: openresponses.Items{
			openresponses.UserText("hello"),
			openresponses.NewFunctionCallOutput("call_1", "an output without its call"),
		},
	}
	var e *openresponses.Error
	if errors.As(req.Validate(), &e) {
		fmt.Println(e.Code, e.Param)
	}
	// Output: invalid_value input[1].call_id
}
