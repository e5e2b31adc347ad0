package bench

import (
	"context"
	"runtime"

	"ballast/backtest"
)

// engineMemory compares everything that a run over a wide panel allocates with the size
// of the panel's returns.
func engineMemory(*Env) Row {
	return Row{
		Name: "memory of a run, 3,000 assets × 8,000 sessions", Key: "EngineMemory",
		Bar: "≤ 1.5 × the panel", Limits: []Limit{{Figure: "of the panel", Most: 1.5}},
		Measure: func(ctx context.Context) (Result, error) {
			f, err := panel(3000, 8000)
			if err != nil {
				return Result{}, err
			}
			size := float64(len(f.Members)) * float64(len(f.Axis)) * 8
			allocated := func(opt backtest.Options, held int) (float64, error) {
				decider := backtest.DeciderFunc(func(_ *backtest.Session, target []float64) (bool, error) {
					for i := range held {
						target[i] = 1 / float64(held)
					}
					return true, nil
				})
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, err := backtest.Run(ctx, f, scheduled("monthly"), decider, opt)
				runtime.ReadMemStats(&after)
				return float64(after.TotalAlloc - before.TotalAlloc), err
			}
			all, err := allocated(backtest.Options{}, len(f.Members))
			if err != nil {
				return Result{}, err
			}
			kept, err := allocated(backtest.Everything, 20)
			if err != nil {
				return Result{}, err
			}
			return Result{
				Figures: []Figure{
					{Name: "of the panel", Value: (size + all) / size, Unit: "×"},
					{Name: "with everything kept and 20 held", Value: (size + kept) / size, Unit: "×"},
					megabytes("panel", int64(size)), megabytes("allocated", int64(all)),
				},
				Note: "monthly equal weight of all with equity and turnover; allocations added up, garbage too",
			}, nil
		},
	}
}
