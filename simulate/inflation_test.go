package simulate

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"ballast/timeseries"
)

// endOf is the last day of a month; months past 12 are those of later years.
func endOf(year, month int) timeseries.Date {
	return timeseries.NewDate(year, time.Month(month+1), 0)
}

// monthsFrom are n months without returns, the first of which is given. The last session
// of each is a day before the month's last day.
func monthsFrom(year, month, n int) *Months {
	m := &Months{Keys: []string{"FLAT"}, Base: endOf(year, month-1) - 1, Returns: [][]float64{make([]float64, n)}}
	for i := range n {
		m.Ends = append(m.Ends, endOf(year, month+i)-1)
	}
	return m
}

// prices are inflation by month from the given one on; NaN is missing.
type prices struct {
	dates  []timeseries.Date
	values []float64
}

func pricesOf(year, month int, values ...float64) (p prices) {
	for i, x := range values {
		if !math.IsNaN(x) {
			p.dates, p.values = append(p.dates, endOf(year, month+i)), append(p.values, x)
		}
	}
	return p
}

func (p prices) over(m *Months) (*Months, error) {
	return m.WithInflation("CPI.ALL", p.dates, p.values)
}

// What cannot be used says why, and which months there are.
func TestInflationRefused(t *testing.T) {
	t.Parallel()
	none := math.NaN()
	for _, c := range []struct {
		name string
		of   prices
		want string
	}{
		{"nothing", prices{}, "CPI.ALL says no month's inflation"},
		{"apart", pricesOf(2010, 1, 0.001, 0.002), "CPI.ALL has inflation from 2010-01 to 2010-02, and the members have whole months from 2019-12-30 to 2020-06-29: no month is in both"},
		{"a hole", pricesOf(2020, 1, 0.001, none, 0.002), "CPI.ALL has no value for 2020-02, between its first and its last month"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := c.of.over(monthsFrom(2020, 1, 6))
			var invalid *InvalidError
			if !errors.As(err, &invalid) || invalid.Field != "inflation" || !strings.Contains(invalid.Message, c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	m, err := pricesOf(2021, 1, make([]float64, 20)...).over(monthsFrom(2020, 1, 40))
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(m)
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), "the members and CPI.ALL have 20 months in common, from 2020-12-30: a simulation needs at least 24") {
		t.Error(err)
	}
}

// Where history is replayed, the price level of a path is that of the index: what rises
// with prices costs what it has cost.
func TestPricesOfHistory(t *testing.T) {
	t.Parallel()
	levels, inflation := []float64{100}, make([]float64, 60)
	for i := range inflation {
		levels = append(levels, levels[i]*(1+0.004*math.Sin(float64(i))+0.002))
		inflation[i] = levels[i+1]/levels[i] - 1
	}
	m, err := pricesOf(2000, 2, inflation...).over(monthsFrom(2000, 2, 60))
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(m)
	p.Source, p.Years, p.StepMonths = History, 2, 1
	for _, start := range []int{0, 7, 36} {
		rows, err := Path(t.Context(), p, ruled(Fixed{Amount: 12_000}), start)
		if err != nil {
			t.Fatal(err)
		}
		for step := 1; step < len(rows); step++ {
			if want := 1000 * levels[start+step-1] / levels[start]; math.Abs(rows[step].Withdrawn-want) > 1e-9 {
				t.Errorf("start %d, month %d: %v is withdrawn, want %v", start, step, rows[step].Withdrawn, want)
			}
			if want := rows[step].Value * levels[start] / levels[start+step]; math.Abs(rows[step].RealValue-want) > 1e-6 {
				t.Errorf("start %d, month %d: a real value of %v, want %v", start, step, rows[step].RealValue, want)
			}
		}
	}
}

// A decision sees the mean of the data in the plan's first year, and then the inflation of
// the plan's last whole year.
func TestDecisionsSeeInflation(t *testing.T) {
	t.Parallel()
	m := monthsFrom(2000, 1, 36)
	for i := range 36 {
		m.Inflation = append(m.Inflation, 0.001*float64(1+i/12)) // 0.1 %, 0.2 %, 0.3 % a month
	}
	p := planOf(m)
	p.Source, p.Years, p.StepMonths = History, 3, 1
	var seen []float64
	if _, err := Path(t.Context(), p, func(int) Decider {
		return deciderFunc(func(s *State) Decision { seen = append(seen, s.Inflation); return Decision{} })
	}, 0); err != nil {
		t.Fatal(err)
	}
	mean := math.Pow(1.001*1.002*1.003, 4) - 1
	for i, x := range seen {
		want := []float64{mean, math.Pow(1.001, 12) - 1, math.Pow(1.002, 12) - 1}[i/12]
		if math.Abs(x-want) > 1e-12 {
			t.Errorf("month %d sees the inflation %v, want %v", i, x, want)
		}
	}
}

type deciderFunc func(s *State) Decision

func (f deciderFunc) Decide(_, _ int, s *State) (Decision, error) { return f(s), nil }
