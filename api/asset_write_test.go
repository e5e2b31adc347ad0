package api

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/catalog/backfill"
	"ballast/catalog/sample"
	"ballast/internal/number"
	"ballast/program"
	"ballast/program/backfills"
)

// What appendAsset writes is what encoding/json makes of the documented body.
func TestAssetsAreWrittenAsDocumented(t *testing.T) {
	t.Parallel()
	for i, a := range sample.Assets(rand.New(rand.NewPCG(1, 2)), 300) {
		a.Summary += "\x01 \u2028 \xff é <&>"
		var rule *backfills.Backfill
		if i%2 == 1 {
			rule = &backfills.Backfill{ID: "backfill_1", Symbol: a.Symbol, Version: i, Sources: []backfills.Source{
				{Kind: program.MemberModel, ID: "model_1", RunID: "run_1", Symbol: "M", Method: backfill.Beta, Scale: .5, Basis: backfill.Regression},
			}}
		}
		want, err := json.Marshal(assetBodyOf(a, rule))
		if err != nil {
			t.Fatal(err)
		}
		got, err := appendAsset([]byte{'{'}, a, rule)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '}')
		if d := cmp.Diff(object(t, want), object(t, got)); d != "" {
			t.Fatal(d)
		}
	}
}

func object(t *testing.T, text []byte) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v
}

// assetBodyOf is the documented body of a record.
func assetBodyOf(a *catalog.Asset, rule *backfills.Backfill) *AssetBody {
	b := &AssetBody{
		ID: a.ID, Symbol: a.Symbol, Name: a.Name, Type: textOrNull(a.Type), Exchange: textOrNull(a.Exchange),
		Currency: textOrNull(a.Currency), Country: textOrNull(a.Country), Domicile: textOrNull(a.Domicile), Sector: textOrNull(a.Sector),
		Industry: textOrNull(a.Industry), AssetClass: textOrNull(a.AssetClass), Wrapper: textOrNull(a.Wrapper),
		LegalStructure: textOrNull(a.LegalStructure), TaxForm: textOrNull(a.TaxForm), TaxEvidence: a.TaxEvidence,
		Leverage: number.Float(a.Leverage), Inverse: a.Inverse, Hedged: a.Hedged, Issuer: textOrNull(a.Issuer),
		Tags: listed(a.Tags), MarketCap: a.MarketCap, AUM: a.AUM, ExpenseRatio: a.ExpenseRatio,
		InceptionDate: dateOrNull(a.InceptionDate), FirstPriceDate: dateOrNull(a.FirstPriceDate),
		LastPriceDate: dateOrNull(a.LastPriceDate), PriceCoverage: a.Coverage(), Delisted: a.Delisted,
		ISIN: textOrNull(a.ISIN), Summary: textOrNull(a.Summary),
	}
	if rule != nil {
		body := backfillBodyOf(rule)
		b.Backfill = &body
	}
	return b
}
