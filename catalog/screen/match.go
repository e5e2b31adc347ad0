package screen

import (
	"sort"
	"strings"

	"ballast/catalog"
)

// match returns the rows that match a filter, in a set from the pool.
func (s *Snapshot) match(f *catalog.Filter) *set {
	lent := s.scratch.take()
	rows := *lent
	if f.Delisted {
		copy(rows, s.all)
	} else {
		copy(rows, s.current)
	}
	for _, field := range []struct {
		column *column
		wanted string
	}{
		{s.kind, f.Type}, {s.assetClass, f.AssetClass}, {s.country, f.Country}, {s.domicile, f.Domicile}, {s.legalStructure, f.LegalStructure},
		{s.taxForm, f.TaxForm}, {s.exchange, f.Exchange}, {s.sector, f.SectorValue()},
	} {
		if field.wanted != "" {
			low, high := field.column.equal(catalog.Fold(strings.TrimSpace(field.wanted)))
			field.column.keep(rows, low, high, s.scratch)
		}
	}
	if issuer := strings.TrimSpace(f.Issuer); issuer != "" {
		named := s.scratch.take()
		for _, c := range []*column{s.issuer, s.family} {
			low, high := prefixed(c.keys, catalog.Fold(issuer))
			c.into(*named, low, high)
		}
		rows.and(*named)
		s.scratch.give(named)
	}
	s.keepTagged(rows, f)
	s.keepBetween(rows, f)
	if query := strings.TrimSpace(f.Query); query != "" {
		found := s.scratch.take()
		s.find(*found, query)
		rows.and(*found)
		s.scratch.give(found)
	}
	return lent
}

// keepTagged keeps the rows with any, all and none of the filter's tags.
func (s *Snapshot) keepTagged(rows set, f *catalog.Filter) {
	if len(f.Tags) > 0 {
		some := s.scratch.take()
		s.tags.any(*some, f.Tags)
		rows.and(*some)
		s.scratch.give(some)
	}
	for _, tag := range f.TagsAll {
		if code, ok := closed.code[tag]; ok {
			s.tags.keep(rows, code, code+1, s.scratch)
		} else {
			clear(rows)
		}
	}
	if len(f.TagsNone) > 0 {
		some := s.scratch.take()
		s.tags.any(*some, f.TagsNone)
		rows.subtract(*some)
		s.scratch.give(some)
	}
}

// keepBetween keeps the rows within the filter's bounds.
func (s *Snapshot) keepBetween(rows set, f *catalog.Filter) {
	if f.LeverageMin != nil || f.LeverageMax != nil {
		low, high := 0, len(s.multiples)
		if f.LeverageMin != nil {
			low = sort.SearchFloat64s(s.multiples, *f.LeverageMin)
		}
		if f.LeverageMax != nil {
			high = sort.Search(len(s.multiples), func(i int) bool { return s.multiples[i] > *f.LeverageMax })
		}
		s.leverage.keep(rows, low, max(low, high), s.scratch)
	}
	if f.MinMarketCap != nil {
		for row := range rows.each() {
			if !(s.size[row] >= *f.MinMarketCap) { // unknown, or less
				rows[row>>6] &^= 1 << (row & 63)
			}
		}
	}
	if f.MaxFirstPriceDate != nil {
		low := sort.Search(s.n, func(i int) bool {
			row := s.byFirstPrice.up[i]
			return s.byFirstPrice.rank[row] == unranked || s.firstPrice[row] > *f.MaxFirstPriceDate
		})
		early := s.scratch.take()
		early.add(s.byFirstPrice.up[:low])
		rows.and(*early)
		s.scratch.give(early)
	}
}

// find adds the rows whose symbol begins with the query, or whose name has every word of
// it, as a word or as a prefix of one.
func (s *Snapshot) find(rows set, query string) {
	if list := catalog.Words(query); len(list) > 0 {
		s.lexicon.find(rows, list, s.scratch)
	}
	low, high := s.tickers(query)
	rows.addRange(low, high)
}

// tickers returns the range of rows whose symbols begin with the query.
func (s *Snapshot) tickers(query string) (low, high int) {
	prefix := strings.ToUpper(query)
	low = sort.Search(s.n, func(i int) bool { return s.symbol.at(uint32(i)) >= prefix })
	high = low + sort.Search(s.n-low, func(i int) bool { return !strings.HasPrefix(s.symbol.at(uint32(low+i)), prefix) })
	return low, high
}

// page returns the rows of a filter's page.
func (s *Snapshot) page(rows set, total int, f *catalog.Filter) []uint32 {
	if f.Limit <= 0 || f.Offset >= total {
		return nil
	}
	query := strings.TrimSpace(f.Query)
	switch f.Sort {
	case "":
		if query != "" {
			return s.ranked(rows, query, f.Offset, f.Limit)
		}
	case "name":
		return s.byName.page(rows, total, f.Ascending, f.Offset, f.Limit)
	case "aum":
		return s.byAUM.page(rows, total, f.Ascending, f.Offset, f.Limit)
	case "expense_ratio":
		return s.byExpense.page(rows, total, f.Ascending, f.Offset, f.Limit)
	case "leverage":
		return s.byMultiple.page(rows, total, f.Ascending, f.Offset, f.Limit)
	case "first_price_date":
		return s.byFirstPrice.page(rows, total, f.Ascending, f.Offset, f.Limit)
	}
	return bySymbol(rows, f.Ascending, f.Offset, f.Limit)
}

// ranked returns the page of a query's results: the exact ticker, then tickers with the
// prefix, then names. In each group, coin pairs with a currency other than the US dollar
// come last.
func (s *Snapshot) ranked(rows set, query string, offset, limit int) []uint32 {
	w := walk{skip: offset, most: limit}
	low, high := s.tickers(query)
	first := low
	if low < high && s.symbol.at(uint32(low)) == strings.ToUpper(query) {
		w.over(rows, low, low+1, nil, false)
		first++
	}
	for _, pairs := range []bool{false, true} {
		w.over(rows, first, high, s.otherPairs, pairs)
	}
	for _, pairs := range []bool{false, true} {
		w.over(rows, 0, low, s.otherPairs, pairs)
		w.over(rows, high, s.n, s.otherPairs, pairs)
	}
	return w.page
}
