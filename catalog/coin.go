package catalog

import "strings"

// dollar is the suffix of a pair with the US dollar.
const dollar = "USD"

// leastJoined is the least number of letters of a coin's ticker in a pair without a
// hyphen: BUSD is not a pair of a coin B.
const leastJoined = 3

// PairForm is a possible symbol of a coin's pair with the US dollar.
type PairForm struct{ Coin, Symbol string }

// DollarPairs returns the symbols that the US dollar pair of an upper-case name may have,
// the likeliest first. For a pair that is its other form; for anything else the pair of a
// coin with that name. The symbol itself is not included.
func DollarPairs(symbol string) []PairForm {
	var forms []PairForm
	if coin, ok := strings.CutSuffix(symbol, "-"+dollar); ok {
		if len(coin) >= leastJoined {
			forms = append(forms, PairForm{coin, coin + dollar})
		}
		return forms
	}
	if coin, ok := strings.CutSuffix(symbol, dollar); ok && len(coin) >= leastJoined {
		forms = append(forms, PairForm{coin, coin + "-" + dollar})
	}
	if symbol != "" {
		forms = append(forms, PairForm{symbol, symbol + "-" + dollar})
	}
	if len(symbol) >= leastJoined {
		forms = append(forms, PairForm{symbol, symbol + dollar})
	}
	return forms
}

// DollarPair reports whether the asset can be a coin priced in US dollars: the catalog
// says so, or does not know it and it has bars on all seven days.
func (a *Asset) DollarPair() bool {
	if a.Type == "" {
		return a.SevenDay
	}
	return a.Type == "crypto" && (a.Currency == "" || a.Currency == dollar)
}

// OtherPair reports whether the asset is a coin priced in a currency other than the US
// dollar: lists and searches put the dollar pair first.
func (a *Asset) OtherPair() bool {
	return a.Type == "crypto" && a.Currency != "" && a.Currency != dollar
}
