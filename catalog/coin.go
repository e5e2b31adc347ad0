package catalog

import "strings"

// dollar ends the symbol of a pair with the US dollar.
const dollar = "USD"

// leastJoined is how many letters a coin's ticker has at least where it is
// joined with the currency without a hyphen: BUSD is no pair of a coin B.
const leastJoined = 3

// PairForm is a symbol that a coin's pair with the US dollar may have.
type PairForm struct{ Coin, Symbol string }

// DollarPairs are the symbols that the pair with the US dollar may have of what
// somebody names in upper case, the likeliest first: of a pair the other form of
// it, of anything the pair of a coin so called. The symbol itself is not among them.
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

// DollarPair reports whether the asset can be a coin against the US dollar: the
// catalog says so, or does not know it and its bars are of all seven days.
func (a *Asset) DollarPair() bool {
	if a.Type == "" {
		return a.SevenDay
	}
	return a.Type == "crypto" && (a.Currency == "" || a.Currency == dollar)
}

// OtherPair reports whether the asset is a coin against another currency than
// the US dollar: lists and searches name the dollar's pair first.
func (a *Asset) OtherPair() bool {
	return a.Type == "crypto" && a.Currency != "" && a.Currency != dollar
}
