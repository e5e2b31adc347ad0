package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// measure is middleware of the queue that counts this process's jobs.
type measure struct {
	river.MiddlewareDefaults
	workers *prometheus.GaugeVec
	busy    *prometheus.GaugeVec
	seconds *prometheus.HistogramVec
}

// newMeasure creates the metrics for the queues and registers them, unless r is nil.
func newMeasure(r prometheus.Registerer, queues map[string]river.QueueConfig) (*measure, error) {
	m := &measure{
		workers: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "ballast_workers", Help: "Most jobs that this process runs at the same time, by queue.",
		}, []string{"queue"}),
		busy: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "ballast_workers_busy", Help: "Jobs that this process is running, by queue.",
		}, []string{"queue"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "ballast_job_seconds",
			Help:    "Duration of job attempts, by kind and end: done, put_off (looked at again later), failed (retried while attempts are left).",
			Buckets: []float64{.002, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60, 600},
		}, []string{"kind", "end"}),
	}
	for name, q := range queues {
		m.workers.WithLabelValues(name).Set(float64(q.MaxWorkers))
		m.busy.WithLabelValues(name).Set(0)
	}
	if r == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.workers, m.busy, m.seconds} {
		if err := r.Register(c); err != nil {
			return nil, fmt.Errorf("register the queue's metrics: %w", err)
		}
	}
	return m, nil
}

// Work implements rivertype.WorkerMiddleware.
func (m *measure) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) (err error) {
	busy, began := m.busy.WithLabelValues(job.Queue), time.Now()
	busy.Inc()
	end := "failed" // if work panics
	defer func() {
		busy.Dec()
		m.seconds.WithLabelValues(job.Kind, end).Observe(time.Since(began).Seconds())
	}()
	err = work(ctx)
	var later *rivertype.JobSnoozeError
	switch {
	case err == nil:
		end = "done"
	case errors.As(err, &later):
		end = "put_off"
	}
	return err
}
