package backtest_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/internal/number"
	"ballast/timeseries"
)

// sameNumbers compares numbers of a summary; two nulls are equal.
var sameNumbers = cmp.Comparer(func(a, b number.Float) bool { return a == b || math.IsNaN(float64(a)) && math.IsNaN(float64(b)) })

// many checks a property on this many hundreds of draws.
func many(t *testing.T, hundreds int, property func(*rapid.T)) {
	t.Helper()
	t.Parallel()
	for range hundreds {
		rapid.Check(t, property)
	}
}

func TestEngineEqualsOracle(t *testing.T) {
	many(t, 30, func(t *rapid.T) { equalsOracle(t, drawUniverse(t)) })
}

// TestWideUniverses compares the code path that prefetches and handles several members
// at a time with the oracle.
func TestWideUniverses(t *testing.T) {
	many(t, 1, func(t *rapid.T) {
		equalsOracle(t, drawMembers(t, 7, rapid.SampledFrom([]int{17, 40, 150}).Draw(t, "most")))
	})
}

func equalsOracle(t *rapid.T, u universe) {
	market := oracleOf(u.sources)
	want := oracle(market, u.spec, u.decide)
	r, err := u.run(u.frame)
	if len(want.rows) == 0 {
		var idle *backtest.StartError
		if !errors.As(err, &idle) {
			t.Fatalf("error %v where nothing was filled", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	sameAsOracle(t, r, want)
	samePositions(t, r.Summary, want.decided, market.planned)
}

// TestCuttingTheFutureChangesNothing cuts at one session of each kind: before the base,
// decisions, fills, forced sales, holes and the sessions after them, first bars, ruin,
// the last session, and any other.
func TestCuttingTheFutureChangesNothing(t *testing.T) {
	many(t, 30, func(t *rapid.T) {
		u := drawUniverse(t)
		whole, err := u.run(u.frame)
		if err != nil {
			return
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "cuts"), 0))
		for kind, rows := range kindsOfSessions(u, whole) {
			at := rows[rng.IntN(len(rows))]
			cut := u.frame.Cut(u.frame.Axis[at])
			part, err := u.run(cut)
			row, based := timeseries.Find(whole.Dates, u.frame.Axis[at])
			if !based {
				var idle *backtest.StartError
				if !errors.As(err, &idle) {
					t.Fatalf("cut on %s, before the base: %v", u.frame.Axis[at], err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("cut on %s (%s): %v", u.frame.Axis[at], kind, err)
			}
			sameUpTo(t, whole, part, row)
		}
		at := whole.Dates[rng.IntN(len(whole.Dates))]
		part, err := u.run(u.frame.Cut(at))
		if err != nil {
			t.Fatal(err)
		}
		sameAsOracle(t, part, oracle(oracleOn(u.frame.Cut(at)), u.spec, u.decide))
	})
}

// kindsOfSessions returns axis positions by what happens on them.
func kindsOfSessions(u universe, whole *backtest.Result) map[string][]int {
	kinds := map[string][]int{"last": {len(u.frame.Axis) - 1}}
	base, _ := timeseries.Find(u.frame.Axis, whole.Dates[0])
	for t := range u.frame.Axis {
		kind := "any"
		if t < base {
			kind = "before the base"
		}
		kinds[kind] = append(kinds[kind], t)
		for i := range u.frame.Members {
			switch m := &u.frame.Members[i]; {
			case t == m.First:
				kinds["first bar"] = append(kinds["first bar"], t)
			case m.First < 0 || t < m.First:
			case !m.HasBar(t):
				kinds["hole"] = append(kinds["hole"], t)
			case !m.HasBar(t - 1):
				kinds["after a hole"] = append(kinds["after a hole"], t)
			}
		}
	}
	for _, e := range whole.Ledger {
		decided, _ := timeseries.Find(u.frame.Axis, e.Decided)
		fill, _ := timeseries.Find(u.frame.Axis, e.Fill)
		kinds["decision"] = append(kinds["decision"], decided)
		kinds[string(e.Reason)] = append(kinds[string(e.Reason)], fill)
		if fill > 0 {
			kinds["before "+string(e.Reason)] = append(kinds["before "+string(e.Reason)], fill-1)
		}
		if fill+1 < len(u.frame.Axis) {
			kinds["after "+string(e.Reason)] = append(kinds["after "+string(e.Reason)], fill+1)
		}
	}
	return kinds
}

// TestKeepingOptionsChangeNothingElse runs with each set of options. What is kept must be
// the same, to the bit, as with Everything.
func TestKeepingOptionsChangeNothingElse(t *testing.T) {
	many(t, 5, func(t *rapid.T) {
		u := drawUniverse(t)
		all, err := u.run(u.frame)
		if err != nil {
			return
		}
		for n := range 7 {
			opt := backtest.Everything
			opt.Weights, opt.Contributions, opt.Ledger = n&1 != 0, n&2 != 0, n&4 != 0
			some, err := backtest.Run(context.Background(), u.frame, u.spec, u.decider(), opt)
			if err != nil {
				t.Fatal(err)
			}
			want := *all
			if !opt.Weights {
				want.Weights, want.CashWeight = nil, nil
			}
			if !opt.Contributions {
				want.Contributions, want.CashContribution = nil, nil
			}
			if !opt.Ledger {
				want.Ledger = nil
			}
			if !sameBits(&want, some) {
				t.Fatalf("%+v (-everything +some):\n%s", opt, rowDifference(&want, some))
			}
			if diff := cmp.Diff(all.Summary, some.Summary, sameNumbers, ignoring("TradeLog", "TargetHistory")); diff != "" {
				t.Fatalf("%+v: summary (-everything +some):\n%s", opt, diff)
			}
		}
	})
}

func TestScalingCapitalScalesEquity(t *testing.T) {
	many(t, 10, func(t *rapid.T) {
		u := drawUniverse(t)
		one, err := u.run(u.frame)
		if err != nil {
			return
		}
		// A power of two scales without rounding; three does not.
		for _, scale := range []float64{4, 3} {
			u.spec.InitialCash = 10000 * scale
			scaled, err := u.run(u.frame)
			if err != nil {
				t.Fatal(err)
			}
			if scale == 3 {
				for k, v := range one.Equity {
					if math.Abs(scaled.Equity[k]-3*v) > 1e-12*3*max(10000, v)*max(1, one.Summary.MaxGrossExposure*one.Summary.MaxGrossExposure) {
						t.Fatalf("%s: equity %v and %v", one.Dates[k], v, scaled.Equity[k])
					}
				}
				continue
			}
			for k := range scaled.Equity {
				scaled.Equity[k] /= scale
			}
			for _, c := range scaled.Custom {
				for k := range c.Values {
					c.Values[k] /= scale
				}
			}
			sameUpTo(t, one, scaled, len(one.Dates)-1)
		}
	})
}

// TestHolderOfOneModelIsThatModel checks that a model that holds another at 100 % has
// the same result.
func TestHolderOfOneModelIsThatModel(t *testing.T) {
	many(t, 10, func(t *rapid.T) {
		u := drawUniverse(t)
		held, err := u.run(u.frame)
		if err != nil {
			return
		}
		f, err := timeseries.Align([]timeseries.Source{{Key: "MODEL", Series: held.Series(), SevenDay: u.frame.BarsPerYear == 365}})
		if err != nil {
			t.Fatal(err)
		}
		spec := u.spec
		spec.Fill, spec.Start, spec.StartDate = backtest.FillClose, backtest.StartAllMembers, timeseries.NoDate
		r, err := backtest.Run(context.Background(), f, spec, fixed(1), backtest.Everything)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Dates) != len(held.Dates) || r.Dates[0] != held.Dates[0] || r.Summary.RuinDate != held.Summary.RuinDate {
			t.Fatalf("%d rows from %s, want %d from %s", len(r.Dates), r.Dates[0], len(held.Dates), held.Dates[0])
		}
		for k := range r.Returns {
			if math.Abs(r.Returns[k]-held.Returns[k]) > 1e-14*max(1, math.Abs(held.Returns[k])) {
				t.Fatalf("%s: %v, want %v", r.Dates[k], r.Returns[k], held.Returns[k])
			}
		}
	})
}

// TestSubModelsAtTheirWeightsEqualTheWhole splits members into models that trade at the
// close on the same sessions as their holder. Holding them at the sums of their members'
// weights must equal holding the members. (At the next close it does not, because the
// holder's first fill is one session after theirs.)
func TestSubModelsAtTheirWeightsEqualTheWhole(t *testing.T) {
	many(t, 10, func(t *rapid.T) {
		u := drawUniverse(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "split"), 0))
		groups := rapid.IntRange(1, 3).Draw(t, "groups")
		// One member of each group has all bars, so that all groups share one axis.
		var parts [3][]timeseries.Source
		for g := range groups {
			s := timeseries.Source{Key: fmt.Sprintf("WHOLE%d", g), Series: timeseries.Series{Base: u.frame.Axis[0]}, SevenDay: u.frame.BarsPerYear == 365}
			for _, d := range u.frame.Axis[1:] {
				s.Series.Dates = append(s.Series.Dates, d)
				s.Series.Returns = append(s.Series.Returns, 0.04*rng.Float64()-0.019)
			}
			parts[g] = append(parts[g], s)
		}
		for i, s := range u.sources {
			if len(u.frame.Axis) > 1 && u.frame.Members[i].First >= 0 && u.frame.Members[i].First < len(u.frame.Axis)-1 {
				g := rng.IntN(groups)
				parts[g] = append(parts[g], s)
			}
		}
		splitIsWhole(t, rng, u.spec, parts[:groups])
	})
}

// splitIsWhole runs groups of members as separate models and as one model.
func splitIsWhole(t *rapid.T, rng *rand.Rand, spec backtest.Spec, groups [][]timeseries.Source) {
	var all, models []timeseries.Source
	share := map[string]float64{} // of a member in its model
	group := map[string]int{}
	weight := make([]float64, len(groups)) // of a model in its holder
	for g, members := range groups {
		for _, s := range members {
			group[s.Key], share[s.Key] = g, 1/float64(len(members))
			all = append(all, s)
		}
		weight[g] = 1.4 * rng.Float64() / float64(len(groups))
	}
	whole, err := timeseries.Align(all)
	if err != nil {
		t.Fatal(err)
	}
	spec.Fill, spec.Start = backtest.FillClose, backtest.StartAllMembers
	for i := range whole.Members { // all start on the first bar of the youngest member
		spec.StartDate = max(spec.StartDate, whole.Axis[whole.Members[i].First])
	}
	run := func(sources []timeseries.Source, weights func(key string) float64) *backtest.Result {
		f, err := timeseries.Align(sources)
		if err != nil {
			t.Fatal(err)
		}
		r, err := backtest.Run(context.Background(), f, spec, backtest.DeciderFunc(func(s *backtest.Session, target []float64) (bool, error) {
			for i := range target {
				target[i] = weights(s.Frame.Members[i].Key)
			}
			return true, nil
		}), backtest.Everything)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for g, members := range groups {
		r := run(members, func(key string) float64 { return share[key] })
		if r.Summary.Ruined {
			return
		}
		models = append(models, timeseries.Source{Key: fmt.Sprintf("MODEL%d", g), Series: r.Series(), SevenDay: members[0].SevenDay})
		group[models[g].Key] = g
	}
	flat := run(all, func(key string) float64 { return weight[group[key]] * share[key] })
	tree := run(models, func(key string) float64 { return weight[group[key]] })
	if len(flat.Dates) != len(tree.Dates) || flat.Dates[0] != tree.Dates[0] {
		t.Fatalf("%d rows from %s, want %d from %s", len(tree.Dates), tree.Dates[0], len(flat.Dates), flat.Dates[0])
	}
	for k, d := range flat.Dates {
		if math.Abs(tree.Returns[k]-flat.Returns[k]) > 1e-12 {
			t.Fatalf("%s: return %v, want %v", d, tree.Returns[k], flat.Returns[k])
		}
		parts := make([]float64, len(groups))
		for i, key := range flat.Keys {
			parts[group[key]] += weightOf(flat.Contributions, i, k)
		}
		for i := range parts {
			if got := weightOf(tree.Contributions, i, k); math.Abs(got-parts[i]) > 1e-12 {
				t.Fatalf("%s: contribution of %s %v, want %v", d, tree.Keys[i], got, parts[i])
			}
		}
	}
}

// TestWideUniverse compares the code path that prefetches with the oracle.
func TestWideUniverse(t *testing.T) {
	t.Parallel()
	f := panel(131, 300)
	want := oracle(oracleOn(f), monthly(), func(int, map[string]float64) map[string]float64 {
		weights := map[string]float64{}
		for i := range f.Members {
			weights[f.Members[i].Key] = 1 / float64(len(f.Members))
		}
		return weights
	})
	r, err := backtest.Run(context.Background(), f, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	sameAsOracle(t, r, want)
}
