module github.com/ChristopherDavenport/agenttool

go 1.25

require github.com/ChristopherDavenport/openresponses v0.1.0

replace github.com/ChristopherDavenport/openresponses => ../openresponses
