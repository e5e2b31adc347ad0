package examples_test

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ballast/backtest"
	"ballast/internal/testenv"
	"ballast/timeseries"
)

// history has one fund's rows as they are in the file, without import or alignment.
type history struct {
	dates  []string
	prices []float64 // adjusted closes
}

func readHistories(t *testing.T) map[string]history {
	t.Helper()
	file, err := os.Open(testenv.Data(t, "bars/etf21_yahoo_2025.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(io.Reader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]history{}
	for _, row := range rows[1:] { // symbol,date,close,adj_close,dividend
		price, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			t.Fatal(err)
		}
		h := all[row[0]]
		all[row[0]] = history{append(h.dates, row[1]), append(h.prices, price)}
	}
	return all
}

// known are the prices of each fund up to a date, oldest first.
type known map[string][]float64

func upTo(all map[string]history, date string) known {
	k := known{}
	for symbol, h := range all {
		n, there := slices.BinarySearch(h.dates, date)
		if there {
			n++
		}
		k[symbol] = h.prices[:n]
	}
	return k
}

// gain returns the total return over the last n sessions.
func (k known) gain(symbol string, n int) float64 {
	p := k[symbol]
	return p[len(p)-1]/p[len(p)-1-n] - 1
}

// overAverage returns the price divided by the mean of itself and months − 1 earlier
// prices, 21 sessions apart.
func (k known) overAverage(symbol string, months int) float64 {
	p := k[symbol]
	var sum float64
	for i := range months {
		sum += p[len(p)-1-21*i]
	}
	return p[len(p)-1]/(sum/float64(months)) - 1
}

// quick returns the 13612W momentum; even returns the plain mean of the same returns.
func (k known) quick(s string) float64 {
	return (12*k.gain(s, 21) + 4*k.gain(s, 63) + 2*k.gain(s, 126) + k.gain(s, 252)) / 4
}

func (k known) even(s string) float64 {
	return (k.gain(s, 21) + k.gain(s, 63) + k.gain(s, 126) + k.gain(s, 252)) / 4
}

// ranked splits a list of symbols and sorts them, highest score first.
func ranked(symbols string, score func(string) float64) []string {
	list := strings.Fields(symbols)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(score(b), score(a)) })
	return list
}

type weights = map[string]float64

const twelve = "SPY QQQ IWM IEV EWJ EEM VNQ DBC GLD TLT HYG LQD"

// byHand has the rules a second time, written from the papers and not from the scripts.
var byHand = map[string]func(k known) weights{
	"dual_momentum.py": func(k known) weights {
		us, world := k.gain("SPY", 252), k.gain("EFA", 252)
		switch {
		case us <= k.gain("BIL", 252):
			return weights{"AGG": 1}
		case us >= world:
			return weights{"SPY": 1}
		}
		return weights{"EFA": 1}
	},
	"accelerating_dual_momentum.py": func(k known) weights {
		score := func(s string) float64 { return k.gain(s, 21) + k.gain(s, 63) + k.gain(s, 126) }
		best := ranked("SPY EFA", score)[0]
		if score(best) <= 0 {
			best = ranked("TLT TIP", func(s string) float64 { return k.gain(s, 21) })[0]
		}
		return weights{best: 1}
	},
	"faber_gtaa.py": func(k known) weights {
		w := weights{}
		for _, s := range strings.Fields("SPY EFA IEF VNQ DBC") {
			if k.overAverage(s, 10) <= 0 {
				s = "BIL"
			}
			w[s] += 0.2
		}
		return w
	},
	"faber_relative_strength.py": func(k known) weights {
		w := weights{}
		for _, s := range ranked("SPY QQQ IWM MDY EFA EEM IEF TLT LQD TIP DBC GLD VNQ", k.even)[:3] {
			if k.overAverage(s, 10) <= 0 {
				s = "BIL"
			}
			w[s] += 1.0 / 3
		}
		return w
	},
	"vigilant_vaa.py": func(k known) weights {
		risky := ranked("SPY EFA EEM AGG", k.quick)
		if k.quick(risky[3]) > 0 {
			return weights{risky[0]: 1}
		}
		return weights{ranked("LQD IEF SHY", k.quick)[0]: 1}
	},
	"protective_paa.py": func(k known) weights {
		slow := func(s string) float64 { return k.overAverage(s, 13) }
		rising := slices.DeleteFunc(ranked(twelve, slow), func(s string) bool { return slow(s) <= 0 })
		bonds := min(1, float64(12-len(rising))/6)
		w := weights{"IEF": bonds}
		for _, s := range rising[:min(6, len(rising))] {
			w[s] = (1 - bonds) / float64(min(6, len(rising)))
		}
		return w
	},
	"defensive_daa.py": func(k known) weights {
		risky := 1.0
		for _, s := range []string{"EEM", "AGG"} {
			if k.quick(s) <= 0 {
				risky -= 0.5
			}
		}
		w := weights{ranked("SHY IEF LQD", k.quick)[0]: 1 - risky}
		for _, s := range ranked(twelve, k.quick)[:6] {
			w[s] += risky / 6
		}
		return w
	},
	"bold_baa.py": func(k known) weights {
		slow := func(s string) float64 { return k.overAverage(s, 13) }
		w := weights{}
		if k.quick(ranked("SPY EEM EFA AGG", k.quick)[3]) > 0 {
			for _, s := range ranked(twelve, slow)[:6] {
				w[s] = 1.0 / 6
			}
			return w
		}
		for _, s := range ranked("TIP DBC BIL IEF TLT LQD AGG", slow)[:3] {
			if slow(s) < slow("BIL") {
				s = "BIL"
			}
			w[s] += 1.0 / 3
		}
		return w
	},
	"hybrid_haa.py": func(k known) weights {
		safe := ranked("IEF BIL", k.even)[0]
		if k.even("TIP") <= 0 {
			return weights{safe: 1}
		}
		w := weights{}
		for _, s := range ranked("SPY IWM EFA EEM VNQ DBC IEF TLT", k.even)[:4] {
			if k.even(s) <= 0 {
				s = safe
			}
			w[s] += 0.25
		}
		return w
	},
	"cross_sectional_momentum.py": func(k known) weights {
		old := func(s string) float64 {
			p := k[s]
			if len(p) <= 252 {
				return math.Inf(-1)
			}
			return p[len(p)-22]/p[len(p)-253] - 1
		}
		w := weights{}
		for _, s := range ranked("SPY QQQ IWM MDY EFA EEM EWJ IEV VNQ", old)[:3] {
			w[s] = 1.0 / 3
		}
		return w
	},
	"breadth_risk_off.py": func(k known) weights {
		w := weights{"IEF": 1}
		for _, s := range strings.Fields("SPY QQQ IWM MDY EFA EEM EWJ IEV IYR") {
			var sum float64
			p := k[s][len(k[s])-200:]
			for _, v := range p {
				sum += v
			}
			if p[199] > sum/200 {
				w[s] = 1.0 / 9
				w["IEF"] -= 1.0 / 9
			}
		}
		return w
	},
	"time_series_momentum.py": func(k known) weights {
		inverse, total := weights{}, 0.0
		for _, s := range strings.Fields("SPY EFA EEM VNQ TLT IEF GLD DBC") {
			p := k[s][len(k[s])-64:]
			var sum, squares float64
			for i := range 63 {
				r := p[i+1]/p[i] - 1
				sum += r
				squares += r * r
			}
			inverse[s] = 1 / math.Sqrt((squares-sum*sum/63)/62)
			total += inverse[s]
		}
		w := weights{"BIL": 1}
		for s, v := range inverse {
			if k.gain(s, 252) > k.gain("BIL", 252) {
				w[s] = v / total
				w["BIL"] -= v / total
			}
		}
		return w
	},
}

// TestDecisionsByHand computes every decision of the tactical examples a second time,
// from the prices in the file.
func TestDecisionsByHand(t *testing.T) {
	all := readHistories(t)
	m := realMarket(t)
	for _, name := range slices.Sorted(maps.Keys(byHand)) {
		t.Run(name, func(t *testing.T) {
			r := run(t, m, name).result
			decided := 0
			for _, e := range r.Ledger {
				want := byHand[name](upTo(all, e.Decided.String()))
				got := targets(r, e)
				for s := range got {
					want[s] += 0 // a symbol that only the run holds is compared with 0
				}
				for s, w := range want {
					if math.Abs(got[s]-w) > 1e-9 {
						t.Fatalf("%s: targets are %v, by hand %v", e.Decided, got, want)
					}
				}
				decided++
			}
			if decided < 200 {
				t.Errorf("%d decisions", decided)
			}
		})
	}
}

func targets(r *backtest.Result, e backtest.Event) weights {
	w := weights{}
	for _, trade := range e.Trades {
		if trade.Member != backtest.CashMember {
			w[r.Keys[trade.Member]] = trade.Target
		}
	}
	return w
}

// TestGoldenCrossByHand compares the weight at each close with what the averages at the
// close before demand.
func TestGoldenCrossByHand(t *testing.T) {
	h := readHistories(t)["SPY"]
	r := run(t, realMarket(t), "golden_cross.py").result
	mean := func(i, n int) float64 {
		var sum float64
		for _, p := range h.prices[i-n+1 : i+1] {
			sum += p
		}
		return sum / float64(n)
	}
	offset := slices.Index(h.dates, r.Dates[0].String())
	for i := range r.Dates {
		before := offset + i - 1
		if held, want := r.Weights[0][i] > 0, mean(before, 50) > mean(before, 200); held != want {
			t.Fatalf("%s: held %v", r.Dates[i], held)
		}
	}
}

// TestTurnOfTheMonthByHand compares the days on which equities are held with the actual
// sessions. Only holidays may make them differ.
func TestTurnOfTheMonthByHand(t *testing.T) {
	r := run(t, realMarket(t), "turn_of_the_month.py").result
	month := func(i int) string { return r.Dates[i].String()[:7] }
	differ := 0
	for i := 25; i < len(r.Dates)-25; i++ {
		first, last := i, i
		for month(first-1) == month(i) {
			first--
		}
		for month(last+1) == month(i) {
			last++
		}
		// A return is from equities if they were held at the close before.
		if want := i == last || i-first < 3; want != (r.Weights[0][i-1] > 0) {
			differ++
		}
	}
	if share := float64(differ) / float64(len(r.Dates)); share > 0.02 {
		t.Errorf("%d of %d sessions differ", differ, len(r.Dates))
	}
}

// TestSixtyFortyByHand compounds the fixed mix month by month.
func TestSixtyFortyByHand(t *testing.T) {
	all := readHistories(t)
	r := run(t, realMarket(t), "sixty_forty.py").result
	agg, spy := all["AGG"], all["SPY"]
	shift := len(spy.prices) - len(agg.prices)
	value, from := 1.0, 0
	for i := range agg.dates {
		end := i == len(agg.dates)-1
		if i > from && (end || sessionMonth(t, agg.dates[i]) != sessionMonth(t, agg.dates[i+1])) {
			value *= 0.6*spy.prices[shift+i]/spy.prices[shift+from] + 0.4*agg.prices[i]/agg.prices[from]
			from = i
		}
	}
	if got := r.Summary.FinalValue / r.Summary.InitialCash; math.Abs(got/value-1) > 1e-9 {
		t.Errorf("the run ends at %v, by hand at %v", got, value)
	}
}

func sessionMonth(t *testing.T, date string) time.Month {
	t.Helper()
	d, err := timeseries.ParseDate(date)
	if err != nil {
		t.Fatal(err)
	}
	_, m, _ := d.YMD()
	return m
}
