module github.com/ChristopherDavenport/agentturn/examples

go 1.25

require (
	github.com/ChristopherDavenport/agenttool v0.1.0
	github.com/ChristopherDavenport/agentturn v0.1.0
	github.com/ChristopherDavenport/agentturn/front/responses v0.1.0
	github.com/ChristopherDavenport/openresponses v0.1.0
)

require github.com/coder/websocket v1.8.15 // indirect

replace (
	github.com/ChristopherDavenport/agenttool => ../agenttool
	github.com/ChristopherDavenport/agentturn => ..
	github.com/ChristopherDavenport/agentturn/front/responses => ../front/responses
	github.com/ChristopherDavenport/openresponses => ../openresponses
)
