module github.com/ChristopherDavenport/agentturn/interop

go 1.25

replace (
	github.com/ChristopherDavenport/agenttool => ../agenttool
	github.com/ChristopherDavenport/agentturn => ..
	github.com/ChristopherDavenport/openresponses => ../openresponses
)
