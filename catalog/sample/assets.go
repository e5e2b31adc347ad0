package sample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"ballast/catalog"
	"ballast/catalog/classify"
	"ballast/timeseries"
)

var (
	issuers   = []string{"", "", "Vanguard", "iShares", "Invesco", "State Street", "Amundi", "Société Générale", "ProShares", "Direxion", "DWS", "Van Eck", "VanEck", "First Trust", "Fidelity", "Franklin Templeton"}
	places    = []string{"Japan", "Germany", "Brazil", "India", "Emerging Markets", "Europe", "World", "USA", "Asia ex-Japan", "South Korea", "Zürich"}
	subjects  = []string{"Equity", "Treasury Bond", "Corporate Bond", "Gold", "Dividend", "Small Cap", "Semiconductor", "Clean Energy", "Real Estate", "Short-Term Bond", "Technologie", "Énergie"}
	forms     = []string{"ETF", "Fund", "UCITS ETF", "Index Fund", "Trust", "2x Leveraged ETF", "Inverse ETF"}
	exchanges = []string{"", "PCX", "NAS", "NYQ", "LSE", "FRA", "BER", "MUN", "TSE", "CCC", "pcx"}
	currency  = []string{"USD", "USD", "EUR", "GBP", "", "JPY"}
	multiples = []float64{1, 1, 1, 1, 1, 2, 3, -1, -2, -3, 1.5, 0.5, -0.5}
	evidences = []string{"stated", "derived", "unclassified"}
)

// Assets returns n random records, by symbol. Many values of each field are missing, as
// in real listings, and symbols share prefixes.
func Assets(random *rand.Rand, n int) []*catalog.Asset {
	symbols := map[string]bool{}
	for len(symbols) < n {
		symbols[symbol(random, n)] = true
	}
	out := make([]*catalog.Asset, 0, n)
	for s := range symbols {
		out = append(out, &catalog.Asset{Symbol: s})
	}
	slices.SortFunc(out, func(a, b *catalog.Asset) int { return strings.Compare(a.Symbol, b.Symbol) })
	for i, a := range out {
		fill(random, a)
		a.ID = fmt.Sprintf("asset_%032x", i)
	}
	return out
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// symbol returns a ticker of one to five letters, some with an exchange or as a pair.
// Tickers are longer if n is larger.
func symbol(random *rand.Rand, n int) string {
	length := 1 + random.IntN(3+len(fmt.Sprint(n))/3)
	s := make([]byte, length)
	for i := range s {
		s[i] = letters[random.IntN(len(letters))]
	}
	return string(s) + pick(random, []string{"", "", "", ".L", ".F", "-USD", "-EUR", "-2_%"})
}

func fill(random *rand.Rand, a *catalog.Asset) {
	a.Type = pick(random, append([]string{""}, catalog.Types...))
	a.Exchange, a.Sector, a.Currency = pick(random, exchanges), some(random, classify.Sectors()), pick(random, currency)
	a.Issuer, a.Family = pick(random, issuers), pick(random, issuers)
	a.Name = strings.TrimSpace(strings.Join([]string{a.Issuer, pick(random, places), pick(random, subjects), pick(random, forms)}, " "))
	if random.IntN(40) == 0 {
		a.Name = a.Symbol
	}
	a.Industry = pick(random, []string{"", "Banks", "Software"})
	a.Country, a.Domicile = some(random, classify.Countries()), some(random, classify.Domiciles())
	a.AssetClass = some(random, classify.AssetClasses())
	a.Wrapper = some(random, classify.Wrappers())
	a.LegalStructure = some(random, classify.LegalStructures())
	a.TaxForm = some(random, classify.TaxForms())
	a.TaxEvidence = pick(random, evidences)
	a.Leverage = pick(random, multiples)
	a.Inverse, a.Hedged, a.Delisted = a.Leverage < 0, random.IntN(10) == 0, random.IntN(10) == 0
	a.Tags = tags(random)
	a.MarketCap, a.AUM = size(random), size(random)
	if random.IntN(2) == 0 {
		ratio := float64(random.IntN(200)) / 1e4
		a.ExpenseRatio = &ratio
	}
	a.InceptionDate, a.FirstPriceDate, a.LastPriceDate = timeseries.NoDate, timeseries.NoDate, timeseries.NoDate
	if random.IntN(3) == 0 {
		a.InceptionDate = timeseries.NewDate(1990, 1, 1) + timeseries.Date(random.IntN(12000))
	}
	if random.IntN(3) == 0 {
		a.FirstPriceDate = timeseries.NewDate(1990, 1, 1) + timeseries.Date(random.IntN(300)*30)
		a.LastPriceDate = a.FirstPriceDate + timeseries.Date(random.IntN(3000))
	}
	if random.IntN(2) == 0 {
		a.Summary = "The fund follows “" + a.Name + "”.\nIt \"may\" hold cash."
	}
}

// tags returns up to four tags of the vocabulary.
func tags(random *rand.Rand) []string {
	out := []string{}
	for range random.IntN(5) {
		d := pick(random, classify.Vocabulary())
		if t := d.Name + ":" + d.Values[random.IntN(min(6, len(d.Values)))]; !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	slices.Sort(out)
	return out
}

// size returns an amount of money across many magnitudes, or nil.
func size(random *rand.Rand) *float64 {
	if random.IntN(2) == 0 {
		return nil
	}
	x := math.Round(math.Pow(10, 5+7*random.Float64()))
	return &x
}

func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

// some returns an element of the list, or "" in half of the cases.
func some(random *rand.Rand, list []string) string {
	if random.IntN(2) == 0 {
		return ""
	}
	return pick(random, list)
}
