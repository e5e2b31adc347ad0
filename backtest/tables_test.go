package backtest_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ballast/backtest"
	"ballast/timeseries"
)

func recording(s *backtest.Session, target []float64) (bool, error) {
	s.Record("wealth", s.Equity)
	if s.T == 2 {
		s.Record("breadth", 2)
		s.Record("bad", math.Inf(1))
	}
	target[0], target[2] = .5, .25
	return true, nil
}

func TestTables(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.DefaultAllocator)
	defer mem.AssertSize(t, 0)
	f := days(t, "A 0 .1 0 .1", "B 0 0 0 0", "C 0 0 .2 0")
	r, err := backtest.Run(context.Background(), f, daily(), backtest.DeciderFunc(recording), backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	daily, ledger, err := r.Tables(mem)
	if err != nil {
		t.Fatal(err)
	}
	defer daily.Release()
	defer ledger.Release()

	var names []string
	for _, field := range daily.Schema().Fields() {
		names = append(names, field.Name)
	}
	want := "date return equity gross_exposure traded weight.A weight.C weight.CASH contribution.A contribution.C contribution.CASH custom.bad custom.breadth custom.wealth"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
	nulls := func(name string) string {
		column := daily.Column(daily.Schema().FieldIndices(name)[0])
		var b strings.Builder
		for i := range column.Len() {
			b.WriteByte("01"[map[bool]int{true: 1}[column.IsValid(i)]])
		}
		return b.String()
	}
	for name, valid := range map[string]string{
		"return": "0111", "equity": "1111", "weight.A": "1111", "contribution.C": "0111", "contribution.CASH": "0111",
		"custom.breadth": "0010", "custom.bad": "0000", "custom.wealth": "1111",
	} {
		if got := nulls(name); got != valid {
			t.Errorf("%s is there on %s, want %s", name, got, valid)
		}
	}
	if d := daily.Column(0).(*array.Date32).Value(0); timeseries.Date(d) != r.Summary.Base {
		t.Errorf("row 0 is of %v", d)
	}
	if !ledger.Schema().Equal(backtest.LedgerSchema) || ledger.NumRows() != 8 {
		t.Errorf("ledger of %d rows: %v", ledger.NumRows(), ledger.Schema())
	}
	if k := ledger.Column(4).(*array.String).Value(3); k != "C" {
		t.Errorf("row 3 of the ledger is of %s", k)
	}

	s, err := backtest.SummaryOf(daily.Schema())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.Summary, s, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("summary (-was +read):\n%s", diff)
	}
}

func TestSummary(t *testing.T) {
	f := days(t, "A 0 .1 0 .1", "B 0 0 0 0", "C 0 0 .2 0")
	spec := daily()
	spec.Fill = backtest.FillNextClose
	r, err := backtest.Run(context.Background(), f, spec, backtest.DeciderFunc(recording), backtest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Summary
	if s.Base.String() != "2024-01-02" || s.StartDate.String() != "2024-01-03" || s.Sessions != 2 || s.RebalanceDates != 3 || s.Decisions.Count != 4 {
		t.Errorf("%+v", s)
	}
	want := backtest.Decision{Date: timeseries.NewDate(2024, 1, 4), Filled: false, Weights: map[string]float64{"A": .5, "C": .25}}
	if diff := cmp.Diff(want, s.LastDecision); diff != "" {
		t.Error(diff)
	}
	// After the base C gains 20 %, so the drifted weights are 0.5/1.05 and 0.3/1.05; then
	// A gains 10 %, and so on. Half of both trades over two days.
	traded := math.Abs(.5-.5/1.05) + math.Abs(.25-.3/1.05)
	traded += math.Abs(.5-.55/1.05) + math.Abs(.25-.25/1.05)
	near(t, "annual turnover", float64(s.AnnualTurnover), traded/2/(2/365.25), 1e-9)
	near(t, "highest exposure", s.MaxGrossExposure, .75, 1e-12)
	if diff := cmp.Diff(map[string]int{"mon": 1, "tue": 1, "wed": 1, "thu": 1}, s.Decisions.Weekday); diff != "" {
		t.Error(diff)
	}
}

func TestSummaryOfRefuses(t *testing.T) {
	if _, err := backtest.SummaryOf(arrow.NewSchema(nil, nil)); err == nil {
		t.Error("a schema without a summary is read")
	}
	if _, err := backtest.DecodeSummary([]byte("{")); err == nil {
		t.Error("half a summary is read")
	}
}

func FuzzDecodeSummary(f *testing.F) {
	frame := days(f, "A 0 .1 0", "B 0 0 0")
	r, err := backtest.Run(context.Background(), frame, daily(), fixed(.5, .5), backtest.Options{})
	if err != nil {
		f.Fatal(err)
	}
	b, err := backtest.EncodeSummary(r.Summary)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := backtest.DecodeSummary(b)
		if err != nil {
			return
		}
		if _, err := backtest.EncodeSummary(s); err != nil {
			t.Fatal(err)
		}
	})
}

// TestSameBytes runs twice and compares the encoded tables.
func TestSameBytes(t *testing.T) {
	f := panel(7, 700)
	write := func() []byte {
		r, err := backtest.Run(context.Background(), f, monthly(), backtest.DeciderFunc(recording), backtest.Everything)
		if err != nil {
			t.Fatal(err)
		}
		daily, ledger, err := r.Tables(memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		for _, table := range []arrow.RecordBatch{daily, ledger} {
			w := ipc.NewWriter(&out, ipc.WithSchema(table.Schema()))
			if err := w.Write(table); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			table.Release()
		}
		return out.Bytes()
	}
	first := write()
	for range 5 {
		if !bytes.Equal(first, write()) {
			t.Fatal("a second run gives other bytes")
		}
	}
}
