package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ballast/analyze"
	"ballast/optimize"
	"ballast/optimize/estimate"
)

// Sizes of the rows of optimizers.
const (
	optimizedMembers   = 500
	optimizedScenarios = 50
)

// stocks returns ten years of seeded daily returns that move together: a market, sectors of 25
// members, and noise of their own.
func stocks(members int) []analyze.Column {
	const days = 2520
	r := rand.New(rand.NewPCG(3, uint64(members)))
	out := make([]analyze.Column, members)
	beta, own := make([]float64, members), make([]float64, members)
	for i := range out {
		out[i] = analyze.Column{Name: fmt.Sprintf("A%03d", i), Values: make([]float64, days)}
		beta[i], own[i] = 0.5+r.Float64(), 0.008+0.015*r.Float64()
	}
	sectors := make([]float64, 1+members/25)
	for t := range days {
		common := 0.0003 + 0.01*r.NormFloat64()
		for s := range sectors {
			sectors[s] = 0.006 * r.NormFloat64()
		}
		for i := range out {
			out[i].Values[t] = beta[i]*common + sectors[i%len(sectors)] + own[i]*r.NormFloat64()
		}
	}
	return out
}

func valuesOf(columns []analyze.Column) [][]float64 {
	out := make([][]float64, len(columns))
	for i, c := range columns {
		out[i] = c.Values
	}
	return out
}

// longOnly returns the problem of weights from 0 to most that add up to 1, with the sample
// covariance.
func longOnly(columns []analyze.Column, most float64) (optimize.Problem, error) {
	c, err := estimate.Covariance(valuesOf(columns), estimate.Sample, 0)
	p := optimize.Problem{
		Covariance: c, Lower: make([]float64, len(columns)), Upper: make([]float64, len(columns)),
		Rows: []optimize.Row{optimize.Total(len(columns), 1)},
	}
	for i := range p.Upper {
		p.Upper[i] = most
	}
	return p, err
}

// optimizeVariance measures the least variance of 500 members.
func optimizeVariance(e *Env) Row {
	return Row{
		Name: "weights of least variance, 500 members, long only", Key: "OptimizeVariance",
		Bar: "≤ 3 ms", Limits: []Limit{{Figure: "p50", Most: 3}},
		Measure: func(ctx context.Context) (Result, error) {
			columns := stocks(optimizedMembers)
			p, err := longOnly(columns, 1)
			if err != nil {
				return Result{}, err
			}
			var s optimize.Solution
			took, err := repeat(ctx, e.count(100, 5), func() error {
				s, err = optimize.Quadratic(p)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			return besideOptimizers(ctx, e, "variance", took, p.Certify(s).Residual(), columns, s.Weights)
		},
	}
}

// optimizeGroups measures the same with bounds at which many members are and ten groups.
func optimizeGroups(e *Env) Row {
	return Row{
		Name: "the same with at most 0.4 % each and ten groups", Key: "OptimizeGroups",
		Bar: "≤ 10 ms", Limits: []Limit{{Figure: "p50", Most: 10}},
		Measure: func(ctx context.Context) (Result, error) {
			p, err := longOnly(stocks(optimizedMembers), 0.004)
			if err != nil {
				return Result{}, err
			}
			for g := range 10 {
				row := optimize.Row{Min: 0.09, Max: 0.11}
				for i := g; i < optimizedMembers; i += 10 {
					row.Members = append(row.Members, i)
				}
				p.Rows = append(p.Rows, row)
			}
			var s optimize.Solution
			took, err := repeat(ctx, e.count(60, 3), func() error {
				s, err = optimize.Quadratic(p)
				return err
			})
			return proven(took, p.Certify(s).Residual()), err
		},
	}
}

// optimizeShrinkage measures the covariance of Ledoit and Wolf.
func optimizeShrinkage(e *Env) Row {
	return Row{
		Name: "covariance of Ledoit and Wolf, 500 members, 2,520 days", Key: "OptimizeShrinkage",
		Bar: "≤ 60 ms", Limits: []Limit{{Figure: "p50", Most: 60}},
		Measure: func(ctx context.Context) (Result, error) {
			columns := stocks(optimizedMembers)
			took, err := repeat(ctx, e.count(20, 2), func() error {
				_, err := estimate.Covariance(valuesOf(columns), estimate.LedoitWolf, 0)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			return besideOptimizers(ctx, e, "shrinkage", took, 0, columns, []float64{estimate.Shrinkage(valuesOf(columns), estimate.LedoitWolf)})
		},
	}
}

// optimizeHierarchy measures hierarchical risk parity.
func optimizeHierarchy(e *Env) Row {
	return Row{
		Name: "hierarchical risk parity, 500 members", Key: "OptimizeHierarchy",
		Bar: "≤ 20 ms", Limits: []Limit{{Figure: "p50", Most: 20}},
		Measure: func(ctx context.Context) (Result, error) {
			columns := stocks(optimizedMembers)
			p, err := longOnly(columns, 1)
			if err != nil {
				return Result{}, err
			}
			var w []float64
			took, err := repeat(ctx, e.count(60, 3), func() error {
				w, err = optimize.HierarchicalParity(p.Covariance, p.Lower, p.Upper, 1)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			return besideOptimizers(ctx, e, "hierarchy", took, 0, columns, w)
		},
	}
}

// optimizeShortfall measures the least expected shortfall.
func optimizeShortfall(e *Env) Row {
	return Row{
		Name: "weights of least expected shortfall at 95 %, 50 members, 2,520 days", Key: "OptimizeShortfall",
		Bar: "≤ 50 ms", Limits: []Limit{{Figure: "p50", Most: 50}},
		Measure: func(ctx context.Context) (Result, error) {
			columns := stocks(optimizedScenarios)
			p, err := longOnly(columns, 1)
			if err != nil {
				return Result{}, err
			}
			tail := optimize.Tail{Returns: valuesOf(columns), Share: 0.05}
			var s optimize.ShortfallSolution
			took, err := repeat(ctx, e.count(60, 3), func() error {
				s, err = optimize.LeastShortfall(p, tail)
				return err
			})
			if err != nil {
				return Result{}, err
			}
			return besideOptimizers(ctx, e, "shortfall", took, p.CertifyShortfall(tail, s), columns, s.Weights)
		},
	}
}

// proven returns the figures of a row whose solution has a certificate.
func proven(took samples, residual float64) Result {
	r := Result{
		Figures: []Figure{milliseconds("p50", took.median()), milliseconds("fastest", took.percentile(0))},
		Note:    "in this process with both cores",
	}
	if residual > 0 {
		r.Note += fmt.Sprintf("; the residual of the certificate is %.2g", residual)
	}
	return r
}

// optimizerPeer is a library of optimizers, with the name of its class in the script of
// bench/peers and what it can do of the rows.
type optimizerPeer struct {
	name, class string
	does        []string
}

var optimizerPeers = []optimizerPeer{
	{"PyPortfolioOpt", "pypfopt", []string{"variance", "shrinkage", "hierarchy", "shortfall"}},
	{"skfolio", "skfolio", []string{"variance", "shrinkage", "hierarchy", "shortfall", "frontier", "walk"}},
	{"Riskfolio-Lib", "riskfolio", []string{"variance", "hierarchy", "shortfall"}},
}

// besideOptimizers adds the times of the peers that do the same, and by how much their
// values differ at most. Peers of weights stop where their own tolerance says, and skfolio
// orders the leaves of a hierarchy in another way, so a difference is no error here.
func besideOptimizers(ctx context.Context, e *Env, what string, took samples, residual float64, columns []analyze.Column, own []float64) (Result, error) {
	r := proven(took, residual)
	if !(residual <= 1e-10) {
		return r, fmt.Errorf("the residual of the certificate is %.3g", residual)
	}
	for _, p := range optimizerPeers {
		if !slices.Contains(p.does, what) {
			continue
		}
		peer, err := scriptAnswer(ctx, e, "optimizers", p.class+"."+what, columns, e.count(3, 1))
		if err != nil || peer == nil {
			return r, err
		}
		r.Figures = append(r.Figures, milliseconds(p.name, seconds(peer.Seconds)))
		if own == nil {
			continue
		}
		if len(peer.Values) != len(own) {
			return r, fmt.Errorf("%s has %d values, not %d", p.name, len(peer.Values), len(own))
		}
		var most float64
		for i, v := range peer.Values {
			most = max(most, math.Abs(v-own[i]))
		}
		r.Note += fmt.Sprintf("; the largest difference from %s's is %.2g", p.name, most)
	}
	return r, nil
}
