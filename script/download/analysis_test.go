package download_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ballast/catalog/series"
	"ballast/internal/testenv"
	"ballast/script"
	"ballast/script/analysis"
	"ballast/script/download"
	"ballast/script/sandbox"
	"ballast/timeseries"
)

// analysisScripts use everything that an analysis' script can call.
var analysisScripts = []string{
	`    factors(ctx, "A", ["B", "C", "D"])
    return factors(ctx, y="B", x=["C"], frequency="monthly", riskless=0.02, lags=3)`,
	`    return factors(ctx, "A", ["B", "C"], riskless="D", frequency="monthly")`,
	`    style(ctx, "A", ["B", "C", "D"])
    return style(ctx, y="D", x=["A", "C"], frequency="daily")`,
	`    tails(ctx, ["A", "B", "D"], level=0.97)
    drawdowns(ctx, ["B"], n=3)`,
	`    drawdowns(ctx, ["A", "C"])
    return tails(ctx, "A")`,
	`    rolling(ctx, ["A", "D"], [1, 3], benchmark="B")
    regimes(ctx, ["B", "A"], "drawdown")`,
	`    rolling(ctx, ["A"], 2)
    regimes(ctx, ["B", "A"], "trend")`,
	`    regimes(ctx, ["C", "A", "D"], "volatility")`,
	`    stress(ctx, ["A", "B"], shocks={"B": -0.2, "C": 0.05})
    stress(ctx, ["C"], episodes=["2000"], shocks={"A": 1})
    stress(ctx, ["A", "B"], episodes=["2008", {"name": "own", "first": "2003-02-03", "last": "2003-05-30"}, "2000"])
    ctx.scalar("held", ctx.weights("A")["A"].sum() + ctx.contributions("B")["B"].sum())`,
	`    report(ctx, ["A", "B"], benchmark="C")`,
	`    attribution(ctx, "E", "F")
    report(ctx, ["F"], benchmark="E")`,
	`    attribution(ctx, "F", benchmark="E", by="year")`,
	`    report(ctx, "A")
    ctx.log(len(ctx.weights("D")["date"]))`,
	`    factors(ctx, "A", ["B", "days.x"], riskless=0.03)
    factors(ctx, "D", ["B", "MONTHS.Y"], frequency="monthly", riskless="LEVEL.Z")
    drawdowns(ctx, ["DAYS.X", "A"], n=2)
    correlation(ctx, ["A", "LEVEL.Z", "MONTHS.Y"], frequency="monthly")
    ctx.scalar("months", len(ctx.factors("months")["MONTHS.Y"]))
    ctx.scalar("days", ctx.factors("Days")["DAYS.X"].mean())`,
	`    correlation(ctx, ctx.inputs.universe)
    ctx.scalar("plain", correlation(ctx.series("A")[-50:], ctx.series("B")[-50:]))`,
	`    found = correlation(ctx, ctx.inputs.universe, frequency="monthly", method="spearman")
    ctx.scalar("rows", len(found["value"]), unit="rows", title="Pairs")`,
	`    return components(ctx, ["D", "A", "C"])`,
	`    components(ctx, ["A", "B"], frequency="monthly")
    panel = ctx.panel(["A", "B"], "monthly")
    ctx.table("joint", {"date": ctx.dates(["A", "B"], "monthly"), "a": panel["A"], "above": [x > 0 for x in panel["B"]], "text": ["x"] * len(panel["A"])})
    ctx.figure("joint", "line", "joint", "date", ["a"], title="Returns of A")
    ctx.log("%d months" % len(panel["A"]))
    ctx.scalar("missing", None)`,
}

const analysisHead = `"""An analysis."""
from harness import %s
NAME = "Analysis"
INPUTS = {"universe": {"type": "array", "default": ["A", "B", "C", "D", "E", "F"]}}


def analyze(ctx):
%s
`

// TestAnalysisParity runs scripts in the service's package and as downloads.
func TestAnalysisParity(t *testing.T) {
	t.Parallel()
	interpreter(t)
	folder := t.TempDir()
	var runs []executed
	var requests []request
	scripts := testenv.Some(t, 12, analysisScripts)
	for i, body := range scripts {
		r := rand.New(rand.NewPCG(uint64(i), 17))
		run := executed{out: filepath.Join(folder, fmt.Sprint("out", i))}
		run.analyze(t, r, body, folder, fmt.Sprint("analysis", i), i%3 == 2)
		runs, requests = append(runs, run), append(requests, run.request)
	}
	c := &closeness{}
	for i, got := range runAll(t, requests) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			runs[i].compare(t, c, got)
			if t.Failed() {
				t.Log(scripts[i])
			}
		})
	}
	t.Logf("%d analyses, %d numbers, %d of them bit for bit; the largest relative difference is %.3g, of %s", len(runs), c.numbers, c.exact, c.largest, c.worst)
}

// analyze runs a script in the service's package, and prepares the request for the
// download.
func (s *executed) analyze(t *testing.T, r *rand.Rand, body, folder, name string, dated bool) {
	t.Helper()
	source := fmt.Sprintf(analysisHead, strings.Join(downloaded(), ", "), body)
	p, problems := script.Kinds{script.Model, analysis.Kind}.Check(source, nil)
	if len(problems) > 0 {
		t.Fatalf("%v\n%s", problems, source)
	}
	inputs := map[string]any{}
	var columns []*series.Values
	terms := map[string]download.Series{}
	for i, v := range outsideColumns(r) {
		if !strings.Contains(strings.ToUpper(body), v.Name()) {
			continue
		}
		columns = append(columns, v)
		names, _ := inputs["series"].([]any)
		inputs["series"] = append(names, v.Name())
		if i > 0 { // the file of the first tells its frequency, and it has returns
			terms[v.Of.Name] = download.Series{Monthly: v.Of.Frequency == series.Monthly, Lag: v.Of.Lag, Kind: string(v.Of.Kind)}
		}
	}
	if dated {
		inputs["start_date"], inputs["end_date"] = "2002-02-13", "2007-12-11"
	}
	in, details := p.Bind(inputs)
	if len(details) > 0 {
		t.Fatal(details)
	}
	frame, text := dailyMarket(t, r, "A", "B", "C", "D", "E", "F")
	for _, v := range columns {
		o, err := analysis.Kind.Outside(v, frame.Axis)
		if err != nil {
			t.Fatal(err)
		}
		frame.Outside = append(frame.Outside, o)
	}
	caller, err := script.NewCaller(t.Context(), p, script.RunnerLimits{})
	if err != nil {
		t.Fatal(err)
	}
	s.answer, s.err = analysis.Execute(t.Context(), sandbox.Call{Caller: caller, Inputs: in, Frame: frame, Progress: func(float64) {}})
	s.log = caller.Log()
	rendered, err := download.Render(p, download.Options{Model: "analysis_1", Series: terms})
	if err != nil {
		t.Fatal(err)
	}
	s.request = request{save(t, folder, name+".py", rendered), []string{"--json", "--out", s.out, "--bars", save(t, folder, name+".csv", []byte(text))}}
	for _, v := range columns {
		s.request.Arguments = append(s.request.Arguments, "--series", v.Of.Name+"="+file(t, t.TempDir(), v))
	}
	for key, value := range inputs {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		s.request.Arguments = append(s.request.Arguments, "--input", key+"="+string(text))
	}
}

// outsideColumns draws columns of series: returns of days and of months, and the levels
// of an index.
func outsideColumns(r *rand.Rand) []*series.Values {
	days := &series.Values{Of: &series.Series{Name: "DAYS", Frequency: series.Daily, Kind: series.Return}, Key: "X"}
	months := &series.Values{Of: &series.Series{Name: "MONTHS", Frequency: series.Monthly, Kind: series.Return}, Key: "Y"}
	levels := &series.Values{Of: &series.Series{Name: "LEVEL", Frequency: series.Daily, Kind: series.Index, Lag: 2}, Key: "Z"}
	level := 100.0
	for d := timeseries.NewDate(2000, 11, 20); d < timeseries.NewDate(2008, 3, 9); d++ {
		level *= 1 + 0.001*r.Float64()
		_, month, _ := d.YMD()
		if _, next, _ := (d + 1).YMD(); next != month {
			months.Dates, months.Values = append(months.Dates, d), append(months.Values, 0.03*r.NormFloat64())
		}
		if r.IntN(20) > 0 && d.Weekday() > 0 {
			days.Dates, days.Values = append(days.Dates, d), append(days.Values, 0.01*r.NormFloat64())
			levels.Dates, levels.Values = append(levels.Dates, d), append(levels.Values, level)
		}
	}
	return []*series.Values{days, months, levels}
}

// TestAnalysisParityCoversTheFunctions fails if a function or a method of ctx occurs in no
// script.
func TestAnalysisParityCoversTheFunctions(t *testing.T) {
	t.Parallel()
	all := strings.Join(analysisScripts, "\n")
	for _, name := range downloaded() {
		if !strings.Contains(all, name+"(ctx") {
			t.Errorf("no script calls %s", name)
		}
	}
	for _, name := range analysis.Kind.Context {
		if name != "ledger" && !strings.Contains(all, "ctx."+name) { // no file has a ledger
			t.Errorf("no script reads ctx.%s", name)
		}
	}
}

// downloaded are the functions that a file has.
func downloaded() []string {
	without := slices.Concat(analysis.Kind.Sweeps, analysis.Kind.Unexported)
	return slices.DeleteFunc(analysis.Functions(), func(name string) bool { return slices.Contains(without, name) })
}
