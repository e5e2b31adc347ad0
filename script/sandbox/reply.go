package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/fxamacker/cbor/v2"

	"ballast/backtest"
	"ballast/script"
	"ballast/script/harness"
)

// reply is the control part of a response: a failure, or the shape of the result,
// whose columns are the body.
type reply struct {
	Failure *failure `cbor:"failure"`
	Log     []string `cbor:"log"`
	Steps   uint64   `cbor:"steps"`
	Shape   shape    `cbor:"shape"`
	Summary []byte   `cbor:"summary"` // from backtest.EncodeSummary
	State   []byte   `cbor:"state"`   // from backtest.EncodeState; may be empty
	// Optimizers are those that the script has used, by name.
	Optimizers map[string]harness.OptimizerUse `cbor:"optimizers"`
	Sheet      *sheet                          `cbor:"sheet"`  // for a script that is not a model, which has none of the three above
	Points     []pointShape                    `cbor:"points"` // for a request with points, which has none of the above

	verdict *backtest.Causality // from the message that followed
	answer  *script.Answer      // decoded from Sheet and the body
	points  []Point             // decoded from Points and the body
}

// shape specifies which columns a body has and how long they are.
type shape struct {
	Rows          int      `cbor:"rows"`          // the number of sessions, counted from the end of the frame
	Weights       []int    `cbor:"weights"`       // members with a column, in ascending order
	Contributions []int    `cbor:"contributions"` // members with a column, in ascending order
	Custom        []string `cbor:"custom"`        // names, in ascending order
	Events        int      `cbor:"events"`
	Trades        int      `cbor:"trades"`
}

// size returns the size, in bytes, of a body of this shape. Counts must not be
// negative.
func (s *shape) size() uint64 {
	const (
		perEvent = 8 + 4*4
		perTrade = 2*8 + 4
	)
	columns := uint64(4 + len(s.Weights) + 1 + len(s.Contributions) + 1 + len(s.Custom))
	return columns*uint64(s.Rows)*8 + uint64(s.Events)*perEvent + uint64(s.Trades)*perTrade
}

// reasons are the reasons of the ledger, by their number in a body.
var reasons = []backtest.Reason{
	backtest.ReasonStart, backtest.ReasonSchedule, backtest.ReasonSuspended, backtest.ReasonDelisted, backtest.ReasonRuin,
}

// finished is the result of an execution in the child.
type finished struct {
	result *backtest.Result // for a model
	answer *script.Answer   // for other kinds
	points []Point          // for a request with points
	log    []string
	steps  uint64
	used   map[string]harness.OptimizerUse
	err    *failure
	// check computes the verdict on the result's causality; nil if none is asked for.
	check func(ctx context.Context) (*backtest.Causality, error)
}

// directWrite is the buffer size, in bytes: longer columns are written directly,
// shorter ones are collected first.
const directWrite = 32 << 10

// writeReply sends the response to the request with this id and reports whether it
// was a result.
func writeReply(w io.Writer, id uint64, f finished) (complete bool, err error) {
	r := reply{Failure: f.err, Steps: f.steps, Optimizers: f.used}
	for _, line := range f.log {
		r.Log = append(r.Log, clip(line, maxMessage))
	}
	if f.err != nil {
		r.Failure = f.err.tidy()
	} else if f.points != nil {
		r.Points = shapesOf(f.points)
	} else if f.answer != nil {
		r.Sheet = sheetOf(f.answer)
	} else if r.Summary, err = backtest.EncodeSummary(f.result.Summary); err != nil {
		return false, err
	} else {
		r.Shape = shapeOf(f.result)
		if f.result.State != nil {
			if r.State, err = backtest.EncodeState(f.result.State); err != nil {
				return false, err
			}
		}
	}
	h := header{id: id, body: r.Shape.size()}
	switch {
	case r.Failure != nil:
		h.body = 0
	case r.Points != nil:
		h.body = sizeOfPoints(f.points)
	case r.Sheet != nil:
		h.body = r.Sheet.size()
	}
	control, err := cbor.Marshal(r)
	if err != nil {
		return false, err
	}
	if len(control) > maxControl || h.body > maxBody {
		return writeReply(w, id, finished{steps: f.steps, err: &failure{
			Type:    script.MemoryLimit,
			Message: fmt.Sprintf("the result takes %d MiB; at most %d MiB are accepted", (uint64(len(control))+h.body)>>20, maxBody>>20),
		}})
	}
	h.control = uint32(len(control))
	out := bufio.NewWriterSize(w, directWrite)
	_, _ = out.Write(h.bytes()) // a bufio.Writer keeps its first error for Flush
	_, _ = out.Write(control)
	switch {
	case r.Failure != nil:
	case r.Points != nil:
		for i := range f.points {
			put(out, f.points[i].Returns)
		}
	case r.Sheet != nil:
		writeColumns(out, f.answer)
	default:
		writeBody(out, f.result)
	}
	return r.Failure == nil, out.Flush()
}

func shapeOf(r *backtest.Result) shape {
	s := shape{Rows: len(r.Dates), Weights: held(r.Weights), Contributions: held(r.Contributions), Events: len(r.Ledger)}
	for _, c := range r.Custom {
		s.Custom = append(s.Custom, c.Name)
	}
	for i := range r.Ledger {
		s.Trades += len(r.Ledger[i].Trades)
	}
	return s
}

// held returns the members that have a column.
func held(columns [][]float64) []int {
	var list []int
	for i, c := range columns {
		if c != nil {
			list = append(list, i)
		}
	}
	return list
}

// writeBody writes the columns in the order in which resultOf reads them. w keeps the
// first error.
func writeBody(w *bufio.Writer, r *backtest.Result) {
	put(w, r.Returns, r.Equity, r.Gross, r.Traded)
	put(w, r.Weights...)
	put(w, r.CashWeight)
	put(w, r.Contributions...)
	put(w, r.CashContribution)
	for _, c := range r.Custom {
		put(w, c.Values)
	}
	var (
		turnover, before, target           []float64
		fill, decided, trades, why, member []int32
	)
	for i := range r.Ledger {
		e := &r.Ledger[i]
		turnover = append(turnover, e.Turnover)
		fill = append(fill, int32(e.Fill))
		decided = append(decided, int32(e.Decided))
		trades = append(trades, int32(len(e.Trades)))
		why = append(why, numberOf(e.Reason))
		for _, t := range e.Trades {
			before = append(before, t.Before)
			target = append(target, t.Target)
			member = append(member, int32(t.Member))
		}
	}
	put(w, turnover, before, target)
	put(w, fill, decided, trades, why, member)
}

func put[T float64 | int32](w *bufio.Writer, columns ...[]T) {
	for _, c := range columns {
		_, _ = w.Write(bytesOf(c))
	}
}

func numberOf(reason backtest.Reason) int32 {
	for i, r := range reasons {
		if r == reason {
			return int32(i)
		}
	}
	return -1
}
