package grammar

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/internal/testenv"
	"ballast/script"
	"ballast/timeseries"
)

// history has the closes of each member up to a decision, the oldest first.
type history map[string][]float64

func (h history) over(s string, sessions int) float64 {
	p := h[s]
	return p[len(p)-1]/p[len(p)-1-sessions] - 1
}

func (h history) mean(s string, sessions int) float64 {
	sum := 0.0
	for _, x := range h[s][len(h[s])-sessions:] {
		sum += x
	}
	return sum / float64(sessions)
}

// fast is Keller's 13612W.
func (h history) fast(s string) float64 {
	return 12*h.over(s, 21) + 4*h.over(s, 63) + 2*h.over(s, 126) + h.over(s, 252)
}

func (h history) slow(s string) float64 {
	return (h.over(s, 21) + h.over(s, 63) + h.over(s, 126) + h.over(s, 252)) / 4
}

func (h history) above(s string, sessions int) float64 {
	return h[s][len(h[s])-1]/h.mean(s, sessions) - 1
}

// ranked sorts members by a score, the highest first; equal ones as they are named.
func ranked(members string, score func(string) float64) []string {
	list := strings.Fields(members)
	slices.SortStableFunc(list, func(a, b string) int {
		switch x, y := score(a), score(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return list
}

// target collects weights.
type target map[string]float64

func (t target) add(weight float64, members ...string) target {
	for _, s := range members {
		t[s] += weight
	}
	return t
}

const keller12 = "SPY QQQ IWM VGK EWJ EEM VNQ DBC GLD HYG LQD TLT"

// namedRules are the rules that are known by name, written again as plainly as possible
// from their papers, month ends being the last sessions of months.
var namedRules = map[string]func(h history) target{
	"VAA portfolio": func(h history) target {
		best := ranked("SPY EFA EEM AGG", h.fast)
		if h.fast(best[3]) > 0 {
			return target{best[0]: 1}
		}
		return target{ranked("LQD IEF SHY", h.fast)[0]: 1}
	},
	"VAA portfolio with QQQ, EFA and TLT, otherwise BIL": func(h history) target {
		if best := ranked("QQQ EFA TLT", h.fast); h.fast(best[2]) > 0 {
			return target{best[0]: 1}
		}
		return target{"BIL": 1}
	},
	"DAA portfolio": func(h history) target {
		safe := 0.0
		for _, canary := range []string{"VWO", "BND"} {
			if h.fast(canary) <= 0 {
				safe += 0.5
			}
		}
		return target{}.add((1-safe)/6, ranked(keller12, h.fast)[:6]...).add(safe, ranked("SHY IEF LQD", h.fast)[0])
	},
	"PAA portfolio": func(h history) target {
		score := func(s string) float64 { return h.above(s, 252) }
		var good []string
		for _, s := range ranked(keller12, score) {
			if score(s) > 0 {
				good = append(good, s)
			}
		}
		bonds := math.Min(1, float64(12-len(good))/6)
		held := good[:min(6, len(good))]
		return target{}.add((1-bonds)/math.Max(1, float64(len(held))), held...).add(bonds, "IEF")
	},
	"HAA portfolio": func(h history) target {
		refuge := ranked("BIL IEF", h.slow)[0]
		if h.slow("TIP") <= 0 {
			return target{refuge: 1}
		}
		t := target{}
		for _, s := range ranked("SPY IWM VEA VWO VNQ DBC IEF TLT", h.slow)[:4] {
			if h.slow(s) <= 0 {
				s = refuge
			}
			t.add(0.25, s)
		}
		return t
	},
	"BAA portfolio": func(h history) target {
		score := func(s string) float64 { return h.above(s, 252) }
		for _, canary := range []string{"SPY", "VWO", "VEA", "BND"} {
			if h.fast(canary) <= 0 {
				t := target{}
				for _, s := range ranked("TIP DBC BIL IEF TLT LQD BND", score)[:3] {
					if score(s) < score("BIL") {
						s = "BIL"
					}
					t.add(1./3, s)
				}
				return t
			}
		}
		return target{}.add(1./6, ranked("SPY QQQ IWM VGK EWJ VWO VNQ DBC GLD TLT HYG LQD", score)[:6]...)
	},
	"Faber's GTAA": func(h history) target {
		t := target{}
		for _, s := range strings.Fields("SPY EFA IEF VNQ DBC") {
			if h.above(s, 210) > 0 {
				t.add(0.2, s)
			}
		}
		return t
	},
	"GTAA 13": func(h history) target {
		t := target{}
		for s, w := range map[string]float64{"VTV": 5, "QQQ": 5, "VBR": 5, "IJR": 5, "EFA": 10, "EEM": 10, "IEF": 5, "BNDX": 5, "LQD": 5, "TLT": 5, "DBC": 10, "GLD": 10, "VNQ": 20} {
			if h.above(s, 210) > 0 {
				t.add(w/100, s)
			}
		}
		return t
	},
	"GEM portfolio": func(h history) target {
		if h.over("SPY", 252) <= h.over("BIL", 252) {
			return target{"AGG": 1}
		}
		return target{ranked("SPY VEU", func(s string) float64 { return h.over(s, 252) })[0]: 1}
	},
	"dual momentum GEM with QQQ, VEA, TLT": func(h history) target {
		if h.over("QQQ", 252) <= h.over("BIL", 252) {
			return target{"TLT": 1}
		}
		return target{ranked("QQQ VEA", func(s string) float64 { return h.over(s, 252) })[0]: 1}
	},
	"accelerating dual momentum": func(h history) target {
		score := func(s string) float64 { return (h.over(s, 21) + h.over(s, 63) + h.over(s, 126)) / 3 }
		if best := ranked("SPY SCZ", score)[0]; score(best) > 0 {
			return target{best: 1}
		}
		return target{"TLT": 1}
	},
	"adaptive asset allocation": func(h history) target {
		return leastVariance(h, ranked("SPY VGK EWJ EEM VNQ SYN-REAL IEF TLT DBC GLD", func(s string) float64 { return h.over(s, 126) })[:5], 60)
	},
	"Faber's sector rotation": func(h history) target {
		return target{}.add(1./3, ranked("XLB XLE XLF XLI XLK XLP XLU XLV XLY", func(s string) float64 {
			return h.over(s, 21) + h.over(s, 63) + h.over(s, 126) + h.over(s, 189) + h.over(s, 252)
		})[:3]...)
	},
}

// leastVariance tries every set of members, with the weights that are best without a
// limit: of those that are not negative, the least variance counts.
func leastVariance(h history, members []string, sessions int) (best target) {
	n := len(members)
	cov := make([][]float64, n)
	for i, a := range members {
		cov[i] = make([]float64, n)
		for j, b := range members {
			x, y := returnsOf(h[a], sessions), returnsOf(h[b], sessions)
			mx, my := mean(x), mean(y)
			for k := range x {
				cov[i][j] += (x[k] - mx) * (y[k] - my) / float64(sessions-1)
			}
		}
	}
	least := math.Inf(1)
	for chosen := 1; chosen < 1<<n; chosen++ {
		var in []int
		for i := range n {
			if chosen&(1<<i) != 0 {
				in = append(in, i)
			}
		}
		w := solved(cov, in)
		variance := 0.0
		for a, i := range in {
			for b, j := range in {
				variance += w[a] * w[b] * cov[i][j]
			}
		}
		if slices.Min(w) >= 0 && variance < least {
			least, best = variance, target{}
			for a, i := range in {
				best[members[i]] = w[a]
			}
		}
	}
	return best
}

// solved returns the weights of least variance of some members, by elimination.
func solved(cov [][]float64, in []int) []float64 {
	n := len(in)
	rows := make([][]float64, n)
	for a, i := range in {
		for _, j := range in {
			rows[a] = append(rows[a], cov[i][j])
		}
		rows[a] = append(rows[a], 1)
	}
	for a := range n {
		for b := range n {
			if factor := rows[b][a] / rows[a][a]; b != a {
				for k := range rows[b] {
					rows[b][k] -= factor * rows[a][k]
				}
			}
		}
	}
	w, sum := make([]float64, n), 0.0
	for a := range n {
		w[a] = rows[a][n] / rows[a][a]
		sum += w[a]
	}
	for a := range w {
		w[a] /= sum
	}
	return w
}

func returnsOf(prices []float64, sessions int) (list []float64) {
	for i := len(prices) - sessions; i < len(prices); i++ {
		list = append(list, prices[i]/prices[i-1]-1)
	}
	return list
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// drawn returns bars of members as random walks, whose trends turn every year or so, so
// that each branch of a rule is taken.
func drawn(members []string) *timeseries.Frame {
	all, err := market()
	if err != nil {
		panic(err)
	}
	dates := all["SYN-LARGE"]
	var sources []timeseries.Source
	for i, m := range members {
		s := timeseries.Series{Base: dates.Base, Dates: dates.Dates[:2000]}
		state := uint64(7919*(i+1)) + uint64(len(m))
		for day := range s.Dates {
			state = state*6364136223846793005 + 1442695040888963407
			noise := float64(state>>40)/float64(1<<24) - 0.5
			drift := 0.0006 + 0.0018*math.Sin(float64(day)/130) + 0.0007*math.Sin(float64(day)/(60+float64(i)*9)+float64(i))
			s.Returns = append(s.Returns, drift+0.02*noise)
		}
		sources = append(sources, timeseries.Source{Key: m, Series: s})
	}
	f, err := timeseries.Align(sources)
	if err != nil {
		panic(err)
	}
	return f
}

// TestNamedRules compares the weights of every day of each rule that is known by name
// with those of a second implementation, over drawn bars. Between its decisions, what a
// rule holds drifts with prices.
func TestNamedRules(t *testing.T) {
	t.Parallel()
	for prompt, rule := range namedRules {
		t.Run(prompt, func(t *testing.T) {
			t.Parallel()
			program, problems := script.Check(Write(understand(t, prompt)), nil)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			f := drawn(program.Universe)
			inputs, _ := program.Bind(nil)
			r, err := script.NewRunner(program, inputs, f, script.RunnerLimits{})
			if err != nil {
				t.Fatal(err)
			}
			result, err := backtest.Run(t.Context(), f, program.Spec(inputs), r, backtest.Everything)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, f, result, rule)
		})
	}
}

// agree compares the weights of every day.
func agree(t *testing.T, f *timeseries.Frame, result *backtest.Result, rule func(history) target) {
	t.Helper()
	prices := history{}
	for _, m := range f.Members {
		p := []float64{1}
		for _, x := range m.Returns[1:] {
			p = append(p, p[len(p)-1]*(1+x))
		}
		prices[m.Key] = p
	}
	weights := map[string][]float64{}
	for i, key := range result.Keys {
		weights[key] = result.Weights[i]
	}
	held, kinds, row := target{}, map[string]bool{}, map[timeseries.Date]int{}
	for i, date := range result.Dates {
		row[date] = i
	}
	for day := 1; day < len(f.Axis); day++ {
		sum := 1.0
		for s, w := range held {
			sum += w * (prices[s][day]/prices[s][day-1] - 1)
		}
		for s, w := range held {
			held[s] = w * prices[s][day] / prices[s][day-1] / sum
		}
		if last := day+1 == len(f.Axis) || f.Axis[day].String()[:7] != f.Axis[day+1].String()[:7]; last && day >= 252 && day+1 < len(f.Axis) {
			h := history{}
			for key, p := range prices {
				h[key] = p[:day+1]
			}
			held = rule(h)
			maps.DeleteFunc(held, func(_ string, w float64) bool { return math.Abs(w) < 1e-12 })
			kinds[strings.Join(slices.Sorted(maps.Keys(held)), " ")] = true
		}
		if day < 252+21 || day+1 == len(f.Axis) {
			continue
		}
		for _, m := range f.Members {
			got := 0.0
			if w := weights[m.Key]; w != nil {
				got = w[row[f.Axis[day]]]
			}
			if math.Abs(got-held[m.Key]) > 1e-9 {
				t.Fatalf("on %s: %v of %s, not %v", f.Axis[day], got, m.Key, held[m.Key])
			}
		}
	}
	if len(kinds) < 2 {
		t.Errorf("only %d different holdings", len(kinds))
	}
}

// TestNamedStrategiesAreListed checks that docs/prompts.md lists every well-known
// portfolio and rule with its source and its members.
func TestNamedStrategiesAreListed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(testenv.Root(t), "docs", "prompts.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := listed()
	for _, row := range rows {
		if !strings.Contains(string(text), row+"\n") {
			t.Errorf("docs/prompts.md has no row:\n%s", row)
		}
	}
	if len(rows) < 25 {
		t.Errorf("only %d strategies", len(rows))
	}
}

// listed returns the rows of the table in docs/prompts.md.
func listed() (rows []string) {
	keys := func(list []ticker) string {
		var names []string
		for _, h := range list {
			names = append(names, h.ticker)
		}
		return strings.Join(names, ", ")
	}
	for _, w := range wellKnown {
		rows = append(rows, "| "+w.name+" | "+strings.Join(roles(w.holdings), ", ")+" | "+w.source+" |")
	}
	for _, r := range recipes {
		members := keys(r.pool)
		if r.pool[0].weight > 0 {
			members = strings.Join(roles(r.pool), ", ")
		}
		if r.fallback != nil {
			members += "; otherwise " + keys(r.fallback)
		}
		rows = append(rows, "| "+r.name+" | "+members+" | "+r.source+" |")
	}
	for _, r := range rulesByName {
		members := fmt.Sprintf("the best %d of %s; otherwise %s", r.hold, keys(r.pool), keys(r.defensive))
		if r.canary != nil {
			members += "; canaries " + keys(r.canary)
		}
		rows = append(rows, "| "+r.name+" ("+strings.ToUpper(r.short)+") | "+members+" | "+r.source+" |")
	}
	return rows
}
