package chatcompletions_test

import (
	"os"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/streamtest"
)

// Whatever a server answers is a stream that keeps to the protocol, or an error.
func FuzzAnswer(f *testing.F) {
	files, err := os.ReadDir("testdata/answers")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		f.Add(readAnswer(f, file.Name()))
	}
	f.Add(`data: {"choices":[{"delta":{"tool_calls":[{"index":-1,"function":{"name":"f"}},{}]}}]}`)
	f.Add(`{"choices":[{"message":{"content":"` + "\xff" + `\ud800"},"finish_reason":"stop"}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		u, adapter := answering(body)
		sink, err := streamtest.Run(t.Context(), adapter, user("hi"))
		if u.closed == 0 {
			t.Error("the body was not closed")
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "CreateStream: ") {
				t.Fatal(err) // the stream is not valid
			}
			return
		}
		for _, item := range sink.Response().Output {
			if call, ok := item.(*or.FunctionCall); ok && (call.Name == "" || call.CallID == "") {
				t.Errorf("a call without a name or an ID: %+v", call)
			}
		}
	})
}
