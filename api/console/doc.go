// Package console serves the pages on which people manage what their account keeps.
// Every page is made of plain HTML tables and forms, and works without JavaScript;
// scripts only save waiting and typing.
//
// The pages call the same services as the operations of the REST interface. What they
// need of the server (credentials, limits, the audit log, the table of errors) comes
// through Host:
//
//	c, err := console.New(console.Config{Host: host, Models: models, Trash: trash, …})
//	for _, page := range c.Pages() {
//		router.Path(page.Path).Methods(page.Method).HandlerFunc(page.Handler)
//	}
//
// A handler returns a view, which is rendered within the frame (frame.html), or an
// error, which the frame shows in the words of the REST interface. After a change a
// handler returns the address to continue at, so that reloading a page repeats nothing.
//
// Changes need a session whose cookie browsers do not send from other sites, and a
// request that comes from a page of the service (Host.Form checks it).
//
//	console.go      the pages and what they need
//	request.go      from a request to a view
//	view.go         rendering, the security headers
//	assets          style sheet and scripts
//	models.go       the list of models; sparkline.go draws its lines
//	new.go          making a model from words, a script or a form (shape.go)
//	kind.go         the kinds of programs, which share most pages
//	programs.go     the lists of simulations and analyses
//	call.go         making a simulation or analysis by calling one function
//	optimizers.go   rules for weights; optimizer_form.go is their form
//	model.go        a program at work, and its settings; progress.go follows it
//	draft.go        the editor of a draft: saving, testing, applying
//	runs.go         the runs of a program, and the revisions of a model
//	what_if.go      the form that runs a program with other inputs (inputs.go)
//	compare.go      runs beside each other
//	screener.go     the list of assets; symbols.go offers them to the editor
//	shares.go       links that show results to anybody; share.go is the form of one
//	trash.go        deleted models
//	account.go      the account, its usage and its audit log; keys.go, charges.go
//	webhooks.go     endpoints for events; webhook.go shows one with its deliveries
//	once.go         forms that work once, however often they are sent
package console
