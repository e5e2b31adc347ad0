package sandbox

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/google/go-cmp/cmp"

	"ballast/backtest"
	"ballast/timeseries"
)

// earlierOf runs a job over the bars up to axis position t and reads its tables.
func earlierOf(t *testing.T, p *Pool, j Job, at int) *backtest.Result {
	t.Helper()
	whole := j.Frame
	j.Frame = whole.Cut(whole.Axis[at])
	o, err := p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	r, err := backtest.ResultOf(o.Daily(), o.Ledger(), keysOf(whole))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func keysOf(f *timeseries.Frame) []string {
	keys := make([]string, len(f.Members))
	for i := range keys {
		keys[i] = f.Members[i].Key
	}
	return keys
}

func TestJobsGoOn(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "script"}, Size: 1})
	j := scripted(t, "if len(ctx.date) and ctx.date[8:] > '25': ctx.record('late', ctx.equity)\n")
	want, err := p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{1, 30, 150, 297, 298} {
		j.Earlier = earlierOf(t, p, j, at)
		if past := backtest.Fingerprint(j.Frame, j.Earlier.State.Session); past != j.Earlier.State.Past {
			t.Fatalf("past %s is not %s", past, j.Earlier.State.Past)
		}
		got, err := p.Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Daily().Schema().Metadata().ToMap(), got.Daily().Schema().Metadata().ToMap()); diff != "" {
			t.Errorf("from %d on, metadata (-whole +continued):\n%s", at, diff)
		}
		if !got.Daily().Schema().Equal(want.Daily().Schema()) || !array.RecordEqual(want.Daily(), got.Daily()) || !array.RecordEqual(want.Ledger(), got.Ledger()) {
			t.Errorf("from %d on: other tables", at)
		}
		if got.Steps != want.Steps || at > 100 && len(got.Log) >= len(want.Log) {
			t.Errorf("from %d on: %d steps and %d lines, of %d and %d", at, got.Steps, len(got.Log), want.Steps, len(want.Log))
		}
	}
}

// TestUnfitJobsDoNotGoOn checks that an invalid state is refused before it is used.
func TestUnfitJobsDoNotGoOn(t *testing.T) {
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "script"}, Size: 1})
	j := scripted(t, "pass")
	for name, damage := range map[string]func(*Job){
		"no state":        func(j *Job) { j.Earlier.State = nil },
		"another frame":   func(j *Job) { j.Frame = j.Frame.Cut(j.Frame.Axis[20]) },
		"another equity":  func(j *Job) { j.Earlier.State.Equity *= 1.01 },
		"with causality":  func(j *Job) { j.Causality = true },
		"another result":  func(j *Job) { j.Earlier.Equity[j.Earlier.State.Session] *= 1.01 },
		"another session": func(j *Job) { j.Earlier.State.Session++ },
	} {
		again := j
		again.Earlier = earlierOf(t, p, j, 150)
		damage(&again)
		if o, err := p.Run(t.Context(), again); err == nil {
			t.Errorf("%s: went on to %s", name, o.Summary.EndDate)
		}
	}
}

// TestStrangeStatesAreRefused makes a child send a state that does not match its result.
func TestStrangeStatesAreRefused(t *testing.T) {
	f := panel(t, 3, 100)
	for name, damage := range map[string]func(*backtest.State){
		"another base":      func(s *backtest.State) { s.Base++ },
		"beyond the axis":   func(s *backtest.State) { s.Session = 1 << 40 },
		"before it":         func(s *backtest.State) { s.Session = -1 },
		"a past":            func(s *backtest.State) { s.Past = "0123" },
		"other equity":      func(s *backtest.State) { s.Equity, s.Cash = s.Equity*2, s.Cash+s.Equity },
		"other exposure":    func(s *backtest.State) { s.Gross += 0.5 },
		"higher exposure":   func(s *backtest.State) { s.MaxGross += 5 },
		"more trades":       func(s *backtest.State) { s.Trades = 1e9 },
		"more rows":         func(s *backtest.State) { s.LedgerRows = 1e9 },
		"more steps":        func(s *backtest.State) { s.Steps = 1e9 },
		"another series":    func(s *backtest.State) { s.Custom = append(s.Custom, "zzz") },
		"more warnings":     func(s *backtest.State) { s.Warnings = append(s.Warnings, backtest.Warning{Kind: backtest.WarnRuin}) },
		"fewer members":     func(s *backtest.State) { s.Hold = s.Hold[:1] },
		"a column too many": func(s *backtest.State) { s.Weights = append(s.Weights, 3) },
	} {
		_, r := response(t, f)
		damage(r.State)
		var b bytes.Buffer
		if _, err := writeReply(&b, 1, finished{result: r, steps: 1}); err != nil {
			t.Fatal(err)
		}
		var bad *damagedError
		if _, err := read(b.Bytes(), f); !errors.As(err, &bad) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// FuzzContinuedReply is FuzzReply for a continued run.
func FuzzContinuedReply(f *testing.F) {
	frame := panel(f, 2, 40)
	earlier, err := backtest.Run(f.Context(), frame.Cut(frame.Axis[30]), monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything)
	if err != nil {
		f.Fatal(err)
	}
	later, err := backtest.Resume(f.Context(), frame, monthly(), backtest.DeciderFunc(equalWeight), backtest.Everything, earlier.State)
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := writeReply(&b, 1, finished{result: later, steps: 1}); err != nil {
		f.Fatal(err)
	}
	sound := slices.Clone(b.Bytes())
	f.Add(sound)
	f.Add(sound[:200])
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		h, err := readHeader(r)
		if err != nil {
			return
		}
		_, result, err := readReply(r, h, 1, frame, earlier, false, 0)
		if bytes.Equal(b, sound) && err != nil {
			t.Fatal(err)
		}
		if err == nil && result != nil && len(result.Dates) != len(frame.Axis) {
			t.Errorf("%d rows", len(result.Dates))
		}
	})
}
