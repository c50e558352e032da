// Package responses serves an agent as a model: an [Adapter] answers Open Responses requests
// by running the agent, so that any client of the protocol can talk to it, another agent's
// loop among them.
//
//	handler := openresponses.NewHandler(responses.New(config))
//	http.ListenAndServe("localhost:8080", handler)
//
// # Two modes
//
// A request without function tools is a full run: the agent calls its own tools until it has
// answered, and the client is sent messages and reasoning as they stream. The agent's calls
// and their outputs stay inside, unless [WithToolItems] shows them.
//
// A request with function tools is a single turn: one call of the agent's model, with the
// agent's tools and the client's. What the model calls goes to the client, which is a loop of
// its own; nothing runs here.
//
// # Nothing is kept
//
// The input of a request is the whole conversation. Put a store on the handler
// (openresponses.WithResponseStore) for clients that continue by previous_response_id.
//
// # How a run ends
//
//	done                        completed
//	input required              completed; the calls that wait are the last items
//	stopped by a guard          incomplete, content_filter; the guard's words stay inside
//	stopped by a tool           completed, with the tool's text as the message
//	stopped otherwise           completed with what there is
//	failed, aborted             the error: a 429 of the model stays a 429
//
// A client that answers waiting calls sends the conversation back with the calls and their
// outputs.
//
// # Several agents
//
// [WithHandoff] lets the answer of one agent be finished by another. [WithTransfers] reads
// from the conversation which agent it was handed to, and [WithStart] picks one by any rule.
//
// # On the internet
//
// [Limit] bounds how many requests run and for how long. Authentication is the host's.
package responses
