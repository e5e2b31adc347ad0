package web

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"ballast/program/history"
)

// costs are what a reader assumes that holding and trading cost, and what is left.
type costs struct {
	Fields  []costField
	Hidden  []figure // other values of the address, which the form keeps
	Figures []costRow
	Note    string // what is wrong with an entry
}

// costField is an entry of the form. Its value is a text as the reader wrote it.
type costField struct{ Name, Title, Unit, Value string }

// costRow compares a figure before and after costs.
type costRow struct{ Name, Before, After string }

// costEntries are the entries, with the greatest value that is accepted.
var costEntries = []struct {
	name, title, unit string
	most, scale       float64
	set               func(*history.Rates, float64)
}{
	{"management_pct", "Management fee", "% a year", 100, .01, func(r *history.Rates, v float64) { r.Management = v }},
	{"financing_pct", "Interest on what is borrowed", "% a year", 100, .01, func(r *history.Rates, v float64) { r.Financing = v }},
	{"commission_bps", "Commission", "basis points of trades", 10_000, 1, func(r *history.Rates, v float64) { r.Commission = v }},
	{"slippage_bps", "Slippage", "basis points of trades", 10_000, 1, func(r *history.Rates, v float64) { r.Slippage = v }},
}

// costParameters describe the entries as parameters of a page.
func costParameters() []*huma.Param {
	var parameters []*huma.Param
	for _, e := range costEntries {
		parameters = append(parameters, &huma.Param{Name: e.name, In: "query", Description: "For a model: " + strings.ToLower(e.title[:1]) + e.title[1:] + ", " + e.unit, Schema: &huma.Schema{Type: huma.TypeString}})
	}
	return parameters
}

func costNames() []string {
	var names []string
	for _, e := range costEntries {
		names = append(names, e.name)
	}
	return names
}

// costsAsked reads the rates from an address. An entry that is not a number within its
// range counts as 0, and the note says so.
func costsAsked(values url.Values) (*costs, history.Rates, bool) {
	c, rates, any := &costs{}, history.Rates{}, false
	for _, e := range costEntries {
		text := strings.TrimSpace(values.Get(e.name))
		c.Fields = append(c.Fields, costField{e.name, e.title, e.unit, text})
		if text == "" {
			continue
		}
		v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", "."), 64)
		if err != nil || !(v >= 0 && v <= e.most) {
			c.Note = "“" + e.title + "” is a number from 0 to " + strconv.FormatFloat(e.most, 'f', -1, 64) + "."
			continue
		}
		if v > 0 {
			any = true
		}
		e.set(&rates, v*e.scale)
	}
	c.Hidden = kept(values, "benchmark", "years", "scale", "compare")
	return c, rates, any
}

// compare adds the figures after costs.
func (c *costs) compare(h *history.History) {
	if h.Fees == nil || h.Metrics == nil {
		return
	}
	before, after := h.Metrics, h.Fees.Metrics
	c.Figures = []costRow{
		{"Total return", percent(float64(before.TotalReturn), 1), percent(float64(after.TotalReturn), 1)},
		{"CAGR", percent(float64(before.CAGR), 2), percent(float64(after.CAGR), 2)},
		{"Sharpe", ratio(float64(before.Sharpe)), ratio(float64(after.Sharpe))},
		{"Maximum drawdown", percent(float64(before.MaxDrawdown.Value), 1), percent(float64(after.MaxDrawdown.Value), 1)},
		{"Sum of costs, of equity", "", percent(h.Fees.Costs.Total, 1)},
	}
}
