package result

import (
	"context"
	"errors"
	"fmt"

	"ballast/backtest"
	"ballast/program"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// ErrRestated says that past bars differ from those that an earlier run read.
var ErrRestated = errors.New("the past was restated")

// UpTo reads a whole result, with the state at its last session, if the frame is the
// same up to there as when the run read it. It returns nil if the run left no state.
func (r *Store) UpTo(ctx context.Context, run *program.Run, frame *timeseries.Frame) (result *backtest.Result, err error) {
	file, err := r.bucket.Path(ctx, run.Tables[sandbox.DailyTable].Key)
	if err != nil {
		return nil, err
	}
	f, err := columnar.OpenParquet(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	state, err := backtest.StateOf(f.Schema())
	if err != nil || state == nil {
		return nil, err
	}
	if err := state.Check(frame); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRestated, err)
	}
	if backtest.Fingerprint(frame, state.Session) != state.Past {
		return nil, ErrRestated
	}
	daily, err := f.Read(nil, columnar.All)
	if err != nil {
		return nil, err
	}
	defer daily.Release()
	if file, err = r.bucket.Path(ctx, run.Tables[sandbox.LedgerTable].Key); err != nil {
		return nil, err
	}
	ledger, err := columnar.ReadParquet(file, nil)
	if err != nil {
		return nil, err
	}
	defer ledger.Release()
	hash, err := Hash(daily, ledger)
	if err != nil {
		return nil, err
	}
	if hash != run.ResultHash {
		return nil, fmt.Errorf("the objects of run %s contain a different result than the one published", run.ID)
	}
	keys := make([]string, len(frame.Members))
	for i := range keys {
		keys[i] = frame.Members[i].Key
	}
	return backtest.ResultOf(daily, ledger, keys)
}
