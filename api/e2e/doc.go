// Package e2e tests the whole service through its interface: a built binary,
// its private PostgreSQL and its sandbox, bars imported from the command line,
// and scripts in testdata that speak HTTP.
//
// A script is a txtar archive of the language of testscript, with commands of
// its own:
//
//	account NAME             makes an account and a key, which later calls use
//	call STATUS METHOD PATH [@FILE | script@FILE] [HEADER: VALUE]...
//	                         sends a request, with a file as body or as the
//	                         script of a body, and holds the answer against
//	                         the OpenAPI document; the answer is on stdout,
//	                         laid out, with ids, times and hashes replaced
//	settle MODEL             waits until no work on the model is in flight
//	save NAME PATH           keeps a value of the last answer as a variable
//	legacy NAME PREFIX ID    keeps the form of an id with a legacy prefix
//	want PATH VALUE          holds the JSON of a value of the last answer
//	near PATH VALUE          holds a number of it, to 1e-9
//
// Paths are those of gjson. `go test ./api/e2e -update` rewrites the golden files.
package e2e
