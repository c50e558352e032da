// Package echo answers requests without a model, by rule: it calls the tools that it is offered, repeats what they
// return, and otherwise repeats the user. It serves to try out a client, a proxy or a user interface, and to test
// them: the same request always has the same answer, but for IDs and times.
package echo
