package openresponses

import (
	"encoding/json"
	"fmt"
	"testing"
)

var deltaFrame = []byte(`{"type":"response.output_text.delta","sequence_number":42,"item_id":"msg_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654","output_index":0,"content_index":0,"delta":" the quick","logprobs":[]}`)

// plainDelta has the fields of OutputTextDeltaEvent for encoding/json to decode.
type plainDelta struct {
	Type           string         `json:"type"`
	SequenceNumber int64          `json:"sequence_number"`
	ItemID         string         `json:"item_id"`
	OutputIndex    int            `json:"output_index"`
	ContentIndex   int            `json:"content_index"`
	Delta          string         `json:"delta"`
	Logprobs       []plainLogProb `json:"logprobs"`
	Obfuscation    string         `json:"obfuscation"`
}

type plainLogProb struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
}

func BenchmarkDecodeDelta(b *testing.B) {
	b.Run("DecodeEvent", func(b *testing.B) {
		b.SetBytes(int64(len(deltaFrame)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := DecodeEvent(deltaFrame); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("stream", func(b *testing.B) {
		b.SetBytes(int64(len(deltaFrame)))
		b.ReportAllocs()
		var d eventDecoder
		for b.Loop() {
			if _, err := d.decode(deltaFrame); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(deltaFrame)))
		b.ReportAllocs()
		for b.Loop() {
			if err := json.Unmarshal(deltaFrame, new(plainDelta)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncodeDelta(b *testing.B) {
	ev, err := DecodeEvent(deltaFrame)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("EncodeEvent", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := EncodeEvent(ev); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		var plain plainDelta
		if err := json.Unmarshal(deltaFrame, &plain); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(&plain); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// plainRequest and what it holds are what encoding/json would be given by
// someone without these types.
type plainRequest struct {
	Model string      `json:"model"`
	Input []plainItem `json:"input"`
}

type plainItem struct {
	Type      string      `json:"type"`
	ID        string      `json:"id,omitempty"`
	Role      string      `json:"role,omitempty"`
	Content   []plainPart `json:"content,omitempty"`
	CallID    string      `json:"call_id,omitempty"`
	Name      string      `json:"name,omitempty"`
	Arguments string      `json:"arguments,omitempty"`
	Output    string      `json:"output,omitempty"`
}

type plainPart struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

const benchText = "The transcript of a long run holds texts like this one,\nwith \"quotes\" and line ends, some of them longer and some shorter than a line."

// benchRequests returns a request of n items, and its plain form.
func benchRequests(n int) (Request, plainRequest) {
	req, plain := Request{Model: "m"}, plainRequest{Model: "m"}
	for i := 0; len(req.Input) < n; i++ {
		id := fmt.Sprintf("call_%08d", i)
		args := `{"path":"/tmp/file.txt","line":` + fmt.Sprint(i) + `}`
		req.Input = append(req.Input,
			UserText(benchText),
			&FunctionCall{ID: "fc_" + id, CallID: id, Name: "read_file", Arguments: args},
			NewFunctionCallOutput(id, benchText+benchText),
			AssistantText(benchText))
		plain.Input = append(plain.Input,
			plainItem{Type: "message", Role: "user", Content: []plainPart{{"input_text", benchText}}},
			plainItem{Type: "function_call", ID: "fc_" + id, CallID: id, Name: "read_file", Arguments: args},
			plainItem{Type: "function_call_output", CallID: id, Output: benchText + benchText},
			plainItem{Type: "message", Role: "assistant", Content: []plainPart{{"output_text", benchText}}})
	}
	return req, plain
}

func BenchmarkEncodeRequest(b *testing.B) {
	req, plain := benchRequests(1000)
	b.Run("Request", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := req.MarshalJSON(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("json.Marshal-Request", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(req); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(plain); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkDecodeRequest(b *testing.B) {
	req, _ := benchRequests(1000)
	data, err := json.Marshal(req)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Request", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var got Request
			if err := got.UnmarshalJSON(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var got plainRequest
			if err := json.Unmarshal(data, &got); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkItemsClone(b *testing.B) {
	req, _ := benchRequests(1000)
	b.ReportAllocs()
	for b.Loop() {
		req.Input.Clone()
	}
}
