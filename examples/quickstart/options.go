package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
)

const (
	openAI        = "https://api.openai.com/v1"
	defaultPrompt = "What is this file about? Answer in three sentences."
)

// errHelp says that help was asked for and given.
var errHelp = flag.ErrHelp

// options is the command line, with the key from the environment.
type options struct {
	file    string // the one to ask about
	baseURL string // empty for the built-in model
	model   string
	prompt  string
	key     string
	host    string // of baseURL
}

func (o options) builtIn() bool { return o.baseURL == "" }

// parseOptions reads the command line. It writes to help only when asked for it.
func parseOptions(args []string, getenv func(string) string, help io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // an error is reported once, by the caller
	flags.Usage = func() {}
	flags.StringVar(&o.baseURL, "base-url", "", "`URL` of a server that speaks Open Responses; it is sent OPENAI_API_KEY, if that is set")
	flags.StringVar(&o.model, "model", "", "`name` of the model; without -base-url, one of OpenAI's")
	flags.StringVar(&o.prompt, "prompt", defaultPrompt, "the `question` about the file; empty sends the file's name alone")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, errHelp) {
			fmt.Fprintln(help, "usage: quickstart [flags] file")
			flags.SetOutput(help)
			flags.PrintDefaults()
		}
		return o, err
	}
	if flags.NArg() != 1 {
		return o, fmt.Errorf("want one file, got %d; -h lists the flags", flags.NArg())
	}
	o.file = flags.Arg(0)
	o.key = getenv("OPENAI_API_KEY")

	prompted := false
	flags.Visit(func(f *flag.Flag) { prompted = prompted || f.Name == "prompt" })
	return o.complete(prompted)
}

// complete chooses between the built-in model and a server.
func (o options) complete(prompted bool) (options, error) {
	switch {
	case o.baseURL != "":
	case o.model != "" && o.key == "":
		return o, errors.New("-model needs OPENAI_API_KEY, or -base-url for another server")
	case o.model != "":
		o.baseURL = openAI
	case prompted:
		return o, errors.New("-prompt needs -model or -base-url: the built-in model answers no questions")
	default:
		o.prompt = ""
		return o, nil
	}
	server, err := url.Parse(o.baseURL)
	if err != nil || server.Host == "" || server.Scheme != "http" && server.Scheme != "https" {
		return o, errors.New("-base-url wants a URL such as " + openAI) // not repeated: it may hold a password
	}
	o.host = server.Host
	return o, nil
}
