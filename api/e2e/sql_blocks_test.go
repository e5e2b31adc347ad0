package e2e

import (
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"ballast/internal/testenv"
	"ballast/query/segments"
)

// blocksWindow is a window and the options of its figures.
type blocksWindow struct{ from, to, benchmark, riskFree string }

var blocksWindows = []blocksWindow{
	{},
	{benchmark: "BBB", riskFree: "0.02"},
	{benchmark: "mix", riskFree: "-0.01"},
	{benchmark: "COINA"},
	{benchmark: "RUINED", from: "2016-06-01"},
	{benchmark: "COINS", to: "2018-12-31"},
	{from: "2016-03-15", to: "2017-08-20", benchmark: "AAA"},
	{from: "2017-09-01", to: "2018-03-31", benchmark: "HOLE"}, // over the ruin
	{from: "2018-05-01", to: "2019-01-15", benchmark: "GONE"}, // after it
	{from: "2019-12-28", benchmark: "AAA"},
	{from: "2019-06-05", to: "2019-06-05", benchmark: "BBB"},
	{from: "2019-06-08", to: "2019-06-08"}, // a Saturday
	{to: "2014-12-31"},
	{from: "2020-02-01"},
}

// rates are what the fees of a window are computed with.
var rates = url.Values{"management_fee": {"0.01"}, "financing_rate": {"0.05"}, "commission_bps": {"7"}, "slippage_bps": {"3.5"}}

// TestMacrosEqualTheBlocks compares the SQL macros with the blocks of REST, for every model
// of the corpus and several windows: while each run has files of its own, in segments,
// and with some runs in neither.
func TestMacrosEqualTheBlocks(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	d.importCorpus(t)
	g := d.guest(t, "alice")
	ids := g.buildCorpus(t)
	read := map[string]gjson.Result{}                                                              // what REST has answered: gathering changes nothing there
	some := []blocksWindow{blocksWindows[1], blocksWindows[6], blocksWindows[8], blocksWindows[9]} // files make no other difference
	for _, layout := range []struct {
		name    string
		windows []blocksWindow
		change  func()
	}{
		{"files", blocksWindows, func() {}},
		{"segments", some, func() { d.gather(t) }},
		{"both", some, func() {
			clear(read)
			for _, symbol := range []string{"MIX", "RUINED", "DIAMOND"} {
				d.run(t, g.want(http.MethodPost, "/v1/models/"+ids[symbol]+"/runs", `{"intent": "refresh"}`).get("id"))
			}
		}},
	} {
		layout.change()
		for _, w := range testenv.Some(t, 2, layout.windows) {
			t.Run(fmt.Sprintf("%s/%s..%s %s", layout.name, w.from, w.to, w.benchmark), func(t *testing.T) {
				on := *g
				on.t = t
				on.compareBlocks(w, ids, read)
			})
		}
	}
}

// TestBenchmarksOfSQL checks that a benchmark which means nothing, or several things, is
// refused, as REST refuses it, and that a word or an id says which is meant.
func TestBenchmarksOfSQL(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	g := d.guest(t, "alice")
	ids := map[string]string{}
	g.build(t, ids, modelOf("MIX", "monthly", `{"AAA": 0.6, "BBB": 0.4}`, "", "AAA", "BBB"))
	g.build(t, ids, modelOf("CORE", "monthly", `{"BBB": 0.5}`, "", "BBB"))
	g.importBars(t, func(f barFile) { f.write("CORE", day(2015, 1, 2), day(2019, 12, 31), 100, 31, false, always) })
	beta := func(benchmark string) any {
		return g.sql("SELECT beta FROM metrics('MIX', NULL, NULL, $b)", map[string]any{"b": benchmark})[0]["beta"]
	}
	for _, same := range [][]string{{"asset:CORE", "asset:core"}, {"model:CORE", "model:core", ids["CORE"]}, {"AAA", "aaa", "asset:AAA"}} {
		want := beta(same[0])
		for _, ref := range same[1:] {
			if got := beta(ref); got != want || got == nil {
				t.Errorf("the beta against %s is %v, against %s %v", ref, got, same[0], want)
			}
		}
	}
	for ref, message := range map[string]string{"CORE": "could be several", "NONE": "no asset with bars and no model", "model:AAA": "no model", "asset:MIX": "no asset"} {
		a := g.call(http.MethodPost, "/v1/query", map[string]any{"sql": "SELECT beta FROM metrics('MIX', benchmark := $b)", "parameters": map[string]string{"b": ref}})
		if a.status != http.StatusUnprocessableEntity || a.fault() != "invalid_query" || !strings.Contains(a.body, message) {
			t.Errorf("the benchmark %s answers %d: %s", ref, a.status, a.body)
		}
	}
}

// gather moves results into segments.
func (d *desk) gather(t *testing.T) {
	t.Helper()
	gatherer := &segments.Gatherer{Runs: d.db, Catalog: d.db, Bucket: d.bucket, Logger: slog.New(slog.DiscardHandler)}
	check(t, gatherer.GatherAll(t.Context()))
	var n int
	check(t, d.db.Pool().QueryRow(t.Context(), "select count(*) from segments").Scan(&n))
	if n == 0 {
		t.Fatal("nothing was gathered")
	}
}

// compareBlocks compares the four macros with REST over one window, once for all
// models at a time.
func (g *guest) compareBlocks(w blocksWindow, ids map[string]string, read map[string]gjson.Result) {
	g.t.Helper()
	optional := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	window := map[string]any{"from": optional(w.from), "to": optional(w.to)}
	days := byModel(g.sql("SELECT * FROM history(NULL, $from, $to) ORDER BY model_id, date", window))
	fees := byModel(g.sql("SELECT * FROM fees(NULL, 0.01, 0.05, 7, 3.5, $from, $to) ORDER BY model_id, date", window))
	tree := byModel(g.sql("SELECT * EXCLUDE (path), array_to_string(path, '/') AS path FROM tree(NULL, $from, $to)", window))
	riskFree := w.riskFree
	if riskFree == "" {
		riskFree = "0"
	}
	figures := byModel(g.sql("SELECT * FROM metrics(NULL, $from, $to, $benchmark, "+riskFree+")",
		map[string]any{"from": optional(w.from), "to": optional(w.to), "benchmark": optional(w.benchmark)}))

	for symbol, id := range ids {
		key := fmt.Sprint(id, w)
		if _, ok := read[key]; !ok {
			read[key] = g.block(id, w)
		}
		c := &comparison{guest: g, symbol: symbol, rest: read[key]}
		c.days(days[id])
		c.fees(fees[id])
		c.tree(tree[id])
		c.figures(figures[id])
	}
}

// block reads the blocks of a model, without a benchmark where REST refuses it.
func (g *guest) block(id string, w blocksWindow) gjson.Result {
	g.t.Helper()
	q := url.Values{"include": {"returns,tree,metrics,fees"}, "full_history": {"true"}}
	for name, v := range rates {
		q[name] = v
	}
	for name, v := range map[string]string{"start_date": w.from, "end_date": w.to, "benchmark": w.benchmark, "risk_free": w.riskFree} {
		if v != "" {
			q.Set(name, v)
		}
	}
	a := g.call(http.MethodGet, "/v1/models/"+id+"/history?"+q.Encode(), nil)
	if a.status == http.StatusUnprocessableEntity && strings.Contains(a.body, "shares no session") {
		q.Del("benchmark")
		a = g.want(http.MethodGet, "/v1/models/"+id+"/history?"+q.Encode(), nil)
	}
	if a.status != http.StatusOK {
		g.t.Fatalf("history of %s answers %d: %s", id, a.status, a.body)
	}
	return gjson.Parse(a.body)
}

// comparison compares rows of SQL with the blocks of one model.
type comparison struct {
	*guest
	symbol string
	rest   gjson.Result
}

const sqlTolerance = 1e-12

// equal compares a value of SQL with one of REST.
func (c *comparison) equal(what string, got any, want gjson.Result) {
	c.t.Helper()
	switch g := got.(type) {
	case nil:
		if want.Type != gjson.Null {
			c.t.Errorf("%s: %s is null, in REST %s", c.symbol, what, want.Raw)
		}
	case float64:
		if want.Type != gjson.Number || math.IsNaN(g) || math.Abs(g-want.Num) > sqlTolerance*max(1, math.Abs(want.Num)) {
			c.t.Errorf("%s: %s is %v, in REST %s", c.symbol, what, g, want.Raw)
		}
	default:
		if want.String() != fmt.Sprint(g) {
			c.t.Errorf("%s: %s is %v, in REST %s", c.symbol, what, g, want.Raw)
		}
	}
}

func (c *comparison) number(what string, got any, want float64) {
	c.t.Helper()
	c.equal(what, got, gjson.Result{Type: gjson.Number, Num: want, Raw: strconv.FormatFloat(want, 'g', -1, 64)})
}

// sessions compares the dates, and reports whether they are the same.
func (c *comparison) sessions(macro string, rows []sqlRow) bool {
	c.t.Helper()
	dates := c.rest.Get("dates").Array()
	if len(rows) != len(dates) {
		c.t.Errorf("%s: %s has %d rows, REST %d dates", c.symbol, macro, len(rows), len(dates))
		return false
	}
	for i, d := range dates {
		if rows[i]["date"] != d.String() {
			c.t.Errorf("%s: row %d of %s is of %v, in REST %s", c.symbol, i, macro, rows[i]["date"], d.String())
			return false
		}
	}
	return true
}

func (c *comparison) days(rows []sqlRow) {
	c.t.Helper()
	if !c.sessions("history", rows) {
		return
	}
	growth, high := 1.0, 1.0
	for i, r := range c.rest.Get("returns").Array() {
		at := rows[i]["date"].(string)
		c.equal("return on "+at, rows[i]["return"], r)
		growth *= 1 + r.Num
		high = max(high, growth)
		c.number("growth on "+at, rows[i]["growth"], growth)
		c.number("drawdown on "+at, rows[i]["drawdown"], growth/high-1)
	}
}

func (c *comparison) fees(rows []sqlRow) {
	c.t.Helper()
	if !c.sessions("fees", rows) {
		return
	}
	sums := map[string]float64{}
	for i, net := range c.rest.Get("fees.returns").Array() {
		c.equal("net return on "+rows[i]["date"].(string), rows[i]["net"], net)
		for _, name := range []string{"management", "financing", "commission", "slippage"} {
			v, _ := rows[i][name].(float64)
			sums[name] += v
			sums["total"] += v
		}
	}
	for _, name := range []string{"management", "financing", "commission", "slippage", "total"} {
		c.equal("sum of "+name, sums[name], c.rest.Get("fees.costs."+name))
	}
}

func (c *comparison) tree(rows []sqlRow) {
	c.t.Helper()
	type cell struct{ path, date string }
	weights, leaves := map[cell]float64{}, map[string]bool{}
	for _, r := range rows {
		path, date := r["path"].(string), r["date"].(string)
		if _, twice := weights[cell{path, date}]; twice {
			c.t.Errorf("%s: the tree has %s on %s twice", c.symbol, path, date)
		}
		weights[cell{path, date}] = r["weight"].(float64)
		leaves[path] = r["leaf"] == "true"
		if depth := strconv.Itoa(1 + strings.Count(path, "/")); r["depth"] != depth {
			c.t.Errorf("%s: the depth of %s is %v", c.symbol, path, r["depth"])
		}
		if key := path[strings.LastIndex(path, "/")+1:]; r["key"] != key {
			c.t.Errorf("%s: the key of %s is %v", c.symbol, path, r["key"])
		}
	}
	dates := c.rest.Get("dates").Array()
	var node func(n gjson.Result, path string)
	node = func(n gjson.Result, above string) {
		for _, child := range n.Get("children").Array() {
			path := strings.TrimPrefix(above+"/"+child.Get("key").String(), "/")
			if leaf, held := leaves[path]; held && leaf != (len(child.Get("children").Array()) == 0) {
				c.t.Errorf("%s: %s is a leaf: %v", c.symbol, path, leaf)
			}
			for i, w := range child.Get("weights").Array() {
				at := cell{path, dates[i].String()}
				got := weights[at] // 0 if there is no row, as before a member's base
				delete(weights, at)
				c.equal("weight of "+path+" on "+at.date, got, w)
			}
			node(child, path)
		}
	}
	node(c.rest.Get("tree"), "")
	for at, w := range weights {
		c.t.Errorf("%s: the tree has %s on %s with %v, which REST has not", c.symbol, at.path, at.date, w)
		break
	}
}

// figurePaths are the places in the metrics block of columns with other names.
var figurePaths = map[string]string{
	"start_date": "window.start", "end_date": "window.end", "sessions": "window.sessions", "years": "window.years",
	"max_drawdown": "max_drawdown.value", "max_drawdown_peak": "max_drawdown.peak", "max_drawdown_valley": "max_drawdown.valley",
	"max_drawdown_recovery": "max_drawdown.recovery", "max_drawdown_days": "max_drawdown.days",
	"gross_exposure_mean": "gross_exposure.mean", "gross_exposure_max": "gross_exposure.max",
	"rolling_one_year_min": "rolling.one_year.min", "rolling_one_year_median": "rolling.one_year.median", "rolling_one_year_max": "rolling.one_year.max",
	"rolling_three_year_min": "rolling.three_year.min", "rolling_three_year_median": "rolling.three_year.median", "rolling_three_year_max": "rolling.three_year.max",
	"rolling_five_year_min": "rolling.five_year.min", "rolling_five_year_median": "rolling.five_year.median", "rolling_five_year_max": "rolling.five_year.max",
	"beta": "benchmark.beta", "alpha": "benchmark.alpha", "correlation": "benchmark.correlation", "r_squared": "benchmark.r_squared",
	"tracking_error": "benchmark.tracking_error", "information_ratio": "benchmark.information_ratio",
	"up_capture": "benchmark.up_capture", "down_capture": "benchmark.down_capture", "active_return": "benchmark.active_return",
}

func (c *comparison) figures(rows []sqlRow) {
	c.t.Helper()
	block := c.rest.Get("metrics")
	if block.Get("window.sessions").Int() == 0 {
		if len(rows) > 0 {
			c.t.Errorf("%s: figures of a window without sessions: %v", c.symbol, rows)
		}
		return
	}
	if len(rows) != 1 {
		c.t.Errorf("%s: %d rows of figures", c.symbol, len(rows))
		return
	}
	for name, got := range rows[0] {
		if name == "model_id" || name == "run_id" {
			continue
		}
		path := name
		if p, ok := figurePaths[name]; ok {
			path = p
		}
		c.equal(name, got, block.Get(path))
	}
}
