package download_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/timeseries"
	"ballast/timeseries/calendar"
)

func runtimeFiles(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("runtime/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, paths)
	}
	return paths
}

// TestExchangePlansTheSameSessions compares every day from 1885 to 2100.
func TestExchangePlansTheSameSessions(t *testing.T) {
	t.Parallel()
	const program = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "runtime")
import exchange
epoch = exchange.date(1970, 1, 1).toordinal()
days = exchange.planned_sessions(exchange.FIRST, exchange.LAST)
part = exchange.planned_sessions(exchange.date(1951, 6, 5).toordinal(), exchange.date(1953, 2, 1).toordinal())
assert set(part) == {d for d in days if part[0] <= d <= part[-1]}
json.dump([d - epoch for d in days], sys.stdout)
`
	out, err := exec.CommandContext(t.Context(), interpreter(t), "-c", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var got, want []timeseries.Date
	var days []int32
	if err := json.Unmarshal(out, &days); err != nil {
		t.Fatal(err)
	}
	for _, d := range days {
		got = append(got, timeseries.Date(d))
	}
	xnys := calendar.XNYS()
	for i := range xnys.Count(calendar.Last) {
		want = append(want, xnys.Session(i))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
