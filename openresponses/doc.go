// Package openresponses implements the Open Responses protocol: the request and
// the response, the items they are made of, the events of a stream, and both ends
// of the wire.
//
// # Values
//
// A [Request] carries a list of items, such as [Message] and [FunctionCall], and a
// [Response] gives items back. Items, the parts of their content, annotations,
// tools and stream events are told apart on the wire by a member "type". Each
// family is an interface here, its values are pointers to structs, and a type
// switch finds the one at hand. A value of a type this package does not know is
// kept as it came, in [UnknownItem] and its like; a program can add a type with
// [RegisterItem] and its like.
//
// # JSON
//
// All types encode and decode with encoding/json. Nothing a peer sent is lost on
// the way through: members that a type does not declare are kept and written
// again, after the declared ones for items and their kind, in Extra for requests
// and responses. Text that is not valid, such as half of a surrogate pair, is
// replaced by U+FFFD rather than passed on, since strict peers refuse it.
package openresponses

// SpecVersion is the date of the Open Responses specification this package
// implements.
const SpecVersion = "2026-04-24"
