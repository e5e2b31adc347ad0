package export

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"ballast/metrics"
	"ballast/program/history"
)

// whoseRow appends the first columns of a row, which name the model and the run.
func (b *builder) whoseRow(w *resultWalk, h *history.History) {
	b.text(h.ModelID)
	b.textOrNull(w.model.symbol)
	b.text(w.model.name)
	b.text(h.RunID)
}

// trades returns one row per member of each filled decision or forced sale.
func (w *resultWalk) trades(h *history.History) arrow.RecordBatch {
	b := newBuilder(Trades.Schema())
	for _, e := range h.Allocation.Rebalances {
		for _, t := range e.Trades {
			b.whoseRow(w, h)
			b.date(e.Date)
			b.date(e.Decided)
			b.text(e.Reason)
			b.text(t.Key)
			b.textOrNull(w.names[t.Key])
			for _, v := range []float64{t.Before, t.Target, t.Traded, e.Turnover} {
				b.number(v)
			}
		}
	}
	return b.record()
}

// metrics returns one row, the metrics of a run over the window. NaN becomes null.
func (w *resultWalk) metrics(h *history.History) arrow.RecordBatch {
	f := metrics.FiguresOf(h.Metrics)
	b := newBuilder(Metrics.Schema())
	b.whoseRow(w, h)
	b.date(f.Start)
	b.date(f.End)
	b.date(f.Peak)
	b.date(f.Valley)
	b.date(f.Recovery)
	for i := range f.Values {
		if math.IsNaN(f.Values[i]) {
			b.numberOrNull(nil)
			continue
		}
		b.number(f.Values[i])
	}
	return b.record()
}
