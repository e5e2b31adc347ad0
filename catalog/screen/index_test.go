package screen_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ballast/catalog"
	"ballast/catalog/screen"
)

// slow is a catalog that takes five seconds to read.
type slow struct{ version, reads atomic.Int64 }

func (s *slow) CatalogState(context.Context) (catalog.State, error) {
	return catalog.State{Catalog: s.version.Load()}, nil
}

func (s *slow) EachAsset(_ context.Context, f func(*catalog.Asset) error) (catalog.State, error) {
	state := catalog.State{Catalog: s.version.Load()}
	s.reads.Add(1)
	time.Sleep(5 * time.Second)
	for i := range state.Catalog {
		if err := f(&catalog.Asset{Symbol: string(rune('A' + i))}); err != nil {
			return state, err
		}
	}
	return state, nil
}

func (*slow) BarRangesSince(context.Context, int64) ([]catalog.BarRange, int64, error) {
	return nil, 0, nil
}

// A caller sees every change made before the call, even if an earlier check is still
// running.
func TestEveryReadShowsWhatWasThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &slow{}
		source.version.Store(1)
		x := screen.NewIndex(source, screen.Config{})
		want := func(n int, within time.Duration) {
			began := time.Now()
			s, err := x.Snapshot(t.Context())
			if err != nil || s.Len() < n || time.Since(began) > within {
				t.Errorf("%d assets after %v, %v; want %d within %v", s.Len(), time.Since(began), err, n, within)
			}
		}
		want(1, 5*time.Second)
		want(1, 0) // nothing has changed
		source.version.Store(2)
		want(2, 5*time.Second)
		source.version.Store(3)
		var readers sync.WaitGroup
		readers.Go(func() { want(3, 5*time.Second) })
		synctest.Wait() // it is reading the third version
		source.version.Store(4)
		readers.Go(func() { want(4, 10*time.Second) })
		readers.Go(func() { want(4, 10*time.Second) })
		readers.Wait()
		if n := source.reads.Load(); n != 4 {
			t.Errorf("the catalog was read %d times", n)
		}
	})
}

// While the database is unavailable, an index serves what it has.
func TestTheCatalogWhileItCannotBeRead(t *testing.T) {
	t.Parallel()
	source := &away{}
	x := screen.NewIndex(source, screen.Config{})
	if s, err := x.Snapshot(t.Context()); err != nil || s.Len() != 0 {
		t.Fatalf("%v", err)
	}
	source.gone.Store(true)
	if s, err := x.Snapshot(t.Context()); err != nil || s.Len() != 0 {
		t.Errorf("%v", err)
	}
	if _, err := screen.NewIndex(source, screen.Config{}).Snapshot(t.Context()); err == nil {
		t.Error("an index that has read nothing has a snapshot")
	}
}

// away is a catalog whose database may be unavailable.
type away struct {
	slow
	gone atomic.Bool
}

func (a *away) CatalogState(context.Context) (catalog.State, error) {
	if a.gone.Load() {
		return catalog.State{}, errors.New("away")
	}
	return catalog.State{}, nil
}

func (a *away) EachAsset(ctx context.Context, _ func(*catalog.Asset) error) (catalog.State, error) {
	return a.CatalogState(ctx)
}
