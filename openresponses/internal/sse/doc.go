// Package sse reads and writes Server-Sent Events as far as the Open Responses protocol uses them: frames of one
// JSON text each, told apart by the JSON itself, so that event names and ids carry nothing.
//
// A line ends at LF or CRLF, and one stream may mix the two. A lone CR is not a line end when reading: JSON text
// may hold one between its tokens. The writer never emits one, so that clients who do end lines there agree.
package sse
