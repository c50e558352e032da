module github.com/ChristopherDavenport/agentturn/interop

go 1.25.0

replace (
	github.com/ChristopherDavenport/agenttool => ../agenttool
	github.com/ChristopherDavenport/agentturn => ..
	github.com/ChristopherDavenport/agentturn/front/responses => ../front/responses
	github.com/ChristopherDavenport/openresponses => ../openresponses
)

require (
	github.com/ChristopherDavenport/agenttool v0.1.0
	github.com/ChristopherDavenport/agentturn v0.1.0
	github.com/ChristopherDavenport/agentturn/front/responses v0.1.0
	github.com/ChristopherDavenport/openresponses v0.1.0
	github.com/openai/openai-go/v3 v3.74.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)

require (
	github.com/coder/websocket v1.8.15 // indirect
	github.com/tidwall/gjson v1.19.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	golang.org/x/text v0.41.0 // indirect
)
