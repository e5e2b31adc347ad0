package shares

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// views counts views and adds them to the store a second after the first of them, and when
// the process stops. If it is killed meanwhile, those of the second are lost.
type views struct {
	store Viewing
	log   *slog.Logger
	now   func() time.Time

	mu      sync.Mutex
	waiting map[string]int64 // by share id
}

const (
	countingPause = time.Second
	countingTime  = 10 * time.Second
)

func newViews(store Viewing, log *slog.Logger, now func() time.Time) *views {
	return &views{store: store, log: log, now: now}
}

func (v *views) add(shareID string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hold(map[string]int64{shareID: 1})
}

// hold keeps counts for the next flush. The caller holds the lock.
func (v *views) hold(counted map[string]int64) {
	if v.waiting == nil {
		v.waiting = map[string]int64{}
		time.AfterFunc(countingPause, v.flush)
	}
	for id, n := range counted {
		v.waiting[id] += n
	}
}

func (v *views) flush() {
	v.mu.Lock()
	counted := v.waiting
	v.waiting = nil
	v.mu.Unlock()
	if len(counted) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), countingTime)
	defer cancel()
	if err := v.store.CountViews(ctx, counted, v.now().UTC()); err != nil {
		v.log.Warn("views of shares were not counted yet", "shares", len(counted), "error", err)
		v.mu.Lock()
		defer v.mu.Unlock()
		v.hold(counted)
	}
}
