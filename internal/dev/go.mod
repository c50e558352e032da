module github.com/ChristopherDavenport/agentturn/internal/dev

go 1.25
