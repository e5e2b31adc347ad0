-- name: AssetsByID :many
select id, symbol, name, type, exchange, currency, country, domicile, sector, industry, asset_class, wrapper, legal_structure,
    tax_form, tax_evidence, leverage, inverse, hedged, issuer, family, tags, market_cap, aum, expense_ratio, inception_date,
    delisted, isin, summary, first_price_date, last_price_date, seven_day, convention, bars_version
from assets where id = any(@ids::text[]);

-- name: AssetsBySymbol :many
-- The inner select hides the number of values from the planner, so that it keeps its
-- plan.
select id, symbol, name, type, exchange, currency, country, domicile, sector, industry, asset_class, wrapper, legal_structure,
    tax_form, tax_evidence, leverage, inverse, hedged, issuer, family, tags, market_cap, aum, expense_ratio, inception_date,
    delisted, isin, summary, first_price_date, last_price_date, seven_day, convention, bars_version
from assets where symbol = any((select @symbols::text[])::text[]);

-- name: SymbolsAmong :many
select symbol, bar_rows > 0 as stored, greatest(aum, market_cap, 0)::float8 as size
from assets where symbol = any(@symbols::text[]);

-- name: SymbolsLike :many
select symbol, bar_rows > 0 as stored, greatest(aum, market_cap, 0)::float8 as size
from assets where symbol like any(@patterns::text[]);


-- name: CatalogState :one
select version, (select coalesce(max(v.version), 0) from bar_versions v)::bigint as bars from catalog_state;

-- name: CatalogChanged :exec
update catalog_state set version = version + 1;

-- name: BarRangesSince :many
select id, symbol, first_price_date, last_price_date from assets
where bars_version > @version::bigint and bars_version > 0;

-- name: AssetEvidence :many
select evidence from assets where id = @id;
