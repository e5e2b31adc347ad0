package sample

import (
	"slices"
	"strings"
	"time"

	"ballast/timeseries"
)

// The market's first and last day.
var (
	begin = timeseries.NewDate(2000, time.January, 3)
	end   = timeseries.NewDate(2024, time.December, 31)
)

// member is an asset with the process that generates its prices.
type member struct {
	Asset
	start      timeseries.Date
	mean       float64 // arithmetic mean return per year
	volatility float64 // per year
	loads      loads   // on the common factors
	own        float64 // on the asset's own shocks
	price      float64 // first close
	yield      float64 // dividends per year as a fraction of the price
	payments   int     // per year: 0, 4, 12
	splits     []split
	follows    string // symbol whose daily returns a leveraged fund multiplies
}

type split struct {
	date   timeseries.Date
	factor float64 // new shares for an old one
}

// market lists the members, sorted by symbol. Means and volatilities are close to what
// such classes have shown over decades, and deliberately not those of any real asset.
func market() []member {
	members := append(append(append(equities(), bonds()...), others()...), coins()...)
	for i := range members {
		m := &members[i]
		m.Symbol = "SYN-" + m.Symbol
		if m.follows != "" {
			m.follows = "SYN-" + m.follows
		}
		m.Name += " (synthetic)"
		m.Exchange, m.Currency = "SYNX", "USD"
		if m.Leverage == 0 {
			m.Leverage = 1
		}
		if m.start == 0 {
			m.start = begin
		}
	}
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.Symbol, b.Symbol) })
	return members
}

func equities() []member {
	equity := func(symbol, name string, tags ...string) Asset {
		return Asset{Symbol: symbol, Name: name, Type: "etf", AssetClass: "equity", Tags: tags}
	}
	stock := func(symbol, name string, tags ...string) Asset {
		return Asset{Symbol: symbol, Name: name, Type: "stock", AssetClass: "equity", Tags: tags}
	}
	leveraged := equity("LEV2", "Large Companies Two Times Daily", "size:large_cap")
	leveraged.Leverage = 2
	return []member{
		{Asset: equity("WORLD", "World Equities", "region:global"), mean: 0.084, volatility: 0.160, price: 40,
			loads: loads{world: 1}, own: 0.12, yield: 0.020, payments: 4},
		{Asset: equity("LARGE", "Large Companies", "size:large_cap"), mean: 0.092, volatility: 0.168, price: 100,
			loads: loads{world: 0.95, growth: 0.15}, own: 0.12, yield: 0.016, payments: 4},
		{Asset: equity("SMALL", "Small Companies", "size:small_cap"), mean: 0.100, volatility: 0.212, price: 50,
			loads: loads{world: 0.85, size: 0.5}, own: 0.2, yield: 0.012, payments: 4, start: day(2000, time.May, 26)},
		{Asset: equity("TECH", "Technology Companies", "sector:technology"), mean: 0.118, volatility: 0.245, price: 60,
			loads: loads{world: 0.8, growth: 0.55}, own: 0.2, yield: 0.006, payments: 4},
		{Asset: equity("EUROPE", "European Equities", "region:europe"), mean: 0.074, volatility: 0.190, price: 45,
			loads: loads{world: 0.8, dollar: -0.35}, own: 0.3, yield: 0.028, payments: 4, start: day(2001, time.August, 27)},
		{Asset: equity("ASIA", "Asia Pacific Equities", "region:asia_pacific"), mean: 0.068, volatility: 0.184, price: 30,
			loads: loads{world: 0.65, dollar: -0.35}, own: 0.5, yield: 0.022, payments: 4, start: day(2002, time.March, 11)},
		{Asset: equity("EMERG", "Emerging Market Equities", "region:emerging_markets"), mean: 0.098, volatility: 0.224, price: 35,
			loads: loads{world: 0.75, dollar: -0.4, inflation: 0.2}, own: 0.4, yield: 0.022, payments: 4, start: day(2003, time.April, 14)},
		{Asset: leveraged, follows: "LARGE", price: 80, start: day(2006, time.June, 21),
			splits: []split{{day(2010, time.August, 2), 0.25}}},
		{Asset: stock("ALFA", "Alfa Instruments", "sector:technology"), mean: 0.185, volatility: 0.320, price: 28,
			loads: loads{world: 0.55, growth: 0.35}, own: 0.75, yield: 0.008, payments: 4,
			splits: []split{{day(2007, time.June, 11), 2}, {day(2018, time.August, 27), 4}}},
		{Asset: stock("BETA", "Beta Provisions", "sector:consumer_staples"), mean: 0.095, volatility: 0.205, price: 55,
			loads: loads{world: 0.5, rates: 0.1}, own: 0.75, yield: 0.031, payments: 4},
	}
}

func bonds() []member {
	bond := func(kind, symbol, name string, tags ...string) Asset {
		return Asset{Symbol: symbol, Name: name, Type: kind, AssetClass: "fixed_income", Tags: tags}
	}
	return []member{
		{Asset: bond("etf", "BILLS", "Treasury Bills", "bond:treasury"), mean: 0.021, volatility: 0.0016, price: 91,
			loads: loads{rates: 0.2}, own: 1, yield: 0.021, payments: 12},
		{Asset: bond("etf", "SHORT", "Short Government Bonds", "bond:treasury"), mean: 0.027, volatility: 0.016, price: 80,
			loads: loads{rates: 0.9}, own: 0.3, yield: 0.025, payments: 12, start: day(2002, time.July, 26)},
		{Asset: bond("fund", "BOND", "Broad Bonds", "bond:aggregate"), mean: 0.042, volatility: 0.056, price: 100,
			loads: loads{rates: 0.9, credit: 0.15}, own: 0.2, yield: 0.036, payments: 12},
		{Asset: bond("etf", "LONG", "Long Government Bonds", "bond:treasury"), mean: 0.057, volatility: 0.132, price: 85,
			loads: loads{rates: 1}, own: 0.2, yield: 0.035, payments: 12, start: day(2002, time.July, 26)},
		{Asset: bond("etf", "CREDIT", "Corporate Bonds", "bond:corporate"), mean: 0.050, volatility: 0.068, price: 105,
			loads: loads{rates: 0.7, credit: 0.5, world: 0.1}, own: 0.2, yield: 0.042, payments: 12, start: day(2002, time.July, 26)},
		{Asset: bond("etf", "YIELD", "High Yield Bonds", "bond:high_yield"), mean: 0.059, volatility: 0.094, price: 90,
			loads: loads{credit: 0.65, world: 0.45}, own: 0.3, yield: 0.060, payments: 12, start: day(2007, time.April, 11)},
		{Asset: bond("etf", "INFL", "Inflation Linked Bonds", "bond:inflation_protected"), mean: 0.044, volatility: 0.066, price: 98,
			loads: loads{rates: 0.75, inflation: 0.4}, own: 0.3, yield: 0.026, payments: 12, start: day(2003, time.December, 5)},
	}
}

func others() []member {
	return []member{
		{Asset: Asset{Symbol: "GOLD", Name: "Gold", Type: "etf", AssetClass: "commodity", Tags: []string{"commodity:gold"}},
			mean: 0.082, volatility: 0.165, price: 44,
			loads: loads{gold: 1, rates: 0.2, inflation: 0.2, dollar: -0.3}, own: 0.2, start: day(2004, time.November, 18)},
		{Asset: Asset{Symbol: "COMMO", Name: "Broad Commodities", Type: "etf", AssetClass: "commodity", Tags: []string{"commodity:broad"}},
			mean: 0.038, volatility: 0.186, price: 25,
			loads: loads{inflation: 0.8, world: 0.3, dollar: -0.2}, own: 0.4, start: day(2006, time.February, 6)},
		{Asset: Asset{Symbol: "REAL", Name: "Real Estate", Type: "etf", AssetClass: "alternatives", Tags: []string{"sector:real_estate"}},
			mean: 0.096, volatility: 0.215, price: 65,
			loads: loads{world: 0.65, rates: 0.3, credit: 0.15}, own: 0.5, yield: 0.038, payments: 4, start: day(2004, time.September, 29)},
	}
}

func coins() []member {
	asset := func(symbol, name string) Asset {
		return Asset{Symbol: symbol, Name: name, Type: "crypto", AssetClass: "currency", SevenDay: true}
	}
	return []member{
		{Asset: asset("COIN1", "First Coin"), mean: 0.56, volatility: 0.62, price: 250,
			loads: loads{coin: 1, world: 0.25}, own: 0.4, start: day(2012, time.March, 1)},
		{Asset: asset("COIN2", "Second Coin"), mean: 0.62, volatility: 0.78, price: 80,
			loads: loads{coin: 0.9, world: 0.25}, own: 0.7, start: day(2016, time.August, 9)},
	}
}

func day(y int, m time.Month, d int) timeseries.Date { return timeseries.NewDate(y, m, d) }
