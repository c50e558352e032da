// Package agentturntest is for testing what is built on agentturn, as
// net/http/httptest is for testing what is built on net/http.
//
// # Scripted model
//
// [NewModel] takes a script and is a model: each call of the model plays the
// next part of it. A test then reads as a story:
//
//	model := agentturntest.NewModel(t,
//		agentturntest.Call("read_file", `{"path":"x"}`),
//		agentturntest.Text("done"))
//	agent := agentturn.New(agentturn.Config{Model: model, Tools: tools})
//
// The script is a list of turns. A turn is one [Step], an [Attempt] of several
// steps, or [Attempts] where the loop is to try again:
//
//	answer    Text TextDeltas Message Refusal Reasoning EncryptedReasoning
//	          Call CallWithID Item Usage
//	cut off   PartialText PartialCall
//	wire      Send Recorded Func
//	pace      Wait Sleep Do
//	ending    Complete Incomplete FailResponse ErrorEvent Fail Cut Block Panic
//
// An attempt without an ending completes its response. IDs are counted, not
// drawn: the third call of the model answers with resp_3, whose first item is
// msg_3_0, fc_3_0 or rs_3_0, and the calls of a script are call_1, call_2 and
// so on.
//
// # Strict server
//
// The model keeps a copy of every request ([Model.Requests]) and holds each to
// [CheckRequest], which refuses what the strictest server would.
//
// # Events
//
// A [Recorder] keeps the events of an agent or of a run and writes each as one
// line, so that a test can state a whole sequence ([Recorder.Expect]).
// [CheckEvents] holds a sequence to the rules of order every run keeps.
// [NoLeaks] fails a test that leaves goroutines behind.
//
// Everything waits on contexts, channels and timers alone and so works inside
// a testing/synctest bubble.
package agentturntest
