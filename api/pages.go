package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"ballast/api/transport"
	"ballast/api/web"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// servicePage is a route outside of the versioned interface, or its OpenAPI document.
type servicePage struct {
	id, path, summary, description string
	responses                      map[string]*huma.Response
	handler                        http.HandlerFunc
}

// readyBody describes which parts of the service are ready.
type readyBody struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks" doc:"\"ok\", or why the part is not ready"`
}

// healthPath answers as long as the process runs.
const healthPath = "/healthz"

// readyTimeout bounds all checks of one probe.
const readyTimeout = 2 * time.Second

// servicePages returns the routes that need no key.
func (s *Server) servicePages() []servicePage {
	readiness := &huma.Schema{Type: huma.TypeObject, Required: []string{"ready", "checks"}, Properties: map[string]*huma.Schema{
		"ready":  {Type: huma.TypeBoolean},
		"checks": {Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Type: huma.TypeString}, Description: "By part: ok or not ready"},
	}}
	probe := func(description string) *huma.Response {
		return &huma.Response{Description: description, Content: map[string]*huma.MediaType{"application/json": {Schema: readiness}}}
	}
	document := map[string]*huma.Response{"200": {
		Description: "OpenAPI 3.1", Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}}},
	}}
	pages := []servicePage{
		{"get-openapi", "/v1/openapi.json", "OpenAPI document", "This interface as an OpenAPI 3.1 document.", document, s.serveDocument},
		{"get-health", healthPath, "Liveness", "Responds as long as the process serves requests.", textResponse("text/plain", "ok"), serveHealth},
		{"get-ready", "/readyz", "Readiness", "Checks every part that the service needs.",
			map[string]*huma.Response{"200": probe("Every part is ready"), "503": probe("A part is not ready")}, s.serveReadiness},
	}
	if s.Gatherer != nil {
		pages = append(pages, servicePage{"get-metrics", "/metrics", "Metrics", "Metrics in the Prometheus text format.", textResponse("text/plain", "Metrics"),
			promhttp.HandlerFor(s.Gatherer, promhttp.HandlerOpts{}).ServeHTTP})
	}
	return pages
}

// textResponse documents a text response.
func textResponse(mediaType, description string) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {
		Description: description,
		Content:     map[string]*huma.MediaType{mediaType: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
}

// registerPages adds the routes that need no key, the pages of the site, and
// the console.
func (s *Server) registerPages() {
	for _, p := range s.servicePages() {
		s.router.Path(p.path).Methods(http.MethodGet).HandlerFunc(p.handler)
		s.api.OpenAPI().AddOperation(&huma.Operation{
			OperationID: p.id, Method: http.MethodGet, Path: p.path, Tags: []string{tagService},
			Summary: p.summary, Description: p.description, Responses: p.responses,
		})
	}
	site := s.site.Pages()
	for i := range site {
		if p := &site[i]; p.Method == http.MethodGet && p.Media == nil {
			p.Handler = s.compressed(p.Handler)
		}
	}
	for _, p := range append(site, s.console.Pages()...) {
		s.router.Path(p.Path).Methods(p.Method).HandlerFunc(p.Handler)
		if p.ID != "" {
			s.documentPage(p)
		}
	}
}

// compressed sends a page compressed to those who accept that.
func (s *Server) compressed(page http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		held := transport.Hold(w)
		defer held.Release()
		page(held, r)
		held.Send(r, s.compress)
	}
}

// newSite creates the pages, which read through the same services as the operations.
func (s *Server) newSite() (*web.Site, error) {
	c := web.Config{
		Models: s.Models, Runs: s.Runs, Histories: s.Histories, Answers: s.Simulations.Results, Studies: s.Studies, Linked: s.Linked, Visitors: pageHost{s}, Refusals: pageHost{s},
		Origin: s.origin, Now: s.now,
		HeadersOnly: func(r *http.Request) bool { return exchangeOf(r.Context()).head },
	}
	if s.Signin.Issuer != nil {
		c.Issuer = s.Signin.Name
	}
	return web.New(c)
}

// documentPage adds a page of the site to the document.
func (s *Server) documentPage(p web.Page) {
	responses := s.documentFaults(p.Faults)
	media := p.Media
	if media == nil {
		media = []string{"text/html"}
	}
	for status, description := range p.Answers {
		content := map[string]*huma.MediaType{}
		for _, m := range media {
			content[m] = textResponse(m, description)["200"].Content[m]
		}
		responses[strconv.Itoa(status)] = &huma.Response{Description: description, Content: content}
	}
	for status, response := range responses {
		if status < "400" || !p.RefusesWithPage {
			continue
		}
		response.Content["text/html"] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
		response.Content[transport.MediaJSON] = &huma.MediaType{Schema: s.errorSchema()}
	}
	if redirect := responses[strconv.Itoa(http.StatusSeeOther)]; redirect != nil {
		redirect.Content = nil
	}
	s.api.OpenAPI().AddOperation(&huma.Operation{
		OperationID: p.ID, Method: p.Method, Path: p.Path, Tags: []string{tagService},
		Summary: p.Summary, Description: p.Description, Parameters: p.Parameters, Responses: responses,
	})
}

func (s *Server) serveDocument(w http.ResponseWriter, r *http.Request) {
	document, err := s.document()
	if err != nil {
		pageHost{s}.Refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(document)
}

func serveHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// serveReadiness describes which parts are not ready. The reasons only go to the log,
// because the page needs no key.
func (s *Server) serveReadiness(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	body := readyBody{Ready: true, Checks: map[string]string{}}
	for name, check := range s.Ready {
		body.Checks[name] = "ok"
		if err := check(ctx); err != nil {
			body.Ready, body.Checks[name] = false, "not ready"
			s.log.WarnContext(ctx, "not ready", "check", name, "error", err)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if !body.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_ = json.NewEncoder(w).Encode(body)
}
