package classify

import "strings"

// isin returns the country of the listing's ISIN, or of a symbol that is an ISIN
// ("AT0000A0BJM4.VI"), or "" if neither is valid.
func (c *reading) isin() string {
	symbol, _, _ := strings.Cut(c.Symbol, ".")
	for _, s := range []string{strings.TrimSpace(c.ISIN), symbol} {
		if validISIN(s) {
			return s[:2]
		}
	}
	return ""
}

// validISIN checks the form and the check digit (ISO 6166: Luhn over the digits, with
// letters as 10 to 35).
func validISIN(s string) bool {
	if len(s) != 12 || !upper(s[0]) || !upper(s[1]) || !digit(s[11]) {
		return false
	}
	sum, double := 0, false
	add := func(d int) {
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, double = sum+d, !double
	}
	for i := len(s) - 1; i >= 0; i-- {
		switch {
		case digit(s[i]):
			add(int(s[i] - '0'))
		case upper(s[i]):
			v := int(s[i]-'A') + 10
			add(v % 10)
			add(v / 10)
		default:
			return false
		}
	}
	return sum%10 == 0
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }

// americanVenues are venues in the United States, by exchange code.
var americanVenues = map[string]bool{
	"PCX": true, "BTS": true, "NMS": true, "NGM": true, "NCM": true, "NYQ": true, "ASE": true, "NAS": true, "NYS": true,
}

// homeVenues are venues outside the United States that list only funds of their own
// country.
var homeVenues = map[string]string{
	"TOR": "CA", "NEO": "CA", "KSC": "KR", "KOE": "KR", "TAI": "TW", "TWO": "TW", "TLV": "IL", "IST": "TR",
	"SHH": "CN", "SHZ": "CN", "BSE": "IN", "NSE": "IN", "KLS": "MY", "SET": "TH", "JKT": "ID", "MCE": "ES",
	"STO": "SE", "OSL": "NO", "NZE": "NZ", "SAO": "BR",
}

// american reports whether the listing is on an exchange of the United States, in US
// dollars.
func (c *reading) american() bool {
	return americanVenues[strings.ToUpper(c.Exchange)] && (c.Currency == "" || strings.EqualFold(c.Currency, "USD"))
}
