package syncing

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"

	"ballast/timeseries"
	"ballast/timeseries/bars"
	"ballast/timeseries/bars/provider"
)

// plan decides what to do with the bars of an answer.
type plan struct {
	have    bars.Loaded
	days    []provider.Bar
	differs string // where they disagree with the stored bars; "" if they agree
	owned   bool   // the stored history came from this provider, which may restate it
	replace bool   // the operator asked to replace the stored history
}

// shortest is the least number of stored bars to which new bars are appended. Shorter
// histories are imported whole.
const shortest = 3

// content returns the rows to import: the new bars with the rows that link them to
// the stored ones; all bars if nothing is stored or the history was restated; nil
// if there is nothing to import.
func (p plan) content(symbol string) ([]row, error) {
	series := p.have.Series
	if len(p.days) == 0 {
		return nil, nil
	}
	if series.Empty() {
		return rows(p.days), nil
	}
	if p.differs == "" && p.owned && p.days[0].Date < series.Base {
		p.differs = "the provider's history begins earlier"
	}
	switch {
	case p.differs != "" && !p.owned:
		return nil, &refusal{fmt.Sprintf("The provider's bars of %s disagree with the imported bars (%s), which were kept. To replace them with the provider's, the operator can run: ballast import bars --provider … --symbols %s.",
			symbol, p.differs, symbol)}
	case p.differs != "":
		return rows(p.days), nil
	case p.replace && p.have.Asset.Convention != bars.Adjusted:
		return rows(p.days), nil
	case p.days[len(p.days)-1].Date <= series.Last():
		return nil, nil
	case p.have.Asset.Convention == bars.CloseDividend:
		return nil, &refusal{fmt.Sprintf("The stored bars of %s are unadjusted closes from a file, and no provider can continue them. To replace them with a provider's, the operator can run: ballast import bars --provider … --symbols %s.",
			symbol, symbol)}
	case p.have.Asset.Convention == bars.TotalReturn:
		return p.returns(), nil
	case len(series.Dates)+1 < shortest:
		return rows(p.days), nil
	}
	return p.appended(), nil
}

// row is a line of the file to import; NaN is an empty cell.
type row struct {
	date                                       timeseries.Date
	close, adjusted, dividend, split, returned float64
}

func rows(days []provider.Bar) []row {
	out := make([]row, len(days))
	for i, d := range days {
		out[i] = row{date: d.Date, close: d.Close, adjusted: d.Adjusted, dividend: d.Dividend, split: d.Split, returned: math.NaN()}
	}
	return out
}

// since returns the bars after the last stored one, and the adjusted level of the
// stored history at that point, on the provider's basis.
func (p plan) since() (fresh []provider.Bar, reached provider.Bar) {
	series := p.have.Series
	first := sort.Search(len(p.days), func(i int) bool { return p.days[i].Date > series.Last() })
	reached = p.days[first-1] // at least one, because the series have a day in common
	for i := sort.Search(len(series.Dates), func(i int) bool { return series.Dates[i] > reached.Date }); i < len(series.Dates); i++ {
		reached.Adjusted *= 1 + series.Returns[i]
		reached.Close *= 1 + series.Returns[i]
	}
	return p.days[first:], reached
}

// otherBasis moves adjusted closes to a basis that is not the stored one, without
// rounding, so that the import always scales them back. The import would take two
// bars that happen to be on the stored basis for corrections of stored bars.
const otherBasis = 1 << 20

// appended returns the new bars after two that repeat stored ones. From these two
// the import learns the basis of the new adjusted closes, however the provider has
// rescaled its own since.
func (p plan) appended() []row {
	series := p.have.Series
	fresh, reached := p.since()
	n, none := len(series.Dates), math.NaN()
	out := rows(append([]provider.Bar{
		{Date: series.Dates[n-2], Adjusted: reached.Adjusted / (1 + series.Returns[n-1]), Close: none, Dividend: none, Split: none},
		{Date: series.Dates[n-1], Adjusted: reached.Adjusted, Close: none, Dividend: none, Split: none},
	}, fresh...))
	for i := range out {
		out[i].adjusted *= otherBasis
	}
	return out
}

// returns returns the new bars as total returns only.
func (p plan) returns() []row {
	fresh, before := p.since()
	out := make([]row, len(fresh))
	for i, d := range fresh {
		out[i] = row{date: d.Date, close: math.NaN(), adjusted: math.NaN(), dividend: math.NaN(), split: math.NaN(), returned: growth(before, d) - 1}
		before = d
	}
	return out
}

// write creates a file for the importer; remove deletes it.
func (l *Syncer) write(name string, content []row) (path string, remove func(), err error) {
	dir, err := os.MkdirTemp(l.c.TempDir, "load-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // anything left behind is in a temporary folder
	path = filepath.Join(dir, name+".csv")
	f, err := os.Create(path) //nolint:gosec // the service chose the path
	if err == nil {
		err = errors.Join(writeCSV(f, content), f.Close())
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return path, remove, nil
}

var columns = []struct {
	name  string
	value func(row) float64
}{
	{"close", func(r row) float64 { return r.close }},
	{"adj_close", func(r row) float64 { return r.adjusted }},
	{"dividend", func(r row) float64 { return r.dividend }},
	{"split", func(r row) float64 { return r.split }},
	{"total_return", func(r row) float64 { return r.returned }},
}

// writeCSV writes the columns in which any row has a value.
func writeCSV(w io.Writer, content []row) error {
	out := bufio.NewWriter(w)
	line := []byte("date")
	var used []func(row) float64
	for _, c := range columns {
		for _, r := range content {
			if !math.IsNaN(c.value(r)) {
				line, used = append(append(line, ','), c.name...), append(used, c.value)
				break
			}
		}
	}
	for _, r := range content {
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
		line = append(line[:0], r.date.String()...)
		for _, value := range used {
			line = append(line, ',')
			if v := value(r); !math.IsNaN(v) {
				line = strconv.AppendFloat(line, v, 'g', -1, 64)
			}
		}
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return err
	}
	return out.Flush()
}
