package classify

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"slices"
	"testing"

	"ballast/internal/testenv"
)

// leastPrecision is the least precision of every field. Recall is measured against the
// known values.
const leastPrecision = 0.97

func TestPrecisionOfEveryField(t *testing.T) {
	t.Parallel()
	check(t, "names, categories and open summaries", labelledListings(t))
}

func TestPrecisionWithAllSummaries(t *testing.T) {
	t.Parallel()
	listings := labelledListings(t)
	summaries := summariesOf(t, "catalog/us_etf_yahoo_2025.csv.gz")
	for i := range listings {
		if listings[i].File == "us_etf_yahoo_2025" {
			listings[i].Listing.Summary = summaries[listings[i].Listing.Symbol]
		}
	}
	check(t, "with every summary", listings)
}

// TestHeldOut prints the accuracy on listings that no rule was written for. They are too
// few for a bound of their own.
func TestHeldOut(t *testing.T) {
	t.Parallel()
	listings := slices.DeleteFunc(labelledListings(t), func(l Labelled) bool { return !l.HeldOut })
	logAccuracy(t, "held out", listings)
	if os.Getenv("CLASSIFY_DIFF") != "" {
		differences(t, listings)
	}
}

func logAccuracy(t *testing.T, of string, listings []Labelled) {
	t.Helper()
	t.Logf("%d listings, %s", len(listings), of)
	for _, a := range Measure(listings, Classify) {
		t.Logf("%-16s precision %.3f  recall %.3f  (%d right, %d wrong, %d missed)", a.Field, a.Precision(), a.Recall(), a.Right, a.Wrong, a.Missed)
	}
}

func check(t *testing.T, of string, listings []Labelled) {
	t.Helper()
	if len(listings) < 400 {
		t.Fatalf("%d labelled listings", len(listings))
	}
	logAccuracy(t, of, listings)
	for _, a := range Measure(listings, Classify) {
		if a.Precision() < leastPrecision {
			t.Errorf("%s: precision %.3f is below %.2f", a.Field, a.Precision(), leastPrecision)
		}
	}
	if os.Getenv("CLASSIFY_DIFF") != "" {
		differences(t, listings)
	}
}

// differences logs every value that differs from the label.
func differences(t *testing.T, listings []Labelled) {
	t.Helper()
	for _, l := range listings {
		c := Classify(l.Listing)
		got := c.values()
		for _, f := range fields[:9] {
			if want := l.Want[f]; want != "?" && got[f] != want {
				t.Logf("%s %s %q: %s is %q, want %q", l.File, l.Listing.Symbol, l.Listing.Name, f, got[f], want)
			}
		}
		for _, tag := range c.Tags {
			if !slices.Contains(l.Tags, tag) && !slices.Contains(l.Maybe, tag) {
				t.Logf("%s %s %q: tag %s is not labelled", l.File, l.Listing.Symbol, l.Listing.Name, tag)
			}
		}
		for _, tag := range l.Tags {
			if !slices.Contains(c.Tags, tag) {
				t.Logf("%s %s %q: tag %s is missed", l.File, l.Listing.Symbol, l.Listing.Name, tag)
			}
		}
	}
}

func labelledListings(t testing.TB) []Labelled {
	t.Helper()
	f, err := os.Open("testdata/labelled.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	listings, err := ReadLabelled(f)
	if err != nil {
		t.Fatal(err)
	}
	return listings
}

// summariesOf reads the summaries of a catalog, by symbol.
func summariesOf(t testing.TB, name string) map[string]string {
	t.Helper()
	f, err := os.Open(testenv.Data(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	symbol, summary := slices.Index(rows[0], "symbol"), slices.Index(rows[0], "summary")
	out := make(map[string]string, len(rows))
	for _, r := range rows[1:] {
		out[r[symbol]] = r[summary]
	}
	return out
}
