// Package web serves the pages of the service: the reference, the documentation,
// the pages of models and shared runs, and the form to sign in. They are HTML from
// templates, with figures drawn as SVG, and work without JavaScript.
//
// A Site reads through the small interfaces of its Config and gives back its Pages,
// each with its route, its handler and what the OpenAPI document says of it:
//
//	site, err := web.New(web.Config{Models: models, Runs: runs, Histories: histories, …})
//	for _, page := range site.Pages() {
//		router.Path(page.Path).Methods(page.Method).HandlerFunc(page.Handler)
//	}
//	err = site.ShowReference(web.Reference{Document: document, …}) // once all is documented
//
// Package api mounts the site. It alone knows keys, cookies and limits: pages ask
// its Visitors who the reader is, and leave errors to its Refusals. A page of a
// result reads as its reader may: a stranger sees public models and shared runs,
// and whatever else there is looks as if it did not exist.
//
//	site.go         the pages and what they need
//	guide.go        the documentation, from Markdown
//	reference.go    the reference, from the OpenAPI document
//	signin.go       the form, and the list of one's models
//	model_page.go   the page of a model, and run_page.go that of a shared run
//	result_page.go  what both show; result_plot.go draws it
package web
