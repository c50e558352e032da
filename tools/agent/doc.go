// Package agent makes an agent a tool of another: each call runs a child agent on a transcript
// of its own, and the child's answer is the tool's output.
//
//	researcher := agent.New(agentturn.Config{
//		Name: "researcher", Description: "Finds things out.", Model: model, Tools: tools,
//	})
//	config.Tools = append(config.Tools, researcher)
//
// To the parent's loop it is a tool like any other, and to the child it is a run like any other:
// the child has its own model, tools, hooks and limits, and the parent's hooks see the call
// alone. Agents nest to any depth.
//
// # What the child knows
//
// The arguments, as a user message: one text unless [WithArgs] says otherwise. [WithTranscript]
// starts the child from the parent's conversation, and [WithCallConfig] chooses configuration
// and opening items for each call.
//
// # Following a child
//
// Its messages reach the parent's front as progress of the call. [WithObserver] is given every
// event, and [WithSpawn] the child itself, to be steered or aborted. The result's details are a
// [ChildInfo].
//
// # How a child ends
//
// An answer is the output. A failure, an abort, a guard's refusal and a child that ends without
// an answer are errors that the parent's model reads; [WithNoAnswer] may do better for the
// last. A child whose own call waits for a person fails with an [*InputRequiredError], unless
// [WithHolding] has the parent's call wait with it.
//
// # In the background
//
// With [WithDetach] the call returns at once and the child works on; its end goes to a function
// of the host's, which may hand it to the parent with agentturn.Agent.Deliver.
package agent
