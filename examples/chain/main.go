// Command chain runs an agent whose model is another agent's server: the inner agent reads the
// file with a tool of its own, and the outer one gets an answer and knows of no tool.
//
//	chain README.md
//	chain -url http://127.0.0.1:8080/v1 README.md      an agent that runs elsewhere, such as serve
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/ChristopherDavenport/agenttool"
	"github.com/ChristopherDavenport/agentturn"
	"github.com/ChristopherDavenport/agentturn/examples/readfile"
	"github.com/ChristopherDavenport/agentturn/front/responses"
	"github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/echo"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "chain:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("chain", flag.ContinueOnError)
	url := flags.String("url", "", "base `URL` of the inner agent; empty starts one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("want one file, got %d", flags.NArg())
	}
	if *url == "" {
		inner, stop, err := serve(flags.Arg(0))
		if err != nil {
			return err
		}
		defer stop()
		*url = inner
	}
	outer := agentturn.New(agentturn.Config{Model: openresponses.NewClient(*url).AsAdapter(), ModelName: "reader"})
	outer.Subscribe(func(_ context.Context, event agentturn.Event) error {
		if update, ok := event.(*agentturn.ItemUpdate); ok {
			if text, ok := update.Stream.(*openresponses.OutputTextDeltaEvent); ok {
				fmt.Fprint(out, text.Delta)
			}
		}
		return nil
	})
	end, err := outer.Prompt(ctx, openresponses.UserText(flags.Arg(0)))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s, in %d items\n", end.Reason, len(end.Items))
	return nil
}

// serve starts the inner agent on a free port.
func serve(named string) (url string, stop func(), err error) {
	files, err := readfile.Open(named)
	if err != nil {
		return "", nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		files.Close()
		return "", nil, err
	}
	inner := agentturn.Config{Name: "reader", Model: &echo.Adapter{}, Tools: []agenttool.Tool{files.Tool()}}
	server := &http.Server{Handler: openresponses.NewHandler(responses.New(inner))}
	go server.Serve(listener) // ends with stop
	return "http://" + listener.Addr().String() + "/v1", func() {
		server.Close()
		files.Close()
	}, nil
}
