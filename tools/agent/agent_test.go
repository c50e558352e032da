package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	at "github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/agentturn/tools/agent"
	"github.com/ChristopherDavenport/openresponses"
)

type question struct {
	Topic string `json:"topic" desc:"What about"`
}

func TestConstruction(t *testing.T) {
	named := func(name string) agentturn.Config { return agentturn.Config{Name: name} }
	t.Run("G001", func(t *testing.T) {
		if panics(func() { agent.New(named("")) }) == nil || panics(func() { agent.New(named(""), agent.WithToolName("x")) }) == nil {
			t.Error("an agent without a name")
		}
	})
	t.Run("G002", func(t *testing.T) {
		for _, name := range []string{"a b", "a/b", strings.Repeat("x", 65)} {
			if panics(func() { agent.New(named(name)) }) == nil {
				t.Errorf("name %q", name)
			}
			if tool := agent.New(named(name), agent.WithToolName("ok_name")); tool.Name() != "ok_name" {
				t.Errorf("name %q", tool.Name())
			}
		}
	})
	t.Run("G003", func(t *testing.T) {
		for _, name := range []string{"", "a b"} {
			if panics(func() { agent.WithToolName(name) }) == nil {
				t.Errorf("name %q", name)
			}
		}
	})
	t.Run("G004", func(t *testing.T) {
		tool := agent.New(agentturn.Config{Name: "helper", Description: "Helps."})
		var schema struct {
			Type       string
			Properties map[string]struct{ Type, Description string }
			Required   []string
		}
		if err := json.Unmarshal(tool.Parameters(), &schema); err != nil {
			t.Fatal(err)
		}
		if schema.Type != "object" || len(schema.Properties) != 1 || schema.Properties["input"].Type != "string" ||
			schema.Properties["input"].Description != "The task or question for the agent" || fmt.Sprint(schema.Required) != "[input]" || tool.Description() != "Helps." {
			t.Errorf("schema %s", tool.Parameters())
		}
	})
	render := func(q question) openresponses.Items {
		return openresponses.Items{openresponses.UserText("about " + q.Topic)}
	}
	perCall := agent.WithCallConfig(func(_ context.Context, q question, _ agentturn.Transcript, cfg agentturn.Config) (agentturn.Config, openresponses.Items, error) {
		return cfg, openresponses.Items{openresponses.UserText("configured " + q.Topic)}, nil
	})
	t.Run("G006", func(t *testing.T) {
		for want, opts := range map[bool][]agent.Option{
			true: {agent.WithStrictArgs(render)}, false: {agent.WithStrictArgs(render), agent.WithArgs(render)},
		} {
			if got := agenttool.IsStrict(agent.New(named("helper"), opts...)); got != want {
				t.Errorf("strict %t", got)
			}
		}
		if agenttool.IsStrict(agent.New(named("helper"))) || agenttool.IsStrict(agent.New(named("helper"), agent.WithStrictArgs(render), perCall)) {
			t.Error("strict")
		}
	})
	t.Run("G007", func(t *testing.T) {
		for want, opts := range map[string][]agent.Option{"user:about tea": {perCall, agent.WithArgs(render)}, "user:configured tea": {agent.WithArgs(render), perCall}} {
			model := at.NewModel(t, at.Text("ok"))
			if _, err := execute(t.Context(), agent.New(child(model), opts...), `{"topic":"tea"}`); err != nil {
				t.Fatal(err)
			}
			if got := kinds(model.Request(1).Input); got != want {
				t.Errorf("the child began with %q, want %q", got, want)
			}
		}
	})
	t.Run("no schema", func(t *testing.T) {
		if panics(func() { agent.WithArgs(func(chan int) openresponses.Items { return nil }) }) == nil {
			t.Error("a type without a schema")
		}
	})
}

func TestArguments(t *testing.T) {
	t.Run("G005", func(t *testing.T) {
		model := at.NewModel(t, at.Text("ok"))
		called(t, agent.New(child(model)))
		if got := kinds(model.Request(1).Input); got != "user:find it" {
			t.Errorf("the child began with %q", got)
		}
	})
	var seen observed
	spawned := 0
	watch := []agent.Option{agent.WithObserver(seen.observe), agent.WithSpawn(func(string, *agentturn.Agent) { spawned++ })}
	t.Run("G008", func(t *testing.T) {
		for _, args := range []string{`{"input":5}`, `{`, `[]`} {
			result, err := execute(t.Context(), agent.New(child(at.NewModel(t)), watch...), args)
			if err == nil || !strings.HasPrefix(err.Error(), "invalid arguments:") || result.Details != nil || spawned > 0 || len(seen.events) > 0 {
				t.Errorf("%s: %+v, error %v", args, result, err)
			}
		}
	})
	t.Run("G009", func(t *testing.T) {
		none := agent.WithArgs(func(question) openresponses.Items { return nil })
		_, err := execute(t.Context(), agent.New(child(at.NewModel(t)), append(watch, none)...), `{}`)
		if err == nil || err.Error() != `agent "helper": arguments rendered no items` || spawned > 0 || len(seen.events) > 0 {
			t.Errorf("error %v", err)
		}
	})
	t.Run("G010 G012", func(t *testing.T) {
		var o observed
		other := at.NewModel(t, at.Text("from the other"))
		var topic, parent, model string
		tool := agent.New(child(at.NewModel(t)), agent.WithObserver(o.observe), agent.WithCallConfig(
			func(ctx context.Context, q agent.Input, tr agentturn.Transcript, cfg agentturn.Config) (agentturn.Config, openresponses.Items, error) {
				topic, parent, model = q.Input, kinds(tr), cfg.Description
				cfg.Model, cfg.Description = other, "changed"
				return cfg, openresponses.Items{openresponses.UserText("go")}, nil
			}))
		if end := called(t, tool); end.Result.Output.Text != "from the other" {
			t.Errorf("%+v", end)
		}
		if topic != "find it" || parent != "user:hi call:call_1 output:call_1" || model != "Helps." {
			t.Errorf("given %q, %q, %q", topic, parent, model)
		}
		if cfg, ok := agent.ConfigFromContext(o.at(agentturn.EventRunStart)); !ok || cfg.Description != "changed" {
			t.Errorf("the observer is told of %q, %t", cfg.Description, ok)
		}
	})
	t.Run("G011", func(t *testing.T) {
		failing := func(cfgErr error, name string) agenttool.Tool {
			return agent.New(child(at.NewModel(t)), agent.WithCallConfig(func(_ context.Context, _ agent.Input, _ agentturn.Transcript, cfg agentturn.Config) (agentturn.Config, openresponses.Items, error) {
				cfg.Name = name
				return cfg, openresponses.Items{openresponses.UserText("go")}, cfgErr
			}))
		}
		if _, err := execute(t.Context(), failing(errTest, "helper"), asked); err != errTest {
			t.Errorf("error %v", err)
		}
		if _, err := execute(t.Context(), failing(nil, "other"), asked); err == nil || err.Error() != `agent "helper": the call's configuration is named "other"` {
			t.Errorf("error %v", err)
		}
	})
}

func TestSeeds(t *testing.T) {
	t.Run("G013", func(t *testing.T) {
		asks := 0
		tool := agent.New(child(at.NewModel(t, at.Text("ok"))), agent.WithTranscript(func(parent agentturn.Transcript) agentturn.Transcript {
			asks++
			if parent != nil {
				t.Errorf("parent %s", kinds(parent))
			}
			return nil
		}))
		if _, err := execute(t.Context(), tool, asked); err != nil || asks != 1 {
			t.Errorf("asked %d times, error %v", asks, err)
		}
	})
	t.Run("G014 G015 G016", func(t *testing.T) {
		at.NoLeaks(t)
		model := at.NewModel(t, at.Text("ok"))
		var seeds []string
		tool := agent.New(child(model), agent.WithTranscript(func(parent agentturn.Transcript) agentturn.Transcript {
			for _, item := range parent[len(parent)-2:] {
				seeds = append(seeds, item.(*openresponses.FunctionCallOutput).Output.Text)
			}
			return parent
		}))
		parent := agentturn.New(agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("helper", asked), at.Call("other", `{}`)}, at.Text("thanks")), Tools: []agenttool.Tool{tool, saying("other", "x")}})
		rec := &at.Recorder{}
		parent.Subscribe(rec.Record)
		end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
		if err != nil || kinds(end.Items) != "user:hi call:call_1 call:call_2 output:call_1 output:call_2 assistant:thanks" {
			t.Fatalf("%s, error %v", kinds(end.Items), err)
		}
		if len(seeds) != 2 || !strings.HasPrefix(seeds[0], "(in progress: ") || !strings.Contains(seeds[0], `"helper"`) || !strings.HasPrefix(seeds[1], "(in progress: ") || !strings.Contains(seeds[1], "alongside") {
			t.Errorf("placeholders %q", seeds)
		}
		if got := kinds(model.Request(1).Input); got != "user:hi call:call_1 call:call_2 output:call_1 output:call_2 user:find it" {
			t.Errorf("the child was sent %s", got)
		}
		for _, ev := range rec.Events() {
			if e, ok := ev.(*agentturn.ToolEnd); ok && e.CallID == "call_1" {
				if got := kinds(info(t, e.Result.Details).Items); got != "user:find it assistant:ok" {
					t.Errorf("items %s", got)
				}
			}
		}
	})
	t.Run("G046", func(t *testing.T) {
		tool := agent.New(child(at.NewModel(t)), agent.WithTranscript(func(agentturn.Transcript) agentturn.Transcript {
			return agentturn.Transcript{openresponses.UserText("x"), &openresponses.FunctionCall{CallID: "open", Name: "x"}}
		}))
		result, err := execute(t.Context(), tool, asked)
		var needs *agent.InputRequiredError
		if !errors.Is(err, agentturn.ErrInputRequired) || errors.As(err, &needs) || result.Details != nil || !strings.HasPrefix(err.Error(), `agent "helper": `) {
			t.Errorf("%+v, error %v", result, err)
		}
	})
}

func TestResults(t *testing.T) {
	t.Run("G017", func(t *testing.T) {
		end := called(t, agent.New(child(at.NewModel(t, at.Text("found")))))
		i := info(t, end.Result.Details)
		if end.Result.Output.Text != "found" || end.Err != nil || i.Agent != "helper" || !strings.HasPrefix(i.RunID, "run_") || kinds(i.Items) != "user:find it assistant:found" || i.Reason != agentturn.ReasonDone {
			t.Errorf("%+v", end)
		}
	})
	t.Run("G018", func(t *testing.T) {
		parent, rec := calling(t, agent.New(child(at.NewModel(t, at.Attempt{at.Text("looking"), at.Call("x", `{}`)}, at.Text("found")), saying("x", "y"))))
		if _, err := parent.Prompt(t.Context(), openresponses.UserText("hi")); err != nil {
			t.Fatal(err)
		}
		var updates []string
		for _, ev := range rec.Events() {
			if u, ok := ev.(*agentturn.ToolUpdate); ok {
				i := info(t, u.Partial.Details)
				if i.Agent != "helper" || i.RunID == "" || i.Items != nil || i.Reason != "" {
					t.Errorf("details %+v", i)
				}
				updates = append(updates, u.Partial.Output.Text)
			}
		}
		if len(updates) != 2 || updates[0] != "looking" || updates[1] != "looking\n\nfound" {
			t.Errorf("updates %q", updates)
		}
	})
	t.Run("G019", func(t *testing.T) {
		tool := agent.New(child(at.NewModel(t, at.Text("found"))), agent.WithArgs(func(agent.Input) openresponses.Items {
			return openresponses.Items{openresponses.UserText("a"), openresponses.AssistantText("earlier"), openresponses.UserText("b")}
		}))
		var updates []string
		call := agenttool.Call{ID: "c", Args: json.RawMessage(asked), OnUpdate: func(r agenttool.Result) { updates = append(updates, r.Output.Text) }}
		if _, err := tool.Execute(t.Context(), call); err != nil || fmt.Sprint(updates) != "[found]" {
			t.Errorf("updates %q, error %v", updates, err)
		}
	})
	t.Run("G020", func(t *testing.T) {
		var spawned *agentturn.Agent
		updates := 0
		tool := agent.New(child(at.NewModel(t, at.Text("one"), at.Text("two"))), agent.WithSpawn(func(_ string, a *agentturn.Agent) { spawned = a }))
		call := agenttool.Call{ID: "c", Args: json.RawMessage(asked), OnUpdate: func(agenttool.Result) { updates++ }}
		if _, err := tool.Execute(t.Context(), call); err != nil {
			t.Fatal(err)
		}
		if _, err := spawned.Prompt(t.Context(), openresponses.UserText("more")); err != nil || updates != 1 {
			t.Errorf("%d updates, error %v", updates, err)
		}
	})
	t.Run("G021", func(t *testing.T) {
		end := called(t, agent.New(child(at.NewModel(t, at.Fail(errTest)))))
		i := info(t, end.Result.Details)
		if !errors.Is(end.Err, errTest) || !strings.HasPrefix(end.Err.Error(), `agent "helper": `) || i.Reason != agentturn.ReasonError || kinds(i.Items) != "user:find it" {
			t.Errorf("%+v", end)
		}
	})
	t.Run("G026 G027 G028 G029", func(t *testing.T) {
		ending := agenttool.NewFunc("x", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
			r := agenttool.Text("the tool's")
			r.Terminate = true
			return r, nil
		})
		limited := func() agentturn.Config {
			cfg := child(at.NewModel(t, at.Attempt{at.Text("well"), at.Call("x", `{}`)}), saying("x", "y"))
			cfg.MaxTurns = 1
			return cfg
		}
		stopped := func() agentturn.Config {
			cfg := child(at.NewModel(t, at.Call("x", `{}`)), saying("x", "y"))
			cfg.ShouldStopAfterTurn = func(context.Context, agentturn.TurnInfo) (bool, error) { return true, nil }
			return cfg
		}
		for name, c := range map[string]struct {
			cfg    func() agentturn.Config
			output string
			err    string
		}{
			"max turns": {limited, "", `agent "helper" stopped (max_turns) without a final answer`},
			"hook":      {stopped, "", `agent "helper" stopped (hook) without a final answer`},
			"nothing":   {func() agentturn.Config { return child(at.NewModel(t, at.Reasoning("hm"))) }, "", `agent "helper" finished without a final answer`},
			"terminate": {func() agentturn.Config { return child(at.NewModel(t, at.Call("x", `{}`)), ending) }, "the tool's", ""},
		} {
			result, err := execute(t.Context(), agent.New(c.cfg()), asked)
			if result.Output.Text != c.output || result.Terminate || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("%s: %+v, error %v", name, result, err)
			}
			var given agent.ChildInfo
			result, err = execute(t.Context(), agent.New(c.cfg(), agent.WithNoAnswer(func(i agent.ChildInfo) (agenttool.Result, error) {
				given = i
				r := agenttool.Text("instead")
				r.Details = "mine"
				return r, errTest
			})), asked)
			if err != errTest || result.Output.Text != "instead" || info(t, result.Details).RunID != given.RunID || given.RunID == "" {
				t.Errorf("%s, WithNoAnswer: %+v, error %v", name, result, err)
			}
		}
	})
	t.Run("G030 G031", func(t *testing.T) {
		refused := fmt.Errorf("%w: no", agentturn.ErrGuard)
		for name, set := range map[string]func(*agentturn.Config){
			"before turn": func(c *agentturn.Config) {
				c.BeforeTurn = func(context.Context, agentturn.TurnStartInfo) (openresponses.Items, error) { return nil, refused }
			},
			"before model call": func(c *agentturn.Config) {
				c.BeforeModelCall = func(context.Context, *openresponses.Request) error { return refused }
			},
			"output guard": func(c *agentturn.Config) {
				c.OutputGuard = func(context.Context, agentturn.OutputInfo) (*openresponses.Message, error) { return nil, refused }
			},
			"stop hook": func(c *agentturn.Config) {
				c.ShouldStopAfterTurn = func(context.Context, agentturn.TurnInfo) (bool, error) { return false, refused }
			},
		} {
			cfg := child(at.NewModel(t, at.Call("x", `{}`)), saying("x", "y"))
			switch name {
			case "before turn", "before model call":
				cfg.Model = at.NewModel(t)
			case "output guard":
				cfg.Model = at.NewModel(t, at.Text("bad"))
			}
			set(&cfg)
			_, err := execute(t.Context(), agent.New(cfg, agent.WithNoAnswer(func(agent.ChildInfo) (agenttool.Result, error) {
				t.Errorf("%s: WithNoAnswer is asked", name)
				return agenttool.Result{}, nil
			})), asked)
			if !errors.Is(err, agentturn.ErrGuard) || !strings.HasPrefix(err.Error(), `agent "helper": `) {
				t.Errorf("%s: error %v", name, err)
			}
		}
		cfg := child(at.NewModel(t, at.Text("found")))
		cfg.ShouldStopAfterTurn = func(context.Context, agentturn.TurnInfo) (bool, error) { return false, refused }
		if result, err := execute(t.Context(), agent.New(cfg), asked); err != nil || result.Output.Text != "found" {
			t.Errorf("%+v, error %v", result, err)
		}
	})
	t.Run("G024 G025", func(t *testing.T) {
		long := strings.Repeat("x", 300)
		cfg := child(at.NewModel(t, at.Attempt{at.Call("pay", `{"a":1}`), at.Call("pay", `{"b":"`+long+`"}`)}), saying("pay", "y"))
		cfg.BeforeToolCall = func(context.Context, agentturn.ToolCallInfo) (*agentturn.ToolDecision, error) {
			return &agentturn.ToolDecision{Action: agentturn.Defer}, nil
		}
		result, err := execute(t.Context(), agent.New(cfg), asked)
		var needs *agent.InputRequiredError
		if !errors.As(err, &needs) || !errors.Is(err, agentturn.ErrInputRequired) || errors.Is(err, agentturn.ErrNotPending) || needs.Agent != "helper" {
			t.Fatalf("error %v", err)
		}
		i := info(t, result.Details)
		if len(needs.Pending) != 2 || len(i.Pending) != 2 || i.Pending[0].Call != needs.Pending[0].Call || i.RunID != needs.RunID {
			t.Errorf("%+v, %+v", needs, i)
		}
		want := `agent "helper" needs input before it can finish: 2 pending tool call(s): pay({"a":1}) pay({"b":"` + long[:194] + `...)`
		if err.Error() != want {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	})
}

func TestAborts(t *testing.T) {
	t.Run("G022", func(t *testing.T) {
		for _, cause := range []error{context.Canceled, errTest} {
			at.NoLeaks(t)
			ctx, cancel := context.WithCancelCause(t.Context())
			tool := agent.New(child(at.NewModel(t, at.Call("x", `{}`)), agenttool.NewFunc("x", "", nil, func(ctx context.Context, _ agenttool.Call) (agenttool.Result, error) {
				cancel(cause)
				<-ctx.Done()
				return agenttool.Result{}, ctx.Err()
			})))
			result, err := execute(ctx, tool, asked)
			if i := info(t, result.Details); err != cause || i.Reason != agentturn.ReasonAborted || len(i.Pending) != 1 {
				t.Errorf("%+v, error %v", i, err)
			}
		}
	})
	t.Run("G023", func(t *testing.T) {
		at.NoLeaks(t)
		tool := agent.New(child(at.NewModel(t, at.Call("x", `{}`)), waiting("x")), agent.WithSpawn(func(_ string, a *agentturn.Agent) {
			a.Subscribe(func(_ context.Context, ev agentturn.Event) error {
				if _, ok := ev.(*agentturn.ToolDispatch); ok {
					a.AbortCause(errTest)
				}
				return nil
			})
		}))
		parent := agentturn.New(agentturn.Config{Model: at.NewModel(t, at.Attempt{at.Call("helper", asked), at.Call("other", `{}`)}, at.Text("thanks")), Tools: []agenttool.Tool{tool, saying("other", "fine")}})
		end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
		if err != nil || end.Reason != agentturn.ReasonDone {
			t.Fatalf("%+v, error %v", end, err)
		}
		for _, item := range end.Items {
			if out, ok := item.(*openresponses.FunctionCallOutput); ok {
				if want := map[string]string{"call_1": "Error: it broke", "call_2": "fine"}[out.CallID]; out.Output.Text != want {
					t.Errorf("%s: %q", out.CallID, out.Output.Text)
				}
			}
		}
	})
	t.Run("G033", func(t *testing.T) {
		var o observed
		parent, _ := calling(t, agent.New(child(at.NewModel(t, at.Call("x", `{}`)), waiting("x")), agent.WithObserver(o.observe)))
		parent.Subscribe(func(_ context.Context, ev agentturn.Event) error {
			if _, ok := ev.(*agentturn.ToolDispatch); ok {
				time.AfterFunc(5*time.Millisecond, parent.Abort)
			}
			return nil
		})
		if end, err := parent.Prompt(t.Context(), openresponses.UserText("hi")); err != nil || end.Reason != agentturn.ReasonAborted {
			t.Fatalf("%+v, error %v", end, err)
		}
		if ctx := o.at(agentturn.EventRunEnd); ctx == nil || ctx.Err() != nil {
			t.Errorf("events %s", o.types())
		}
	})
}

func TestObservers(t *testing.T) {
	t.Run("G032", func(t *testing.T) {
		var o observed
		model := at.NewModel(t, at.Text("ok"))
		tool := agent.New(child(model), agent.WithObserver(o.observe), agent.WithSpawn(func(id string, a *agentturn.Agent) {
			if id != "c" || len(o.events) > 0 {
				t.Errorf("spawned for %q after %s", id, o.types())
			}
			a.Steer(openresponses.UserText("and hurry"))
		}))
		if _, err := execute(t.Context(), tool, asked); err != nil || kinds(model.Request(1).Input) != "user:find it user:and hurry" {
			t.Errorf("sent %s, error %v", kinds(model.Request(1).Input), err)
		}
		if got := o.types(); !strings.HasPrefix(got, "queued run_start ") {
			t.Errorf("events %s", got)
		}
	})
	t.Run("G034", func(t *testing.T) {
		var o observed
		parent, rec := calling(t, agent.New(child(at.NewModel(t, at.Text("ok"))), agent.WithObserver(o.observe)))
		end, err := parent.Prompt(t.Context(), openresponses.UserText("hi"))
		if err != nil {
			t.Fatal(err)
		}
		ctx := o.at(agentturn.EventRunStart)
		call, _ := agenttool.CallFrom(ctx)
		tr, _ := agentturn.TranscriptFromContext(ctx)
		if agentturn.RunIDFromContext(ctx) != end.RunID || call.ID != toolEnd(t, rec).CallID || kinds(tr) != "user:hi call:call_1" {
			t.Errorf("run %q, call %q, transcript %s", agentturn.RunIDFromContext(ctx), call.ID, kinds(tr))
		}
	})
	t.Run("G035", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var left, ran time.Time
			x := agenttool.NewFunc("x", "", nil, func(context.Context, agenttool.Call) (agenttool.Result, error) {
				ran = time.Now()
				return agenttool.Result{}, nil
			})
			tool := agent.New(child(at.NewModel(t, at.Call("x", `{}`), at.Text("ok")), x), agent.WithObserver(func(_ context.Context, ev agentturn.Event) {
				if _, ok := ev.(*agentturn.ToolDispatch); ok {
					time.Sleep(time.Minute)
					left = time.Now()
				}
			}))
			if _, err := execute(t.Context(), tool, asked); err != nil || ran.Before(left) {
				t.Errorf("ran %v, the observer left %v, error %v", ran, left, err)
			}
		})
	})
	t.Run("G036", func(t *testing.T) {
		var marks []bool
		var spawned *agentturn.Agent
		tool := agent.New(child(at.NewModel(t, at.Text("a"), at.Text("b"), at.Text("c"))), agent.WithSpawn(func(_ string, a *agentturn.Agent) { spawned = a }),
			agent.WithObserver(func(ctx context.Context, ev agentturn.Event) {
				if _, ok := ev.(*agentturn.RunStart); ok {
					marks = append(marks, agent.RetryFromContext(ctx))
				}
			}))
		_, err1 := execute(t.Context(), tool, asked)
		_, err2 := spawned.Prompt(t.Context(), openresponses.UserText("x"))
		_, err3 := spawned.Prompt(agent.ContextWithRetry(t.Context()), openresponses.UserText("x"))
		if fmt.Sprint(marks) != "[true false true]" || errors.Join(err1, err2, err3) != nil || agent.RetryFromContext(t.Context()) {
			t.Errorf("marks %v", marks)
		}
	})
	t.Run("G037 G038 G039", func(t *testing.T) {
		type key struct{}
		var o observed
		var hooked, decider, reason, origin any
		derived := 0
		cfg := child(at.NewModel(t, at.Text("ok")))
		cfg.BeforeTurn = func(ctx context.Context, _ agentturn.TurnStartInfo) (openresponses.Items, error) {
			hooked = ctx.Value(key{})
			decider, reason, origin = agentturn.DeciderFromContext(ctx, "c"), agentturn.ReasonFromContext(ctx, "c"), agentturn.OriginFromContext(ctx, "c")
			return nil, nil
		}
		opts := []agent.Option{agent.WithObserver(o.observe)}
		ctx := agentturn.ContextWithTrigger(t.Context(), agentturn.Trigger{Kind: "cron"})
		ctx = agentturn.ContextWithDeciders(ctx, map[string]string{"c": "human"})
		ctx = agentturn.ContextWithReasons(ctx, map[string]string{"c": "why"})
		ctx = agentturn.ContextWithOrigins(ctx, map[string]string{"c": "where"})
		if _, err := execute(ctx, agent.New(cfg, opts...), asked); err != nil {
			t.Fatal(err)
		}
		if start := o.events[0].(*agentturn.RunStart); !start.Trigger.IsZero() || decider != "" || reason != "" || origin != "" {
			t.Errorf("trigger %v, decider %v, reason %v, origin %v", start.Trigger, decider, reason, origin)
		}
		cfg.Model = at.NewModel(t, at.Text("ok"))
		o = observed{}
		opts = append(opts, agent.WithRunContext(func(ctx context.Context, id string) context.Context {
			derived++
			return agentturn.ContextWithTrigger(context.WithValue(ctx, key{}, id), agentturn.Trigger{Kind: "call"})
		}))
		if _, err := execute(ctx, agent.New(cfg, opts...), asked); err != nil {
			t.Fatal(err)
		}
		if start := o.events[0].(*agentturn.RunStart); start.Trigger.Kind != "call" || hooked != "c" || derived != 1 || o.contexts[0].Value(key{}) != nil {
			t.Errorf("trigger %v, the hook saw %v, derived %d times, the observer saw %v", start.Trigger, hooked, derived, o.contexts[0].Value(key{}))
		}
	})
	t.Run("G044", func(t *testing.T) {
		model := at.NewModel(t, at.Text("a"), at.Text("b"))
		tool := agent.New(child(model))
		for range 2 {
			if _, err := execute(t.Context(), tool, asked); err != nil {
				t.Fatal(err)
			}
		}
		if got := kinds(model.Request(2).Input); got != "user:find it" {
			t.Errorf("the second child was sent %s", got)
		}
	})
	t.Run("G045", func(t *testing.T) {
		var o observed
		inner := agent.New(agentturn.Config{Name: "inner", Model: at.NewModel(t, at.Text("the answer"))})
		middle := agent.New(agentturn.Config{Name: "middle", Model: at.NewModel(t, at.Call("inner", asked), at.Text("it says the answer")), Tools: []agenttool.Tool{inner}}, agent.WithObserver(o.observe))
		end := called(t, middle)
		i := info(t, end.Result.Details)
		var nested agent.ChildInfo
		for _, ev := range o.events {
			if e, ok := ev.(*agentturn.ToolEnd); ok {
				nested = info(t, e.Result.Details)
			}
		}
		if end.Result.Output.Text != "it says the answer" || i.Agent != "middle" || nested.Agent != "inner" || i.RunID == nested.RunID {
			t.Errorf("%+v, %+v", i, nested)
		}
	})
}
