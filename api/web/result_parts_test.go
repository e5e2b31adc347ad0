package web

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ballast/internal/testenv"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/timeseries"
)

// What members added to each year is, in all, the year's return.
func TestContributionsAddUpToTheYears(t *testing.T) {
	t.Parallel()
	random := testenv.Random(t, testenv.Seed(t, 5), 0)
	for range 200 {
		h := randomContributions(random, 1+random.IntN(900), 1+random.IntN(mostMembers))
		c := contributionsOf(h)
		grown := map[int]float64{}
		for d, date := range h.Dates {
			y, _, _ := date.YMD()
			if grown[y] == 0 {
				grown[y] = 1
			}
			grown[y] *= 1 + h.Returns[d]
		}
		if len(c.Rows) != len(grown) || c.Rows[len(c.Rows)-1].Year != 2019 {
			t.Fatalf("%d rows for %d years, the last of %d", len(c.Rows), len(grown), c.Rows[len(c.Rows)-1].Year)
		}
		for _, row := range c.Rows {
			if want := percent(grown[row.Year]-1, 1); row.Whole != want {
				t.Errorf("%d: %s, the returns give %s", row.Year, row.Whole, want)
			}
		}
		for _, y := range linked(h) {
			sum := 0.0
			for _, v := range y.parts {
				sum += v
			}
			if math.Abs(sum-(grown[y.year]-1)) > 1e-12 {
				t.Errorf("%d: members add up to %v, the return is %v", y.year, sum, grown[y.year]-1)
			}
		}
	}
}

func randomContributions(random *rand.Rand, days, members int) *history.History {
	h := &history.History{Contribution: &history.Contribution{Columns: result.Columns{Keys: []string{"CASH"}, Values: [][]float64{make([]float64, days)}}}}
	for k := range members {
		h.Contribution.Keys = append(h.Contribution.Keys, strings.Repeat("A", k+1))
		h.Contribution.Values = append(h.Contribution.Values, make([]float64, days))
	}
	for d := range days {
		whole := 0.0
		for k := range members {
			v := .02 * random.NormFloat64() / float64(members)
			h.Contribution.Values[k+1][d] = v
			whole += v
		}
		h.Dates = append(h.Dates, timeseries.NewDate(2019, 11, 1)+timeseries.Date(d))
		h.Returns = append(h.Returns, whole)
	}
	return h
}

func TestPartsOfAModelOfModels(t *testing.T) {
	t.Parallel()
	leaf := func(key string, weights ...float64) *history.Node { return &history.Node{Key: key, Weights: weights} }
	h := &history.History{
		Labels: []history.Label{{Key: "SPY", Name: "SPDR <500>"}},
		Tree:   &history.Node{Key: "ALL", Weights: []float64{1, 1}, Children: []*history.Node{leaf("SPY", .6, .4), leaf("CASH", .4, .6)}},
	}
	if parts := partsOf(h); parts != nil {
		t.Errorf("a model of assets has the parts %v", parts)
	}
	h.Tree.Children[1] = &history.Node{Key: "BONDS", Weights: []float64{.4, .6}, Children: []*history.Node{leaf("AGG", .3, .6), leaf("CASH", .1, 0)}}
	parts := partsOf(h)
	if len(parts) != 2 || parts[0].Name != "BONDS" || parts[0].Now != "60.0\u202f%" || parts[0].Mean != "50.0\u202f%" || len(parts[0].Parts) != 2 || parts[0].Parts[1].Name != "Cash" || parts[1].Name != "SPY SPDR <500>" {
		t.Errorf("%+v", parts)
	}
}

func TestTradesOf(t *testing.T) {
	t.Parallel()
	h := &history.History{Allocation: &history.Allocation{}}
	for i := range mostTrades + 3 {
		h.Allocation.Rebalances = append(h.Allocation.Rebalances, result.Rebalance{
			Date: timeseries.NewDate(2024, 1, 2) + timeseries.Date(i), Decided: timeseries.NewDate(2024, 1, 1) + timeseries.Date(i), Reason: "schedule", Turnover: .3,
			Trades: []result.Trade{{Key: "AGG", Before: .4, Target: .3, Traded: -.1}, {Key: "SPY", Before: .5, Target: .7, Traded: .2}, {Key: "CASH", Before: .1, Target: 0, Traded: -.1}},
		})
	}
	rows, more := tradesOf(h)
	if len(rows) != mostTrades || more != 3 {
		t.Fatalf("%d rows and %d more", len(rows), more)
	}
	want := tradeRow{Date: "2024-01-16", Decided: "2024-01-15", Reason: "decision", Turnover: "30.0\u202f%"}
	if got := rows[0]; got.Date != want.Date || got.Decided != want.Decided || got.Reason != want.Reason || got.Turnover != want.Turnover ||
		strings.Join(got.Changes, "; ") != "SPY 50.0\u202f% → 70.0\u202f%; AGG 40.0\u202f% → 30.0\u202f%" {
		t.Errorf("%+v", got)
	}
}

func TestCostsAsked(t *testing.T) {
	t.Parallel()
	c, rates, any := costsAsked(map[string][]string{"management_pct": {"0,5"}, "slippage_bps": {"3"}, "commission_bps": {"<b>"}, "benchmark": {"AGG"}})
	if !any || rates != (history.Rates{Management: .005, Slippage: 3}) || !strings.Contains(c.Note, "“Commission” is a number from 0 to 10000.") || len(c.Hidden) != 1 || c.Fields[2].Value != "<b>" {
		t.Errorf("%+v %+v %v", c, rates, any)
	}
	for _, bad := range []string{"-1", "NaN", "Inf", "1e9", "x"} {
		if c, _, any := costsAsked(map[string][]string{"management_pct": {bad}}); any || c.Note == "" {
			t.Errorf("%s was accepted", bad)
		}
	}
}
