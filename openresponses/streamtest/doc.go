// Package streamtest checks that an adapter's stream keeps the protocol. Run drives an adapter and validates what
// it sent:
//
//	sink, err := streamtest.Run(ctx, adapter, req)
//
// Sink records events as a client would see them, after a round trip through their wire form, and Validate holds
// any recorded stream against the rules.
package streamtest
