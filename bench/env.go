package bench

import (
	"context"
	"errors"
	"sync"

	"ballast/timeseries/bars"
)

// Env is what the rows share. Its service is started by the first row that needs
// it. It is for one goroutine at a time.
type Env struct {
	Binary        string // the ballast program
	Smoke         bool   // few repetitions
	PrivateListen string // address of the service's profiles, "" for none

	// Manifest opens the bar manifest in the private database of a data folder
	// whose service is running; the caller closes it.
	Manifest func(ctx context.Context, dataDir string) (store bars.Store, closer func(), err error)

	start   sync.Once
	service *service
	failed  error
}

// count is n, or the smaller number for a smoke run.
func (e *Env) count(n, smoke int) int {
	if e.Smoke {
		return smoke
	}
	return n
}

// serving is the service of the rows, with the seeded market and the model BENCH.
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
		_, err = s.client.build(ctx, momentumScript("Benchmark", "BENCH"))
	}
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	return s, nil
}

// Close stops the service and removes what it stored.
func (e *Env) Close() error {
	if e.service == nil {
		return nil
	}
	return e.service.stop()
}
