package agentturntest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"time"

	"github.com/ChristopherDavenport/openresponses"
)

// A Turn is a part of a script: a [Step], an [Attempt] or [Attempts].
type Turn interface{ attempts() []Attempt }

// An Attempt is one call of the model: its steps, played in order. Unless a
// step ended the response, it is completed after the last.
type Attempt []Step

// Attempts is a turn the loop has to try more than once: every attempt but the
// last should fail in a way the loop retries.
type Attempts []Attempt

// A Step is one thing the model does. On its own it is an attempt of one step.
// The zero Step does nothing.
type Step struct{ play func(*reply) error }

func (s Step) attempts() []Attempt     { return []Attempt{{s}} }
func (a Attempt) attempts() []Attempt  { return []Attempt{a} }
func (a Attempts) attempts() []Attempt { return a }

// Text answers with a message, streamed word by word.
func Text(text string) Step { return Message("", text) }

// TextDeltas answers with a message, streamed in the deltas given.
func TextDeltas(deltas ...string) Step {
	return Step{func(r *reply) error { return r.text("", deltas, true) }}
}

// Message answers with a message of a phase, streamed word by word.
func Message(phase openresponses.Phase, text string) Step {
	return Step{func(r *reply) error { return r.text(phase, words(text), true) }}
}

// Refusal answers with a message that refuses.
func Refusal(text string) Step {
	return Step{func(r *reply) error { return r.refusal(words(text)) }}
}

// Reasoning sends a reasoning item with a summary; an empty summary makes one
// with none.
func Reasoning(summary string) Step { return EncryptedReasoning(summary, "") }

// EncryptedReasoning is [Reasoning] with encrypted content.
func EncryptedReasoning(summary, encrypted string) Step {
	return Step{func(r *reply) error { return r.reasoning(words(summary), encrypted) }}
}

// Call calls a function under the next number of the script: call_1, call_2
// and so on. Several in one attempt are parallel calls. The arguments are sent
// as they are, valid or not.
func Call(name, arguments string) Step {
	return Step{func(r *reply) error { return r.functionCall(r.model.callID(), name, arguments, true) }}
}

// CallWithID is [Call] under a call ID of the test's choice, empty included.
func CallWithID(callID, name, arguments string) Step {
	return Step{func(r *reply) error { return r.functionCall(callID, name, arguments, true) }}
}

// Item sends a copy of a finished item, opened and completed with no deltas. It
// is for what has no step of its own: compactions, extensions, unknown types.
func Item(item openresponses.Item) Step {
	return Step{func(r *reply) error { return r.item(item) }}
}

// Usage sets the token counts the response ends with. It sends nothing.
func Usage(input, output int) Step {
	return Step{func(r *reply) error {
		r.usage = &openresponses.Usage{InputTokens: input, OutputTokens: output, TotalTokens: input + output}
		return nil
	}}
}

// PartialText opens a message and streams text without completing it.
func PartialText(text string) Step {
	return Step{func(r *reply) error { return r.text("", words(text), false) }}
}

// PartialCall opens a function call and streams arguments without completing
// it. The call is numbered as by [Call].
func PartialCall(name, arguments string) Step {
	return Step{func(r *reply) error { return r.functionCall(r.model.callID(), name, arguments, false) }}
}

// Send sends wire events as they are, sequence numbers included; only items are
// copied. An attempt that begins with Send does not announce its response by
// itself, and one that sent a terminal event is not completed again.
func Send(events ...openresponses.StreamEvent) Step {
	return Step{func(r *reply) error {
		for _, ev := range events {
			if err := r.forward(copyEvent(ev)); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Recorded sends a recorded body of server-sent events. As from a real server,
// a body without a terminal event fails as cut off.
func Recorded(body []byte) Step {
	return Step{func(r *reply) error {
		stream := openresponses.NewEventStream(r.ctx, io.NopCloser(bytes.NewReader(body)))
		defer stream.Close()
		for stream.Next() {
			if err := r.forward(stream.Event()); err != nil {
				return err
			}
		}
		r.ended = true
		return stream.Err()
	}}
}

// Func lets fn answer, or a part of the answer, from the request. What it sends
// counts as by [Send]; its error ends the attempt.
func Func(fn func(ctx context.Context, req openresponses.Request, sink openresponses.EventSink) error) Step {
	return Step{func(r *reply) error {
		return fn(r.ctx, r.req, openresponses.EventSinkFunc(r.forward))
	}}
}

// Wait waits until ch is closed or sends, or the call is cancelled.
func Wait[T any](ch <-chan T) Step {
	return Step{func(r *reply) error {
		select {
		case <-ch:
			return nil
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}}
}

// Sleep waits for a duration, or until the call is cancelled.
func Sleep(d time.Duration) Step {
	return Step{func(r *reply) error {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
	}}
}

// Do calls fn at this point of the stream, on the model's goroutine: to steer,
// to abort, or to wait for something else in the test.
func Do(fn func()) Step {
	return Step{func(*reply) error { fn(); return nil }}
}

// Complete completes the response. It is only needed where something follows.
func Complete() Step {
	return Step{func(r *reply) error { return r.complete() }}
}

// Incomplete ends the response as incomplete. Items still open are listed in
// it, marked incomplete.
func Incomplete(reason openresponses.IncompleteReason) Step {
	return Step{func(r *reply) error { return r.incomplete(reason) }}
}

// FailResponse ends the response as failed; with a nil error it names none.
func FailResponse(err error) Step {
	return Step{func(r *reply) error { return r.fail(err) }}
}

// ErrorEvent sends an error event and ends the stream without a terminal one.
func ErrorEvent(err *openresponses.Error) Step {
	return Step{func(r *reply) error {
		payload := openresponses.ErrorPayload{}
		if err != nil {
			payload = err.Payload()
		}
		status := 0
		if err != nil {
			status = err.StatusCode
		}
		return r.stop(r.send(&openresponses.ErrorEvent{Status: status, Error: payload}))
	}}
}

// Fail ends the call with an error, as a transport that breaks does. Nothing
// but what was sent before reaches the loop.
func Fail(err error) Step {
	return Step{func(*reply) error { return err }}
}

// Cut ends the stream without a terminal event and without an error.
func Cut() Step {
	return Step{func(r *reply) error { return r.stop(nil) }}
}

// Block waits until the call is cancelled and returns the context's error.
func Block() Step {
	return Step{func(r *reply) error {
		<-r.ctx.Done()
		return r.ctx.Err()
	}}
}

// Panic panics with v on the model's goroutine.
func Panic(v any) Step {
	return Step{func(*reply) error { panic(v) }}
}

// words splits text after its spaces, so that joining the parts gives it back.
func words(text string) []string {
	if text == "" {
		return nil
	}
	return strings.SplitAfter(text, " ")
}
