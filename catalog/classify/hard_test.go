package classify

import "testing"

// TestHardNames tests misleading names. Fields that a case leaves empty are not compared;
// "-" is null.
func TestHardNames(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name             string
		listing          Listing
		country, tax     string
		structure, class string
		leverage         float64
		hedged           string
	}{
		{name: "world without the United States", listing: etf("SPDR MSCI World ex-US ETF"), country: "-", leverage: 1},
		{name: "Asia without Japan", listing: etf("iShares MSCI All Country Asia ex Japan ETF"), country: "-"},
		{name: "Pacific without Japan", listing: etf("iShares MSCI Pacific ex-Japan ETF"), country: "-"},
		{name: "emerging markets without China", listing: etf("iShares MSCI Emerging Markets ex China ETF"), country: "-"},
		{name: "Europe without the United Kingdom", listing: etf("MSCI Europe ex UK ETF"), country: "-"},
		{name: "Korea without South", listing: etf("Franklin FTSE Korea ETF"), country: "south_korea"},
		{name: "South Korea", listing: etf("Direxion Daily South Korea Bull 3X Shares"), country: "south_korea", leverage: 3},
		{name: "Georgia, a state", listing: fund("MFS Georgia Municipal Bond Fund Class A"), country: "-", class: "fixed_income"},
		{name: "New Mexico, a state", listing: fund("Thornburg New Mexico Intermediate Municipal Fund"), country: "-"},
		{name: "Indiana is not India", listing: fund("Indiana Municipal Bond Fund"), country: "-"},
		{name: "share classes are not China A", listing: fund("Federated Hermes Prudent Bear Fund Class A Shares"), country: "-", leverage: -1},
		{name: "China A-shares listed in Hong Kong", listing: etf("CSOP China A-Shares Hong Kong Listed ETF"), country: "china"},
		{name: "Hong Kong and China", listing: fund("Baring - Hong Kong China Fund"), country: "-"},
		{name: "Greater China", listing: etf("JPMorgan Greater China Equity"), country: "-"},
		{name: "Australia and New Zealand", listing: fund("Commonwealth Australia/New Zealand Fund"), country: "-"},
		{name: "a currency of a country", listing: etf("Invesco CurrencyShares Japanese Yen Trust"), country: "-", class: "currency", structure: "grantor_trust", tax: "1099"},
		{name: "an index of one country", listing: etf("Global X DAX Germany ETF"), country: "germany"},
		{name: "a bank's country", listing: etf("Royal Bank of Canada US Equity ETF"), country: "-"},

		{name: "short-term bonds are not short", listing: etf("Vanguard Short-Term Bond Index Fund ETF Shares"), leverage: 1, class: "fixed_income"},
		{name: "short duration is not short", listing: etf("iShares Short Duration Bond Active ETF"), leverage: 1, class: "fixed_income"},
		{name: "short treasury is not short", listing: etf("iShares Short Treasury Bond ETF"), leverage: 1},
		{name: "ultra-short income", listing: etf("JPMorgan Ultra-Short Income ETF"), leverage: 1, class: "fixed_income"},
		{name: "UltraShort income of another brand", listing: fund("Virtus Seix UltraShort Bond Fund"), leverage: 1, class: "fixed_income"},
		{name: "ProShares UltraShort", listing: etf("ProShares UltraShort 20+ Year Treasury"), leverage: -2, class: "fixed_income"},
		{name: "ProShares Short of bonds", listing: etf("ProShares Short 20+ Year Treasury"), leverage: -1},
		{name: "ProShares Short High Yield", listing: etf("ProShares Short High Yield"), leverage: -1},
		{name: "ProShares UltraPro Short", listing: etf("ProShares UltraPro Short QQQ"), leverage: -3},
		{name: "ProShares UltraPro", listing: etf("ProShares UltraPro S&P500"), leverage: 3},
		{name: "ProShares Ultra", listing: etf("ProShares Ultra Gold"), leverage: 2, structure: "commodity_pool", tax: "k1"},
		{name: "Ultra as a brand", listing: etf("Innovator U.S. Equity Ultra Buffer ETF - July"), leverage: 1},
		{name: "Ultra as a share class", listing: fund("American Century Ultra Fund Investor Class"), leverage: 1},
		{name: "Bear Stearns", listing: fund("Bear Stearns Prime Money Market Fund"), leverage: 1},
		{name: "long and short", listing: etf("First Trust Long/Short Equity ETF"), leverage: 1, class: "alternatives"},
		{name: "130/30", listing: etf("ProShares Large Cap Core Plus 130/30"), leverage: 1},
		{name: "Direxion bull", listing: etf("Direxion Daily Small Cap Bull 3X Shares"), leverage: 3},
		{name: "Direxion bear", listing: etf("Direxion Daily S&P 500 Bear 1X Shares"), leverage: -1},
		{name: "a sign before the factor", listing: etf("MicroSectors FANG+ Index -3X Inverse Leveraged ETN"), leverage: -3, structure: "etn", tax: "1099"},
		{name: "a single share", listing: etf("GraniteShares 2x Short NVDA Daily ETF"), leverage: -2},
		{name: "a fraction", listing: etf("Tradr 1.5X Short NVDA Daily ETF"), leverage: -1.5},
		{name: "inverse VIX", listing: etf("VelocityShares Daily Inverse VIX Short-Term ETN"), leverage: -1, class: "alternatives"},
		{name: "a unicode minus", listing: etf("Lyxor Bund Daily (−2x) Inverse UCITS ETF"), leverage: -2},
		{name: "inverse volatility weights", listing: etf("Inverse Volatility Weighted Equity ETF"), leverage: 1},
		{name: "bull and bear", listing: etf("WBI BullBear Trend Switch US Total Return ETF"), leverage: 1},
		{name: "leveraged loans", listing: etf("Invesco Leveraged Loan ETF"), leverage: 1, class: "fixed_income"},
		{name: "an issuer called Leverage", listing: etf("Leverage Shares -1x Twitter ETC"), leverage: -1},

		{name: "partnerships, a corporation", listing: etf("Alerian MLP ETF"), structure: "-", tax: "1099"},
		{name: "partnerships, a company", listing: etf("Global X MLP & Energy Infrastructure ETF"), structure: "ric", tax: "1099"},
		{name: "a partnership's units", listing: stock("Energy Transfer LP"), tax: "k1"},
		{name: "a partnership taxed as a corporation", listing: stock("Plains GP Holdings, L.P."), tax: "-"},
		{name: "a pool of oil", listing: etf("United States Oil Fund, LP"), structure: "commodity_pool", tax: "k1"},
		{name: "a pool of gas", listing: etf("United States Natural Gas Fund, LP"), structure: "commodity_pool", tax: "k1"},
		{name: "a pool of commodities", listing: etf("Invesco DB Commodity Index Tracking Fund"), structure: "commodity_pool", tax: "k1"},
		{name: "no K-1 in the name", listing: etf("Invesco Optimum Yield Diversified Commodity Strategy No K-1 ETF"), structure: "ric", tax: "1099"},
		{name: "gold in a trust", listing: etf("SPDR Gold Shares"), structure: "grantor_trust", tax: "1099", class: "commodity"},
		{name: "silver in a trust", listing: etf("iShares Silver Trust"), structure: "grantor_trust", tax: "1099", class: "commodity"},
		{name: "gold miners are shares", listing: etf("VanEck Gold Miners ETF"), structure: "ric", class: "equity"},
		{name: "bitcoin in a trust", listing: etf("iShares Bitcoin Trust ETF"), structure: "grantor_trust", class: "alternatives"},
		{name: "bitcoin futures", listing: etf("ProShares Bitcoin ETF"), structure: "ric", class: "alternatives"},
		{name: "unit investment trusts", listing: etf("SPDR Dow Jones Industrial Average ETF Trust"), structure: "uit", tax: "1099"},
		{name: "QQQ", listing: etf("Invesco QQQ Trust"), structure: "uit"},
		{name: "notes", listing: etf("iPath Series B S&P 500 VIX Short-Term Futures ETN"), structure: "etn", tax: "1099"},
		{name: "a foreign fund", listing: Listing{Symbol: "IWDA.AS", Name: "iShares Core MSCI World UCITS ETF", Kind: "etf", Exchange: "AMS", Currency: "EUR", ISIN: "IE00B4L5Y983"}, structure: "-", tax: "pfic"},
		{name: "nothing says where", listing: Listing{Symbol: "ABC.F", Name: "Some Strategy", Kind: "fund", Exchange: "FRA", Currency: "EUR"}, structure: "-", tax: "-"},

		{name: "hedged by options", listing: etf("JPMorgan Hedged Equity ETF"), hedged: "no"},
		{name: "hedged against a currency", listing: etf("iShares MSCI World EUR Hedged UCITS ETF"), hedged: "yes"},
		{name: "not hedged", listing: etf("CI Tech Giants Covered Call ETF (Unhedged)"), hedged: "no"},
		{name: "market neutral", listing: etf("AGF U.S. Market Neutral Anti-Beta Fund"), hedged: "no", class: "alternatives"},
		{name: "foreign shares hedged", listing: etf("WisdomTree Japan Hedged Equity Fund"), hedged: "yes", country: "japan"},

		{name: "preferred shares", listing: etf("iShares Preferred and Income Securities ETF"), class: "fixed_income"},
		{name: "loan obligations", listing: etf("Janus Henderson AAA CLO ETF"), class: "fixed_income"},
		{name: "a year of retirement", listing: fund("Vanguard Target Retirement 2035 Fund Investor Shares"), class: "asset_allocation"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := Classify(tc.listing)
			same(t, "country", c.Country, tc.country)
			same(t, "tax form", c.TaxForm, tc.tax)
			same(t, "legal structure", c.LegalStructure, tc.structure)
			same(t, "asset class", c.AssetClass, tc.class)
			if tc.leverage != 0 && (c.Leverage != tc.leverage || c.Inverse != (tc.leverage < 0)) {
				t.Errorf("leverage of %q is %v, inverse %v, want %v", tc.listing.Name, c.Leverage, c.Inverse, tc.leverage)
			}
			if tc.hedged != "" && c.Hedged != (tc.hedged == "yes") {
				t.Errorf("hedged of %q is %v", tc.listing.Name, c.Hedged)
			}
		})
	}
}

func same(t *testing.T, field, got, want string) {
	t.Helper()
	if want == "-" && got != "" || want != "-" && want != "" && got != want {
		t.Errorf("%s is %q, want %q", field, got, want)
	}
}

func etf(name string) Listing {
	return Listing{Symbol: "ABCD", Name: name, Kind: "etf", Exchange: "PCX", Currency: "USD"}
}

func fund(name string) Listing {
	return Listing{Symbol: "ABCDX", Name: name, Kind: "fund", Exchange: "NAS", Currency: "USD"}
}

func stock(name string) Listing {
	return Listing{Symbol: "ABCD", Name: name, Kind: "stock", Exchange: "NYQ", Currency: "USD", Country: "United States"}
}
