// Command serve runs the server of the tests for clients in other languages. It prints its address as one line and
// ends when its standard input does, so that it never outlives the test that started it.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/ChristopherDavenport/agentturn/interop/server"
)

func main() {
	s, err := server.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.URL())
	io.Copy(io.Discard, os.Stdin)
	s.Close()
}
