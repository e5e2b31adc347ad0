//go:build duckdb_arrow

package importing_test

import (
	"math"
	"testing"

	"ballast/internal/fault"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/importing"
)

func FuzzImportCSV(f *testing.F) {
	for _, s := range []string{
		"symbol,date,adj_close\nA,2024-01-02,1\n", "date,A,B\n2024-01-02,1,\n", ",,\n", "\"", "date\tclose\n1\t2", "symbol,date,close\nA,2024-01-02,\"1\n",
		"symbol,date,close,dividend,split\r\nA,20240102,1e308,1e308,1e308\r\nA,20240103,1e-308,0,1\r\n", "\x1f\x8b\x08\x00", "PAR1PAR1",
		"symbol,date,return\nA,2024-01-02,-1\nA,2024-01-03,-1\n", "symbol;date;close\nÄ;2024-01-02;1\n\xff;2024-01-02;1\n",
	} {
		f.Add([]byte(s))
	}
	m := newMarket(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		m.t = t
		m.clear()
		report, err := m.importer.Import(t.Context(), m.file("fuzz.csv", string(content)), importing.Options{})
		if err != nil {
			if fault.TypeOf(err) != fault.InvalidBody {
				t.Fatalf("%v", err)
			}
			return
		}
		for symbol := range m.store.Symbols() {
			for _, r := range m.load(symbol, bars.Latest).Returns {
				if math.IsNaN(r) || math.IsInf(r, 0) {
					t.Errorf("%s: %v of %+v", symbol, r, report)
				}
			}
		}
		if again := m.mustImport(m.file("fuzz.csv", string(content))); again.Version != report.Version {
			t.Errorf("again: %+v", again)
		}
	})
}
