package backtest

import (
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/timeseries"
)

// ResultOf converts the tables that Tables wrote back to a result; keys is the
// universe. The result shares no memory with the tables.
func ResultOf(daily, ledger arrow.RecordBatch, keys []string) (*Result, error) {
	r := &Result{Keys: keys, Custom: []Custom{}}
	t := &tableReader{positions: make(map[string]int, len(keys)), result: r}
	for i, key := range keys {
		t.positions[key] = i
	}
	var err error
	if r.Summary, err = SummaryOf(daily.Schema()); err != nil {
		return nil, err
	}
	if r.State, err = StateOf(daily.Schema()); err != nil {
		return nil, err
	}
	for i, field := range daily.Schema().Fields() {
		if err := t.column(field.Name, daily.Column(i)); err != nil {
			return nil, fmt.Errorf("column %s: %w", field.Name, err)
		}
	}
	for name, column := range map[string][]float64{"return": r.Returns, "equity": r.Equity, "gross_exposure": r.Gross, "traded": r.Traded} {
		if column == nil || len(column) != len(r.Dates) {
			return nil, fmt.Errorf("column %s is missing", name)
		}
	}
	return r, t.ledger(ledger)
}

// tableReader assigns columns to their fields of a result.
type tableReader struct {
	positions map[string]int // of members by key
	result    *Result
}

func (t *tableReader) column(name string, column arrow.Array) error {
	r := t.result
	if dates, ok := column.(*array.Date32); ok && name == "date" {
		r.Dates = make([]timeseries.Date, dates.Len())
		for i, d := range dates.Date32Values() {
			r.Dates[i] = timeseries.Date(d)
		}
		return nil
	}
	floats, ok := column.(*array.Float64)
	if !ok {
		return fmt.Errorf("type %s does not occur in a result", column.DataType())
	}
	if own, ok := map[string]*[]float64{"return": &r.Returns, "equity": &r.Equity, "gross_exposure": &r.Gross, "traded": &r.Traded}[name]; ok {
		*own = valuesOf(floats, 0)
		return nil
	}
	if key, ok := strings.CutPrefix(name, WeightPrefix); ok {
		return t.member(&r.Weights, &r.CashWeight, key, floats)
	}
	if key, ok := strings.CutPrefix(name, ContributionPrefix); ok {
		return t.member(&r.Contributions, &r.CashContribution, key, floats)
	}
	if key, ok := strings.CutPrefix(name, CustomPrefix); ok {
		r.Custom = append(r.Custom, Custom{Name: key, Values: valuesOf(floats, math.NaN())})
		return nil
	}
	return fmt.Errorf("is not a column of a result")
}

func (t *tableReader) member(columns *[][]float64, cash *[]float64, key string, floats *array.Float64) error {
	if key == CashKey {
		*cash = valuesOf(floats, 0)
		return nil
	}
	i, ok := t.positions[key]
	if !ok {
		return fmt.Errorf("%s is not in the universe", key)
	}
	if *columns == nil {
		*columns = make([][]float64, len(t.positions))
	}
	(*columns)[i] = valuesOf(floats, 0)
	return nil
}

// valuesOf copies a column and replaces its nulls with null.
func valuesOf(column *array.Float64, null float64) []float64 {
	values := append([]float64(nil), column.Float64Values()...)
	if column.NullN() > 0 {
		for i := range values {
			if column.IsNull(i) {
				values[i] = null
			}
		}
	}
	return values
}

// ledger groups the rows by event. At most one decision is filled on a session, and a
// forced sale concerns one member.
func (t *tableReader) ledger(table arrow.RecordBatch) error {
	if int(table.NumCols()) != LedgerSchema.NumFields() {
		return fmt.Errorf("the ledger has columns %s", table.Schema())
	}
	fill, ok1 := table.Column(0).(*array.Date32)
	decided, ok2 := table.Column(1).(*array.Date32)
	reason, ok3 := table.Column(2).(*array.String)
	turnover, ok4 := table.Column(3).(*array.Float64)
	key, ok5 := table.Column(4).(*array.String)
	before, ok6 := table.Column(5).(*array.Float64)
	target, ok7 := table.Column(6).(*array.Float64)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || !ok7 {
		return fmt.Errorf("the ledger has columns %s", table.Schema())
	}
	trades := make([]Trade, table.NumRows())
	events := make([]Event, 0, len(trades)/max(len(t.positions), 1)+1)
	known := map[string]Reason{}
	for _, r := range []Reason{ReasonStart, ReasonSchedule, ReasonSuspended, ReasonDelisted, ReasonRuin} {
		known[string(r)] = r
	}
	for k := range trades {
		v := Event{
			Fill: timeseries.Date(fill.Value(k)), Decided: timeseries.Date(decided.Value(k)),
			Reason: known[reason.Value(k)], Turnover: turnover.Value(k), Trades: trades[k:k:k],
		}
		if v.Reason == "" {
			return fmt.Errorf("an event with reason %q", reason.Value(k))
		}
		n := len(events)
		forced := v.Reason == ReasonSuspended || v.Reason == ReasonDelisted
		if n == 0 || forced || events[n-1].Fill != v.Fill || events[n-1].Reason != v.Reason {
			events = append(events, v)
			n++
		}
		i, ok := t.positions[key.Value(k)]
		if key.Value(k) == CashKey {
			i, ok = CashMember, true
		}
		if !ok {
			return fmt.Errorf("a trade in %q", key.Value(k))
		}
		trades[k] = Trade{Member: i, Before: before.Value(k), Target: target.Value(k)}
		e := &events[n-1]
		e.Trades = trades[k-len(e.Trades) : k+1 : k+1]
	}
	if len(events) > 0 {
		t.result.Ledger = events
	}
	return nil
}
