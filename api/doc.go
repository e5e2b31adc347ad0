// Package api serves the REST interface: routes, wire types, parameters, the
// table of errors, authentication, and the OpenAPI document.
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
//	authenticate.go  bearer key or session to identity
//	stations.go      what the caller accepts, the query, the body: package transport checks them
//	idempotency.go   the first answer to a repeated request
//	register.go      the operation itself
//	errors.go        a fault to its status and body
//
// Two packages stand below: api/transport reads requests and writes answers, and
// api/web serves the pages, which pages.go mounts and visitors.go lets use sessions
// and errors. Neither imports this one.
//
// Wire types end in Body; each is built from its domain type by one function.
package api
