package backtest_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ballast/backtest"
	"ballast/storage/columnar"
	"ballast/timeseries"
)

// counting is a decider that counts its decisions as scripts count steps.
type counting struct {
	backtest.Decider
	steps uint64
}

func (c *counting) Decide(s *backtest.Session, target []float64) (bool, error) {
	c.steps++
	return c.Decider.Decide(s, target)
}

func (c *counting) Steps() uint64 { return c.steps }

// wholeRun runs u over f from the beginning and sets the fingerprint of its state.
func wholeRun(u universe, f *timeseries.Frame, opt backtest.Options) (*backtest.Result, error) {
	r, err := backtest.Run(context.Background(), f, u.spec, &counting{Decider: u.wordy()}, opt)
	if err == nil && r.State != nil {
		r.State.Past = backtest.Fingerprint(f, r.State.Session)
	}
	return r, err
}

// continued runs u over f from the state of an earlier result, as stored.
func continued(t *rapid.T, u universe, earlier *backtest.Result, f *timeseries.Frame, opt backtest.Options) *backtest.Result {
	earlier = stored(t, earlier)
	if past := backtest.Fingerprint(f, earlier.State.Session); past != earlier.State.Past {
		t.Fatalf("another past: %s and %s", past, earlier.State.Past)
	}
	later, err := backtest.Resume(context.Background(), f, u.spec, &counting{Decider: u.wordy(), steps: earlier.State.Steps}, opt, earlier.State)
	if err != nil {
		t.Fatal(err)
	}
	r, err := earlier.Continue(later, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.State != nil {
		r.State.Past = backtest.Fingerprint(f, r.State.Session)
	}
	return r
}

// stored writes a result as Parquet and reads it back.
func stored(t *rapid.T, r *backtest.Result) *backtest.Result {
	var tables []arrow.RecordBatch
	for _, file := range files(t, r) {
		f, err := columnar.NewParquetFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		table, err := f.Read(nil, columnar.All)
		if err != nil {
			t.Fatal(err)
		}
		defer table.Release()
		tables = append(tables, table)
	}
	again, err := backtest.ResultOf(tables[0], tables[1], r.Keys)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// files returns the Parquet files of a result.
func files(t *rapid.T, r *backtest.Result) [][]byte {
	daily, ledger, err := r.Tables(memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	defer daily.Release()
	defer ledger.Release()
	var written [][]byte
	for _, table := range []arrow.RecordBatch{daily, ledger} {
		var b bytes.Buffer
		if err := columnar.WriteParquet(&b, table, columnar.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		written = append(written, b.Bytes())
	}
	return written
}

// wordy decides like u and records series on some sessions only.
func (u universe) wordy() backtest.Decider {
	inner := u.decider()
	return backtest.DeciderFunc(func(s *backtest.Session, target []float64) (bool, error) {
		if s.T%7 == 3 {
			s.Record("sometimes", float64(s.T))
		}
		if s.T > 40 {
			s.Record("late", s.Cash)
		}
		if s.Last >= 0 && s.T-s.Last > 3 {
			s.Record("apart", float64(s.T-s.Last))
		}
		return inner.Decide(s, target)
	})
}

// TestContinuedIsWhole continues runs repeatedly as bars are appended, and compares each
// with a run from the beginning: the files must be the same to the byte.
func TestContinuedIsWhole(t *testing.T) {
	took := 0
	many(t, 12, func(t *rapid.T) {
		u := drawUniverse(t)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "cuts"), 1))
		opt := backtest.Everything
		if rng.IntN(3) == 0 {
			opt.LedgerRows = 1 + rng.IntN(40)
		}
		ends := []int{len(u.frame.Axis) - 1}
		for range 1 + rng.IntN(5) {
			ends = append(ends, rng.IntN(len(u.frame.Axis)))
		}
		slices.Sort(ends)
		var earlier *backtest.Result
		for _, end := range ends {
			f := u.frame.Cut(u.frame.Axis[end])
			if end == len(u.frame.Axis)-1 {
				f = u.frame
			}
			whole, err := wholeRun(u, f, opt)
			if err != nil {
				if earlier != nil {
					t.Fatalf("the run over fewer bars succeeded, but the whole run failed: %v", err)
				}
				continue
			}
			if earlier == nil || earlier.State == nil {
				earlier = whole
				continue
			}
			took++
			got := continued(t, u, earlier, f, opt)
			same(t, whole, got)
			earlier = got
		}
	})
	t.Logf("%d continuations", took)
}

// TestCausalityOfAnOldLedger checks that the causality check works when the ledger has
// dropped rows: the kept rows and the other columns are still compared.
func TestCausalityOfAnOldLedger(t *testing.T) {
	many(t, 3, func(t *rapid.T) {
		u := drawUniverse(t)
		opt := backtest.Everything
		opt.LedgerRows = rapid.IntRange(1, 30).Draw(t, "rows")
		whole, err := backtest.Run(context.Background(), u.frame, u.spec, u.decider(), opt)
		if err != nil {
			return
		}
		verdict, err := backtest.CheckCausality(context.Background(), u.frame, u.spec, whole, rapid.Uint64().Draw(t, "seed"),
			func(*timeseries.Frame) (backtest.Decider, error) { return u.decider(), nil })
		if err != nil {
			t.Fatal(err)
		}
		if !verdict.Causal {
			t.Fatalf("%+v", verdict.Difference)
		}
	})
}

func same(t *rapid.T, whole, got *backtest.Result) {
	if diff := cmp.Diff(whole.State, got.State); diff != "" {
		t.Fatalf("state (-whole +continued):\n%s", diff)
	}
	want, have := files(t, whole), files(t, got)
	for i, name := range []string{"daily", "ledger"} {
		if bytes.Equal(want[i], have[i]) {
			continue
		}
		if diff := cmp.Diff(whole.Summary, got.Summary, equateNaN); diff != "" {
			t.Fatalf("summary (-whole +continued):\n%s", diff)
		}
		t.Fatalf("%s differs:\n%s", name, cmp.Diff(whole, got, equateNaN))
	}
}

var equateNaN = cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })

// TestRestatedPastIsAnotherOne changes one thing in what was read and expects another
// fingerprint.
func TestRestatedPastIsAnotherOne(t *testing.T) {
	const at = 70
	grown := panel(3, 130)
	before := backtest.Fingerprint(grown.Cut(grown.Axis[99]), at)
	if backtest.Fingerprint(grown, at) != before {
		t.Fatalf("appended sessions change the past")
	}
	for name, change := range map[string]func(f *timeseries.Frame){
		"a return":        func(f *timeseries.Frame) { f.Members[1].Returns[at] *= 1 + 1e-15 },
		"a missing bar":   func(f *timeseries.Frame) { f.Members[1].Bars[3] ^= 4 },
		"a name":          func(f *timeseries.Frame) { f.Members[2].Key = "OTHER" },
		"the order":       func(f *timeseries.Frame) { slices.Reverse(f.Members) },
		"a member more":   func(f *timeseries.Frame) { f.Members = append(f.Members, f.Members[0]) },
		"a day":           func(f *timeseries.Frame) { f.Axis[0]-- },
		"the calendar":    func(f *timeseries.Frame) { f.Calendar = "24/7" },
		"bars a year":     func(f *timeseries.Frame) { f.BarsPerYear = 365 },
		"a delisting":     func(f *timeseries.Frame) { end(&f.Members[0], at-1) },
		"a first bar":     func(f *timeseries.Frame) { f.Members[0].Bars[0] &^= 1 },
		"a kind of asset": func(f *timeseries.Frame) { f.Members[0].SevenDay = true },
	} {
		changed := panel(3, 130)
		change(changed)
		if backtest.Fingerprint(changed, at) == before {
			t.Errorf("%s: the same past", name)
		}
	}
	later := panel(3, 130)
	later.Members[1].Returns[at+1] = 0.5
	end(&later.Members[0], at+1)
	if backtest.Fingerprint(later, at) != before {
		t.Error("later bars change the past")
	}
}

// end removes the bars after axis position t and marks the member as delisted.
func end(m *timeseries.Member, t int) {
	for k := t + 1; k < len(m.Returns); k++ {
		m.Bars[k>>3] &^= 1 << (k & 7)
		m.Returns[k] = 0
	}
	m.Last, m.Delisted = t, true
}

// TestUnfitStatesAreRefused damages a state in one place at a time.
func TestUnfitStatesAreRefused(t *testing.T) {
	f := panel(3, 100)
	spec := monthly()
	spec.Fill = backtest.FillNextClose
	run := func(f *timeseries.Frame) *backtest.Result {
		r, err := backtest.Run(context.Background(), f, spec, backtest.DeciderFunc(equalWeight), backtest.Everything)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	earlier := run(f)
	if _, err := backtest.Resume(context.Background(), f, spec, backtest.DeciderFunc(equalWeight), backtest.Everything, earlier.State); err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func(s *backtest.State){
		"version":        func(s *backtest.State) { s.Version++ },
		"date":           func(s *backtest.State) { s.Date++ },
		"session":        func(s *backtest.State) { s.Session, s.Date = 99, f.Axis[99] },
		"negative":       func(s *backtest.State) { s.Session = -1 },
		"base":           func(s *backtest.State) { s.Base = s.Session + 1 },
		"members":        func(s *backtest.State) { s.Hold = s.Hold[1:] },
		"targets":        func(s *backtest.State) { s.Target = append(s.Target, 0) },
		"no number":      func(s *backtest.State) { s.Target[0] /= s.Target[0] - s.Target[0] },
		"equity":         func(s *backtest.State) { s.Equity *= 2 },
		"no equity":      func(s *backtest.State) { s.Equity = 0 },
		"exposure":       func(s *backtest.State) { s.Gross = -1 },
		"fills":          func(s *backtest.State) { s.Fills++ },
		"no fills":       func(s *backtest.State) { s.Fills = 0 },
		"rows":           func(s *backtest.State) { s.TargetRows = s.LedgerRows + 1 },
		"series":         func(s *backtest.State) { s.Custom = []string{"b", "a"} },
		"long":           func(s *backtest.State) { s.Longs = []int{0, 1, 7} },
		"unheld":         func(s *backtest.State) { s.Longs = s.Longs[1:] },
		"both sides":     func(s *backtest.State) { s.Shorts = []int{0} },
		"order":          func(s *backtest.State) { s.Weights = []int{1, 0} },
		"decisions":      func(s *backtest.State) { s.Decided = append(s.Decided, 1) },
		"late decisions": func(s *backtest.State) { s.Decided[len(s.Decided)-1] |= 0x80 },
		"pending":        func(s *backtest.State) { s.Pending = !s.Pending },
	} {
		text, err := backtest.EncodeState(earlier.State)
		if err != nil {
			t.Fatal(err)
		}
		s, err := backtest.DecodeState(text)
		if err != nil {
			t.Fatal(err)
		}
		damage(s)
		if _, err := backtest.Resume(context.Background(), f, spec, backtest.DeciderFunc(equalWeight), backtest.Everything, s); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := earlier.Continue(run(f), backtest.Everything); err == nil {
		t.Error("a whole result continues another")
	}
	earlier.State = nil
	if _, err := earlier.Continue(run(f), backtest.Everything); err == nil {
		t.Error("a result without a state is continued")
	}
}

// TestDamagedStateIsNoticed changes one digit of a stored state and expects an error.
func TestDamagedStateIsNoticed(t *testing.T) {
	f := panel(3, 100)
	r, err := backtest.Run(context.Background(), f, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything)
	if err != nil {
		t.Fatal(err)
	}
	daily, ledger, err := r.Tables(memory.DefaultAllocator)
	if err != nil {
		t.Fatal(err)
	}
	defer daily.Release()
	defer ledger.Release()
	schema := daily.Schema()
	if s, err := backtest.StateOf(schema); err != nil || s.Session != r.State.Session {
		t.Fatalf("state %v, error %v", s, err)
	}
	texts := schema.Metadata().ToMap()
	at := strings.Index(texts[backtest.StateKey], `"hold":[`) + 12
	damaged := []byte(texts[backtest.StateKey])
	damaged[at] = '0' + (damaged[at]-'0'+1)%10
	texts[backtest.StateKey] = string(damaged)
	metadata := arrow.MetadataFrom(texts)
	if _, err := backtest.StateOf(arrow.NewSchema(schema.Fields(), &metadata)); err == nil {
		t.Error("the damage is not noticed")
	}
	if s, err := backtest.StateOf(arrow.NewSchema(schema.Fields(), nil)); s != nil || err != nil {
		t.Errorf("state %v of a table without one, error %v", s, err)
	}
}

// FuzzDecodeState checks that any bytes given as a state are refused or are a valid
// state.
func FuzzDecodeState(f *testing.F) {
	frame := panel(2, 60)
	r, err := backtest.Run(context.Background(), frame, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything)
	if err != nil {
		f.Fatal(err)
	}
	text, err := backtest.EncodeState(r.State)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version":1,"session":5,"decided":""}`))
	f.Fuzz(func(_ *testing.T, text []byte) {
		s, err := backtest.DecodeState(text)
		if err != nil || s.Check(frame) != nil {
			return
		}
		// A valid state must resume without a panic, whatever the result.
		_, _ = backtest.Resume(context.Background(), frame, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything, s)
	})
}
