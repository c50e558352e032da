package agentturn

import "github.com/ChristopherDavenport/openresponses"

// QueueMode names one of an agent's two queues.
type QueueMode string

// The queues.
const (
	// QueueSteer is drained after a turn's tool calls, before the next model call.
	QueueSteer QueueMode = "steer"

	// QueueFollowUp is drained when the run would otherwise end.
	QueueFollowUp QueueMode = "follow_up"
)

// TurnInput is an item a turn answers, and how it came to be there.
type TurnInput struct {
	Item openresponses.Item // without the mark of [Hidden]
	Mode InputMode

	// Trigger is the run's for a prompt, and the item's own for one from a queue.
	Trigger Trigger
}

// InputMode says how an item reached the transcript.
type InputMode string

// The ways.
const (
	// InputPrompt: the run was prompted with it.
	InputPrompt InputMode = "prompt"

	// InputResume: it answers a pending call, or is the note to such an answer.
	InputResume InputMode = "resume"

	// InputSteer: it came from the steer queue, through [Agent.Steer] or [Agent.Queue].
	InputSteer InputMode = "steer"

	// InputFollowUp: it came from the follow-up queue.
	InputFollowUp InputMode = "follow_up"

	// InputDeliver: it came from the steer queue, through [Agent.Deliver].
	InputDeliver InputMode = "deliver"

	// InputHook: [Config.BeforeTurn] returned it.
	InputHook InputMode = "hook"

	// InputTool: it is the output of a call the loop settled, or the note to a decision.
	InputTool InputMode = "tool"

	// InputContinued: it was there when the run started, and the model has not spoken
	// since.
	InputContinued InputMode = "continued"
)
