package folder_test

import (
	"os"
	"path/filepath"
	"testing"

	"ballast/timeseries/bars/provider"
	"ballast/timeseries/bars/provider/folder"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"SPY.csv", "AGG.csv.gz", "AGG.csv", "btc-usd.parquet", "BRK.B.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "DIR.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := folder.New(dir)
	if err != nil {
		t.Fatal(err)
	}
	for symbol, want := range map[string]string{"SPY": "SPY.csv", "AGG": "AGG.csv.gz", "BTC-USD": "btc-usd.parquet", "BRK.B": "BRK.B.csv"} {
		answer, err := f.Bars(t.Context(), provider.Request{Symbol: symbol})
		if err != nil || answer.File != filepath.Join(dir, want) {
			t.Errorf("%s: %+v, %v", symbol, answer, err)
		}
	}
	for _, symbol := range []string{"NOPE", "DIR", "../SPY", "A/B", ".", "..", "", "SPY\x00"} {
		if _, err := f.Bars(t.Context(), provider.Request{Symbol: symbol}); provider.KindOf(err) != provider.Unknown {
			t.Errorf("%q: %v", symbol, err)
		}
	}
	for _, place := range []string{"", filepath.Join(dir, "SPY.csv"), filepath.Join(dir, "nowhere")} {
		if _, err := folder.New(place); err == nil {
			t.Errorf("%q is taken for a folder", place)
		}
	}
}
