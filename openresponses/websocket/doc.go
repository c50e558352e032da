// Package websocket carries the Open Responses protocol over a WebSocket, for both sides. A connection lasts for many
// turns: the client sends a request, the server answers with the events of the response, a text frame each, and the
// next request may continue that response by its ID even if the server stores nothing.
//
// [Handler] adds the transport to a server, [Dial] opens a connection of a client's.
package websocket
