// Package api serves the REST interface: routes, wire types, parameters, the
// table of errors, authentication, and the OpenAPI document.
//
// New wires it over the services that it needs, which it declares as interfaces
// (Models, Catalog, Accounts), and returns an http.Handler:
//
//	server, err := api.New(api.Config{
//		Models: programs, Catalog: assets, Accounts: accounts,
//		Logger: logger, Registerer: registry, Gatherer: registry,
//	})
//	http.Serve(listener, server)
//
// Each operation is registered once, with its types. Its route, its validation and
// its entry in the OpenAPI document follow from that, so they cannot disagree. A
// request passes these stations, each in its own file:
//
//	server.go        request id, panics, HEAD as GET, unknown routes and methods
//	observe.go       access log and metrics
//	authenticate.go  from a key or a session to an identity
//	stations.go      format of the response, query and body; package transport checks them
//	idempotency.go   the saved response to a repeated request
//	register.go      the operation itself
//	errors.go        from a fault to its status and body
//
// Two packages stand below: api/transport reads requests and writes responses, and
// api/web serves the pages. pages.go mounts the pages, and visitors.go lets them use
// sessions and errors. Neither package imports this one.
//
// Names of wire types end in Body. For each, one function converts the domain type.
package api
