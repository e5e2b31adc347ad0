package provider

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics counts requests to services.
type Metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// NewMetrics registers the counters.
func NewMetrics(r prometheus.Registerer) *Metrics {
	m := &Metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ballast_provider_requests_total", Help: "Requests to providers of bars, by outcome: ok, unchanged, unknown, denied, throttled, unavailable, malformed, canceled.",
		}, []string{"provider", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "ballast_provider_request_seconds", Help: "Time that requests to providers of bars took.",
			Buckets: []float64{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30},
		}, []string{"provider"}),
	}
	r.MustRegister(m.requests, m.seconds)
	return m
}

func (m *Metrics) count(name, outcome string, took time.Duration) {
	if m == nil {
		return
	}
	m.requests.WithLabelValues(name, outcome).Inc()
	m.seconds.WithLabelValues(name).Observe(took.Seconds())
}
