package api

import (
	"strconv"

	"ballast/api/transport"
	"ballast/catalog"
	"ballast/internal/number"
	"ballast/program/backfills"
)

// AppendJSON implements appender.
func (p *assetPageBody) AppendJSON(b []byte) ([]byte, error) { //nolint:unparam // as the interface has it
	b = append(b, `{"data":[`...)
	for i, a := range p.source.Assets {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendAsset(append(b, '{'), a, p.backfills[a.ID]); err != nil {
			return nil, err
		}
		b = append(b, '}')
	}
	b = append(b, `],"total":`...)
	b = strconv.AppendInt(b, int64(p.source.Total), 10)
	if p.source.Facets != nil {
		b = appendFacets(append(b, `,"facets":`...), p.source.Facets)
	}
	return append(b, '}'), nil
}

// appendAsset adds the fields of an AssetBody, without its braces.
func appendAsset(b []byte, a *catalog.Asset, rule *backfills.Backfill) ([]byte, error) {
	b = transport.AppendText(append(b, `"id":`...), a.ID)
	b = transport.AppendText(append(b, `,"symbol":`...), a.Symbol)
	b = transport.AppendText(append(b, `,"name":`...), a.Name)
	b = appendTextOrNull(append(b, `,"type":`...), a.Type)
	b = appendTextOrNull(append(b, `,"exchange":`...), a.Exchange)
	b = appendTextOrNull(append(b, `,"currency":`...), a.Currency)
	b = appendTextOrNull(append(b, `,"country":`...), a.Country)
	b = appendTextOrNull(append(b, `,"domicile":`...), a.Domicile)
	b = appendTextOrNull(append(b, `,"sector":`...), a.Sector)
	b = appendTextOrNull(append(b, `,"industry":`...), a.Industry)
	b = appendTextOrNull(append(b, `,"asset_class":`...), a.AssetClass)
	b = appendTextOrNull(append(b, `,"wrapper":`...), a.Wrapper)
	b = appendTextOrNull(append(b, `,"legal_structure":`...), a.LegalStructure)
	b = appendTextOrNull(append(b, `,"tax_form":`...), a.TaxForm)
	b = transport.AppendText(append(b, `,"tax_evidence":`...), taxEvidence(a))
	b = number.Append(append(b, `,"leverage":`...), a.Leverage)
	b = strconv.AppendBool(append(b, `,"inverse":`...), a.Inverse)
	b = strconv.AppendBool(append(b, `,"hedged":`...), a.Hedged)
	b = appendTextOrNull(append(b, `,"issuer":`...), a.Issuer)
	b = appendTexts(append(b, `,"tags":`...), a.Tags)
	b = appendNumberOrNull(append(b, `,"market_cap":`...), a.MarketCap)
	b = appendNumberOrNull(append(b, `,"aum":`...), a.AUM)
	b = appendNumberOrNull(append(b, `,"expense_ratio":`...), a.ExpenseRatio)
	b = transport.AppendDate(append(b, `,"inception_date":`...), a.InceptionDate)
	b = transport.AppendDate(append(b, `,"first_price_date":`...), a.FirstPriceDate)
	b = transport.AppendDate(append(b, `,"last_price_date":`...), a.LastPriceDate)
	b = transport.AppendText(append(b, `,"price_coverage":`...), a.Coverage())
	b = strconv.AppendBool(append(b, `,"delisted":`...), a.Delisted)
	b = append(b, `,"backfill":`...)
	if rule == nil {
		b = append(b, "null"...)
	} else {
		var err error
		if b, err = transport.AppendValue(b, backfillBodyOf(rule)); err != nil {
			return nil, err
		}
	}
	b = appendTextOrNull(append(b, `,"isin":`...), a.ISIN)
	return appendTextOrNull(append(b, `,"summary":`...), a.Summary), nil
}

func appendFacets(b []byte, f *catalog.Facets) []byte {
	b = append(b, '{')
	for _, field := range []struct {
		name   string
		counts []catalog.Count
	}{
		{"type", f.Type}, {"asset_class", f.AssetClass}, {"exchange", f.Exchange}, {"sector", f.Sector},
		{"tax_form", f.TaxForm}, {"legal_structure", f.LegalStructure}, {"country", f.Country}, {"domicile", f.Domicile}, {"issuer", f.Issuer},
		{"leverage", f.Leverage},
	} {
		b = append(transport.AppendText(b, field.name), ':')
		b = append(appendCounts(b, field.counts), ',')
	}
	b = append(b, `"tags":{`...)
	for i, d := range f.Tags {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendCounts(append(transport.AppendText(b, d.Name), ':'), d.Values)
	}
	return append(b, `}}`...)
}

func appendCounts(b []byte, counts []catalog.Count) []byte {
	b = append(b, '{')
	for i, c := range counts {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(transport.AppendText(b, c.Value), ':'), int64(c.N), 10)
	}
	return append(b, '}')
}

func appendTextOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return transport.AppendText(b, s)
}

func appendTexts(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = transport.AppendText(b, s)
	}
	return append(b, ']')
}

func appendNumberOrNull(b []byte, x *float64) []byte {
	if x == nil {
		return append(b, "null"...)
	}
	return number.Append(b, *x)
}
