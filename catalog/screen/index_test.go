package screen_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ballast/catalog"
	"ballast/catalog/screen"
)

// slow is a catalog that takes five seconds to read.
type slow struct{ version atomic.Int64 }

func (s *slow) CatalogState(context.Context) (catalog.State, error) {
	return catalog.State{Catalog: s.version.Load()}, nil
}

func (s *slow) EachAsset(_ context.Context, f func(*catalog.Asset) error) (catalog.State, error) {
	state := catalog.State{Catalog: s.version.Load()}
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

func TestWhoWaitsForTheLatestCatalog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &slow{}
		source.version.Store(1)
		x := screen.NewIndex(source, screen.Config{})
		want := func(n int, within time.Duration) {
			t.Helper()
			began := time.Now()
			s, err := x.Snapshot(t.Context())
			if err != nil || s.Len() != n || time.Since(began) > within {
				t.Errorf("%d assets after %v, %v; want %d within %v", s.Len(), time.Since(began), err, n, within)
			}
		}
		want(1, 5*time.Second)
		source.version.Store(2)
		time.Sleep(time.Second)
		want(1, 100*time.Millisecond) // the state of a second ago
		time.Sleep(6 * time.Second)
		want(2, 0)
		source.version.Store(3)
		time.Sleep(time.Minute)
		want(3, 5*time.Second) // a quiet time ago is too long ago
	})
}
