package catalog_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/catalog"
	"ballast/catalog/tablefile"
	"ballast/internal/fault"
	"ballast/storage/duck"
)

// listings is a store of the merged listings.
type listings struct {
	stored map[string]*catalog.Listing
}

func (s *listings) MergeListings(
	_ context.Context, symbols []string, merge func(map[string]*catalog.Listing) ([]*catalog.Listing, error), _ func(done, total int),
) (added, changed int, err error) {
	known := map[string]*catalog.Listing{}
	for _, symbol := range symbols {
		if l := s.stored[symbol]; l != nil {
			kept := *l
			known[symbol] = &kept
		}
	}
	out, err := merge(known)
	for _, l := range out {
		if s.stored[l.Symbol] == nil {
			added++
		} else {
			changed++
		}
		s.stored[l.Symbol] = l
	}
	return added, changed, err
}

// bring imports a string as a file.
func (s *listings) bring(t *testing.T, name, text string, o catalog.ImportOptions) (*catalog.ImportReport, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(t.Context(), duck.Config{TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return catalog.Import(t.Context(), tablefile.At(path, db), s, o)
}

// Files complement each other: a blank erases nothing, in whatever order files are
// imported.
func TestImportsAddToEachOther(t *testing.T) {
	t.Parallel()
	s := &listings{stored: map[string]*catalog.Listing{}}
	for i, step := range []struct {
		file             string
		added, changed   int
		unchanged, again int
	}{
		{"symbol,name,delisted,market_cap\nAAA,ProShares Ultra Gold,true,\nBBB,Bbb Inc.,,Large Cap\n", 2, 0, 0, 0},
		{"symbol,name,expense_ratio_pct,tax_form\naaa,,0.95,K1\nBBB,,,\nCCC,Ccc,,\nccc,,1,\n", 1, 1, 1, 1},
		{"symbol,name,expense_ratio,tax_form,delisted\nAAA,ProShares Ultra Gold,,,\n", 0, 0, 1, 0},
		{"symbol,name,delisted\nAAA,,no\n", 0, 1, 0, 0},
	} {
		r, err := s.bring(t, "etfs.csv", step.file, catalog.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Added != step.added || r.Changed != step.changed || r.Unchanged != step.unchanged || r.Repeated != step.again {
			t.Errorf("file %d: %+v", i, r)
		}
	}
	a := s.stored["AAA"]
	if a.Name != "ProShares Ultra Gold" || a.ExpenseRatio == nil || *a.ExpenseRatio != 0.0095 || a.Delisted || a.Leverage != 2 {
		t.Errorf("%+v", a)
	}
	if a.TaxForm != "k1" || a.TaxEvidence != "stated" {
		t.Errorf("the stated tax form is %q, %s", a.TaxForm, a.TaxEvidence)
	}
	if d := cmp.Diff([]string{"size:large"}, s.stored["BBB"].Tags); d != "" || s.stored["BBB"].MarketCap != nil {
		t.Errorf("a band: %s", d)
	}
	if c := s.stored["CCC"]; c.Name != "Ccc" || *c.ExpenseRatio != 0.01 {
		t.Errorf("rows of one symbol: %+v", c)
	}
}

func TestImportRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, file, text, mapping, want string }{
		{"no symbol", "etfs.csv", "simbol,name\nA,a\n", "", `no symbol or ticker column (did you mean "simbol"?); it has simbol, name`},
		{"no type", "list.csv", "symbol\nA\n", "", "set --type"},
		{"no rows", "etfs.csv", "symbol\n", "", "no row with a symbol"},
		{"empty", "etfs.csv", "", "", "is empty"},
		{"unknown field", "etfs.csv", "symbol\nA\n", "columns: {isn: ISIN}", `unknown field "isn" (did you mean "isin"?)`},
		{"unknown column", "etfs.csv", "symbol,Isin Code\nA,x\n", "columns: {isin: isin_kode}", `"isin_kode", which etfs.csv does not have`},
		{"unknown section", "etfs.csv", "symbol\nA\n", "colums: {}", "field colums not found"},
		{"unknown type", "list.csv", "symbol\nA\n", "type: etff", `unknown type "etff"; accepted are etf, fund, stock, crypto (did you mean "etf"?)`},
		{"UTF-16", "etfs.csv", "\xff\xfes\x00y\x00", "", "etfs.csv is in UTF-16. Save it in UTF-8"},
		{"unclosed quote", "etfs.csv", "symbol,name\nA,\"a\nB,b\nC,c\n", "", "etfs.csv, line "},
		{"values of nothing", "etfs.csv", "symbol\nA\n", "values: {sector: {a: b}}", "no column of"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var o catalog.ImportOptions
			var err error
			if test.mapping != "" {
				o.Mapping, err = catalog.ParseMapping("m.yaml", []byte(test.mapping))
			}
			if err == nil {
				_, err = (&listings{stored: map[string]*catalog.Listing{}}).bring(t, test.file, test.text, o)
			}
			if fault.TypeOf(err) != fault.InvalidBody || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func FuzzParseMapping(f *testing.F) {
	f.Add([]byte("type: etf\ncolumns: {symbol: Ticker, isin: null}\nvalues: {type: {a: etf}}"))
	f.Add([]byte("columns: [a]"))
	f.Fuzz(func(_ *testing.T, text []byte) {
		if _, err := catalog.ParseMapping("m.yaml", text); err != nil && fault.TypeOf(err) != fault.InvalidBody {
			panic(err)
		}
	})
}
