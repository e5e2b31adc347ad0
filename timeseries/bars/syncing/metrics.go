package syncing

import "github.com/prometheus/client_golang/prometheus"

// metrics counts loads.
type metrics struct {
	inFlight prometheus.Gauge
	loads    *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "ballast_bar_loads_in_flight", Help: "Loads of bars under way in this process."}),
		loads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "ballast_bar_loads_total", Help: "Loads of bars of one asset, by outcome: loaded, unchanged, unknown, failed.",
		}, []string{"outcome"}),
	}
	if r != nil {
		r.MustRegister(m.inFlight, m.loads)
	}
	return m
}

func (m *metrics) began() { m.inFlight.Inc() }

func (m *metrics) ended(o Outcome) {
	m.inFlight.Dec()
	m.loads.WithLabelValues(string(o)).Inc()
}
