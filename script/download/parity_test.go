package download_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/internal/testenv"
)

// tolerance is the accepted difference between the download and the service.
const tolerance = 1e-9

// TestParity runs the scenarios in the engine and as a download in Python.
func TestParity(t *testing.T) {
	interpreter(t)
	m := newMarket(t)
	out := t.TempDir()
	all := slices.DeleteFunc(scenarios(t), func(s scenario) bool { return !m.has(t, s.bars) })
	if m.has(t, []string{"etf21", "bitcoin"}) {
		all = append(all, exampleScenarios(t, m)...)
	}
	all = testenv.Some(t, 12, all)
	requests := make([]request, len(all))
	for i, s := range all {
		requests[i] = s.request(t, m, filepath.Join(out, s.name))
	}
	var days, figures gap
	for i, a := range runAll(t, requests) {
		s := all[i]
		t.Run(s.name, func(t *testing.T) {
			if a.Code != 0 {
				t.Fatalf("the download ends with %d: %s", a.Code, a.Errors)
			}
			t.Logf("%.2f s", a.Seconds)
			d := &differences{T: t}
			d.compare(s.run(t, m), a, filepath.Join(out, s.name))
			days.widen(s.name, d.days)
			figures.widen(s.name, d.figures)
		})
	}
	t.Logf("%d scripts; the largest difference of returns, weights and ledger is %.3g (%s), of the metrics %.3g (%s)",
		len(all), days.size, days.where, figures.size, figures.where)
}

// gap is the largest difference so far, and its place.
type gap struct {
	size  float64
	where string
}

func (g *gap) widen(name string, other gap) {
	if other.size > g.size {
		*g = gap{other.size, name + ": " + other.where}
	}
}

// differences collects the largest differences: of daily numbers, and of the metrics.
type differences struct {
	*testing.T
	days, figures gap
}

// near compares two numbers, relatively if they are above 1.
func (d *differences) near(where string, want, got float64) {
	off := math.Abs(want-got) / max(1, math.Abs(want))
	g := &d.days
	if strings.HasPrefix(where, "metrics") {
		g = &d.figures
	}
	if off > g.size {
		*g = gap{off, where}
	}
	if !(off <= tolerance) {
		d.Errorf("%s: %v, and %v in the download", where, want, got)
	}
}

// printed is the output of --json.
type printed struct {
	Metrics map[string]any       `json:"metrics"`
	Base    string               `json:"base"`
	Dates   []string             `json:"dates"`
	Returns []float64            `json:"returns"`
	Weights map[string][]float64 `json:"weights"`
	Ledger  []struct {
		Fill     string  `json:"fill"`
		Decided  string  `json:"decided"`
		Reason   string  `json:"reason"`
		Turnover float64 `json:"turnover"`
		Trades   map[string]struct {
			Before float64 `json:"before"`
			Target float64 `json:"target"`
			Traded float64 `json:"traded"`
		} `json:"trades"`
	} `json:"ledger"`
}

func (d *differences) compare(w whole, a answer, folder string) {
	var p printed
	if err := json.Unmarshal([]byte(a.Out), &p); err != nil {
		d.Fatal(err)
	}
	r := w.result
	dates := make([]string, len(r.Dates))
	for i, day := range r.Dates {
		dates[i] = day.String()
	}
	if diff := cmp.Diff(dates, append([]string{p.Base}, p.Dates...)); diff != "" {
		d.Fatal(diff)
	}
	d.column("return", r.Returns[1:], p.Returns)
	d.weights(r, p)
	d.ledger(r, p)
	block, err := json.Marshal(w.block)
	if err != nil {
		d.Fatal(err)
	}
	var metrics any
	if err := json.Unmarshal(block, &metrics); err != nil {
		d.Fatal(err)
	}
	d.values("metrics", metrics, p.Metrics)
	d.daily(r, folder)
	d.messages(w, a)
}

func (d *differences) column(name string, want, got []float64) {
	if len(want) != len(got) {
		d.Fatalf("%s: %d values, and %d in the download", name, len(want), len(got))
	}
	for i := range want {
		if math.IsNaN(want[i]) && math.IsNaN(got[i]) {
			continue
		}
		d.near(fmt.Sprintf("%s[%d]", name, i), want[i], got[i])
	}
}

func (d *differences) weights(r *backtest.Result, p printed) {
	keys := []string{backtest.CashKey}
	d.column("weight.CASH", r.CashWeight[1:], p.Weights[backtest.CashKey])
	for i, column := range r.Weights {
		if column != nil {
			keys = append(keys, r.Keys[i])
			d.column("weight."+r.Keys[i], column[1:], p.Weights[r.Keys[i]])
		}
	}
	if len(p.Weights) != len(keys) {
		d.Errorf("weights of %v, and in the download of %d", keys, len(p.Weights))
	}
}

func (d *differences) ledger(r *backtest.Result, p printed) {
	if len(r.Ledger) != len(p.Ledger) {
		d.Fatalf("%d events, and %d in the download", len(r.Ledger), len(p.Ledger))
	}
	for i, e := range r.Ledger {
		got := p.Ledger[i]
		head := []string{e.Fill.String(), e.Decided.String(), string(e.Reason)}
		if diff := cmp.Diff(head, []string{got.Fill, got.Decided, got.Reason}); diff != "" {
			d.Errorf("event %d: %s", i, diff)
		}
		d.near("turnover", e.Turnover, got.Turnover)
		if len(e.Trades) != len(got.Trades) {
			d.Errorf("event %d: %d trades, and %d in the download", i, len(e.Trades), len(got.Trades))
		}
		for _, trade := range e.Trades {
			key := backtest.CashKey
			if trade.Member != backtest.CashMember {
				key = r.Keys[trade.Member]
			}
			d.near(key+" before", trade.Before, got.Trades[key].Before)
			d.near(key+" target", trade.Target, got.Trades[key].Target)
			d.near(key+" traded", trade.Traded(), got.Trades[key].Traded)
		}
	}
}

// values compares the content of two JSON documents.
func (d *differences) values(where string, want, got any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(w) {
			d.Errorf("%s: %d keys, and in the download %v", where, len(w), got)
			return
		}
		for k := range w {
			d.values(where+"."+k, w[k], g[k])
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			d.Errorf("%s: %d elements, and in the download %v", where, len(w), got)
			return
		}
		for i := range w {
			d.values(fmt.Sprintf("%s[%d]", where, i), w[i], g[i])
		}
	case float64:
		g, ok := got.(float64)
		if !ok {
			d.Errorf("%s: %v, and in the download %v", where, want, got)
			return
		}
		d.near(where, w, g)
	default:
		if want != got {
			d.Errorf("%s: %v, and in the download %v", where, want, got)
		}
	}
}

// daily compares daily.csv, including the base.
func (d *differences) daily(r *backtest.Result, folder string) {
	f, err := os.Open(filepath.Join(folder, "daily.csv"))
	if err != nil {
		d.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		d.Fatal(err)
	}
	columns := map[string][]float64{}
	for k, name := range rows[0][1:] {
		for _, row := range rows[1:] {
			x := math.NaN()
			if row[k+1] != "" {
				if x, err = strconv.ParseFloat(row[k+1], 64); err != nil {
					d.Fatal(err)
				}
			}
			columns[name] = append(columns[name], x)
		}
	}
	want := map[string][]float64{"equity": r.Equity, "gross_exposure": r.Gross, "traded": r.Traded, "weight.CASH": r.CashWeight}
	want["return"] = append([]float64{math.NaN()}, r.Returns[1:]...)
	for i, column := range r.Weights {
		if column != nil {
			want["weight."+r.Keys[i]] = column
		}
	}
	for _, c := range r.Custom {
		want["custom."+c.Name] = c.Values
	}
	for name, column := range want {
		d.column(name, column, columns[name])
	}
	if len(columns) != len(want) {
		d.Errorf("daily.csv has the columns %v", rows[0])
	}
}

// messages compares log and warnings, which go to standard error.
func (d *differences) messages(w whole, a answer) {
	var want, got []string
	for _, line := range w.log {
		want = append(want, "log: "+line)
	}
	for _, warning := range w.result.Summary.Warnings {
		want = append(want, "warning: "+warning.Message)
	}
	for line := range strings.Lines(a.Errors) {
		got = append(got, strings.TrimSuffix(line, "\n"))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		d.Error(diff)
	}
}

// TestParityCoversTheHarness fails if a name of the harness occurs in no scenario.
func TestParityCoversTheHarness(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, s := range scenarios(t) {
		all.WriteString(s.source)
	}
	for _, name := range modelNames() {
		if !regexp.MustCompile(`\b` + name + `\(`).MatchString(all.String()) {
			t.Errorf("no scenario calls %s", name)
		}
	}
}
