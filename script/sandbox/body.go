package sandbox

import (
	"io"
	"unsafe"

	"ballast/backtest"
	"ballast/timeseries"
)

// readReply reads a response after its header and checks it against the frame
// that was sent. Errors are those of r, or a *damagedError. The result is a
// view of the bytes that were read; it is nil if the script is not a model. If
// the run continued an earlier result, the result covers both.
func readReply(r io.Reader, h header, id uint64, f *timeseries.Frame, earlier *backtest.Result, sheet bool, points int) (*reply, *backtest.Result, error) {
	if h.id != id {
		return nil, nil, damaged("an answer to request %d, expected %d", h.id, id)
	}
	var answer reply
	if err := readControl(r, h, &answer); err != nil {
		return nil, nil, err
	}
	if err := checkLog(answer.Log); err != nil {
		return nil, nil, err
	}
	if answer.Failure != nil {
		if h.body != 0 {
			return nil, nil, damaged("a failure with a body")
		}
		return &answer, nil, checkFailure(answer.Failure, f)
	}
	if sheet != (answer.Sheet != nil) || (points > 0) != (answer.Points != nil) {
		return nil, nil, damaged("an answer of a kind that does not match the script's")
	}
	if sheet {
		err := answer.read(r, h)
		return &answer, nil, err
	}
	if points > 0 {
		var err error
		answer.points, err = readPoints(r, h, answer.Points, points, f)
		return &answer, nil, err
	}
	s := &answer.Shape
	if err := checkShape(s, f, earlier); err != nil {
		return nil, nil, err
	}
	if s.size() != h.body {
		return nil, nil, damaged("a body of %d bytes, expected %d", h.body, s.size())
	}
	words := make([]float64, (h.body+7)/8)
	if _, err := io.ReadFull(r, bytesOf(words)[:h.body]); err != nil {
		return nil, nil, err
	}
	result, err := resultOf(words, s, f)
	if err != nil {
		return nil, nil, err
	}
	if result.Summary, err = backtest.DecodeSummary(answer.Summary); err != nil {
		return nil, nil, damaged("%v", err)
	}
	if len(answer.State) > 0 {
		if result.State, err = backtest.DecodeState(answer.State); err != nil {
			return nil, nil, damaged("%v", err)
		}
	}
	if earlier != nil {
		if result, err = earlier.Continue(result, backtest.Everything); err != nil {
			return nil, nil, damaged("%v", err)
		}
	}
	if err := checkResult(result, f); err != nil {
		return nil, nil, err
	}
	return &answer, result, checkState(result, f, answer.Steps)
}

// read reads the tables of a script that is not a model.
func (answer *reply) read(r io.Reader, h header) error {
	s := answer.Sheet
	if err := checkSheet(s); err != nil {
		return err
	}
	if s.size() != h.body {
		return damaged("a body of %d bytes, expected %d", h.body, s.size())
	}
	var err error
	answer.answer, err = readColumns(r, s)
	return err
}

// body hands out the columns of a response one after another.
type body struct {
	words []float64
	small []int32 // the columns of 4-byte numbers, which follow
}

func (b *body) floats(n int) []float64 {
	v := b.words[:n:n]
	b.words = b.words[n:]
	return v
}

func (b *body) ints(n int) []int32 {
	v := b.small[:n:n]
	b.small = b.small[n:]
	return v
}

// resultOf views a body with a checked shape as a result.
func resultOf(words []float64, s *shape, f *timeseries.Frame) (*backtest.Result, error) {
	b := &body{words: words}
	n := s.Rows
	r := &backtest.Result{
		Keys:    make([]string, len(f.Members)),
		Dates:   f.Axis[len(f.Axis)-n:],
		Returns: b.floats(n), Equity: b.floats(n), Gross: b.floats(n), Traded: b.floats(n),
	}
	for i := range f.Members {
		r.Keys[i] = f.Members[i].Key
	}
	r.Weights, r.CashWeight = b.members(s.Weights, len(f.Members), n), b.floats(n)
	r.Contributions, r.CashContribution = b.members(s.Contributions, len(f.Members), n), b.floats(n)
	for _, name := range s.Custom {
		r.Custom = append(r.Custom, backtest.Custom{Name: name, Values: b.floats(n)})
	}
	var err error
	r.Ledger, err = b.ledger(s, len(f.Members))
	return r, err
}

func (b *body) members(list []int, members, rows int) [][]float64 {
	columns := make([][]float64, members)
	for _, i := range list {
		columns[i] = b.floats(rows)
	}
	return columns
}

func (b *body) ledger(s *shape, members int) ([]backtest.Event, error) {
	turnover, before, target := b.floats(s.Events), b.floats(s.Trades), b.floats(s.Trades)
	b.small = unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(b.words))), 2*len(b.words))
	fill, decided, count, why := b.ints(s.Events), b.ints(s.Events), b.ints(s.Events), b.ints(s.Events)
	member := b.ints(s.Trades)

	trades := make([]backtest.Trade, s.Trades)
	for i := range trades {
		if m := int(member[i]); m < backtest.CashMember || m >= members {
			return nil, damaged("a trade in member %d of %d", m, members)
		}
		trades[i] = backtest.Trade{Member: int(member[i]), Before: before[i], Target: target[i]}
	}
	events := make([]backtest.Event, s.Events)
	for i := range events {
		n := int(count[i])
		if n < 1 || n > len(trades) || why[i] < 0 || int(why[i]) >= len(reasons) {
			return nil, damaged("an event with reason %d and %d trades of %d", why[i], n, len(trades))
		}
		events[i] = backtest.Event{
			Fill: timeseries.Date(fill[i]), Decided: timeseries.Date(decided[i]),
			Reason: reasons[why[i]], Turnover: turnover[i], Trades: trades[:n:n],
		}
		trades = trades[n:]
	}
	if len(trades) > 0 {
		return nil, damaged("%d trades without an event", len(trades))
	}
	return events, nil
}
