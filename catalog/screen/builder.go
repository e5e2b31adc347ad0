package screen

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ballast/catalog"
	"ballast/timeseries"
)

// Builder builds a Snapshot from records in the order of their symbols. The zero value is
// ready to use.
type Builder struct {
	s    Snapshot
	last string // the last symbol added

	id, symbol, name, isin, summary       textsBuilder
	currency, industry, wrapper           columnBuilder
	taxEvidence                           columnBuilder
	kind, exchange, sector, assetClass    columnBuilder
	legalStructure, taxForm, country      columnBuilder
	issuer, leverage, domicile, family    columnBuilder
	tags                                  tagsBuilder
	lexicon                               lexiconBuilder
	inverse, hedged, delisted, otherPairs []uint32
}

// Add adds a record. Its symbol must come after that of the previous record, otherwise
// Add returns an error. The builder keeps no reference to the record.
func (b *Builder) Add(a *catalog.Asset) error {
	if b.s.n > 0 && a.Symbol <= b.last {
		return fmt.Errorf("the catalog is not sorted by symbol: %q comes after %q", a.Symbol, b.last)
	}
	row := uint32(b.s.n)
	b.last = a.Symbol
	b.s.n++
	if b.summary.seen == nil {
		b.summary.seen = map[string][2]uint32{}
	}
	b.id.add(a.ID)
	b.symbol.add(a.Symbol)
	b.name.add(a.Name)
	b.isin.add(a.ISIN)
	b.summary.add(a.Summary)
	b.currency.add(a.Currency)
	b.industry.add(a.Industry)
	b.wrapper.add(a.Wrapper)
	b.taxEvidence.add(cmp.Or(a.TaxEvidence, "unclassified"))
	b.kind.add(a.Type)
	b.exchange.add(a.Exchange)
	b.sector.add(a.Sector)
	b.assetClass.add(a.AssetClass)
	b.legalStructure.add(a.LegalStructure)
	b.taxForm.add(a.TaxForm)
	b.country.add(a.Country)
	b.domicile.add(a.Domicile)
	b.issuer.add(a.Issuer)
	b.family.add(a.Family)
	b.leverage.add(strconv.FormatFloat(a.Leverage, 'g', -1, 64))
	b.tags.add(row, a.Tags)
	b.lexicon.add(row, a.Name)
	b.flag(row, a)
	b.s.marketCap = append(b.s.marketCap, number(a.MarketCap))
	b.s.aum = append(b.s.aum, number(a.AUM))
	b.s.expenseRatio = append(b.s.expenseRatio, number(a.ExpenseRatio))
	b.s.inception = append(b.s.inception, a.InceptionDate)
	b.s.firstPrice = append(b.s.firstPrice, a.FirstPriceDate)
	b.s.lastPrice = append(b.s.lastPrice, a.LastPriceDate)
	return nil
}

// flag records the boolean properties of a record.
func (b *Builder) flag(row uint32, a *catalog.Asset) {
	for _, f := range []struct {
		is   bool
		rows *[]uint32
	}{{a.Inverse, &b.inverse}, {a.Hedged, &b.hedged}, {a.Delisted, &b.delisted}, {a.OtherPair(), &b.otherPairs}} {
		if f.is {
			*f.rows = append(*f.rows, row)
		}
	}
}

// Snapshot completes the snapshot. The builder must not be used afterwards.
func (b *Builder) Snapshot() *Snapshot {
	built := b.s // a copy, because a pointer into the builder would keep all of it in memory
	s := &built
	s.id, s.symbol, s.name, s.isin, s.summary = b.id.build(), b.symbol.build(), b.name.build(), b.isin.build(), b.summary.build()
	s.currency, s.industry, s.wrapper, s.taxEvidence = b.currency.labels(), b.industry.labels(), b.wrapper.labels(), b.taxEvidence.labels()
	for _, c := range []struct {
		built *columnBuilder
		place **column
	}{
		{&b.kind, &s.kind}, {&b.exchange, &s.exchange}, {&b.sector, &s.sector}, {&b.assetClass, &s.assetClass},
		{&b.legalStructure, &s.legalStructure}, {&b.taxForm, &s.taxForm}, {&b.country, &s.country}, {&b.issuer, &s.issuer},
		{&b.domicile, &s.domicile}, {&b.family, &s.family},
	} {
		*c.place = c.built.build(catalog.Fold)
	}
	s.leverage = b.leverage.order(strings.Clone, func(x, y string) int { return cmp.Compare(multiple(x), multiple(y)) })
	for _, v := range s.leverage.values {
		s.multiples = append(s.multiples, multiple(v))
	}
	s.tags = b.tags.build(s.n)
	s.lexicon = b.lexicon.build()
	s.inverse, s.hedged, s.delisted, s.otherPairs = s.of(b.inverse), s.of(b.hedged), s.of(b.delisted), s.of(b.otherPairs)
	s.all, s.current = s.of(nil), s.of(nil)
	s.all.addRange(0, s.n)
	s.current.addRange(0, s.n)
	s.current.subtract(s.delisted)
	s.size = make([]float64, s.n)
	for i := range s.size {
		s.size[i] = greater(s.marketCap[i], s.aum[i])
	}
	s.scratch = newScratch(s.n)
	s.sort()
	weave(
		s.n, &s.kind.codes, &s.exchange.codes, &s.sector.codes, &s.assetClass.codes, &s.legalStructure.codes, &s.taxForm.codes,
		&s.country.codes, &s.domicile.codes, &s.issuer.codes, &s.family.codes, &s.leverage.codes, &s.tags.codes,
		&s.currency.codes, &s.industry.codes, &s.wrapper.codes, &s.taxEvidence.codes,
	)
	return s
}

// sort computes the orders of the lists.
func (s *Snapshot) sort() {
	folded := make([]string, s.n)
	for row := range folded {
		folded[row] = catalog.Fold(s.name.at(uint32(row)))
	}
	s.byName = newOrder(s.n, func(uint32) bool { return false }, func(x, y uint32) int { return strings.Compare(folded[x], folded[y]) })
	s.byAUM, s.byExpense = numerical(s.aum), numerical(s.expenseRatio)
	s.byMultiple = newOrder(s.n, func(uint32) bool { return false }, func(x, y uint32) int {
		return cmp.Compare(s.leverage.code(x), s.leverage.code(y))
	})
	s.sortFirstPrices()
}

func (s *Snapshot) sortFirstPrices() {
	s.byFirstPrice = newOrder(s.n, func(row uint32) bool { return s.firstPrice[row] == timeseries.NoDate }, func(x, y uint32) int {
		return cmp.Compare(s.firstPrice[x], s.firstPrice[y])
	})
}

func numerical(numbers []float64) *order {
	return newOrder(len(numbers), func(row uint32) bool { return math.IsNaN(numbers[row]) }, func(x, y uint32) int {
		return cmp.Compare(numbers[x], numbers[y])
	})
}

// of returns the set of the rows.
func (s *Snapshot) of(rows []uint32) set {
	out := make(set, words(s.n))
	out.add(rows)
	return out
}

// number returns NaN for nil.
func number(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}

// greater returns the greater of two numbers, either of which may be missing.
func greater(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

func multiple(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64) // written by FormatFloat
	return x
}
