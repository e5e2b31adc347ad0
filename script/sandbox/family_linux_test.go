package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"

	"ballast/internal/number"
	"ballast/script"
	"ballast/script/dialect"
	"ballast/timeseries"
)

// counting is a small kind of scripts: they count something for each member.
var counting = Family{
	Kind: &script.Kind{Name: "count", EntryPoint: "count", Purpose: "counts", Context: []string{"members"}},
	Execute: func(_ context.Context, c Call) (*script.Answer, error) {
		members := starlark.NewDict(len(c.Frame.Members))
		for i := range c.Frame.Members {
			m := &c.Frame.Members[i]
			if err := members.SetKey(starlark.String(m.Key), starlark.MakeInt(len(m.Returns))); err != nil {
				return nil, err
			}
		}
		v, err := c.Caller.Call(starlark.Tuple{members})
		if err != nil {
			return nil, err
		}
		counts, ok := v.(*starlark.Dict)
		if !ok {
			return nil, &script.RunError{Type: script.ScriptError, Message: "count returns a dictionary"}
		}
		t := script.Table{Name: "counts", Columns: []script.Column{{Name: "key", Texts: []string{}}, {Name: "first", Dates: []timeseries.Date{}}, {Name: "count"}}}
		sum := 0.0
		for _, item := range counts.Items() {
			n, ok := starlark.AsFloat(item[1])
			if !ok {
				n = math.NaN()
			} else {
				sum += n
			}
			t.Columns[0].Texts = append(t.Columns[0].Texts, string(item[0].(starlark.String)))
			t.Columns[1].Dates = append(t.Columns[1].Dates, c.Frame.Axis[0])
			t.Columns[2].Numbers = append(t.Columns[2].Numbers, n)
		}
		return &script.Answer{
			Tables: []script.Table{t}, Scalars: []script.Scalar{{Name: "sum", Value: number.Float(sum), Title: "Sum"}},
			Figures: []script.Figure{{Name: "counts", Kind: "bar", Table: "counts", X: "key", Y: []string{"count"}}},
		}, nil
	},
}

const countScript = `"""Counts."""
NAME = "Counts"
INPUTS = {"universe": {"type": "array", "default": ["A", "B"]}}

def count(members):
    counted = members[0]
    print("counted", len(counted))
    return %s
`

func countingPool(t *testing.T) *Pool {
	t.Helper()
	p, err := NewPool(t.Context(), Config{Command: []string{"/proc/self/exe", "count"}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func TestFamilyReturnsItsTables(t *testing.T) {
	t.Parallel()
	p, f := countingPool(t), panel(t, 2, 60)
	source := fmt.Sprintf(countScript, `{s: n + 1 for s, n in counted.items()}`)
	o, err := p.Run(t.Context(), Job{Kind: "count", Source: source, Inputs: map[string]any{"universe": []any{"A", "B"}}, Frame: f})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	counts := o.Table("counts")
	if counts == nil || counts.NumRows() != int64(len(f.Members)) || o.Daily() != nil {
		t.Fatalf("tables %v", o.Tables)
	}
	for i := range f.Members {
		key, n := counts.Column(0).(*array.String).Value(i), counts.Column(2).(*array.Float64).Value(i)
		if first := timeseries.Date(counts.Column(1).(*array.Date32).Value(i)); key != f.Members[i].Key || n != float64(len(f.Members[i].Returns)+1) || first != f.Axis[0] {
			t.Errorf("row %d: %s, %s, %v", i, key, first, n)
		}
	}
	if len(o.Scalars) != 1 || o.Scalars[0].Name != "sum" || len(o.Figures) != 1 || len(o.Log) != 1 || o.Steps == 0 {
		t.Errorf("%+v", o)
	}
}

func TestAFamilyFailsAsAModelDoes(t *testing.T) {
	t.Parallel()
	p, f := countingPool(t), panel(t, 2, 60)
	for answer, want := range map[string]string{
		"counted.nothing":       "nothing",
		"[1]":                   "count returns a dictionary",
		"{'A': 1, 'B': 1 // 0}": "division",
	} {
		_, err := p.Run(t.Context(), Job{Kind: "count", Source: fmt.Sprintf(countScript, answer), Inputs: map[string]any{}, Frame: f})
		var failed *script.RunError
		if !errors.As(err, &failed) || failed.Type != script.ScriptError || !strings.Contains(failed.Message, want) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
	}
	o, err := p.Run(t.Context(), Job{Kind: "count", Source: fmt.Sprintf(countScript, `{"A": "none"}`), Frame: f})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	if !o.Table("counts").Column(2).IsNull(0) {
		t.Error("what is no number is not null")
	}
}

// A child whose answer does not match its kind is not sound.
func TestAnswerHasRequestedKind(t *testing.T) {
	t.Parallel()
	p, f := countingPool(t), panel(t, 2, 60)
	_, err := p.Run(t.Context(), Job{Source: fmt.Sprintf(countScript, "{}"), Frame: f})
	var failed *script.RunError
	if !errors.As(err, &failed) || failed.Type != script.InternalError {
		t.Errorf("%v", err)
	}
}

func TestWhatAKindIsToldBy(t *testing.T) {
	t.Parallel()
	kinds := kindsOf([]Family{counting})
	model := "NAME = \"M\"\nSCHEDULE = \"monthly\"\nINPUTS = {\"universe\": {\"type\": \"array\", \"default\": [\"A\"]}}\n\ndef decide(ctx):\n    return {}\n"
	count := fmt.Sprintf(countScript, "{}")
	for name, test := range map[string]struct {
		source string
		kind   *script.Kind
		rules  []string
	}{
		"a model":             {model, script.Model, nil},
		"a count":             {count, counting.Kind, nil},
		"both":                {model + "\ndef count(ctx):\n    return {}\n", nil, []string{dialect.RuleEntryPoint}},
		"a count that trades": {count + "SCHEDULE = \"monthly\"\n", nil, []string{dialect.RuleConstantInvalid}},
		"neither":             {strings.Replace(count, "def count", "def number", 1), nil, []string{dialect.RuleConstantMissing, dialect.RuleEntryPoint}},
	} {
		p, problems := kinds.Check(test.source, nil)
		var rules []string
		for _, x := range problems {
			rules = append(rules, x.Rule)
		}
		if d := cmp.Diff(test.rules, rules); d != "" || (p != nil) != (test.kind != nil) || p != nil && p.Kind != test.kind {
			t.Errorf("%s: %v %s", name, problems, d)
		}
	}
}

// Tables that a child sends must be complete and within the limits, or they are refused.
func FuzzReadSheet(f *testing.F) {
	a := &script.Answer{
		Tables:  []script.Table{{Name: "t", Columns: []script.Column{{Name: "a", Numbers: []float64{1, 2}}, {Name: "b", Texts: []string{"x", "y"}}, {Name: "d", Dates: []timeseries.Date{1, 2}}}}},
		Scalars: []script.Scalar{{Name: "s", Value: 1}},
		Figures: []script.Figure{{Name: "f", Kind: "line", Table: "t", X: "d", Y: []string{"a"}}},
	}
	var b strings.Builder
	if _, err := writeReply(&b, 1, finished{answer: a, steps: 1}); err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(b.String()))
	f.Fuzz(func(_ *testing.T, sent []byte) {
		r := strings.NewReader(string(sent))
		h, err := readHeader(r)
		if err != nil || h.body > 1<<20 || h.control > 1<<20 {
			return
		}
		answer, _, err := readReply(r, h, 1, &timeseries.Frame{}, nil, true, 0)
		if err != nil || answer.answer == nil {
			return
		}
		for i := range answer.answer.Tables {
			recordOf(&answer.answer.Tables[i]).Record.Release()
		}
	})
}
