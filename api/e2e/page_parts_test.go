package e2e

import (
	"fmt"
	"html"
	"io"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// partOfPage returns a section of a page, without what escapes its texts.
func partOfPage(t *testing.T, page, id string) string {
	t.Helper()
	_, after, found := strings.Cut(page, `<section id="`+id+`">`)
	part, _, closed := strings.Cut(after, "</section>")
	if !found || !closed {
		t.Fatalf("the page has no section %s:\n%s", id, page)
	}
	return html.UnescapeString(part)
}

var (
	rowOfPage  = regexp.MustCompile(`(?s)<tr[^>]*>(.*?)</tr>`)
	cellOfPage = regexp.MustCompile(`(?s)<t[dh][^>]*>(.*?)</t[dh]>`)
	tagOfPage  = regexp.MustCompile(`<sup.*?</sup>|<[^>]+>`)
)

// rowsOfPage are the rows of the tables of a section, the heads included, as texts.
func rowsOfPage(part string) [][]string {
	var rows [][]string
	for _, row := range rowOfPage.FindAllStringSubmatch(part, -1) {
		var cells []string
		for _, cell := range cellOfPage.FindAllStringSubmatch(row[1], -1) {
			cells = append(cells, strings.TrimSpace(tagOfPage.ReplaceAllString(cell[1], "")))
		}
		rows = append(rows, cells)
	}
	return rows
}

// TestPartsOfPagesShowTheNumbersOfTheInterface compares the tables of a model's page with
// the blocks of its history over the same days.
func TestPartsOfPagesShowTheNumbersOfTheInterface(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	g := d.guest(t, "alice")
	ids := map[string]string{}
	g.build(t, ids, modelOf("MIX", "monthly", `{"AAA": 0.6, "BBB": 0.4}`, "", "AAA", "BBB"))
	g.build(t, ids, modelOf("TWO", "quarterly", `{"MIX": 0.7, "CCC": 0.5}`, "", "MIX", "CCC")) // borrows a fifth
	g.build(t, ids, modelOf("SHORT", "monthly", `{"AAA": 1.2, "CCC": -0.3}`, "", "AAA", "CCC"))
	for _, symbol := range []string{"MIX", "TWO", "SHORT"} {
		for _, years := range []string{"", "3"} {
			t.Run(symbol+years, func(t *testing.T) {
				on := *g
				on.t = t
				slug := on.want(http.MethodGet, "/v1/models/"+ids[symbol], nil).get("slug")
				page := on.want(http.MethodGet, "/model/"+slug+"?management_pct=1&slippage_bps=5&compare=MIX,TWO,SHORT&years="+years, nil).body
				window := windowOfPage.FindStringSubmatch(page)
				if len(window) != 3 {
					t.Fatalf("no window:\n%s", page)
				}
				h := gjson.Parse(on.want(http.MethodGet, "/v1/models/"+ids[symbol]+"/history?include=returns,metrics,latest,allocation,contribution,fees&management_fee=0.01&slippage_bps=5&start_date="+window[1]+"&end_date="+window[2], nil).body)
				monthsOfPage(t, partOfPage(t, page, "months"), h.Get("metrics.monthly"))
				rollingOfPage(t, partOfPage(t, page, "rolling"), h.Get("metrics.rolling"))
				drawdownsOfPage(t, partOfPage(t, page, "drawdowns"), h.Get("metrics.drawdowns"))
				holdingsOfPage(t, partOfPage(t, page, "holdings"), h.Get("latest"))
				contributionsOfPage(t, partOfPage(t, page, "contributions"), h)
				costsOfPage(t, partOfPage(t, page, "costs"), h)
				on.comparedOfPage(partOfPage(t, page, "compare"), ids, symbol)
			})
		}
	}
	slug := g.want(http.MethodGet, "/v1/models/"+ids["MIX"], nil).get("slug")
	page := g.want(http.MethodGet, "/model/"+slug+"/days.csv", nil).body
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.url+"/v1/models/"+ids["MIX"]+"/history?include=returns,allocation,contribution", nil)
	check(t, err)
	r.Header.Set("Authorization", "Bearer "+g.key)
	r.Header.Set("Accept", "text/csv")
	response, err := g.http.Do(r)
	check(t, err)
	defer response.Body.Close()
	want, err := io.ReadAll(response.Body)
	check(t, err)
	if page != string(want) || strings.Count(page, "\n") < 100 {
		t.Errorf("the page's file is\n%.300s\nthe interface's\n%.300s", page, want)
	}
}

func monthsOfPage(t *testing.T, part string, years gjson.Result) {
	t.Helper()
	rows := rowsOfPage(part)[1:]
	for i, y := range years.Array() {
		row := rows[len(rows)-1-i]
		for m, v := range y.Get("months").Array() {
			if v.Type == gjson.Number || row[m+1] != "" {
				shows(t, fmt.Sprintf("month %d of %s", m+1, row[0]), row[m+1], v.Value())
			}
		}
		if row[0] != y.Get("year").Raw {
			t.Errorf("row of %s, want %s", row[0], y.Get("year"))
		}
		shows(t, "year "+row[0], row[13], y.Get("year_return").Value())
	}
	if len(rows) != len(years.Array()) {
		t.Errorf("%d years", len(rows))
	}
}

func rollingOfPage(t *testing.T, part string, rolling gjson.Result) {
	t.Helper()
	for _, row := range rowsOfPage(part)[1:] {
		of := rolling.Get(map[string]string{"1 year": "one_year", "3 years": "three_year", "5 years": "five_year"}[row[0]])
		for i, name := range []string{"min", "median", "max"} {
			shows(t, row[0]+" "+name, row[i+1], of.Get(name).Value())
		}
	}
}

func drawdownsOfPage(t *testing.T, part string, drawdowns gjson.Result) {
	t.Helper()
	rows := rowsOfPage(part)[1:]
	for i, d := range drawdowns.Array() {
		shows(t, "depth", rows[i][0], d.Get("value").Value())
		for at, name := range []string{"peak", "valley", "recovery", "days"} {
			text := d.Get(name).String()
			if name == "recovery" && text == "" {
				text = "not yet"
			}
			if rows[i][at+1] != text {
				t.Errorf("%s is %s on the page, and %s in the API", name, rows[i][at+1], text)
			}
		}
	}
	if len(rows) != len(drawdowns.Array()) {
		t.Errorf("%d drawdowns, want %d", len(rows), len(drawdowns.Array()))
	}
}

func holdingsOfPage(t *testing.T, part string, latest gjson.Result) {
	t.Helper()
	weights, targets := latest.Get("allocation").Map(), latest.Get("target").Map()
	rows := rowsOfPage(part)[1:]
	if len(rows) < len(weights) {
		t.Errorf("%d holdings, want %d", len(rows), len(weights))
	}
	for _, row := range rows {
		key, _, _ := strings.Cut(row[0], " ")
		if key == "Cash" {
			key = "CASH"
		}
		shows(t, "weight of "+key, row[1], weights[key].Float())
		shows(t, "target of "+key, row[2], targets[key].Float())
	}
}

// contributionsOfPage links the daily contributions once more: each counts by the value at
// the close before it.
func contributionsOfPage(t *testing.T, part string, h gjson.Result) {
	t.Helper()
	rows := rowsOfPage(part)
	members := rows[0][1 : len(rows[0])-1]
	want := map[string]map[string]float64{}
	value, opened, year := 1.0, 1.0, ""
	returns := h.Get("returns").Array()
	for i, date := range h.Get("dates").Array() {
		if date.String()[:4] != year {
			year, opened = date.String()[:4], value
			want[year] = map[string]float64{}
		}
		for _, m := range members {
			want[year][m] += value / opened * h.Get("contribution.keys."+m+"."+strconv.Itoa(i)).Float()
		}
		value *= 1 + returns[i].Float()
		want[year]["whole"] = value/opened - 1
	}
	for _, row := range rows[1:] {
		for i, m := range members {
			shows(t, "what "+m+" added in "+row[0], row[i+1], want[row[0]][m])
		}
		shows(t, "the return of "+row[0], row[len(row)-1], want[row[0]]["whole"])
	}
	if len(rows)-1 != len(want) {
		t.Errorf("%d years, want %d", len(rows)-1, len(want))
	}
}

func costsOfPage(t *testing.T, part string, h gjson.Result) {
	t.Helper()
	fields := map[string]string{"Total return": "total_return", "CAGR": "cagr", "Sharpe": "sharpe", "Maximum drawdown": "max_drawdown.value"}
	for _, row := range rowsOfPage(part)[1:] {
		if row[0] == "Sum of costs, of equity" {
			shows(t, row[0], row[2], h.Get("fees.costs.total").Value())
			continue
		}
		shows(t, row[0]+" before costs", row[1], h.Get("metrics."+fields[row[0]]).Value())
		shows(t, row[0]+" after costs", row[2], h.Get("fees.metrics."+fields[row[0]]).Value())
	}
}

var (
	daysOfCompared  = regexp.MustCompile(`All from (\S+) to (\S+),`)
	fieldOfCompared = regexp.MustCompile(`(?s)<tr data-field="([a-z_.]+)">(.*?)</tr>`)
)

func (g *guest) comparedOfPage(part string, ids map[string]string, own string) {
	g.t.Helper()
	days := daysOfCompared.FindStringSubmatch(part)
	order := []string{own}
	for _, symbol := range []string{"MIX", "TWO", "SHORT"} {
		if symbol != own {
			order = append(order, symbol)
		}
	}
	var blocks []gjson.Result
	for _, symbol := range order {
		blocks = append(blocks, g.figures(ids[symbol], "", days))
	}
	rows := fieldOfCompared.FindAllStringSubmatch(part, -1)
	if len(rows) < 8 {
		g.t.Fatalf("%d figures are compared:\n%s", len(rows), part)
	}
	for _, row := range rows {
		cells := cellOfPage.FindAllStringSubmatch(row[2], -1)[1:]
		if len(cells) != len(order) {
			g.t.Fatalf("%d results are compared", len(cells))
		}
		for i, cell := range cells {
			want := blocks[i].Get(row[1]).Value()
			if v, ok := want.(float64); row[1] == "turnover" && cell[1] == "–" && ok && !math.IsNaN(v) {
				continue // over a part of a result, which the page computes from returns alone
			}
			shows(g.t, row[1]+" of "+order[i], cell[1], want)
		}
	}
}
