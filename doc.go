// Package agentturn is an agent loop over Open Responses: it calls a model, runs the tools
// the model asks for, and goes on until the model has answered.
//
// # Words
//
//   - An item is one entry of a conversation: a message, a function call, the output of
//     one, a reasoning item (openresponses.Item).
//   - A transcript is a whole conversation ([Transcript]). It is what is stored, what the
//     model is sent and what a front shows, in one form.
//   - A call is a function call the model made, and an output what became of it. A call
//     without an output is pending ([PendingCall]), and has to get one before the
//     conversation goes on.
//   - A turn is one call of the model and the batch of calls in its response. A run is the
//     turns from some input until the loop comes to rest.
//
// # Two ways to run
//
// [Run] and [Continue] are the loop itself: a transcript in, a sequence of events out, and
// nothing kept.
//
//	for event := range agentturn.Run(ctx, transcript, prompts, config) {
//		switch e := event.(type) {
//		case *agentturn.ItemUpdate:
//			if text, ok := e.Stream.(*openresponses.OutputTextDeltaEvent); ok {
//				fmt.Print(text.Delta)
//			}
//		case *agentturn.RunEnd:
//			transcript = append(transcript, e.Items...)
//		}
//	}
//
// An [Agent] keeps the transcript from run to run, takes input while it runs
// ([Agent.Steer], [Agent.FollowUp], [Agent.Deliver]), can be aborted, and waits for its
// subscribers on every event, so that what they record is ahead of what happens next.
//
// # Events
//
// The events of a run come in this order; the indented part is a turn.
//
//	run_start            always first
//	  item_start/end     an item the loop appends: prompts, queued items, outputs
//	  turn_start         the request, and the input it answers
//	  model_retry        the call failed and is made again
//	  item_start         an item of the response opens,
//	  item_update        streams,
//	  item_end           and is in the transcript
//	  response_end       the whole response, with its usage
//	  tool_start         each call once it is decided, in the model's order
//	  tool_dispatch      each call as it is handed to its tool
//	  tool_update        what the tool reports meanwhile
//	  tool_end           each call as it finishes
//	  item_start/end     the outputs, in the model's order, then notes
//	  turn_end
//	run_end              always last
//
// A call that does not run has no tool_dispatch. [ModelBlocked] takes the place of
// turn_start when a hook refuses the request. [Queued] reports come ahead of any event.
//
// # Hooks
//
// The functions on [Config] see and change what the loop does. In the order of a turn:
//
//	BeforeTurn             adds items to the transcript
//	Transform, Filter      choose what the request holds of it
//	BeforeModelCall        edits or refuses the request
//	OutputGuard            replaces or withholds a message
//	BeforeToolCall         allows, blocks or defers a call, or rewrites its arguments
//	AfterToolCall          replaces a result
//	ShouldStopAfterTurn    ends the run
//
// An error from a hook ends the run; one that wraps [ErrGuard] does so as a decision of
// policy, [ReasonStopped], from BeforeTurn, BeforeModelCall, OutputGuard and
// ShouldStopAfterTurn. Several layers share a hook through its Chain helper.
//
// # Approvals, and calls that were cut off
//
// A deferred call ends the run with [ReasonInputRequired]. An abort, a failure or a crash
// leaves calls behind as well, and those may have taken effect. [Agent.Resume] settles both
// kinds, each call with an [Answer]: an output, or an approval, after which the loop runs
// it. A call that may have run runs again only if its tool says that this does no harm, or
// the answer takes the risk.
package agentturn
