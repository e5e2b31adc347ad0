package sandbox

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/fxamacker/cbor/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/backtest"
	"ballast/script"
	"ballast/timeseries"
)

// response returns a valid response to request 1 over f.
func response(tb testing.TB, f *timeseries.Frame) ([]byte, *backtest.Result) {
	tb.Helper()
	r, err := backtest.Run(tb.Context(), f, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything)
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := writeReply(&b, 1, finished{result: r, steps: 1}); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), r
}

func read(b []byte, f *timeseries.Frame) (*backtest.Result, error) {
	r := bytes.NewReader(b)
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	_, result, err := readReply(r, h, 1, f, nil, false, 0)
	return result, err
}

func TestReplyRoundTrip(t *testing.T) {
	f := panel(t, 3, 100)
	b, want := response(t, f)
	got, err := read(b, f)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCutReplyIsAnError(t *testing.T) {
	f := panel(t, 2, 30)
	b, _ := response(t, f)
	for n := range len(b) {
		if _, err := read(b[:n], f); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("%d of %d bytes: error %v", n, len(b), err)
		}
	}
}

func TestDamagedRepliesAreRefused(t *testing.T) {
	f := panel(t, 3, 100)
	for _, c := range []struct {
		name   string
		damage func(*reply, *backtest.Result)
	}{
		{"rows beyond the axis", func(r *reply, _ *backtest.Result) { r.Shape.Rows = 1 << 40 }},
		{"negative rows", func(r *reply, _ *backtest.Result) { r.Shape.Rows = -1 }},
		{"negative events", func(r *reply, _ *backtest.Result) { r.Shape.Events = -5 }},
		{"trades beyond counting", func(r *reply, _ *backtest.Result) { r.Shape.Trades = 1 << 62 }},
		{"a stranger's column", func(r *reply, _ *backtest.Result) { r.Shape.Weights[0] = 7 }},
		{"columns out of order", func(r *reply, _ *backtest.Result) { r.Shape.Weights = []int{1, 0, 2} }},
		{"a column twice", func(r *reply, _ *backtest.Result) { r.Shape.Contributions = []int{1, 1, 2} }},
		{"no name", func(r *reply, _ *backtest.Result) { r.Shape.Custom = []string{""} }},
		{"a column less than the body", func(r *reply, _ *backtest.Result) { r.Shape.Custom = nil }},
		{"no summary", func(r *reply, _ *backtest.Result) { r.Summary = nil }},
		{"an empty summary", func(r *reply, _ *backtest.Result) { r.Summary = []byte("{}") }},
		{"failure of no type", func(r *reply, _ *backtest.Result) { r.Failure = &failure{Type: "x"} }},
		{"failure with a body", func(r *reply, _ *backtest.Result) { r.Failure = &failure{Type: script.ScriptError} }},
		{"infinite weight", func(_ *reply, r *backtest.Result) { r.Weights[1][5] = 1 / r.Returns[0] }},
		{"negative equity", func(_ *reply, r *backtest.Result) { r.Equity[2] *= -1 }},
		{"a return too much", func(_ *reply, r *backtest.Result) { r.Returns[2] += 1e-6 }},
		{"a return on the base", func(_ *reply, r *backtest.Result) { r.Returns[0] = 0.1 }},
		{"an unknown reason", func(_ *reply, r *backtest.Result) { r.Ledger[0].Reason = "whim" }},
		{"filled before it was decided", func(_ *reply, r *backtest.Result) { r.Ledger[0].Decided = r.Ledger[1].Fill }},
		{"filled after the end", func(_ *reply, r *backtest.Result) { r.Ledger[0].Fill += 1e6 }},
		{"an event without trades", func(_ *reply, r *backtest.Result) { r.Ledger[0].Trades = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, r := response(t, f)
			summary, err := backtest.EncodeSummary(r.Summary)
			if err != nil {
				t.Fatal(err)
			}
			answer := reply{Shape: shapeOf(r), Summary: summary}
			c.damage(&answer, r)
			var bad *damagedError
			if _, err := read(assemble(t, answer, r), f); !errors.As(err, &bad) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// assemble builds a message even if its parts do not match.
func assemble(t *testing.T, answer reply, r *backtest.Result) []byte {
	t.Helper()
	control, err := cbor.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	var columns, b bytes.Buffer
	w := bufio.NewWriter(&columns)
	writeBody(w, r)
	w.Flush()
	b.Write(header{id: 1, control: uint32(len(control)), body: uint64(columns.Len())}.bytes())
	b.Write(control)
	b.Write(columns.Bytes())
	return b.Bytes()
}

func TestResultTooLargeIsSaid(t *testing.T) {
	f := panel(t, 2, 30)
	_, r := response(t, f)
	for range 2000 {
		r.Custom = append(r.Custom, backtest.Custom{Name: "x", Values: make([]float64, 20000)})
	}
	r.Dates = make([]timeseries.Date, 20000)
	var b bytes.Buffer
	if complete, err := writeReply(&b, 1, finished{result: r}); err != nil || complete {
		t.Fatal(complete, err)
	}
	h, err := readHeader(&b)
	if err != nil {
		t.Fatal(err)
	}
	answer, _, err := readReply(&b, h, 1, f, nil, false, 0)
	if err != nil || answer.Failure == nil || answer.Failure.Type != script.MemoryLimit {
		t.Errorf("answer %+v, error %v", answer, err)
	}
}

// FuzzReply checks that no bytes from a child make its parent panic or use more memory
// than their length, or are accepted as a result without being valid.
func FuzzReply(f *testing.F) {
	frame := panel(f, 2, 12)
	sound, _ := response(f, frame)
	f.Add(sound)
	var failed bytes.Buffer
	if _, err := writeReply(&failed, 1, finished{err: &failure{Type: script.ScriptError, Message: "no", Date: frame.Axis[0].String()}}); err != nil {
		f.Fatal(err)
	}
	f.Add(failed.Bytes())
	f.Add(sound[:100])
	f.Add(header{id: 1, control: maxControl, body: maxBody}.bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := read(b, frame)
		if err != nil || r == nil {
			return
		}
		daily, ledger, err := r.Tables(memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		if daily.NumRows() > int64(len(frame.Axis)) || ledger.NumRows() < 1 {
			t.Errorf("%d and %d rows", daily.NumRows(), ledger.NumRows())
		}
	})
}
