// Package interop holds the library against what others wrote: the official OpenAI clients for Node and Go, unmodified,
// talk to its handler and read the same streams as its client, and what the handler sends is checked against
// the protocol's OpenAPI document. There is nothing to import; everything is in the tests, in npm and in the server
// that they share.
//
// The script called run in this folder runs it all.
package interop
