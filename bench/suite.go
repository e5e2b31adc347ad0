package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// Options configures a run of the suite.
type Options struct {
	Count    int       // how often each row is measured, at least once
	Progress io.Writer // one line per row
}

// Report is what a suite measured.
type Report struct {
	At      time.Time   `json:"at"`
	Machine Machine     `json:"machine"`
	Smoke   bool        `json:"smoke,omitempty"` // few repetitions, so the figures mean little
	Rows    []Measured  `json:"rows"`
	Peers   *Comparison `json:"peers,omitempty"`
	Growth  []Growth    `json:"growth,omitempty"`
}

// Measured is a row with its figures, each the median over all measurements.
type Measured struct {
	Name    string   `json:"name"`
	Key     string   `json:"key"`
	Bar     string   `json:"bar,omitempty"`
	Figures []Figure `json:"figures"`
	OK      *bool    `json:"ok,omitempty"` // nil if the row has no bar or was skipped
	Note    string   `json:"note,omitempty"`
	Skipped string   `json:"skipped,omitempty"`

	each []Result // one per measurement
}

// Run measures every row. A missed bar is a figure, not an error.
func Run(ctx context.Context, rows []Row, o Options) (*Report, error) {
	report := &Report{At: time.Now().UTC().Truncate(time.Second), Machine: thisMachine()}
	for i, row := range rows {
		fmt.Fprintf(o.Progress, "%d of %d: %s\n", i+1, len(rows), row.Name)
		m := Measured{Name: row.Name, Key: row.Key, Bar: row.Bar}
		for range max(1, o.Count) {
			r, err := row.Measure(ctx)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", row.Name, err)
			}
			m.each = append(m.each, r)
		}
		m.summarize(row.Limits)
		report.Rows = append(report.Rows, m)
	}
	return report, nil
}

// summarize computes the median of each figure, and whether they meet the limits.
func (m *Measured) summarize(limits []Limit) {
	first := m.each[0]
	m.Note, m.Skipped = first.Note, first.Skipped
	if m.Skipped != "" {
		return
	}
	for _, f := range first.Figures {
		values := make([]float64, 0, len(m.each))
		for _, r := range m.each {
			if v, ok := r.Figure(f.Name); ok {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		f.Value = values[(len(values)-1)/2]
		m.Figures = append(m.Figures, f)
	}
	if len(limits) > 0 {
		holds := Result{Figures: m.Figures}.Holds(limits)
		m.OK = &holds
	}
}
