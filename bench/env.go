package bench

import (
	"context"
	"errors"
	"sync"

	"ballast/timeseries/bars"
)

// Manifest is the bar manifest of a running service. The database of package postgres
// implements it.
type Manifest interface {
	bars.Manifest
	BySymbol(ctx context.Context, symbols []string) (bars.Snapshot, error)
}

// Env has what the rows share. The first row that needs its service starts it. Only one
// goroutine at a time may use it.
type Env struct {
	Binary        string // the ballast program
	Smoke         bool   // few repetitions
	PrivateListen string // address of the service's profiles, "" for none

	// Manifest opens the bar manifest in the private database of a data folder
	// whose service is running; the caller closes it.
	Manifest func(ctx context.Context, dataDir string) (store Manifest, closer func(), err error)

	// CatalogFiles are the files of a real catalog. Without any, a catalog is generated.
	CatalogFiles []string
	// Database returns the connection string of the private database of a data folder
	// whose service is running.
	Database func(dataDir string) (dsn string, ok bool)

	start   sync.Once
	service *service
	failed  error

	startCatalog  sync.Once
	catalog       *screening
	catalogFailed error
}

// count returns n or, for a smoke run, a smaller number.
func (e *Env) count(n, smoke int) int {
	if e.Smoke {
		return smoke
	}
	return n
}

// serving returns the service that rows share, with the seeded market and the model
// BENCH.
func (e *Env) serving(ctx context.Context) (*service, error) {
	e.start.Do(func() { e.service, e.failed = e.prepare(ctx) })
	return e.service, e.failed
}

func (e *Env) prepare(ctx context.Context, flags ...string) (*service, error) {
	s, err := startService(ctx, e.Binary, e.PrivateListen, flags...)
	if err != nil {
		return nil, err
	}
	file, err := writeMarket(s.dir)
	if err == nil {
		err = s.importBars(ctx, file)
	}
	if err == nil {
		_, err = s.client.build(ctx, "models", momentumScript("Benchmark", "BENCH"))
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// Close stops the services and removes what they stored.
func (e *Env) Close() error {
	var problems []error
	if e.catalog != nil {
		problems = append(problems, e.catalog.service.stop())
	}
	if e.service != nil {
		problems = append(problems, e.service.stop())
	}
	return errors.Join(problems...)
}
