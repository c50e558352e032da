// Package chatcompletions makes a model of any server that speaks Chat Completions, such as llama.cpp, vLLM, Ollama or
// a gateway: an adapter that puts a request into that older form and its stream back into events.
//
// Servers of this kind agree on little. The adapter takes what they are known to send: reasoning under either name,
// tool calls in pieces or whole, without an ID or an index, usage in the last chunk or not at all, streams without an
// end marker, one whole answer in place of a stream, and errors in several shapes. What it can't make sense of is an
// error and not dropped in silence.
//
// A conversation is the caller's to keep: give the adapter to an openresponses.Handler with a store for requests that
// continue a response by its ID.
package chatcompletions
