module example.test/alone

go 1.25
