// Package api serves the REST interface: routes, wire types, parameters, the
// table of errors, authentication, and the OpenAPI document with its reference
// page.
//
// New wires it over the services that it needs, which it names as interfaces
// (Models, Catalog, Accounts), and returns an http.Handler:
//
//	server, err := api.New(api.Config{
//		Models: programs, Catalog: assets, Accounts: accounts,
//		Logger: logger, Registerer: registry, Gatherer: registry,
//	})
//	http.Serve(listener, server)
//
// Every operation is registered once, with its types; routes, validation and
// the OpenAPI document follow from that, so they cannot drift apart. A request
// passes these stations, each in its own file:
//
//	server.go        request id, panics, HEAD as GET, unknown routes and methods
//	observe.go       access log and metrics
//	authenticate.go  bearer key to identity
//	negotiate.go     what the caller accepts
//	query.go         query parameters, all problems at once
//	body.go          the JSON body, all problems at once
//	register.go      the operation itself
//	errors.go        a fault to its status and body
//	etag.go          the ETag of the answer, and 304
//
// Wire types end in Body; each is built from its domain type by one function.
package api
