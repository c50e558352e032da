module github.com/ChristopherDavenport/openresponses

go 1.25

require github.com/coder/websocket v1.8.15
