package script

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ballast/internal/testenv"
	"ballast/script/dialect"
)

// The memory that a check may use for each byte of text. It uses most, about 400 bytes,
// for chains of operators that are rewritten.
const bytesPerByte = 800

// hostile returns texts of about n bytes that are built to be slow or large: many short
// fragments in each part of a script that has its own parsing.
func hostile() map[string]func(n int) string {
	fragments := []string{
		"(", ")", "[", "{", "(a)", "a,", "a\n", "a;", "a=1\n", "a%", "a*", "a-", "a+", "-", "~", "not ", "a.", ".a", "()", "[0]", "a<", "a and ", "a or ",
		"lambda:", "lambda x:x,", "a if a else ", "[a for a in ", "for a in a ", "if a:\n", "if a:b\n", "elif a:b\n", "for a in a:b\n", "def a():b\n",
		"def a(b,c=1,*d,**e):return b\n", "[],", "{},", "{a:b},", "'", `"""`, "'a',", "'a' ", "1.", "1.5.", "1,", "0x", "1e", "9", "1_", "é", "é,",
		"import a\n", "from harness import sma\n", "from harness import a\n", "is ", "is not ", "a is None,", "load('a','b')\n", "f'',", "u'',", "b'',",
		"\\\n", "\t", " ", "\f", "\r", "\n", "#\n", "= =\n", "a b\n", " a b\n", "@a\n", "$", "`", "“", "a//b,", "a%=b\n", "a.format(1),", "''%b,",
		"ctx.foo,", "ctx.inputs.a,", "sma(1,2,3,4,5),", "math.foo,", "a[b:b:b],", "a(**b),", "a(a=b),", "*a,", "a,b=b,a\n", "a:int=3\n", "[[],[]],",
		"[a for a in b if c],", "(lambda:0),", "NAME='a'\n", "momentm,", "x.sort(),", "0777,", "1if 1else 1,", "0xffffffffffffffffffffffff,", "1e308,",
	}
	repeated := func(unit string, n int) string { return strings.Repeat(unit, max(1, n/len(unit))) }
	counted := func(format string, n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	texts := make(map[string]func(n int) string)
	frames := []string{"@", "X=@", "X=[@]", "INPUTS={'a':[@]}", model("def decide(ctx):", " return [@]")}
	for _, f := range frames {
		for _, u := range fragments {
			texts[fmt.Sprintf("%q in %q", u, f)] = func(n int) string { return strings.Replace(f, "@", repeated(u, n), 1) }
		}
		for _, u := range []string{"%a", "+a", "//a", ".a", "()", "[0]", "(a)", " and a", "+'a'", "+1", "+[1]", ".format()"} {
			for _, first := range []string{"a", "1", "'a'", "[1]"} { // as many as allowed, side by side
				chain := first + strings.Repeat(u, dialect.MaxDepth-10) + ","
				texts[fmt.Sprintf("chains of %q after %s in %q", u, first, f)] = func(n int) string {
					return strings.Replace(f, "@", repeated(chain, n), 1)
				}
			}
		}
	}
	long := strings.Repeat("x", 58)
	for _, f := range []string{
		"a#\n", "a#=b#\n", "def a#():b#\n", "def a#():a0();a#x()\n", "from harness import a#\n", "def f#(ctx):\n x#=ctx.y#\n",
		"@a#\n", "@a#=@b#\n", "a#@=b#@\n", "def @a#():@b#()\n", "NAME.@a#\n", "ctx.@#\n",
	} {
		texts[fmt.Sprintf("names %q", f)] = func(n int) string { return counted(strings.ReplaceAll(f, "@", long), n) }
	}
	for name, f := range map[string]string{
		"inputs": "INPUTS={@}", "keys of an input": "INPUTS={'a':{@}}", "an enum": "INPUTS={'a':{'type':'string','default':'e1','enum':[@]}}",
		"a universe": "INPUTS={'universe':{'type':'array','default':[@]}}", "parameters": "def decide(@):pass", "locals": "def decide(ctx):\n @\n",
	} {
		unit := map[string]string{"inputs": "'a#':{},", "keys of an input": "'a#':1,", "parameters": "a#,", "locals": "a#=b#;"}[name]
		if unit == "" {
			unit = "'e#',"
		}
		texts[name] = func(n int) string { return strings.Replace(f, "@", counted(unit, n), 1) }
	}
	for _, deep := range []int{dialect.MaxScopes, 300} {
		texts[fmt.Sprint("lambdas ", deep)] = func(n int) string {
			return "X=" + strings.Repeat("lambda:", deep) + "[" + counted("a#,", n) + "]"
		}
		texts[fmt.Sprint("comprehensions ", deep)] = func(n int) string {
			return "X=" + strings.Repeat("[", deep) + "[" + counted("a#,", n) + "]" + strings.Repeat("for x in y]", deep)
		}
		texts[fmt.Sprint("functions ", deep)] = func(n int) string {
			var b strings.Builder
			for i := range deep {
				b.WriteString(strings.Repeat(" ", i) + "def f():\n")
			}
			return b.String() + strings.Repeat(" ", deep) + "x=[" + counted("a#,", n) + "]\n"
		}
	}
	texts["calls of calls"] = func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "def a%d():a0();a%d()\n", i, i+1)
		}
		return b.String()
	}
	texts["elif"] = func(n int) string {
		return repeated("def f():\n if a:b\n"+strings.Repeat(" elif b:b\n", dialect.MaxDepth-10), n)
	}
	texts["names as long as the text"] = func(n int) string { return strings.Repeat("a", n/2) + "=1\n" + strings.Repeat("a", n/2) + "b\n" }
	texts["errors on long lines"] = func(n int) string {
		return strings.Repeat("= "+strings.Repeat("a,", n/22)+"\n", 10)
	}
	return texts
}

// TestACheckCostsInProportionToItsText checks that time and memory grow linearly with
// the length of every hostile text. It does not run in parallel, because it measures the
// allocations of the process.
func TestACheckCostsInProportionToItsText(t *testing.T) { //nolint:paralleltest // see above
	const n = 32_000
	for name, text := range hostile() {
		testenv.Linear(inCase{t, name}, text(n/8), text(n), bytesPerByte, func(text string) { Check(text, nil) })
	}
}

// inCase names the text that an error is about, without the cost of a subtest for each.
type inCase struct {
	testing.TB
	name string
}

func (c inCase) Error(args ...any) {
	c.Helper()
	c.Errorf("%s: %s", c.name, fmt.Sprint(args...))
}

// TestTheLongestTextsAreBounded checks that the longest accepted texts take an affordable
// amount of time and memory.
func TestTheLongestTextsAreBounded(t *testing.T) { //nolint:paralleltest // it measures the allocations of the process
	for _, unit := range []string{"%a", "*a", "-a", "+a", ".a", "()", "[0]", " if a else a", " and a", "<a", "(", "not ", "lambda:", "\nelif a:b"} {
		text := "X=a" + strings.Repeat(unit, (MaxSource-3)/len(unit))
		cost := testenv.CostOf(func() { Check(text, nil) })
		if cost.Bytes > 64<<20 || cost.Time > 2*time.Second {
			t.Errorf("%q: %d MiB and %v", unit, cost.Bytes>>20, cost.Time)
		}
	}
}

// FuzzCheckCost checks the time and memory per byte for any text.
func FuzzCheckCost(f *testing.F) {
	for _, text := range hostile() {
		f.Add(text(300), uint16(1))
	}
	f.Add("%a", uint16(40000))
	f.Fuzz(func(t *testing.T, fragment string, times uint16) {
		if len(fragment) == 0 {
			return
		}
		text := strings.Repeat(fragment, min(int(times), 200_000/len(fragment)))
		cost := testenv.CostOf(func() { Check(text, nil) })
		if most := uint64(len(text))*2*bytesPerByte + 2<<20; cost.Bytes > most {
			t.Errorf("%d bytes of text took %d KiB", len(text), cost.Bytes>>10)
		}
		if most := time.Duration(len(text))*20*time.Microsecond + 500*time.Millisecond; cost.Time > most {
			t.Errorf("%d bytes of text took %v", len(text), cost.Time)
		}
	})
}
