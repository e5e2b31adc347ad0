package classify

import "testing"

func TestSeatOfACompany(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, country, isin, domicile string }{
		{"Toyota Motor Corporation", "Japan", "", "japan"},
		{"Apple Inc.", "United States", "US0378331005", "united_states"},
		{"Apple Inc.", " united states ", "", "united_states"},
		{"Japan Tobacco International Inc.", "", "", ""},
		{"Somebody Ltd", "Bermuda", "", ""},
		{"Siemens AG", "United States", "DE0007236101", ""},
	} {
		c := Classify(Listing{Symbol: "ABCD", Name: tc.name, Kind: "stock", Country: tc.country, ISIN: tc.isin})
		if c.Domicile != tc.domicile || c.Country != "" {
			t.Errorf("%s of %q: domicile %q, want %q; country %q, want none", tc.name, tc.country, c.Domicile, tc.domicile, c.Country)
		}
	}
	fund := Classify(Listing{Symbol: "ABCD", Name: "iShares MSCI Japan ETF", Kind: "etf", Country: "United States"})
	if fund.Country != "japan" || fund.Domicile != "" {
		t.Errorf("a fund of Japan has the country %q and the domicile %q", fund.Country, fund.Domicile)
	}
}

func TestSectorsOfSources(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]string{
		"Information Technology": "technology", "Technology": "technology", "Healthcare": "health_care", "HEALTH CARE": "health_care",
		"Financial Services": "financials", "Basic Materials": "materials", "Consumer Cyclical": "consumer_discretionary",
		"Consumer Defensive": "consumer_staples", "Communication Services": "communication_services", "Real Estate": "real_estate",
		"Widgets": "", "Energy and Widgets": "", "": "",
	} {
		if got, ok := Sector(words); got != want || ok != (want != "") {
			t.Errorf("%q means %q, %v; want %q", words, got, ok, want)
		}
	}
	for _, s := range Sectors() {
		if got, ok := Sector(s); !ok || got != s {
			t.Errorf("the sector %s means %q", s, got)
		}
	}
	if n := len(Sectors()); n != 11 {
		t.Errorf("there are %d sectors, want 11", n)
	}
}
