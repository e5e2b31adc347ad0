package download_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const asked = `"""A model with inputs."""
from harness import momentum
NAME = "Asked"
SCHEDULE = "daily"
INPUTS = {
    "universe": {"type": "array", "default": ["SPY", "AGG"]},
    "lookback": {"type": "integer", "default": 2, "minimum": 2, "maximum": 9},
    "mode": {"type": "string", "default": "fast", "enum": ["fast", "slow"]},
    "share": {"type": "number", "default": 0.5},
}
LIST = [1]


def helper(ctx, s):
    return momentum(ctx.prices(s, 1 if ctx.inputs.share == 5 else ctx.inputs.lookback))


def decide(ctx):
    if ctx.inputs.mode == "slow":
        LIST.append(2)
        return {}
    if ctx.inputs.share == 9:
        return {"SPX": 1.0}
    if ctx.inputs.share == 8:
        return {"SPY": 1.0, "CASH": 0.5}
    if ctx.inputs.share == 7:
        return None
    if ctx.inputs.share == 6:
        return {"SPY": ctx.prices("SPYY").last()}
    return {"SPY": helper(ctx, "SPY")}
`

// TestCommandSaysWhatIsWrong checks that every mistake gives one line and its exit code.
func TestCommandSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	model := save(t, folder, "model.py", render(t, asked))
	file := func(name, text string) string { return save(t, folder, name, []byte(text)) }
	bars := file("bars.csv", strings.NewReplacer("A,", "SPY,", "B,", "AGG,").Replace(smallBars))
	cases := []struct {
		name      string
		arguments []string
		code      int
		message   string
	}{
		{"nothing", nil, 2, `give either --bars FILE or --url BASE`},
		{"both", []string{"--bars", bars, "--url", "http://127.0.0.1:1"}, 2, `give either --bars`},
		{"flag", []string{"--bar", bars}, 2, `unrecognized arguments: --bar`},
		{"input name", []string{"--bars", bars, "--input", "lookbak=3"}, 2, `this model has no input lookbak; did you mean lookback\?; it has initial_cash, lookback, mode`},
		{"input form", []string{"--bars", bars, "--input", "lookback"}, 2, `write it as name=value`},
		{"input bounds", []string{"--bars", bars, "--input", "lookback=99"}, 2, `input lookback is 99; it must be an integer from 2 to 9`},
		{"input type", []string{"--bars", bars, "--input", "lookback=2.5"}, 2, `input lookback is 2.5; it must be an integer`},
		{"input word", []string{"--bars", bars, "--input", "mode=fats"}, 2, `input mode is 'fats'; did you mean fast\?; it must be one of fast, slow`},
		{"input null", []string{"--bars", bars, "--input", "share=null"}, 2, `input share is None; it must be a number`},
		{"input date", []string{"--bars", bars, "--start-date", "2024-02-30"}, 2, `start_date is '2024-02-30'; it must be a date`},
		{"input cash", []string{"--bars", bars, "--initial-cash", "5"}, 2, `initial_cash is 5.0; it must be a number of at least 1000`},
		{"universe twice", []string{"--bars", bars, "--input", `universe=["SPY","SPY"]`}, 2, `input universe has SPY twice`},
		{"universe empty", []string{"--bars", bars, "--input", `universe=[]`}, 2, `input universe is empty`},
		{"member", []string{"--bars", bars, "--input", `universe=["SPYY"]`}, 2, `names SPYY, which the files do not have; did you mean SPY\?; the files have AGG, SPY`},
		{"benchmark", []string{"--bars", bars, "--benchmark", "QQQ"}, 2, `the benchmark is QQQ, which the files do not have`},
		{"delisted", []string{"--bars", bars, "--delisted", "SPX"}, 2, `--delisted SPX is not in the universe; did you mean SPY\?`},
		{"risk free", []string{"--bars", bars, "--risk-free", "-2"}, 2, `fraction above -1`},
		{"no file", []string{"--bars", filepath.Join(folder, "none.csv")}, 2, `none.csv cannot be read: No such file`},
		{"empty", []string{"--bars", file("empty.csv", "\n\n")}, 2, `empty.csv is empty`},
		{"gzip", []string{"--bars", file("cut.csv.gz", "\x1f\x8b\x08\x00\x00")}, 2, `cut.csv.gz is a damaged gzip file`},
		{"parquet", []string{"--bars", file("bars.parquet", "PAR1....")}, 2, `is a Parquet file; give it as CSV`},
		{"latin", []string{"--bars", file("latin.csv", "symbol,date,close\n\xe9,")}, 2, `neither CSV in UTF-8 nor gzipped CSV`},
		{"no date", []string{"--bars", file("nodate.csv", "symbol,close\n")}, 2, `has no date column`},
		{"no price", []string{"--bars", file("noprice.csv", "symbol,date,volume\n")}, 2, `has none of adj_close, close, total_return`},
		{"bad date", []string{"--bars", file("date.csv", "symbol,date,close\nSPY,01/02/2024,3\n")}, 2, `date.csv, line 2: "01/02/2024" is not a date`},
		{"bad number", []string{"--bars", file("number.csv", "symbol,date,close\nSPY,2024-01-02,1,5\n")}, 2, `line 2: more cells`},
		{"no number", []string{"--bars", file("text.csv", "symbol,date,close\nSPY,2024-01-02,x\n")}, 2, `line 2: close "x" is not a finite number`},
		{"no price of a day", []string{"--bars", file("hole.csv", "symbol,date,close\nSPY,2024-01-02,1\nSPY,2024-01-03,\n")}, 2, `SPY has no close on 2024-01-03`},
		{"negative", []string{"--bars", file("negative.csv", "symbol,date,close\nSPY,2024-01-02,-1\n")}, 2, `line 2: the price -1.0 is not positive`},
		{"conflict", []string{"--bars", file("twice.csv", "symbol,date,close\nSPY,2024-01-02,1\nSPY,2024-01-02,2\n")}, 2, `two different rows for 2024-01-02`},
		{"two files", []string{"--bars", bars, file("other.csv", "symbol,date,adj_close\nSPY,2024-01-30,11\n")}, 2, `different rows for 2024-01-30 in two files`},
		{"no address", []string{"--url", "http://127.0.0.1:1", "--key", "bk_x"}, 2, `http://127.0.0.1:1/v1/assets/SPY cannot be read`},
		{"no scheme", []string{"--url", "127.0.0.1:1", "--key", "bk_x"}, 2, `--url is 127.0.0.1:1; write the address of the service as https://`},
		{"no key", []string{"--url", "http://127.0.0.1:1", "--key", "ключ"}, 2, `--key has characters that do not occur in keys`},
		{"script error", []string{"--bars", bars, "--input", "share=5"}, 1, `2024-01-31: error in line 15 of the script \(\d+ of this file\): momentum: prices has 1 value, but 2 are needed`},
		{"unknown symbol", []string{"--bars", bars, "--input", "share=9"}, 1, `2024-01-31: error in line \d+ of the script .*: SPX is not in the universe; did you mean SPY\?`},
		{"wrong cash", []string{"--bars", bars, "--input", "share=8"}, 1, `CASH is 0.5, but the other weights leave 0.0`},
		{"never", []string{"--bars", bars, "--input", "share=7"}, 1, `no decision was filled from 2024-01-31 to 2024-02-02`},
		{"member", []string{"--bars", bars, "--input", "share=6"}, 1, `line 29 of the script .*: SPYY is not in the universe; did you mean SPY\?`},
		{"state", []string{"--bars", bars, "--input", "mode=slow"}, 1, `decide changes LIST, but module-level values are constants`},
		{"late", []string{"--bars", bars, "--start-date", "2025-01-01"}, 1, `start date 2025-01-01 is after the last bar, 2024-02-02`},
	}
	requests := make([]request, len(cases))
	for i, c := range cases {
		requests[i] = request{model, append([]string{}, c.arguments...)}
	}
	for i, a := range runAll(t, requests) {
		c := cases[i]
		if a.Code != c.code || a.Out != "" || strings.Count(a.Errors, "\n") != 1 || !strings.HasPrefix(a.Errors, "model.py: ") ||
			!regexp.MustCompile(c.message).MatchString(a.Errors) {
			t.Errorf("%s: ends with %d instead of %d: %s%s", c.name, a.Code, c.code, a.Out, a.Errors)
		}
	}
}

func TestCommandShowsHelpAndTable(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	model := save(t, folder, "model.py", render(t, strings.Replace(asked, "return {\"SPY\": helper", "return {\"SPY\": 0.5 + 0 * helper", 1)))
	percent := save(t, folder, "percent.py", render(t, strings.NewReplacer(`"Asked"`, `"100 %(prog)d of %s"`, `"fast"`, `"%(prog)s"`).Replace(asked)))
	bars := save(t, folder, "bars.csv", []byte(strings.NewReplacer("A,", "SPY,", "B,", "AGG,").Replace(smallBars)))
	out := filepath.Join(folder, "out", "deep")
	answers := runAll(t, []request{
		{model, []string{"--help"}},
		{percent, []string{"--help"}},
		{model, []string{"--bars", bars, "--out", out, "--benchmark", "agg", "--risk-free", "0.02"}},
	})
	for i, want := range [][]string{
		{"python3 model.py --bars prices.csv.gz", "--delisted SYMBOL", "Backtests Asked.", `mode             string, "fast"`},
		{"python3 percent.py --bars prices.csv.gz", "Backtests 100 %(prog)d of %s.", `mode             string, "%(prog)s"`},
		{"Asked\n", "window             2024-02-01 to 2024-02-02, 2 sessions (base 2024-01-31)", "total return", "SPY 50.0 %, CASH 50.0 %"},
	} {
		for _, text := range want {
			if !strings.Contains(answers[i].Out, text) {
				t.Errorf("%q is not in %s%s", text, answers[i].Out, answers[i].Errors)
			}
		}
	}
	ledger, err := os.ReadFile(filepath.Join(out, "ledger.csv"))
	if err != nil || !strings.HasPrefix(string(ledger), "fill,decided,reason,turnover,key,before,target,traded\n2024-01-31,2024-01-31,start,0.5,SPY,0.0,0.5,0.5\n") {
		t.Errorf("%v: %s", err, ledger)
	}
}
