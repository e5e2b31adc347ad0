package harness_test

import (
	"strconv"
	"testing"

	"go.starlark.net/starlark"

	"ballast/script/harness"
)

// BenchmarkCalls measures calls over 50 members and 252 bars with a common factor.
func BenchmarkCalls(b *testing.B) {
	do := func(name string, args ...starlark.Value) starlark.Value {
		f, _ := harness.Lookup(name)
		v, err := starlark.Call(&starlark.Thread{}, f, args, nil)
		if err != nil {
			b.Fatal(err)
		}
		return v
	}
	chance := func(seed string, n int) []float64 {
		return do("random", starlark.String(seed), starlark.MakeInt(n)).(*harness.Vector).Values()
	}
	common := chance("common", 252)
	panel := starlark.NewDict(50)
	weights := starlark.NewDict(50)
	for i := range 50 {
		own := chance(strconv.Itoa(i), 252)
		for t := range own {
			own[t] = 0.01 * (own[t] + float64(i)/25*common[t] - 0.7)
		}
		panel.SetKey(starlark.String(strconv.Itoa(i)), harness.NewVector(own))
		weights.SetKey(starlark.String(strconv.Itoa(i)), starlark.Float(0.02))
	}
	matrix := do("covariance", panel)
	long := harness.NewVector(chance("long", 5000))
	for _, c := range []struct {
		name string
		args []starlark.Value
	}{
		{"covariance", []starlark.Value{panel}},
		{"covariance", []starlark.Value{panel, starlark.String("ledoit_wolf")}},
		{"correlation", []starlark.Value{panel}},
		{"min_variance", []starlark.Value{matrix}},
		{"min_variance", []starlark.Value{matrix, starlark.Float(0.005), starlark.Float(0.1)}},
		{"mean_variance", []starlark.Value{panel}},
		{"risk_parity", []starlark.Value{matrix}},
		{"risk_contribution", []starlark.Value{weights, matrix}},
		{"vol_target", []starlark.Value{weights, matrix, starlark.Float(0.1)}},
		{"rolling_volatility", []starlark.Value{long, starlark.MakeInt(252)}},
	} {
		b.Run(c.name+"/"+strconv.Itoa(len(c.args)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				do(c.name, c.args...)
			}
		})
	}
}

// BenchmarkCovariance measures the matrix of 500 members over ten years, which is
// gonum's symmetric product of rows.
func BenchmarkCovariance(b *testing.B) {
	do := func(name string, args ...starlark.Value) starlark.Value {
		f, _ := harness.Lookup(name)
		v, err := starlark.Call(&starlark.Thread{}, f, args, nil)
		if err != nil {
			b.Fatal(err)
		}
		return v
	}
	panel := starlark.NewDict(500)
	for i := range 500 {
		panel.SetKey(starlark.String(strconv.Itoa(i)), do("random", starlark.String(strconv.Itoa(i)), starlark.MakeInt(2520)))
	}
	for _, shrinkage := range []starlark.Value{starlark.Float(0), starlark.String("ledoit_wolf")} {
		b.Run(shrinkage.String(), func(b *testing.B) {
			for b.Loop() {
				do("covariance", panel, shrinkage)
			}
		})
	}
}
