package postgres

import (
	"context"
	"strings"

	"ballast/catalog"
	"ballast/internal/fault"
	"ballast/internal/id"
	"ballast/postgres/internal/dbsqlc"
)

// Asset returns an asset by id or symbol, ignoring case.
func (db *DB) Asset(ctx context.Context, ref string) (*catalog.Asset, error) {
	if assetID, ok := id.Parse(id.Asset, ref); ok {
		rows, err := db.queries.AssetsByID(ctx, []string{assetID})
		if err != nil {
			return nil, wrap(err, "read asset %s", ref)
		}
		if len(rows) == 1 {
			return assetOf(assetRow(rows[0])), nil
		}
		return nil, fault.Missing("asset", ref)
	}
	symbol := strings.ToUpper(ref)
	found, err := db.AssetsBySymbol(ctx, []string{symbol})
	if err != nil {
		return nil, err
	}
	if a, ok := found[symbol]; ok {
		return a, nil
	}
	return nil, fault.Missing("asset", ref)
}

// AssetsBySymbol returns the assets that exist, by upper-case symbol.
func (db *DB) AssetsBySymbol(ctx context.Context, symbols []string) (map[string]*catalog.Asset, error) {
	rows, err := db.queries.AssetsBySymbol(ctx, symbols)
	if err != nil {
		return nil, wrap(err, "read assets")
	}
	found := make(map[string]*catalog.Asset, len(rows))
	for _, row := range rows {
		found[row.Symbol] = assetOf(assetRow(row))
	}
	return found, nil
}

// AssetsByID returns the assets that exist, by id.
func (db *DB) AssetsByID(ctx context.Context, ids []string) (map[string]*catalog.Asset, error) {
	rows, err := db.queries.AssetsByID(ctx, ids)
	if err != nil {
		return nil, wrap(err, "read assets")
	}
	found := make(map[string]*catalog.Asset, len(rows))
	for _, row := range rows {
		found[row.ID] = assetOf(assetRow(row))
	}
	return found, nil
}

// assetRow is the row type that all queries of assets share.
type assetRow dbsqlc.AssetsByIDRow

func assetOf(r assetRow) *catalog.Asset {
	return &catalog.Asset{
		ID: r.ID, Symbol: r.Symbol, Name: r.Name, Type: r.Type, Exchange: r.Exchange, Currency: r.Currency,
		Country: r.Country, Domicile: r.Domicile, Sector: r.Sector, Industry: r.Industry, AssetClass: r.AssetClass, Wrapper: r.Wrapper,
		LegalStructure: r.LegalStructure, TaxForm: r.TaxForm, TaxEvidence: r.TaxEvidence, Leverage: r.Leverage,
		Inverse: r.Inverse, Hedged: r.Hedged, Issuer: r.Issuer, Family: r.Family, Tags: r.Tags, MarketCap: r.MarketCap, AUM: r.Aum,
		ExpenseRatio: r.ExpenseRatio, InceptionDate: fromDate(r.InceptionDate), Delisted: r.Delisted,
		ISIN: r.Isin, Summary: r.Summary, FirstPriceDate: fromDate(r.FirstPriceDate),
		LastPriceDate: fromDate(r.LastPriceDate), SevenDay: r.SevenDay, Convention: r.Convention, BarsVersion: r.BarsVersion,
	}
}
