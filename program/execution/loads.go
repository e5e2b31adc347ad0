package execution

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"ballast/catalog"
	"ballast/program"
	"ballast/timeseries"
	"ballast/timeseries/bars/syncing"
)

// Loads loads the first bars of assets. *syncing.Syncer implements it.
type Loads interface {
	// Read asks for the bars that a read up to a date lacks (NoDate: up to the
	// present), and waits for them for at most wait.
	Read(ctx context.Context, a syncing.Asset, until timeseries.Date, wait time.Duration) syncing.Result
}

const (
	// mostLoads limits the assets whose first bars one run asks for.
	mostLoads = 50
	// loadsWait is how long a run waits for them before it lets others go first and
	// looks again.
	loadsWait = 20 * time.Second
)

// bring asks the providers for assets of a universe that have no bars at all, and
// updates the universe with those that were loaded. While it waits, it gives up the
// run's turn to compute. It returns ErrMembersPending if loading takes longer.
func (e *Executor) bring(ctx context.Context, u *program.Universe, entries []string, progress *progressWriter, t *turn) error {
	var missing []*catalog.Asset
	for _, entry := range entries {
		if a := u.Assets[entry]; a != nil && a.FirstPriceDate == timeseries.NoDate {
			missing = append(missing, a)
		}
	}
	if len(missing) == 0 || e.loads == nil {
		return nil
	}
	if len(missing) > mostLoads {
		return program.DataError("The universe names %d assets without stored bars; at most %d are loaded for one run. Read their histories first, or name fewer.", len(missing), mostLoads)
	}
	progress.set("bars", 0, len(missing))
	t.leave()
	results := make([]syncing.Result, len(missing))
	var done int
	var mu sync.Mutex
	var g errgroup.Group
	for i, a := range missing {
		g.Go(func() error {
			results[i] = e.loads.Read(ctx, a.Loading(), timeseries.NoDate, loadsWait)
			mu.Lock()
			defer mu.Unlock()
			done++
			progress.set("bars", done, len(missing))
			return nil
		})
	}
	_ = g.Wait() // failures are in the results
	if err := ctx.Err(); err != nil {
		return err
	}
	pending := false
	for i, r := range results {
		switch r.Status {
		case syncing.Loaded:
		case syncing.Loading:
			pending = true
		default:
			return program.DataError("%s is in the catalog but has no stored bars, and none could be loaded. %s Import its bars, or leave it out of the universe.", missing[i].Symbol, r.Message)
		}
	}
	if pending {
		return program.ErrMembersPending
	}
	if err := t.take(ctx); err != nil {
		return err
	}
	return e.reread(ctx, u, missing)
}

// reread updates a universe with the current records of assets.
func (e *Executor) reread(ctx context.Context, u *program.Universe, changed []*catalog.Asset) error {
	symbols := make([]string, len(changed))
	for i, a := range changed {
		symbols[i] = a.Symbol
	}
	found, err := e.assets.AssetsBySymbol(ctx, symbols)
	if err != nil {
		return fmt.Errorf("resolve assets: %w", err)
	}
	for entry, a := range u.Assets {
		if now := found[a.Symbol]; now != nil {
			u.Assets[entry] = now
		}
	}
	return nil
}
