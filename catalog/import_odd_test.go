package catalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
)

// Values that cannot be right are left out or blank, and counted.
func TestImportOfOddFields(t *testing.T) {
	t.Parallel()
	s := &listings{stored: map[string]*catalog.Listing{}}
	text := "symbol,name,expense_ratio,leverage,aum\n" +
		"=CMD|X,formula,,,\n../ETC,path,,,\n" + strings.Repeat("X", 41) + ",long,,,\nA🚀,rocket,,,\n" +
		"RT WI@S.QA,Fine,0.01,2,1e9\n" +
		"BBB,Soci\xe9t\xe9,5,1e300,1e308\n" +
		"CCC," + strings.Repeat("n", 2000) + ",,,\n"
	r, err := s.bring(t, "etfs.csv", text, catalog.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, m := range r.Refused {
		refused += m.Rows
	}
	if r.Added != 3 || refused != 4 {
		t.Errorf("%+v", r)
	}
	var doubts []string
	for _, m := range r.Doubts {
		doubts = append(doubts, m.Text)
	}
	want := []string{
		"aum is not a number from 0 to 1e+15; left blank", "expense_ratio is not a number from 0 to 1; left blank",
		"leverage is not a number from -100 to 100; left blank", "name is longer than 1000 bytes; left blank", "name is not in UTF-8; left blank",
	}
	if d := cmp.Diff(want, doubts); d != "" {
		t.Error(d)
	}
	if b := s.stored["BBB"]; b.Name != "BBB" || b.ExpenseRatio != nil || b.Leverage != 1 || b.AUM != nil {
		t.Errorf("%+v", b)
	}
}

// If another asset has taken over a symbol, nothing of the former asset is kept.
func TestImportOfATakenSymbol(t *testing.T) {
	t.Parallel()
	s := &listings{stored: map[string]*catalog.Listing{}}
	stocks := "symbol,name,sector,isin,delisted\nETH,Ethan Allen Interiors Inc.,Consumer Discretionary,US2976021046,true\n" +
		"CEF,Central Fund of Canada,,CA1535011011,\n"
	etfs := "symbol,name\nETH,Grayscale Ethereum Mini Trust ETF\nCEF,Sprott Physical Trust formerly Central Fund\n"
	for i, step := range []struct {
		file, text string
		want       []string
	}{{"stocks.csv", stocks, nil}, {"etfs.csv", etfs, []string{"ETH"}}, {"etfs.csv", etfs, nil}} {
		if i == 1 {
			s.stored["ETH"].ID, s.stored["ETH"].FirstPriceDate = "asset_eth", 9
		}
		r, err := s.bring(t, step.file, step.text, catalog.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(step.want, r.Replaced); d != "" {
			t.Errorf("import %d: %s", i, d)
		}
	}
	eth := s.stored["ETH"]
	if eth.Type != "etf" || eth.Sector != "" || eth.ISIN != "" || eth.Delisted || eth.ID != "asset_eth" || eth.FirstPriceDate != 9 {
		t.Errorf("%+v", eth)
	}
	if cef := s.stored["CEF"]; cef.ISIN == "" {
		t.Errorf("a renamed asset has lost what was known of it: %+v", cef)
	}
}
