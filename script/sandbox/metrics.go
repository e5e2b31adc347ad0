package sandbox

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/internal/confine"
)

// poolMetrics are the Prometheus metrics of a pool.
type poolMetrics struct {
	registerer prometheus.Registerer
	guards     *prometheus.GaugeVec
	runs       *prometheus.HistogramVec
	replaced   *prometheus.CounterVec
	waiting    prometheus.Gauge
	processes  []prometheus.Collector // warm and living processes, read from the pool
}

// newMetrics registers a pool's metrics. idle and living are called whenever
// the metrics are read.
func newMetrics(r prometheus.Registerer, idle, living func() int) (*poolMetrics, error) {
	m := &poolMetrics{
		registerer: r,
		guards: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "ballast_sandbox_guard", Help: "1 if the guard is active in sandbox processes, 0 if this system lacks it.",
		}, []string{"guard"}),
		runs: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "ballast_sandbox_run_seconds", Help: "Duration of runs by how they ended, including the wait for a free process.",
			Buckets: prometheus.ExponentialBuckets(0.001, 4, 9),
		}, []string{"end"}),
		replaced: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ballast_sandbox_replaced_total", Help: "Sandbox processes replaced, by reason.",
		}, []string{"reason"}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "ballast_sandbox_waiting", Help: "Runs that wait for their account's turn in a sandbox process.",
		}),
	}
	m.processes = []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "ballast_sandbox_warm", Help: "Sandbox processes that are free to take a run.",
		}, func() float64 { return float64(idle()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "ballast_sandbox_size", Help: "Living sandbox processes, including extra ones. Those that are not warm are running a script.",
		}, func() float64 { return float64(living()) }),
	}
	if r == nil {
		return m, nil
	}
	for _, c := range m.all() {
		if err := r.Register(c); err != nil {
			return nil, fmt.Errorf("register the sandbox's metrics: %w", err)
		}
	}
	return m, nil
}

func (m *poolMetrics) all() []prometheus.Collector {
	return append([]prometheus.Collector{m.guards, m.runs, m.replaced, m.waiting}, m.processes...)
}

func (m *poolMetrics) unregister() {
	if m.registerer != nil {
		for _, c := range m.all() {
			m.registerer.Unregister(c)
		}
	}
}

func (m *poolMetrics) show(r confine.Report) {
	for _, g := range r {
		value := 0.0
		if g.Active {
			value = 1
		}
		m.guards.WithLabelValues(g.Name).Set(value)
	}
}

// observe counts a run by its end.
func (m *poolMetrics) observe(took time.Duration, err error) {
	m.runs.WithLabelValues(endOf(err)).Observe(took.Seconds())
}
