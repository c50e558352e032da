module example.test/green/nested

go 1.25
