package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"ballast/program"
	"ballast/program/jobs"
)

var (
	poolConnections = prometheus.NewDesc("ballast_db_connections", "Connections of this process to the database, by state: busy or idle.", []string{"state"}, nil)
	poolLimit       = prometheus.NewDesc("ballast_db_connections_limit", "Most connections that this process opens.", nil, nil)
	poolWaits       = prometheus.NewDesc("ballast_db_waits_total", "Times that work had to wait for a free connection.", nil, nil)
	poolWaited      = prometheus.NewDesc("ballast_db_wait_seconds_total", "Time that work has spent waiting for a free connection.", nil, nil)
)

// PoolCollector collects metrics on a DB's connection pool.
type PoolCollector struct{ db *DB }

// NewPoolCollector returns a collector for a DB's connection pool.
func NewPoolCollector(db *DB) *PoolCollector { return &PoolCollector{db} }

// Describe implements prometheus.Collector.
func (c *PoolCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{poolConnections, poolLimit, poolWaits, poolWaited} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c *PoolCollector) Collect(out chan<- prometheus.Metric) {
	s := c.db.pool.Stat()
	out <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, float64(s.AcquiredConns()), "busy")
	out <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, float64(s.IdleConns()), "idle")
	out <- prometheus.MustNewConstMetric(poolLimit, prometheus.GaugeValue, float64(s.MaxConns()))
	out <- prometheus.MustNewConstMetric(poolWaits, prometheus.CounterValue, float64(s.EmptyAcquireCount()))
	out <- prometheus.MustNewConstMetric(poolWaited, prometheus.CounterValue, s.EmptyAcquireWaitTime().Seconds())
}

var (
	queueJobs = prometheus.NewDesc("ballast_queue_jobs", "Jobs of the whole installation by kind and state: pending (waiting for their turn), available, running, retryable, scheduled (for later), discarded. "+
		"Every service reports the same numbers: take their maximum, not their sum.", []string{"kind", "state"}, nil)
	queueOldest       = prometheus.NewDesc("ballast_queue_oldest_seconds", "Age of the oldest job that has not ended, by kind, for the whole installation.", []string{"kind"}, nil)
	runWork           = prometheus.NewDesc("ballast_run_work_seconds", "Estimated processing time of the runs that wait, by class: interactive, build, cascade, nightly. Each counts as long as its program's last run took. For the whole installation: take the maximum of the services, not their sum.", []string{"class"}, nil)
	runSlots          = prometheus.NewDesc("ballast_run_slots", "Runs that all live processes execute at a time, by queue, for the whole installation.", []string{"queue"}, nil)
	runSlotsBusy      = prometheus.NewDesc("ballast_run_slots_busy", "Runs that are being executed, by queue, for the whole installation.", []string{"queue"}, nil)
	deliveriesPending = prometheus.NewDesc("ballast_deliveries_pending", "Events waiting to be delivered to webhooks, for the whole installation.", nil, nil)
	endpointsOff      = prometheus.NewDesc("ballast_webhooks_disabled", "Webhooks that the service disabled because their deliveries failed.", nil, nil)
	queueUp           = prometheus.NewDesc("ballast_queue_readable", "1 if the queue could be read, 0 if the database did not respond.", nil, nil)
)

// queueDepth uses River's index on states. It leaves out completed jobs, since there
// are many.
const queueDepth = `select kind, state::text, count(*), coalesce(extract(epoch from now() - min(created_at)), 0)::float8
from river_job where state in ('available', 'pending', 'running', 'retryable', 'scheduled', 'discarded') group by kind, state`

// eventsDepth counts pending deliveries, through their index, and disabled webhooks.
const eventsDepth = `select (select count(*) from deliveries where status = 'pending'), (select count(*) from webhooks where disabled <> '')`

// mostMeasured limits the waiting runs that are looked up; more are estimated from these.
const mostMeasured = 5000

// waitingWork adds up how long the last runs of the programs took whose runs wait.
const waitingWork = `with waiting as (
	select args ->> 'run_id' as run_id, count(*) over () as jobs from river_job
	where kind = 'run' and state in ('pending', 'available', 'retryable') limit $1
)
select c.class,
	(sum(coalesce(extract(epoch from l.finished_at - l.started_at), 0.1)) * max(w.jobs)::float8 / least(max(w.jobs), $1))::float8
from waiting w join runs r on r.id = w.run_id join (select unnest($2::text[]) as source, unnest($3::text[]) as class) c on c.source = r.source
join programs p on p.id = r.program_id left join runs l on l.id = p.live_run_id
group by 1`

// slotsInUse counts what live processes execute at a time, and what they execute now.
const slotsInUse = `select coalesce(sum(run_slots), 0)::bigint, coalesce(sum(generation_slots), 0)::bigint,
	(select count(*) from river_job where kind = 'run' and state = 'running' and queue not like $1 || '%'),
	(select count(*) from river_job where kind = 'run' and state = 'running' and queue like $1 || '%')
from workers where renewed_at > now() - interval '20 seconds'`

// How long a result is reused, for several scrapers, and how long a query may take.
const (
	queueFresh    = 5 * time.Second
	queuePatience = 2 * time.Second
)

// QueueCollector collects metrics on the queue. They cover the whole installation,
// whichever process reports them.
type QueueCollector struct {
	db   *DB
	mu   sync.Mutex
	read time.Time
	kept []prometheus.Metric
}

// NewQueueCollector returns a collector for the queue.
func NewQueueCollector(db *DB) *QueueCollector { return &QueueCollector{db: db} }

// Describe implements prometheus.Collector.
func (c *QueueCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{queueJobs, queueOldest, runWork, runSlots, runSlotsBusy, deliveriesPending, endpointsOff, queueUp} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c *QueueCollector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || time.Since(c.read) > queueFresh {
		metrics, err := c.ask()
		up := 1.0
		if err != nil {
			up, metrics = 0, nil
		}
		metrics = append(metrics, prometheus.MustNewConstMetric(queueUp, prometheus.GaugeValue, up))
		c.kept, c.read = metrics, time.Now()
	}
	for _, m := range c.kept {
		out <- m
	}
}

func (c *QueueCollector) ask() ([]prometheus.Metric, error) {
	ctx, cancel := context.WithTimeout(context.Background(), queuePatience)
	defer cancel()
	rows, err := c.db.pool.Query(ctx, queueDepth)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	// Runs are always reported, with 0 if there are none. Other kinds appear with
	// their first job.
	type key struct{ kind, state string }
	counts, oldest := map[key]int64{}, map[string]float64{"run": 0}
	for _, state := range []string{"available", "pending", "running", "retryable", "scheduled", "discarded"} {
		counts[key{"run", state}] = 0
	}
	for rows.Next() {
		var kind, state string
		var n int64
		var age float64
		if err := rows.Scan(&kind, &state, &n, &age); err != nil {
			return nil, err
		}
		counts[key{kind, state}] = n
		if state != "discarded" {
			oldest[kind] = max(oldest[kind], age)
		}
	}
	var out []prometheus.Metric
	for k, n := range counts {
		out = append(out, prometheus.MustNewConstMetric(queueJobs, prometheus.GaugeValue, float64(n), k.kind, k.state))
	}
	for kind, age := range oldest {
		out = append(out, prometheus.MustNewConstMetric(queueOldest, prometheus.GaugeValue, age, kind))
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	work, err := c.work(ctx)
	if err != nil {
		return nil, err
	}
	out = append(out, work...)
	var deliveries, off int64
	if err := c.db.pool.QueryRow(ctx, eventsDepth).Scan(&deliveries, &off); err != nil {
		return nil, err
	}
	return append(out,
		prometheus.MustNewConstMetric(deliveriesPending, prometheus.GaugeValue, float64(deliveries)),
		prometheus.MustNewConstMetric(endpointsOff, prometheus.GaugeValue, float64(off)),
	), nil
}

// work measures what waits and how much is executed at a time.
func (c *QueueCollector) work(ctx context.Context) ([]prometheus.Metric, error) {
	sources, classes := classesOfSources()
	rows, err := c.db.pool.Query(ctx, waitingWork, mostMeasured, sources, classes)
	if err != nil {
		return nil, err
	}
	seconds := map[program.Class]float64{}
	for _, class := range program.Classes {
		seconds[class] = 0
	}
	var class program.Class
	var s float64
	if _, err := pgx.ForEachRow(rows, []any{&class, &s}, func() error { seconds[class] = s; return nil }); err != nil {
		return nil, err
	}
	var out []prometheus.Metric
	for class, s := range seconds {
		out = append(out, prometheus.MustNewConstMetric(runWork, prometheus.GaugeValue, s, string(class)))
	}
	var slots, generation, busy, generating int64
	if err := c.db.pool.QueryRow(ctx, slotsInUse, jobs.GenerationQueue).Scan(&slots, &generation, &busy, &generating); err != nil {
		return nil, err
	}
	return append(out,
		prometheus.MustNewConstMetric(runSlots, prometheus.GaugeValue, float64(slots), jobs.RunQueue),
		prometheus.MustNewConstMetric(runSlots, prometheus.GaugeValue, float64(generation), jobs.GenerationQueue),
		prometheus.MustNewConstMetric(runSlotsBusy, prometheus.GaugeValue, float64(busy), jobs.RunQueue),
		prometheus.MustNewConstMetric(runSlotsBusy, prometheus.GaugeValue, float64(generating), jobs.GenerationQueue),
	), nil
}
