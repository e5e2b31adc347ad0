package main

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/export"
	"ballast/program"
	"ballast/script/analysis"
	"ballast/script/simulation"
	"ballast/timeseries"
)

// exportFilters are the flags that select rows. They have the names of the parameters
// of /v1/exports.
type exportFilters struct {
	symbols, models, runs     []string
	simulations, analyses     []string
	start, end                string
	status, source            string
	updates                   bool
	assets                    catalog.Filter
	least, leverMin, leverMax float64
	firstPrice                string
}

// filtersOf lists the tables that have a filter.
var filtersOf = map[string][]export.Table{
	"symbol":       {export.Bars},
	"model":        slices.Concat(export.Results, []export.Table{export.Runs}),
	"simulation":   export.AnswersOf(simulation.Kind.Name),
	"analysis":     export.AnswersOf(analysis.Kind.Name),
	"run":          slices.Concat(export.Results, export.Answers),
	"start-date":   export.Dated,
	"end-date":     export.Dated,
	"status":       {export.Runs},
	"source":       {export.Runs},
	"updates-only": {export.Runs},
}

// tablesOf returns the tables that a filter applies to. A filter that is not in
// filtersOf is one of the catalog's list. A flag that is no filter has no tables.
func tablesOf(flag string) []export.Table {
	if tables, ok := filtersOf[flag]; ok {
		return tables
	}
	catalogs := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(exportFilters).registerAssets(catalogs)
	if catalogs.Lookup(flag) != nil {
		return []export.Table{export.Assets}
	}
	return nil
}

func (x *exportFilters) register(f *pflag.FlagSet) {
	f.StringSliceVar(&x.symbols, "symbol", nil, "for bars: only these assets")
	f.StringSliceVar(&x.models, "model", nil, "for runs and results: only these models")
	f.StringSliceVar(&x.simulations, "simulation", nil, "for results of simulations: only these simulations")
	f.StringSliceVar(&x.analyses, "analysis", nil, "for results of analyses: only these analyses")
	f.StringSliceVar(&x.runs, "run", nil, "for results: these runs")
	f.StringVar(&x.start, "start-date", "", "for bars and results: first date")
	f.StringVar(&x.end, "end-date", "", "for bars and results: last date")
	f.StringVar(&x.status, "status", "", "for runs, their status: "+strings.Join(texts(program.RunStatuses), ", "))
	f.StringVar(&x.source, "source", "", "for runs, what started them: "+strings.Join(texts(program.Sources), ", "))
	f.BoolVar(&x.updates, "updates-only", false, "for runs: only routine refreshes")
	x.registerAssets(f)
}

// registerAssets adds the filters of the catalog's list.
func (x *exportFilters) registerAssets(f *pflag.FlagSet) {
	f.StringVar(&x.assets.Query, "q", "", "for assets: ticker or words of the name")
	f.StringVar(&x.assets.Type, "type", "", "for assets, their type: "+strings.Join(catalog.Types, ", "))
	f.StringVar(&x.assets.Exchange, "exchange", "", "for assets: code of the exchange where they are listed")
	f.StringVar(&x.assets.Sector, "sector", "", "for assets, their sector: "+strings.Join(classify.Sectors(), ", "))
	f.Float64Var(&x.least, "min-market-cap", 0, "for assets: minimum market capitalisation or assets under management, in USD")
	f.BoolVar(&x.assets.Delisted, "delisted", false, "for assets: include delisted ones")
	f.StringVar(&x.assets.TaxForm, "tax-form", "", "for assets, their tax form: "+strings.Join(classify.TaxForms(), ", "))
	f.StringVar(&x.assets.LegalStructure, "legal-structure", "", "for assets, their legal structure: "+strings.Join(classify.LegalStructures(), ", "))
	f.StringVar(&x.assets.AssetClass, "asset-class", "", "for assets, their asset class: "+strings.Join(classify.AssetClasses(), ", "))
	f.StringSliceVar(&x.assets.Tags, "tags", nil, "for assets: any of these tags, each written dimension:value")
	f.StringSliceVar(&x.assets.TagsAll, "tags-all", nil, "for assets: all of these tags")
	f.StringSliceVar(&x.assets.TagsNone, "tags-none", nil, "for assets: none of these tags")
	f.Float64Var(&x.leverMin, "leverage-min", 0, "for assets: minimum signed daily multiple")
	f.Float64Var(&x.leverMax, "leverage-max", 0, "for assets: maximum signed daily multiple")
	f.StringVar(&x.assets.Issuer, "issuer", "", "for assets: beginning of the name of the issuer or the fund family")
	f.StringVar(&x.firstPrice, "max-first-price-date", "", "for assets: first stored bar on or before this day")
	f.StringVar(&x.assets.Country, "country", "", "for assets: the one country that a fund's name states")
	f.StringVar(&x.assets.Domicile, "domicile", "", "for assets: the country where a stock's company is based")
}

// query reads the filters of a table, and refuses those of other tables.
func (x *exportFilters) query(f *pflag.FlagSet, t export.Table) (q export.Query, err error) {
	f.Visit(func(flag *pflag.Flag) {
		if tables := tablesOf(flag.Name); err == nil && len(tables) > 0 && !slices.Contains(tables, t) {
			err = usage("--%s does not apply to %s, only to %s", flag.Name, t, strings.Join(texts(tables), ", "))
		}
	})
	if err != nil {
		return q, err
	}
	for _, word := range []struct {
		flag, value string
		accepted    []string
	}{
		{"type", x.assets.Type, catalog.Types},
		{"tax-form", x.assets.TaxForm, classify.TaxForms()},
		{"legal-structure", x.assets.LegalStructure, classify.LegalStructures()},
		{"asset-class", x.assets.AssetClass, classify.AssetClasses()},
		{"status", x.status, texts(program.RunStatuses)},
		{"source", x.source, texts(program.Sources)},
	} {
		if word.value != "" && !slices.Contains(word.accepted, word.value) {
			return q, usage("--%s %q: accepted are %s", word.flag, word.value, strings.Join(word.accepted, ", "))
		}
	}
	q = export.Query{
		Table: t, Symbols: x.symbols, Models: x.models, Programs: slices.Concat(x.simulations, x.analyses), RunIDs: x.runs, Assets: x.assets,
		Status: program.RunStatus(x.status), Source: program.Source(x.source), UpdatesOnly: x.updates,
	}
	for _, number := range []struct {
		flag  string
		value *float64
		to    **float64
	}{{"min-market-cap", &x.least, &q.Assets.MinMarketCap}, {"leverage-min", &x.leverMin, &q.Assets.LeverageMin}, {"leverage-max", &x.leverMax, &q.Assets.LeverageMax}} {
		if f.Changed(number.flag) {
			*number.to = number.value
		}
	}
	var first timeseries.Date
	for _, d := range []struct {
		flag, text string
		date       *timeseries.Date
	}{{"start-date", x.start, &q.Start}, {"end-date", x.end, &q.End}, {"max-first-price-date", x.firstPrice, &first}} {
		if *d.date = timeseries.NoDate; d.text == "" {
			continue
		}
		if *d.date, err = timeseries.ParseDate(d.text); err != nil {
			return q, usage("--%s %q: write it as YYYY-MM-DD", d.flag, d.text)
		}
	}
	if first != timeseries.NoDate {
		q.Assets.MaxFirstPriceDate = &first
	}
	return q, nil
}
