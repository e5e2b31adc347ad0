package download_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ballast/backtest"
	"ballast/catalog/series"
	"ballast/script"
	"ballast/script/download"
	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

// seriesScript records what it sees of a daily and of a monthly series.
const seriesScript = `NAME = "Readers"
SCHEDULE = "daily"
INPUTS = {
    "universe": {"type": "array", "default": ["A", "B"]},
    "columns": {"type": "array", "format": "series", "default": ["DAYS.X", "months.Y-1"]},
}

def decide(ctx):
    total = 0.0
    for i, name in enumerate(ctx.inputs.columns):
        values = ctx.series(name)
        ctx.record("count%d" % i, len(values))
        if len(values) > 0:
            ctx.record("last%d" % i, values.last())
            ctx.record("mean%d" % i, ctx.series(name, 20).mean())
            dates = ctx.series_dates(name, 2)
            ctx.record("date%d" % i, float(dates[-1].replace("-", "")) + len(dates) / 10)
            total = total + values.last()
    return {"A": 0.6, "B": 0.2} if total > 0 else {"A": 0.1}
`

// randomSeries is a table of one column with random dates, gaps and a random lag.
func randomSeries(rng *rand.Rand, name, key string, frequency series.Frequency) *series.Values {
	of := &series.Series{Name: name, Frequency: frequency, Kind: series.Rate, Lag: rng.IntN(40)}
	if rng.IntN(3) == 0 {
		of.Lag = 0
	}
	v := &series.Values{Of: of, Key: key}
	d := timeseries.NewDate(2018, 11, 1+rng.IntN(28))
	for range 30 + rng.IntN(500) {
		if frequency == series.Monthly {
			y, m, _ := d.YMD()
			d = timeseries.NewDate(y, m+2, 0) // the end of the next month
			if rng.IntN(6) == 0 {
				continue
			}
		} else {
			d += timeseries.Date(1 + rng.IntN(3)) // weekends too
		}
		if d > timeseries.NewDate(2021, 3, 1) {
			break
		}
		v.Dates, v.Values = append(v.Dates, d), append(v.Values, math.Round(rng.NormFloat64()*1e6)/1e8)
	}
	return v
}

// file writes the column as the service returns it.
func file(t *testing.T, folder string, v *series.Values) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "date,%s,EMPTY\n", v.Key)
	for i, d := range v.Dates {
		fmt.Fprintf(&b, "%s,%s,\n", d, strconv.FormatFloat(v.Values[i], 'g', -1, 64))
	}
	return save(t, folder, v.Of.Name+".csv", []byte(b.String()))
}

// knownByLoop is what is known of a column on a session, by walking over the planned
// sessions one by one.
func knownByLoop(v *series.Values, session timeseries.Date) (n int) {
	plan := calendar.XNYS()
	for _, d := range v.Dates {
		on := d
		if v.Of.Frequency == series.Monthly {
			on++
		}
		for left := v.Of.Lag; ; on++ {
			if !calendar.IsSession(plan, on) {
				continue
			}
			if left == 0 {
				break
			}
			left--
		}
		if on <= session {
			n++
		}
	}
	return n
}

// The download sees the same values of series on the same sessions as the engine, and
// both see those that a plain loop over the sessions finds.
func TestSeriesParity(t *testing.T) {
	interpreter(t)
	t.Parallel()
	p, problems := script.Check(seriesScript, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	in, _ := p.Bind(nil)
	const rounds = 8
	requests := make([]request, rounds)
	wants := make([]*backtest.Result, rounds)
	folder := t.TempDir()
	for k := range rounds {
		rng := rand.New(rand.NewPCG(uint64(k), 29))
		frame, bars := seriesMarket(t, rng)
		columns := []*series.Values{randomSeries(rng, "Days", "X", series.Daily), randomSeries(rng, "MONTHS", "y-1", series.Monthly)}
		terms := map[string]download.Series{}
		here := filepath.Join(folder, strconv.Itoa(k))
		if err := os.Mkdir(here, 0o755); err != nil {
			t.Fatal(err)
		}
		arguments := []string{"--out", filepath.Join(here, "out"), "--bars", save(t, here, "bars.csv", []byte(bars))}
		for _, v := range columns {
			frame.Outside = append(frame.Outside, timeseries.NewOutside(series.Fold(v.Name()), frame.Axis, v.Known(), v.Dates, v.Values))
			path := file(t, here, v)
			if k%2 == 0 {
				terms[v.Of.Name] = download.Series{Monthly: v.Of.Frequency == series.Monthly, Lag: v.Of.Lag, Kind: string(v.Of.Kind)}
				arguments = append(arguments, "--series", path)
			} else {
				arguments = append(arguments, "--series", strings.ToLower(v.Of.Name)+"="+path, "--lag", fmt.Sprintf("%s=%d", v.Of.Name, v.Of.Lag))
			}
		}
		runner, err := script.NewRunner(p, in, frame, script.RunnerLimits{})
		if err != nil {
			t.Fatal(err)
		}
		if wants[k], err = backtest.Run(t.Context(), frame, p.Spec(in), runner, backtest.Everything); err != nil {
			t.Fatal(err)
		}
		for i, v := range columns {
			counts := custom(t, wants[k], fmt.Sprintf("count%d", i))
			for row, d := range wants[k].Dates {
				if want := knownByLoop(v, d); int(counts[row]) != want {
					t.Fatalf("round %d: on %s %v values of %s (lag %d) are known, not %d", k, d, counts[row], v.Name(), v.Of.Lag, want)
				}
			}
		}
		text, err := download.Render(p, download.Options{Series: terms})
		if err != nil {
			t.Fatal(err)
		}
		requests[k] = request{save(t, here, "model.py", text), arguments}
	}
	for k, a := range runAll(t, requests) {
		if a.Code != 0 {
			t.Fatalf("round %d ends with %d: %s", k, a.Code, a.Errors)
		}
		sameDaily(t, filepath.Join(folder, strconv.Itoa(k), "out", "daily.csv"), wants[k])
	}
}

// seriesMarket returns a frame of two members, and the same as a file.
func seriesMarket(t *testing.T, rng *rand.Rand) (*timeseries.Frame, string) {
	t.Helper()
	plan := calendar.XNYS()
	begin := plan.Count(timeseries.NewDate(2019, 6, 1+rng.IntN(30)))
	var b strings.Builder
	b.WriteString("symbol,date,total_return\n")
	var sources []timeseries.Source
	for _, key := range []string{"A", "B"} {
		s := timeseries.Series{Base: plan.Session(begin)}
		fmt.Fprintf(&b, "%s,%s,\n", key, s.Base)
		for i := range 300 {
			s.Dates = append(s.Dates, plan.Session(begin+1+i))
			s.Returns = append(s.Returns, math.Round(rng.NormFloat64()*1e4)/1e6)
			fmt.Fprintf(&b, "%s,%s,%s\n", key, s.Dates[i], strconv.FormatFloat(s.Returns[i], 'g', -1, 64))
		}
		sources = append(sources, timeseries.Source{Key: key, Series: s})
	}
	frame, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	return frame, b.String()
}

func custom(t *testing.T, r *backtest.Result, name string) []float64 {
	t.Helper()
	i := slices.IndexFunc(r.Custom, func(c backtest.Custom) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("nothing is recorded as %s", name)
	}
	return r.Custom[i].Values
}

// sameDaily compares a file of daily rows with a result, to the bit.
func sameDaily(t *testing.T, path string, want *backtest.Result) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != len(want.Dates)+1 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	for column, name := range rows[0] {
		var values []float64
		if recorded, ok := strings.CutPrefix(name, "custom."); ok {
			values = custom(t, want, recorded)
		} else if name == "equity" {
			values = want.Equity
		} else {
			continue
		}
		for k, v := range values {
			got, err := strconv.ParseFloat(rows[k+1][column], 64)
			if err != nil {
				got = math.NaN()
			}
			if math.Float64bits(got) != math.Float64bits(v) && !(math.IsNaN(got) && math.IsNaN(v)) {
				t.Fatalf("%s: %s on %s is %v, not %v", path, name, want.Dates[k], got, v)
			}
		}
	}
}

// With the address of a service the download reads the series from there.
func TestSeriesFromTheService(t *testing.T) {
	interpreter(t)
	t.Parallel()
	rng := rand.New(rand.NewPCG(99, 29))
	frame, _ := seriesMarket(t, rng)
	mux := http.NewServeMux()
	answer := func(path string, v any) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(v) })
	}
	for i := range frame.Members {
		m := &frame.Members[i]
		answer("/v1/assets/"+m.Key, map[string]any{"symbol": m.Key, "first_price_date": frame.Axis[0], "delisted": false})
		answer("/v1/assets/"+m.Key+"/history", map[string]any{"base": frame.Axis[0], "dates": frame.Axis[1:], "returns": m.Returns[1:]})
	}
	for _, v := range []*series.Values{randomSeries(rng, "DAYS", "X", series.Daily), randomSeries(rng, "MONTHS", "Y-1", series.Monthly)} {
		frame.Outside = append(frame.Outside, timeseries.NewOutside(v.Name(), frame.Axis, v.Known(), v.Dates, v.Values))
		answer("/v1/series/"+v.Of.Name, map[string]any{
			"frequency": v.Of.Frequency, "kind": v.Of.Kind, "lag": v.Of.Lag,
			"columns": map[string]any{"date": append(slices.Clone(v.Dates), v.Dates[len(v.Dates)-1]+1), v.Key: append(pointers(v.Values), nil)},
		})
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	p, problems := script.Check(seriesScript, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	in, _ := p.Bind(nil)
	runner, err := script.NewRunner(p, in, frame, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := backtest.Run(t.Context(), frame, p.Spec(in), runner, backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	text, err := download.Render(p, download.Options{})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	model, out := save(t, folder, "model.py", text), filepath.Join(folder, "out")
	answers := runAll(t, []request{
		{model, []string{"--url", server.URL, "--out", out}},
		{model, []string{"--url", server.URL, "--input", `columns=["NONE.X"]`}},
		{model, []string{"--url", server.URL, "--input", `columns=["DAYS.Z"]`}},
		{model, []string{"--url", server.URL, "--lag", "DAYS=1"}},
	})
	if answers[0].Code != 0 {
		t.Fatal(answers[0].Errors)
	}
	sameDaily(t, filepath.Join(out, "daily.csv"), want)
	for i, says := range map[int]string{
		1: "the script reads the series NONE, which the service does not have", 2: "the series DAYS has no column Z; it has X", 3: "there is no --series of this name",
	} {
		if a := answers[i]; a.Code != 2 || !strings.Contains(a.Errors, says) {
			t.Errorf("%d does not say %q: %s", a.Code, says, a.Errors)
		}
	}
}

func pointers(values []float64) []*float64 {
	out := make([]*float64, len(values))
	for i := range values {
		out[i] = &values[i]
	}
	return out
}
