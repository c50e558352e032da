// Package agentturn is a composable agent loop over Open Responses.
package agentturn
