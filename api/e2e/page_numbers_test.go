package e2e

import (
	"fmt"
	"html"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

var (
	tileOfPage   = regexp.MustCompile(`<div data-field="([a-z0-9_.]+)"><dt><a href="/docs/metrics#[a-z0-9_.]+">[^<]+</a></dt><dd>([^<]+)</dd>`)
	versusOfPage = regexp.MustCompile(`<tr data-field="([a-z0-9_.]+)"><td><a href="/docs/metrics#[a-z0-9_.]+">[^<]+</a></td><td>([^<]+)</td><td>([^<]+)</td><td>([^<]+)</td>`)
	windowOfPage = regexp.MustCompile(`A backtest from (\S+) to (\S+)\.`)
	commonOfPage = regexp.MustCompile(`<p>Both from ([0-9-]+) to ([0-9-]+)`)
)

// TestPagesShowTheNumbersOfTheInterface compares every figure on a model's page with that
// of the API over the same days: of the model, of its benchmark, and their difference.
func TestPagesShowTheNumbersOfTheInterface(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	g := d.guest(t, "alice")
	ids := map[string]string{}
	g.build(t, ids, modelOf("MIX", "monthly", `{"AAA": 0.6, "BBB": 0.4}`, "", "AAA", "BBB"))
	for _, symbol := range []string{"AAA", "CCC"} { // what a benchmark earns is what a model of it alone earns
		g.build(t, ids, modelOf("ALL"+symbol, "monthly", fmt.Sprintf(`{%q: 1}`, symbol), "", symbol))
	}
	slug := g.want(http.MethodGet, "/v1/models/"+ids["MIX"], nil).get("slug")
	for _, benchmark := range []string{"AAA", "CCC"} {
		for _, years := range []string{"", "1", "3"} {
			t.Run(benchmark+" "+years, func(t *testing.T) {
				on := *g
				on.t = t
				page := html.UnescapeString(on.want(http.MethodGet, "/model/"+slug+"?benchmark="+benchmark+"&years="+years, nil).body)
				window := on.figures(ids["MIX"], benchmark, windowOfPage.FindStringSubmatch(page))
				tiles := tileOfPage.FindAllStringSubmatch(page, -1)
				if len(tiles) < 20 {
					t.Fatalf("%d figures:\n%s", len(tiles), page)
				}
				for _, tile := range tiles {
					shows(t, tile[1], tile[2], window.Get(tile[1]).Value())
				}
				common := commonOfPage.FindStringSubmatch(page)
				own, theirs := on.figures(ids["MIX"], "", common), on.figures(ids["ALL"+benchmark], "", common)
				rows := versusOfPage.FindAllStringSubmatch(page, -1)
				if len(rows) < 20 {
					t.Fatalf("%d rows:\n%s", len(rows), page)
				}
				for _, row := range rows {
					a, b := own.Get(row[1]), theirs.Get(row[1])
					shows(t, row[1], row[2], a.Value())
					shows(t, row[1]+" of the benchmark", row[3], b.Value())
					if a.Type == gjson.Number && b.Type == gjson.Number {
						shows(t, row[1]+", the difference", row[4], a.Float()-b.Float())
					}
				}
			})
		}
	}
}

// figures are the metrics of a model between two days, the last two of a match.
func (g *guest) figures(id, benchmark string, days []string) gjson.Result {
	g.t.Helper()
	if len(days) != 3 {
		g.t.Fatalf("the page does not say its days: %q", days)
	}
	address := "/v1/models/" + id + "/history?include=metrics&start_date=" + days[1] + "&end_date=" + days[2]
	if benchmark != "" {
		address += "&benchmark=" + benchmark
	}
	return gjson.Get(g.want(http.MethodGet, address, nil).body, "metrics")
}

// shows checks a number as it is written on a page against a value of the API, null for
// an undefined one.
func shows(t testing.TB, name, text string, want any) {
	t.Helper()
	value, defined := want.(float64)
	if !defined {
		if text != "–" {
			t.Errorf("%s is %s on the page, and undefined in the API", name, text)
		}
		return
	}
	number := strings.NewReplacer("−", "-", "+", "", "\u202f%", "", "\u202fpp", "").Replace(text)
	got, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Errorf("%s is %s on the page: %v", name, text, err)
		return
	}
	if strings.HasSuffix(text, "%") || strings.HasSuffix(text, "pp") {
		value *= 100
	}
	_, decimals, _ := strings.Cut(number, ".")
	if half := 0.5 * math.Pow10(-len(decimals)); math.Abs(got-value) > half*(1+1e-9) {
		t.Errorf("%s is %s on the page, and %v in the API", name, text, value)
	}
}
