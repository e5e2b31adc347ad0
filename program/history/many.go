package history

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ballast/internal/fault"
	"ballast/program"
	"ballast/timeseries"
)

// Limits on reading several models at once.
const (
	MostModels = 50
	// mostNumbers limits the numbers in the per-day blocks of a response: 40 MB.
	mostNumbers = 5_000_000
)

// ManyQuery asks for blocks of several models on one axis.
type ManyQuery struct {
	Query             // RunID and Timing are ignored
	Models   []string // ids, slugs, symbols or exact names, each model once
	Equity   bool     // the growth of 1
	AllDates bool     // every date of any model, instead of the window that all have
}

// Many has blocks of several models on one axis: the dates in the window on which any
// of them has a return. Per-day columns are NaN on dates that a model does not have; all
// other numbers are those of the model's own history.
type Many struct {
	Dates   []timeseries.Date
	Note    string // why there are no dates; "" if there are some
	Members []*Together
}

// Together is the history of one of several models.
type Together struct {
	*History                       // per-day columns on the common axis; Base and Own are its own
	Own          []timeseries.Date // the dates that the model itself has in the window
	Name, Symbol string
	Prefix       string    // of its columns in tables: the symbol, or the slug if models share the symbol
	Equity       []float64 // growth of 1 since the close before its first date; nil unless asked for
}

// Many reads the live runs of several models that the caller may read, each once. Unless
// all dates are requested, the window is the one that all models have, as in Compare,
// and statistics cover that window.
func (s *Service) Many(ctx context.Context, accountID string, q ManyQuery) (*Many, error) {
	sheets, err := s.served(ctx, accountID, q.Models)
	if err != nil {
		return nil, err
	}
	runs, starts := make([]*program.Run, len(sheets)), make([]timeseries.Date, len(sheets))
	for i, m := range sheets {
		runs[i], starts[i] = m.Live, q.Start
		if q.Start == timeseries.NoDate && !q.Full {
			starts[i] = m.ViewStart()
		}
	}
	end := q.End
	if !q.AllDates {
		start, last := commonWindow(runs)
		if end == timeseries.NoDate || end > last {
			end = last
		}
		start = max(start, slices.Max(starts))
		for i := range starts {
			starts[i] = start
		}
	}
	one := q.Query
	one.RunID, one.Timing, one.Returns = "", false, q.Returns || q.Equity
	out := &Many{Members: make([]*Together, len(sheets))}
	numbers := 0
	err = s.readEach(ctx, accountID, runs, one, func(i int) (_, _ timeseries.Date) { return starts[i], end }, func(i int, h *History) error {
		member := &Together{History: h, Own: h.Dates, Name: sheets[i].Name, Symbol: sheets[i].Symbol, Prefix: prefixOf(sheets, i)}
		if q.Equity {
			member.Equity = growth(h.Returns)
		}
		if !q.Returns {
			h.Returns = nil
		}
		out.Members[i] = member
		if numbers += (len(h.Table().Columns) + 1) * len(h.Dates); numbers > mostNumbers {
			return fault.New(fault.InvalidParameter, "The response would have more than %d numbers. Read fewer models or blocks at a time, or a shorter window.", mostNumbers).
				With(fault.Detail{Field: "models", Message: "is too long for these blocks and this window"})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Dates = union(out.Members)
	for _, member := range out.Members {
		member.reindex(out.Dates)
	}
	switch {
	case len(out.Dates) > 0:
	case q.AllDates:
		out.Note = "None of the models has a session within the window."
	default:
		out.Note = "The models have no common sessions within the requested window. With axis=union, each model keeps its own sessions."
	}
	return out, nil
}

// served reads the models, and requires that each is named once and has a result.
func (s *Service) served(ctx context.Context, accountID string, refs []string) ([]*program.Sheet, error) {
	if len(refs) == 0 || len(refs) > MostModels {
		return nil, badModels(fmt.Sprintf("names %d models; 1 to %d are accepted", len(refs), MostModels))
	}
	seen := map[string]string{}
	sheets := make([]*program.Sheet, len(refs))
	for i, ref := range refs {
		m, err := s.c.Models.Served(ctx, accountID, ref)
		if err != nil {
			return nil, err
		}
		if before, twice := seen[m.ID]; twice {
			return nil, badModels(fmt.Sprintf("names the model %s twice, as %q and %q", m.ID, before, ref))
		}
		if m.Live == nil {
			return nil, fault.New(fault.NoHistory, "The model %q has no history: it is %s. Leave it out, or read it again when it has a result.", ref, m.Status)
		}
		seen[m.ID], sheets[i] = ref, m
	}
	return sheets, nil
}

func badModels(problem string) error {
	return fault.New(fault.InvalidParameter, "The models cannot be read together: models %s.", problem).
		With(fault.Detail{Field: "models", Message: problem})
}

// prefixOf returns the prefix that distinguishes a model's columns.
func prefixOf(sheets []*program.Sheet, i int) string {
	for k, m := range sheets {
		if k != i && strings.EqualFold(m.Symbol, sheets[i].Symbol) {
			return sheets[i].Slug
		}
	}
	return sheets[i].Symbol
}

// growth returns 1 compounded by daily returns.
func growth(daily []float64) []float64 {
	out, value := make([]float64, len(daily)), 1.0
	for i, r := range daily {
		value *= 1 + r
		out[i] = value
	}
	return out
}

// union returns the dates that any member has, in order.
func union(members []*Together) []timeseries.Date {
	axis := members[0].Own
	for _, m := range members[1:] {
		if slices.Equal(axis, m.Own) {
			continue
		}
		axis = slices.Compact(slices.Sorted(slices.Values(slices.Concat(axis, m.Own))))
	}
	return axis
}

// reindex puts the per-day columns on an axis that includes all dates of the member. It
// replaces the columns instead of changing them, because caches share them.
func (m *Together) reindex(axis []timeseries.Date) {
	if slices.Equal(axis, m.Own) {
		return
	}
	at := make([]int, len(m.Own))
	k := 0
	for i, d := range m.Own {
		for axis[k] != d {
			k++
		}
		at[i] = k
	}
	moved := map[*float64][]float64{} // blocks share columns
	move := func(x []float64) []float64 {
		if len(x) == 0 { // of a model without a date in the window
			return missing(len(axis))
		}
		if moved[&x[0]] == nil {
			out := missing(len(axis))
			for i, v := range x {
				out[at[i]] = v
			}
			moved[&x[0]] = out
		}
		return moved[&x[0]]
	}
	h := *m.History
	m.History, h.Dates = &h, axis
	if m.Equity != nil {
		m.Equity = move(m.Equity)
	}
	if h.Returns != nil {
		h.Returns = move(h.Returns)
	}
	moveAll := func(columns [][]float64) [][]float64 {
		out := make([][]float64, len(columns))
		for i, x := range columns {
			out[i] = move(x)
		}
		return out
	}
	if h.Allocation != nil {
		a := *h.Allocation
		a.Weights, h.Allocation = moveAll(a.Weights), &a
	}
	if h.Tree != nil {
		h.Tree = moveNode(h.Tree, move)
	}
	if h.Custom != nil {
		c := *h.Custom
		c.Series.Values, h.Custom = moveAll(c.Series.Values), &c
	}
	if h.Fees != nil {
		f := *h.Fees
		f.Returns, h.Fees = move(f.Returns), &f
	}
	if h.Contribution != nil {
		c := *h.Contribution
		c.Values, c.Total, h.Contribution = moveAll(c.Values), move(c.Total), &c
	}
}

func moveNode(n *Node, move func([]float64) []float64) *Node {
	out := &Node{Key: n.Key, Weights: move(n.Weights)}
	for _, child := range n.Children {
		out.Children = append(out.Children, moveNode(child, move))
	}
	return out
}

func missing(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}

// Table puts the columns of all members side by side. Their names are the member's
// prefix, a colon, and the name in a single history.
func (m *Many) Table() *DayTable {
	t := &DayTable{Dates: m.Dates}
	for _, member := range m.Members {
		if member.Equity != nil {
			t.add(member.Prefix+":equity", member.Equity)
		}
		own := member.Table()
		for i, name := range own.Names {
			t.add(member.Prefix+":"+name, own.Columns[i])
		}
	}
	return t
}
