//go:build !race

package agentturn_test

const raceEnabled = false
