package sample

// Asset describes one asset of the sample market.
type Asset struct {
	Symbol     string   // SYN-…
	Name       string   // ends in "(synthetic)"
	Type       string   // etf, fund, stock, crypto
	Exchange   string   // of the sample market
	Currency   string   // USD
	AssetClass string   // equity, fixed_income, commodity, currency, alternatives
	Tags       []string // dimension:value
	Leverage   float64  // 1, or the fund's multiple
	SevenDay   bool     // trades every day of the week
}

// Assets lists the market, sorted by symbol.
func Assets() []Asset {
	members := market()
	assets := make([]Asset, len(members))
	for i, m := range members {
		assets[i] = m.Asset
	}
	return assets
}
