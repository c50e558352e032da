// Command dev is the repository's own tool: it tests, checks and releases all
// the modules in the tree as one. Run it from the top of the repository:
//
//	go run ./internal/dev test -race   # every test of every module
//	go run ./internal/dev check        # style, imports, modules, lint, api
//	go run ./internal/dev -h           # everything else
//
// A module is found by its go.mod. One that go.work lists is worked on inside
// the workspace; any other alone, with GOWORK=off. Folders named testdata,
// vendor or node_modules, and those that begin with a dot or an underscore,
// are never entered.
//
// The exit status is 0 when all is well, 1 when something failed and 2 when
// the command line was wrong.
package main
