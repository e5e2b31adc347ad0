package service

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"ballast/postgres"
	"ballast/program/result"
	"ballast/storage/columnar"
)

// newTelemetry registers the metrics that every process has: the Go runtime,
// connections to the database, caches and DuckDB.
func newTelemetry(s *Storage, results *result.Store) *prometheus.Registry {
	metrics := prometheus.NewRegistry()
	caches := map[string]func() columnar.CacheCounts{"results": results.Cached, "bars": s.Bars.Cached}
	if remote, ok := s.Bucket.(interface{ Copies() columnar.CacheCounts }); ok {
		caches["objects"] = remote.Copies
	}
	metrics.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		postgres.NewPoolCollector(s.DB), cacheCollector{caches}, duckCollector{s},
	)
	return metrics
}

var (
	cacheReads = prometheus.NewDesc("ballast_cache_reads_total", "Reads of this process's caches, by outcome: hit or miss.", []string{"cache", "outcome"}, nil)
	cacheBytes = prometheus.NewDesc("ballast_cache_bytes", "Size of this process's caches, in bytes.", []string{"cache"}, nil)
)

// cacheCollector reports the caches' counts, by name.
type cacheCollector struct {
	caches map[string]func() columnar.CacheCounts
}

// Describe implements prometheus.Collector.
func (cacheCollector) Describe(out chan<- *prometheus.Desc) {
	out <- cacheReads
	out <- cacheBytes
}

// Collect implements prometheus.Collector.
func (c cacheCollector) Collect(out chan<- prometheus.Metric) {
	for name, counts := range c.caches {
		n := counts()
		out <- prometheus.MustNewConstMetric(cacheReads, prometheus.CounterValue, float64(n.Hits), name, "hit")
		out <- prometheus.MustNewConstMetric(cacheReads, prometheus.CounterValue, float64(n.Misses), name, "miss")
		out <- prometheus.MustNewConstMetric(cacheBytes, prometheus.GaugeValue, float64(n.Bytes), name)
	}
}

var (
	duckMemory     = prometheus.NewDesc("ballast_duckdb_memory_bytes", "Memory that DuckDB uses.", nil, nil)
	duckSpilled    = prometheus.NewDesc("ballast_duckdb_spilled_bytes", "Temporary files of DuckDB.", nil, nil)
	duckSessions   = prometheus.NewDesc("ballast_duckdb_sessions", "Sessions of DuckDB in use.", nil, nil)
	duckStatements = prometheus.NewDesc("ballast_duckdb_statements_total", "Statements sent to DuckDB, by outcome: ok or failed to start.", []string{"outcome"}, nil)
)

// duckCollector reports what DuckDB uses.
type duckCollector struct{ s *Storage }

// Describe implements prometheus.Collector.
func (duckCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{duckMemory, duckSpilled, duckSessions, duckStatements} {
		out <- d
	}
}

// scrapePatience limits the time that a scrape waits for others.
const scrapePatience = 2 * time.Second

// Collect implements prometheus.Collector.
func (c duckCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapePatience)
	defer cancel()
	u, err := c.s.DuckDB.Usage(ctx)
	if err != nil {
		return // metrics that cannot be read are left out
	}
	out <- prometheus.MustNewConstMetric(duckMemory, prometheus.GaugeValue, float64(u.Memory))
	out <- prometheus.MustNewConstMetric(duckSpilled, prometheus.GaugeValue, float64(u.Spilled))
	out <- prometheus.MustNewConstMetric(duckSessions, prometheus.GaugeValue, float64(u.Sessions))
	out <- prometheus.MustNewConstMetric(duckStatements, prometheus.CounterValue, float64(u.Statements-u.Failed), "ok")
	out <- prometheus.MustNewConstMetric(duckStatements, prometheus.CounterValue, float64(u.Failed), "failed")
}

// publicMetrics returns the metrics that the interface shows to everybody: none,
// unless the operator asks for it.
func (c HTTPConfig) publicMetrics(metrics prometheus.Gatherer) prometheus.Gatherer {
	if c.PublicMetrics {
		return metrics
	}
	return nil
}

// servePrivate serves metrics and profiles for operators, if an address is given.
func servePrivate(ctx context.Context, address string, metrics prometheus.Gatherer, log *slog.Logger, failed chan<- error) (closer func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s for metrics and profiles: %w", address, err)
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { failed <- server.Serve(listener) }()
	log.InfoContext(ctx, "metrics and profiles", "url", "http://"+listener.Addr().String())
	return func() { server.Close() }, nil
}
