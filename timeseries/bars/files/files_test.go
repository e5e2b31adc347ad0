package files_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"ballast/internal/fault"
	"ballast/timeseries"
	"ballast/timeseries/bars/files"
)

// write writes a file into a folder of the test.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// read returns a file's rows as lines of symbol, date and the numbers present, and its
// problems.
func read(ctx context.Context, path string, o files.Options) (rows, problems []string, f *files.File, err error) {
	f, err = files.Open(ctx, path, o)
	if err != nil {
		return nil, nil, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	records := f.Records(ctx)
	defer records.Release()
	for records.Next() {
		r := records.RecordBatch()
		for i := range int(r.NumRows()) {
			line := r.Column(2).(*array.String).Value(i)
			if days := r.Column(3).(*array.Date32); days.IsValid(i) {
				line += " " + timeseries.Date(days.Value(i)).String()
			}
			for c := 4; c < int(r.NumCols()); c++ {
				if values := r.Column(c).(*array.Float64); values.IsValid(i) {
					if x := values.Value(i); math.IsNaN(x) || math.IsInf(x, 0) {
						return nil, nil, f, fmt.Errorf("%s is %v", r.ColumnName(c), x)
					}
					line += fmt.Sprintf(" %s=%v", r.ColumnName(c), values.Value(i))
				}
			}
			rows = append(rows, strings.ReplaceAll(line, "adj_close", "adj"))
		}
	}
	for _, kind := range []files.Kind{files.MalformedRow, files.BadDate, files.BadNumber} {
		listed, _ := f.Problems(kind)
		for _, p := range listed {
			problems = append(problems, fmt.Sprintf("%s %s %s: %s", p.Kind, p.Symbol, p.Date, p.Message))
		}
	}
	return rows, problems, f, records.Err()
}

func TestFilesPeopleHave(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		file     string // prices.csv if empty
		content  string
		options  files.Options
		want     []string
		problems []string
		adjusted bool // closes are read as adjusted ones, and the file says why
		wide     bool
	}{
		{name: "long", content: "symbol,date,close,adj_close,dividend,split\nSPY,2024-01-02,10,9.5,,0\nspy,2024-01-03,11,10.5,0.1,2\n",
			want: []string{"SPY 2024-01-02 close=10 adj=9.5 dividend=0 split=1", "SPY 2024-01-03 close=11 adj=10.5 dividend=0.1 split=2"}},
		{name: "Yahoo's download", file: "SPY.csv", content: "Date,Open,High,Low,Close,Adj Close,Volume\n2024-01-02,1,1,1,10,9.5,900\n2024-01-03,null,null,null,null,null,null\n",
			want: []string{"SPY 2024-01-02 close=10 adj=9.5", "SPY 2024-01-03"}},
		{name: "a second download of Yahoo's", file: "^GSPC (1).csv", content: "Date,Open,High,Low,Close,Adj Close,Volume\n2024-01-02,1,1,1,10,9.5,900\n",
			want: []string{"^GSPC 2024-01-02 close=10 adj=9.5"}},
		{name: "a symbol with a dot", file: "BRK.B.csv.gz", content: "Date,Close\n2024-01-02,10\n", want: []string{"BRK.B 2024-01-02 close=10"}},
		{name: "yfinance, one symbol, three header rows",
			content: "Price,Close,High,Low,Open,Volume\nTicker,SPY,SPY,SPY,SPY,SPY\nDate,,,,,\n2024-01-02,472.65,473,470,472,100\n2024-01-03,468.79,471,468,470,100\n",
			want:    []string{"SPY 2024-01-02 adj=472.65", "SPY 2024-01-03 adj=468.79"}, adjusted: true, wide: true},
		{name: "yfinance, symbols, with adjusted closes",
			content: "Price,Adj Close,Adj Close,Close,Close,Volume,Volume\nTicker,AGG,LOW,AGG,LOW,AGG,LOW\nDate,,,,,,\n2024-01-02,9,19,10,20,5,5\n2024-01-03,9.1,,10.1,,5,\n",
			want:    []string{"AGG 2024-01-02 close=10 adj=9", "LOW 2024-01-02 close=20 adj=19", "AGG 2024-01-03 close=10.1 adj=9.1"}, wide: true},
		{name: "yfinance of before, without names of the levels",
			content: ",Adj Close,Adj Close,Close,Close\n,AGG,SPY,AGG,SPY\nDate,,,,\n2024-01-02,9,19,10,20\n",
			want:    []string{"AGG 2024-01-02 close=10 adj=9", "SPY 2024-01-02 close=20 adj=19"}, wide: true},
		{name: "yfinance grouped by ticker",
			content: "Ticker,SPY,SPY,OPEN,OPEN\nPrice,Open,Close,Open,Close\nDate,,,,\n2024-01-02,1,10,2,20\n",
			want:    []string{"SPY 2024-01-02 adj=10", "OPEN 2024-01-02 adj=20"}, adjusted: true, wide: true},
		{name: "yfinance, two header rows", content: "Price,Close,High\nTicker,SPY,SPY\n2024-01-02,10,11\n", want: []string{"SPY 2024-01-02 adj=10"}, adjusted: true, wide: true},
		{name: "pandas, two levels of closes", content: ",close,close\nticker,AGG,SPY\ndate,,\n2024-01-02,10,20\n",
			want: []string{"AGG 2024-01-02 close=10", "SPY 2024-01-02 close=20"}, wide: true},
		{name: "yfinance's history, whose closes are adjusted", file: "spy.csv",
			content: "Date,Open,High,Low,Close,Volume,Dividends,Stock Splits,Capital Gains\n2024-01-02 00:00:00-05:00,1,1,1,10,5,0.5,2.0,0\n",
			want:    []string{"SPY 2024-01-02 adj=10"}, adjusted: true},
		{name: "Stooq's download", file: "spy_us_d.csv", content: "Date,Open,High,Low,Close,Volume\r\n2024-01-02,1,1,1,10,5\r\n", want: []string{"SPY 2024-01-02 close=10"}},
		{name: "Stooq's archive", file: "spy.us.txt",
			content: "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>\r\nSPY.US,D,20240102,000000,1,1,1,10,5,0\r\nVOD.UK,D,20240102,000000,1,1,1,20,5,0\r\n",
			want:    []string{"SPY 2024-01-02 adj=10", "VOD.UK 2024-01-02 adj=20"}, adjusted: true},
		{name: "wide", content: "Date,SPY,AGG\n2024-01-02,10,\n2024-01-03,11,N/A\n2024-01-04,-,20\n",
			want: []string{"SPY 2024-01-02 adj=10", "SPY 2024-01-03 adj=11", "AGG 2024-01-04 adj=20"}, adjusted: true, wide: true},
		{name: "wide closes", content: "Date,SPY,AGG\n2024-01-02,10,20\n", options: files.Options{Wide: files.Close},
			want: []string{"SPY 2024-01-02 close=10", "AGG 2024-01-02 close=20"}, wide: true},
		{name: "wide returns", content: "Date,SPY\n2024-01-02,-0.01\n", options: files.Options{Wide: files.TotalReturn}, want: []string{"SPY 2024-01-02 total_return=-0.01"}, wide: true},
		{name: "semicolons and decimal commas", content: "Symbol;Datum;Date;Close\nSPY;x;31.12.2023;1.234,5\nSPY;x;02.01.2024;98\nSPY;x;03.01.2024;1.250\n",
			want: []string{"SPY 2023-12-31 close=1234.5", "SPY 2024-01-02 close=98", "SPY 2024-01-03 close=1250"}},
		{name: "byte order mark, line ends of Windows and empty columns", file: "x.csv", content: "\ufeffDate;Close;;\r\n2024-01-02;10,5;;\r\n\r\n", want: []string{"X 2024-01-02 close=10.5"}},
		{name: "line ends of old Macintoshes", content: "symbol,date,close\rA,2024-01-02,1\rA,2024-01-03,2\r", want: []string{"A 2024-01-02 close=1", "A 2024-01-03 close=2"}},
		{name: "UTF-16", content: utf16LE("symbol\tdate\tclose\r\nÄ\t2024-01-02\t1\r\n"), want: []string{"Ä 2024-01-02 close=1"}},
		{name: "months first", content: "symbol,date,close\nA,1/31/2024,1\nA,2/1/2024 16:00:00,2\n", want: []string{"A 2024-01-31 close=1", "A 2024-02-01 close=2"}},
		{name: "months first, as is said", content: "symbol,date,close\nA,01/02/2024,1\n", options: files.Options{Dates: files.MonthFirst}, want: []string{"A 2024-01-02 close=1"}},
		{name: "the order of dates shows late", content: "symbol,date,close\n" + strings.Repeat("A,01/02/2024,1\n", 3000) + "A,13/02/2024,1\n",
			want: append(repeat("A 2024-02-01 close=1", 3000), "A 2024-02-13 close=1")},
		{name: "months in words", content: "symbol,date,close\nA,02-Jan-2024,1\nA,\"Jan 3, 2024\",2\n", want: []string{"A 2024-01-02 close=1", "A 2024-01-03 close=2"}},
		{name: "thousands in quotes", content: "symbol,date,close\nA,2024-01-02,\"1,234\"\nA,2024-01-03,\"1,234.50\"\n", want: []string{"A 2024-01-02 close=1234", "A 2024-01-03 close=1234.5"}},
		{name: "spaces and apostrophes", content: "symbol;date;close\nA;2024-01-02;1 234,5\nA;2024-01-03;1\u202f234,5\nA;2024-01-04;1'234,5\n",
			want: []string{"A 2024-01-02 close=1234.5", "A 2024-01-03 close=1234.5", "A 2024-01-04 close=1234.5"}},
		{name: "decimal commas, as is said", content: "symbol;date;close\nA;2024-01-02;1,234\n", options: files.Options{Decimal: ","}, want: []string{"A 2024-01-02 close=1.234"}},
		{name: "small numbers of a spreadsheet", content: "symbol;date;close\nA;2024-01-02;0,125\nA;2024-01-03;1,5E-05\n", want: []string{"A 2024-01-02 close=0.125", "A 2024-01-03 close=1.5e-05"}},
		{name: "only some symbols", content: "symbol,date,close\nA,2024-01-02,1\nB,soon,many\nC,2024-01-02,3\n", options: files.Options{Only: map[string]bool{"A": true, "C": true}},
			want: []string{"A 2024-01-02 close=1", "C 2024-01-02 close=3"}},
		{name: "cells that are nothing", content: "symbol,date,close\nA,45293,1\nA,1704153600,1\nA,2024-02-30,1\nA,1/2/24,1\nA,1234-01-02,1\nA,2024-01-02,12x\nA,2024-01-02\nA,2024-01-02,1,2\nA,2024-01-03,\"x\"y\n",
			want: []string{"A close=1", "A close=1", "A close=1", "A close=1", "A close=1", "A 2024-01-02"},
			problems: []string{
				`malformed_row  : line 8 has fewer cells than the header`, `malformed_row  : line 9 has more cells than the header`,
				`malformed_row  : line 10: a quote is unclosed or misplaced`,
				`bad_date A : line 2: "45293" is a count of days or seconds, not a date; format the column as YYYY-MM-DD and save the file again`,
				`bad_date A : line 3: "1704153600" is a count of days or seconds, not a date; format the column as YYYY-MM-DD and save the file again`,
				`bad_date A : line 4: "2024-02-30" is not a calendar date`,
				`bad_date A : line 5: "1/2/24" has a two-digit year; write all four digits`,
				`bad_date A 1234-01-02: outside 1885 to 2100`,
				`bad_number A 2024-01-02: close "12x" is not a finite number`,
			}},
		{name: "groups that are none", content: "symbol,date,close\nA,2024-01-02,1.5\nA,2024-01-03,\"12,34\"\nA,2024-01-04,\"1,2345\"\n", options: files.Options{Decimal: "."},
			want:     []string{"A 2024-01-02 close=1.5", "A 2024-01-03", "A 2024-01-04"},
			problems: []string{`bad_number A 2024-01-03: close "12,34" is not a finite number`, `bad_number A 2024-01-04: close "1,2345" is not a finite number`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			name := test.file
			if name == "" {
				name = "prices.csv"
			}
			content := test.content
			if strings.HasSuffix(name, ".gz") {
				content = gzipped(t, content)
			}
			rows, problems, f, err := read(t.Context(), write(t, name, content), test.options)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.want, rows); d != "" {
				t.Errorf("rows (-want +got):\n%s", d)
			}
			if d := cmp.Diff(test.problems, problems); d != "" {
				t.Errorf("problems (-want +got):\n%s", d)
			}
			if (f.AssumedAdjusted() != "") != test.adjusted || f.Wide() != test.wide {
				t.Errorf("adjusted %q, wide %v", f.AssumedAdjusted(), f.Wide())
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	long := "symbol,date,close\nA,2024-01-02,1\n"
	for _, test := range []struct {
		name, file, content string
		options             files.Options
		want                []string
	}{
		{name: "a workbook", file: "prices.xlsx", content: zipped(t, "[Content_Types].xml", "<x/>", "xl/workbook.xml", "<x/>"), want: []string{"prices.xlsx is an Excel workbook", "CSV UTF-8"}},
		{name: "an old workbook", file: "prices.xls", content: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("x", 600), want: []string{"is an Excel workbook", "save the sheet as CSV"}},
		{name: "a spreadsheet", content: zipped(t, "mimetype", "x", "content.xml", "<x/>"), want: []string{"is a spreadsheet"}},
		{name: "many in one archive", content: zipped(t, "a.csv", long, "b.csv", long), want: []string{"holds 2 files", "unpack it"}},
		{name: "a page", content: "<!DOCTYPE html><html>", want: []string{"is a web page"}},
		{name: "JSON", content: `{"a": 1}`, want: []string{"is JSON"}},
		{name: "dates that mean two days", content: "symbol,date,close\nA,01/02/2024,1\nA,02/02/2024,1\n", want: []string{"01/02/2024", "--dates dmy", "--dates mdy"}},
		{name: "dotted dates that mean two days", content: "symbol,date,close\nA,01.02.2024,1\n", want: []string{"01.02.2024", "--dates dmy"}},
		{name: "dates of both orders", content: "symbol,date,close\nA,31/01/2024,1\nA,01/31/2024,1\n", want: []string{"31/01/2024", "01/31/2024", "YYYY-MM-DD"}},
		{name: "numbers that mean two", content: "symbol;date;close\nA;2024-01-02;1,234\nA;2024-01-03;2,345\n", want: []string{"1,234", "--decimal ,", "--decimal ."}},
		{name: "numbers of both kinds", content: "symbol;date;close\nA;2024-01-02;1,5\nA;2024-01-03;1.5\n", want: []string{"(1.5)", "(1,5)"}},
		{name: "bars of a minute", content: "<TICKER>,<PER>,<DATE>,<TIME>,<CLOSE>\nSPY.US,5,20240102,100000,1\n", want: []string{`the period is "5"`, "daily"}},
		{name: "a name that is no symbol", file: "SPY price history.csv", content: "Date,Close\n2024-01-02,1\n", want: []string{"no symbol column", "SPY.csv"}},
		{name: "an option of wide files", content: long, options: files.Options{Wide: files.Close}, want: []string{"not wide"}},
		{name: "an option without a meaning", content: long, options: files.Options{Dates: "ymd"}, want: []string{"accepted are dmy and mdy"}},
		{name: "a quote that is not closed", content: "symbol,date,close\n\"" + strings.Repeat("A,2024-01-02,1\n", 400_000), want: []string{"an unclosed quote"}},
		{name: "one symbol twice", content: "Price,Close,Close\nTicker,SPY,SPY\nDate,,\n2024-01-02,1,2\n", want: []string{"SPY has two columns"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			name := test.file
			if name == "" {
				name = "prices.csv"
			}
			_, _, _, err := read(t.Context(), write(t, name, test.content), test.options)
			if fault.TypeOf(err) != fault.InvalidBody {
				t.Fatalf("err = %v", err)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("err = %v, want %q", err, want)
				}
			}
		})
	}
}

// A file gives the same rows however it is packed, and progress ends at its size.
func TestPacking(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("symbol,date,close\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "A,%s,%d\n", timeseries.Date(i-5000), 1+i%100)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	want, _, _, err := read(t.Context(), write(t, "a.csv", b.String()), files.Options{})
	if err != nil || len(want) != 20_000 {
		t.Fatalf("%d rows, %v", len(want), err)
	}
	for name, content := range map[string]string{
		"a.csv": b.String(), "a.csv.gz": gzipped(t, b.String()), "a.csv.zst": string(encoder.EncodeAll([]byte(b.String()), nil)),
		"a.zip": zipped(t, "prices/", "", "prices/a.csv", b.String(), "__MACOSX/._a.csv", "x"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var last, total int64
			got, _, _, err := read(t.Context(), write(t, name, content), files.Options{Progress: func(done, of int64) {
				if done < last || done > of {
					t.Errorf("%d of %d after %d", done, of, last)
				}
				last, total = done, of
			}})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if total != int64(len(content)) || float64(last) < 0.98*float64(total) {
				t.Errorf("progress ended at %d of %d, want %d", last, total, len(content))
			}
			if name != "a.csv" {
				_, _, _, err := read(t.Context(), write(t, name, content[:len(content)/2]), files.Options{})
				if fault.TypeOf(err) != fault.InvalidBody || !strings.Contains(err.Error(), "download it again") {
					t.Errorf("cut off: %v", err)
				}
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"symbol,date,close\nA,2024-01-02,1\n", "Price,Close\nTicker,SPY\nDate,\n2024-01-02,1\n", "Date;SPY\n31.12.2023;1.234,5\n",
		"<TICKER>,<PER>,<DATE>,<CLOSE>\nSPY.US,D,20240102,1\n", "\xff\xfes\x00", "PK\x03\x04", "\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh9", "a,\"\n", "date\rx\r",
	} {
		f.Add([]byte(seed), "")
		f.Add([]byte(seed), ",")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content []byte, decimal string) {
		if len(content) > 1<<16 {
			return
		}
		path := filepath.Join(dir, "fuzz.csv")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, _, err := read(t.Context(), path, files.Options{
			Decimal: decimal, Dates: files.DayFirst, Parquet: func(context.Context, string) (files.Table, error) {
				return nil, fault.New(fault.InvalidBody, "not here")
			},
		})
		if err != nil && fault.TypeOf(err) != fault.InvalidBody {
			t.Fatal(err)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("symbol,date,close,adj_close,dividend,split\n")
	for i := range 100_000 {
		fmt.Fprintf(&text, "S%d,%s,%.2f,%.5f,0,1\n", i/5000, timeseries.Date(10_000+i%5000), 100+float64(i%1000)/7, 90+float64(i%1000)/7)
	}
	path := write(b, "prices.csv", text.String())
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		f, err := files.Open(b.Context(), path, files.Options{})
		if err != nil {
			b.Fatal(err)
		}
		records := f.Records(b.Context())
		for records.Next() {
		}
		if err := errors.Join(records.Err(), f.Close()); err != nil {
			b.Fatal(err)
		}
		records.Release()
	}
}

func repeat(line string, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = line
	}
	return lines
}

func utf16LE(text string) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		b.Write([]byte{byte(u), byte(u >> 8)})
	}
	return b.String()
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zipped creates an archive from names and contents in turn.
func zipped(t testing.TB, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		w, err := z.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
