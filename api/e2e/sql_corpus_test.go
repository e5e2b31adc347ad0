package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// modelOf is the script of a model that holds fixed weights.
func modelOf(symbol, schedule, weights, constants string, members ...string) string {
	universe := ""
	for _, m := range members {
		universe += fmt.Sprintf("%q, ", m)
	}
	return fmt.Sprintf("NAME = \"Model %s\"\nSYMBOL = %q\nSCHEDULE = %q\n%s\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [%s]}}\n\ndef decide(ctx):\n    return %s\n",
		symbol, symbol, schedule, constants, universe, weights)
}

// corpus are the models that SQL is compared with REST on, members before their
// holders: nested to three levels with a diamond, short, leveraged, ruined, in cash,
// on seven-day calendars, with holes, delisted, filled a session later, with
// backfills, and too short for most figures.
var corpus = []string{
	modelOf("MIX", "monthly", `{"AAA": 0.6, "BBB": 0.4}`, "", "AAA", "BBB"),
	modelOf("SHORTS", "weekly", `{"AAA": 1.3, "BBB": -0.5}`, "", "AAA", "BBB"),
	modelOf("LEVERED", "daily", `{"AAA": 1.5, "BBB": 0.75}`, "", "AAA", "BBB"),
	modelOf("RUINED", "monthly", `{"CRASH": 2, "AAA": 0.25}`, "", "CRASH", "AAA"),
	modelOf("INCASH", "monthly", `{}`, "", "AAA"),
	modelOf("COINS", "weekly", `{"COINA": 0.7, "COINB": 0.2}`, "", "COINA", "COINB"),
	modelOf("WEEKDAYS", "monthly", `{"COINA": 0.3, "AAA": 0.7}`, "", "COINA", "AAA"),
	modelOf("HOLES", "monthly", `{"HOLE": 0.5, "GONE": 0.4}`, "", "HOLE", "GONE"),
	modelOf("LATE", "monthly", `{"AAA": 0.5, "BBB": 0.5}`, `FILL = "next_close"`, "AAA", "BBB"),
	modelOf("EXTENDED", "quarterly", `{"CCC": 0.8, "BBB": 0.2}`, "", "CCC", "BBB"),
	modelOf("ONE", "daily", `{"NEW1": 1}`, "", "NEW1"),
	modelOf("TWO", "daily", `{"NEW2": 1}`, "", "NEW2"),
	modelOf("THREE", "daily", `{"NEW3": 1}`, "", "NEW3"),
	modelOf("FOUR", "daily", `{"NEW4": 1}`, "", "NEW4"),
	modelOf("ALONE", "monthly", `{"AAA": 1}`, "", "AAA"),
	modelOf("NEST", "monthly", `{"MIX": 0.5, "SHORTS": 0.3, "CCC": 0.2}`, "", "MIX", "SHORTS", "CCC"),
	modelOf("COINNEST", "monthly", `{"COINS": 0.4, "MIX": 0.6}`, "", "COINS", "MIX"),
	modelOf("RUINNEST", "monthly", `{"RUINED": 0.2, "BBB": 0.5}`, "", "RUINED", "BBB"),
	modelOf("DIAMOND", "quarterly", `{k: w for k, w in {"NEST": 0.7, "MIX": 0.4, "COINNEST": -0.2, "AAA": 0.1}.items() if k in ctx.universe}`, `START = "first_member"`, "NEST", "MIX", "COINNEST", "AAA"),
}

// barFile is a file of bars that are to be imported.
type barFile struct{ io.Writer }

// write writes the bars of one symbol, with prices from a small generator so that they
// are the same everywhere. kept changes the n-th price or leaves it out.
func (f barFile) write(symbol string, first, last time.Time, spread int64, seed uint64, seven bool, kept func(n int, price int64) (int64, bool)) {
	state, price, n := seed, int64(1_000_000), 0
	for d := first; !d.After(last); d = d.AddDate(0, 0, 1) {
		if !seven && (d.Weekday() == time.Saturday || d.Weekday() == time.Sunday) {
			continue
		}
		next, ok := kept(n, price)
		if price = next; ok {
			fmt.Fprintf(f, "%s,%s,%d.%04d\n", symbol, d.Format(time.DateOnly), price/10_000, price%10_000)
		}
		state = state*6364136223846793005 + 1442695040888963407
		price += price * (int64(state>>33)%(2*spread+1) - spread + 3) / 10_000
		n++
	}
}

func always(_ int, price int64) (int64, bool) { return price, true }

// importBars imports what is written.
func (d *desk) importBars(t *testing.T, write func(barFile)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "more.csv")
	file, err := os.Create(path)
	check(t, err)
	fmt.Fprintln(file, "symbol,date,close")
	write(barFile{file})
	check(t, file.Close())
	d.importFile(t, path)
}

// importCorpus imports the bars that the corpus needs besides the scripts' market.
func (d *desk) importCorpus(t *testing.T) {
	t.Helper()
	end := day(2019, 12, 31)
	d.importBars(t, func(f barFile) {
		f.write("COINA", day(2016, 3, 5), end, 300, 11, true, always)
		f.write("COINB", day(2016, 4, 1), end, 400, 12, true, always)
		f.write("CRASH", day(2015, 1, 2), end, 80, 13, false, func(n int, price int64) (int64, bool) {
			if n == 700 {
				price /= 5
			}
			return price, true
		})
		f.write("HOLE", day(2015, 6, 1), end, 90, 14, false, func(n int, price int64) (int64, bool) { return price, n%17 != 5 && (n < 300 || n > 320) })
		f.write("GONE", day(2015, 1, 2), day(2018, 5, 31), 120, 15, false, always)
		for i := range 4 {
			f.write(fmt.Sprint("NEW", i+1), day(2019, 12, 30-i), end, 100, uint64(20+i), true, always)
		}
	})
}

// buildCorpus makes the models of the corpus, and returns their ids by symbol.
func (g *guest) buildCorpus(t *testing.T) map[string]string {
	t.Helper()
	g.want(http.MethodPost, "/v1/backfills", `{"symbol": "CCC", "sources": [{"symbol": "AAA", "method": "beta"}]}`)
	ids := map[string]string{}
	for _, script := range corpus {
		g.build(t, ids, script)
	}
	// Two models with the same symbol in one tree, which the run that was made before
	// the first one's change of symbol still gives it.
	g.build(t, ids, modelOf("TWIN", "monthly", `{"AAA": 0.5, "BBB": 0.2}`, "", "AAA", "BBB"))
	g.build(t, ids, modelOf("HOLDER1", "monthly", `{"TWIN": 0.5, "BBB": 0.2}`, "", "TWIN", "BBB"))
	g.want(http.MethodPatch, "/v1/models/"+ids["TWIN"], `{"symbol": "FORMER"}`)
	ids["FORMER"] = ids["TWIN"]
	g.build(t, ids, modelOf("TWIN", "monthly", `{"BBB": 0.9}`, "", "BBB"))
	g.build(t, ids, modelOf("HOLDER2", "monthly", `{"TWIN": 0.7}`, "", "TWIN"))
	g.build(t, ids, modelOf("TWINS", "monthly", `{"HOLDER2": 0.6, "HOLDER1": 0.3}`, "", "HOLDER2", "HOLDER1"))
	return ids
}

// build makes a model, and adds its id to those by symbol.
func (g *guest) build(t *testing.T, ids map[string]string, script string) {
	t.Helper()
	made := g.want(http.MethodPost, "/v1/models", map[string]string{"script": script})
	g.run(t, made.get("run.id"))
	model := g.want(http.MethodGet, "/v1/models/"+made.get("id"), nil)
	if model.get("status") != "active" {
		t.Fatalf("model %s is %s: %s", model.get("symbol"), model.get("status"), model.body)
	}
	ids[model.get("symbol")] = made.get("id")
}
