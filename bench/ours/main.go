// Command ours runs the scenarios over this library, and the floors that any library stands on.
package main

import (
	"github.com/ChristopherDavenport/agentturn/bench/measure"
)

const library = "agentturn"

func main() {
	measure.Main(wireCases())
}
