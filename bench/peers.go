package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Tolerance is how far a total return may be from a peer's, absolute.
const Tolerance = 1e-9

// The pair of the compared model, sixty to forty.
const first, second = "SPY", "AGG"

// Comparison is the 60/40 model over the interface beside its peers.
type Comparison struct {
	Versions map[string]string `json:"versions,omitempty"`
	Cases    []Case            `json:"cases,omitempty"`
	Skipped  string            `json:"skipped,omitempty"` // why nothing was compared
}

// Case is one schedule and fill.
type Case struct {
	Name          string           `json:"name"`
	TotalReturn   float64          `json:"total_return"`   // over the interface
	EngineSeconds float64          `json:"engine_seconds"` // script and engine over the bars in memory
	ResultSeconds float64          `json:"result_seconds"` // POST runs with wait until its answer
	Peers         map[string]Value `json:"peers"`
	Base          string           `json:"base"` // date of the base, the same everywhere
}

// Value is a peer's number and time.
type Value struct {
	TotalReturn float64 `json:"total_return"`
	Seconds     float64 `json:"seconds"`
}

// Difference is the largest distance from a peer's total return.
func (c Case) Difference() float64 {
	largest := 0.0
	for _, p := range c.Peers {
		d := math.Abs(p.TotalReturn - c.TotalReturn)
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		largest = max(largest, d)
	}
	return largest
}

// Check returns an error that names each case further off than Tolerance.
func (c *Comparison) Check() error {
	var problems []error
	for _, one := range c.Cases {
		if d := one.Difference(); d > Tolerance {
			problems = append(problems, fmt.Errorf("60/40 %s differs from a peer by %g, more than %g", one.Name, d, Tolerance))
		}
	}
	return errors.Join(problems...)
}

// schedules are the constants of each case's script; balanced.py has the same cases.
var schedules = []struct{ name, schedule, fill string }{
	{"monthly", "monthly", "close"},
	{"quarterly", "quarterly", "close"},
	{"monthly_next_close", "monthly", "next_close"},
}

// balancedScript is the 60/40 model of one case.
func balancedScript(symbol, schedule, fill string) string {
	return fmt.Sprintf(`NAME = "Balanced %[1]s"
SYMBOL = "%[1]s"
SCHEDULE = "%[2]s"
FILL = "%[3]s"

INPUTS = {"universe": {"type": "array", "default": ["%[4]s", "%[5]s"]}}


def decide(ctx):
    return {"%[4]s": 0.6, "%[5]s": 0.4}
`, symbol, schedule, fill, first, second)
}

// Compare runs the cases in the peers and over the interface on a file of bars
// that has SPY and AGG. Python is an interpreter that has the peers (see
// PreparePython), balanced the path of balanced.py.
func Compare(ctx context.Context, e *Env, python, balanced, file string) (_ *Comparison, err error) {
	var peers struct {
		Versions map[string]string
		Cases    map[string]struct {
			Base         string
			BT, VectorBT struct {
				TotalReturn float64 `json:"total_return"`
				Seconds     float64
			}
		}
	}
	out, err := output(exec.CommandContext(ctx, python, balanced, file, first, second))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &peers); err != nil {
		return nil, fmt.Errorf("read what %s printed: %w", balanced, err)
	}
	s, err := startService(ctx, e.Binary, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if err := s.importBars(ctx, file); err != nil {
		return nil, err
	}
	f, err := pairFrame(ctx, e, s)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Versions: peers.Versions}
	for i, k := range schedules {
		p, ok := peers.Cases[k.name]
		if !ok {
			return nil, fmt.Errorf("%s did not answer the case %s", balanced, k.name)
		}
		one := Case{Name: k.name, Base: p.Base, Peers: map[string]Value{"bt": Value(p.BT), "vectorbt": Value(p.VectorBT)}}
		text := balancedScript(fmt.Sprintf("BALANCED-%d", i), k.schedule, k.fill)
		if err := one.measure(ctx, s.client, fmt.Sprintf("BALANCED-%d", i), text); err != nil {
			return nil, err
		}
		if one.EngineSeconds, err = engineSeconds(ctx, text, f); err != nil {
			return nil, err
		}
		c.Cases = append(c.Cases, one)
	}
	return c, nil
}

// measure builds the case's model, reads its number, and times runs of it.
func (c *Case) measure(ctx context.Context, cl *client, symbol, text string) error {
	if _, err := cl.build(ctx, text); err != nil {
		return err
	}
	var h struct {
		Window  struct{ Base string }
		Metrics struct {
			TotalReturn *float64 `json:"total_return"`
		}
	}
	if err := cl.read(ctx, http.MethodGet, "/v1/models/"+symbol+"/history?include=metrics&full_history=true", nil, &h); err != nil {
		return err
	}
	if h.Window.Base != c.Base {
		return fmt.Errorf("%s: the base is %s, the peers' is %s", c.Name, h.Window.Base, c.Base)
	}
	if h.Metrics.TotalReturn == nil {
		return fmt.Errorf("%s: no total return", c.Name)
	}
	c.TotalReturn = *h.Metrics.TotalReturn
	cash := 10_000
	took, err := repeat(ctx, 30, func() error {
		cash++
		return cl.run(ctx, symbol, map[string]any{"initial_cash": cash})
	})
	c.ResultSeconds = took.median().Seconds()
	return err
}

func (c *Comparison) print(w io.Writer) {
	if c.Skipped != "" {
		fmt.Fprintf(w, "\nComparison with bt and vectorbt skipped: %s\n", c.Skipped)
		return
	}
	names := slices.Sorted(maps.Keys(c.Versions))
	fmt.Fprintf(w, "\n60/40 of %s and %s, total return, beside", first, second)
	for _, n := range names {
		fmt.Fprintf(w, " %s %s", n, c.Versions[n])
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	fmt.Fprintf(t, "CASE\tBALLAST\t%s\tDIFFERENCE\tENGINE\tPOST TO RESULT\t%s\t\n",
		strings.ToUpper(strings.Join(names, "\t")), strings.ToUpper(strings.Join(names, " TIME\t")+" TIME"))
	for _, one := range c.Cases {
		fmt.Fprintf(t, "%s\t%.14f\t", one.Name, one.TotalReturn)
		for _, n := range names {
			fmt.Fprintf(t, "%.14f\t", one.Peers[n].TotalReturn)
		}
		fmt.Fprintf(t, "%.1e\t%s\t%s\t", one.Difference(), brief(one.EngineSeconds), brief(one.ResultSeconds))
		for _, n := range names {
			fmt.Fprintf(t, "%s\t", brief(one.Peers[n].Seconds))
		}
		verdict := "ok"
		if one.Difference() > Tolerance {
			verdict = "DIFFERS"
		}
		fmt.Fprintln(t, verdict)
	}
	_ = t.Flush() // as in Print
}

func brief(seconds float64) string {
	return Figure{Value: seconds * float64(time.Second/time.Millisecond), Unit: "ms"}.String()
}

// output runs a command and returns its standard output; where it fails, the
// error holds what it wrote to the other.
func output(cmd *exec.Cmd) ([]byte, error) {
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, errs.String())
	}
	return out, nil
}
