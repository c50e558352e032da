package interop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/ChristopherDavenport/agentturn/interop/server"
	"github.com/ChristopherDavenport/openresponses"
)

// scriptedUsage is what Scripted counts.
var scriptedUsage = &usage{Input: 11, Cached: 3, Output: 7, Reasoning: 2, Total: 18}

// TestSDKAnswers asks in all forms that a request can have. The answer is the same whole and streamed.
func TestSDKAnswers(t *testing.T) {
	url := start(t)
	message := func(role responses.EasyInputMessageRole, text string) responses.ResponseInputItemUnionParam {
		item := responses.ResponseInputItemParamOfMessage(text, role)
		item.OfMessage.Type = responses.EasyInputMessageTypeMessage
		return item
	}
	tests := []struct {
		name   string
		path   string
		params responses.ResponseNewParams
		want   func(*digest)
	}{
		{
			"text", "/echo/v1", ask("m1", "Hello there, 👋 world"),
			func(d *digest) { d.Text = "Hello there, 👋 world"; d.Items = []string{"message"} },
		},
		{
			"messages", "/echo/v1",
			input("m1", message("developer", "Be brief."), message("user", "one"), message("assistant", "1"), message("user", "two")),
			func(d *digest) { d.Text = "two"; d.Items = []string{"message"} },
		},
		{
			"tool", "/echo/v1", withTools(ask("m1", "Bern"), weatherTool),
			func(d *digest) {
				d.Items = []string{"function_call"}
				d.Calls = []call{{"", "get_weather", `{"place":"Bern"}`}}
			},
		},
		{
			"no tool wanted", "/echo/v1", withChoice(withTools(ask("m1", "Bern"), weatherTool), "none"),
			func(d *digest) { d.Text = "Bern"; d.Items = []string{"message"} },
		},
		{
			"image and file", "/scripted/v1", input(server.Media, userMessage(
				textPart("What is this?"),
				responses.ResponseInputContentUnionParam{OfInputImage: &responses.ResponseInputImageParam{
					ImageURL: openai.String("data:image/png;base64,iVBORw0KGgo="), Detail: responses.ResponseInputImageDetailHigh,
				}},
				responses.ResponseInputContentUnionParam{OfInputFile: &responses.ResponseInputFileParam{
					Filename: openai.String("a.pdf"), FileData: openai.String("data:application/pdf;base64,JVBERi0="),
				}},
			)),
			func(d *digest) {
				d.Text = "text What is this?; image data:image/png;base64,iVBORw0KGgo= high; file a.pdf data:application/pdf;base64,JVBERi0="
				d.Items, d.Usage = []string{"message"}, scriptedUsage
			},
		},
		{
			"reasoning", "/scripted/v1", ask(server.Reasoning, "go"),
			func(d *digest) {
				d.Text, d.Items, d.Usage = "So be it.", []string{"reasoning", "message"}, scriptedUsage
				d.Summaries, d.Reasoning = []string{"First this.", "Then that."}, []string{"Because of it."}
			},
		},
		{
			"refusal", "/scripted/v1", ask(server.Refusal, "go"),
			func(d *digest) { d.Refusal, d.Items, d.Usage = "I will not.", []string{"message"}, scriptedUsage },
		},
		{
			"citations", "/scripted/v1", ask(server.Citations, "go"),
			func(d *digest) {
				d.Text, d.Items, d.Usage = "See there.", []string{"message"}, scriptedUsage
				d.Annotations, d.Logprobs = []string{"url_citation"}, 1
			},
		},
		{
			"foreign items", "/scripted/v1", ask(server.Foreign, "go"),
			func(d *digest) {
				d.Text, d.Items, d.Usage = "Found.", []string{"web_search_call", "message"}, scriptedUsage
				d.Annotations = []string{"file_citation"}
			},
		},
		{
			"odd arguments", "/scripted/v1", ask(server.Calls, "go"),
			func(d *digest) {
				d.Usage = scriptedUsage
				for i, arguments := range server.OddArguments {
					d.Items = append(d.Items, "function_call")
					d.Calls = append(d.Calls, call{fmt.Sprintf("call_%d", i), "tool", arguments})
				}
			},
		},
		{
			"cut off", "/scripted/v1", ask(server.CutOff, "go"),
			func(d *digest) {
				d.Status, d.Text, d.Items, d.Incomplete = "incomplete", "Half a message", []string{"message"}, "max_output_tokens"
			},
		},
	}
	for _, tt := range tests {
		want := newDigest("completed")
		tt.want(&want)
		client := newClient(t, url+tt.path)
		check := func(t *testing.T, resp responses.Response) {
			got := sdkDigest(resp)
			if tt.path == "/echo/v1" {
				if got.Usage == nil || got.Usage.Input == 0 || got.Usage.Total != got.Usage.Input+got.Usage.Output {
					t.Errorf("usage is %+v", got.Usage)
				}
				got.Usage = nil
				for i := range got.Calls {
					got.Calls[i].CallID = "" // random
				}
			}
			compare(t, got, want)
		}
		t.Run(tt.name+"/whole", func(t *testing.T) {
			resp, err := client.Responses.New(t.Context(), tt.params)
			if err != nil {
				t.Fatal(err)
			}
			check(t, *resp)
		})
		t.Run(tt.name+"/streamed", func(t *testing.T) {
			got := drain(t, client.Responses.NewStreaming(t.Context(), tt.params))
			if got.response == nil || got.err != nil {
				t.Fatalf("no response, error %v", got.err)
			}
			check(t, *got.response)
			if got.text.String() != got.response.OutputText() {
				t.Errorf("the deltas come to %q, the response has %q", got.text.String(), got.response.OutputText())
			}
			if text := got.accumulated.Snapshot().OutputText(); text != got.response.OutputText() {
				t.Errorf("the accumulator has %q, the response %q", text, got.response.OutputText())
			}
		})
	}
}

func withTools(params responses.ResponseNewParams, tools ...responses.ToolUnionParam) responses.ResponseNewParams {
	params.Tools = tools
	return params
}

// userMessage is a message with its type.
func userMessage(parts ...responses.ResponseInputContentUnionParam) responses.ResponseInputItemUnionParam {
	item := responses.ResponseInputItemParamOfInputMessage(parts, "user")
	item.OfInputMessage.Type = "message"
	return item
}

var textPart = responses.ResponseInputContentParamOfInputText

// outputOf is the output of a call.
func outputOf[T string | responses.ResponseFunctionCallOutputItemListParam](callID string, output T) responses.ResponseInputItemUnionParam {
	item := responses.ResponseInputItemParamOfFunctionCallOutput(output)
	item.OfFunctionCallOutput.CallID = openai.String(callID)
	return item
}

func withChoice(params responses.ResponseNewParams, mode responses.ToolChoiceOptions) responses.ResponseNewParams {
	params.ToolChoice = responses.ResponseNewParamsToolChoiceUnion{OfToolChoiceMode: openai.Opt(mode)}
	return params
}

// TestSDKBareMessage sends messages without a type, which is what the official client's constructors make.
func TestSDKBareMessage(t *testing.T) {
	client := newClient(t, start(t)+"/echo/v1")
	for name, item := range map[string]responses.ResponseInputItemUnionParam{
		"text":  responses.ResponseInputItemParamOfMessage("two", "user"),
		"parts": responses.ResponseInputItemParamOfInputMessage(responses.ResponseInputMessageContentListParam{textPart("two")}, "user"),
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := client.Responses.New(t.Context(), input("m1", item))
			if err != nil {
				t.Fatal(err)
			}
			if got := resp.OutputText(); got != "two" {
				t.Errorf("the answer is %q", got)
			}
		})
	}
}

// TestSDKToolRoundTrip answers a call, once with all items sent again and once with the response's ID.
func TestSDKToolRoundTrip(t *testing.T) {
	client := newClient(t, start(t)+"/echo/v1")
	question := withTools(ask("m1", "Bern"), weatherTool)
	asked, err := client.Responses.New(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	if len(asked.Output) != 1 || asked.Output[0].Type != "function_call" {
		t.Fatalf("no call in %s", asked.RawJSON())
	}
	made := asked.Output[0].AsFunctionCall()
	output := outputOf(made.CallID, "sunny, 21°")

	history := withTools(input("m1",
		userMessage(textPart("Bern")),
		responses.ResponseInputItemParamOfFunctionCall(made.Arguments, made.CallID, made.Name),
		output,
	), weatherTool)
	continued := withTools(input("m1", output), weatherTool)
	continued.PreviousResponseID = openai.String(asked.ID)

	for name, params := range map[string]responses.ResponseNewParams{"history": history, "previous response": continued} {
		t.Run(name+"/whole", func(t *testing.T) {
			resp, err := client.Responses.New(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := resp.OutputText(), "Tool result: sunny, 21°"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if resp.PreviousResponseID != params.PreviousResponseID.Value {
				t.Errorf("previous_response_id is %q, want %q", resp.PreviousResponseID, params.PreviousResponseID.Value)
			}
		})
		t.Run(name+"/streamed", func(t *testing.T) {
			got := drain(t, client.Responses.NewStreaming(t.Context(), params))
			if got.response == nil {
				t.Fatalf("no response, error %v", got.err)
			}
			if got, want := got.text.String(), "Tool result: sunny, 21°"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			if got := got.response.PreviousResponseID; got != params.PreviousResponseID.Value {
				t.Errorf("previous_response_id is %q, want %q", got, params.PreviousResponseID.Value)
			}
		})
	}
}

// TestSDKParallelOutputs answers many calls at once, in another order, one of them with parts.
func TestSDKParallelOutputs(t *testing.T) {
	client := newClient(t, start(t)+"/scripted/v1")
	asked, err := client.Responses.New(t.Context(), ask(server.Calls, "go"))
	if err != nil {
		t.Fatal(err)
	}
	var items []responses.ResponseInputItemUnionParam
	var want []string
	for i, item := range slices.Backward(asked.Output) {
		id := item.AsFunctionCall().CallID
		output := outputOf(id, fmt.Sprint(i))
		if i == 0 {
			output = outputOf(id, responses.ResponseFunctionCallOutputItemListParam{
				responses.ResponseFunctionCallOutputItemParamOfInputText("in "),
				responses.ResponseFunctionCallOutputItemParamOfInputText("parts"),
			})
			want = append(want, id+"=in parts")
		} else {
			want = append(want, fmt.Sprintf("%s=%d", id, i))
		}
		items = append(items, output)
	}
	params := input(server.Calls, items...)
	params.PreviousResponseID = openai.String(asked.ID)
	resp, err := client.Responses.New(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := resp.OutputText(), strings.Join(want, ","); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSDKChain continues a conversation three times, streamed and whole by turns, and then tries what was not stored.
func TestSDKChain(t *testing.T) {
	client := newClient(t, start(t)+"/scripted/v1")
	previous := param.Opt[string]{}
	for i := range 4 {
		params := ask(server.Media, fmt.Sprint("turn ", i))
		params.PreviousResponseID = previous
		params.Store = openai.Bool(i < 3)
		var resp *responses.Response
		if i%2 == 0 {
			var err error
			if resp, err = client.Responses.New(t.Context(), params); err != nil {
				t.Fatal(err)
			}
		} else if resp = drain(t, client.Responses.NewStreaming(t.Context(), params)).response; resp == nil {
			t.Fatal("no response")
		}
		if got, want := resp.OutputText(), fmt.Sprint("text turn ", i); got != want {
			t.Errorf("turn %d: got %q, want %q", i, got, want)
		}
		stored := resp.JSON.ExtraFields["store"].Raw()
		if resp.PreviousResponseID != previous.Value || stored != fmt.Sprint(i < 3) {
			t.Errorf("turn %d: previous_response_id %q, store %s", i, resp.PreviousResponseID, stored)
		}
		previous = openai.String(resp.ID)
	}
}

// TestSDKReasoningReplay sends the items of a response back as they came, as one does without a store.
func TestSDKReasoningReplay(t *testing.T) {
	client := newClient(t, start(t)+"/scripted/v1")
	params := ask(server.Reasoning, "go")
	params.Include = []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent}
	params.Store = openai.Bool(false)
	params.Reasoning = shared.ReasoningParam{Effort: shared.ReasoningEffortLow, Summary: shared.ReasoningSummaryAuto}
	resp, err := client.Responses.New(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Reasoning.Effort != "low" || resp.Reasoning.Summary != "auto" {
		t.Errorf("reasoning is %s", resp.Reasoning.RawJSON())
	}
	if item := resp.Output[0].AsReasoning(); item.EncryptedContent != "c2VjcmV0" {
		t.Errorf("encrypted_content is %q", item.EncryptedContent)
	}
	reasoning, message := resp.Output[0].AsReasoning().ToParam(), resp.Output[1].AsMessage().ToParam()
	resp, err = client.Responses.New(t.Context(), input(server.Media,
		responses.ResponseInputItemUnionParam{OfReasoning: &reasoning},
		responses.ResponseInputItemUnionParam{OfOutputMessage: &message},
		userMessage(textPart("on"))))
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.OutputText(); got != "text on" {
		t.Errorf("got %q", got)
	}
}

// TestSDKEcho checks that the response repeats what the request set.
func TestSDKEcho(t *testing.T) {
	client := newClient(t, start(t)+"/scripted/v1")
	params := withTools(ask(server.Structured, "Bern?"), weatherTool,
		responses.ToolUnionParam{OfFunction: &responses.FunctionToolParam{Name: "loose", Parameters: map[string]any{"type": "object"}}})
	params.Instructions = openai.String("Answer in JSON.")
	params.Metadata = shared.Metadata{"a": "b"}
	params.Temperature, params.TopP = openai.Float(0), openai.Float(0.5)
	params.MaxOutputTokens, params.MaxToolCalls = openai.Int(100), openai.Int(3)
	params.TopLogprobs = openai.Int(2)
	params.ParallelToolCalls = openai.Bool(false)
	params.PromptCacheKey, params.SafetyIdentifier = openai.String("key"), openai.String("user")
	params.ServiceTier = responses.ResponseNewParamsServiceTierFlex
	params.Truncation = responses.ResponseNewParamsTruncationAuto
	params.ToolChoice = responses.ResponseNewParamsToolChoiceUnion{
		OfFunctionTool: &responses.ToolChoiceFunctionParam{Name: "loose"},
	}
	params.Text = responses.ResponseTextConfigParam{
		Verbosity: responses.ResponseTextConfigVerbosityLow,
		Format: responses.ResponseFormatTextConfigUnionParam{OfJSONSchema: &responses.ResponseFormatTextJSONSchemaConfigParam{
			Name: "weather", Strict: openai.Bool(true), Description: openai.String("the weather"),
			Schema: map[string]any{"type": "object", "additionalProperties": false},
		}},
	}
	whole, err := client.Responses.New(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	streamed := drain(t, client.Responses.NewStreaming(t.Context(), params)).response
	if streamed == nil {
		t.Fatal("no response in the stream")
	}
	for name, resp := range map[string]*responses.Response{"whole": whole, "streamed": streamed} {
		t.Run(name, func(t *testing.T) {
			format := resp.Text.Format.AsJSONSchema()
			tools := fmt.Sprintf("%s %v, %s %v", resp.Tools[0].Name, resp.Tools[0].Strict, resp.Tools[1].Name, resp.Tools[1].JSON.Strict.Raw())
			for member, values := range map[string][2]any{
				"text":                 {resp.OutputText(), `{"city":"Bern","degrees":21.5}`},
				"text.format":          {fmt.Sprint(format.Name, format.Strict, format.Description, len(format.Schema)), fmt.Sprint("weather", true, "the weather", 2)},
				"text.verbosity":       {string(resp.Text.Verbosity), "low"},
				"instructions":         {resp.Instructions.OfString, "Answer in JSON."},
				"metadata":             {fmt.Sprint(resp.Metadata), fmt.Sprint(map[string]string{"a": "b"})},
				"temperature":          {resp.Temperature, 0.0},
				"top_p":                {resp.TopP, 0.5},
				"max_output_tokens":    {resp.MaxOutputTokens, int64(100)},
				"max_tool_calls":       {resp.MaxToolCalls, int64(3)},
				"top_logprobs":         {resp.TopLogprobs, int64(2)},
				"parallel_tool_calls":  {resp.ParallelToolCalls, false},
				"prompt_cache_key":     {resp.PromptCacheKey, "key"},
				"safety_identifier":    {resp.SafetyIdentifier, "user"},
				"service_tier":         {string(resp.ServiceTier), "flex"},
				"truncation":           {string(resp.Truncation), "auto"},
				"tool_choice":          {resp.ToolChoice.Name, "loose"},
				"tools, strict stated": {tools, "get_weather true, loose false"},
			} {
				if values[0] != values[1] {
					t.Errorf("%s is %v, want %v", member, values[0], values[1])
				}
			}
		})
	}
}

// TestSDKInvalidText streams bytes that are not text. They arrive as replacement characters, the same in the deltas
// and in the end, and never break the JSON.
func TestSDKInvalidText(t *testing.T) {
	client := newClient(t, start(t)+"/scripted/v1")
	got := drain(t, client.Responses.NewStreaming(t.Context(), ask(server.Surrogates, "go")))
	if got.response == nil {
		t.Fatalf("no response, error %v", got.err)
	}
	if text := got.response.OutputText(); !strings.HasPrefix(text, "a\ufffdb") || strings.Contains(text, "\xff") {
		t.Errorf("the text is %q", text)
	}
	if arguments := got.response.Output[1].AsFunctionCall().Arguments; arguments != "{\"a\":\"\ufffd\"}" {
		t.Errorf("the arguments are %q", arguments)
	}
}

// TestSDKCompact compacts a conversation and goes on from what it became.
func TestSDKCompact(t *testing.T) {
	client := newClient(t, start(t)+"/echo/v1")
	compacted, err := client.Responses.Compact(t.Context(), responses.ResponseCompactParams{
		Model: "m1",
		Input: responses.ResponseCompactParamsInputUnion{OfString: openai.String("remember")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if compacted.Object != openresponses.ObjectCompaction || len(compacted.Output) != 1 || compacted.Usage.TotalTokens == 0 {
		t.Fatalf("got %s", compacted.RawJSON())
	}
	item := compacted.Output[0].AsCompaction()
	resp, err := client.Responses.New(t.Context(), input("m1",
		responses.ResponseInputItemParamOfCompaction(item.EncryptedContent)))
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.OutputText(); got != "remember" {
		t.Errorf("got %q", got)
	}
}
