// Command quickstart asks a model about a file and shows what happens on the way.
//
//	quickstart README.md                                        the built-in model: no key, no network
//	quickstart -model gpt-5 README.md                           OpenAI, with the key in OPENAI_API_KEY
//	quickstart -base-url http://localhost:11434/v1 -model qwen3 README.md
//
// The answer goes to standard output as it streams, and everything else to standard error:
// the tool calls, their progress and outcome, and at the end the reason, the turns and the
// tokens. The exit status is 0 for an answer, 1 for none, 2 for a wrong command line and
// 130 after an interrupt.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/examples/readfile"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

const instructions = "You answer questions about files. Read a file with read_file before you say anything about it."

// The exit statuses.
const (
	exitAnswered    = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // the first interrupt aborts the run, a second one the process
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

// run is the program with everything it touches passed in, but for the file system. It
// returns the exit status.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	opts, err := parseOptions(args, getenv, stdout)
	switch {
	case errors.Is(err, errHelp):
		return exitAnswered
	case err != nil:
		fmt.Fprintln(stderr, "quickstart:", oneLine(err.Error()))
		return exitUsage
	}
	end, err := ask(ctx, opts, stdout, stderr)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "quickstart:", opts.explain(err))
		return exitFailed
	case end.Reason == agentturn.ReasonAborted:
		return exitInterrupted
	case end.Reason != agentturn.ReasonDone:
		return exitFailed
	}
	return exitAnswered
}

// ask runs an agent until it has answered.
func ask(ctx context.Context, opts options, stdout, stderr io.Writer) (*agentturn.RunEnd, error) {
	files, err := readfile.Open(opts.file)
	if err != nil {
		return nil, err
	}
	defer files.Close()

	agent := agentturn.New(agentturn.Config{
		Model:        opts.newModel(),
		ModelName:    opts.model,
		Instructions: instructions,
		Tools:        []agenttool.Tool{files.Tool()},
		MaxTurns:     10, // a model that reads in circles costs no more than this
		Retry:        agentturn.Retry{MaxAttempts: 3, Retryable: worthRetrying},
	})
	agent.Subscribe((&printer{stdout: stdout, stderr: stderr, explain: opts.explain}).print)
	return agent.Prompt(ctx, openresponses.UserText(opts.question()))
}

// newModel returns the model that opts ask for. What follows knows no difference.
func (o options) newModel() agentturn.Model {
	if o.builtIn() {
		return &echo.Adapter{}
	}
	return openresponses.NewClient(o.baseURL, openresponses.WithAPIKey(o.key)).AsAdapter()
}

// question returns what the model is asked. The built-in model takes its whole input for
// the arguments of its tool, so it gets the file's name and nothing else.
func (o options) question() string {
	if o.prompt == "" {
		return o.file
	}
	return o.prompt + "\n\nThe file: " + o.file
}
