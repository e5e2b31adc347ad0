package api

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/api/transport"
)

// measures are the Prometheus metrics of the interface.
type measures struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

func newMeasures(r prometheus.Registerer) (*measures, error) {
	m := &measures{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ballast_http_requests_total",
			Help: "Responses sent, by route template, method and status.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "ballast_http_request_duration_seconds",
			Help:    "Time from the request's headers to the end of the response, by class of status: 2xx, 3xx, 4xx, 5xx.",
			Buckets: []float64{.0005, .001, .002, .003, .005, .01, .025, .05, .1, .25, 1, 5, 60},
		}, []string{"route", "method", "class"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "ballast_http_requests_in_flight",
			Help: "Requests in progress.",
		}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.duration, m.inFlight} {
		if err := r.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// statusClass returns the first digit of a status followed by xx. If a handler wrote
// nothing, net/http sends 200.
func statusClass(status int) string {
	if status == 0 {
		status = http.StatusOK
	}
	return strconv.Itoa(status/100) + "xx"
}

// observe counts and logs one answered request.
func (s *Server) observe(ctx context.Context, method string, w *transport.Recorder) {
	x := exchangeOf(ctx)
	elapsed := s.now().Sub(x.start)
	route := x.route
	if route == "" {
		route = "unmatched"
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		method = "OTHER" // callers must not be able to create label values
	}
	s.measures.requests.WithLabelValues(route, method, strconv.Itoa(w.Status)).Inc()
	s.measures.duration.WithLabelValues(route, method, statusClass(w.Status)).Observe(elapsed.Seconds())

	level := slog.LevelInfo
	switch {
	case w.Status >= http.StatusInternalServerError:
		level = slog.LevelError
	case w.Status == http.StatusTooManyRequests: // the metric counts them; a flood of requests must not flood the log
		level = slog.LevelDebug
	case route == healthPath || route == "/readyz" || route == "/metrics":
		level = slog.LevelDebug
	}
	if !s.log.Enabled(ctx, level) {
		return
	}
	attributes := []slog.Attr{
		slog.String("request_id", x.id), slog.String("method", method), slog.String("route", route),
		slog.Int("status", w.Status), slog.Int64("bytes", w.Bytes), slog.Duration("duration", elapsed),
	}
	if x.address.IsValid() {
		attributes = append(attributes, slog.String("address", x.address.String()))
	}
	if x.identity != nil {
		attributes = append(attributes, slog.String("account_id", x.identity.AccountID))
	}
	s.log.LogAttrs(ctx, level, "request", attributes...)
}
