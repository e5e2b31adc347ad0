package text

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// oracle returns the text of each Python expression, or null if it is an error.
const oracle = `
import json, sys
if sys.version_info < (3, 10):
    sys.exit()  # another reading of zeros before strings
answers = []
for expression in json.load(sys.stdin):
    try:
        answers.append(eval(expression))
    except Exception:
        answers.append(None)
json.dump(answers, sys.stdout)
`

// TestPythonWritesTheSame compares random formats of random values with CPython.
func TestPythonWritesTheSame(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not there")
	}
	r := &drawer{rand.New(rand.NewPCG(3, 7))}
	type drawn struct {
		got string
		err error
	}
	expressions, cases := make([]string, 20000), make([]drawn, 20000)
	for i := range expressions {
		c := &cases[i]
		switch i % 3 {
		case 0:
			v := r.value(3)
			expressions[i] = "repr(" + v.String() + ")"
			c.got = Repr(v)
		case 1:
			format := "<" + r.percent() + "|" + r.percent() + ">"
			values := starlark.Tuple{r.value(1), r.value(0)}
			expressions[i] = fmt.Sprintf("%s %% %s", starlark.String(format), values)
			c.got, c.err = Percent(format, values)
		default:
			format := r.field() + " {{}} " + r.field()
			values := starlark.Tuple{r.value(1), r.value(0)}
			expressions[i] = fmt.Sprintf("%s.format(*%s)", starlark.String(format), values)
			c.got, c.err = Format(format, values, nil)
		}
	}
	in, err := json.Marshal(expressions)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "-c", oracle)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Skip("python3 is older than 3.10")
	}
	var want []*string
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	wrong, refused := 0, 0
	for i, c := range cases {
		if want[i] == nil || c.err != nil {
			refused++
			if (want[i] == nil) == (c.err != nil) {
				continue
			}
		} else if c.got == *want[i] {
			continue
		}
		if wrong++; wrong <= 30 {
			t.Errorf("%s: %q, error %v, and in Python %s", expressions[i], c.got, c.err, shown(want[i]))
		}
	}
	t.Logf("%d texts, %d refused by both, %d wrong", len(cases), refused, wrong)
}

func shown(s *string) string {
	if s == nil {
		return "an error"
	}
	return fmt.Sprintf("%q", *s)
}

type drawer struct{ *rand.Rand }

func (r *drawer) one(of ...string) string { return of[r.IntN(len(of))] }

func (r *drawer) value(depth int) starlark.Value {
	if depth > 0 && r.IntN(4) == 0 {
		a, b := r.value(depth-1), r.value(depth-1)
		switch r.IntN(3) {
		case 0:
			return starlark.NewList([]starlark.Value{a, b})
		case 1:
			return starlark.Tuple{a}
		}
		d := starlark.NewDict(1)
		_ = d.SetKey(starlark.String("k"), b)
		return d
	}
	switch r.IntN(7) {
	case 0:
		return starlark.MakeInt(r.IntN(3000000) - 1000000)
	case 1:
		return starlark.MakeInt(r.IntN(20) - 10)
	case 2:
		return starlark.String(r.one("", "SPY", "it's", `a "b"`, "'\"", "\n\t\\", "Größe", "世界", "\x00\x7f", "a b"))
	case 3:
		return starlark.Bool(r.IntN(2) == 0)
	case 4:
		return starlark.None
	case 5:
		return starlark.Float(float64(r.IntN(2000)-1000) / []float64{1, 8, 10, 3}[r.IntN(4)])
	default:
		return starlark.Float(r.NormFloat64() * math.Pow(10, float64(r.IntN(44)-22)))
	}
}

func (r *drawer) percent() string {
	return "%" + r.one("", "", "-", "+", " ", "0", "#", "-0", "+0") + r.one("", "", "1", "8", "15") + r.one("", "", ".0", ".1", ".4", ".", ".12") +
		r.one("s", "r", "d", "i", "f", "e", "g", "G", "E", "x", "X", "o", "c", "f", "F", "%", "y")
}

func (r *drawer) field() string {
	terms := r.one("", "", "<", ">", "^", "=", "*<", "_^", "0=") + r.one("", "", "+", "-", " ") + r.one("", "", "#") + r.one("", "", "0") + r.one("", "3", "12") +
		r.one("", "", "", ",", "_") + r.one("", "", ".0", ".1", ".3", ".9") + r.one("", "", "s", "d", "f", "e", "g", "%", "x", "X", "b", "o", "G", "E", "q")
	if terms == "" {
		return "{}"
	}
	return "{" + r.one("", "", "", "!r", "!s") + ":" + terms + "}"
}

// TestWidthsHaveBounds checks that the numbers in a format cannot make it use much memory.
func TestWidthsHaveBounds(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"%0999999999d", "%.999999999f", "%*d", "%99999999999999999999s"} {
		if text, err := Percent(format, starlark.Tuple{starlark.MakeInt(1 << 30), starlark.MakeInt(1)}[:1+strings.Count(format, "*")]); err == nil {
			t.Errorf("%s gives %d characters", format, len(text))
		}
	}
	for _, format := range []string{"{:999999999}", "{:.999999999f}", "{:>1001}"} {
		if text, err := Format(format, starlark.Tuple{starlark.Float(1)}, nil); err == nil {
			t.Errorf("%s gives %d characters", format, len(text))
		}
	}
}
