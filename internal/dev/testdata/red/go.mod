module example.test/red

go 1.25
