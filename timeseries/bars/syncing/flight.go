package syncing

import (
	"context"
	"time"

	"ballast/internal/id"
)

const (
	lease      = 20 * time.Second
	renewEvery = 5 * time.Second
	leasePoll  = 100 * time.Millisecond // how often to look whether another process has finished its load
	// deadline limits a load, including its waits for a slot and for other processes.
	deadline = 10 * time.Minute
)

// request specifies what a load should do.
type request struct {
	force   bool // ask even if a recent load brought nothing
	replace bool // replace what is stored with the whole history
}

// flight is one load, shared by all callers in this process.
type flight struct {
	request request
	done    chan struct{} // closed when result is set
	result  Result
}

// start begins a load of the asset or joins the one in flight. It reports false if
// too many loads are in flight already.
func (l *Syncer) start(a Asset, r request) (*flight, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f, ok := l.flights[a.ID]; ok {
		return f, true
	}
	if l.closed || len(l.flights) >= mostFlights {
		return nil, false
	}
	f := &flight{request: r, done: make(chan struct{})}
	l.flights[a.ID] = f
	l.running.Go(func() {
		ctx, cancel := context.WithTimeout(l.ctx, deadline)
		defer cancel()
		f.result = l.run(ctx, a, r)
		l.mu.Lock()
		delete(l.flights, a.ID)
		l.mu.Unlock()
		close(f.done)
	})
	return f, true
}

// run waits for a slot and for the lease, then loads.
func (l *Syncer) run(ctx context.Context, a Asset, r request) Result {
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return stopped
	}
	holder := id.New("")
	for waited := false; ; waited = true {
		state, granted, err := l.c.Store.BeginLoad(ctx, a.ID, holder, lease, r.force)
		switch {
		case err != nil:
			return l.unfit(ctx, a, err)
		case granted:
			return l.loadLeased(ctx, a, state, r, holder)
		case !state.Leased && state.AskIn > 0:
			return l.settled(a, state, waited)
		}
		// Another process has the lease, or has just released it: try again.
		select {
		case <-ctx.Done():
			return stopped
		case <-time.After(leasePoll):
		}
		// The load of the other process is the requested one.
		r.force = r.force && r.replace
	}
}

var stopped = Result{Status: Broken, Message: "The load was stopped. Try again."}

// settled returns the result of a load that another process has finished.
func (l *Syncer) settled(a Asset, s State, waited bool) Result {
	result := resultOf(s.Outcome, s.Message)
	if result.Status == Loaded && !waited {
		result.Status = Current
	}
	if result.Status != Loaded {
		l.memory.put(a.ID, result, s.AskIn)
	}
	return result
}

func resultOf(o Outcome, message string) Result {
	switch o {
	case Brought:
		return Result{Status: Loaded}
	case NotKnown:
		return Result{Status: None, Message: message}
	case Failed:
		return Result{Status: Broken, Message: message}
	}
	return Result{Status: Current}
}

// unfit returns the result of a load that failed inside the service.
func (l *Syncer) unfit(ctx context.Context, a Asset, err error) Result {
	if ctx.Err() != nil {
		return stopped
	}
	l.c.Logger.ErrorContext(ctx, "could not load bars", "asset_id", a.ID, "symbol", a.Symbol, "error", err)
	return Result{Status: Broken, Message: "The bars could not be loaded. Try again later."}
}

// loadLeased loads while it holds the lease, then releases it.
func (l *Syncer) loadLeased(ctx context.Context, a Asset, s State, r request, holder string) Result {
	l.metrics.began()
	loading, cancel := context.WithCancel(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		l.renew(loading, cancel, a.ID, holder)
	}()
	end := l.load(loading, a, s, r)
	cancel()
	<-renewed
	l.metrics.ended(end.Outcome)
	// A process that is stopping still releases its lease.
	finish, done := context.WithTimeout(context.WithoutCancel(ctx), renewEvery)
	defer done()
	if err := l.c.Store.EndLoad(finish, a.ID, holder, end); err != nil {
		return l.unfit(finish, a, err)
	}
	result := resultOf(end.Outcome, end.Message)
	if end.refused {
		result.Status = Refused
	}
	if result.Status != Loaded {
		l.memory.put(a.ID, result, end.Wait)
	}
	return result
}

// renew prolongs the lease until ctx is done, and ends the load if the lease is lost.
func (l *Syncer) renew(ctx context.Context, cancel context.CancelFunc, assetID, holder string) {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		kept, err := l.c.Store.RenewLoad(ctx, assetID, holder, lease)
		if err == nil && !kept {
			cancel()
			return
		}
		if err != nil && ctx.Err() == nil {
			l.c.Logger.WarnContext(ctx, "lease of a bar load not renewed", "asset_id", assetID, "error", err)
		}
	}
}
