package postgres

import (
	"context"
	"slices"
	"unicode/utf8"

	"ballast/catalog"
	edit "ballast/internal/nearest"
	"ballast/postgres/internal/dbsqlc"
)

const (
	// symbolLetters are the characters that symbols consist of.
	symbolLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-^="
	// mostNearest is the largest number of symbols in one call.
	mostNearest = 50
	// longestSymbol is the length, in characters, of the longest symbol that
	// neighbours are sought for.
	longestSymbol = 16
)

// NearestSymbols returns the most similar symbol of the catalog for each of symbols.
// It prefers pairs: for a coin's ticker the pair with the US dollar, for a pair the
// form with or without the hyphen. Next are symbols one edit away (one letter added,
// removed or replaced, or two swapped), which are looked up by name. If a symbol of
// four or more letters has none, symbols two edits away with the same beginning are
// considered. Among equals, assets with stored bars come first, then larger assets.
func (db *DB) NearestSymbols(ctx context.Context, symbols []string) (map[string]string, error) {
	var wanted, neighbours []string
	for _, symbol := range symbols {
		if n := utf8.RuneCountInString(symbol); n < 2 || n > longestSymbol || len(wanted) == mostNearest {
			continue
		}
		wanted = append(wanted, symbol)
		neighbours = append(neighbours, oneEdit(symbol)...)
		for _, form := range catalog.DollarPairs(symbol) {
			neighbours = append(neighbours, form.Symbol)
		}
	}
	if len(wanted) == 0 {
		return map[string]string{}, nil
	}
	rows, err := db.queries.SymbolsAmong(ctx, neighbours)
	if err != nil {
		return nil, wrap(err, "nearest symbols")
	}
	near := map[string]string{}
	var far, patterns []string
	for _, symbol := range wanted {
		best := paired(symbol, rows)
		if best == "" {
			best = nearest(symbol, rows, 1)
		}
		if best != "" {
			near[symbol] = best
		} else if utf8.RuneCountInString(symbol) >= 4 {
			first, _ := utf8.DecodeRuneInString(symbol)
			far = append(far, symbol)
			patterns = append(patterns, likePrefix(string(first)))
		}
	}
	if len(far) == 0 {
		return near, nil
	}
	alike, err := db.queries.SymbolsLike(ctx, patterns)
	if err != nil {
		return nil, wrap(err, "nearest symbols")
	}
	for _, symbol := range far {
		if best := nearest(symbol, asAmong(alike), 2); best != "" {
			near[symbol] = best
		}
	}
	return near, nil
}

// paired returns the first of a symbol's pairs that is in the catalog, or "".
func paired(symbol string, rows []dbsqlc.SymbolsAmongRow) string {
	for _, form := range catalog.DollarPairs(symbol) {
		if slices.ContainsFunc(rows, func(r dbsqlc.SymbolsAmongRow) bool { return r.Symbol == form.Symbol }) {
			return form.Symbol
		}
	}
	return ""
}

func asAmong(rows []dbsqlc.SymbolsLikeRow) []dbsqlc.SymbolsAmongRow {
	out := make([]dbsqlc.SymbolsAmongRow, len(rows))
	for i, r := range rows {
		out[i] = dbsqlc.SymbolsAmongRow(r)
	}
	return out
}

// nearest returns the best of the rows at most within edits away, or "".
func nearest(symbol string, rows []dbsqlc.SymbolsAmongRow, within int) string {
	var best dbsqlc.SymbolsAmongRow
	least := within + 1
	for _, r := range rows {
		if r.Symbol == symbol {
			continue
		}
		d := edit.Distance(symbol, r.Symbol)
		if d < least || (d == least && d <= within && better(r, best)) {
			best, least = r, d
		}
	}
	return best.Symbol
}

func better(a, b dbsqlc.SymbolsAmongRow) bool {
	switch {
	case a.Stored != b.Stored:
		return a.Stored
	case a.Size != b.Size:
		return a.Size > b.Size
	}
	return a.Symbol < b.Symbol
}

// oneEdit lists all texts one edit away from s.
func oneEdit(s string) []string {
	var out []string
	runes := []rune(s)
	for i := range runes {
		before, after := string(runes[:i]), string(runes[i+1:])
		out = append(out, before+after)
		for _, c := range symbolLetters {
			out = append(out, before+string(c)+after, before+string(c)+string(runes[i:]))
		}
		if i > 0 {
			out = append(out, string(runes[:i-1])+string(runes[i])+string(runes[i-1])+after)
		}
	}
	for _, c := range symbolLetters {
		out = append(out, s+string(c))
	}
	return out
}
