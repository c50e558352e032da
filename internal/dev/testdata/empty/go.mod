module example.test/empty

go 1.25
