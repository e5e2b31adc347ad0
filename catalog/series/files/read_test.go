package files

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ballast/catalog/series"
)

// The first lines are those of F-F_Research_Data_Factors.CSV in Kenneth French's data
// library; the values of the last month are made up.
const french = `This file was created by CMPT_ME_BEME_RETS using the 202412 CRSP database.
The 1-month TBill return is from Ibbotson and Associates, Inc.

,Mkt-RF,SMB,HML,RF
192607,    2.96,   -2.56,   -2.43,    0.22
192608,    2.64,   -1.17,    3.82,    0.25
192609,  -99.99,   -1.40,   -999,    0.23

 Annual Factors: January-December 
,Mkt-RF,SMB,HML,RF
  1927,   29.47,   -2.04,   -4.54,    3.12
  1928,   35.39,    4.51,   -6.17,    3.56

Copyright 2024 Kenneth R. French
`

const dailyFrench = "This file was created by using the 202412 CRSP database.\r\n\r\n,Mkt-RF,RF\r\n19260701,    0.09,   0.01\r\n19260702,    0.45,   0.01\r\n\r\nCopyright 2024 Eugene F. Fama and Kenneth R. French\r\n"

// The forms of 5_Industry_Portfolios.CSV and of Developed_3_Factors.CSV, with a byte order
// mark that an editor has added.
const industries = "\ufeffThis file was created by CMPT_IND_RETS using the 202412 CRSP database.  It contains returns for 5 industry portfolios.  The portfolios are constructed at the end of June.\r\n\r\n" +
	"Missing data are indicated by -99.99 or -999.\r\n\r\n\r\n  Average Value Weighted Returns -- Monthly\r\n,Cnsmr,Hlth ,SMALL LoBM\r\n192607,   5.43,   1.77,   2.13\r\n192608,   2.76,   4.25,   4.35\r\n\r\n" +
	"  Average Equal Weighted Returns -- Monthly\r\n,Cnsmr,Hlth ,SMALL LoBM\r\n192607,   1.43,   0.77,   1.13\r\n192609,   1.43,   0.77,   1.13\r\n"

const developed = "This file was created using the 202412 Bloomberg database.\r\nMissing data are indicated by -99.99.\r\n\r\n\r\n,Mkt-RF,SMB,HML,RF\r\n199007,     0.86,     0.77,    -0.25,     0.68\r\n199008,   -10.82,    -1.60,     0.60,     0.66\r\n\r\n" +
	" Annual Factors: January-December\r\n  ,Mkt-RF,SMB,HML,RF\r\n  1991,    13.34,    -0.50,    -5.22,     5.60\r\n"

func TestFilesThatArePublished(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text      string
		layout    Layout
		frequency series.Frequency
		keys      string
		first     string
		values    []float64 // of the first column
		notes     int
	}{
		"French, monthly":  {french, French, series.Monthly, "Mkt-RF SMB HML RF", "1926-07-01", []float64{2.96, 2.64, math.NaN()}, 1},
		"French, daily":    {dailyFrench, French, series.Daily, "Mkt-RF RF", "1926-07-01", []float64{0.09, 0.45}, 0},
		"French, as text":  {"Text\n\n          Mkt-RF  Lo30\n192607  2.96  1\n192608  2.64  2\n", French, series.Monthly, "Mkt-RF Lo30", "1926-07-01", []float64{2.96, 2.64}, 0},
		"industries":       {industries, French, series.Monthly, "Cnsmr Hlth SMALL_LoBM", "1926-07-01", []float64{5.43, 2.76}, 1},
		"developed":        {developed, French, series.Monthly, "Mkt-RF SMB HML RF", "1990-07-01", []float64{0.86, -10.82}, 1},
		"FRED, empty":      {"observation_date,CPIAUCSL\n2025-09-01,324.368\n2025-10-01,\n2025-11-01,325.031\n", FRED, series.Monthly, "CPIAUCSL", "2025-09-01", []float64{324.368, math.NaN(), 325.031}, 0},
		"FRED, monthly":    {"observation_date,TB3MS\n2024-01-01,5.22\n2024-02-01,.\n2024-03-01,5.24\n", FRED, series.Monthly, "TB3MS", "2024-01-01", []float64{5.22, math.NaN(), 5.24}, 0},
		"FRED, daily":      {"DATE,DGS3MO\n2024-01-02,5.46\n2024-01-03,5.48\n2024-01-04,.\n", FRED, series.Daily, "DGS3MO", "2024-01-02", []float64{5.46, 5.48, math.NaN()}, 0},
		"month ends":       {"date;a b;c\n2024-01-31;0.01;1\n2024-02-29;0.02;2\n\n2024-03-28;;3\n", Plain, series.Monthly, "a_b c", "2024-01-31", []float64{0.01, 0.02, math.NaN()}, 0},
		"days of a month":  {"date,a\n2024-01-30,0.01\n2024-01-31,0.02\n", Plain, series.Daily, "a", "2024-01-30", []float64{0.01, 0.02}, 0},
		"a column unnamed": {"date,a,\n2024-01-30,0.01\n2024-01-31,0.02\n", Plain, series.Daily, "a", "2024-01-30", []float64{0.01, 0.02}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for packing, data := range map[string][]byte{"plain": []byte(c.text), "gzip": gzipped(t, c.text), "zip": zipped(t, c.text)} {
				got, err := Read(data)
				if err != nil {
					t.Fatalf("%s: %v", packing, err)
				}
				if got.Layout != c.layout || got.Frequency != c.frequency || strings.Join(got.Keys, " ") != c.keys || got.Dates[0].String() != c.first || len(got.Notes) != c.notes {
					t.Errorf("%s: read as %s, %s, %v from %s with notes %q", packing, got.Layout, got.Frequency, got.Keys, got.Dates[0], got.Notes)
				}
				for i, want := range c.values {
					if v := got.Columns[0][i]; v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
						t.Errorf("%s: value %d is %v, want %v", packing, i, v, want)
					}
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, says string }{
		"empty":             {"", "no row begins with a date"},
		"no header":         {"2024-01-02,5.46\n", "no line before it names the columns"},
		"text for a number": {"date,a,b\n2024-01-02,1,x\n", `line 2, column 3 (b): "x" is not a number`},
		"infinity":          {"date,a\n2024-01-02,inf\n", "is not a number"},
		"hexadecimal":       {"date,a\n2024-01-02,0x1p-2\n", "is not a number"},
		"a bad date":        {"date,a\n2024-01-02,1\n2024-02-30,1\n", `line 3, column 1: "2024-02-30" is not a date`},
		"a damaged row":     {strings.Replace(french, "192608,", "19260x,", 1), `line 6, column 1: "19260x" is not a date`},
		"too few cells":     {"date,a,b\n2024-01-02,1\n", "line 1 names 3 columns, but line 2 has 2 cells"},
		"a short row":       {"date,a,b\n2024-01-02,1,2\n2024-01-03,1\n", "line 3 has 2 cells; 3 are expected"},
		"annual":            {"date,a\n2023,1\n2024,2\n", "annual values"},
		"quarterly":         {"DATE,GDP\n2023-01-01,1\n2023-04-01,2\n2023-07-01,3\n", "three months or more apart"},
		"quarterly months":  {"date,GDP\n202301,1\n202304,2\n202307,3\n", "three months or more apart"},
		"quarters":          {"DATE,GDP\n2023Q1,1\n2023Q2,2\n", "line 2 has quarterly values"},
		"two of one name":   {"date,a b,A_B\n2024-01-02,1,2\n", "line 1, column 3: a column named A_B comes before"},
		"no text":           {"date,a\x00\n", "not text"},
		"a cut gzip file":   {string(gzipped(t, french)[:40]), "damaged or incomplete"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Read([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("the error is %v, want %q", err, c.says)
			}
		})
	}
}

// FuzzRead checks that any bytes give an error or a table whose columns are as long as
// its dates, within the limits, and that the table written as plain CSV is read back.
func FuzzRead(f *testing.F) {
	for _, text := range []string{french, dailyFrench, industries, developed} {
		f.Add([]byte(text))
		f.Add(gzipped(f, text))
		f.Add(zipped(f, text))
	}
	f.Add([]byte("observation_date,TB3MS\n2024-01-01,5.22\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Read(data)
		if err != nil {
			return
		}
		if len(table.Dates) == 0 || len(table.Dates) > len(data) || len(table.Keys) != len(table.Columns) {
			t.Fatalf("%d dates, %d keys, %d columns", len(table.Dates), len(table.Keys), len(table.Columns))
		}
		for i, c := range table.Columns {
			if len(c) != len(table.Dates) || !series.ValidKey(table.Keys[i]) {
				t.Fatalf("column %q has %d values for %d dates", table.Keys[i], len(c), len(table.Dates))
			}
		}
		again, err := Read([]byte(plain(table)))
		if err != nil || !slices.Equal(again.Keys, table.Keys) || !slices.Equal(again.Dates, table.Dates) {
			t.Fatalf("written and read back: %v, %+v instead of %+v", err, again, table)
		}
		for i, c := range table.Columns {
			if !slices.EqualFunc(c, again.Columns[i], func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }) {
				t.Fatalf("%v was read back as %v", c, again.Columns[i])
			}
		}
	})
}

// plain writes a table as CSV.
func plain(t *Table) string {
	var b strings.Builder
	b.WriteString("day," + strings.Join(t.Keys, ",") + "\n")
	for r, d := range t.Dates {
		b.WriteString(d.String())
		for _, c := range t.Columns {
			b.WriteByte(',')
			if !math.IsNaN(c[r]) {
				b.WriteString(strconv.FormatFloat(c[r], 'g', -1, 64))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("factors.CSV")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
