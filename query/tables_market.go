package query

// The tables of the market.
var (
	// Bars are the stored bars of all assets.
	Bars = &Table{
		Name: "bars",
		Doc:  "One row per asset and day of stored bars, at their latest version.",
		Columns: []Column{
			{"asset_id", Text, "id of the asset"},
			{"symbol", Text, "symbol of the asset"},
			{"date", Date, "day of the bar"},
			{"total_return", Number, "return since the bar before, dividends and splits included; null on the first bar"},
			{"close", Number, "closing price; null if the source has none"},
			{"dividend", Number, "cash per share of the day; null if unknown"},
			{"split", Number, "new shares for one old share; null if unknown"},
		},
		Example: `SELECT symbol, count(*) AS days, max(date) AS last FROM bars GROUP BY symbol ORDER BY symbol`,
	}
	// Assets is the catalog.
	Assets = &Table{
		Name: "assets",
		Doc:  "One row per asset of the catalog.",
		Columns: []Column{
			{"asset_id", Text, "id"},
			{"symbol", Text, "symbol"},
			{"name", Text, "name"},
			{"type", Text, "etf, stock, and so on; null if unknown, like the other facts"},
			{"exchange", Text, "exchange"},
			{"currency", Text, "currency of the price"},
			{"country", Text, "country that a fund invests in"},
			{"domicile", Text, "country where the company has its seat"},
			{"sector", Text, "sector"},
			{"industry", Text, "industry"},
			{"asset_class", Text, "asset class"},
			{"issuer", Text, "issuer of a fund"},
			{"tags", Texts, "tags, dimension:value"},
			{"leverage", Number, "signed factor, 1 by default"},
			{"inverse", Boolean, "whether it moves against its index"},
			{"hedged", Boolean, "whether its currency is hedged"},
			{"market_cap", Number, "market capitalisation in its currency"},
			{"aum", Number, "assets under management in its currency"},
			{"expense_ratio", Number, "annual fraction"},
			{"inception_date", Date, "date on which the fund started"},
			{"first_price_date", Date, "first stored bar; null without bars"},
			{"last_price_date", Date, "last stored bar"},
			{"delisted", Boolean, "whether it is no longer traded"},
		},
		Example: `SELECT asset_class, count(*) AS assets FROM assets GROUP BY asset_class ORDER BY assets DESC`,
	}
	// Backfills are the account's rules for the time before an asset's first bar.
	Backfills = &Table{
		Name: "backfills",
		Doc:  "One row per source of each backfill of yours, at the version in force.",
		Columns: []Column{
			{"backfill_id", Text, "id"},
			{"asset_id", Text, "asset whose history is extended"},
			{"symbol", Text, "symbol of the asset"},
			{"version", Integer, "version in force, from 1"},
			{"position", Integer, "order of the source, from 1"},
			{"source_kind", Text, "asset or model"},
			{"source_id", Text, "id of the source"},
			{"source_symbol", Text, "symbol of the source"},
			{"method", Text, "raw, scaled or beta"},
			{"scale", Number, "factor that the method fitted"},
			{"created_at", Moment, "when the backfill was created"},
			{"updated_at", Moment, "when its version was created"},
		},
		Example: `SELECT symbol, source_symbol, method, scale FROM backfills ORDER BY symbol, position`,
	}
)
