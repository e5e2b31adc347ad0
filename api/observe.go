package api

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// measures are the metrics of the interface.
type measures struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

func newMeasures(r prometheus.Registerer) (*measures, error) {
	m := &measures{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ballast_http_requests_total",
			Help: "Requests answered, by route template, method and status.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "ballast_http_request_duration_seconds",
			Help:    "Time from the request's head to the end of the answer, by class of status: 2xx, 3xx, 4xx, 5xx.",
			Buckets: []float64{.0005, .001, .002, .003, .005, .01, .025, .05, .1, .25, 1, 5, 60},
		}, []string{"route", "method", "class"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "ballast_http_requests_in_flight",
			Help: "Requests being answered.",
		}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.duration, m.inFlight} {
		if err := r.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// recorder notes what was answered, and gives up on callers that do not read.
type recorder struct {
	http.ResponseWriter
	status      int
	bytes       int64
	interrupted atomic.Bool
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. It writes in pieces, each with the patience
// of its own: what counts is that the caller reads, not how fast.
func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	control := http.NewResponseController(r.ResponseWriter)
	written := 0
	for {
		_ = control.SetWriteDeadline(time.Now().Add(pieceTime)) // connections of tests have none
		if r.interrupted.Load() {                               // the deadline before this one is undone
			return written, os.ErrDeadlineExceeded
		}
		n, err := r.ResponseWriter.Write(b[written:min(len(b), written+piece)])
		written += n
		r.bytes += int64(n)
		if err != nil || written >= len(b) {
			return written, err
		}
	}
}

// interrupt ends the write that is under way, and all that follow.
func (r *recorder) interrupt() {
	r.interrupted.Store(true)
	_ = http.NewResponseController(r.ResponseWriter).SetWriteDeadline(time.Now())
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// statusClass is the first digit of a status and xx. A handler that wrote
// nothing has the class of the 200 that net/http sends for it.
func statusClass(status int) string {
	if status == 0 {
		status = http.StatusOK
	}
	return strconv.Itoa(status/100) + "xx"
}

// observe counts and logs one answered request.
func (s *Server) observe(ctx context.Context, method string, w *recorder) {
	x := exchangeOf(ctx)
	elapsed := s.now().Sub(x.start)
	route := x.route
	if route == "" {
		route = "unmatched"
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		method = "OTHER" // callers must not be able to make label values
	}
	s.measures.requests.WithLabelValues(route, method, strconv.Itoa(w.status)).Inc()
	s.measures.duration.WithLabelValues(route, method, statusClass(w.status)).Observe(elapsed.Seconds())

	level := slog.LevelInfo
	switch {
	case w.status >= http.StatusInternalServerError:
		level = slog.LevelError
	case w.status == http.StatusTooManyRequests: // the metric counts them; a flood must not become one of log lines
		level = slog.LevelDebug
	case route == healthPath || route == "/readyz" || route == "/metrics":
		level = slog.LevelDebug
	}
	if !s.log.Enabled(ctx, level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("request_id", x.id), slog.String("method", method), slog.String("route", route),
		slog.Int("status", w.status), slog.Int64("bytes", w.bytes), slog.Duration("duration", elapsed),
	}
	if x.address.IsValid() {
		attributes = append(attributes, slog.String("address", x.address.String()))
	}
	if x.identity != nil {
		attributes = append(attributes, slog.String("account_id", x.identity.AccountID))
	}
	s.log.LogAttrs(ctx, level, "request", attributes...)
}
