package result

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/backtest"
	"ballast/program"
	"ballast/script/sandbox"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// eventLog holds every event of a run, in order of time.
type eventLog struct{ events []Rebalance }

func (l *eventLog) Size() int64 {
	n := int64(0)
	for i := range l.events {
		n += 96 + 40*int64(cap(l.events[i].Trades))
	}
	return n
}

// Between returns the events that were filled from begin to end, inclusive. They
// share the log's memory.
func (l *eventLog) Between(begin, end timeseries.Date) []Rebalance {
	from := sort.Search(len(l.events), func(i int) bool { return l.events[i].Date >= begin })
	to := sort.Search(len(l.events), func(i int) bool { return l.events[i].Date > end })
	return l.events[from:max(from, to)]
}

// ledgerColumns are the columns of a ledger that are read.
var ledgerColumns = []string{"fill", "decided", "reason", "turnover", "key", "before", "target", "traded"}

// Ledger reads the events of a run. The result is shared with the cache and must not
// be changed.
func (r *Store) Ledger(ctx context.Context, run *program.Run) (*eventLog, error) {
	return Remembered(r, run, partLedger, func() (*eventLog, error) {
		l := &eventLog{}
		err := r.read(ctx, run.Tables[sandbox.LedgerTable].Key, func(f *columnar.ParquetFile) error {
			table, err := f.Read(ledgerColumns, columnar.All)
			if err != nil {
				return err
			}
			defer table.Release()
			l.events, err = eventsOf(table)
			return err
		})
		return l, err
	})
}

// eventsOf groups the rows of each event, which are consecutive.
func eventsOf(record arrow.RecordBatch) ([]Rebalance, error) {
	fill, ok1 := record.Column(0).(*array.Date32)
	decided, ok2 := record.Column(1).(*array.Date32)
	reason, ok3 := record.Column(2).(*array.String)
	turnover, ok4 := record.Column(3).(*array.Float64)
	key, ok5 := record.Column(4).(*array.String)
	before, ok6 := record.Column(5).(*array.Float64)
	target, ok7 := record.Column(6).(*array.Float64)
	traded, ok8 := record.Column(7).(*array.Float64)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || !ok7 || !ok8 {
		return nil, fmt.Errorf("unexpected columns %s", record.Schema())
	}
	// All trades share one array, and equal names one string; events are views of
	// them.
	rows := int(record.NumRows())
	trades, names := make([]Trade, rows), map[string]string{}
	named := func(s string) string {
		kept, ok := names[s]
		if !ok {
			kept = strings.Clone(s) // s is a view of the record
			names[kept] = kept
		}
		return kept
	}
	events := []Rebalance{}
	for i := range rows {
		date, day := timeseries.Date(fill.Value(i)), timeseries.Date(decided.Value(i))
		n := len(events)
		// Each forced sale is an event of its own, even if there is another on the
		// same day.
		forced := reason.Value(i) == string(backtest.ReasonSuspended) || reason.Value(i) == string(backtest.ReasonDelisted)
		if n == 0 || forced || events[n-1].Date != date || events[n-1].Decided != day || events[n-1].Reason != reason.Value(i) {
			events = append(events, Rebalance{Date: date, Decided: day, Reason: named(reason.Value(i)), Turnover: turnover.Value(i), Trades: trades[i:i:i]})
			n++
		}
		trades[i] = Trade{Key: named(key.Value(i)), Before: before.Value(i), Target: target.Value(i), Traded: traded.Value(i)}
		e := &events[n-1]
		e.Trades = trades[i-len(e.Trades) : i+1 : i+1]
	}
	return events, nil
}
