// Package openresponses speaks the Open Responses wire protocol: the types of requests,
// responses, items and streaming events, a client, and an HTTP handler that serves any
// backend.
package openresponses

// SpecVersion is the version of the protocol that this package implements.
const SpecVersion = "2026-04-24"
