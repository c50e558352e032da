package chatcompletions_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	or "github.com/ChristopherDavenport/openresponses"
	"github.com/ChristopherDavenport/openresponses/chatcompletions"
)

// upstream is a server that answers each request alike, and remembers the last.
type upstream struct {
	status int
	header http.Header
	body   io.Reader
	err    error

	request *http.Request
	sent    []byte
	closed  int
}

func (u *upstream) RoundTrip(req *http.Request) (*http.Response, error) {
	u.request = req
	u.sent, _ = io.ReadAll(req.Body)
	req.Body.Close()
	if u.err != nil {
		return nil, u.err
	}
	status := u.status
	if status == 0 {
		status = http.StatusOK
	}
	return &http.Response{
		StatusCode: status,
		Status:     fmt.Sprintf("%d %s", status, http.StatusText(status)),
		Header:     u.header,
		Body:       countedBody{u.body, u},
		Request:    req,
	}, nil
}

type countedBody struct {
	io.Reader
	u *upstream
}

func (b countedBody) Close() error {
	b.u.closed++
	return nil
}

// answering returns a server that answers with the body, and an adapter for it.
func answering(body string, opts ...chatcompletions.Option) (*upstream, *chatcompletions.Adapter) {
	u := &upstream{body: strings.NewReader(body)}
	return u, chatcompletions.New(u.client(), opts...)
}

func (u *upstream) client(opts ...or.ClientOption) *or.Client {
	return or.NewClient("http://upstream/v1", append(opts, or.WithHTTPClient(&http.Client{Transport: u}))...)
}

func user(text string) or.Request {
	return or.Request{Model: "asked", Input: or.Items{or.UserText(text)}}
}

// describe puts a response into one line.
func describe(resp *or.Response) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s", resp.Status)
	if resp.IncompleteDetails != nil {
		fmt.Fprintf(&b, " %s", resp.IncompleteDetails.Reason)
	}
	for _, item := range resp.Output {
		switch item := item.(type) {
		case *or.Message:
			fmt.Fprintf(&b, "; message %s", item.Status)
			for _, part := range item.Content {
				switch part := part.(type) {
				case *or.OutputText:
					fmt.Fprintf(&b, " %q", part.Text)
				case *or.Refusal:
					fmt.Fprintf(&b, " refusal %q", part.Refusal)
				}
			}
		case *or.ReasoningItem:
			fmt.Fprintf(&b, "; reasoning %s %q", item.Status, item.Content.Text())
		case *or.FunctionCall:
			id := item.CallID
			if strings.HasPrefix(id, "call_") && len(id) == len("call_")+24 {
				id = "generated"
			}
			fmt.Fprintf(&b, "; call %s %s %s %s", item.Status, id, item.Name, item.Arguments)
		}
	}
	if u := resp.Usage; u != nil {
		fmt.Fprintf(&b, "; usage %d+%d=%d", u.InputTokens, u.OutputTokens, u.TotalTokens)
	}
	return b.String()
}

// describeError puts an error into one line.
func describeError(t testing.TB, err error) string {
	t.Helper()
	e, ok := err.(*or.Error)
	if !ok {
		t.Fatalf("%v (%T) is no *Error", err, err)
	}
	return fmt.Sprintf("%s %s: %s", e.Type, e.Code, e.Message)
}
