package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"ballast/backtest"
	"ballast/script"
)

// TestManyTradesEndWell rebalances a wide universe every day. The ledger has more rows than
// are kept, and together with the columns it must stay within the limits of a run.
// BALLAST_SESSIONS makes the run longer: 5040 sessions are 20 years.
func TestManyTradesEndWell(t *testing.T) {
	const members = 2000
	sessions := 400
	if text := os.Getenv("BALLAST_SESSIONS"); text != "" {
		var err error
		if sessions, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	frame := panel(t, members, sessions)
	universe := ""
	for _, key := range keysOf(frame) {
		universe += fmt.Sprintf("%q, ", key)
	}
	source := fmt.Sprintf(`from harness import equal_weight
NAME = "Wide"
SCHEDULE = "daily"
UNIVERSE = [%s]

def decide(ctx):
    return equal_weight(ctx.universe)
`, universe)
	checked, problems := script.Check(source, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	inputs, _ := checked.Bind(nil)
	p := poolOf(t, Config{Command: []string{"/proc/self/exe", "script"}, Size: 1, Defaults: Limits{Deadline: time.Minute, Memory: 1 << 30}})
	began := time.Now()
	o, err := p.Run(t.Context(), Job{Source: source, Inputs: inputs.Map(), Frame: frame})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Release()
	t.Logf("%d sessions in %v, %v of the processor's, %d steps; %d of %d rows kept", sessions, time.Since(began).Round(time.Millisecond), o.CPU, o.Steps,
		o.Summary.TradeLog.Kept, o.Summary.TradeLog.Total)
	log := o.Summary.TradeLog
	if log.Total != members*sessions || log.Kept != min(log.Total, backtest.MaxLedgerRows) || o.Ledger().NumRows() != int64(log.Kept) || o.Summary.TargetHistory != log {
		t.Errorf("%d rows, logs %+v and %+v", o.Ledger().NumRows(), log, o.Summary.TargetHistory)
	}
	if o.Summary.RebalanceDates != sessions || o.Daily().NumRows() != int64(sessions) {
		t.Errorf("%d decisions on %d sessions", o.Summary.RebalanceDates, o.Daily().NumRows())
	}
}
