package openresponses

import "github.com/ChristopherDavenport/openresponses/internal/jsonx"

// A LogProb is how likely the model held one token of its output.
type LogProb struct {
	Token       string       `json:"token"`
	Logprob     float64      `json:"logprob"` // natural logarithm
	Bytes       []int        `json:"bytes"`   // the token in UTF-8
	TopLogprobs []TopLogProb `json:"top_logprobs"`
}

var logProbFields = jsonx.NewObject("", nil,
	jsonx.String("token", func(l *LogProb) *string { return &l.Token }),
	jsonx.Float("logprob", func(l *LogProb) *float64 { return &l.Logprob }),
	jsonx.List("bytes", jsonx.IntCodec[int](), func(l *LogProb) *[]int { return &l.Bytes }),
	jsonx.List("top_logprobs", topLogProbFields.Codec(), func(l *LogProb) *[]TopLogProb { return &l.TopLogprobs }),
)

// MarshalJSON encodes the value; nil slices are empty arrays.
func (l LogProb) MarshalJSON() ([]byte, error) { return logProbFields.Append(nil, &l) }

// A TopLogProb is how likely the model held a token it may not have chosen.
type TopLogProb struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"` // natural logarithm
	Bytes   []int   `json:"bytes"`   // the token in UTF-8
}

var topLogProbFields = jsonx.NewObject("", nil,
	jsonx.String("token", func(l *TopLogProb) *string { return &l.Token }),
	jsonx.Float("logprob", func(l *TopLogProb) *float64 { return &l.Logprob }),
	jsonx.List("bytes", jsonx.IntCodec[int](), func(l *TopLogProb) *[]int { return &l.Bytes }),
)

// MarshalJSON encodes the value; nil bytes are an empty array.
func (l TopLogProb) MarshalJSON() ([]byte, error) { return topLogProbFields.Append(nil, &l) }
