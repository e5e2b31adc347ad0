package sandbox

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"ballast/internal/testenv"
	"ballast/script"
	"ballast/script/dialect"
)

// The ways in which an attack may end.
const (
	complete   = "complete" // the attack is harmless
	scriptFail = string(script.ScriptError)
	memoryEnd  = string(script.MemoryLimit)
	timeEnd    = string(script.TimeLimit)
	stepEnd    = string(script.StepLimit)
)

// attack is the body of a decide that wants too much, and the ways in which it may end.
type attack struct {
	name, body string
	ends       []string
}

// Limits for the attacks on memory, on time and on the size of results.
var (
	small = Limits{Deadline: 3 * time.Second, Memory: burden * 96 << 20, Steps: 1e9}
	short = Limits{Deadline: 400 * time.Millisecond, Memory: burden * 512 << 20, Steps: 1e9}
	usual = Limits{Deadline: 10 * time.Second, Memory: burden * 256 << 20, Steps: 1e8}
)

// grown are the ends of attacks that grow memory slowly, on a machine that may be slow.
var grown = []string{memoryEnd, timeEnd}

// hogs want too much memory.
var hogs = []attack{
	{"a string of a gigabyte", `x = "x" * 1000000000`, []string{memoryEnd}},
	{"a string beyond counting", `x = "x" * 1000000000000000000`, []string{scriptFail}},
	{"a string doubled", `
s = "x"
while True:
    s += s`, grown},
	{"a width", `x = ("%0" + "9" * 9 + "d") % 1`, []string{scriptFail}},
	{"a width for format", `x = ("{:>" + "9" * 9 + "}").format(1)`, []string{scriptFail}},
	{"join", `x = "".join(["x" * 1000000] * 100000)`, grown},
	{"replace", `x = ("a" * 100000).replace("a", "b" * 100000)`, []string{memoryEnd}},
	{"upper case of long texts", `x = [("ß" * 1000000 + str(i)).upper() for i in range(100000)]`, grown},
	{"split", `x = ("," * 50000000).split(",")`, []string{memoryEnd}},
	{"a list repeated", `x = [0] * 1000000000`, []string{memoryEnd}},
	{"a tuple repeated", `x = (0,) * 1000000000`, []string{memoryEnd}},
	{"a list that grows", `
x = []
while True:
    x.append("y" * 1000 + str(len(x)))`, grown},
	{"a list in itself", `
x = [1]
while True:
    x.extend(list(x))`, grown},
	{"a list from a range", `
x = []
x += range(1000000000)`, grown},
	{"arguments from a range", `x = (lambda *a: len(a))(*range(1000000000))`, grown},
	{"a tuple doubled", `
x = (1,)
while True:
    x = x + x`, grown},
	{"a dictionary", `x = {i: str(i) * 100 for i in range(100000000)}`, grown},
	{"a set", `
x = set()
for i in range(100000000):
    x.add("%d" % i)`, grown},
	{"a nested comprehension", `x = [[j for j in range(1000000)] for i in range(1000000)]`, grown},
	{"a range as a list", `x = list(range(1000000000))`, []string{stepEnd}},
	{"a range sorted", `x = sorted(range(1000000000))`, []string{stepEnd}},
	{"long texts sorted", `x = sorted([("x" * 1000000) + str(i) for i in range(1000)])`, grown},
	{"a shift", `x = 1 << 1000000000`, []string{scriptFail}},
	{"a power", `x = pow(10, 1000000000)`, []string{scriptFail}},
	{"deep nesting, printed", `
x = []
for i in range(3000000):
    x = [x]
print(x)`, grown},
	{"deep nesting, compared", `
x, y = [], []
for i in range(200000):
    x, y = [x], [y]
print(x == y)`, []string{memoryEnd, timeEnd, scriptFail}},
	{"deep nesting, a key", `
x = ()
for i in range(1000000):
    x = (x,)
print({x: 1})`, []string{memoryEnd, timeEnd, scriptFail}},
	{"vectors", `
x = []
while True:
    x.append(ctx.prices("A000") + 1)`, grown},
	{"a vector of a range", `x = vector(range(1000000000))`, []string{memoryEnd, scriptFail}},
	{"a vector repeated", `x = vector([1.0] * 100000000)`, grown},
	{"a matrix of thousands", `x = correlation({str(i): ctx.prices("A000") for i in range(20000)})`, grown},
}

// spinners want too much time.
var spinners = []attack{
	{"for ever", `
while True:
    pass`, []string{timeEnd}},
	{"loops in loops", `x = [1 for i in range(1000000) for j in range(1000000) if j < 0]`, []string{timeEnd}},
	{"squares", `
x = 3
while True:
    x = x * x`, []string{memoryEnd, timeEnd}},
	{"factorial", `
x = 1
for i in range(1, 100000000):
    x = x * i`, []string{timeEnd}},
	{"a number of fifty million digits", `x = int("9" * 50000000)`, []string{timeEnd, memoryEnd}},
	{"the text of a great number", `
x = 7
for i in range(26):
    x = x * x
x = str(x)`, []string{timeEnd}},
	{"the sum of a range", `x = sum(range(1000000000000))`, []string{stepEnd, timeEnd}},
	{"the end of a range", `x = max(range(1000000000000))`, []string{stepEnd, timeEnd}},
	{"a member of a range", `
for i in range(1000000000):
    x = 1000000000000 in range(10000000000000)`, []string{timeEnd}},
	{"a set and a range", `x = set([1]).intersection(range(1000000000000))`, []string{timeEnd, memoryEnd}},
	{"a needle in a haystack", `
x = "x" * 10000000
while True:
    y = "y" in x`, []string{timeEnd}},
	{"a text counted", `
x = "x" * 10000000
while True:
    y = x.count("xy")`, []string{timeEnd}},
	{"a member of a list", `
x = list(range(1000000))
while True:
    y = -1 in x`, []string{timeEnd}},
	{"sorted with a key", `
while True:
    x = sorted(range(10000), key=lambda i: -i)`, []string{timeEnd}},
	{"max with a key that loops", `x = max([1, 2], key=lambda i: [j for j in range(1000000000) if j < 0])`, []string{timeEnd}},
	{"zip of ranges", `
for a, b in zip(range(1000000000000), range(1000000000000)):
    pass`, []string{stepEnd, timeEnd}},
	{"enumerate", `
for a in enumerate(range(1000000000000)):
    pass`, []string{stepEnd, timeEnd}},
	{"optimizers in a loop", `
p = {str(i): ctx.prices("A000") * (1 + 1.0 / (2 + i)) + i for i in range(60)}
while True:
    x = min_variance(p)`, []string{timeEnd}},
	{"one optimizer over much", `
p = {str(i): [1.0 * ((i * 7919 + j * j * 1047) % 9973) for j in range(60)] for i in range(1, 1500)}
x = risk_parity(p)`, []string{timeEnd, memoryEnd}},
	{"momentum for ever", `
while True:
    x = sma(ctx.prices("A000"))`, []string{timeEnd}},
	{"steps without end of messages", `
while True:
    print("x")`, []string{timeEnd}},
}

// chatterers write too much.
var chatterers = []attack{
	{"a line of a megabyte, a hundred times", `
for i in range(100):
    print("x" * 1000000)`, []string{complete}},
	{"a hundred million lines", `print("\n" * 100000000)`, []string{complete, memoryEnd}},
	{"log of everything", `
for i in range(10000):
    ctx.log([ctx.date] * 10)`, []string{complete}},
	{"a thousand series", `
for i in range(1000):
    ctx.record("s%d" % i, i)`, []string{scriptFail}},
	{"a name of a megabyte", `ctx.record("s" * 1000000, 1)`, []string{scriptFail}},
	{"a name with a line end", `ctx.record("s\n", 1)`, []string{scriptFail}},
	{"a value beyond numbers", `ctx.record("s", pow(10, 400))`, []string{scriptFail, complete}},
	{"two hundred thousand weights", `return {str(i): 1 for i in range(200000)}`, []string{scriptFail}},
	{"a symbol of ten megabytes", `return {"S" * 10000000: 1}`, []string{scriptFail}},
	{"a weight beyond numbers", `return {"A000": 1e308 * 10}`, []string{scriptFail}},
	{"an error of ten megabytes", `x = {}["k" * 10000000]`, []string{scriptFail}},
	{"another one", `x = int("x" * 10000000)`, []string{scriptFail}},
	{"an error of all that is held", `x = ctx.inputs["x" * 10000000]`, []string{scriptFail}},
	{"a list where weights are due", `return [ctx] * 10000000`, []string{scriptFail, memoryEnd}},
	{"recursion", `return (lambda f: f(f))(lambda f: f(f))`, []string{scriptFail}},
}

// attackJob returns a job with the body, over three members and 300 sessions.
func attackJob(tb testing.TB, body string, limits Limits) (Job, []dialect.Problem) {
	source := `from harness import correlation, min_variance, risk_parity, sma, vector
NAME = "Attack"
SCHEDULE = "monthly"
UNIVERSE = ["A000", "A001", "A002"]

def decide(ctx):
    if ctx.sessions("A000") < 100:
        return {}
    ` + strings.ReplaceAll(strings.TrimPrefix(body, "\n"), "\n", "\n    ") + `
    return {}
`
	p, problems := script.Check(source, nil)
	if len(problems) > 0 {
		return Job{}, problems
	}
	inputs, _ := p.Bind(nil)
	return Job{
		Source: source, Inputs: inputs.Map(), Frame: panel(tb, 3, 300),
		Limits: limits,
	}, nil
}

// TestRedTeamScripts runs scripts that want too much. Each must end in time with the name
// of a limit, runs beside and after it must give the same results as without it, and
// nothing may be left behind.
func TestRedTeamScripts(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	const attackers = 2
	p, machine := poolOf(t, Config{Command: []string{"/proc/self/exe", "script"}, Size: attackers + 1}), newPace(t)
	innocent := modelJob(t, momentumModel, panel(t, 10, 600))
	innocent.Causality = true
	ward := newWard(t, p, innocent)
	type order struct {
		attack
		limits Limits
	}
	var attacks []order
	for _, group := range []struct {
		attacks []attack
		limits  Limits
	}{{hogs, small}, {spinners, short}, {chatterers, usual}} {
		for _, a := range group.attacks {
			attacks = append(attacks, order{a, group.limits})
		}
	}
	next := make(chan order)
	var wg sync.WaitGroup
	for range attackers {
		wg.Go(func() {
			for a := range next {
				assault(t, p, machine, a.attack, a.limits)
			}
		})
	}
	for i, a := range testenv.Some(t, 20, attacks) {
		next <- a
		if i%5 == 0 {
			ward.check(t)
		}
	}
	close(next)
	wg.Wait()
	ward.check(t)
	ward.refilled(t)
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("temporary files %v, error %v", left, err)
	}
}

// assault runs an attack and checks how it ends.
func assault(t *testing.T, p *Pool, machine *pace, a attack, limits Limits) {
	j, problems := attackJob(t, a.body, limits)
	if len(problems) > 0 {
		t.Errorf("%s: %+v", a.name, problems[0])
		return
	}
	began := time.Now()
	o, err := p.Run(t.Context(), j)
	took := time.Since(began)
	if end := endOf(err); !slices.Contains(a.ends, end) {
		t.Errorf("%s: %s instead of %v: %.300v", a.name, end, a.ends, err)
	}
	machine.holds(t, a.name, began, took, limits)
	var e *script.RunError
	switch {
	case err == nil:
		if n := len(strings.Join(o.Log, "")); n > 80<<10 {
			t.Errorf("%s: a log of %d bytes", a.name, n)
		}
		o.Release()
	case errors.As(err, &e) && e.CPU > processors*(limits.Deadline+time.Second):
		t.Errorf("%s: took %s of the processors", a.name, e.CPU)
	case errors.As(err, &e) && len(e.Message)+len(e.Traceback) > 4*(maxMessage+maxTraceback):
		t.Errorf("%s: an error of %d bytes", a.name, len(e.Message)+len(e.Traceback))
	}
	if testing.Verbose() {
		t.Logf("%-40s %6.0f ms  %.90v", a.name, float64(took.Microseconds())/1e3, err)
	}
}

// ward is what attacks must not affect: the innocent runs of a pool, its children, and
// this process's descriptors.
type ward struct {
	pool        *Pool
	job         Job
	want        *Outcome
	descriptors int
}

func newWard(t *testing.T, p *Pool, j Job) *ward {
	t.Helper()
	j.Limits = Limits{Deadline: 20 * time.Second} // the attackers use the processors
	o, err := p.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return &ward{pool: p, job: j, want: o, descriptors: descriptorCount(t)}
}

// check runs the innocent job.
func (w *ward) check(t *testing.T) {
	t.Helper()
	o, err := w.pool.Run(t.Context(), w.job)
	if err != nil {
		t.Errorf("the innocent run: %v", err)
		return
	}
	if !array.RecordEqual(o.Daily(), w.want.Daily()) || !array.RecordEqual(o.Ledger(), w.want.Ledger()) || w.job.Causality && !o.Causality.Causal {
		t.Error("the innocent run gives other numbers than before")
	}
	o.Release()
}

// refilled waits until the pool has exactly its children, and the process no more
// descriptors than before.
func (w *ward) refilled(t *testing.T) {
	t.Helper()
	var now string
	for range 100 {
		size := w.pool.config.Size
		idle, alive, open := len(w.pool.idle), len(descendants(t)), descriptorCount(t)
		if idle == size && alive == size && open <= w.descriptors {
			return
		}
		now = fmt.Sprintf("%d idle and %d living children of %d, %d descriptors instead of %d", idle, alive, size, open, w.descriptors)
		time.Sleep(50 * time.Millisecond)
	}
	t.Error(now)
}

func descriptorCount(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(entries)
}
