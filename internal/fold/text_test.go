package fold

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSendable(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", ``, ``},
		{"plain", `{"a":"b"}`, `{"a":"b"}`},
		{"escapes", `"\n\"\\\u0041\u00e9"`, `"\n\"\\\u0041\u00e9"`},
		{"a pair", `"\ud83d\ude00"`, `"\ud83d\ude00"`},
		{"a pair in capitals", `"\uD83D\uDE00"`, `"\uD83D\uDE00"`},
		{"high alone", `"\ud83d"`, `"\ufffd"`},
		{"high before text", `"\ud83dabcdef"`, `"\ufffdabcdef"`},
		{"high before another escape", `"\ud83d\u0041\n"`, `"\ufffd\u0041\n"`},
		{"low alone", `"\ude00"`, `"\ufffd"`},
		{"the wrong way round", `"\ude00\ud83d"`, `"\ufffd\ufffd"`},
		{"high before a pair", `"\ud83d\ud83d\ude00"`, `"\ufffd\ud83d\ude00"`},
		{"a pair before low", `"\ud83d\ude00\ude00"`, `"\ud83d\ude00\ufffd"`},
		{"an escaped backslash", `"\\ud83d"`, `"\\ud83d"`},
		{"an escaped backslash before one", `"\\\ud83d"`, `"\\\ufffd"`},
		{"in a name", `{"\ud83d":1}`, `{"\ufffd":1}`},
		{"cut within the escape", `"\ud8`, `"\ud8`},
		{"cut after the backslash", `"\`, `"\`},
		{"cut within the low half", `"\ud83d\ude`, `"\ufffd\ude`},
		{"no hex", `"\uzzzz\u+123\u_123"`, `"\uzzzz\u+123\u_123"`},
		{"not UTF-8", "\"a\xffb\"", "\"a\ufffdb\""},
		{"an emoji cut short", "\"\xf0\x9f\x98\"", "\"\ufffd\""},
		{"both", "\"\xff\\ud83d\"", "\"\ufffd\\ufffd\""},
		{"an emoji", `"😀"`, `"😀"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Sendable(test.in); got != test.want {
				t.Errorf("Sendable(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func FuzzSendable(f *testing.F) {
	for _, seed := range []string{`{"a":"b"}`, `"\ud83d\ude00"`, `"\ud83d"`, `"\\ud83d"`, "\"\xff\"", `"\`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := Sendable(in)
		if !utf8.ValidString(got) {
			t.Errorf("%q is not UTF-8", got)
		}
		if again := Sendable(got); again != got {
			t.Errorf("%q became %q, and that %q", in, got, again)
		}
		if json.Valid([]byte(in)) != json.Valid([]byte(got)) {
			t.Errorf("%q became %q", in, got)
		}
		// What Go reads is the same: it replaces what is replaced here.
		var before, after string
		if json.Unmarshal([]byte(in), &before) == nil && json.Unmarshal([]byte(got), &after) == nil {
			if squeeze(before) != squeeze(after) {
				t.Errorf("%q reads %q, and %q reads %q", in, before, got, after)
			}
		}
	})
}

// squeeze makes one of replacement characters in a row: how many bytes one stands for differs.
func squeeze(s string) string {
	const mark = string(utf8.RuneError)
	for strings.Contains(s, mark+mark) {
		s = strings.ReplaceAll(s, mark+mark, mark)
	}
	return s
}
