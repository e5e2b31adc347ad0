module ballast-client

go 1.24
