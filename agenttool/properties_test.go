package agenttool_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
)

// bareTool has the four methods of a tool and nothing else.
type bareTool struct{ name string }

func (t bareTool) Name() string                { return t.name }
func (t bareTool) Description() string         { return "about " + t.name }
func (t bareTool) Parameters() json.RawMessage { return nil }
func (t bareTool) Execute(context.Context, agenttool.Call) (agenttool.Result, error) {
	return agenttool.Text(t.name), nil
}

// fullTool has every optional interface, and answers what its fields say.
type fullTool struct {
	bareTool
	strict, sequential bool
	resource           string
	annotations        agenttool.Annotations
	confined           bool
	confinedBy         string
	replay             agenttool.Replay
	closed             *int
}

func (t fullTool) Strict() bool                       { return t.strict }
func (t fullTool) Sequential() bool                   { return t.sequential }
func (t fullTool) Resource() string                   { return t.resource }
func (t fullTool) Annotations() agenttool.Annotations { return t.annotations }
func (t fullTool) Close() error                       { *t.closed++; return nil }
func (t fullTool) Confined(context.Context, json.RawMessage) (bool, string) {
	return t.confined, t.confinedBy
}
func (t fullTool) Replay(context.Context, json.RawMessage) agenttool.Replay { return t.replay }

// said is everything the readers read of a tool.
type said struct {
	strict, sequential bool
	resource           string
	annotations        agenttool.Annotations
	confined           bool
	confinedBy         string
	replay             agenttool.Replay
}

func read(ctx context.Context, t agenttool.Tool) said {
	s := said{
		strict:      agenttool.IsStrict(t),
		sequential:  agenttool.IsSequential(t),
		resource:    agenttool.ResourceOf(t),
		annotations: agenttool.AnnotationsOf(t),
		replay:      agenttool.ReplayOf(ctx, t, nil),
	}
	s.confined, s.confinedBy = agenttool.ConfinedBy(ctx, t, nil)
	return s
}

func TestReaders(t *testing.T) {
	annotations := agenttool.Annotations{Title: "T", ReadOnly: true, Destructive: true, Idempotent: true, OpenWorld: true}
	tests := []struct {
		name string
		tool agenttool.Tool
		want said
	}{
		{"a tool that says nothing", bareTool{}, said{}},
		{"no tool", nil, said{}},
		{"strict", fullTool{strict: true}, said{strict: true}},
		{"sequential", fullTool{sequential: true}, said{sequential: true}},
		{"resource", fullTool{resource: "shell:session"}, said{resource: "shell:session"}},
		{"the resource of a sequential tool is none", fullTool{sequential: true, resource: "r"}, said{sequential: true}},
		{"annotations", fullTool{annotations: annotations}, said{annotations: annotations}},
		{"confined", fullTool{confined: true, confinedBy: "vm"}, said{confined: true, confinedBy: "vm"}},
		{"what confines a call that is not confined is empty", fullTool{confinedBy: "vm"}, said{}},
		{"safe", fullTool{replay: agenttool.ReplaySafe}, said{replay: agenttool.ReplaySafe}},
		{"keyed", fullTool{replay: agenttool.ReplayKeyed}, said{replay: agenttool.ReplayKeyed}},
		{"another replay value is unknown", fullTool{replay: 3}, said{}},
		{"a negative replay value is unknown", fullTool{replay: -1}, said{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := read(t.Context(), tt.tool); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestReadersPassTheCall(t *testing.T) {
	type key struct{}
	ctx := context.WithValue(t.Context(), key{}, true)
	args := json.RawMessage(`{"a":1}`)
	check := func(ctx context.Context, got json.RawMessage) {
		t.Helper()
		if ctx.Value(key{}) == nil || string(got) != string(args) {
			t.Errorf("asked with %s", got)
		}
	}
	asked := 0
	tool := agenttool.New("t", "", noArgs,
		agenttool.WithConfined(func(ctx context.Context, args json.RawMessage) (bool, string) {
			asked++
			check(ctx, args)
			return true, "vm"
		}),
		agenttool.WithReplay(func(ctx context.Context, args json.RawMessage) agenttool.Replay {
			asked++
			check(ctx, args)
			return agenttool.ReplaySafe
		}))
	agenttool.ConfinedBy(ctx, tool, args)
	agenttool.ReplayOf(ctx, tool, args)
	if asked != 2 {
		t.Errorf("asked %d times, want 2", asked)
	}
}

func TestReplayString(t *testing.T) {
	for replay, want := range map[agenttool.Replay]string{
		agenttool.ReplayUnknown: "unknown",
		agenttool.ReplaySafe:    "safe",
		agenttool.ReplayKeyed:   "keyed",
		3:                       "unknown",
		-1:                      "unknown",
	} {
		if got := replay.String(); got != want {
			t.Errorf("Replay(%d) is %q, want %q", int(replay), got, want)
		}
	}
}

func noArgs(context.Context, agenttool.NoArgs) (string, error) { return "done", nil }
