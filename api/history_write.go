package api

import (
	"ballast/api/transport"
	"ballast/internal/number"
	"ballast/program/history"
	"ballast/program/result"
	"ballast/timeseries"
)

// historyWriter writes a history's JSON, vector by vector. A vector that several
// blocks share, such as a leaf of the tree and its column of the allocation, is
// formatted once.
type historyWriter struct {
	b       []byte
	err     error
	written map[*float64]written
	buffers []*[]byte // filled by prepare
}

// written is the position of a vector's text.
type written struct {
	text   []byte // formatted beforehand; nil if it is part of the response
	at, to int    // its place in the response, if text is nil
	n      int    // how many numbers
}

// open begins an object, and close ends one.
func (w *historyWriter) open()  { w.b = append(w.b, '{') }
func (w *historyWriter) close() { w.b = append(w.b, '}') }

// name begins a field.
func (w *historyWriter) name(name string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(transport.AppendText(w.b, name), ':')
}

func (w *historyWriter) text(name, value string) {
	w.name(name)
	w.b = transport.AppendText(w.b, value)
}

func (w *historyWriter) date(name string, d timeseries.Date) {
	w.name(name)
	w.b = transport.AppendDate(w.b, d)
}

func (w *historyWriter) number(name string, v float64) {
	w.name(name)
	w.b = number.Append(w.b, v)
}

// value writes a small value by way of encoding/json.
func (w *historyWriter) value(name string, v any) {
	w.name(name)
	b, err := transport.AppendValue(w.b, v)
	if err != nil {
		w.err = err
		return
	}
	w.b = b
}

func (w *historyWriter) floats(name string, x []float64) {
	w.name(name)
	if len(x) == 0 {
		w.b = append(w.b, "[]"...)
		return
	}
	if s, ok := w.written[&x[0]]; ok && s.n == len(x) {
		text := s.text
		if text == nil {
			text = w.b[s.at:s.to]
		}
		w.b = append(w.b, text...)
		return
	}
	at := len(w.b)
	w.b = transport.AppendFloats(w.b, x)
	if w.written == nil {
		w.written = map[*float64]written{}
	}
	w.written[&x[0]] = written{at: at, to: len(w.b), n: len(x)}
}

func (w *historyWriter) history(p *history.History) {
	w.open()
	w.head(p)
	w.name("dates")
	w.b = transport.AppendDates(w.b, p.Dates)
	w.blocks(p)
	w.close()
}

// blocks writes what was asked for of a history.
func (w *historyWriter) blocks(p *history.History) {
	w.labels(p.Labels)
	if p.Returns != nil {
		w.floats("returns", p.Returns)
	}
	if p.Allocation != nil {
		w.allocation(p.Allocation)
	}
	if p.Tree != nil {
		w.name("tree")
		w.node(p.Tree)
	}
	if p.Latest != nil {
		w.latest(p.Latest)
	}
	if p.Custom != nil {
		w.custom(p.Custom)
	}
	if p.Metrics != nil {
		w.value("metrics", p.Metrics)
	}
	if p.Fees != nil {
		w.fees(p.Fees)
	}
	if p.Contribution != nil {
		w.contribution(p.Contribution)
	}
	if p.Timing != nil {
		w.value("timing", p.Timing)
	}
}

// head writes which model, run and window the history is for.
func (w *historyWriter) head(p *history.History) {
	w.text("model_id", p.ModelID)
	w.text("run_id", p.RunID)
	w.date("as_of", p.AsOf)
	w.window(p.Base, p.Dates, p.Note)
}

func (w *historyWriter) window(base timeseries.Date, dates []timeseries.Date, note string) {
	w.name("window")
	start, end := timeseries.NoDate, timeseries.NoDate
	if n := len(dates); n > 0 {
		start, end = dates[0], dates[n-1]
	}
	w.open()
	w.date("base", base)
	w.date("start", start)
	w.date("end", end)
	if note != "" {
		w.text("note", note)
	}
	w.close()
}

func (w *historyWriter) labels(labels []history.Label) {
	w.name("labels")
	w.open()
	for _, l := range labels {
		w.value(l.Key, labelBody{Kind: l.Kind, ID: l.ID, Symbol: l.Symbol, Name: l.Name, Spliced: l.Spliced})
	}
	w.close()
}

func (w *historyWriter) allocation(a *history.Allocation) {
	w.name("allocation")
	w.open()
	w.name("weights")
	w.columns(a.Keys, a.Weights)
	w.name("rebalances")
	w.rebalances(a.Rebalances)
	w.close()
}

func (w *historyWriter) columns(keys []string, values [][]float64) {
	w.open()
	for i, key := range keys {
		w.floats(key, values[i])
	}
	w.close()
}

func (w *historyWriter) rebalances(events []result.Rebalance) {
	w.b = append(w.b, '[')
	for i := range events {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.rebalance(&events[i])
	}
	w.b = append(w.b, ']')
}

func (w *historyWriter) rebalance(r *result.Rebalance) {
	w.open()
	w.date("date", r.Date)
	w.date("decided", r.Decided)
	w.text("reason", r.Reason)
	w.number("turnover", r.Turnover)
	w.name("trades")
	w.open()
	for _, t := range r.Trades {
		w.name(t.Key)
		w.open()
		w.number("before", t.Before)
		w.number("target", t.Target)
		w.number("traded", t.Traded)
		w.close()
	}
	w.close()
	w.close()
}

func (w *historyWriter) node(n *history.Node) {
	w.open()
	w.text("key", n.Key)
	w.floats("weights", n.Weights)
	w.name("children")
	w.b = append(w.b, '[')
	for i, child := range n.Children {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.node(child)
	}
	w.b = append(w.b, ']')
	w.close()
}

func (w *historyWriter) weights(x history.Weights) {
	w.open()
	for _, one := range x {
		w.number(one.Key, one.Value)
	}
	w.close()
}

func (w *historyWriter) latest(l *history.Latest) {
	w.name("latest")
	w.open()
	w.date("as_of", l.AsOf)
	w.name("allocation")
	w.weights(l.Allocation)
	w.name("target")
	w.weights(l.Target)
	w.name("decision")
	w.open()
	w.date("date", l.Decision.Date)
	w.name("weights")
	w.weights(l.Decision.Weights)
	w.name("resolved")
	w.weights(l.Decision.Resolved)
	w.close()
	w.close()
}

func (w *historyWriter) custom(c *history.Custom) {
	w.name("custom")
	w.open()
	w.name("series")
	w.columns(c.Series.Keys, c.Series.Values)
	w.name("values")
	w.weights(c.Values)
	w.close()
}

func (w *historyWriter) fees(f *history.Fees) {
	w.name("fees")
	w.open()
	w.floats("returns", f.Returns)
	w.value("metrics", f.Metrics)
	w.value("costs", costsOf(f))
	w.close()
}

func (w *historyWriter) contribution(c *history.Contribution) {
	w.name("contribution")
	w.open()
	w.name("keys")
	w.columns(c.Keys, c.Values)
	w.floats("total", c.Total)
	w.close()
}
