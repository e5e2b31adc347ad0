package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humamux"
	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/cors"

	"ballast/api/console"
	"ballast/api/transport"
	"ballast/api/web"
	"ballast/audit"
	"ballast/billing"
	"ballast/internal/fault"
)

// Config holds what New needs. The interfaces say what each service does.
type Config struct {
	Models           Models
	Builder          Builder
	Builds           Builds
	Runs             Runs
	RunChanges       RunChanges
	Drafts           Drafts
	Revisions        Revisions
	Trash            Trash
	Simulations      Family
	Analyses         Family
	Studies          web.Studies // of models, for their pages
	Histories        Histories
	Catalog          Catalog
	Backfills        Backfills
	BackfilledAssets BackfilledAssets
	Optimizers       Optimizers
	OptimizerAnswers OptimizerAnswers
	Series           Series
	SeriesColumns    SeriesColumns
	Exports          Exports // nil: no exports
	Queries          Queries // nil: no SQL
	Credentials      Credentials
	Accounts         Accounts
	Keys             Keys
	Sessions         Sessions
	SignIns          SignIns    // nil: no sign-in with an issuer
	Shares           Shares     // nil: no operations and pages of shares
	Linked           web.Linked // reads what they are of
	Webhooks         Webhooks
	Deliveries       Deliveries
	Billing          Billing
	Policy           billing.Policy // prices, and what each plan includes
	Idempotency      Idempotency    // nil: the Idempotency-Key header is refused
	Ready            map[string]Check
	NextRefresh      func(time.Time) time.Time // when the next recurring refresh is due; nil if there are none
	PublicURL        string                    // beginning of addresses in responses, without a trailing slash; "": the origin that the caller used
	Origins          []string                  // origins whose pages may call the interface with a key; nil: only our own
	Version          string                    // version of the service, for the reference page
	Limits           Limits
	Signin           Signin
	Audit            audit.Store // nil: no audit log
	Logger           *slog.Logger
	Registerer       prometheus.Registerer
	Gatherer         prometheus.Gatherer // served to everybody at /metrics; nil: no metrics are served
	Now              func() time.Time    // nil: time.Now
}

// Server is the REST interface as an http.Handler.
type Server struct {
	Config
	log      *slog.Logger
	limits   *limiter
	origins  *http.CrossOriginProtection
	cors     *cors.Cors // nil if no other origin may call
	now      func() time.Time
	router   *mux.Router
	api      huma.API
	streams  map[string]bool // route templates whose responses are not buffered
	literals map[string]bool // route templates without variables
	measures *measures
	compress *transport.Compressor
	document func() ([]byte, error) // OpenAPI, JSON; encoded once
	site     *web.Site
	console  *console.Console
}

// New builds the server: routes, document and pages. It fails if a metric is already
// registered or the document cannot be completed.
func New(c Config) (*Server, error) {
	s := &Server{Config: c, log: c.Logger, now: c.Now, limits: newLimiter(c.Limits)}
	if s.now == nil {
		s.now = time.Now
	}
	var err error
	if s.origins, err = originsOf(c.PublicURL); err != nil {
		return nil, err
	}
	if s.cors, err = newCORS(c.Origins); err != nil {
		return nil, err
	}
	if s.measures, err = newMeasures(c.Registerer); err != nil {
		return nil, err
	}
	if s.compress, err = transport.NewCompressor(); err != nil {
		return nil, err
	}
	if s.site, err = s.newSite(); err != nil {
		return nil, err
	}
	if s.console, err = s.newConsole(); err != nil {
		return nil, err
	}
	s.router = mux.NewRouter().UseEncodedPath().SkipClean(true)
	s.router.Use(s.matched)
	s.router.NotFoundHandler = http.HandlerFunc(s.unknownRoute)
	s.router.MethodNotAllowedHandler = http.HandlerFunc(s.unknownMethod)
	s.api = humamux.New(s.router, s.humaConfig())
	s.registerOperations()
	s.registerPages()
	s.registerAgents()
	if err = s.makeDocument(); err != nil {
		return nil, err
	}
	s.literals, err = literalPaths(s.router)
	return s, err
}

func (s *Server) registerOperations() {
	s.registerModels()
	s.registerSimulations()
	s.registerAnalyses()
	s.registerCompare() // before runs: its path would also match theirs
	s.registerRuns()
	s.registerRunPatch()
	s.registerBuilds()
	s.registerAssets()
	s.registerBackfills()
	s.registerOptimizers()
	s.registerSeries()
	s.registerExports()
	s.registerQuery()
	s.registerAccount()
	s.registerSessions()
	s.registerAudit()
	s.registerShares()
	s.registerWebhooks()
}

// makeDocument completes the OpenAPI document after every operation is registered. The
// document is encoded, and the reference page rendered, when somebody first asks for
// them: that takes longer than the rest of the start.
func (s *Server) makeDocument() error {
	if err := s.finishDocument(); err != nil {
		return err
	}
	examples, err := readExamples()
	if err != nil {
		return err
	}
	s.showExamples(examples)
	s.document = sync.OnceValues(func() ([]byte, error) {
		document, err := json.Marshal(s.api.OpenAPI())
		if err != nil {
			return nil, fmt.Errorf("encode OpenAPI document: %w", err)
		}
		return document, nil
	})
	s.site.ShowReference(web.Reference{Document: s.api.OpenAPI(), Version: s.Version, Errors: errorRows(), Examples: examples})
	return nil
}

// literalPaths returns the route templates without variables. Their paths must not
// match any other template, whatever the method.
func literalPaths(router *mux.Router) (map[string]bool, error) {
	paths := map[string]bool{}
	err := router.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
		template, err := route.GetPathTemplate()
		if !strings.Contains(template, "{") {
			paths[template] = true
		}
		return err
	})
	return paths, err
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{id: transport.RequestID(r.Header), start: s.now(), head: r.Method == http.MethodHead, address: s.Limits.Proxies.Client(r), origin: s.origin(r)}
	transport.SetDeadlines(w, r)
	ctx := context.WithValue(r.Context(), exchangeKey{}, x)
	r = r.WithContext(ctx)
	r.URL = transport.WithoutSlash(r.URL)
	method := r.Method
	if method == http.MethodHead {
		r.Method = http.MethodGet // net/http leaves the body out
	}
	x.method = r.Method
	rec := &transport.Recorder{ResponseWriter: w}
	x.answer = rec
	rec.Header().Set("X-Request-Id", x.id)
	s.measures.inFlight.Inc()
	defer func() {
		if x.leave != nil {
			defer x.leave()
		}
		defer func() { // even if recover panics again
			s.measures.inFlight.Dec()
			s.observe(ctx, method, rec)
		}()
		s.recover(rec, ctx, recover())
	}()
	if s.cors != nil {
		s.cors.HandlerFunc(rec, r)
		if isPreflight(r) {
			return
		}
	}
	err := s.limitAddress(x, r)
	if err == nil {
		err = transport.CheckHead(r)
	}
	if err != nil {
		s.writeRefusal(rec, ctx, err)
		return
	}
	s.router.ServeHTTP(rec, r)
}

// recover answers a panic of a handler with 500, unless part of the response was
// already written.
func (s *Server) recover(w *transport.Recorder, ctx context.Context, cause any) { //nolint:revive // the writer comes first, as in net/http
	if cause == nil {
		return
	}
	if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(cause)
	}
	err := fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
	if w.Status != 0 {
		s.log.ErrorContext(ctx, "request failed after its response began", "request_id", exchangeOf(ctx).id, "error", err)
		return
	}
	s.writeRefusal(w, ctx, err)
}

// matched runs for every route that matches. It records the template, decodes the
// variables (they are matched in the encoded path so that a name may contain a
// slash), and buffers the response until it is complete, unless it is streamed.
func (s *Server) matched(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchangeOf(r.Context())
		x.route, _ = mux.CurrentRoute(r).GetPathTemplate()
		if s.literals[r.URL.Path] && x.route != r.URL.Path {
			x.route = r.URL.Path
			s.unknownMethod(w, r)
			return
		}
		variables := mux.Vars(r)
		x.variables = variables
		for name, value := range variables {
			decoded, err := url.PathUnescape(value)
			if err != nil {
				s.writeRefusal(w, r.Context(), fault.New(fault.MalformedRequest, "The path cannot be decoded: its part %s has a bad percent-encoding.", name))
				return
			}
			variables[name] = decoded
		}
		if !strings.HasPrefix(x.route, "/v1/") || s.streams[x.route] {
			next.ServeHTTP(w, r)
			return
		}
		held := transport.Hold(w)
		defer held.Release()
		next.ServeHTTP(held, r)
		held.Send(r, s.compress)
	})
}

func (s *Server) unknownRoute(w http.ResponseWriter, r *http.Request) {
	s.writeRefusal(w, r.Context(), fault.New(fault.NotFound, "There is nothing at %s. The reference at /docs lists every path.", r.URL.Path))
}

func (s *Server) unknownMethod(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		other := *r
		other.Method = method
		var match mux.RouteMatch
		if !s.router.Match(&other, &match) || match.MatchErr != nil {
			continue
		}
		if template, _ := match.Route.GetPathTemplate(); template == r.URL.Path || !s.literals[r.URL.Path] {
			allowed = append(allowed, method)
		}
	}
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.writeRefusal(w, r.Context(), fault.New(fault.MethodNotAllowed, "%s is not allowed at %s. Use %s.", r.Method, r.URL.Path, strings.Join(allowed, ", ")))
}
