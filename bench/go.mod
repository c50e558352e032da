module github.com/ChristopherDavenport/agentturn/bench

go 1.25.0

replace (
	github.com/ChristopherDavenport/agenttool => ../agenttool
	github.com/ChristopherDavenport/agentturn => ..
	github.com/ChristopherDavenport/openresponses => ../openresponses
)

require (
	github.com/ChristopherDavenport/agentturn v0.1.0
	github.com/ChristopherDavenport/openresponses v0.1.0
	github.com/openai/openai-go/v3 v3.74.0
)

require (
	github.com/ChristopherDavenport/agenttool v0.1.0 // indirect
	github.com/coder/websocket v1.8.15 // indirect
	github.com/tidwall/gjson v1.19.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
)
