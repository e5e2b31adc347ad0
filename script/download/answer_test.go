package download_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/script"
	"ballast/timeseries"
)

// executed is what a script of tables, scalars and figures gave in the service, and the
// download's command.
type executed struct {
	out     string // the folder for the download's files
	request request
	answer  *script.Answer
	log     []string
	err     error
}

// dailyMarket draws prices of members over some years, as a frame and as a file. Each
// begins later than the one before. Those called E and later trade on the same days.
func dailyMarket(t *testing.T, r *rand.Rand, keys ...string) (*timeseries.Frame, string) {
	t.Helper()
	var sources []timeseries.Source
	var b strings.Builder
	b.WriteString("date,symbol,price\n")
	first := timeseries.NewDate(2001, 1, 1) + timeseries.Date(r.IntN(40))
	for i, key := range keys {
		s := timeseries.Series{Base: timeseries.NoDate}
		price, before := 100.0, 0.0
		for d := first + timeseries.Date(r.IntN(50)*i); d < first+2600; d++ {
			missing := r.IntN(60) == 0
			if key >= "E" { // from E on, members trade on the same days
				missing = int(d)%61 == 0
			}
			if day := d.Weekday(); day == 0 || day == 6 || missing {
				continue
			}
			price *= 1 + 0.0004 + 0.01*r.NormFloat64()
			fmt.Fprintf(&b, "%s,%s,%v\n", d, key, price)
			if s.Empty() {
				s.Base = d
			} else {
				s.Dates, s.Returns = append(s.Dates, d), append(s.Returns, price/before-1)
			}
			before = price
		}
		sources = append(sources, timeseries.Source{Key: key, Series: s})
	}
	frame, err := timeseries.Align(sources)
	if err != nil {
		t.Fatal(err)
	}
	return frame, b.String()
}

// compare holds the download's result, log and files to the service's answer.
func (s *executed) compare(t *testing.T, c *closeness, got answer) {
	if s.err != nil || got.Code != 0 {
		t.Fatalf("the service ends with %v, the download with %d: %s", s.err, got.Code, got.Errors)
	}
	var p struct {
		Scalars map[string]struct {
			Value       *float64
			Unit, Title string
		}
		Tables map[string]struct {
			Rows    int
			Columns map[string][]any
		}
		Figures []script.Figure
	}
	if err := json.Unmarshal([]byte(got.Out), &p); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s.answer.Figures, p.Figures); diff != "" {
		t.Error(diff)
	}
	if len(p.Scalars) != len(s.answer.Scalars) {
		t.Errorf("%d scalars, and %d in the download", len(s.answer.Scalars), len(p.Scalars))
	}
	for _, want := range s.answer.Scalars {
		x := p.Scalars[want.Name]
		if x.Unit != want.Unit || x.Title != want.Title {
			t.Errorf("%s is %q in %s, and in the download %q in %s", want.Name, want.Title, want.Unit, x.Title, x.Unit)
		}
		c.near(t, want.Name, float64(want.Value), valueOf(x.Value), 1e-3)
	}
	if len(p.Tables) != len(s.answer.Tables) {
		t.Errorf("%d tables, and %d in the download", len(s.answer.Tables), len(p.Tables))
	}
	for _, table := range s.answer.Tables {
		numbers := map[string][]float64{}
		for _, column := range table.Columns {
			numbers[column.Name] = column.Numbers
			if column.Texts != nil {
				delete(numbers, column.Name)
				texts := make([]any, len(column.Texts))
				for i, text := range column.Texts {
					texts[i] = text
				}
				if diff := cmp.Diff(texts, p.Tables[table.Name].Columns[column.Name]); diff != "" {
					t.Errorf("%s: %s", table.Name, diff)
				}
				delete(p.Tables[table.Name].Columns, column.Name)
			}
			for _, d := range column.Dates {
				value := float64(d)
				if d == timeseries.NoDate {
					value = math.NaN()
				}
				numbers[column.Name] = append(numbers[column.Name], value)
			}
		}
		if p.Tables[table.Name].Rows != table.Rows() {
			t.Errorf("%s: %d rows, and %d in the download", table.Name, table.Rows(), p.Tables[table.Name].Rows)
		}
		c.table(t, table.Name, numbers, p.Tables[table.Name].Columns)
		s.file(t, table)
	}
	var log []string
	for line := range strings.Lines(got.Errors) {
		log = append(log, strings.TrimSuffix(strings.TrimPrefix(line, "log: "), "\n"))
	}
	if diff := cmp.Diff(s.log, log); diff != "" {
		t.Error(diff)
	}
}

// file checks the header and the length of a table's file.
func (s *executed) file(t *testing.T, table script.Table) {
	f, err := os.Open(filepath.Join(s.out, table.Name+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, column := range table.Columns {
		names = append(names, column.Name)
	}
	if diff := cmp.Diff(names, rows[0]); diff != "" || len(rows) != table.Rows()+1 {
		t.Errorf("%s.csv has %d rows: %s", table.Name, len(rows), diff)
	}
}
