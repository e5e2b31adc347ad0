package postgres_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"ballast/postgres"
)

// TestWaitingWorkIsMeasured checks the figures by which workers are scaled.
func TestWaitingWorkIsMeasured(t *testing.T) {
	t.Parallel()
	q := newQueue(t, 4, 0)
	q.queue("Alice", 12)
	_, err := q.db.Pool().Exec(t.Context(), `update runs l set started_at = now() - interval '3 seconds', finished_at = now()
		from programs p where l.id = p.live_run_id`)
	must(t, err)
	q.step()
	registry := prometheus.NewRegistry()
	registry.MustRegister(postgres.NewQueueCollector(q.db))
	families, err := registry.Gather()
	must(t, err)
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.Metric {
			name := f.GetName()
			for _, l := range m.Label {
				name += " " + l.GetValue()
			}
			got[name] = m.GetGauge().GetValue()
		}
	}
	waiting := got["ballast_queue_jobs run pending"] + got["ballast_queue_jobs run available"]
	if got["ballast_queue_readable"] != 1 || waiting < 5 || got["ballast_run_work_seconds interactive"] < 2.9*waiting || got["ballast_run_work_seconds interactive"] > 3.1*waiting {
		t.Errorf("%v", got)
	}
	if got["ballast_run_slots default"] != 4 || got["ballast_run_slots_busy default"] < 1 || got["ballast_run_work_seconds nightly"] != 0 {
		t.Errorf("%v", got)
	}
}
