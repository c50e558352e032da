module github.com/ChristopherDavenport/agentturn/front/responses

go 1.25

require (
	github.com/ChristopherDavenport/agenttool v0.1.0
	github.com/ChristopherDavenport/agentturn v0.1.0
	github.com/ChristopherDavenport/openresponses v0.1.0
)

replace (
	github.com/ChristopherDavenport/agenttool => ../../agenttool
	github.com/ChristopherDavenport/agentturn => ../..
	github.com/ChristopherDavenport/openresponses => ../../openresponses
)
