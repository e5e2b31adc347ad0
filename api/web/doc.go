// Package web serves the pages of the service: the reference, the documentation,
// the pages of models and shared runs, and the form to sign in. They are HTML from
// templates, with figures drawn as SVG, and work without JavaScript.
//
// A Site reads through the small interfaces of its Config. Pages returns its pages,
// each with its route, its handler and its entry in the OpenAPI document:
//
//	site := web.New(web.Config{Models: models, Runs: runs, Histories: histories, …})
//	for _, page := range site.Pages() {
//		router.Path(page.Path).Methods(page.Method).HandlerFunc(page.Handler)
//	}
//	site.ShowReference(web.Reference{Document: document, …}) // once the document is complete
//
// Package api mounts the site. Only package api knows keys, cookies and limits: pages
// ask its Visitors who the reader is, and pass errors to its Refusals. A result page
// shows what its reader may read: strangers see public models and shared runs, and
// everything else looks as if it did not exist.
//
//	site.go         the pages and what they need
//	guide.go        the documentation, from Markdown
//	reference.go    the reference, from the OpenAPI document
//	signin.go       the sign-in form, and the reader's models
//	model_page.go   the page of a model
//	run_page.go     the page of a shared run
//	result_page.go  what both show: panels.go has its parts in order, result_*.go fills them
//	plot            the script that lets readers explore the growth
//	asset           the files that pages load
//	answer.go       what a run of another kind than model shows; package chart draws its figures
package web
