package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// page is a route outside of the versioned interface, or its document.
type servicePage struct {
	id, path, summary, description string
	responses                      map[string]*huma.Response
	handler                        http.HandlerFunc
}

// readyBody says which parts of the service are ready.
type readyBody struct {
	Ready  bool              `json:"ready"`
	Checks map[string]string `json:"checks" doc:"\"ok\", or why the part is not ready"`
}

// healthPath answers as long as the process lives.
const healthPath = "/healthz"

// readyTimeout bounds all checks of one probe.
const readyTimeout = 2 * time.Second

// pages are the routes that need no key.
func (s *Server) pages() []servicePage {
	readiness := &huma.Schema{Type: huma.TypeObject, Required: []string{"ready", "checks"}, Properties: map[string]*huma.Schema{
		"ready":  {Type: huma.TypeBoolean},
		"checks": {Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Type: huma.TypeString}, Description: "By part: ok, or that it is not ready"},
	}}
	probe := func(description string) *huma.Response {
		return &huma.Response{Description: description, Content: map[string]*huma.MediaType{"application/json": {Schema: readiness}}}
	}
	document := map[string]*huma.Response{"200": {
		Description: "OpenAPI 3.1", Content: map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}}},
	}}
	pages := []servicePage{
		{"get-openapi", "/v1/openapi.json", "OpenAPI document", "This interface as an OpenAPI 3.1 document.", document, s.serveDocument},
		{"get-docs", "/docs", "Reference page", "This interface as a page to read.", textResponse("text/html", "The reference"), func(w http.ResponseWriter, r *http.Request) { s.page.serve(w, r) }},
		{"get-health", healthPath, "Liveness", "Answers as long as the process serves requests.", textResponse("text/plain", "ok"), serveHealth},
		{"get-ready", "/readyz", "Readiness", "Asks every part that the service needs.",
			map[string]*huma.Response{"200": probe("Every part is ready"), "503": probe("A part is not ready")}, s.serveReadiness},
	}
	if s.Gatherer != nil {
		pages = append(pages, servicePage{"get-metrics", "/metrics", "Metrics", "Metrics in the Prometheus text format.", textResponse("text/plain", "Metrics"),
			promhttp.HandlerFor(s.Gatherer, promhttp.HandlerOpts{}).ServeHTTP})
	}
	return append(pages, s.guides...)
}

// textResponse is an answer of text.
func textResponse(mediaType, description string) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {
		Description: description,
		Content:     map[string]*huma.MediaType{mediaType: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
}

func (s *Server) registerPages() {
	for _, p := range s.pages() {
		s.router.Path(p.path).Methods(http.MethodGet).HandlerFunc(p.handler)
	}
	s.router.Path("/").Methods(http.MethodGet).HandlerFunc(s.serveHome)
}

func (s *Server) serveDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(s.document)
}

func serveHealth(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n"))
}

// serveReadiness tells which parts are not ready; why is for the log, since the
// page needs no key.
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
