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
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Tolerance is the largest absolute difference allowed between a total return, or any
// daily return, and a peer's.
const Tolerance = 1e-9

// Comparison has the results of the compared strategies, over the interface and in the
// peers.
type Comparison struct {
	Versions map[string]string `json:"versions,omitempty"`
	Cases    []Case            `json:"cases,omitempty"`
	Skipped  string            `json:"skipped,omitempty"` // why nothing was compared
}

// Case is one strategy.
type Case struct {
	Name          string           `json:"name"`
	Sessions      int              `json:"sessions"`       // with a return
	Rebalances    int              `json:"rebalances"`     // filled decisions
	TotalReturn   float64          `json:"total_return"`   // over the interface
	EngineSeconds float64          `json:"engine_seconds"` // script and engine over the bars in memory
	ResultSeconds float64          `json:"result_seconds"` // POST runs with wait until its answer
	Peers         map[string]Value `json:"peers"`
	Base          string           `json:"base"` // date of the base, the same everywhere
}

// Value is a peer's number and time.
type Value struct {
	TotalReturn float64 `json:"total_return"`
	Daily       float64 `json:"daily_difference"` // largest difference of a daily return
	Seconds     float64 `json:"seconds"`
}

// Difference returns the largest difference from a peer's total return or daily returns.
func (c Case) Difference() float64 {
	largest := 0.0
	for _, p := range c.Peers {
		d := max(math.Abs(p.TotalReturn-c.TotalReturn), p.Daily)
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		largest = max(largest, d)
	}
	return largest
}

// Check returns an error that names each case whose difference exceeds Tolerance.
func (c *Comparison) Check() error {
	var problems []error
	for _, one := range c.Cases {
		if d := one.Difference(); d > Tolerance {
			problems = append(problems, fmt.Errorf("%s differs from a peer by %g, more than %g", one.Name, d, Tolerance))
		}
	}
	return errors.Join(problems...)
}

// peerRun is a peer's result for a strategy.
type peerRun struct {
	TotalReturn float64 `json:"total_return"`
	Returns     []float64
	Seconds     float64
}

// peerAnswer is what strategies.py prints.
type peerAnswer struct {
	Versions   map[string]string
	Strategies map[string]struct {
		Base         string
		Fills        int
		BT, VectorBT peerRun
	}
}

// Compare runs the strategies over the interface and in the peers on a file of
// bars that has their members. Python is an interpreter that has the peers (see
// PreparePython), program the path of strategies.py.
func Compare(ctx context.Context, e *Env, python, program, file string) (_ *Comparison, err error) {
	s, err := startService(ctx, e.Binary, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if err := s.importBars(ctx, file); err != nil {
		return nil, err
	}
	strategies := Strategies()
	c := &Comparison{Cases: make([]Case, len(strategies))}
	own := make([]*ownRun, len(strategies))
	for i := range strategies {
		symbol := fmt.Sprintf("PEER-%d", i)
		text := strategies[i].script(symbol)
		if own[i], err = c.Cases[i].measure(ctx, s.client, symbol, text); err != nil {
			return nil, fmt.Errorf("%s: %w", strategies[i].Name, err)
		}
		if d := strategies[i].Decide; d == "given" || d == "band" {
			strategies[i].Fills = own[i].fills()
		}
		f, err := membersFrame(ctx, e, s, strategies[i].Members)
		if err != nil {
			return nil, err
		}
		if c.Cases[i].EngineSeconds, err = engineSeconds(ctx, text, f); err != nil {
			return nil, err
		}
	}
	peers, err := runPeers(ctx, python, program, file, strategies)
	if err != nil {
		return nil, err
	}
	c.Versions = peers.Versions
	for i, one := range strategies {
		p, ok := peers.Strategies[one.Name]
		if !ok {
			return nil, fmt.Errorf("%s did not answer %s", program, one.Name)
		}
		if own[i].Window.Base != p.Base || len(own[i].Allocation.Rebalances) != p.Fills {
			return nil, fmt.Errorf("%s: base %s and %d fills, the peers have %s and %d",
				one.Name, own[i].Window.Base, len(own[i].Allocation.Rebalances), p.Base, p.Fills)
		}
		c.Cases[i].Name, c.Cases[i].Base = one.Name, p.Base
		c.Cases[i].Peers = map[string]Value{"bt": p.BT.beside(own[i].Returns), "vectorbt": p.VectorBT.beside(own[i].Returns)}
	}
	return c, nil
}

// runPeers gives the strategies to the peers in a file.
func runPeers(ctx context.Context, python, program, file string, strategies []Strategy) (*peerAnswer, error) {
	text, err := json.Marshal(strategies)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "ballast-peers-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "strategies.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	out, err := output(exec.CommandContext(ctx, python, program, file, path))
	if err != nil {
		return nil, err
	}
	peers := &peerAnswer{}
	if err := json.Unmarshal(out, peers); err != nil {
		return nil, fmt.Errorf("read what %s printed: %w", program, err)
	}
	return peers, nil
}

// beside compares a peer's daily returns with ours.
func (p peerRun) beside(returns []float64) Value {
	v := Value{TotalReturn: p.TotalReturn, Seconds: p.Seconds}
	if len(p.Returns) != len(returns) {
		v.Daily = math.Inf(1)
		return v
	}
	for k, r := range returns {
		v.Daily = max(v.Daily, math.Abs(r-p.Returns[k]))
	}
	return v
}

// ownRun is a strategy's history over the interface.
type ownRun struct {
	Window     struct{ Base string }
	Returns    []float64
	Allocation struct {
		Rebalances []struct {
			Date   string
			Trades map[string]struct{ Target float64 }
		}
	}
	Metrics struct {
		TotalReturn *float64 `json:"total_return"`
	}
}

// fills returns the targets by the date of their fill.
func (r *ownRun) fills() map[string]target {
	fills := make(map[string]target, len(r.Allocation.Rebalances))
	for _, one := range r.Allocation.Rebalances {
		weights := make(target, len(one.Trades))
		for key, t := range one.Trades {
			weights[key] = t.Target
		}
		fills[one.Date] = weights
	}
	return fills
}

// measure builds the case's model, reads its numbers, and times runs of it.
func (c *Case) measure(ctx context.Context, cl *client, symbol, text string) (*ownRun, error) {
	if _, err := cl.build(ctx, "models", text); err != nil {
		return nil, err
	}
	h := &ownRun{}
	if err := cl.read(ctx, http.MethodGet, "/v1/models/"+symbol+"/history?include=returns,allocation,metrics&full_history=true", nil, h); err != nil {
		return nil, err
	}
	if h.Metrics.TotalReturn == nil {
		return nil, errors.New("no total return")
	}
	c.TotalReturn, c.Sessions, c.Rebalances = *h.Metrics.TotalReturn, len(h.Returns), len(h.Allocation.Rebalances)
	cash := 10_000
	took, err := repeat(ctx, 10, func() error {
		cash++
		return cl.run(ctx, "models/"+symbol, map[string]any{"initial_cash": cash})
	})
	c.ResultSeconds = took.median().Seconds()
	return h, err
}

func (c *Comparison) print(w io.Writer) {
	if c.Skipped != "" {
		fmt.Fprintf(w, "\nComparison with bt and vectorbt skipped: %s\n", c.Skipped)
		return
	}
	names := slices.Sorted(maps.Keys(c.Versions))
	fmt.Fprint(w, "\nThe same strategies on the same bars: total return, and the largest difference of it and of the daily returns, beside")
	for _, n := range names {
		fmt.Fprintf(w, " %s %s", n, c.Versions[n])
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	fmt.Fprint(t, "STRATEGY\tSESSIONS\tTRADED ON\tTOTAL RETURN\t")
	for _, n := range names {
		fmt.Fprintf(t, "%[1]s\t%[1]s DAILY\t", strings.ToUpper(n))
	}
	fmt.Fprintf(t, "ENGINE\tPOST TO RESULT\t%s TIME\t\n", strings.ToUpper(strings.Join(names, " TIME\t")))
	for _, one := range c.Cases {
		fmt.Fprintf(t, "%s\t%d\t%d\t%.14f\t", one.Name, one.Sessions, one.Rebalances, one.TotalReturn)
		for _, n := range names {
			fmt.Fprintf(t, "%.1e\t%.1e\t", math.Abs(one.Peers[n].TotalReturn-one.TotalReturn), one.Peers[n].Daily)
		}
		fmt.Fprintf(t, "%s\t%s\t", brief(one.EngineSeconds), brief(one.ResultSeconds))
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

// output runs a command and returns its standard output. If it fails, the error has its
// standard error.
func output(cmd *exec.Cmd) ([]byte, error) {
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, errs.String())
	}
	return out, nil
}
