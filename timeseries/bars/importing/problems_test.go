//go:build duckdb_arrow

package importing_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/internal/fault"
	"ballast/timeseries/bars/importing"
	"ballast/timeseries/bars/reports"
)

func TestProblems(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		file    string // x.csv if empty
		content string
		want    []string // severity kind symbol date count
	}{
		{name: "clean", content: "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-03,2\n",
			want: []string{"doubt large_change A 2024-01-03 1"}},
		{name: "synonyms, blanks and byte order mark", content: "\ufeff\nTicker;Day;Adj Close;Open\nA;2024-01-02;1;2\na;2024-01-03;1.1;2\n"},
		{name: "timestamps", content: "symbol,date,adj_close\nA,2024-01-02 00:00:00-05:00,1\nA,20240103,1\nA,2024/1/4,1\nA,2024-01-05T00:00:00,1\n"},
		{name: "yahoo without a symbol", file: "spy.csv", content: "Date,Open,High,Low,Close,Adj Close,Volume\n2024-01-02,1,1,1,1,1,9\n2024-01-03,1,1,1,1,1.1,9\n",
			want: []string{"doubt assumed_symbol SPY  1"}},
		{name: "dates", content: "symbol,date,adj_close\nA,soon,1\nA,,1\nA,1066-10-14,1\nA,2024-02-30,1\nA,infinity,1\n",
			want: []string{"error bad_date A  1", "error bad_date A  1", "error bad_date A  1", "error bad_date A  1", "error bad_date A 1066-10-14 1"}},
		{name: "numbers", content: "symbol,date,adj_close,dividend\nA,2024-01-02,abc,0\nA,2024-01-03,inf,0\nA,2024-01-04,1,x\nA,2024-01-05,\"1,55,5\",\n",
			want: []string{"error bad_number A 2024-01-02 1", "error bad_number A 2024-01-03 1", "error bad_number A 2024-01-04 1", "error bad_number A 2024-01-05 1"}},
		{name: "missing prices", content: "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-03,\nA,2024-01-04,null\nA,2024-01-05,NaN\n",
			want: []string{"error missing_price A 2024-01-03 1", "error missing_price A 2024-01-04 1", "error missing_price A 2024-01-05 1"}},
		{name: "prices that are none", content: "symbol,date,close,dividend,split\nA,2024-01-02,0,0,1\nA,2024-01-03,-1,0,1\nA,2024-01-04,1,-1,1\nA,2024-01-05,1,0,-2\n",
			want: []string{"error bad_price A 2024-01-02 1", "error bad_price A 2024-01-03 1", "error bad_price A 2024-01-04 1", "error bad_price A 2024-01-05 1"}},
		{name: "return below everything", content: "symbol,date,return\nA,2024-01-02,0\nA,2024-01-03,-1.5\n",
			want: []string{"error bad_price A 2024-01-03 1"}},
		{name: "duplicates", content: "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-02,1\nA,2024-01-03,1\nA,2024-01-02,1\n",
			want: []string{"doubt duplicate A 2024-01-02 2", "doubt unsorted A 2024-01-03 1"}},
		{name: "conflicting duplicates", content: "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-02,2\n",
			want: []string{"error conflict A 2024-01-02 1"}},
		{name: "unsorted", content: "symbol,date,adj_close\nA,2024-01-03,1\nA,2024-01-02,1\n",
			want: []string{"doubt unsorted A 2024-01-03 1"}},
		{name: "by date is not unsorted", content: "symbol,date,adj_close\nB,2024-01-02,1\nA,2024-01-02,1\nB,2024-01-03,1\nA,2024-01-03,1\n"},
		{name: "gap", content: "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-09,1.1\nA,2024-01-17,1\n",
			want: []string{"doubt gap A 2024-01-17 1"}},
		{name: "holiday", content: "symbol,date,adj_close\nA,2023-12-22,1\nA,2023-12-25,1\nA,2023-12-26,1.1\n",
			want: []string{"doubt holiday_padded A 2023-12-25 1"}},
		{name: "holiday with a price of its own", content: "symbol,date,adj_close\nA,2023-12-22,1\nA,2023-12-25,1.01\nA,2023-12-26,1.1\n"},
		{name: "stray weekend", content: "symbol,date,adj_close\n" + days("A", 40) + "A,2024-01-06,1\n",
			want: []string{"doubt unsorted A 2024-01-08 1", "doubt stray_weekend A 2024-01-06 1"}},
		{name: "split applied already", content: "symbol,date,close,dividend,split\nA,2024-01-02,10,0,0\nA,2024-01-03,10.1,0,4\nA,2024-01-04,10,0,0\n",
			want: []string{"doubt large_change A 2024-01-03 1", "doubt split_twice A 2024-01-03 1"}},
		{name: "as traded split", content: "symbol,date,close,dividend,split\nA,2024-01-02,10,0,1\nA,2024-01-03,2.5,0,4\n"},
		{name: "unknown columns", content: "symbol,date,adj_close,mood\nA,2024-01-02,1,fine\n",
			want: []string{"doubt unknown_column   1"}},
		{name: "ragged", content: "symbol,date,adj_close\nA,2024-01-02\nA,2024-01-03,1,2\nA,2024-01-04,1\n",
			want: []string{"error malformed_row   1", "error malformed_row   1"}},
		{name: "mixed line ends", content: "symbol,date,adj_close\r\nA,2024-01-02,1\nA,2024-01-03,1\r\nA,2024-01-04,1"},
		{name: "quotes", content: "\"symbol\",\"date\",\"adj_close\"\n\"A\",\"2024-01-02\",\"1\"\n"},
		{name: "symbols", content: "symbol,date,adj_close\nCASH,2024-01-02,1\n,2024-01-03,1\nA B,2024-01-04,1\n",
			want: []string{"error bad_symbol   1", "error bad_symbol A B  1", "error bad_symbol CASH  1"}},
		{name: "wide", content: "Date,SPY,AGG\n2024-01-02,1,\n2024-01-03,1.1,5\n2024-01-04,1.2,-5\n",
			want: []string{"doubt assumed_adjusted   1", "error bad_price AGG 2024-01-04 1"}},
		{name: "wide from pandas", content: ",SPY,AGG\n2024-01-02,1,\n2024-01-03,1.1,5\n",
			want: []string{"doubt assumed_adjusted   1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := newMarket(t)
			name := tc.file
			if name == "" {
				name = "x.csv"
			}
			report, err := m.importer.Import(t.Context(), m.file(name, tc.content), importing.Options{})
			var got []string
			for _, p := range report.Problems {
				got = append(got, fmt.Sprintf("%s %s %s %s %d", p.Severity, p.Kind, p.Symbol, p.Date, p.Count))
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("problems (-want +got):\n%s\n%+v", d, report.Problems)
			}
			refused := report.Count(reports.Error) > 0
			if refused != (err != nil) || refused && (fault.TypeOf(err) != fault.InvalidBody || !errors.Is(err, reports.ErrRefused)) {
				t.Errorf("err = %v", err)
			}
			if refused != (len(m.store.Records()) == 0) {
				t.Errorf("%d records", len(m.store.Records()))
			}
		})
	}
}

// days returns weekday rows from 2024-01-02 on with prices 1 and 1.01 in turn.
func days(symbol string, n int) string {
	var b strings.Builder
	for i := 0; n > 0; i++ {
		d := date("2024-01-02") + day(i)
		if w := d.Weekday(); w == 0 || w == 6 || d == date("2024-01-15") || d == date("2024-02-19") {
			continue
		}
		fmt.Fprintf(&b, "%s,%s,%v\n", symbol, d, 1+float64(i%2)/100)
		n--
	}
	return b.String()
}

func TestUnreadableFiles(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	whole := m.file("whole.csv.gz", "symbol,date,adj_close\n"+days("A", 500))
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	damaged := []byte(string(content))
	damaged[len(damaged)/2] ^= 0xff
	for _, tc := range []struct{ name, path, want string }{
		{"missing", filepath.Join(m.dir, "none.csv"), "there is no file"},
		{"folder", m.dir, "is a folder"},
		{"empty", m.file("empty.csv", ""), "is empty"},
		{"blank", m.file("blank.csv", "\n\n"), "is empty"},
		{"empty gzip", m.file("empty.csv.gz", ""), "is empty"},
		{"truncated gzip", m.file("cut.csv", string(content[:len(content)/2])), "is a truncated gzip file"},
		{"truncated gzip trailer", m.file("cut8.csv", string(content[:len(content)-4])), "is a truncated gzip file"},
		{"gzip header alone", m.file("cut2.csv", string(content[:5])), "is a truncated gzip file"},
		{"damaged gzip", m.file("bad.csv", string(damaged)), "damaged gzip"},
		{"truncated Parquet", m.file("cut.parquet", "PAR1abcdefgh"), "not a readable Parquet"},
		{"binary", m.file("x.bin", "\x00\x01\x02\n"), "neither CSV"},
		{"no header", m.file("n.csv", "A,2024-01-02,1\n"), "no date column"},
		{"no price", m.file("p.csv", "symbol,date\nA,2024-01-02\n"), "no price column"},
		{"only what is not read", m.file("o.csv", "date,open,volume\n2024-01-02,1,1\n"), "no price column"},
		{"no rows", m.file("r.csv", "symbol,date,adj_close\n"), "no bars"},
		{"no symbol", m.file("my prices.csv", "date,close\n2024-01-02,1\n"), "no symbol column"},
		{"wide twice", m.file("w.csv", "date,A,a\n2024-01-02,1,1\n"), "two columns"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := m.importer.Import(t.Context(), tc.path, importing.Options{})
			if err == nil || !strings.Contains(err.Error(), tc.want) || fault.TypeOf(err) != fault.InvalidBody {
				t.Errorf("err = %v, want %q", err, tc.want)
			}
		})
	}
	if len(m.store.Records()) != 0 {
		t.Error("something was imported")
	}
	left, err := filepath.Glob(filepath.Join(m.dir, "bars-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestStrict(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	path := m.file("x.csv", "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-03,2\n")
	if _, err := m.importer.Import(t.Context(), path, importing.Options{Strict: true}); fault.TypeOf(err) != fault.InvalidBody || len(m.store.Records()) != 0 {
		t.Errorf("err = %v", err)
	}
}

func TestProblemsAreCapped(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	report, err := m.importer.Import(t.Context(), m.file("x.csv", "symbol,date,adj_close\n"+strings.Repeat("A,soon,1\n", 200)), importing.Options{})
	if err == nil || len(report.Problems) != reports.MaxProblems+1 || report.Count(reports.Error) != 200 {
		t.Errorf("%v: %d problems of %d rows", err, len(report.Problems), report.Count(reports.Error))
	}
}

func TestReportPrints(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	report := m.mustImport(m.file("x.csv", "symbol,date,adj_close\nA,2024-01-02,1\nA,2024-01-03,2\n"))
	var b strings.Builder
	report.Print(&b)
	want := "x.csv: 2 rows, 1 symbols, 2024-01-02 to 2024-01-03\n" +
		"  2 added, 0 changed, 0 unchanged; 1 new symbols, 0 restated; version 1\n" +
		"  doubt: large_change A 2024-01-03: a return of +100.0 %\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}
