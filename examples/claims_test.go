package examples_test

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/agentturntest"
	"github.com/ChristopherDavenport/openresponses"
)

// What README.md says of the library, claim by claim.
func TestClaims(t *testing.T) {
	claims := []struct {
		name  string
		claim func(*testing.T)
	}{
		{"dependencies", claimDependencies},
		{"barrier", claimBarrier},
		{"twice", claimTwice},
		{"panic", claimPanic},
		{"json", claimJSON},
	}
	page := readme(t)
	for _, c := range claims {
		t.Run(c.name, c.claim)
		if command := "-run TestClaims/" + c.name + "`"; !strings.Contains(page, command) {
			t.Errorf("README.md does not mention %s", command)
		}
	}
}

// deleteTool is a tool that must not run by accident, and counts its runs.
func deleteTool(runs *int, meanwhile func(context.Context) error) agenttool.Tool {
	return agenttool.New("delete", "Deletes everything.", func(ctx context.Context, _ agenttool.NoArgs) (string, error) {
		*runs++
		return "deleted", meanwhile(ctx)
	})
}

func nothing(context.Context) error { return nil }

func claimDependencies(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.Module.Path}}{{end}}", ".")
	cmd.Dir = top
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for module := range strings.FieldsSeq(string(out)) {
		switch module {
		case "github.com/ChristopherDavenport/agentturn", "github.com/ChristopherDavenport/agenttool", "github.com/ChristopherDavenport/openresponses":
		default:
			t.Error("imports a package of ", module)
		}
	}
}

func claimBarrier(t *testing.T) {
	agentturntest.NoLeaks(t)
	runs := 0
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(t, agentturntest.Call("delete", `{}`)),
		Tools: []agenttool.Tool{deleteTool(&runs, nothing)},
	})
	full := errors.New("the disk is full")
	agent.Subscribe(func(_ context.Context, event agentturn.Event) error {
		if event.EventType() == agentturn.EventToolDispatch {
			return full // could not be recorded
		}
		return nil
	})
	end, err := agent.Prompt(t.Context(), openresponses.UserText("Clean up."))
	if runs != 0 || !errors.Is(err, full) || end.Reason != agentturn.ReasonError {
		t.Errorf("%d runs, ended %v, error %v", runs, end.Reason, err)
	}
}

func claimTwice(t *testing.T) {
	agentturntest.NoLeaks(t)
	runs := 0
	ctx, crash := context.WithCancel(t.Context())
	agent := agentturn.New(agentturn.Config{
		Model: agentturntest.NewModel(t, agentturntest.Call("delete", `{}`), agentturntest.Text("Please look yourself.")),
		Tools: []agenttool.Tool{deleteTool(&runs, func(ctx context.Context) error {
			crash()
			return ctx.Err()
		})},
	})
	end, err := agent.Prompt(ctx, openresponses.UserText("Clean up."))
	if err != nil || end.Reason != agentturn.ReasonAborted || len(end.Pending) != 1 {
		t.Fatalf("ended %+v, error %v", end, err)
	}
	id := end.Pending[0].Call.CallID
	if _, err := agent.Resume(t.Context(), agentturn.Approve(id)); !errors.Is(err, agentturn.ErrAmbiguousCall) {
		t.Errorf("approved with error %v", err)
	}
	end, err = agent.Resume(t.Context(), agentturn.OutcomeUnknown(id))
	if err != nil || end.Reason != agentturn.ReasonDone || runs != 1 {
		t.Errorf("%d runs, ended %v, error %v", runs, end.Reason, err)
	}
}

func claimPanic(t *testing.T) {
	agentturntest.NoLeaks(t)
	config := agentturn.Config{
		Model: agentturntest.NewModel(t,
			agentturntest.Call("explode", `{}`), agentturntest.Text("It exploded."), agentturntest.Text("Still here.")),
		Tools: []agenttool.Tool{agenttool.New("explode", "", func(context.Context, agenttool.NoArgs) (string, error) { panic("boom") })},
	}
	agent := agentturn.New(config)
	if end, err := agent.Prompt(t.Context(), openresponses.UserText("Go.")); err != nil || end.Reason != agentturn.ReasonDone {
		t.Errorf("a panic in a tool ended the run: %v, error %v", end.Reason, err)
	}
	unsubscribe := agent.Subscribe(func(context.Context, agentturn.Event) error { panic("boom") })
	var panicked *agentturn.PanicError
	if end, err := agent.Prompt(t.Context(), openresponses.UserText("Go.")); !errors.As(err, &panicked) || end.Reason != agentturn.ReasonError {
		t.Errorf("ended %v, error %v", end.Reason, err)
	}
	unsubscribe()
	end, err := agent.Prompt(t.Context(), openresponses.UserText("And now?"))
	if answer, _ := end.Answer(); err != nil || answer != "Still here." {
		t.Errorf("answered %q, error %v", answer, err)
	}
}

func claimJSON(t *testing.T) {
	runs := 0
	config := agentturn.Config{
		Model: agentturntest.NewModel(t, agentturntest.Call("delete", `{}`), agentturntest.TextDeltas("All ", "gone.")),
		Tools: []agenttool.Tool{deleteTool(&runs, nothing)},
	}
	for event := range agentturn.Run(t.Context(), nil, openresponses.Items{openresponses.UserText("Clean up.")}, config) {
		data, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := agentturn.DecodeEvent(data)
		if err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		again, err := json.Marshal(decoded)
		if err != nil || string(again) != string(data) || reflect.TypeOf(decoded) != reflect.TypeOf(event) {
			t.Errorf("error %v, from\n%s\nto\n%s", err, data, again)
		}
	}
}
